/* SPDX-License-Identifier: MIT */
/*
 * dmm_sort_tile: sorts each tile of T items by itself, by CF-Merge in local memory.
 * Cost       per work-item: a network on E items, then log2(u) rounds of search, gather, merge in
 *            registers and store; every item is read and written once in global memory.
 * Layout     cl/tile.clh
 * Claim      conflict-free (measured with DMM_PLAIN_SEARCH)
 * Source     K. Berney, "Parallel Cache-Efficient Algorithms on GPUs", 2023, sections 4.1.1 and 5.3
 * Differs    E may share factors with w; registers are merged by half-cleaners; stable by
 *            positions.
 */
#include "cl/sort/merge.cl"
#include "cl/sort/sort_call.clh"

/* Item x of the tile that begins at `first`; past the end: padding. */
DMM_INLINE void dmm_sort_load(dmm_tile tile, dmm_items in, dmm_index first, uint count, uint t)
{
    for (uint i = 0; i < DMM_E; i++) {
        const uint x = t + i * DMM_U;
        if (x < count)
            dmm_tile_put_code(tile, x, dmm_encode(in.keys[first + x]));
#if DMM_KEY_KIND != DMM_KIND_LESS
        else
            dmm_tile_put_code(tile, x, DMM_CODE_MAX);
#else
        else
            dmm_tile_put_code(tile, x, dmm_encode(in.keys[first]));
#endif
    }
}

/* One round: pairs of lists of `lists` work-items become lists of twice as many. */
DMM_INLINE void dmm_sort_round(dmm_tile tile, local dmm_word *splits, dmm_reg r[DMM_E], uint count,
    uint t, uint lists)
{
    const uint within = t & (2 * lists - 1), base = (t - within) * DMM_E;
    const uint slot = dmm_store_slot(t, lists), reversed = dmm_store_reversed(t, lists);
    const uint real = DMM_MINUS(count, base + lists * DMM_E);
    dmm_merge_view m = {base, 2 * lists, lists * DMM_E, min(real, lists * DMM_E)};
#if DMM_SEGMENTED
    m.segments = 1;
#endif

    DMM_UNROLL
    for (uint j = 0; j < DMM_E; j++) {
        dmm_tile_put(tile, slot * DMM_E + j, dmm_choose(reversed, r[DMM_E - 1 - j], r[j]));
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* lists stored | searched and gathered */

    const uint a = dmm_split(tile, m, within);
    splits[t] = a;
    barrier(CLK_LOCAL_MEM_FENCE); /* splits written | read by the neighbour */

    const uint next = within + 1 < m.g ? (uint)splits[t + 1] : m.na;
    const uint taken = dmm_split_count(a, next);
    DMM_UNROLL
    for (uint j = 0; j < DMM_E; j++)
        r[j] = dmm_tile_get(tile, base + dmm_gather_position(j, within, m.g, a, taken, DMM_E));
    dmm_merge_registers(r);
    barrier(CLK_LOCAL_MEM_FENCE); /* lists gathered, splits read | overwritten by the next round */
}

/* Where item x of a sorted tile goes: to list `ends`, but what lies between `left` and `right` to
 * `out`. */
typedef struct dmm_sort_goal {
    dmm_items out;
#if DMM_SEGMENTED
    dmm_items ends[2];
    uint left, right;
#endif
} dmm_sort_goal;

DMM_INLINE dmm_items dmm_sort_list(dmm_sort_goal goal, uint x)
{
#if DMM_SEGMENTED
    dmm_items items = goal.out;
    if (x < goal.left)
        items = goal.ends[0];
    else if (x >= goal.right)
        items = goal.ends[1];
    return items;
#else
    return goal.out;
#endif
}

/* Moves each value to where its key went. In place, so every value is read before any is
 * written. */
DMM_INLINE void dmm_sort_move_values(dmm_tile tile, dmm_items in, dmm_sort_goal goal,
    dmm_index first, uint count, uint t)
{
#if DMM_VALUE_BYTES
    dmm_value moved[DMM_E];
    DMM_UNROLL
    for (uint i = 0; i < DMM_E; i++) {
        const uint x = t + i * DMM_U;
        if (x < count) {
#if DMM_SORT_POSITIONS
            moved[i] = (dmm_value)(first + DMM_PLACE_OF(dmm_tile_position(tile, x)));
#else
            moved[i] = in.values[first + DMM_PLACE_OF(dmm_tile_position(tile, x))];
#endif
        }
    }
    barrier(CLK_GLOBAL_MEM_FENCE); /* values read | overwritten */
    DMM_UNROLL
    for (uint i = 0; i < DMM_E; i++) {
        const uint x = t + i * DMM_U;
        if (x < count)
            dmm_sort_list(goal, x).values[first + x] = moved[i];
    }
#endif
}

/* Sorts a tile of which work-item t has the positions of block t; the codes follow here. */
DMM_INLINE void dmm_sort_one_tile(dmm_tile tile, local dmm_word *splits, dmm_items in,
    dmm_sort_goal goal, dmm_index first, uint count, uint t, dmm_reg r[DMM_E])
{
    dmm_sort_load(tile, in, first, count, t);
    /* Tile loaded | read in blocks. In place, keys read (the first one by many) | overwritten. */
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    DMM_UNROLL
    for (uint j = 0; j < DMM_E; j++)
        r[j].code = dmm_tile_code(tile, t * DMM_E + j);
    dmm_sort_registers(r);
    barrier(CLK_LOCAL_MEM_FENCE); /* blocks read | overwritten by the first round */
    for (uint lists = 1; lists < DMM_U; lists *= 2)
        dmm_sort_round(tile, splits, r, count, t, lists);
    DMM_UNROLL
    for (uint j = 0; j < DMM_E; j++)
        dmm_tile_put(tile, t * DMM_E + j, r[j]);
    barrier(CLK_LOCAL_MEM_FENCE); /* sorted tile stored | drained */
    for (uint i = 0; i < DMM_E; i++) {
        const uint x = t + i * DMM_U;
        if (x < count)
            dmm_sort_list(goal, x).keys[first + x] = dmm_decode(dmm_tile_code(tile, x));
    }
    dmm_sort_move_values(tile, in, goal, first, count, t);
}

#if !DMM_SEGMENTED

/* `spare` is scratch of the CPU form. */
DMM_KERNEL(DMM_U)
void dmm_sort_tile(global dmm_key *keys_in, global dmm_value *values_in,
    global dmm_key *keys_out, global dmm_value *values_out, global dmm_key *keys_spare,
    global dmm_value *values_spare, global const ulong *count_in, const dmm_sort_call c)
{
    DMM_DECLARE_TILE(tile);
    local dmm_word splits[DMM_U];
    const dmm_items in = dmm_list_of(keys_in, values_in, c.in);
    const dmm_sort_goal goal = {dmm_list_of(keys_out, values_out, c.out)};
    const uint t = (uint)get_local_id(0);
    const dmm_index first = DMM_GROUP * DMM_TILE;
    const dmm_index end =
        dmm_counted_end(count_in, c.count_at, DMM_FIRST_GROUP * DMM_TILE, (dmm_index)c.end);
    const uint count = (uint)min((dmm_index)DMM_TILE, DMM_MINUS(end, first));
    dmm_reg r[DMM_E];
#if DMM_TIES
    DMM_UNROLL
    for (uint j = 0; j < DMM_E; j++)
        r[j].pos = t * DMM_E + j < count ? t * DMM_E + j : DMM_PAD + t * DMM_E + j;
#endif
    dmm_sort_one_tile(tile, splits, in, goal, first, count, t, r);
}

#endif
