/* SPDX-License-Identifier: MIT */
/*
 * The format of a file: magic, bytes of the key, bytes of the program, the key, the program, and a
 * checksum of all of them. A file is written under a temporary name and renamed, so that a reader
 * sees all of it or nothing. Two writers of one key write the same bytes; the later file stays.
 */
#include "core/cache.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cl/hash.clh"
#include "core/os.h"

enum { NAME_DIGITS = 16, STALE_SECONDS = 3600 };

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
static void path_of(const dmm_cache *cache, const char *key, char path[DMM_PATH_BYTES])
{
    snprintf(path, DMM_PATH_BYTES, "%s/%016llx%s", cache->folder,
        (unsigned long long)dmm_fnv1a_bytes(DMM_FNV1A, key, strlen(key)), suffix);
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
    char path[DMM_PATH_BYTES], *data = NULL;
    size_t file_bytes = 0;
    if (cache->folder == NULL)
        return NULL;
    path_of(cache, key, path);
    const dmm_file_result result =
        dmm_file_read(path, DMM_CACHE_MAX_BYTES, DMM_FILE_PRIVATE, &data, &file_bytes);
    if (result == DMM_FILE_REFUSED)
        dmm_log_line(&cache->log, "%s: not a file that this user alone can write: skipped", path);
    if (result != DMM_FILE_READ)
        return NULL;
    unsigned char *const whole = (unsigned char *)data;
    unsigned char *const program = find_program(whole, file_bytes, key, bytes);
    if (program == NULL) {
        dmm_log_line(&cache->log, "%s: not a sound program of this device: built anew", path);
        free(data);
        return NULL;
    }
    dmm_file_touch(path); /* used just now */
    return memmove(whole, program, *bytes);
}

/* A program file of the folder. */
typedef struct kept {
    char name[256];
    uint64_t bytes;
    int64_t used;
} kept;

typedef struct kept_list {
    const char *folder;
    int64_t stale_seconds; /* age of unfinished files that are removed */
    kept *files;
    size_t count;
    uint64_t bytes;
} kept_list;

/* NAME.dmm, or while it is being written NAME.dmm.dmm-0 (os.h). */
static int is_ours(const char *name, int whole)
{
    const size_t digits = strspn(name, "0123456789abcdef");
    const char *const rest = name + digits;
    if (digits != NAME_DIGITS || strncmp(rest, suffix, strlen(suffix)) != 0)
        return 0;
    return whole ? rest[strlen(suffix)] == '\0' : rest[strlen(suffix)] == '.' && strlen(rest) < 16;
}

/* Takes an entry of the folder into the list, if it is a program; removes an old unfinished one. */
static int take_entry(void *user, const dmm_folder_entry *entry)
{
    char path[DMM_PATH_BYTES];
    kept_list *const out = user;
    if (is_ours(entry->name, 0) && (int64_t)time(NULL) - entry->changed >= out->stale_seconds) {
        snprintf(path, sizeof path, "%s/%s", out->folder, entry->name);
        dmm_file_remove(path);
    }
    if (!is_ours(entry->name, 1))
        return 0;
    kept *const longer = realloc(out->files, (out->count + 1) * sizeof *longer);
    if (longer == NULL)
        return DMM_OUT_OF_MEMORY;
    out->files = longer;
    kept *const file = &longer[out->count++];
    snprintf(file->name, sizeof file->name, "%s", entry->name);
    file->bytes = entry->bytes;
    file->used = entry->changed;
    out->bytes += file->bytes;
    return 0;
}

/* Lists the programs of a folder, to be freed; removes what writers left unfinished so many seconds
 * ago. */
static dmm_status list(const char *folder, int64_t stale_seconds, kept_list *out)
{
    *out = (kept_list){.folder = folder, .stale_seconds = stale_seconds};
    const int result = dmm_folder_list(folder, take_entry, out);
    if (result == 0)
        return DMM_OK;
    free(out->files);
    return result < 0 ? DMM_BAD_VALUE : DMM_OUT_OF_MEMORY;
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
    char path[DMM_PATH_BYTES];
    kept_list all;
    /* Without an unfinished file its writer, if that lives, keeps no program: a loss of time. */
    dmm_status status = list(folder, max_bytes == 0 ? 0 : STALE_SECONDS, &all);
    if (status != DMM_OK)
        return status;
    if (all.count > 1)
        qsort(all.files, all.count, sizeof *all.files, compare_used);
    for (size_t i = 0; i < all.count && (max_bytes == 0 || all.bytes > max_bytes); i++) {
        snprintf(path, sizeof path, "%s/%s", folder, all.files[i].name);
        if (!dmm_file_remove(path))
            status = DMM_BAD_FILE;
        all.bytes -= all.files[i].bytes;
    }
    free(all.files);
    return status;
}

void dmm_cache_write(
    const dmm_cache *cache, const char *key, const unsigned char *program, size_t bytes)
{
    char path[DMM_PATH_BYTES], why[DMM_FILE_WHY_BYTES];
    head h = {.key_bytes = strlen(key), .program_bytes = bytes};
    if (cache->folder == NULL || strlen(cache->folder) + 64 > DMM_PATH_BYTES)
        return;
    memcpy(h.magic, magic, sizeof magic);
    const uint64_t of_key =
        dmm_fnv1a_bytes(dmm_fnv1a_bytes(DMM_FNV1A, &h, sizeof h), key, strlen(key));
    const uint64_t sum = dmm_fnv1a_bytes(of_key, program, bytes);
    path_of(cache, key, path);
    const dmm_file_part parts[] = {
        {&h, sizeof h}, {key, strlen(key)}, {program, bytes}, {&sum, sizeof sum}};
    dmm_folder_make(cache->folder);
    if (dmm_file_replace(path, DMM_FILE_PRIVATE, parts, sizeof parts / sizeof parts[0], why) !=
        NULL) {
        dmm_log_line(&cache->log, "%s: cannot be written: %s", path, why);
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
