/* SPDX-License-Identifier: MIT */
/*
 * Merge passes: two launches each. The first splits the lists at the tiles' ends, the second merges
 * each tile's parts.
 */
#include "primitives/sort/merger.h"

#include <stdlib.h>

#include "core/check.h"
#include "core/size.h"
#include "primitives/prelude.h"

/* Of items whose tiles are sorted by digits (cl/sort/sort_cpu.clh), which takes no more time for
 * longer ones. */
enum { CPU_TILE_BYTES = 1 << 19 };

dmm_status dmm_merger_choose(dmm_merger *merger, dmm_object *object, const dmm_merger_desc *desc)
{
    dmm_status status = DMM_OK;
    const dmm_device *const device = &object->ctx->device;
    dmm_item_layout *const item = &merger->layout;
    TRY(dmm_item_layout_init(
        item, device, desc->order, desc->value_bytes, desc->positions, desc->max_n));
    const int cpu = dmm_context_is_cpu(object->ctx, desc->tuning);
    /* Other forms find origins without positions (cl/sort/set_by_code.clh). */
    item->ties |= desc->ties || (desc->origins && (cpu || item->key_bytes > 4));
    if (!cpu)
        dmm_item_pack(item, desc->order);
    dmm_footprint footprint = dmm_item_footprint(item, device);
    merger->confirms = desc->order->less != NULL;
    /* Each work-item passes two words to its neighbour where the two may not agree. */
    footprint.group_bytes =
        (desc->group_words + (merger->confirms ? 2 : 0)) * (uint32_t)device->bank_bytes.value;
    if (item->ties && desc->order->less == NULL)
        footprint.cpu_tile_bytes = CPU_TILE_BYTES;
    footprint.guarantee = desc->guarantee;
    footprint.word = desc->order->less != NULL ? NULL : desc->word;
    TRY(dmm_context_choose(&merger->p, object->ctx, desc->tuning, &footprint));
    FAIL_IF(desc->guarantee && merger->p.plain_search, DMM_UNSUPPORTED);
    object->max_n = dmm_item_limit(item, desc->positions, desc->max_n);
out:
    return status;
}

dmm_status dmm_merger_build(dmm_merger *merger, dmm_object *object, const dmm_merger_desc *desc,
    const dmm_merger_program *program)
{
    dmm_status status = DMM_OK;
    char *const prelude = dmm_order_prelude(desc->order);
    const dmm_program_desc text = {.root = program->root,
        .options = program->options,
        .prelude = prelude,
        .sources = program->sources};
    FAIL_IF(prelude == NULL, DMM_OUT_OF_MEMORY);
    dmm_options_parameters(program->options, &merger->p, &object->ctx->device);
    dmm_item_define(program->options, &merger->layout, desc->order);
    TRY(dmm_programs_get(&object->ctx->programs, &text, &merger->program));
    TRY(dmm_object_kernel(
        object, merger->program, program->partition, DMM_PARTITION_U, &merger->partition));
    if (program->tile != NULL)
        TRY(dmm_object_kernel(object, merger->program, program->tile, merger->p.u, &merger->tile));
    TRY(dmm_values_kernel(object, &merger->layout, &merger->gather));
out:
    free(prelude);
    return status;
}

uint64_t dmm_merger_splits(const dmm_merger *merger, uint64_t tiles)
{
    return merger->confirms ? dmm_size_mul(tiles, 2) : tiles;
}

dmm_status dmm_merger_split(const dmm_merger *merger, const dmm_call *call, const dmm_pass *pass,
    uint64_t tiles, dmm_merge_call *out)
{
    dmm_status status = DMM_OK;
    const dmm_item_layout *const item = &merger->layout;
    const dmm_grid each = {0, dmm_size_div_up(tiles, DMM_PARTITION_U), DMM_PARTITION_U};
    dmm_merge_call c = {.a = dmm_list_from(item, pass->a, pass->first),
        .b = dmm_list_from(item, pass->b, pass->first + pass->b_shift),
        .out = dmm_list_from(item, pass->out, pass->first),
        .splits_at = dmm_span_items(pass->splits, item->index_bytes),
        .count_at = dmm_span_items(pass->count, DMM_COUNT_BYTES),
        .end = pass->first + pass->n,
        .run = pass->run,
        .span = pass->span,
        .first_tile = pass->first / merger->p.tile,
        .tiles = tiles};
    for (c.confirms = 0; !pass->alone && c.confirms <= (dmm_u64)merger->confirms; c.confirms++)
        TRY(dmm_call_launch(call, merger->partition,
            DMM_BUFFERS(
                pass->a.keys.buffer, pass->b.keys.buffer, pass->splits.buffer, pass->count.buffer),
            &c, sizeof c, each));
    *out = c;
out:
    return status;
}

dmm_status dmm_merger_pass(const dmm_merger *merger, const dmm_call *call, const dmm_pass *pass)
{
    dmm_status status = DMM_OK;
    const uint64_t tiles = dmm_size_div_up(pass->n, merger->p.tile);
    dmm_merge_call c;
    TRY(dmm_merger_split(merger, call, pass, tiles, &c));
    TRY(dmm_call_launch(call, merger->tile,
        DMM_BUFFERS(pass->a.keys.buffer, pass->a.values.buffer, pass->b.keys.buffer,
            pass->b.values.buffer, pass->out.keys.buffer, pass->out.values.buffer,
            pass->splits.buffer, pass->count.buffer),
        &c, sizeof c, (dmm_grid){c.first_tile, tiles, merger->p.u}));
out:
    return status;
}
