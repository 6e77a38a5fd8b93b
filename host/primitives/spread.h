/* SPDX-License-Identifier: MIT */
/*
 * Moving items to known places by way of the tiles that these lie in (cl/permute/spread.cl): the CPU form
 * of large shuffles and permutations.
 */
#ifndef DMM_PRIMITIVES_SPREAD_H
#define DMM_PRIMITIVES_SPREAD_H

#include "core/launch.h"
#include "primitives/words.h"

typedef struct dmm_spread {
    dmm_word_layout words;
    uint32_t tile_bits;
    uint64_t slots;                 /* of a tile in the scratch */
    uint64_t groups;                /* at most */
    cl_kernel start, lines, settle; /* NULL: items cannot be spread */
    uint32_t place_bytes;           /* 4 or 8: places are the caller's; 0: a shuffle's */
    uint64_t least_n, most_n;       /* of a call that is spread */
} dmm_spread;

/* Builds the kernels, if items of this layout and parameters can be spread: CPU form, items of one
 * word. `tile`: T, where the tuning says one; it then spreads from two tiles on. `checked`: a call's `bad` counts. */
dmm_status dmm_spread_init(dmm_spread *out, dmm_context *ctx, const dmm_word_layout *words,
    const dmm_parameters *p, uint32_t tile, uint32_t place_bytes, int checked);
void dmm_spread_destroy(dmm_spread *spread);

/* Is a call of n items spread? */
int dmm_spread_takes(const dmm_spread *spread, uint64_t n);
/* 0 for what is not spread; monotone in n up to most_n. */
uint64_t dmm_spread_scratch_bytes(const dmm_spread *spread, uint64_t n);

/* Item x of `in` goes to where places[x], or the shuffle of that seed, says. in may be out. */
typedef struct dmm_spreading {
    dmm_span places, in, out, scratch;
    uint64_t seed, n;
    dmm_span bad; /* a u32 in device memory: not 0, nothing is moved */
} dmm_spreading;

dmm_status dmm_spread_move(const dmm_spread *spread, dmm_chain *chain, const dmm_spreading *call);

#endif
