/* SPDX-License-Identifier: MIT */
/* Keys for benchmarks by key. */
#ifndef DMM_BENCH_SEGMENTS_H
#define DMM_BENCH_SEGMENTS_H

#include "measure.h"

enum { BENCH_REPEATS = 4 }; /* items of a segment, on average */

/* Returns n keys in segments of 1 to 2 BENCH_REPEATS - 1 items, to be freed. */
static inline uint32_t *bench_segments(size_t n)
{
    uint32_t *const keys = bench_allocate(n * sizeof *keys);
    uint32_t key = 0, left = 0;
    for (size_t i = 0; i < n; i++, left--) {
        if (left == 0) {
            key++;
            left = 1 + (uint32_t)((key * (uint64_t)2654435761u >> 16) % (2 * BENCH_REPEATS - 1));
        }
        keys[i] = key;
    }
    return keys;
}

#endif
