/* SPDX-License-Identifier: MIT */
/*
 * dmm_shuffle_host and dmm_shuffle_sample_host: build, copy in, shuffle, copy out.
 */
#include "core/check.h"
#include "core/size.h"
#include "core/transfer.h"
#include "primitives/shuffle.h"

dmm_status dmm_shuffle_host(dmm_context *ctx, const dmm_shuffle_desc *desc, uint64_t seed,
    void *items, void *values, size_t n)
{
    dmm_status status = DMM_OK;
    dmm_shuffle *shuffle = NULL;
    dmm_shuffle_args args = {.seed = seed};
    cl_event done = NULL;

    TRY(dmm_shuffle_create(&shuffle, ctx, desc));
    FAIL_IF(
        n != 0 && (items == NULL || (values == NULL && desc->value_bytes != 0)), DMM_NULL_ARGUMENT);
    const uint64_t bytes = dmm_size_mul(n, desc->item_bytes);
    const uint64_t values_bytes = dmm_size_mul(n, desc->value_bytes);
    TRY(dmm_upload(ctx, desc->indices ? NULL : items, bytes, &args.out.buffer));
    TRY(dmm_upload(ctx, values, values_bytes, &args.values_out.buffer));
    args.in = args.out;
    args.values_in = args.values_out;
    TRY(dmm_shuffle_enqueue(shuffle, ctx->queue, &args, n, 0, NULL, &done));
    TRY(dmm_download(ctx, args.out.buffer, items, bytes, &done));
    TRY(dmm_download(ctx, args.values_out.buffer, values, values_bytes, &done));
out:
    dmm_settle(done);
    if (args.values_out.buffer != NULL)
        clReleaseMemObject(args.values_out.buffer);
    if (args.out.buffer != NULL)
        clReleaseMemObject(args.out.buffer);
    dmm_shuffle_free(shuffle);
    return status;
}

dmm_status dmm_shuffle_sample_host(
    dmm_context *ctx, uint64_t seed, uint64_t n, void *indices, uint32_t index_bytes, size_t count)
{
    dmm_status status = DMM_OK;
    dmm_shuffle *shuffle = NULL;
    const dmm_shuffle_desc desc = {.item_bytes = index_bytes, .indices = 1};
    dmm_shuffle_args args = {.seed = seed, .count = count};
    cl_event done = NULL;

    TRY(dmm_shuffle_create(&shuffle, ctx, &desc));
    FAIL_IF(count != 0 && indices == NULL, DMM_NULL_ARGUMENT);
    FAIL_IF(n > shuffle->max_n, DMM_TOO_LARGE);
    FAIL_IF(count > n, DMM_BAD_VALUE);
    if (count == 0)
        goto out;
    const uint64_t bytes = dmm_size_mul(count, index_bytes);
    TRY(dmm_upload(ctx, NULL, bytes, &args.out.buffer));
    TRY(dmm_shuffle_enqueue(shuffle, ctx->queue, &args, n, 0, NULL, &done));
    TRY(dmm_download(ctx, args.out.buffer, indices, bytes, &done));
out:
    dmm_settle(done);
    if (args.out.buffer != NULL)
        clReleaseMemObject(args.out.buffer);
    dmm_shuffle_free(shuffle);
    return status;
}
