/* SPDX-License-Identifier: MIT */
/*
 * Loading, working and putting at the same time.
 */
#include "primitives/stream/pipeline.h"

#include "core/check.h"
#include "core/opencl.h"
#include "core/transfer.h"

enum { LEAST_ITEMS = 64 };

uint32_t dmm_stream_sets(const dmm_context *ctx, const dmm_tuning *tuning)
{
    return dmm_context_is_cpu(ctx, tuning) ? 1 : MOST_SETS;
}

/* Waits for the work on a block, and for the put before. */
static dmm_status end(const dmm_pipeline *p, dmm_turn *turn)
{
    dmm_status status = DMM_OK;
    TRY(clWaitForEvents(1, &turn->done));
    clReleaseEvent(turn->done);
    turn->done = NULL;
    TRY(dmm_aside_wait(p->aside));
    TRY(p->finish(p->user, turn));
out:
    return status;
}

/* With two sets, the work on a block is enqueued before that on the one before is waited for. */
static dmm_status run(const dmm_pipeline *p, dmm_turn *turns)
{
    dmm_status status = DMM_OK;
    int is_left = 0;
    TRY(p->load(p->user, &is_left));
    for (uint64_t block = 0; is_left; block++) {
        dmm_turn *const turn = &turns[block % p->sets];
        dmm_turn *const before = &turns[(block + 1) % p->sets];
        TRY(p->upload(p->user, turn));
        TRY(p->start(p->user, turn, &turn->done));
        TRY(clFlush(p->ctx->queue));
        if (before != turn && before->done != NULL)
            TRY(end(p, before));
        TRY(p->load(p->user, &is_left));
        if (before == turn || !is_left)
            TRY(end(p, turn));
    }
    TRY(dmm_aside_wait(p->aside));
out:
    return status;
}

dmm_status dmm_pipeline_run(const dmm_pipeline *p)
{
    dmm_status status = DMM_OK;
    dmm_turn turns[MOST_SETS] = {{p->ctx->queue, 0, NULL}, {p->ctx->queue, 1, NULL}};
    cl_command_queue transfers = NULL;
    if (p->sets > 1) {
        transfers = clCreateCommandQueue(p->ctx->cl, p->ctx->device.id, 0, &status);
        TRY(status);
        turns[0].transfers = turns[1].transfers = transfers;
    }
    TRY(run(p, turns));
out:
    for (uint32_t i = 0; i < MOST_SETS; i++)
        dmm_wait_and_release(turns[i].done);
    if (status != DMM_OK) {
        dmm_aside_wait(p->aside);
        clFinish(turns[0].transfers);
        clFinish(p->ctx->queue);
    }
    if (transfers != NULL)
        clReleaseCommandQueue(transfers);
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

dmm_status dmm_stream_memory(const dmm_context *ctx, uint64_t memory_bytes, uint64_t *out)
{
    cl_ulong has = UINT64_MAX; /* no recorded fact */
    const dmm_status status =
        dmm_context_is_offline(ctx)
            ? DMM_OK
            : clGetDeviceInfo(ctx->device.id, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof has, &has, NULL);
    *out = memory_bytes != 0 ? memory_bytes : (uint64_t)1 << 30;
    *out = *out < has ? *out : has;
    return status;
}

uint64_t dmm_stream_buffer_items(const dmm_stream *s)
{
    const uint32_t widest = s->key_bytes > s->value_bytes ? s->key_bytes : s->value_bytes;
    return s->ctx->device.max_buffer.value / widest;
}

uint64_t dmm_stream_temp(const dmm_stream *s, uint64_t bytes)
{
    return bytes <= s->ctx->device.max_buffer.value ? bytes : UINT64_MAX;
}

dmm_status dmm_stream_largest(uint64_t most, uint64_t memory,
    dmm_status (*bytes_of)(const void *user, uint64_t items, uint64_t *bytes), const void *user,
    uint64_t *out)
{
    uint64_t low = 0, high = most, bytes = 0;
    if (*out != 0) {
        const dmm_status status = bytes_of(user, *out, &bytes);
        return status != DMM_OK || bytes != UINT64_MAX ? status : DMM_TOO_LARGE;
    }
    while (low < high) {
        const uint64_t middle = high - (high - low) / 2;
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
