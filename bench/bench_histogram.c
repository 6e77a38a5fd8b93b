/* SPDX-License-Identifier: MIT */
/*
 * bench_histogram [options]: dmm_histogram of u32 labels in 256 and 4096 bins, beside a loop in C.
 * Each label is read once.
 */
#include <string.h>

#include <dmm/histogram.h>

#include "contest.h"

enum { MAX_BINS = 4096 };

typedef struct binning {
    dmm_histogram *histogram;
    uint32_t bins;
} binning;

static dmm_status enqueue(bench_job *job, const bench_entrant *self, cl_event *event)
{
    const binning *const b = self->object;
    const dmm_histogram_args args = {
        .labels = {job->keys_in, 0}, .counts_out = {job->keys_out, 0}, .temp = {job->temp, 0}};
    return dmm_histogram_enqueue(b->histogram, job->queue, &args, job->n, 0, NULL, event);
}

static int count_plain(bench_job *job, const bench_entrant *self)
{
    const binning *const b = self->object;
    const uint32_t *const labels = (const void *)job->in.keys;
    uint64_t *const counts = (void *)job->out.keys;
    memset(counts, 0, b->bins * sizeof *counts);
    for (size_t i = 0; i < job->n; i++)
        counts[labels[i]]++;
    return 1;
}

/* Makes labels from the keys' high bits, so that they are distributed as the keys are. */
static void make_labels(bench_job *job, uint32_t bins)
{
    uint32_t *const labels = (void *)job->in.keys;
    for (size_t i = 0; i < job->n; i++)
        labels[i] = (uint32_t)((uint64_t)labels[i] * bins >> 32);
}

static void run_one(bench_job *job, const char *title, uint32_t bins)
{
    const dmm_histogram_desc desc = {.type = DMM_U32, .bins = bins};
    binning b = {.bins = bins};
    uint64_t temp_bytes = 0;
    bench_require(dmm_histogram_create(&b.histogram, job->ctx, &desc), "create");
    bench_require(dmm_histogram_temp_bytes(&temp_bytes, b.histogram, job->n), "temp");
    const bench_entrant entrants[] = {
        {.who = "dmm",
            .method = "histogram",
            .with = bench_heard(job),
            .item_bytes = sizeof(uint32_t),
            .object = &b,
            .enqueue = enqueue,
            .fault = bench_device_fault},
        {.who = "c",
            .method = "loop",
            .object = &b,
            .call = count_plain,
            .fault = bench_host_fault},
    };
    job->out_bytes = MAX_BINS * sizeof(uint64_t);
    bench_job_fill(job);
    make_labels(job, bins);
    bench_job_upload(job, temp_bytes);
    job->expected_bytes = bins * sizeof(uint64_t);
    job->expected = bench_allocate(job->expected_bytes);
    count_plain(job, &entrants[1]);
    memcpy(job->expected, job->out.keys, job->expected_bytes);
    bench_contest(job, title, entrants, job->options.peers ? 2 : 1);
    dmm_histogram_free(b.histogram);
    bench_job_clear(job);
}

static void run(bench_job *job)
{
    if (job->options.type != DMM_U32 || job->options.value_bytes != 0)
        bench_require(DMM_UNSUPPORTED, "labels of u32 alone");
    run_one(job, "bins=256", 256);
    run_one(job, "bins=4096", MAX_BINS);
}

int main(int argc, char **argv)
{
    static const bench_word word = {"histogram", "random", "2^24", run};
    return bench_main(&word, argc, argv);
}
