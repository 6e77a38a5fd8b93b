/* SPDX-License-Identifier: MIT */
/*
 * Tables of sorts, one a row, and what is run with each of them: sizes, shapes, every size, many
 * items.
 */
#ifndef DMM_TESTS_SORT_ROWS_H
#define DMM_TESTS_SORT_ROWS_H

#include "support/cover.h"
#include "support/sort_case.h"

/* One program: what is sorted, and how. */
typedef struct sort_row {
    const char *kind;
    int descending, zero_equal;
    uint32_t value_bytes;
    int argsort;
    const char *set; /* facts of the device */
    dmm_tuning tuning;
} sort_row;

/* True if a row runs: by form and search, and then by banks, method, key, order, value and E. */
int sort_row_runs(cover *c, const sort_row *row, dmm_sort_method method);

/* What is run; x is a seed, or a size. */
typedef void sort_trial(const rig *r, dmm_sort *sort, const sort_setup *setup, uint64_t x);

/* Builds the row's sort on a device of its own, runs the trial and ends both. */
void sort_try_row(const sort_row *row, dmm_sort_method method, sort_trial *trial, uint64_t x);
/* The same for a sort that `create` creates. */
void sort_try_row_as(const sort_row *row, dmm_sort_method method, sort_creator *create,
    sort_trial *trial, uint64_t x);

/* Each size with another shape, place and offset. */
void sort_check_sizes(const rig *r, dmm_sort *sort, const sort_setup *setup, const uint64_t *sizes,
    size_t count, uint64_t seed);

/* Trials. Every shape at one size that leaves the last tile and the last pair of runs short; not in
 * simulators. */
void sort_check_shapes(const rig *r, dmm_sort *sort, const sort_setup *setup, uint64_t seed);
/* Sizes around every boundary of tiles. */
void sort_check_around_tiles(const rig *r, dmm_sort *sort, const sort_setup *setup, uint64_t seed);
/* Sizes to 4096, all to three tiles; in simulators some, to `most`. */
void sort_check_to_4096(const rig *r, dmm_sort *sort, const sort_setup *setup, uint64_t most);
/* One call of n items; none in simulators. */
void sort_check_many(const rig *r, dmm_sort *sort, const sort_setup *setup, uint64_t n);

#endif
