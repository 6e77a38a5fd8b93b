/* SPDX-License-Identifier: MIT */
/*
 * Values that do not move with their keys: positions move in their place (cl/values.clh), and
 * dmm_gather_values fetches the values at the end.
 */
#ifndef DMM_PRIMITIVES_VALUES_H
#define DMM_PRIMITIVES_VALUES_H

#include "core/object.h"
#include "primitives/order.h"

/* Defines what cl/values.clh and cl/gather.clh need. `positions`: argsort. Positions are made by
 * the sort's first step if `sorts`, else by the merge. */
void dmm_values_define(
    dmm_options *options, const dmm_item_layout *layout, int positions, int sorts);

/* Makes the gather kernel, for an object that frees it; leaves *out alone where values move
 * themselves. */
dmm_status dmm_values_kernel(
    void *object, cl_program program, const dmm_item_layout *layout, cl_kernel *out);

/* out[i] = the value at positions[i], 0 <= i < n: positions first .. first + na - 1 are in a, later
 * ones in b. */
typedef struct dmm_gathering {
    dmm_span positions, a, b, out;
    uint64_t first, na, n;
    dmm_span count; /* of items, if fewer than n */
} dmm_gathering;

dmm_status dmm_values_gather(
    const dmm_call *call, cl_kernel kernel, const dmm_item_layout *layout, const dmm_gathering *g);

#endif
