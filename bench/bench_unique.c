/* SPDX-License-Identifier: MIT */
/*
 * bench_unique [options]: dmm_unique of sorted numbers that come four times each on average. Keys
 * are read twice (GPU form: once), kept ones written. Peers for keys of u32 or u64.
 */
#include <string.h>

#include <dmm/unique.h>

#include "peer_entrants.h"

enum { REPEATS = 4 };
enum { OTHERS = 4 }; /* dmm and the entrants before CUDA's */

static dmm_status enqueue(bench_job *job, const bench_entrant *self, cl_event *event)
{
    const dmm_unique_args args = {.keys_in = {job->keys_in, 0},
        .keys_out = {job->keys_out, 0},
        .runs_out = {job->by_in, 0},
        .temp = {job->temp, 0}};
    return dmm_unique_enqueue(self->object, job->queue, &args, job->n, 0, NULL, event);
}

static int unique_std(bench_job *job, const bench_entrant *self)
{
    return peer_std_unique(bench_kind(job), job->in.keys, job->out.keys, job->n, self->which);
}

static int unique_boost(bench_job *job, const bench_entrant *self)
{
    (void)self;
    return peer_boost_unique(job->queue, bench_kind(job), job->keys_in, job->keys_out, job->n);
}

/* Runs of 1 to 2 REPEATS - 1 items. */
static void fill_runs(bench_job *job)
{
    const uint32_t bytes = dmm_type_bytes(job->options.type);
    uint64_t key = 0, left = 0;
    size_t runs = 0;
    job->expected = bench_allocate(bench_key_bytes(&job->in));
    for (size_t i = 0; i < job->n; i++, left--) {
        if (left == 0) {
            key++;
            left = 1 + (key * 2654435761u >> 16) % (2 * REPEATS - 1);
            memcpy((unsigned char *)job->expected + bytes * runs++, &key, bytes);
        }
        memcpy(job->in.keys + i * bytes, &key, bytes);
    }
    job->expected_bytes = runs * bytes;
}

static const bench_cuda_peer cuda_peer = {"cub", "unique", PEER_CUB_UNIQUE, 0, 0, bench_cuda_fault};

static void run(bench_job *job)
{
    const dmm_type type = job->options.type;
    const double bytes = dmm_type_bytes(type);
    const dmm_unique_desc desc = {.key_bytes = dmm_type_bytes(type), .max_n = job->n};
    dmm_unique *unique = NULL;
    uint64_t temp_bytes = 0;
    if ((type != DMM_U32 && type != DMM_U64) || job->options.value_bytes != 0)
        bench_require(DMM_UNSUPPORTED, "keys of u32 and u64 alone");
    bench_require(dmm_unique_create(&unique, job->ctx, &desc), "create");
    bench_require(dmm_unique_temp_bytes(&temp_bytes, unique, job->n), "temp");
    const bench_parameters with = bench_heard(job);
    bench_entrant entrants[8] = {
        {.who = "dmm",
            .method = "unique",
            .with = with,
            .item_bytes = (with.u == 1 ? 2 : 1) * bytes + bytes / REPEATS,
            .object = unique,
            .enqueue = enqueue,
            .fault = bench_device_fault},
        {.who = "std", .method = "unique_copy", .call = unique_std, .fault = bench_host_fault},
        {.who = "std",
            .method = "unique_copy_par",
            .which = 1,
            .call = unique_std,
            .fault = bench_host_fault},
        {.who = "boost",
            .method = "unique_copy",
            .call = unique_boost,
            .fault = bench_device_fault},
    };
    bench_job_fill(job);
    fill_runs(job);
    bench_job_upload(job, temp_bytes);
    job->by_in = bench_buffer(job->ctx, sizeof(uint64_t));
    size_t count = 1;
    if (job->options.peers)
        count = OTHERS + bench_add_cuda(entrants + OTHERS, job, &cuda_peer, 1);
    bench_contest(job, "", entrants, count);
    dmm_unique_free(unique);
}

int main(int argc, char **argv)
{
    static const bench_word word = {"unique", "sorted", "2^24", run};
    return bench_main(&word, argc, argv);
}
