/* SPDX-License-Identifier: MIT */
/*
 * The table of primitives: a row each, for whatever lists them all.
 */
#ifndef DMM_PRIMITIVES_CLASSES_H
#define DMM_PRIMITIVES_CLASSES_H

#include <dmm/warm.h>

#include "core/object.h"

/* ROW(N, word): dmm_<word>, which is DMM_PRIMITIVE_N; in the order in which the self-test runs. */
#define DMM_PRIMITIVES(ROW)                 \
    ROW(SCAN, scan)                         \
    ROW(HISTOGRAM, histogram)               \
    ROW(REDUCE, reduce)                     \
    ROW(SCAN_BY_KEY, scan_by_key)           \
    ROW(REDUCE_BY_KEY, reduce_by_key)       \
    ROW(MERGE, merge)                       \
    ROW(MERGE_MANY, merge_many)             \
    ROW(SET, set)                           \
    ROW(SORT, sort)                         \
    ROW(SORT_SEGMENTED, sort_segmented)     \
    ROW(TOPK, topk)                         \
    ROW(TOPK_SEGMENTED, topk_segmented)     \
    ROW(SCAN_SEGMENTED, scan_segmented)     \
    ROW(REDUCE_SEGMENTED, reduce_segmented) \
    ROW(AXIS, axis)                         \
    ROW(NTH, nth)                           \
    ROW(UNIQUE, unique)                     \
    ROW(SELECT, select)                     \
    ROW(RUN_LENGTH, run_length)             \
    ROW(SEARCH, search)                     \
    ROW(LAYOUT, layout)                     \
    ROW(NETWORK, network)                   \
    ROW(PARTITION, partition)               \
    ROW(SHUFFLE, shuffle)                   \
    ROW(PERMUTE, permute)                   \
    ROW(TAKE, take)                         \
    ROW(LEXSORT, lexsort)                   \
    ROW(TRANSPOSE, transpose)               \
    ROW(HULL, hull)                         \
    ROW(HEAP, heap)                         \
    ROW(PATHS, paths)
/* With plans, which have no number: the host builds them, so there is nothing to warm. */
#define DMM_PRIMITIVES_AND_PLANS(ROW) \
    DMM_PRIMITIVES(ROW)               \
    ROW(NONE, permutation_plan)

#define DMM_DECLARE_CLASS(N, word) extern const dmm_class dmm_##word##_class;
DMM_PRIMITIVES_AND_PLANS(DMM_DECLARE_CLASS)

/* Returns the row of a public primitive; NULL if there is none of that number. */
const dmm_class *dmm_class_of(dmm_primitive primitive);

#endif
