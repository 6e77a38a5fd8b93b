/* SPDX-License-Identifier: MIT */
/*
 * Every group counts a range of the labels, then the counts of the groups are added up.
 */
#include <dmm/histogram.h>

#include <stdlib.h>

#include "core/check.h"
#include "core/launch.h"
#include "core/size.h"
#include "core/temp.h"
#include "core/transfer.h"
#include "primitives/order.h"
#include "primitives/words.h"

enum { MAX_BINS = 1 << 16, MAX_COLUMN_BINS = 1 << 8 };
/* Two groups share a compute unit where their columns take at most this. */
enum { GPU_COLUMN_BYTES = 1 << 15, GPU_U = 256 };
/* Bins that a group of the second kernel adds up. A range of labels fits counters of 32 bits. */
enum { TOTAL_BINS = 256, MAX_RANGE = 1 << 30, COUNT_BYTES = 8 };

static const char *const sources[] = {"cl/common.clh", "cl/words.clh", "cl/histogram.cl", NULL};
static const char *const column_sources[] = {
    "cl/common.clh", "cl/words.clh", "cl/columns.clh", "cl/histogram.cl", NULL};

struct dmm_histogram {
    dmm_context *ctx; /* borrowed */
    dmm_histogram_desc desc;
    dmm_word_layout labels;
    dmm_parameters p;
    int by_columns;
    cl_kernel count, total;
};

static dmm_status check_desc(const dmm_histogram_desc *desc)
{
    const dmm_type type = desc->type;
    if ((type != DMM_U8 && type != DMM_U16 && type != DMM_U32) || desc->bins < 1 ||
        desc->bins > MAX_BINS)
        return DMM_BAD_VALUE;
    return DMM_OK;
}

/* A byte a bin, whole words. */
static uint32_t column_bytes(const dmm_histogram *histogram)
{
    const uint32_t word = (uint32_t)histogram->ctx->device.bank_bytes.value;
    return (uint32_t)dmm_size_div_up(histogram->desc.bins, word) * word;
}

static dmm_status choose(dmm_histogram *histogram)
{
    dmm_status status = DMM_OK;
    const dmm_device *device = &histogram->ctx->device;
    const uint64_t banks = device->banks.value, local = device->local_bytes.value;
    const uint64_t room = local < GPU_COLUMN_BYTES ? local : GPU_COLUMN_BYTES;
    const uint32_t column = column_bytes(histogram);
    const dmm_tuning *const tuning = &histogram->desc.tuning;
    dmm_footprint footprint = {.item_bytes = histogram->labels.item_bytes, .word = "histogram"};
    histogram->by_columns = !dmm_context_is_cpu(histogram->ctx, tuning) &&
                            histogram->desc.bins <= MAX_COLUMN_BINS && banks * column <= local;
    if (histogram->by_columns) {
        uint64_t u = GPU_U;
        while (u > banks && (u * column > room || u > device->max_group.value))
            u /= 2;
        footprint.gpu_u = (uint32_t)u;
        footprint.group_bytes = column;
    }
    TRY(dmm_context_choose(&histogram->p, histogram->ctx, tuning, &footprint));
out:
    return status;
}

static dmm_status build(dmm_histogram *histogram)
{
    dmm_status status = DMM_OK;
    dmm_programs *programs = &histogram->ctx->programs;
    dmm_options options = {.bytes = 0};
    const uint32_t u = histogram->p.u;
    const dmm_program_desc desc = {.sources = histogram->by_columns ? column_sources : sources,
        .options = &options,
        .prelude = ""};
    cl_program program = NULL;
    dmm_parameters_define(&options, &histogram->p, &histogram->ctx->device);
    dmm_word_define(&options, &histogram->labels);
    dmm_options_define(&options, "DMM_HISTOGRAM_BINS", histogram->desc.bins);
    if (histogram->by_columns)
        dmm_options_define(&options, "DMM_COLUMN_BINS", histogram->desc.bins);
    TRY(dmm_programs_get(programs, &desc, &program));
    TRY(dmm_programs_kernel(programs, program, "dmm_histogram_count", u, &histogram->count));
    TRY(dmm_programs_kernel(programs, program, "dmm_histogram_total", u, &histogram->total));
out:
    return status;
}

static dmm_status create(dmm_histogram **out, dmm_context *ctx, const dmm_histogram_desc *desc)
{
    dmm_status status = DMM_OK;
    dmm_histogram *histogram = NULL;
    if (out == NULL)
        return DMM_NULL_ARGUMENT;
    *out = NULL;
    FAIL_IF(ctx == NULL || desc == NULL, DMM_NULL_ARGUMENT);
    TRY(check_desc(desc));
    FAIL_IF((histogram = calloc(1, sizeof *histogram)) == NULL, DMM_OUT_OF_MEMORY);
    histogram->ctx = ctx;
    histogram->desc = *desc;
    TRY(dmm_word_layout_init(
        &histogram->labels, &ctx->device, dmm_type_bytes(desc->type), desc->max_n));
    TRY(choose(histogram));
    TRY(build(histogram));
    *out = histogram;
    return DMM_OK;
out:
    dmm_histogram_free(histogram);
    return status;
}

dmm_status dmm_histogram_create(
    dmm_histogram **out, dmm_context *ctx, const dmm_histogram_desc *desc)
{
    const dmm_status status = create(out, ctx, desc);
    return dmm_context_drops_rows(ctx, "histogram", status) ? create(out, ctx, desc) : status;
}

void dmm_histogram_free(dmm_histogram *histogram)
{
    if (histogram == NULL)
        return;
    if (histogram->count != NULL)
        clReleaseKernel(histogram->count);
    if (histogram->total != NULL)
        clReleaseKernel(histogram->total);
    free(histogram);
}

/* At most this many groups count n labels; never fewer for more labels. */
static uint64_t most_groups(const dmm_histogram *histogram, uint64_t n)
{
    const uint64_t tiles = dmm_size_div_up(n, histogram->p.tile);
    const uint64_t least = dmm_size_div_up(n, MAX_RANGE);
    const uint64_t groups = tiles < histogram->p.most_groups ? tiles : histogram->p.most_groups;
    return groups > least ? groups : least;
}

static dmm_temp lay_out(const dmm_histogram *histogram, uint64_t n)
{
    dmm_temp temp = {0};
    const uint64_t counters = dmm_size_mul(most_groups(histogram, n), histogram->desc.bins);
    dmm_temp_region(&temp, counters, sizeof(cl_uint));
    return temp;
}

dmm_status dmm_histogram_temp_bytes(uint64_t *out, const dmm_histogram *histogram, uint64_t n)
{
    if (out == NULL || histogram == NULL)
        return DMM_NULL_ARGUMENT;
    if (n > histogram->labels.max_n)
        return DMM_TOO_LARGE;
    *out = lay_out(histogram, n).bytes;
    return *out == UINT64_MAX ? DMM_TOO_LARGE : DMM_OK;
}

static dmm_status check_args(const dmm_histogram *histogram, cl_command_queue queue,
    const dmm_histogram_args *args, uint64_t n, cl_uint num_wait, const cl_event *wait)
{
    dmm_status status = DMM_OK;
    const uint32_t item_bytes = histogram->labels.item_bytes, bins = histogram->desc.bins;
    TRY(dmm_check_queue(queue, histogram->ctx->cl, histogram->ctx->device.id));
    FAIL_IF(args == NULL, DMM_NULL_ARGUMENT);
    FAIL_IF(n > histogram->labels.max_n, DMM_TOO_LARGE);
    TRY(dmm_check_wait(num_wait, wait));
    TRY(dmm_check_span(args->labels, n, item_bytes));
    TRY(dmm_check_span(args->counts_out, bins, COUNT_BYTES));
    TRY(dmm_check_count(args->count));
    const dmm_extent in[] = {{args->labels, n * item_bytes}, {args->count, DMM_COUNT_BYTES}};
    const dmm_extent out[] = {{args->counts_out, (uint64_t)bins * COUNT_BYTES},
        {args->temp, lay_out(histogram, n).bytes}};
    TRY(dmm_check_overlaps(in, 2, out, 2, 0));
out:
    return status;
}

static dmm_status launch_count(const dmm_histogram *histogram, dmm_chain *chain,
    const dmm_histogram_args *args, dmm_span rows, cl_ulong n, cl_ulong range)
{
    const cl_ulong labels_at = dmm_span_items(args->labels, histogram->labels.item_bytes);
    const cl_ulong rows_at = dmm_span_items(rows, sizeof(cl_uint));
    const cl_ulong count_at = dmm_span_items(args->count, DMM_COUNT_BYTES);
    const dmm_arg table[] = {DMM_ARG_SPAN(args->labels, labels_at), DMM_ARG_SPAN(rows, rows_at),
        DMM_ARG(n), DMM_ARG(range), DMM_ARG_SPAN(args->count, count_at)};
    return dmm_chain_launch(chain, histogram->count, table, sizeof table / sizeof *table,
        (dmm_grid){0, dmm_size_div_up(n, range), histogram->p.u});
}

static dmm_status launch_total(const dmm_histogram *histogram, dmm_chain *chain, dmm_span rows,
    dmm_span counts, cl_ulong groups)
{
    const cl_ulong rows_at = dmm_span_items(rows, sizeof(cl_uint)), range = TOTAL_BINS;
    const cl_ulong counts_at = dmm_span_items(counts, COUNT_BYTES);
    const dmm_arg table[] = {DMM_ARG_SPAN(rows, rows_at), DMM_ARG_SPAN(counts, counts_at),
        DMM_ARG(groups), DMM_ARG(range)};
    return dmm_chain_launch(chain, histogram->total, table, sizeof table / sizeof *table,
        (dmm_grid){0, dmm_size_div_up(histogram->desc.bins, range), histogram->p.u});
}

dmm_status dmm_histogram_enqueue(dmm_histogram *histogram, cl_command_queue queue,
    const dmm_histogram_args *args, uint64_t n, cl_uint num_wait, const cl_event *wait,
    cl_event *event)
{
    dmm_status status = DMM_OK;
    dmm_chain chain = {queue, num_wait, wait, NULL};
    if (event != NULL)
        *event = NULL;
    if (histogram == NULL)
        return DMM_NULL_ARGUMENT;
    if ((status = check_args(histogram, queue, args, n, num_wait, wait)) != DMM_OK)
        return status;
    dmm_temp temp = lay_out(histogram, n);
    const uint64_t range = n != 0 ? dmm_size_div_up(n, most_groups(histogram, n)) : 1;
    TRY(dmm_temp_acquire(&temp, histogram->ctx->cl, args->temp));
    const dmm_span rows = dmm_temp_span(&temp, 0);
    TRY(launch_count(histogram, &chain, args, rows, n, range));
    TRY(launch_total(histogram, &chain, rows, args->counts_out, dmm_size_div_up(n, range)));
out:
    status = dmm_chain_end(&chain, status, event);
    dmm_temp_release(&temp);
    return status;
}

dmm_status dmm_histogram_host(dmm_context *ctx, const dmm_histogram_desc *desc, const void *labels,
    size_t n, uint64_t *counts)
{
    dmm_status status = DMM_OK;
    dmm_histogram *histogram = NULL;
    dmm_histogram_args args = {.temp = DMM_NONE};
    cl_event done = NULL;
    TRY(dmm_histogram_create(&histogram, ctx, desc));
    FAIL_IF((n != 0 && labels == NULL) || counts == NULL, DMM_NULL_ARGUMENT);
    const uint64_t bytes = (uint64_t)desc->bins * COUNT_BYTES;
    TRY(dmm_upload(
        ctx, labels, dmm_size_mul(n, histogram->labels.item_bytes), &args.labels.buffer));
    TRY(dmm_upload(ctx, NULL, bytes, &args.counts_out.buffer));
    TRY(dmm_histogram_enqueue(histogram, ctx->queue, &args, n, 0, NULL, &done));
    TRY(dmm_download(ctx, args.counts_out.buffer, counts, bytes, &done));
out:
    dmm_settle(done);
    if (args.counts_out.buffer != NULL)
        clReleaseMemObject(args.counts_out.buffer);
    if (args.labels.buffer != NULL)
        clReleaseMemObject(args.labels.buffer);
    dmm_histogram_free(histogram);
    return status;
}
