/* SPDX-License-Identifier: MIT */
/*
 * A call of dmm_partition: its arguments, its temp, its steps; and dmm_partition_host.
 */
#include <string.h>

#include "core/check.h"
#include "core/size.h"
#include "core/temp.h"
#include "core/transfer.h"
#include "primitives/partition.h"
#include "primitives/sort.h"

/* Where everything of a call lies. */
typedef struct partition_layout {
    dmm_temp temp;
    uint64_t buckets, sorted; /* lists of bucket numbers */
    uint64_t wrong;           /* a position a group */
    uint64_t verdict;         /* items to move; whether outputs may be written */
    uint64_t counts, scan;
    uint64_t sort;
} partition_layout;

static uint64_t count_groups(const dmm_partition *partition, uint64_t n)
{
    const uint64_t steps = dmm_size_div_up(n, partition->p.u * partition->p.E);
    return steps < partition->p.most_groups ? steps : partition->p.most_groups;
}

static uint64_t sort_bytes(const dmm_sort *sort, uint64_t n)
{
    uint64_t bytes = 0;
    if (sort != NULL && dmm_sort_temp_bytes(&bytes, sort, n) != DMM_OK)
        bytes = UINT64_MAX;
    return bytes;
}

static partition_layout lay_out(const dmm_partition *partition, uint64_t n)
{
    const uint64_t items = sort_bytes(partition->items, n);
    const uint64_t values = sort_bytes(partition->values, n);
    const uint64_t counts = (uint64_t)partition->count_rows * partition->p.most_groups;
    uint64_t scan_bytes = 0;
    partition_layout l = {.buckets = 0};
    if (partition->scan != NULL)
        dmm_scan_temp_bytes(&scan_bytes, partition->scan, counts);
    l.buckets = dmm_temp_region(&l.temp, n, partition->bucket_bytes);
    l.sorted = dmm_temp_region(&l.temp, n, partition->bucket_bytes);
    l.wrong = dmm_temp_region(&l.temp, count_groups(partition, n), partition->layout.index_bytes);
    l.verdict = dmm_temp_region(&l.temp, 2, sizeof(cl_ulong));
    l.counts = dmm_temp_region(&l.temp, counts, partition->layout.index_bytes);
    l.scan = dmm_temp_region(&l.temp, scan_bytes, 1);
    l.sort = dmm_temp_region(&l.temp, items > values ? items : values, 1);
    return l;
}

dmm_status dmm_partition_temp_bytes(uint64_t *out, const dmm_partition *partition, uint64_t n)
{
    if (out == NULL || partition == NULL)
        return DMM_NULL_ARGUMENT;
    if (n > partition->max_n)
        return DMM_TOO_LARGE;
    *out = lay_out(partition, n).temp.bytes;
    return *out == UINT64_MAX ? DMM_TOO_LARGE : DMM_OK;
}

/* What of `by` a call reads: so many of so many bytes. */
static uint64_t count_by(const dmm_partition *partition, uint64_t n)
{
    return partition->desc.by == DMM_BY_LABELS      ? n
           : partition->desc.by == DMM_BY_SPLITTERS ? partition->desc.ways - 1
                                                    : 0;
}

static uint32_t by_bytes(const dmm_partition *partition)
{
    return partition->desc.by == DMM_BY_LABELS ? partition->label_bytes : partition->item_bytes;
}

static dmm_status check_overlaps(
    const dmm_partition *partition, const dmm_partition_args *args, uint64_t n)
{
    const uint64_t items = n * partition->item_bytes, values = n * partition->desc.value_bytes;
    const uint64_t offsets = (partition->desc.ways + (uint64_t)1) * sizeof(cl_ulong);
    const dmm_extent outputs[] = {{args->items_out, items}, {args->values_out, values},
        {args->offsets, offsets}, {args->report, sizeof(dmm_report)},
        {args->temp, lay_out(partition, n).temp.bytes}};
    const dmm_extent inputs[] = {{args->items_in, items}, {args->values_in, values},
        {args->by, count_by(partition, n) * by_bytes(partition)}, {args->count, DMM_COUNT_BYTES}};
    return dmm_check_overlaps(inputs, 4, outputs, 5, 2);
}

static dmm_status check_args(const dmm_partition *partition, cl_command_queue queue,
    const dmm_partition_args *args, uint64_t n, cl_uint num_wait, const cl_event *wait)
{
    dmm_status status = DMM_OK;
    const uint32_t value_bytes = partition->desc.value_bytes;
    TRY(dmm_check_queue(queue, partition->ctx->cl, partition->ctx->device.id));
    FAIL_IF(args == NULL, DMM_NULL_ARGUMENT);
    FAIL_IF(n > partition->max_n, DMM_TOO_LARGE);
    TRY(dmm_check_wait(num_wait, wait));
    TRY(dmm_check_span(args->items_in, n, partition->item_bytes));
    if (value_bytes != 0)
        TRY(dmm_check_span(args->values_in, n, value_bytes));
    TRY(dmm_check_span(args->by, count_by(partition, n), by_bytes(partition)));
    TRY(dmm_check_span(args->items_out, n, partition->item_bytes));
    if (value_bytes != 0)
        TRY(dmm_check_span(args->values_out, n, value_bytes));
    TRY(dmm_check_span(args->offsets, partition->desc.ways + (uint64_t)1, sizeof(cl_ulong)));
    if (args->report.buffer != NULL)
        TRY(dmm_check_span(args->report, sizeof(dmm_report) / sizeof(cl_ulong), sizeof(cl_ulong)));
    TRY(dmm_check_count(args->count));
    TRY(check_overlaps(partition, args, n));
out:
    return status;
}

/* What all steps of a call have in common. */
typedef struct partition_call {
    const dmm_partition_args *args;
    dmm_span buckets, sorted, wrong, verdict, sort;
    dmm_span counts, scan; /* none where buckets are not counted as they are found */
    cl_ulong first, n, range;
    cl_uint groups;
} partition_call;

static partition_call call_of(const dmm_partition *partition, const dmm_partition_args *args,
    const partition_layout *l, uint64_t first, uint64_t n)
{
    const uint64_t most = count_groups(partition, n), step = partition->p.u * partition->p.E;
    const uint64_t range =
        most == 0 ? step : dmm_size_div_up(dmm_size_div_up(n, most), step) * step;
    partition_call c = {.args = args,
        .buckets = dmm_temp_span(&l->temp, l->buckets),
        .sorted = dmm_temp_span(&l->temp, l->sorted),
        .wrong = dmm_temp_span(&l->temp, l->wrong),
        .verdict = dmm_temp_span(&l->temp, l->verdict),
        .sort = dmm_temp_span(&l->temp, l->sort),
        .first = first,
        .n = n,
        .range = range,
        .groups = (cl_uint)dmm_size_div_up(n, range)};
    const dmm_radix_shares shares = dmm_radix_share(&partition->items->by.radix, n);
    if (partition->count_rows != 0 && shares.groups != 0) {
        c.counts = dmm_temp_span(&l->temp, l->counts);
        c.scan = dmm_temp_span(&l->temp, l->scan);
        c.range = shares.range;
        c.groups = (cl_uint)shares.groups;
    }
    return c;
}

static dmm_status find_buckets(
    const dmm_partition *partition, dmm_chain *chain, const partition_call *c)
{
    dmm_status status = DMM_OK;
    const dmm_item_layout *item = &partition->layout;
    const dmm_partition_args *args = c->args;
    const cl_ulong items_at = dmm_span_items(args->items_in, item->key_bytes) - c->first;
    const cl_ulong values_at = dmm_span_items(args->values_in, item->value_bytes) - c->first;
    const cl_ulong by_at = dmm_span_items(args->by, by_bytes(partition)) -
                           (partition->desc.by == DMM_BY_LABELS ? c->first : 0);
    const cl_ulong buckets_at = dmm_span_items(c->buckets, partition->bucket_bytes) - c->first;
    const cl_ulong wrong_at = dmm_span_items(c->wrong, item->index_bytes);
    const cl_ulong report_at = dmm_span_items(args->report, sizeof(cl_ulong));
    const cl_ulong verdict_at = dmm_span_items(c->verdict, sizeof(cl_ulong));
    const cl_ulong count_at = dmm_span_items(args->count, DMM_COUNT_BYTES);
    const cl_ulong counts_at = dmm_span_items(c->counts, item->index_bytes);
    const cl_ulong wide[] = {c->first, c->first + c->n, c->range};
    const cl_uint code = DMM_BAD_DATA, reports = args->report.buffer != NULL;
    cl_uint narrow[3];
    const dmm_arg bucket[] = {DMM_ARG_SPAN(args->items_in, items_at),
        DMM_ARG_SPAN(args->values_in, values_at), DMM_ARG_SPAN(args->by, by_at),
        DMM_ARG_SPAN(c->buckets, buckets_at), DMM_ARG_SPAN(c->wrong, wrong_at),
        dmm_index_arg(item, &wide[0], &narrow[0]), dmm_index_arg(item, &wide[1], &narrow[1]),
        dmm_index_arg(item, &wide[2], &narrow[2]), DMM_ARG_SPAN(args->count, count_at),
        DMM_ARG_SPAN(c->counts, counts_at), DMM_ARG(c->groups)};
    const dmm_arg judge[] = {DMM_ARG_SPAN(c->wrong, wrong_at), DMM_ARG(c->groups),
        dmm_index_arg(item, &wide[0], &narrow[0]), dmm_index_arg(item, &wide[1], &narrow[1]),
        DMM_ARG(code), DMM_ARG_SPAN(args->report, report_at), DMM_ARG(reports),
        DMM_ARG_SPAN(c->verdict, verdict_at), DMM_ARG_SPAN(args->count, count_at)};
    TRY(dmm_chain_launch(chain, partition->bucket, bucket, sizeof bucket / sizeof *bucket,
        (dmm_grid){0, c->groups, partition->p.u}));
    TRY(dmm_chain_launch(chain, partition->judge, judge, sizeof judge / sizeof *judge,
        (dmm_grid){0, 1, partition->p.u}));
out:
    return status;
}

static dmm_status scan_counts(
    const dmm_partition *partition, dmm_chain *chain, const partition_call *c)
{
    const dmm_scan_args args = {.in = c->counts, .out = c->counts, .temp = c->scan};
    const uint64_t counts = (uint64_t)partition->count_rows * c->groups;
    cl_event done = NULL;
    const dmm_status status =
        dmm_scan_enqueue(partition->scan, chain->queue, &args, counts, 1, &chain->last, &done);
    if (status == DMM_OK)
        dmm_chain_advance(chain, done);
    return status;
}

/* By the counts, where the sort shares out the items as they were counted. */
static dmm_status move(
    dmm_sort *sort, dmm_chain *chain, const partition_call *c, dmm_span in, dmm_span out)
{
    const dmm_sort_args args = {.keys_in = c->buckets,
        .values_in = in,
        .keys_out = c->sorted,
        .values_out = out,
        .temp = c->sort,
        .count = c->verdict};
    const dmm_radix_shares shares = dmm_radix_share(&sort->by.radix, c->n);
    const int same = shares.groups == c->groups && shares.range == c->range;
    cl_event done = NULL;
    const dmm_status status = dmm_sort_enqueue_counted(sort, chain->queue, &args,
        same ? c->counts : DMM_NONE, c->first, c->n, 1, &chain->last, &done);
    if (status == DMM_OK)
        dmm_chain_advance(chain, done);
    return status;
}

static dmm_status find_offsets(
    const dmm_partition *partition, dmm_chain *chain, const partition_call *c)
{
    const dmm_span offsets = c->args->offsets;
    const cl_ulong sorted_at = dmm_span_items(c->sorted, partition->bucket_bytes);
    const cl_ulong verdict_at = dmm_span_items(c->verdict, sizeof(cl_ulong));
    const cl_ulong offsets_at = dmm_span_items(offsets, sizeof(cl_ulong));
    const cl_ulong counts_at = dmm_span_items(c->counts, partition->layout.index_bytes);
    const dmm_arg args[] = {DMM_ARG_SPAN(c->sorted, sorted_at),
        DMM_ARG_SPAN(c->verdict, verdict_at), DMM_ARG_SPAN(offsets, offsets_at),
        DMM_ARG_SPAN(c->counts, counts_at), DMM_ARG(c->groups)};
    return dmm_chain_launch(chain, partition->offsets, args, sizeof args / sizeof *args,
        (dmm_grid){
            0, dmm_size_div_up(partition->desc.ways + (uint64_t)1, DMM_OFFSETS_U), DMM_OFFSETS_U});
}

dmm_status dmm_partition_enqueue_from(dmm_partition *partition, cl_command_queue queue,
    const dmm_partition_args *args, uint64_t first, uint64_t n, cl_uint num_wait,
    const cl_event *wait, cl_event *event)
{
    dmm_status status = DMM_OK;
    dmm_chain chain = {queue, num_wait, wait, NULL};
    if (event != NULL)
        *event = NULL;
    if (partition == NULL)
        return DMM_NULL_ARGUMENT;
    if ((status = check_args(partition, queue, args, n, num_wait, wait)) != DMM_OK)
        return status;
    partition_layout l = lay_out(partition, n);
    TRY(dmm_temp_acquire(&l.temp, partition->ctx->cl, args->temp));
    const partition_call c = call_of(partition, args, &l, first, n);
    TRY(find_buckets(partition, &chain, &c));
    if (c.counts.buffer != NULL)
        TRY(scan_counts(partition, &chain, &c));
    if (n != 0)
        TRY(move(partition->items, &chain, &c, args->items_in, args->items_out));
    if (n != 0 && partition->values != NULL)
        TRY(move(partition->values, &chain, &c, args->values_in, args->values_out));
    TRY(find_offsets(partition, &chain, &c));
out:
    status = dmm_chain_end(&chain, status, event);
    dmm_temp_release(&l.temp);
    return status;
}

dmm_status dmm_partition_enqueue(dmm_partition *partition, cl_command_queue queue,
    const dmm_partition_args *args, uint64_t n, cl_uint num_wait, const cl_event *wait,
    cl_event *event)
{
    return dmm_partition_enqueue_from(partition, queue, args, 0, n, num_wait, wait, event);
}

/* Outputs are copied back where the report says that there are any. */
static dmm_status bring_back(dmm_partition *partition, const dmm_partition_args *spans,
    const dmm_partition_host_args *args, size_t n, dmm_report *report)
{
    dmm_status status = DMM_OK;
    const dmm_context *ctx = partition->ctx;
    TRY(dmm_download(ctx, spans->report.buffer, report, sizeof *report, NULL));
    if (args->report != NULL)
        *args->report = *report;
    FAIL_IF(report->code != DMM_OK, (dmm_status)report->code);
    TRY(dmm_download(ctx, spans->items_out.buffer, args->items, n * partition->item_bytes, NULL));
    TRY(dmm_download(
        ctx, spans->values_out.buffer, args->values, n * partition->desc.value_bytes, NULL));
    TRY(dmm_download(ctx, spans->offsets.buffer, args->offsets,
        (partition->desc.ways + (uint64_t)1) * sizeof *args->offsets, NULL));
out:
    return status;
}

static dmm_status check_host_args(
    const dmm_partition *partition, const dmm_partition_host_args *args, size_t n)
{
    if (args == NULL || args->offsets == NULL || (n != 0 && args->items == NULL) ||
        (n != 0 && args->values == NULL && partition->desc.value_bytes != 0) ||
        (args->by == NULL && count_by(partition, n) != 0))
        return DMM_NULL_ARGUMENT;
    return n > partition->max_n ? DMM_TOO_LARGE : DMM_OK;
}

dmm_status dmm_partition_host(
    dmm_context *ctx, const dmm_partition_desc *desc, const dmm_partition_host_args *args, size_t n)
{
    dmm_status status = DMM_OK;
    dmm_partition *partition = NULL;
    dmm_partition_args spans = {.temp = DMM_NONE};
    dmm_report report = {.code = 0};
    cl_event done = NULL;

    TRY(dmm_partition_create(&partition, ctx, desc));
    TRY(check_host_args(partition, args, n));
    TRY(dmm_upload(
        ctx, args->items, dmm_size_mul(n, partition->item_bytes), &spans.items_in.buffer));
    TRY(dmm_upload(ctx, args->values, dmm_size_mul(n, desc->value_bytes), &spans.values_in.buffer));
    TRY(dmm_upload(ctx, args->by, dmm_size_mul(count_by(partition, n), by_bytes(partition)),
        &spans.by.buffer));
    TRY(dmm_upload(
        ctx, NULL, (desc->ways + (uint64_t)1) * sizeof *args->offsets, &spans.offsets.buffer));
    TRY(dmm_upload(ctx, NULL, sizeof report, &spans.report.buffer));
    spans.items_out = spans.items_in;
    spans.values_out = spans.values_in;
    TRY(dmm_partition_enqueue(partition, ctx->queue, &spans, n, 0, NULL, &done));
    TRY(clWaitForEvents(1, &done));
    TRY(bring_back(partition, &spans, args, n, &report));
out:
    dmm_settle(done);
    const cl_mem buffers[] = {spans.report.buffer, spans.offsets.buffer, spans.by.buffer,
        spans.values_in.buffer, spans.items_in.buffer};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
        if (buffers[i] != NULL)
            clReleaseMemObject(buffers[i]);
    dmm_partition_free(partition);
    return status;
}
