/* SPDX-License-Identifier: MIT */
/*
 * Merging of runs: a window is uploaded, split into safe items and others, and its safe items are
 * merged. Meanwhile the next window is loaded, and the one before is put.
 */
#include <stdlib.h>

#include "core/check.h"
#include "core/opencl.h"
#include "core/transfer.h"
#include "primitives/stream/pipeline.h"
#include "primitives/stream/stream_window.h"

typedef struct merging {
    dmm_stream *s;
    dmm_window window;
    dmm_array_pair out;
    dmm_buffer_pair on[MOST_SETS]; /* the window, and at last the merged items */
    dmm_buffer_pair other;         /* its safe items */
    cl_mem temp, offsets, lower, upper;
    uint64_t *numbers;        /* offsets, and ranks of searches: k + 1, k, k */
    uint64_t safe[MOST_SETS]; /* items of the window */
    int is_last;              /* no block is left to load */
    dmm_sink sink;
} merging;

/* Searches for the last item of run `least` in the tail of each other run. */
static dmm_status search_tails(const merging *m, cl_mem keys, uint32_t least)
{
    dmm_status status = DMM_OK;
    const dmm_stream *const s = m->s;
    const dmm_window *const w = &m->window;
    const dmm_window_run *const l = &w->runs[least];
    const uint64_t query_at = (l->first + l->held - 1) * s->key_bytes;
    const uint64_t bytes = w->k * sizeof(uint64_t);
    dmm_chain chain = {.queue = s->ctx->queue};
    for (uint32_t j = 0; j < w->k; j++) {
        const uint64_t tail = dmm_window_tail(w, j), at = j * sizeof(uint64_t);
        const uint64_t first = w->runs[j].first + w->runs[j].held - tail;
        const dmm_search_args args = {.keys = {keys, first * s->key_bytes},
            .queries = {keys, query_at},
            .out = {m->lower, at},
            .ends_out = {m->upper, at}};
        if (j != least && tail != 0)
            TRY(dmm_stream_search(s->search, &chain, &args, tail, 1));
    }
    TRY(dmm_chain_read(&chain, (dmm_span){m->lower, 0}, m->numbers, bytes));
    TRY(dmm_chain_read(&chain, (dmm_span){m->upper, 0}, m->numbers + w->k, bytes));
out:
    return dmm_chain_end(&chain, status, NULL);
}

/*
 * Finds the safe items of each run: those up to the last item of run `least`, where of equal items
 * the earlier run's come first. By a `less` that is no order, that run may have no items left: then
 * all are taken to be safe, so that each item is written once.
 */
static dmm_status split(merging *m, uint32_t set)
{
    dmm_status status = DMM_OK;
    dmm_window *const w = &m->window;
    const uint32_t least = dmm_window_least(w);
    const int all = least == w->k || w->runs[least].held == 0;
    if (!all)
        TRY(search_tails(m, m->on[set].keys, least));
    m->safe[set] = 0;
    for (uint32_t j = 0; j < w->k; j++) {
        dmm_window_run *const r = &w->runs[j];
        const uint64_t tail = all || j == least ? 0 : dmm_window_tail(w, j);
        const uint64_t found = tail != 0 ? m->numbers[j < least ? w->k + j : j] : 0;
        FAIL_IF(found > tail, DMM_WRONG_RESULT);
        r->safe = r->held - tail + found;
        m->safe[set] += r->safe;
    }
out:
    return status;
}

static dmm_status copy(
    dmm_chain *chain, cl_mem from, cl_mem to, uint64_t at, uint64_t to_at, uint64_t bytes)
{
    const dmm_span source = {from, at}, target = {to, to_at};
    return bytes == 0 ? DMM_OK : dmm_chain_copy(chain, source, target, bytes);
}

/* Copies the safe items to `other`, without gaps, and writes where each run begins there. */
static dmm_status gather(merging *m, const dmm_buffer_pair *on, dmm_chain *chain)
{
    dmm_status status = DMM_OK;
    const dmm_stream *const s = m->s;
    const uint64_t key = s->key_bytes, value = s->value_bytes;
    const uint32_t k = m->window.k;
    uint64_t end = 0;
    for (uint32_t j = 0; j < k; j++) {
        const dmm_window_run *const r = &m->window.runs[j];
        TRY(copy(chain, on->keys, m->other.keys, r->first * key, end * key, r->safe * key));
        TRY(copy(
            chain, on->values, m->other.values, r->first * value, end * value, r->safe * value));
        m->numbers[j] = end;
        end += r->safe;
    }
    m->numbers[k] = end;
    TRY(dmm_write(s->ctx->queue, m->offsets, m->numbers, (k + 1) * sizeof(uint64_t)));
out:
    return status;
}

static dmm_status load(void *user, int *is_left)
{
    merging *const m = user;
    *is_left = !m->is_last;
    const dmm_status status = m->is_last ? DMM_OK : dmm_window_fill(&m->window);
    m->is_last = dmm_window_least(&m->window) == m->window.k;
    return status;
}

static dmm_status upload(void *user, const dmm_turn *turn)
{
    merging *const m = user;
    return dmm_stream_upload(
        m->s, turn->transfers, &m->window.items, &m->on[turn->set], dmm_window_held(&m->window));
}

static dmm_status start(void *user, const dmm_turn *turn, cl_event *done)
{
    dmm_status status = DMM_OK;
    merging *const m = user;
    const dmm_buffer_pair *const on = &m->on[turn->set];
    dmm_sort_stream_result *const result = &m->s->result;
    const dmm_stream *const s = m->s;
    const dmm_merge_many_args args = {.keys_in = {m->other.keys, 0},
        .values_in = {m->other.values, 0},
        .keys_out = {on->keys, 0},
        .values_out = {on->values, 0},
        .offsets = {m->offsets, 0},
        .temp = {m->temp, 0}};
    dmm_chain chain = {.queue = s->ctx->queue};
    TRY(split(m, turn->set));
    TRY(gather(m, on, &chain));
    const uint64_t safe = m->safe[turn->set];
    TRY(dmm_merge_many_enqueue(s->merge, chain.queue, &args, safe, m->window.k, chain.last != NULL,
        chain.last != NULL ? &chain.last : NULL, done));
    const uint64_t kept = dmm_window_held(&m->window) - safe;
    result->most_kept = kept > result->most_kept ? kept : result->most_kept;
    result->windows++;
out:
    return dmm_chain_end(&chain, status, NULL);
}

/* Puts the merged items aside. */
static dmm_status finish(void *user, const dmm_turn *turn)
{
    merging *const m = user;
    cl_event copied = NULL;
    const uint64_t safe = m->safe[turn->set];
    const dmm_status status =
        dmm_stream_download(m->s, turn->transfers, &m->on[turn->set], &m->out, safe, &copied);
    if (status == DMM_OK)
        dmm_sink_put(&m->sink, copied, &m->out, safe);
    return status;
}

static dmm_status open_merging(merging *m, const dmm_stored_run *runs, size_t k)
{
    dmm_status status = DMM_OK;
    dmm_stream *const s = m->s;
    const uint64_t items = s->plan.window_items;
    uint64_t temp_bytes = 0;
    TRY(dmm_window_open(&m->window, s, runs, k));
    TRY(dmm_merge_many_temp_bytes(&temp_bytes, s->merge, items, k));
    FAIL_IF((m->numbers = calloc(2 * k + 1, sizeof *m->numbers)) == NULL, DMM_OUT_OF_MEMORY);
    TRY(dmm_stream_arrays(s, items, &m->out));
    TRY(dmm_stream_buffer_sets(s, items, m->on));
    TRY(dmm_stream_buffers(s, items, &m->other));
    TRY(dmm_upload(s->ctx, NULL, temp_bytes, &m->temp));
    TRY(dmm_upload(s->ctx, NULL, (k + 1) * sizeof(uint64_t), &m->offsets));
    TRY(dmm_upload(s->ctx, NULL, k * sizeof(uint64_t), &m->lower));
    TRY(dmm_upload(s->ctx, NULL, k * sizeof(uint64_t), &m->upper));
out:
    return status;
}

static void close_merging(merging *m)
{
    const cl_mem buffers[] = {m->temp, m->offsets, m->lower, m->upper};
    dmm_sink_close(&m->sink);
    dmm_window_close(&m->window);
    dmm_stream_free_arrays(&m->out);
    dmm_stream_free_buffer_sets(m->on);
    dmm_stream_free_buffers(&m->other);
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
        if (buffers[i] != NULL)
            clReleaseMemObject(buffers[i]);
    free(m->numbers);
}

dmm_status dmm_stream_merge_runs(
    dmm_stream *s, size_t first, size_t count, const dmm_stored_run *to)
{
    dmm_status status = DMM_OK;
    merging m = {.s = s};
    TRY(open_merging(&m, s->store.runs + first, count));
    TRY(dmm_sink_open(&m.sink, s, to));
    const dmm_pipeline p = {s->ctx, s->sets, &s->aside, &m, load, upload, start, finish};
    TRY(dmm_pipeline_run(&p));
    s->result.merges++;
out:
    close_merging(&m);
    return status;
}
