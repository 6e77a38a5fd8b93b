/* SPDX-License-Identifier: MIT */
/*
 * bench_topk [options]: dmm_topk for several k, sorted and in input order, beside a dmm_sort of all
 * and, of u32 or u64 keys, the standard library's partial sort, which is in place. The model is two
 * reads of the keys, which random ones need, or one where few of many are wanted on a CPU.
 */
#include <string.h>

#include <dmm/sort.h>
#include <dmm/topk.h>

#include "peer_entrants.h"
#include "sort_entrants.h"

typedef struct selection {
    dmm_topk *topk;
    dmm_sort *sort;
    uint64_t k;
} selection;

static dmm_status enqueue(bench_job *job, const bench_entrant *self, cl_event *event)
{
    const selection *const s = self->object;
    const dmm_topk_args args = {.keys_in = {job->keys_in, 0},
        .values_in = {job->values_in, 0},
        .keys_out = {job->keys_out, 0},
        .values_out = {job->values_out, 0},
        .temp = {job->temp, 0}};
    return dmm_topk_enqueue(s->topk, job->queue, &args, job->n, s->k, 0, NULL, event);
}

static dmm_status enqueue_sort(bench_job *job, const bench_entrant *self, cl_event *event)
{
    const selection *const s = self->object;
    return bench_sort_enqueue(job, s->sort, event);
}

static int select_std(bench_job *job, const bench_entrant *self)
{
    const selection *const s = self->object;
    return peer_std_partial_sort(bench_kind(job), job->out.keys, job->n, s->k, self->which);
}

/* Checks a result in input order, of which only the sum of the bytes is known. */
static const char *balance_fault(bench_job *job, const bench_entrant *self)
{
    const unsigned char *const expected = job->expected;
    uint64_t balance = 0;
    (void)self;
    bench_job_fetch(job);
    for (size_t i = 0; i < job->expected_bytes; i++)
        balance += (uint64_t)expected[i] - job->out.keys[i];
    return balance != 0 ? "not the first keys" : NULL;
}

static uint64_t create(selection *s, bench_job *job, int unsorted)
{
    const bench_options *o = &job->options;
    dmm_topk_desc topk = {0};
    dmm_sort_desc sort = {0};
    uint64_t bytes[2] = {0};
    topk.order.type = sort.order.type = o->type;
    topk.value_bytes = sort.value_bytes = o->value_bytes;
    topk.unsorted = unsorted;
    bench_require(dmm_sort_create(&s->sort, job->ctx, &sort), "sort");
    bench_heard(job);
    bench_require(dmm_topk_create(&s->topk, job->ctx, &topk), "topk");
    bench_require(dmm_sort_temp_bytes(&bytes[0], s->sort, job->n), "temp");
    bench_require(dmm_topk_temp_bytes(&bytes[1], s->topk, job->n, s->k), "temp");
    return bytes[0] > bytes[1] ? bytes[0] : bytes[1];
}

static void expect_first(bench_job *job, uint64_t k)
{
    const size_t bytes = bench_key_bytes(&job->in);
    dmm_sort_desc desc = {0};
    desc.order.type = job->options.type;
    job->expected = bench_allocate(bytes);
    job->expected_bytes = (size_t)k * dmm_type_bytes(job->options.type);
    memcpy(job->expected, job->in.keys, bytes);
    bench_require(dmm_sort_host(job->ctx, &desc, job->expected, NULL, job->n), "sort");
}

/* True if few of many keys are selected in the CPU form. */
static int reads_once(const bench_job *job, const bench_parameters *with, uint64_t k)
{
    return with->u == 1 && job->n > with->tile && k <= job->n / 1024;
}

static void run_one(bench_job *job, const char *title, uint64_t k, int unsorted)
{
    const bench_options *o = &job->options;
    const int known = bench_peers_know(job) && o->value_bytes == 0;
    selection s = {.k = k};
    const uint64_t temp_bytes = create(&s, job, unsorted);
    const bench_parameters with = bench_heard(job);
    const bench_entrant entrants[] = {
        {.who = "dmm",
            .method = unsorted ? "topk_unsorted" : "topk",
            .with = with,
            .item_bytes = (reads_once(job, &with, k) ? 1.0 : 2.0) * dmm_type_bytes(o->type),
            .object = &s,
            .enqueue = enqueue,
            .fault = unsorted ? balance_fault : bench_device_fault},
        {.who = "dmm",
            .method = "sort_all",
            .object = &s,
            .enqueue = enqueue_sort,
            .fault = bench_device_fault},
        {.who = "std",
            .method = "partial_sort",
            .object = &s,
            .call = select_std,
            .restore = bench_restore_host,
            .fault = bench_host_fault},
        {.who = "std",
            .method = "partial_sort_par",
            .object = &s,
            .which = 1,
            .call = select_std,
            .restore = bench_restore_host,
            .fault = bench_host_fault},
    };
    bench_job_fill(job);
    bench_job_upload(job, temp_bytes);
    expect_first(job, k);
    bench_contest(job, title, entrants, o->peers && known && !unsorted ? 4 : 2);
    dmm_sort_free(s.sort);
    dmm_topk_free(s.topk);
    bench_job_clear(job);
}

static void run(bench_job *job)
{
    const uint64_t n = job->n;
    run_one(job, "k=1", 1, 0);
    run_one(job, "k=100", n < 100 ? n : 100, 0);
    run_one(job, "k=n/100", n / 100 + 1, 0);
    run_one(job, "k=n/4", n / 4 + 1, 0);
    run_one(job, "k=n/100,unsorted", n / 100 + 1, 1);
}

int main(int argc, char **argv)
{
    static const bench_word word = {"topk", "random", "2^24", run};
    return bench_main(&word, argc, argv);
}
