/* SPDX-License-Identifier: MIT */
/*
 * What is not public of dmm_partition: what partition.c builds and partition_call.c runs.
 */
#ifndef DMM_PRIMITIVES_PARTITION_H
#define DMM_PRIMITIVES_PARTITION_H

#include <dmm/partition.h>

#include "primitives/classes.h"
#include "primitives/sort/radix.h"

struct dmm_partition {
    dmm_object object;
    dmm_partition_desc desc;
    uint32_t item_bytes, label_bytes, bucket_bytes;
    dmm_item_layout layout; /* of what buckets are computed from */
    dmm_parameters p;
    cl_kernel bucket, judge, offsets;
    dmm_radix *items, *values; /* by bucket; values: NULL where there are none */
    /* CPU form, where one pass moves all: buckets, rounded up, that are counted as they are
     * found */
    uint32_t count_rows;
    dmm_scan *scan; /* of these counts */
};

/* Items of `by` that a call of n items reads, and their size. */
uint64_t dmm_partition_by_items(const dmm_partition *partition, uint64_t n);
uint32_t dmm_partition_by_bytes(const dmm_partition *partition);

void dmm_partition_lay_out(const void *object, dmm_call *call);
dmm_status dmm_partition_steps(const void *object, dmm_call *call);

#endif
