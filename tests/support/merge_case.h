/* SPDX-License-Identifier: MIT */
/*
 * One merge of a test, from its description to the verdict. For the judges, a merge is the stable
 * sort of A followed by B.
 */
#ifndef DMM_TESTS_MERGE_CASE_H
#define DMM_TESTS_MERGE_CASE_H

#include <dmm/merge.h>

#include "support/kind.h"
#include "support/rig.h"
#include "support/zone.h"

/* Description of a merge. */
typedef struct merge_setup {
    kind k;
    uint32_t value_bytes;
    dmm_tuning tuning;
} merge_setup;

dmm_merge_desc merge_desc_of(const merge_setup *setup);
/* Fails the test, with the log, if the merge cannot be built. */
dmm_merge *merge_build(rig *r, const merge_setup *setup);

/* One call. */
typedef struct merge_case {
    uint64_t na, nb;
    shape a, b;
    uint64_t seed;
    uint64_t offset_items; /* offset of every span but temp */
    int temp_given;        /* temp of exactly the bytes asked for */
    int unsorted;          /* unsorted inputs; the judges are not asked */
} merge_case;

/* Host copies of the inputs, A's items before B's. */
typedef struct merge_inputs {
    void *keys, *values;
} merge_inputs;

typedef struct merge_run {
    const rig *r;
    const merge_setup *setup;
    const merge_case *c;
    merge_inputs inputs;
    zone a_keys, a_values, b_keys, b_values, keys_out, values_out, temp;
    dmm_merge_args args;
} merge_run;

merge_inputs merge_inputs_of(const merge_setup *setup, const merge_case *c);
merge_run merge_prepare(
    const rig *r, const dmm_merge *merge, const merge_setup *setup, const merge_case *c);
/* After the merge's completion: red zones, untouched inputs and the judges; then releases
 * everything. */
void merge_finish(merge_run *run);

/* Prepares, runs and checks a case on the rig's queue. */
void merge_check(const rig *r, dmm_merge *merge, const merge_setup *setup, const merge_case *c);

#endif
