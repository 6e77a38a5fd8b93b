/* SPDX-License-Identifier: MIT */
/*
 * The checks of the lab for dmm_selftest_run.
 */
#include <dmm-lab/selftest.h>

#include <string.h>

#include <dmm-lab/sort.h>

#include "lab/lab_selftest.h"

static dmm_status sort_by_matrix(dmm_trial *t)
{
    const dmm_sort_desc desc = {
        .order = {.type = t->type}, .value_bytes = sizeof *t->answer_from, .argsort = 1};
    dmm_trial_expect_sorted(t, 0, t->n);
    memcpy(t->answer, t->input, (size_t)(t->n * t->bytes));
    return dmm_lab_sort_host(
        t->ctx, &desc, DMM_LAB_SORT_MATRIX, t->answer, t->answer_from, (size_t)t->n);
}

const dmm_check dmm_lab_checks[] = {
    {"sort by matrix", sort_by_matrix, U32, 0},
    {0},
};

dmm_status dmm_lab_selftest(dmm_context *ctx, dmm_selftest_function line, void *user)
{
    static const dmm_check *const tables[] = {dmm_lab_checks, NULL};
    return ctx != NULL ? dmm_selftest_run(ctx, tables, line, user) : DMM_NULL_ARGUMENT;
}
