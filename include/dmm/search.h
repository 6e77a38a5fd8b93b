/* SPDX-License-Identifier: MIT */
/*
 * Searches of many queries in one sorted array, or in its layout as a search tree: ranks, ranges,
 * and membership.
 *
 *     dmm_search *search = NULL;
 *     dmm_search_desc desc = {.order = {.type = DMM_F32}, .result = DMM_RANK_UPPER};
 *     dmm_status status = dmm_search_create(&search, ctx, &desc);
 *     dmm_search_args args = {.keys = sorted, .queries = queries, .out = ranks};
 *     if (status == DMM_OK)
 *         status = dmm_search_enqueue(search, queue, &args, n, m, 0, NULL, &event);
 *     dmm_search_free(search);
 *
 * Input          n keys sorted by the order of the description, or that array as dmm_layout leaves
 *                it; m queries in any order
 * Output         one number a query: a rank from 0 to n, or whether the query is among the keys
 * In place       no; an output that overlaps another span is DMM_OVERLAP
 * Cost           floor(log2(n)) + 1 probes a query, B-tree: at most log(n) / log(B + 1) + 1 nodes;
 *                by teams about log(n) / log(team + 1) probes of each work-item; a merge reads each
 *                key at most once, and each query twice. One launch
 * Bank claim     `measured`: in the GPU form the first levels are probed in local memory, where
 *                lanes with different queries may want different words of a bank; under
 *                `guarantee`, in layouts and in the CPU form no local memory. TEAMS and MERGE are
 *                DMM_UNSUPPORTED under `guarantee` in the GPU form
 * Temp           none
 *
 * Details and sources are at the end of this file.
 */
#ifndef DMM_SEARCH_H
#define DMM_SEARCH_H

#include <dmm/context.h>
#include <dmm/layout.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum dmm_rank {
    DMM_RANK_LOWER = 0,
    DMM_RANK_UPPER = 1,
    DMM_RANK_RANGE = 2,
    DMM_RANK_CONTAINS = 3 /* a byte a query: 1 if a key equals it, else 0 */
} dmm_rank;

typedef enum dmm_search_method {
    DMM_SEARCH_AUTO = 0, /* ITEMS: TEAMS were slower where measured (docs/search.md) */
    /* a work-item a query: binary search; in a layout level by level */
    DMM_SEARCH_ITEMS = 1,
    /* `team` work-items a query: search in team + 1 parts; in a B-tree node by node. GPU form and
     * sorted keys or BTREE only */
    DMM_SEARCH_TEAMS = 2,
    /* for queries that are sorted as the keys are: a merge of both. Sorted keys only */
    DMM_SEARCH_MERGE = 3
} dmm_search_method;

typedef struct dmm_search_desc {
    dmm_order order; /* order of keys and queries, which have one type */
    dmm_rank result;
    uint32_t rank_bytes;    /* bytes of a rank: 4 (0 means 4) or 8 */
    int guarantee;          /* no kernel may conflict: no local memory */
    uint64_t max_n;         /* most keys of a call; 0: as many as the device and the ranks allow */
    dmm_tuning tuning;      /* form, u, E; tile: queries of a group (CPU form) */
    dmm_layout_kind layout; /* layout of the keys, as dmm_layout leaves them; default sorted */
    uint32_t B;             /* as in dmm_layout_desc */
    dmm_search_method method;
    uint32_t team; /* work-items of a query, a power of two from 2 on; 0: the lanes of a sub-group,
                      or banks; for a smaller B the next power of two */
    uint64_t reserved[2]; /* 0 */
} dmm_search_desc;

typedef struct dmm_search_args {
    dmm_span keys;        /* n, sorted or in the layout */
    dmm_span queries;     /* m */
    dmm_span out;         /* m ranks, or m bytes (DMM_RANK_CONTAINS) */
    dmm_span ends_out;    /* m ranks; DMM_RANK_RANGE only */
    dmm_span temp;        /* none needed */
    dmm_span count;       /* number of queries, as in dmm_sort_args */
    uint64_t reserved[4]; /* 0 */
} dmm_search_args;

/* Built for one context and one description; for one thread at a time. */
typedef struct dmm_search dmm_search;

/* Errors: DMM_NULL_ARGUMENT, DMM_BAD_VALUE (also a max_n that a rank cannot count),
 * DMM_BAD_PARAMETERS (also a team of more work-items than a group), DMM_UNSUPPORTED (a `less` of
 * doubles without fp64; TEAMS in the CPU form), DMM_BUILD_FAILED, DMM_OUT_OF_MEMORY, OpenCL's. On
 * failure *out is NULL. */
DMM_API dmm_status dmm_search_create(
    dmm_search **out, dmm_context *ctx, const dmm_search_desc *desc);
/* Writes 0: a call needs no temp. DMM_TOO_LARGE for n beyond max_n. */
DMM_API dmm_status dmm_search_temp_bytes(
    uint64_t *out, const dmm_search *search, uint64_t n, uint64_t m);
/* Errors and events as dmm_sort_enqueue. */
DMM_API dmm_status dmm_search_enqueue(dmm_search *search, cl_command_queue queue,
    const dmm_search_args *args, uint64_t n, uint64_t m, cl_uint num_wait, const cl_event *wait,
    cl_event *event);
/* NULL is fine. */
DMM_API void dmm_search_free(dmm_search *search);
/* Searches host arrays, and blocks. ends_out: NULL but for DMM_RANK_RANGE. */
DMM_API dmm_status dmm_search_host(dmm_context *ctx, const dmm_search_desc *desc, const void *keys,
    size_t n, const void *queries, size_t m, void *out, void *ends_out);

/*
 * Details
 * Rank           DMM_RANK_LOWER: how many keys come before the query; DMM_RANK_UPPER: how many
 *                do not come after it; DMM_RANK_RANGE: both, so that the keys of ranks out[i] ..
 *                ends_out[i] - 1 equal query i; in sorted order, whatever the layout. Floats are
 *                ordered as <dmm/types.h> says: a NaN is found, too
 * Unsorted keys  give ranks from 0 to n that mean nothing; nothing else goes wrong
 * MERGE          of queries that are not sorted gives the right results, too: a group whose queries
 *                are out of order, or lie between more than 32 keys a query, searches for each
 * Probes         every query of a group takes the same number of steps, so that a group's probes of
 *                a step are independent loads
 * Source         D. Knuth, The Art of Computer Programming 3, section 6.2.1, Algorithm U (uniform
 *                binary search); teams: T. Kaldewey, J. Hagen, A. Di Blas, E. Sedlar, "Parallel
 *                Search on Video Cards", HotPar 2009; merge: O. Green, R. McColl, D. Bader, "GPU
 *                Merge Path", ICS 2012, DOI 10.1145/2304576.2304621; layouts: K. Berney, "Parallel
 *                Cache-Efficient Algorithms on GPUs", 2023, chapter 2
 */

#ifdef __cplusplus
}
#endif

#endif
