/* SPDX-License-Identifier: MIT */
/*
 * bench_axis [options]: sums, running sums and sorts of the columns of a matrix of f32.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dmm/axis.h>

#include "matrix_rows.h"

static const char *const methods[] = {"sum", "cumsum", "sort"};

static dmm_status enqueue(bench_job *job, const bench_entrant *self, cl_event *event)
{
    const dmm_axis_args args = {
        .in = {job->keys_in, 0}, .out = {job->keys_out, 0}, .temp = {job->temp, 0}};
    const size_t columns = (size_t)self->which;
    return dmm_axis_enqueue(
        self->object, job->queue, &args, job->n / columns, columns, 0, NULL, event);
}

static int sum_loop(bench_job *job, const bench_entrant *self)
{
    const float *const in = (const void *)job->in.keys;
    float *const out = (void *)job->out.keys;
    const size_t columns = (size_t)self->which;
    memset(out, 0, columns * sizeof *out);
    for (size_t r = 0; r < job->n / columns; r++)
        for (size_t c = 0; c < columns; c++)
            out[c] += in[r * columns + c];
    return 1;
}

static int cumsum_loop(bench_job *job, const bench_entrant *self)
{
    const float *const in = (const void *)job->in.keys;
    float *const out = (void *)job->out.keys;
    const size_t columns = (size_t)self->which;
    for (size_t i = 0; i < job->n; i++)
        out[i] = in[i] + (i >= columns ? out[i - columns] : 0);
    return 1;
}

static int compare(const void *a, const void *b)
{
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

static int sort_loop(bench_job *job, const bench_entrant *self)
{
    const float *const in = (const void *)job->in.keys;
    float *const out = (void *)job->out.keys;
    const size_t columns = (size_t)self->which, rows = job->n / columns;
    float *const column = bench_allocate(rows * sizeof *column);
    for (size_t c = 0; c < columns; c++) {
        for (size_t r = 0; r < rows; r++)
            column[r] = in[r * columns + c];
        qsort(column, rows, sizeof *column, compare);
        for (size_t r = 0; r < rows; r++)
            out[r * columns + c] = column[r];
    }
    free(column);
    return 1;
}

static void run_one(bench_job *job, dmm_axis_work work, size_t columns)
{
    static int (*const loops[])(bench_job * job, const bench_entrant *self) = {
        sum_loop, cumsum_loop, sort_loop};
    const dmm_axis_desc desc = {.work = work, .order = {.type = DMM_F32}};
    const size_t n = job->n;
    uint64_t temp_bytes = 0;
    dmm_axis *axis = NULL;
    char title[32];
    snprintf(title, sizeof title, "columns=%zu", columns);
    job->n = n / columns * columns;
    bench_heard(job);
    bench_require(dmm_axis_create(&axis, job->ctx, &desc), "create");
    bench_require(dmm_axis_temp_bytes(&temp_bytes, axis, job->n / columns, columns), "temp");
    const bench_parameters with = bench_heard(job);
    const bench_entrant entrants[] = {
        {.who = "dmm",
            .method = methods[work],
            .with = with,
            .item_bytes = work == DMM_AXIS_REDUCE ? 4
                          : work == DMM_AXIS_SCAN ? 12
                                                  : 0,
            .object = axis,
            .which = (int)columns,
            .enqueue = enqueue,
            .fault = bench_device_fault},
        {.who = "plain",
            .method = work == DMM_AXIS_SORT ? "qsort" : "loop",
            .which = (int)columns,
            .call = loops[work],
            .fault = bench_host_fault},
    };
    bench_fill_floats(job);
    for (size_t i = 0; i < job->n; i++) /* sums of a column are exact */
        ((float *)(void *)job->in.keys)[i] = (float)((int)((float *)(void *)job->in.keys)[i] % 10);
    bench_job_upload(job, temp_bytes);
    job->expected_bytes = (work == DMM_AXIS_REDUCE ? columns : job->n) * sizeof(float);
    job->expected = bench_allocate(job->expected_bytes);
    loops[work](job, &entrants[1]);
    memcpy(job->expected, job->out.keys, job->expected_bytes);
    bench_contest(job, title, entrants, job->options.peers ? 2 : 1);
    dmm_axis_free(axis);
    bench_job_clear(job);
    job->n = n;
}

static void run(bench_job *job)
{
    if (job->options.type != DMM_U32 || job->options.value_bytes != 0)
        bench_require(DMM_UNSUPPORTED, "items of 4 bytes alone");
    for (int work = DMM_AXIS_REDUCE; work <= DMM_AXIS_SORT; work++)
        for (size_t columns = 16; columns <= 4096 && columns * columns <= job->n; columns *= 256)
            run_one(job, (dmm_axis_work)work, columns);
}

int main(int argc, char **argv)
{
    static const bench_word word = {"axis", "random", "2^22", run};
    return bench_main(&word, argc, argv);
}
