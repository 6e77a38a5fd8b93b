/* SPDX-License-Identifier: MIT */
/*
 * Exact splitting of sorted lists, one a rank: for each goal, a number of items, where every list
 * is cut so that the pieces before the cuts together are the first `goal` items in the order of
 * (key, rank, position). Pure functions: between them, the caller adds the counts of all ranks. So
 * a simulation can run them without MPI.
 *
 * Per goal the key at that position is found digit by digit. Before a digit, lo .. hi - 1 are the
 * items of the list whose codes begin with the digits found.
 */
#ifndef DMM_MPI_SPLIT_H
#define DMM_MPI_SPLIT_H

#include <stddef.h>

#include "code.h"

typedef struct dmm_goal {
    uint64_t position; /* goal */
    uint64_t prefix;   /* the digits found; lower bits are 0 */
    uint64_t below;    /* items of all lists with codes less than the prefix */
    uint64_t lo, hi;
} dmm_goal;

typedef struct dmm_split {
    dmm_key_code code;
    const void *keys; /* sorted */
    uint64_t n;
    size_t num_goals;
    uint32_t digit_bits;
    uint32_t bits_left; /* below the digits found */
    dmm_goal *goals;    /* num_goals, ascending by position */
} dmm_split;

enum { DMM_SPLIT_COUNTS = 1 << 13 };

/* Returns the bits of a digit for so many goals: as many as DMM_SPLIT_COUNTS counts allow, 1 to
 * 8. */
uint32_t dmm_split_digit_bits(size_t num_goals);
/* Returns the most counts of a sum for so many goals: (2^digit_bits - 1) num_goals. */
size_t dmm_split_most_counts(size_t num_goals);

/* Begins; the goals have their positions. */
void dmm_split_begin(dmm_split *split);
/* Counts this list for the next digit into `counts`; returns their number, 0 if no digit is
 * left. */
size_t dmm_split_count(const dmm_split *split, uint64_t *counts);
/* Takes a digit: `counts` as dmm_split_count wrote them, `sums` of all lists. */
void dmm_split_take(dmm_split *split, const uint64_t *counts, const uint64_t *sums);
/* Counts the list's ties with each goal's key. */
void dmm_split_ties(const dmm_split *split, uint64_t *ties);
/* Returns where this list is cut for goal i. ties_before: ties in the lists of lower ranks. */
uint64_t dmm_split_cut(const dmm_split *split, size_t i, uint64_t ties_before);

#endif
