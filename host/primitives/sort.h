/* SPDX-License-Identifier: MIT */
/*
 * What is not public of dmm_sort.
 */
#ifndef DMM_PRIMITIVES_SORT_H
#define DMM_PRIMITIVES_SORT_H

#include <dmm/sort.h>

#include "core/launch.h"
#include "primitives/merge.h"

struct dmm_sort {
    dmm_merger merger; /* first: what sort and merge share */
    dmm_sort_desc desc;
    cl_kernel tile;
};

/*
 * dmm_sort_enqueue, with the items at positions first .. first + n - 1 of a longer, imagined list: what the
 * kernels compute is as of that list's tail. dmm_sort_enqueue passes 0; others exercise positions beyond 2^32
 * in small buffers. first: a multiple of the power of two that is at least n and T.
 */
dmm_status dmm_sort_enqueue_from(dmm_sort *sort, cl_command_queue queue, const dmm_sort_args *args,
    uint64_t first, uint64_t n, cl_uint num_wait, const cl_event *wait, cl_event *event);

#endif
