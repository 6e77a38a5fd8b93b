/* SPDX-License-Identifier: MIT */
/*
 * The parallel bucket heap as printed, on the host: K. Berney 2023, sections 3.3 and 3.4. RESOLVE
 * is Algorithm 1, by scans of lists that are sorted by key; level i is resolved after each fourth
 * resolve of level i - 1 (theorem 20). Counts blocks that scans transfer, and when each resolve
 * ends on p processors, by the dependencies of figure 3.2. For inserts of keys, lower priorities,
 * and extraction of many; of priorities no two are equal.
 */
#ifndef DMM_LAB_BUCKET_HEAP_H
#define DMM_LAB_BUCKET_HEAP_H

#include <stdbool.h>
#include <stdint.h>

enum { BUCKET_LEVELS = 12 }; /* most levels */

typedef struct bucket_entry {
    uint64_t key, priority;
} bucket_entry;

typedef struct bucket_heap bucket_heap;

/* What a heap has counted. Times are in parallel transfers; rounds take every resolve as one. */
typedef struct bucket_counts {
    double transfers; /* blocks that all resolves read and wrote */
    double ends;      /* when the last resolve of level 0 ended */
    double rounds;    /* the same in rounds */
    double unit;      /* largest transfers of a resolve of a level i, over 4^i: T(R_0) */
    double late;      /* largest time of the end of a resolve over lemma 22's bound */
    double fullest;   /* largest signals over capacity before a resolve: theorem 20 says 1 */
    double emptiest;  /* least items of a bucket over d 4^i before its resolve, if deeper levels
                         have items: theorem 20 says 1 */
} bucket_counts;

/* Creates a heap of `levels` levels for calls of d items, with blocks of `block` items, on
 * `processors` processors: the first has level 0, the others share the rest. NULL: no memory, or
 * levels out of range. */
bucket_heap *bucket_heap_create(uint64_t d, uint32_t levels, uint64_t block, uint32_t processors);
void bucket_heap_free(bucket_heap *heap); /* NULL is fine */

/* Calls BULKUPDATE on n <= d items, and resolves. False: no memory, or the last level is full. */
bool bucket_heap_update(bucket_heap *heap, const bucket_entry *entries, uint64_t n);

/* Takes the n <= d least items, or fewer if the first bucket has fewer, and resolves. Returns their
 * number; UINT64_MAX: no memory. */
uint64_t bucket_heap_extract(bucket_heap *heap, bucket_entry *out, uint64_t n);

bucket_counts bucket_heap_counts(const bucket_heap *heap);

#endif
