/* SPDX-License-Identifier: MIT */
/*
 * Radix sort: creation. radix_call.c has the steps.
 */
#include "primitives/sort/radix.h"

#include "core/check.h"
#include "core/size.h"
#include "primitives/sort/sort_matrix.h"

enum { GPU_DIGIT_BITS = 8, CPU_DIGIT_BITS = 11 };
/* Groups of the GPU form by columns, two of which share a compute unit, and by ballots. With
 * BALLOT_E items a work-item takes 64 registers (sm_90), so half of the work-items that a compute
 * unit can have fit; sub-groups of fewer than WIDE_LANES hold their counters in larger tiles. By
 * split and by route, lanes of such sub-groups lack registers for more than NARROW_E items. */
enum { GPU_U = 128, BALLOT_U = 256, BALLOT_E = 12, WIDE_LANES = 32, NARROW_E = 8 };
/* Tile that a work-item of the CPU form sorts by itself. */
enum { CPU_TILE_BYTES = 1 << 16 };
/* Bits of a step by rank. A step that routes costs more, so it has more bits, and a counter for
 * each bank. */
enum { RANK_STEP_BITS = 4, ROUTE_STEP_BITS = 5 };
enum { SEGMENT_BYTES = 128 }; /* of a GPU's memory */

static uint32_t step_bits(const dmm_radix *radix)
{
    const int routes = radix->desc.tile_by == DMM_TILE_BY_ROUTE;
    uint32_t bits = routes ? ROUTE_STEP_BITS : RANK_STEP_BITS;
    while (routes && radix->object.ctx->device.banks.value >> bits > 1)
        bits++;
    return bits;
}

/* Adds the local memory for sorting a tile by ballots: for each sub-group a sum and, for each value
 * of a digit, a counter; for each value its first rank and its goal. */
static void add_ballots(dmm_footprint *footprint, const dmm_radix *radix)
{
    const uint32_t lanes = (uint32_t)radix->object.ctx->device.sync_width.value;
    const uint32_t bins = 1u << footprint->gpu_digit, word = sizeof(cl_uint);
    footprint->gpu_u = BALLOT_U;
    footprint->gpu_E = lanes < WIDE_LANES ? 0 : BALLOT_E;
    footprint->group_bytes = word;
    footprint->fixed_bytes = bins * (word + radix->layout.index_bytes);
    /* the counters lie in the tile if it is as large, else beside it */
    footprint->lone_bytes = 2 * (uint32_t)dmm_size_div_up(bins * word, lanes);
}

/* Returns the items of a block: a segment of memory, or less where a tile would keep more than half
 * its items. */
static uint32_t block_items(const dmm_radix *radix)
{
    const uint32_t most = radix->p.tile >> (radix->p.digit + 1);
    uint32_t items = SEGMENT_BYTES / radix->layout.moved_bytes;
    while (items > 1 && items > most)
        items /= 2;
    return items;
}

/* Adds the local memory for sorting a tile: for each item its rank if it moves by split; for each
 * work-item two sums and, except by split, a counter for each value of a step's bits. */
static void add_tile(dmm_footprint *footprint, const dmm_radix *radix)
{
    const uint32_t word = (uint32_t)radix->object.ctx->device.bank_bytes.value;
    const uint32_t lanes = (uint32_t)radix->object.ctx->device.sync_width.value;
    const int splits = radix->desc.tile_by == DMM_TILE_BY_SPLIT;
    footprint->gpu_u = GPU_U;
    footprint->gpu_E =
        radix->desc.tile_by != DMM_TILE_BY_RANK && lanes > 1 && lanes < WIDE_LANES ? NARROW_E : 0;
    /* by rank: for each value of a digit its first and last position, and its goal */
    if (radix->desc.tile_by == DMM_TILE_BY_RANK)
        footprint->fixed_bytes = (2 * (uint32_t)sizeof(cl_uint) + radix->layout.index_bytes)
                                 << footprint->gpu_digit;
    if (radix->desc.tile_by == DMM_TILE_BY_BLOCKS)
        footprint->fixed_bytes = 2 * radix->layout.index_bytes << footprint->gpu_digit;
    footprint->lone_bytes = 1u << footprint->gpu_digit; /* counting takes a byte a digit value */
    footprint->local_bytes += splits ? word : 0;
    footprint->group_bytes = (splits ? 2 : 2 + (1u << step_bits(radix))) * word;
    if (radix->desc.tile_by == DMM_TILE_BY_ROUTE) {
        footprint->most_tile = DMM_MATRIX_TILE;
        footprint->word = NULL;
    }
}

static dmm_status define_tile(dmm_options *options, const dmm_radix *radix)
{
    if (radix->p.cpu)
        return DMM_OK;
    dmm_options_define(options, "DMM_CHAINED", (uint64_t)radix->chained);
    if (radix->chained)
        dmm_options_define(options, "DMM_PASSES", dmm_radix_passes(radix));
    if (radix->lanes_by != DMM_LANES_BY_NONE) {
        dmm_options_define(options, "DMM_LANES_BY", radix->lanes_by);
        dmm_options_define(options, "DMM_LANES", radix->object.ctx->device.sync_width.value);
        return DMM_OK;
    }
    dmm_options_define(options, "DMM_SPLIT", radix->desc.tile_by == DMM_TILE_BY_SPLIT);
    dmm_options_define(options, "DMM_STEP_BITS", step_bits(radix));
    dmm_options_define(
        options, "DMM_BLOCK", radix->desc.tile_by == DMM_TILE_BY_BLOCKS ? block_items(radix) : 0);
    if (radix->desc.tile_by != DMM_TILE_BY_ROUTE)
        return DMM_OK;
    return dmm_matrix_define(
        options, 0, DMM_MATRIX_OF_WORDS, &radix->p, &radix->layout, &radix->object.ctx->device);
}

/* Returns the bits of a digit: all passes have the same, or one less. */
static uint32_t gpu_digit(uint32_t bits)
{
    const uint32_t passes = (bits + GPU_DIGIT_BITS - 1) / GPU_DIGIT_BITS;
    return passes != 0 ? (bits + passes - 1) / passes : GPU_DIGIT_BITS;
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
    radix->begin_bit = desc->bits.begin;
    radix->end_bit =
        desc->bits.begin == 0 && desc->bits.end == 0 ? 8 * item->key_bytes : desc->bits.end;
    dmm_footprint footprint = dmm_item_footprint(item, device);
    footprint.cpu_tile_bytes = CPU_TILE_BYTES;
    footprint.cpu_digit = CPU_DIGIT_BITS;
    footprint.gpu_digit = gpu_digit(radix->end_bit - radix->begin_bit);
    footprint.guarantee = desc->guarantee;
    footprint.word = "sort.radix";
    if (radix->lanes_by != DMM_LANES_BY_NONE)
        add_ballots(&footprint, radix);
    else
        add_tile(&footprint, radix);
    TRY(dmm_context_choose(&radix->p, radix->object.ctx, &desc->tuning, &footprint));
    radix->chained = !radix->p.cpu && desc->tile_by == DMM_TILE_BY_RANK;
    radix->object.max_n = dmm_item_limit(item, argsort, desc->max_n);
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
    const char *const name = radix->p.cpu                           ? "cl/radix/radix_cpu.cl"
                             : radix->lanes_by != DMM_LANES_BY_NONE ? "cl/radix/radix_ballot.cl"
                             : radix->chained                       ? "cl/radix/radix_columns.cl"
                                                                    : "cl/radix/radix.cl";
    const dmm_program_desc text = {name, &options, ""};
    cl_program program = NULL;
    dmm_options_parameters(&options, &radix->p, &ctx->device);
    dmm_item_define(&options, &radix->layout, &desc->order);
    dmm_values_define(&options, &radix->layout, desc->argsort != 0, 1);
    dmm_options_define(&options, "DMM_DIGIT_BITS", radix->p.digit);
    TRY(define_tile(&options, radix));
    TRY(dmm_programs_get(&ctx->programs, &text, &program));
    if (radix->chained) {
        TRY(dmm_object_kernel(radix, program, "dmm_radix_digits", u, &radix->digits));
        TRY(dmm_object_kernel(radix, program, "dmm_radix_starts", u, &radix->starts));
        TRY(dmm_object_kernel(radix, program, "dmm_radix_pass", u, &radix->pass));
    } else {
        TRY(dmm_object_kernel(radix, program, "dmm_radix_count", u, &radix->count));
        TRY(dmm_object_kernel(radix, program,
            radix->desc.tile_by == DMM_TILE_BY_BLOCKS ? "dmm_radix_blocks" : "dmm_radix_scatter", u,
            &radix->scatter));
    }
    TRY(dmm_object_kernel(radix, program, "dmm_radix_copy", u, &radix->copy));
    TRY(dmm_object_kernel(radix, program, "dmm_radix_alone", u, &radix->alone));
    if (radix->p.cpu)
        TRY(dmm_object_kernel(radix, program, "dmm_radix_buckets", u, &radix->buckets));
    TRY(dmm_values_kernel(radix, program, &radix->layout, &radix->gather));
out:
    return status;
}

/* Chooses ballots if lanes can exchange data. */
static void choose_lanes(dmm_radix *radix)
{
    const dmm_context *const ctx = radix->object.ctx;
    const dmm_device *const device = &ctx->device;
    radix->lanes_by = radix->desc.tile_by == DMM_TILE_BY_RANK && device->sync_width.value > 1 &&
                              !dmm_context_is_cpu(ctx, &radix->desc.tuning)
                          ? dmm_device_lanes_by(device)
                          : DMM_LANES_BY_NONE;
}

static dmm_status choose_and_build(dmm_radix *radix)
{
    dmm_status status = DMM_OK;
    const uint64_t lanes = radix->object.ctx->device.sync_width.value;
    TRY(choose(radix));
    FAIL_IF(radix->lanes_by != DMM_LANES_BY_NONE && radix->p.u % lanes != 0, DMM_BAD_PARAMETERS);
    TRY(build(radix));
out:
    return status;
}

static dmm_status radix_init(void *object)
{
    dmm_status status = DMM_OK;
    dmm_radix *const radix = object;
    choose_lanes(radix);
    status = choose_and_build(radix);
    if (dmm_programs_are_unfit(status) && radix->lanes_by != DMM_LANES_BY_NONE) {
        radix->lanes_by = DMM_LANES_BY_NONE;
        status = choose_and_build(radix);
    }
    TRY(status);
    if (!radix->chained)
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
