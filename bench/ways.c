/* SPDX-License-Identifier: MIT */
/*
 * Partitions that are measured.
 */
#include "ways.h"

#include <stdlib.h>
#include <string.h>

#include "model.h"

uint64_t bench_ways_create(bench_ways *out, bench_job *job, const dmm_partition_desc *desc)
{
    dmm_partition *partition = NULL;
    bench_require(dmm_partition_create(&partition, job->ctx, desc), "create");
    return bench_ways_take(out, job, partition, desc->ways);
}

uint64_t bench_ways_take(bench_ways *out, bench_job *job, dmm_partition *partition, uint32_t K)
{
    uint64_t temp_bytes = 0;
    *out = (bench_ways){.partition = partition, .K = K};
    bench_require(dmm_partition_temp_bytes(&temp_bytes, partition, job->n), "temp");
    out->offsets = bench_buffer(job->ctx, (K + (uint64_t)1) * sizeof(uint64_t));
    return temp_bytes;
}

void bench_ways_free(bench_ways *ways)
{
    clReleaseMemObject(ways->offsets);
    dmm_partition_free(ways->partition);
}

dmm_status bench_ways_enqueue(bench_job *job, const bench_entrant *self, cl_event *event)
{
    const bench_ways *const w = self->object;
    const dmm_partition_args args = {.items_in = {job->keys_in, 0},
        .by = {job->by_in, 0},
        .items_out = {job->keys_out, 0},
        .offsets_out = {w->offsets, 0},
        .temp = {job->temp, 0}};
    return dmm_partition_enqueue(w->partition, job->queue, &args, job->n, 0, NULL, event);
}

static void make_labels(bench_job *job, uint32_t K)
{
    const uint32_t *const items = (const void *)job->in.keys;
    uint32_t *const labels = bench_allocate(job->n * sizeof *labels);
    for (size_t i = 0; i < job->n; i++)
        labels[i] = K == 2 ? items[i] % 2 : (uint32_t)((uint64_t)items[i] * K >> 32);
    bench_job_upload_by(job, labels, job->n * sizeof *labels);
    job->floors.any = bench_floors_of(job, sizeof *items, K).any;
}

/* One bucket after the other. */
static void expect_buckets(bench_job *job, uint32_t K)
{
    const uint32_t *const items = (const void *)job->in.keys, *const labels = job->by;
    size_t *const next = bench_allocate((K + 1) * sizeof *next);
    uint32_t *const expected = bench_allocate(job->n * sizeof *expected);
    memset(next, 0, (K + 1) * sizeof *next);
    for (size_t i = 0; i < job->n; i++)
        next[labels[i] + 1]++;
    for (uint32_t k = 0; k < K; k++)
        next[k + 1] += next[k];
    for (size_t i = 0; i < job->n; i++)
        expected[next[labels[i]]++] = items[i];
    free(next);
    job->expected = expected;
    job->expected_bytes = job->n * sizeof *expected;
}

void bench_ways_label(bench_job *job, uint32_t K)
{
    make_labels(job, K);
    expect_buckets(job, K);
    job->bound = K;
}

/* Labels are read and buckets written in 1 or 2 bytes; each digit of 8 or 11 bits reads these
 * twice, moves items and, unless it is the last, buckets. The CPU form reads them once if there is
 * one digit. */
double bench_ways_bytes(uint32_t K, const bench_parameters *with)
{
    const unsigned bucket = K <= 256 ? 1 : 2, digit_bits = with->u > 1 ? 8 : 11;
    const int two_digits = (K - 1) >> digit_bits != 0;
    const unsigned item = sizeof(uint32_t), label = sizeof(uint32_t);
    if (with->u == 1 && !two_digits)
        return label + 2 * bucket + 2 * item;
    return label + bucket + (2 * bucket + 2 * item) * (two_digits ? 2 : 1) +
           (two_digits ? bucket : 0);
}
