/* SPDX-License-Identifier: MIT */
/*
 * GPU form: dmm_unique with the starts of the runs, then their differences. CPU form: runs.h.
 */
#include <dmm/run_length.h>

#include <dmm/unique.h>

#include "cl/run_length_call.clh"
#include "core/check.h"
#include "core/size.h"
#include "primitives/classes.h"
#include "primitives/words.h"
#include "primitives/runs.h"

enum { START_BYTES = 8, DEFAULT_KEY_BYTES = 4, MOST_GROUPS = 1024 };
enum { STARTS, UNIQUE }; /* GPU form */

struct dmm_run_length {
    dmm_object object;
    dmm_run_length_desc desc;
    dmm_unique *unique; /* GPU form */
    cl_kernel count;    /* likewise */
    dmm_runs runs;      /* CPU form */
};

static dmm_status build(dmm_run_length *run_length)
{
    dmm_status status = DMM_OK;
    const dmm_device *const device = &run_length->object.ctx->device;
    const dmm_run_length_desc *const desc = &run_length->desc;
    dmm_options options = {.bytes = 0};
    const dmm_program_desc text = {.root = "cl/run_length.cl", .options = &options, .prelude = ""};
    cl_program program = NULL;
    const uint32_t u = dmm_runs_group(device);
    const dmm_parameters p = {.u = u, .E = 1, .tile = u};
    dmm_options_parameters(&options, &p, device);
    dmm_options_define(
        &options, "DMM_INDEX_BYTES", dmm_index_width(device, desc->max_n, desc->key_bytes));
    TRY(dmm_programs_get(&run_length->object.ctx->programs, &text, &program));
    TRY(dmm_object_kernel(run_length, program, "dmm_run_length_count", u, &run_length->count));
out:
    return status;
}

/* Makes the CPU form. */
static dmm_status build_runs(dmm_run_length *run_length)
{
    dmm_options options = {.bytes = 0};
    run_length->object.max_n = run_length->runs.keys.max_n;
    run_length->runs.total_bytes = START_BYTES;
    dmm_options_define(&options, "DMM_INDEX_BYTES", run_length->runs.keys.index_bytes);
    return dmm_runs_build(run_length, &run_length->runs, &options, "", 1);
}

static dmm_status run_length_init(void *object)
{
    dmm_status status = DMM_OK;
    dmm_run_length *const run_length = object;
    dmm_run_length_desc *const desc = &run_length->desc;
    desc->key_bytes = desc->key_bytes != 0 ? desc->key_bytes : DEFAULT_KEY_BYTES;
    const dmm_unique_desc unique = {
        .key_bytes = desc->key_bytes, .max_n = desc->max_n, .tuning = desc->tuning};
    const dmm_footprint footprint = {.item_bytes = desc->key_bytes, .word = "unique"};
    TRY(dmm_word_layout_init(
        &run_length->runs.keys, &run_length->object.ctx->device, desc->key_bytes, desc->max_n));
    TRY(dmm_context_choose(&run_length->runs.p, run_length->object.ctx, &desc->tuning, &footprint));
    if (run_length->runs.p.cpu) {
        TRY(build_runs(run_length));
        goto out;
    }
    TRY(dmm_object_part(run_length, &run_length->unique, &dmm_unique_class, &unique));
    run_length->object.max_n = ((const dmm_object *)run_length->unique)->max_n;
    TRY(build(run_length));
out:
    return status;
}

static size_t run_length_ports(
    const void *object, const void *args, const dmm_sizes *sizes, dmm_port ports[DMM_MAX_PORTS])
{
    const uint64_t n = sizes->n;
    const uint32_t key = ((const dmm_run_length *)object)->desc.key_bytes;
    const dmm_port list[] = {
        {DMM_READS(dmm_run_length_args, keys_in, n, key)},
        {DMM_WRITES(dmm_run_length_args, keys_out, n, key)},
        {DMM_WRITES(dmm_run_length_args, counts_out, n, START_BYTES)},
        {DMM_WRITES(dmm_run_length_args, runs_out, 1, DMM_COUNT_BYTES)},
        {DMM_READS_COUNT(dmm_run_length_args)},
    };
    (void)args;
    return DMM_PORTS(ports, list);
}

static void run_length_lay_out(const void *object, dmm_call *call)
{
    const dmm_run_length *const run_length = object;
    if (run_length->runs.p.cpu) {
        dmm_runs_lay_out(&run_length->runs, call, 0);
        return;
    }
    dmm_call_region(call, STARTS, call->sizes.n, START_BYTES);
    dmm_call_part_region(call, UNIQUE, run_length->unique, call->sizes);
}

static dmm_status count_starts(const dmm_run_length *run_length, dmm_call *call)
{
    dmm_status status = DMM_OK;
    const dmm_run_length_args *const args = call->args;
    const uint32_t u = dmm_runs_group(&run_length->object.ctx->device);
    const uint64_t n = call->sizes.n, wanted = dmm_size_div_up(n, u);
    const dmm_span starts = call->regions[STARTS];
    const dmm_unique_args unique = {.keys_in = args->keys_in,
        .keys_out = args->keys_out,
        .starts_out = n != 0 ? starts : DMM_NONE,
        .runs_out = args->runs_out,
        .temp = call->regions[UNIQUE],
        .count = args->count};
    const dmm_grid grid = {0, wanted < MOST_GROUPS ? wanted : MOST_GROUPS, u};
    const dmm_run_length_call c = {.starts_at = dmm_span_items(starts, START_BYTES),
        .runs_at = dmm_span_items(args->runs_out, DMM_COUNT_BYTES),
        .counts_at = dmm_span_items(args->counts_out, START_BYTES),
        .count_at = dmm_span_items(args->count, DMM_COUNT_BYTES),
        .n = n,
        .items = grid.groups * u};
    TRY(dmm_call_run(call, run_length->unique, &unique, call->sizes));
    TRY(dmm_call_launch(call, run_length->count,
        DMM_BUFFERS(
            starts.buffer, args->runs_out.buffer, args->counts_out.buffer, args->count.buffer),
        &c, sizeof c, grid));
out:
    return status;
}

static dmm_status run_length_steps(const void *object, dmm_call *call)
{
    const dmm_run_length *const run_length = object;
    const dmm_run_length_args *const args = call->args;
    const dmm_runs_spans spans = {.keys_in = args->keys_in,
        .keys_out = args->keys_out,
        .out = args->counts_out,
        .runs_out = args->runs_out,
        .count = args->count};
    return run_length->runs.p.cpu ? dmm_runs_steps(&run_length->runs, call, &spans, 0)
                                  : count_starts(run_length, call);
}

const dmm_class dmm_run_length_class = {
    DMM_CLASS(dmm_run_length),
    .word = "unique", /* whose parameters it has */
    .init = run_length_init,
    .ports = run_length_ports,
    .lay_out = run_length_lay_out,
    .steps = run_length_steps,
};

dmm_status dmm_run_length_create(
    dmm_run_length **out, dmm_context *ctx, const dmm_run_length_desc *desc)
{
    return dmm_object_create(out, ctx, &dmm_run_length_class, desc);
}

void dmm_run_length_free(dmm_run_length *run_length)
{
    dmm_object_free(run_length);
}

dmm_status dmm_run_length_temp_bytes(uint64_t *out, const dmm_run_length *run_length, uint64_t n)
{
    return dmm_object_temp_bytes(out, run_length, (dmm_sizes){.n = n});
}

dmm_status dmm_run_length_enqueue(dmm_run_length *run_length, cl_command_queue queue,
    const dmm_run_length_args *args, uint64_t n, cl_uint num_wait, const cl_event *wait,
    cl_event *event)
{
    const dmm_sizes sizes = {.n = n};
    return dmm_object_enqueue(run_length, queue, args, sizes, num_wait, wait, event);
}

dmm_status dmm_run_length_host(dmm_context *ctx, const dmm_run_length_desc *desc, void *keys,
    size_t n, uint64_t *counts_out, size_t *runs_out)
{
    uint64_t kept = 0;
    dmm_run_length_args args = {.temp = DMM_NONE};
    const dmm_host_array arrays[DMM_MAX_PORTS] = {{.from = keys}, {.to = keys, .kept = &kept},
        {.to = counts_out, .kept = &kept}, {.to = &kept}};
    if (runs_out == NULL)
        return DMM_NULL_ARGUMENT;
    const dmm_status status =
        dmm_object_host(ctx, &dmm_run_length_class, desc, &args, (dmm_sizes){.n = n}, arrays);
    if (status == DMM_OK)
        *runs_out = (size_t)kept;
    return status;
}
