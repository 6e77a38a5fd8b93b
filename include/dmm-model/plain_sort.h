/* SPDX-License-Identifier: MIT */
/*
 * The pairwise merge sort of worst.h, modelled: sorts keys and counts the lock-steps of each merge
 * round in local memory.
 */
#ifndef DMM_MODEL_PLAIN_SORT_H
#define DMM_MODEL_PLAIN_SORT_H

#include <stdint.h>
#include <dmm-model/export.h>
#include <dmm-model/status.h>
#include <dmm-model/tally.h>
#include <dmm-model/worst.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { DMM_MODEL_PLAIN_ROUNDS_MAX = 64 };

/* The cost of one merge round in local memory, all warps together. */
typedef struct dmm_model_plain_round {
    uint64_t threads;       /* work-items of one merge: 2, 4, 8, ... */
    uint64_t warps;         /* in all merges together */
    uint64_t aligned;       /* gather reads in step j from bank w-E+j */
    uint64_t aligned_least; /* the fewest in any one warp */
    dmm_model_tally search; /* the binary search on the merge path, two reads a probe */
    dmm_model_tally gather; /* reading E items in merged order */
    dmm_model_tally store;  /* writing them back, thread by thread: independent of the data */
} dmm_model_plain_round;

/*
 * Sorts `keys` as the plain pairwise merge sort would, ties from list A first, and fills
 * `rounds[0..*used-1]`, at most DMM_MODEL_PLAIN_ROUNDS_MAX. A last tile that is not full is counted
 * as if filled with largest keys. Across tiles, a tile's share of A begins at word 0, followed by
 * that of B; neither the search for tile borders in global memory nor the loading of tiles, which
 * has no conflicts, is counted. Cost: about n*(log n)^2 steps; scratch: 16 bytes an item.
 * DMM_MODEL_NULL_ARGUMENT, DMM_MODEL_BAD_VALUE, DMM_MODEL_TOO_LARGE, DMM_MODEL_OUT_OF_MEMORY:
 * `keys` is then untouched.
 */
DMM_MODEL_API dmm_model_status dmm_model_plain_sort(dmm_model_plain_round *rounds, uint32_t *used,
    uint64_t *keys, uint64_t n, const dmm_model_merge_shape *shape);

#ifdef __cplusplus
}
#endif

#endif
