/* SPDX-License-Identifier: MIT */
/*
 * dmm_nth: a selection (primitives/select.h) of one item.
 */
#include <dmm/nth.h>

#include <stdlib.h>

#include "core/check.h"
#include "primitives/select.h"

struct dmm_nth {
    dmm_select select;
};

static dmm_select_desc select_desc(const dmm_nth_desc *desc)
{
    return (dmm_select_desc){.order = desc->order,
        .value_bytes = desc->value_bytes,
        .argsort = desc->argsort != 0,
        .only_last = 1,
        .guarantee = desc->guarantee,
        .max_n = desc->max_n,
        .tuning = desc->tuning};
}

static dmm_status create(dmm_nth **out, dmm_context *ctx, const dmm_nth_desc *desc)
{
    dmm_status status = DMM_OK;
    dmm_nth *nth = NULL;
    if (out == NULL)
        return DMM_NULL_ARGUMENT;
    *out = NULL;
    FAIL_IF(ctx == NULL || desc == NULL, DMM_NULL_ARGUMENT);
    FAIL_IF((nth = calloc(1, sizeof *nth)) == NULL, DMM_OUT_OF_MEMORY);
    const dmm_select_desc select = select_desc(desc);
    TRY(dmm_select_init(&nth->select, ctx, &select));
    *out = nth;
    return DMM_OK;
out:
    dmm_nth_free(nth);
    return status;
}

dmm_status dmm_nth_create(dmm_nth **out, dmm_context *ctx, const dmm_nth_desc *desc)
{
    const dmm_status status = create(out, ctx, desc);
    return dmm_context_drops_rows(ctx, "topk", status) ? create(out, ctx, desc) : status;
}

void dmm_nth_free(dmm_nth *nth)
{
    if (nth == NULL)
        return;
    dmm_select_destroy(&nth->select);
    free(nth);
}

dmm_status dmm_nth_temp_bytes(uint64_t *out, const dmm_nth *nth, uint64_t n)
{
    if (out == NULL || nth == NULL)
        return DMM_NULL_ARGUMENT;
    return dmm_select_temp_bytes(out, &nth->select, n, 1);
}

dmm_status dmm_nth_enqueue(dmm_nth *nth, cl_command_queue queue, const dmm_nth_args *args,
    uint64_t n, uint64_t rank, cl_uint num_wait, const cl_event *wait, cl_event *event)
{
    if (event != NULL)
        *event = NULL;
    if (nth == NULL || args == NULL)
        return DMM_NULL_ARGUMENT;
    if (rank >= n)
        return DMM_BAD_VALUE;
    const dmm_select_args select = {.in = {args->keys_in, args->values_in},
        .out = {args->key_out, args->value_out},
        .temp = args->temp};
    return dmm_select_enqueue(&nth->select, queue, &select, 0, n, rank + 1, num_wait, wait, event);
}

dmm_status dmm_nth_host(dmm_context *ctx, const dmm_nth_desc *desc, const void *keys,
    const void *values, size_t n, size_t rank, void *key_out, void *value_out)
{
    dmm_status status = DMM_OK;
    dmm_nth *nth = NULL;
    TRY(dmm_nth_create(&nth, ctx, desc));
    FAIL_IF(rank >= n, DMM_BAD_VALUE);
    TRY(dmm_select_host(&nth->select, keys, values, n, (uint64_t)rank + 1, key_out, value_out));
out:
    dmm_nth_free(nth);
    return status;
}
