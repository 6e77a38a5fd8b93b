/* SPDX-License-Identifier: MIT */
/* Random numbers (SplitMix64). A run is its seed. */
#ifndef DMM_TESTS_RANDOM_H
#define DMM_TESTS_RANDOM_H

#include <stddef.h>
#include <stdint.h>

#include "cl/hash.clh"

typedef struct random_source {
    uint64_t state; /* begins as the seed */
} random_source;

static inline uint64_t random_next(random_source *random)
{
    return dmm_mix(random->state += DMM_GOLDEN);
}

/* 0 .. bound - 1; bound > 0. The bias is below bound / 2^64. */
static inline uint64_t random_below(random_source *random, uint64_t bound)
{
    return random_next(random) % bound;
}

static inline void random_bytes(random_source *random, void *out, size_t bytes)
{
    unsigned char *at = out;
    uint64_t word = 0;
    for (size_t i = 0; i < bytes; i++, word >>= 8) {
        if (i % 8 == 0)
            word = random_next(random);
        at[i] = (unsigned char)word;
    }
}

#endif
