/* SPDX-License-Identifier: MIT */
/*
 * The internals of dmm_sort_segmented.
 */
#ifndef DMM_PRIMITIVES_SORT_SEGMENTED_H
#define DMM_PRIMITIVES_SORT_SEGMENTED_H

#include <dmm/sort_segmented.h>

#include "primitives/classes.h"
#include "primitives/mapping_store.h"
#include "primitives/sort/merger.h"
#include "primitives/sort/offsets.h"

struct dmm_sort_segmented {
    dmm_object object;
    dmm_sort_segmented_desc desc;
    dmm_merger merger; /* its kernels split and merge within segments */
    dmm_offsets offsets;
    dmm_mapping_store store; /* writes mapped keys to the output, where they are sorted */
    cl_kernel find, tile;
};

#endif
