/* SPDX-License-Identifier: MIT */
/*
 * The table of primitives: a row each, for whatever lists them all.
 */
#ifndef DMM_PRIMITIVES_CLASSES_H
#define DMM_PRIMITIVES_CLASSES_H

#include <dmm/warm.h>

#include "core/object.h"

/* ROW(N, word): dmm_<word>, which is DMM_PRIMITIVE_N. */
#define DMM_PRIMITIVES(ROW)             \
    ROW(SORT, sort)                     \
    ROW(SORT_SEGMENTED, sort_segmented) \
    ROW(MERGE, merge)                   \
    ROW(TOPK, topk)                     \
    ROW(NTH, nth)                       \
    ROW(PARTITION, partition)           \
    ROW(SCAN, scan)                     \
    ROW(REDUCE, reduce)                 \
    ROW(UNIQUE, unique)                 \
    ROW(HISTOGRAM, histogram)           \
    ROW(PERMUTE, permute)               \
    ROW(SHUFFLE, shuffle)               \
    ROW(TRANSPOSE, transpose)           \
    ROW(HULL, hull)                     \
    ROW(SEARCH, search)                 \
    ROW(LAYOUT, layout)

#define DMM_DECLARE_CLASS(N, word) extern const dmm_class dmm_##word##_class;
DMM_PRIMITIVES(DMM_DECLARE_CLASS)
/* Built from an index on the host: nothing to warm, so it has no number. */
extern const dmm_class dmm_permutation_plan_class;

/* Returns the row of a public primitive; NULL if there is none of that number. */
const dmm_class *dmm_class_of(dmm_primitive primitive);

#endif
