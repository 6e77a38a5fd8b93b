/* SPDX-License-Identifier: MIT */
/*
 * dmm_sort_segmented: a dmm_sort whose steps know segments (sort_segments.c), and the offsets.
 */
#include <stdlib.h>

#include "core/check.h"
#include "core/size.h"
#include "core/transfer.h"
#include "primitives/sort.h"

static dmm_status create(
    dmm_sort_segmented **out, dmm_context *ctx, const dmm_sort_segmented_desc *desc)
{
    dmm_status status = DMM_OK;
    dmm_sort_segmented *object = NULL;
    if (out == NULL)
        return DMM_NULL_ARGUMENT;
    *out = NULL;
    FAIL_IF(ctx == NULL || desc == NULL, DMM_NULL_ARGUMENT);
    FAIL_IF(desc->offset_type != DMM_U32 && desc->offset_type != DMM_U64, DMM_BAD_VALUE);
    FAIL_IF((object = calloc(1, sizeof *object)) == NULL, DMM_OUT_OF_MEMORY);
    const dmm_sort_desc sort = {.order = desc->order,
        .value_bytes = desc->value_bytes,
        .argsort = desc->argsort,
        .guarantee = desc->guarantee,
        .max_n = desc->max_n,
        .tuning = desc->tuning};
    TRY(dmm_sort_create_by(
        &object->sort, ctx, &sort, &dmm_sort_by_segments, dmm_type_bytes(desc->offset_type)));
    *out = object;
    return DMM_OK;
out:
    dmm_sort_segmented_free(object);
    return status;
}

dmm_status dmm_sort_segmented_create(
    dmm_sort_segmented **out, dmm_context *ctx, const dmm_sort_segmented_desc *desc)
{
    const dmm_status status = create(out, ctx, desc);
    return dmm_context_drops_rows(ctx, "sort_segmented", status) ? create(out, ctx, desc) : status;
}

void dmm_sort_segmented_free(dmm_sort_segmented *sort)
{
    if (sort == NULL)
        return;
    dmm_sort_free(sort->sort);
    free(sort);
}

dmm_status dmm_sort_segmented_temp_bytes(uint64_t *out, const dmm_sort_segmented *sort, uint64_t n)
{
    return dmm_sort_temp_bytes(out, sort != NULL ? sort->sort : NULL, n);
}

/* Checks the offsets and the report; the values of the offsets are for the device to check. */
static dmm_status check_offsets(
    const dmm_sort *sort, const dmm_sort_segmented_args *args, uint64_t n, uint64_t segments)
{
    dmm_status status = DMM_OK;
    const uint64_t most = sort->layout.index_bytes == 4 ? UINT32_MAX : UINT64_MAX;
    const uint64_t keys = n * sort->layout.key_bytes, values = n * sort->layout.value_bytes;
    uint64_t temp_bytes = 0;
    FAIL_IF(segments >= most, DMM_TOO_LARGE);
    const uint64_t num_offsets = n != 0 ? segments + 1 : 0;
    TRY(dmm_check_span(args->offsets, num_offsets, sort->offset_bytes));
    if (args->report.buffer != NULL)
        TRY(dmm_check_span(args->report, sizeof(dmm_report) / sizeof(cl_ulong), sizeof(cl_ulong)));
    TRY(dmm_sort_temp_bytes(&temp_bytes, sort, n));
    const dmm_extent offsets = {args->offsets, dmm_size_mul(num_offsets, sort->offset_bytes)};
    const dmm_extent report = {args->report, sizeof(dmm_report)};
    const dmm_extent outputs[] = {
        {args->keys_out, keys}, {args->values_out, values}, {args->temp, temp_bytes}, report};
    TRY(dmm_check_overlaps(&offsets, 1, outputs, 4, 0));
    const dmm_extent inputs[] = {
        {args->keys_in, keys}, {args->values_in, sort->desc.argsort ? 0 : values}};
    TRY(dmm_check_overlaps(inputs, 2, &report, 1, 0));
out:
    return status;
}

/* Only the report is left to write. */
static dmm_status enqueue_none(dmm_sort_segmented *sort, cl_command_queue queue, cl_uint num_wait,
    const cl_event *wait, cl_event *event)
{
    dmm_chain chain = {queue, num_wait, wait, NULL};
    return dmm_chain_end(&chain, dmm_segments_report_none(sort->sort, &chain), event);
}

dmm_status dmm_sort_segmented_enqueue(dmm_sort_segmented *sort, cl_command_queue queue,
    const dmm_sort_segmented_args *args, uint64_t n, uint64_t segments, cl_uint num_wait,
    const cl_event *wait, cl_event *event)
{
    dmm_status status = DMM_OK;
    dmm_sort_args items = {.temp = DMM_NONE};
    if (event != NULL)
        *event = NULL;
    FAIL_IF(sort == NULL, DMM_NULL_ARGUMENT);
    if (args != NULL)
        items = (dmm_sort_args){.keys_in = args->keys_in,
            .values_in = args->values_in,
            .keys_out = args->keys_out,
            .values_out = args->values_out,
            .temp = args->temp};
    TRY(dmm_sort_check(sort->sort, queue, args != NULL ? &items : NULL, n, num_wait, wait));
    TRY(check_offsets(sort->sort, args, n, segments));
    sort->sort->by.segments.offsets = args->offsets;
    sort->sort->by.segments.num_offsets = segments + 1;
    sort->sort->by.segments.report = args->report;
    if (n == 0 && args->report.buffer != NULL)
        return enqueue_none(sort, queue, num_wait, wait, event);
    TRY(dmm_sort_enqueue(sort->sort, queue, &items, n, num_wait, wait, event));
out:
    return status;
}

dmm_status dmm_sort_segmented_host(dmm_context *ctx, const dmm_sort_segmented_desc *desc,
    void *keys, void *values, size_t n, const void *offsets, size_t segments)
{
    dmm_status status = DMM_OK;
    dmm_sort_segmented *sort = NULL;
    dmm_sort_segmented_args args = {.temp = DMM_NONE};
    cl_mem *const buffers[] = {
        &args.keys_in.buffer, &args.values_in.buffer, &args.offsets.buffer, &args.report.buffer};
    dmm_report report = {.code = DMM_OK};
    cl_event done = NULL;
    TRY(dmm_sort_segmented_create(&sort, ctx, desc));
    FAIL_IF(
        n != 0 && (keys == NULL || offsets == NULL || (values == NULL && desc->value_bytes != 0)),
        DMM_NULL_ARGUMENT);
    const uint64_t keys_bytes = dmm_size_mul(n, sort->sort->layout.key_bytes);
    const uint64_t values_bytes = dmm_size_mul(n, desc->value_bytes);
    const uint64_t num_offsets = n != 0 ? dmm_size_add(segments, 1) : 0;
    TRY(dmm_upload(ctx, keys, keys_bytes, buffers[0]));
    TRY(dmm_upload(ctx, desc->argsort ? NULL : values, values_bytes, buffers[1]));
    TRY(dmm_upload(ctx, offsets, dmm_size_mul(num_offsets, sort->sort->offset_bytes), buffers[2]));
    TRY(dmm_upload(ctx, NULL, sizeof report, buffers[3]));
    args.keys_out = args.keys_in;
    args.values_out = args.values_in;
    TRY(dmm_sort_segmented_enqueue(sort, ctx->queue, &args, n, segments, 0, NULL, &done));
    TRY(dmm_download(ctx, *buffers[3], &report, sizeof report, &done));
    FAIL_IF(report.code != DMM_OK, (dmm_status)report.code);
    TRY(dmm_download(ctx, *buffers[0], keys, keys_bytes, &done));
    TRY(dmm_download(ctx, *buffers[1], values, values_bytes, &done));
out:
    dmm_settle(done);
    for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; i++)
        if (*buffers[i] != NULL)
            clReleaseMemObject(*buffers[i]);
    dmm_sort_segmented_free(sort);
    return status;
}
