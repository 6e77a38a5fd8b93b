/* SPDX-License-Identifier: MIT */
/*
 * The input on which a pairwise merge sort with plain reads has most bank conflicts: K. Berney,
 * Parallel cache-efficient algorithms on GPUs, University of Hawaii, 2023, section 4.2.
 * The sort: threads sort E items each in registers; then each round merges pairs of lists, a thread
 * finding its E items by merge path and reading them in merged order, one a step, from plain
 * addresses: list A first, then list B. Tiles are of u*E items. Words are as wide as banks.
 */
#ifndef DMM_MODEL_WORST_H
#define DMM_MODEL_WORST_H

#include <stdint.h>
#include <dmm-model/export.h>
#include <dmm-model/status.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dmm_model_merge_shape {
    uint32_t w; /* banks, and lanes of a warp: a power of two, 2..DMM_MODEL_LANES_MAX */
    uint32_t u; /* threads of a tile: a power of two, w..65536 */
    uint32_t E; /* items a thread, 2..w for the worst input, 1..65536 for the plain sort */
} dmm_model_merge_shape;

/* One thread's E items: `a` from list A and `b` from list B, one list after the other. */
typedef struct dmm_model_share {
    uint32_t a, b;
    int b_first;
} dmm_model_share;

/*
 * Fills `shares[0..w-1]` with the sequence T of section 4.2, for one warp whose lists both begin at
 * bank 0, with ceil(E/2)*w items of A and the rest of B (`mirrored`: the other way round).
 * Any 1 < E <= w <= DMM_MODEL_LANES_MAX, coprime or not, w no power of two as well; else
 * DMM_MODEL_BAD_VALUE.
 */
DMM_MODEL_API dmm_model_status dmm_model_worst_warp(
    dmm_model_share *shares, uint32_t w, uint32_t E, int mirrored);

/*
 * Theorem 30: returns the aligned accesses of such a warp, an access of step j being aligned if it
 * goes to bank w-E+j. They are neither its passes nor its conflicts, and for most E above w/2 not
 * the most that a warp can have; docs/model.md has all these numbers. 0 unless 1 < E <= w.
 */
DMM_MODEL_API uint64_t dmm_model_worst_aligned(uint32_t w, uint32_t E);

/*
 * Fills `ranks` with the permutation of 0..n-1 that gives every round of the sort of that shape
 * many bank conflicts: the sorted order, unmerged backwards round by round.
 * - Merges of 2w threads or more, within tiles or across them: every warp has the sequence T, in
 *   turn as it is and mirrored, and so meets Theorem 30.
 * - Merges of up to w threads, several a warp, which the theorem leaves open: the shares with most
 *   aligned accesses among all with at most one change of list, found by dynamic programming.
 * - Any n: a last tile that is not full holds the largest ranks, in order. Where a round's last
 *   list B is shorter than its A, warps read A alone once B is used up.
 * The same arguments give the same ranks, on every machine. Cost: n steps a round and (w*E)^2 once;
 * scratch n*8 bytes and 6*w*w*E. Errors, ranks then being unspecified: DMM_MODEL_NULL_ARGUMENT;
 * DMM_MODEL_BAD_VALUE; DMM_MODEL_TOO_LARGE: w*E above 16384, or n*8 bytes;
 * DMM_MODEL_OUT_OF_MEMORY.
 */
DMM_MODEL_API dmm_model_status dmm_model_worst_merge(
    uint64_t *ranks, uint64_t n, const dmm_model_merge_shape *shape);

/*
 * Draws from the family of such permutations (section 4.4), by a seed: pairs of warps are exchanged
 * at random, and the items that one thread sorts in registers are in random order. Every round
 * takes the passes of dmm_model_worst_merge's. `share` percent of the warps, drawn at random in
 * each round, are worst; the others, in pairs, take their items from both lists at random, which is
 * about a tenth cheaper than random keys. 0 to 100; else DMM_MODEL_BAD_VALUE.
 * Cost and errors as dmm_model_worst_merge.
 */
DMM_MODEL_API dmm_model_status dmm_model_worst_draw(
    uint64_t *ranks, uint64_t n, const dmm_model_merge_shape *shape, uint64_t seed, uint32_t share);

/*
 * Writes `ranks` (any numbers below n) as `n` items of a type, named u8 i8 u16 i16 u32 i32 u64 i64
 * f16 f32 or f64, in the same order: integers from 0, floats from 1.0 in steps of one unit in the
 * last place. Where n needs more values, integers start at the least value of the type and floats
 * at the least normal one. Where even these are too few, ceil(n / values) neighbouring ranks
 * become equal: the order remains, weakly, but ties undo part of a worst input, and `*distinct` is
 * set to false (else to true; it may be NULL). `items` and `ranks` may not overlap.
 * DMM_MODEL_NULL_ARGUMENT; DMM_MODEL_BAD_VALUE: the name of no type, or a rank not below n.
 */
DMM_MODEL_API dmm_model_status dmm_model_worst_items(
    void *items, int *distinct, const char *type, const uint64_t *ranks, uint64_t n);

#ifdef __cplusplus
}
#endif

#endif
