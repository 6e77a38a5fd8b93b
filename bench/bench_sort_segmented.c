/* SPDX-License-Identifier: MIT */
/*
 * bench_sort_segmented [options]: dmm_sort_segmented, out of place, for several ways to cut the
 * same items, beside one dmm_sort of them all by the same method. The model is a pass for the
 * tiles, and one for each doubling of what lies in several.
 */
#include <dmm/sort.h>
#include <dmm/sort_segmented.h>

#include "contest.h"
#include "model.h"
#include "sort_entrants.h"

typedef struct cutting {
    dmm_sort *sort;
    dmm_sort_segmented *segmented;
    size_t segments, largest;
} cutting;

static dmm_status enqueue(bench_job *job, const bench_entrant *self, cl_event *event)
{
    const cutting *const c = self->object;
    const dmm_sort_segmented_args args = {.keys_in = {job->keys_in, 0},
        .values_in = {job->values_in, 0},
        .keys_out = {job->keys_out, 0},
        .values_out = {job->values_out, 0},
        .offsets = {job->by_in, 0},
        .temp = {job->temp, 0}};
    return dmm_sort_segmented_enqueue(
        c->segmented, job->queue, &args, job->n, c->segments, 0, NULL, event);
}

static dmm_status enqueue_sort(bench_job *job, const bench_entrant *self, cl_event *event)
{
    const cutting *const c = self->object;
    return bench_sort_enqueue(job, c->sort, event);
}

/* Cuts segments of `size` items; 0: one of half of the items, and tiny and empty ones around it. */
static void cut(cutting *c, bench_job *job, size_t size)
{
    const size_t n = job->n;
    /* At least every second segment has an item. */
    uint64_t *const offsets = bench_allocate((3 * n + 3) * sizeof *offsets);
    offsets[0] = 0;
    for (size_t at = 0; at < n; c->segments++) {
        const size_t tiny = c->segments * 2654435761u % 64;
        const int is_huge = size == 0 && at >= n / 4 && at < n / 2;
        const size_t step = size != 0 ? size : is_huge ? n / 2 : tiny < 32 ? tiny : 0;
        const size_t next = n - at > step ? at + step : n;
        c->largest = next - at > c->largest ? next - at : c->largest;
        offsets[c->segments + 1] = at = next;
    }
    bench_job_upload_by(job, offsets, (c->segments + 1) * sizeof *offsets);
}

/* Checks each segment as bench_fault checks a whole list. */
static const char *segments_fault(bench_job *job, const bench_entrant *self)
{
    const cutting *const c = self->object;
    const uint64_t *const offsets = job->by;
    const size_t key = dmm_type_bytes(job->options.type), value = job->options.value_bytes;
    const char *fault = NULL;
    bench_job_fetch(job);
    for (size_t i = 0; i < c->segments && fault == NULL; i++) {
        const size_t first = offsets[i], count = offsets[i + 1] - first;
        bench_items in = job->in, out = job->out;
        in.n = out.n = count;
        in.keys += first * key;
        out.keys += first * key;
        in.values += first * value;
        out.values += first * value;
        fault = count != 0 ? bench_fault(&in, &out, 1) : NULL;
    }
    return fault;
}

static uint64_t create(cutting *c, bench_job *job)
{
    dmm_sort_desc sort = {0};
    dmm_sort_segmented_desc segmented = {0};
    uint64_t bytes[2] = {0};
    sort.order.type = segmented.order.type = job->options.type;
    sort.value_bytes = segmented.value_bytes = job->options.value_bytes;
    sort.method = DMM_SORT_MERGE;
    segmented.offset_type = DMM_U64;
    bench_require(dmm_sort_create(&c->sort, job->ctx, &sort), "sort");
    bench_heard(job);
    bench_require(dmm_sort_segmented_create(&c->segmented, job->ctx, &segmented), "create");
    bench_require(dmm_sort_segmented_temp_bytes(&bytes[0], c->segmented, job->n), "temp");
    bench_require(dmm_sort_temp_bytes(&bytes[1], c->sort, job->n), "temp");
    return bytes[0] > bytes[1] ? bytes[0] : bytes[1];
}

static void run_one(bench_job *job, const char *title, size_t size)
{
    cutting c = {.sort = NULL};
    const uint64_t temp_bytes = create(&c, job);
    const bench_parameters with = bench_heard(job);
    bench_job_fill(job);
    bench_job_upload(job, temp_bytes);
    cut(&c, job, size);
    const bench_entrant entrants[] = {
        {.who = "dmm",
            .method = "sort_segmented",
            .with = with,
            .item_bytes = bench_pass_bytes(job, bench_merge_passes(&with, c.largest)),
            .object = &c,
            .enqueue = enqueue,
            .fault = segments_fault},
        {.who = "dmm",
            .method = "sort_all",
            .object = &c,
            .enqueue = enqueue_sort,
            .fault = bench_device_order_fault},
    };
    bench_contest(job, title, entrants, 2);
    dmm_sort_free(c.sort);
    dmm_sort_segmented_free(c.segmented);
    bench_job_clear(job);
}

static void run(bench_job *job)
{
    run_one(job, "by=16", 16);
    run_one(job, "by=1000", 1000);
    run_one(job, "by=100000", 100000);
    run_one(job, "skewed", 0);
    run_one(job, "one", job->n);
}

int main(int argc, char **argv)
{
    static const bench_word word = {"sort_segmented", "random", "2^24", run};
    return bench_main(&word, argc, argv);
}
