/* SPDX-License-Identifier: MIT */
/*
 * Permuting a tall matrix without bank conflicts, step by step: P. Afshani, N. Sitchinava, Sorting
 * and permuting without bank conflicts on GPUs, ESA 2015, section 3, Theorem 4, and appendix B, DOI
 * 10.1007/978-3-662-48350-3_2. docs/matrix.md has measured steps and the differences from the
 * paper.
 */
#ifndef DMM_MODEL_TALL_H
#define DMM_MODEL_TALL_H

#include <stdint.h>
#include <dmm-model/export.h>
#include <dmm-model/status.h>
#include <dmm-model/tally.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    DMM_MODEL_TALL_ROWS_MAX = 1 << 16,
    DMM_MODEL_TALL_COLUMNS_MAX = 256,
    DMM_MODEL_TALL_ROUNDS_MAX = 16 /* then the rest is sorted, whatever its size */
};

/*
 * Steps, by purpose, in the paper's model: w processors, w banks, and every access to a bank
 * counts, even two to the same word.
 */
typedef struct dmm_model_tall_cost {
    uint32_t rounds;                          /* rounds of hashing, colouring and sending */
    uint64_t left[DMM_MODEL_TALL_ROUNDS_MAX]; /* items not yet delivered after each round */
    uint32_t packings;                        /* passes that moved items out of full rows */
    uint32_t packed_m;                        /* columns of the sorted matrix; 0: none */
    dmm_model_tally preprocessing;            /* random rotations of rows, transposed blocks */
    dmm_model_tally hashing;                  /* drawing the hash function and its broadcast */
    dmm_model_tally colouring;                /* evaluating it, lists by colour */
    dmm_model_tally sending;                  /* items to their rows */
    dmm_model_tally counting;                 /* sums and maxima over all rows */
    dmm_model_tally packing;                  /* compaction, and moves out of full rows */
    dmm_model_tally sorting;                  /* the packed matrix, by the methods of matrix.h */
    dmm_model_tally delivering;               /* sorted items to their rows */
} dmm_model_tall_cost;

/*
 * Permutes w rows of m items in place: items[x], at row x / m and column x mod m, goes to
 * items[goals[x]]. Powers of two, 2 <= m <= w. The items are carried by w processors, one word a
 * step each, with row i in bank i. The result depends on the goals alone, the cost on the seed too.
 * Expected steps: O(m log log log_m w) for m = Omega(log^O(1) w), but for the sorting of the rest,
 * whose method is that of DMM_MODEL_MATRIX_AUTO. Scratch: about (17 + 2 log_2m w) m words a row,
 * and those of dmm_model_matrix_sort. `out` may be NULL.
 * DMM_MODEL_NULL_ARGUMENT; DMM_MODEL_BAD_VALUE: no powers of two, m below 2 or above w;
 * DMM_MODEL_TOO_LARGE: w or m; DMM_MODEL_BAD_DATA: the goals are no permutation;
 * DMM_MODEL_OUT_OF_MEMORY. On an error `items` and `*out` are untouched.
 */
DMM_MODEL_API dmm_model_status dmm_model_tall_permute(dmm_model_tall_cost *out, uint64_t *items,
    const uint32_t *goals, uint32_t w, uint32_t m, uint64_t seed);

#ifdef __cplusplus
}
#endif

#endif
