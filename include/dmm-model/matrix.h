/* SPDX-License-Identifier: MIT */
/*
 * Sorting, partitioning and turning a matrix without bank conflicts, step by step: P. Afshani, N.
 * Sitchinava, Sorting and permuting without bank conflicts on GPUs, ESA 2015, section 2, DOI
 * 10.1007/978-3-662-48350-3_2. docs/matrix.md explains each method and the differences from the
 * paper.
 */
#ifndef DMM_MODEL_MATRIX_H
#define DMM_MODEL_MATRIX_H

#include <stdint.h>
#include <dmm-model/export.h>
#include <dmm-model/status.h>
#include <dmm-model/tally.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum dmm_model_matrix_method {
    DMM_MODEL_MATRIX_AUTO = 0,      /* w <= m: super-rows; else Lemma 2 or Theorem 2, the cheaper */
    DMM_MODEL_MATRIX_LEMMA_1 = 1,   /* w <= m / 2: rows, turned to and fro; twice if w <= sqrt m */
    DMM_MODEL_MATRIX_THEOREM_1 = 2, /* w <= m: super-rows of about sqrt m rows, and columns */
    DMM_MODEL_MATRIX_SUPER_ROWS = 3, /* w <= m: Lemma 1, or Theorem 1 with the super-rows of */
                                     /* fewest phases */
    DMM_MODEL_MATRIX_THEOREM_2 = 4,  /* w >= m: columns by their w processors, and squares */
    DMM_MODEL_MATRIX_LEMMA_2 = 5,    /* w > m: balancing, convert and divide, two rows of squares */
    DMM_MODEL_MATRIX_SHEAR = 6       /* any: rows in turn up and down, and columns, log2 w times */
} dmm_model_matrix_method;

enum {
    DMM_MODEL_MATRIX_ROWS_MAX = 1 << 16,
    DMM_MODEL_MATRIX_COLUMNS_MAX = 1 << 20,
    DMM_MODEL_MATRIX_ITEMS_MAX = 1 << 29
};

typedef struct dmm_model_matrix {
    uint32_t w; /* banks, rows and processors: a power of two, to DMM_MODEL_MATRIX_ROWS_MAX */
    uint32_t m; /* columns: any number, padded as docs/matrix.md says */
    dmm_model_matrix_method method;
    /* low bits by which rows are sorted by counting, at most 32; 0: rows are merged by whole
     * items */
    uint32_t label_bits;
} dmm_model_matrix;

/*
 * Steps, by purpose. They are counted in the paper's model: every access to a bank counts, even two
 * to the same word. So passes are never fewer than those of dmm_model_local_step.
 */
typedef struct dmm_model_matrix_cost {
    dmm_model_matrix_method method; /* the one that was taken */
    uint32_t padded_m, phases;
    dmm_model_tally rows;    /* sorting rows */
    dmm_model_tally columns; /* sorting columns by all processors */
    dmm_model_tally turns;   /* turning rows into columns and back */
} dmm_model_matrix_cost;

/*
 * Sorts w rows of m items, items[i*m + j] at row i and column j, into row-major order, as w
 * processors would in w banks of one item a word, row i in bank i; not stable. With labels, the
 * items are partitioned: m of each label 0..w-1 come to the row of their label; any labels are
 * sorted. Two words an item, and with labels up to m counters a row. `out` may be NULL: then no
 * steps are counted. DMM_MODEL_NULL_ARGUMENT; DMM_MODEL_BAD_VALUE; DMM_MODEL_TOO_LARGE: m, or w*m;
 * DMM_MODEL_BAD_DATA: with labels, an item of 2^63 or more; DMM_MODEL_UNSUPPORTED: the method
 * cannot sort this shape; DMM_MODEL_OUT_OF_MEMORY.
 */
DMM_MODEL_API dmm_model_status dmm_model_matrix_sort(
    dmm_model_matrix_cost *out, uint64_t *items, const dmm_model_matrix *matrix);

/*
 * Turns a matrix: its items row after row become its items column after column (else: the inverse),
 * in place, without conflicts, by one item in hand and a mark an item: B. Catanzaro, A. Keller, M.
 * Garland, "A Decomposition for In-place Matrix Transposition", PPoPP 2014, DOI
 * 10.1145/2555243.2555253. Any w to DMM_MODEL_MATRIX_ROWS_MAX, any m. `out` may be NULL. Errors as
 * above.
 */
DMM_MODEL_API dmm_model_status dmm_model_matrix_turn(
    dmm_model_tally *out, uint64_t *items, uint32_t w, uint32_t m, int to_columns);

#ifdef __cplusplus
}
#endif

#endif
