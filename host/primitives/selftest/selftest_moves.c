/* SPDX-License-Identifier: MIT */
/*
 * The self-test's checks that move items without comparing them, or count them.
 */
#include "primitives/selftest/selftest.h"

#include <string.h>

#include <dmm/histogram.h>
#include <dmm/layout.h>
#include <dmm/partition.h>
#include <dmm/permutation_plan.h>
#include <dmm/permute.h>
#include <dmm/shuffle.h>
#include <dmm/transpose.h>

enum { WAYS = 33, SEED = 7, ROWS = 7, BINS = 200 };

/* Partitions by labels, the lowest bits of the order; the last bucket stays empty. */
static dmm_status partition(dmm_trial *t)
{
    const dmm_partition_desc desc = {
        .ways = WAYS, .order = {.type = t->type}, .value_bytes = sizeof *t->answer_from};
    uint64_t offsets[WAYS + 1], expected[WAYS + 1] = {0};
    const dmm_partition_host_args args = {
        .items = t->answer, .values = t->answer_from, .by = t->spare, .offsets_out = offsets};
    for (uint64_t i = 0; i < t->n; i++)
        t->spare[i] = (uint32_t)(dmm_trial_code(t, i) % (WAYS - 1));
    for (uint32_t bucket = 0; bucket < WAYS; bucket++) {
        expected[bucket + 1] = expected[bucket];
        for (uint64_t i = 0; i < t->n; i++)
            if (t->spare[i] == bucket)
                dmm_trial_expect_item(t, expected[bucket + 1]++, i);
    }
    dmm_trial_number_answer(t);
    const dmm_status status = dmm_partition_host(t->ctx, &desc, &args, (size_t)t->n);
    if (status == DMM_OK && memcmp(offsets, expected, sizeof expected) != 0)
        t->answer_from[0] = UINT32_MAX;
    return status;
}

const dmm_check dmm_partition_checks[] = {{"partition", partition, U32, U32}, {0}};

static dmm_status shuffle(dmm_trial *t)
{
    const dmm_shuffle_desc desc = {.item_bytes = t->bytes, .value_bytes = sizeof *t->answer_from};
    for (uint64_t i = 0; i < t->n; i++)
        dmm_trial_expect_item(t, i, dmm_shuffle_index(SEED, t->n, i));
    dmm_trial_number_answer(t);
    return dmm_shuffle_host(t->ctx, &desc, SEED, t->answer, t->answer_from, (size_t)t->n);
}

const dmm_check dmm_shuffle_checks[] = {{"shuffle", shuffle, U8 | U64, U64}, {0}};

/* Permutes: item i moves to the index from which a shuffle takes item i. */
static dmm_status permute(dmm_trial *t)
{
    const dmm_permute_desc desc = {
        .item_bytes = t->bytes, .index_bytes = sizeof *t->spare, .check = 1};
    for (uint64_t i = 0; i < t->n; i++) {
        t->spare[i] = (uint32_t)dmm_shuffle_index(SEED, t->n, i);
        dmm_trial_expect_item(t, t->spare[i], i);
    }
    memcpy(t->answer, t->input, (size_t)(t->n * t->bytes));
    dmm_trial_expect_no_origins(t);
    return dmm_permute_host(t->ctx, &desc, t->spare, t->answer, (size_t)t->n, NULL);
}

const dmm_check dmm_permute_checks[] = {{"permute", permute, U32, U32}, {0}};

/* Permutes by a plan: each item moves to its place in a shuffle. */
static dmm_status permutation_plan(dmm_trial *t)
{
    const dmm_permutation_plan_desc desc = {
        .item_bytes = t->bytes, .kind = DMM_PLAN_SHUFFLE, .n = t->n, .argument = SEED};
    for (uint64_t i = 0; i < t->n; i++)
        dmm_trial_expect_item(t, dmm_shuffle_place(SEED, t->n, i), i);
    memcpy(t->answer, t->input, (size_t)(t->n * t->bytes));
    dmm_trial_expect_no_origins(t);
    return dmm_permutation_plan_host(t->ctx, &desc, t->answer);
}

const dmm_check dmm_permutation_plan_checks[] = {
    {"permutation plan", permutation_plan, U32, 0}, {0}};

static dmm_status transpose(dmm_trial *t)
{
    const dmm_transpose_desc desc = {.item_bytes = t->bytes};
    const dmm_matrices shape = {.rows = ROWS, .cols = t->n / ROWS};
    for (uint64_t r = 0; r < shape.rows; r++)
        for (uint64_t c = 0; c < shape.cols; c++)
            dmm_trial_expect_item(t, c * shape.rows + r, r * shape.cols + c);
    t->places = shape.rows * shape.cols;
    memcpy(t->answer, t->input, (size_t)(t->n * t->bytes));
    dmm_trial_expect_no_origins(t);
    return dmm_transpose_host(t->ctx, &desc, t->answer, shape);
}

const dmm_check dmm_transpose_checks[] = {{"transpose", transpose, U8 | U64, U64}, {0}};

/* Permutes into a van Emde Boas tree. */
static dmm_status layout(dmm_trial *t)
{
    const dmm_layout_desc desc = {
        .item_bytes = t->bytes, .value_bytes = sizeof *t->answer_from, .kind = DMM_LAYOUT_VEB};
    for (uint64_t i = 0; i < t->n; i++)
        dmm_trial_expect_item(t, i, dmm_layout_rank(desc.kind, 0, t->n, i));
    dmm_trial_number_answer(t);
    return dmm_layout_host(t->ctx, &desc, t->answer, t->answer_from, (size_t)t->n);
}

const dmm_check dmm_layout_checks[] = {{"layout", layout, U16 | U64, U64}, {0}};

/* Counts labels; those beyond the last bin are not counted. The origins hold the counts. */
static dmm_status histogram(dmm_trial *t)
{
    const dmm_histogram_desc desc = {.type = t->type, .bins = BINS};
    uint64_t counts[BINS] = {0};
    memset(t->expected_from, 0, BINS * sizeof *t->expected_from);
    for (uint64_t i = 0; i < t->n; i++)
        if (dmm_trial_bits(t, i) < BINS)
            t->expected_from[dmm_trial_bits(t, i)]++;
    t->places = BINS;
    memset(t->expected, 0, BINS * t->bytes);
    memset(t->answer, 0, BINS * t->bytes);
    const dmm_status status = dmm_histogram_host(t->ctx, &desc, t->input, (size_t)t->n, counts);
    for (uint32_t bin = 0; bin < BINS; bin++)
        t->answer_from[bin] = counts[bin] > UINT32_MAX ? UINT32_MAX : (uint32_t)counts[bin];
    return status;
}

const dmm_check dmm_histogram_checks[] = {{"histogram", histogram, U8 | U32, U8}, {0}};
