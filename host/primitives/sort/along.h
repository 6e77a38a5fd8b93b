/* SPDX-License-Identifier: MIT */
/*
 * Arrays beside the only column of a dmm_lexsort that move along in sorts of the column, one each.
 */
#ifndef DMM_PRIMITIVES_SORT_ALONG_H
#define DMM_PRIMITIVES_SORT_ALONG_H

#include <dmm/lexsort.h>
#include <dmm/sort.h>

#include "primitives/classes.h"

typedef struct dmm_along {
    const dmm_lexsort_desc *desc;
    dmm_sort *sorts[DMM_MAX_COLUMNS]; /* parts; arrays of one size share theirs; NULL: none move */
} dmm_along;

/* Builds the sorts of an object, if its arrays may move along: in the CPU form. */
dmm_status dmm_along_init(dmm_along *along, void *object, const dmm_lexsort_desc *desc);
/* True if arrays move along in a call of n rows that wants no row numbers. */
int dmm_along_is_faster(const dmm_along *along, uint64_t n);
/* Returns the bytes of temp that the sorts need. */
uint64_t dmm_along_temp_bytes(const dmm_along *along, uint64_t n);
/* Sorts a call's column, once for each array, to keys_out. */
dmm_status dmm_along_steps(
    const dmm_along *along, const dmm_call *call, dmm_span keys_out, dmm_span temp);

#endif
