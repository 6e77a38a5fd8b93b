/* SPDX-License-Identifier: MIT */
/*
 * Arrays and buffers of keys and values, and copies between them.
 */
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/opencl.h"
#include "core/size.h"
#include "core/transfer.h"
#include "primitives/stream/stream.h"

void dmm_stream_move(
    const dmm_stream *s, const dmm_array_pair *in, uint64_t to, uint64_t from, uint64_t items)
{
    const uint64_t key = s->key_bytes, value = s->value_bytes;
    if (to == from || items == 0)
        return;
    memmove(in->keys + to * key, in->keys + from * key, (size_t)(items * key));
    if (value != 0)
        memmove(in->values + to * value, in->values + from * value, (size_t)(items * value));
}

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

dmm_status dmm_stream_buffer_sets(const dmm_stream *s, uint64_t items, dmm_buffer_pair *out)
{
    dmm_status status = DMM_OK;
    for (uint32_t i = 0; i < s->sets; i++)
        TRY(dmm_stream_buffers(s, items, &out[i]));
out:
    return status;
}

void dmm_stream_free_buffer_sets(dmm_buffer_pair *buffers)
{
    for (uint32_t i = 0; i < MOST_SETS; i++)
        dmm_stream_free_buffers(&buffers[i]);
}

dmm_status dmm_stream_upload(const dmm_stream *s, cl_command_queue queue,
    const dmm_array_pair *from, const dmm_buffer_pair *to, uint64_t items)
{
    const dmm_status status = dmm_write(queue, to->keys, from->keys, items * s->key_bytes);
    return status != DMM_OK ? status
                            : dmm_write(queue, to->values, from->values, items * s->value_bytes);
}

/* *event, if not NULL, is waited for and replaced by the copy's: it fails if that did. */
static dmm_status read_items(
    cl_command_queue queue, cl_mem from, char *to, uint64_t bytes, cl_event *event)
{
    const cl_event before = *event;
    const dmm_status status = clEnqueueReadBuffer(queue, from, CL_FALSE, 0, (size_t)bytes, to,
        before != NULL, before != NULL ? &before : NULL, event);
    if (status != DMM_OK)
        *event = before;
    else if (before != NULL)
        clReleaseEvent(before);
    if (*event != NULL || status != DMM_OK)
        return status;
    clFinish(queue); /* for a driver that gave no event */
    return CL_INVALID_EVENT;
}

dmm_status dmm_stream_download(const dmm_stream *s, cl_command_queue queue,
    const dmm_buffer_pair *from, const dmm_array_pair *to, uint64_t items, cl_event *done)
{
    dmm_status status = DMM_OK;
    const uint64_t keys = items * s->key_bytes, values = items * s->value_bytes;
    *done = NULL;
    TRY(read_items(queue, from->keys, to->keys, keys, done));
    if (values != 0)
        TRY(read_items(queue, from->values, to->values, values, done));
    TRY(clFlush(queue));
    return DMM_OK;
out:
    dmm_wait_and_release(*done);
    *done = NULL;
    return status;
}

dmm_status dmm_stream_search(
    dmm_search *search, dmm_chain *chain, const dmm_search_args *args, uint64_t n, uint64_t m)
{
    cl_event next = NULL;
    const dmm_status status = dmm_search_enqueue(search, chain->queue, args, n, m,
        chain->last != NULL, chain->last != NULL ? &chain->last : NULL, &next);
    if (status == DMM_OK)
        dmm_chain_advance(chain, next);
    return status;
}
