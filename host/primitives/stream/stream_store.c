/* SPDX-License-Identifier: MIT */
/*
 * Runs in the scratch store, and the sinks that write them.
 */
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/size.h"
#include "primitives/stream/stream.h"

uint64_t dmm_stream_ranks(const dmm_stream *s, uint64_t items)
{
    return (items - 1) / s->plan.block_items;
}

/* Returns the bytes that a run takes in the store. */
static uint64_t run_bytes(const dmm_stream *s, uint64_t items)
{
    const uint64_t used = dmm_size_add(dmm_size_mul(items, (uint64_t)s->key_bytes + s->value_bytes),
        dmm_stream_ranks(s, items) * s->key_bytes);
    return dmm_size_mul(dmm_size_div_up(used, DMM_RUN_ALIGN), DMM_RUN_ALIGN);
}

/* Returns a place behind all runs. */
static dmm_stored_run take_place(dmm_stream *s, uint64_t items)
{
    const dmm_stored_run run = {items, s->store.end_bytes};
    s->store.end_bytes = dmm_size_add(run.at_bytes, run_bytes(s, items));
    return run;
}

dmm_status dmm_stream_append(dmm_stream *s, uint64_t items)
{
    dmm_stored_runs *const store = &s->store;
    if (store->count == store->capacity) {
        const size_t capacity = 2 * store->capacity + 16;
        dmm_stored_run *const runs = realloc(store->runs, capacity * sizeof *runs);
        if (runs == NULL)
            return DMM_OUT_OF_MEMORY;
        store->runs = runs;
        store->capacity = capacity;
    }
    store->runs[store->count++] = take_place(s, items);
    return s->store.end_bytes == UINT64_MAX ? DMM_TOO_LARGE : DMM_OK;
}

/*
 * A merge of g runs leaves g - 1 fewer, so merges that are not the last one take just so many that
 * the last can have most_runs. They go from left to right over the runs and then begin anew.
 */
int dmm_stream_next_merge(const dmm_stream *s, size_t *first, size_t *count)
{
    const size_t runs = s->store.count, most = (size_t)s->plan.most_runs;
    *first = 0;
    *count = runs;
    if (runs <= most)
        return 1;
    *count = runs - most + 1 < most ? runs - most + 1 : most;
    if (s->store.next + 1 < runs)
        *first = s->store.next;
    if (*count > runs - *first)
        *count = runs - *first;
    return 0;
}

void dmm_stream_replace(dmm_stream *s, size_t first, size_t count)
{
    dmm_stored_runs *const store = &s->store;
    uint64_t items = 0;
    for (size_t i = first; i < first + count; i++)
        items += store->runs[i].items;
    store->runs[first] = take_place(s, items);
    memmove(store->runs + first + 1, store->runs + first + count,
        (store->count - first - count) * sizeof *store->runs);
    store->count -= count - 1;
    store->next = first + 1;
}

dmm_status dmm_sink_open(dmm_sink *sink, dmm_stream *s, const dmm_stored_run *run)
{
    *sink = (dmm_sink){.s = s, .run = run};
    if (run == NULL || dmm_stream_ranks(s, run->items) == 0)
        return DMM_OK;
    sink->ranks = malloc((size_t)dmm_stream_ranks(s, run->items) * s->key_bytes);
    return sink->ranks != NULL ? DMM_OK : DMM_OUT_OF_MEMORY;
}

static dmm_status store(dmm_stream *s, uint64_t at_bytes, const void *data, uint64_t bytes)
{
    if (bytes == 0)
        return DMM_OK;
    s->result.stored_bytes += bytes;
    return s->args->store(s->args->user, at_bytes, data, bytes);
}

/* Copies the ranks among the items that are put. */
static void keep_ranks(dmm_sink *sink)
{
    const dmm_stream *const s = sink->s;
    const uint64_t block = s->plan.block_items, end = sink->filled + sink->count;
    const uint64_t ranks = dmm_stream_ranks(s, sink->run->items);
    for (uint64_t i = sink->filled / block; i < ranks && (i + 1) * block <= end; i++)
        memcpy(sink->ranks + i * s->key_bytes,
            sink->from.keys + ((i + 1) * block - 1 - sink->filled) * s->key_bytes, s->key_bytes);
}

static dmm_status put(void *user)
{
    dmm_status status = DMM_OK;
    dmm_sink *const sink = user;
    dmm_stream *const s = sink->s;
    const dmm_sort_stream_args *const args = s->args;
    const uint64_t key = s->key_bytes, value = s->value_bytes, count = sink->count;
    if (sink->run == NULL)
        return s->write(s->user, sink->from.keys, sink->from.values, count);
    const uint64_t values_at = sink->run->at_bytes + sink->run->items * key;
    TRY(store(s, sink->run->at_bytes + sink->filled * key, sink->from.keys, count * key));
    TRY(store(s, values_at + sink->filled * value, sink->from.values, count * value));
    keep_ranks(sink);
    sink->filled += count;
    if (sink->filled < sink->run->items)
        goto out;
    TRY(store(s, values_at + sink->run->items * value, sink->ranks,
        dmm_stream_ranks(s, sink->run->items) * key));
    if (sink->reports && args->stored != NULL)
        TRY(args->stored(args->user, sink->stored_items));
out:
    return status;
}

void dmm_sink_put(dmm_sink *sink, cl_event after, const dmm_array_pair *from, uint64_t count)
{
    sink->from = *from;
    sink->count = count;
    dmm_aside_start(&sink->s->aside, after, put, sink);
}

void dmm_sink_close(dmm_sink *sink)
{
    if (sink->s != NULL)
        dmm_aside_wait(&sink->s->aside);
    free(sink->ranks);
    *sink = (dmm_sink){.s = NULL};
}

static dmm_status load(dmm_stream *s, uint64_t at_bytes, void *to, uint64_t bytes)
{
    if (bytes == 0)
        return DMM_OK;
    s->result.loaded_bytes += bytes;
    return s->args->load(s->args->user, at_bytes, to, bytes);
}

dmm_status dmm_stream_load(dmm_stream *s, const dmm_stored_run *run, uint64_t first, uint64_t items,
    const dmm_array_pair *to, uint64_t at)
{
    const uint64_t key = s->key_bytes, value = s->value_bytes;
    const uint64_t values_at = run->at_bytes + run->items * key + first * value;
    if (s->lists != NULL) {
        s->result.loaded_bytes += items * (key + value);
        return s->lists->load(s->user, run->at_bytes, first, items, to->keys + at * key,
            value != 0 ? to->values + at * value : NULL);
    }
    dmm_status status = load(s, run->at_bytes + first * key, to->keys + at * key, items * key);
    if (status == DMM_OK && value != 0)
        status = load(s, values_at, to->values + at * value, items * value);
    return status;
}

dmm_status dmm_stream_load_ranks(dmm_stream *s, const dmm_stored_run *run, char *to)
{
    dmm_status status = DMM_OK;
    const uint64_t item = (uint64_t)s->key_bytes + s->value_bytes;
    const uint64_t ranks = dmm_stream_ranks(s, run->items), block = s->plan.block_items;
    if (s->lists == NULL)
        return load(s, run->at_bytes + run->items * item, to, ranks * s->key_bytes);
    for (uint64_t i = 0; i < ranks && status == DMM_OK; i++)
        status = s->lists->key(s->user, run->at_bytes, (i + 1) * block - 1, to + i * s->key_bytes);
    return status;
}
