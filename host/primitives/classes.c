/* SPDX-License-Identifier: MIT */
/*
 * The rows of primitives by number, and the names of tuning files' rows.
 */
#include "primitives/classes.h"

#include <string.h>

#include "core/tuning_rows.h"
#include "primitives/sort/sort.h"

#define NUMBERED(N, word) [DMM_PRIMITIVE_##N] = &dmm_##word##_class,
#define ONE(N, word)      +1
static const dmm_class *const primitives[] = {DMM_PRIMITIVES(NUMBERED)};
_Static_assert(sizeof primitives / sizeof *primitives == 0 DMM_PRIMITIVES(ONE),
    "a number of <dmm/warm.h> has no row");

/* Classes without a number: used only by primitives, or plans. */
static const dmm_class *const others[] = {
    &dmm_merge_sort_class, &dmm_radix_sort_class, &dmm_permutation_plan_class};

const dmm_class *dmm_class_of(dmm_primitive primitive)
{
    const size_t count = sizeof primitives / sizeof *primitives;
    return (size_t)primitive < count ? primitives[primitive] : NULL;
}

static int has_word(const dmm_class *const *classes, size_t count, const char *word)
{
    size_t i = 0;
    while (i < count && strcmp(classes[i]->word, word) != 0)
        i++;
    return i < count;
}

int dmm_is_tuning_word(const char *text)
{
    return has_word(primitives, sizeof primitives / sizeof *primitives, text) ||
           has_word(others, sizeof others / sizeof *others, text);
}
