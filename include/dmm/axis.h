/* SPDX-License-Identifier: MIT */
/*
 * Reduces, scans or sorts along an axis of a matrix: down each column, or along each row, of a
 * whole matrix or of a part of a wider one. The largest item of each column:
 *
 *     dmm_axis *largest = NULL;
 *     dmm_axis_desc desc = {.work = DMM_AXIS_REDUCE, .order = {.type = DMM_F32},
 *         .op = DMM_SCAN_MAX};
 *     dmm_status status = dmm_axis_create(&largest, ctx, &desc);
 *     dmm_axis_args args = {.in = matrix, .out = maxima};
 *     if (status == DMM_OK)
 *         status = dmm_axis_enqueue(largest, queue, &args, rows, cols, 0, NULL, &event);
 *     dmm_axis_free(largest);
 *
 * Matrices       of items row after row; axes are numbered as in numpy. Strides are for views: of
 *                the columns from c on of a matrix of `wide` columns, in_stride is `wide` and the
 *                span `in` begins with the first row's item c. What is between is not changed
 * Results        reduce: an item for each column (axis 0) or row (axis 1). Scan and sort: a matrix
 * In place       scan and sort: yes, with the same stride. Reduce: no
 * Stable         sorts, yes
 * Cost           columns, reduced or scanned: as dmm_reduce and dmm_scan of all items; neighbours
 *                read neighbours. Rows: as dmm_reduce_segmented, dmm_scan_segmented and
 *                dmm_sort_segmented; with strides, a scan or a sort also moves the items to a
 *                matrix without gaps, and back. Columns are sorted as rows of the transpose, which
 *                reads and writes items and values twice more
 * Bank claim     that of these, and of dmm_transpose; the kernels of columns use no local memory
 * Temp           reduce: an item for each work-item that the device runs at a time, at most. Scans
 *                and sorts: that of those above; rows with strides or an `out` of a map, and sorted
 *                columns, n items and values more; sorted columns with strides or a map, 2n more
 * Map            as in <dmm/map.h>; further inputs have the stride of `in`, and `i` is an item's
 *                position in that span, also with a stride. Scans of rows, and sorts, write the
 *                items that it gives first; other calls read through it
 */
#ifndef DMM_AXIS_H
#define DMM_AXIS_H

#include <dmm/scan.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum dmm_axis_work {
    DMM_AXIS_REDUCE = 0,
    DMM_AXIS_SCAN = 1,
    DMM_AXIS_SORT = 2
} dmm_axis_work;

typedef struct dmm_axis_desc {
    dmm_axis_work work;
    int axis;        /* 0: down each column; 1: along each row */
    dmm_order order; /* type of items; sort: also their order. Reduce and scan: type alone */
    dmm_scan_op op;  /* reduce, scan: as in dmm_scan_desc, as are the next two */
    int exclusive;
    const dmm_operator *own;
    uint32_t
        value_bytes;    /* sort: a value that moves with each key: 1 to 256 bytes; 0: keys alone */
    int argsort;        /* sort: value i is the position that its key had in its column or row, as
                             numpy.argsort gives it; value_bytes 4 or 8 */
    int guarantee;      /* sort: conflict-free kernels only */
    uint64_t max_n;     /* most items of a matrix; 0: as many as the device can hold */
    dmm_tuning tuning;  /* as for dmm_scan or dmm_sort_segmented */
    const dmm_map *map; /* <dmm/map.h>: what to work on, and what scans write; NULL: the items */
    uint64_t reserved[3]; /* 0 */
} dmm_axis_desc;

typedef struct dmm_axis_args {
    dmm_span in;
    dmm_span values_in; /* sort; none for keys alone and for argsort */
    dmm_span out;
    dmm_span values_out;
    dmm_span temp;
    uint64_t in_stride;  /* items from the beginning of a row of `in`, and of values_in, to that of
                            the next one; 0: the length of a row */
    uint64_t out_stride; /* the same of the outputs; reduce: 0 */
    const dmm_span *further; /* as in dmm_scan_args */
    uint64_t reserved[3];    /* 0 */
} dmm_axis_args;

/* Built for one context and one description; for one thread at a time. */
typedef struct dmm_axis dmm_axis;

/* Errors as dmm_scan_create and dmm_sort_segmented_create. */
DMM_API dmm_status dmm_axis_create(dmm_axis **out, dmm_context *ctx, const dmm_axis_desc *desc);
/* Returns the bytes of temp for any strides. DMM_TOO_LARGE beyond max_n. */
DMM_API dmm_status dmm_axis_temp_bytes(
    uint64_t *out, const dmm_axis *axis, uint64_t rows, uint64_t cols);
/* DMM_BAD_VALUE: a stride is less than a row, or they differ in place. Other errors and events as
 * dmm_sort_enqueue. */
DMM_API dmm_status dmm_axis_enqueue(dmm_axis *axis, cl_command_queue queue,
    const dmm_axis_args *args, uint64_t rows, uint64_t cols, cl_uint num_wait, const cl_event *wait,
    cl_event *event);
/* NULL is fine. */
DMM_API void dmm_axis_free(dmm_axis *axis);
/* Works on a host array, from `in` to `out`, and blocks; scan and sort: `out` may be `in`. values:
 * NULL for keys alone; moved in place, or, for argsort, where the positions go. */
DMM_API dmm_status dmm_axis_host(dmm_context *ctx, const dmm_axis_desc *desc, const void *in,
    void *values, size_t rows, size_t cols, void *out);

#ifdef __cplusplus
}
#endif

#endif
