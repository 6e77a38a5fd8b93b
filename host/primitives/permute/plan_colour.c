/* SPDX-License-Identifier: MIT */
/*
 * Edge colouring of regular bipartite multigraphs whose degree is a power of two, by splitting
 * along Euler circuits: edges are paired at each vertex, which makes even circuits; taking every
 * other edge of each halves the degree of all vertices.
 */
#include "primitives/permute/permutation_plan.h"

#include <string.h>

#define NOBODY UINT32_MAX

/* Lists of edge numbers; each edge's partner at its left and its right vertex; each vertex's edge
 * that has no partner yet. */
typedef struct splitting {
    const dmm_graph *graph;
    uint32_t *colours, *edges, *spare, *at_left, *at_right, *pending;
} splitting;

uint64_t dmm_graph_scratch(uint32_t vertices, uint64_t edges)
{
    return 4 * edges + vertices;
}

/* partners[e] = the other edge of the pair that edge e is in at its vertex. */
static void pair_up(const splitting *s, const uint32_t *edges, uint64_t count,
    const uint32_t *vertex_of, uint32_t *partners)
{
    memset(s->pending, 0xff, s->graph->vertices * sizeof *s->pending);
    for (uint64_t e = 0; e < count; e++) {
        uint32_t *waiting = &s->pending[vertex_of[edges[e]]];
        if (*waiting == NOBODY) {
            *waiting = (uint32_t)e;
            continue;
        }
        partners[e] = *waiting;
        partners[*waiting] = (uint32_t)e;
        *waiting = NOBODY;
    }
}

/* Moves every other edge of each circuit to the spare list, and the others to the front. Clears the
 * left partner of an edge when the edge is taken. */
static void halve(const splitting *s, uint32_t *edges, uint64_t count)
{
    uint64_t kept = 0, moved = 0;
    for (uint64_t e = 0; e < count; e++)
        for (uint32_t x = (uint32_t)e; s->at_left[x] != NOBODY;) {
            const uint32_t y = s->at_right[x], next = s->at_left[y];
            s->spare[kept++] = edges[x];
            s->spare[count / 2 + moved++] = edges[y];
            s->at_left[x] = NOBODY;
            s->at_left[y] = NOBODY;
            x = next;
        }
    memcpy(edges, s->spare, (size_t)(count * sizeof *edges));
}

static void split(
    const splitting *s, uint32_t *edges, uint64_t count, uint32_t degree, uint32_t colour)
{
    if (degree == 1) {
        for (uint64_t e = 0; e < count; e++)
            s->colours[edges[e]] = colour;
        return;
    }
    pair_up(s, edges, count, s->graph->left, s->at_left);
    pair_up(s, edges, count, s->graph->right, s->at_right);
    halve(s, edges, count);
    split(s, edges, count / 2, degree / 2, colour);
    split(s, edges + count / 2, count / 2, degree / 2, colour + degree / 2);
}

void dmm_graph_colour(uint32_t *colours, const dmm_graph *graph)
{
    const uint64_t count = (uint64_t)graph->vertices * graph->degree;
    const splitting s = {.graph = graph,
        .colours = colours,
        .edges = graph->scratch,
        .spare = graph->scratch + count,
        .at_left = graph->scratch + 2 * count,
        .at_right = graph->scratch + 3 * count,
        .pending = graph->scratch + 4 * count};
    for (uint64_t e = 0; e < count; e++)
        s.edges[e] = (uint32_t)e;
    split(&s, s.edges, count, graph->degree, 0);
}
