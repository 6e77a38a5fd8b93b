/* SPDX-License-Identifier: MIT */
/*
 * bench_sort_matrix [options]: the tile sorts of dmm_sort in the GPU form, beside that of method
 * merge: matrix and shear, on tiles of the same u and E. The passes that merge tiles are the same; n
 * of one tile (u * E items) has none.
 */
#include <dmm/sort.h>

#include <stdio.h>

#include "contest.h"
#include "model.h"

static const struct {
    const char *name;
    dmm_sort_method method;
} methods[] = {{"merge", DMM_SORT_MERGE}, {"matrix", DMM_SORT_MATRIX}, {"shear", DMM_SORT_SHEAR}};

enum { NUM_METHODS = sizeof methods / sizeof methods[0] };

static dmm_status enqueue(bench_job *job, const bench_entrant *self, cl_event *event)
{
    const dmm_sort_args args = {.keys_in = {job->keys_in, 0},
        .values_in = {job->values_in, 0},
        .keys_out = {job->keys_out, 0},
        .values_out = {job->values_out, 0},
        .temp = {job->temp, 0}};
    return dmm_sort_enqueue(self->object, job->queue, &args, job->n, 0, NULL, event);
}

static uint64_t create(bench_entrant *e, bench_job *job, size_t at)
{
    uint64_t temp_bytes = 0;
    dmm_sort *sort = NULL;
    dmm_sort_desc desc = DMM_SORT_DESC_INIT;
    desc.order.type = job->options.type;
    desc.value_bytes = job->options.value_bytes;
    desc.method = methods[at].method;
    desc.tuning.form = DMM_FORM_GPU;
    bench_heard(job);
    bench_require(dmm_sort_create(&sort, job->ctx, &desc), "create");
    bench_require(dmm_sort_temp_bytes(&temp_bytes, sort, job->n), "temp");
    const bench_parameters with = bench_heard(job);
    *e = (bench_entrant){.who = "dmm",
        .method = methods[at].name,
        .beside = at,
        .with = with,
        .item_bytes = bench_merge_sort_bytes(job, &with),
        .object = sort,
        .enqueue = enqueue,
        .fault = bench_device_order_fault};
    return temp_bytes;
}

/* More take a CPU minutes in this form, and tell nothing new. */
enum { MOST_ON_CPU = 1 << 18 };

static void run(bench_job *job)
{
    bench_entrant entrants[NUM_METHODS];
    uint64_t temp_bytes = 0;
    if (dmm_context_device(job->ctx)->kind == DMM_KIND_CPU && job->n > MOST_ON_CPU) {
        printf("# left out on a CPU: n = %zu\n", job->n);
        return;
    }
    for (size_t at = 0; at < NUM_METHODS; at++) {
        const uint64_t bytes = create(&entrants[at], job, at);
        temp_bytes = bytes > temp_bytes ? bytes : temp_bytes;
        job->heard = entrants[at].with;
    }
    bench_job_fill(job);
    bench_job_upload(job, temp_bytes);
    bench_contest(job, "", entrants, NUM_METHODS);
    for (size_t at = 0; at < NUM_METHODS; at++)
        dmm_sort_free(entrants[at].object);
}

int main(int argc, char **argv)
{
    static const bench_word word = {"sort_matrix", "random", "2^16", run};
    return bench_main(&word, argc, argv);
}
