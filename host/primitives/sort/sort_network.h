/* SPDX-License-Identifier: MIT */
/* Method network of dmm_sort. Description and args are the sort's. */
#ifndef DMM_PRIMITIVES_SORT_NETWORK_H
#define DMM_PRIMITIVES_SORT_NETWORK_H

#include <dmm/sort.h>

#include "core/object.h"
#include "primitives/items.h"

typedef struct dmm_network_sort {
    dmm_object object;
    dmm_sort_desc desc;
    dmm_item_layout layout;
    dmm_parameters p;
    uint32_t tile_bits; /* a tile has 2^tile_bits items */
    cl_kernel steps;
} dmm_network_sort;

extern const dmm_class dmm_network_sort_class;

#endif
