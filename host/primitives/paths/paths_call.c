/* SPDX-License-Identifier: MIT */
/*
 * The steps of a search: launches of its two kernels by turns, and now and then a look at what the
 * device has decided.
 */
#include "core/check.h"
#include "core/size.h"
#include "primitives/paths/paths.h"

enum { VERTEX_BYTES = 4, LISTS = 2 };
/* Edges of a step that a group does as fast as a launch of all groups begins; steps of a launch;
 * turns between two looks. */
enum { CPU_LANES = 1 }; /* of the default width of ranges: docs/paths.md */
enum { CPU_NARROW = 1 << 12, GPU_NARROW_EACH = 8, MOST_ROUNDS = 256, MOST_TURNS = 32 };

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

void dmm_paths_lay_out(const void *object, dmm_call *call)
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
        .report_at = dmm_span_items(args->report, sizeof(cl_ulong)),
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
            args->predecessors_out.buffer, call->regions[STATE].buffer, args->report.buffer),
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
        .report = op == DMM_HEAP_CLEAR ? DMM_NONE
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

/* Enqueues a turn: a step of one group, or of all. */
static dmm_status take_turn(const dmm_paths *paths, const dmm_call *call, dmm_paths_call *c)
{
    dmm_status status = DMM_OK;
    c->turn++;
    TRY(launch(paths, call, paths->narrow, c, 1));
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

dmm_status dmm_paths_steps(const void *object, dmm_call *call)
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
