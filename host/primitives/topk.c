/* SPDX-License-Identifier: MIT */
/*
 * dmm_topk: a selection (primitives/select.h) of the first k items.
 */
#include <dmm/topk.h>

#include <stdlib.h>

#include "core/check.h"
#include "primitives/select.h"

struct dmm_topk {
    dmm_select select;
};

static dmm_select_desc select_desc(const dmm_topk_desc *desc)
{
    return (dmm_select_desc){.order = desc->order,
        .value_bytes = desc->value_bytes,
        .argsort = desc->argsort != 0,
        .unsorted = desc->unsorted,
        .guarantee = desc->guarantee,
        .max_k = desc->max_k,
        .max_n = desc->max_n,
        .tuning = desc->tuning};
}

static dmm_status create(dmm_topk **out, dmm_context *ctx, const dmm_topk_desc *desc)
{
    dmm_status status = DMM_OK;
    dmm_topk *topk = NULL;
    if (out == NULL)
        return DMM_NULL_ARGUMENT;
    *out = NULL;
    FAIL_IF(ctx == NULL || desc == NULL, DMM_NULL_ARGUMENT);
    FAIL_IF((topk = calloc(1, sizeof *topk)) == NULL, DMM_OUT_OF_MEMORY);
    const dmm_select_desc select = select_desc(desc);
    TRY(dmm_select_init(&topk->select, ctx, &select));
    *out = topk;
    return DMM_OK;
out:
    dmm_topk_free(topk);
    return status;
}

dmm_status dmm_topk_create(dmm_topk **out, dmm_context *ctx, const dmm_topk_desc *desc)
{
    const dmm_status status = create(out, ctx, desc);
    return dmm_context_drops_rows(ctx, "topk", status) ? create(out, ctx, desc) : status;
}

void dmm_topk_free(dmm_topk *topk)
{
    if (topk == NULL)
        return;
    dmm_select_destroy(&topk->select);
    free(topk);
}

dmm_status dmm_topk_temp_bytes(uint64_t *out, const dmm_topk *topk, uint64_t n, uint64_t k)
{
    if (out == NULL || topk == NULL)
        return DMM_NULL_ARGUMENT;
    return dmm_select_temp_bytes(out, &topk->select, n, k);
}

dmm_status dmm_topk_enqueue(dmm_topk *topk, cl_command_queue queue, const dmm_topk_args *args,
    uint64_t n, uint64_t k, cl_uint num_wait, const cl_event *wait, cl_event *event)
{
    dmm_select_args select = {.temp = DMM_NONE};
    if (event != NULL)
        *event = NULL;
    if (topk == NULL)
        return DMM_NULL_ARGUMENT;
    if (args != NULL)
        select = (dmm_select_args){.in = {args->keys_in, args->values_in},
            .out = {args->keys_out, args->values_out},
            .temp = args->temp};
    return dmm_select_enqueue(&topk->select, queue, args != NULL ? &select : NULL, 0, n,
        k < n ? k : n, num_wait, wait, event);
}

dmm_status dmm_topk_host(dmm_context *ctx, const dmm_topk_desc *desc, const void *keys,
    const void *values, size_t n, size_t k, void *keys_out, void *values_out)
{
    dmm_status status = DMM_OK;
    dmm_topk *topk = NULL;
    TRY(dmm_topk_create(&topk, ctx, desc));
    TRY(dmm_select_host(&topk->select, keys, values, n, k < n ? k : n, keys_out, values_out));
out:
    dmm_topk_free(topk);
    return status;
}
