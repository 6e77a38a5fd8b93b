/* SPDX-License-Identifier: MIT */
/*
 * Merging many sorted lists into one.
 *
 * Lists          list i has items offsets[i] .. offsets[i + 1] - 1 of the input; the offsets are in
 *                device memory, in ascending order; equal ones are an empty list; at most 65536
 *                lists
 * Stable         yes: of equal items, those of the earlier list first, each list's in its order
 * In place       no: the outputs are apart from the inputs, which are only read
 * Cost           an item of a list that has a share p of the items is read and written about
 *                log2(1/p) times: k lists of equal length take log2(k) passes, and a long list
 *                among short ones is moved a few times. At most 2 + log2(k) times. Where several
 *                lists begin inside a tile of T items, the tile is sorted instead, and is one list.
 * Bank claim     the tile kernels `conflict-free` with search=cf, the default; `measured` with
 *                search=plain; the others, and the CPU form, use no local memory
 * Temp           about n keys and n values, and 64 bytes a tile and a list
 *
 * Details
 * Offsets        Items before the first or after the last offset are in no list: they are copied,
 *                and stay in place. Offsets beyond n count as n.
 * Wrong data     If an offset is below the one before it, nothing is merged: the outputs are the
 *                inputs (indices for argsort), and the report is DMM_BAD_DATA with the number of
 *                that offset. A list that is not sorted leaves the order of the output unspecified,
 *                nothing worse; by `less` all items are in it once, with their values.
 * Launches       their number depends on n and the number of lists alone; one in the CPU form if
 *                there are at most T items
 * Determinism    the result depends on the input alone, not on device, parameters or timing
 * Source         J. Munro, S. Wild, "Nearly-Optimal Mergesorts", ESA 2018, section 4,
 *                DOI 10.4230/LIPIcs.ESA.2018.63 (the tree of merges), and as <dmm/merge.h>
 */
#ifndef DMM_MERGE_MANY_H
#define DMM_MERGE_MANY_H

#include <dmm/context.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dmm_merge_many_desc {
    dmm_order order;      /* key type and order that all lists are sorted by */
    uint32_t value_bytes; /* a value that moves with each key: 1 to 256 bytes; 0: keys alone */
    int argsort;          /* the values are not read: value i is the index i in the input;
                             value_bytes 4 or 8 */
    dmm_type offset_type; /* DMM_U32 or DMM_U64 */
    int guarantee;        /* conflict-free kernels only: refuses search=plain */
    uint64_t max_n;       /* largest n of a call; 0: as many as the device can hold */
    dmm_tuning tuning;
    uint64_t reserved[4]; /* 0 */
} dmm_merge_many_desc;

/* Spans of n items, and of one offset more than there are lists. */
typedef struct dmm_merge_many_args {
    dmm_span keys_in;
    dmm_span values_in; /* none for keys alone and for argsort */
    dmm_span keys_out;
    dmm_span values_out;
    dmm_span offsets;
    dmm_span temp;
    dmm_span report_out;  /* a dmm_report; none: no report */
    uint64_t reserved[4]; /* 0 */
} dmm_merge_many_args;

/* Built for one context and one description; for one thread at a time. */
typedef struct dmm_merge_many dmm_merge_many;

/* Errors as dmm_sort_create. */
DMM_API dmm_status dmm_merge_many_create(
    dmm_merge_many **out, dmm_context *ctx, const dmm_merge_many_desc *desc);
/* Returns the bytes of temp for any lists of n items; monotone in n and in the number of lists.
 * DMM_TOO_LARGE beyond max_n or 65536 lists. */
DMM_API dmm_status dmm_merge_many_temp_bytes(
    uint64_t *out, const dmm_merge_many *merge, uint64_t n, uint64_t lists);
/* No lists: the items are copied. Other errors and events as dmm_sort_enqueue. */
DMM_API dmm_status dmm_merge_many_enqueue(dmm_merge_many *merge, cl_command_queue queue,
    const dmm_merge_many_args *args, uint64_t n, uint64_t lists, cl_uint num_wait,
    const cl_event *wait, cl_event *event);
/* NULL is fine. */
DMM_API void dmm_merge_many_free(dmm_merge_many *merge);
/* Merges host arrays, whose result replaces them, and blocks. values is NULL for keys alone; for
 * argsort it receives the indices. offsets has lists + 1 items of the description's offset type; if
 * they decrease, DMM_BAD_DATA, and the arrays stay as they are. */
DMM_API dmm_status dmm_merge_many_host(dmm_context *ctx, const dmm_merge_many_desc *desc,
    void *keys, void *values, size_t n, const void *offsets, size_t lists);

#ifdef __cplusplus
}
#endif

#endif
