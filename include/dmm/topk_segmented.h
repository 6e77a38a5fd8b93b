/* SPDX-License-Identifier: MIT */
/*
 * The k items of each segment that come first in an order: segments by offsets, or the rows of a
 * matrix (the likeliest words of each row of a batch).
 *
 *     dmm_topk_segmented *topk = NULL;
 *     dmm_topk_segmented_desc desc = {.order = {.type = DMM_F32, .descending = 1}, .k = 50,
 *         .value_bytes = 4, .argsort = 1};
 *     dmm_status status = dmm_topk_segmented_create(&topk, ctx, &desc);
 *     dmm_topk_segmented_args args = {.keys_in = matrix, .keys_out = best, .values_out = columns};
 *     if (status == DMM_OK)
 *         status = dmm_topk_segmented_enqueue(topk, queue, &args, n, rows, 0, NULL, &event);
 *     dmm_topk_segmented_free(topk);
 *
 * Segments       as in <dmm/scan_segmented.h>. Offsets that do not ascend are DMM_BAD_DATA, as in
 *                <dmm/sort_segmented.h>, and what is written is undefined
 * Output         segment s has places s*k .. s*k + k - 1: its first k items in order, ties to the
 *                earlier ones. Places behind the last item of a short segment are left untouched
 * In place       no: outputs are apart from inputs, which stay untouched
 * Cost           rows, k at most 32, keys of at most 16 bytes: each key is read once, and one of 64
 *                again, by a work-item for each 64*k keys, on CPUs for more; keys that get better
 *                all along cost up to k moves each. Otherwise that of dmm_sort_segmented into
 *                temp, and k items for each segment. For one long segment, dmm_topk reads less
 * Bank claim     as dmm_sort_segmented; dmm_segmented_first, dmm_pick_chunks: no local memory
 * Map            as in <dmm/map.h>: a launch writes the keys that it gives to temp first
 * Temp           rows, as above: a few hundredths of the keys; with a map, the keys. Otherwise n
 *                keys and values, and that of dmm_sort_segmented
 */
#ifndef DMM_TOPK_SEGMENTED_H
#define DMM_TOPK_SEGMENTED_H

#include <dmm/context.h>
#include <dmm/map.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dmm_topk_segmented_desc {
    dmm_order order;      /* key type and order */
    uint32_t k;           /* items of each segment; 0: 1 */
    uint32_t value_bytes; /* bytes of the value of each key, 1 to 256; 0: keys alone */
    int argsort;          /* a value is the index of its key in its segment; value_bytes 4 or 8 */
    dmm_type offset_type; /* DMM_U32 or DMM_U64 */
    int guarantee;        /* conflict-free kernels only: refuses search=plain */
    uint64_t max_n;       /* largest n of a call; 0: as many as the device can hold */
    dmm_tuning tuning;    /* as for dmm_sort_segmented */
    const dmm_map *map;   /* <dmm/map.h>: gives the keys; NULL: they are those of keys_in */
    uint64_t reserved[3]; /* 0 */
} dmm_topk_segmented_desc;

/* n items in, k for each segment out; any overlap is DMM_OVERLAP. */
typedef struct dmm_topk_segmented_args {
    dmm_span keys_in;
    dmm_span values_in; /* none for keys alone and for argsort */
    dmm_span offsets;   /* one more than there are segments; none: segments of one length */
    dmm_span keys_out;
    dmm_span values_out;
    dmm_span temp;
    dmm_span report_out;     /* a dmm_report; none: no report */
    const dmm_span *further; /* as in dmm_scan_args */
    uint64_t reserved[3];    /* 0 */
} dmm_topk_segmented_args;

/* Built for one context and one description; for one thread at a time. */
typedef struct dmm_topk_segmented dmm_topk_segmented;

/* Errors as dmm_sort_create. */
DMM_API dmm_status dmm_topk_segmented_create(
    dmm_topk_segmented **out, dmm_context *ctx, const dmm_topk_segmented_desc *desc);
/* Monotone in n and in segments. DMM_TOO_LARGE beyond max_n. */
DMM_API dmm_status dmm_topk_segmented_temp_bytes(
    uint64_t *out, const dmm_topk_segmented *topk, uint64_t n, uint64_t segments);
/* DMM_BAD_VALUE: without offsets, n is no multiple of `segments`. Other errors and events as
 * dmm_sort_segmented_enqueue. */
DMM_API dmm_status dmm_topk_segmented_enqueue(dmm_topk_segmented *topk, cl_command_queue queue,
    const dmm_topk_segmented_args *args, uint64_t n, uint64_t segments, cl_uint num_wait,
    const cl_event *wait, cl_event *event);
/* NULL is fine. */
DMM_API void dmm_topk_segmented_free(dmm_topk_segmented *topk);
/* Selects from host arrays into arrays of k places for each segment, and blocks. offsets: NULL for
 * segments of one length. Places behind the last item of a short segment are undefined. */
DMM_API dmm_status dmm_topk_segmented_host(dmm_context *ctx, const dmm_topk_segmented_desc *desc,
    const void *keys, const void *values, size_t n, const void *offsets, size_t segments,
    void *keys_out, void *values_out);

#ifdef __cplusplus
}
#endif

#endif
