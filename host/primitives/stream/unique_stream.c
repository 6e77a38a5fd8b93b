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
#include "primitives/stream/pipeline.h"

enum { MOST_BYTES = 256, DEFAULT_KEY = 4 };

typedef struct filter {
    const dmm_unique_stream_args *args;
    dmm_reader reader;
    dmm_stream s;
    dmm_unique *unique;
    uint64_t block;       /* items */
    uint64_t count, next; /* items of the block on the device, and of the one loaded */
    dmm_array_pair in, out;
    dmm_buffer_pair from, on;
    cl_mem runs, temp;
    dmm_array_pair put; /* of out, which is written aside */
    uint64_t num_put, written;
    char last[MOST_BYTES]; /* key before the block */
    int has_last;
    dmm_aside aside;
} filter;

static dmm_status load(void *user, int *is_left)
{
    filter *const f = user;
    f->next = 0;
    const dmm_status status = dmm_reader_fill(&f->reader, &f->s, &f->in, f->block, &f->next);
    *is_left = f->next != 0;
    return status;
}

static dmm_status start(void *user, cl_event *done)
{
    dmm_status status = DMM_OK;
    filter *const f = user;
    const dmm_unique_args args = {.keys_in = {f->from.keys, 0},
        .values_in = {f->from.values, 0},
        .keys_out = {f->on.keys, 0},
        .values_out = {f->on.values, 0},
        .runs_out = {f->runs, 0},
        .temp = {f->temp, 0}};
    f->count = f->next;
    TRY(dmm_stream_upload(&f->s, &f->in, &f->from, f->count));
    TRY(dmm_unique_enqueue(f->unique, f->s.ctx->queue, &args, f->count, 0, NULL, done));
out:
    return status;
}

static dmm_status write_put(void *user)
{
    const filter *const f = user;
    return f->args->write(f->args->user, f->put.keys, f->put.values, f->num_put);
}

/* Writes the runs of a block aside. */
static dmm_status finish(void *user)
{
    dmm_status status = DMM_OK;
    filter *const f = user;
    const uint64_t key = f->s.key_bytes, value = f->s.value_bytes;
    uint64_t runs = 0;
    TRY(dmm_download(f->s.ctx, f->runs, &runs, sizeof runs, NULL));
    FAIL_IF(runs == 0 || runs > f->count, DMM_WRONG_RESULT);
    TRY(dmm_stream_download(&f->s, &f->on, &f->out, runs));
    const uint64_t skipped = f->has_last && memcmp(f->last, f->out.keys, key) == 0;
    f->put.keys = f->out.keys + skipped * key;
    f->put.values = value != 0 ? f->out.values + skipped * value : NULL;
    f->num_put = runs - skipped;
    f->written += f->num_put;
    memcpy(f->last, f->out.keys + (runs - 1) * key, key);
    f->has_last = 1;
    if (f->num_put != 0)
        dmm_aside_start(&f->aside, write_put, f);
out:
    return status;
}

/* Two arrays, two buffers, temp. */
static dmm_status bytes_of_block(const void *user, uint64_t items, uint64_t *out)
{
    const filter *const f = user;
    const dmm_status status = dmm_unique_temp_bytes(out, f->unique, items);
    const uint64_t item = (uint64_t)f->s.key_bytes + f->s.value_bytes;
    *out = dmm_size_add(*out, dmm_size_mul(items, 4 * item));
    return status;
}

/* Creates the object for the largest blocks that the memory allows. */
static dmm_status open_filter(filter *f, const dmm_unique_stream_desc *desc)
{
    dmm_status status = DMM_OK;
    const uint64_t memory = dmm_stream_memory(desc->memory_bytes);
    const uint64_t item = (uint64_t)f->s.key_bytes + f->s.value_bytes;
    const uint64_t buffer = dmm_stream_buffer_items(&f->s);
    uint64_t most = desc->block_items != 0 ? desc->block_items : memory / (4 * item), temp = 0;
    FAIL_IF(desc->block_items > buffer, DMM_TOO_LARGE);
    most = most < buffer ? most : buffer;
    const dmm_unique_desc unique = {.key_bytes = f->s.key_bytes,
        .value_bytes = f->s.value_bytes,
        .max_n = most + 1,
        .tuning = desc->tuning};
    TRY(dmm_unique_create(&f->unique, f->s.ctx, &unique));
    f->block = most;
    if (desc->block_items == 0)
        TRY(dmm_stream_largest(most, memory, bytes_of_block, f, &f->block));
    TRY(dmm_unique_temp_bytes(&temp, f->unique, f->block));
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
    f.reader = (dmm_reader){.user = args->user, .read = args->read};
    TRY(open_filter(&f, desc));
    const dmm_pipeline p = {ctx, &f.aside, &f, load, start, finish};
    TRY(dmm_pipeline_run(&p));
    if (args->items != NULL)
        *args->items = f.written;
out:
    close_filter(&f);
    return status;
}
