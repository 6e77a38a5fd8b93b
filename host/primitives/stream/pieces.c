/* SPDX-License-Identifier: MIT */
/*
 * Runs of a partition in the scratch store, and the windows that gather their pieces. In a window,
 * each run has one range of items, because buckets follow each other in runs as in the result.
 */
#include "primitives/stream/pieces.h"

#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/size.h"

/* The next item of the result: item `done` of the piece that `run` has of `bucket`. */
typedef struct cursor {
    uint64_t bucket, run, done;
} cursor;

typedef struct window {
    dmm_pieces *p;
    cursor at;
    uint64_t *loaded;       /* items loaded so far, one a run; owned */
    uint64_t *next;         /* next item in `in`, one a run; owned */
    dmm_array_pair in, out; /* run by run; as in the result */
    uint64_t items, put;    /* items of `in`; items of `out`, which is written by another thread */
    dmm_aside aside;
} window;

static uint64_t item_bytes(const dmm_pieces *p)
{
    return (uint64_t)p->s.key_bytes + p->s.value_bytes;
}

/* Returns the bytes from one run to the next. */
static uint64_t run_bytes(const dmm_pieces *p)
{
    const uint64_t bytes = dmm_size_mul(p->plan.run_items, item_bytes(p));
    return dmm_size_mul(dmm_size_div_up(bytes, DMM_RUN_ALIGN), DMM_RUN_ALIGN);
}

static uint64_t *row_of(const dmm_pieces *p, uint64_t run)
{
    return p->starts + run * (p->ways + (uint64_t)1);
}

uint64_t dmm_pieces_bytes(const dmm_pieces *p, uint64_t n)
{
    const uint64_t whole = n / p->plan.run_items, rest = n % p->plan.run_items;
    return dmm_size_add(dmm_size_mul(whole, run_bytes(p)), dmm_size_mul(rest, item_bytes(p)));
}

dmm_status dmm_pieces_append(dmm_pieces *p, uint64_t **row)
{
    const uint64_t row_bytes = (p->ways + (uint64_t)1) * sizeof *p->starts;
    if (p->result.runs == p->capacity) {
        const uint64_t capacity = 2 * p->capacity + 8, bytes = dmm_size_mul(capacity, row_bytes);
        uint64_t *const rows = bytes < SIZE_MAX ? realloc(p->starts, (size_t)bytes) : NULL;
        if (rows == NULL)
            return DMM_OUT_OF_MEMORY;
        p->starts = rows;
        p->capacity = capacity;
    }
    *row = row_of(p, p->result.runs++);
    return DMM_OK;
}

dmm_status dmm_pieces_store(dmm_pieces *p, uint64_t run, const dmm_array_pair *from, uint64_t items)
{
    const dmm_partition_stream_args *const args = p->args;
    const uint64_t at = run * run_bytes(p), keys = items * p->s.key_bytes;
    const uint64_t values = items * p->s.value_bytes;
    dmm_status status = args->store(args->user, at, from->keys, keys);
    if (status == DMM_OK && values != 0)
        status = args->store(args->user, at + keys, from->values, values);
    if (status == DMM_OK)
        p->result.stored_bytes += keys + values;
    return status;
}

/* Loads items of a run, from item `first`, to item `at` of arrays. */
static dmm_status load(dmm_pieces *p, uint64_t run, uint64_t first, uint64_t items,
    const dmm_array_pair *to, uint64_t at)
{
    const dmm_partition_stream_args *const args = p->args;
    const uint64_t key = p->s.key_bytes, value = p->s.value_bytes, start = run * run_bytes(p);
    const uint64_t values_at = start + row_of(p, run)[p->ways] * key;
    dmm_status status =
        args->load(args->user, start + first * key, to->keys + at * key, items * key);
    if (status == DMM_OK && value != 0)
        status = args->load(
            args->user, values_at + first * value, to->values + at * value, items * value);
    p->result.loaded_bytes += items * (key + value);
    return status;
}

void dmm_pieces_offsets(const dmm_pieces *p, uint64_t *out)
{
    memset(out, 0, (p->ways + (size_t)1) * sizeof *out);
    for (uint64_t run = 0; run < p->result.runs; run++)
        for (uint64_t b = 0; b <= p->ways; b++)
            out[b] += row_of(p, run)[b];
}

/* Takes up to `most` items of the next piece; returns how many, 0 at the end. *run: whose. */
static uint64_t take(const dmm_pieces *p, cursor *c, uint64_t most, uint64_t *run)
{
    for (; c->bucket < p->ways; c->bucket++, c->run = 0)
        for (; c->run < p->result.runs; c->run++, c->done = 0) {
            const uint64_t *const row = row_of(p, c->run) + c->bucket;
            const uint64_t left = row[1] - row[0] - c->done;
            const uint64_t taken = left < most ? left : most;
            if (left == 0)
                continue;
            *run = c->run;
            c->done += taken;
            return taken;
        }
    return 0;
}

/* Loads the items of the next window, run by run. */
static dmm_status load_window(window *w)
{
    dmm_pieces *const p = w->p;
    cursor c = w->at;
    uint64_t run = 0, at = 0, taken = 0;
    memset(w->next, 0, (size_t)p->result.runs * sizeof *w->next);
    for (w->items = 0; w->items < p->plan.window_items; w->items += taken) {
        if ((taken = take(p, &c, p->plan.window_items - w->items, &run)) == 0)
            break;
        w->next[run] += taken;
    }
    for (run = 0; run < p->result.runs; run++) {
        const uint64_t wanted = w->next[run];
        const dmm_status status =
            wanted != 0 ? load(p, run, w->loaded[run], wanted, &w->in, at) : DMM_OK;
        if (status != DMM_OK)
            return status;
        w->loaded[run] += wanted;
        w->next[run] = at;
        at += wanted;
    }
    return DMM_OK;
}

/* Copies the window's pieces into the order of the result. */
static void arrange(window *w)
{
    const uint64_t key = w->p->s.key_bytes, value = w->p->s.value_bytes;
    uint64_t run = 0, taken = 0;
    for (w->put = 0; w->put < w->items; w->put += taken) {
        taken = take(w->p, &w->at, w->items - w->put, &run);
        memcpy(w->out.keys + w->put * key, w->in.keys + w->next[run] * key, (size_t)(taken * key));
        if (value != 0)
            memcpy(w->out.values + w->put * value, w->in.values + w->next[run] * value,
                (size_t)(taken * value));
        w->next[run] += taken;
    }
}

static dmm_status write_window(void *user)
{
    const window *const w = user;
    return w->p->args->write(w->p->args->user, w->out.keys, w->out.values, w->put);
}

static dmm_status gather(window *w)
{
    dmm_status status = DMM_OK;
    TRY(load_window(w));
    while (w->items != 0) {
        TRY(dmm_aside_wait(&w->aside));
        arrange(w);
        dmm_aside_start(&w->aside, NULL, write_window, w);
        w->p->result.windows++;
        TRY(load_window(w));
    }
    TRY(dmm_aside_wait(&w->aside));
out:
    return status;
}

dmm_status dmm_pieces_gather(dmm_pieces *p)
{
    dmm_status status = DMM_OK;
    window w = {.p = p};
    if (p->plan.window_items > p->result.items)
        p->plan.window_items = p->result.items;
    w.loaded = calloc((size_t)p->result.runs, sizeof *w.loaded);
    w.next = calloc((size_t)p->result.runs, sizeof *w.next);
    FAIL_IF(w.loaded == NULL || w.next == NULL, DMM_OUT_OF_MEMORY);
    TRY(dmm_stream_arrays(&p->s, p->plan.window_items, &w.in));
    TRY(dmm_stream_arrays(&p->s, p->plan.window_items, &w.out));
    TRY(gather(&w));
out:
    dmm_aside_wait(&w.aside);
    dmm_stream_free_arrays(&w.in);
    dmm_stream_free_arrays(&w.out);
    free(w.loaded);
    free(w.next);
    return status;
}
