/* SPDX-License-Identifier: MIT */
/*
 * dmm_unique_stream: dmm_unique of block after block. A block's first run is dropped if its key is
 * the last one before: equal keys have equal bytes, so the host compares them.
 */
#include <dmm/unique_stream.h>

#include <string.h>

#include "core/check.h"
#include "core/opencl.h"
#include "core/refuse.h"
#include "core/size.h"
#include "core/transfer.h"
#include "primitives/stream/pipeline.h"

enum { MOST_BYTES = 256, DEFAULT_KEY = 4 };

typedef struct filter {
    const dmm_unique_stream_args *args;
    dmm_reader reader;
    dmm_stream s;
    dmm_unique *unique;
    uint64_t block; /* items */
    uint64_t next;  /* items of the block loaded last */
    dmm_array_pair in, out;
    dmm_buffer_pair from[MOST_SETS], on[MOST_SETS];
    uint64_t counts[MOST_SETS]; /* items of `from` */
    cl_mem runs[MOST_SETS], temp;
    uint64_t num_out, written;
    char last[MOST_BYTES]; /* key before `out` */
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

static dmm_status upload(void *user, const dmm_turn *turn)
{
    filter *const f = user;
    f->counts[turn->set] = f->next;
    return dmm_stream_upload(&f->s, turn->transfers, &f->in, &f->from[turn->set], f->next);
}

static dmm_status start(void *user, const dmm_turn *turn, cl_event *done)
{
    filter *const f = user;
    const dmm_buffer_pair *const from = &f->from[turn->set], *const on = &f->on[turn->set];
    const dmm_unique_args args = {.keys_in = {from->keys, 0},
        .values_in = {from->values, 0},
        .keys_out = {on->keys, 0},
        .values_out = {on->values, 0},
        .runs_out = {f->runs[turn->set], 0},
        .temp = {f->temp, 0}};
    return dmm_unique_enqueue(
        f->unique, f->s.ctx->queue, &args, f->counts[turn->set], 0, NULL, done);
}

static dmm_status write_out(void *user)
{
    filter *const f = user;
    const uint64_t key = f->s.key_bytes, value = f->s.value_bytes;
    const uint64_t skipped = f->has_last && memcmp(f->last, f->out.keys, (size_t)key) == 0;
    const uint64_t count = f->num_out - skipped;
    memcpy(f->last, f->out.keys + (f->num_out - 1) * key, (size_t)(key));
    f->has_last = 1;
    f->written += count;
    return count == 0 ? DMM_OK
                      : f->args->write(f->args->user, f->out.keys + skipped * key,
                            value != 0 ? f->out.values + skipped * value : NULL, count);
}

/* Writes the runs of a block aside. */
static dmm_status finish(void *user, const dmm_turn *turn)
{
    dmm_status status = DMM_OK;
    filter *const f = user;
    cl_event copied = NULL;
    TRY(dmm_read(turn->transfers, f->runs[turn->set], &f->num_out, sizeof f->num_out));
    FAIL_IF(f->num_out == 0 || f->num_out > f->counts[turn->set], DMM_WRONG_RESULT);
    TRY(dmm_stream_download(
        &f->s, turn->transfers, &f->on[turn->set], &f->out, f->num_out, &copied));
    dmm_aside_start(&f->aside, copied, write_out, f);
out:
    return status;
}

/* Two arrays, two buffers of each set, temp. */
static dmm_status bytes_of_block(const void *user, uint64_t items, uint64_t *out)
{
    const filter *const f = user;
    const dmm_status status = dmm_unique_temp_bytes(out, f->unique, items);
    const uint64_t item = (uint64_t)f->s.key_bytes + f->s.value_bytes;
    *out =
        dmm_size_add(dmm_stream_temp(&f->s, *out), dmm_size_mul(items, (2 + 2 * f->s.sets) * item));
    return status;
}

/* Creates the object for the largest blocks that the memory allows. */
static dmm_status open_filter(filter *f, const dmm_unique_stream_desc *desc)
{
    dmm_status status = DMM_OK;
    const uint64_t item = (uint64_t)f->s.key_bytes + f->s.value_bytes;
    const uint64_t buffer = dmm_stream_buffer_items(&f->s);
    uint64_t memory = 0, temp = 0;
    TRY(dmm_stream_memory(f->s.ctx, desc->memory_bytes, &memory));
    FAIL_IF(desc->block_items > buffer, DMM_TOO_LARGE);
    uint64_t most = desc->block_items != 0 ? desc->block_items : memory / (4 * item);
    most = most < buffer ? most : buffer;
    const dmm_unique_desc unique = {.key_bytes = f->s.key_bytes,
        .value_bytes = f->s.value_bytes,
        .max_n = most + 1,
        .tuning = desc->tuning};
    TRY(dmm_unique_create(&f->unique, f->s.ctx, &unique));
    f->block = desc->block_items;
    TRY(dmm_stream_largest(most, memory, bytes_of_block, f, &f->block));
    TRY(dmm_unique_temp_bytes(&temp, f->unique, f->block));
    TRY(dmm_stream_arrays(&f->s, f->block, &f->in));
    TRY(dmm_stream_arrays(&f->s, f->block, &f->out));
    TRY(dmm_stream_buffer_sets(&f->s, f->block, f->from));
    TRY(dmm_stream_buffer_sets(&f->s, f->block, f->on));
    for (uint32_t i = 0; i < f->s.sets; i++)
        TRY(dmm_upload(f->s.ctx, NULL, sizeof(uint64_t), &f->runs[i]));
    TRY(dmm_upload(f->s.ctx, NULL, temp, &f->temp));
out:
    return status;
}

static void close_filter(filter *f)
{
    dmm_aside_wait(&f->aside);
    dmm_stream_free_arrays(&f->in);
    dmm_stream_free_arrays(&f->out);
    dmm_stream_free_buffer_sets(f->from);
    dmm_stream_free_buffer_sets(f->on);
    for (uint32_t i = 0; i < MOST_SETS; i++)
        if (f->runs[i] != NULL)
            clReleaseMemObject(f->runs[i]);
    if (f->temp != NULL)
        clReleaseMemObject(f->temp);
    dmm_unique_free(f->unique);
}

dmm_status dmm_unique_stream_host(
    dmm_context *ctx, const dmm_unique_stream_desc *desc, const dmm_unique_stream_args *args)
{
    dmm_status status = DMM_OK;
    filter f = {.args = args};
    dmm_refuse_begin();
    if (ctx == NULL || desc == NULL || args == NULL || args->read == NULL || args->write == NULL)
        return DMM_NULL_ARGUMENT;
    TRY(dmm_check_reserved(desc, sizeof *desc, 0));
    TRY(dmm_check_reserved(args, sizeof *args, 0));
    FAIL_IF(desc->key_bytes > MOST_BYTES || desc->value_bytes > MOST_BYTES, DMM_BAD_VALUE);
    f.s = (dmm_stream){.ctx = ctx,
        .key_bytes = desc->key_bytes != 0 ? desc->key_bytes : DEFAULT_KEY,
        .value_bytes = desc->value_bytes,
        .sets = dmm_stream_sets(ctx, &desc->tuning)};
    f.reader = (dmm_reader){.user = args->user, .read = args->read};
    TRY(open_filter(&f, desc));
    const dmm_pipeline p = {ctx, f.s.sets, &f.aside, &f, load, upload, start, finish};
    TRY(dmm_pipeline_run(&p));
    if (args->items_out != NULL)
        *args->items_out = f.written;
out:
    close_filter(&f);
    return status;
}
