/* SPDX-License-Identifier: MIT */
/*
 * Counts the labels of each value: bin b is the number of labels equal to b. Or items of any type
 * by ranges: bin b is the number of items with edges[b] <= item < edges[b + 1]. Of one channel, or
 * of several that lie side by side, such as the colours of pixels. With a map (<dmm/map.h>) labels
 * or items are computed as they are read.
 *
 *     float edges[101];
 *     dmm_histogram_desc desc = {.type = DMM_F32, .bins = 100, .by = DMM_HISTOGRAM_EVEN};
 *     dmm_status status = dmm_histogram_even(edges, DMM_F32, 100, 0, 1);
 *     if (status == DMM_OK)
 *         status = dmm_histogram_edges_host(ctx, &desc, items, n, edges, counts);
 *
 * Labels         u8, u16 or u32; labels beyond the last bin are not counted
 * Edges          bins + 1 of the items' type, ascending. Items before the first one, from the last
 *                one on, and NaNs are not counted; -0 is +0. Edges that do not ascend give
 *                unspecified counts, nothing worse. log2(bins) comparisons an item
 * Even           edges at about equal distances, found by arithmetic: two comparisons an item, and
 *                log2(bins) where rounding or uneven edges mislead it, with the same counts. The
 *                last edge counts, too, as the greatest item of the last bin, and so may be less
 *                than the edge before. f64 on devices without doubles: as by edges
 * Cost           each label is read once (several channels: once for each of them); then a counter
 *                for each bin and group; the number of groups depends on the device alone
 * Bank claim     `conflict-free` on any labels: up to 256 bins a lane counts in the column of its
 *                bank, and equal labels cost what others do. More bins: atomics in global memory,
 *                slower where many labels are equal. The CPU form uses neither.
 * Temp           4 bytes for each bin and group (see dmm_histogram_temp_bytes)
 * Source         P. Afshani, N. Sitchinava, "Sorting and Permuting without Bank Conflicts on GPUs",
 *                ESA 2015, DOI 10.1007/978-3-662-48350-3_2, Corollary 1 (columns)
 */
#ifndef DMM_HISTOGRAM_H
#define DMM_HISTOGRAM_H

#include <dmm/context.h>
#include <dmm/map.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum dmm_histogram_by {
    DMM_HISTOGRAM_LABELS = 0,
    DMM_HISTOGRAM_EDGES = 1,
    DMM_HISTOGRAM_EVEN = 2
} dmm_histogram_by;

typedef struct dmm_histogram_desc {
    dmm_type type;     /* labels: DMM_U8, DMM_U16 or DMM_U32; by edges: any but DMM_ITEM */
    uint32_t bins;     /* 1 to 65536; 0: 256 */
    uint64_t max_n;    /* largest n of a call; 0: as many as the device can hold */
    dmm_tuning tuning; /* form, u, E; tile: least labels of a group (CPU form) */
    dmm_histogram_by by;
    uint32_t channels;    /* items side by side, 1 to 256; n counts these groups. 0: 1 */
    uint64_t counted;     /* the first so many of them are counted; 0: all */
    const dmm_map *map;   /* <dmm/map.h>: gives items of `type`; NULL: the input has them */
    uint64_t reserved[1]; /* 0 */
} dmm_histogram_desc;

/* Any overlap is DMM_OVERLAP. */
typedef struct dmm_histogram_args {
    dmm_span labels;     /* n, or n for each channel */
    dmm_span counts_out; /* `bins` numbers of type uint64_t for each counted channel */
    dmm_span temp;
    dmm_span count;          /* as in dmm_sort_args */
    dmm_span edges;          /* bins + 1 items; only by edges, even ones, too */
    const dmm_span *further; /* as in dmm_scan_args, as many items as labels */
    uint64_t reserved[1];    /* 0 */
} dmm_histogram_args;

/* Built for one context and one description; for one thread at a time. */
typedef struct dmm_histogram dmm_histogram;

/* Errors: DMM_NULL_ARGUMENT, DMM_BAD_VALUE, DMM_BAD_PARAMETERS, DMM_BUILD_FAILED,
 * DMM_OUT_OF_MEMORY, OpenCL's. On failure *out is NULL. */
DMM_API dmm_status dmm_histogram_create(
    dmm_histogram **out, dmm_context *ctx, const dmm_histogram_desc *desc);
/* Monotone in n. DMM_TOO_LARGE beyond max_n. */
DMM_API dmm_status dmm_histogram_temp_bytes(
    uint64_t *out, const dmm_histogram *histogram, uint64_t n);
/* Errors and events as dmm_sort_enqueue. n = 0 writes zeros. */
DMM_API dmm_status dmm_histogram_enqueue(dmm_histogram *histogram, cl_command_queue queue,
    const dmm_histogram_args *args, uint64_t n, cl_uint num_wait, const cl_event *wait,
    cl_event *event);
/* NULL is fine. */
DMM_API void dmm_histogram_free(dmm_histogram *histogram);
/* Counts the labels of a host array into counts_out, and blocks. */
DMM_API dmm_status dmm_histogram_host(dmm_context *ctx, const dmm_histogram_desc *desc,
    const void *labels, size_t n, uint64_t *counts_out);
/* The same by edges, even ones, too. */
DMM_API dmm_status dmm_histogram_edges_host(dmm_context *ctx, const dmm_histogram_desc *desc,
    const void *items, size_t n, const void *edges, uint64_t *counts_out);
/* Fills the edges of `bins` even ranges from `low` to `high`, both of which count: edge b is the
 * least item that is at least low + b*((high - low) / bins), and the last one the greatest that is
 * at most high. So items are counted as numpy.histogram counts them with edges in double.
 * DMM_BAD_VALUE: DMM_ITEM, or a bin that begins beyond the type's greatest number. */
DMM_API dmm_status dmm_histogram_even(
    void *edges_out, dmm_type type, uint32_t bins, double low, double high);

#ifdef __cplusplus
}
#endif

#endif
