/* SPDX-License-Identifier: MIT */
/*
 * bench_search [options]: lower bounds of n random queries in n sorted keys (u32 or u64), beside
 * std::lower_bound a query, on one processor and on all. The model reads a query and writes a rank;
 * probes of the keys are not in it.
 */
#include <string.h>

#include <dmm/search.h>
#include <dmm/sort.h>

#include "peer_entrants.h"

static dmm_status enqueue(bench_job *job, const bench_entrant *self, cl_event *event)
{
    const dmm_search_args args = {
        .keys = {job->keys_in, 0}, .queries = {job->by_in, 0}, .out = {job->keys_out, 0}};
    return dmm_search_enqueue(self->object, job->queue, &args, job->n, job->n, 0, NULL, event);
}

static int search_std(bench_job *job, const bench_entrant *self)
{
    return peer_std_lower_bound(
        bench_kind(job), job->in.keys, job->n, job->by, job->out.keys, self->which);
}

/* Sorts the keys, and draws as many queries. */
static void fill(bench_job *job)
{
    const size_t bytes = job->n * dmm_type_bytes(job->options.type);
    const dmm_sort_desc by_key = {.order = {.type = job->options.type}};
    bench_job_fill(job);
    unsigned char *const queries = bench_allocate(bytes);
    memcpy(queries, job->in.keys, bytes);
    for (size_t i = 0; i < bytes; i += dmm_type_bytes(job->options.type))
        queries[i] ^= 1; /* about half of the queries are not keys */
    bench_require(dmm_sort_host(job->ctx, &by_key, job->in.keys, NULL, job->n), "sort");
    bench_job_upload(job, 0);
    bench_job_upload_by(job, queries, bytes);
}

static void run(bench_job *job)
{
    const bench_options *const o = &job->options;
    const uint32_t bytes = dmm_type_bytes(o->type);
    const dmm_search_desc desc = {.order = {.type = o->type}, .rank_bytes = bytes};
    dmm_search *search = NULL;
    if (!bench_peers_know(job) || o->value_bytes != 0)
        return;
    fill(job);
    bench_require(dmm_search_create(&search, job->ctx, &desc), "create");
    const bench_entrant entrants[] = {
        {.who = "dmm",
            .method = "search",
            .with = bench_heard(job),
            .item_bytes = 2.0 * bytes,
            .object = search,
            .enqueue = enqueue,
            .fault = bench_device_fault},
        {.who = "std", .method = "lower_bound", .call = search_std, .fault = bench_host_fault},
        {.who = "std",
            .method = "lower_bound_par",
            .which = 1,
            .call = search_std,
            .fault = bench_host_fault},
    };
    job->expected_bytes = job->n * bytes;
    job->expected = bench_allocate(job->expected_bytes);
    peer_std_lower_bound(bench_kind(job), job->in.keys, job->n, job->by, job->expected, 0);
    bench_contest(job, "lower", entrants, o->peers ? sizeof entrants / sizeof entrants[0] : 1);
    dmm_search_free(search);
}

int main(int argc, char **argv)
{
    static const bench_word word = {"search", "random", "2^24", run};
    return bench_main(&word, argc, argv);
}
