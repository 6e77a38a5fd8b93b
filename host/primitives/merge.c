/* SPDX-License-Identifier: MIT */
/*
 * dmm_merge: one merge pass over a single pair of lists that lie in spans of their own.
 */
#include "primitives/merge.h"

#include <stdlib.h>

#include "core/check.h"
#include "core/size.h"
#include "core/transfer.h"

struct dmm_merge {
    dmm_merger merger;
};

static dmm_status create(dmm_merge **out, dmm_context *ctx, const dmm_merge_desc *desc)
{
    dmm_status status = DMM_OK;
    dmm_merge *merge = NULL;
    if (out == NULL)
        return DMM_NULL_ARGUMENT;
    *out = NULL;
    FAIL_IF(ctx == NULL || desc == NULL, DMM_NULL_ARGUMENT);
    FAIL_IF((merge = calloc(1, sizeof *merge)) == NULL, DMM_OUT_OF_MEMORY);
    const dmm_merger_desc merger = {.order = &desc->order,
        .word = "merge",
        .tuning = &desc->tuning,
        .value_bytes = desc->value_bytes,
        .guarantee = desc->guarantee,
        .max_n = desc->max_n};
    TRY(dmm_merger_init(&merge->merger, ctx, &merger));
    *out = merge;
    return DMM_OK;
out:
    free(merge);
    return status;
}

dmm_status dmm_merge_create(dmm_merge **out, dmm_context *ctx, const dmm_merge_desc *desc)
{
    const dmm_status status = create(out, ctx, desc);
    return dmm_context_drops_rows(ctx, "merge", status) ? create(out, ctx, desc) : status;
}

void dmm_merge_free(dmm_merge *merge)
{
    if (merge == NULL)
        return;
    dmm_merger_destroy(&merge->merger);
    free(merge);
}

typedef struct merge_layout {
    dmm_temp temp;
    uint64_t splits, positions;
} merge_layout;

static merge_layout lay_out(const dmm_merge *merge, uint64_t n)
{
    const dmm_item_layout *item = &merge->merger.layout;
    merge_layout l = {.splits = 0};
    l.splits =
        dmm_temp_region(&l.temp, dmm_size_div_up(n, merge->merger.p.tile), item->index_bytes);
    l.positions = dmm_temp_region(&l.temp, item->by_position ? n : 0, item->moved_bytes);
    return l;
}

dmm_status dmm_merge_temp_bytes(uint64_t *out, const dmm_merge *merge, uint64_t n)
{
    if (out == NULL || merge == NULL)
        return DMM_NULL_ARGUMENT;
    if (n > merge->merger.max_n)
        return DMM_TOO_LARGE;
    *out = lay_out(merge, n).temp.bytes;
    return *out == UINT64_MAX ? DMM_TOO_LARGE : DMM_OK;
}

static dmm_status check_args(const dmm_merge *merge, cl_command_queue queue,
    const dmm_merge_args *args, uint64_t na, uint64_t nb, cl_uint num_wait, const cl_event *wait)
{
    dmm_status status = DMM_OK;
    const dmm_context *ctx = merge->merger.ctx;
    const uint32_t key = merge->merger.layout.key_bytes, value = merge->merger.layout.value_bytes;
    const uint64_t n = dmm_size_add(na, nb);
    TRY(dmm_check_queue(queue, ctx->cl, ctx->device.id));
    FAIL_IF(args == NULL, DMM_NULL_ARGUMENT);
    FAIL_IF(n > merge->merger.max_n, DMM_TOO_LARGE);
    TRY(dmm_check_wait(num_wait, wait));
    const struct {
        dmm_span span;
        uint64_t n;
        uint32_t item_bytes;
    } spans[] = {{args->a_keys, na, key}, {args->a_values, na, value}, {args->b_keys, nb, key},
        {args->b_values, nb, value}, {args->keys_out, n, key}, {args->values_out, n, value}};
    for (size_t i = 0; i < sizeof spans / sizeof *spans; i++)
        if (spans[i].item_bytes != 0)
            TRY(dmm_check_span(spans[i].span, spans[i].n, spans[i].item_bytes));
    const dmm_extent inputs[] = {{args->a_keys, na * key}, {args->a_values, na * value},
        {args->b_keys, nb * key}, {args->b_values, nb * value}};
    const dmm_extent outputs[] = {{args->keys_out, n * key}, {args->values_out, n * value},
        {args->temp, lay_out(merge, n).temp.bytes}};
    TRY(dmm_check_overlaps(inputs, 4, outputs, 3, 0));
out:
    return status;
}

dmm_status dmm_merge_enqueue(dmm_merge *merge, cl_command_queue queue, const dmm_merge_args *args,
    uint64_t na, uint64_t nb, cl_uint num_wait, const cl_event *wait, cl_event *event)
{
    dmm_status status = DMM_OK;
    dmm_chain chain = {queue, num_wait, wait, NULL};
    const uint64_t n = na + nb;
    if (event != NULL)
        *event = NULL;
    if (merge == NULL)
        return DMM_NULL_ARGUMENT;
    if ((status = check_args(merge, queue, args, na, nb, num_wait, wait)) != DMM_OK)
        return status;
    const int by_position = merge->merger.layout.by_position;
    merge_layout l = lay_out(merge, n);
    TRY(dmm_temp_acquire(&l.temp, merge->merger.ctx->cl, args->temp));
    const dmm_span positions = dmm_temp_span(&l.temp, l.positions);
    const dmm_pass pass = {.a = {args->a_keys, args->a_values},
        .b = {args->b_keys, args->b_values},
        .out = {args->keys_out, by_position ? positions : args->values_out},
        .splits = dmm_temp_span(&l.temp, l.splits),
        .n = n,
        .run = na,
        .span = n,
        .b_shift = na};
    if (n != 0)
        TRY(dmm_merger_pass(&merge->merger, &chain, &pass));
    const dmm_gathering gathering = {.positions = positions,
        .a = args->a_values,
        .b = args->b_values,
        .out = args->values_out,
        .na = na,
        .n = n};
    if (n != 0 && by_position)
        TRY(dmm_values_gather(merge->merger.gather, &merge->merger.layout, &chain, &gathering));
out:
    status = dmm_chain_end(&chain, status, event);
    dmm_temp_release(&l.temp);
    return status;
}

dmm_status dmm_merge_host(
    dmm_context *ctx, const dmm_merge_desc *desc, const dmm_merge_host_args *host)
{
    dmm_status status = DMM_OK;
    dmm_merge *merge = NULL;
    dmm_merge_args args = {.temp = DMM_NONE};
    cl_event done = NULL;

    TRY(dmm_merge_create(&merge, ctx, desc));
    FAIL_IF(host == NULL, DMM_NULL_ARGUMENT);
    const uint64_t na = host->na, nb = host->nb, n = dmm_size_add(na, nb);
    const uint32_t key = merge->merger.layout.key_bytes, value = merge->merger.layout.value_bytes;
    FAIL_IF(
        (na != 0 && host->a_keys == NULL) || (nb != 0 && host->b_keys == NULL), DMM_NULL_ARGUMENT);
    FAIL_IF(n != 0 && host->keys_out == NULL, DMM_NULL_ARGUMENT);
    FAIL_IF(
        value != 0 && ((na != 0 && host->a_values == NULL) || (nb != 0 && host->b_values == NULL) ||
                          (n != 0 && host->values_out == NULL)),
        DMM_NULL_ARGUMENT);
    TRY(dmm_upload(ctx, host->a_keys, dmm_size_mul(na, key), &args.a_keys.buffer));
    TRY(dmm_upload(ctx, host->a_values, dmm_size_mul(na, value), &args.a_values.buffer));
    TRY(dmm_upload(ctx, host->b_keys, dmm_size_mul(nb, key), &args.b_keys.buffer));
    TRY(dmm_upload(ctx, host->b_values, dmm_size_mul(nb, value), &args.b_values.buffer));
    TRY(dmm_upload(ctx, NULL, dmm_size_mul(n, key), &args.keys_out.buffer));
    TRY(dmm_upload(ctx, NULL, dmm_size_mul(n, value), &args.values_out.buffer));
    TRY(dmm_merge_enqueue(merge, ctx->queue, &args, na, nb, 0, NULL, &done));
    TRY(dmm_download(ctx, args.keys_out.buffer, host->keys_out, dmm_size_mul(n, key), &done));
    TRY(dmm_download(ctx, args.values_out.buffer, host->values_out, dmm_size_mul(n, value), &done));
out:
    dmm_settle(done);
    const cl_mem buffers[] = {args.a_keys.buffer, args.a_values.buffer, args.b_keys.buffer,
        args.b_values.buffer, args.keys_out.buffer, args.values_out.buffer};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
        if (buffers[i] != NULL)
            clReleaseMemObject(buffers[i]);
    dmm_merge_free(merge);
    return status;
}
