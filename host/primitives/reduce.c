/* SPDX-License-Identifier: MIT */
/*
 * The first half of a scan: each group's total, then the total of these by one group. Kernel:
 * dmm_scan_reduce for both.
 */
#include <dmm/reduce.h>

#include "core/check.h"
#include "core/refuse.h"
#include "primitives/classes.h"
#include "primitives/scan.h"

struct dmm_reduce {
    dmm_object object;
    dmm_reduce_desc desc;
    dmm_scan *scan; /* lends its kernel */
};

enum { TOTALS };

static dmm_status reduce_init(void *object)
{
    dmm_reduce *const reduce = object;
    const dmm_reduce_desc *const desc = &reduce->desc;
    const dmm_scan_desc scan = {.type = desc->type,
        .op = desc->op,
        .max_n = desc->max_n,
        .tuning = desc->tuning,
        .own = desc->own,
        .map = desc->map};
    dmm_status status = DMM_OK;
    FAIL_IF(desc->map != NULL && desc->map->out != NULL,
        dmm_refuse(DMM_BAD_VALUE, "map.out: is for dmm_scan"));
    TRY(dmm_object_part(reduce, &reduce->scan, &dmm_scan_class, &scan));
    reduce->object.max_n = reduce->scan->object.max_n;
out:
    return status;
}

static size_t reduce_ports(
    const void *object, const void *args, const dmm_sizes *sizes, dmm_port ports[DMM_MAX_PORTS])
{
    const dmm_reduce *const reduce = object;
    const uint32_t bytes = reduce->scan->layout.key_bytes;
    const dmm_mapping *const mapping = &reduce->scan->mapping;
    const uint32_t in_bytes = dmm_mapping_in(mapping, bytes);
    const dmm_port list[] = {
        {DMM_READS(dmm_reduce_args, in, sizes->n, in_bytes)},
        {DMM_WRITES(dmm_reduce_args, out, 1, bytes)},
        {DMM_READS_COUNT(dmm_reduce_args)},
    };
    (void)args;
    return dmm_mapping_ports(
        mapping, offsetof(dmm_reduce_args, further), sizes->n, ports, DMM_PORTS(ports, list));
}

/* One total for each group, if there are several. */
static void reduce_lay_out(const void *object, dmm_call *call)
{
    const dmm_scan *const scan = ((const dmm_reduce *)object)->scan;
    const uint64_t groups = dmm_scan_most_groups(scan, call->sizes.n);
    dmm_scan_region(call, TOTALS, groups > 1 ? groups : 0, scan->layout.key_bytes);
}

static dmm_status reduce_steps(const void *object, dmm_call *call)
{
    dmm_status status = DMM_OK;
    const dmm_scan *const scan = ((const dmm_reduce *)object)->scan;
    const dmm_reduce_args *const args = call->args;
    const uint64_t n = call->sizes.n;
    const dmm_scan_shares shares = dmm_scan_share(scan, n), alone = {1, n};
    const dmm_scan_args input = {.in = args->in, .count = args->count, .further = args->further};
    const dmm_span totals = dmm_call_items(call, TOTALS, scan->layout.key_bytes);
    if (shares.groups <= 1)
        return dmm_scan_launch_reduce(scan, call, &input, args->out, n, alone, 0);
    TRY(dmm_scan_launch_reduce(scan, call, &input, totals, n, shares, 0));
    TRY(dmm_scan_launch_reduce_totals(scan, call, totals, args->out, shares.groups));
out:
    return status;
}

const dmm_class dmm_reduce_class = {
    DMM_CLASS(dmm_reduce),
    .word = "scan", /* whose kernel it runs */
    .desc_taken = 2,
    .args_taken = 1,
    .init = reduce_init,
    .ports = reduce_ports,
    .lay_out = reduce_lay_out,
    .steps = reduce_steps,
};

dmm_status dmm_reduce_create(dmm_reduce **out, dmm_context *ctx, const dmm_reduce_desc *desc)
{
    return dmm_object_create(out, ctx, &dmm_reduce_class, desc);
}

void dmm_reduce_free(dmm_reduce *reduce)
{
    dmm_object_free(reduce);
}

dmm_status dmm_reduce_temp_bytes(uint64_t *out, const dmm_reduce *reduce, uint64_t n)
{
    return dmm_object_temp_bytes(out, reduce, (dmm_sizes){.n = n});
}

dmm_status dmm_reduce_enqueue(dmm_reduce *reduce, cl_command_queue queue,
    const dmm_reduce_args *args, uint64_t n, cl_uint num_wait, const cl_event *wait,
    cl_event *event)
{
    const dmm_sizes sizes = {.n = n};
    return dmm_object_enqueue(reduce, queue, args, sizes, num_wait, wait, event);
}

dmm_status dmm_reduce_host(
    dmm_context *ctx, const dmm_reduce_desc *desc, const void *items, size_t n, void *out)
{
    dmm_reduce_args args = {.temp = DMM_NONE};
    const dmm_host_array arrays[DMM_MAX_PORTS] = {{.from = items}, {.to = out}};
    return dmm_object_host(ctx, &dmm_reduce_class, desc, &args, (dmm_sizes){.n = n}, arrays);
}
