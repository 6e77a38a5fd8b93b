/* SPDX-License-Identifier: MIT */
/*
 * Method network: a bitonic network, in tiles that several of its steps connect. The first launch
 * reads the input and does all stages within a tile; all others work in the output. A longer stage
 * begins with launches whose tiles are made of rows of neighbours far apart.
 */
#include "primitives/sort/sort.h"

#include <stdlib.h>

#include "cl/sort/bitonic_call.clh"
#include "core/check.h"
#include "core/size.h"
#include "primitives/items.h"
#include "primitives/prelude.h"

typedef struct dmm_network_sort {
    dmm_object object;
    dmm_sort_desc desc;
    dmm_item_layout layout;
    dmm_parameters p;
    uint32_t tile_bits; /* a tile has 2^tile_bits items */
    cl_kernel steps;
} dmm_network_sort;

/* ROW_BITS: of the neighbours that lie together in a tile of items far apart. */
enum { GPU_E = 16, CPU_TILE_BYTES = 1 << 15, ROW_BITS = 5 };

/* Makes the words of a tile wide enough for codes, positions and values. */
static void widen_planes(dmm_item_layout *layout)
{
    if (layout->moved_bytes == 8 || (layout->ties && layout->index_bytes == 8))
        layout->plane_bytes = 8;
    layout->planes = (layout->key_bytes + layout->plane_bytes - 1) / layout->plane_bytes;
}

static dmm_status choose(dmm_network_sort *sort)
{
    dmm_status status = DMM_OK;
    const dmm_sort_desc *const desc = &sort->desc;
    dmm_item_layout *const layout = &sort->layout;
    TRY(dmm_item_layout_init(layout, &sort->object.ctx->device, &desc->order, desc->value_bytes,
        desc->argsort, desc->max_n));
    /* values that their positions represent would be fetched in the order of the keys */
    FAIL_IF(layout->by_position, DMM_UNSUPPORTED);
    widen_planes(layout);
    const uint32_t planes =
        layout->planes + (uint32_t)layout->ties + (uint32_t)(layout->moved_bytes != 0);
    const dmm_footprint footprint = {.item_bytes = layout->key_bytes + layout->moved_bytes,
        .local_bytes = planes * layout->plane_bytes,
        .cpu_tile_bytes = CPU_TILE_BYTES,
        .gpu_E = GPU_E};
    TRY(dmm_context_choose(&sort->p, sort->object.ctx, &desc->tuning, &footprint));
    sort->tile_bits = 1;
    while (UINT32_C(2) << sort->tile_bits <= sort->p.tile)
        sort->tile_bits++;
    sort->object.max_n = dmm_item_limit(layout, desc->argsort, desc->max_n);
out:
    return status;
}

static dmm_status build(dmm_network_sort *sort)
{
    dmm_status status = DMM_OK;
    dmm_programs *const programs = &sort->object.ctx->programs;
    const dmm_order *const order = &sort->desc.order;
    dmm_options options = {.bytes = 0};
    cl_program program = NULL;
    char *const prelude = dmm_order_prelude(order);
    FAIL_IF(prelude == NULL, DMM_OUT_OF_MEMORY);
    dmm_options_parameters(&options, &sort->p, &sort->object.ctx->device);
    dmm_item_define(&options, &sort->layout, order);
    dmm_values_define(&options, &sort->layout, sort->desc.argsort, 1);
    const dmm_program_desc desc = {
        .root = sort->p.cpu ? "cl/sort/sort_network_cpu.cl" : "cl/sort/sort_network.cl",
        .options = &options,
        .prelude = prelude};
    TRY(dmm_programs_get(programs, &desc, &program));
    TRY(dmm_object_kernel(sort, program, "dmm_sort_network", sort->p.u, &sort->steps));
out:
    free(prelude);
    return status;
}

static dmm_status network_sort_init(void *object)
{
    dmm_status status = DMM_OK;
    TRY(choose(object));
    TRY(build(object));
out:
    return status;
}

enum { POSITIONS };

static void network_sort_lay_out(const void *object, dmm_call *call)
{
    const dmm_network_sort *const sort = object;
    const dmm_item_layout *const layout = &sort->layout;
    dmm_call_region(call, POSITIONS, layout->ties ? call->sizes.n + 1 : 0, layout->index_bytes);
}

/* Launches stages on tiles of at most 2^tile_bits items. A tile's bits from c.low_bits on are the
 * place's bits from c.high_at on. */
static dmm_status launch(const dmm_network_sort *sort, const dmm_call *call, dmm_bitonic_call c)
{
    const dmm_item_layout *const layout = &sort->layout;
    const dmm_sort_args *const args = call->args;
    const dmm_item_spans out = {args->keys_out, args->values_out};
    const dmm_item_spans in = c.makes ? (dmm_item_spans){args->keys_in,
                                            sort->desc.argsort ? args->values_out : args->values_in}
                                      : out;
    const dmm_span positions =
        layout->ties ? dmm_call_items(call, POSITIONS, layout->index_bytes) : DMM_NONE;
    c.in = dmm_list_from(layout, in, 0);
    c.out = dmm_list_from(layout, out, 0);
    c.positions_at = dmm_span_items(positions, layout->index_bytes);
    c.count_at = dmm_span_items(args->count, DMM_COUNT_BYTES);
    c.end = call->sizes.n;
    const uint64_t blocks =
        dmm_size_div_up(c.end, UINT64_C(1) << (c.high_at + c.bits - c.low_bits));
    return dmm_call_launch(call, sort->steps,
        DMM_BUFFERS(in.keys.buffer, in.values.buffer, out.keys.buffer, out.values.buffer,
            positions.buffer, args->count.buffer),
        &c, sizeof c, (dmm_grid){0, blocks << (c.high_at - c.low_bits), sort->p.u});
}

/* Launches a stage that is longer than a tile. */
static dmm_status launch_stage(const dmm_network_sort *sort, const dmm_call *call, uint32_t stage)
{
    dmm_status status = DMM_OK;
    const uint32_t bits = sort->tile_bits;
    const uint32_t row_bits = bits > ROW_BITS ? ROW_BITS : bits - 1;
    uint32_t left = stage;
    for (; left > bits; left -= bits - row_bits)
        TRY(launch(sort, call,
            (dmm_bitonic_call){.bits = bits,
                .low_bits = row_bits,
                .high_at = left - (bits - row_bits),
                .first = bits,
                .last = bits,
                .lowest = row_bits,
                .mirrors = left == stage}));
    TRY(launch(sort, call,
        (dmm_bitonic_call){
            .bits = bits, .low_bits = bits, .high_at = bits, .first = left, .last = left}));
out:
    return status;
}

static dmm_status network_sort_steps(const void *object, dmm_call *call)
{
    dmm_status status = DMM_OK;
    const dmm_network_sort *const sort = object;
    uint32_t stages = 0;
    if (call->sizes.n == 0)
        goto out;
    while (UINT64_C(1) << stages < call->sizes.n)
        stages++;
    const uint32_t bits = stages < sort->tile_bits ? stages : sort->tile_bits;
    TRY(launch(sort, call,
        (dmm_bitonic_call){.bits = bits,
            .low_bits = bits,
            .high_at = bits,
            .first = 1,
            .last = bits,
            .mirrors = 1,
            .makes = 1}));
    for (uint32_t stage = bits + 1; stage <= stages; stage++)
        TRY(launch_stage(sort, call, stage));
out:
    return status;
}

const dmm_class dmm_network_sort_class = {
    .word = "sort.network",
    .bytes = sizeof(dmm_network_sort),
    .desc_at = offsetof(dmm_network_sort, desc),
    .desc_bytes = sizeof(dmm_sort_desc),
    .args_bytes = sizeof(dmm_sort_args),
    .temp_at = offsetof(dmm_sort_args, temp),
    .init = network_sort_init,
    .lay_out = network_sort_lay_out,
    .steps = network_sort_steps,
};
