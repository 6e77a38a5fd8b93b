/* SPDX-License-Identifier: MIT */
/*
 * Selection from host arrays into host arrays.
 */
#include "core/check.h"
#include "core/size.h"
#include "core/transfer.h"
#include "primitives/select.h"

dmm_status dmm_select_host(dmm_select *select, const void *keys, const void *values, uint64_t n,
    uint64_t k, void *keys_out, void *values_out)
{
    dmm_status status = DMM_OK;
    const dmm_context *ctx = select->ctx;
    const dmm_item_layout *item = &select->layout;
    const uint32_t value_in = select->desc.argsort ? 0 : item->value_bytes;
    const uint64_t taken = select->desc.only_last && k != 0 ? 1 : k;
    dmm_select_args args = {.temp = DMM_NONE};
    cl_mem *const buffers[] = {&args.in.keys.buffer, &args.in.values.buffer, &args.out.keys.buffer,
        &args.out.values.buffer};
    cl_event done = NULL;
    FAIL_IF(n != 0 && (keys == NULL || (value_in != 0 && values == NULL)), DMM_NULL_ARGUMENT);
    FAIL_IF(taken != 0 && (keys_out == NULL || (item->value_bytes != 0 && values_out == NULL)),
        DMM_NULL_ARGUMENT);
    TRY(dmm_upload(ctx, keys, dmm_size_mul(n, item->key_bytes), buffers[0]));
    TRY(dmm_upload(ctx, values, dmm_size_mul(n, value_in), buffers[1]));
    TRY(dmm_upload(ctx, NULL, dmm_size_mul(taken, item->key_bytes), buffers[2]));
    TRY(dmm_upload(ctx, NULL, dmm_size_mul(taken, item->value_bytes), buffers[3]));
    TRY(dmm_select_enqueue(select, ctx->queue, &args, 0, n, k, 0, NULL, &done));
    TRY(dmm_download(ctx, *buffers[2], keys_out, taken * item->key_bytes, &done));
    TRY(dmm_download(ctx, *buffers[3], values_out, taken * item->value_bytes, &done));
out:
    dmm_settle(done);
    for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; i++)
        if (*buffers[i] != NULL)
            clReleaseMemObject(*buffers[i]);
    return status;
}
