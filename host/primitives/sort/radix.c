/* SPDX-License-Identifier: MIT */
/*
 * Radix sort: creation. radix_call.c has the steps.
 */
#include "primitives/sort/radix.h"

#include "core/check.h"
#include "core/refuse.h"
#include "core/size.h"
#include "primitives/lanes.h"

enum { GPU_DIGIT_BITS = 8, CPU_DIGIT_BITS = 11 };
/* Groups of the GPU form by columns, two of which share a compute unit, and by ballots. With
 * BALLOT_E items a work-item takes 64 registers (sm_90), so half of the work-items that a compute
 * unit can have fit. Lanes of sub-groups of fewer than WIDE_LANES lack registers for more than
 * NARROW_E items, by ballots and in ways that do not chain (Intel's dg2 and tgllp spill them). */
enum { GPU_U = 128, BALLOT_U = 256, BALLOT_E = 12, WIDE_LANES = 32, NARROW_E = 8 };
/* Tile that a work-item of the CPU form sorts by itself. */
enum { CPU_TILE_BYTES = 1 << 16 };

/* Adds the local memory for sorting a tile by ballots: for each sub-group a sum and, for each value
 * of a digit, a counter; for each value its first rank and its goal. */
static void add_ballots(const dmm_radix *radix, dmm_footprint *footprint)
{
    const uint32_t lanes = (uint32_t)radix->object.ctx->device.sync_width.value;
    const uint32_t bins = 1u << footprint->gpu_digit, word = sizeof(cl_uint);
    footprint->gpu_u = BALLOT_U;
    footprint->gpu_E = lanes < WIDE_LANES ? NARROW_E : BALLOT_E;
    footprint->group_bytes = word;
    footprint->fixed_bytes = bins * (word + radix->layout.index_bytes);
    /* the counters lie in the tile if it is as large, else beside it */
    footprint->lone_bytes = 2 * (uint32_t)dmm_size_div_up(bins * word, lanes);
}

static void add_sums(const dmm_radix *radix, dmm_footprint *footprint, uint32_t counters)
{
    const dmm_device *const device = &radix->object.ctx->device;
    const uint64_t lanes = device->sync_width.value;
    footprint->gpu_u = GPU_U;
    footprint->gpu_E =
        radix->tile_by->root != NULL && lanes > 1 && lanes < WIDE_LANES ? NARROW_E : 0;
    footprint->lone_bytes = 1u << footprint->gpu_digit; /* counting takes a byte a digit value */
    footprint->group_bytes = (2 + counters) * (uint32_t)device->bank_bytes.value;
}

void dmm_radix_add_steps(const dmm_radix *radix, dmm_footprint *footprint, uint32_t step_bits)
{
    add_sums(radix, footprint, 1u << step_bits);
}

void dmm_radix_define_steps(dmm_options *options, int splits, uint32_t step_bits)
{
    dmm_options_define(options, "DMM_SPLIT", (uint64_t)splits);
    dmm_options_define(options, "DMM_STEP_BITS", step_bits);
}

/* By columns: for each value of a digit its first and last position, and its goal. */
static void add_rank(const dmm_radix *radix, dmm_footprint *footprint)
{
    if (radix->lanes_by != DMM_LANES_BY_NONE) {
        add_ballots(radix, footprint);
        return;
    }
    dmm_radix_add_steps(radix, footprint, DMM_STEP_BITS_BY_RANK);
    footprint->fixed_bytes = (2 * (uint32_t)sizeof(cl_uint) + radix->layout.index_bytes)
                             << footprint->gpu_digit;
}

static dmm_status define_rank(const dmm_radix *radix, dmm_options *options)
{
    dmm_options_define(options, "DMM_PASSES", dmm_radix_passes(radix));
    if (radix->lanes_by == DMM_LANES_BY_NONE) {
        dmm_radix_define_steps(options, 0, DMM_STEP_BITS_BY_RANK);
        return DMM_OK;
    }
    dmm_lanes_define(options, radix->lanes_by, &radix->object.ctx->device);
    return DMM_OK;
}

const dmm_tile_by dmm_tile_by_rank = {.add = add_rank, .define = define_rank};

/* Each item has its rank, and there are no counters. */
static void add_split(const dmm_radix *radix, dmm_footprint *footprint)
{
    add_sums(radix, footprint, 0);
    footprint->local_bytes += (uint32_t)radix->object.ctx->device.bank_bytes.value;
}

static dmm_status define_split(const dmm_radix *radix, dmm_options *options)
{
    (void)radix;
    dmm_radix_define_steps(options, 1, DMM_STEP_BITS_BY_RANK);
    return DMM_OK;
}

const dmm_tile_by dmm_tile_by_split = {.root = "cl/radix/radix.cl",
    .scatter = "dmm_radix_scatter",
    .add = add_split,
    .define = define_split};

static dmm_status define_tile(dmm_options *options, const dmm_radix *radix)
{
    if (radix->p.cpu)
        return DMM_OK;
    dmm_options_define(options, "DMM_CHAINED", (uint64_t)radix->chained);
    return radix->tile_by->define(radix, options);
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
    FAIL_IF(desc->order.less != NULL,
        dmm_refuse(DMM_UNSUPPORTED, "method: radix sorts by the bits of keys, not by order.less"));
    TRY(dmm_item_layout_init(item, device, &desc->order, desc->value_bytes, argsort, desc->max_n));
    if (!dmm_context_is_cpu(radix->object.ctx, &desc->tuning)) /* which merges */
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
    radix->tile_by->add(radix, &footprint);
    TRY(dmm_context_choose(&radix->p, radix->object.ctx, &desc->tuning, &footprint));
    radix->chained = !radix->p.cpu && radix->tile_by->root == NULL;
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
    const dmm_tile_by *const by = radix->tile_by;
    dmm_options options = {.bytes = 0};
    const char *const name = radix->p.cpu                           ? "cl/radix/radix_cpu.cl"
                             : radix->lanes_by != DMM_LANES_BY_NONE ? "cl/radix/radix_ballot.cl"
                             : radix->chained                       ? "cl/radix/radix_columns.cl"
                                                                    : by->root;
    const dmm_program_desc text = {
        .root = name, .options = &options, .prelude = "", .sources = by->sources};
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
        TRY(dmm_lanes_kernel(radix, radix->lanes_by, program, "dmm_radix_pass", u, &radix->pass));
    } else {
        TRY(dmm_object_kernel(radix, program, "dmm_radix_count", u, &radix->count));
        TRY(dmm_object_kernel(
            radix, program, radix->p.cpu ? "dmm_radix_scatter" : by->scatter, u, &radix->scatter));
    }
    TRY(dmm_object_kernel(radix, program, "dmm_radix_copy", u, &radix->copy));
    TRY(dmm_object_kernel(radix, program, "dmm_radix_alone", u, &radix->alone));
    if (radix->p.cpu) {
        TRY(dmm_object_kernel(radix, program, "dmm_radix_buckets", u, &radix->buckets));
        TRY(dmm_object_kernel(radix, program, "dmm_radix_merge", u, &radix->merge));
    }
    TRY(dmm_values_kernel(radix, &radix->layout, &radix->gather));
out:
    return status;
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
    radix->tile_by = radix->desc.tile_by != NULL ? radix->desc.tile_by
                     : radix->desc.guarantee     ? &dmm_tile_by_split
                                                 : &dmm_tile_by_rank;
    if (radix->tile_by == &dmm_tile_by_rank)
        radix->lanes_by = dmm_lanes_of(radix->object.ctx, &radix->desc.tuning);
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
