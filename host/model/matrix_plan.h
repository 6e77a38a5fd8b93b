/* SPDX-License-Identifier: MIT */
/*
 * Sorting a matrix of w rows, a row a bank, as a plan of phases: each changes the layout of the
 * rows, then sorts them, or the columns. The plan depends on w and m alone. libdmm-model executes
 * it step by step, the kernel of cl/lab/sort_matrix.cl on a tile in local memory: libdmm-lab
 * compiles this file, too, which needs no other.
 */
#ifndef DMM_MODEL_MATRIX_PLAN_H
#define DMM_MODEL_MATRIX_PLAN_H

#include <stdbool.h>
#include <stdint.h>

/* P. Afshani, N. Sitchinava, 2015, section 2; <dmm-model/matrix.h> says where each applies. */
typedef enum dmm_matrix_by {
    DMM_BY_AUTO = 0,
    DMM_BY_LEMMA_1 = 1,
    DMM_BY_THEOREM_1 = 2,
    DMM_BY_SUPER_ROWS = 3,
    DMM_BY_THEOREM_2 = 4,
    DMM_BY_LEMMA_2 = 5,
    DMM_BY_SHEAR = 6
} dmm_matrix_by;

/* How the items of a group of rows turn, read as one sequence. */
typedef enum dmm_turn {
    DMM_TURN_NONE = 0,
    DMM_TURN_TO_COLUMNS = 1, /* row after row becomes column after column */
    DMM_TURN_TO_ROWS = 2     /* the inverse */
} dmm_turn;

/*
 * Groups are of a power of two of rows, `stride` rows apart: row i is number i / stride. The turn
 * comes first, then the sorting.
 */
typedef struct dmm_matrix_phase {
    dmm_turn turn;
    uint32_t turned; /* rows of a group that turns */
    uint32_t run; /* items of a row that are sorted together: m, or less; 0: columns are sorted */
    uint32_t height;  /* columns: rows of a group */
    uint32_t falling; /* rows with an odd number of these bits in their number descend */
    uint32_t stride;
    uint32_t shift,
        period; /* shift > 0: of each `period` rows the first and the last `shift` rest */
} dmm_matrix_phase;

/* Returns the number of row i in a phase; groups have consecutive numbers. */
static inline uint32_t dmm_phase_number(const dmm_matrix_phase *phase, uint32_t i)
{
    return (i - phase->shift) / phase->stride;
}

/* True if row i rests in a phase; True if it descends. */
bool dmm_phase_rests(const dmm_matrix_phase *phase, uint32_t i);
bool dmm_phase_falls(const dmm_matrix_phase *phase, uint32_t i);

enum { DMM_PLAN_PHASES = 1024 };

typedef struct dmm_matrix_plan {
    uint32_t w, m;
    uint32_t shortest; /* columns of fewer items are sorted by their w processors, not in rows */
    uint32_t count;
    bool fits; /* false: the method cannot sort this shape, and the phases mean nothing */
    dmm_matrix_phase phases[DMM_PLAN_PHASES];
} dmm_matrix_plan;

/* Returns the columns of a padded matrix of w x m: w divides them, or they divide w. */
uint32_t dmm_matrix_columns(uint32_t w, uint32_t m);

/*
 * Fills a plan that sorts w x m, m as above, into row-major order. Replaces DMM_BY_AUTO by the
 * method whose plan has fewest steps if a row sort takes row_steps.
 */
void dmm_matrix_plan_make(dmm_matrix_plan *plan, uint32_t w, uint32_t m, uint32_t shortest,
    dmm_matrix_by *method, uint64_t row_steps);

#endif
