/* SPDX-License-Identifier: MIT */
/*
 * Values that do not move with their keys: positions move in their place (cl/values.clh), and
 * dmm_gather_values fetches the values at the end.
 */
#ifndef DMM_PRIMITIVES_VALUES_H
#define DMM_PRIMITIVES_VALUES_H

#include "core/object.h"
#include "primitives/order.h"

/* What cl/values.clh and cl/gather.clh need. `positions`: the values are positions by the caller's
 * wish; where they are made, the sort's first step makes them if `sorts`, else the merge. */
void dmm_values_define(
    dmm_options *options, const dmm_item_layout *layout, int positions, int sorts);

/* The gather kernel, to be released; left alone where values move themselves. */
dmm_status dmm_values_kernel(
    dmm_programs *programs, cl_program program, const dmm_item_layout *layout, cl_kernel *out);

/* The same for an object, which frees it. */
dmm_status dmm_values_object_kernel(
    void *object, cl_program program, const dmm_item_layout *layout, cl_kernel *out);

/* out[i] = the value at positions[i], 0 <= i < n: positions first .. first + na - 1 are of a, later
 * ones of b. */
typedef struct dmm_gathering {
    dmm_span positions, a, b, out;
    uint64_t first, na, n;
    dmm_span count; /* of items, if fewer than n */
} dmm_gathering;

dmm_status dmm_values_gather(
    cl_kernel kernel, const dmm_item_layout *layout, dmm_chain *chain, const dmm_gathering *g);

#endif
