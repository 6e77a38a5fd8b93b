/* SPDX-License-Identifier: MIT */
/*
 * Graphs for shortest paths.
 */
#include <dmm-model/graph.h>

#include <stdlib.h>

#include "cl/hash.clh"

enum { DEFAULT_DEGREE = 16, DEFAULT_WEIGHT = 1000, MISSING = 8, DIRECTIONS = 4 };

/* Returns the number at a place of SplitMix64's sequence: without those before. */
static uint64_t drawn(uint64_t seed, uint64_t place)
{
    return dmm_mix(seed + (place + 1) * DMM_GOLDEN);
}

static int allocate(dmm_model_graph *g)
{
    g->offsets = calloc((size_t)g->vertices + 1, sizeof *g->offsets);
    g->targets = malloc(((size_t)g->edges + 1) * sizeof *g->targets);
    g->weights = malloc(((size_t)g->edges + 1) * sizeof *g->weights);
    return g->offsets != NULL && g->targets != NULL && g->weights != NULL;
}

static void add(dmm_model_graph *g, uint64_t at, uint64_t target, uint64_t weight)
{
    g->targets[at] = (uint32_t)target;
    g->weights[at] = (uint32_t)weight;
}

/* Edges beside that to the next vertex: from the last vertex on, each takes its share of what is
 * left, at most one for each target. */
static void make_chain(dmm_model_graph *g, uint64_t seed)
{
    const uint64_t n = g->vertices;
    uint64_t left = g->edges - (n - 1), end = g->edges;
    g->offsets[n] = end;
    for (uint64_t u = n; u-- > 0;) {
        const uint64_t targets = u + 2 < n ? n - u - 2 : 0, share = (left + u) / (u + 1);
        const uint64_t extra = share < targets ? share : targets;
        left -= extra;
        end -= extra + (u + 1 < n);
        g->offsets[u] = end;
        if (u + 1 < n)
            add(g, end, u + 1, 1);
        for (uint64_t i = 0; i < extra; i++) {
            const uint64_t first = targets * i / extra, next = targets * (i + 1) / extra;
            const uint64_t step = 2 + first + drawn(seed, end + i) % (next - first);
            add(g, end + 1 + i, u + step, 2 * step);
        }
    }
}

/* The weight of the street between two neighbours, the lesser first; 0: there is none. */
static uint64_t street(const dmm_model_graph_desc *desc, uint64_t a, uint64_t b)
{
    const uint64_t random = drawn(desc->seed, 2 * a + (b != a + 1));
    return random % MISSING == 0 ? 0 : 1 + (random >> 32) % desc->weight;
}

static void make_grid(dmm_model_graph *g, const dmm_model_graph_desc *desc)
{
    const uint64_t columns = g->columns, n = g->vertices;
    uint64_t at = 0;
    for (uint64_t v = 0; v < n; v++) {
        const uint64_t column = v % columns;
        const struct {
            int is_there;
            uint64_t to;
        } sides[DIRECTIONS] = {{v >= columns, v - columns}, {column > 0, v - 1},
            {column + 1 < columns, v + 1}, {v + columns < n, v + columns}};
        for (int i = 0; i < DIRECTIONS; i++) {
            const uint64_t to = sides[i].to;
            const uint64_t weight =
                !sides[i].is_there ? 0 : street(desc, v < to ? v : to, v < to ? to : v);
            if (weight != 0)
                add(g, at++, to, weight);
        }
        g->offsets[v + 1] = at;
    }
    g->edges = at;
}

/* The ends of edge e: two bits a level, by a number below 100. */
static void rmat_ends(const dmm_model_graph *g, uint64_t seed, uint64_t e, uint64_t *u, uint64_t *v)
{
    *u = *v = 0;
    for (uint64_t size = g->vertices, level = 0; size > 1; size /= 2, level++) {
        const uint64_t dice = (drawn(seed + level, e) >> 32) % 100;
        *u = 2 * *u + (dice >= 57 + 19);
        *v = 2 * *v + ((dice >= 57 && dice < 57 + 19) || dice >= 57 + 19 + 19);
    }
}

static void make_rmat(dmm_model_graph *g, const dmm_model_graph_desc *desc)
{
    uint64_t u, v, sum = 0;
    for (uint64_t e = 0; e < g->edges; e++) {
        rmat_ends(g, desc->seed, e, &u, &v);
        g->offsets[u]++;
    }
    for (uint64_t x = 0; x <= g->vertices; x++) {
        sum += g->offsets[x];
        g->offsets[x] = sum; /* the end of x: edges fill it from there */
    }
    for (uint64_t e = g->edges; e-- > 0;) {
        rmat_ends(g, desc->seed, e, &u, &v);
        add(g, --g->offsets[u], v, 1 + drawn(~desc->seed, e) % desc->weight);
    }
}

/* Replaces zeros by the defaults, and checks the rest. */
static dmm_model_status settle(dmm_model_graph_desc *d)
{
    const uint64_t n = d->vertices, most = n * (n - 1) / 2;
    if (n == 0 || n > (uint64_t)1 << 31)
        return DMM_MODEL_BAD_VALUE;
    d->weight = d->weight != 0 ? d->weight : DEFAULT_WEIGHT;
    switch (d->kind) {
    case DMM_MODEL_GRAPH_CHAIN:
        if (d->edges == 0)
            d->edges = DEFAULT_DEGREE * n > most ? most : DEFAULT_DEGREE * n;
        return d->edges >= n - 1 && d->edges <= most ? DMM_MODEL_OK : DMM_MODEL_BAD_VALUE;
    case DMM_MODEL_GRAPH_GRID:
        if (d->columns == 0)
            for (uint64_t c = 1; c * c <= n; c++)
                d->columns = n % c == 0 ? (uint32_t)c : d->columns;
        if (d->edges != 0 || n % d->columns != 0)
            return DMM_MODEL_BAD_VALUE;
        d->edges = DIRECTIONS * n;
        return DMM_MODEL_OK;
    case DMM_MODEL_GRAPH_RMAT:
        d->edges = d->edges != 0 ? d->edges : DEFAULT_DEGREE * n;
        return (n & (n - 1)) == 0 ? DMM_MODEL_OK : DMM_MODEL_BAD_VALUE;
    default:
        return DMM_MODEL_BAD_VALUE;
    }
}

dmm_model_status dmm_model_graph_make(dmm_model_graph *out, const dmm_model_graph_desc *desc)
{
    if (out == NULL)
        return DMM_MODEL_NULL_ARGUMENT;
    *out = (dmm_model_graph){.vertices = 0};
    if (desc == NULL)
        return DMM_MODEL_NULL_ARGUMENT;
    dmm_model_graph_desc d = *desc;
    const dmm_model_status status = settle(&d);
    if (status != DMM_MODEL_OK)
        return status;
    dmm_model_graph g = {.vertices = d.vertices, .edges = d.edges};
    if (!allocate(&g)) {
        dmm_model_graph_free(&g);
        return DMM_MODEL_OUT_OF_MEMORY;
    }
    if (d.kind == DMM_MODEL_GRAPH_CHAIN) {
        make_chain(&g, d.seed);
    } else if (d.kind == DMM_MODEL_GRAPH_GRID) {
        g.columns = d.columns;
        make_grid(&g, &d);
    } else {
        make_rmat(&g, &d);
    }
    *out = g;
    return DMM_MODEL_OK;
}

void dmm_model_graph_free(dmm_model_graph *graph)
{
    if (graph == NULL)
        return;
    free(graph->offsets);
    free(graph->targets);
    free(graph->weights);
    *graph = (dmm_model_graph){.vertices = 0};
}
