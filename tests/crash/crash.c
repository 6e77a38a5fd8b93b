/* SPDX-License-Identifier: MIT */
/*
 * Preloaded by cli/crash.sh: makes a call that changes files the last one of the process, and
 * changes the disk as a crash might. After ALICE (T. Pillai et al., "All File Systems Are Not
 * Created Equal", OSDI 2014) and CrashMonkey (J. Mohan et al., OSDI 2018), without their search:
 * data that has not been synchronised is there or is zero; changes of names (files created, moved,
 * linked, removed) since the folder was synchronised are there, are not, or the last one alone is.
 * Streams of stdio change a file when they are opened and when they are closed. Children count
 * nothing.
 * DMM_CRASH_FOLDER   calls on its files count; relative names are in it
 * DMM_CRASH_AT       number of the call, from 1
 * DMM_CRASH_HOW      kill: the call has no effect; torn: half of a write; lost: no effect, and all
 *                    data is zero that has been written since its file was synchronised;
 *                    unnamed: no effect, and no name has changed since the folder was
 *                    synchronised; early: as lost, but of these changes the last one is there
 * Old files are kept under numbers in the folder DMM_CRASH_FOLDER.old.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_FDS = 1024, MOST_WRITES = 1 << 16, MOST_NAMES = 64 };

/* A write that is not synchronised. */
typedef struct unsynced {
    int fd; /* our own */
    dev_t device;
    ino_t file;
    off_t at;
    size_t bytes;
} unsynced;

/* A name that has changed since the folder was synchronised. */
typedef struct changed {
    char path[PATH_MAX];
    int had_file; /* the old one is kept */
    long change;  /* number of its last change */
} changed;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static unsynced writes[MOST_WRITES];
static size_t num_writes;
static long calls;
static changed names[MOST_NAMES];
static size_t num_names;
static long changes;

/* The function that the process would have called. */
#define REAL(type, name) REAL_AS(type, real, name)
#define REAL_AS(type, real, name) \
    type *real;                   \
    *(void **)(void *)&real = dlsym(RTLD_NEXT, name)
typedef int open_function(const char *, int, ...);
typedef ssize_t write_function(int, const void *, size_t);
typedef ssize_t pwrite_function(int, const void *, size_t, off_t);
typedef int sync_function(int);
typedef int truncate_function(int, off_t);
typedef int move_function(const char *, const char *);
typedef int unlink_function(const char *);
typedef FILE *fopen_function(const char *, const char *);
typedef int fclose_function(FILE *);

/* The first process with this library. */
static const char process_name[] = "DMM_CRASH_PROCESS";

__attribute__((constructor)) static void begin(void)
{
    char id[32];
    snprintf(id, sizeof id, "%ld", (long)getpid());
    setenv(process_name, id, 0);
}

/* Returns the folder; "" in a child. */
static const char *folder(void)
{
    const char *const name = getenv("DMM_CRASH_FOLDER"), *const process = getenv(process_name);
    return name && process && atol(process) == (long)getpid() ? name : "";
}

static int is_named(const char *path)
{
    return folder()[0] && (path[0] != '/' || strncmp(path, folder(), strlen(folder())) == 0);
}

/* True for what is in the folder, or the folder itself, if it is of the type. */
static int is_of_type(int fd, mode_t type)
{
    char link[64], path[PATH_MAX];
    struct stat info;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    const ssize_t bytes = readlink(link, path, sizeof path - 1);
    if (bytes <= 0 || !folder()[0] || fstat(fd, &info) != 0 || (info.st_mode & S_IFMT) != type)
        return 0;
    path[bytes] = '\0';
    return strncmp(path, folder(), strlen(folder())) == 0;
}

static int is_open(int fd)
{
    return is_of_type(fd, S_IFREG);
}

static int is_folder(int fd)
{
    return is_of_type(fd, S_IFDIR);
}

static int is_how(const char *how)
{
    const char *const wanted = getenv("DMM_CRASH_HOW");
    return wanted && strcmp(wanted, how) == 0;
}

static void old_name(char out[PATH_MAX], size_t number)
{
    if (snprintf(out, PATH_MAX, "%s.old/%zu", folder(), number) >= PATH_MAX)
        abort();
}

static void keep_old(const char *path)
{
    REAL(move_function, "link");
    char old[PATH_MAX];
    size_t i = 0;
    if (!is_named(path) || !(is_how("unnamed") || is_how("early")))
        return;
    pthread_mutex_lock(&mutex);
    while (i < num_names && strcmp(names[i].path, path) != 0)
        i++;
    if (i == num_names) {
        if (num_names++ == MOST_NAMES || strlen(path) >= PATH_MAX)
            abort();
        strcpy(names[i].path, path);
        old_name(old, i);
        names[i].had_file = real(path, old) == 0;
    }
    names[i].change = changes;
    pthread_mutex_unlock(&mutex);
}

/* Before a call that changes one name, or two. */
static void change(const char *path, const char *other)
{
    pthread_mutex_lock(&mutex);
    changes++;
    pthread_mutex_unlock(&mutex);
    keep_old(path);
    if (other)
        keep_old(other);
}

/* The folder has been synchronised. */
static void forget_names(void)
{
    REAL(unlink_function, "unlink");
    char old[PATH_MAX];
    pthread_mutex_lock(&mutex);
    for (size_t i = 0; i < num_names; i++) {
        old_name(old, i);
        real(old);
    }
    num_names = 0;
    pthread_mutex_unlock(&mutex);
}

/* Gives names their old files: all, or all but those of the last change. */
static void restore_names(void)
{
    REAL(move_function, "rename");
    REAL_AS(unlink_function, real_unlink, "unlink");
    for (size_t i = 0; i < num_names; i++) {
        char old[PATH_MAX];
        old_name(old, i);
        if (is_how("early") && names[i].change == changes)
            real_unlink(old);
        else if (!names[i].had_file)
            real_unlink(names[i].path);
        else if (real(old, names[i].path) != 0)
            abort();
    }
}

static void end(void)
{
    REAL(pwrite_function, "pwrite");
    static const char zeros[1 << 16];
    if (is_how("unnamed") || is_how("early"))
        restore_names();
    for (size_t i = 0; i < num_writes && (is_how("lost") || is_how("early")); i++)
        for (size_t done = 0; done < writes[i].bytes; done += sizeof zeros) {
            const size_t left = writes[i].bytes - done;
            struct stat info;
            if (fstat(writes[i].fd, &info) == 0 && writes[i].at + (off_t)done < info.st_size &&
                real(writes[i].fd, zeros, left < sizeof zeros ? left : sizeof zeros,
                    writes[i].at + (off_t)done) < 0)
                abort();
        }
    raise(SIGKILL);
}

/* Counts a call; true if it is to be the last one. Holds the mutex then, and so all other calls. */
static int is_last(void)
{
    const char *const at = getenv("DMM_CRASH_AT");
    pthread_mutex_lock(&mutex);
    if (++calls == (at ? atol(at) : 0))
        return 1;
    pthread_mutex_unlock(&mutex);
    return 0;
}

static void wrote(int fd, off_t at, ssize_t bytes)
{
    struct stat info;
    if (bytes <= 0 || !(is_how("lost") || is_how("early")))
        return;
    pthread_mutex_lock(&mutex);
    if (num_writes == MOST_WRITES || fstat(fd, &info) != 0)
        abort();
    unsynced *const w = &writes[num_writes++];
    *w = (unsynced){-1, info.st_dev, info.st_ino, at, (size_t)bytes};
    for (size_t i = 0; i + 1 < num_writes; i++)
        if (writes[i].device == w->device && writes[i].file == w->file)
            w->fd = writes[i].fd;
    if (w->fd < 0)
        w->fd = fcntl(fd, F_DUPFD_CLOEXEC, MOST_FDS);
    if (w->fd < 0)
        abort();
    pthread_mutex_unlock(&mutex);
}

static void synced(int fd)
{
    struct stat info;
    size_t kept = 0;
    pthread_mutex_lock(&mutex);
    for (size_t i = 0; i < num_writes && fstat(fd, &info) == 0; i++)
        if (writes[i].device != info.st_dev || writes[i].file != info.st_ino)
            writes[kept++] = writes[i];
    num_writes = kept;
    pthread_mutex_unlock(&mutex);
}

#define IS_LAST(counts) ((counts) && is_last())

static int open_by(const char *name, const char *path, int flags, mode_t mode)
{
    REAL(open_function, name);
    if (IS_LAST((flags & O_CREAT) && is_named(path)))
        end();
    if ((flags & O_CREAT) && access(path, F_OK) != 0)
        change(path, NULL);
    return real(path, flags, mode);
}

#define OPEN(name)                                \
    int name(const char *path, int flags, ...)    \
    {                                             \
        va_list list;                             \
        va_start(list, flags);                    \
        const mode_t mode = va_arg(list, mode_t); \
        va_end(list);                             \
        return open_by(#name, path, flags, mode); \
    }
int open64(const char *path, int flags, ...);
OPEN(open)
OPEN(open64)

ssize_t write(int fd, const void *data, size_t bytes)
{
    REAL(write_function, "write");
    const int counts = is_open(fd);
    const off_t at = counts ? lseek(fd, 0, SEEK_CUR) : 0;
    if (IS_LAST(counts)) {
        if (is_how("torn") && real(fd, data, bytes / 2) < 0)
            abort();
        end();
    }
    const ssize_t put = real(fd, data, bytes);
    if (counts)
        wrote(fd, at, put);
    return put;
}

static ssize_t pwrite_by(const char *name, int fd, const void *data, size_t bytes, off_t at)
{
    REAL(pwrite_function, name);
    const int counts = is_open(fd);
    if (IS_LAST(counts)) {
        if (is_how("torn") && real(fd, data, bytes / 2, at) < 0)
            abort();
        end();
    }
    const ssize_t put = real(fd, data, bytes, at);
    if (counts)
        wrote(fd, at, put);
    return put;
}

ssize_t pwrite(int fd, const void *data, size_t bytes, off_t at)
{
    return pwrite_by("pwrite", fd, data, bytes, at);
}

ssize_t pwrite64(int fd, const void *data, size_t bytes, off_t at);
ssize_t pwrite64(int fd, const void *data, size_t bytes, off_t at)
{
    return pwrite_by("pwrite64", fd, data, bytes, at);
}

#define SYNC(name)                        \
    int name(int fd)                      \
    {                                     \
        REAL(sync_function, #name);       \
        const int counts = is_open(fd);   \
        if (IS_LAST(counts))              \
            end();                        \
        const int status = real(fd);      \
        if (is_folder(fd) && status == 0) \
            forget_names();               \
        if (counts && status == 0)        \
            synced(fd);                   \
        return status;                    \
    }
SYNC(fsync)
SYNC(fdatasync)

#define TRUNCATE(name)                  \
    int name(int fd, off_t bytes)       \
    {                                   \
        REAL(truncate_function, #name); \
        if (IS_LAST(is_open(fd)))       \
            end();                      \
        return real(fd, bytes);         \
    }
int ftruncate64(int fd, off_t bytes);
TRUNCATE(ftruncate)
TRUNCATE(ftruncate64)

#define MOVE(name)                             \
    int name(const char *from, const char *to) \
    {                                          \
        REAL(move_function, #name);            \
        if (IS_LAST(is_named(from)))           \
            end();                             \
        change(from, to);                      \
        return real(from, to);                 \
    }
MOVE(rename)
MOVE(link)

#define UNLINK(name)                  \
    int name(const char *path)        \
    {                                 \
        REAL(unlink_function, #name); \
        if (IS_LAST(is_named(path)))  \
            end();                    \
        change(path, NULL);           \
        return real(path);            \
    }
UNLINK(unlink)
UNLINK(remove)

#define FOPEN(name)                                    \
    FILE *name(const char *path, const char *mode)     \
    {                                                  \
        REAL(fopen_function, #name);                   \
        if (IS_LAST(mode[0] != 'r' && is_named(path))) \
            end();                                     \
        if (mode[0] != 'r' && access(path, F_OK) != 0) \
            change(path, NULL);                        \
        return real(path, mode);                       \
    }
FILE *fopen64(const char *path, const char *mode);
FOPEN(fopen)
FOPEN(fopen64)

int fclose(FILE *file)
{
    REAL(fclose_function, "fclose");
    const int fd = fileno(file);
    if (IS_LAST(fd >= 0 && (fcntl(fd, F_GETFL) & O_ACCMODE) != O_RDONLY && is_open(fd)))
        end();
    return real(file);
}
