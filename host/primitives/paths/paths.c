/* SPDX-License-Identifier: MIT */
/*
 * Shortest paths: the object, and the steps of a search: launches of its two kernels by turns, and
 * now and then a look at what the device has decided.
 */
#include <dmm/heap.h>
#include <dmm/paths.h>

#include <string.h>

#include "cl/paths/paths_call.clh"
#include "core/check.h"
#include "core/refuse.h"
#include "core/size.h"
#include "primitives/classes.h"
#include "primitives/words.h"

struct dmm_paths {
    dmm_object object;
    dmm_paths_desc desc;
    dmm_parameters p;
    uint32_t delta;      /* bits of desc.delta, in the type of the weights */
    uint64_t alone_most; /* as in dmm_paths_call */
    cl_kernel narrow, wide, hand;
    dmm_heap *heap; /* NULL: near-far */
    uint64_t heap_bytes;
};

enum { DEFAULT_BULK = 1024, DEFAULT_HELD = 1 << 20 };
/* Tiles of vertices in a lone search's heap beyond which rounds of all processors go on. */
enum { ALONE_TILES = 4 };
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

/* Chooses what heap the method takes. The GPU form's is of vertices by their distances. */
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
    FAIL_IF(desc->batch > desc->bulk,
        dmm_refuse(DMM_BAD_VALUE, "batch: is %llu, more than bulk = %llu",
            (unsigned long long)desc->batch, (unsigned long long)desc->bulk));
    paths->object.max_n = desc->max_n;
    if (paths->p.cpu) {
        paths->alone_most = UINT64_MAX;
        goto out;
    }
    TRY(dmm_heap_bytes(&paths->heap_bytes, &heap));
    TRY(dmm_object_part(paths, &paths->heap, &dmm_heap_class, &heap));
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
    if (desc->weight != DMM_U32 && desc->weight != DMM_F32)
        return dmm_refuse(DMM_BAD_VALUE, "weight: must be DMM_U32 or DMM_F32");
    if (!(desc->delta >= 0))
        return dmm_refuse(DMM_BAD_VALUE, "delta: must be 0 or more");
    if (desc->method > DMM_PATHS_DIJKSTRA)
        return dmm_refuse(DMM_BAD_VALUE, "method: %d is no dmm_paths_method", (int)desc->method);
    paths->delta = bits_of(desc->delta, desc->weight);
    paths->object.max_n = dmm_index_limit(INDEX_BYTES, desc->max_n);
    TRY(dmm_context_choose(&paths->p, paths->object.ctx, &desc->tuning, &footprint));
    TRY(build(paths));
    if (paths->p.cpu && desc->method == DMM_PATHS_AUTO && desc->delta == 0)
        paths->alone_most = (uint64_t)ALONE_TILES * paths->p.tile;
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

enum { VERTEX_BYTES = 4, LISTS = 2 };
/* Edges of a step that a group does as fast as a launch of all groups begins; steps of a launch;
 * turns between two looks. */
enum { CPU_LANES = 1 }; /* lanes in the default width of ranges: docs/paths.md */
enum { CPU_NARROW = 1 << 15, GPU_NARROW_EACH = 8, MOST_ROUNDS = 256, MOST_TURNS = 32 };

/* Regions of temp. */
enum {
    STATE,
    FAULTS,
    NEAR,
    FAR,
    STAMPS,
    HEAP,
    TURNS,
    KEYS,
    PRIORITIES,
    GIVEN_KEYS,
    GIVEN,
    HEAP_TEMP
};
/* Rounds of a heap between two looks. */
enum { MOST_HEAP_TURNS = 64, FIRST_STEPS = 4 };

static void paths_lay_out(const void *object, dmm_call *call)
{
    const dmm_paths *const paths = object;
    const uint64_t n = call->sizes.n;
    dmm_call_region(call, STATE, 1, sizeof(dmm_paths_state));
    dmm_call_region(call, FAULTS, (uint64_t)paths->p.most_groups * paths->p.u, sizeof(cl_ulong));
    dmm_call_region(call, NEAR, LISTS * n, VERTEX_BYTES);
    dmm_call_region(call, FAR, LISTS * n, VERTEX_BYTES);
    dmm_call_region(call, STAMPS, n, VERTEX_BYTES);
    if (paths->heap == NULL)
        return;
    const uint64_t bulk = paths->desc.bulk, batch = paths->desc.batch;
    dmm_call_region(call, HEAP, paths->heap_bytes, 1);
    dmm_call_region(call, TURNS, 1, sizeof(dmm_paths_turns));
    dmm_call_region(call, KEYS, bulk, VERTEX_BYTES);
    dmm_call_region(call, PRIORITIES, bulk, VERTEX_BYTES);
    dmm_call_region(call, GIVEN_KEYS, batch, VERTEX_BYTES);
    dmm_call_region(call, GIVEN, batch, VERTEX_BYTES);
    dmm_call_part_region(call, HEAP_TEMP, paths->heap, (dmm_sizes){.n = bulk, .m = DMM_HEAP_SIZE});
}

static dmm_paths_call numbers_of(const dmm_paths *paths, const dmm_call *call)
{
    const dmm_paths_args *const args = call->args;
    const dmm_span *const regions = call->regions;
    const uint32_t u = paths->p.u;
    return (dmm_paths_call){
        .offsets_at = dmm_span_items(args->offsets, sizeof(cl_ulong)),
        .targets_at = dmm_span_items(args->targets, VERTEX_BYTES),
        .weights_at = dmm_span_items(args->weights, VERTEX_BYTES),
        .sources_at = dmm_span_items(args->sources, VERTEX_BYTES),
        .stops_at = dmm_span_items(args->stops, VERTEX_BYTES),
        .distances_at = dmm_span_items(args->distances_out, VERTEX_BYTES),
        .predecessors_at = dmm_span_items(args->predecessors_out, VERTEX_BYTES),
        .report_at = dmm_span_items(args->report_out, sizeof(cl_ulong)),
        .state_at = regions[STATE].offset_bytes,
        .faults_at = regions[FAULTS].offset_bytes,
        .near_at = regions[NEAR].offset_bytes,
        .far_at = regions[FAR].offset_bytes,
        .stamps_at = regions[STAMPS].offset_bytes,
        .turns_at = regions[TURNS].offset_bytes,
        .keys_at = regions[KEYS].offset_bytes,
        .priorities_at = regions[PRIORITIES].offset_bytes,
        .given_keys_at = regions[GIVEN_KEYS].offset_bytes,
        .given_at = regions[GIVEN].offset_bytes,
        .bulk = paths->heap != NULL ? paths->desc.bulk : 0,
        .batch = paths->desc.batch,
        .n = call->sizes.n,
        .m = call->sizes.m,
        .num_sources = args->num_sources,
        .num_stops = args->num_stops,
        .groups = paths->p.most_groups,
        .narrow = paths->p.cpu ? CPU_NARROW : GPU_NARROW_EACH * u,
        .rounds = MOST_ROUNDS,
        .lanes = paths->p.cpu ? CPU_LANES : paths->object.ctx->device.lanes.value,
        .alone_most = paths->alone_most,
        .delta = paths->delta,
        .bad_data = DMM_BAD_DATA,
        .too_large = DMM_TOO_LARGE,
    };
}

static dmm_status launch(const dmm_paths *paths, const dmm_call *call, cl_kernel kernel,
    const dmm_paths_call *c, uint64_t groups)
{
    const dmm_paths_args *const args = call->args;
    return dmm_call_launch(call, kernel,
        DMM_BUFFERS(args->offsets.buffer, args->targets.buffer, args->weights.buffer,
            args->sources.buffer, args->stops.buffer, args->distances_out.buffer,
            args->predecessors_out.buffer, call->regions[STATE].buffer, args->report_out.buffer),
        c, sizeof *c, (dmm_grid){0, groups, paths->p.u});
}

static dmm_status launch_hand(const dmm_paths *paths, const dmm_call *call, const dmm_paths_call *c)
{
    const dmm_paths_args *const args = call->args;
    return dmm_call_launch(call, paths->hand,
        DMM_BUFFERS(args->distances_out.buffer, call->regions[STATE].buffer), c, sizeof *c,
        (dmm_grid){0, c->groups, paths->p.u});
}

/* Enqueues a call of the heap, number *turn of those that count. */
static dmm_status call_heap(
    const dmm_paths *paths, const dmm_call *call, dmm_heap_op op, uint64_t n, uint64_t *turn)
{
    const dmm_span *const regions = call->regions;
    const dmm_span turns = regions[TURNS];
    const size_t count_at = op == DMM_HEAP_EXTRACT ? offsetof(dmm_paths_turns, wanted)
                                                   : offsetof(dmm_paths_turns, handed);
    const dmm_heap_args args = {.op = op,
        .turn = *turn,
        .heap = regions[HEAP],
        .keys_in = regions[KEYS],
        .priorities_in = regions[PRIORITIES],
        .keys_out = regions[GIVEN_KEYS],
        .priorities_out = regions[GIVEN],
        .count_out = op == DMM_HEAP_EXTRACT
                         ? dmm_span_at(turns, offsetof(dmm_paths_turns, extracted), 1)
                         : DMM_NONE,
        .count = op == DMM_HEAP_CLEAR ? DMM_NONE : dmm_span_at(turns, count_at, 1),
        .report_out = op == DMM_HEAP_CLEAR
                          ? DMM_NONE
                          : dmm_span_at(turns, offsetof(dmm_paths_turns, report), 1),
        .temp = regions[HEAP_TEMP]};
    const dmm_sizes sizes = {.n = n, .m = (uint64_t)op, .l = *turn};
    *turn += op != DMM_HEAP_CLEAR;
    return dmm_call_run(call, paths->heap, &args, sizes);
}

/* Makes the state one that no launch follows, and counts turns from 0. */
static dmm_status begin(const dmm_call *call, dmm_paths_call *c)
{
    c->turn = 0;
    return dmm_chain_fill(call->chain, call->regions[STATE], UINT32_MAX, sizeof(dmm_paths_state));
}

/* True if a step may take all groups: not while one work-item searches alone, and no step before or
 * after has as many items. */
static int may_be_wide(const dmm_paths_call *c)
{
    return c->n > c->alone_most || c->n + 1 + c->m + c->num_sources + c->num_stops > c->narrow;
}

/* Enqueues a turn: a step of one group, or of all. */
static dmm_status take_turn(const dmm_paths *paths, const dmm_call *call, dmm_paths_call *c)
{
    dmm_status status = DMM_OK;
    c->turn++;
    TRY(launch(paths, call, paths->narrow, c, 1));
    if (may_be_wide(c))
        TRY(launch(paths, call, paths->wide, c, c->groups));
out:
    return status;
}

/*
 * Returns a bound on the turns of a search of n vertices. Each turn makes a step. Near-far: at most
 * every second range is empty, the vertices of a range are final after as many steps and one more,
 * and each level of predecessors has a vertex: fewer than 6n steps, and the first and last ones. A
 * heap: each extraction makes a vertex final, and hands over at most n vertices.
 */
static uint64_t most_turns(const dmm_paths_call *c)
{
    const uint64_t n = c->n + FIRST_STEPS, heap = c->bulk != 0 ? 3 + n / c->bulk : 0;
    const uint64_t turns = dmm_size_mul(n, 8 + heap);
    return turns < UINT32_MAX ? turns : UINT32_MAX;
}

/* Reads the state. DMM_WRONG_RESULT if the device has lost a launch, if there is no such mode, or
 * if the search should have ended. */
static dmm_status look(const dmm_call *call, const dmm_paths_call *c, dmm_paths_state *seen)
{
    dmm_status status = DMM_OK;
    TRY(dmm_chain_read(call->chain, call->regions[STATE], seen, sizeof *seen));
    FAIL_IF(seen->turn != c->turn || seen->mode > DMM_PATHS_BEGINS, DMM_WRONG_RESULT);
    FAIL_IF(seen->mode != DMM_PATHS_ENDS && c->turn > most_turns(c), DMM_WRONG_RESULT);
out:
    return status;
}

/* The first steps, and then rounds of the heap until it is empty. */
static dmm_status run_heap(const dmm_paths *paths, const dmm_call *call, dmm_paths_call *c)
{
    dmm_status status = DMM_OK;
    dmm_paths_state seen = {.mode = DMM_PATHS_HEAPS};
    uint64_t turn = 0;
    TRY(call_heap(paths, call, DMM_HEAP_CLEAR, 0, &turn));
    for (int step = 0; step < FIRST_STEPS; step++)
        TRY(take_turn(paths, call, c));
    for (uint32_t turns = 1; seen.mode == DMM_PATHS_HEAPS;
         turns = turns < MOST_HEAP_TURNS ? 2 * turns : turns) {
        for (uint32_t i = 0; i < turns; i++) {
            TRY(call_heap(paths, call, DMM_HEAP_EXTRACT, c->batch, &turn));
            c->is_turn = 1;
            TRY(take_turn(paths, call, c));
            c->is_turn = 0;
            TRY(launch_hand(paths, call, c));
            TRY(call_heap(paths, call, DMM_HEAP_UPDATE, c->bulk, &turn));
        }
        TRY(look(call, c, &seen));
    }
out:
    return status;
}

static dmm_status paths_steps(const void *object, dmm_call *call)
{
    dmm_status status = DMM_OK;
    const dmm_paths *const paths = object;
    dmm_paths_call c = numbers_of(paths, call);
    dmm_paths_state seen = {.mode = DMM_PATHS_BEGINS};
    TRY(begin(call, &c));
    if (paths->heap != NULL)
        TRY(run_heap(paths, call, &c));
    for (uint32_t turns = 1; seen.mode != DMM_PATHS_ENDS;
         turns = turns < MOST_TURNS ? 2 * turns : turns) {
        for (uint32_t turn = 0; turn < turns; turn++)
            TRY(take_turn(paths, call, &c));
        TRY(look(call, &c, &seen));
    }
out:
    return status;
}

const dmm_class dmm_paths_class = {
    DMM_CLASS(dmm_paths),
    .word = "paths",
    .init = paths_init,
    .ports = paths_ports,
    .lay_out = paths_lay_out,
    .steps = paths_steps,
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
    if (host->report_out != NULL)
        *host->report_out = report;
    return status;
}
