/* SPDX-License-Identifier: MIT */
/* Contests over the rows of a matrix: see matrix_rows.h. */
#include "matrix_rows.h"

#include <stdio.h>
#include <string.h>

void bench_fill_floats(bench_job *job)
{
    bench_job_fill(job);
    for (size_t i = 0; i < job->n; i++) {
        uint32_t bits;
        memcpy(&bits, job->in.keys + i * sizeof bits, sizeof bits);
        const float small = (float)(bits % 1000);
        memcpy(job->in.keys + i * sizeof small, &small, sizeof small);
    }
}

static void run_one(bench_job *job, const bench_matrix_rows *primitive, size_t columns)
{
    const size_t n = job->n, rows = n / columns;
    const size_t results = primitive->results != 0 ? primitive->results : columns;
    char title[32];
    void *object = NULL;
    snprintf(title, sizeof title, "columns=%zu", columns);
    job->n = rows * columns;
    bench_heard(job);
    const uint64_t temp_bytes = primitive->create(&object, job, rows);
    const bench_entrant entrants[] = {
        {.who = "dmm",
            .method = "rows",
            .with = bench_heard(job),
            .item_bytes = sizeof(float) * (1 + (double)results / (double)columns),
            .object = object,
            .which = (int)columns,
            .enqueue = primitive->enqueue,
            .fault = bench_device_fault},
        {.who = "plain",
            .method = "loop",
            .which = (int)columns,
            .call = primitive->loop,
            .fault = bench_host_fault},
    };
    job->out_bytes = primitive->lists * job->n * sizeof(float);
    bench_fill_floats(job);
    bench_job_upload(job, temp_bytes);
    job->expected_bytes = rows * results * sizeof(float);
    job->expected = bench_allocate(job->expected_bytes);
    primitive->loop(job, &entrants[1]);
    memcpy(job->expected, job->out.keys, job->expected_bytes);
    bench_contest(job, title, entrants, job->options.peers ? 2 : 1);
    primitive->free(object);
    bench_job_clear(job);
    job->n = n;
}

void bench_run_matrix_rows(bench_job *job, const bench_matrix_rows *primitive)
{
    if (job->options.type != DMM_U32 || job->options.value_bytes != 0)
        bench_require(DMM_UNSUPPORTED, "items of 4 bytes alone");
    run_one(job, primitive, 128);
    if (job->n >= 4096)
        run_one(job, primitive, 4096);
}
