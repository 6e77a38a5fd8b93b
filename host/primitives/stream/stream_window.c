/* SPDX-License-Identifier: MIT */
/*
 * The window of a merge.
 *
 * Order      Block b + 1 of a run is read when the run's rank, the last key of its block b, is the
 *            least of all; ties: the earlier run first. Ranks of a run never fall, so the order of
 *            all blocks is that of their ranks, sorted stably: one sort before the merge, which
 *            needs no comparison on the host, also by `less`.
 * Kept back  Let l be the run that the next block comes from. All items up to its rank are in the
 *            window, and all of them are safe. When the last block of another run j was read, the
 *            rank of j was the least, hence at most that of l now: only items of that block can be
 *            greater. So at most k - 1 blocks are kept back (Jurkiewicz 2013, theorem 4.2), and a
 *            window of 2k blocks merges at least k of them.
 */
#include "primitives/stream/stream_window.h"

#include <assert.h>
#include <stdlib.h>

#include "core/check.h"

/* Loads the ranks of all runs, one behind the other, and the number of its run beside each. */
static dmm_status load_ranks(const dmm_window *w, char *ranks)
{
    dmm_status status = DMM_OK;
    uint64_t at = 0;
    for (uint32_t j = 0; j < w->k; j++) {
        const uint64_t end = at + dmm_stream_ranks(w->s, w->stored[j].items);
        TRY(dmm_stream_load_ranks(w->s, &w->stored[j], ranks + at * w->s->key_bytes));
        while (at < end)
            w->order[at++] = j;
    }
out:
    return status;
}

static dmm_status find_order(dmm_window *w)
{
    dmm_status status = DMM_OK;
    dmm_stream *const s = w->s;
    const dmm_sort_desc desc = {.order = s->desc->order,
        .value_bytes = sizeof *w->order,
        .guarantee = s->desc->guarantee,
        .tuning = s->desc->tuning};
    char *ranks = NULL;
    for (uint32_t j = 0; j < w->k; j++)
        w->num_order += dmm_stream_ranks(s, w->stored[j].items);
    if (w->num_order == 0)
        return DMM_OK;
    FAIL_IF(w->num_order > SIZE_MAX / DMM_RUN_ALIGN, DMM_TOO_LARGE);
    w->order = malloc((size_t)w->num_order * sizeof *w->order);
    ranks = malloc((size_t)w->num_order * s->key_bytes);
    FAIL_IF(w->order == NULL || ranks == NULL, DMM_OUT_OF_MEMORY);
    TRY(load_ranks(w, ranks));
    TRY(dmm_sort_host(s->ctx, &desc, ranks, w->order, (size_t)w->num_order));
out:
    free(ranks);
    return status;
}

dmm_status dmm_window_open(dmm_window *w, dmm_stream *s, const dmm_stored_run *stored, size_t k)
{
    dmm_status status = DMM_OK;
    *w = (dmm_window){.s = s, .stored = stored, .k = (uint32_t)k};
    FAIL_IF((w->runs = calloc(k, sizeof *w->runs)) == NULL, DMM_OUT_OF_MEMORY);
    TRY(find_order(w));
    TRY(dmm_stream_arrays(s, s->plan.window_items, &w->items));
out:
    return status;
}

void dmm_window_close(dmm_window *w)
{
    free(w->runs);
    free(w->order);
    dmm_stream_free_arrays(&w->items);
    *w = (dmm_window){.s = NULL};
}

uint64_t dmm_window_held(const dmm_window *w)
{
    uint64_t held = 0;
    for (uint32_t j = 0; j < w->k; j++)
        held += w->runs[j].held;
    return held;
}

uint32_t dmm_window_least(const dmm_window *w)
{
    return w->at < w->num_order ? w->order[w->at] : w->k;
}

uint64_t dmm_window_tail(const dmm_window *w, uint32_t run)
{
    const dmm_window_run *const r = &w->runs[run];
    const uint64_t block = w->s->plan.block_items;
    const uint64_t last = r->loaded - (r->loaded - 1) / block * block;
    return r->held < last ? r->held : last;
}

/* Adds the next block of a run to those that come. */
static uint64_t take_block(dmm_window *w, uint32_t j)
{
    dmm_window_run *const r = &w->runs[j];
    const uint64_t block = w->s->plan.block_items;
    const uint64_t left = w->stored[j].items - r->loaded - r->coming;
    const uint64_t items = left < block ? left : block;
    r->coming += items;
    return items;
}

static void choose_blocks(dmm_window *w, uint64_t held)
{
    const uint64_t block = w->s->plan.block_items, most = w->s->plan.window_items;
    for (uint32_t j = 0; j < w->k; j++)
        if (w->runs[j].loaded == 0)
            held += take_block(w, j);
    assert(w->at == w->num_order || held + block <= most);
    while (w->at < w->num_order && held + block <= most)
        held += take_block(w, w->order[w->at++]);
}

/* Moves the kept items to the window's beginning, in order of the runs: each to the left. */
static uint64_t close_gaps(dmm_window *w)
{
    uint64_t end = 0;
    for (uint32_t j = 0; j < w->k; j++) {
        dmm_window_run *const r = &w->runs[j];
        r->held -= r->safe;
        dmm_stream_move(w->s, &w->items, end, r->first + r->safe, r->held);
        r->first = end;
        r->safe = 0;
        end += r->held;
    }
    return end;
}

/* Moves them apart again, the last run first: each to the right, with space for what comes. */
static void open_gaps(dmm_window *w)
{
    uint64_t end = 0;
    for (uint32_t j = 0; j < w->k; j++)
        end += w->runs[j].held + w->runs[j].coming;
    for (uint32_t j = w->k; j-- > 0;) {
        dmm_window_run *const r = &w->runs[j];
        end -= r->held + r->coming;
        dmm_stream_move(w->s, &w->items, end, r->first, r->held);
        r->first = end;
    }
}

dmm_status dmm_window_fill(dmm_window *w)
{
    dmm_status status = DMM_OK;
    choose_blocks(w, close_gaps(w));
    open_gaps(w);
    for (uint32_t j = 0; j < w->k; j++) {
        dmm_window_run *const r = &w->runs[j];
        if (r->coming != 0)
            TRY(dmm_stream_load(
                w->s, &w->stored[j], r->loaded, r->coming, &w->items, r->first + r->held));
        r->loaded += r->coming;
        r->held += r->coming;
        r->coming = 0;
    }
out:
    return status;
}
