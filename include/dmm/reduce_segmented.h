/* SPDX-License-Identifier: MIT */
/*
 * The sum, the maximum or the minimum of each segment of a list, or its total by an operator of
 * yours, in order: segments by offsets, or the rows of a matrix.
 *
 *     dmm_reduce_segmented *reduce = NULL;
 *     dmm_reduce_segmented_desc desc = {.type = DMM_F32, .op = DMM_SCAN_MAX};
 *     dmm_status status = dmm_reduce_segmented_create(&reduce, ctx, &desc);
 *     dmm_reduce_segmented_args args = {.in = items, .offsets = starts, .out = largest};
 *     if (status == DMM_OK)
 *         status = dmm_reduce_segmented_enqueue(reduce, queue, &args, n, lists, 0, NULL, &event);
 *     dmm_reduce_segmented_free(reduce);
 *
 * Segments       with offsets, segment i has items offsets[i] .. offsets[i + 1] - 1; they ascend,
 *                equal ones are an empty segment, those beyond n count as n. Without, n items are
 *                so many segments of one length. Offsets that do not ascend give wrong totals, no
 *                more
 * Empty          an empty segment gives the identity (<dmm/scan.h>, exclusive). Items in no segment
 *                are not counted
 * In place       no: the output is apart from the input, which stays untouched
 * Cost           reads each item once and each offset once or twice, writes an item for each
 *                segment. Groups take equal shares of items and segments together, whatever the
 *                lengths of the segments; a second launch combines one item per group
 * Bank claim     `conflict-free`; the CPU form uses no local memory
 * Temp           an item and 8 bytes per group; the device, not n, limits the groups
 * Map            as in <dmm/map.h>; `i` is an item's position in the span, also with a stride
 * Items          wrap, round and compare as those of dmm_scan do: <dmm/scan.h>. Float sums are
 *                added in an order that n, the offsets, device and parameters determine
 * Source         D. Merrill, M. Garland, "Merge-based Parallel Sparse Matrix-Vector
 *                Multiplication", SC 2016, DOI 10.1109/SC.2016.57
 */
#ifndef DMM_REDUCE_SEGMENTED_H
#define DMM_REDUCE_SEGMENTED_H

#include <dmm/scan.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dmm_reduce_segmented_desc {
    dmm_type type; /* type of items, as in dmm_scan_desc */
    dmm_scan_op op;
    dmm_type offset_type;    /* DMM_U32 or DMM_U64 */
    uint64_t max_n;          /* largest n of a call; 0: as many as the device can hold */
    dmm_tuning tuning;       /* as in dmm_scan_desc */
    const dmm_operator *own; /* in place of op, as in dmm_scan_desc */
    const dmm_map *map;      /* <dmm/map.h>: what to reduce; NULL: the input's items */
    uint64_t reserved[2];    /* 0 */
} dmm_reduce_segmented_desc;

typedef struct dmm_reduce_segmented_args {
    dmm_span in;      /* n items; with a stride, those between do not count */
    dmm_span offsets; /* one more than there are segments; none: segments of one length */
    dmm_span out;     /* an item for each segment */
    dmm_span temp;
    uint64_t stride;         /* without offsets: items from the beginning of a row to that of the
                                next one, such as of a part of a wider matrix; 0: the length of a
                                row */
    const dmm_span *further; /* as in dmm_scan_args; with a stride they have it, too */
    uint64_t reserved[2];    /* 0 */
} dmm_reduce_segmented_args;

/* Built for one context and one description; for one thread at a time. */
typedef struct dmm_reduce_segmented dmm_reduce_segmented;

/* Errors as dmm_scan_create. */
DMM_API dmm_status dmm_reduce_segmented_create(
    dmm_reduce_segmented **out, dmm_context *ctx, const dmm_reduce_segmented_desc *desc);
/* Monotone in n and in segments. DMM_TOO_LARGE beyond max_n. */
DMM_API dmm_status dmm_reduce_segmented_temp_bytes(
    uint64_t *out, const dmm_reduce_segmented *reduce, uint64_t n, uint64_t segments);
/* DMM_BAD_VALUE: without offsets, n is no multiple of `segments`; a stride with offsets, or one
 * that is less than a row. Other errors and events as dmm_sort_enqueue. */
DMM_API dmm_status dmm_reduce_segmented_enqueue(dmm_reduce_segmented *reduce,
    cl_command_queue queue, const dmm_reduce_segmented_args *args, uint64_t n, uint64_t segments,
    cl_uint num_wait, const cl_event *wait, cl_event *event);
/* NULL is fine. */
DMM_API void dmm_reduce_segmented_free(dmm_reduce_segmented *reduce);
/* Reduces the segments of a host array into `out`, and blocks. offsets: NULL for segments of one
 * length. */
DMM_API dmm_status dmm_reduce_segmented_host(dmm_context *ctx,
    const dmm_reduce_segmented_desc *desc, const void *items, size_t n, const void *offsets,
    size_t segments, void *out);

#ifdef __cplusplus
}
#endif

#endif
