/* SPDX-License-Identifier: MIT */
/*
 * bench_topk_segmented [options]: the 8 largest of each row of a matrix of f32, and their columns,
 * of 128 and of 4096 columns, beside a loop on one core.
 * Items are small whole numbers, so sums are exact.
 */
#include <math.h>
#include <string.h>

#include <dmm/topk_segmented.h>

#include "contest.h"

enum { K = 8 };

static dmm_status enqueue(bench_job *job, const bench_entrant *self, cl_event *event)
{
    const dmm_topk_segmented_args args = {.keys_in = {job->keys_in, 0},
        .keys_out = {job->keys_out, 0},
        .values_out = {job->keys_out, job->n * sizeof(float)},
        .temp = {job->temp, 0}};
    return dmm_topk_segmented_enqueue(
        self->object, job->queue, &args, job->n, job->n / (size_t)self->which, 0, NULL, event);
}

static int loop(bench_job *job, const bench_entrant *self)
{
    const float *const in = (const void *)job->in.keys;
    float *const out = (void *)job->out.keys;
    for (size_t r = 0; r < job->n / (size_t)self->which; r++) {
        float *const best = out + r * K;
        const float *const row = in + r * (size_t)self->which;
        for (size_t k = 0; k < K; k++)
            best[k] = -INFINITY;
        for (size_t i = 0; i < (size_t)self->which; i++)
            if (row[i] > best[K - 1]) {
                size_t at = K - 1;
                for (; at > 0 && row[i] > best[at - 1]; at--)
                    best[at] = best[at - 1];
                best[at] = row[i];
            }
    }
    return 1;
}

static void run_one(bench_job *job, const char *title, size_t columns)
{
    const size_t n = job->n;
    dmm_topk_segmented_desc desc = {
        .order = {.type = DMM_F32, .descending = 1}, .k = 8, .value_bytes = 4, .argsort = 1};
    dmm_topk_segmented *object = NULL;
    uint64_t temp_bytes = 0;
    job->n -= job->n % columns;
    bench_heard(job);
    bench_require(dmm_topk_segmented_create(&object, job->ctx, &desc), "create");
    bench_require(
        dmm_topk_segmented_temp_bytes(&temp_bytes, object, job->n, job->n / columns), "temp");
    const bench_entrant entrants[] = {
        {.who = "dmm",
            .method = "rows",
            .with = bench_heard(job),
            .object = object,
            .which = (int)columns,
            .enqueue = enqueue,
            .fault = bench_device_fault},
        {.who = "plain",
            .method = "loop",
            .which = (int)columns,
            .call = loop,
            .fault = bench_host_fault},
    };
    job->out_bytes = 2 * job->n * sizeof(float);
    bench_job_fill(job);
    for (size_t i = 0; i < job->n; i++) {
        uint32_t bits;
        memcpy(&bits, job->in.keys + i * sizeof bits, sizeof bits);
        const float small = (float)(bits % 1000);
        memcpy(job->in.keys + i * sizeof small, &small, sizeof small);
    }
    bench_job_upload(job, temp_bytes);
    job->expected_bytes = K * (job->n / columns) * sizeof(float);
    job->expected = bench_allocate(job->expected_bytes);
    loop(job, &entrants[1]);
    memcpy(job->expected, job->out.keys, job->expected_bytes);
    bench_contest(job, title, entrants, job->options.peers ? 2 : 1);
    dmm_topk_segmented_free(object);
    bench_job_clear(job);
    job->n = n;
}

static void run(bench_job *job)
{
    if (job->options.type != DMM_U32 || job->options.value_bytes != 0)
        bench_require(DMM_UNSUPPORTED, "items of 4 bytes alone");
    run_one(job, "columns=128", 128);
    if (job->n >= 4096)
        run_one(job, "columns=4096", 4096);
}

int main(int argc, char **argv)
{
    static const bench_word word = {"topk_segmented", "random", "2^22", run};
    return bench_main(&word, argc, argv);
}
