/* SPDX-License-Identifier: MIT */
/*
 * dmm_sort_tile: sorts each tile of T items by itself, by CF-Merge in local memory.
 * Cost       per work-item: a network on E items, then log2(u) rounds of E stores, 3E loads and a
 *            merge in registers; every item is read and written once in global memory.
 * Layout     cl/tile.clh
 * Claim      conflict-free (measured with DMM_PLAIN_SEARCH)
 * Source     K. Berney, "Parallel Cache-Efficient Algorithms on GPUs", 2023, sections 4.1.1 and 5.3
 * Differs    E may share factors with w; registers are merged by half-cleaners; stable by
 *            positions.
 */
#include "cl/sort/merge.cl"
#include "cl/sort/sort_call.clh"

/* Loads the tile of `count` items from `first` on, then padding. All loads are in flight before the
 * first is waited for. */
DMM_INLINE void dmm_sort_load(dmm_tile tile, dmm_items in, dmm_index first, uint count, uint t)
{
    global const dmm_key *keys = in.keys + first + t;
    const dmm_tile stripe = dmm_stripe(tile, t);
    dmm_code codes[DMM_E];
    DMM_UNROLL
    for (uint i = 0; i < DMM_E; i++) {
        const int real = t + i * DMM_U < count;
#if DMM_KEY_KIND != DMM_KIND_LESS
        codes[i] = real ? dmm_encode(keys[i * DMM_U]) : DMM_CODE_MAX;
#else
        codes[i] = dmm_encode(*(real ? keys + i * DMM_U : in.keys + first));
#endif
    }
    DMM_UNROLL
    for (uint i = 0; i < DMM_E; i++)
        dmm_tile_put_code_at(stripe, dmm_stripe_address(t, i), codes[i]);
}

/* Executes a round: merges pairs of lists of `lists` work-items. */
DMM_INLINE void dmm_sort_round(dmm_tile tile, dmm_reg r[DMM_E], uint t, uint lists)
{
    const dmm_merge_view m = dmm_round_view(t, lists, DMM_W_KEY);
    const uint within = t & (2 * lists - 1), reversed = dmm_store_reversed(t, lists);
    const dmm_tile slot = dmm_tile_block(tile, m.first + dmm_store_slot(within, lists, m.gap));

    DMM_UNROLL
    for (uint j = 0; j < DMM_E; j++)
        dmm_block_put(slot, j, dmm_choose(reversed, r[DMM_E - 1 - j], r[j]));
    barrier(CLK_LOCAL_MEM_FENCE); /* lists stored | merged */
    if (!dmm_merge_blocks(tile, m, within, r)) {
        DMM_UNROLL
        for (uint j = 0; j < DMM_E; j++)
            r[j] = dmm_block_get(slot, reversed ? DMM_E - 1 - j : j);
    } else {
        dmm_merge_registers(r);
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* lists merged | overwritten by the next round */
}

/* Goal of item x of a sorted tile: list `ends`, or `out` for items between `left` and `right`. */
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

/* Writes the keys of a sorted tile of `count` items. */
DMM_INLINE void dmm_sort_drain(dmm_tile tile, dmm_sort_goal goal, dmm_index first, uint count,
    uint t)
{
    const dmm_tile stripe = dmm_stripe(tile, t);
    DMM_UNROLL
    for (uint i = 0; i < DMM_E; i++) {
        const uint x = t + i * DMM_U;
        if (x < count)
            (dmm_sort_list(goal, x).keys + first + t)[i * DMM_U] =
                dmm_decode(dmm_tile_code_at(stripe, dmm_stripe_address(t, i)));
    }
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

/* Sorts a tile: work-item t already has the positions of block t; loads the codes. */
DMM_INLINE void dmm_sort_one_tile(dmm_tile tile, dmm_items in, dmm_sort_goal goal,
    dmm_index first, uint count, uint t, dmm_reg r[DMM_E])
{
    if (count == DMM_TILE) /* a constant: no test an item */
        dmm_sort_load(tile, in, first, DMM_TILE, t);
    else
        dmm_sort_load(tile, in, first, count, t);
    dmm_tile_limit(tile, t);
    /* Tile loaded | read in blocks. In place, keys read (the first one by many) | overwritten. */
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    const dmm_tile block = dmm_tile_block(tile, t);
    DMM_UNROLL
    for (uint j = 0; j < DMM_E; j++)
        r[j].code = dmm_tile_code_at(block, j);
    dmm_sort_registers(r);
    barrier(CLK_LOCAL_MEM_FENCE); /* blocks read | overwritten by the first round */
    for (uint lists = 1; lists < DMM_U; lists *= 2)
        dmm_sort_round(tile, r, t, lists);
    DMM_UNROLL
    for (uint j = 0; j < DMM_E; j++)
        dmm_block_put(block, j, r[j]);
    barrier(CLK_LOCAL_MEM_FENCE); /* sorted tile stored | drained */
    if (count == DMM_TILE)
        dmm_sort_drain(tile, goal, first, DMM_TILE, t);
    else
        dmm_sort_drain(tile, goal, first, count, t);
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
    const dmm_items in = dmm_list_of(keys_in, values_in, c.in);
    const dmm_sort_goal goal = {dmm_list_of(keys_out, values_out, c.out)};
    const uint t = DMM_LOCAL;
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
    dmm_sort_one_tile(tile, in, goal, first, count, t, r);
}

#endif
