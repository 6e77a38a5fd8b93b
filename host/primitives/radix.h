/* SPDX-License-Identifier: MIT */
/*
 * What method radix of dmm_sort holds.
 */
#ifndef DMM_PRIMITIVES_RADIX_H
#define DMM_PRIMITIVES_RADIX_H

#include <dmm/scan.h>

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

#endif
