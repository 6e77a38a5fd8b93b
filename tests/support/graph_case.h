/* SPDX-License-Identifier: MIT */
/*
 * Graphs for tests of dmm_paths, and two judges of what it finds: an oracle, which is Dijkstra's
 * algorithm and the definition of predecessors; and properties, which prove distances right without
 * finding any.
 */
#ifndef DMM_TESTS_GRAPH_CASE_H
#define DMM_TESTS_GRAPH_CASE_H

#include <dmm/paths.h>

/* Distances and weights are bits: of u32, or of f32 that is at least 0. */
typedef struct graph_case {
    dmm_type type;
    uint64_t n, m, num_sources, num_stops;
    uint64_t *offsets;
    uint32_t *targets, *weights, *sources, *stops;
    uint32_t *distances, *predecessors; /* what was found */
    uint32_t *right, *parents;          /* what the oracle says */
} graph_case;

typedef enum graph_kind {
    GRAPH_RANDOM, /* with loops and repeated edges */
    GRAPH_ZEROS,  /* most weights are 0, or rounded away */
    GRAPH_STAR,   /* vertex 0 has edges to all, and all to vertex 0 */
    GRAPH_CHAIN,  /* the shortest paths have all vertices; longer edges lead forward */
    GRAPH_SPARSE, /* most vertices have no path */
    GRAPH_FAR,    /* weights up to infinity */
    GRAPH_EMPTY,  /* no edges */
    NUM_GRAPH_KINDS
} graph_kind;

uint32_t graph_infinity(dmm_type type);
/* Returns the sum as dmm_paths defines it. */
uint32_t graph_sum(dmm_type type, uint32_t distance, uint32_t weight);

/* Makes a graph, with sources and stops, and finds the right answer. */
graph_case graph_make(
    graph_kind kind, dmm_type type, uint64_t n, uint64_t num_sources, uint64_t seed);
void graph_free(graph_case *g);
/* Finds it again, after a change. */
void graph_solve(graph_case *g);

/* NULL, or what is wrong. */
const char *graph_judge_by_oracle(const graph_case *g);
const char *graph_judge_by_property(const graph_case *g);

#endif
