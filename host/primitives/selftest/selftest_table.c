/* SPDX-License-Identifier: MIT */
/*
 * The self-test's checks of primitives that move the rows of tables.
 */
#include "primitives/selftest/selftest.h"

#include <stdlib.h>

#include <dmm/lexsort.h>
#include <dmm/take.h>

/* Takes the rows in reverse. */
static dmm_status take(dmm_trial *t)
{
    const dmm_take_desc desc = {.num_columns = 1, .item_bytes = {t->bytes}};
    for (uint64_t i = 0; i < t->n; i++) {
        const uint32_t from = (uint32_t)(t->n - 1 - i);
        t->answer_from[i] = from;
        dmm_trial_expect_item(t, i, from);
    }
    return dmm_take_host(
        t->ctx, &desc, t->answer_from, (size_t)t->n, t->input, (size_t)t->n, t->answer);
}

const dmm_check dmm_take_checks[] = {{"take", take, U8 | U64, U64}, {0}};

/* Sorts by a column that is the same everywhere, and then by the items. */
static dmm_status lexsort(dmm_trial *t)
{
    const dmm_lexsort_desc desc = {.num_keys = 2, .keys = {{.type = DMM_U8}, {.type = t->type}}};
    unsigned char *const same = calloc((size_t)t->n + 1, 1);
    const dmm_lexsort_host_args args = {
        .keys = {same, t->input}, .keys_out = {NULL, t->answer}, .rows_out = t->answer_from};
    if (same == NULL)
        return DMM_OUT_OF_MEMORY;
    dmm_trial_expect_sorted(t, 0, t->n);
    const dmm_status status = dmm_lexsort_host(t->ctx, &desc, &args, (size_t)t->n);
    free(same);
    return status;
}

const dmm_check dmm_lexsort_checks[] = {{"lexsort", lexsort, I16 | F32, F32}, {0}};
