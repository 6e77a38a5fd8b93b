/* SPDX-License-Identifier: MIT */
/*
 * bench_topk_segmented [options]: the 8 largest of each row of a matrix, and their columns.
 */
#include <math.h>

#include <dmm/topk_segmented.h>

#include "matrix_rows.h"

enum { K = 8 };

static uint64_t create(void **out, bench_job *job, size_t rows)
{
    const dmm_topk_segmented_desc desc = {
        .order = {.type = DMM_F32, .descending = 1}, .k = K, .value_bytes = 4, .argsort = 1};
    uint64_t temp_bytes = 0;
    dmm_topk_segmented *object = NULL;
    bench_require(dmm_topk_segmented_create(&object, job->ctx, &desc), "create");
    bench_require(dmm_topk_segmented_temp_bytes(&temp_bytes, object, job->n, rows), "temp");
    *out = object;
    return temp_bytes;
}

static void release(void *object)
{
    dmm_topk_segmented_free(object);
}

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

static void run(bench_job *job)
{
    static const bench_matrix_rows primitive = {.create = create,
        .free = release,
        .enqueue = enqueue,
        .loop = loop,
        .results = K,
        .lists = 2};
    bench_run_matrix_rows(job, &primitive);
}

int main(int argc, char **argv)
{
    static const bench_word word = {"topk_segmented", "random", "2^22", run};
    return bench_main(&word, argc, argv);
}
