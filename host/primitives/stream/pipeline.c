/* SPDX-License-Identifier: MIT */
/*
 * Loading, working and putting at the same time.
 */
#include "primitives/stream/pipeline.h"

#include "core/check.h"
#include "core/transfer.h"

enum { LEAST_ITEMS = 64 };

dmm_status dmm_pipeline_run(const dmm_pipeline *p)
{
    dmm_status status = DMM_OK;
    cl_event done = NULL;
    int is_left = 0;
    TRY(p->load(p->user, &is_left));
    while (is_left) {
        TRY(p->start(p->user, &done));
        TRY(clFlush(p->ctx->queue));
        TRY(p->load(p->user, &is_left));
        TRY(clWaitForEvents(1, &done));
        clReleaseEvent(done);
        done = NULL;
        TRY(dmm_aside_wait(p->aside));
        TRY(p->finish(p->user));
    }
    TRY(dmm_aside_wait(p->aside));
out:
    dmm_wait_and_release(done);
    if (status != DMM_OK)
        clFinish(p->ctx->queue);
    return status;
}

dmm_status dmm_reader_fill(dmm_reader *reader, const dmm_stream *s, const dmm_array_pair *to,
    uint64_t most, uint64_t *held)
{
    const uint64_t key = s->key_bytes, value = s->value_bytes;
    uint64_t got = 0;
    for (; *held < most && !reader->has_ended; *held += got) {
        const dmm_status status = reader->read(reader->user, to->keys + *held * key,
            value != 0 ? to->values + *held * value : NULL, most - *held, &got);
        if (status != DMM_OK)
            return status;
        if (got > most - *held)
            return DMM_BAD_VALUE;
        reader->has_ended = got == 0;
    }
    return DMM_OK;
}

uint64_t dmm_stream_memory(uint64_t memory_bytes)
{
    return memory_bytes != 0 ? memory_bytes : (uint64_t)1 << 30;
}

uint64_t dmm_stream_buffer_items(const dmm_stream *s)
{
    const uint32_t widest = s->key_bytes > s->value_bytes ? s->key_bytes : s->value_bytes;
    return s->ctx->device.max_buffer.value / widest;
}

dmm_status dmm_stream_largest(uint64_t most, uint64_t memory,
    dmm_status (*bytes_of)(const void *user, uint64_t items, uint64_t *bytes), const void *user,
    uint64_t *out)
{
    uint64_t low = 0, high = most;
    while (low < high) {
        const uint64_t middle = high - (high - low) / 2;
        uint64_t bytes = 0;
        const dmm_status status = bytes_of(user, middle, &bytes);
        if (status != DMM_OK)
            return status;
        if (bytes <= memory)
            low = middle;
        else
            high = middle - 1;
    }
    *out = low;
    return low >= LEAST_ITEMS ? DMM_OK : DMM_BAD_VALUE;
}
