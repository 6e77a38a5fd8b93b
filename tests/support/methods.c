/* SPDX-License-Identifier: MIT */
#include "support/methods.h"

/* Returns the method of the lab, whose numbers begin with 1; 0: it is libdmm's. */
static int of_lab(int method)
{
    return method > METHODS_OF_LAB ? method - METHODS_OF_LAB : 0;
}

int lab_is_built(void)
{
    return dmm_lab_sort_create(NULL, NULL, NULL, DMM_LAB_SORT_MATRIX) == DMM_NULL_ARGUMENT;
}

dmm_status any_sort_create(dmm_sort **out, dmm_context *ctx, const dmm_sort_desc *desc)
{
    dmm_sort_desc plain = *desc;
    const int method = of_lab((int)desc->method);
    if (method == 0)
        return dmm_sort_create(out, ctx, desc);
    plain.method = DMM_SORT_AUTO;
    return dmm_lab_sort_create(out, ctx, &plain, (dmm_lab_sort_method)method);
}

dmm_status any_sort_host(
    dmm_context *ctx, const dmm_sort_desc *desc, void *keys, void *values, size_t n)
{
    dmm_sort_desc plain = *desc;
    const int method = of_lab((int)desc->method);
    if (method == 0)
        return dmm_sort_host(ctx, desc, keys, values, n);
    plain.method = DMM_SORT_AUTO;
    return dmm_lab_sort_host(ctx, &plain, (dmm_lab_sort_method)method, keys, values, n);
}

dmm_status any_partition_create(
    dmm_partition **out, dmm_context *ctx, const dmm_partition_desc *desc)
{
    dmm_partition_desc plain = *desc;
    const int method = of_lab((int)desc->method);
    if (method == 0)
        return dmm_partition_create(out, ctx, desc);
    plain.method = DMM_PARTITION_AUTO;
    return dmm_lab_partition_create(out, ctx, &plain, (dmm_lab_partition_method)method);
}
