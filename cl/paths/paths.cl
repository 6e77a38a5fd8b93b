/* SPDX-License-Identifier: MIT */
/*
 * Shortest paths by near-far rounds. A search is a list of steps (cl/paths/paths_call.clh); one
 * work-item decides after each what the next one does. dmm_paths_narrow: a group decides and steps,
 * many times in one launch, until a step is too large for it; dmm_paths_wide: all groups do that
 * step. The host enqueues the two by turns, and a launch does nothing unless the one of the turn
 * before has run: the host sees from the state that a driver has lost one.
 * Near       vertices that came nearer and are nearer than `limit`; listed once a round, by stamps
 * Far        vertices with a path, none of which is nearer; listed when they are first reached, so
 *            each is listed once. A split drops those that have become near since
 * Loads      of distances may be late: who shortens a distance lists its vertex for the next round
 * Claim      no local memory
 * Cost, source  as include/dmm/paths.h
 */
#include "cl/paths/paths_alone.clh"
#include "cl/paths/paths_steps.clh"

#define DMM_PATHS_SAMPLES 256 /* weights whose mean makes the default of delta */

/* Returns the bits of delta, at least 1. */
DMM_INLINE uint dmm_paths_default(const dmm_paths_view v, const dmm_paths_call c)
{
    const ulong step = (c.m + DMM_PATHS_SAMPLES - 1) / DMM_PATHS_SAMPLES;
    float sum = 0;
    uint count = 0;
    if (c.delta != 0)
        return c.delta;
    for (ulong e = 0; e < c.m; e += step)
        if (v.weights[e] < DMM_PATHS_INFINITY) {
            sum += dmm_paths_number(v.weights[e]);
            count++;
        }
    return count == 0 ? DMM_PATHS_INFINITY
                      : max(dmm_paths_bits(sum / count * c.lanes * c.n / c.m), 1u);
}

DMM_INLINE void dmm_paths_begin(
    const dmm_paths_view v, const dmm_paths_call c, global ulong *report)
{
    for (uint i = 0; i < sizeof *v.state / sizeof(uint); i++)
        ((global uint *)v.state)[i] = 0;
    v.state->mode = DMM_PATHS_BEGINS;
    if (c.bulk != 0)
        v.turns->wanted = v.turns->extracted = v.turns->handed = v.turns->report[0] = 0;
    v.state->far_least = DMM_PATHS_INFINITY;
    v.state->too_far = DMM_PATHS_NONE;
    v.state->bad_group = DMM_PATHS_NONE;
    v.state->delta = v.state->limit = dmm_paths_default(v, c);
    if (report != 0) {
        report[c.report_at] = 0;
        report[c.report_at + 1] = 0;
    }
}

/* Reports the first fault; true if there is one. */
DMM_INLINE int dmm_paths_is_bad(
    const dmm_paths_view v, const dmm_paths_call c, global ulong *report)
{
    const uint group = v.state->bad_group;
    ulong first = DMM_PATHS_NO_FAULT, position = 0;
    if (group == DMM_PATHS_NONE)
        return 0;
    for (ulong i = 0; i < DMM_U; i++)
        first = min(first, v.faults[(ulong)group * DMM_U + i]);
    const ulong fault = dmm_paths_fault(v, c, first, &position);
    if (report != 0) {
        report[c.report_at] = fault << 32 | c.bad_data;
        report[c.report_at + 1] = position;
    }
    return 1;
}

/* The next step does `mode` on all of `count` items. */
DMM_INLINE void dmm_paths_go(const dmm_paths_view v, uint mode, ulong count)
{
    v.state->mode = mode;
    v.state->count = count;
    v.state->is_listed = 0;
}

/* Takes the vertices that were pushed as the items of the next step; returns their number. */
DMM_INLINE uint dmm_paths_take(const dmm_paths_view v, uint mode)
{
    const uint count = v.state->pushed;
    dmm_paths_go(v, mode, count);
    v.state->is_listed = 1;
    v.state->pushed = 0;
    v.state->round++;
    return count;
}

/* After the search: the steps that are left. */
DMM_INLINE void dmm_paths_search_ends(const dmm_paths_view v, const dmm_paths_call c)
{
    const int links = v.predecessors != 0 || (v.state->overflows && !v.state->is_cut);
    dmm_paths_go(v, links ? DMM_PATHS_LINKS : DMM_PATHS_ENDS, c.n);
}

/* The next round; or the far vertices; or the end of the search. */
DMM_INLINE void dmm_paths_search(const dmm_paths_view v, const dmm_paths_call c)
{
    if (dmm_paths_take(v, DMM_PATHS_RELAXES) != 0)
        return;
    if (dmm_paths_stops(v, c)) {
        v.state->is_cut = 1;
        dmm_paths_go(v, DMM_PATHS_CUTS, c.n);
    } else if (v.state->far_count != 0) {
        const uint least = v.state->far_least;
        v.state->begin = v.state->limit;
        v.state->limit = max(dmm_paths_sum(least, v.state->delta), least + 1);
        v.state->far_least = DMM_PATHS_INFINITY;
        v.state->far_kept = 0;
        dmm_paths_go(v, DMM_PATHS_SPLITS, v.state->far_count);
    } else {
        dmm_paths_search_ends(v, c);
    }
}

/* After an extraction: its vertices, or the end of the search. */
DMM_INLINE void dmm_paths_turn(const dmm_paths_view v, const dmm_paths_call c)
{
    const ulong extracted = min(v.turns->extracted, c.batch), handed = v.turns->handed;
    v.state->pushed -= (uint)handed;
    v.state->round++;
    v.state->limit = extracted != 0 ? v.given[0] : DMM_PATHS_INFINITY;
    const int is_empty = v.state->pushed == 0 && handed == 0 && extracted == 0;
    if (v.turns->report[0] != 0) {
        dmm_paths_go(v, DMM_PATHS_FAILS, 0);
    } else if ((is_empty || extracted != 0) && dmm_paths_stops(v, c)) {
        v.state->is_cut = 1;
        dmm_paths_go(v, DMM_PATHS_CUTS, c.n);
    } else if (is_empty) {
        dmm_paths_search_ends(v, c);
    } else {
        dmm_paths_go(v, DMM_PATHS_HEAPS, extracted);
    }
}

/* After the steps that find predecessors. */
DMM_INLINE void dmm_paths_trees(
    const dmm_paths_view v, const dmm_paths_call c, global ulong *report)
{
    const uint mode = v.state->mode;
    if (mode == DMM_PATHS_LINKS && v.state->too_far != DMM_PATHS_NONE && report != 0) {
        report[c.report_at] = c.too_large;
        report[c.report_at + 1] = v.state->too_far;
    }
    if (mode == DMM_PATHS_LINKS && v.predecessors != 0) {
        dmm_paths_go(v, DMM_PATHS_LISTS, c.n);
    } else if (mode == DMM_PATHS_LISTS && v.state->open) {
        v.state->level = 1;
        dmm_paths_go(v, DMM_PATHS_CLOSES, c.n);
    } else if (mode != DMM_PATHS_CLOSES || dmm_paths_take(v, DMM_PATHS_CLOSES) == 0) {
        dmm_paths_go(v, DMM_PATHS_ENDS, 0);
    } else {
        v.state->level++;
    }
}

/* Decides what the step after the last one does. */
DMM_INLINE void dmm_paths_decide(
    const dmm_paths_view v, const dmm_paths_call c, global ulong *report)
{
    switch (v.state->mode) {
    case DMM_PATHS_BEGINS:
        dmm_paths_go(v, DMM_PATHS_CHECKS, c.n + 1 + c.m + c.num_sources + c.num_stops);
        break;
    case DMM_PATHS_CHECKS:
        dmm_paths_go(v, dmm_paths_is_bad(v, c, report) ? DMM_PATHS_ENDS : DMM_PATHS_CLEARS, c.n);
        break;
    case DMM_PATHS_CLEARS:
        dmm_paths_go(v, DMM_PATHS_SEEDS, c.num_sources);
        break;
    case DMM_PATHS_SPLITS:
        v.state->far_count = v.state->far_kept;
        v.state->splits++;
        dmm_paths_search(v, c);
        break;
    case DMM_PATHS_SEEDS:
    case DMM_PATHS_RELAXES:
        if (c.bulk != 0)
            dmm_paths_go(v, DMM_PATHS_HEAPS, 0);
        else if (c.alone_most != 0 && v.state->mode == DMM_PATHS_SEEDS)
            dmm_paths_go(v, DMM_PATHS_ALONE, 1);
        else
            dmm_paths_search(v, c);
        break;
    case DMM_PATHS_ALONE:
        dmm_paths_search(v, c);
        break;
    case DMM_PATHS_HEAPS:
        v.state->count = 0;
        if (c.is_turn)
            dmm_paths_turn(v, c);
        break;
    case DMM_PATHS_CUTS:
        dmm_paths_search_ends(v, c);
        break;
    case DMM_PATHS_LINKS:
    case DMM_PATHS_LISTS:
    case DMM_PATHS_CLOSES:
        dmm_paths_trees(v, c, report);
        break;
    default:
        break;
    }
}

/* Returns the largest power of two that is at most x, or 1. */
DMM_INLINE uint dmm_paths_floor(ulong x)
{
    return x > 1 ? 1u << (63 - (uint)clz(x)) : 1u;
}

/* Chooses one group or all by the expected work: along edges, m / n edges an item. */
DMM_INLINE void dmm_paths_crew(const dmm_paths_view v, const dmm_paths_call c)
{
    const uint mode = v.state->mode;
    const ulong items = max(v.state->count, (ulong)1), degree = c.n != 0 ? c.m / c.n : 0;
    const int edges = mode == DMM_PATHS_RELAXES || mode == DMM_PATHS_HEAPS ||
                      mode == DMM_PATHS_LINKS || mode == DMM_PATHS_CLOSES;
    v.state->is_wide = mode != DMM_PATHS_ENDS && items * (edges ? degree + 1 : 1) > c.narrow;
    const ulong workers = v.state->is_wide ? c.groups * DMM_U : DMM_U;
    const ulong least = min(degree, min((ulong)DMM_U, c.lanes));
    v.state->team = edges ? dmm_paths_floor(max(workers / items, least)) : 1;
}

DMM_KERNEL(DMM_U)
void dmm_paths_narrow(DMM_PATHS_PARAMETERS)
{
    const dmm_paths_view v = DMM_PATHS_VIEW;
    const uint rounds = (uint)c.rounds;
    uint round = 0;
    int goes_on = 1, is_last = 0;
    if (get_local_id(0) == 0) {
        if (c.turn == 1)
            dmm_paths_begin(v, c, report);
        if (v.state->turn + 1 == c.turn)
            v.state->turn = c.turn;
    }
    do {
        if (get_local_id(0) == 0 && v.state->turn == c.turn) {
            dmm_paths_decide(v, c, report);
            dmm_paths_crew(v, c);
        }
        barrier(CLK_GLOBAL_MEM_FENCE); /* the state | read by all */
        goes_on = v.state->turn == c.turn && !v.state->is_wide && v.state->mode != DMM_PATHS_ENDS;
        is_last = v.state->mode == DMM_PATHS_HEAPS;
        if (DMM_U == 1 && goes_on && v.state->mode == DMM_PATHS_ALONE)
            dmm_paths_alone(v, c);
        else if (goes_on)
            dmm_paths_step(v, c, 0, 1);
        barrier(CLK_GLOBAL_MEM_FENCE); /* the step's stores, its reads of the state | the next */
        round++;
    } while (goes_on && !is_last && round < rounds);
}

DMM_KERNEL(DMM_U)
void dmm_paths_wide(DMM_PATHS_PARAMETERS)
{
    const dmm_paths_view v = DMM_PATHS_VIEW;
    if (v.state->turn == c.turn && v.state->is_wide)
        dmm_paths_step(v, c, DMM_GROUP, c.groups);
}

/* Makes an update of the heap of vertices that came nearer, the last of which were listed last.
 * While others are left, nothing is extracted. */
DMM_KERNEL(DMM_U)
void dmm_paths_hand(global const uint *distances, global uchar *temp, const dmm_paths_call c)
{
    global const dmm_paths_state *const state = (global const dmm_paths_state *)(temp + c.state_at);
    global dmm_paths_turns *const turns = (global dmm_paths_turns *)(temp + c.turns_at);
    global const uint *const near = (global const uint *)(temp + c.near_at);
    global uint *const stamps = (global uint *)(temp + c.stamps_at);
    global uint *const keys = (global uint *)(temp + c.keys_at);
    global uint *const priorities = (global uint *)(temp + c.priorities_at);
    const int works = state->mode == DMM_PATHS_HEAPS;
    const ulong pushed = state->pushed, handed = works ? min(pushed, c.bulk) : 0;
    for (ulong i = get_global_id(0); i < handed; i += c.groups * DMM_U) {
        const uint x = near[pushed - handed + i];
        keys[i] = x;
        priorities[i] = distances[c.distances_at + x];
        stamps[x] = 0;
    }
    if (get_global_id(0) == 0) {
        turns->handed = handed;
        turns->wanted = works && handed == pushed ? c.batch : 0;
    }
}
