/* SPDX-License-Identifier: MIT */
/*
 * Method merge of dmm_sort. A method that sorts tiles in another way takes its passes.
 */
#ifndef DMM_PRIMITIVES_SORT_MERGE_H
#define DMM_PRIMITIVES_SORT_MERGE_H

#include "primitives/sort/merger.h"
#include "primitives/sort/sort.h"

typedef struct dmm_merge_sort {
    dmm_object object;
    dmm_sort_desc desc;
    dmm_merger merger;
    cl_kernel tile; /* sorts a tile */
} dmm_merge_sort;

void dmm_merge_sort_lay_out(const void *object, dmm_call *call);
dmm_status dmm_merge_sort_steps(const void *object, dmm_call *call);

/* The sizes of a class whose object begins with a dmm_merge_sort. */
#define DMM_MERGE_SORT_CLASS                                                     \
    .bytes = sizeof(dmm_merge_sort), .desc_at = offsetof(dmm_merge_sort, desc),  \
    .desc_bytes = sizeof(dmm_sort_desc), .args_bytes = sizeof(dmm_sort_args),    \
    .temp_at = offsetof(dmm_sort_args, temp), .lay_out = dmm_merge_sort_lay_out, \
    .steps = dmm_merge_sort_steps

#endif
