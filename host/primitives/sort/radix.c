/* SPDX-License-Identifier: MIT */
/*
 * Radix sort: creation. radix_call.c has the steps.
 */
#include "primitives/sort/radix.h"

#include "core/check.h"
#include "primitives/sort/sort_matrix.h"

enum { GPU_DIGIT_BITS = 8, CPU_DIGIT_BITS = 11 };
/* Groups of the GPU form, two of which share a compute unit. */
enum { GPU_U = 128 };
/* Tile that a work-item of the CPU form sorts by itself. */
enum { CPU_TILE_BYTES = 1 << 16 };
/* Bits of a step by rank. A step that routes costs more, so it has more bits, and a counter for
 * each bank. */
enum { RANK_STEP_BITS = 4, ROUTE_STEP_BITS = 5 };

static uint32_t step_bits(const dmm_radix *radix)
{
    const int routes = radix->desc.tile_by == DMM_TILE_BY_ROUTE;
    uint32_t bits = routes ? ROUTE_STEP_BITS : RANK_STEP_BITS;
    while (routes && radix->object.ctx->device.banks.value >> bits > 1)
        bits++;
    return bits;
}

/* Adds the local memory for sorting a tile: for each item its place in the tile and its goal, and
 * its rank if it moves by split; for each work-item two sums and, except by split, a counter for
 * each value of a step's bits. */
static void add_tile(dmm_footprint *footprint, const dmm_radix *radix)
{
    const uint32_t word = (uint32_t)radix->object.ctx->device.bank_bytes.value;
    const uint32_t index = radix->layout.index_bytes;
    const int splits = radix->desc.tile_by == DMM_TILE_BY_SPLIT;
    footprint->local_bytes += index > word ? index : word;
    footprint->local_bytes += splits ? word : 0;
    footprint->group_bytes = (splits ? 2 : 2 + (1u << step_bits(radix))) * word;
    if (radix->desc.tile_by == DMM_TILE_BY_ROUTE) {
        footprint->most_tile = DMM_MATRIX_TILE;
        footprint->word = NULL;
    }
}

static dmm_status define_tile(dmm_options *options, const dmm_radix *radix)
{
    dmm_options_define(options, "DMM_SPLIT", radix->desc.tile_by == DMM_TILE_BY_SPLIT);
    dmm_options_define(options, "DMM_STEP_BITS", step_bits(radix));
    if (radix->desc.tile_by != DMM_TILE_BY_ROUTE)
        return DMM_OK;
    return dmm_matrix_define(
        options, 0, DMM_MATRIX_OF_WORDS, &radix->p, &radix->layout, &radix->object.ctx->device);
}

static dmm_status choose(dmm_radix *radix)
{
    dmm_status status = DMM_OK;
    const dmm_radix_desc *const desc = &radix->desc;
    const dmm_device *const device = &radix->object.ctx->device;
    dmm_item_layout *const item = &radix->layout;
    const int argsort = desc->argsort != 0;
    FAIL_IF(desc->order.less != NULL, DMM_UNSUPPORTED);
    TRY(dmm_item_layout_init(item, device, &desc->order, desc->value_bytes, argsort, desc->max_n));
    item->ties = item->moved_bytes != 0; /* positions find values; digits are stable */
    dmm_footprint footprint = dmm_item_footprint(item, device);
    footprint.cpu_tile_bytes = CPU_TILE_BYTES;
    footprint.gpu_u = GPU_U;
    footprint.cpu_digit = CPU_DIGIT_BITS;
    footprint.gpu_digit = GPU_DIGIT_BITS;
    footprint.lone_bytes = 1 << GPU_DIGIT_BITS; /* counting takes a byte a digit value */
    footprint.guarantee = desc->guarantee;
    footprint.word = "sort.radix";
    add_tile(&footprint, radix);
    TRY(dmm_context_choose(&radix->p, radix->object.ctx, &desc->tuning, &footprint));
    radix->object.max_n = dmm_item_limit(item, argsort, desc->max_n);
    radix->begin_bit = desc->bits.begin;
    radix->end_bit =
        desc->bits.begin == 0 && desc->bits.end == 0 ? 8 * item->key_bytes : desc->bits.end;
out:
    return status;
}

static dmm_status build(dmm_radix *radix)
{
    dmm_status status = DMM_OK;
    dmm_context *const ctx = radix->object.ctx;
    const dmm_radix_desc *const desc = &radix->desc;
    const uint32_t u = radix->p.u;
    dmm_options options = {.bytes = 0};
    const dmm_program_desc text = {
        radix->p.cpu ? "cl/radix/radix_cpu.cl" : "cl/radix/radix.cl", &options, ""};
    cl_program program = NULL;
    dmm_options_parameters(&options, &radix->p, &ctx->device);
    dmm_item_define(&options, &radix->layout, &desc->order);
    dmm_values_define(&options, &radix->layout, desc->argsort != 0, 1);
    dmm_options_define(&options, "DMM_DIGIT_BITS", radix->p.digit);
    TRY(define_tile(&options, radix));
    TRY(dmm_programs_get(&ctx->programs, &text, &program));
    TRY(dmm_object_kernel(radix, program, "dmm_radix_count", u, &radix->count));
    TRY(dmm_object_kernel(radix, program, "dmm_radix_scatter", u, &radix->scatter));
    TRY(dmm_object_kernel(radix, program, "dmm_radix_copy", u, &radix->copy));
    TRY(dmm_object_kernel(radix, program, "dmm_radix_alone", u, &radix->alone));
    if (radix->p.cpu)
        TRY(dmm_object_kernel(radix, program, "dmm_radix_buckets", u, &radix->buckets));
    TRY(dmm_values_kernel(radix, program, &radix->layout, &radix->gather));
out:
    return status;
}

static dmm_status radix_init(void *object)
{
    dmm_status status = DMM_OK;
    dmm_radix *const radix = object;
    TRY(choose(radix));
    TRY(build(radix));
    TRY(dmm_scan_part(radix, &radix->scan, radix->layout.index_bytes,
        dmm_radix_most_counts(radix, radix->p.most_groups), radix->p.cpu));
out:
    return status;
}

const dmm_class dmm_radix_class = {
    .word = "sort.radix",
    .bytes = sizeof(dmm_radix),
    .desc_at = offsetof(dmm_radix, desc),
    .desc_bytes = sizeof(dmm_radix_desc),
    .args_bytes = sizeof(dmm_radix_args),
    .temp_at = offsetof(dmm_radix_args, items.temp),
    .init = radix_init,
    .lay_out = dmm_radix_lay_out,
    .steps = dmm_radix_steps,
};
