/* SPDX-License-Identifier: MIT */
/*
 * What is not public of dmm_scan.
 */
#ifndef DMM_PRIMITIVES_SCAN_H
#define DMM_PRIMITIVES_SCAN_H

#include <dmm/scan.h>

#include "core/tuning.h"
#include "primitives/order.h"

struct dmm_scan {
    dmm_context *ctx; /* borrowed */
    dmm_scan_desc desc;
    dmm_item_layout layout;
    dmm_parameters p;
    uint64_t max_n;
    cl_kernel reduce, alone, apply;
};

/* How the items of a call are shared out: group g takes items g*range .. (g + 1)*range - 1, the
 * last one up to n - 1. */
typedef struct dmm_scan_shares {
    uint64_t groups; /* at most p.most_groups; none for n = 0 */
    uint64_t range;  /* items; whole tiles */
} dmm_scan_shares;

dmm_scan_shares dmm_scan_share(const dmm_scan *scan, uint64_t n);

/*
 * dmm_scan_enqueue, with the items in the ranges from first_group on of a longer, imagined list, of
 * which nothing before them counts. dmm_scan_enqueue passes 0; others exercise positions beyond
 * 2^32 in small buffers.
 */
dmm_status dmm_scan_enqueue_from(dmm_scan *scan, cl_command_queue queue, const dmm_scan_args *args,
    uint64_t first_group, uint64_t n, cl_uint num_wait, const cl_event *wait, cl_event *event);

#endif
