/* SPDX-License-Identifier: MIT */
/*
 * Peers of dmm, behind a C interface. Functions that return an int return 1, or 0, having done
 * nothing, if their library is not available. peers/no_<part>.cpp replaces a part that was not
 * available to the build.
 */
#ifndef DMM_BENCH_PEERS_H
#define DMM_BENCH_PEERS_H

#include <stddef.h>
#include <stdint.h>

#include <CL/cl.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Pairs lie in one array, the key in the high half of a 64-bit number and the value in the low one;
 * or, where a function takes values, in two. */
typedef enum peer_items { PEER_U32, PEER_U64, PEER_PAIRS } peer_items;

/*
 * The standard library, on this thread; parallel: by all processors, with oneTBB. Ascending, by
 * key; in place where there is no `out`.
 */
int peer_std_sort(peer_items kind, void *items, size_t n, int parallel);
int peer_std_stable_sort(peer_items kind, void *items, size_t n, int parallel);
int peer_std_nth(peer_items kind, void *items, size_t n, size_t rank, int parallel);
/* out[i], as wide as a key: the rank of queries[i], i < m, among n sorted keys. */
typedef struct peer_lookup {
    const void *keys;
    size_t n;
    const void *queries;
    size_t m;
    void *out;
} peer_lookup;
int peer_std_lower_bound(peer_items kind, const peer_lookup *lookup, int parallel);
int peer_std_partial_sort(peer_items kind, void *items, size_t n, size_t k, int parallel);
/* Merges items 0 .. na - 1 and na .. n - 1, both sorted. */
int peer_std_merge(
    peer_items kind, const void *items, size_t na, size_t n, void *out, int parallel);
/* Set operations on these two; return the number of items in *kept. Keys alone. */
typedef enum peer_set {
    PEER_UNION,
    PEER_INTERSECTION,
    PEER_DIFFERENCE,
    PEER_SYMMETRIC /* difference */
} peer_set;
int peer_std_set(
    peer_set op, const void *u32s, size_t na, size_t n, void *out, size_t *kept, int parallel);
/* Sums; keys alone. */
int peer_std_scan(
    peer_items kind, const void *items, void *out, size_t n, int exclusive, int parallel);
int peer_std_reduce(peer_items kind, const void *items, size_t n, void *out, int parallel);
/* The dot product of both; the position of the least of `items`; for each of these, the last one up
 * to it that is no multiple of 4; how much more each is than the one before. */
typedef enum peer_fused { PEER_DOT, PEER_ARGMIN, PEER_LAST, PEER_STEPS } peer_fused;
int peer_std_fused(peer_fused what, const uint32_t *items, const uint32_t *others, uint32_t *out,
    size_t n, int parallel);
/* Inserts items 0 .. n - 1 with priorities `first`, lowers them to `second`, and writes these in
 * order. */
int peer_std_heap(peer_items kind, const void *first, const void *second, void *out, size_t n);
int peer_std_unique(peer_items kind, const void *items, void *out, size_t n, int parallel);
/* Those that are even. */
int peer_std_select(peer_items kind, const void *items, void *out, size_t n, int parallel);
/* The even ones first. */
int peer_std_stable_partition(uint32_t *items, size_t n, int parallel);
/* With std::mt19937_64. */
void peer_std_shuffle(uint32_t *items, size_t n, uint64_t seed);

/* Highway's, unstable; parallel: parts that are merged by oneTBB. */
int peer_vqsort(peer_items kind, void *items, size_t n, int parallel);

/*
 * As one would write it by hand, by all processors.
 */
/* Stable, in place, lowest digit first. */
int peer_plain_radix(peer_items kind, void *keys, uint32_t *values, size_t n);
/* Moves items into K buckets by their labels, stably. */
int peer_plain_partition(
    const uint32_t *labels, const uint32_t *items, uint32_t *items_out, size_t n, size_t K);
/* Item i of the output is item from[i]. */
int peer_plain_gather(const uint32_t *from, const uint32_t *items, uint32_t *items_out, size_t n);
/* Those that are even: counts them, then copies. */
int peer_plain_select(peer_items kind, const void *items, void *out, size_t n);
int peer_plain_transpose(const uint32_t *in, uint32_t *out, size_t rows, size_t cols);

/* A graph of n vertices, as compressed sparse rows. */
typedef struct peer_graph {
    const uint64_t *offsets;
    const uint32_t *targets, *weights;
    size_t n;
} peer_graph;
/* Distances from vertex 0, 2^32 - 1 where there is no path; by buckets of width delta. */
int peer_plain_paths(const peer_graph *graph, uint32_t *distances, uint32_t delta);

/* Boost.Graph's Dijkstra, by one thread; likewise. NULL: it is not there. */
typedef struct peer_boost_graph peer_boost_graph;
peer_boost_graph *peer_boost_graph_make(const peer_graph *graph);
int peer_boost_dijkstra(const peer_boost_graph *graph, uint32_t *distances);
void peer_boost_graph_free(peer_boost_graph *graph);

/*
 * Boost.Compute, on items from the buffers' start on, n > 0; finished on return.
 */
typedef enum peer_boost_algorithm {
    PEER_BOOST_SORT,          /* or sort_by_key, for pairs */
    PEER_BOOST_SORT_FUNCTION, /* with a comparison: its merge sort on every device */
    PEER_BOOST_STABLE_SORT
} peer_boost_algorithm;
/* In place. 0 for pairs unless by the first. */
int peer_boost_sort(cl_command_queue queue, peer_items kind, cl_mem keys, cl_mem values, size_t n,
    peer_boost_algorithm algorithm);
/* Keys alone, as those of the standard library. */
/* lookup->keys are not read: they are in device memory. One query a call. */
int peer_boost_lower_bound(
    cl_command_queue queue, peer_items kind, cl_mem keys, const peer_lookup *lookup);
int peer_boost_merge(
    cl_command_queue queue, peer_items kind, cl_mem items, size_t na, size_t n, cl_mem out);
/* Takes u32 alone. */
int peer_boost_set(
    cl_command_queue queue, peer_set op, cl_mem items, size_t na, size_t n, cl_mem out);
int peer_boost_scan(
    cl_command_queue queue, peer_items kind, cl_mem items, cl_mem out, size_t n, int exclusive);
/* Takes u32 alone. */
/* own: by a function that is given, a ^ b; otherwise sums. */
int peer_boost_reduce_by_key(cl_command_queue queue, cl_mem keys, cl_mem items, size_t n,
    cl_mem keys_out, cl_mem out, int own);
int peer_boost_reduce(cl_command_queue queue, peer_items kind, cl_mem items, size_t n, cl_mem out);
int peer_boost_fused(
    cl_command_queue queue, peer_fused what, cl_mem items, cl_mem others, cl_mem out, size_t n);
int peer_boost_unique(cl_command_queue queue, peer_items kind, cl_mem items, cl_mem out, size_t n);
int peer_boost_select(cl_command_queue queue, peer_items kind, cl_mem items, cl_mem out, size_t n);
/* In place, u32: the even ones first; a random order. */
int peer_boost_stable_partition(cl_command_queue queue, cl_mem items, size_t n);
int peer_boost_shuffle(cl_command_queue queue, cl_mem items, size_t n);

/*
 * CUB and Thrust, on CUDA's first device, from an input that stays as it is to an output beside it,
 * which is in place for those of Thrust's.
 */
typedef enum peer_cuda_algorithm {
    PEER_CUDA_COPY,
    PEER_CUB_RADIX_SORT, /* keys or, for pairs, keys with values in two arrays; stable */
    PEER_CUB_MERGE_SORT, /* the same, by comparison; not stable */
    PEER_THRUST_STABLE_SORT,
    PEER_CUB_MERGE, /* merges items 0 .. n/2 - 1 and n/2 .. n - 1 */
    PEER_CUB_SCAN,
    PEER_CUB_SCAN_EXCLUSIVE,
    PEER_CUB_REDUCE,
    PEER_CUB_UNIQUE,
    PEER_CUB_PARTITION, /* u32: the even ones first, then the odd ones in reverse order */
    PEER_THRUST_STABLE_PARTITION,
    PEER_CUB_SORT_LABELS, /* u32 by labels less than `bound`: a radix sort by as many bits */
    PEER_THRUST_SHUFFLE,  /* u32 */
    PEER_THRUST_GATHER,   /* u32 by positions */
    PEER_THRUST_SET, /* and the next three: the operations of peer_set, of u32 as PEER_CUB_MERGE */
    PEER_THRUST_SET_LAST = PEER_THRUST_SET + PEER_SYMMETRIC,
    PEER_THRUST_REDUCE_BY_KEY /* u32 by keys of 4 bytes: sums */
} peer_cuda_algorithm;
typedef struct peer_cuda peer_cuda;
/* NULL: no device, or no memory on it. by: labels or positions; values, by: NULL for none. */
peer_cuda *peer_cuda_make(const void *keys, size_t key_bytes, const void *values,
    size_t value_bytes, const void *by, size_t by_bytes);
void peer_cuda_free(peer_cuda *c);
/* Must be called before each run; is not to be timed. */
void peer_cuda_prepare(peer_cuda *c, peer_cuda_algorithm algorithm);
/* Finished on return; 0 where CUDA refuses. Temp is allocated by the first run of an algorithm, and
 * kept for the next one of the same. */
int peer_cuda_run(
    peer_cuda *c, peer_cuda_algorithm algorithm, peer_items kind, size_t n, uint32_t bound);
/* The first bytes of the output. */
void peer_cuda_read(const peer_cuda *c, void *keys, size_t key_bytes, void *values);

/* CGAL's ch_akl_toussaint with exact predicates, on points that it holds as doubles. NULL: it is
 * not there. */
typedef struct peer_cgal_points peer_cgal_points;
peer_cgal_points *peer_cgal_make(const float *coords, size_t n);
size_t peer_cgal_hull(const peer_cgal_points *points); /* how many vertices */
void peer_cgal_free(peer_cgal_points *points);

#ifdef __cplusplus
}
#endif

#endif
