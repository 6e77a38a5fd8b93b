/* SPDX-License-Identifier: MIT */
/*
 * bench_sort_segmented [options]: dmm_sort_segmented, out of place, for several ways to cut the same
 * items, each beside a copy of the keys and one dmm_sort of them all by method merge, in rounds.
 * sort/this: the sort's median time over this one's.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dmm/sort.h>
#include <dmm/sort_segmented.h>

#include "job.h"

typedef struct contest {
    bench_job job;
    dmm_sort *sort;
    dmm_sort_segmented *segmented;
    uint64_t *offsets;
    size_t segments;
    cl_mem offsets_in;
} contest;

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

static double segmented_ms(const contest *c)
{
    const bench_job *job = &c->job;
    const dmm_sort_segmented_args args = {.keys_in = {job->keys_in, 0},
        .values_in = {job->values_in, 0},
        .keys_out = {job->keys_out, 0},
        .values_out = {job->values_out, 0},
        .offsets = {c->offsets_in, 0},
        .temp = {job->temp, 0}};
    const double start = bench_now_ms();
    return finish_ms(job,
        dmm_sort_segmented_enqueue(c->segmented, dmm_context_queue(job->ctx), &args, job->options.n,
            c->segments, 0, NULL, NULL),
        start);
}

/* Segments of `size` items; 0: one of half of the items, and tiny and empty ones around it. */
static void cut(contest *c, size_t size)
{
    const size_t n = c->job.options.n;
    c->segments = 0;
    c->offsets[0] = 0;
    for (size_t at = 0; at < n; c->segments++) {
        const size_t tiny = c->segments * 2654435761u % 64;
        const int is_huge = size == 0 && at >= n / 4 && at < n / 2;
        const size_t step = size != 0 ? size : is_huge ? n / 2 : tiny < 32 ? tiny : 0;
        at = n - at > step ? at + step : n;
        c->offsets[c->segments + 1] = at;
    }
    bench_write(c->job.ctx, c->offsets_in, c->offsets, (c->segments + 1) * sizeof *c->offsets);
}

/* Each segment by itself, as bench_fault looks at a whole list. */
static void judge(const contest *c)
{
    const bench_job *job = &c->job;
    const size_t key = dmm_type_bytes(job->options.type), value = job->options.value_bytes;
    bench_read(job->ctx, job->keys_out, job->out.keys, bench_key_bytes(&job->in));
    bench_read(job->ctx, job->values_out, job->out.values, bench_value_bytes(&job->in));
    for (size_t i = 0; i < c->segments; i++) {
        const size_t first = c->offsets[i], count = c->offsets[i + 1] - first;
        bench_items in = job->in, out = job->out;
        in.n = out.n = count;
        in.keys += first * key;
        out.keys += first * key;
        in.values += first * value;
        out.values += first * value;
        if (count != 0)
            bench_require_right(bench_fault(&in, &out, 1), "segment");
    }
}

static void run(contest *c, const char *name, size_t size)
{
    const bench_job *job = &c->job;
    const size_t runs = job->options.runs, bytes = bench_key_bytes(&job->in);
    double *sorts = bench_allocate(runs * sizeof *sorts);
    double *calls = bench_allocate(runs * sizeof *calls);
    double *copies = bench_allocate(runs * sizeof *copies);
    cut(c, size);
    segmented_ms(c);
    for (size_t i = 0; i < runs; i++) {
        copies[i] = bench_copy_ms(job->ctx, job->keys_in, job->keys_out, bytes);
        sorts[i] = sort_ms(c);
        calls[i] = segmented_ms(c);
    }
    judge(c);
    const bench_times call = bench_summary(calls, runs), copy = bench_summary(copies, runs);
    printf("sort_segmented %s %u %s %zu %s %zu %s %u %u %u %.3f %.3f %.1f %.2f %.2f\n",
        dmm_type_name(job->options.type), job->options.value_bytes,
        bench_input_name(job->options.input), job->options.n, name, c->segments, job->chosen.form,
        job->chosen.u, job->chosen.E, job->chosen.tile, call.median, call.least,
        1e-3 * (double)job->options.n / call.median, 2e-6 * (double)bytes / copy.median,
        bench_summary(sorts, runs).median / call.median);
    fflush(stdout);
    free(copies);
    free(calls);
    free(sorts);
}

int main(int argc, char **argv)
{
    contest c = {.sort = NULL};
    dmm_sort_desc sort = DMM_SORT_DESC_INIT;
    dmm_sort_segmented_desc segmented = DMM_SORT_SEGMENTED_DESC_INIT;
    uint64_t bytes[2] = {0};
    bench_job_open(&c.job, argc, argv);
    const bench_options *o = &c.job.options;
    sort.order.type = segmented.order.type = o->type;
    sort.value_bytes = segmented.value_bytes = o->value_bytes;
    sort.method = DMM_SORT_MERGE;
    segmented.offset_type = DMM_U64;
    bench_require(dmm_sort_segmented_create(&c.segmented, c.job.ctx, &segmented), "create");
    bench_job_created(&c.job);
    bench_require(dmm_sort_create(&c.sort, c.job.ctx, &sort), "sort");
    bench_require(dmm_sort_segmented_temp_bytes(&bytes[0], c.segmented, o->n), "temp");
    bench_require(dmm_sort_temp_bytes(&bytes[1], c.sort, o->n), "temp");
    /* At least every second segment has an item. */
    c.offsets = bench_allocate((3 * o->n + 3) * sizeof *c.offsets);
    c.offsets_in = bench_buffer(c.job.ctx, (3 * o->n + 3) * sizeof *c.offsets);
    bench_job_fill(&c.job);
    bench_job_upload(&c.job, bytes[0] > bytes[1] ? bytes[0] : bytes[1]);
    bench_print_origin(argc, argv, c.job.ctx);
    printf("# word type values input n cut segments form u E tile median_ms min_ms Mitems/s "
           "copy_GB/s sort/this\n");
    run(&c, "16", 16);
    run(&c, "1000", 1000);
    run(&c, "100000", 100000);
    run(&c, "skewed", 0);
    run(&c, "one", o->n);
    clReleaseMemObject(c.offsets_in);
    free(c.offsets);
    dmm_sort_free(c.sort);
    dmm_sort_segmented_free(c.segmented);
    bench_job_close(&c.job);
    return 0;
}
