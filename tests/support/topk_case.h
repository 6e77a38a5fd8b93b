/* SPDX-License-Identifier: MIT */
/*
 * One selection of a test, by dmm_topk or dmm_nth, from its description to the verdict.
 */
#ifndef DMM_TESTS_TOPK_CASE_H
#define DMM_TESTS_TOPK_CASE_H

#include <dmm/nth.h>
#include <dmm/topk.h>

#include "support/judge.h"
#include "support/sort_case.h"

/* Description of a selection. */
typedef struct topk_setup {
    sort_setup items;
    int unsorted;
} topk_setup;

/* One call. */
typedef struct topk_case {
    uint64_t n, k;
    shape input;
    uint64_t seed;
    int same_prefix; /* all keys share all bytes but the lowest: no digit but the last one tells */
    uint64_t offset_items; /* offset of every span but temp */
    int temp_given;        /* temp of exactly the bytes asked for */
} topk_case;

typedef struct topk_run {
    const rig *r;
    const topk_setup *setup;
    const topk_case *c;
    int nth; /* dmm_nth: one item, at rank k - 1 */
    uint64_t out_items;
    void *keys, *values; /* the input, for the judges */
    zone keys_in, values_in, keys_out, values_out, temp;
} topk_run;

dmm_topk_desc topk_desc_of(const topk_setup *setup);
dmm_nth_desc nth_desc_of(const topk_setup *setup);
/* Fail the test, with the log, if the object cannot be built. */
dmm_topk *topk_build(rig *r, const topk_setup *setup);
dmm_nth *nth_build(rig *r, const topk_setup *setup);

topk_run topk_prepare(
    const rig *r, const topk_setup *setup, const topk_case *c, int nth, uint64_t temp_bytes);
dmm_topk_args topk_args_of(const topk_run *run);
dmm_nth_args nth_args_of(const topk_run *run);
/* Red zones, untouched inputs and, if `judged`, the judges; then releases everything. */
void topk_finish(topk_run *run, int judged);

/* Prepares, runs and checks a case on the rig's queue. For dmm_nth k - 1 is the rank, and 1 <= k <=
 * n. */
void topk_check(const rig *r, dmm_topk *topk, const topk_setup *setup, const topk_case *c);
void nth_check(const rig *r, dmm_nth *nth, const topk_setup *setup, const topk_case *c);

/* The judges: NULL, or what is wrong. `result` has min(k, input->n) rows; or, of dmm_nth, one. */
const char *topk_judge_by_oracle(
    const kind *k, const rows *input, const rows *result, uint64_t items, int unsorted, int nth);
/* By counting what comes before the last of the result, and adding up hashes. */
const char *topk_judge_by_property(
    const kind *k, const rows *input, const rows *result, uint64_t items, int unsorted, int nth);

#endif
