/* SPDX-License-Identifier: MIT */
/*
 * GPU form: by_key.h; for what that cannot chain dmm_unique with the starts of the runs,
 * a scan by key into temp, and of each run the scanned item at its end. CPU form: runs.h.
 */
#include <dmm/reduce_by_key.h>

#include <dmm/scan_by_key.h>
#include <dmm/unique.h>

#include <stdlib.h>

#include "cl/by_key_call.clh"
#include "core/check.h"
#include "core/size.h"
#include "primitives/by_key.h"
#include "primitives/classes.h"
#include "primitives/words.h"
#include "primitives/items.h"
#include "primitives/order.h"
#include "primitives/prelude.h"
#include "primitives/runs.h"
#include "primitives/scan.h"

enum { START_BYTES = 8, DEFAULT_KEY_BYTES = 4, MOST_GROUPS = 1024, CPU_E = 8 };
enum { STARTS, SCANNED, UNIQUE, SCAN }; /* GPU form */

struct dmm_reduce_by_key {
    dmm_object object;
    dmm_reduce_by_key_desc desc;
    dmm_unique *unique;    /* GPU form */
    dmm_scan_by_key *scan; /* likewise */
    cl_kernel fetch;       /* likewise */
    dmm_runs runs;         /* CPU form */
    dmm_by_key by;         /* GPU form, chained: instead of unique, scan and fetch */
    dmm_mapping mapping;
    uint32_t bytes; /* bytes of a total */
};

/* Returns a scan of the same items. */
static dmm_scan_desc scan_of(const dmm_reduce_by_key_desc *desc)
{
    return (dmm_scan_desc){.type = desc->type,
        .op = desc->op,
        .own = desc->own,
        .map = desc->map,
        .max_n = desc->max_n,
        .tuning = desc->tuning};
}

static dmm_status build(dmm_reduce_by_key *reduce)
{
    dmm_status status = DMM_OK;
    const dmm_device *const device = &reduce->object.ctx->device;
    dmm_options options = {.bytes = 0};
    const dmm_program_desc text = {
        .root = "cl/reduce_by_key.cl", .options = &options, .prelude = ""};
    cl_program program = NULL;
    const uint32_t u = dmm_runs_group(device);
    const dmm_parameters p = {.u = u, .E = 1, .tile = u};
    dmm_options_parameters(&options, &p, device);
    const uint32_t word = dmm_word_bytes(reduce->bytes);
    dmm_options_define(&options, "DMM_WORD_BYTES", word);
    dmm_options_define(&options, "DMM_WORDS", reduce->bytes / word);
    dmm_options_define(
        &options, "DMM_INDEX_BYTES", dmm_index_width(device, reduce->desc.max_n, reduce->bytes));
    TRY(dmm_programs_get(&reduce->object.ctx->programs, &text, &program));
    TRY(dmm_object_kernel(reduce, program, "dmm_by_key_fetch", u, &reduce->fetch));
out:
    return status;
}

/* Makes the CPU form. */
static dmm_status build_runs(dmm_reduce_by_key *reduce)
{
    dmm_status status = DMM_OK;
    const dmm_reduce_by_key_desc *const desc = &reduce->desc;
    const dmm_device *const device = &reduce->object.ctx->device;
    const dmm_scan_desc like = scan_of(desc);
    const dmm_order order = dmm_scan_order(&like);
    dmm_options options = {.bytes = 0};
    dmm_item_layout items;
    char *const prelude = dmm_mapping_prelude(dmm_scan_prelude(dmm_prelude_new(), like.own, &order),
        like.map, like.type, like.own != NULL);
    FAIL_IF(prelude == NULL, DMM_OUT_OF_MEMORY);
    TRY(dmm_item_layout_init(&items, device, &order, 0, 0, desc->max_n));
    const uint64_t most = dmm_item_limit(&items, 0, desc->max_n);
    const uint32_t index = reduce->runs.keys.index_bytes;
    if (items.index_bytes > index) /* the wider one serves both */
        reduce->runs.keys.index_bytes = items.index_bytes;
    items.index_bytes = reduce->runs.keys.index_bytes;
    reduce->object.max_n = most < reduce->runs.keys.max_n ? most : reduce->runs.keys.max_n;
    reduce->runs.mapping = reduce->mapping;
    reduce->runs.total_bytes = reduce->bytes;
    dmm_item_define(&options, &items, &order);
    dmm_scan_define(&options, &like);
    TRY(dmm_runs_build(reduce, &reduce->runs, &options, prelude, 0));
out:
    free(prelude);
    return status;
}

static dmm_status reduce_by_key_init(void *object)
{
    dmm_status status = DMM_OK;
    dmm_reduce_by_key *const reduce = object;
    dmm_reduce_by_key_desc *const desc = &reduce->desc;
    desc->key_bytes = desc->key_bytes != 0 ? desc->key_bytes : DEFAULT_KEY_BYTES;
    const dmm_scan_by_key_desc scan = {.type = desc->type,
        .op = desc->op,
        .key_bytes = desc->key_bytes,
        .max_n = desc->max_n,
        .tuning = desc->tuning,
        .own = desc->own,
        .map = desc->map};
    const dmm_unique_desc unique = {
        .key_bytes = desc->key_bytes, .max_n = desc->max_n, .tuning = {.form = desc->tuning.form}};
    const dmm_scan_desc like = scan_of(desc);
    const dmm_order order = dmm_scan_order(&like);
    const dmm_device *const device = &reduce->object.ctx->device;
    TRY(dmm_scan_check(&like, device));
    TRY(dmm_mapping_init(&reduce->mapping, like.map, like.type, device, 0));
    reduce->bytes = dmm_order_key_bytes(&order);
    const dmm_footprint footprint = {.item_bytes = reduce->bytes,
        .cpu_E = CPU_E,
        .word = desc->own == NULL ? "scan_by_key" : NULL};
    TRY(dmm_word_layout_init(&reduce->runs.keys, device, desc->key_bytes, desc->max_n));
    TRY(dmm_context_choose(&reduce->runs.p, reduce->object.ctx, &desc->tuning, &footprint));
    if (reduce->runs.p.cpu) {
        TRY(build_runs(reduce));
        goto out;
    }
    TRY(dmm_by_key_init(reduce, &reduce->by,
        &(dmm_by_key_desc){
            .what = DMM_BY_KEY_TOTALS, .items = like, .key_bytes = desc->key_bytes}));
    if (reduce->by.chained != NULL) {
        reduce->object.max_n = reduce->by.max_n;
        goto out;
    }
    TRY(dmm_object_part(reduce, &reduce->scan, &dmm_scan_by_key_class, &scan));
    TRY(dmm_object_part(reduce, &reduce->unique, &dmm_unique_class, &unique));
    const uint64_t of_scan = ((const dmm_object *)reduce->scan)->max_n;
    const uint64_t of_unique = ((const dmm_object *)reduce->unique)->max_n;
    reduce->object.max_n = of_scan < of_unique ? of_scan : of_unique;
    TRY(build(reduce));
out:
    return status;
}

static size_t reduce_by_key_ports(
    const void *object, const void *args, const dmm_sizes *sizes, dmm_port ports[DMM_MAX_PORTS])
{
    const dmm_reduce_by_key *const reduce = object;
    const uint64_t n = sizes->n;
    const uint32_t key = reduce->desc.key_bytes;
    const uint32_t in = dmm_mapping_in(&reduce->mapping, reduce->bytes);
    const dmm_port list[] = {
        {DMM_READS(dmm_reduce_by_key_args, keys_in, n, key)},
        {DMM_READS(dmm_reduce_by_key_args, in, n, in)},
        {DMM_WRITES(dmm_reduce_by_key_args, keys_out, n, key)},
        {DMM_WRITES(dmm_reduce_by_key_args, out, n, reduce->bytes)},
        {DMM_WRITES(dmm_reduce_by_key_args, runs_out, 1, DMM_COUNT_BYTES)},
        {DMM_READS_COUNT(dmm_reduce_by_key_args)},
    };
    (void)args;
    return dmm_mapping_ports(&reduce->mapping, offsetof(dmm_reduce_by_key_args, further), n, ports,
        DMM_PORTS(ports, list));
}

static void reduce_by_key_lay_out(const void *object, dmm_call *call)
{
    const dmm_reduce_by_key *const reduce = object;
    if (reduce->runs.p.cpu) {
        dmm_runs_lay_out(&reduce->runs, call, 0);
        return;
    }
    if (reduce->by.chained != NULL) {
        dmm_by_key_lay_out(&reduce->by, call, STARTS);
        return;
    }
    dmm_call_region(call, STARTS, call->sizes.n, START_BYTES);
    dmm_scan_region(call, SCANNED, call->sizes.n, reduce->bytes);
    dmm_call_part_region(call, UNIQUE, reduce->unique, call->sizes);
    dmm_call_part_region(call, SCAN, reduce->scan, call->sizes);
}

static dmm_status fetch(const dmm_reduce_by_key *reduce, const dmm_call *call)
{
    const dmm_reduce_by_key_args *const args = call->args;
    const dmm_span starts = call->regions[STARTS];
    const dmm_span scanned = dmm_call_items(call, SCANNED, reduce->bytes);
    const uint32_t u = dmm_runs_group(&reduce->object.ctx->device);
    const uint64_t n = call->sizes.n, wanted = dmm_size_div_up(n, u);
    const dmm_grid grid = {0, wanted < MOST_GROUPS ? wanted : MOST_GROUPS, u};
    const dmm_fetch_call c = {.in_at = dmm_span_items(scanned, reduce->bytes),
        .out_at = dmm_span_items(args->out, reduce->bytes),
        .starts_at = dmm_span_items(starts, START_BYTES),
        .runs_at = dmm_span_items(args->runs_out, DMM_COUNT_BYTES),
        .count_at = dmm_span_items(args->count, DMM_COUNT_BYTES),
        .n = n,
        .items = grid.groups * u};
    return dmm_call_launch(call, reduce->fetch,
        DMM_BUFFERS(scanned.buffer, args->out.buffer, starts.buffer, args->runs_out.buffer,
            args->count.buffer),
        &c, sizeof c, grid);
}

static dmm_status scan_and_fetch(const dmm_reduce_by_key *reduce, dmm_call *call)
{
    dmm_status status = DMM_OK;
    const dmm_reduce_by_key_args *const args = call->args;
    const dmm_unique_args unique = {.keys_in = args->keys_in,
        .keys_out = args->keys_out,
        .starts_out = call->sizes.n != 0 ? call->regions[STARTS] : DMM_NONE,
        .runs_out = args->runs_out,
        .temp = call->regions[UNIQUE],
        .count = args->count};
    const dmm_scan_by_key_args scan = {.keys_in = args->keys_in,
        .in = args->in,
        .out = dmm_call_items(call, SCANNED, reduce->bytes),
        .temp = call->regions[SCAN],
        .count = args->count,
        .further = args->further};
    TRY(dmm_call_run(call, reduce->unique, &unique, call->sizes));
    TRY(dmm_call_run(call, reduce->scan, &scan, call->sizes));
    TRY(fetch(reduce, call));
out:
    return status;
}

static dmm_status reduce_by_key_steps(const void *object, dmm_call *call)
{
    const dmm_reduce_by_key *const reduce = object;
    const dmm_reduce_by_key_args *const args = call->args;
    const dmm_runs_spans spans = {.keys_in = args->keys_in,
        .in = args->in,
        .keys_out = args->keys_out,
        .out = args->out,
        .runs_out = args->runs_out,
        .count = args->count,
        .further = args->further};
    return reduce->runs.p.cpu           ? dmm_runs_steps(&reduce->runs, call, &spans, 0)
           : reduce->by.chained != NULL ? dmm_by_key_steps(&reduce->by, call, &spans, STARTS)
                                        : scan_and_fetch(reduce, call);
}

const dmm_class dmm_reduce_by_key_class = {
    DMM_CLASS(dmm_reduce_by_key),
    .word = "scan_by_key", /* whose parameters it has */
    .desc_taken = 2,
    .args_taken = 1,
    .init = reduce_by_key_init,
    .ports = reduce_by_key_ports,
    .lay_out = reduce_by_key_lay_out,
    .steps = reduce_by_key_steps,
};

dmm_status dmm_reduce_by_key_create(
    dmm_reduce_by_key **out, dmm_context *ctx, const dmm_reduce_by_key_desc *desc)
{
    return dmm_object_create(out, ctx, &dmm_reduce_by_key_class, desc);
}

void dmm_reduce_by_key_free(dmm_reduce_by_key *reduce)
{
    dmm_object_free(reduce);
}

dmm_status dmm_reduce_by_key_temp_bytes(uint64_t *out, const dmm_reduce_by_key *reduce, uint64_t n)
{
    return dmm_object_temp_bytes(out, reduce, (dmm_sizes){.n = n});
}

dmm_status dmm_reduce_by_key_enqueue(dmm_reduce_by_key *reduce, cl_command_queue queue,
    const dmm_reduce_by_key_args *args, uint64_t n, cl_uint num_wait, const cl_event *wait,
    cl_event *event)
{
    return dmm_object_enqueue(reduce, queue, args, (dmm_sizes){.n = n}, num_wait, wait, event);
}

dmm_status dmm_reduce_by_key_host(dmm_context *ctx, const dmm_reduce_by_key_desc *desc, void *keys,
    void *items, size_t n, size_t *runs_out)
{
    uint64_t kept = 0;
    dmm_reduce_by_key_args args = {.temp = DMM_NONE};
    const dmm_host_array arrays[DMM_MAX_PORTS] = {{.from = keys}, {.from = items},
        {.to = keys, .kept = &kept}, {.to = items, .kept = &kept}, {.to = &kept}};
    if (runs_out == NULL)
        return DMM_NULL_ARGUMENT;
    const dmm_status status =
        dmm_object_host(ctx, &dmm_reduce_by_key_class, desc, &args, (dmm_sizes){.n = n}, arrays);
    if (status == DMM_OK)
        *runs_out = (size_t)kept;
    return status;
}
