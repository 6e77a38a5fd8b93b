/* SPDX-License-Identifier: MIT */
/*
 * Prefix sums, maxima or minima of each segment of a list by itself, or prefixes by an operator of
 * yours: segments by offsets, or the rows of a matrix.
 *
 *     dmm_scan_segmented *scan = NULL;
 *     dmm_scan_segmented_desc desc = {.type = DMM_F32};
 *     dmm_status status = dmm_scan_segmented_create(&scan, ctx, &desc);
 *     dmm_scan_segmented_args args = {.in = matrix, .out = matrix};
 *     if (status == DMM_OK)
 *         status = dmm_scan_segmented_enqueue(scan, queue, &args, n, rows, 0, NULL, &event);
 *     dmm_scan_segmented_free(scan);
 *
 * Segments       with offsets, segment i has items offsets[i] .. offsets[i + 1] - 1; they ascend,
 *                equal ones are an empty segment, those beyond n count as n. What is before the
 *                first or behind the last offset is a segment, too. Without, n items are so many
 *                segments of one length. Offsets that do not ascend cut the list where they point
 * In place       yes
 * Cost           that of dmm_scan_by_key with keys of a byte, which a launch writes before
 * Columns        of a matrix: as rows, behind dmm_transpose
 * Bank claim     as dmm_scan_by_key; dmm_segmented_rows, dmm_segmented_mark: no local memory
 * Temp           a byte for each item, and that of dmm_scan_by_key
 */
#ifndef DMM_SCAN_SEGMENTED_H
#define DMM_SCAN_SEGMENTED_H

#include <dmm/scan.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dmm_scan_segmented_desc {
    dmm_type type; /* type of items, as in dmm_scan_desc */
    dmm_scan_op op;
    int exclusive;           /* the first item of a segment becomes the identity */
    dmm_type offset_type;    /* DMM_U32 or DMM_U64 */
    uint64_t max_n;          /* largest n of a call; 0: as many as the device can hold */
    dmm_tuning tuning;       /* as for dmm_scan_by_key */
    const dmm_operator *own; /* in place of op, as in dmm_scan_desc */
    const dmm_map *map;      /* what to scan, and what to write, as in dmm_scan_desc */
    uint64_t reserved[2];    /* 0 */
} dmm_scan_segmented_desc;

typedef struct dmm_scan_segmented_args {
    dmm_span in;
    dmm_span offsets; /* one more than there are segments; none: segments of one length */
    dmm_span out;     /* equal to in, or apart from it */
    dmm_span temp;
    const dmm_span *further; /* as in dmm_scan_args */
    uint64_t reserved[3];    /* 0 */
} dmm_scan_segmented_args;

/* Built for one context and one description; for one thread at a time. */
typedef struct dmm_scan_segmented dmm_scan_segmented;

/* Errors as dmm_scan_create. */
DMM_API dmm_status dmm_scan_segmented_create(
    dmm_scan_segmented **out, dmm_context *ctx, const dmm_scan_segmented_desc *desc);
/* Monotone in n and in segments. DMM_TOO_LARGE beyond max_n. */
DMM_API dmm_status dmm_scan_segmented_temp_bytes(
    uint64_t *out, const dmm_scan_segmented *scan, uint64_t n, uint64_t segments);
/* DMM_BAD_VALUE: without offsets, n is no multiple of `segments`. Other errors and events as
 * dmm_sort_enqueue. */
DMM_API dmm_status dmm_scan_segmented_enqueue(dmm_scan_segmented *scan, cl_command_queue queue,
    const dmm_scan_segmented_args *args, uint64_t n, uint64_t segments, cl_uint num_wait,
    const cl_event *wait, cl_event *event);
/* NULL is fine. */
DMM_API void dmm_scan_segmented_free(dmm_scan_segmented *scan);
/* Scans a host array in place, and blocks. offsets: NULL for segments of one length. */
DMM_API dmm_status dmm_scan_segmented_host(dmm_context *ctx, const dmm_scan_segmented_desc *desc,
    void *items, size_t n, const void *offsets, size_t segments);

#ifdef __cplusplus
}
#endif

#endif
