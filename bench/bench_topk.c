/* SPDX-License-Identifier: MIT */
/*
 * bench_topk [options]: dmm_topk for several k, sorted and in input order, and dmm_nth at the median,
 * each beside a copy of the keys and a dmm_sort of them all, in rounds. GB/s counts one read of the
 * keys; sort/this: the sort's median time over this one's.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dmm/nth.h>
#include <dmm/sort.h>
#include <dmm/topk.h>

#include "job.h"

typedef struct contest {
    bench_job job;
    dmm_sort *sort;
    dmm_topk *sorted, *unsorted;
    dmm_nth *nth;
    unsigned char *expected; /* all keys, sorted */
} contest;

/* One line: which of them, and k; nth: the rank + 1. */
typedef struct line {
    const char *word;
    uint64_t k;
    int unsorted, nth;
} line;

static double finish_ms(const bench_job *job, dmm_status status, double start_ms)
{
    bench_require(status, "call");
    bench_require(clFinish(dmm_context_queue(job->ctx)), "call");
    return bench_now_ms() - start_ms;
}

static double sort_ms(const contest *c)
{
    const bench_job *job = &c->job;
    const dmm_sort_args args = {.keys_in = {job->keys_in, 0},
        .values_in = {job->values_in, 0},
        .keys_out = {job->keys_out, 0},
        .values_out = {job->values_out, 0},
        .temp = {job->temp, 0}};
    const double start = bench_now_ms();
    return finish_ms(job,
        dmm_sort_enqueue(
            c->sort, dmm_context_queue(job->ctx), &args, job->options.n, 0, NULL, NULL),
        start);
}

static double select_ms(const contest *c, const line *l)
{
    const bench_job *job = &c->job;
    const cl_command_queue queue = dmm_context_queue(job->ctx);
    const dmm_topk_args args = {.keys_in = {job->keys_in, 0},
        .values_in = {job->values_in, 0},
        .keys_out = {job->keys_out, 0},
        .values_out = {job->values_out, 0},
        .temp = {job->temp, 0}};
    const dmm_nth_args one = {
        args.keys_in, args.values_in, args.keys_out, args.values_out, args.temp};
    const double start = bench_now_ms();
    return finish_ms(job,
        l->nth ? dmm_nth_enqueue(c->nth, queue, &one, job->options.n, l->k - 1, 0, NULL, NULL)
               : dmm_topk_enqueue(l->unsorted ? c->unsorted : c->sorted, queue, &args,
                     job->options.n, l->k, 0, NULL, NULL),
        start);
}

/* Of a result in input order only the sum of the bytes is known. */
static void judge(const contest *c, const line *l)
{
    const size_t key = dmm_type_bytes(c->job.options.type), count = l->nth ? 1 : l->k;
    const unsigned char *expected = c->expected + (l->nth ? (l->k - 1) * key : 0);
    unsigned char *got = bench_allocate(count * key);
    uint64_t balance = 0;
    bench_read(c->job.ctx, c->job.keys_out, got, count * key);
    for (size_t i = 0; i < count * key; i++)
        balance += (uint64_t)expected[i] - got[i];
    const int same = memcmp(expected, got, count * key) == 0;
    bench_require_right((l->unsorted ? balance == 0 : same) ? NULL : "not the first keys", l->word);
    free(got);
}

static void run(contest *c, const line *l)
{
    const bench_job *job = &c->job;
    const size_t runs = job->options.runs, bytes = bench_key_bytes(&job->in);
    double *sorts = bench_allocate(runs * sizeof *sorts);
    double *calls = bench_allocate(runs * sizeof *calls);
    double *copies = bench_allocate(runs * sizeof *copies);
    select_ms(c, l);
    for (size_t i = 0; i < runs; i++) {
        copies[i] = bench_copy_ms(job->ctx, job->keys_in, job->keys_out, bytes);
        sorts[i] = sort_ms(c);
        calls[i] = select_ms(c, l);
    }
    judge(c, l);
    const bench_times call = bench_summary(calls, runs), copy = bench_summary(copies, runs);
    printf("%s %s %u %s %zu %llu %s %.3f %.3f %.2f %.2f %.2f\n", l->word,
        dmm_type_name(job->options.type), job->options.value_bytes,
        bench_input_name(job->options.input), job->options.n, (unsigned long long)l->k,
        job->chosen.form, call.median, call.least, 1e-6 * (double)bytes / call.median,
        2e-6 * (double)bytes / copy.median, bench_summary(sorts, runs).median / call.median);
    fflush(stdout);
    free(copies);
    free(calls);
    free(sorts);
}

/* Builds all; returns the most temp that one of them takes. */
static uint64_t build(contest *c)
{
    const bench_options *o = &c->job.options;
    dmm_topk_desc topk = DMM_TOPK_DESC_INIT;
    dmm_nth_desc nth = DMM_NTH_DESC_INIT;
    dmm_sort_desc sort = DMM_SORT_DESC_INIT;
    uint64_t bytes[3] = {0};
    topk.order.type = nth.order.type = sort.order.type = o->type;
    topk.value_bytes = nth.value_bytes = sort.value_bytes = o->value_bytes;
    bench_require(dmm_topk_create(&c->sorted, c->job.ctx, &topk), "topk");
    bench_job_created(&c->job);
    topk.unsorted = 1;
    bench_require(dmm_topk_create(&c->unsorted, c->job.ctx, &topk), "topk");
    bench_require(dmm_nth_create(&c->nth, c->job.ctx, &nth), "nth");
    bench_require(dmm_sort_create(&c->sort, c->job.ctx, &sort), "sort");
    bench_require(dmm_topk_temp_bytes(&bytes[0], c->sorted, o->n, o->n), "temp");
    bench_require(dmm_nth_temp_bytes(&bytes[1], c->nth, o->n), "temp");
    bench_require(dmm_sort_temp_bytes(&bytes[2], c->sort, o->n), "temp");
    const uint64_t more = bytes[1] > bytes[2] ? bytes[1] : bytes[2];
    return bytes[0] > more ? bytes[0] : more;
}

int main(int argc, char **argv)
{
    contest c = {.sort = NULL};
    bench_job_open(&c.job, argc, argv);
    const uint64_t temp_bytes = build(&c), n = c.job.options.n;
    bench_job_fill(&c.job);
    bench_job_upload(&c.job, temp_bytes);
    bench_print_origin(argc, argv, c.job.ctx);
    sort_ms(&c);
    c.expected = bench_allocate(bench_key_bytes(&c.job.in));
    bench_read(c.job.ctx, c.job.keys_out, c.expected, bench_key_bytes(&c.job.in));
    printf("# word type values input n k form median_ms min_ms GB/s copy_GB/s sort/this\n");
    const line lines[] = {{"topk", 1, 0, 0}, {"topk", n < 100 ? n : 100, 0, 0},
        {"topk", n / 100 + 1, 0, 0}, {"topk", n / 4 + 1, 0, 0},
        {"topk-unsorted", n / 100 + 1, 1, 0}, {"topk-unsorted", n / 2 + 1, 1, 0},
        {"nth", n / 2 + 1, 0, 1}};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        run(&c, &lines[i]);
    free(c.expected);
    dmm_sort_free(c.sort);
    dmm_nth_free(c.nth);
    dmm_topk_free(c.unsorted);
    dmm_topk_free(c.sorted);
    bench_job_close(&c.job);
    return 0;
}
