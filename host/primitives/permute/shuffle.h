/* SPDX-License-Identifier: MIT */
/*
 * The internals of dmm_shuffle.
 */
#ifndef DMM_PRIMITIVES_PERMUTE_SHUFFLE_H
#define DMM_PRIMITIVES_PERMUTE_SHUFFLE_H

#include <dmm/shuffle.h>

#include "primitives/classes.h"
#include "primitives/permute/spread.h"

/* One of the two lists, items or values, and the kernels that move it. */
typedef struct dmm_shuffle_list {
    dmm_word_layout words;
    cl_kernel gather; /* NULL: no such list */
    dmm_spread spread;
} dmm_shuffle_list;

struct dmm_shuffle {
    dmm_object object;
    dmm_shuffle_desc desc;
    dmm_parameters p;
    dmm_shuffle_list items, values;
};

#endif
