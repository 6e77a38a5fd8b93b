/* SPDX-License-Identifier: MIT */
/*
 * GPU form: by_key.h. CPU form: runs.h.
 */
#include <dmm/run_length.h>

#include "core/check.h"
#include "primitives/by_key.h"
#include "primitives/classes.h"
#include "primitives/words.h"
#include "primitives/runs.h"

enum { LENGTH_BYTES = 8, DEFAULT_KEY_BYTES = 4 };

struct dmm_run_length {
    dmm_object object;
    dmm_run_length_desc desc;
    dmm_by_key by; /* GPU form */
    dmm_runs runs; /* CPU form */
};

/* Makes the CPU form. */
static dmm_status build_runs(dmm_run_length *run_length)
{
    dmm_options options = {.bytes = 0};
    run_length->object.max_n = run_length->runs.keys.max_n;
    run_length->runs.total_bytes = LENGTH_BYTES;
    dmm_options_define(&options, "DMM_INDEX_BYTES", run_length->runs.keys.index_bytes);
    return dmm_runs_build(run_length, &run_length->runs, &options, "", 1);
}

static dmm_status run_length_init(void *object)
{
    dmm_status status = DMM_OK;
    dmm_run_length *const run_length = object;
    dmm_run_length_desc *const desc = &run_length->desc;
    desc->key_bytes = desc->key_bytes != 0 ? desc->key_bytes : DEFAULT_KEY_BYTES;
    const dmm_device *const device = &run_length->object.ctx->device;
    const int wide = dmm_index_width(device, desc->max_n, desc->key_bytes) > 4;
    const dmm_by_key_desc lengths = {.what = DMM_BY_KEY_LENGTHS,
        .items = {.type = wide ? DMM_U64 : DMM_U32, .max_n = desc->max_n, .tuning = desc->tuning},
        .key_bytes = desc->key_bytes};
    const dmm_footprint footprint = {.item_bytes = desc->key_bytes, .word = "unique"};
    TRY(dmm_word_layout_init(&run_length->runs.keys, device, desc->key_bytes, desc->max_n));
    TRY(dmm_context_choose(&run_length->runs.p, run_length->object.ctx, &desc->tuning, &footprint));
    if (run_length->runs.p.cpu) {
        TRY(build_runs(run_length));
        goto out;
    }
    TRY(dmm_by_key_init(run_length, &run_length->by, &lengths));
    run_length->object.max_n = run_length->by.max_n;
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
        {DMM_WRITES(dmm_run_length_args, counts_out, n, LENGTH_BYTES)},
        {DMM_WRITES(dmm_run_length_args, runs_out, 1, DMM_COUNT_BYTES)},
        {DMM_READS_COUNT(dmm_run_length_args)},
    };
    (void)args;
    return DMM_PORTS(ports, list);
}

static void run_length_lay_out(const void *object, dmm_call *call)
{
    const dmm_run_length *const run_length = object;
    if (run_length->runs.p.cpu)
        dmm_runs_lay_out(&run_length->runs, call, 0);
    else
        dmm_by_key_lay_out(&run_length->by, call, 0);
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
                                  : dmm_by_key_steps(&run_length->by, call, &spans, 0);
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
