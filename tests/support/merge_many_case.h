/* SPDX-License-Identifier: MIT */
/*
 * One merge of many lists of a test, from its description to the verdict. For the judges, it is the
 * stable sort of all lists.
 */
#ifndef DMM_TESTS_MERGE_MANY_CASE_H
#define DMM_TESTS_MERGE_MANY_CASE_H

#include <dmm/merge_many.h>

#include "support/segment_case.h"

/* One call. */
typedef struct many_case {
    sort_case items;
    uint64_t *offsets; /* to be freed; the check takes them */
    uint64_t lists;
} many_case;

/* Fails the test, with the log, if the merge cannot be built. */
dmm_merge_many *many_build(rig *r, const segment_setup *setup, uint64_t max_n);

/* Runs a case and judges it; the report must say where the offsets fall, or that they do not. */
void many_check(
    const rig *r, dmm_merge_many *merge, const segment_setup *setup, const many_case *c);
/* The same with the offsets of a cut. */
void many_check_cut(const rig *r, dmm_merge_many *merge, const segment_setup *setup,
    const sort_case *items, cut way);

#endif
