/* SPDX-License-Identifier: MIT */
/*
 * dmm_unique_stream: dmm_unique of block after block. A block's first run is dropped if its key is
 * the last one before: equal keys have equal bytes, so the host compares them.
 */
#include <dmm/unique_stream.h>

#include <string.h>

#include "core/check.h"
#include "core/size.h"
#include "core/transfer.h"
#include "primitives/stream/stream.h"

enum { LEAST_ITEMS = 64, MOST_BYTES = 256, DEFAULT_KEY = 4 };

typedef struct filter {
    const dmm_unique_stream_args *args;
    dmm_stream s;
    dmm_unique *unique;
    uint64_t block; /* items */
    dmm_array_pair in, out;
    dmm_buffer_pair from, on;
    cl_mem runs, temp;
    dmm_array_pair put; /* of out, which is written aside */
    uint64_t count, written;
    char last[MOST_BYTES]; /* key before the block */
    int has_last, has_ended;
    dmm_aside aside;
} filter;

static dmm_status read_block(filter *f, uint64_t *count)
{
    const uint64_t key = f->s.key_bytes, value = f->s.value_bytes;
    uint64_t got = 0;
    for (*count = 0; *count < f->block && !f->has_ended; *count += got) {
        const dmm_status status = f->args->read(f->args->user, f->in.keys + *count * key,
            value != 0 ? f->in.values + *count * value : NULL, f->block - *count, &got);
        if (status != DMM_OK)
            return status;
        if (got > f->block - *count)
            return DMM_BAD_VALUE;
        f->has_ended = got == 0;
    }
    return DMM_OK;
}

static dmm_status start(const filter *f, uint64_t count, cl_event *done)
{
    dmm_status status = DMM_OK;
    const cl_command_queue queue = f->s.ctx->queue;
    const dmm_unique_args args = {.keys_in = {f->from.keys, 0},
        .values_in = {f->from.values, 0},
        .keys_out = {f->on.keys, 0},
        .values_out = {f->on.values, 0},
        .runs_out = {f->runs, 0},
        .temp = {f->temp, 0}};
    TRY(dmm_stream_upload(&f->s, &f->in, &f->from, count));
    TRY(dmm_unique_enqueue(f->unique, queue, &args, count, 0, NULL, done));
    TRY(clFlush(queue));
out:
    return status;
}

static dmm_status write_put(void *user)
{
    const filter *const f = user;
    return f->args->write(f->args->user, f->put.keys, f->put.values, f->count);
}

/* Waits for the runs of a block, which has at most `most`, and writes them aside. */
static dmm_status finish(filter *f, uint64_t most, cl_event *done)
{
    dmm_status status = DMM_OK;
    const uint64_t key = f->s.key_bytes, value = f->s.value_bytes;
    uint64_t runs = 0;
    TRY(clWaitForEvents(1, done));
    clReleaseEvent(*done);
    *done = NULL;
    TRY(dmm_aside_wait(&f->aside));
    TRY(dmm_download(f->s.ctx, f->runs, &runs, sizeof runs, NULL));
    FAIL_IF(runs == 0 || runs > most, DMM_WRONG_RESULT);
    TRY(dmm_stream_download(&f->s, &f->on, &f->out, runs));
    const uint64_t skipped = f->has_last && memcmp(f->last, f->out.keys, key) == 0;
    f->put.keys = f->out.keys + skipped * key;
    f->put.values = value != 0 ? f->out.values + skipped * value : NULL;
    f->count = runs - skipped;
    f->written += f->count;
    memcpy(f->last, f->out.keys + (runs - 1) * key, key);
    f->has_last = 1;
    if (f->count != 0)
        dmm_aside_start(&f->aside, write_put, f);
out:
    return status;
}

static dmm_status filter_all(filter *f)
{
    dmm_status status = DMM_OK;
    uint64_t count = 0, next = 0;
    cl_event done = NULL;
    TRY(read_block(f, &count));
    for (; count != 0; count = next) {
        TRY(start(f, count, &done));
        TRY(read_block(f, &next));
        TRY(finish(f, count, &done));
    }
    TRY(dmm_aside_wait(&f->aside));
out:
    dmm_wait_and_release(done);
    if (status != DMM_OK)
        clFinish(f->s.ctx->queue);
    return status;
}

/* Creates the object for the largest blocks that the memory allows: two arrays, two buffers,
 * temp. */
static dmm_status open_filter(filter *f, const dmm_unique_stream_desc *desc)
{
    dmm_status status = DMM_OK;
    const uint64_t memory = desc->memory_bytes != 0 ? desc->memory_bytes : (uint64_t)1 << 30;
    const uint64_t item = (uint64_t)f->s.key_bytes + f->s.value_bytes;
    const uint32_t widest = f->s.key_bytes > f->s.value_bytes ? f->s.key_bytes : f->s.value_bytes;
    const uint64_t buffer = f->s.ctx->device.max_buffer.value / widest;
    uint64_t most = desc->block_items != 0 ? desc->block_items : memory / (4 * item), temp = 0;
    FAIL_IF(desc->block_items > buffer, DMM_TOO_LARGE);
    most = most < buffer ? most : buffer;
    const dmm_unique_desc unique = {.key_bytes = f->s.key_bytes,
        .value_bytes = f->s.value_bytes,
        .max_n = most + 1,
        .tuning = desc->tuning};
    TRY(dmm_unique_create(&f->unique, f->s.ctx, &unique));
    for (f->block = most;; f->block -= f->block / 16 + 1) {
        FAIL_IF(f->block < LEAST_ITEMS && desc->block_items == 0, DMM_BAD_VALUE);
        TRY(dmm_unique_temp_bytes(&temp, f->unique, f->block));
        if (desc->block_items != 0 ||
            dmm_size_add(temp, dmm_size_mul(f->block, 4 * item)) <= memory)
            break;
    }
    TRY(dmm_stream_arrays(&f->s, f->block, &f->in));
    TRY(dmm_stream_arrays(&f->s, f->block, &f->out));
    TRY(dmm_stream_buffers(&f->s, f->block, &f->from));
    TRY(dmm_stream_buffers(&f->s, f->block, &f->on));
    TRY(dmm_upload(f->s.ctx, NULL, sizeof(uint64_t), &f->runs));
    TRY(dmm_upload(f->s.ctx, NULL, temp, &f->temp));
out:
    return status;
}

static void close_filter(filter *f)
{
    dmm_aside_wait(&f->aside);
    dmm_stream_free_arrays(&f->in);
    dmm_stream_free_arrays(&f->out);
    dmm_stream_free_buffers(&f->from);
    dmm_stream_free_buffers(&f->on);
    if (f->runs != NULL)
        clReleaseMemObject(f->runs);
    if (f->temp != NULL)
        clReleaseMemObject(f->temp);
    dmm_unique_free(f->unique);
}

dmm_status dmm_unique_stream_host(
    dmm_context *ctx, const dmm_unique_stream_desc *desc, const dmm_unique_stream_args *args)
{
    dmm_status status = DMM_OK;
    filter f = {.args = args};
    if (ctx == NULL || desc == NULL || args == NULL || args->read == NULL || args->write == NULL)
        return DMM_NULL_ARGUMENT;
    TRY(dmm_check_reserved(desc, sizeof *desc, 0));
    TRY(dmm_check_reserved(args, sizeof *args, 0));
    FAIL_IF(desc->key_bytes > MOST_BYTES || desc->value_bytes > MOST_BYTES, DMM_BAD_VALUE);
    f.s = (dmm_stream){.ctx = ctx,
        .key_bytes = desc->key_bytes != 0 ? desc->key_bytes : DEFAULT_KEY,
        .value_bytes = desc->value_bytes};
    TRY(open_filter(&f, desc));
    TRY(filter_all(&f));
    if (args->items != NULL)
        *args->items = f.written;
out:
    close_filter(&f);
    return status;
}
