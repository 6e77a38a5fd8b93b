/* SPDX-License-Identifier: MIT */
/*
 * bench_scan_segmented [options]: running sums of the rows of a matrix.
 */
#include <dmm/scan_segmented.h>

#include "matrix_rows.h"

static uint64_t create(void **out, bench_job *job, size_t rows)
{
    const dmm_scan_segmented_desc desc = {.type = DMM_F32};
    uint64_t temp_bytes = 0;
    dmm_scan_segmented *object = NULL;
    bench_require(dmm_scan_segmented_create(&object, job->ctx, &desc), "create");
    bench_require(dmm_scan_segmented_temp_bytes(&temp_bytes, object, job->n, rows), "temp");
    *out = object;
    return temp_bytes;
}

static void release(void *object)
{
    dmm_scan_segmented_free(object);
}

static dmm_status enqueue(bench_job *job, const bench_entrant *self, cl_event *event)
{
    const dmm_scan_segmented_args args = {
        .in = {job->keys_in, 0}, .out = {job->keys_out, 0}, .temp = {job->temp, 0}};
    return dmm_scan_segmented_enqueue(
        self->object, job->queue, &args, job->n, job->n / (size_t)self->which, 0, NULL, event);
}

static int loop(bench_job *job, const bench_entrant *self)
{
    const float *const in = (const void *)job->in.keys;
    float *const out = (void *)job->out.keys;
    for (size_t i = 0; i < job->n; i++)
        out[i] = in[i] + (i % (size_t)self->which != 0 ? out[i - 1] : 0);
    return 1;
}

static void run(bench_job *job)
{
    static const bench_matrix_rows primitive = {
        .create = create, .free = release, .enqueue = enqueue, .loop = loop, .lists = 1};
    bench_run_matrix_rows(job, &primitive);
}

int main(int argc, char **argv)
{
    static const bench_word word = {"scan_segmented", "random", "2^22", run};
    return bench_main(&word, argc, argv);
}
