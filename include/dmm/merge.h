/* SPDX-License-Identifier: MIT */
/*
 * Merging two sorted lists into a third.
 *
 * Stable         yes: items of a before equal items of b, each in its own order
 * In place       no: the output is apart from both inputs, which are only read
 * Cost           each item is read and written once, and n/T binary searches (T: items a tile)
 * Bank claim     `conflict-free` with search=cf, the default; `measured` with search=plain
 * Temp           an index per tile, and a position per item for values that are not of 1, 2, 4 or 8
 *                bytes (dmm_merge_temp_bytes)
 *
 * Details
 * Unsorted input leaves the output unspecified, nothing worse. By `less`, all items of both inputs
 * are in the output once, with their values, even if they are unsorted or `less` is no strict weak
 * order; the bank claim does not hold then.
 * Source         O. Green, R. McColl, D. Bader, "GPU Merge Path", ICS 2012,
 *                DOI 10.1145/2304576.2304621; K. Berney, "Parallel Cache-Efficient Algorithms on
 *                GPUs", PhD thesis, University of Hawai'i at Manoa, 2023, chapter 5
 */
#ifndef DMM_MERGE_H
#define DMM_MERGE_H

#include <dmm/context.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dmm_merge_desc {
    dmm_order order;      /* key type and order that both inputs are sorted by */
    uint32_t value_bytes; /* a value that moves with each key: 1 to 256 bytes; 0: keys alone */
    int guarantee;        /* conflict-free kernels only: refuses search=plain */
    uint64_t max_n;       /* largest na + nb of a call; 0: as many as the device can hold */
    dmm_tuning tuning;
    /* values are not read: value i is the number of key i in the list of A's keys and then B's;
     * value_bytes 4 or 8. <dmm/take.h> takes the rows of several arrays by them */
    int positions;
    uint64_t reserved[3]; /* 0 */
} dmm_merge_desc;

typedef struct dmm_merge_args {
    dmm_span a_keys;   /* na items */
    dmm_span a_values; /* none for keys alone and for positions */
    dmm_span b_keys;   /* nb items */
    dmm_span b_values;
    dmm_span keys_out; /* na + nb items */
    dmm_span values_out;
    dmm_span temp;
    uint64_t reserved[4]; /* 0 */
} dmm_merge_args;

/* Built for one context and one description; for one thread at a time. */
typedef struct dmm_merge dmm_merge;

/* Errors as dmm_sort_create. */
DMM_API dmm_status dmm_merge_create(dmm_merge **out, dmm_context *ctx, const dmm_merge_desc *desc);
/* Returns the bytes of temp for n = na + nb items; monotone in n. */
DMM_API dmm_status dmm_merge_temp_bytes(uint64_t *out, const dmm_merge *merge, uint64_t n);
/* Errors and events as dmm_sort_enqueue. A span of no items may have a NULL buffer. */
DMM_API dmm_status dmm_merge_enqueue(dmm_merge *merge, cl_command_queue queue,
    const dmm_merge_args *args, uint64_t na, uint64_t nb, cl_uint num_wait, const cl_event *wait,
    cl_event *event);
/* NULL is fine. */
DMM_API void dmm_merge_free(dmm_merge *merge);

/* Merges host arrays, and blocks. Values are NULL for keys alone. */
typedef struct dmm_merge_host_args {
    const void *a_keys;
    const void *a_values;
    size_t na;
    const void *b_keys;
    const void *b_values;
    size_t nb;
    void *keys_out;
    void *values_out;
} dmm_merge_host_args;
DMM_API dmm_status dmm_merge_host(
    dmm_context *ctx, const dmm_merge_desc *desc, const dmm_merge_host_args *args);

#ifdef __cplusplus
}
#endif

#endif
