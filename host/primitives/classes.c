/* SPDX-License-Identifier: MIT */
/*
 * The table of primitives, by dmm_primitive, and then the classes that only primitives use.
 */
#include "primitives/classes.h"

#include <string.h>

#include "core/tuning_rows.h"
#include "primitives/sort/radix.h"
#include "primitives/sort/sort.h"

static const dmm_class *const classes[] = {
    [DMM_PRIMITIVE_SORT] = &dmm_sort_class,
    [DMM_PRIMITIVE_SORT_SEGMENTED] = &dmm_sort_segmented_class,
    [DMM_PRIMITIVE_MERGE] = &dmm_merge_class,
    [DMM_PRIMITIVE_TOPK] = &dmm_topk_class,
    [DMM_PRIMITIVE_NTH] = &dmm_nth_class,
    [DMM_PRIMITIVE_PARTITION] = &dmm_partition_class,
    [DMM_PRIMITIVE_SCAN] = &dmm_scan_class,
    [DMM_PRIMITIVE_REDUCE] = &dmm_reduce_class,
    [DMM_PRIMITIVE_UNIQUE] = &dmm_unique_class,
    [DMM_PRIMITIVE_HISTOGRAM] = &dmm_histogram_class,
    [DMM_PRIMITIVE_PERMUTE] = &dmm_permute_class,
    [DMM_PRIMITIVE_SHUFFLE] = &dmm_shuffle_class,
    [DMM_PRIMITIVE_TRANSPOSE] = &dmm_transpose_class,
    [DMM_PRIMITIVE_HULL] = &dmm_hull_class,
    [DMM_PRIMITIVE_SEARCH] = &dmm_search_class,
    &dmm_permutation_plan_class, /* made from an index on the host: nothing to warm */
    &dmm_merge_sort_class,
    &dmm_radix_class,
};
enum { NUM_PRIMITIVES = DMM_PRIMITIVE_SEARCH + 1 };

const dmm_class *dmm_class_of(dmm_primitive primitive)
{
    return (size_t)primitive < NUM_PRIMITIVES ? classes[primitive] : NULL;
}

int dmm_is_tuning_word(const char *text)
{
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        if (strcmp(classes[i]->word, text) == 0)
            return 1;
    return 0;
}
