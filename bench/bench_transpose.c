/* SPDX-License-Identifier: MIT */
/*
 * bench_transpose [options]: a matrix of u32, as square as a power of two rows makes it, of as many
 * of the --n items as it holds: out of place, in place, and in place as a matrix of twice the
 * columns. The model is one pass, two for the latter. Beside it, C by all processors.
 */
#include <dmm/transpose.h>

#include "contest.h"
#include "model.h"
#include "peers/peers.h"

enum { OWN = 3 }; /* entrants before others */

typedef struct matrix {
    dmm_transpose *transpose;
    dmm_matrices shape;
} matrix;

static dmm_status enqueue(bench_job *job, const bench_entrant *self, cl_event *event)
{
    const matrix *const m = self->object;
    const int in_place = self->restore != NULL;
    const dmm_transpose_args args = {.in = {in_place ? job->keys_out : job->keys_in, 0},
        .out = {job->keys_out, 0},
        .temp = {job->temp, 0}};
    return dmm_transpose_enqueue(m->transpose, job->queue, &args, m->shape, 0, NULL, event);
}

static int transpose_plain(bench_job *job, const bench_entrant *self)
{
    const matrix *const m = self->object;
    return peer_plain_transpose(
        (const void *)job->in.keys, (void *)job->out.keys, m->shape.rows, m->shape.cols);
}

static const char *host_fault(bench_job *job, const bench_entrant *self)
{
    const matrix *const m = self->object;
    const uint32_t *const in = (const void *)job->in.keys, *const out = (const void *)job->out.keys;
    const uint64_t rows = m->shape.rows, cols = m->shape.cols;
    for (uint64_t r = 0; r < rows; r++)
        for (uint64_t c = 0; c < cols; c++)
            if (out[c * rows + r] != in[r * cols + c])
                return "an item is not where it belongs";
    return NULL;
}

static const char *fault(bench_job *job, const bench_entrant *self)
{
    bench_job_fetch(job);
    return host_fault(job, self);
}

static void run(bench_job *job)
{
    const dmm_transpose_desc desc = {.item_bytes = 4};
    matrix square, oblong;
    uint64_t rows = 1, bytes = 0, most = 0;
    if (job->options.type != DMM_U32 || job->options.value_bytes != 0)
        bench_require(DMM_UNSUPPORTED, "items of u32 alone");
    while (4 * rows * rows <= job->n)
        rows *= 2;
    const uint64_t cols = job->n / rows / 2 * 2;
    job->n = (size_t)(rows * cols);
    bench_require(dmm_transpose_create(&square.transpose, job->ctx, &desc), "create");
    square.shape = (dmm_matrices){rows, cols, 1};
    oblong = (matrix){square.transpose, {cols / 2, 2 * rows, 1}};
    bench_require(dmm_transpose_temp_bytes(&bytes, square.transpose, square.shape), "temp");
    bench_require(dmm_transpose_temp_bytes(&most, oblong.transpose, oblong.shape), "temp");
    const bench_parameters with = bench_heard(job);
    const bench_entrant entrants[] = {
        {.who = "dmm",
            .method = "transpose",
            .with = with,
            .item_bytes = bench_pass_bytes(job, 1),
            .object = &square,
            .enqueue = enqueue,
            .fault = fault},
        {.who = "dmm",
            .method = "in_place",
            .with = with,
            .item_bytes = bench_pass_bytes(job, 1),
            .object = &square,
            .restore = bench_restore_device,
            .enqueue = enqueue,
            .fault = fault},
        {.who = "dmm",
            .method = "in_place_oblong",
            .with = with,
            .item_bytes = bench_pass_bytes(job, 2),
            .object = &oblong,
            .restore = bench_restore_device,
            .enqueue = enqueue,
            .fault = fault},
        {.who = "c",
            .method = "transpose_threads",
            .object = &square,
            .call = transpose_plain,
            .fault = host_fault},
    };
    bench_job_fill(job);
    bench_job_upload(job, bytes > most ? bytes : most);
    bench_contest(job, "", entrants, job->options.peers ? OWN + 1 : OWN);
    dmm_transpose_free(square.transpose);
}

int main(int argc, char **argv)
{
    static const bench_word word = {"transpose", "random", "2^24", run};
    return bench_main(&word, argc, argv);
}
