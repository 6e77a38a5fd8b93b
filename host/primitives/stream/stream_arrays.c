/* SPDX-License-Identifier: MIT */
/*
 * Arrays and buffers of keys and values, and copies between them.
 */
#include <stdlib.h>

#include "core/check.h"
#include "core/size.h"
#include "core/transfer.h"
#include "primitives/stream/stream.h"

static dmm_status make_array(uint64_t items, uint32_t item_bytes, char **out)
{
    const uint64_t bytes = dmm_size_mul(items, item_bytes);
    *out = NULL;
    if (bytes == 0)
        return DMM_OK;
    *out = bytes < SIZE_MAX ? malloc((size_t)bytes) : NULL;
    return *out != NULL ? DMM_OK : DMM_OUT_OF_MEMORY;
}

dmm_status dmm_stream_arrays(const dmm_stream *s, uint64_t items, dmm_array_pair *out)
{
    const dmm_status status = make_array(items, s->key_bytes, &out->keys);
    return status != DMM_OK ? status : make_array(items, s->value_bytes, &out->values);
}

dmm_status dmm_stream_buffers(const dmm_stream *s, uint64_t items, dmm_buffer_pair *out)
{
    const dmm_status status =
        dmm_upload(s->ctx, NULL, dmm_size_mul(items, s->key_bytes), &out->keys);
    return status != DMM_OK
               ? status
               : dmm_upload(s->ctx, NULL, dmm_size_mul(items, s->value_bytes), &out->values);
}

void dmm_stream_free_arrays(dmm_array_pair *arrays)
{
    free(arrays->keys);
    free(arrays->values);
    *arrays = (dmm_array_pair){NULL, NULL};
}

void dmm_stream_free_buffers(dmm_buffer_pair *buffers)
{
    if (buffers->keys != NULL)
        clReleaseMemObject(buffers->keys);
    if (buffers->values != NULL)
        clReleaseMemObject(buffers->values);
    *buffers = (dmm_buffer_pair){NULL, NULL};
}

/* The commands after it are on the same queue, which is in order. */
static dmm_status write_items(
    const dmm_stream *s, cl_mem to, const char *from, uint64_t items, uint32_t item_bytes)
{
    const uint64_t bytes = items * item_bytes;
    return bytes == 0 ? DMM_OK
                      : clEnqueueWriteBuffer(
                            s->ctx->queue, to, CL_TRUE, 0, (size_t)bytes, from, 0, NULL, NULL);
}

dmm_status dmm_stream_upload(
    const dmm_stream *s, const dmm_array_pair *from, const dmm_buffer_pair *to, uint64_t items)
{
    const dmm_status status = write_items(s, to->keys, from->keys, items, s->key_bytes);
    return status != DMM_OK ? status
                            : write_items(s, to->values, from->values, items, s->value_bytes);
}

dmm_status dmm_stream_download(
    const dmm_stream *s, const dmm_buffer_pair *from, const dmm_array_pair *to, uint64_t items)
{
    const dmm_status status =
        dmm_download(s->ctx, from->keys, to->keys, items * s->key_bytes, NULL);
    return status != DMM_OK
               ? status
               : dmm_download(s->ctx, from->values, to->values, items * s->value_bytes, NULL);
}
