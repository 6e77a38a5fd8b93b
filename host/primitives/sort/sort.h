/* SPDX-License-Identifier: MIT */
/*
 * The internals of dmm_sort and dmm_sort_segmented. A dmm_sort forwards each call to the method it
 * was created with: a dmm_merge_sort, a dmm_radix, a dmm_network_sort or a dmm_quick_sort.
 */
#ifndef DMM_PRIMITIVES_SORT_H
#define DMM_PRIMITIVES_SORT_H

#include <dmm/sort.h>
#include <dmm/sort_segmented.h>

#include "primitives/classes.h"
#include "primitives/sort/merger.h"
#include "primitives/sort/offsets.h"
#include "primitives/sort/radix.h"

struct dmm_sort {
    dmm_object object;
    dmm_sort_desc desc;
    dmm_sort_method method; /* never auto */
    dmm_item_layout layout;
    const dmm_object *by; /* the method; a part */
};

/* Methods merge, matrix and shear. Description and args are the sort's. */
typedef struct dmm_merge_sort {
    dmm_object object;
    dmm_sort_desc desc;
    dmm_merger merger;
    cl_kernel tile; /* sorts a tile */
} dmm_merge_sort;

extern const dmm_class dmm_merge_sort_class;

struct dmm_sort_segmented {
    dmm_object object;
    dmm_sort_segmented_desc desc;
    dmm_merger merger; /* its kernels split and merge within segments */
    dmm_offsets offsets;
    cl_kernel find, tile;
};

#endif
