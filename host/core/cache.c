/* SPDX-License-Identifier: MIT */
/*
 * The format of a file: magic, bytes of the key, bytes of the program, the key, the program, and a
 * checksum of all of them. A file is written under a temporary name and renamed, so that a reader
 * sees all of it or nothing. Two writers of one key write the same bytes; the later file stays.
 */
#include "core/cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cl/hash.clh"
#include "core/check.h"

enum { PATH_BYTES = 4096, NAME_DIGITS = 16, STALE_SECONDS = 3600 };

static const char suffix[] = ".dmm";
static const char magic[16] = "dmm program 1\r\n";

typedef struct head {
    char magic[sizeof magic];
    uint64_t key_bytes, program_bytes;
} head;

dmm_status dmm_cache_open(dmm_cache *cache, const char *folder, const dmm_log *log)
{
    *cache = (dmm_cache){NULL, DMM_CACHE_MAX_BYTES, *log};
    if (folder == NULL)
        return DMM_OK;
    const size_t bytes = strlen(folder) + 1;
    if ((cache->folder = malloc(bytes)) == NULL)
        return DMM_OUT_OF_MEMORY;
    memcpy(cache->folder, folder, bytes);
    return DMM_OK;
}

void dmm_cache_close(dmm_cache *cache)
{
    free(cache->folder);
    cache->folder = NULL;
}

/* Writes the path of a key's file to `path`. */
static void path_of(const dmm_cache *cache, const char *key, char path[PATH_BYTES])
{
    snprintf(path, PATH_BYTES, "%s/%016llx%s", cache->folder,
        (unsigned long long)dmm_fnv1a_bytes(DMM_FNV1A, key, strlen(key)), suffix);
}

/*
 * True if nobody but this user and root can have written the file. A program of someone else would
 * run with this user's rights, and the checksum does not stop a forger.
 */
static int is_trusted(const struct stat *about)
{
    return S_ISREG(about->st_mode) && (about->st_uid == geteuid() || about->st_uid == 0) &&
           (about->st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

/* Opens a file of the cache and returns its descriptor; -1 if there is none or if it is not
 * trusted. Does not block on a FIFO. */
static int open_trusted(const char *path, size_t *bytes, const dmm_log *log)
{
    struct stat about;
    const int file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file >= 0 && fstat(file, &about) == 0 && is_trusted(&about) && about.st_size > 0 &&
        about.st_size <= DMM_CACHE_MAX_BYTES) {
        *bytes = (size_t)about.st_size;
        return file;
    }
    if (file >= 0)
        close(file);
    if (file >= 0 || (errno != ENOENT && errno != ENOTDIR))
        dmm_log_line(log, "%s: not a file that this user alone can write: skipped", path);
    return -1;
}

/* Reads a whole file, to be freed; NULL if there is none. */
static unsigned char *read_file(const char *path, size_t *bytes, const dmm_log *log)
{
    size_t at = 0;
    const int file = open_trusted(path, bytes, log);
    if (file < 0)
        return NULL;
    unsigned char *data = malloc(*bytes);
    while (data != NULL && at < *bytes) {
        const ssize_t got = read(file, data + at, *bytes - at);
        if (got <= 0) {
            free(data);
            data = NULL;
        } else
            at += (size_t)got;
    }
    close(file);
    return data;
}

/* Returns where the program of this key begins in a file's bytes; NULL if the file has another key
 * or is incomplete. */
static unsigned char *find_program(
    unsigned char *data, size_t bytes, const char *key, size_t *program_bytes)
{
    const size_t key_bytes = strlen(key);
    uint64_t sum;
    head h;
    if (bytes < sizeof h + sizeof sum)
        return NULL;
    memcpy(&h, data, sizeof h);
    memcpy(&sum, data + bytes - sizeof sum, sizeof sum);
    const size_t left = bytes - sizeof h - sizeof sum;
    if (memcmp(h.magic, magic, sizeof magic) != 0 || h.key_bytes != key_bytes ||
        h.key_bytes > left || h.program_bytes != left - h.key_bytes || h.program_bytes == 0 ||
        sum != dmm_fnv1a_bytes(DMM_FNV1A, data, bytes - sizeof sum) ||
        memcmp(data + sizeof h, key, key_bytes) != 0)
        return NULL;
    *program_bytes = (size_t)h.program_bytes;
    return data + sizeof h + key_bytes;
}

unsigned char *dmm_cache_read(const dmm_cache *cache, const char *key, size_t *bytes)
{
    char path[PATH_BYTES];
    size_t file_bytes = 0;
    if (cache->folder == NULL)
        return NULL;
    path_of(cache, key, path);
    unsigned char *const data = read_file(path, &file_bytes, &cache->log);
    if (data == NULL)
        return NULL;
    unsigned char *const program = find_program(data, file_bytes, key, bytes);
    if (program == NULL) {
        dmm_log_line(&cache->log, "%s: not a sound program of this device: built anew", path);
        free(data);
        return NULL;
    }
    utimensat(AT_FDCWD, path, NULL, AT_SYMLINK_NOFOLLOW); /* used just now */
    return memmove(data, program, *bytes);
}

/* Creates a folder and its parents. Errors show up later, when a file is opened. */
static void make_folder(const char *folder)
{
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s", folder);
    for (char *at = path + 1; *at != '\0'; at++)
        if (*at == '/') {
            *at = '\0';
            mkdir(path, 0700);
            *at = '/';
        }
    mkdir(path, 0700);
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

/* A program file of the folder. */
typedef struct kept {
    char name[256];
    uint64_t bytes;
    time_t used;
} kept;

typedef struct kept_list {
    kept *files;
    size_t count;
    uint64_t bytes;
} kept_list;

/* NAME.dmm, or NAME.dmm.XXXXXX while it is being written. */
static int is_ours(const char *name, int whole)
{
    const size_t digits = strspn(name, "0123456789abcdef");
    const char *const rest = name + digits;
    if (digits != NAME_DIGITS || strncmp(rest, suffix, strlen(suffix)) != 0)
        return 0;
    return whole ? rest[strlen(suffix)] == '\0' : rest[strlen(suffix)] == '.' && strlen(rest) < 16;
}

/* Lists the programs of a folder; removes what writers left unfinished so many seconds ago. */
static dmm_status list(const char *folder, time_t stale_seconds, kept_list *out)
{
    char path[PATH_BYTES];
    struct stat about;
    *out = (kept_list){NULL, 0, 0};
    DIR *const dir = opendir(folder);
    if (dir == NULL)
        return errno == ENOENT ? DMM_OK : DMM_BAD_VALUE;
    for (const struct dirent *entry; (entry = readdir(dir)) != NULL;) {
        const int whole = is_ours(entry->d_name, 1);
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if ((!whole && !is_ours(entry->d_name, 0)) || lstat(path, &about) != 0)
            continue;
        if (!whole) {
            if (time(NULL) - about.st_mtime >= stale_seconds)
                unlink(path);
            continue;
        }
        kept *const longer = realloc(out->files, (out->count + 1) * sizeof *longer);
        if (longer == NULL) {
            closedir(dir);
            free(out->files);
            return DMM_OUT_OF_MEMORY;
        }
        out->files = longer;
        kept *const file = &longer[out->count++];
        snprintf(file->name, sizeof file->name, "%s", entry->d_name);
        file->bytes = (uint64_t)about.st_size;
        file->used = about.st_mtime;
        out->bytes += file->bytes;
    }
    closedir(dir);
    return DMM_OK;
}

static int compare_used(const void *a, const void *b)
{
    const kept *const x = a, *const y = b;
    return (x->used > y->used) - (x->used < y->used);
}

/* Removes the least recently used programs until the others take at most max_bytes. DMM_BAD_FILE if
 * some could not be removed. */
static dmm_status trim(const char *folder, uint64_t max_bytes)
{
    char path[PATH_BYTES];
    kept_list all;
    /* Without an unfinished file its writer, if that lives, keeps no program: a loss of time. */
    dmm_status status = list(folder, max_bytes == 0 ? 0 : STALE_SECONDS, &all);
    if (status != DMM_OK)
        return status;
    if (all.count > 1)
        qsort(all.files, all.count, sizeof *all.files, compare_used);
    for (size_t i = 0; i < all.count && (max_bytes == 0 || all.bytes > max_bytes); i++) {
        snprintf(path, sizeof path, "%s/%s", folder, all.files[i].name);
        if (unlink(path) != 0 && errno != ENOENT)
            status = DMM_BAD_FILE;
        all.bytes -= all.files[i].bytes;
    }
    free(all.files);
    return status;
}

void dmm_cache_write(
    const dmm_cache *cache, const char *key, const unsigned char *program, size_t bytes)
{
    char path[PATH_BYTES], own[PATH_BYTES + 8];
    head h = {.key_bytes = strlen(key), .program_bytes = bytes};
    if (cache->folder == NULL || strlen(cache->folder) + 64 > PATH_BYTES)
        return;
    memcpy(h.magic, magic, sizeof magic);
    const uint64_t of_key =
        dmm_fnv1a_bytes(dmm_fnv1a_bytes(DMM_FNV1A, &h, sizeof h), key, strlen(key));
    const uint64_t sum = dmm_fnv1a_bytes(of_key, program, bytes);
    path_of(cache, key, path);
    snprintf(own, sizeof own, "%s.XXXXXX", path);
    make_folder(cache->folder);
    const int file = mkstemp(own);
    int written = file >= 0;
    written = written && write_all(file, &h, sizeof h) && write_all(file, key, strlen(key)) &&
              write_all(file, program, bytes) && write_all(file, &sum, sizeof sum);
    if (file >= 0)
        written = close(file) == 0 && written;
    if (!written || rename(own, path) != 0) {
        dmm_log_line(&cache->log, "%s: cannot be written: %s", path, strerror(errno));
        unlink(own);
        return;
    }
    trim(cache->folder, cache->max_bytes);
}

dmm_status dmm_cache_usage(const char *folder, uint64_t *programs, uint64_t *bytes)
{
    kept_list all;
    if (folder == NULL || programs == NULL || bytes == NULL)
        return DMM_NULL_ARGUMENT;
    const dmm_status status = list(folder, STALE_SECONDS, &all);
    if (status != DMM_OK)
        return status;
    *programs = all.count;
    *bytes = all.bytes;
    free(all.files);
    return DMM_OK;
}

dmm_status dmm_cache_clear(const char *folder)
{
    return folder == NULL ? DMM_NULL_ARGUMENT : trim(folder, 0);
}
