/* SPDX-License-Identifier: MIT */
/*
 * dmm_reduce_segmented: totals of segments by equal shares of the work, then the tails of shares
 * before the segments that they begin: two launches, or one if a single group suffices.
 */
#include <dmm/reduce_segmented.h>

#include <stdlib.h>

#include "core/check.h"
#include "core/refuse.h"
#include "core/size.h"
#include "primitives/classes.h"
#include "primitives/mapping.h"
#include "primitives/prelude.h"
#include "primitives/scan.h"
#include "primitives/segmented/segmented.h"

enum { CPU_E = 8, OPEN_BYTES = 8 };

struct dmm_reduce_segmented {
    dmm_object object;
    dmm_reduce_segmented_desc desc;
    dmm_item_layout layout;
    dmm_mapping mapping;
    dmm_parameters p;
    uint32_t offset_bytes;
    cl_kernel reduce, tails;
};

/* Returns a scan of the same items. */
static dmm_scan_desc scan_of(const dmm_reduce_segmented_desc *desc)
{
    return (dmm_scan_desc){.type = desc->type, .op = desc->op, .own = desc->own};
}

static dmm_status choose(dmm_reduce_segmented *reduce, const dmm_order *order)
{
    dmm_status status = DMM_OK;
    const dmm_reduce_segmented_desc *const desc = &reduce->desc;
    dmm_context *const ctx = reduce->object.ctx;
    TRY(dmm_item_layout_init(&reduce->layout, &ctx->device, order, 0, 0, desc->max_n));
    const uint32_t word = reduce->layout.plane_bytes, planes = reduce->layout.planes;
    const dmm_footprint footprint = {.item_bytes = reduce->layout.key_bytes,
        .planes = planes,
        .plane_bytes = word,
        .group_bytes = 2 * (planes + 1) * word,
        .cpu_E = CPU_E};
    TRY(dmm_context_choose(&reduce->p, ctx, &desc->tuning, &footprint));
    reduce->object.max_n = dmm_item_limit(&reduce->layout, 0, desc->max_n);
out:
    return status;
}

static dmm_status build(dmm_reduce_segmented *reduce, const dmm_order *order)
{
    dmm_status status = DMM_OK;
    dmm_options options = {.bytes = 0};
    const dmm_scan_desc like = scan_of(&reduce->desc);
    char *const prelude = dmm_mapping_prelude(dmm_scan_prelude(dmm_prelude_new(), like.own, order),
        reduce->desc.map, like.type, like.own != NULL);
    const dmm_program_desc desc = {
        .root = "cl/reduce_segmented.cl", .options = &options, .prelude = prelude};
    cl_program program = NULL;
    FAIL_IF(prelude == NULL, DMM_OUT_OF_MEMORY);
    dmm_options_parameters(&options, &reduce->p, &reduce->object.ctx->device);
    dmm_item_define(&options, &reduce->layout, order);
    dmm_scan_define(&options, &like);
    dmm_options_define(&options, "DMM_OFFSET_BYTES", reduce->offset_bytes);
    dmm_mapping_define(&options, &reduce->mapping);
    TRY(dmm_programs_get(&reduce->object.ctx->programs, &desc, &program));
    TRY(dmm_object_kernel(reduce, program, "dmm_segmented_reduce", reduce->p.u, &reduce->reduce));
    TRY(dmm_object_kernel(reduce, program, "dmm_segmented_tails", DMM_SEGMENTED_U, &reduce->tails));
out:
    free(prelude);
    return status;
}

static dmm_status reduce_segmented_init(void *object)
{
    dmm_status status = DMM_OK;
    dmm_reduce_segmented *const reduce = object;
    const dmm_scan_desc like = scan_of(&reduce->desc);
    TRY(dmm_scan_check(&like, &reduce->object.ctx->device));
    TRY(dmm_mapping_init(
        &reduce->mapping, reduce->desc.map, like.type, &reduce->object.ctx->device, 0));
    TRY(dmm_segmented_offset_bytes(reduce->desc.offset_type, &reduce->offset_bytes));
    const dmm_order order = dmm_scan_order(&like);
    TRY(choose(reduce, &order));
    TRY(build(reduce, &order));
out:
    return status;
}

static uint32_t in_bytes(const dmm_reduce_segmented *reduce)
{
    return dmm_mapping_in(&reduce->mapping, reduce->layout.key_bytes);
}

static size_t reduce_segmented_ports(
    const void *object, const void *args, const dmm_sizes *sizes, dmm_port ports[DMM_MAX_PORTS])
{
    const dmm_reduce_segmented *const reduce = object;
    const uint64_t stride = ((const dmm_reduce_segmented_args *)args)->stride;
    const uint64_t view = dmm_view_items(sizes->m, sizes->m != 0 ? sizes->n / sizes->m : 0, stride);
    const uint64_t items = stride != 0 ? view : sizes->n;
    const dmm_port list[] = {
        {DMM_READS(dmm_reduce_segmented_args, in, items, in_bytes(reduce))},
        {DMM_READS(
             dmm_reduce_segmented_args, offsets, dmm_segmented_read(sizes), reduce->offset_bytes),
            .optional = 1},
        {DMM_WRITES(dmm_reduce_segmented_args, out, sizes->m, reduce->layout.key_bytes)},
    };
    return dmm_mapping_ports(&reduce->mapping, offsetof(dmm_reduce_segmented_args, further), items,
        ports, DMM_PORTS(ports, list));
}

enum { TAILS, OPENS };

/* Returns an upper bound, monotone in the sizes, of the groups of a call. */
static uint64_t groups_of(const dmm_reduce_segmented *reduce, const dmm_sizes *sizes)
{
    const uint64_t steps = dmm_size_add(sizes->n, sizes->m);
    const uint64_t groups = dmm_size_div_up(steps, reduce->p.tile);
    return groups < reduce->p.most_groups ? groups : reduce->p.most_groups;
}

static void reduce_segmented_lay_out(const void *object, dmm_call *call)
{
    const dmm_reduce_segmented *const reduce = object;
    const uint64_t groups = groups_of(reduce, &call->sizes);
    dmm_scan_region(call, TAILS, groups, reduce->layout.key_bytes);
    dmm_call_region(call, OPENS, groups, OPEN_BYTES);
}

static dmm_status reduce_segmented_steps(const void *object, dmm_call *call)
{
    dmm_status status = DMM_OK;
    const dmm_reduce_segmented *const reduce = object;
    const dmm_reduce_segmented_args *const args = call->args;
    const uint64_t n = call->sizes.n, segments = call->sizes.m;
    const uint32_t bytes = reduce->layout.key_bytes;
    const dmm_span tails = dmm_call_items(call, TAILS, bytes), opens = call->regions[OPENS];
    if (segments == 0)
        goto out;
    const uint64_t row = n / segments, stride = args->stride != 0 ? args->stride : row;
    FAIL_IF(args->stride != 0 && !call->sizes.l,
        dmm_refuse(DMM_BAD_VALUE, "stride: must be 0 where offsets are given"));
    TRY(dmm_view_check("stride", args->stride, row));
    const dmm_shares_call c = {.offsets_at = dmm_span_items(args->offsets, reduce->offset_bytes),
        .in_at = dmm_span_items(args->in, in_bytes(reduce)),
        .out_at = dmm_span_items(args->out, bytes),
        .tails_at = dmm_span_items(tails, bytes),
        .opens_at = dmm_span_items(opens, OPEN_BYTES),
        .n = n,
        .segments = segments,
        .row = row,
        .gap = stride - row,
        .groups = groups_of(reduce, &call->sizes)};
    TRY(dmm_mapping_launch(&reduce->mapping, call, (dmm_further){args->further, 0}, reduce->reduce,
        DMM_BUFFERS(
            args->offsets.buffer, args->in.buffer, args->out.buffer, tails.buffer, opens.buffer),
        &c, sizeof c, (dmm_grid){0, c.groups, reduce->p.u}));
    if (c.groups > 1)
        TRY(dmm_call_launch(call, reduce->tails,
            DMM_BUFFERS(tails.buffer, opens.buffer, args->out.buffer), &c, sizeof c,
            (dmm_grid){0, dmm_size_div_up(c.groups - 1, DMM_SEGMENTED_U), DMM_SEGMENTED_U}));
out:
    return status;
}

const dmm_class dmm_reduce_segmented_class = {
    DMM_CLASS(dmm_reduce_segmented),
    .word = "reduce_segmented",
    .desc_taken = 2,
    .args_taken = 2,
    .init = reduce_segmented_init,
    .check = dmm_segmented_check,
    .ports = reduce_segmented_ports,
    .lay_out = reduce_segmented_lay_out,
    .steps = reduce_segmented_steps,
};

dmm_status dmm_reduce_segmented_create(
    dmm_reduce_segmented **out, dmm_context *ctx, const dmm_reduce_segmented_desc *desc)
{
    return dmm_object_create(out, ctx, &dmm_reduce_segmented_class, desc);
}

void dmm_reduce_segmented_free(dmm_reduce_segmented *reduce)
{
    dmm_object_free(reduce);
}

dmm_status dmm_reduce_segmented_temp_bytes(
    uint64_t *out, const dmm_reduce_segmented *reduce, uint64_t n, uint64_t segments)
{
    return dmm_object_temp_bytes(out, reduce, dmm_segmented_sizes(n, segments, 1));
}

dmm_status dmm_reduce_segmented_enqueue(dmm_reduce_segmented *reduce, cl_command_queue queue,
    const dmm_reduce_segmented_args *args, uint64_t n, uint64_t segments, cl_uint num_wait,
    const cl_event *wait, cl_event *event)
{
    const int has_offsets = args != NULL && args->offsets.buffer != NULL;
    return dmm_object_enqueue(
        reduce, queue, args, dmm_segmented_sizes(n, segments, has_offsets), num_wait, wait, event);
}

dmm_status dmm_reduce_segmented_host(dmm_context *ctx, const dmm_reduce_segmented_desc *desc,
    const void *items, size_t n, const void *offsets, size_t segments, void *out)
{
    dmm_reduce_segmented_args args = {.temp = DMM_NONE};
    const dmm_host_array arrays[DMM_MAX_PORTS] = {{.from = items}, {.from = offsets}, {.to = out}};
    return dmm_object_host(ctx, &dmm_reduce_segmented_class, desc, &args,
        dmm_segmented_sizes(n, segments, offsets != NULL), arrays);
}
