/* SPDX-License-Identifier: MIT */
/*
 * bench_sort [options]: dmm_sort, out of place.
 */
#include <dmm/sort.h>

#include "job.h"

static dmm_status call(const bench_job *job, void *object)
{
    const dmm_sort_args args = {.keys_in = {job->keys_in, 0},
        .values_in = {job->values_in, 0},
        .keys_out = {job->keys_out, 0},
        .values_out = {job->values_out, 0},
        .temp = {job->temp, 0}};
    return dmm_sort_enqueue(
        object, dmm_context_queue(job->ctx), &args, job->options.n, 0, NULL, NULL);
}

/* Tiles, then pairs of runs until there is one. */
static unsigned count_passes(const bench_job *job)
{
    unsigned passes = 1;
    for (uint64_t run = job->chosen.tile; run < job->options.n; run *= 2)
        passes++;
    return passes;
}

int main(int argc, char **argv)
{
    bench_job job;
    dmm_sort_desc desc = DMM_SORT_DESC_INIT;
    dmm_sort *sort = NULL;
    uint64_t temp_bytes = 0;
    bench_job_open(&job, argc, argv);
    desc.order.type = job.options.type;
    desc.value_bytes = job.options.value_bytes;
    bench_require(dmm_sort_create(&sort, job.ctx, &desc), "create");
    bench_job_created(&job);
    bench_require(dmm_sort_temp_bytes(&temp_bytes, sort, job.options.n), "temp");
    bench_job_fill(&job);
    bench_job_upload(&job, temp_bytes);
    bench_print_origin(argc, argv, job.ctx);
    bench_job_run(&job, "sort", call, sort, count_passes(&job));
    dmm_sort_free(sort);
    bench_job_close(&job);
    return 0;
}
