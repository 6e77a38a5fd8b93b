/* SPDX-License-Identifier: MIT */
/*
 * Runs: while the device sorts one, the next is read and the one before is put.
 */
#include <stdlib.h>

#include "core/check.h"
#include "core/transfer.h"
#include "primitives/stream/pipeline.h"

typedef struct sorting {
    dmm_stream *s;
    dmm_array_pair in, out;
    dmm_buffer_pair on; /* the device */
    cl_mem temp;
    dmm_sink sink;
    dmm_reader reader;
    uint64_t count, next; /* items of the run on the device, and of the one loaded */
} sorting;

static dmm_status load(void *user, int *is_left)
{
    sorting *const f = user;
    f->next = 0;
    const dmm_status status =
        dmm_reader_fill(&f->reader, f->s, &f->in, f->s->plan.run_items, &f->next);
    *is_left = f->next != 0;
    return status;
}

static dmm_status start(void *user, cl_event *done)
{
    dmm_status status = DMM_OK;
    sorting *const f = user;
    const dmm_stream *const s = f->s;
    const dmm_sort_args args = {.keys_in = {f->on.keys, 0},
        .values_in = {f->on.values, 0},
        .keys_out = {f->on.keys, 0},
        .values_out = {f->on.values, 0},
        .temp = {f->temp, 0}};
    FAIL_IF(s->result.items % s->plan.run_items != 0, DMM_BAD_VALUE);
    f->count = f->next;
    TRY(dmm_stream_upload(s, &f->in, &f->on, f->count));
    TRY(dmm_sort_enqueue(s->sort, s->ctx->queue, &args, f->count, 0, NULL, done));
out:
    return status;
}

/* Puts the run that has been sorted: to the store, or to the caller if it is the only one. */
static dmm_status finish(void *user)
{
    dmm_status status = DMM_OK;
    sorting *const f = user;
    dmm_stream *const s = f->s;
    const int is_only = s->store.count == 0 && f->next == 0;
    s->result.items += f->count;
    s->result.runs++;
    dmm_sink_close(&f->sink);
    TRY(dmm_stream_download(s, &f->on, &f->out, f->count));
    if (!is_only)
        TRY(dmm_stream_append(s, f->count));
    TRY(dmm_sink_open(&f->sink, s, is_only ? NULL : &s->store.runs[s->store.count - 1]));
    f->sink.reports = 1;
    f->sink.stored_items = s->result.items;
    dmm_sink_put(&f->sink, &f->out, f->count);
out:
    return status;
}

dmm_status dmm_stream_sort_runs(dmm_stream *s)
{
    dmm_status status = DMM_OK;
    uint64_t temp_bytes = 0;
    sorting f = {.s = s, .reader = {.user = s->args->user, .read = s->args->read}};
    const dmm_pipeline p = {s->ctx, &s->aside, &f, load, start, finish};
    const uint64_t items = s->plan.run_items;
    TRY(dmm_sort_temp_bytes(&temp_bytes, s->sort, items));
    TRY(dmm_stream_arrays(s, items, &f.in));
    TRY(dmm_stream_arrays(s, items, &f.out));
    TRY(dmm_stream_buffers(s, items, &f.on));
    TRY(dmm_upload(s->ctx, NULL, temp_bytes, &f.temp));
    TRY(dmm_pipeline_run(&p));
out:
    dmm_sink_close(&f.sink);
    dmm_stream_free_arrays(&f.in);
    dmm_stream_free_arrays(&f.out);
    dmm_stream_free_buffers(&f.on);
    if (f.temp != NULL)
        clReleaseMemObject(f.temp);
    return status;
}
