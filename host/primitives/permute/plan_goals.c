/* SPDX-License-Identifier: MIT */
/* Where a description sends each item. */
#include "primitives/permute/permutation_plan.h"

#include <stdlib.h>

#include <dmm/shuffle.h>

#include "core/check.h"

static uint64_t reversed(uint64_t i, uint64_t n)
{
    uint64_t other = 0;
    for (; n > 1; n /= 2, i /= 2)
        other = 2 * other + i % 2;
    return other;
}

static uint64_t goal_of(const dmm_permutation_plan_desc *desc, uint64_t i)
{
    const uint64_t n = desc->n, rows = desc->argument;
    switch (desc->kind) {
    case DMM_PLAN_BIT_REVERSAL:
        return reversed(i, n);
    case DMM_PLAN_TRANSPOSE:
        return i % (n / rows) * rows + i / (n / rows);
    case DMM_PLAN_STRIDE:
        return i * (rows % n) % n;
    case DMM_PLAN_SHUFFLE:
        return dmm_shuffle_place(desc->argument, n, i);
    default:
        return desc->index[i];
    }
}

dmm_status dmm_plan_new_goals(
    uint32_t **out, const dmm_permutation_plan_desc *desc, uint64_t padded)
{
    dmm_status status = DMM_OK;
    uint32_t *goals = malloc((size_t)padded * sizeof *goals + 1);
    unsigned char *seen = calloc((size_t)desc->n + 1, 1);
    FAIL_IF(goals == NULL || seen == NULL, DMM_OUT_OF_MEMORY);
    for (uint64_t i = 0; i < padded; i++) {
        const uint64_t goal = i < desc->n ? goal_of(desc, i) : i;
        goals[i] = (uint32_t)goal;
        if (i >= desc->n)
            continue;
        FAIL_IF(goal >= desc->n || seen[goal], DMM_BAD_DATA);
        seen[goal] = 1;
    }
    *out = goals;
    goals = NULL;
out:
    free(seen);
    free(goals);
    return status;
}
