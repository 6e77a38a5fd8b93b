/* SPDX-License-Identifier: MIT */
/*
 * bench_run_length [options]: dmm_run_length of sorted numbers that come four times each on
 * average, beside a plain loop.
 */
#include <stdlib.h>

#include <dmm/run_length.h>

#include "contest.h"

enum { REPEATS = 4 };

/* An object, and the counts that it writes and that the plain loop writes. */
typedef struct counting {
    dmm_run_length *run_length;
    cl_mem counts_out;
    uint64_t *counts;
} counting;

static dmm_status enqueue(bench_job *job, const bench_entrant *self, cl_event *event)
{
    const counting *const c = self->object;
    const dmm_run_length_args args = {.keys_in = {job->keys_in, 0},
        .keys_out = {job->keys_out, 0},
        .counts_out = {c->counts_out, 0},
        .runs_out = {job->by_in, 0},
        .temp = {job->temp, 0}};
    return dmm_run_length_enqueue(c->run_length, job->queue, &args, job->n, 0, NULL, event);
}

/* u32 keys. */
static int count_plainly(bench_job *job, const bench_entrant *self)
{
    const counting *const c = self->object;
    const uint32_t *const keys = (const uint32_t *)(const void *)job->in.keys;
    uint32_t *const out = (uint32_t *)(void *)job->out.keys;
    size_t runs = 0;
    for (size_t i = 0, first = 0; i < job->n; i++)
        if (i + 1 == job->n || keys[i] != keys[i + 1]) {
            out[runs] = keys[i];
            c->counts[runs++] = i + 1 - first;
            first = i + 1;
        }
    return 1;
}

/* Runs of 1 to 2 REPEATS - 1 items. */
static void fill_runs(bench_job *job)
{
    uint32_t key = 0, left = 0;
    size_t runs = 0;
    uint32_t *const keys = (uint32_t *)(void *)job->in.keys;
    uint32_t *const expected = bench_allocate(bench_key_bytes(&job->in));
    for (size_t i = 0; i < job->n; i++, left--) {
        if (left == 0) {
            key++;
            left = 1 + (uint32_t)((key * (uint64_t)2654435761u >> 16) % (2 * REPEATS - 1));
            expected[runs++] = key;
        }
        keys[i] = key;
    }
    job->expected = expected;
    job->expected_bytes = runs * sizeof *expected;
}

/* CPU form: keys twice; of each run, key and count. GPU form: keys once; of each run, key, start
 * written and read, count. */
static double item_bytes(const bench_parameters *with)
{
    return with->u == 1 ? 2 * 4 + (4 + 8.0) / REPEATS : 4 + (4 + 3 * 8.0) / REPEATS;
}

static void run(bench_job *job)
{
    const dmm_run_length_desc desc = {.key_bytes = 4, .max_n = job->n};
    counting c = {.run_length = NULL};
    uint64_t temp_bytes = 0;
    if (job->options.type != DMM_U32 || job->options.value_bytes != 0)
        bench_require(DMM_UNSUPPORTED, "keys of u32 alone");
    bench_require(dmm_run_length_create(&c.run_length, job->ctx, &desc), "create");
    bench_require(dmm_run_length_temp_bytes(&temp_bytes, c.run_length, job->n), "temp");
    const bench_parameters with = bench_heard(job);
    const bench_entrant entrants[] = {
        {.who = "dmm",
            .method = "run_length",
            .with = with,
            .item_bytes = item_bytes(&with),
            .object = &c,
            .enqueue = enqueue,
            .fault = bench_device_fault},
        {.who = "plain",
            .method = "loop",
            .object = &c,
            .call = count_plainly,
            .fault = bench_host_fault},
    };
    bench_job_fill(job);
    fill_runs(job);
    bench_job_upload(job, temp_bytes);
    job->by_in = bench_buffer(job->ctx, sizeof(uint64_t));
    c.counts_out = bench_buffer(job->ctx, job->n * sizeof(uint64_t));
    c.counts = bench_allocate(job->n * sizeof *c.counts);
    bench_contest(job, "", entrants, job->options.peers ? 2 : 1);
    clReleaseMemObject(c.counts_out);
    free(c.counts);
    dmm_run_length_free(c.run_length);
}

int main(int argc, char **argv)
{
    static const bench_word word = {"run_length", "sorted", "2^24", run};
    return bench_main(&word, argc, argv);
}
