/* SPDX-License-Identifier: MIT */
/*
 * What is not public of dmm_shuffle.
 */
#ifndef DMM_PRIMITIVES_SHUFFLE_H
#define DMM_PRIMITIVES_SHUFFLE_H

#include <dmm/shuffle.h>

#include "primitives/spread.h"

/* What moves one of the two lists: items, or values. */
typedef struct dmm_shuffle_list {
    dmm_word_layout words;
    cl_kernel gather;
    dmm_spread spread;
} dmm_shuffle_list;

struct dmm_shuffle {
    dmm_context *ctx; /* borrowed */
    dmm_shuffle_desc desc;
    dmm_parameters p;
    uint64_t max_n;
    dmm_shuffle_list items, values; /* values.gather is NULL where there are none */
};

#endif
