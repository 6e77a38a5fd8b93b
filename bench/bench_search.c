/* SPDX-License-Identifier: MIT */
/*
 * bench_search [options]: lower bounds of n random queries in n sorted keys (u32 or u64), and in
 * their layouts, beside std::lower_bound a query, on one processor and on all, and a search in a
 * binary tree with prefetching in C (u32, one processor). The model reads a query and writes a
 * rank; probes of the keys are not in it. bench_layout has the times of the layouts.
 */
#include <stdlib.h>
#include <string.h>

#include <dmm/layout.h>
#include <dmm/search.h>
#include <dmm/sort.h>

#include "peer_entrants.h"

/* Layouts searched, the sorted order first. */
static const struct {
    const char *name;
    dmm_layout_kind kind;
    uint32_t B;
} layouts[] = {{"search", DMM_LAYOUT_SORTED, 1}, {"bst", DMM_LAYOUT_BST, 1},
    {"btree16", DMM_LAYOUT_BTREE, 16}, {"btree32", DMM_LAYOUT_BTREE, 32},
    {"veb", DMM_LAYOUT_VEB, 1}, {"mveb", DMM_LAYOUT_MVEB, 1}};
enum { NUM_LAYOUTS = sizeof layouts / sizeof layouts[0], NUM_ENTRANTS = NUM_LAYOUTS + 3 };

/* An object and its keys. */
typedef struct searched {
    dmm_search *search;
    cl_mem keys;
} searched;

static dmm_status enqueue(bench_job *job, const bench_entrant *self, cl_event *event)
{
    const searched *const s = self->object;
    const dmm_search_args args = {
        .keys = {s->keys, 0}, .queries = {job->by_in, 0}, .out = {job->keys_out, 0}};
    return dmm_search_enqueue(s->search, job->queue, &args, job->n, job->n, 0, NULL, event);
}

/* Searches in a binary tree, level by level, and fetches four levels ahead. */
static int search_tree(bench_job *job, const bench_entrant *self)
{
    const uint32_t *const keys = self->object, *const queries = job->by;
    uint32_t *const out = (void *)job->out.keys;
    const size_t n = job->n;
    size_t full = 0;
    if (job->options.type != DMM_U32)
        return 0;
    while (2 * full + 1 <= n)
        full = 2 * full + 1;
    for (size_t i = 0; i < n; i++) {
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

/* Creates the search in a layout, and its keys on the device; `laid` has them on the host. */
static searched make(bench_job *job, size_t i, void *laid)
{
    const uint32_t bytes = dmm_type_bytes(job->options.type);
    const dmm_search_desc desc = {.order = {.type = job->options.type},
        .rank_bytes = bytes,
        .layout = layouts[i].kind,
        .B = layouts[i].B};
    const dmm_layout_desc layout = {
        .item_bytes = bytes, .kind = layouts[i].kind, .B = layouts[i].B};
    searched s = {.search = NULL};
    bench_require(dmm_search_create(&s.search, job->ctx, &desc), "create");
    memcpy(laid, job->in.keys, job->n * bytes);
    bench_require(dmm_layout_host(job->ctx, &layout, laid, NULL, job->n), "layout");
    s.keys = bench_buffer(job->ctx, job->n * bytes);
    bench_write(job->ctx, s.keys, laid, job->n * bytes);
    return s;
}

static void run(bench_job *job)
{
    const bench_options *const o = &job->options;
    const uint32_t bytes = dmm_type_bytes(o->type);
    searched objects[NUM_LAYOUTS];
    bench_entrant entrants[NUM_ENTRANTS] = {{0}};
    if (!bench_peers_know(job) || o->value_bytes != 0)
        return;
    fill(job);
    void *const laid = bench_allocate(job->n * bytes), *const tree = bench_allocate(job->n * bytes);
    for (size_t i = 0; i < NUM_LAYOUTS; i++) {
        objects[i] = make(job, i, layouts[i].kind == DMM_LAYOUT_BST ? tree : laid);
        entrants[i] = (bench_entrant){.who = "dmm",
            .method = layouts[i].name,
            .with = bench_heard(job),
            .item_bytes = 2.0 * bytes,
            .object = &objects[i],
            .enqueue = enqueue,
            .fault = bench_device_fault};
    }
    entrants[NUM_LAYOUTS] = (bench_entrant){
        .who = "std", .method = "lower_bound", .call = search_std, .fault = bench_host_fault};
    entrants[NUM_LAYOUTS + 1] = (bench_entrant){.who = "std",
        .method = "lower_bound_par",
        .which = 1,
        .call = search_std,
        .fault = bench_host_fault};
    entrants[NUM_LAYOUTS + 2] = (bench_entrant){.who = "plain",
        .method = "bst_prefetch",
        .object = tree,
        .call = search_tree,
        .fault = bench_host_fault};
    job->expected_bytes = job->n * bytes;
    job->expected = bench_allocate(job->expected_bytes);
    peer_std_lower_bound(bench_kind(job), job->in.keys, job->n, job->by, job->expected, 0);
    bench_contest(job, "lower", entrants, o->peers ? NUM_ENTRANTS : NUM_LAYOUTS);
    for (size_t i = 0; i < NUM_LAYOUTS; i++) {
        dmm_search_free(objects[i].search);
        clReleaseMemObject(objects[i].keys);
    }
    free(laid);
    free(tree);
}

int main(int argc, char **argv)
{
    static const bench_word word = {"search", "random", "2^24", run};
    return bench_main(&word, argc, argv);
}
