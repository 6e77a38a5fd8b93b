/* SPDX-License-Identifier: MIT */
/*
 * What dmm is compared with, behind an interface in C.
 */
#ifndef DMM_BENCH_PEERS_H
#define DMM_BENCH_PEERS_H

#include <stddef.h>
#include <stdint.h>

#include <CL/cl.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What is sorted. Pairs lie in one array, the key in the high half of a 64-bit number and the value
 * in the low one; or, where a function takes values, in two. */
typedef enum peer_items { PEER_U32, PEER_U64, PEER_PAIRS } peer_items;

/* Sort by key, ascending, in place, unstable unless the name says so; on this thread but for the
 * parallel one. They return 0, and do nothing, where what they take was not there to build with. */
int peer_std_sort(peer_items kind, void *items, size_t n);
int peer_std_stable_sort(peer_items kind, void *items, size_t n);
int peer_std_sort_par(peer_items kind, void *items, size_t n); /* oneTBB */
int peer_qsort(peer_items kind, void *items, size_t n);        /* pairs: by value too */
int peer_vqsort(peer_items kind, void *items, size_t n);       /* Highway */
/* Stable, by all processors. */
int peer_plain_radix(peer_items kind, void *keys, uint32_t *values, size_t n);

/* Moves items into K buckets by their labels, stably, by all processors; offsets: K + 1. */
void peer_plain_partition_u8(const uint8_t *labels, const uint32_t *items, uint32_t *items_out,
    uint64_t *offsets, size_t n, size_t K);
void peer_plain_partition_u32(const uint32_t *labels, const uint32_t *items, uint32_t *items_out,
    uint64_t *offsets, size_t n, size_t K);

/* Boost.Compute: sort, or sort_by_key for pairs; sort with a comparison function, which leads to
 * its merge sort on every device, where GPUs get its radix sort without one; stable_sort. Of n > 0
 * items from the buffers' start on; finished on return. 0 for pairs by the others. */
typedef enum peer_boost_algorithm {
    PEER_BOOST_SORT,
    PEER_BOOST_SORT_FUNCTION,
    PEER_BOOST_STABLE_SORT
} peer_boost_algorithm;
int peer_boost_sort(cl_command_queue queue, peer_items kind, cl_mem keys, cl_mem values, size_t n,
    peer_boost_algorithm algorithm);

/* std::shuffle of u32 items with std::mt19937_64, on this thread. */
void peer_std_shuffle(uint32_t *items, size_t n, uint64_t seed);
/* CGAL's ch_akl_toussaint with exact predicates, on points that it holds as doubles. */
typedef struct peer_cgal_points peer_cgal_points;
peer_cgal_points *peer_cgal_make(const float *coords, size_t n);
size_t peer_cgal_hull(const peer_cgal_points *points); /* how many vertices */
void peer_cgal_free(peer_cgal_points *points);

#ifdef __cplusplus
}
#endif

#endif
