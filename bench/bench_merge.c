/* SPDX-License-Identifier: MIT */
/*
 * bench_merge [options]: dmm_merge of two halves, each sorted. The input names what the halves were
 * before they were sorted: of sorted keys the whole first half comes before the second, of reversed
 * ones behind it. Peers merge keys of u32 or u64.
 */
#include <dmm/merge.h>
#include <dmm/sort.h>

#include "model.h"
#include "peer_entrants.h"

enum { OTHERS = 4 }; /* dmm and the entrants before CUDA's */

static dmm_status enqueue(bench_job *job, const bench_entrant *self, cl_event *event)
{
    const uint64_t na = job->n / 2, nb = job->n - na;
    const uint64_t key_bytes = dmm_type_bytes(job->options.type);
    const dmm_merge_args args = {.a_keys = {job->keys_in, 0},
        .a_values = {job->values_in, 0},
        .b_keys = {job->keys_in, na * key_bytes},
        .b_values = {job->values_in, na * job->options.value_bytes},
        .keys_out = {job->keys_out, 0},
        .values_out = {job->values_out, 0},
        .temp = {job->temp, 0}};
    return dmm_merge_enqueue(self->object, job->queue, &args, na, nb, 0, NULL, event);
}

static int merge_std(bench_job *job, const bench_entrant *self)
{
    return peer_std_merge(
        bench_kind(job), job->in.keys, job->n / 2, job->n, job->out.keys, self->which);
}

static int merge_boost(bench_job *job, const bench_entrant *self)
{
    (void)self;
    return peer_boost_merge(
        job->queue, bench_kind(job), job->keys_in, job->n / 2, job->n, job->keys_out);
}

static void sort_part(bench_job *job, uint64_t first, uint64_t n)
{
    dmm_sort_desc desc = {0};
    const bench_options *o = &job->options;
    desc.order.type = o->type;
    desc.value_bytes = o->value_bytes;
    void *values = o->value_bytes != 0 ? job->in.values + first * o->value_bytes : NULL;
    bench_require(dmm_sort_host(job->ctx, &desc, job->in.keys + first * dmm_type_bytes(o->type),
                      values, (size_t)n),
        "sort");
}

static const bench_cuda_peer cuda_peer = {
    "cub", "merge", PEER_CUB_MERGE, 0, 0, bench_cuda_order_fault};

static void run(bench_job *job)
{
    const bench_options *o = &job->options;
    const int known = (o->type == DMM_U32 || o->type == DMM_U64) && o->value_bytes == 0;
    dmm_merge_desc desc = {0};
    dmm_merge *merge = NULL;
    uint64_t temp_bytes = 0;
    desc.order.type = o->type;
    desc.value_bytes = o->value_bytes;
    bench_require(dmm_merge_create(&merge, job->ctx, &desc), "create");
    bench_entrant entrants[8] = {
        {.who = "dmm",
            .method = "merge",
            .with = bench_heard(job),
            .item_bytes = bench_pass_bytes(job, 1),
            .object = merge,
            .enqueue = enqueue,
            .fault = bench_device_order_fault},
        {.who = "std", .method = "merge", .call = merge_std, .fault = bench_host_order_fault},
        {.who = "std",
            .method = "merge_par",
            .which = 1,
            .call = merge_std,
            .fault = bench_host_order_fault},
        {.who = "boost", .method = "merge", .call = merge_boost, .fault = bench_device_order_fault},
    };
    bench_require(dmm_merge_temp_bytes(&temp_bytes, merge, job->n), "temp");
    bench_job_fill(job);
    sort_part(job, 0, job->n / 2);
    sort_part(job, job->n / 2, job->n - job->n / 2);
    bench_job_upload(job, temp_bytes);
    bench_heard(job);
    size_t count = 1;
    if (known && o->peers)
        count = OTHERS + bench_add_cuda(entrants + OTHERS, job, &cuda_peer, 1);
    bench_contest(job, "", entrants, count);
    dmm_merge_free(merge);
}

int main(int argc, char **argv)
{
    static const bench_word word = {"merge", "random", "2^24", run};
    return bench_main(&word, argc, argv);
}
