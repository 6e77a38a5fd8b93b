/* SPDX-License-Identifier: MIT */
/*
 * Marks, a scan of them, and a move of what is marked: once for keys, once for values.
 */
#include <dmm/unique.h>

#include <stdlib.h>

#include <dmm/scan.h>

#include "core/check.h"
#include "core/launch.h"
#include "core/size.h"
#include "core/temp.h"
#include "core/transfer.h"
#include "primitives/order.h"
#include "primitives/words.h"

enum { START_BYTES = 8 };

static const char *const sources[] = {"cl/common.clh", "cl/words.clh", "cl/unique.cl", NULL};

/* Keys or values. */
typedef struct unique_list {
    dmm_word_layout words;
    cl_kernel mark, keep;
} unique_list;

struct dmm_unique {
    dmm_context *ctx; /* borrowed */
    dmm_unique_desc desc;
    dmm_parameters p;
    unique_list keys, values;
    dmm_scan *scan; /* of marks */
    uint32_t index_bytes;
    uint64_t max_n;
};

static dmm_status list_build(dmm_unique *unique, unique_list *list)
{
    dmm_status status = DMM_OK;
    dmm_programs *programs = &unique->ctx->programs;
    dmm_options options = {.bytes = 0};
    const dmm_program_desc desc = {.sources = sources, .options = &options, .prelude = ""};
    cl_program program = NULL;
    list->words.index_bytes = unique->index_bytes;
    dmm_parameters_define(&options, &unique->p, &unique->ctx->device);
    dmm_word_define(&options, &list->words);
    TRY(dmm_programs_get(programs, &desc, &program));
    TRY(dmm_programs_kernel(programs, program, "dmm_unique_mark", unique->p.u, &list->mark));
    TRY(dmm_programs_kernel(programs, program, "dmm_unique_keep", unique->p.u, &list->keep));
out:
    return status;
}

static dmm_status init(dmm_unique *unique)
{
    dmm_status status = DMM_OK;
    const dmm_unique_desc *desc = &unique->desc;
    const dmm_device *device = &unique->ctx->device;
    TRY(dmm_word_layout_init(&unique->keys.words, device, desc->key_bytes, desc->max_n));
    if (desc->value_bytes != 0)
        TRY(dmm_word_layout_init(&unique->values.words, device, desc->value_bytes, desc->max_n));
    const dmm_footprint footprint = {.item_bytes = desc->key_bytes, .word = "unique"};
    TRY(dmm_context_choose(&unique->p, unique->ctx, &desc->tuning, &footprint));
    unique->index_bytes = unique->keys.words.index_bytes;
    unique->max_n = unique->keys.words.max_n;
    if (desc->value_bytes != 0 && unique->values.words.max_n < unique->max_n)
        unique->max_n = unique->values.words.max_n;
    TRY(list_build(unique, &unique->keys));
    if (desc->value_bytes != 0)
        TRY(list_build(unique, &unique->values));
    const dmm_scan_desc scan = {.type = unique->index_bytes == 8 ? DMM_U64 : DMM_U32,
        .max_n = unique->max_n,
        .tuning = {.form = unique->p.cpu ? DMM_FORM_CPU : DMM_FORM_GPU}};
    TRY(dmm_scan_create(&unique->scan, unique->ctx, &scan));
out:
    return status;
}

static dmm_status create(dmm_unique **out, dmm_context *ctx, const dmm_unique_desc *desc)
{
    dmm_status status = DMM_OK;
    dmm_unique *unique = NULL;
    if (out == NULL)
        return DMM_NULL_ARGUMENT;
    *out = NULL;
    FAIL_IF(ctx == NULL || desc == NULL, DMM_NULL_ARGUMENT);
    FAIL_IF((unique = calloc(1, sizeof *unique)) == NULL, DMM_OUT_OF_MEMORY);
    unique->ctx = ctx;
    unique->desc = *desc;
    TRY(init(unique));
    *out = unique;
    return DMM_OK;
out:
    dmm_unique_free(unique);
    return status;
}

dmm_status dmm_unique_create(dmm_unique **out, dmm_context *ctx, const dmm_unique_desc *desc)
{
    const dmm_status status = create(out, ctx, desc);
    return dmm_context_drops_rows(ctx, "unique", status) ? create(out, ctx, desc) : status;
}

void dmm_unique_free(dmm_unique *unique)
{
    if (unique == NULL)
        return;
    const cl_kernel kernels[] = {
        unique->keys.mark, unique->keys.keep, unique->values.mark, unique->values.keep};
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++)
        if (kernels[i] != NULL)
            clReleaseKernel(kernels[i]);
    dmm_scan_free(unique->scan);
    free(unique);
}

typedef struct unique_layout {
    dmm_temp temp;
    uint64_t ranks, scan;
} unique_layout;

static unique_layout lay_out(const dmm_unique *unique, uint64_t n)
{
    uint64_t scan_bytes = 0;
    unique_layout l = {.ranks = 0};
    dmm_scan_temp_bytes(&scan_bytes, unique->scan, n);
    l.ranks = dmm_temp_region(&l.temp, n, unique->index_bytes);
    l.scan = dmm_temp_region(&l.temp, scan_bytes, 1);
    return l;
}

dmm_status dmm_unique_temp_bytes(uint64_t *out, const dmm_unique *unique, uint64_t n)
{
    if (out == NULL || unique == NULL)
        return DMM_NULL_ARGUMENT;
    if (n > unique->max_n)
        return DMM_TOO_LARGE;
    *out = lay_out(unique, n).temp.bytes;
    return *out == UINT64_MAX ? DMM_TOO_LARGE : DMM_OK;
}

static dmm_status check_spans(const dmm_unique *unique, const dmm_unique_args *args, uint64_t n)
{
    dmm_status status = DMM_OK;
    const uint32_t key = unique->desc.key_bytes, value = unique->desc.value_bytes;
    TRY(dmm_check_span(args->keys_in, n, key));
    if (value != 0)
        TRY(dmm_check_span(args->values_in, n, value));
    TRY(dmm_check_span(args->keys_out, n, key));
    if (value != 0)
        TRY(dmm_check_span(args->values_out, n, value));
    if (args->starts_out.buffer != NULL)
        TRY(dmm_check_span(args->starts_out, n, START_BYTES));
    TRY(dmm_check_span(args->runs_out, 1, DMM_COUNT_BYTES));
    TRY(dmm_check_count(args->count));
    const dmm_extent in[] = {
        {args->keys_in, n * key}, {args->values_in, n * value}, {args->count, DMM_COUNT_BYTES}};
    const dmm_extent out[] = {{args->keys_out, n * key}, {args->values_out, n * value},
        {args->starts_out, n * START_BYTES}, {args->runs_out, DMM_COUNT_BYTES},
        {args->temp, lay_out(unique, n).temp.bytes}};
    TRY(dmm_check_overlaps(in, 3, out, 5, 0));
out:
    return status;
}

static dmm_status check_args(const dmm_unique *unique, cl_command_queue queue,
    const dmm_unique_args *args, uint64_t n, cl_uint num_wait, const cl_event *wait)
{
    dmm_status status = DMM_OK;
    TRY(dmm_check_queue(queue, unique->ctx->cl, unique->ctx->device.id));
    FAIL_IF(args == NULL, DMM_NULL_ARGUMENT);
    FAIL_IF(n > unique->max_n, DMM_TOO_LARGE);
    TRY(dmm_check_wait(num_wait, wait));
    TRY(check_spans(unique, args, n));
out:
    return status;
}

/* Tiles in the GPU form; in the CPU form as many groups as are evenly shared out. */
static uint64_t range_of(const dmm_unique *unique, uint64_t n)
{
    const uint64_t share = dmm_size_div_up(n, unique->p.most_groups);
    return !unique->p.cpu || share < unique->p.tile ? unique->p.tile : share;
}

static dmm_grid grid_of(const dmm_unique *unique, uint64_t n)
{
    const uint64_t groups = dmm_size_div_up(n, range_of(unique, n));
    return (dmm_grid){0, groups != 0 ? groups : 1, unique->p.u};
}

static dmm_status mark(const dmm_unique *unique, dmm_chain *chain, const dmm_unique_args *args,
    dmm_span ranks, cl_ulong n)
{
    const cl_ulong keys_at = dmm_span_items(args->keys_in, unique->keys.words.word_bytes);
    const cl_ulong ranks_at = dmm_span_items(ranks, unique->index_bytes);
    const cl_ulong count_at = dmm_span_items(args->count, DMM_COUNT_BYTES);
    const cl_ulong range = range_of(unique, n);
    const dmm_arg table[] = {DMM_ARG_SPAN(args->keys_in, keys_at), DMM_ARG_SPAN(ranks, ranks_at),
        DMM_ARG(n), DMM_ARG(range), DMM_ARG_SPAN(args->count, count_at)};
    return dmm_chain_launch(
        chain, unique->keys.mark, table, sizeof table / sizeof *table, grid_of(unique, n));
}

static dmm_status rank(const dmm_unique *unique, dmm_chain *chain, const dmm_unique_args *args,
    const unique_layout *l, uint64_t n)
{
    const dmm_span ranks = dmm_temp_span(&l->temp, l->ranks);
    const dmm_scan_args scan = {
        .in = ranks, .out = ranks, .temp = dmm_temp_span(&l->temp, l->scan), .count = args->count};
    cl_event done = NULL;
    const dmm_status status =
        dmm_scan_enqueue(unique->scan, chain->queue, &scan, n, 1, &chain->last, &done);
    if (status == DMM_OK)
        dmm_chain_advance(chain, done);
    return status;
}

/* starts and runs: none where another list's launch writes them. */
static dmm_status keep(const dmm_unique *unique, dmm_chain *chain, const unique_list *list,
    dmm_span in, dmm_span out, dmm_span ranks, dmm_span starts, dmm_span runs, dmm_span count,
    cl_ulong n)
{
    const cl_ulong in_at = dmm_span_items(in, list->words.word_bytes);
    const cl_ulong out_at = dmm_span_items(out, list->words.word_bytes);
    const cl_ulong ranks_at = dmm_span_items(ranks, unique->index_bytes);
    const cl_ulong starts_at = dmm_span_items(starts, START_BYTES);
    const cl_ulong runs_at = dmm_span_items(runs, DMM_COUNT_BYTES);
    const cl_ulong count_at = dmm_span_items(count, DMM_COUNT_BYTES);
    const cl_ulong range = range_of(unique, n);
    const dmm_arg table[] = {DMM_ARG_SPAN(in, in_at), DMM_ARG_SPAN(ranks, ranks_at),
        DMM_ARG_SPAN(out, out_at), DMM_ARG_SPAN(starts, starts_at), DMM_ARG_SPAN(runs, runs_at),
        DMM_ARG(n), DMM_ARG(range), DMM_ARG_SPAN(count, count_at)};
    return dmm_chain_launch(
        chain, list->keep, table, sizeof table / sizeof *table, grid_of(unique, n));
}

dmm_status dmm_unique_enqueue(dmm_unique *unique, cl_command_queue queue,
    const dmm_unique_args *args, uint64_t n, cl_uint num_wait, const cl_event *wait,
    cl_event *event)
{
    dmm_status status = DMM_OK;
    dmm_chain chain = {queue, num_wait, wait, NULL};
    if (event != NULL)
        *event = NULL;
    if (unique == NULL)
        return DMM_NULL_ARGUMENT;
    if ((status = check_args(unique, queue, args, n, num_wait, wait)) != DMM_OK)
        return status;
    unique_layout l = lay_out(unique, n);
    TRY(dmm_temp_acquire(&l.temp, unique->ctx->cl, args->temp));
    const dmm_span ranks = dmm_temp_span(&l.temp, l.ranks);
    if (n != 0) {
        TRY(mark(unique, &chain, args, ranks, n));
        TRY(rank(unique, &chain, args, &l, n));
    }
    TRY(keep(unique, &chain, &unique->keys, args->keys_in, args->keys_out, ranks, args->starts_out,
        args->runs_out, args->count, n));
    if (unique->desc.value_bytes != 0)
        TRY(keep(unique, &chain, &unique->values, args->values_in, args->values_out, ranks,
            DMM_NONE, DMM_NONE, args->count, n));
out:
    status = dmm_chain_end(&chain, status, event);
    dmm_temp_release(&l.temp);
    return status;
}

dmm_status dmm_unique_host(
    dmm_context *ctx, const dmm_unique_desc *desc, void *keys, void *values, size_t n, size_t *runs)
{
    dmm_status status = DMM_OK;
    dmm_unique *unique = NULL;
    cl_mem buffers[5] = {NULL};
    cl_event done = NULL;
    uint64_t kept = 0;
    TRY(dmm_unique_create(&unique, ctx, desc));
    FAIL_IF(runs == NULL || (n != 0 && keys == NULL), DMM_NULL_ARGUMENT);
    FAIL_IF(n != 0 && desc->value_bytes != 0 && values == NULL, DMM_NULL_ARGUMENT);
    const uint64_t key_bytes = dmm_size_mul(n, desc->key_bytes);
    const uint64_t value_bytes = dmm_size_mul(n, desc->value_bytes);
    TRY(dmm_upload(ctx, keys, key_bytes, &buffers[0]));
    TRY(dmm_upload(ctx, values, value_bytes, &buffers[1]));
    TRY(dmm_upload(ctx, NULL, key_bytes, &buffers[2]));
    TRY(dmm_upload(ctx, NULL, value_bytes, &buffers[3]));
    TRY(dmm_upload(ctx, NULL, sizeof kept, &buffers[4]));
    const dmm_unique_args args = {.keys_in = {buffers[0], 0},
        .values_in = {buffers[1], 0},
        .keys_out = {buffers[2], 0},
        .values_out = {buffers[3], 0},
        .runs_out = {buffers[4], 0}};
    TRY(dmm_unique_enqueue(unique, ctx->queue, &args, n, 0, NULL, &done));
    TRY(dmm_download(ctx, buffers[4], &kept, sizeof kept, &done));
    TRY(dmm_download(ctx, buffers[2], keys, kept * desc->key_bytes, NULL));
    TRY(dmm_download(ctx, buffers[3], values, kept * desc->value_bytes, NULL));
    *runs = (size_t)kept;
out:
    dmm_settle(done);
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
        if (buffers[i] != NULL)
            clReleaseMemObject(buffers[i]);
    dmm_unique_free(unique);
    return status;
}
