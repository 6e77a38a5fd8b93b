/* SPDX-License-Identifier: MIT */
/*
 * dmm_axis: by kernels of columns, or by the primitives on segments.
 */
#include "primitives/segmented/axis.h"

#include "core/check.h"
#include "core/refuse.h"
#include "core/size.h"
#include "primitives/order.h"
#include "primitives/scan.h"

/* True if the call has kernels of its own. */
static int is_of_columns(const dmm_axis *axis)
{
    return axis->desc.axis == 0 && axis->desc.work != DMM_AXIS_SORT;
}

static dmm_status check_desc(const dmm_axis_desc *desc, const dmm_device *device)
{
    const int sorts = desc->work == DMM_AXIS_SORT;
    const dmm_scan_desc like = {.type = desc->order.type, .op = desc->op, .own = desc->own};
    if ((unsigned)desc->work > DMM_AXIS_SORT)
        return dmm_refuse(DMM_BAD_VALUE, "work: %d is no dmm_axis_work", (int)desc->work);
    if (desc->axis != 0 && desc->axis != 1)
        return dmm_refuse(DMM_BAD_VALUE, "axis: is %d, must be 0 or 1", desc->axis);
    if (sorts && (desc->own != NULL || desc->op != DMM_SCAN_SUM || desc->exclusive))
        return dmm_refuse(DMM_BAD_VALUE, "op, exclusive, own: must be 0 for a sort");
    if (desc->work == DMM_AXIS_REDUCE && desc->exclusive)
        return dmm_refuse(DMM_BAD_VALUE, "exclusive: must be 0 for a reduction");
    if (!sorts && (desc->value_bytes != 0 || desc->argsort))
        return dmm_refuse(DMM_BAD_VALUE, "value_bytes, argsort: must be 0, but for a sort");
    if (!sorts &&
        (desc->order.less != NULL || desc->order.item != NULL || desc->order.item_bytes != 0 ||
            desc->order.descending || desc->order.zero_equal))
        return dmm_refuse(DMM_BAD_VALUE, "order: must be a type alone, but for a sort");
    return sorts ? dmm_order_check(&desc->order, device) : dmm_scan_check(&like, device);
}

static dmm_status axis_init(void *object)
{
    dmm_status status = DMM_OK;
    dmm_axis *const axis = object;
    const dmm_axis_desc *const desc = &axis->desc;
    TRY(check_desc(desc, &axis->object.ctx->device));
    TRY(dmm_mapping_init(&axis->mapping, desc->map, desc->order.type, &axis->object.ctx->device,
        desc->work == DMM_AXIS_SCAN));
    axis->key_bytes = desc->work == DMM_AXIS_SORT
                          ? dmm_order_key_bytes(&desc->order)
                          : dmm_segmented_item_bytes(desc->order.type, desc->own);
    TRY(is_of_columns(axis) ? dmm_axis_columns_init(axis) : dmm_axis_rows_init(axis));
out:
    return status;
}

static size_t axis_ports(
    const void *object, const void *args, const dmm_sizes *sizes, dmm_port ports[DMM_MAX_PORTS])
{
    const dmm_axis *const axis = object;
    const dmm_axis_desc *const desc = &axis->desc;
    const dmm_axis_args *const a = args;
    const dmm_axis_shape shape = dmm_axis_shape_of(axis, sizes);
    const uint64_t in = dmm_view_items(shape.rows, shape.cols, a->in_stride);
    const int reduces = desc->work == DMM_AXIS_REDUCE;
    const uint64_t out = reduces ? sizes->m : dmm_view_items(shape.rows, shape.cols, a->out_stride);
    const uint32_t in_bytes = dmm_mapping_in(&axis->mapping, axis->key_bytes);
    const uint32_t out_bytes = dmm_mapping_out(&axis->mapping, axis->key_bytes);
    const uint8_t pair = !reduces && in_bytes == out_bytes;
    const dmm_port list[] = {
        {DMM_READS(dmm_axis_args, in, in, in_bytes), .pair = pair},
        {DMM_READS(dmm_axis_args, values_in, in, desc->argsort ? 0 : desc->value_bytes), .pair = 2},
        {DMM_WRITES(dmm_axis_args, out, out, out_bytes), .pair = pair},
        {DMM_WRITES(dmm_axis_args, values_out, out, desc->value_bytes), .pair = 2},
    };
    return dmm_mapping_ports(
        &axis->mapping, offsetof(dmm_axis_args, further), in, ports, DMM_PORTS(ports, list));
}

static void axis_lay_out(const void *object, dmm_call *call)
{
    const dmm_axis *const axis = object;
    if (is_of_columns(axis))
        dmm_axis_columns_lay_out(axis, call);
    else
        dmm_axis_rows_lay_out(axis, call);
}

static uint64_t stride_of(uint64_t stride, dmm_axis_shape shape)
{
    return stride != 0 ? stride : shape.cols;
}

static dmm_status check_strides(const dmm_axis *axis, const dmm_call *call)
{
    dmm_status status = DMM_OK;
    const dmm_axis_args *const args = call->args;
    const dmm_axis_shape shape = dmm_axis_shape_of(axis, &call->sizes);
    const int same = stride_of(args->in_stride, shape) == stride_of(args->out_stride, shape);
    const int in_place =
        dmm_spans_equal(args->in, args->out) ||
        (args->values_in.buffer != NULL && dmm_spans_equal(args->values_in, args->values_out));
    TRY(dmm_view_check("in_stride", args->in_stride, shape.cols));
    TRY(dmm_view_check("out_stride", args->out_stride, shape.cols));
    FAIL_IF(axis->desc.work == DMM_AXIS_REDUCE && args->out_stride != 0,
        dmm_refuse(DMM_BAD_VALUE, "out_stride: must be 0, a reduction puts out a list"));
    FAIL_IF(axis->desc.work != DMM_AXIS_REDUCE && in_place && !same,
        dmm_refuse(DMM_BAD_VALUE, "out_stride: must be in_stride, the call is in place"));
out:
    return status;
}

static dmm_status axis_steps(const void *object, dmm_call *call)
{
    dmm_status status = DMM_OK;
    const dmm_axis *const axis = object;
    if (call->sizes.m == 0)
        goto out;
    TRY(check_strides(axis, call));
    if (call->sizes.n == 0 && axis->desc.work != DMM_AXIS_REDUCE)
        goto out;
    TRY(is_of_columns(axis) ? dmm_axis_columns_steps(axis, call) : dmm_axis_rows_steps(axis, call));
out:
    return status;
}

const dmm_class dmm_axis_class = {
    DMM_CLASS(dmm_axis),
    .word = "axis",
    .desc_taken = 1,
    .args_taken = 1,
    .init = axis_init,
    .ports = axis_ports,
    .lay_out = axis_lay_out,
    .steps = axis_steps,
};

/* Returns the sizes of a call: its items, as many segments as it has columns or rows, and l = 1:
 * no offsets. */
static dmm_sizes sizes_of(const dmm_axis_desc *desc, uint64_t rows, uint64_t cols)
{
    return (dmm_sizes){.n = dmm_size_mul(rows, cols), .m = desc->axis == 0 ? cols : rows, .l = 1};
}

dmm_status dmm_axis_create(dmm_axis **out, dmm_context *ctx, const dmm_axis_desc *desc)
{
    return dmm_object_create(out, ctx, &dmm_axis_class, desc);
}

void dmm_axis_free(dmm_axis *axis)
{
    dmm_object_free(axis);
}

dmm_status dmm_axis_temp_bytes(uint64_t *out, const dmm_axis *axis, uint64_t rows, uint64_t cols)
{
    static const dmm_axis_desc none = {.axis = 0};
    return dmm_object_temp_bytes(
        out, axis, sizes_of(axis != NULL ? &axis->desc : &none, rows, cols));
}

dmm_status dmm_axis_enqueue(dmm_axis *axis, cl_command_queue queue, const dmm_axis_args *args,
    uint64_t rows, uint64_t cols, cl_uint num_wait, const cl_event *wait, cl_event *event)
{
    static const dmm_axis_desc none = {.axis = 0};
    const dmm_sizes sizes = sizes_of(axis != NULL ? &axis->desc : &none, rows, cols);
    return dmm_object_enqueue(axis, queue, args, sizes, num_wait, wait, event);
}

dmm_status dmm_axis_host(dmm_context *ctx, const dmm_axis_desc *desc, const void *in, void *values,
    size_t rows, size_t cols, void *out)
{
    static const dmm_axis_desc none = {.axis = 0};
    dmm_axis_args args = {.temp = DMM_NONE};
    const dmm_host_array arrays[DMM_MAX_PORTS] = {
        {.from = in}, {.from = values}, {.to = out}, {.to = values}};
    return dmm_object_host(ctx, &dmm_axis_class, desc, &args,
        sizes_of(desc != NULL ? desc : &none, rows, cols), arrays);
}
