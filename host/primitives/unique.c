/* SPDX-License-Identifier: MIT */
/*
 * Moves the keys that begin a run, then fetches their values. The GPU form moves by a chained scan;
 * the CPU form counts, scans the groups' counts, and moves.
 */
#include <dmm/unique.h>

#include "cl/unique_call.clh"
#include "core/check.h"
#include "core/size.h"
#include "primitives/classes.h"
#include "primitives/scan.h"
#include "primitives/words.h"

enum { START_BYTES = 8, DEFAULT_KEY_BYTES = 4 };
enum { COUNTS, STARTS, STATE, SCAN };
/* Items of a launch of the chained scan, whose counts have 30 bits. */
enum { MOST_CHAINED_ITEMS = 1 << 29 };

struct dmm_unique {
    dmm_object object;
    dmm_unique_desc desc;
    dmm_parameters p;
    dmm_word_layout keys, values;
    cl_kernel keep;
    cl_kernel clear; /* GPU form */
    cl_kernel count; /* CPU form */
    cl_kernel fetch; /* NULL where there are no values */
    dmm_scan *scan;  /* scans counts; CPU form */
    uint32_t index_bytes;
};

static dmm_status get_program(
    const dmm_unique *unique, const char *root, const dmm_word_layout *words, cl_program *out)
{
    dmm_options options = {.bytes = 0};
    const dmm_program_desc desc = {.root = root, .options = &options, .prelude = ""};
    dmm_word_layout layout = *words;
    layout.index_bytes = unique->index_bytes;
    dmm_options_parameters(&options, &unique->p, &unique->object.ctx->device);
    dmm_word_define(&options, &layout);
    dmm_options_define(&options, "DMM_PLANE_BYTES", unique->object.ctx->device.bank_bytes.value);
    return dmm_programs_get(&unique->object.ctx->programs, &desc, out);
}

static dmm_status build(dmm_unique *unique)
{
    dmm_status status = DMM_OK;
    const uint32_t u = unique->p.u;
    cl_program program = NULL;
    const char *root = unique->p.cpu ? "cl/unique_cpu.cl" : "cl/unique.cl";
    TRY(get_program(unique, root, &unique->keys, &program));
    if (unique->p.cpu)
        TRY(dmm_object_kernel(unique, program, "dmm_unique_count", u, &unique->count));
    else
        TRY(dmm_object_kernel(unique, program, "dmm_unique_clear", u, &unique->clear));
    TRY(dmm_object_kernel(unique, program, "dmm_unique_keep", u, &unique->keep));
    if (unique->desc.value_bytes != 0) {
        TRY(get_program(unique, "cl/unique_fetch.cl", &unique->values, &program));
        TRY(dmm_object_kernel(unique, program, "dmm_unique_fetch", u, &unique->fetch));
    }
    if (unique->p.cpu)
        TRY(dmm_scan_part(
            unique, &unique->scan, unique->index_bytes, unique->p.most_groups + (uint64_t)1, 1));
out:
    return status;
}

static dmm_status unique_init(void *object)
{
    dmm_status status = DMM_OK;
    dmm_unique *const unique = object;
    dmm_unique_desc *const desc = &unique->desc;
    const dmm_device *device = &unique->object.ctx->device;
    const uint32_t word = (uint32_t)device->bank_bytes.value;
    desc->key_bytes = desc->key_bytes != 0 ? desc->key_bytes : DEFAULT_KEY_BYTES;
    TRY(dmm_word_layout_init(&unique->keys, device, desc->key_bytes, desc->max_n));
    unique->object.max_n = unique->keys.max_n;
    if (desc->value_bytes != 0) {
        TRY(dmm_word_layout_init(&unique->values, device, desc->value_bytes, desc->max_n));
        if (unique->values.max_n < unique->object.max_n)
            unique->object.max_n = unique->values.max_n;
    }
    unique->index_bytes = unique->keys.index_bytes;
    /* Local memory: a rank an item; two sums, or a count, a work-item. */
    const dmm_footprint footprint = {.item_bytes = desc->key_bytes,
        .planes = 1,
        .plane_bytes = word,
        .group_bytes = 2 * word,
        .word = "unique"};
    TRY(dmm_context_choose(&unique->p, unique->object.ctx, &desc->tuning, &footprint));
    TRY(build(unique));
out:
    return status;
}

static size_t unique_ports(
    const void *object, const void *args, const dmm_sizes *sizes, dmm_port ports[DMM_MAX_PORTS])
{
    const dmm_unique_desc *const desc = &((const dmm_unique *)object)->desc;
    const uint64_t n = sizes->n;
    const dmm_port list[] = {
        {DMM_READS(dmm_unique_args, keys_in, n, desc->key_bytes)},
        {DMM_READS(dmm_unique_args, values_in, n, desc->value_bytes)},
        {DMM_WRITES(dmm_unique_args, keys_out, n, desc->key_bytes)},
        {DMM_WRITES(dmm_unique_args, values_out, n, desc->value_bytes)},
        {DMM_WRITES(dmm_unique_args, starts_out, n, START_BYTES), .optional = 1},
        {DMM_WRITES(dmm_unique_args, runs_out, 1, DMM_COUNT_BYTES)},
        {DMM_READS_COUNT(dmm_unique_args)},
    };
    (void)args;
    return DMM_PORTS(ports, list);
}

/* Returns an upper bound, monotone in n, of the groups for n items. */
static uint64_t most_groups(const dmm_unique *unique, uint64_t n)
{
    const uint64_t tiles = dmm_size_div_up(n, unique->p.tile);
    return tiles == 0 ? 1 : tiles < unique->p.most_groups ? tiles : unique->p.most_groups;
}

static uint64_t tiles_of(const dmm_unique *unique, uint64_t n)
{
    return n != 0 ? dmm_size_div_up(n, unique->p.tile) : 1;
}

static void unique_lay_out(const void *object, dmm_call *call)
{
    const dmm_unique *const unique = object;
    const uint64_t n = call->sizes.n, counts = unique->p.cpu ? most_groups(unique, n) + 1 : 2;
    dmm_call_region(call, COUNTS, counts, unique->index_bytes);
    dmm_call_region(call, STARTS, unique->fetch != NULL ? n : 0, START_BYTES);
    dmm_call_region(call, STATE, unique->p.cpu ? 0 : 1 + tiles_of(unique, n), sizeof(dmm_u32));
    dmm_call_part_region(call, SCAN, unique->scan, (dmm_sizes){.n = counts});
}

/* Returns the span for the runs' starts: the caller's, or one in temp for dmm_unique_fetch, or
 * DMM_NONE. */
static dmm_span starts_of(const dmm_unique *unique, const dmm_call *call)
{
    const dmm_unique_args *const args = call->args;
    return args->starts_out.buffer != NULL || unique->fetch == NULL ? args->starts_out
                                                                    : call->regions[STARTS];
}

static dmm_unique_call numbers_of(const dmm_unique *unique, const dmm_call *call)
{
    const dmm_unique_args *const args = call->args;
    const uint64_t n = call->sizes.n, tile = unique->p.tile;
    const uint64_t share = dmm_size_div_up(n, most_groups(unique, n));
    const uint64_t range = unique->p.cpu ? share : dmm_size_div_up(share, tile) * tile;
    return (dmm_unique_call){.items_at = dmm_span_items(args->keys_in, unique->keys.word_bytes),
        .out_at = dmm_span_items(args->keys_out, unique->keys.word_bytes),
        .starts_at = dmm_span_items(starts_of(unique, call), START_BYTES),
        .runs_at = dmm_span_items(args->runs_out, DMM_COUNT_BYTES),
        .counts_at = dmm_span_items(call->regions[COUNTS], unique->index_bytes),
        .count_at = dmm_span_items(args->count, DMM_COUNT_BYTES),
        .n = n,
        .range = range,
        .groups = n != 0 ? dmm_size_div_up(n, range) : 1,
        .tiles = tiles_of(unique, n),
        .state_at = dmm_span_items(call->regions[STATE], sizeof(dmm_u32))};
}

static dmm_status launch(const dmm_unique *unique, const dmm_call *call, cl_kernel kernel,
    const dmm_unique_call *c, uint64_t groups)
{
    const dmm_unique_args *const args = call->args;
    return dmm_call_launch(call, kernel,
        DMM_BUFFERS(args->keys_in.buffer, args->keys_out.buffer, starts_of(unique, call).buffer,
            args->runs_out.buffer, call->regions[COUNTS].buffer, call->regions[STATE].buffer,
            args->count.buffer),
        c, sizeof *c, (dmm_grid){0, groups, unique->p.u});
}

/* Moves the runs in parts, of which the next one begins where this one ends. */
static dmm_status keep_chained(const dmm_unique *unique, const dmm_call *call, dmm_unique_call c)
{
    dmm_status status = DMM_OK;
    const uint64_t limit = unique->object.ctx->device.launch_items.value;
    const uint64_t most = limit != 0 && limit < MOST_CHAINED_ITEMS ? limit : MOST_CHAINED_ITEMS;
    const uint64_t part = most < unique->p.tile ? 1 : most / unique->p.tile;
    dmm_call parts = *call; /* parts replace launch_items */
    parts.launches = 1;
    TRY(launch(unique, call, unique->clear, &c, c.groups));
    for (uint64_t tile = 0; tile < c.tiles; tile += part, c.turn ^= 1) {
        const uint64_t tiles = c.tiles - tile < part ? c.tiles - tile : part;
        c.first_tile = (dmm_u32)tile;
        c.last_tile = (dmm_u32)(tile + tiles - 1);
        TRY(launch(unique, &parts, unique->keep, &c, tiles));
    }
out:
    return status;
}

/* Counts the runs of each group's range, and moves them. */
static dmm_status keep_counted(const dmm_unique *unique, const dmm_call *call, dmm_unique_call c)
{
    dmm_status status = DMM_OK;
    const dmm_span counts = call->regions[COUNTS];
    TRY(launch(unique, call, unique->count, &c, c.groups));
    TRY(dmm_scan_counts(unique->scan, call, counts, c.groups + 1, call->regions[SCAN]));
    TRY(launch(unique, call, unique->keep, &c, c.groups));
out:
    return status;
}

static dmm_status fetch_values(const dmm_unique *unique, const dmm_call *call, dmm_unique_call c)
{
    const dmm_unique_args *const args = call->args;
    c.items_at = dmm_span_items(args->values_in, unique->values.word_bytes);
    c.out_at = dmm_span_items(args->values_out, unique->values.word_bytes);
    return dmm_call_launch(call, unique->fetch,
        DMM_BUFFERS(args->values_in.buffer, args->values_out.buffer, starts_of(unique, call).buffer,
            args->runs_out.buffer),
        &c, sizeof c, (dmm_grid){0, c.groups, unique->p.u});
}

static dmm_status unique_steps(const void *object, dmm_call *call)
{
    dmm_status status = DMM_OK;
    const dmm_unique *const unique = object;
    const dmm_unique_call c = numbers_of(unique, call);
    TRY(unique->p.cpu ? keep_counted(unique, call, c) : keep_chained(unique, call, c));
    if (unique->fetch != NULL)
        TRY(fetch_values(unique, call, c));
out:
    return status;
}

const dmm_class dmm_unique_class = {
    DMM_CLASS(dmm_unique),
    .word = "unique",
    .init = unique_init,
    .ports = unique_ports,
    .lay_out = unique_lay_out,
    .steps = unique_steps,
};

dmm_status dmm_unique_create(dmm_unique **out, dmm_context *ctx, const dmm_unique_desc *desc)
{
    return dmm_object_create(out, ctx, &dmm_unique_class, desc);
}

void dmm_unique_free(dmm_unique *unique)
{
    dmm_object_free(unique);
}

dmm_status dmm_unique_temp_bytes(uint64_t *out, const dmm_unique *unique, uint64_t n)
{
    return dmm_object_temp_bytes(out, unique, (dmm_sizes){.n = n});
}

dmm_status dmm_unique_enqueue(dmm_unique *unique, cl_command_queue queue,
    const dmm_unique_args *args, uint64_t n, cl_uint num_wait, const cl_event *wait,
    cl_event *event)
{
    const dmm_sizes sizes = {.n = n};
    return dmm_object_enqueue(unique, queue, args, sizes, num_wait, wait, event);
}

dmm_status dmm_unique_host(
    dmm_context *ctx, const dmm_unique_desc *desc, void *keys, void *values, size_t n, size_t *runs)
{
    uint64_t kept = 0;
    dmm_unique_args args = {.temp = DMM_NONE};
    const dmm_host_array arrays[DMM_MAX_PORTS] = {{.from = keys}, {.from = values},
        {.to = keys, .kept = &kept}, {.to = values, .kept = &kept}, {.to = NULL}, {.to = &kept}};
    if (runs == NULL)
        return DMM_NULL_ARGUMENT;
    const dmm_status status =
        dmm_object_host(ctx, &dmm_unique_class, desc, &args, (dmm_sizes){.n = n}, arrays);
    if (status == DMM_OK)
        *runs = (size_t)kept;
    return status;
}
