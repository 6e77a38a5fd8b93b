/* SPDX-License-Identifier: MIT */
/*
 * Shortest paths in a directed graph from one or several sources: the distance of each vertex from
 * the nearest source, and its predecessor on such a path.
 *
 * Graph          compressed sparse rows: the edges of vertex v are offsets[v] .. offsets[v+1] - 1,
 *                edge e goes to targets[e] and has weight weights[e], u32 or f32, at least 0
 * Result         does not depend on method, device or run. No path: infinity, DMM_PATHS_NO_VERTEX
 * Blocks         enqueue waits: for its wait list, and a few times for one word from the device
 * In place       no
 * Cost           near-far: edges are read once for each round in which their vertex came nearer
 * Bank claim     all kernels: no local memory; DIJKSTRA: the heap as <dmm/heap.h>
 * Temp           20 bytes a vertex, and 8 for each work-item of a launch; DIJKSTRA: and, in the GPU
 *                form, a heap with its temp
 *
 * Details and sources are at the end of this file.
 */
#ifndef DMM_PATHS_H
#define DMM_PATHS_H

#include <dmm/context.h>

#ifdef __cplusplus
extern "C" {
#endif

#define DMM_PATHS_NO_VERTEX 0xffffffffu

typedef enum dmm_paths_method {
    DMM_PATHS_AUTO = 0,     /* near-far; CPU form, without a delta: Dijkstra's search by one
                               work-item while few vertices are reached and not final */
    DMM_PATHS_NEAR_FAR = 1, /* delta-stepping with two ranges of distances */
    DMM_PATHS_DIJKSTRA = 2  /* the least vertices of a dmm_heap, a round at a time; CPU form: one
                               work-item with a heap of its own, bulk and batch are unused */
} dmm_paths_method;

typedef struct dmm_paths_desc {
    dmm_type weight; /* DMM_U32 or DMM_F32; also of distances */
    dmm_paths_method method;
    double delta; /* width of the range of distances in which vertices are near; 0: W w_mean n / m,
                        w_mean of a sample of the weights, W the device's lanes (CPU form: 1);
                        HUGE_VAL: all are near, which makes rounds of Bellman-Ford. Affects speed
                        alone */
    uint64_t max_n; /* most vertices of a call; 0: as many as the device can hold, to 2^31
                        (DIJKSTRA: 2^20) */
    uint64_t bulk;  /* DIJKSTRA: most items of an update of the heap; 0: 1024 */
    uint64_t batch; /* DIJKSTRA: most vertices of a round, at most bulk; 0: 1, as in the thesis */
    dmm_tuning tuning;
    uint64_t reserved[4]; /* 0 */
} dmm_paths_desc;

typedef struct dmm_paths_args {
    dmm_span offsets; /* n + 1 uint64_t, none above m */
    dmm_span targets; /* m uint32_t */
    dmm_span weights; /* m */
    dmm_span sources; /* num_sources uint32_t; some may be equal */
    dmm_span stops;   /* num_stops uint32_t: the search ends when the distances of these vertices
                         are final. All distances greater than the greatest of them are infinity
                         then. If one has no path, none is cut. none (num_stops = 0): no such end */
    dmm_span distances_out;    /* n */
    dmm_span predecessors_out; /* n uint32_t; none: not computed */
    dmm_span report_out;       /* a dmm_report: see dmm_paths_enqueue; none: no report */
    dmm_span temp;
    uint64_t num_sources, num_stops;
    uint64_t reserved[4]; /* 0 */
} dmm_paths_args;

/* A report's detail of DMM_BAD_DATA: what is wrong at its position. */
typedef enum dmm_paths_fault {
    DMM_PATHS_OFFSET = 1, /* position: v, whose offset exceeds m or the offset of v + 1 */
    DMM_PATHS_TARGET = 2, /* position: an edge whose target is no vertex */
    DMM_PATHS_WEIGHT = 3, /* position: an edge whose weight is negative or NaN */
    DMM_PATHS_SOURCE = 4, /* position: in `sources`, of what is no vertex */
    DMM_PATHS_STOP = 5    /* position: in `stops`, likewise */
} dmm_paths_fault;

/* Built for one context and one description; for one thread at a time. */
typedef struct dmm_paths dmm_paths;

/* Errors: DMM_NULL_ARGUMENT, DMM_BAD_VALUE (weight; method; a delta that is negative or NaN; a
 * batch above bulk), those of dmm_scan_create and, for DIJKSTRA, dmm_heap_create. On failure *out
 * is NULL. */
DMM_API dmm_status dmm_paths_create(dmm_paths **out, dmm_context *ctx, const dmm_paths_desc *desc);
/* Monotone in n. DMM_TOO_LARGE beyond max_n. */
DMM_API dmm_status dmm_paths_temp_bytes(uint64_t *out, const dmm_paths *paths, uint64_t n);
/*
 * Finds the paths in a graph of n vertices and m edges. Waits, as said above: an event of the wait
 * list that only this thread can complete would never come. DMM_TOO_LARGE for n beyond max_n;
 * DMM_WRONG_RESULT if the device has lost a launch, or goes on for more steps than any graph of n
 * vertices takes; other errors and events as dmm_sort_enqueue. What only the device finds is in the
 * report:
 * DMM_BAD_DATA   the graph or a list is wrong, see dmm_paths_fault: the first fault, of offsets
 *                before those of edges, sources and stops. Nothing else is written, and nothing
 *                beyond the spans was read
 * DMM_TOO_LARGE  a vertex is only reached by paths of 2^32 - 1 or more (f32: whose sum is
 *                infinite), and no stop ended the search. It is as without a path; all else is
 *                right. The position is the least such vertex of those to which an edge leads from
 *                a vertex with a path: what is reached only by way of these is not looked at
 */
DMM_API dmm_status dmm_paths_enqueue(dmm_paths *paths, cl_command_queue queue,
    const dmm_paths_args *args, uint64_t n, uint64_t m, cl_uint num_wait, const cl_event *wait,
    cl_event *event);
/* NULL is fine. */
DMM_API void dmm_paths_free(dmm_paths *paths);

/* A graph in host memory, and what is found. */
typedef struct dmm_paths_host_args {
    const uint64_t *offsets;
    const uint32_t *targets;
    const void *weights;
    const uint32_t *sources, *stops;
    uint64_t num_sources, num_stops;
    void *distances_out;
    uint32_t *predecessors_out; /* NULL: not computed */
    dmm_report *report_out;     /* NULL: none */
} dmm_paths_host_args;
/* Blocks. Returns a report's code as its status; then only *report_out is written. */
DMM_API dmm_status dmm_paths_host(dmm_context *ctx, const dmm_paths_desc *desc,
    const dmm_paths_host_args *args, size_t n, size_t m);

/*
 * Details
 * Graph          Loops and repeated edges are fine. -0 is 0. Infinity, which is 2^32 - 1 in u32,
 *                means no edge. Sums of f32 are rounded from the source on, edge by edge
 * Predecessor    a source's is the source. Of the edges (u, v) on shortest paths, the least u with
 *                a distance less than v's. Where all of these u have v's own distance, after an
 *                edge of weight 0 or one that rounding absorbs: the least u of those nearest, in
 *                edges of this kind, to a vertex whose predecessor is nearer, or to a source. So
 *                predecessors form trees
 * Blocks         because the number of launches depends on the graph. When enqueue returns, some of
 *                its work may still be running
 * Cost           check: reads the graph once. Each width of distances reads the list of far
 *                vertices. DIJKSTRA, GPU form: two calls of a dmm_heap a round; with a batch of 1,
 *                a round a vertex. Predecessors read the graph once more. Rounds of few vertices
 *                run in one launch of one group, up to 256 of them; others take a launch each
 *
 * Source         A. Davidson, S. Baxter, M. Garland, J. Owens, "Work-Efficient Parallel GPU Methods
 *                for Single-Source Shortest Paths", IPDPS 2014, DOI 10.1109/IPDPS.2014.45, section
 *                4: near-far, and its width; U. Meyer, P. Sanders, "Delta-stepping: a
 *                parallelizable shortest path algorithm", J. Algorithms 49 (2003), DOI
 *                10.1016/S0196-6774(03)00076-2; S. Hong, S. Kim, T. Oguntebi, K. Olukotun,
 *                "Accelerating CUDA Graph Algorithms at Maximum Warp", PPoPP 2011, DOI
 *                10.1145/1941553.1941590: teams of lanes a vertex; K. Berney, "Parallel
 *                Cache-Efficient Algorithms on GPUs", PhD thesis, University of Hawai'i at Manoa,
 *                2023, section 3.5: DIJKSTRA
 * Differs        a far vertex is listed once; the device decides what the next launch does, so many
 *                launches are enqueued at a time. DIJKSTRA may take more than one vertex a round
 */

#ifdef __cplusplus
}
#endif

#endif
