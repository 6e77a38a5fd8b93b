/* SPDX-License-Identifier: MIT */
/*
 * The internals of dmm_axis: columns are reduced and scanned by kernels of their own; rows, and
 * columns as rows of the transpose, are segments. Kernels of columns, and dmm_reduce_segmented,
 * read through a map; for the others a launch stores what it gives.
 */
#ifndef DMM_PRIMITIVES_AXIS_H
#define DMM_PRIMITIVES_AXIS_H

#include <dmm/axis.h>

#include "cl/axis_call.clh"
#include "primitives/classes.h"
#include "primitives/items.h"
#include "primitives/mapping.h"
#include "primitives/segmented/segmented.h"

/* Moves of items of one size, keys or values. */
typedef struct dmm_axis_mover {
    uint32_t item_bytes, word_bytes; /* 0: there are none */
    cl_kernel copy, places;
    void *transpose; /* a part; NULL: none */
} dmm_axis_mover;

struct dmm_axis {
    dmm_object object;
    dmm_axis_desc desc;
    uint32_t key_bytes;
    dmm_mapping mapping;
    dmm_parameters p; /* of columns */
    uint32_t strip;   /* columns of a work-item */
    cl_kernel reduce, scan;
    cl_kernel over_totals; /* one of these without a map */
    cl_kernel store, emit; /* rows with a map that are not read through it */
    void *part; /* of rows: dmm_reduce_segmented, dmm_scan_segmented or _sort_segmented */
    dmm_segmented segmented; /* sort */
    dmm_axis_mover keys, values;
};

/* The regions of a call. */
enum {
    DMM_AXIS_OFFSETS = DMM_SEGMENTED_OFFSETS, /* sort */
    DMM_AXIS_NO_MARKS = DMM_SEGMENTED_MARKS,
    DMM_AXIS_TOTALS, /* columns */
    DMM_AXIS_KEYS,
    DMM_AXIS_VALUES,
    DMM_AXIS_FLAT_KEYS, /* sorted columns with strides */
    DMM_AXIS_FLAT_VALUES,
    DMM_AXIS_PART
};

/* Shape of a call: sizes.n items, in sizes.m columns or rows. */
typedef struct dmm_axis_shape {
    uint64_t rows, cols;
} dmm_axis_shape;

static inline dmm_axis_shape dmm_axis_shape_of(const dmm_axis *axis, const dmm_sizes *sizes)
{
    const uint64_t other = sizes->m != 0 ? sizes->n / sizes->m : 0;
    return axis->desc.axis == 0 ? (dmm_axis_shape){other, sizes->m}
                                : (dmm_axis_shape){sizes->m, other};
}

/* For init, lay_out and steps of columns that are reduced or scanned. */
dmm_status dmm_axis_columns_init(dmm_axis *axis);
void dmm_axis_columns_lay_out(const dmm_axis *axis, dmm_call *call);
dmm_status dmm_axis_columns_steps(const dmm_axis *axis, const dmm_call *call);

/* The same of all else. */
dmm_status dmm_axis_rows_init(dmm_axis *axis);
void dmm_axis_rows_lay_out(const dmm_axis *axis, dmm_call *call);
dmm_status dmm_axis_rows_steps(const dmm_axis *axis, const dmm_call *call);

#endif
