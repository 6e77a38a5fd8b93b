/* SPDX-License-Identifier: MIT */
/*
 * The internals of dmm_partition.
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
    dmm_item_layout layout; /* layout of the data that buckets are computed from */
    dmm_parameters p;
    cl_kernel bucket, judge, offsets;
    dmm_radix *items, *values; /* sorts by bucket; values: NULL if there are none */
    /* If one pass moves everything: number of buckets, rounded up, that are counted while they are
     * found; else 0 */
    uint32_t count_rows;
    dmm_scan *scan; /* scans these counts; CPU form only */
};

/* Returns the number of items of `by` that a call of n items reads. */
uint64_t dmm_partition_by_items(const dmm_partition *partition, uint64_t n);

#endif
