/* SPDX-License-Identifier: MIT */
/*
 * From steps to launches. Steps are joined as long as the sets of wires that their comparators
 * connect have at most T wires each: then each set is in a tile, which does all these steps alone.
 * A network of at most half a tile stands in the tile several times, for as many rows.
 */
#include <stdlib.h>
#include <string.h>

#include "cl/network_call.clh"
#include "core/check.h"
#include "primitives/network/network.h"

#define NO_TILE UINT32_MAX

/* The work on a plan. Arrays of wires are indexed by the wires of all copies. */
typedef struct planner {
    dmm_network_plan *plan;
    const dmm_network_desc *desc;
    uint32_t copies, wires;   /* copies of the network, and all their wires */
    dmm_network_sets sets;    /* wires that the run's comparators connect, of the first copy */
    uint32_t *tiles, *places; /* a root's tile; a wire's tile*T + position */
    uint32_t *filled;         /* wires in each tile */
    uint64_t *cursors;        /* one a tile and step */
    uint64_t num_cursors;
    uint32_t *sorted; /* the run's comparators by tile and step */
    uint64_t num_sorted;
    dmm_network_lanes lanes;
} planner;

static uint64_t start_of(const planner *p, uint64_t step)
{
    return step != 0 ? p->desc->ends[step - 1] : 0;
}

/* Adds a step to the run. Returns 0 and changes nothing if a set of wires would not fit into a
 * tile. */
static int join(planner *p, uint64_t step)
{
    const uint64_t start = start_of(p, step);
    const dmm_comparator *const pairs = p->desc->pairs;
    return dmm_network_sets_join(
        &p->sets, pairs != NULL ? pairs + start : NULL, p->desc->ends[step] - start, p->plan->tile);
}

/* ---- Memory ---------------------------------------------------------------------------------- */

/* Appends words, whose contents are undefined, and returns their index by *at. */
static dmm_status append(dmm_network_store *store, uint64_t count, uint64_t *at)
{
    uint64_t capacity = store->capacity != 0 ? store->capacity : 1024;
    while (capacity < store->count + count)
        capacity *= 2;
    if (capacity != store->capacity) {
        uint32_t *const words = realloc(store->words, (size_t)capacity * sizeof *words);
        if (words == NULL)
            return DMM_OUT_OF_MEMORY;
        store->words = words;
        store->capacity = capacity;
    }
    *at = store->count;
    store->count += count;
    return DMM_OK;
}

static dmm_status add_launch(dmm_network_plan *plan, const dmm_network_launch *launch)
{
    if (plan->num_launches == plan->capacity) {
        const uint64_t capacity = 2 * plan->capacity + 16;
        dmm_network_launch *const launches =
            realloc(plan->launches, (size_t)capacity * sizeof *launches);
        if (launches == NULL)
            return DMM_OUT_OF_MEMORY;
        plan->launches = launches;
        plan->capacity = capacity;
    }
    plan->launches[plan->num_launches++] = *launch;
    return DMM_OK;
}

/* Makes an array of at least `count` items of `bytes` bytes, if it is smaller. */
static dmm_status reserve(void *array, uint64_t *capacity, uint64_t count, size_t bytes)
{
    void *memory = NULL;
    if (count <= *capacity)
        return DMM_OK;
    memcpy(&memory, array, sizeof memory);
    free(memory);
    memory = malloc((size_t)count * bytes);
    memcpy(array, &memory, sizeof memory);
    *capacity = memory != NULL ? count : 0;
    return memory != NULL ? DMM_OK : DMM_OUT_OF_MEMORY;
}

/* ---- Places ---------------------------------------------------------------------------------- */

/* Gives each set a tile, in the order of their first wires, and each wire a position, in order.
 * Returns the number of tiles. */
static uint32_t place_wires(planner *p)
{
    const uint32_t T = p->plan->tile, n = p->desc->wires;
    uint32_t tiles = 0, taken = T;
    for (uint32_t copy = 0; copy < p->copies; copy++) {
        for (uint32_t wire = dmm_network_sets_next(&p->sets, 0); wire < n;
             wire = dmm_network_sets_next(&p->sets, wire + 1)) {
            const uint32_t root = dmm_network_sets_root(&p->sets, wire), size = p->sets.sizes[root];
            if (p->tiles[root] == NO_TILE) {
                if (taken + size > T) {
                    p->filled[tiles++] = 0;
                    taken = 0;
                }
                p->tiles[root] = tiles - 1;
                taken += size;
            }
            const uint32_t tile = p->tiles[root];
            p->places[copy * n + wire] = tile * T + p->filled[tile]++;
        }
        for (uint32_t wire = dmm_network_sets_next(&p->sets, 0); wire < n;
             wire = dmm_network_sets_next(&p->sets, wire + 1))
            p->tiles[wire] = NO_TILE;
    }
    return tiles;
}

/* ---- Words ----------------------------------------------------------------------------------- */

/* Writes the wires of all tiles. */
static void write_wires(planner *p, uint32_t *out, uint64_t words)
{
    const uint32_t n = p->desc->wires;
    memset(out, 0xff, (size_t)words * sizeof *out);
    for (uint32_t copy = 0; copy < p->copies; copy++)
        for (uint32_t wire = dmm_network_sets_next(&p->sets, 0); wire < n;
             wire = dmm_network_sets_next(&p->sets, wire + 1))
            out[p->places[copy * n + wire]] = copy * n + wire;
}

/* Sorts the comparators of steps first .. last - 1 by tile, and by step in `per_tile` steps a tile.
 * Afterwards cursors[i] is the end of those of number i; a comparator has `words` words. */
static void sort_pairs(
    planner *p, uint64_t first, uint64_t last, uint32_t tiles, uint64_t per_tile, uint32_t words)
{
    const uint32_t T = p->plan->tile, n = p->desc->wires;
    const uint64_t numbers = tiles * per_tile;
    memset(p->cursors, 0, (size_t)(numbers + 1) * sizeof *p->cursors);
    for (int writes = 0; writes < 2; writes++) {
        for (uint64_t step = first; step < last; step++)
            for (uint64_t i = start_of(p, step); i < p->desc->ends[step]; i++)
                for (uint32_t copy = 0; copy < p->copies; copy++) {
                    const dmm_comparator pair = p->desc->pairs[i];
                    const uint32_t low = p->places[copy * n + pair.low];
                    const uint32_t high = p->places[copy * n + pair.high];
                    const uint64_t number = low / T * per_tile + (per_tile > 1 ? step - first : 0);
                    if (!writes) {
                        p->cursors[number + 1] += words;
                    } else if (words == 1) {
                        p->sorted[p->cursors[number]++] = low % T | (high % T) << DMM_NETWORK_BITS;
                    } else {
                        p->sorted[p->cursors[number]++] = pair.low;
                        p->sorted[p->cursors[number]++] = pair.high;
                    }
                }
        for (uint64_t i = 0; i < numbers && !writes; i++)
            p->cursors[i + 1] += p->cursors[i];
    }
}

/* Writes the ends and the comparators of the CPU form. */
static dmm_status write_lists(planner *p, dmm_network_launch *launch, uint64_t words)
{
    dmm_status status = DMM_OK;
    dmm_network_store *const store = &p->plan->store;
    TRY(append(store, launch->tiles + 1, &launch->ends_at));
    TRY(append(store, words, &launch->pairs_at));
    store->words[launch->ends_at] = 0;
    for (uint64_t tile = 0; tile < launch->tiles; tile++)
        store->words[launch->ends_at + tile + 1] = (uint32_t)p->cursors[tile];
    memcpy(store->words + launch->pairs_at, p->sorted, (size_t)words * sizeof *p->sorted);
out:
    return status;
}

/* Writes the ends and the comparators of the GPU form, dealt to lanes. */
static dmm_status write_lanes(planner *p, dmm_network_launch *launch)
{
    dmm_status status = DMM_OK;
    dmm_network_store *const store = &p->plan->store;
    const uint64_t numbers = launch->tiles * launch->steps;
    uint64_t from = 0, dealt = 0, at = 0;
    TRY(append(store, numbers + 1, &launch->ends_at));
    store->words[launch->ends_at] = 0;
    launch->pairs_at = store->count;
    for (uint64_t i = 0; i < numbers; from = p->cursors[i++]) {
        const uint32_t *const pairs = p->sorted + from;
        const uint32_t count = (uint32_t)(p->cursors[i] - from);
        const uint32_t words = dmm_network_lanes_count(&p->lanes, pairs, count);
        TRY(append(store, words, &at));
        dmm_network_lanes_deal(store->words + at, &p->lanes, pairs, count);
        dealt += words;
        FAIL_IF(dealt > UINT32_MAX, DMM_TOO_LARGE);
        store->words[launch->ends_at + i + 1] = (uint32_t)dealt;
    }
out:
    return status;
}

/* Makes a launch of steps first .. last - 1. */
static dmm_status end_run(planner *p, uint64_t first, uint64_t last)
{
    dmm_status status = DMM_OK;
    const int cpu = p->plan->banks == 0;
    const uint64_t pairs = (p->desc->ends[last - 1] - start_of(p, first)) * p->copies;
    const uint64_t words = cpu ? 2 * pairs : pairs;
    dmm_network_launch launch = {.tiles = place_wires(p), .steps = (uint32_t)(last - first)};
    if (pairs == 0)
        goto out;
    TRY(reserve(&p->cursors, &p->num_cursors, launch.tiles * (cpu ? 1 : launch.steps) + 1,
        sizeof *p->cursors));
    TRY(reserve(&p->sorted, &p->num_sorted, words, sizeof *p->sorted));
    sort_pairs(p, first, last, (uint32_t)launch.tiles, cpu ? 1 : launch.steps, cpu ? 2 : 1);
    if (!cpu) {
        const uint64_t wires = launch.tiles * p->plan->tile;
        TRY(append(&p->plan->store, wires, &launch.wires_at));
        write_wires(p, p->plan->store.words + launch.wires_at, wires);
    }
    TRY(cpu ? write_lists(p, &launch, words) : write_lanes(p, &launch));
    TRY(add_launch(p->plan, &launch));
    dmm_network_sets_clear(&p->sets);
out:
    return status;
}

/* ---- The plan -------------------------------------------------------------------------------- */

static dmm_status open_planner(planner *p)
{
    dmm_status status = DMM_OK;
    const size_t n = p->desc->wires, all = p->wires;
    TRY(dmm_network_sets_init(&p->sets, p->desc->wires));
    p->tiles = malloc(n * sizeof *p->tiles);
    p->places = malloc(all * sizeof *p->places);
    /* two tiles in succession hold more than T wires */
    p->filled = malloc((2 * all / p->plan->tile + 2) * sizeof *p->filled);
    FAIL_IF(p->tiles == NULL || p->places == NULL || p->filled == NULL, DMM_OUT_OF_MEMORY);
    for (uint32_t wire = 0; wire < n; wire++)
        p->tiles[wire] = NO_TILE;
    if (p->plan->banks != 0)
        TRY(dmm_network_lanes_init(&p->lanes, p->plan->tile, p->plan->banks));
out:
    return status;
}

static void close_planner(planner *p)
{
    dmm_network_sets_free(&p->sets);
    free(p->tiles);
    free(p->places);
    free(p->filled);
    free(p->cursors);
    free(p->sorted);
    dmm_network_lanes_free(&p->lanes);
}

dmm_status dmm_network_plan_fill(dmm_network_plan *plan, const dmm_network_desc *desc)
{
    dmm_status status = DMM_OK;
    const uint32_t fit = desc->wires <= plan->tile ? plan->tile / desc->wires : 1;
    planner p = {.plan = plan, .desc = desc, .copies = plan->banks != 0 ? fit : 1};
    uint64_t first = 0;
    p.wires = p.copies * desc->wires;
    plan->rows = fit;
    TRY(open_planner(&p));
    for (uint64_t step = 0; step < desc->steps; step++) {
        if (step - first < UINT32_MAX && join(&p, step))
            continue;
        TRY(end_run(&p, first, step));
        first = step--;
    }
    if (desc->steps != 0)
        TRY(end_run(&p, first, desc->steps));
out:
    close_planner(&p);
    return status;
}

void dmm_network_plan_free(dmm_network_plan *plan)
{
    free(plan->launches);
    free(plan->store.words);
    *plan = (dmm_network_plan){.tile = 0};
}
