/* SPDX-License-Identifier: MIT */
/*
 * Selection by digits in the GPU form (cl/kselect/kselect.cl): a launch that clears, one for each
 * digit, and one that moves the selected items; or one for one tile.
 */
#include "primitives/kselect/kselect.h"

#include "cl/kselect/kselect_call.clh"
#include "core/check.h"
#include "core/size.h"
#include "primitives/pack/pack.h"

static uint64_t tiles_of(const dmm_kselect *select, uint64_t n)
{
    return dmm_size_div_up(n, select->p.tile);
}

uint64_t dmm_kselect_words(const dmm_kselect *select, uint64_t n)
{
    const uint64_t pass =
        DMM_KSELECT_PASS_WORDS(select->digit_bits, (uint32_t)select->layout.index_bytes);
    return select->passes * pass + DMM_KSELECT_CHAIN_WORDS(tiles_of(select, n));
}

/* A call's launches. */
typedef struct gpu_launches {
    const dmm_kselect *select;
    const dmm_call *call;
    dmm_item_spans in, out;
} gpu_launches;

static dmm_kselect_call numbers_of(const gpu_launches *l, uint32_t groups)
{
    const dmm_kselect *const select = l->select;
    const dmm_call *const call = l->call;
    const dmm_item_layout *const item = &select->layout;
    const uint64_t first = call->sizes.first;
    const dmm_item_spans a = {dmm_call_items(call, DMM_KSELECT_KEYS_A, item->key_bytes), DMM_NONE};
    const dmm_item_spans b = {dmm_call_items(call, DMM_KSELECT_KEYS_B, item->key_bytes), DMM_NONE};
    return (dmm_kselect_call){.in = dmm_list_from(item, l->in, first),
        .out = dmm_list_from(item, l->out, first),
        .a = dmm_list_from(item, a, first),
        .b = dmm_list_from(item, b, first),
        .counts_at = dmm_span_items(call->regions[DMM_KSELECT_COUNTS], sizeof(dmm_u32)),
        .state_at = dmm_span_items(call->regions[DMM_KSELECT_STATE], sizeof(dmm_u64)),
        .first = first,
        .end = first + call->sizes.n,
        .rank = call->sizes.m - 1,
        .groups = groups,
        .passes = select->passes,
        .tiles = tiles_of(select, call->sizes.n)};
}

static dmm_status launch(const gpu_launches *l, const dmm_call *call, cl_kernel kernel,
    const dmm_kselect_call *c, uint64_t groups)
{
    const dmm_span *const regions = l->call->regions;
    return dmm_call_launch(call, kernel,
        DMM_BUFFERS(l->in.keys.buffer, l->in.values.buffer, l->out.keys.buffer,
            l->out.values.buffer, regions[DMM_KSELECT_KEYS_A].buffer,
            regions[DMM_KSELECT_KEYS_B].buffer, regions[DMM_KSELECT_COUNTS].buffer,
            regions[DMM_KSELECT_STATE].buffer),
        c, sizeof *c, (dmm_grid){0, groups, l->select->p.u});
}

/* Moves the selected items in parts, of which the next one begins where this one ends. */
static dmm_status keep(const gpu_launches *l, dmm_kselect_call c)
{
    dmm_status status = DMM_OK;
    const uint64_t part = dmm_chained_tiles(l->select->object.ctx, l->select->p.tile);
    dmm_call parts = *l->call; /* parts replace launch_items */
    parts.launches = 1;
    for (uint64_t tile = 0; tile < c.tiles; tile += part, c.turn ^= 1) {
        const uint64_t tiles = c.tiles - tile < part ? c.tiles - tile : part;
        c.first_tile = (dmm_u32)tile;
        c.last_tile = (dmm_u32)(tile + tiles - 1);
        TRY(launch(l, &parts, l->select->keep, &c, tiles));
    }
out:
    return status;
}

dmm_status dmm_kselect_gpu(const dmm_kselect *select, const dmm_call *call, dmm_item_spans in,
    dmm_item_spans out, uint32_t groups)
{
    dmm_status status = DMM_OK;
    const gpu_launches l = {select, call, in, out};
    dmm_kselect_call c = numbers_of(&l, groups);
    if (c.tiles == 1)
        return launch(&l, call, select->alone, &c, 1);
    TRY(launch(&l, call, select->clear, &c, groups));
    for (c.pass = 0; c.pass < c.passes; c.pass++)
        TRY(launch(&l, call, select->count, &c, groups));
    TRY(keep(&l, c));
out:
    return status;
}
