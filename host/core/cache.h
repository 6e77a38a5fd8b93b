/* SPDX-License-Identifier: MIT */
/* Reading and writing the folder of <dmm/cache.h>. */
#ifndef DMM_CORE_CACHE_H
#define DMM_CORE_CACHE_H

#include <stddef.h>

#include <dmm/cache.h>

#include "core/log.h"

typedef struct dmm_cache {
    char *folder;       /* owned; NULL: no cache */
    uint64_t max_bytes; /* limit of all files together */
    dmm_log log;
} dmm_cache;

enum { DMM_CACHE_MAX_BYTES = 256 << 20 };

/* folder: NULL keeps nothing. DMM_OUT_OF_MEMORY. */
dmm_status dmm_cache_open(dmm_cache *cache, const char *folder, const dmm_log *log);
void dmm_cache_close(dmm_cache *cache);

/* Returns the program of this key, to be freed; NULL if there is none, if it is damaged, or if
 * others can write its file. */
unsigned char *dmm_cache_read(const dmm_cache *cache, const char *key, size_t *bytes);

/* Stores a program under a key, replacing an earlier one. */
void dmm_cache_write(
    const dmm_cache *cache, const char *key, const unsigned char *program, size_t bytes);

#endif
