/* SPDX-License-Identifier: MIT */
/*
 * Sorting a matrix of w rows, a row a bank, as a plan of phases: each brings the rows into another
 * order of layout, then sorts them, or the columns. The plan depends on w and m alone. The model
 * carries it out step by step, the kernel of cl/sort_matrix.cl on a tile in local memory.
 */
#ifndef DMM_MODEL_MATRIX_H
#define DMM_MODEL_MATRIX_H

#include <dmm/model.h>

/* What the items of a group of rows do, read as one sequence. */
typedef enum dmm_turn {
    DMM_TURN_NONE = 0,
    DMM_TURN_TO_COLUMNS = 1, /* row after row becomes column after column */
    DMM_TURN_TO_ROWS = 2     /* the inverse */
} dmm_turn;

/*
 * Groups are of a power of two of rows, `stride` rows apart: row i is number i / stride. The turn
 * comes first, then the sorting.
 */
typedef struct dmm_phase {
    dmm_turn turn;
    uint32_t turned;  /* rows of a group that turns */
    uint32_t run;     /* items of a row that are sorted together: m, or less; 0: columns are */
    uint32_t height;  /* columns: rows of a group */
    uint32_t falling; /* rows descend whose number has an odd number of these bits */
    uint32_t stride;
    uint32_t shift,
        period; /* shift > 0: of each `period` rows the first and the last `shift` rest */
} dmm_phase;

enum { DMM_PLAN_PHASES = 1024 };

typedef struct dmm_plan {
    uint32_t w, m;
    uint32_t shortest; /* columns of fewer items are sorted by their w processors, not in rows */
    uint32_t count;
    int fits; /* 0: the method cannot sort this shape, and the phases mean nothing */
    dmm_phase phases[DMM_PLAN_PHASES];
} dmm_plan;

/* How many columns a matrix of w x m is given, by padding: w divides them, or they divide w. */
uint32_t dmm_matrix_columns(uint32_t w, uint32_t m);

/* About how many steps it takes to sort rows. */
uint64_t dmm_row_steps(uint32_t m, uint32_t label_bits);

/* Fills a plan that sorts w x m, m as above, into row-major order. Auto is settled, by the steps
 * that the plans take where a row sort takes row_steps. */
void dmm_plan_make(dmm_plan *plan, uint32_t w, uint32_t m, uint32_t shortest,
    dmm_matrix_method *method, uint64_t row_steps);

/* Carries out a plan that fits; cost may be NULL. Items and errors as dmm_matrix_sort. */
dmm_status dmm_plan_run(
    dmm_matrix_cost *cost, uint64_t *items, const dmm_plan *plan, const dmm_matrix *matrix);

/* ---- The machine --------------------------------------------------------------------------- */

/* What a processor keeps while it works on its row. */
typedef struct dmm_lane {
    uint32_t start, at, target; /* columns of a cycle; start == m: all is done */
    int active;
    uint32_t next[2], end[2]; /* of two lists that it merges */
    uint64_t head[2];         /* their first items */
} dmm_lane;

/* Behind the m columns of items are m of room, and then counters: all of a row in its bank. */
typedef struct dmm_banked {
    uint64_t *words; /* word x in bank x mod w */
    uint32_t w, m;
    uint32_t label_bits; /* the key of an item: so many low bits, and bit 63 above them; 0: all */
    int padded;          /* with labels: is bit 63 in use? */
    dmm_tally *tally;    /* counts steps; NULL: nobody does */
    uint64_t *hand;      /* an item of each processor */
    uint32_t *at;        /* the word that each processor accesses in a step, or DMM_IDLE */
    uint8_t *done;       /* w x m marks, for turning */
    dmm_lane *lanes;
} dmm_banked;

#define DMM_IDLE UINT32_MAX

/* Counts one step. */
void dmm_banked_step(dmm_banked *b, dmm_access_kind kind);

static inline uint32_t dmm_banked_word(const dmm_banked *b, uint32_t i, uint32_t j)
{
    return j * b->w + i;
}

static inline uint64_t dmm_banked_key(const dmm_banked *b, uint64_t item)
{
    const uint64_t label = item & (((uint64_t)1 << b->label_bits % 64) - 1);
    return b->label_bits == 0 ? item : (item >> 63) << b->label_bits | label;
}

/* The number of row i in a phase: its groups are of consecutive numbers. */
static inline uint32_t dmm_phase_number(const dmm_phase *phase, uint32_t i)
{
    return (i - phase->shift) / phase->stride;
}

/* Does row i rest in a phase, and does it descend? */
int dmm_phase_rests(const dmm_phase *phase, uint32_t i);
int dmm_phase_falls(const dmm_phase *phase, uint32_t i);

/* The parts of a phase. */
void dmm_banked_turn(dmm_banked *b, const dmm_phase *phase);
void dmm_banked_sort_rows(dmm_banked *b, const dmm_phase *phase);
void dmm_banked_sort_columns(dmm_banked *b, const dmm_phase *phase);

/* Counters that a row needs, at most m. */
uint32_t dmm_banked_counters(const dmm_banked *b);

#endif
