/* SPDX-License-Identifier: MIT */
/*
 * What is not public of dmm_partition.
 */
#ifndef DMM_PRIMITIVES_PARTITION_H
#define DMM_PRIMITIVES_PARTITION_H

#include <dmm/partition.h>
#include <dmm/scan.h>

#include "primitives/order.h"

enum { DMM_OFFSETS_U = 64 }; /* work-items a group of dmm_partition_offsets */

struct dmm_partition {
    dmm_context *ctx; /* borrowed */
    dmm_partition_desc desc;
    uint32_t item_bytes, label_bytes, bucket_bytes;
    dmm_item_layout layout; /* of what buckets are computed from */
    dmm_parameters p;
    uint64_t max_n;
    cl_kernel bucket, judge, offsets;
    dmm_sort *items, *values; /* by bucket; values: NULL where there are none */
    /* CPU form, where one pass moves all: buckets, rounded up, that are counted as they are found */
    uint32_t count_rows;
    dmm_scan *scan; /* of these counts */
};

/*
 * dmm_partition_enqueue, with the items at positions first .. first + n - 1 of a longer, imagined
 * list, as dmm_sort_enqueue_from has them.
 */
dmm_status dmm_partition_enqueue_from(dmm_partition *partition, cl_command_queue queue,
    const dmm_partition_args *args, uint64_t first, uint64_t n, cl_uint num_wait,
    const cl_event *wait, cl_event *event);

#endif
