/* SPDX-License-Identifier: MIT */
/*
 * The GPU form of sorting segments (segments.clh): groups sort and merge as sort.clh and
 * merge.clh do. In the tile sort positions tell which segment an item is of, and are compared
 * first.
 * Claim      conflict-free (measured with DMM_PLAIN_SEARCH), as sort.clh and merge.clh: the
 *            search reads positions where it reads codes, in words of the same width
 */
#define DMM_LEADS       1 /* a segment: its first position in the tile */
#define DMM_MERGE_TURNS 0 /* values in flight would take registers (ptxas: 160, not 128) */
#include "cl/sort/merge.clh"
#include "cl/sort/segments.clh"
#include "cl/sort/segments_find.clh"
#include "cl/sort/sort.clh"

/* Plane that positions go through: in a packed tile, that of the items. */
#define DMM_MARKS(tile) (DMM_PACKED ? (tile).codes : (tile).positions)

/* Sets the positions of the work-item's items, each with the start of its segment in the tile. They
 * go through the tile, because the loop, which walks a block, is too large to be unrolled. */
DMM_INLINE void dmm_segments_mark(dmm_segments s, dmm_index q, dmm_tile tile, dmm_reg r[DMM_E],
    uint count, uint t)
{
    global const dmm_index *bound = s.bounds + q * DMM_BOUND_WORDS + DMM_BOUND_NUMBER;
    const dmm_index x0 = q * DMM_TILE;
    const ulong lo = bound[0], hi = min((ulong)bound[DMM_BOUND_WORDS], s.num_offsets);
    ulong number = lo;
    dmm_segment own = {0, 0};
    for (uint j = 0; j < DMM_E; j++) {
        const uint place = t * DMM_E + j;
        const dmm_index x = x0 + place;
        uint pos = DMM_PAD + place;
        if (place < count && x >= own.end) {
            number = dmm_offsets_number(s.offsets, x, number, hi);
            own = dmm_segment_of(s, x, number);
        }
        if (place < count)
            pos = (uint)(max(own.first, x0) - x0) << 16 | place;
        DMM_MARKS(tile)[dmm_plane_address(place)] = pos;
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* positions stored in blocks | read in stripes */
    DMM_UNROLL
    for (uint j = 0; j < DMM_E; j++)
        r[j] = dmm_reg_of((dmm_code)r[j].code,
            (uint)DMM_MARKS(tile)[dmm_plane_address(dmm_load_place(t, j))]);
    barrier(CLK_LOCAL_MEM_FENCE); /* positions read | overwritten by the first round */
}

/* Lists of a sorted tile's items: ends[0] before `left`, ends[1] from `right` on, else `out`. */
typedef struct dmm_segments_goal {
    dmm_items out, ends[2];
    uint left, right;
} dmm_segments_goal;

/* Returns the list of item x. */
DMM_INLINE dmm_items dmm_segments_list(dmm_segments_goal goal, uint x)
{
    dmm_items items = goal.out;
    if (x < goal.left)
        items = goal.ends[0];
    else if (x >= goal.right)
        items = goal.ends[1];
    return items;
}

/* Writes the keys of a sorted tile of `count` items. */
DMM_INLINE void dmm_segments_drain(
    dmm_tile tile, dmm_segments_goal goal, dmm_index first, uint count, uint t)
{
    const dmm_tile stripe = dmm_stripe(tile, t);
    DMM_UNROLL
    for (uint i = 0; i < DMM_E; i++) {
        const uint x = t + i * DMM_U;
        if (x < count)
            (dmm_segments_list(goal, x).keys + first + t)[i * DMM_U] =
                dmm_decode(dmm_tile_code_at(stripe, dmm_stripe_address(t, i)));
    }
}

/* Writes a sorted tile of `count` items. */
DMM_INLINE void dmm_segments_write(
    dmm_tile tile, dmm_items in, dmm_segments_goal goal, dmm_index first, uint count, uint t)
{
    dmm_value moved[DMM_E];
    if (count == DMM_TILE) /* a constant: no test an item */
        dmm_segments_drain(tile, goal, first, DMM_TILE, t);
    else
        dmm_segments_drain(tile, goal, first, count, t);
    if (!DMM_VALUE_BYTES)
        return;
    dmm_sort_load_values(tile, in, first, count, t, moved);
    DMM_UNROLL
    for (uint i = 0; i < DMM_E; i++) {
        const uint x = t + i * DMM_U;
        if (x < count)
            dmm_segments_list(goal, x).values[first + x] = moved[i];
    }
}

/* Conflict-free: A merge by blocks, No conflict in a merge, The store between rounds, Sums, The
 * first round. */
DMM_KERNEL(DMM_U)
void dmm_segments_tile(DMM_SEGMENTS_PARAMETERS)
{
    DMM_DECLARE_TILE(tile);
    const dmm_segments s = DMM_SEGMENTS_ARGUMENTS;
    const dmm_index q = DMM_GROUP, x0 = q * DMM_TILE;
    const uint t = (uint)get_local_id(0), count = (uint)min((dmm_index)DMM_TILE, s.n - x0);
    const dmm_segment left = dmm_segment_over(s, q), right = dmm_segment_over(s, q + 1);
    dmm_segments_goal goal;
    dmm_reg r[DMM_E];

    goal.out = s.out;
    goal.ends[0] = dmm_segment_list(s, dmm_segment_levels(left), 0);
    goal.ends[1] = dmm_segment_list(s, dmm_segment_levels(right), 0);
    goal.left = left.first < left.end ? (uint)(min(left.end, x0 + count) - x0) : 0;
    goal.right = right.first < right.end ? (uint)(max(right.first, x0) - x0) : count;
    dmm_load_codes(tile, r, s.in, x0, count, t);
    dmm_segments_mark(s, q, tile, r, count, t);
    dmm_sort_one_tile(tile, t, r);
    dmm_segments_write(tile, s.in, goal, x0, count, t);
}

/* Conflict-free: A merge by blocks, No conflict in a merge, The store between rounds, Sums. */
DMM_KERNEL(DMM_U)
void dmm_segments_merge(DMM_SEGMENTS_PARAMETERS)
{
    DMM_DECLARE_TILE(tile);
    const dmm_segments s = DMM_SEGMENTS_ARGUMENTS;
    for (int side = 0; side < 2; side++) {
        const dmm_merge_job job = dmm_segment_job(s, DMM_GROUP, side);
        if (job.parts.na + job.parts.nb > 0) /* the same for the whole group */
            dmm_merge_one_tile(tile, job.from, job.from, job.to, job.parts);
        barrier(CLK_LOCAL_MEM_FENCE); /* tile drained | overwritten by the other job */
    }
}
