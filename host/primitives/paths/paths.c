/* SPDX-License-Identifier: MIT */
/*
 * Shortest paths: the object and its calls. paths_call.c has the steps.
 */
#include "primitives/paths/paths.h"

#include <string.h>

#include "core/check.h"
#include "primitives/index_width.h"

enum { DEFAULT_BULK = 1024, DEFAULT_HELD = 1 << 20 };
enum { INDEX_BYTES = 4, WEIGHT_BYTES = 4, OFFSET_BYTES = 8, CPU_TILE_BYTES = 1 << 12, GPU_E = 4 };

/* Returns the bits of a width of distances: at least 1 unless it is the default; infinity where the
 * type has no such number. */
static uint32_t bits_of(double delta, dmm_type weight)
{
    uint32_t bits = 0;
    const float narrow = (float)delta; /* infinite for what is too large */
    if (delta == 0)
        return 0;
    if (weight == DMM_F32)
        memcpy(&bits, &narrow, sizeof bits);
    else
        bits = delta < UINT32_MAX ? (uint32_t)delta : UINT32_MAX;
    return bits != 0 ? bits : 1;
}

static dmm_status build(dmm_paths *paths)
{
    dmm_status status = DMM_OK;
    dmm_options options = {.bytes = 0};
    const dmm_program_desc desc = {.root = "cl/paths/paths.cl", .options = &options, .prelude = ""};
    cl_program program = NULL;
    dmm_options_parameters(&options, &paths->p, &paths->object.ctx->device);
    dmm_options_define(&options, "DMM_INDEX_BYTES", INDEX_BYTES);
    dmm_options_define(&options, "DMM_PATHS_FLOATS", paths->desc.weight == DMM_F32);
    TRY(dmm_programs_get(&paths->object.ctx->programs, &desc, &program));
    TRY(dmm_object_kernel(paths, program, "dmm_paths_narrow", paths->p.u, &paths->narrow));
    TRY(dmm_object_kernel(paths, program, "dmm_paths_wide", paths->p.u, &paths->wide));
    TRY(dmm_object_kernel(paths, program, "dmm_paths_hand", paths->p.u, &paths->hand));
out:
    return status;
}

/* Creates the heap, of vertices by their distances. */
static dmm_status build_heap(dmm_paths *paths)
{
    dmm_status status = DMM_OK;
    dmm_paths_desc *const desc = &paths->desc;
    desc->max_n = desc->max_n != 0 ? desc->max_n : DEFAULT_HELD;
    desc->bulk = desc->bulk != 0 ? desc->bulk : DEFAULT_BULK;
    desc->batch = desc->batch != 0 ? desc->batch : 1;
    const dmm_heap_desc heap = {.priority = desc->weight,
        .bulk = desc->bulk,
        .capacity = desc->max_n,
        .tuning = desc->tuning};
    FAIL_IF(desc->batch > desc->bulk, DMM_BAD_VALUE);
    TRY(dmm_heap_bytes(&paths->heap_bytes, &heap));
    TRY(dmm_object_part(paths, &paths->heap, &dmm_heap_class, &heap));
    paths->object.max_n = desc->max_n;
out:
    return status;
}

static dmm_status paths_init(void *object)
{
    dmm_status status = DMM_OK;
    dmm_paths *const paths = object;
    const dmm_paths_desc *const desc = &paths->desc;
    const dmm_footprint footprint = {.item_bytes = INDEX_BYTES,
        .cpu_tile_bytes = CPU_TILE_BYTES,
        .gpu_E = GPU_E,
        .word = "paths"};
    if ((desc->weight != DMM_U32 && desc->weight != DMM_F32) || !(desc->delta >= 0))
        return DMM_BAD_VALUE;
    if (desc->method > DMM_PATHS_DIJKSTRA)
        return DMM_BAD_VALUE;
    paths->delta = bits_of(desc->delta, desc->weight);
    paths->object.max_n = dmm_index_limit(INDEX_BYTES, desc->max_n);
    TRY(dmm_context_choose(&paths->p, paths->object.ctx, &desc->tuning, &footprint));
    TRY(build(paths));
    if (desc->method == DMM_PATHS_DIJKSTRA)
        TRY(build_heap(paths));
out:
    return status;
}

/* m: edges. */
static size_t paths_ports(
    const void *object, const void *args, const dmm_sizes *sizes, dmm_port ports[DMM_MAX_PORTS])
{
    const dmm_paths_args *const a = args;
    const uint64_t n = sizes->n, m = sizes->m;
    const dmm_port list[] = {
        {DMM_READS(dmm_paths_args, offsets, n + 1, OFFSET_BYTES)},
        {DMM_READS(dmm_paths_args, targets, m, INDEX_BYTES)},
        {DMM_READS(dmm_paths_args, weights, m, WEIGHT_BYTES)},
        {DMM_READS(dmm_paths_args, sources, a->num_sources, INDEX_BYTES)},
        {DMM_READS(dmm_paths_args, stops, a->num_stops, INDEX_BYTES)},
        {DMM_WRITES(dmm_paths_args, distances_out, n, WEIGHT_BYTES)},
        {DMM_WRITES(dmm_paths_args, predecessors_out, n, INDEX_BYTES), .optional = 1},
        {DMM_WRITES_REPORT(dmm_paths_args)},
    };
    (void)object;
    return DMM_PORTS(ports, list);
}

const dmm_class dmm_paths_class = {
    DMM_CLASS(dmm_paths),
    .word = "paths",
    .init = paths_init,
    .ports = paths_ports,
    .lay_out = dmm_paths_lay_out,
    .steps = dmm_paths_steps,
};

dmm_status dmm_paths_create(dmm_paths **out, dmm_context *ctx, const dmm_paths_desc *desc)
{
    return dmm_object_create(out, ctx, &dmm_paths_class, desc);
}

void dmm_paths_free(dmm_paths *paths)
{
    dmm_object_free(paths);
}

dmm_status dmm_paths_temp_bytes(uint64_t *out, const dmm_paths *paths, uint64_t n)
{
    return dmm_object_temp_bytes(out, paths, (dmm_sizes){.n = n});
}

dmm_status dmm_paths_enqueue(dmm_paths *paths, cl_command_queue queue, const dmm_paths_args *args,
    uint64_t n, uint64_t m, cl_uint num_wait, const cl_event *wait, cl_event *event)
{
    const dmm_sizes sizes = {.n = n, .m = m};
    return dmm_object_enqueue(paths, queue, args, sizes, num_wait, wait, event);
}

dmm_status dmm_paths_host(dmm_context *ctx, const dmm_paths_desc *desc,
    const dmm_paths_host_args *host, size_t n, size_t m)
{
    dmm_report report = {.code = 0};
    if (host == NULL)
        return DMM_NULL_ARGUMENT;
    dmm_paths_args args = {
        .temp = DMM_NONE, .num_sources = host->num_sources, .num_stops = host->num_stops};
    const dmm_host_array arrays[DMM_MAX_PORTS] = {
        {.from = host->offsets},
        {.from = host->targets},
        {.from = host->weights},
        {.from = host->sources},
        {.from = host->stops},
        {.to = host->distances_out},
        {.to = host->predecessors_out},
        {.to = &report},
    };
    const dmm_status status =
        dmm_object_host(ctx, &dmm_paths_class, desc, &args, (dmm_sizes){.n = n, .m = m}, arrays);
    if (host->report != NULL)
        *host->report = report;
    return status;
}
