/* SPDX-License-Identifier: MIT */
#include "support/require.h"

#include "support/graph_case.h"

#include <stdlib.h>
#include <string.h>

#include "support/random.h"

enum { NONE_BITS = 0x7f800000, STOPS = 3 };

uint32_t graph_infinity(dmm_type type)
{
    return type == DMM_F32 ? NONE_BITS : UINT32_MAX;
}

uint32_t graph_sum(dmm_type type, uint32_t distance, uint32_t weight)
{
    float a, b;
    if (type != DMM_F32)
        return distance > UINT32_MAX - weight ? UINT32_MAX : distance + weight;
    memcpy(&a, &distance, sizeof a);
    memcpy(&b, &weight, sizeof b);
    a += b;
    memcpy(&distance, &a, sizeof a);
    return distance;
}

static void *allocate(uint64_t count, size_t bytes)
{
    void *const memory = calloc((size_t)count + 1, bytes);
    REQUIRE(memory != NULL);
    return memory;
}

static uint64_t edges_of(graph_kind kind, uint64_t n)
{
    switch (kind) {
    case GRAPH_STAR:
        return 2 * n;
    case GRAPH_CHAIN:
        return n == 0 ? 0 : 5 * (n - 1);
    case GRAPH_SPARSE:
        return n / 2;
    case GRAPH_EMPTY:
        return 0;
    default:
        return 6 * n;
    }
}

/* Chooses the ends of edge e. */
static void draw_ends(
    graph_kind kind, uint64_t n, uint64_t e, random_source *random, uint32_t *u, uint32_t *v)
{
    *u = (uint32_t)random_below(random, n);
    *v = (uint32_t)random_below(random, n);
    if (kind == GRAPH_STAR) {
        *u = e < n ? 0 : (uint32_t)(e - n);
        *v = e < n ? (uint32_t)e : 0;
    } else if (kind == GRAPH_CHAIN) {
        *u = (uint32_t)(e < n - 1 ? e : random_below(random, n - 1));
        *v = (uint32_t)(e < n - 1 ? e + 1 : *u + 1 + random_below(random, n - 1 - *u));
    }
}

/* Chooses the weight of an edge. */
static uint32_t draw_weight(
    graph_kind kind, dmm_type type, uint64_t span, int is_link, random_source *random)
{
    const uint64_t dice = random_below(random, 8);
    uint64_t number = 1 + random_below(random, 1000);
    uint32_t bits;
    if (kind == GRAPH_ZEROS)
        number = dice < 6 ? 0 : dice;
    if (kind == GRAPH_CHAIN)
        number = is_link ? 1 : 2 * span;
    if (kind == GRAPH_FAR && dice < 4)
        number = dice == 0 ? UINT32_MAX : random_next(random) >> 32;
    if (type != DMM_F32)
        return (uint32_t)number;
    float x = (float)number;
    if (kind == GRAPH_RANDOM)
        x /= 7;
    if (kind == GRAPH_ZEROS)
        x = dice == 0 ? -0.0f : dice == 1 ? 1e-12f : x;
    if (kind == GRAPH_FAR && dice < 4)
        x *= 1e29f;
    memcpy(&bits, &x, sizeof bits);
    return kind == GRAPH_FAR && dice == 0 ? NONE_BITS : bits;
}

static void draw_lists(graph_case *g, random_source *random)
{
    for (uint64_t i = 0; i < g->num_sources; i++)
        g->sources[i] = (uint32_t)(i == 0 ? 0 : random_below(random, g->n));
    for (uint64_t i = 0; i < STOPS && g->n != 0; i++)
        g->stops[i] = (uint32_t)random_below(random, g->n);
}

graph_case graph_make(
    graph_kind kind, dmm_type type, uint64_t n, uint64_t num_sources, uint64_t seed)
{
    random_source random = {seed};
    graph_case g = {.type = type,
        .n = n,
        .m = n == 0 ? 0 : edges_of(kind, n),
        .num_sources = n == 0 ? 0 : num_sources};
    uint32_t *const from = allocate(g.m, 4), *const to = allocate(g.m, 4);
    g.offsets = allocate(n + 2, sizeof *g.offsets);
    g.targets = allocate(g.m, 4);
    g.weights = allocate(g.m, 4);
    g.sources = allocate(g.num_sources, 4);
    g.stops = allocate(STOPS, 4);
    g.distances = allocate(n, 4);
    g.predecessors = allocate(n, 4);
    g.right = allocate(n, 4);
    g.parents = allocate(n, 4);
    for (uint64_t e = 0; e < g.m; e++) {
        draw_ends(kind, n, e, &random, &from[e], &to[e]);
        g.offsets[from[e] + 2]++;
    }
    for (uint64_t v = 2; v <= n; v++)
        g.offsets[v] += g.offsets[v - 1];
    for (uint64_t e = 0; e < g.m; e++) {
        const uint64_t at = g.offsets[from[e] + 1]++;
        g.targets[at] = to[e];
        g.weights[at] = draw_weight(kind, type, (uint64_t)to[e] - from[e], e < n - 1, &random);
    }
    draw_lists(&g, &random);
    free(from);
    free(to);
    graph_solve(&g);
    return g;
}

void graph_free(graph_case *g)
{
    void *const arrays[] = {g->offsets, g->targets, g->weights, g->sources, g->stops, g->distances,
        g->predecessors, g->right, g->parents};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
        free(arrays[i]);
}

/* A binary heap of distance << 32 | vertex. */
static void heap_push(uint64_t *heap, uint64_t *size, uint64_t entry)
{
    uint64_t at = (*size)++;
    for (; at > 0 && heap[(at - 1) / 2] > entry; at = (at - 1) / 2)
        heap[at] = heap[(at - 1) / 2];
    heap[at] = entry;
}

static uint64_t heap_pop(uint64_t *heap, uint64_t *size)
{
    const uint64_t least = heap[0], entry = heap[--*size];
    uint64_t at = 0;
    for (uint64_t child = 1; child < *size; child = 2 * at + 1) {
        child += child + 1 < *size && heap[child + 1] < heap[child];
        if (heap[child] >= entry)
            break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = entry;
    return least;
}

static void find_distances(graph_case *g)
{
    uint64_t *const heap = allocate(g->m + g->num_sources, sizeof *heap), size = 0;
    for (uint64_t v = 0; v < g->n; v++)
        g->right[v] = graph_infinity(g->type);
    for (uint64_t i = 0; i < g->num_sources; i++) {
        g->right[g->sources[i]] = 0;
        heap_push(heap, &size, g->sources[i]);
    }
    while (size > 0) {
        const uint64_t entry = heap_pop(heap, &size);
        const uint32_t u = (uint32_t)entry, distance = (uint32_t)(entry >> 32);
        for (uint64_t e = g->offsets[u]; e < g->offsets[u + 1] && distance == g->right[u]; e++) {
            const uint32_t sum = graph_sum(g->type, distance, g->weights[e]), v = g->targets[e];
            if (sum < g->right[v]) {
                g->right[v] = sum;
                heap_push(heap, &size, (uint64_t)sum << 32 | v);
            }
        }
    }
    free(heap);
}

/* True if edge e of u is on a shortest path. */
static int is_tight(const graph_case *g, const uint32_t *distances, uint32_t u, uint64_t e)
{
    const uint32_t to = distances[g->targets[e]];
    return to != graph_infinity(g->type) && graph_sum(g->type, distances[u], g->weights[e]) == to;
}

/* Level 0: predecessors that are nearer, and sources. Level k: edges of level k - 1. */
static void find_parents(graph_case *g)
{
    uint32_t *const levels = allocate(g->n, sizeof *levels);
    int again = 1;
    memset(levels, 0xff, (size_t)g->n * sizeof *levels);
    memset(g->parents, 0xff, (size_t)g->n * sizeof *g->parents);
    for (uint64_t i = 0; i < g->num_sources; i++) {
        g->parents[g->sources[i]] = g->sources[i];
        levels[g->sources[i]] = 0;
    }
    for (uint32_t level = 0; again; level++) {
        again = level == 0;
        for (uint32_t u = 0; u < g->n; u++)
            for (uint64_t e = g->offsets[u]; e < g->offsets[u + 1]; e++) {
                const uint32_t v = g->targets[e];
                const int joins = level == 0 ? g->right[u] < g->right[v]
                                             : levels[u] == level - 1 && levels[v] >= level &&
                                                   g->right[u] == g->right[v];
                if (!joins || !is_tight(g, g->right, u, e))
                    continue;
                again |= levels[v] != level;
                levels[v] = level;
                g->parents[v] = u < g->parents[v] ? u : g->parents[v];
            }
    }
    free(levels);
}

void graph_solve(graph_case *g)
{
    uint32_t cut = 0;
    find_distances(g);
    for (uint64_t i = 0; i < g->num_stops; i++)
        cut = g->right[g->stops[i]] > cut ? g->right[g->stops[i]] : cut;
    for (uint64_t v = 0; v < g->n && g->num_stops != 0; v++)
        if (g->right[v] > cut)
            g->right[v] = graph_infinity(g->type);
    find_parents(g);
}

const char *graph_judge_by_oracle(const graph_case *g)
{
    for (uint64_t v = 0; v < g->n; v++) {
        if (g->distances[v] != g->right[v])
            return "a distance is another";
        if (g->predecessors[v] != g->parents[v])
            return "a predecessor is another";
    }
    return NULL;
}

/* True if the walk along predecessors from v ends at a source: marks the way. */
static int is_rooted(const graph_case *g, unsigned char *is_good, uint32_t v)
{
    uint64_t steps = 0;
    uint32_t at = v;
    while (!is_good[at] && g->predecessors[at] != at) {
        if (steps++ == g->n)
            return 0;
        at = g->predecessors[at];
    }
    for (at = v; !is_good[at]; at = g->predecessors[at])
        is_good[at] = 1;
    return 1;
}

/* Edges of u shorten nothing, and the tight ones from nearer vertices have no lesser source than
 * the predecessors. Counts the edges that predecessors name. */
static const char *judge_edges(const graph_case *g, uint32_t u, unsigned char *is_named)
{
    if (g->distances[u] == graph_infinity(g->type))
        return NULL;
    for (uint64_t e = g->offsets[u]; e < g->offsets[u + 1]; e++) {
        const uint32_t v = g->targets[e], p = g->predecessors[v];
        const uint32_t sum = graph_sum(g->type, g->distances[u], g->weights[e]);
        if (sum < g->distances[v] && g->num_stops == 0)
            return "an edge shortens a distance";
        if (!is_tight(g, g->distances, u, e) || p == v)
            continue;
        if (g->distances[u] < g->distances[v] && (p > u || g->distances[p] == g->distances[v]))
            return "a lesser vertex is on a path as short";
        is_named[v] |= p == u;
    }
    return NULL;
}

const char *graph_judge_by_property(const graph_case *g)
{
    const uint32_t infinity = graph_infinity(g->type);
    unsigned char *const is_named = allocate(g->n, 1), *const is_good = allocate(g->n, 1);
    const char *fault = NULL;
    for (uint64_t i = 0; i < g->num_sources; i++) {
        const uint32_t s = g->sources[i];
        is_named[s] = 1;
        if (g->distances[s] != 0 || g->predecessors[s] != s)
            fault = "a source is not at distance 0, or has another predecessor";
    }
    for (uint32_t v = 0; v < g->n && fault == NULL; v++) {
        const uint32_t p = g->predecessors[v];
        if (p == UINT32_MAX ? g->distances[v] != infinity : p >= g->n)
            fault = "a predecessor is no vertex";
        else if (p != UINT32_MAX && (g->distances[v] == infinity || g->distances[p] == infinity))
            fault = "a vertex without path has a predecessor, or is one";
    }
    for (uint32_t u = 0; u < g->n && fault == NULL; u++)
        fault = judge_edges(g, u, is_named);
    for (uint32_t v = 0; v < g->n && fault == NULL; v++)
        if (g->predecessors[v] != UINT32_MAX && (!is_named[v] || !is_rooted(g, is_good, v)))
            fault = "a predecessor has no such edge, or predecessors go round";
    free(is_named);
    free(is_good);
    return fault;
}
