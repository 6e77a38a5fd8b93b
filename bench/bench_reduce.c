/* SPDX-License-Identifier: MIT */
/*
 * bench_reduce [options]: dmm_reduce, the sum of u32 or u64; each item is read once.
 */
#include <string.h>

#include <dmm/reduce.h>

#include "peer_entrants.h"

enum { OTHERS = 4 }; /* dmm and the entrants before CUDA's */

static dmm_status enqueue(bench_job *job, const bench_entrant *self, cl_event *event)
{
    const dmm_reduce_args args = {
        .in = {job->keys_in, 0}, .out = {job->keys_out, 0}, .temp = {job->temp, 0}};
    return dmm_reduce_enqueue(self->object, job->queue, &args, job->n, 0, NULL, event);
}

static int reduce_std(bench_job *job, const bench_entrant *self)
{
    return peer_std_reduce(bench_kind(job), job->in.keys, job->n, job->out.keys, self->which);
}

static int reduce_boost(bench_job *job, const bench_entrant *self)
{
    (void)self;
    return peer_boost_reduce(job->queue, bench_kind(job), job->keys_in, job->n, job->keys_out);
}

/* The low bytes of the sum come first. */
static void expect_sum(bench_job *job)
{
    const uint32_t bytes = dmm_type_bytes(job->options.type);
    uint64_t sum = 0;
    for (size_t i = 0; i < job->n; i++) {
        uint64_t item = 0;
        memcpy(&item, job->in.keys + i * bytes, bytes);
        sum += item;
    }
    job->expected_bytes = bytes;
    job->expected = bench_allocate(sizeof sum);
    memcpy(job->expected, &sum, sizeof sum);
}

static const bench_cuda_peer cuda_peer = {"cub", "reduce", PEER_CUB_REDUCE, 0, 0, bench_cuda_fault};

static void run(bench_job *job)
{
    const dmm_type type = job->options.type;
    const dmm_reduce_desc desc = {.type = type, .op = DMM_SCAN_SUM};
    dmm_reduce *reduce = NULL;
    uint64_t temp_bytes = 0;
    if ((type != DMM_U32 && type != DMM_U64) || job->options.value_bytes != 0)
        bench_require(DMM_UNSUPPORTED, "sums of u32 and u64 alone");
    bench_require(dmm_reduce_create(&reduce, job->ctx, &desc), "create");
    bench_require(dmm_reduce_temp_bytes(&temp_bytes, reduce, job->n), "temp");
    bench_entrant entrants[8] = {
        {.who = "dmm",
            .method = "reduce",
            .with = bench_heard(job),
            .item_bytes = dmm_type_bytes(type),
            .object = reduce,
            .enqueue = enqueue,
            .fault = bench_device_fault},
        {.who = "std", .method = "reduce", .call = reduce_std, .fault = bench_host_fault},
        {.who = "std",
            .method = "reduce_par",
            .which = 1,
            .call = reduce_std,
            .fault = bench_host_fault},
        {.who = "boost", .method = "reduce", .call = reduce_boost, .fault = bench_device_fault},
    };
    bench_job_fill(job);
    bench_job_upload(job, temp_bytes);
    expect_sum(job);
    size_t count = 1;
    if (job->options.peers)
        count = OTHERS + bench_add_cuda(entrants + OTHERS, job, &cuda_peer, 1);
    bench_contest(job, "sum", entrants, count);
    dmm_reduce_free(reduce);
}

int main(int argc, char **argv)
{
    static const bench_word word = {"reduce", "random", "2^24", run};
    return bench_main(&word, argc, argv);
}
