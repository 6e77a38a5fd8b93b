/* SPDX-License-Identifier: MIT */
/*
 * One sort of segments of a test, from its description to the verdict. The items are those of
 * support/sort_case.h; the judges look at one segment after the other.
 */
#ifndef DMM_TESTS_SEGMENT_CASE_H
#define DMM_TESTS_SEGMENT_CASE_H

#include <dmm/sort_segmented.h>

#include "support/cover.h"
#include "support/judge.h"
#include "support/sort_case.h"

typedef struct segment_setup {
    sort_setup items;
    dmm_type offset_type;
    uint64_t max_segment; /* of the description */
} segment_setup;

/* A row of a table of programs: what is sorted or merged, and how. */
typedef struct segment_row {
    const char *kind;
    int descending, zero_equal;
    uint32_t value_bytes;
    int argsort;
    dmm_type offset_type;
    const char *set; /* facts of the device */
    dmm_tuning tuning;
} segment_row;

segment_setup segment_setup_of(const segment_row *row);
/* Wide indices are a matter of the row's place in its table. */
int segment_is_wide(size_t i);
/* True if row i of a table runs (support/cover.h). */
int segment_row_runs(cover *seen, const segment_row *table, size_t i);

/* How a list is cut. */
typedef enum cut {
    CUT_NONE,    /* no segments: one offset */
    CUT_ONE,     /* one segment of all items */
    CUT_TINY,    /* 0 to 5 items each */
    CUT_MIDDLE,  /* 0 to 300 items each */
    CUT_SKEWED,  /* one of half of the items, among tiny ones */
    CUT_EMPTY,   /* hundreds of empty ones in a row, then one, and so on */
    CUT_OUTSIDE, /* 0 to 300 items each; the first and the last items are in no segment */
    CUT_BEYOND,  /* the last offset is greater than n */
    CUT_COUNT
} cut;

/* The offsets of a cut of n items, to be freed. */
uint64_t *make_offsets(cut way, uint64_t n, uint64_t seed, uint64_t *segments);
/* Random offsets, in no order and some far beyond n, to be freed. */
uint64_t *make_wild_offsets(dmm_type type, uint64_t n, uint64_t seed, uint64_t segments);
/* Offsets on the device. */
zone offsets_zone(const rig *r, dmm_type type, const uint64_t *offsets, uint64_t count);

/* The first offset below the one before it, beyond n counting as n; 0: none. */
uint64_t first_fall(const uint64_t *offsets, uint64_t segments, uint64_t n);

/* A report on the device, before a call. */
zone report_unwritten(const rig *r, uint64_t offset_bytes);
/* Checks that the call has reported where the offsets fall, or that they do not. */
void report_judged(const rig *r, zone *report, uint64_t fall);

/* The _host form of sorts of segments and merges of lists: argsorts of u32. */
typedef dmm_status segment_host(
    dmm_context *ctx, uint32_t *keys, uint32_t *from, size_t n, const uint32_t *offsets, size_t m);
/* Seven keys and m + 1 offsets, and what the call makes of them. */
typedef struct segment_host_case {
    uint32_t keys[7], offsets[5], sorted[7], from[7];
    size_t m;
} segment_host_case;
/* Checks the form with them, without items, and with offsets that fall: nothing is written. */
void segment_host_check(segment_host *host, const segment_host_case *c);

/* NULL, or what is wrong. If offsets fall, nothing may have moved. */
const char *judge_segments(const kind *k, const rows *input, const rows *result,
    const uint64_t *offsets, uint64_t segments);

/* Reads the outputs of a call and judges them. */
void segments_judged(const sort_run *run, const uint64_t *offsets, uint64_t segments);

dmm_sort_segmented *segment_build(rig *r, const segment_setup *setup, uint64_t max_n);

typedef struct segment_run {
    sort_run items;
    cut way;
    uint64_t *offsets; /* as the judges know them */
    uint64_t segments;
    zone offsets_in;
    dmm_sort_segmented_args args;
} segment_run;

/* offsets: to be used in place of a cut's, and to be freed; or NULL. */
segment_run segment_prepare(const rig *r, const dmm_sort_segmented *sort,
    const segment_setup *setup, const sort_case *c, cut way, uint64_t *offsets, uint64_t segments);
void segment_finish(segment_run *run, const segment_setup *setup);

void segment_check(const rig *r, dmm_sort_segmented *sort, const segment_setup *setup,
    const sort_case *c, cut way);

#endif
