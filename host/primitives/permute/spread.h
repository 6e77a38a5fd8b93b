/* SPDX-License-Identifier: MIT */
/*
 * Moves items to known places by way of the places' tiles (cl/permute/spread.cl): the CPU form of
 * large shuffles and permutations.
 */
#ifndef DMM_PRIMITIVES_SPREAD_H
#define DMM_PRIMITIVES_SPREAD_H

#include "core/object.h"
#include "primitives/words.h"

typedef struct dmm_spread {
    dmm_word_layout words;
    uint32_t tile_bits;
    uint64_t slots;                /* slots of one tile in the scratch */
    uint64_t groups;               /* most of a launch */
    cl_kernel start, lines, tiles; /* NULL: items cannot be spread */
    uint32_t place_bytes;     /* bytes of a place of the caller's: 4 or 8; 0: places of a shuffle */
    uint64_t least_n, most_n; /* least and most items of a call that is spread */
} dmm_spread;

/* Creates kernels, which `object` owns, if such items can be spread: CPU form, items of one word.
 * `tile`: T of the tuning, or 0; calls of at least two such tiles are spread. `checked`: calls have
 * `bad`. */
dmm_status dmm_spread_init(dmm_spread *out, void *object, const dmm_word_layout *words,
    const dmm_parameters *p, uint32_t tile, uint32_t place_bytes, int checked);

/* True if a call of n items is spread. */
int dmm_spread_takes(const dmm_spread *spread, uint64_t n);
/* Bytes of scratch; 0 if the call is not spread; monotone in n up to most_n. */
uint64_t dmm_spread_scratch_bytes(const dmm_spread *spread, uint64_t n);

/* Item x of `in` moves to places[x], or to its place in a shuffle by `seed`. in may equal out. */
typedef struct dmm_spreading {
    dmm_span places, in, out, scratch;
    uint64_t seed, n;
    dmm_span bad; /* u32 in device memory; nothing moves unless it is 0 */
} dmm_spreading;

dmm_status dmm_spread_move(
    const dmm_spread *spread, const dmm_call *call, const dmm_spreading *spreading);

#endif
