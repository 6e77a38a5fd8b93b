/* SPDX-License-Identifier: MIT */
/*
 * Rounds of entrants. Entrant 0 of the rounds is the copy.
 */
#include "contest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Time limit of other entrants, and their fewest runs. */
enum { LONG_MS = 3000, FEWEST_RUNS = 3, EVENT_RUNS = 5 };

/* An entrant's times; ms[i]: round i, 0 if it did not run. */
typedef struct lane {
    const bench_entrant *entrant;
    double *ms;
    size_t runs; /* 0: it is not there */
    double event_ms;
} lane;

typedef struct contest {
    bench_job *job;
    const char *title;
    lane *lanes; /* the copy, then the entrants */
    size_t count;
    double *command_ms; /* of the shortest command, round by round */
    double *samples;    /* for a summary */
} contest;

static dmm_status copy(bench_job *job, const bench_entrant *self, cl_event *event)
{
    (void)self;
    return clEnqueueCopyBuffer(
        job->queue, job->keys_in, job->keys_out, 0, 0, bench_key_bytes(&job->in), 0, NULL, event);
}

void bench_restore_host(bench_job *job, const bench_entrant *self)
{
    (void)self;
    memcpy(job->out.keys, job->in.keys, bench_key_bytes(&job->in));
    if (job->options.value_bytes != 0)
        memcpy(job->out.values, job->in.values, bench_value_bytes(&job->in));
}

void bench_restore_device(bench_job *job, const bench_entrant *self)
{
    const size_t bytes = bench_value_bytes(&job->in);
    bench_require(copy(job, self, NULL), "copy");
    if (bytes != 0)
        bench_require(clEnqueueCopyBuffer(
                          job->queue, job->values_in, job->values_out, 0, 0, bytes, 0, NULL, NULL),
            "copy");
}

const char *bench_host_fault(bench_job *job, const bench_entrant *self)
{
    (void)self;
    return memcmp(job->out.keys, job->expected, job->expected_bytes) != 0 ? "not what it should be"
                                                                          : NULL;
}

const char *bench_device_fault(bench_job *job, const bench_entrant *self)
{
    bench_job_fetch(job);
    return bench_host_fault(job, self);
}

const char *bench_host_order_fault(bench_job *job, const bench_entrant *self)
{
    (void)self;
    return bench_fault(&job->in, &job->out, 1);
}

const char *bench_device_order_fault(bench_job *job, const bench_entrant *self)
{
    bench_job_fetch(job);
    return bench_host_order_fault(job, self);
}

/* Runs an entrant; returns milliseconds, or 0 if the entrant is not available. */
static double run_one(bench_job *job, const bench_entrant *e)
{
    if (e->restore != NULL)
        e->restore(job, e);
    bench_require(clFinish(job->queue), e->who);
    if (e->own_ms != NULL)
        return e->own_ms(job, e);
    const double start = bench_now_ms();
    if (e->enqueue == NULL) {
        const int ran = e->call(job, e);
        return ran ? bench_now_ms() - start : 0;
    }
    bench_require(e->enqueue(job, e, NULL), e->method);
    bench_require(clFinish(job->queue), e->method);
    return bench_now_ms() - start;
}

/* As run_one. Ends the program if dmm's output is wrong; others are left out. */
static double judged_run(bench_job *job, const bench_entrant *e)
{
    char what[64];
    if (e->fault == NULL)
        return run_one(job, e);
    bench_job_spoil(job);
    const double ms = run_one(job, e);
    snprintf(what, sizeof what, "%s %s", e->who, e->method);
    const char *const fault = ms > 0 ? e->fault(job, e) : NULL;
    if (fault == NULL)
        return ms;
    if (strcmp(e->who, "dmm") == 0)
        bench_require_right(fault, what);
    fprintf(stderr, "%s: left out: %s\n", what, fault);
    return 0;
}

/* Enqueues the shortest command there is: a fill of 4 bytes. */
static void enqueue_mark(const bench_job *job, cl_event *event)
{
    const cl_uint zero = 0;
    bench_require(clEnqueueFillBuffer(
                      job->queue, job->mark, &zero, sizeof zero, 0, sizeof zero, 0, NULL, event),
        "fill");
}

static double run_command(const bench_job *job)
{
    bench_require(clFinish(job->queue), "fill");
    const double start = bench_now_ms();
    enqueue_mark(job, NULL);
    bench_require(clFinish(job->queue), "fill");
    return bench_now_ms() - start;
}

/* Returns the end time by the device's clock; 0 if it has none. */
static double end_ms(cl_event event)
{
    cl_ulong end_ns = 0;
    if (clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end_ns, &end_ns, NULL) != 0)
        end_ns = 0;
    clReleaseEvent(event);
    return 1e-6 * (double)end_ns;
}

/* Returns the time from the end of a 4-byte fill, enqueued just before, to the end of the call. */
static double event_ms(const contest *c, const bench_entrant *e)
{
    bench_job *const job = c->job;
    for (size_t i = 0; i < EVENT_RUNS; i++) {
        cl_event begun = NULL, done = NULL;
        if (e->restore != NULL)
            e->restore(job, e);
        enqueue_mark(job, &begun);
        bench_require(e->enqueue(job, e, &done), e->method);
        bench_require(clFinish(job->queue), e->method);
        const double end = end_ms(done), begin = end_ms(begun);
        if (end <= begin || begin <= 0)
            return 0;
        c->samples[i] = end - begin;
    }
    return bench_summary(c->samples, EVENT_RUNS).median;
}

static size_t runs_of(const contest *c, const bench_entrant *e, double first_ms)
{
    const size_t all = c->job->options.runs;
    if (first_ms <= 0 || e->enqueue != NULL || first_ms * (double)all <= LONG_MS)
        return first_ms <= 0 ? 0 : all;
    const size_t some = (size_t)(LONG_MS / first_ms);
    return some < FEWEST_RUNS ? all < FEWEST_RUNS ? all : FEWEST_RUNS : some;
}

static int is_skipped(const bench_job *job, const bench_entrant *e)
{
    for (size_t i = 0; i < job->options.num_skipped; i++)
        if (strcmp(job->options.skipped[i], e->who) == 0 && strcmp(e->who, "dmm") != 0)
            return 1;
    return 0;
}

/* Runs a round; runs of slow entrants are spread evenly, and every entrant runs in the last
 * round. */
static void run_round(contest *c, size_t i)
{
    const size_t all = c->job->options.runs;
    c->command_ms[i] = run_command(c->job);
    for (size_t e = 0; e < c->count; e++) {
        lane *const l = &c->lanes[e];
        if ((i + 1) * l->runs / all == i * l->runs / all)
            continue;
        l->ms[i] = i + 1 < all ? run_one(c->job, l->entrant) : judged_run(c->job, l->entrant);
    }
}

static bench_times summary(const contest *c, const lane *l)
{
    size_t count = 0;
    for (size_t i = 0; i < c->job->options.runs; i++)
        if (l->ms[i] > 0)
            c->samples[count++] = l->ms[i];
    return bench_summary(c->samples, count);
}

/* Returns ratios of times, over the rounds in which both ran. */
static bench_times ratios(const contest *c, const lane *l, const lane *beside)
{
    size_t count = 0;
    for (size_t i = 0; i < c->job->options.runs; i++)
        if (l->ms[i] > 0 && beside->ms[i] > 0)
            c->samples[count++] = l->ms[i] / beside->ms[i];
    return count != 0 ? bench_summary(c->samples, count) : (bench_times){0, 0, 0};
}

static double gigabytes_a_second(const contest *c, const lane *l, double ms)
{
    return 1e-6 * (double)c->job->n * l->entrant->item_bytes / ms;
}

static void print_lane(const contest *c, const lane *l)
{
    const bench_job *const job = c->job;
    const bench_entrant *const e = l->entrant;
    const lane *const copies = &c->lanes[0];
    const lane *const beside = l == copies ? copies : &c->lanes[1 + e->beside];
    bench_row row = {.word = job->word,
        .title = c->title,
        .type = job->type,
        .input = job->input,
        .value_bytes = job->options.value_bytes,
        .n = job->n,
        .who = e->who,
        .method = e->method,
        .with = e->with,
        .runs = l->runs,
        .wall = summary(c, l),
        .event_ms = l->event_ms,
        .command_ms = c->command_ms[0],
        .item_bytes = e->item_bytes,
        .floors = job->floors,
        .beside = beside->entrant->method,
        .ratio = ratios(c, l, beside)};
    row.gigabytes_a_s = gigabytes_a_second(c, l, row.wall.median);
    row.share = row.gigabytes_a_s / gigabytes_a_second(c, copies, summary(c, copies).median);
    bench_print_row(&row);
    if (job->options.json != NULL)
        bench_save_row(job->options.json, &row, &job->origin);
}

void bench_contest(bench_job *job, const char *title, const bench_entrant *entrants, size_t count)
{
    const size_t runs = job->options.runs;
    const bench_entrant copies = {.who = "copy",
        .method = "",
        .item_bytes = 2.0 * (double)bench_key_bytes(&job->in) / (double)job->n,
        .enqueue = copy};
    contest c = {.job = job,
        .title = title,
        .lanes = bench_allocate((count + 1) * sizeof(lane)),
        .count = count + 1,
        .command_ms = bench_allocate(runs * sizeof(double)),
        .samples = bench_allocate((runs + EVENT_RUNS) * sizeof(double))};
    for (size_t e = 0; e < c.count; e++) {
        lane *const l = &c.lanes[e];
        *l = (lane){.entrant = e == 0 ? &copies : &entrants[e - 1],
            .ms = bench_allocate(runs * sizeof(double))};
        memset(l->ms, 0, runs * sizeof(double));
        if (e == 0 || !is_skipped(job, l->entrant))
            l->runs = runs_of(&c, l->entrant, judged_run(job, l->entrant));
    }
    for (size_t i = 0; i < runs; i++)
        run_round(&c, i);
    c.command_ms[0] = bench_summary(c.command_ms, runs).median;
    for (size_t e = 0; e < c.count; e++) {
        lane *const l = &c.lanes[e];
        if (l->runs != 0 && l->entrant->enqueue != NULL)
            l->event_ms = event_ms(&c, l->entrant);
        if (l->runs != 0)
            print_lane(&c, l);
    }
    for (size_t e = 0; e < c.count; e++)
        free(c.lanes[e].ms);
    free(c.command_ms);
    free(c.samples);
    free(c.lanes);
}
