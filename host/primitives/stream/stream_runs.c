/* SPDX-License-Identifier: MIT */
/*
 * Runs: while the device sorts one, the next is read and the one before is put.
 */
#include <stdlib.h>

#include "core/check.h"
#include "core/transfer.h"
#include "primitives/stream/stream.h"

typedef struct sorting {
    dmm_stream *s;
    dmm_array_pair in, out;
    dmm_buffer_pair on; /* the device */
    cl_mem temp;
    dmm_sink sink;
    int has_ended; /* `read` has returned no items */
} sorting;

/* Reads up to a run. */
static dmm_status read_run(sorting *f, uint64_t *count)
{
    const dmm_stream *const s = f->s;
    const dmm_sort_stream_args *const args = s->args;
    const uint64_t most = s->plan.run_items;
    uint64_t got = 0;
    for (*count = 0; *count < most && !f->has_ended; *count += got) {
        char *const values = f->in.values != NULL ? f->in.values + *count * s->value_bytes : NULL;
        const dmm_status status =
            args->read(args->user, f->in.keys + *count * s->key_bytes, values, most - *count, &got);
        if (status != DMM_OK)
            return status;
        if (got > most - *count)
            return DMM_BAD_VALUE;
        f->has_ended = got == 0;
    }
    return DMM_OK;
}

static dmm_status start(const sorting *f, uint64_t count, cl_event *done)
{
    dmm_status status = DMM_OK;
    const dmm_stream *const s = f->s;
    const dmm_sort_args args = {.keys_in = {f->on.keys, 0},
        .values_in = {f->on.values, 0},
        .keys_out = {f->on.keys, 0},
        .values_out = {f->on.values, 0},
        .temp = {f->temp, 0}};
    TRY(dmm_stream_upload(s, &f->in, &f->on, count));
    TRY(dmm_sort_enqueue(s->sort, s->ctx->queue, &args, count, 0, NULL, done));
    TRY(clFlush(s->ctx->queue));
out:
    return status;
}

/* Puts the run that has been sorted: to the store, or to the caller if it is the only one. */
static dmm_status finish(sorting *f, uint64_t count, int is_only)
{
    dmm_status status = DMM_OK;
    dmm_stream *const s = f->s;
    dmm_sink_close(&f->sink);
    TRY(dmm_stream_download(s, &f->on, &f->out, count));
    if (!is_only)
        TRY(dmm_stream_append(s, count));
    TRY(dmm_sink_open(&f->sink, s, is_only ? NULL : &s->store.runs[s->store.count - 1]));
    f->sink.tells = 1;
    f->sink.stored_items = s->result.items;
    dmm_sink_put(&f->sink, &f->out, count);
out:
    return status;
}

static dmm_status sort_all(sorting *f)
{
    dmm_status status = DMM_OK;
    dmm_stream *const s = f->s;
    uint64_t count = 0, next = 0;
    cl_event done = NULL;
    TRY(read_run(f, &count));
    FAIL_IF(count != 0 && s->result.items % s->plan.run_items != 0, DMM_BAD_VALUE);
    for (; count != 0; count = next) {
        TRY(start(f, count, &done));
        TRY(read_run(f, &next));
        TRY(clWaitForEvents(1, &done));
        clReleaseEvent(done);
        done = NULL;
        s->result.items += count;
        s->result.runs++;
        TRY(dmm_aside_wait(&s->aside));
        TRY(finish(f, count, s->store.count == 0 && next == 0));
    }
    TRY(dmm_aside_wait(&s->aside));
out:
    dmm_wait_and_release(done);
    return status;
}

dmm_status dmm_stream_sort_runs(dmm_stream *s)
{
    dmm_status status = DMM_OK;
    uint64_t temp_bytes = 0;
    sorting f = {.s = s};
    const uint64_t items = s->plan.run_items;
    TRY(dmm_sort_temp_bytes(&temp_bytes, s->sort, items));
    TRY(dmm_stream_arrays(s, items, &f.in));
    TRY(dmm_stream_arrays(s, items, &f.out));
    TRY(dmm_stream_buffers(s, items, &f.on));
    TRY(dmm_upload(s->ctx, NULL, temp_bytes, &f.temp));
    TRY(sort_all(&f));
out:
    dmm_sink_close(&f.sink);
    dmm_stream_free_arrays(&f.in);
    dmm_stream_free_arrays(&f.out);
    dmm_stream_free_buffers(&f.on);
    if (f.temp != NULL)
        clReleaseMemObject(f.temp);
    return status;
}
