/* SPDX-License-Identifier: MIT */
/*
 * Method network: a bitonic network, up to three of its steps a launch. The first launch reads the
 * input, all others work in the output.
 */
#include "primitives/sort/sort_network.h"

#include <stdlib.h>

#include "cl/sort/bitonic_call.clh"
#include "core/check.h"
#include "core/size.h"
#include "primitives/order.h"

enum { GPU_E = 4, CPU_E = 8, CPU_TILE_BYTES = 1 << 16 };

static dmm_status choose(dmm_network_sort *sort)
{
    dmm_status status = DMM_OK;
    const dmm_sort_desc *const desc = &sort->desc;
    dmm_item_layout *const layout = &sort->layout;
    TRY(dmm_item_layout_init(layout, &sort->object.ctx->device, &desc->order, desc->value_bytes,
        desc->argsort, desc->max_n));
    /* values that their positions represent would be fetched in the order of the keys */
    FAIL_IF(layout->by_position, DMM_UNSUPPORTED);
    const dmm_footprint footprint = {.item_bytes = layout->key_bytes + layout->moved_bytes,
        .cpu_E = CPU_E,
        .cpu_tile_bytes = CPU_TILE_BYTES,
        .gpu_E = GPU_E};
    TRY(dmm_context_choose(&sort->p, sort->object.ctx, &desc->tuning, &footprint));
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
        .root = "cl/sort/sort_network.cl", .options = &options, .prelude = prelude};
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

/* Launches `steps` steps from number `from` of a stage that merges runs of 2^(stage - 1) items. */
static dmm_status launch(const dmm_network_sort *sort, const dmm_call *call, uint32_t stages,
    uint32_t stage, uint32_t from, uint32_t steps)
{
    const dmm_item_layout *const layout = &sort->layout;
    const dmm_parameters *const p = &sort->p;
    const dmm_sort_args *const args = call->args;
    const int makes = stage <= 1;
    const dmm_item_spans out = {args->keys_out, args->values_out};
    const dmm_item_spans in = makes ? (dmm_item_spans){args->keys_in,
                                          sort->desc.argsort ? args->values_out : args->values_in}
                                    : out;
    const dmm_span positions =
        layout->ties ? dmm_call_items(call, POSITIONS, layout->index_bytes) : DMM_NONE;
    dmm_bitonic_call c = {.in = dmm_list_from(layout, in, 0),
        .out = dmm_list_from(layout, out, 0),
        .positions_at = dmm_span_items(positions, layout->index_bytes),
        .count_at = dmm_span_items(args->count, DMM_COUNT_BYTES),
        .end = call->sizes.n,
        .sets = UINT64_C(1) << (stages - steps),
        .range = p->cpu ? dmm_size_div_up(p->tile, DMM_NETWORK_ITEMS) : p->u,
        .steps = steps,
        .low = steps != 0 ? stage - from - steps : 0,
        .makes = (dmm_u32)makes};
    for (uint32_t s = 0; s < steps; s++)
        c.masks[s] =
            from + s == 0 ? (UINT64_C(1) << stage) - 1 : UINT64_C(1) << (stage - 1 - (from + s));
    return dmm_call_launch(call, sort->steps,
        DMM_BUFFERS(in.keys.buffer, in.values.buffer, out.keys.buffer, out.values.buffer,
            positions.buffer, args->count.buffer),
        &c, sizeof c, (dmm_grid){0, dmm_size_div_up(c.sets, c.range), p->u});
}

static dmm_status network_sort_steps(const void *object, dmm_call *call)
{
    dmm_status status = DMM_OK;
    const uint64_t n = call->sizes.n;
    uint32_t stages = 0;
    if (n == 0)
        goto out;
    while (UINT64_C(1) << stages < n)
        stages++;
    if (n == 1) /* no step, but the item may move to another span */
        TRY(launch(object, call, 0, 0, 0, 0));
    for (uint32_t stage = 1; stage <= stages; stage++)
        for (uint32_t from = 0; from < stage; from += DMM_NETWORK_STEPS)
            TRY(launch(object, call, stages, stage, from,
                stage - from < DMM_NETWORK_STEPS ? stage - from : DMM_NETWORK_STEPS));
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
