/* SPDX-License-Identifier: MIT */
/*
 * Sizes of runs, windows and blocks: the largest that the memory allows.
 */
#include <stdlib.h>

#include "core/check.h"
#include "core/size.h"
#include "primitives/order.h"
#include "primitives/stream/stream.h"

/* A window has that many blocks where memory is not short; LEAST_BLOCK: bytes of a block, so that
 * loads are not too small. */
enum { BLOCKS = 256, LEAST_BLOCK = 4096, LEAST_ITEMS = 64, MOST_LISTS = 1 << 16 };

static const uint64_t default_memory = (uint64_t)1 << 30;

typedef struct sizes {
    dmm_stream *s;
    uint64_t most; /* items that any buffer may hold */
} sizes;

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

/* Returns the size of a block of which the window has two for each list. */
static uint64_t block_for_lists(const dmm_stream *s, uint64_t block)
{
    const uint64_t lists = s->store.count;
    const uint64_t most = lists != 0 ? s->plan.window_items / (2 * lists) : block;
    return block < most ? block : most != 0 ? most : 1;
}

/* Two arrays, one buffer, temp. */
static dmm_status bytes_of_run(const dmm_stream *s, uint64_t items, uint64_t *out)
{
    const dmm_status status = dmm_sort_temp_bytes(out, s->sort, items);
    *out = dmm_size_add(*out, dmm_size_mul(items, 3 * item_bytes(s)));
    return status;
}

/* Two arrays, two buffers, temp. */
static dmm_status bytes_of_window(const dmm_stream *s, uint64_t items, uint64_t *out)
{
    const uint64_t lists =
        s->store.count != 0 ? s->store.count : items / (2 * block_of(s, items)) + 1;
    const dmm_status status = dmm_merge_many_temp_bytes(out, s->merge, items, lists);
    *out = dmm_size_add(*out, dmm_size_mul(items, 4 * item_bytes(s)));
    return status;
}

/* Finds the most items whose bytes the memory holds. */
static dmm_status largest(const sizes *z,
    dmm_status (*bytes_of)(const dmm_stream *, uint64_t, uint64_t *), uint64_t memory,
    uint64_t *out)
{
    uint64_t low = 0, high = z->most;
    while (low < high) {
        const uint64_t middle = high - (high - low) / 2;
        uint64_t bytes = 0;
        const dmm_status status = bytes_of(z->s, middle, &bytes);
        if (status != DMM_OK)
            return status;
        if (bytes <= memory)
            low = middle;
        else
            high = middle - 1;
    }
    *out = low;
    return low >= LEAST_ITEMS ? DMM_OK : DMM_BAD_VALUE;
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

/* Creates the objects for as many items as may come. */
static dmm_status create(sizes *z, uint64_t memory)
{
    dmm_status status = DMM_OK;
    dmm_stream *const s = z->s;
    const dmm_sort_stream_desc *const desc = s->desc;
    const uint32_t widest = s->key_bytes > s->value_bytes ? s->key_bytes : s->value_bytes;
    const uint64_t buffer = s->ctx->device.max_buffer.value / widest;
    z->most = memory / (4 * item_bytes(s)) + 1;
    z->most = z->most > desc->run_items ? z->most : desc->run_items;
    z->most = z->most > desc->window_items ? z->most : desc->window_items;
    z->most = z->most < buffer ? z->most : buffer;
    const dmm_sort_desc sort = {.order = desc->order,
        .value_bytes = desc->value_bytes,
        .guarantee = desc->guarantee,
        .max_n = z->most,
        .tuning = desc->tuning};
    const dmm_merge_many_desc merge = {.order = desc->order,
        .value_bytes = desc->value_bytes,
        .offset_type = DMM_U64,
        .guarantee = desc->guarantee,
        .max_n = z->most,
        .tuning = desc->tuning};
    const dmm_search_desc search = {.order = desc->order,
        .result = DMM_SEARCH_RANGE,
        .rank_bytes = sizeof(uint64_t),
        .guarantee = desc->guarantee,
        .max_n = z->most};
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
    sizes z = {.s = s};
    const dmm_sort_stream_desc *const desc = s->desc;
    dmm_sort_stream_plan *const plan = &s->plan;
    const uint64_t memory = desc->memory_bytes != 0 ? desc->memory_bytes : default_memory;
    TRY(check(s));
    s->key_bytes = dmm_order_key_bytes(&desc->order);
    s->value_bytes = desc->value_bytes;
    TRY(create(&z, memory));
    *plan =
        (dmm_sort_stream_plan){desc->run_items, desc->window_items, desc->block_items, 0, 0, 0, 0};
    FAIL_IF(plan->run_items > z.most || plan->window_items > z.most, DMM_TOO_LARGE);
    if (plan->run_items == 0 && s->lists == NULL)
        TRY(largest(&z, bytes_of_run, memory, &plan->run_items));
    if (plan->window_items == 0)
        TRY(largest(&z, bytes_of_window, memory, &plan->window_items));
    if (plan->block_items == 0)
        plan->block_items = block_for_lists(s, block_of(s, plan->window_items));
    FAIL_IF(plan->block_items > plan->window_items / 4, DMM_BAD_VALUE);
    plan->most_runs = plan->window_items / (2 * plan->block_items);
    plan->most_runs = plan->most_runs < MOST_LISTS ? plan->most_runs : MOST_LISTS;
out:
    return status;
}
