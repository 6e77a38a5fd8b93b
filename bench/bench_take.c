/* SPDX-License-Identifier: MIT */
/*
 * bench_take [options]: rows of one array in a random order, and of 1, 2, 4 and 8 arrays at once.
 * Each number is read, each item read and written.
 */
#include <stdio.h>

#include <dmm/shuffle.h>
#include <dmm/take.h>

#include "contest.h"

enum { SEED = 5 };

static dmm_status enqueue(bench_job *job, const bench_entrant *self, cl_event *event)
{
    dmm_take_args args = {.rows = {job->by_in, 0}};
    for (int c = 0; c < self->which; c++) { /* arrays of the same bytes: the buffers' parts */
        args.in[c] = (dmm_span){job->keys_in, 0};
        args.out[c] = (dmm_span){job->keys_out, (uint64_t)c * job->n * sizeof(uint32_t)};
    }
    return dmm_take_enqueue(self->object, job->queue, &args, job->n, job->n, 0, NULL, event);
}

static int take_plain(bench_job *job, const bench_entrant *self)
{
    const uint32_t *const rows = job->by, *const in = (const void *)job->in.keys;
    uint32_t *const out = (void *)job->out.keys;
    (void)self;
    for (size_t i = 0; i < job->n; i++)
        out[i] = in[rows[i]];
    return 1;
}

static void run_one(bench_job *job, const char *title, uint32_t columns)
{
    dmm_take_desc desc = {.num_columns = columns, .max_n = job->n};
    dmm_take *take = NULL;
    const size_t bytes = job->n * sizeof(uint32_t);
    bench_require(dmm_take_create(&take, job->ctx, &desc), "create");
    job->out_bytes = columns * bytes;
    bench_job_fill(job);
    bench_job_upload(job, 0);
    uint32_t *const rows = bench_allocate(bytes), *const expected = bench_allocate(bytes);
    for (size_t i = 0; i < job->n; i++) {
        rows[i] = (uint32_t)dmm_shuffle_index(SEED, job->n, i);
        expected[i] = ((const uint32_t *)(const void *)job->in.keys)[rows[i]];
    }
    bench_job_upload_by(job, rows, bytes);
    job->expected = expected;
    job->expected_bytes = bytes;
    const bench_entrant entrants[] = {{.who = "dmm",
                                          .method = "take",
                                          .with = bench_heard(job),
                                          .item_bytes = 12.0 * columns,
                                          .object = take,
                                          .which = (int)columns,
                                          .enqueue = enqueue,
                                          .fault = bench_device_fault},
        {.who = "plain", .method = "loop", .call = take_plain, .fault = bench_host_fault}};
    bench_contest(job, title, entrants, job->options.peers && columns == 1 ? 2 : 1);
    dmm_take_free(take);
    bench_job_clear(job);
}

static void run(bench_job *job)
{
    if (job->options.type != DMM_U32 || job->options.value_bytes != 0)
        bench_require(DMM_UNSUPPORTED, "items of u32 alone");
    run_one(job, "arrays=1", 1);
    run_one(job, "arrays=2", 2);
    run_one(job, "arrays=8", 8);
}

int main(int argc, char **argv)
{
    static const bench_word word = {"take", "random", "2^22", run};
    return bench_main(&word, argc, argv);
}
