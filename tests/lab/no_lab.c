/* SPDX-License-Identifier: MIT */
/* libdmm-lab in builds without it (DMM_LAB=OFF): refuses every call. */
#include <dmm-lab/dmm-lab.h>

#include "lab/heap_levels.h"
#include "lab/lab_selftest.h"

const dmm_check dmm_lab_checks[] = {{0}};

dmm_status dmm_lab_sort_create(
    dmm_sort **out, dmm_context *ctx, const dmm_sort_desc *desc, dmm_lab_sort_method method)
{
    (void)out, (void)ctx, (void)desc, (void)method;
    return DMM_UNSUPPORTED;
}

dmm_status dmm_lab_sort_host(dmm_context *ctx, const dmm_sort_desc *desc,
    dmm_lab_sort_method method, void *keys, void *values, size_t n)
{
    (void)ctx, (void)desc, (void)method, (void)keys, (void)values, (void)n;
    return DMM_UNSUPPORTED;
}

dmm_status dmm_lab_partition_create(dmm_partition **out, dmm_context *ctx,
    const dmm_partition_desc *desc, dmm_lab_partition_method method)
{
    (void)out, (void)ctx, (void)desc, (void)method;
    return DMM_UNSUPPORTED;
}

dmm_status dmm_levels_create(
    dmm_levels_heap **out, dmm_context *ctx, uint64_t d, uint64_t capacity, dmm_levels_order order)
{
    (void)out, (void)ctx, (void)d, (void)capacity, (void)order;
    return DMM_UNSUPPORTED;
}

void dmm_levels_free(dmm_levels_heap *heap)
{
    (void)heap;
}
