/* SPDX-License-Identifier: MIT */
/*
 * bench_partition [options]: dmm_partition of 32-bit items by 32-bit labels, over K and how labels
 * are spread: a label is its item, scaled to 0 .. K - 1, so that --input says that too; for two
 * ways it is the item's lowest bit, as the peers take it that know two ways alone, in place. The
 * others get the same labels.
 */
#include <stdlib.h>

#include "peer_entrants.h"
#include "ways.h"

enum { ANY_WAYS = 2, TWO_WAYS = 5 }; /* entrants that know them */

static int partition_plain(bench_job *job, const bench_entrant *self)
{
    const bench_ways *const w = self->object;
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

/* CUB leaves the odd items in reverse order. */
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

/* The first one takes any number of ways. */
static const bench_cuda_peer cuda_peers[] = {
    {"cub", "sort_labels", PEER_CUB_SORT_LABELS, 0, 0, bench_cuda_fault},
    {"cub", "partition", PEER_CUB_PARTITION, 0, 0, reversed_fault},
    {"thrust", "stable_partition", PEER_THRUST_STABLE_PARTITION, 0, 0, bench_cuda_fault},
};

static void run_one(bench_job *job, const char *title, uint32_t K)
{
    const dmm_partition_desc desc = {.ways = K, .max_n = job->n};
    bench_ways w;
    const uint64_t temp_bytes = bench_ways_create(&w, job, &desc);
    const bench_parameters with = bench_heard(job);
    bench_entrant entrants[12] = {
        {.who = "dmm",
            .method = "partition",
            .with = with,
            .item_bytes = bench_ways_bytes(K, &with),
            .object = &w,
            .enqueue = bench_ways_enqueue,
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
    bench_ways_label(job, K);
    size_t count = 1;
    if (job->options.peers) {
        count = K == 2 ? TWO_WAYS : ANY_WAYS;
        count += bench_add_cuda(entrants + count, job, cuda_peers, K == 2 ? 3 : 1);
    }
    bench_contest(job, title, entrants, count);
    bench_ways_free(&w);
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
