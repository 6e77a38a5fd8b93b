/* SPDX-License-Identifier: MIT */
/*
 * What method radix of dmm_sort holds; and how its GPU form sorts tiles (radix_tile.c).
 */
#ifndef DMM_PRIMITIVES_RADIX_H
#define DMM_PRIMITIVES_RADIX_H

#include <dmm/scan.h>
#include <dmm/sort.h>

#include "primitives/values.h"

typedef struct dmm_radix_sort {
    dmm_parameters p;
    uint32_t digit_bits;         /* the most bits of a digit */
    uint32_t begin_bit, end_bit; /* of codes: what is sorted by */
    uint32_t least_buckets;
    cl_kernel count, scatter, settle, alone;
    cl_kernel buckets; /* CPU form only */
    cl_kernel gather;  /* NULL where values move themselves */
    dmm_scan *scan;    /* of counts */
} dmm_radix_sort;

/* What sorting tiles adds to the footprint of their items. */
void dmm_radix_tile_footprint(dmm_footprint *footprint, const dmm_sort *sort);

/* What it is told; parameters were chosen. */
dmm_status dmm_radix_tile_define(dmm_options *options, const dmm_sort *sort);

/* Group g has items g*range .. (g + 1)*range - 1. */
typedef struct dmm_radix_shares {
    uint64_t groups, range;
} dmm_radix_shares;

/* How dmm_sort_enqueue_counted shares out n items; no groups: it does not take them. */
dmm_radix_shares dmm_radix_share(const dmm_radix_sort *by, uint64_t n);

#endif
