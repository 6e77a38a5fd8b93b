/* SPDX-License-Identifier: MIT */
/* Method quick of dmm_sort. Description and args are the sort's. */
#ifndef DMM_PRIMITIVES_SORT_QUICK_H
#define DMM_PRIMITIVES_SORT_QUICK_H

#include <dmm/partition.h>
#include <dmm/sort_segmented.h>

#include "primitives/items.h"
#include "primitives/sort/sort.h"

typedef struct dmm_quick_sort {
    dmm_object object;
    dmm_sort_desc desc;
    dmm_item_layout layout;
    uint32_t ways;
    cl_kernel pick;
    cl_kernel positions;         /* argsort; otherwise NULL */
    dmm_merge_sort *sample;      /* sorts the sample */
    dmm_partition *partition;    /* by the pivots */
    dmm_sort_segmented *buckets; /* sorts them */
} dmm_quick_sort;

extern const dmm_class dmm_quick_sort_class;

#endif
