/* SPDX-License-Identifier: MIT */
/* Trials of primitives that move items or add them up. Items are keys alone. */
#include <stdlib.h>
#include <string.h>

#include <dmm/histogram.h>
#include <dmm/partition.h>
#include <dmm/permute.h>
#include <dmm/scan.h>
#include <dmm/shuffle.h>
#include <dmm/transpose.h>

#include "trial.h"

enum { WAYS = 256, SEED = 7 };

static dmm_span span(cl_mem buffer)
{
    return (dmm_span){buffer, 0};
}

/* Expects item `from` of the input at `place`. */
static void expect(trial *t, uint64_t place, uint64_t from)
{
    trial_put_key(t->expected + place * t->item_bytes, t->item_bytes, t->random[from]);
    t->expected_bytes = (size_t)(t->n * t->item_bytes);
}

static dmm_status scan_once(trial *t)
{
    const dmm_scan_args args = {.in = span(t->in), .out = span(t->out), .temp = span(t->temp)};
    return dmm_scan_enqueue(t->object, t->queue, &args, t->n, 0, NULL, NULL);
}

dmm_status trial_scan(trial *t)
{
    const dmm_scan_desc desc = {.type = t->item_bytes == 8 ? DMM_U64 : DMM_U32, .max_n = t->n};
    uint64_t sum = 0, item = 0;
    for (uint64_t i = 0; i < t->n; i++) {
        trial_put_key((unsigned char *)&item, t->item_bytes, t->random[i]);
        sum += item;
        memcpy(t->expected + i * t->item_bytes, &sum, t->item_bytes);
    }
    t->expected_bytes = (size_t)(t->n * t->item_bytes);
    dmm_status status = trial_write_keys(t, t->item_bytes);
    TRIAL_RUN(t, scan, &desc, status, scan_once, t->n);
    return status;
}

static dmm_status histogram_once(trial *t)
{
    const dmm_histogram_args args = {
        .labels = span(t->in), .counts_out = span(t->out), .temp = span(t->temp)};
    return dmm_histogram_enqueue(t->object, t->queue, &args, t->n, 0, NULL, NULL);
}

dmm_status trial_histogram(trial *t)
{
    const dmm_histogram_desc desc = {.type = DMM_U8, .bins = WAYS, .max_n = t->n};
    uint64_t counts[WAYS] = {0};
    for (uint64_t i = 0; i < t->n; i++)
        counts[t->random[i] % WAYS]++;
    t->expected_bytes = sizeof counts;
    memcpy(t->expected, counts, t->expected_bytes);
    dmm_status status = trial_write_keys(t, 1);
    TRIAL_RUN(t, histogram, &desc, status, histogram_once, t->n);
    return status;
}

static dmm_status partition_once(trial *t)
{
    const dmm_partition_args args = {.items_in = span(t->in),
        .by = span(t->by),
        .items_out = span(t->out),
        .offsets = span(t->out_by),
        .temp = span(t->temp)};
    return dmm_partition_enqueue(t->object, t->queue, &args, t->n, 0, NULL, NULL);
}

/* Expects the buckets, and where each begins. */
static void expect_buckets(trial *t)
{
    uint64_t begins[WAYS + 1] = {0};
    for (uint64_t i = 0; i < t->n; i++)
        begins[t->random[i] % WAYS + 1]++;
    for (uint32_t k = 0; k < WAYS; k++)
        begins[k + 1] += begins[k];
    t->expected_by_bytes = sizeof begins;
    memcpy(t->expected_by, begins, sizeof begins);
    for (uint64_t i = 0; i < t->n; i++)
        expect(t, begins[t->random[i] % WAYS]++, i);
}

dmm_status trial_partition(trial *t)
{
    const dmm_partition_desc desc = {.ways = WAYS,
        .order = {.type = t->item_bytes == 8 ? DMM_U64 : DMM_U32},
        .label_bytes = 1,
        .max_n = t->n};
    for (uint64_t i = 0; i < t->n; i++)
        t->expected[i] = (unsigned char)(t->random[i] % WAYS);
    dmm_status status = trial_write_by(t, t->expected, (size_t)t->n);
    expect_buckets(t);
    if (status == DMM_OK)
        status = trial_write_keys(t, t->item_bytes);
    TRIAL_RUN(t, partition, &desc, status, partition_once, t->n);
    return status;
}

static dmm_status permute_once(trial *t)
{
    const dmm_permute_args args = {
        .index = span(t->by), .in = span(t->in), .out = span(t->out), .temp = span(t->temp)};
    return dmm_permute_enqueue(t->object, t->queue, &args, t->n, 0, NULL, NULL);
}

/* Permutes: item i moves to the index from which a shuffle takes item i. */
dmm_status trial_permute(trial *t)
{
    const dmm_permute_desc desc = {
        .item_bytes = t->item_bytes, .index_bytes = sizeof(uint32_t), .max_n = t->n};
    for (uint64_t i = 0; i < t->n; i++) {
        const uint32_t place = (uint32_t)dmm_shuffle_index(SEED, t->n, i);
        memcpy(t->expected_by + i * sizeof place, &place, sizeof place);
        expect(t, place, i);
    }
    dmm_status status = trial_write_by(t, t->expected_by, (size_t)t->n * sizeof(uint32_t));
    if (status == DMM_OK)
        status = trial_write_keys(t, t->item_bytes);
    TRIAL_RUN(t, permute, &desc, status, permute_once, t->n);
    return status;
}

static dmm_status shuffle_once(trial *t)
{
    const dmm_shuffle_args args = {
        .seed = SEED, .in = span(t->in), .out = span(t->out), .temp = span(t->temp)};
    return dmm_shuffle_enqueue(t->object, t->queue, &args, t->n, 0, NULL, NULL);
}

dmm_status trial_shuffle(trial *t)
{
    const dmm_shuffle_desc desc = {.item_bytes = t->item_bytes, .max_n = t->n};
    for (uint64_t i = 0; i < t->n; i++)
        expect(t, i, dmm_shuffle_index(SEED, t->n, i));
    dmm_status status = trial_write_keys(t, t->item_bytes);
    TRIAL_RUN(t, shuffle, &desc, status, shuffle_once, t->n);
    return status;
}

/* Returns a shape that is as square as possible. */
static dmm_matrices shape_of(const trial *t)
{
    uint64_t rows = 1;
    while (rows * rows * 4 <= t->n)
        rows *= 2;
    return (dmm_matrices){.rows = rows, .cols = t->n / rows};
}

static dmm_status transpose_once(trial *t)
{
    const dmm_transpose_args args = {.in = span(t->in), .out = span(t->out), .temp = span(t->temp)};
    return dmm_transpose_enqueue(t->object, t->queue, &args, shape_of(t), 0, NULL, NULL);
}

dmm_status trial_transpose(trial *t)
{
    const dmm_transpose_desc desc = {.item_bytes = t->item_bytes, .max_n = t->n};
    const dmm_matrices shape = shape_of(t);
    for (uint64_t r = 0; r < shape.rows; r++)
        for (uint64_t c = 0; c < shape.cols; c++)
            expect(t, c * shape.rows + r, r * shape.cols + c);
    t->expected_bytes = (size_t)(shape.rows * shape.cols * t->item_bytes);
    dmm_status status = trial_write_keys(t, t->item_bytes);
    TRIAL_RUN(t, transpose, &desc, status, transpose_once, shape);
    return status;
}
