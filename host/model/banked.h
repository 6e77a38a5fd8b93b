/* SPDX-License-Identifier: MIT */
/* A machine of w processors and w banks, one row per bank; banked.c defines the cost of steps. */
#ifndef DMM_MODEL_BANKED_H
#define DMM_MODEL_BANKED_H

#include <dmm-model/matrix.h>

#include <stdbool.h>

#include "model/matrix_plan.h"

/* Returns the approximate number of steps to sort rows. */
uint64_t dmm_row_steps(uint32_t m, uint32_t label_bits);

/* Executes a plan that fits; cost may be NULL. Items and errors as dmm_model_matrix_sort. */
dmm_model_status dmm_matrix_plan_run(dmm_model_matrix_cost *cost, uint64_t *items,
    const dmm_matrix_plan *plan, const dmm_model_matrix *matrix);

/* State of a processor while it works on its row. */
typedef struct dmm_lane {
    uint32_t start, at, target; /* columns of a cycle; start == m: all is done */
    bool active;                /* turning: holds an item in `hand` */
    int list;                   /* merging: the list, 0 or 1, of the next item */
    uint32_t next[2], end[2];   /* places in the two lists that it merges */
    uint64_t head[2];           /* their first items */
} dmm_lane;

/* The m columns of items are followed by m columns of scratch, then by counters; all of a row is in
 * its bank. */
typedef struct dmm_banked {
    uint64_t *words; /* word x in bank x mod w */
    uint32_t w, m;
    uint32_t label_bits;    /* bits of an item's key, beside bit 63; 0: the whole item */
    bool padded;            /* with labels: bit 63 marks padding */
    bool counts_idle;       /* a step in which all are idle counts; else all skip it */
    dmm_model_tally *tally; /* counts steps; NULL: no counting */
    uint64_t *hand;         /* an item of each processor */
    uint32_t *at;           /* the word that each processor accesses in a step, or DMM_IDLE */
    uint32_t *wanted;       /* accesses to each bank in a step */
    uint8_t *done;          /* w x m marks, for turning */
    dmm_lane *lanes;
} dmm_banked;

#define DMM_IDLE UINT32_MAX

/* Allocates memory of `columns` words per bank; w and m are set. */
dmm_model_status dmm_banked_init(dmm_banked *b, uint32_t columns);
void dmm_banked_free(dmm_banked *b);

/* Counts one step in which processor i accesses word at[i]. */
void dmm_banked_step(dmm_banked *b);

/* Counts one step and moves words: from at[i] to hand[i], or back. */
void dmm_banked_read(dmm_banked *b);
void dmm_banked_write(dmm_banked *b);

static inline uint32_t dmm_banked_word(const dmm_banked *b, uint32_t i, uint32_t j)
{
    return j * b->w + i;
}

static inline uint64_t dmm_banked_key(const dmm_banked *b, uint64_t item)
{
    const uint64_t label = item & (((uint64_t)1 << b->label_bits % 64) - 1);
    return b->label_bits == 0 ? item : (item >> 63) << b->label_bits | label;
}

/* Executes the parts of a phase. */
void dmm_banked_turn(dmm_banked *b, const dmm_matrix_phase *phase);
void dmm_banked_sort_rows(dmm_banked *b, const dmm_matrix_phase *phase);
void dmm_banked_sort_columns(dmm_banked *b, const dmm_matrix_phase *phase);

/* Returns the number of counters that a row needs, at most m. */
uint32_t dmm_banked_counters(const dmm_banked *b);

#endif
