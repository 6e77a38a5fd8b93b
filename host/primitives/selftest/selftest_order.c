/* SPDX-License-Identifier: MIT */
/*
 * The self-test's checks of primitives that order and search, and of dmm_hull. Each computes the
 * expected items before the device answers, or without looking at the answer.
 */
#include "primitives/selftest/selftest.h"

#include <stdlib.h>
#include <string.h>

#include <dmm/hull.h>
#include <dmm/merge.h>
#include <dmm/merge_many.h>
#include <dmm/network.h>
#include <dmm/nth.h>
#include <dmm/search.h>
#include <dmm/sort.h>
#include <dmm/sort_segmented.h>
#include <dmm/topk.h>

enum { SEGMENTS = 9, PARABOLA = 4001 };

static dmm_status sort_by(dmm_trial *t, dmm_sort_method method)
{
    const dmm_sort_desc desc = {.order = {.type = t->type},
        .value_bytes = sizeof *t->answer_from,
        .argsort = 1,
        .method = method};
    dmm_trial_expect_sorted(t, 0, t->n);
    memcpy(t->answer, t->input, (size_t)(t->n * t->bytes));
    return dmm_sort_host(t->ctx, &desc, t->answer, t->answer_from, (size_t)t->n);
}

static dmm_status sort_by_merge(dmm_trial *t)
{
    return sort_by(t, DMM_SORT_MERGE);
}

static dmm_status sort_by_radix(dmm_trial *t)
{
    return sort_by(t, DMM_SORT_RADIX);
}

/* Every type is sorted in one of these checks. */
/* Sorts with values of three words, which are fetched by position in many small groups. */
static dmm_status sort_wide_values(dmm_trial *t)
{
    const dmm_sort_desc desc = {.order = {.type = t->type}, .value_bytes = 3 * sizeof(uint32_t)};
    uint32_t *const values = malloc((size_t)t->n * desc.value_bytes);
    if (values == NULL)
        return DMM_OUT_OF_MEMORY;
    dmm_trial_expect_sorted(t, 0, t->n);
    memcpy(t->answer, t->input, (size_t)(t->n * t->bytes));
    for (uint64_t i = 0; i < t->n; i++) {
        values[3 * i] = (uint32_t)i;
        values[3 * i + 1] = ~(uint32_t)i;
        values[3 * i + 2] = 3 * (uint32_t)i;
    }
    const dmm_status status = dmm_sort_host(t->ctx, &desc, t->answer, values, (size_t)t->n);
    for (uint64_t i = 0; i < t->n; i++) {
        const uint32_t from = values[3 * i];
        const int whole = values[3 * i + 1] == ~from && values[3 * i + 2] == 3 * from;
        t->answer_from[i] = whole ? from : UINT32_MAX;
    }
    free(values);
    return status;
}

const dmm_check dmm_sort_checks[] = {
    {"sort by merge", sort_by_merge, U8 | I16 | U32 | I64 | F16 | F32, U32},
    {"sort by radix", sort_by_radix, I8 | U16 | I32 | U64 | F64, U64},
    {"sort, wide values", sort_wide_values, U32, U32},
    {0},
};

/* Sorts segments: the first is empty, the others have n / 9 items, and some items are in no
 * segment. */
static dmm_status sort_segmented(dmm_trial *t)
{
    const dmm_sort_segmented_desc desc = {
        .order = {.type = t->type}, .value_bytes = sizeof *t->answer_from};
    uint32_t offsets[SEGMENTS + 1];
    for (uint64_t i = 0; i < t->n; i++)
        dmm_trial_expect_item(t, i, i);
    for (uint32_t s = 0; s <= SEGMENTS; s++)
        offsets[s] = (uint32_t)(s == 0 ? 0 : (s - 1) * (t->n / SEGMENTS));
    for (uint32_t s = 0; s < SEGMENTS; s++)
        dmm_trial_expect_sorted(t, offsets[s], offsets[s + 1]);
    dmm_trial_number_answer(t);
    return dmm_sort_segmented_host(
        t->ctx, &desc, t->answer, t->answer_from, (size_t)t->n, offsets, SEGMENTS);
}

const dmm_check dmm_sort_segmented_checks[] = {{"sort, segments", sort_segmented, U32, U32}, {0}};

/* Merges the first third and the rest, each sorted; values say where an item was in the two
 * lists. */
static dmm_status merge(dmm_trial *t)
{
    const dmm_merge_desc desc = {.order = {.type = t->type}, .value_bytes = sizeof *t->answer_from};
    const uint64_t na = t->n / 3, nb = t->n - na;
    dmm_trial_expect_sorted(t, 0, na);
    dmm_trial_expect_sorted(t, na, t->n);
    memcpy(t->input, t->expected, (size_t)(t->n * t->bytes));
    dmm_trial_expect_sorted(t, 0, t->n);
    for (uint64_t i = 0; i < t->n; i++)
        t->spare[i] = (uint32_t)i;
    const dmm_merge_host_args args = {.a_keys = t->input,
        .a_values = t->spare,
        .na = (size_t)na,
        .b_keys = t->input + na * t->bytes,
        .b_values = t->spare + na,
        .nb = (size_t)nb,
        .keys_out = t->answer,
        .values_out = t->answer_from};
    return dmm_merge_host(t->ctx, &desc, &args);
}

const dmm_check dmm_merge_checks[] = {{"merge", merge, U32 | F64, U32}, {0}};

/* Merges sorted lists: three empty ones, tiny ones, one of half of the items, and the rest. */
static dmm_status merge_many(dmm_trial *t)
{
    const dmm_merge_many_desc desc = {
        .order = {.type = t->type}, .value_bytes = sizeof *t->answer_from, .argsort = 1};
    const uint64_t n = t->n;
    const uint32_t offsets[] = {0, 0, 0, (uint32_t)(n / 50), (uint32_t)(n / 25), (uint32_t)(n / 25),
        (uint32_t)(n / 24), (uint32_t)(n / 2 + n / 24), (uint32_t)n};
    const size_t lists = sizeof offsets / sizeof *offsets - 1;
    for (size_t i = 0; i < lists; i++)
        dmm_trial_expect_sorted(t, offsets[i], offsets[i + 1]);
    memcpy(t->input, t->expected, (size_t)(n * t->bytes));
    dmm_trial_expect_sorted(t, 0, n);
    memcpy(t->answer, t->input, (size_t)(n * t->bytes));
    return dmm_merge_many_host(t->ctx, &desc, t->answer, t->answer_from, (size_t)n, offsets, lists);
}

const dmm_check dmm_merge_many_checks[] = {{"merge of many", merge_many, U16 | U32, U32}, {0}};

static dmm_status topk(dmm_trial *t)
{
    const dmm_topk_desc desc = {
        .order = {.type = t->type}, .value_bytes = sizeof *t->answer_from, .argsort = 1};
    dmm_trial_expect_sorted(t, 0, t->n);
    t->places = (t->n + 2) / 3;
    return dmm_topk_host(
        t->ctx, &desc, t->input, NULL, (size_t)t->n, (size_t)t->places, t->answer, t->answer_from);
}

/* Finds the largest: so few that the CPU form looks at the first of each block before the rest. */
static dmm_status topk_few(dmm_trial *t)
{
    const dmm_topk_desc desc = {.order = {.type = t->type, .descending = 1},
        .value_bytes = sizeof *t->answer_from,
        .argsort = 1};
    uint64_t most = 0;
    for (uint64_t i = 1; i < t->n; i++)
        if (dmm_trial_code(t, i) > dmm_trial_code(t, most))
            most = i;
    dmm_trial_expect_item(t, 0, most);
    t->places = 1;
    return dmm_topk_host(t->ctx, &desc, t->input, NULL, (size_t)t->n, 1, t->answer, t->answer_from);
}

const dmm_check dmm_topk_checks[] = {
    {"top k", topk, U32 | F32, F32}, {"top k, few of many", topk_few, U32, 0}, {0}};

/* Finds the median. */
static dmm_status nth(dmm_trial *t)
{
    const dmm_nth_desc desc = {
        .order = {.type = t->type}, .value_bytes = sizeof *t->answer_from, .argsort = 1};
    const uint64_t rank = t->n / 2;
    dmm_trial_expect_sorted(t, 0, t->n);
    dmm_trial_expect_item(t, 0, t->expected_from[rank]);
    t->places = 1;
    return dmm_nth_host(
        t->ctx, &desc, t->input, NULL, (size_t)t->n, (size_t)rank, t->answer, t->answer_from);
}

const dmm_check dmm_nth_checks[] = {{"nth", nth, F32, 0}, {0}};

/* Sorts rows of 32 items by Batcher's merge exchange (Knuth 5.2.2, Algorithm M). */
static dmm_status network(dmm_trial *t)
{
    enum { WIRES = 32, PAIRS = 191, STEPS = 15 };
    dmm_comparator pairs[PAIRS];
    uint64_t ends[STEPS], count = 0, step = 0;
    for (uint32_t p = WIRES / 2; p != 0; p /= 2)
        for (uint32_t q = WIRES, r = 0, d = p; q != p; r = p) {
            for (uint32_t i = 0; i + d < WIRES; i++)
                if ((i & p) == r)
                    pairs[count++] = (dmm_comparator){i, i + d};
            ends[step++] = count;
            q /= 2;
            d = q - p;
        }
    const dmm_network_desc desc = {
        .order = {.type = t->type}, .wires = WIRES, .pairs = pairs, .ends = ends, .steps = step};
    t->places = t->n - t->n % WIRES;
    for (uint64_t row = 0; row < t->places; row += WIRES)
        dmm_trial_expect_sorted(t, row, row + WIRES);
    dmm_trial_expect_no_origins(t);
    memcpy(t->answer, t->input, (size_t)(t->n * t->bytes));
    return dmm_network_host(t->ctx, &desc, t->answer, NULL, (size_t)t->places);
}

const dmm_check dmm_network_checks[] = {{"network", network, U32 | F32, U32}, {0}};

/* Searches for the rank of each item among all items, sorted. */
static dmm_status search(dmm_trial *t)
{
    const dmm_search_desc desc = {.order = {.type = t->type}};
    dmm_trial_expect_sorted(t, 0, t->n);
    for (uint64_t place = 0, rank = 0; place < t->n; place++) {
        const uint32_t item = t->expected_from[place];
        if (dmm_trial_code(t, item) != dmm_trial_code(t, t->expected_from[rank]))
            rank = place;
        t->spare[item] = (uint32_t)rank;
    }
    memcpy(t->expected_from, t->spare, (size_t)(t->n * sizeof *t->spare));
    memcpy(t->answer, t->expected, (size_t)(t->n * t->bytes));
    return dmm_search_host(
        t->ctx, &desc, t->answer, (size_t)t->n, t->input, (size_t)t->n, t->answer_from, NULL);
}

const dmm_check dmm_search_checks[] = {{"search", search, I16 | U32, 0}, {0}};

/* Finds the hull of points on a parabola, each many times: every distinct point is a vertex,
 * represented by its lowest index. */
static dmm_status hull(dmm_trial *t)
{
    const dmm_hull_desc desc = {.coordinates = t->type == DMM_F64 ? DMM_HULL_F64 : DMM_HULL_F32};
    const uint64_t n = t->n / 2;
    uint64_t vertices = 0;
    for (uint64_t i = 0; i < 2 * n; i++) {
        const double x = (double)(i / 2 % PARABOLA) - PARABOLA / 2, wide = i % 2 ? x * x : x;
        const float narrow = (float)wide;
        memcpy(t->input + i * t->bytes,
            t->type == DMM_F32 ? (const void *)&narrow : (const void *)&wide, t->bytes);
    }
    t->places = n < PARABOLA ? n : PARABOLA;
    for (uint64_t i = 0; i < t->places; i++)
        t->expected_from[i] = (uint32_t)i;
    memset(t->expected, 0, (size_t)(t->places * t->bytes));
    memset(t->answer, 0, (size_t)(t->places * t->bytes));
    const dmm_status status =
        dmm_hull_host(t->ctx, &desc, t->input, NULL, (size_t)n, t->answer_from, &vertices);
    if (status == DMM_OK && vertices != t->places)
        t->answer_from[0] = UINT32_MAX;
    return status;
}

const dmm_check dmm_hull_checks[] = {{"hull", hull, F32, F32}, {0}};
