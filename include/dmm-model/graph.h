/* SPDX-License-Identifier: MIT */
/*
 * Graphs for shortest paths, with weights in u32, as compressed sparse rows. The same seed makes
 * the same graph.
 * Sources: K. Berney, "Parallel Cache-Efficient Algorithms on GPUs", PhD thesis, University of
 * Hawai'i at Manoa, 2023, section 3.5.2 (chain); D. Chakrabarti, Y. Zhan, C. Faloutsos, "R-MAT: A
 * Recursive Model for Graph Mining", SDM 2004, DOI 10.1137/1.9781611972740.43.
 */
#ifndef DMM_MODEL_GRAPH_H
#define DMM_MODEL_GRAPH_H

#include <stdint.h>
#include <dmm-model/export.h>
#include <dmm-model/status.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum dmm_model_graph_kind {
    /* Edges (v, v + 1) of weight 1, and others (u, v), u + 1 < v, of weight 2 (v - u), as many from
     * each u as from all others, as far as there are targets: one in each of equal parts of the
     * vertices that follow. The path from 0 to v has v edges. The thesis prints the weight as
     * 2 (u - v). */
    DMM_MODEL_GRAPH_CHAIN = 0,
    /* Vertices in rows of `columns`; streets to neighbours in the row and in the column, in both
     * directions with one weight; one of eight is missing. */
    DMM_MODEL_GRAPH_GRID = 1,
    /* Random edges among 2^k vertices, of which few have most: each of the k levels chooses a
     * quarter of the matrix with probabilities 0.57, 0.19, 0.19, 0.05. */
    DMM_MODEL_GRAPH_RMAT = 2
} dmm_model_graph_kind;

/* Zero means default. */
typedef struct dmm_model_graph_desc {
    dmm_model_graph_kind kind;
    uint32_t vertices; /* 1 to 2^31; GRID: a multiple of columns; RMAT: a power of two */
    uint64_t edges;    /* CHAIN: at least vertices - 1, at most vertices (vertices - 1) / 2; 0: 16
                          vertices, or as many as there can be. RMAT: 0: 16 vertices. GRID: 0 */
    uint32_t columns;  /* GRID: 0: about the square root of vertices that divides them */
    uint32_t weight;   /* GRID, RMAT: weights are 1 to this; 0: 1000 */
    uint64_t seed;
} dmm_model_graph_desc;

/* The edges of vertex v are offsets[v] .. offsets[v + 1] - 1. */
typedef struct dmm_model_graph {
    uint64_t vertices, edges;
    uint32_t columns;  /* GRID; otherwise 0 */
    uint64_t *offsets; /* vertices + 1 */
    uint32_t *targets, *weights;
} dmm_model_graph;

/* Makes a graph. DMM_MODEL_NULL_ARGUMENT; DMM_MODEL_BAD_VALUE: a field out of range;
 * DMM_MODEL_OUT_OF_MEMORY. On failure *out is empty. */
DMM_MODEL_API dmm_model_status dmm_model_graph_make(
    dmm_model_graph *out, const dmm_model_graph_desc *desc);
/* Frees the arrays. An empty graph is fine. */
DMM_MODEL_API void dmm_model_graph_free(dmm_model_graph *graph);

#ifdef __cplusplus
}
#endif

#endif
