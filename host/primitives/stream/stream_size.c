/* SPDX-License-Identifier: MIT */
/*
 * Sizes of runs, windows and blocks: the largest that the memory allows.
 */
#include <stdlib.h>

#include "core/check.h"
#include "core/size.h"
#include "primitives/order.h"
#include "primitives/stream/pipeline.h"

/* A window has that many blocks where memory is not short; LEAST_BLOCK: bytes of a block, so that
 * loads are not too small. */
enum { BLOCKS = 256, LEAST_BLOCK = 4096, MOST_LISTS = 1 << 16 };

static uint64_t item_bytes(const dmm_stream *s)
{
    return (uint64_t)s->key_bytes + s->value_bytes;
}

static uint64_t block_of(const dmm_stream *s, uint64_t window)
{
    const uint32_t widest = s->key_bytes > s->value_bytes ? s->key_bytes : s->value_bytes;
    const uint64_t least = LEAST_BLOCK / widest, most = window / 4;
    uint64_t block = window / BLOCKS;
    block = block > least ? block : least;
    block = block < most ? block : most;
    return block != 0 ? block : 1;
}

/* Returns the block size at which the window holds two blocks a list. */
static uint64_t block_for_lists(const dmm_stream *s, uint64_t block)
{
    const uint64_t lists = s->store.count;
    const uint64_t most = lists != 0 ? s->plan.window_items / (2 * lists) : block;
    return block < most ? block : most != 0 ? most : 1;
}

/* Two arrays, a buffer of each set, temp. */
static dmm_status bytes_of_run(const void *user, uint64_t items, uint64_t *out)
{
    const dmm_stream *const s = user;
    const dmm_status status = dmm_sort_temp_bytes(out, s->sort, items);
    *out =
        dmm_size_add(dmm_stream_temp(s, *out), dmm_size_mul(items, (2 + s->sets) * item_bytes(s)));
    return status;
}

/* Two arrays, a buffer of each set and one more, temp. */
static dmm_status bytes_of_window(const void *user, uint64_t items, uint64_t *out)
{
    const dmm_stream *const s = user;
    const uint64_t lists =
        s->store.count != 0 ? s->store.count : items / (2 * block_of(s, items)) + 1;
    const dmm_status status = dmm_merge_many_temp_bytes(out, s->merge, items, lists);
    *out =
        dmm_size_add(dmm_stream_temp(s, *out), dmm_size_mul(items, (3 + s->sets) * item_bytes(s)));
    return status;
}

static dmm_status check(const dmm_stream *s)
{
    const dmm_sort_stream_desc *const desc = s->desc;
    dmm_status status = DMM_OK;
    TRY(dmm_check_reserved(desc, sizeof *desc, 0));
    TRY(dmm_order_check(&desc->order, &s->ctx->device));
    FAIL_IF(desc->window_items != 0 && desc->window_items < 4, DMM_BAD_VALUE);
    FAIL_IF(desc->window_items != 0 && desc->block_items > desc->window_items / 4, DMM_BAD_VALUE);
out:
    return status;
}

/* Creates the objects for as many items as may come: *out, as many as any buffer may hold. */
static dmm_status create(dmm_stream *s, uint64_t memory, uint64_t *out)
{
    dmm_status status = DMM_OK;
    const dmm_sort_stream_desc *const desc = s->desc;
    const uint64_t buffer = dmm_stream_buffer_items(s);
    uint64_t most = memory / (4 * item_bytes(s)) + 1;
    most = most > desc->run_items ? most : desc->run_items;
    most = most > desc->window_items ? most : desc->window_items;
    most = most < buffer ? most : buffer;
    *out = most;
    const dmm_sort_desc sort = {.order = desc->order,
        .value_bytes = desc->value_bytes,
        .guarantee = desc->guarantee,
        .max_n = most,
        .tuning = desc->tuning};
    const dmm_merge_many_desc merge = {.order = desc->order,
        .value_bytes = desc->value_bytes,
        .offset_type = DMM_U64,
        .guarantee = desc->guarantee,
        .max_n = most,
        .tuning = desc->tuning};
    const dmm_search_desc search = {.order = desc->order,
        .result = DMM_RANK_RANGE,
        .rank_bytes = sizeof(uint64_t),
        .guarantee = desc->guarantee,
        .max_n = most};
    if (s->lists == NULL)
        TRY(dmm_sort_create(&s->sort, s->ctx, &sort));
    TRY(dmm_merge_many_create(&s->merge, s->ctx, &merge));
    TRY(dmm_search_create(&s->search, s->ctx, &search));
out:
    return status;
}

void dmm_stream_close(dmm_stream *s)
{
    dmm_sort_free(s->sort);
    dmm_merge_many_free(s->merge);
    dmm_search_free(s->search);
    free(s->store.runs);
}

dmm_status dmm_stream_size(dmm_stream *s)
{
    dmm_status status = DMM_OK;
    uint64_t most = 0, memory = 0;
    const dmm_sort_stream_desc *const desc = s->desc;
    dmm_sort_stream_plan *const plan = &s->plan;
    TRY(check(s));
    TRY(dmm_stream_memory(s->ctx, desc->memory_bytes, &memory));
    s->key_bytes = dmm_order_key_bytes(&desc->order);
    s->value_bytes = desc->value_bytes;
    s->sets = dmm_stream_sets(s->ctx, &desc->tuning);
    TRY(create(s, memory, &most));
    *plan =
        (dmm_sort_stream_plan){desc->run_items, desc->window_items, desc->block_items, 0, 0, 0, 0};
    FAIL_IF(plan->run_items > most || plan->window_items > most, DMM_TOO_LARGE);
    if (s->lists == NULL)
        TRY(dmm_stream_largest(most, memory, bytes_of_run, s, &plan->run_items));
    TRY(dmm_stream_largest(most, memory, bytes_of_window, s, &plan->window_items));
    if (plan->block_items == 0)
        plan->block_items = block_for_lists(s, block_of(s, plan->window_items));
    FAIL_IF(plan->block_items > plan->window_items / 4, DMM_BAD_VALUE);
    plan->most_runs = plan->window_items / (2 * plan->block_items);
    plan->most_runs = plan->most_runs < MOST_LISTS ? plan->most_runs : MOST_LISTS;
out:
    return status;
}
