/* SPDX-License-Identifier: MIT */
/*
 * Columns that are reduced or scanned, by blocks of rows: one launch if the columns alone fill the
 * device; else the totals of blocks first.
 */
#include <stdlib.h>

#include "core/check.h"
#include "core/size.h"
#include "primitives/prelude.h"
#include "primitives/scan.h"
#include "primitives/segmented/axis.h"

enum { STRIP_BYTES = 2048, LEAST_ROWS = 16 };

/* Gets the program of a scan of such items, read through its map, if it has one. */
static dmm_status program_of(
    dmm_axis *axis, const dmm_item_layout *layout, const dmm_scan_desc *like, cl_program *program)
{
    dmm_status status = DMM_OK;
    dmm_context *const ctx = axis->object.ctx;
    const dmm_order order = dmm_scan_order(like);
    char *const prelude =
        dmm_mapping_prelude(dmm_scan_prelude(dmm_prelude_new(), like->own, &order), like->map,
            like->type, like->own != NULL);
    dmm_options options = {.bytes = 0};
    const dmm_program_desc text = {.root = "cl/axis.cl", .options = &options, .prelude = prelude};
    FAIL_IF(prelude == NULL, DMM_OUT_OF_MEMORY);
    dmm_options_parameters(&options, &axis->p, &ctx->device);
    dmm_item_define(&options, layout, &order);
    dmm_scan_define(&options, like);
    dmm_options_define(&options, "DMM_STRIP", axis->strip);
    if (like->map != NULL)
        dmm_mapping_define(&options, &axis->mapping);
    TRY(dmm_programs_get(&ctx->programs, &text, program));
out:
    free(prelude);
    return status;
}

dmm_status dmm_axis_columns_init(dmm_axis *axis)
{
    dmm_status status = DMM_OK;
    dmm_context *const ctx = axis->object.ctx;
    const dmm_axis_desc *const desc = &axis->desc;
    const int scans = desc->work == DMM_AXIS_SCAN;
    dmm_scan_desc like = {.type = desc->order.type,
        .op = desc->op,
        .exclusive = desc->exclusive,
        .own = desc->own,
        .map = desc->map};
    const dmm_order order = dmm_scan_order(&like);
    dmm_item_layout layout;
    cl_program program = NULL, of_totals = NULL;
    TRY(dmm_item_layout_init(&layout, &ctx->device, &order, 0, 0, desc->max_n));
    const dmm_footprint footprint = {.item_bytes = layout.key_bytes};
    TRY(dmm_context_choose(&axis->p, ctx, &desc->tuning, &footprint));
    axis->object.max_n = dmm_item_limit(&layout, 0, desc->max_n);
    const uint32_t term = layout.key_bytes > 4 ? layout.key_bytes : 4;
    axis->strip = axis->p.cpu ? STRIP_BYTES / term : 1;
    TRY(program_of(axis, &layout, &like, &program));
    TRY(dmm_object_kernel(axis, program, "dmm_axis_reduce", axis->p.u, &axis->reduce));
    if (scans)
        TRY(dmm_object_kernel(axis, program, "dmm_axis_scan", axis->p.u, &axis->scan));
    axis->over_totals = scans ? axis->scan : axis->reduce;
    if (like.map == NULL)
        goto out;
    like.map = NULL;
    TRY(program_of(axis, &layout, &like, &of_totals));
    TRY(dmm_object_kernel(axis, of_totals, scans ? "dmm_axis_scan" : "dmm_axis_reduce", axis->p.u,
        &axis->over_totals));
out:
    return status;
}

/* Returns the work-items that fill the device. */
static uint64_t work_items(const dmm_axis *axis)
{
    return (uint64_t)axis->p.most_groups * axis->p.u;
}

/* The strips of all blocks are at most as many as fill the device, or there is one block. */
void dmm_axis_columns_lay_out(const dmm_axis *axis, dmm_call *call)
{
    const uint64_t most = work_items(axis) * axis->strip, n = call->sizes.n;
    dmm_scan_region(call, DMM_AXIS_TOTALS, n < most ? n : most, axis->key_bytes);
}

/* Returns a launch on blocks of rows: as many as fill the device, but no more than each has rows,
 * since one work-item joins the totals of a column. */
static dmm_axis_call blocks_of(const dmm_axis *axis, dmm_axis_shape shape)
{
    const uint64_t strips = dmm_size_div_up(shape.cols, axis->strip);
    const uint64_t wanted = strips < work_items(axis) ? work_items(axis) / strips : 1;
    const uint64_t most = dmm_size_div_up(shape.rows, LEAST_ROWS);
    uint64_t blocks = wanted < most ? wanted : most;
    while (blocks > LEAST_ROWS && blocks > shape.rows / blocks)
        blocks /= 2;
    const uint64_t block = blocks > 1 ? dmm_size_div_up(shape.rows, blocks) : shape.rows;
    return (dmm_axis_call){.rows = shape.rows,
        .cols = shape.cols,
        .in_stride = shape.cols,
        .out_stride = shape.cols,
        .block = block,
        .items = strips * (blocks > 1 ? dmm_size_div_up(shape.rows, block) : 1)};
}

static dmm_grid grid_of(const dmm_axis *axis, const dmm_axis_call *c)
{
    return (dmm_grid){0, dmm_size_div_up(c->items, axis->p.u), axis->p.u};
}

/* Enqueues a kernel that reads the input. */
static dmm_status launch(const dmm_axis *axis, const dmm_call *call, cl_kernel kernel,
    const cl_mem *buffers, size_t num_buffers, const dmm_axis_call *c)
{
    const dmm_axis_args *const args = call->args;
    return dmm_mapping_launch(&axis->mapping, call, (dmm_further){args->further, 0}, kernel,
        buffers, num_buffers, c, sizeof *c, grid_of(axis, c));
}

/* Enqueues a reduction or a scan of all rows of totals, in place or into `out`. */
static dmm_status launch_totals(
    const dmm_axis *axis, const dmm_call *call, dmm_span totals, dmm_span out, dmm_axis_call c)
{
    const uint64_t strips = dmm_size_div_up(c.cols, axis->strip);
    const cl_mem none = NULL;
    c.in_at = dmm_span_items(totals, axis->key_bytes);
    c.out_at = dmm_span_items(out, axis->key_bytes);
    c.in_stride = c.out_stride = c.cols;
    c.block = c.rows;
    c.items = strips;
    c.exclusive = 0;
    const cl_mem buffers[] = {totals.buffer, out.buffer, none};
    return dmm_call_launch(call, axis->over_totals, buffers, axis->scan != NULL ? 3 : 2, &c,
        sizeof c, grid_of(axis, &c));
}

dmm_status dmm_axis_columns_steps(const dmm_axis *axis, const dmm_call *call)
{
    dmm_status status = DMM_OK;
    const dmm_axis_args *const args = call->args;
    const dmm_axis_shape shape = dmm_axis_shape_of(axis, &call->sizes);
    const dmm_span totals = dmm_call_items(call, DMM_AXIS_TOTALS, axis->key_bytes);
    const uint32_t bytes = axis->key_bytes;
    dmm_axis_call c = blocks_of(axis, shape);
    if (axis->scan != NULL && call->sizes.n == 0)
        goto out;
    const uint64_t blocks = c.block != 0 ? dmm_size_div_up(shape.rows, c.block) : 1;
    c.in_at = dmm_span_items(args->in, dmm_mapping_in(&axis->mapping, bytes));
    c.in_stride = args->in_stride != 0 ? args->in_stride : shape.cols;
    c.out_at = dmm_span_items(blocks > 1 ? totals : args->out, bytes);
    dmm_axis_call above = c; /* scans: no block follows the last one */
    above.items -= axis->scan != NULL ? dmm_size_div_up(shape.cols, axis->strip) : 0;
    if (blocks > 1 || axis->scan == NULL)
        TRY(launch(axis, call, axis->reduce,
            DMM_BUFFERS(args->in.buffer, blocks > 1 ? totals.buffer : args->out.buffer), &above));
    above.rows = axis->scan != NULL ? blocks - 1 : blocks;
    if (blocks > 1)
        TRY(launch_totals(axis, call, totals, axis->scan != NULL ? totals : args->out, above));
    if (axis->scan == NULL)
        goto out;
    c.out_at = dmm_span_items(args->out, dmm_mapping_out(&axis->mapping, bytes));
    c.out_stride = args->out_stride != 0 ? args->out_stride : shape.cols;
    c.totals_at = dmm_span_items(totals, bytes);
    c.exclusive = axis->desc.exclusive != 0;
    TRY(launch(
        axis, call, axis->scan, DMM_BUFFERS(args->in.buffer, args->out.buffer, totals.buffer), &c));
out:
    return status;
}
