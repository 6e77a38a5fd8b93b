/* SPDX-License-Identifier: MIT */
/*
 * bench_search [options]: lower bounds of n random queries in n sorted keys (u32 or u64), and in
 * their layouts; of sorted queries; beside std::lower_bound a query, on one processor and on all,
 * Boost.Compute's (one query a call: of 16 queries, times n / 16), and a search in a binary tree
 * with prefetching in C (u32, one processor). Beyond 2^22 keys there are 2^22 queries, and n of a
 * row counts these. The model reads a query and writes a rank; probes of the keys are not in it.
 * bench_layout has the times of the layouts.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dmm/layout.h>
#include <dmm/search.h>
#include <dmm/sort.h>

#include "peer_entrants.h"

enum { MOST_QUERIES = 1 << 22, BOOST_QUERIES = 16, TITLE_BYTES = 32 };

/* Ways to search, the sorted order first. */
static const struct {
    const char *name;
    dmm_layout_kind kind;
    uint32_t B;
    int sorted_queries;
    dmm_search_method method;
} ways[] = {{"search", DMM_LAYOUT_SORTED, 1, 0, DMM_SEARCH_ITEMS},
    {"bst", DMM_LAYOUT_BST, 1, 0, DMM_SEARCH_ITEMS},
    {"btree16", DMM_LAYOUT_BTREE, 16, 0, DMM_SEARCH_ITEMS},
    {"btree32", DMM_LAYOUT_BTREE, 32, 0, DMM_SEARCH_ITEMS},
    {"veb", DMM_LAYOUT_VEB, 1, 0, DMM_SEARCH_ITEMS},
    {"mveb", DMM_LAYOUT_MVEB, 1, 0, DMM_SEARCH_ITEMS},
    {"sorted_queries", DMM_LAYOUT_SORTED, 1, 1, DMM_SEARCH_ITEMS},
    {"merge", DMM_LAYOUT_SORTED, 1, 1, DMM_SEARCH_MERGE},
    {"teams", DMM_LAYOUT_SORTED, 1, 0, DMM_SEARCH_TEAMS},
    {"btree16_teams", DMM_LAYOUT_BTREE, 16, 0, DMM_SEARCH_TEAMS},
    {"btree32_teams", DMM_LAYOUT_BTREE, 32, 0, DMM_SEARCH_TEAMS}};
enum { NUM_WAYS = sizeof ways / sizeof ways[0], NUM_ENTRANTS = NUM_WAYS + 4 };

/* What an entrant searches in. */
typedef struct searched {
    dmm_search *search;
    cl_mem keys, queries;
    const void *host_keys, *host_expected;
    size_t n; /* keys */
} searched;

static dmm_status enqueue(bench_job *job, const bench_entrant *self, cl_event *event)
{
    const searched *const s = self->object;
    const dmm_search_args args = {
        .keys = {s->keys, 0}, .queries = {s->queries, 0}, .out = {job->keys_out, 0}};
    return dmm_search_enqueue(s->search, job->queue, &args, s->n, job->n, 0, NULL, event);
}

static const char *fault(bench_job *job, const bench_entrant *self)
{
    const searched *const s = self->object;
    bench_job_fetch(job);
    return memcmp(job->out.keys, s->host_expected, job->expected_bytes) == 0 ? NULL
                                                                             : "a rank is wrong";
}

/* Searches in a binary tree, level by level, and fetches four levels ahead. */
static int search_tree(bench_job *job, const bench_entrant *self)
{
    const searched *const s = self->object;
    const uint32_t *const keys = s->host_keys, *const queries = job->by;
    uint32_t *const out = (void *)job->out.keys;
    const size_t n = s->n;
    size_t full = 0;
    if (job->options.type != DMM_U32)
        return 0;
    while (2 * full + 1 <= n)
        full = 2 * full + 1;
    for (size_t i = 0; i < job->n; i++) {
        const uint32_t query = queries[i];
        size_t place = 0;
        while (place < full) {
            __builtin_prefetch(keys + 16 * place + 15);
            place = 2 * place + 1 + (keys[place] < query);
        }
        const size_t path = place - full, leaves = n - full;
        out[i] = (uint32_t)(path + (path < leaves ? path : leaves) +
                            (path < leaves && keys[full + path] < query));
    }
    return 1;
}

static int search_std(bench_job *job, const bench_entrant *self)
{
    const searched *const s = self->object;
    const peer_lookup lookup = {job->in.keys, s->n, job->by, job->n, job->out.keys};
    return peer_std_lower_bound(bench_kind(job), &lookup, self->which);
}

static double search_boost_ms(bench_job *job, const bench_entrant *self)
{
    const searched *const s = self->object;
    const size_t m = job->n < BOOST_QUERIES ? job->n : BOOST_QUERIES;
    const peer_lookup lookup = {NULL, s->n, job->by, m, job->out.keys};
    const double start = bench_now_ms();
    if (!peer_boost_lower_bound(job->queue, bench_kind(job), s->keys, &lookup))
        return 0;
    return (bench_now_ms() - start) * (double)job->n / (double)m;
}

static const char *boost_fault(bench_job *job, const bench_entrant *self)
{
    const size_t m = job->n < BOOST_QUERIES ? job->n : BOOST_QUERIES;
    (void)self;
    return memcmp(job->out.keys, job->expected, job->expected_bytes / job->n * m) == 0
               ? NULL
               : "a rank is wrong";
}

/* Sorts the keys, and draws the queries. Returns the number of keys. */
static size_t fill(bench_job *job)
{
    const size_t n = job->n, m = n < MOST_QUERIES ? n : MOST_QUERIES;
    const size_t bytes = dmm_type_bytes(job->options.type);
    const dmm_sort_desc by_key = {.order = {.type = job->options.type}};
    bench_job_fill(job);
    unsigned char *const queries = bench_allocate(m * bytes);
    memcpy(queries, job->in.keys, m * bytes);
    for (size_t i = 0; i < m * bytes; i += bytes)
        queries[i] ^= 1; /* about half of the queries are not keys */
    bench_require(dmm_sort_host(job->ctx, &by_key, job->in.keys, NULL, n), "sort");
    bench_job_upload(job, 0);
    bench_job_upload_by(job, queries, m * bytes);
    job->n = m;
    return n;
}

/* Creates the search of a way, and its keys on the device; `laid` has them on the host. search is
 * NULL if the device's form has no teams. */
static searched make(bench_job *job, size_t i, size_t n, void *laid)
{
    const uint32_t bytes = dmm_type_bytes(job->options.type);
    const dmm_search_desc desc = {.order = {.type = job->options.type},
        .rank_bytes = bytes,
        .layout = ways[i].kind,
        .B = ways[i].B,
        .method = ways[i].method};
    const dmm_layout_desc layout = {.item_bytes = bytes, .kind = ways[i].kind, .B = ways[i].B};
    searched s = {.search = NULL, .host_keys = laid, .n = n};
    const dmm_status status = dmm_search_create(&s.search, job->ctx, &desc);
    if (status == DMM_UNSUPPORTED)
        return s;
    bench_require(status, "create");
    memcpy(laid, job->in.keys, n * bytes);
    bench_require(dmm_layout_host(job->ctx, &layout, laid, NULL, n), "layout");
    s.keys = bench_buffer(job->ctx, n * bytes);
    bench_write(job->ctx, s.keys, laid, n * bytes);
    return s;
}

/* Computes the ranks of queries on the host. */
static void *ranks_of(bench_job *job, size_t n, const void *queries)
{
    void *const ranks = bench_allocate(job->expected_bytes);
    const peer_lookup lookup = {job->in.keys, n, queries, job->n, ranks};
    peer_std_lower_bound(bench_kind(job), &lookup, 0);
    return ranks;
}

/* Adds those who are not dmm's. */
static size_t add_peers(bench_entrant *to, searched *sorted, searched *tree)
{
    size_t count = 0;
    for (int all = 0; all < 2; all++)
        to[count++] = (bench_entrant){.who = "std",
            .method = all ? "lower_bound_par" : "lower_bound",
            .which = all,
            .object = sorted,
            .call = search_std,
            .fault = bench_host_fault};
    to[count++] = (bench_entrant){.who = "plain",
        .method = "bst_prefetch",
        .object = tree,
        .call = search_tree,
        .fault = bench_host_fault};
    to[count++] = (bench_entrant){.who = "boost",
        .method = "lower_bound",
        .object = sorted,
        .own_ms = search_boost_ms,
        .fault = boost_fault};
    return count;
}

static void contest(bench_job *job, searched *objects, size_t n)
{
    const uint32_t bytes = dmm_type_bytes(job->options.type);
    bench_entrant entrants[NUM_ENTRANTS] = {{0}};
    size_t count = 0;
    char title[TITLE_BYTES] = "lower";
    for (size_t i = 0; i < NUM_WAYS; i++)
        if (objects[i].search != NULL) {
            entrants[count] = (bench_entrant){.who = "dmm",
                .method = ways[i].name,
                .with = bench_heard(job),
                .item_bytes = 2.0 * bytes,
                .object = &objects[i],
                .enqueue = enqueue,
                .fault = fault};
            count++;
        }
    if (n != job->n)
        snprintf(title, sizeof title, "lower_of_%zu", n);
    if (job->options.peers)
        count += add_peers(&entrants[count], &objects[0], &objects[1]);
    bench_contest(job, title, entrants, count);
}

static void run(bench_job *job)
{
    const bench_options *const o = &job->options;
    const dmm_sort_desc by_key = {.order = {.type = o->type}};
    searched objects[NUM_WAYS];
    if (!bench_peers_know(job) || o->value_bytes != 0)
        return;
    const size_t n = fill(job), bytes = dmm_type_bytes(o->type);
    void *const laid = bench_allocate(n * bytes), *const tree = bench_allocate(n * bytes);
    void *const sorted = bench_allocate(job->n * bytes);
    job->expected_bytes = job->n * bytes;
    job->expected = ranks_of(job, n, job->by);
    memcpy(sorted, job->by, job->n * bytes);
    bench_require(dmm_sort_host(job->ctx, &by_key, sorted, NULL, job->n), "sort");
    void *const sorted_ranks = ranks_of(job, n, sorted);
    cl_mem sorted_queries = bench_buffer(job->ctx, job->n * bytes);
    bench_write(job->ctx, sorted_queries, sorted, job->n * bytes);
    for (size_t i = 0; i < NUM_WAYS; i++) {
        objects[i] = make(job, i, n, ways[i].kind == DMM_LAYOUT_BST ? tree : laid);
        objects[i].queries = ways[i].sorted_queries ? sorted_queries : job->by_in;
        objects[i].host_expected = ways[i].sorted_queries ? sorted_ranks : job->expected;
    }
    contest(job, objects, n);
    for (size_t i = 0; i < NUM_WAYS; i++) {
        dmm_search_free(objects[i].search);
        if (objects[i].keys != NULL)
            clReleaseMemObject(objects[i].keys);
    }
    clReleaseMemObject(sorted_queries);
    free(sorted_ranks);
    free(sorted);
    free(laid);
    free(tree);
    job->n = n;
}

int main(int argc, char **argv)
{
    static const bench_word word = {"search", "random", "2^24", run};
    return bench_main(&word, argc, argv);
}
