/* SPDX-License-Identifier: MIT */
/*
 * Method radix of dmm_sort: a dmm_radix with the description and args of the sort.
 */
#include "primitives/sort/radix.h"
#include "primitives/sort/sort.h"

typedef struct dmm_radix_sort {
    dmm_radix radix;
    dmm_sort_desc desc;
} dmm_radix_sort;

static dmm_status radix_sort_init(void *object)
{
    dmm_radix_sort *const sort = object;
    const dmm_sort_desc *const desc = &sort->desc;
    sort->radix.desc = (dmm_radix_desc){.order = desc->order,
        .value_bytes = desc->value_bytes,
        .argsort = desc->argsort,
        .bits = desc->bits,
        .guarantee = desc->guarantee,
        .max_n = desc->max_n,
        .tuning = desc->tuning};
    return dmm_radix_class.init(sort);
}

static dmm_status radix_sort_steps(const void *object, dmm_call *call)
{
    const dmm_radix_args args = {.items = *(const dmm_sort_args *)call->args};
    dmm_call as_radix = *call;
    as_radix.args = &args;
    return dmm_radix_steps(object, &as_radix);
}

/* dmm_radix_lay_out reads no args beyond those of the sort. */
const dmm_class dmm_radix_sort_class = {
    .word = "sort.radix",
    .bytes = sizeof(dmm_radix_sort),
    .desc_at = offsetof(dmm_radix_sort, desc),
    .desc_bytes = sizeof(dmm_sort_desc),
    .args_bytes = sizeof(dmm_sort_args),
    .temp_at = offsetof(dmm_sort_args, temp),
    .init = radix_sort_init,
    .lay_out = dmm_radix_lay_out,
    .steps = radix_sort_steps,
};
