/* SPDX-License-Identifier: MIT */
/*
 * bench_fused [options]: calls that take the caller's texts, of u32: the dot product of two arrays,
 * the least item and its position, the last item before each that is not a multiple of 4, by a scan
 * with an operator that does not commute, and adjacent differences. Each item is read once, for the
 * scans twice, but for differences in the CPU form; no array lies between.
 */
#include <string.h>

#include <dmm/reduce.h>

#include "peer_entrants.h"

static dmm_status enqueue_reduce(bench_job *job, const bench_entrant *self, cl_event *event)
{
    const dmm_span second = {job->by_in, 0};
    const dmm_reduce_args args = {.in = {job->keys_in, 0},
        .out = {job->keys_out, 0},
        .temp = {job->temp, 0},
        .further = &second};
    return dmm_reduce_enqueue(self->object, job->queue, &args, job->n, 0, NULL, event);
}

static dmm_status enqueue_scan(bench_job *job, const bench_entrant *self, cl_event *event)
{
    const dmm_scan_args args = {
        .in = {job->keys_in, 0}, .out = {job->keys_out, 0}, .temp = {job->temp, 0}};
    return dmm_scan_enqueue(self->object, job->queue, &args, job->n, 0, NULL, event);
}

static int call_std(bench_job *job, const bench_entrant *self)
{
    return peer_std_fused((peer_fused)(self->which / 2), (const uint32_t *)job->in.keys, job->by,
        (uint32_t *)job->out.keys, job->n, self->which % 2);
}

static int call_boost(bench_job *job, const bench_entrant *self)
{
    return peer_boost_fused(
        job->queue, (peer_fused)(self->which / 2), job->keys_in, job->by_in, job->keys_out, job->n);
}

static uint32_t item_of(const bench_job *job, size_t i)
{
    uint32_t item;
    memcpy(&item, job->in.keys + i * sizeof item, sizeof item);
    return item;
}

/* The second array: the first one in reverse. */
static void upload_reverse(bench_job *job)
{
    uint32_t *const by = bench_allocate(job->n * sizeof *by);
    for (size_t i = 0; i < job->n; i++)
        by[i] = item_of(job, job->n - 1 - i);
    bench_job_upload_by(job, by, job->n * sizeof *by);
}

/* Expects the result: of argmin, the position, in the first 4 bytes. */
static void expect(bench_job *job, peer_fused what)
{
    uint32_t *const made = bench_allocate(job->n * sizeof *made);
    uint32_t total = 0;
    for (size_t i = 0; i < job->n; i++) {
        const uint32_t item = item_of(job, i);
        if (what == PEER_DOT)
            total += item * ((const uint32_t *)job->by)[i];
        else if (what == PEER_ARGMIN)
            total = item < item_of(job, total) ? (uint32_t)i : total;
        else if (what == PEER_LAST)
            made[i] = total = item % 4 != 0 ? item : total;
        else
            made[i] = item - (i > 0 ? item_of(job, i - 1) : 0);
    }
    const int is_list = what == PEER_LAST || what == PEER_STEPS;
    if (!is_list)
        made[0] = total;
    job->expected = made;
    job->expected_bytes = (is_list ? job->n : 1) * sizeof *made;
}

/* Runs a contest of dmm's object with peers. */
static void contest(
    bench_job *job, peer_fused what, const char *title, bench_entrant own, uint64_t temp_bytes)
{
    const bench_entrant entrants[] = {
        own,
        {.who = "std",
            .method = title,
            .which = 2 * (int)what,
            .call = call_std,
            .fault = bench_host_fault},
        {.who = "std",
            .method = "par",
            .which = 2 * (int)what + 1,
            .call = call_std,
            .fault = bench_host_fault},
        {.who = "boost",
            .method = title,
            .which = 2 * (int)what,
            .call = call_boost,
            .fault = bench_device_fault},
    };
    bench_job_fill(job);
    bench_job_upload(job, temp_bytes);
    upload_reverse(job);
    expect(job, what);
    bench_contest(
        job, title, entrants, job->options.peers ? sizeof entrants / sizeof *entrants : 1);
    bench_job_clear(job);
}

static void run_reduce(bench_job *job, peer_fused what, const dmm_reduce_desc *desc, double bytes)
{
    const char *const title = what == PEER_DOT ? "dot" : "argmin";
    dmm_reduce *reduce = NULL;
    uint64_t temp_bytes = 0;
    bench_require(dmm_reduce_create(&reduce, job->ctx, desc), "create");
    bench_require(dmm_reduce_temp_bytes(&temp_bytes, reduce, job->n), "temp");
    contest(job, what, title,
        (bench_entrant){.who = "dmm",
            .method = "reduce",
            .with = bench_heard(job),
            .item_bytes = bytes,
            .object = reduce,
            .enqueue = enqueue_reduce,
            .fault = bench_device_fault},
        temp_bytes);
    dmm_reduce_free(reduce);
}

static void run_scan(bench_job *job, peer_fused what, const dmm_scan_desc *desc)
{
    dmm_scan *scan = NULL;
    uint64_t temp_bytes = 0;
    bench_require(dmm_scan_create(&scan, job->ctx, desc), "create");
    bench_require(dmm_scan_temp_bytes(&temp_bytes, scan, job->n), "temp");
    const bench_parameters with = bench_heard(job);
    contest(job, what, what == PEER_LAST ? "last" : "steps",
        (bench_entrant){.who = "dmm",
            .method = "scan",
            .with = with,
            .item_bytes = what == PEER_STEPS && with.u == 1 ? 8 : 12,
            .object = scan,
            .enqueue = enqueue_scan,
            .fault = bench_device_fault},
        temp_bytes);
    dmm_scan_free(scan);
}

static void run(bench_job *job)
{
    static const dmm_map product = {.further = 1, .expression = "item * y"};
    static const dmm_operator last_of = {.combine = "b ? b : a", .identity = "0"};
    static const dmm_map not_of_4 = {.expression = "item % 4 ? item : 0"};
    const dmm_reduce_desc dot = {.max_n = job->n, .map = &product};
    dmm_operator own;
    dmm_map map;
    if (job->options.type != DMM_U32 || job->options.value_bytes != 0)
        bench_require(DMM_UNSUPPORTED, "items of u32 alone");
    bench_require(dmm_operator_given(&own, &map, DMM_OPERATOR_ARGMIN, DMM_U32), "operator");
    const dmm_reduce_desc argmin = {.type = DMM_ITEM, .max_n = job->n, .own = &own, .map = &map};
    run_reduce(job, PEER_DOT, &dot, 8);
    run_reduce(job, PEER_ARGMIN, &argmin, 4);
    const dmm_scan_desc last = {.max_n = job->n, .own = &last_of, .map = &not_of_4};
    run_scan(job, PEER_LAST, &last);
    bench_require(dmm_operator_given(&own, &map, DMM_OPERATOR_DIFFERENCE, DMM_U32), "operator");
    const dmm_scan_desc steps = {
        .type = DMM_ITEM, .exclusive = 1, .max_n = job->n, .own = &own, .map = &map};
    run_scan(job, PEER_STEPS, &steps);
    bench_job_fill(job); /* bench_main clears it */
    bench_job_upload(job, 0);
}

int main(int argc, char **argv)
{
    static const bench_word word = {"fused", "random", "2^24", run};
    return bench_main(&word, argc, argv);
}
