/* SPDX-License-Identifier: MIT */
/*
 * bench_merge [options]: dmm_merge of two halves, each sorted. The input names what the halves were
 * before they were sorted: of sorted keys the whole first half comes before the second, of reversed
 * ones behind it.
 */
#include <dmm/merge.h>
#include <dmm/sort.h>

#include "job.h"

static uint64_t half(const bench_job *job)
{
    return job->options.n / 2;
}

static dmm_status call(const bench_job *job, void *object)
{
    const uint64_t na = half(job), nb = job->options.n - na;
    const uint64_t key_bytes = dmm_type_bytes(job->options.type);
    const dmm_merge_args args = {.a_keys = {job->keys_in, 0},
        .a_values = {job->values_in, 0},
        .b_keys = {job->keys_in, na * key_bytes},
        .b_values = {job->values_in, na * job->options.value_bytes},
        .keys_out = {job->keys_out, 0},
        .values_out = {job->values_out, 0},
        .temp = {job->temp, 0}};
    return dmm_merge_enqueue(object, dmm_context_queue(job->ctx), &args, na, nb, 0, NULL, NULL);
}

static void sort_part(bench_job *job, uint64_t first, uint64_t n)
{
    dmm_sort_desc desc = DMM_SORT_DESC_INIT;
    const bench_options *o = &job->options;
    desc.order.type = o->type;
    desc.value_bytes = o->value_bytes;
    void *values = o->value_bytes != 0 ? job->in.values + first * o->value_bytes : NULL;
    bench_require(dmm_sort_host(job->ctx, &desc, job->in.keys + first * dmm_type_bytes(o->type),
                      values, (size_t)n),
        "sort");
}

int main(int argc, char **argv)
{
    bench_job job;
    dmm_merge_desc desc = DMM_MERGE_DESC_INIT;
    dmm_merge *merge = NULL;
    uint64_t temp_bytes = 0;
    bench_job_open(&job, argc, argv);
    desc.order.type = job.options.type;
    desc.value_bytes = job.options.value_bytes;
    bench_require(dmm_merge_create(&merge, job.ctx, &desc), "create");
    bench_job_created(&job);
    bench_require(dmm_merge_temp_bytes(&temp_bytes, merge, job.options.n), "temp");
    bench_job_fill(&job);
    sort_part(&job, 0, half(&job));
    sort_part(&job, half(&job), job.options.n - half(&job));
    bench_job_upload(&job, temp_bytes);
    bench_print_origin(argc, argv, job.ctx);
    bench_job_run(&job, "merge", call, merge, 1);
    dmm_merge_free(merge);
    bench_job_close(&job);
    return 0;
}
