/* SPDX-License-Identifier: MIT */
#define _XOPEN_SOURCE 700 /* realpath */
#include "core/os.h"

#if !defined(_WIN32)

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

int dmm_mutex_init(dmm_mutex *mutex)
{
    return pthread_mutex_init(mutex, NULL) == 0;
}

void dmm_mutex_destroy(dmm_mutex *mutex)
{
    pthread_mutex_destroy(mutex);
}

void dmm_mutex_lock(dmm_mutex *mutex)
{
    pthread_mutex_lock(mutex);
}

void dmm_mutex_unlock(dmm_mutex *mutex)
{
    pthread_mutex_unlock(mutex);
}

int dmm_condition_init(dmm_condition *condition)
{
    return pthread_cond_init(condition, NULL) == 0;
}

void dmm_condition_destroy(dmm_condition *condition)
{
    pthread_cond_destroy(condition);
}

void dmm_condition_wait(dmm_condition *condition, dmm_mutex *mutex)
{
    pthread_cond_wait(condition, mutex);
}

void dmm_condition_broadcast(dmm_condition *condition)
{
    pthread_cond_broadcast(condition);
}

void dmm_once_run(dmm_once *once, void (*function)(void))
{
    pthread_once(once, function);
}

static void *run(void *user)
{
    dmm_thread *const thread = user;
    thread->run(thread->user);
    return NULL;
}

int dmm_thread_start(dmm_thread *thread, void (*function)(void *user), void *user)
{
    thread->run = function;
    thread->user = user;
    return pthread_create(&thread->id, NULL, run, thread) == 0;
}

void dmm_thread_join(dmm_thread *thread)
{
    pthread_join(thread->id, NULL);
}

unsigned dmm_os_processors(void)
{
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    return processors > 0 ? (unsigned)processors : 1;
}

long dmm_os_process(void)
{
    return (long)getpid();
}

int dmm_os_random(void *bytes, size_t count)
{
    FILE *const file = fopen("/dev/urandom", "rb");
    if (file == NULL)
        return 0;
    setvbuf(file, NULL, _IONBF, 0); /* takes the bytes, not a buffer full */
    const int filled = fread(bytes, count, 1, file) == 1;
    fclose(file);
    return filled;
}

/* XDG Base Directory Specification */
const char *dmm_os_settings_file(char path[DMM_PATH_BYTES], const char *name)
{
    const char *const base = getenv("XDG_CONFIG_HOME"), *const home = getenv("HOME");
    const int own = base != NULL && base[0] == '/';
    if (!own && (home == NULL || home[0] != '/'))
        return NULL;
    snprintf(path, DMM_PATH_BYTES, "%s%s/dmm/%s", own ? base : home, own ? "" : "/.config", name);
    return path;
}

/*
 * True if nobody but this user and root can have written the file. A program of someone else would
 * run with this user's rights, and the checksum does not stop a forger.
 */
static int is_private(const struct stat *about)
{
    return (about->st_uid == geteuid() || about->st_uid == 0) &&
           (about->st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

static dmm_file_result read_open(int file, const struct stat *about, char **data, size_t *bytes)
{
    const size_t size = (size_t)about->st_size;
    size_t at = 0;
    ssize_t got = 0;
    if ((*data = malloc(size + 1)) == NULL)
        return DMM_FILE_NO_MEMORY;
    while (at < size && (got = read(file, *data + at, size - at)) > 0)
        at += (size_t)got; /* the file may have become shorter */
    (*data)[at] = '\0';
    *bytes = at;
    return DMM_FILE_READ;
}

dmm_file_result dmm_file_read(
    const char *path, size_t most, dmm_file_trust trust, char **data, size_t *bytes)
{
    struct stat about;
    const int no_link = trust == DMM_FILE_PRIVATE ? O_NOFOLLOW : 0;
    const int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | no_link);
    dmm_file_result result = DMM_FILE_REFUSED;
    if (file < 0)
        return errno == ENOENT || errno == ENOTDIR ? DMM_FILE_ABSENT : DMM_FILE_REFUSED;
    if (fstat(file, &about) == 0 && S_ISREG(about.st_mode) && about.st_size >= 0 &&
        (uint64_t)about.st_size <= most && (trust == DMM_FILE_ANY || is_private(&about)))
        result = read_open(file, &about, data, bytes);
    close(file);
    return result;
}

static int write_all(int file, const void *data, size_t bytes)
{
    const unsigned char *at = data;
    while (bytes > 0) {
        const ssize_t done = write(file, at, bytes);
        if (done <= 0)
            return 0;
        at += done;
        bytes -= (size_t)done;
    }
    return 1;
}

enum { MOST_OWN = 100, OWN_BYTES = DMM_PATH_BYTES + 16 };

/* True if the name is that of the open file, which nobody else has made or links to. */
static int is_own(const char *name, int file)
{
    struct stat named, found;
    return lstat(name, &named) == 0 && fstat(file, &found) == 0 && named.st_dev == found.st_dev &&
           named.st_ino == found.st_ino && S_ISREG(found.st_mode) && found.st_uid == geteuid() &&
           found.st_nlink == 1;
}

/* Opens the first of PATH.dmm-0, PATH.dmm-1, ... that no process has locked: a new file, or what a
 * killed process has left, emptied. *lock keeps it locked when the file has been closed. */
static int open_own(const char *path, mode_t mode, char own[OWN_BYTES], int *lock)
{
    for (int try = 0; try < MOST_OWN; try++) {
        snprintf(own, OWN_BYTES, "%s.dmm-%d", path, try);
        const int file = open(own, O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, mode);
        if (file < 0)
            continue;
        if ((flock(file, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) && is_own(own, file) &&
            ftruncate(file, 0) == 0 && (*lock = fcntl(file, F_DUPFD_CLOEXEC, 0)) >= 0)
            return file;
        close(file);
        errno = EEXIST;
    }
    return -1;
}

/* Writes the parts, and gives the file the rights of the old one, which it is to replace. */
static int write_own(int file, const dmm_file_part *parts, size_t count, const struct stat *old)
{
    int written = old == NULL || fchmod(file, old->st_mode & 0755) == 0;
    for (size_t i = 0; i < count; i++)
        written = written && write_all(file, parts[i].data, parts[i].bytes);
    written = written && (old == NULL || fsync(file) == 0);
    return close(file) == 0 && written;
}

/* old: the file whose rights the new one takes; NULL: it has those of `mode`. */
static int replace(
    const char *path, const dmm_file_part *parts, size_t count, mode_t mode, const struct stat *old)
{
    char own[OWN_BYTES];
    int lock = -1;
    const int file = open_own(path, mode, own, &lock);
    if (file < 0)
        return 0;
    const int replaced = write_own(file, parts, count, old) && rename(own, path) == 0;
    const int error = errno;
    if (!replaced)
        unlink(own);
    close(lock);
    errno = error;
    return replaced;
}

const char *dmm_file_replace(const char *path, dmm_file_trust trust, const dmm_file_part *parts,
    size_t count, char why[DMM_FILE_WHY_BYTES])
{
    struct stat old;
    int replaced = 0;
    char *const followed = trust == DMM_FILE_ANY ? realpath(path, NULL) : NULL;
    const char *const target = followed != NULL ? followed : path;
    const int keeps = trust == DMM_FILE_ANY && lstat(target, &old) == 0;
    snprintf(why, DMM_FILE_WHY_BYTES, "not a regular file");
    if (!keeps || S_ISREG(old.st_mode)) {
        replaced =
            (!keeps || access(target, W_OK) == 0) &&
            replace(target, parts, count, trust == DMM_FILE_ANY ? 0644 : 0600, keeps ? &old : NULL);
        snprintf(why, DMM_FILE_WHY_BYTES, "%s", strerror(errno));
    }
    free(followed);
    return replaced ? NULL : why;
}

void dmm_file_touch(const char *path)
{
    utimensat(AT_FDCWD, path, NULL, AT_SYMLINK_NOFOLLOW);
}

int dmm_file_remove(const char *path)
{
    return unlink(path) == 0 || errno == ENOENT;
}

uint64_t dmm_file_bytes(FILE *file)
{
    struct stat about;
    return fstat(fileno(file), &about) == 0 && S_ISREG(about.st_mode) ? (uint64_t)about.st_size : 0;
}

void dmm_folder_make(const char *folder)
{
    char path[DMM_PATH_BYTES];
    snprintf(path, sizeof path, "%s", folder);
    for (char *at = path + 1; *at != '\0'; at++)
        if (*at == '/') {
            *at = '\0';
            mkdir(path, 0700);
            *at = '/';
        }
    mkdir(path, 0700);
}

int dmm_folder_list(
    const char *folder, int (*each)(void *user, const dmm_folder_entry *entry), void *user)
{
    char path[DMM_PATH_BYTES + 256];
    struct stat about;
    int result = 0;
    DIR *const dir = opendir(folder);
    if (dir == NULL)
        return errno == ENOENT ? 0 : -1;
    for (const struct dirent *entry; result == 0 && (entry = readdir(dir)) != NULL;) {
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (lstat(path, &about) != 0)
            continue;
        const dmm_folder_entry found = {
            entry->d_name, (uint64_t)about.st_size, (int64_t)about.st_mtime};
        result = each(user, &found);
    }
    closedir(dir);
    return result;
}

#endif
