/* SPDX-License-Identifier: MIT */
/*
 * dmm_sort_host: build, copy in, sort in place, copy out.
 */
#include "core/check.h"
#include "core/size.h"
#include "core/transfer.h"
#include "primitives/sort.h"

dmm_status dmm_sort_host(
    dmm_context *ctx, const dmm_sort_desc *desc, void *keys, void *values, size_t n)
{
    dmm_status status = DMM_OK;
    dmm_sort *sort = NULL;
    dmm_sort_args args = {.temp = DMM_NONE};
    cl_event done = NULL;

    TRY(dmm_sort_create(&sort, ctx, desc));
    FAIL_IF(
        n != 0 && (keys == NULL || (values == NULL && desc->value_bytes != 0)), DMM_NULL_ARGUMENT);
    const uint64_t keys_bytes = dmm_size_mul(n, sort->layout.key_bytes);
    const uint64_t values_bytes = dmm_size_mul(n, desc->value_bytes);
    TRY(dmm_upload(ctx, keys, keys_bytes, &args.keys_in.buffer));
    TRY(dmm_upload(ctx, desc->argsort ? NULL : values, values_bytes, &args.values_in.buffer));
    args.keys_out = args.keys_in;
    args.values_out = args.values_in;
    TRY(dmm_sort_enqueue(sort, ctx->queue, &args, n, 0, NULL, &done));
    TRY(dmm_download(ctx, args.keys_out.buffer, keys, keys_bytes, &done));
    TRY(dmm_download(ctx, args.values_out.buffer, values, values_bytes, &done));
out:
    dmm_settle(done);
    if (args.values_in.buffer != NULL)
        clReleaseMemObject(args.values_in.buffer);
    if (args.keys_in.buffer != NULL)
        clReleaseMemObject(args.keys_in.buffer);
    dmm_sort_free(sort);
    return status;
}
