/* SPDX-License-Identifier: MIT */
/*
 * The self-test's check of shortest paths: a random tree with a longer edge to each vertex.
 */
#include <stdlib.h>
#include <string.h>

#include <dmm/paths.h>

#include "core/check.h"
#include "primitives/selftest/selftest.h"

enum { EDGES_IN = 2, WEIGHTS = 16, BULKS = 7 };

/* A graph of n vertices and its answer: vertex 0 is the source. */
typedef struct tree {
    uint64_t n, m;
    uint64_t *offsets;
    uint32_t *targets, *weights, *distances, *parents;
} tree;

static void free_tree(tree *g)
{
    free(g->offsets);
    free(g->targets);
    free(g->weights);
    free(g->distances);
    free(g->parents);
}

static dmm_status allocate(tree *g, uint64_t n)
{
    const size_t most = (size_t)n + 2;
    g->n = n;
    g->m = n == 0 ? 0 : EDGES_IN * (n - 1);
    g->offsets = calloc(most, sizeof *g->offsets);
    g->targets = calloc(most, EDGES_IN * sizeof *g->targets);
    g->weights = calloc(most, EDGES_IN * sizeof *g->weights);
    g->distances = calloc(most, sizeof *g->distances);
    g->parents = calloc(most, sizeof *g->parents);
    const int all = g->offsets != NULL && g->targets != NULL && g->weights != NULL &&
                    g->distances != NULL && g->parents != NULL;
    return all ? DMM_OK : DMM_OUT_OF_MEMORY;
}

/* Returns the source of an edge into v: its parent, or any vertex. */
static uint32_t from_of(const dmm_trial *t, const tree *g, uint64_t v, int is_tree)
{
    const uint64_t bits = dmm_trial_bits(t, v) * 0x9e3779b97f4a7c15u >> 24;
    return (uint32_t)(is_tree ? bits % v : (bits >> 9) % g->n);
}

/* Returns its weight; that of an edge of no tree is greater than the distance of its ends. */
static uint32_t weight_of(const tree *g, uint64_t v, uint32_t from, int is_tree)
{
    const uint32_t own = 1 + (uint32_t)(v * 7 + from) % WEIGHTS;
    const uint32_t to = g->distances[v], at = g->distances[from];
    return is_tree || to < at ? own : to - at + own;
}

static void store(uint32_t *at, dmm_type type, uint32_t number)
{
    const float rounded = (float)number;
    if (type == DMM_F32)
        memcpy(at, &rounded, sizeof *at);
    else
        *at = number;
}

/* Makes the graph: distances and parents, then the edges, by their sources. */
static void fill(const dmm_trial *t, tree *g)
{
    for (uint64_t v = 1; v < g->n; v++) {
        const uint32_t parent = from_of(t, g, v, 1);
        g->parents[v] = parent;
        g->distances[v] = g->distances[parent] + weight_of(g, v, parent, 1);
        for (int is_tree = 0; is_tree < EDGES_IN; is_tree++)
            g->offsets[from_of(t, g, v, is_tree) + 2]++;
    }
    for (uint64_t v = 2; v <= g->n; v++)
        g->offsets[v] += g->offsets[v - 1];
    for (uint64_t v = 1; v < g->n; v++)
        for (int is_tree = 0; is_tree < EDGES_IN; is_tree++) {
            const uint32_t from = from_of(t, g, v, is_tree);
            const uint64_t edge = g->offsets[from + 1]++;
            g->targets[edge] = (uint32_t)v;
            store(&g->weights[edge], t->type, weight_of(g, v, from, is_tree));
        }
}

static dmm_status paths_by(dmm_trial *t, const dmm_paths_desc *desc)
{
    dmm_status status = DMM_OK;
    tree g = {.n = 0};
    const uint32_t source = 0;
    TRY(allocate(&g, t->n));
    fill(t, &g);
    const dmm_paths_host_args args = {.offsets = g.offsets,
        .targets = g.targets,
        .weights = g.weights,
        .sources = &source,
        .num_sources = t->n != 0,
        .distances_out = t->answer,
        .predecessors_out = t->answer_from};
    for (uint64_t v = 0; v < t->n; v++) {
        uint32_t distance;
        store(&distance, t->type, g.distances[v]);
        memcpy(t->expected + v * sizeof distance, &distance, sizeof distance);
        t->expected_from[v] = g.parents[v];
    }
    TRY(dmm_paths_host(t->ctx, desc, &args, (size_t)g.n, (size_t)g.m));
out:
    free_tree(&g);
    return status;
}

static dmm_status paths_in_one_range(dmm_trial *t)
{
    const dmm_paths_desc desc = {.weight = t->type, .delta = UINT32_MAX};
    return paths_by(t, &desc);
}

static dmm_status paths(dmm_trial *t)
{
    const dmm_paths_desc desc = {.weight = t->type};
    return paths_by(t, &desc);
}

/* A part of all vertices at a time, the least of a heap. */
static dmm_status paths_by_heap(dmm_trial *t)
{
    const uint64_t part = t->n / BULKS + 1;
    const dmm_paths_desc desc = {.weight = t->type,
        .method = DMM_PATHS_DIJKSTRA,
        .max_n = t->n,
        .bulk = part,
        .batch = part};
    return paths_by(t, &desc);
}

const dmm_check dmm_paths_checks[] = {
    {"paths, one range", paths_in_one_range, U32, 0},
    {"paths", paths, U32 | F32, 0},
    {"paths by a heap", paths_by_heap, U32, 0},
    {0},
};
