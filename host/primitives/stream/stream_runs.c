/* SPDX-License-Identifier: MIT */
/*
 * Runs: while the device sorts one, the next is read and the one before is put.
 */
#include <stdlib.h>

#include "core/check.h"
#include "core/opencl.h"
#include "core/transfer.h"
#include "primitives/stream/pipeline.h"

typedef struct sorting {
    dmm_stream *s;
    dmm_array_pair in, out;
    dmm_buffer_pair on[MOST_SETS]; /* the device */
    uint64_t counts[MOST_SETS];    /* items there */
    cl_mem temp;
    dmm_sink sink;
    dmm_reader reader;
    uint64_t next; /* items of the run loaded last */
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

static dmm_status upload(void *user, const dmm_turn *turn)
{
    sorting *const f = user;
    if (f->s->result.items % f->s->plan.run_items != 0)
        return DMM_BAD_VALUE;
    f->counts[turn->set] = f->next;
    return dmm_stream_upload(f->s, turn->transfers, &f->in, &f->on[turn->set], f->next);
}

static dmm_status start(void *user, const dmm_turn *turn, cl_event *done)
{
    sorting *const f = user;
    const dmm_stream *const s = f->s;
    const dmm_buffer_pair *const on = &f->on[turn->set];
    const dmm_sort_args args = {.keys_in = {on->keys, 0},
        .values_in = {on->values, 0},
        .keys_out = {on->keys, 0},
        .values_out = {on->values, 0},
        .temp = {f->temp, 0}};
    return dmm_sort_enqueue(s->sort, s->ctx->queue, &args, f->counts[turn->set], 0, NULL, done);
}

/* Puts the run that has been sorted: to the store, or to the caller if it is the only one. */
static dmm_status finish(void *user, const dmm_turn *turn)
{
    dmm_status status = DMM_OK;
    sorting *const f = user;
    dmm_stream *const s = f->s;
    cl_event copied = NULL;
    const uint64_t count = f->counts[turn->set];
    const int is_only = s->store.count == 0 && f->next == 0;
    s->result.items += count;
    s->result.runs++;
    dmm_sink_close(&f->sink);
    if (!is_only)
        TRY(dmm_stream_append(s, count));
    TRY(dmm_sink_open(&f->sink, s, is_only ? NULL : &s->store.runs[s->store.count - 1]));
    f->sink.reports = 1;
    f->sink.stored_items = s->result.items;
    TRY(dmm_stream_download(s, turn->transfers, &f->on[turn->set], &f->out, count, &copied));
    dmm_sink_put(&f->sink, copied, &f->out, count);
out:
    return status;
}

dmm_status dmm_stream_sort_runs(dmm_stream *s)
{
    dmm_status status = DMM_OK;
    uint64_t temp_bytes = 0;
    sorting f = {.s = s, .reader = {.user = s->args->user, .read = s->args->read}};
    const dmm_pipeline p = {s->ctx, s->sets, &s->aside, &f, load, upload, start, finish};
    const uint64_t items = s->plan.run_items;
    TRY(dmm_sort_temp_bytes(&temp_bytes, s->sort, items));
    TRY(dmm_stream_arrays(s, items, &f.in));
    TRY(dmm_stream_arrays(s, items, &f.out));
    TRY(dmm_stream_buffer_sets(s, items, f.on));
    TRY(dmm_upload(s->ctx, NULL, temp_bytes, &f.temp));
    TRY(dmm_pipeline_run(&p));
out:
    dmm_sink_close(&f.sink);
    dmm_stream_free_arrays(&f.in);
    dmm_stream_free_arrays(&f.out);
    dmm_stream_free_buffer_sets(f.on);
    if (f.temp != NULL)
        clReleaseMemObject(f.temp);
    return status;
}
