/* SPDX-License-Identifier: MIT */
/*
 * A count of what begins a run, a scan of the groups' counts, a move of those keys, and a fetch of
 * their values.
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

static const char *const gpu_sources[] = {"cl/common.clh", "cl/map.clh", "cl/words.clh",
    "cl/group.clh", "cl/columns.clh", "cl/unique.clh", "cl/unique.cl", NULL};
static const char *const cpu_sources[] = {
    "cl/common.clh", "cl/words.clh", "cl/unique.clh", "cl/unique_cpu.cl", NULL};
static const char *const value_sources[] = {
    "cl/common.clh", "cl/words.clh", "cl/unique_fetch.cl", NULL};

struct dmm_unique {
    dmm_context *ctx; /* borrowed */
    dmm_unique_desc desc;
    dmm_parameters p;
    dmm_word_layout keys, values;
    cl_kernel count, keep;
    cl_kernel fetch; /* NULL where there are no values */
    dmm_scan *scan;  /* of counts */
    uint32_t index_bytes;
    uint64_t max_n;
};

static dmm_status get_program(const dmm_unique *unique, const char *const *sources,
    const dmm_word_layout *words, cl_program *out)
{
    dmm_options options = {.bytes = 0};
    const dmm_program_desc desc = {.sources = sources, .options = &options, .prelude = ""};
    dmm_word_layout layout = *words;
    layout.index_bytes = unique->index_bytes;
    dmm_parameters_define(&options, &unique->p, &unique->ctx->device);
    dmm_word_define(&options, &layout);
    if (sources == gpu_sources)
        dmm_options_define(&options, "DMM_COLUMN_BINS", 1); /* only sums are wanted */
    return dmm_programs_get(&unique->ctx->programs, &desc, out);
}

static dmm_status build(dmm_unique *unique)
{
    dmm_status status = DMM_OK;
    dmm_programs *programs = &unique->ctx->programs;
    const uint32_t u = unique->p.u;
    cl_program program = NULL;
    TRY(get_program(unique, unique->p.cpu ? cpu_sources : gpu_sources, &unique->keys, &program));
    TRY(dmm_programs_kernel(programs, program, "dmm_unique_count", u, &unique->count));
    TRY(dmm_programs_kernel(programs, program, "dmm_unique_keep", u, &unique->keep));
    if (unique->desc.value_bytes != 0) {
        TRY(get_program(unique, value_sources, &unique->values, &program));
        TRY(dmm_programs_kernel(programs, program, "dmm_unique_fetch", u, &unique->fetch));
    }
    const dmm_scan_desc scan = {.type = unique->index_bytes == 8 ? DMM_U64 : DMM_U32,
        .exclusive = 1,
        .max_n = unique->p.most_groups + (uint64_t)1,
        .tuning = {.form = unique->p.cpu ? DMM_FORM_CPU : DMM_FORM_GPU, .u = unique->p.u}};
    TRY(dmm_scan_create(&unique->scan, unique->ctx, &scan));
out:
    return status;
}

static dmm_status init(dmm_unique *unique)
{
    dmm_status status = DMM_OK;
    const dmm_unique_desc *desc = &unique->desc;
    const dmm_device *device = &unique->ctx->device;
    const uint32_t word = (uint32_t)device->bank_bytes.value;
    TRY(dmm_word_layout_init(&unique->keys, device, desc->key_bytes, desc->max_n));
    if (desc->value_bytes != 0)
        TRY(dmm_word_layout_init(&unique->values, device, desc->value_bytes, desc->max_n));
    unique->index_bytes = unique->keys.index_bytes;
    unique->max_n = unique->keys.max_n;
    if (desc->value_bytes != 0 && unique->values.max_n < unique->max_n)
        unique->max_n = unique->values.max_n;
    /* Local memory: a rank an item; two sums, or a count, a work-item. */
    const dmm_footprint footprint = {.item_bytes = desc->key_bytes,
        .local_bytes = word,
        .group_bytes = 2 * word,
        .word = "unique"};
    TRY(dmm_context_choose(&unique->p, unique->ctx, &desc->tuning, &footprint));
    TRY(build(unique));
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
    const cl_kernel kernels[] = {unique->count, unique->keep, unique->fetch};
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++)
        if (kernels[i] != NULL)
            clReleaseKernel(kernels[i]);
    dmm_scan_free(unique->scan);
    free(unique);
}

/* At most this many groups share n items; never fewer for more of them. */
static uint64_t most_groups(const dmm_unique *unique, uint64_t n)
{
    const uint64_t tiles = dmm_size_div_up(n, unique->p.tile);
    return tiles == 0 ? 1 : tiles < unique->p.most_groups ? tiles : unique->p.most_groups;
}

typedef struct unique_layout {
    dmm_temp temp;
    uint64_t counts, starts, scan;
} unique_layout;

static unique_layout lay_out(const dmm_unique *unique, uint64_t n)
{
    const uint64_t counts = most_groups(unique, n) + 1;
    uint64_t scan_bytes = 0;
    unique_layout l = {.counts = 0};
    dmm_scan_temp_bytes(&scan_bytes, unique->scan, counts);
    l.counts = dmm_temp_region(&l.temp, counts, unique->index_bytes);
    l.starts = dmm_temp_region(&l.temp, unique->fetch != NULL ? n : 0, START_BYTES);
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

/* A call, laid out. */
typedef struct unique_call {
    const dmm_unique_args *args;
    dmm_span counts, starts, scan;
    cl_ulong n, range;
    cl_uint groups;
} unique_call;

static unique_call call_of(
    const dmm_unique *unique, const dmm_unique_args *args, const unique_layout *l, uint64_t n)
{
    const uint64_t share = dmm_size_div_up(n, most_groups(unique, n)), tile = unique->p.tile;
    const uint64_t range = unique->p.cpu ? share : dmm_size_div_up(share, tile) * tile;
    const int keeps_starts = args->starts_out.buffer == NULL && unique->fetch != NULL;
    return (unique_call){.args = args,
        .counts = dmm_temp_span(&l->temp, l->counts),
        .starts = keeps_starts ? dmm_temp_span(&l->temp, l->starts) : args->starts_out,
        .scan = dmm_temp_span(&l->temp, l->scan),
        .n = n,
        .range = range,
        .groups = n != 0 ? (cl_uint)dmm_size_div_up(n, range) : 1};
}

static dmm_status launch(
    const dmm_unique *unique, dmm_chain *chain, cl_kernel kernel, const unique_call *c)
{
    const dmm_unique_args *args = c->args;
    const cl_ulong in_at = dmm_span_items(args->keys_in, unique->keys.word_bytes);
    const cl_ulong out_at = dmm_span_items(args->keys_out, unique->keys.word_bytes);
    const cl_ulong starts_at = dmm_span_items(c->starts, START_BYTES);
    const cl_ulong runs_at = dmm_span_items(args->runs_out, DMM_COUNT_BYTES);
    const cl_ulong counts_at = dmm_span_items(c->counts, unique->index_bytes);
    const cl_ulong count_at = dmm_span_items(args->count, DMM_COUNT_BYTES);
    const dmm_arg table[] = {DMM_ARG_SPAN(args->keys_in, in_at),
        DMM_ARG_SPAN(args->keys_out, out_at), DMM_ARG_SPAN(c->starts, starts_at),
        DMM_ARG_SPAN(args->runs_out, runs_at), DMM_ARG_SPAN(c->counts, counts_at), DMM_ARG(c->n),
        DMM_ARG(c->range), DMM_ARG(c->groups), DMM_ARG_SPAN(args->count, count_at)};
    return dmm_chain_launch(
        chain, kernel, table, sizeof table / sizeof *table, (dmm_grid){0, c->groups, unique->p.u});
}

static dmm_status scan_counts(const dmm_unique *unique, dmm_chain *chain, const unique_call *c)
{
    const dmm_scan_args scan = {.in = c->counts, .out = c->counts, .temp = c->scan};
    cl_event done = NULL;
    const dmm_status status = dmm_scan_enqueue(
        unique->scan, chain->queue, &scan, c->groups + (uint64_t)1, 1, &chain->last, &done);
    if (status == DMM_OK)
        dmm_chain_advance(chain, done);
    return status;
}

static dmm_status fetch_values(const dmm_unique *unique, dmm_chain *chain, const unique_call *c)
{
    const dmm_unique_args *args = c->args;
    const cl_ulong in_at = dmm_span_items(args->values_in, unique->values.word_bytes);
    const cl_ulong out_at = dmm_span_items(args->values_out, unique->values.word_bytes);
    const cl_ulong starts_at = dmm_span_items(c->starts, START_BYTES);
    const cl_ulong runs_at = dmm_span_items(args->runs_out, DMM_COUNT_BYTES);
    const dmm_arg table[] = {DMM_ARG_SPAN(args->values_in, in_at),
        DMM_ARG_SPAN(args->values_out, out_at), DMM_ARG_SPAN(c->starts, starts_at),
        DMM_ARG_SPAN(args->runs_out, runs_at)};
    return dmm_chain_launch(chain, unique->fetch, table, sizeof table / sizeof *table,
        (dmm_grid){0, c->groups, unique->p.u});
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
    const unique_call c = call_of(unique, args, &l, n);
    TRY(launch(unique, &chain, unique->count, &c));
    TRY(scan_counts(unique, &chain, &c));
    TRY(launch(unique, &chain, unique->keep, &c));
    if (unique->fetch != NULL)
        TRY(fetch_values(unique, &chain, &c));
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
