/* SPDX-License-Identifier: MIT */
/*
 * dmm_scan_segmented: marks the segments' first items, then dmm_scan_by_key by these marks.
 */
#include <dmm/scan_by_key.h>
#include <dmm/scan_segmented.h>

#include "core/check.h"
#include "primitives/classes.h"
#include "primitives/mapping.h"
#include "primitives/segmented/segmented.h"

struct dmm_scan_segmented {
    dmm_object object;
    dmm_scan_segmented_desc desc;
    dmm_segmented segmented;
    dmm_mapping mapping;   /* for ports */
    dmm_scan_by_key *scan; /* a part */
};

static dmm_status scan_segmented_init(void *object)
{
    dmm_status status = DMM_OK;
    dmm_scan_segmented *const scan = object;
    const dmm_scan_segmented_desc *const desc = &scan->desc;
    const dmm_scan_by_key_desc by_key = {.type = desc->type,
        .op = desc->op,
        .exclusive = desc->exclusive,
        .key_bytes = 1,
        .max_n = desc->max_n,
        .tuning = desc->tuning,
        .heads = 1,
        .own = desc->own,
        .map = desc->map};
    TRY(dmm_object_part(scan, &scan->scan, &dmm_scan_by_key_class, &by_key));
    TRY(dmm_mapping_init(&scan->mapping, desc->map, desc->type, &scan->object.ctx->device, 1));
    TRY(dmm_segmented_init(
        &scan->segmented, scan, desc->offset_type, &(dmm_segmented_items){.item_bytes = 1}));
    scan->object.max_n = ((const dmm_object *)scan->scan)->max_n;
out:
    return status;
}

static size_t scan_segmented_ports(
    const void *object, const void *args, const dmm_sizes *sizes, dmm_port ports[DMM_MAX_PORTS])
{
    const dmm_scan_segmented *const scan = object;
    const uint32_t bytes = dmm_segmented_item_bytes(scan->desc.type, scan->desc.own);
    const uint32_t in = dmm_mapping_in(&scan->mapping, bytes);
    const uint32_t out = dmm_mapping_out(&scan->mapping, bytes);
    const uint8_t pair = in == out;
    const dmm_port list[] = {
        {DMM_READS(dmm_scan_segmented_args, in, sizes->n, in), .pair = pair},
        {DMM_READS(dmm_scan_segmented_args, offsets, dmm_segmented_read(sizes),
             scan->segmented.offset_bytes),
            .optional = 1},
        {DMM_WRITES(dmm_scan_segmented_args, out, sizes->n, out), .pair = pair},
    };
    (void)args;
    return dmm_mapping_ports(&scan->mapping, offsetof(dmm_scan_segmented_args, further), sizes->n,
        ports, DMM_PORTS(ports, list));
}

enum { SCAN = DMM_SEGMENTED_REGIONS };

static void scan_segmented_lay_out(const void *object, dmm_call *call)
{
    const dmm_scan_segmented *const scan = object;
    dmm_segmented_lay_out(&scan->segmented, call, 1);
    dmm_call_part_region(call, SCAN, scan->scan, (dmm_sizes){.n = call->sizes.n});
}

static dmm_status scan_segmented_steps(const void *object, dmm_call *call)
{
    dmm_status status = DMM_OK;
    const dmm_scan_segmented *const scan = object;
    const dmm_scan_segmented_args *const args = call->args;
    const dmm_scan_by_key_args by_key = {.keys_in = call->regions[DMM_SEGMENTED_MARKS],
        .in = args->in,
        .out = args->out,
        .temp = call->regions[SCAN],
        .further = args->further};
    dmm_span offsets;
    if (call->sizes.n == 0)
        goto out;
    TRY(dmm_segmented_offsets(&scan->segmented, call, args->offsets, &offsets));
    TRY(dmm_segmented_marks(&scan->segmented, call, offsets));
    TRY(dmm_call_run(call, scan->scan, &by_key, (dmm_sizes){.n = call->sizes.n}));
out:
    return status;
}

const dmm_class dmm_scan_segmented_class = {
    DMM_CLASS(dmm_scan_segmented),
    .word = "scan_segmented",
    .desc_taken = 2,
    .args_taken = 1,
    .init = scan_segmented_init,
    .check = dmm_segmented_check,
    .ports = scan_segmented_ports,
    .lay_out = scan_segmented_lay_out,
    .steps = scan_segmented_steps,
};

dmm_status dmm_scan_segmented_create(
    dmm_scan_segmented **out, dmm_context *ctx, const dmm_scan_segmented_desc *desc)
{
    return dmm_object_create(out, ctx, &dmm_scan_segmented_class, desc);
}

void dmm_scan_segmented_free(dmm_scan_segmented *scan)
{
    dmm_object_free(scan);
}

dmm_status dmm_scan_segmented_temp_bytes(
    uint64_t *out, const dmm_scan_segmented *scan, uint64_t n, uint64_t segments)
{
    return dmm_object_temp_bytes(out, scan, dmm_segmented_sizes(n, segments, 1));
}

dmm_status dmm_scan_segmented_enqueue(dmm_scan_segmented *scan, cl_command_queue queue,
    const dmm_scan_segmented_args *args, uint64_t n, uint64_t segments, cl_uint num_wait,
    const cl_event *wait, cl_event *event)
{
    const int has_offsets = args != NULL && args->offsets.buffer != NULL;
    return dmm_object_enqueue(
        scan, queue, args, dmm_segmented_sizes(n, segments, has_offsets), num_wait, wait, event);
}

dmm_status dmm_scan_segmented_host(dmm_context *ctx, const dmm_scan_segmented_desc *desc,
    void *items, size_t n, const void *offsets, size_t segments)
{
    dmm_scan_segmented_args args = {.temp = DMM_NONE};
    const dmm_host_array arrays[DMM_MAX_PORTS] = {
        {.from = items}, {.from = offsets}, {.to = items}};
    return dmm_object_host(ctx, &dmm_scan_segmented_class, desc, &args,
        dmm_segmented_sizes(n, segments, offsets != NULL), arrays);
}
