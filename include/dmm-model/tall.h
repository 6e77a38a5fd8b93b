/* SPDX-License-Identifier: MIT */
#ifndef DMM_MODEL_TALL_H
#define DMM_MODEL_TALL_H

#include <stdint.h>
#include <dmm-model/export.h>
#include <dmm-model/status.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dmm_model_tall_cost {
    uint32_t rounds; /* of colouring and sending */
    uint32_t worst;  /* the most labels that a step sent to one row: 1, or a step had conflicts */
    uint64_t left;   /* labels that were left to be sorted */
    uint64_t steps;  /* of the machine, in all */
} dmm_model_tall_cost;

/*
 * What it costs w processors to permute w rows of m items, w >= m, m dividing w, a row a bank: P.
 * Afshani, N. Sitchinava, 2015, section 3, Theorem 4. goals[i*m + j] = the place, counted in the
 * same way, of the item at row i and column j. Rows turn by random amounts and blocks of m rows are
 * transposed; in rounds, with a fresh hash h each, label (i, j) has colour j - h(i) mod m, and each
 * row sends a label of each colour, twice; once an eighth of 1/log_m^3 w of the labels is left, these
 * are sorted, for which Lemma 2's m*log_m^3 w steps are charged. Expected rounds: O(log log log_m w).
 * h is of SplitMix64: independent for any number of rows, where the paper takes m-wise independence.
 * The same seed costs the same. DMM_MODEL_NULL_ARGUMENT; DMM_MODEL_BAD_VALUE: w above 2^16, or m does not
 * divide it; DMM_MODEL_BAD_DATA: goals are no permutation; DMM_MODEL_OUT_OF_MEMORY.
 */
DMM_MODEL_API dmm_model_status dmm_model_tall_permute(
    dmm_model_tall_cost *out, const uint32_t *goals, uint32_t w, uint32_t m, uint64_t seed);

#ifdef __cplusplus
}
#endif

#endif
