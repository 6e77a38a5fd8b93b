/* SPDX-License-Identifier: MIT */
/*
 * bench_scan_by_key [options]: dmm_scan_by_key, sums of u32 in segments of four items on average,
 * beside a plain loop. Keys and items are read once, with a part of each group's range once more,
 * and items are written once.
 */
#include <dmm/scan_by_key.h>

#include "contest.h"
#include "segments.h"

static dmm_status enqueue(bench_job *job, const bench_entrant *self, cl_event *event)
{
    const dmm_scan_by_key_args args = {.keys_in = {job->by_in, 0},
        .in = {job->keys_in, 0},
        .out = {job->keys_out, 0},
        .temp = {job->temp, 0}};
    return dmm_scan_by_key_enqueue(self->object, job->queue, &args, job->n, 0, NULL, event);
}

static void scan_plainly(const bench_job *job, uint32_t *out)
{
    const uint32_t *const keys = job->by;
    const uint32_t *const items = (const uint32_t *)(const void *)job->in.keys;
    uint32_t running = 0;
    for (size_t i = 0; i < job->n; i++) {
        running = items[i] + (i > 0 && keys[i] == keys[i - 1] ? running : 0);
        out[i] = running;
    }
}

static int scan_by_loop(bench_job *job, const bench_entrant *self)
{
    (void)self;
    scan_plainly(job, (uint32_t *)(void *)job->out.keys);
    return 1;
}

static void run(bench_job *job)
{
    const dmm_scan_by_key_desc desc = {.type = DMM_U32, .key_bytes = 4, .max_n = job->n};
    dmm_scan_by_key *scan = NULL;
    uint64_t temp_bytes = 0;
    if (job->options.type != DMM_U32 || job->options.value_bytes != 0)
        bench_require(DMM_UNSUPPORTED, "items of u32 alone");
    bench_require(dmm_scan_by_key_create(&scan, job->ctx, &desc), "create");
    bench_require(dmm_scan_by_key_temp_bytes(&temp_bytes, scan, job->n), "temp");
    const bench_entrant entrants[] = {
        {.who = "dmm",
            .method = "scan_by_key",
            .with = bench_heard(job),
            .item_bytes = 3 * 4,
            .object = scan,
            .enqueue = enqueue,
            .fault = bench_device_fault},
        {.who = "plain", .method = "loop", .call = scan_by_loop, .fault = bench_host_fault},
    };
    bench_job_fill(job);
    bench_job_upload(job, temp_bytes);
    bench_job_upload_by(job, bench_segments(job->n), job->n * sizeof(uint32_t));
    job->expected_bytes = job->n * sizeof(uint32_t);
    job->expected = bench_allocate(job->expected_bytes);
    scan_plainly(job, job->expected);
    bench_contest(job, "sum", entrants, job->options.peers ? 2 : 1);
    dmm_scan_by_key_free(scan);
}

int main(int argc, char **argv)
{
    static const bench_word word = {"scan_by_key", "random", "2^24", run};
    return bench_main(&word, argc, argv);
}
