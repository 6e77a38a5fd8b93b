/* SPDX-License-Identifier: MIT */
/* Every primitive. */
#include "liar/every_class.h"

#include <dmm/heap.h>

#include "primitives/permute/permutation_plan.h"
#include "support/require.h"

const dmm_sizes every_sizes = {.n = EVERY_N, .m = 3, .l = 1};

const dmm_class *every_class_at(int i)
{
    const dmm_class *const class = dmm_class_of((dmm_primitive)i);
    if (class == NULL && dmm_class_of((dmm_primitive)(i - 1)) != NULL)
        return &dmm_permutation_plan_class;
    return class;
}

const void *every_desc_of(const dmm_class *class)
{
    static const uint64_t zeros[64];
    static const dmm_plan_source reversal = {
        .desc = {.kind = DMM_PLAN_STRIDE, .n = EVERY_N, .argument = 7}};
    static const dmm_heap_desc small_heap = {.bulk = EVERY_N, .capacity = EVERY_N};
    REQUIRE(class->desc_bytes <= sizeof zeros);
    if (class == &dmm_heap_class)
        return &small_heap;
    return class == &dmm_permutation_plan_class ? (const void *)&reversal : zeros;
}
