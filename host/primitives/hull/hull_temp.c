/* SPDX-License-Identifier: MIT */
/*
 * The sizes of a hull call, and the regions of its temp.
 */
#include "core/size.h"
#include "primitives/hull/hull.h"

static uint32_t log2_up(uint64_t x)
{
    uint32_t bits = 0;
    while (bits < 63 && (uint64_t)1 << bits < x)
        bits++;
    return bits;
}

/*
 * A problem is active if it has more points than a tile and more than 1/parts of all points. So at
 * most `parts` problems are active at a time, and a level adds at most as many to the table.
 * Halving everything takes log2(parts) levels; half as many more allow for uneven halves.
 * dmm_piece_points makes at most one large set and two pieces for each group.
 */
dmm_hull_sizes dmm_hull_sizes_of(const dmm_hull *hull, uint64_t n, uint64_t sets)
{
    dmm_hull_sizes s = {.splits = n > hull->p.tile, .n = n, .groups = hull->p.most_groups};
    const uint64_t tiles = n / hull->p.tile, most = s.groups * DMM_HULL_PARTS;
    const uint64_t parts = tiles < most ? tiles : most, halves = tiles / 2 + 1;
    s.strips = halves < DMM_MOST_STRIPS ? (uint32_t)halves : DMM_MOST_STRIPS;
    s.small = dmm_size_mul(2, sets != 0 ? sets : 1);
    s.slots = hull->p.cpu ? 0 : n;
    if (!s.splits)
        return s;
    s.pieces = 2 * s.groups + 1;
    s.large_sets = s.groups + 1;
    s.halfplanes = s.large_sets * (DMM_DIRECTIONS + 1);
    s.problems = 2 * s.large_sets;
    if (hull->p.cpu) {
        s.problems *= s.strips;
        s.strip_bounds = s.large_sets * 2 * DMM_STRIP_SLOTS * DMM_STRIP_COORDS;
        s.strip_counts = s.pieces * 2 * DMM_STRIP_SLOTS;
    } else {
        s.levels = (3 * log2_up(parts) + 1) / 2;
        s.problems += s.levels * parts;
        s.tiles = tiles + parts + 2; /* one entry more, for totals */
    }
    return s;
}

uint64_t dmm_hull_place_regions(
    const dmm_hull *hull, const dmm_hull_sizes s, uint64_t at, dmm_hull_call *c)
{
    const struct {
        uint64_t coord, index, byte, problem, large, halfplane, state, work;
    } bytes = {hull->coord_bytes, hull->index_bytes, 1, DMM_PROBLEM_BYTES(hull->index_bytes),
        DMM_LARGE_BYTES(hull->index_bytes), DMM_HALFPLANE_BYTES(hull->coord_bytes),
        DMM_STATE_BYTES(hull->index_bytes), DMM_WORK_BYTES};
    dmm_temp temp = {.bytes = 0};
#define DMM_HULL_REGION(name, type, elements) \
    c->name##_at = at + dmm_temp_region(&temp, elements, bytes.type);
    DMM_HULL_REGIONS(DMM_HULL_REGION)
    return temp.bytes;
}
