/* SPDX-License-Identifier: MIT */
#include "primitives/by_key.h"

#include <stdlib.h>

#include "cl/link_call.clh"
#include "core/check.h"
#include "core/size.h"
#include "primitives/order.h"
#include "primitives/prelude.h"

enum { MOST_CLEAR_GROUPS = 256 };

/* Returns the bits of a number of up to `most`. */
static uint32_t bits_of(uint64_t most)
{
    uint32_t bits = 1;
    while (bits < 63 && most >> bits != 0)
        bits++;
    return bits;
}

static dmm_status choose(void *object, dmm_by_key *by, const dmm_by_key_desc *desc)
{
    dmm_status status = DMM_OK;
    dmm_context *const ctx = ((dmm_object *)object)->ctx;
    const dmm_order order = dmm_scan_order(&desc->items);
    const uint64_t max_n = desc->items.max_n;
    const uint64_t most_keys = ctx->device.max_buffer.value / desc->key_bytes;
    TRY(dmm_item_layout_init(&by->layout, &ctx->device, &order, 0, 0, max_n));
    TRY(dmm_word_layout_init(&by->keys, &ctx->device, desc->key_bytes, max_n));
    const uint32_t word = by->layout.plane_bytes;
    const dmm_footprint footprint = {.item_bytes = by->layout.key_bytes,
        .planes = by->layout.planes + 1,
        .plane_bytes = word,
        .group_bytes = 2 * (by->layout.planes + 1) * word,
        .word = desc->items.own == NULL ? "scan_by_key" : NULL};
    TRY(dmm_context_choose(&by->p, ctx, &desc->items.tuning, &footprint));
    if (by->keys.index_bytes > by->layout.index_bytes) /* the wider one serves both */
        by->layout.index_bytes = by->keys.index_bytes;
    by->max_n = dmm_item_limit(&by->layout, 0, max_n);
    if (by->keys.max_n < by->max_n)
        by->max_n = by->keys.max_n;
    if (most_keys < by->max_n) /* few bits for the number of heads */
        by->max_n = most_keys;
out:
    return status;
}

static dmm_status build(void *object, dmm_by_key *by, const dmm_by_key_desc *desc)
{
    dmm_status status = DMM_OK;
    dmm_context *const ctx = ((dmm_object *)object)->ctx;
    const dmm_order order = dmm_scan_order(&desc->items);
    dmm_options options = {.bytes = 0};
    const dmm_operator *const own = desc->items.own;
    char *const prelude = dmm_mapping_prelude(dmm_scan_prelude(dmm_prelude_new(), own, &order),
        desc->items.map, desc->items.type, own != NULL);
    const dmm_program_desc text = {
        .root = by->lanes_by == DMM_LANES_BY_NONE ? "cl/by_key_chained.cl" : "cl/by_key_lanes.cl",
        .options = &options,
        .prelude = prelude};
    cl_program program = NULL;
    FAIL_IF(prelude == NULL, DMM_OUT_OF_MEMORY);
    dmm_options_parameters(&options, &by->p, &ctx->device);
    dmm_item_define(&options, &by->layout, &order);
    if (own != NULL)
        dmm_scan_define_align(&options, &by->layout, &ctx->device);
    dmm_scan_define(&options, &desc->items);
    dmm_lanes_define(&options, by->lanes_by, &ctx->device);
    dmm_options_define(&options, "DMM_BY_KEY", by->what);
    dmm_options_define(&options, "DMM_HEADS", desc->heads != 0);
    dmm_options_define(&options, "DMM_WORD_BYTES", by->keys.word_bytes);
    dmm_options_define(&options, "DMM_WORDS", by->keys.words);
    dmm_options_define(&options, "DMM_LINK_COUNT_BITS", by->count_bits);
    dmm_mapping_define(&options, &by->mapping);
    TRY(dmm_programs_get(&ctx->programs, &text, &program));
    TRY(dmm_object_kernel(object, program, "dmm_by_key_clear", by->p.u, &by->clear));
    TRY(dmm_lanes_kernel(
        object, by->lanes_by, program, "dmm_by_key_chained", by->p.u, &by->chained));
out:
    free(prelude);
    return status;
}

dmm_status dmm_by_key_init(void *object, dmm_by_key *by, const dmm_by_key_desc *desc)
{
    dmm_status status = DMM_OK;
    dmm_context *const ctx = ((dmm_object *)object)->ctx;
    const uint64_t lanes = ctx->device.sync_width.value;
    if (dmm_context_is_cpu(ctx, &desc->items.tuning) || !dmm_scan_can_chain(&desc->items))
        goto out;
    by->what = desc->what;
    TRY(dmm_mapping_init(&by->mapping, desc->items.map, desc->items.type, &ctx->device, 1));
    TRY(choose(object, by, desc));
    by->out_bytes = by->what == DMM_BY_KEY_LENGTHS
                        ? (uint32_t)sizeof(dmm_u64)
                        : dmm_mapping_out(&by->mapping, by->layout.key_bytes);
    by->count_bits = by->what == DMM_BY_KEY_SCAN ? 1 : bits_of(by->max_n);
    if (by->p.u % lanes == 0 && lanes % by->p.E == 0)
        by->lanes_by = dmm_lanes_of(ctx, &desc->items.tuning);
    status = build(object, by, desc);
    if (dmm_programs_are_unfit(status) && by->lanes_by != DMM_LANES_BY_NONE) {
        by->lanes_by = DMM_LANES_BY_NONE;
        status = build(object, by, desc);
    }
out:
    return status;
}

static uint64_t tiles_of(const dmm_by_key *by, uint64_t n)
{
    return n != 0 ? dmm_size_div_up(n, by->p.tile) : 1;
}

/* Returns the words of the chain. */
static uint64_t state_words(const dmm_by_key *by, uint64_t n)
{
    const uint64_t bits = 8 * (uint64_t)by->layout.key_bytes;
    return dmm_size_add(DMM_LINK_FIRST,
        dmm_size_mul(tiles_of(by, n), DMM_LINK_WORDS_OF(bits, (uint64_t)by->count_bits)));
}

void dmm_by_key_lay_out(const dmm_by_key *by, dmm_call *call, size_t region)
{
    dmm_call_region(call, region, state_words(by, call->sizes.n), sizeof(dmm_u32));
}

dmm_status dmm_by_key_steps(
    const dmm_by_key *by, const dmm_call *call, const dmm_runs_spans *spans, size_t region)
{
    dmm_status status = DMM_OK;
    const uint64_t n = call->sizes.n, tiles = tiles_of(by, n), words = state_words(by, n);
    const uint64_t wanted = dmm_size_div_up(words, by->p.u);
    const uint32_t u = by->p.u, key = by->keys.word_bytes;
    const dmm_grid clears = {0, wanted < MOST_CLEAR_GROUPS ? wanted : MOST_CLEAR_GROUPS, u};
    const dmm_span state = call->regions[region];
    const dmm_by_key_chain_call c = {.keys_at = dmm_span_items(spans->keys_in, key),
        .in_at = dmm_span_items(spans->in, dmm_mapping_in(&by->mapping, by->layout.key_bytes)),
        .keys_out_at = dmm_span_items(spans->keys_out, key),
        .out_at = dmm_span_items(spans->out, by->out_bytes),
        .runs_at = dmm_span_items(spans->runs_out, DMM_COUNT_BYTES),
        .count_at = dmm_span_items(spans->count, DMM_COUNT_BYTES),
        .n = n,
        .state_at = dmm_span_items(state, sizeof(dmm_u32)),
        .state_words = words,
        .items = clears.groups * u,
        .last_tile = (dmm_u32)(tiles - 1)};
    if (tiles > 1)
        TRY(dmm_call_launch(call, by->clear, DMM_BUFFERS(state.buffer), &c, sizeof c, clears));
    TRY(dmm_mapping_launch(&by->mapping, call, (dmm_further){spans->further, 0}, by->chained,
        DMM_BUFFERS(spans->keys_in.buffer, spans->in.buffer, spans->keys_out.buffer,
            spans->out.buffer, spans->runs_out.buffer, state.buffer, spans->count.buffer),
        &c, sizeof c, (dmm_grid){0, tiles, u}));
out:
    return status;
}
