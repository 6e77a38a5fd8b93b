/* SPDX-License-Identifier: MIT */
/*
 * bench_reduce_segmented [options]: sums of the rows of a matrix, and of segments by offsets, of
 * random lengths.
 */
#include <stdio.h>
#include <string.h>

#include <dmm/reduce_segmented.h>

#include "matrix_rows.h"

static uint64_t create(void **out, bench_job *job, size_t rows)
{
    const dmm_reduce_segmented_desc desc = {.type = DMM_F32};
    uint64_t temp_bytes = 0;
    dmm_reduce_segmented *object = NULL;
    bench_require(dmm_reduce_segmented_create(&object, job->ctx, &desc), "create");
    bench_require(dmm_reduce_segmented_temp_bytes(&temp_bytes, object, job->n, rows), "temp");
    *out = object;
    return temp_bytes;
}

static void release(void *object)
{
    dmm_reduce_segmented_free(object);
}

static dmm_status enqueue(bench_job *job, const bench_entrant *self, cl_event *event)
{
    const dmm_reduce_segmented_args args = {
        .in = {job->keys_in, 0}, .out = {job->keys_out, 0}, .temp = {job->temp, 0}};
    return dmm_reduce_segmented_enqueue(
        self->object, job->queue, &args, job->n, job->n / (size_t)self->which, 0, NULL, event);
}

static int loop(bench_job *job, const bench_entrant *self)
{
    const float *const in = (const void *)job->in.keys;
    float *const out = (void *)job->out.keys;
    for (size_t r = 0; r < job->n / (size_t)self->which; r++) {
        out[r] = 0;
        for (size_t i = 0; i < (size_t)self->which; i++)
            out[r] += in[r * (size_t)self->which + i];
    }
    return 1;
}

/* Fills the job; returns the offsets of segments of 1 to `longest` items, to be freed. */
static uint32_t *fill_lists(bench_job *job, uint32_t longest, size_t *segments)
{
    uint32_t *const offsets = bench_allocate((job->n + 1) * sizeof *offsets);
    size_t count = 0;
    bench_job_fill(job);
    offsets[0] = 0;
    while (offsets[count] < job->n) {
        uint32_t bits;
        memcpy(&bits, job->in.keys + count * sizeof bits, sizeof bits);
        const size_t next = offsets[count] + 1 + bits % longest;
        offsets[++count] = (uint32_t)(next < job->n ? next : job->n);
    }
    *segments = count;
    bench_fill_floats(job);
    return offsets;
}

static dmm_status enqueue_lists(bench_job *job, const bench_entrant *self, cl_event *event)
{
    const dmm_reduce_segmented_args args = {.in = {job->keys_in, 0},
        .offsets = {job->by_in, 0},
        .out = {job->keys_out, 0},
        .temp = {job->temp, 0}};
    return dmm_reduce_segmented_enqueue(
        self->object, job->queue, &args, job->n, (size_t)self->which, 0, NULL, event);
}

static int loop_lists(bench_job *job, const bench_entrant *self)
{
    const float *const in = (const void *)job->in.keys;
    const uint32_t *const offsets = job->by;
    float *const out = (void *)job->out.keys;
    for (size_t s = 0; s < (size_t)self->which; s++) {
        float sum = 0;
        for (size_t i = offsets[s]; i < offsets[s + 1]; i++)
            sum += in[i];
        out[s] = sum;
    }
    return 1;
}

static void run_lists(bench_job *job, uint32_t longest)
{
    size_t segments;
    void *object = NULL;
    char title[32];
    snprintf(title, sizeof title, "lengths=1..%u", (unsigned)longest);
    uint32_t *const offsets = fill_lists(job, longest, &segments);
    bench_heard(job);
    const dmm_reduce_segmented_desc desc = {.type = DMM_F32};
    uint64_t temp_bytes = 0;
    dmm_reduce_segmented *reduce = NULL;
    bench_require(dmm_reduce_segmented_create(&reduce, job->ctx, &desc), "create");
    bench_require(dmm_reduce_segmented_temp_bytes(&temp_bytes, reduce, job->n, segments), "temp");
    object = reduce;
    const bench_entrant entrants[] = {
        {.who = "dmm",
            .method = "offsets",
            .with = bench_heard(job),
            .item_bytes = sizeof(float) + 8.0 * (double)segments / (double)job->n,
            .object = object,
            .which = (int)segments,
            .enqueue = enqueue_lists,
            .fault = bench_device_fault},
        {.who = "plain",
            .method = "loop",
            .which = (int)segments,
            .call = loop_lists,
            .fault = bench_host_fault},
    };
    bench_job_upload(job, temp_bytes);
    bench_job_upload_by(job, offsets, (segments + 1) * sizeof *offsets);
    job->expected_bytes = segments * sizeof(float);
    job->expected = bench_allocate(job->expected_bytes);
    loop_lists(job, &entrants[1]);
    memcpy(job->expected, job->out.keys, job->expected_bytes);
    bench_contest(job, title, entrants, job->options.peers ? 2 : 1);
    release(object);
    bench_job_clear(job);
}

static void run(bench_job *job)
{
    static const bench_matrix_rows primitive = {.create = create,
        .free = release,
        .enqueue = enqueue,
        .loop = loop,
        .results = 1,
        .lists = 1};
    bench_run_matrix_rows(job, &primitive);
    run_lists(job, 8);
    run_lists(job, 1000);
    run_lists(job, 1 << 14);
}

int main(int argc, char **argv)
{
    static const bench_word word = {"reduce_segmented", "random", "2^22", run};
    return bench_main(&word, argc, argv);
}
