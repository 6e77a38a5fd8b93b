/* SPDX-License-Identifier: MIT */
/*
 * The internals of dmm_permute: the object and its check of positions (permute.c), and a mover of
 * items of one size (permute_move.c).
 */
#ifndef DMM_PRIMITIVES_PERMUTE_H
#define DMM_PRIMITIVES_PERMUTE_H

#include <dmm/permute.h>

#include "primitives/classes.h"
#include "primitives/permute/spread.h"
#include "primitives/sort/radix.h"

/* Checks that an array of positions is a permutation. */
typedef struct dmm_permute_checker {
    uint32_t index_bytes, owner_bytes;
    uint64_t max_groups;
    cl_kernel clear, mark, own, find; /* NULL without a check */
    cl_kernel tell;
} dmm_permute_checker;

/* Moves items of one size. */
typedef struct dmm_permute_mover {
    dmm_word_layout words;
    uint32_t index_bytes, u;
    uint64_t tile; /* T, a power of two; 0: not by tiles */
    cl_kernel plain, count;
    cl_kernel tiles;   /* NULL: not by tiles, or by spreading */
    dmm_radix *passes; /* move items to their tiles; NULL if one tile holds all */
    dmm_spread spread; /* CPU form */
} dmm_permute_mover;

/* A call of the mover. */
typedef struct dmm_permute_move {
    dmm_span index, in, out, bad, report, scratch;
    uint64_t seed, n;
    int gather; /* plain only */
} dmm_permute_move;

/* Creates kernels, which `object` owns. `method` is not auto. */
dmm_status dmm_permute_mover_init(dmm_permute_mover *out, void *object,
    const dmm_permute_desc *desc, uint32_t item_bytes, dmm_permute_method method);
/* Bytes of scratch: of a call; and the most of any call of at most n items. */
uint64_t dmm_permute_move_bytes(const dmm_permute_mover *mover, const dmm_permute_move *move);
uint64_t dmm_permute_most_bytes(const dmm_permute_mover *mover, uint64_t n);
dmm_status dmm_permute_move_items(
    const dmm_permute_mover *mover, const dmm_call *call, const dmm_permute_move *move);
/* to[i] = i. */
dmm_status dmm_permute_number(
    const dmm_permute_mover *mover, const dmm_call *call, dmm_span to, uint64_t n);

struct dmm_permute {
    dmm_object object;
    dmm_permute_desc desc;
    int inverts; /* gathers by the inverse permutation, computed with `positions` */
    dmm_permute_checker checker;
    dmm_permute_mover items, positions;
};

#endif
