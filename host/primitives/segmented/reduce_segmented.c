/* SPDX-License-Identifier: MIT */
/*
 * dmm_reduce_segmented: a scan of each segment into temp, whose last item is the segment's result.
 */
#include <dmm/reduce_segmented.h>
#include <dmm/scan_segmented.h>

#include "core/check.h"
#include "primitives/classes.h"
#include "primitives/order.h"
#include "primitives/scan.h"
#include "primitives/segmented/segmented.h"

struct dmm_reduce_segmented {
    dmm_object object;
    dmm_reduce_segmented_desc desc;
    dmm_segmented segmented;
    dmm_scan_segmented *scan; /* a part */
    uint32_t bytes;           /* size of an item */
};

static dmm_status reduce_segmented_init(void *object)
{
    dmm_status status = DMM_OK;
    dmm_reduce_segmented *const reduce = object;
    const dmm_reduce_segmented_desc *const desc = &reduce->desc;
    const dmm_scan_segmented_desc scan = {.type = desc->type,
        .op = desc->op,
        .offset_type = desc->offset_type,
        .max_n = desc->max_n,
        .tuning = desc->tuning,
        .own = desc->own};
    TRY(dmm_object_part(reduce, &reduce->scan, &dmm_scan_segmented_class, &scan));
    reduce->bytes = dmm_segmented_item_bytes(desc->type, desc->own);
    const dmm_segmented_items items = {reduce->bytes, "dmm_segmented_last", desc->type, desc->own};
    TRY(dmm_segmented_init(&reduce->segmented, reduce, desc->offset_type, &items));
    reduce->object.max_n = ((const dmm_object *)reduce->scan)->max_n;
out:
    return status;
}

static size_t reduce_segmented_ports(
    const void *object, const void *args, const dmm_sizes *sizes, dmm_port ports[DMM_MAX_PORTS])
{
    const dmm_reduce_segmented *const reduce = object;
    const dmm_port list[] = {
        {DMM_READS(dmm_reduce_segmented_args, in, sizes->n, reduce->bytes)},
        {DMM_READS(dmm_reduce_segmented_args, offsets, dmm_segmented_read(sizes),
             reduce->segmented.offset_bytes),
            .optional = 1},
        {DMM_WRITES(dmm_reduce_segmented_args, out, sizes->m, reduce->bytes)},
    };
    (void)args;
    return DMM_PORTS(ports, list);
}

enum { SCANNED = DMM_SEGMENTED_REGIONS, SCAN };

/* Offsets of rows are made here, and given to the scan. */
static void reduce_segmented_lay_out(const void *object, dmm_call *call)
{
    const dmm_reduce_segmented *const reduce = object;
    const dmm_sizes *const sizes = &call->sizes;
    dmm_segmented_lay_out(&reduce->segmented, call, 0);
    dmm_scan_region(call, SCANNED, sizes->n, reduce->bytes);
    dmm_call_part_region(call, SCAN, reduce->scan, dmm_segmented_sizes(sizes->n, sizes->m, 1));
}

/* Returns the bits of an operator's identity, as dmm_scan writes it. */
static uint64_t identity_of(dmm_type type, dmm_scan_op op)
{
    const uint32_t bits = 8 * dmm_type_bytes(type);
    const uint64_t sign = (uint64_t)1 << (bits - 1), all = UINT64_MAX >> (64 - bits);
    const uint64_t mantissa = (uint64_t)1 << (bits == 32 ? 23 : 52);
    if (op == DMM_SCAN_SUM)
        return 0;
    if (dmm_is_float(type)) /* -infinity, and the NaN that is last */
        return (all ^ (mantissa - 1)) + (op == DMM_SCAN_MIN);
    if (op == DMM_SCAN_MAX)
        return dmm_is_signed(type) ? sign : 0;
    return dmm_is_signed(type) ? sign - 1 : all;
}

static dmm_status reduce_segmented_steps(const void *object, dmm_call *call)
{
    dmm_status status = DMM_OK;
    const dmm_reduce_segmented *const reduce = object;
    const dmm_reduce_segmented_args *const args = call->args;
    const uint64_t n = call->sizes.n, segments = call->sizes.m;
    const dmm_segmented_call c = {.k = 1,
        .identity = reduce->desc.own == NULL ? identity_of(reduce->desc.type, reduce->desc.op) : 0};
    const dmm_span scanned = dmm_call_items(call, SCANNED, reduce->bytes);
    dmm_span offsets;
    if (segments == 0)
        goto out;
    TRY(dmm_segmented_offsets(&reduce->segmented, call, args->offsets, &offsets));
    const dmm_scan_segmented_args scan = {
        .in = args->in, .offsets = offsets, .out = scanned, .temp = call->regions[SCAN]};
    if (n != 0)
        TRY(dmm_call_run(call, reduce->scan, &scan, dmm_segmented_sizes(n, segments, 1)));
    TRY(dmm_segmented_take(&reduce->segmented, call, offsets, scanned, args->out, c));
out:
    return status;
}

const dmm_class dmm_reduce_segmented_class = {
    DMM_CLASS(dmm_reduce_segmented),
    .word = "reduce_segmented",
    .desc_taken = 1,
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
