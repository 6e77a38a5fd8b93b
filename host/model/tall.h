/* SPDX-License-Identifier: MIT */
/* Shared by the files of the tall permutation. */
#ifndef DMM_MODEL_TALL_STATE_H
#define DMM_MODEL_TALL_STATE_H

#include <dmm-model/tall.h>

#include "model/banked.h"

/* Registers of a processor. */
typedef struct dmm_tall_row {
    uint64_t label; /* a word: goal in the lower half, item's number in the upper half */
    uint64_t sum;   /* sum over table entries, or over rows */
    uint32_t left;  /* labels in this row */
    uint32_t slot;  /* column of a label */
    uint32_t first; /* goal row of the first label */
} dmm_tall_row;

/*
 * Columns of each row's memory: m labels, m items that have arrived, the first label of each of m
 * colours, the next label of the same colour, a sum, a number of labels, and broadcast words.
 */
typedef struct dmm_tall {
    dmm_banked b; /* w rows; b.m is m */
    dmm_tall_row *rows;
    uint32_t arrived, heads, nexts, sum, count, shared; /* first columns; labels are from 0 on */
    uint32_t log_w, log_m;
    uint32_t char_bits, chars; /* parts of a row's number, for the hash function */
    uint64_t empty;            /* marks no label; greater than all labels */
    uint64_t random;
    dmm_model_tall_cost *cost;
} dmm_tall;

/* Allocates the memory of w rows of m columns and lays it out; `random` and `cost` are set. To be
 * freed even if it fails. */
dmm_model_status dmm_tall_init(dmm_tall *t, uint32_t w, uint32_t m);
void dmm_tall_free(dmm_tall *t);

/* Returns 64 random bits (SplitMix64). */
uint64_t dmm_tall_random(dmm_tall *t);

/* Lets all processors access column j of their own rows. */
void dmm_tall_own(dmm_tall *t, uint32_t j);

/* Returns the columns that `words` broadcast words take. */
uint32_t dmm_tall_shared_columns(const dmm_tall *t, uint32_t words);

/* Returns the words of the hash function. */
uint32_t dmm_tall_hash_words(const dmm_tall *t);

/* Returns the words of a packing's random shifts. */
uint32_t dmm_tall_shifts(const dmm_tall *t);

/* Draws in row 0 a hash function, or `words` shifts in 1..w-1, and sends it to all rows. */
void dmm_tall_share_hash(dmm_tall *t);
void dmm_tall_share_shifts(dmm_tall *t, uint32_t words);

/* Replaces the label's goal row, in each processor that has a label (not `empty`), by its hash in
 * `sum`, below m. */
void dmm_tall_hash(dmm_tall *t);

/* Returns the sum, or the maximum, of `left` over all rows; afterwards all rows have it. */
uint64_t dmm_tall_total(dmm_tall *t);
uint64_t dmm_tall_most(dmm_tall *t);

/* Delivers all remaining labels. packed_m: columns to pack them into, if possible. */
dmm_model_status dmm_tall_finish(dmm_tall *t, uint64_t left, uint32_t packed_m);

static inline uint32_t dmm_tall_goal(const dmm_tall_row *row)
{
    return (uint32_t)row->label;
}

static inline uint32_t dmm_tall_goal_row(const dmm_tall *t, const dmm_tall_row *row)
{
    return dmm_tall_goal(row) >> t->log_m;
}

static inline uint32_t dmm_tall_goal_column(const dmm_tall *t, const dmm_tall_row *row)
{
    return dmm_tall_goal(row) & (t->b.m - 1);
}

/* Returns the word where the processor's label is to arrive. */
static inline uint32_t dmm_tall_place(const dmm_tall *t, const dmm_tall_row *row)
{
    return dmm_banked_word(
        &t->b, dmm_tall_goal_row(t, row), t->arrived + dmm_tall_goal_column(t, row));
}

#endif
