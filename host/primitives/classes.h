/* SPDX-License-Identifier: MIT */
/*
 * The table of primitives: a row each, which whatever lists them all reads.
 */
#ifndef DMM_PRIMITIVES_CLASSES_H
#define DMM_PRIMITIVES_CLASSES_H

#include <dmm/warm.h>

#include "core/object.h"

extern const dmm_class dmm_histogram_class;
extern const dmm_class dmm_hull_class;
extern const dmm_class dmm_merge_class;
extern const dmm_class dmm_nth_class;
extern const dmm_class dmm_partition_class;
extern const dmm_class dmm_permutation_plan_class;
extern const dmm_class dmm_permute_class;
extern const dmm_class dmm_reduce_class;
extern const dmm_class dmm_scan_class;
extern const dmm_class dmm_search_class;
extern const dmm_class dmm_shuffle_class;
extern const dmm_class dmm_sort_class;
extern const dmm_class dmm_sort_segmented_class;
extern const dmm_class dmm_topk_class;
extern const dmm_class dmm_transpose_class;
extern const dmm_class dmm_unique_class;

/* The row of a public primitive; NULL: there is none of that number. */
const dmm_class *dmm_class_of(dmm_primitive primitive);

#endif
