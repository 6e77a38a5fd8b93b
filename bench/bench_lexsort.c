/* SPDX-License-Identifier: MIT */
/*
 * bench_lexsort [options]: u32 keys with one, two, four and eight arrays of 4 bytes: by row numbers
 * and a gather each (dmm_lexsort), and moved along in a sort of keys and values for each array
 * (dmm_sort, as often as there are arrays).
 */
#include <stdlib.h>
#include <string.h>

#include <dmm/lexsort.h>
#include <dmm/sort.h>

#include "contest.h"

enum { BYTES = 4 };

/* What is sorted: an object, and how many arrays. */
typedef struct sorts {
    dmm_lexsort *lexsort;
    dmm_sort *sort;
    uint64_t arrays;
} sorts;

/* Array c of an output lies behind the others in one buffer. */
static dmm_span place(cl_mem buffer, const bench_job *job, uint64_t c)
{
    return (dmm_span){buffer, c * job->n * BYTES};
}

static dmm_status enqueue_lexsort(bench_job *job, const bench_entrant *self, cl_event *event)
{
    const sorts *const s = self->object;
    dmm_lexsort_args args = {
        .keys_in = {{job->keys_in, 0}}, .keys_out = {{job->keys_out, 0}}, .temp = {job->temp, 0}};
    for (uint64_t c = 0; c < s->arrays; c++) {
        args.values_in[c] = (dmm_span){job->keys_in, 0};
        args.values_out[c] = place(job->keys_out, job, c + 1);
    }
    return dmm_lexsort_enqueue(s->lexsort, job->queue, &args, job->n, 0, NULL, event);
}

static dmm_status enqueue_sorts(bench_job *job, const bench_entrant *self, cl_event *event)
{
    const sorts *const s = self->object;
    dmm_status status = DMM_OK;
    for (uint64_t c = 0; c < s->arrays && status == DMM_OK; c++) {
        const dmm_sort_args args = {.keys_in = {job->keys_in, 0},
            .values_in = {job->keys_in, 0},
            .keys_out = {job->keys_out, 0},
            .values_out = place(job->keys_out, job, c + 1),
            .temp = {job->temp, 0}};
        status = dmm_sort_enqueue(
            s->sort, job->queue, &args, job->n, 0, NULL, c + 1 == s->arrays ? event : NULL);
    }
    return status;
}

static int compare(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Expects the sorted keys, and again as the first array, whose values are the keys. */
static void expect_sorted(bench_job *job)
{
    const size_t bytes = job->n * BYTES;
    unsigned char *const expected = bench_allocate(2 * bytes);
    memcpy(expected, job->in.keys, bytes);
    qsort(expected, job->n, BYTES, compare);
    memcpy(expected + bytes, expected, bytes);
    job->expected = expected;
    job->expected_bytes = 2 * bytes;
}

static void run_one(bench_job *job, const char *title, uint32_t arrays)
{
    const dmm_lexsort_desc desc = {.num_keys = 1, .num_values = arrays, .max_n = job->n};
    const dmm_sort_desc one = {.value_bytes = BYTES, .max_n = job->n};
    sorts s = {.arrays = arrays};
    uint64_t temp_bytes = 0, sort_bytes = 0;
    bench_require(dmm_lexsort_create(&s.lexsort, job->ctx, &desc), "create");
    bench_require(dmm_lexsort_temp_bytes(&temp_bytes, s.lexsort, job->n), "temp");
    const bench_parameters with = bench_heard(job);
    bench_require(dmm_sort_create(&s.sort, job->ctx, &one), "create");
    bench_require(dmm_sort_temp_bytes(&sort_bytes, s.sort, job->n), "temp");
    job->out_bytes = (arrays + 1) * job->n * BYTES;
    bench_job_fill(job);
    bench_job_upload(job, temp_bytes > sort_bytes ? temp_bytes : sort_bytes);
    expect_sorted(job);
    const bench_entrant entrants[] = {{.who = "dmm",
                                          .method = "lexsort",
                                          .with = with,
                                          .object = &s,
                                          .enqueue = enqueue_lexsort,
                                          .fault = bench_device_fault},
        {.who = "dmm",
            .method = "sorts",
            .with = with,
            .object = &s,
            .enqueue = enqueue_sorts,
            .fault = bench_device_fault}};
    bench_contest(job, title, entrants, 2);
    dmm_lexsort_free(s.lexsort);
    dmm_sort_free(s.sort);
    bench_job_clear(job);
}

static void run(bench_job *job)
{
    if (job->options.type != DMM_U32 || job->options.value_bytes != 0)
        bench_require(DMM_UNSUPPORTED, "keys of u32 alone");
    run_one(job, "arrays=1", 1);
    run_one(job, "arrays=2", 2);
    run_one(job, "arrays=4", 4);
    run_one(job, "arrays=8", 8);
}

int main(int argc, char **argv)
{
    static const bench_word word = {"lexsort", "random", "2^22", run};
    return bench_main(&word, argc, argv);
}
