/* SPDX-License-Identifier: MIT */
/*
 * bench_reduce_segmented [options]: sums of the rows of a matrix.
 */
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

static void run(bench_job *job)
{
    static const bench_matrix_rows primitive = {.create = create,
        .free = release,
        .enqueue = enqueue,
        .loop = loop,
        .results = 1,
        .lists = 1};
    bench_run_matrix_rows(job, &primitive);
}

int main(int argc, char **argv)
{
    static const bench_word word = {"reduce_segmented", "random", "2^22", run};
    return bench_main(&word, argc, argv);
}
