/* SPDX-License-Identifier: MIT */
/*
 * The self-test's checks of primitives that move the rows of tables, and of those that
 * work on each row of a matrix.
 */
#include "primitives/selftest/selftest.h"

#include <stdlib.h>
#include <string.h>

#include <dmm/lexsort.h>
#include <dmm/reduce_segmented.h>
#include <dmm/scan_segmented.h>
#include <dmm/take.h>
#include <dmm/topk_segmented.h>

enum { ROW = 7 };

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

/* Makes n a multiple of ROW. */
static uint64_t whole_rows(dmm_trial *t)
{
    t->n -= t->n % ROW;
    t->places = t->n;
    dmm_trial_expect_no_origins(t);
    return t->n / ROW;
}

/* Expects the running sums of each row of u32. */
static dmm_status scan_rows(dmm_trial *t)
{
    const dmm_scan_segmented_desc desc = {.type = t->type};
    const uint64_t rows = whole_rows(t);
    for (uint64_t i = 0; i < t->n; i++) {
        const uint64_t before = i % ROW != 0 ? ((const uint32_t *)(void *)t->expected)[i - 1] : 0;
        ((uint32_t *)(void *)t->expected)[i] = (uint32_t)(before + dmm_trial_bits(t, i));
    }
    memcpy(t->answer, t->input, (size_t)(t->n * t->bytes));
    return dmm_scan_segmented_host(t->ctx, &desc, t->answer, (size_t)t->n, NULL, (size_t)rows);
}

/* Expects the largest of each row. */
static dmm_status reduce_rows(dmm_trial *t)
{
    const dmm_reduce_segmented_desc desc = {.type = t->type, .op = DMM_SCAN_MAX};
    const uint64_t rows = whole_rows(t);
    t->places = rows;
    for (uint64_t r = 0; r < rows; r++) {
        uint64_t best = r * ROW;
        for (uint64_t i = best + 1; i < (r + 1) * ROW; i++)
            best = dmm_trial_code(t, i) > dmm_trial_code(t, best) ? i : best;
        dmm_trial_expect_item(t, r, best);
        t->expected_from[r] = 0;
    }
    return dmm_reduce_segmented_host(
        t->ctx, &desc, t->input, (size_t)t->n, NULL, (size_t)rows, t->answer);
}

/* Expects the two first of each row, and their columns. */
static dmm_status topk_rows(dmm_trial *t)
{
    const dmm_topk_segmented_desc desc = {
        .order = {.type = t->type}, .k = 2, .value_bytes = sizeof *t->answer_from, .argsort = 1};
    const uint64_t rows = whole_rows(t);
    t->places = 2 * rows;
    for (uint64_t r = 0; r < rows; r++) {
        uint64_t first = r * ROW, next = first + 1;
        for (uint64_t i = first + 1; i < (r + 1) * ROW; i++)
            first = dmm_trial_code(t, i) < dmm_trial_code(t, first) ? i : first;
        next = first == r * ROW ? first + 1 : r * ROW;
        for (uint64_t i = r * ROW; i < (r + 1) * ROW; i++)
            next = i != first && dmm_trial_code(t, i) < dmm_trial_code(t, next) ? i : next;
        dmm_trial_expect_item(t, 2 * r, first);
        dmm_trial_expect_item(t, 2 * r + 1, next);
        t->expected_from[2 * r] = (uint32_t)(first - r * ROW);
        t->expected_from[2 * r + 1] = (uint32_t)(next - r * ROW);
    }
    return dmm_topk_segmented_host(
        t->ctx, &desc, t->input, NULL, (size_t)t->n, NULL, (size_t)rows, t->answer, t->answer_from);
}

const dmm_check dmm_scan_segmented_checks[] = {{"scan, rows", scan_rows, U32, U32}, {0}};
const dmm_check dmm_reduce_segmented_checks[] = {{"reduce, rows", reduce_rows, I16 | U64, 0}, {0}};
const dmm_check dmm_topk_segmented_checks[] = {{"topk, rows", topk_rows, I32, I32}, {0}};
