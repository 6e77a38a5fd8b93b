/* SPDX-License-Identifier: MIT */
/*
 * The self-test's checks of primitives that move the rows of tables, and of those that
 * work on each row of a matrix.
 */
#include "primitives/selftest/selftest.h"

#include <stdlib.h>
#include <string.h>

#include <dmm/axis.h>
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

/* Does not commute: the last item that is not 0. */
static const dmm_operator last_item = {.combine = "b != 0 ? b : a", .identity = "0"};

/* Returns offsets of segments of 0 to 12 items that cover all, to be freed; NULL: no memory. */
static uint64_t *offsets_of(const dmm_trial *t, uint64_t *segments)
{
    uint64_t *const offsets = malloc((size_t)(t->n + 2) * sizeof *offsets);
    uint64_t count = 0, at = 0;
    for (; offsets != NULL && at < t->n; at += count * 5 % 13)
        offsets[count++] = at;
    if (offsets != NULL)
        offsets[count] = t->n;
    *segments = count;
    return offsets;
}

/* Expects the last item but 0 of each segment, or, for a scan, up to each item. */
static dmm_status last_items(dmm_trial *t, int scans)
{
    const dmm_scan_segmented_desc scan = {
        .type = t->type, .offset_type = DMM_U64, .own = &last_item};
    const dmm_reduce_segmented_desc reduce = {
        .type = t->type, .offset_type = DMM_U64, .own = &last_item};
    uint64_t segments;
    uint64_t *const offsets = offsets_of(t, &segments);
    dmm_status status = DMM_OUT_OF_MEMORY;
    if (offsets == NULL)
        return status;
    t->places = scans ? t->n : segments;
    dmm_trial_expect_no_origins(t);
    memset(t->expected, 0, (size_t)(t->places * t->bytes));
    for (uint64_t s = 0; s < segments; s++)
        for (uint64_t i = offsets[s], last = t->n; i < offsets[s + 1]; i++) {
            last = dmm_trial_bits(t, i) != 0 ? i : last;
            if (last < t->n)
                dmm_trial_expect_item(t, scans ? i : s, last);
            t->expected_from[scans ? i : s] = 0;
        }
    memcpy(t->answer, t->input, (size_t)(t->n * t->bytes));
    status = scans ? dmm_scan_segmented_host(
                         t->ctx, &scan, t->answer, (size_t)t->n, offsets, (size_t)segments)
                   : dmm_reduce_segmented_host(t->ctx, &reduce, t->input, (size_t)t->n, offsets,
                         (size_t)segments, t->answer);
    free(offsets);
    return status;
}

static dmm_status scan_own(dmm_trial *t)
{
    return last_items(t, 1);
}

static dmm_status reduce_own(dmm_trial *t)
{
    return last_items(t, 0);
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

/* Expects the running sums of each column of u32. */
static dmm_status scan_columns(dmm_trial *t)
{
    const dmm_axis_desc desc = {.work = DMM_AXIS_SCAN, .order = {.type = t->type}};
    const uint64_t rows = whole_rows(t);
    for (uint64_t i = 0; i < t->n; i++) {
        const uint64_t above = i >= ROW ? ((const uint32_t *)(void *)t->expected)[i - ROW] : 0;
        ((uint32_t *)(void *)t->expected)[i] = (uint32_t)(above + dmm_trial_bits(t, i));
    }
    return dmm_axis_host(t->ctx, &desc, t->input, NULL, (size_t)rows, ROW, t->answer);
}

/* Expects the least of each column. */
static dmm_status reduce_columns(dmm_trial *t)
{
    const dmm_axis_desc desc = {.order = {.type = t->type}, .op = DMM_SCAN_MIN};
    const uint64_t rows = whole_rows(t);
    t->places = t->n != 0 ? ROW : 0;
    for (uint64_t c = 0; c < t->places; c++) {
        uint64_t best = c;
        for (uint64_t i = c; i < t->n; i += ROW)
            best = dmm_trial_code(t, i) < dmm_trial_code(t, best) ? i : best;
        dmm_trial_expect_item(t, c, best);
        t->expected_from[c] = 0;
    }
    return t->n != 0 ? dmm_axis_host(t->ctx, &desc, t->input, NULL, (size_t)rows, ROW, t->answer)
                     : DMM_OK;
}

/* Expects columns of ROW items in order, with their positions. */
static dmm_status sort_columns(dmm_trial *t)
{
    const dmm_axis_desc desc = {.work = DMM_AXIS_SORT,
        .order = {.type = t->type},
        .value_bytes = sizeof *t->answer_from,
        .argsort = 1};
    const uint64_t cols = whole_rows(t);
    for (uint64_t c = 0; c < cols; c++) {
        uint64_t from[ROW];
        for (uint64_t r = 0; r < ROW; r++) {
            uint64_t place = r;
            for (; place > 0 &&
                   dmm_trial_code(t, from[place - 1] * cols + c) > dmm_trial_code(t, r * cols + c);
                 place--)
                from[place] = from[place - 1];
            from[place] = r;
        }
        for (uint64_t r = 0; r < ROW; r++) {
            dmm_trial_expect_item(t, r * cols + c, from[r] * cols + c);
            t->expected_from[r * cols + c] = (uint32_t)from[r];
        }
    }
    return dmm_axis_host(t->ctx, &desc, t->input, t->answer_from, ROW, (size_t)cols, t->answer);
}

const dmm_check dmm_axis_checks[] = {{"axis, sort", sort_columns, I16 | F32, F32},
    {"axis, scan", scan_columns, U32, U32}, {"axis, reduce", reduce_columns, I8 | F64, 0}, {0}};
const dmm_check dmm_scan_segmented_checks[] = {
    {"scan, rows", scan_rows, U32, U32}, {"scan, segments", scan_own, U16, 0}, {0}};
const dmm_check dmm_reduce_segmented_checks[] = {
    {"reduce, rows", reduce_rows, I16 | U64, 0}, {"reduce, segments", reduce_own, U64, 0}, {0}};
const dmm_check dmm_topk_segmented_checks[] = {{"topk, rows", topk_rows, I32, I32}, {0}};
