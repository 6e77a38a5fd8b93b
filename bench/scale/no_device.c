/* SPDX-License-Identifier: MIT */
/* What libdmm-mpi's sort calls of libdmm, for ranks without devices: u64 keys alone, in plain C. */
#include <stdlib.h>

#include <dmm/merge_many.h>
#include <dmm/sort.h>

dmm_status dmm_device_list(dmm_device **out, size_t *count)
{
    *out = calloc(1, sizeof **out);
    *count = 1;
    return *out ? DMM_OK : DMM_OUT_OF_MEMORY;
}

void dmm_device_list_free(dmm_device *devices)
{
    free(devices);
}

dmm_status dmm_context_create(dmm_context **out, const dmm_context_desc *desc)
{
    (void)desc;
    *out = NULL;
    return DMM_OK;
}

void dmm_context_free(dmm_context *ctx)
{
    (void)ctx;
}

static int by_number(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static dmm_status sort(const dmm_order *order, const void *values, void *keys, size_t n)
{
    if (order->type != DMM_U64 || order->descending || values)
        return DMM_UNSUPPORTED;
    if (n != 0)
        qsort(keys, n, sizeof(uint64_t), by_number);
    return DMM_OK;
}

dmm_status dmm_sort_host(
    dmm_context *ctx, const dmm_sort_desc *desc, void *keys, void *values, size_t n)
{
    (void)ctx;
    return sort(&desc->order, values, keys, n);
}

/* Sorts the lists anew: the time of a merge is not simulated. */
dmm_status dmm_merge_many_host(dmm_context *ctx, const dmm_merge_many_desc *desc, void *keys,
    void *values, size_t n, const void *offsets, size_t lists)
{
    (void)ctx, (void)offsets, (void)lists;
    return sort(&desc->order, values, keys, n);
}
