/* SPDX-License-Identifier: MIT */
/*
 * The internals of dmm_sort, which forwards each call to the method it was created with.
 */
#ifndef DMM_PRIMITIVES_SORT_H
#define DMM_PRIMITIVES_SORT_H

#include <dmm/sort.h>

#include "primitives/classes.h"

struct dmm_sort {
    dmm_object object;
    dmm_sort_desc desc;
    dmm_sort_method method; /* never auto */
    const dmm_object *by;   /* the method; a part */
};

/* The methods, each beside its own code. Their descriptions and args are those of the sort. */
extern const dmm_class dmm_merge_sort_class, dmm_radix_sort_class, dmm_matrix_sort_class,
    dmm_network_sort_class, dmm_quick_sort_class;

#endif
