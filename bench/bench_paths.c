/* SPDX-License-Identifier: MIT */
/*
 * bench_paths [options]: dmm_paths from vertex 0 in a graph of n vertices, with predecessors, by
 * the method auto, several widths of ranges and a heap; --input names the graph
 * (<dmm-model/graph.h>): grid; rmat, with the greatest power of two in n; chain-D of D edges a
 * vertex, such as chain-1000. Peers, without predecessors: Boost.Graph's Dijkstra on one processor,
 * and delta-stepping in C++ on all.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dmm-model/graph.h>
#include <dmm/paths.h>

#include "peer_entrants.h"

/* Ways of dmm: auto, three widths, and a heap with one vertex a round or many. A heap's rounds take
 * long: of graphs beyond MOST_HELD vertices there are none. */
enum { NUM_WIDTHS = 4, NUM_WAYS = NUM_WIDTHS + 2, NUM_ENTRANTS = NUM_WAYS + 2 };
enum { LANES = 32, FEW_LANES = 4, MOST_HELD = 1 << 12, BULK = 1 << 10 };

typedef struct street_map {
    dmm_model_graph graph;
    cl_mem offsets, targets, weights, source, predecessors;
    dmm_paths *ways[NUM_WAYS];
    size_t num_ways;
    uint32_t width; /* width of ranges, for W = LANES */
    peer_graph peer;
    peer_boost_graph *boost;
} street_map;

static dmm_model_graph_desc desc_of(const bench_job *job)
{
    unsigned degree = 0;
    dmm_model_graph_desc desc = {.vertices = (uint32_t)job->n, .seed = 42};
    if (sscanf(job->input, "chain-%u", &degree) == 1)
        desc.edges = (uint64_t)degree * job->n;
    else if (strcmp(job->input, "grid") == 0)
        desc.kind = DMM_MODEL_GRAPH_GRID;
    else if (strcmp(job->input, "rmat") == 0)
        desc.kind = DMM_MODEL_GRAPH_RMAT;
    else
        bench_require(DMM_BAD_VALUE, "--input");
    return desc;
}

static dmm_status enqueue(bench_job *job, const bench_entrant *self, cl_event *event)
{
    const street_map *const s = self->object;
    const dmm_paths_args args = {.offsets = {s->offsets, 0},
        .targets = {s->targets, 0},
        .weights = {s->weights, 0},
        .sources = {s->source, 0},
        .num_sources = 1,
        .distances_out = {job->keys_out, 0},
        .predecessors_out = {s->predecessors, 0},
        .temp = {job->temp, 0}};
    return dmm_paths_enqueue(
        s->ways[self->which], job->queue, &args, s->graph.vertices, s->graph.edges, 0, NULL, event);
}

static int plain_paths(bench_job *job, const bench_entrant *self)
{
    const street_map *const s = self->object;
    return peer_plain_paths(
        &s->peer, (uint32_t *)(void *)job->out.keys, s->width / (LANES / FEW_LANES));
}

static int boost_dijkstra(bench_job *job, const bench_entrant *self)
{
    const street_map *const s = self->object;
    return peer_boost_dijkstra(s->boost, (uint32_t *)(void *)job->out.keys);
}

static cl_mem upload(const bench_job *job, const void *from, size_t bytes)
{
    const cl_mem to = bench_buffer(job->ctx, bytes);
    bench_write(job->ctx, to, from, bytes);
    return to;
}

/* Returns the mean weight * lanes / mean degree. */
static uint32_t width_of(const dmm_model_graph *g)
{
    double sum = 0;
    for (uint64_t e = 0; e < g->edges; e++)
        sum += g->weights[e];
    const double width = sum / (double)g->edges * LANES * (double)g->vertices / (double)g->edges;
    return width < 1 ? 1 : width < UINT32_MAX ? (uint32_t)width : UINT32_MAX;
}

static void open_map(street_map *s, bench_job *job)
{
    while (strcmp(job->input, "rmat") == 0 && (job->n & (job->n - 1)) != 0)
        job->n &= job->n - 1;
    const dmm_model_graph_desc desc = desc_of(job);
    const uint32_t source = 0;
    uint64_t temp_bytes = 0;
    bench_require((dmm_status)dmm_model_graph_make(&s->graph, &desc), "graph");
    const dmm_model_graph *const g = &s->graph;
    s->width = width_of(g);
    s->peer = (peer_graph){g->offsets, g->targets, g->weights, (size_t)g->vertices};
    s->boost = job->options.peers ? peer_boost_graph_make(&s->peer) : NULL;
    const double widths[NUM_WIDTHS] = {0, 0, s->width, s->width / (double)(LANES / FEW_LANES)};
    s->num_ways = g->vertices <= MOST_HELD ? NUM_WAYS : NUM_WIDTHS;
    for (size_t i = 0; i < s->num_ways; i++) {
        const int is_heap = i >= NUM_WIDTHS;
        const dmm_paths_desc paths = {.method = is_heap  ? DMM_PATHS_DIJKSTRA
                                                : i == 0 ? DMM_PATHS_AUTO
                                                         : DMM_PATHS_NEAR_FAR,
            .delta = is_heap ? 0 : widths[i],
            .max_n = g->vertices,
            .bulk = BULK,
            .batch = i == NUM_WIDTHS ? 1 : BULK / 4};
        uint64_t bytes = 0;
        bench_require(dmm_paths_create(&s->ways[i], job->ctx, &paths), "create");
        bench_require(dmm_paths_temp_bytes(&bytes, s->ways[i], g->vertices), "temp");
        temp_bytes = bytes > temp_bytes ? bytes : temp_bytes;
    }
    job->type = "u32";
    job->in = bench_items_new(DMM_U32, 0, job->n);
    job->out = bench_items_new(DMM_U32, 0, job->n);
    job->out_bytes = bench_key_bytes(&job->in);
    memset(job->in.keys, 0, job->out_bytes);
    bench_job_upload(job, temp_bytes);
    s->offsets = upload(job, g->offsets, (g->vertices + 1) * sizeof *g->offsets);
    s->targets = upload(job, g->targets, g->edges * sizeof *g->targets);
    s->weights = upload(job, g->weights, g->edges * sizeof *g->weights);
    s->source = upload(job, &source, sizeof source);
    s->predecessors = bench_buffer(job->ctx, g->vertices * sizeof(uint32_t));
    job->expected = bench_allocate(job->out_bytes);
    job->expected_bytes = job->out_bytes;
    peer_plain_paths(&s->peer, job->expected, s->width);
}

static void close_map(street_map *s)
{
    const cl_mem buffers[] = {s->offsets, s->targets, s->weights, s->source, s->predecessors};
    for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; i++)
        clReleaseMemObject(buffers[i]);
    for (size_t i = 0; i < s->num_ways; i++)
        dmm_paths_free(s->ways[i]);
    peer_boost_graph_free(s->boost);
    dmm_model_graph_free(&s->graph);
}

static void run(bench_job *job)
{
    static const char *const names[NUM_WAYS] = {
        "auto", "near_far", "near_far_W32", "near_far_W4", "heap", "heap_256"};
    street_map s = {.width = 0};
    bench_entrant entrants[NUM_ENTRANTS];
    if (job->options.type != DMM_U32 || job->options.value_bytes != 0)
        bench_require(DMM_UNSUPPORTED, "weights of u32 alone");
    open_map(&s, job);
    for (size_t i = 0; i < s.num_ways; i++)
        entrants[i] = (bench_entrant){.who = "dmm",
            .method = names[i],
            .beside = i,
            .with = i == 0 ? bench_heard(job) : entrants[0].with,
            .object = &s,
            .which = (int)i,
            .enqueue = enqueue,
            .fault = bench_device_fault};
    entrants[s.num_ways] = (bench_entrant){.who = "boost",
        .method = "dijkstra",
        .object = &s,
        .call = boost_dijkstra,
        .fault = bench_host_fault};
    entrants[s.num_ways + 1] = (bench_entrant){.who = "c++",
        .method = "delta_stepping",
        .object = &s,
        .call = plain_paths,
        .fault = bench_host_fault};
    printf("# %llu edges, width of ranges %u\n", (unsigned long long)s.graph.edges, s.width);
    bench_contest(job, "", entrants, s.num_ways + (job->options.peers ? 2 : 0));
    close_map(&s);
}

int main(int argc, char **argv)
{
    static const bench_word word = {"paths", "grid,rmat,chain-64", "2^12", run};
    return bench_main(&word, argc, argv);
}
