/* SPDX-License-Identifier: MIT */
/*
 * bench_partition [options]: dmm_partition of 32-bit items by 32-bit labels, over K and how labels
 * are spread: a label is its item, scaled to 0 .. K - 1, so that --input says that too; for two
 * ways it is the item's lowest bit, as the peers take it that know two ways alone, in place. The
 * others get the same labels.
 */
#include <stdlib.h>
#include <string.h>

#include <dmm/partition.h>

#include "peer_entrants.h"

enum { ANY_WAYS = 2, TWO_WAYS = 5 }; /* entrants that know them */

typedef struct ways {
    dmm_partition *partition;
    cl_mem offsets;
    uint32_t K;
} ways;

static dmm_status enqueue(bench_job *job, const bench_entrant *self, cl_event *event)
{
    const ways *const w = self->object;
    const dmm_partition_args args = {.items_in = {job->keys_in, 0},
        .by = {job->by_in, 0},
        .items_out = {job->keys_out, 0},
        .offsets = {w->offsets, 0},
        .temp = {job->temp, 0}};
    return dmm_partition_enqueue(w->partition, job->queue, &args, job->n, 0, NULL, event);
}

static int partition_plain(bench_job *job, const bench_entrant *self)
{
    const ways *const w = self->object;
    return peer_plain_partition(job->by, (void *)job->in.keys, (void *)job->out.keys, job->n, w->K);
}

static int partition_std(bench_job *job, const bench_entrant *self)
{
    return peer_std_stable_partition((void *)job->out.keys, job->n, self->which);
}

static int partition_boost(bench_job *job, const bench_entrant *self)
{
    (void)self;
    return peer_boost_stable_partition(job->queue, job->keys_out, job->n);
}

static void make_labels(bench_job *job, uint32_t K)
{
    const uint32_t *const items = (const void *)job->in.keys;
    uint32_t *const labels = bench_allocate(job->n * sizeof *labels);
    for (size_t i = 0; i < job->n; i++)
        labels[i] = K == 2 ? items[i] % 2 : (uint32_t)((uint64_t)items[i] * K >> 32);
    bench_job_upload_by(job, labels, job->n * sizeof *labels);
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

/* Labels are read and buckets written in 1 or 2 bytes; each digit of 8 or 11 bits reads these
 * twice, moves items and, unless it is the last, buckets. */
static double item_bytes(uint32_t K, const bench_parameters *with)
{
    const unsigned bucket = K <= 256 ? 1 : 2, digit_bits = with->u > 1 ? 8 : 11;
    const int two_digits = (K - 1) >> digit_bits != 0;
    const unsigned item = sizeof(uint32_t), label = sizeof(uint32_t);
    return label + bucket + (2 * bucket + 2 * item) * (two_digits ? 2 : 1) +
           (two_digits ? bucket : 0);
}

/* CUB's leaves the odd items in reverse order. */
static const char *reversed_fault(bench_job *job, const bench_entrant *self)
{
    uint32_t *const items = (void *)job->out.keys;
    size_t begin = 0, end = job->n;
    bench_cuda_fetch(job);
    while (begin < end && items[begin] % 2 == 0)
        begin++;
    for (; begin + 1 < end; begin++) {
        const uint32_t item = items[begin];
        items[begin] = items[--end];
        items[end] = item;
    }
    return bench_host_fault(job, self);
}

/* The first one knows any number of ways. */
static const bench_cuda_peer cuda_peers[] = {
    {"cub", "sort_labels", PEER_CUB_SORT_LABELS, 0, 0, bench_cuda_fault},
    {"cub", "partition", PEER_CUB_PARTITION, 0, 0, reversed_fault},
    {"thrust", "stable_partition", PEER_THRUST_STABLE_PARTITION, 0, 0, bench_cuda_fault},
};

static void run_one(bench_job *job, const char *title, uint32_t K)
{
    const dmm_partition_desc desc = {.ways = K, .max_n = job->n};
    ways w = {.K = K};
    uint64_t temp_bytes = 0;
    bench_require(dmm_partition_create(&w.partition, job->ctx, &desc), "create");
    bench_require(dmm_partition_temp_bytes(&temp_bytes, w.partition, job->n), "temp");
    const bench_parameters with = bench_heard(job);
    bench_entrant entrants[12] = {
        {.who = "dmm",
            .method = "partition",
            .with = with,
            .item_bytes = item_bytes(K, &with),
            .object = &w,
            .enqueue = enqueue,
            .fault = bench_device_fault},
        {.who = "c",
            .method = "partition_threads",
            .object = &w,
            .call = partition_plain,
            .fault = bench_host_fault},
        {.who = "std",
            .method = "stable_partition",
            .call = partition_std,
            .restore = bench_restore_host,
            .fault = bench_host_fault},
        {.who = "std",
            .method = "stable_partition_par",
            .which = 1,
            .call = partition_std,
            .restore = bench_restore_host,
            .fault = bench_host_fault},
        {.who = "boost",
            .method = "stable_partition",
            .call = partition_boost,
            .restore = bench_restore_device,
            .fault = bench_device_fault},
    };
    bench_job_fill(job);
    bench_job_upload(job, temp_bytes);
    make_labels(job, K);
    expect_buckets(job, K);
    w.offsets = bench_buffer(job->ctx, (K + (uint64_t)1) * sizeof(uint64_t));
    job->bound = K;
    size_t count = 1;
    if (job->options.peers) {
        count = K == 2 ? TWO_WAYS : ANY_WAYS;
        count += bench_add_cuda(entrants + count, job, cuda_peers, K == 2 ? 3 : 1);
    }
    bench_contest(job, title, entrants, count);
    clReleaseMemObject(w.offsets);
    dmm_partition_free(w.partition);
    bench_job_clear(job);
}

static void run(bench_job *job)
{
    if (job->options.value_bytes != 0 || job->options.type != DMM_U32)
        bench_require(DMM_UNSUPPORTED, "items of u32 alone");
    run_one(job, "K=2", 2);
    run_one(job, "K=32", 32);
    run_one(job, "K=256", 256);
    run_one(job, "K=1000", 1000);
}

int main(int argc, char **argv)
{
    static const bench_word word = {"partition", "random", "2^24", run};
    return bench_main(&word, argc, argv);
}
