/* SPDX-License-Identifier: MIT */
/*
 * The first half of a scan: every group's total, and then the total of these by one group. Both are
 * dmm_scan_reduce.
 */
#include <dmm/reduce.h>

#include <stdlib.h>

#include "core/check.h"
#include "core/launch.h"
#include "core/size.h"
#include "core/temp.h"
#include "core/transfer.h"
#include "primitives/scan.h"

struct dmm_reduce {
    dmm_scan *scan;
};

dmm_status dmm_reduce_create(dmm_reduce **out, dmm_context *ctx, const dmm_reduce_desc *desc)
{
    dmm_status status = DMM_OK;
    dmm_reduce *reduce = NULL;
    if (out == NULL)
        return DMM_NULL_ARGUMENT;
    *out = NULL;
    FAIL_IF(ctx == NULL || desc == NULL, DMM_NULL_ARGUMENT);
    FAIL_IF((reduce = calloc(1, sizeof *reduce)) == NULL, DMM_OUT_OF_MEMORY);
    const dmm_scan_desc scan = {
        .type = desc->type, .op = desc->op, .max_n = desc->max_n, .tuning = desc->tuning};
    TRY(dmm_scan_create(&reduce->scan, ctx, &scan));
    *out = reduce;
    return DMM_OK;
out:
    dmm_reduce_free(reduce);
    return status;
}

void dmm_reduce_free(dmm_reduce *reduce)
{
    if (reduce == NULL)
        return;
    dmm_scan_free(reduce->scan);
    free(reduce);
}

/* A total a group, where there are several. dmm_scan_share may give fewer groups to more items:
 * laid out for the most, which grows with n. */
static dmm_temp lay_out(const dmm_scan *scan, uint64_t n)
{
    dmm_temp temp = {0};
    const uint64_t tiles = dmm_size_div_up(n, scan->p.tile);
    const uint64_t groups = tiles < scan->p.most_groups ? tiles : scan->p.most_groups;
    dmm_temp_region(&temp, groups > 1 ? groups : 0, scan->layout.key_bytes);
    return temp;
}

dmm_status dmm_reduce_temp_bytes(uint64_t *out, const dmm_reduce *reduce, uint64_t n)
{
    if (out == NULL || reduce == NULL)
        return DMM_NULL_ARGUMENT;
    if (n > reduce->scan->max_n)
        return DMM_TOO_LARGE;
    *out = lay_out(reduce->scan, n).bytes;
    return DMM_OK;
}

static dmm_status check_args(const dmm_scan *scan, cl_command_queue queue,
    const dmm_reduce_args *args, uint64_t n, cl_uint num_wait, const cl_event *wait)
{
    dmm_status status = DMM_OK;
    const uint32_t item_bytes = scan->layout.key_bytes;
    TRY(dmm_check_queue(queue, scan->ctx->cl, scan->ctx->device.id));
    FAIL_IF(args == NULL, DMM_NULL_ARGUMENT);
    FAIL_IF(n > scan->max_n, DMM_TOO_LARGE);
    TRY(dmm_check_wait(num_wait, wait));
    TRY(dmm_check_span(args->in, n, item_bytes));
    TRY(dmm_check_span(args->out, 1, item_bytes));
    TRY(dmm_check_count(args->count));
    const dmm_extent in[] = {{args->in, n * item_bytes}, {args->count, DMM_COUNT_BYTES}};
    const dmm_extent out[] = {{args->out, item_bytes}, {args->temp, lay_out(scan, n).bytes}};
    TRY(dmm_check_overlaps(in, 2, out, 2, 0));
out:
    return status;
}

/* to[g] = the total of group g's range. */
static dmm_status launch(const dmm_scan *scan, dmm_chain *chain, dmm_span from, dmm_span to,
    cl_ulong n, dmm_scan_shares shares, dmm_span count)
{
    const cl_ulong from_at = dmm_span_items(from, scan->layout.key_bytes);
    const cl_ulong to_at = dmm_span_items(to, scan->layout.key_bytes);
    const cl_ulong count_at = dmm_span_items(count, DMM_COUNT_BYTES), range = shares.range;
    const dmm_arg args[] = {DMM_ARG_SPAN(from, from_at), DMM_ARG_SPAN(to, to_at), DMM_ARG(n),
        DMM_ARG(range), DMM_ARG_SPAN(count, count_at)};
    return dmm_chain_launch(chain, scan->reduce, args, sizeof args / sizeof *args,
        (dmm_grid){0, shares.groups, scan->p.u});
}

dmm_status dmm_reduce_enqueue(dmm_reduce *reduce, cl_command_queue queue,
    const dmm_reduce_args *args, uint64_t n, cl_uint num_wait, const cl_event *wait,
    cl_event *event)
{
    dmm_status status = DMM_OK;
    dmm_chain chain = {queue, num_wait, wait, NULL};
    if (event != NULL)
        *event = NULL;
    if (reduce == NULL)
        return DMM_NULL_ARGUMENT;
    const dmm_scan *scan = reduce->scan;
    if ((status = check_args(scan, queue, args, n, num_wait, wait)) != DMM_OK)
        return status;
    const dmm_scan_shares shares = dmm_scan_share(scan, n), alone = {1, n};
    dmm_temp temp = lay_out(scan, n);
    TRY(dmm_temp_acquire(&temp, scan->ctx->cl, args->temp));
    if (shares.groups <= 1) {
        TRY(launch(scan, &chain, args->in, args->out, n, alone, args->count));
        goto out;
    }
    const dmm_span totals = dmm_temp_span(&temp, 0);
    const dmm_scan_shares of_totals = {1, shares.groups};
    TRY(launch(scan, &chain, args->in, totals, n, shares, args->count));
    TRY(launch(scan, &chain, totals, args->out, shares.groups, of_totals, DMM_NONE));
out:
    status = dmm_chain_end(&chain, status, event);
    dmm_temp_release(&temp);
    return status;
}

dmm_status dmm_reduce_host(
    dmm_context *ctx, const dmm_reduce_desc *desc, const void *items, size_t n, void *result)
{
    dmm_status status = DMM_OK;
    dmm_reduce *reduce = NULL;
    dmm_reduce_args args = {.temp = DMM_NONE};
    cl_event done = NULL;
    TRY(dmm_reduce_create(&reduce, ctx, desc));
    FAIL_IF((n != 0 && items == NULL) || result == NULL, DMM_NULL_ARGUMENT);
    const uint32_t item_bytes = reduce->scan->layout.key_bytes;
    TRY(dmm_upload(ctx, items, dmm_size_mul(n, item_bytes), &args.in.buffer));
    TRY(dmm_upload(ctx, NULL, item_bytes, &args.out.buffer));
    TRY(dmm_reduce_enqueue(reduce, ctx->queue, &args, n, 0, NULL, &done));
    TRY(dmm_download(ctx, args.out.buffer, result, item_bytes, &done));
out:
    dmm_settle(done);
    if (args.out.buffer != NULL)
        clReleaseMemObject(args.out.buffer);
    if (args.in.buffer != NULL)
        clReleaseMemObject(args.in.buffer);
    dmm_reduce_free(reduce);
    return status;
}
