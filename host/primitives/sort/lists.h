/* SPDX-License-Identifier: MIT */
/*
 * The lists of a call that sorts: input, output and, in temp, a spare one; and values that are
 * fetched by position at the end.
 */
#ifndef DMM_PRIMITIVES_LISTS_H
#define DMM_PRIMITIVES_LISTS_H

#include "primitives/items.h"

/* The first regions of the call's temp; the class numbers its own from DMM_OWN_REGIONS on. */
enum { DMM_SPARE_KEYS, DMM_SPARE_VALUES, DMM_POSITIONS, DMM_INPUT_VALUES, DMM_OWN_REGIONS };

typedef struct dmm_lists {
    dmm_item_spans in, out, spare;
} dmm_lists;

/* Lays the regions out. spare: the call needs the spare list; in_place: values_out may be
 * values_in. */
void dmm_lists_lay_out(dmm_call *call, const dmm_item_layout *item, int spare, int in_place);

/* The lists as kernels see them: values fetched by position are positions there. */
dmm_lists dmm_lists_of(
    const dmm_call *call, const dmm_item_layout *item, dmm_item_spans in, dmm_item_spans out);

/* Fetches the values of sorted items, if that is how they move. */
dmm_status dmm_lists_fetch(const dmm_call *call, cl_kernel gather, const dmm_item_layout *item,
    dmm_span values_in, dmm_span values_out, dmm_span count);

#endif
