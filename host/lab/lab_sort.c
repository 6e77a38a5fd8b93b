/* SPDX-License-Identifier: MIT */
/*
 * dmm_lab_sort_create: sorts by the methods of the lab. Each has a class whose init creates its
 * method; all else is that of dmm_sort.
 */
#include <dmm-lab/sort.h>

#include "lab/lab.h"
#include "primitives/sort/sort.h"

static dmm_status init_by(dmm_sort *sort, const dmm_class *method)
{
    const dmm_sort_desc *const desc = &sort->desc;
    if (desc->method != DMM_SORT_AUTO)
        return DMM_BAD_VALUE;
    if (desc->bits.begin != 0 || desc->bits.end != 0)
        return DMM_UNSUPPORTED;
    return dmm_sort_by(sort, method);
}

static dmm_status init_by_matrix(void *object)
{
    return init_by(object, &dmm_lab_matrix_sort_class);
}

static dmm_status init_by_shear(void *object)
{
    return init_by(object, &dmm_lab_shear_sort_class);
}

static dmm_status init_by_quick(void *object)
{
    return init_by(object, &dmm_lab_quick_sort_class);
}

static dmm_status init_by_gather(void *object)
{
    return init_by(object, &dmm_lab_gather_sort_class);
}

static const dmm_class classes[] = {
    [DMM_LAB_SORT_MATRIX] = {DMM_SORT_CLASS, .init = init_by_matrix},
    [DMM_LAB_SORT_SHEAR] = {DMM_SORT_CLASS, .init = init_by_shear},
    [DMM_LAB_SORT_QUICK] = {DMM_SORT_CLASS, .init = init_by_quick},
    [DMM_LAB_SORT_GATHER] = {DMM_SORT_CLASS, .init = init_by_gather},
};

static int is_method(dmm_lab_sort_method method)
{
    return method >= DMM_LAB_SORT_MATRIX && method <= DMM_LAB_SORT_GATHER;
}

dmm_status dmm_lab_sort_create(
    dmm_sort **out, dmm_context *ctx, const dmm_sort_desc *desc, dmm_lab_sort_method method)
{
    if (is_method(method))
        return dmm_object_create(out, ctx, &classes[method], desc);
    if (out != NULL)
        *out = NULL;
    return DMM_BAD_VALUE;
}

dmm_status dmm_lab_sort_host(dmm_context *ctx, const dmm_sort_desc *desc,
    dmm_lab_sort_method method, void *keys, void *values, size_t n)
{
    dmm_sort_args args = {.temp = DMM_NONE};
    const dmm_host_array arrays[DMM_MAX_PORTS] = {
        {.from = keys}, {.from = values}, {.to = keys}, {.to = values}};
    if (!is_method(method))
        return DMM_BAD_VALUE;
    return dmm_object_host(ctx, &classes[method], desc, &args, (dmm_sizes){.n = n}, arrays);
}
