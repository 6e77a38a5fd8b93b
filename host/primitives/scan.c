/* SPDX-License-Identifier: MIT */
/*
 * Reduce, then scan: three launches, or one where a single group does it all. The number of groups
 * is bounded by the device, not by n, so that their totals never need more than one group.
 */
#include "primitives/scan.h"

#include <stdlib.h>

#include "core/check.h"
#include "core/launch.h"
#include "core/size.h"
#include "core/temp.h"
#include "core/transfer.h"

/* More items in registers were slower on the CPUs that were measured. */
enum { CPU_E = 8 };

static const char *const sources[] = {
    "cl/common.clh", "cl/map.clh", "cl/order.clh", "cl/plane.clh", "cl/scan.cl", NULL};

static dmm_status check_desc(const dmm_scan_desc *desc, const dmm_device *device)
{
    if (dmm_type_bytes(desc->type) == 0 || desc->type == DMM_F16 ||
        (unsigned)desc->op > DMM_SCAN_MIN)
        return DMM_BAD_VALUE;
    return desc->type == DMM_F64 && !device->fp64.value ? DMM_UNSUPPORTED : DMM_OK;
}

/* The order that max and min follow. Integer sums are the same bits signed or not. */
static dmm_order order_of(const dmm_scan_desc *desc)
{
    dmm_order order = {.type = desc->type};
    if (desc->op == DMM_SCAN_SUM && desc->type != DMM_F32 && desc->type != DMM_F64) {
        const dmm_type of_bytes[] = {[1] = DMM_U8, [2] = DMM_U16, [4] = DMM_U32, [8] = DMM_U64};
        order.type = of_bytes[dmm_type_bytes(desc->type)];
    }
    return order;
}

static dmm_status choose(dmm_scan *scan, const dmm_order *order)
{
    dmm_status status = DMM_OK;
    const dmm_device *device = &scan->ctx->device;
    TRY(dmm_item_layout_init(&scan->layout, device, order, 0, 0, scan->desc.max_n));
    const uint32_t word_bytes = scan->layout.plane_bytes;
    const dmm_footprint footprint = {.item_bytes = scan->layout.key_bytes,
        .local_bytes = word_bytes,
        .group_bytes = 2 * word_bytes,
        .cpu_E = CPU_E,
        .word = "scan"};
    TRY(dmm_context_choose(&scan->p, scan->ctx, &scan->desc.tuning, &footprint));
    scan->max_n = scan->desc.max_n != 0           ? scan->desc.max_n
                  : scan->layout.index_bytes == 4 ? DMM_MAX_NARROW
                                                  : UINT64_MAX / 2;
out:
    return status;
}

static dmm_status build(dmm_scan *scan, const dmm_order *order)
{
    dmm_status status = DMM_OK;
    dmm_programs *programs = &scan->ctx->programs;
    dmm_options options = {.bytes = 0};
    const dmm_program_desc desc = {.sources = sources, .options = &options, .prelude = ""};
    cl_program program = NULL;
    dmm_parameters_define(&options, &scan->p, &scan->ctx->device);
    dmm_item_define(&options, &scan->layout, order);
    dmm_options_define(&options, "DMM_SCAN_OP", scan->desc.op);
    dmm_options_define(&options, "DMM_EXCLUSIVE", scan->desc.exclusive != 0);
    TRY(dmm_programs_get(programs, &desc, &program));
    TRY(dmm_programs_kernel(programs, program, "dmm_scan_reduce", scan->p.u, &scan->reduce));
    TRY(dmm_programs_kernel(programs, program, "dmm_scan_alone", scan->p.u, &scan->alone));
    TRY(dmm_programs_kernel(programs, program, "dmm_scan_apply", scan->p.u, &scan->apply));
out:
    return status;
}

static dmm_status create(dmm_scan **out, dmm_context *ctx, const dmm_scan_desc *desc)
{
    dmm_status status = DMM_OK;
    dmm_scan *scan = NULL;
    if (out == NULL)
        return DMM_NULL_ARGUMENT;
    *out = NULL;
    FAIL_IF(ctx == NULL || desc == NULL, DMM_NULL_ARGUMENT);
    TRY(check_desc(desc, &ctx->device));
    FAIL_IF((scan = calloc(1, sizeof *scan)) == NULL, DMM_OUT_OF_MEMORY);
    scan->ctx = ctx;
    scan->desc = *desc;
    const dmm_order order = order_of(desc);
    TRY(choose(scan, &order));
    TRY(build(scan, &order));
    *out = scan;
    return DMM_OK;
out:
    dmm_scan_free(scan);
    return status;
}

dmm_status dmm_scan_create(dmm_scan **out, dmm_context *ctx, const dmm_scan_desc *desc)
{
    const dmm_status status = create(out, ctx, desc);
    return dmm_context_drops_rows(ctx, "scan", status) ? create(out, ctx, desc) : status;
}

void dmm_scan_free(dmm_scan *scan)
{
    if (scan == NULL)
        return;
    cl_kernel kernels[] = {scan->reduce, scan->alone, scan->apply};
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++)
        if (kernels[i] != NULL)
            clReleaseKernel(kernels[i]);
    free(scan);
}

dmm_scan_shares dmm_scan_share(const dmm_scan *scan, uint64_t n)
{
    const uint64_t tiles = dmm_size_div_up(n, scan->p.tile);
    const uint64_t range = dmm_size_div_up(tiles, scan->p.most_groups) * scan->p.tile;
    return (dmm_scan_shares){n != 0 ? dmm_size_div_up(n, range) : 0, range};
}

/* One total a group, but for the last one. dmm_scan_share may give fewer groups to more items: temp
 * is laid out for the most, which grows with n. */
static dmm_temp lay_out(const dmm_scan *scan, uint64_t n)
{
    dmm_temp temp = {0};
    const uint64_t tiles = dmm_size_div_up(n, scan->p.tile);
    const uint64_t groups = tiles < scan->p.most_groups ? tiles : scan->p.most_groups;
    dmm_temp_region(&temp, groups > 1 ? groups - 1 : 0, scan->layout.key_bytes);
    return temp;
}

dmm_status dmm_scan_temp_bytes(uint64_t *out, const dmm_scan *scan, uint64_t n)
{
    if (out == NULL || scan == NULL)
        return DMM_NULL_ARGUMENT;
    if (n > scan->max_n)
        return DMM_TOO_LARGE;
    *out = lay_out(scan, n).bytes;
    return DMM_OK;
}

static dmm_status check_args(const dmm_scan *scan, cl_command_queue queue,
    const dmm_scan_args *args, uint64_t n, cl_uint num_wait, const cl_event *wait)
{
    dmm_status status = DMM_OK;
    const uint32_t item_bytes = scan->layout.key_bytes;
    TRY(dmm_check_queue(queue, scan->ctx->cl, scan->ctx->device.id));
    FAIL_IF(args == NULL, DMM_NULL_ARGUMENT);
    FAIL_IF(n > scan->max_n, DMM_TOO_LARGE);
    TRY(dmm_check_wait(num_wait, wait));
    TRY(dmm_check_span(args->in, n, item_bytes));
    TRY(dmm_check_span(args->out, n, item_bytes));
    TRY(dmm_check_count(args->count));
    const dmm_extent in[] = {{args->in, n * item_bytes}, {args->count, DMM_COUNT_BYTES}};
    const dmm_extent out[] = {{args->out, n * item_bytes}, {args->temp, lay_out(scan, n).bytes}};
    TRY(dmm_check_overlaps(in, 2, out, 2, 1));
out:
    return status;
}

/* One group, no totals. */
static dmm_status launch_alone(
    dmm_scan *scan, dmm_chain *chain, const dmm_scan_args *args, cl_ulong n, cl_uint exclusive)
{
    const cl_ulong in_at = dmm_span_items(args->in, scan->layout.key_bytes);
    const cl_ulong out_at = dmm_span_items(args->out, scan->layout.key_bytes);
    const cl_ulong count_at = dmm_span_items(args->count, DMM_COUNT_BYTES);
    const dmm_arg alone[] = {DMM_ARG_SPAN(args->in, in_at), DMM_ARG_SPAN(args->out, out_at),
        DMM_ARG(n), DMM_ARG(exclusive), DMM_ARG_SPAN(args->count, count_at)};
    return dmm_chain_launch(
        chain, scan->alone, alone, sizeof alone / sizeof *alone, (dmm_grid){0, 1, scan->p.u});
}

/* The last group's total is nobody's carry: it is left out. Kernels see a span as a buffer and the
 * item where the imagined list begins; the difference may wrap. */
static dmm_status launch_groups(dmm_scan *scan, dmm_chain *chain, const dmm_scan_args *args,
    dmm_span totals, uint64_t first_group, cl_ulong n)
{
    dmm_status status = DMM_OK;
    const dmm_scan_shares shares = dmm_scan_share(scan, n);
    const dmm_grid all = {first_group, shares.groups, scan->p.u};
    const dmm_grid all_but_last = {first_group, shares.groups - 1, scan->p.u};
    const uint32_t item_bytes = scan->layout.key_bytes;
    const cl_ulong range = shares.range, first = first_group * range, end = first + n;
    const cl_ulong in_at = dmm_span_items(args->in, item_bytes) - first;
    const cl_ulong out_at = dmm_span_items(args->out, item_bytes) - first;
    const cl_ulong totals_at = dmm_span_items(totals, item_bytes) - first_group;
    const cl_ulong count_at = dmm_span_items(args->count, DMM_COUNT_BYTES);
    const dmm_arg reduce[] = {DMM_ARG_SPAN(args->in, in_at), DMM_ARG_SPAN(totals, totals_at),
        DMM_ARG(end), DMM_ARG(range), DMM_ARG_SPAN(args->count, count_at)};
    const dmm_arg apply[] = {DMM_ARG_SPAN(args->in, in_at), DMM_ARG_SPAN(args->out, out_at),
        DMM_ARG_SPAN(totals, totals_at), DMM_ARG(end), DMM_ARG(range),
        DMM_ARG_SPAN(args->count, count_at)};
    const dmm_scan_args of_totals = {.in = totals, .out = totals};
    TRY(dmm_chain_launch(
        chain, scan->reduce, reduce, sizeof reduce / sizeof *reduce, all_but_last));
    TRY(launch_alone(scan, chain, &of_totals, all_but_last.groups, 0));
    TRY(dmm_chain_launch(chain, scan->apply, apply, sizeof apply / sizeof *apply, all));
out:
    return status;
}

dmm_status dmm_scan_enqueue_from(dmm_scan *scan, cl_command_queue queue, const dmm_scan_args *args,
    uint64_t first_group, uint64_t n, cl_uint num_wait, const cl_event *wait, cl_event *event)
{
    dmm_status status = DMM_OK;
    dmm_chain chain = {queue, num_wait, wait, NULL};
    if (event != NULL)
        *event = NULL;
    if (scan == NULL)
        return DMM_NULL_ARGUMENT;
    if ((status = check_args(scan, queue, args, n, num_wait, wait)) != DMM_OK)
        return status;
    dmm_temp temp = lay_out(scan, n);
    TRY(dmm_temp_acquire(&temp, scan->ctx->cl, args->temp));
    if (temp.bytes != 0)
        TRY(launch_groups(scan, &chain, args, dmm_temp_span(&temp, 0), first_group, n));
    else if (n != 0)
        TRY(launch_alone(scan, &chain, args, n, scan->desc.exclusive != 0));
out:
    status = dmm_chain_end(&chain, status, event);
    dmm_temp_release(&temp);
    return status;
}

dmm_status dmm_scan_enqueue(dmm_scan *scan, cl_command_queue queue, const dmm_scan_args *args,
    uint64_t n, cl_uint num_wait, const cl_event *wait, cl_event *event)
{
    return dmm_scan_enqueue_from(scan, queue, args, 0, n, num_wait, wait, event);
}

dmm_status dmm_scan_host(dmm_context *ctx, const dmm_scan_desc *desc, void *items, size_t n)
{
    dmm_status status = DMM_OK;
    dmm_scan *scan = NULL;
    dmm_scan_args args = {.temp = DMM_NONE};
    cl_event done = NULL;
    TRY(dmm_scan_create(&scan, ctx, desc));
    FAIL_IF(n != 0 && items == NULL, DMM_NULL_ARGUMENT);
    const uint64_t bytes = dmm_size_mul(n, scan->layout.key_bytes);
    TRY(dmm_upload(ctx, items, bytes, &args.in.buffer));
    args.out = args.in;
    TRY(dmm_scan_enqueue(scan, ctx->queue, &args, n, 0, NULL, &done));
    TRY(dmm_download(ctx, args.out.buffer, items, bytes, &done));
out:
    dmm_settle(done);
    if (args.in.buffer != NULL)
        clReleaseMemObject(args.in.buffer);
    dmm_scan_free(scan);
    return status;
}
