/* SPDX-License-Identifier: MIT */
/* Sorts as entrants, by any method. */
#include "sort_entrants.h"

#include "model.h"

dmm_status bench_sort_enqueue(bench_job *job, dmm_sort *sort, cl_event *event)
{
    const dmm_sort_args args = {.keys_in = {job->keys_in, 0},
        .values_in = {job->values_in, 0},
        .keys_out = {job->keys_out, 0},
        .values_out = {job->values_out, 0},
        .temp = {job->temp, 0}};
    return dmm_sort_enqueue(sort, job->queue, &args, job->n, 0, NULL, event);
}

static dmm_status enqueue(bench_job *job, const bench_entrant *self, cl_event *event)
{
    return bench_sort_enqueue(job, self->object, event);
}

const bench_sort_method bench_sort_merge = {"merge", dmm_sort_create, DMM_SORT_MERGE,
                            bench_merge_sort_bytes},
                        bench_sort_radix = {"radix", dmm_sort_create, DMM_SORT_RADIX,
                            bench_radix_sort_bytes},
                        bench_sort_network = {
                            "network", dmm_sort_create, DMM_SORT_NETWORK, bench_network_sort_bytes};

uint64_t bench_sort_create(
    bench_entrant *e, size_t at, bench_job *job, const bench_sort_method *by, dmm_form form)
{
    uint64_t temp_bytes = 0;
    dmm_sort *sort = NULL;
    dmm_sort_desc desc = {0};
    desc.order.type = job->options.type;
    desc.value_bytes = job->options.value_bytes;
    desc.method = by->method;
    desc.tuning.form = form;
    bench_heard(job);
    bench_require(by->create(&sort, job->ctx, &desc), "create");
    bench_require(dmm_sort_temp_bytes(&temp_bytes, sort, job->n), "temp");
    const bench_parameters with = bench_heard(job);
    *e = (bench_entrant){.who = "dmm",
        .method = by->name,
        .beside = at,
        .with = with,
        .item_bytes = by->item_bytes(job, &with),
        .object = sort,
        .enqueue = enqueue,
        .fault = bench_device_order_fault};
    return temp_bytes;
}
