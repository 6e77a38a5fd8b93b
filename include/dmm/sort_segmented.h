/* SPDX-License-Identifier: MIT */
/*
 * Sorting many segments of a list in one call, each by itself, by conflict-free merging.
 *
 * Segments       segment i has items offsets[i] .. offsets[i + 1] - 1; the offsets are in device
 *                memory, in ascending order; equal ones are an empty segment
 * Stable         yes
 * In place       yes, as dmm_sort
 * Cost           every item is read and written once, and once more for each doubling of one tile
 *                until it reaches from the first tile of the item's segment to the last
 * Bank claim     the tile kernels `conflict-free` with search=cf, the default; `measured` with
 *                search=plain; the others, and the CPU form, use no local memory
 * Temp           about n keys and n values, and 8 KiB
 * Map            as in <dmm/map.h>: a launch writes the keys that it gives to the output first
 *
 * Details
 * Offsets        Items before the first or after the last offset are in no segment: they stay in
 *                place. Offsets beyond n count as n.
 * Wrong data     If an offset is below the one before it, nothing is sorted: the outputs are the
 *                inputs (indices for argsort), and the report is DMM_BAD_DATA with the number of
 *                that offset; or of one that is more than max_segment above the one before it.
 * Cost           The work is distributed by tiles, whatever the segments' sizes. A segment in one
 *                tile needs no merge pass, one over the whole list ceil(log2(n / T)). The number of
 *                launches depends on n and max_segment alone: two a pass, and three. The host form
 *                reads how long the longest segment is.
 * Bank claim     does not hold for a `less` that is no strict weak order
 * Any `less`     keeps every item once, in its segment and with its value (<dmm/sort.h>)
 * Determinism    the result depends on the input alone, not on device, parameters or timing
 * Source         S. Baxter, "Modern GPU", 2013, "Segmented Sort and Locality Sort" (merging only
 *                what crosses the middle of two runs), and as <dmm/sort.h>
 */
#ifndef DMM_SORT_SEGMENTED_H
#define DMM_SORT_SEGMENTED_H

#include <dmm/context.h>
#include <dmm/map.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dmm_sort_segmented_desc {
    dmm_order order;      /* key type and order */
    uint32_t value_bytes; /* a value that moves with each key: 1 to 256 bytes; 0: keys alone */
    int argsort;          /* the values are not read: value i is the index i in the whole list;
                             value_bytes 4 or 8 */
    dmm_type offset_type; /* DMM_U32 or DMM_U64 */
    int guarantee;        /* conflict-free kernels only: refuses search=plain */
    uint64_t max_n;       /* largest n of a call; 0: as many as the device can hold */
    dmm_tuning tuning;
    const dmm_map *map;   /* <dmm/map.h>: gives the keys; NULL: they are those of keys_in */
    uint64_t max_segment; /* most items of a segment, for fewer launches; 0: any number */
    uint64_t reserved[2]; /* 0 */
} dmm_sort_segmented_desc;

/* Spans of n items as in dmm_sort_args, and of one offset more than there are segments. */
typedef struct dmm_sort_segmented_args {
    dmm_span keys_in;
    dmm_span values_in; /* none for keys alone and for argsort */
    dmm_span keys_out;
    dmm_span values_out;
    dmm_span offsets;
    dmm_span temp;
    dmm_span report_out;     /* a dmm_report; none: no report */
    const dmm_span *further; /* as in dmm_scan_args */
    uint64_t reserved[3];    /* 0 */
} dmm_sort_segmented_args;

/* Built for one context and one description; for one thread at a time. */
typedef struct dmm_sort_segmented dmm_sort_segmented;

/* Errors as dmm_sort_create. */
DMM_API dmm_status dmm_sort_segmented_create(
    dmm_sort_segmented **out, dmm_context *ctx, const dmm_sort_segmented_desc *desc);
/* Returns the bytes of temp for any segments; monotone in n. DMM_TOO_LARGE beyond max_n. */
DMM_API dmm_status dmm_sort_segmented_temp_bytes(
    uint64_t *out, const dmm_sort_segmented *sort, uint64_t n);
/* No segments: the items are copied. DMM_TOO_LARGE, too, for 2^32 offsets or more where max_n is at
 * most 2^31. Other errors and events as dmm_sort_enqueue. */
DMM_API dmm_status dmm_sort_segmented_enqueue(dmm_sort_segmented *sort, cl_command_queue queue,
    const dmm_sort_segmented_args *args, uint64_t n, uint64_t segments, cl_uint num_wait,
    const cl_event *wait, cl_event *event);
/* NULL is fine. */
DMM_API void dmm_sort_segmented_free(dmm_sort_segmented *sort);
/* Sorts host arrays in place and blocks. values is NULL for keys alone; for argsort it receives the
 * indices. offsets has segments + 1 items of the description's offset type; if they decrease,
 * DMM_BAD_DATA, and the arrays stay as they are. */
DMM_API dmm_status dmm_sort_segmented_host(dmm_context *ctx, const dmm_sort_segmented_desc *desc,
    void *keys, void *values, size_t n, const void *offsets, size_t segments);

#ifdef __cplusplus
}
#endif

#endif
