/* SPDX-License-Identifier: MIT */
/*
 * Lists of a call that sorts: input, output and a spare list in temp; and values that are fetched
 * by position at the end.
 */
#ifndef DMM_PRIMITIVES_LISTS_H
#define DMM_PRIMITIVES_LISTS_H

#include "primitives/items.h"

/* First regions of the call's temp; a class numbers its own from DMM_OWN_REGIONS on. */
enum { DMM_SPARE_KEYS, DMM_SPARE_VALUES, DMM_POSITIONS, DMM_INPUT_VALUES, DMM_OWN_REGIONS };

typedef struct dmm_lists {
    dmm_item_spans in, out, spare;
} dmm_lists;

/* Lays out the regions. spare: the call needs the spare list; in_place: values_out may equal
 * values_in. */
void dmm_lists_lay_out(dmm_call *call, const dmm_item_layout *item, int spare, int in_place);

/* Returns the lists as kernels see them: values that are fetched by position are positions
 * there. */
dmm_lists dmm_lists_of(
    const dmm_call *call, const dmm_item_layout *item, dmm_item_spans in, dmm_item_spans out);

/* Fetches the values of sorted items, unless they have moved themselves. */
dmm_status dmm_lists_fetch(const dmm_call *call, cl_kernel gather, const dmm_item_layout *item,
    dmm_span values_in, dmm_span values_out, dmm_span count);

#endif
