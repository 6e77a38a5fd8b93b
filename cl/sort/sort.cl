/* SPDX-License-Identifier: MIT */
/*
 * dmm_sort_tile: sorts each tile of T items by itself, by CF-Merge in local memory.
 * Cost       per work-item: a network on E items, then log2(u) rounds of E stores, 3E loads (E in
 *            the first one) and a merge in registers; every item is read and written once in global
 *            memory.
 * Layout     cl/tile.clh
 * Claim      conflict-free (measured with DMM_PLAIN_SEARCH)
 * Source     K. Berney, "Parallel Cache-Efficient Algorithms on GPUs", 2023, sections 4.1.1 and 5.3
 * Differs    E may share factors with w; registers are merged by half-cleaners; stable by
 *            positions.
 */
#include "cl/sort/load.clh"
#define DMM_ONE_LIST 1
#include "cl/sort/merge.cl"
#include "cl/sort/sort_call.clh"

#if DMM_KEY_KIND == DMM_KIND_LESS
/* Returns in bit j whether the odd work-item's item comes before word j of the even one's. The even
 * one decides for both: `less` need not answer twice alike. */
DMM_INLINE uint dmm_pair_decided(dmm_tile tile, const dmm_reg r[DMM_E], dmm_tile other, uint t)
{
    if (!(t & 1)) {
        uint behind = 0;
        DMM_UNROLL
        for (uint j = 0; j < DMM_E; j++) {
            const dmm_reg y = dmm_block_get(other, dmm_pair_word(j, DMM_E));
            behind |= (uint)dmm_before(y, r[j]) << j;
        }
        tile.behind[t] = behind;
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* decided | read by both */
    return tile.behind[t & ~1u];
}
#endif

/* Executes the first round: pairs of work-items exchange. Both compare two items in the same order,
 * so that they agree. */
DMM_INLINE void dmm_sort_pair(dmm_tile tile, dmm_reg r[DMM_E], uint t)
{
    const dmm_tile own = dmm_tile_block(tile, t), other = dmm_tile_block(tile, t ^ 1);
    const int odd = (int)(t & 1);
    DMM_UNROLL
    for (uint j = 0; j < DMM_E; j++)
        dmm_block_put(own, j, r[j]);
    /* Items stored | read by the other one. In place, keys read | overwritten. */
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
#if DMM_KEY_KIND == DMM_KIND_LESS
    const uint behind = dmm_pair_decided(tile, r, other, t);
#endif
    DMM_UNROLL
    for (uint j = 0; j < DMM_E; j++) {
        const uint word = dmm_pair_word(j, DMM_E);
        const dmm_reg x = r[j], y = dmm_block_get(other, word);
#if DMM_KEY_KIND == DMM_KIND_LESS
        r[j] = dmm_choose((int)(behind >> (odd ? word : j) & 1), y, x);
#elif DMM_POSITIONS
        const dmm_reg even_one = dmm_choose(odd, y, x), odd_one = dmm_choose(odd, x, y);
        r[j] = dmm_choose(dmm_before(odd_one, even_one) ^ odd, odd_one, even_one);
#else
        r[j] = dmm_choose((x.code < y.code) ^ odd, x, y);
#endif
    }
    dmm_merge_registers(r);
    barrier(CLK_LOCAL_MEM_FENCE); /* items read by the other one | overwritten by the next round */
}

/* Stores E items of a list in their slot. is_one_list: true if all lanes of a warp have one list,
 * and so branch alike; where they do not, a choice an item costs less than both branches. */
DMM_INLINE void dmm_sort_store(dmm_tile slot, dmm_reg r[DMM_E], uint reversed, int is_one_list)
{
    if (is_one_list && !reversed) {
        DMM_UNROLL
        for (uint j = 0; j < DMM_E; j++)
            dmm_block_put(slot, j, r[j]);
    } else if (is_one_list) {
        DMM_UNROLL
        for (uint j = 0; j < DMM_E; j++)
            dmm_block_put(slot, j, r[DMM_E - 1 - j]);
    } else {
        DMM_UNROLL
        for (uint j = 0; j < DMM_E; j++)
            dmm_block_put(slot, j, dmm_choose(reversed, r[DMM_E - 1 - j], r[j]));
    }
}

/* Executes a round: merges pairs of lists of 2^log work-items. */
DMM_INLINE void dmm_sort_round(dmm_tile tile, dmm_reg r[DMM_E], uint t, uint log)
{
    const uint lists = 1u << log;
    const dmm_merge_view m = dmm_round_view(t, log, DMM_W_KEY);
    const uint within = t & (2 * lists - 1), reversed = dmm_store_reversed(t, lists);
    const dmm_tile slot = dmm_tile_block(tile, m.first + dmm_store_slot(within, lists, m.gap));

    dmm_sort_store(slot, r, reversed, lists >= DMM_W);
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
DMM_INLINE void dmm_sort_drain(
    dmm_tile tile, dmm_sort_goal goal, dmm_index first, uint count, uint t)
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
DMM_INLINE void dmm_sort_move_values(
    dmm_tile tile, dmm_items in, dmm_sort_goal goal, dmm_index first, uint count, uint t)
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

/* Sorts a tile, of which each work-item has E items (cl/sort/load.clh). */
DMM_INLINE void dmm_sort_one_tile(dmm_tile tile, dmm_items in, dmm_sort_goal goal, dmm_index first,
    uint count, uint t, dmm_reg r[DMM_E])
{
    const dmm_tile block = dmm_tile_block(tile, t);
    dmm_tile_limit(tile, t);
    dmm_sort_registers(r);
    dmm_sort_pair(tile, r, t);
    for (uint log = 1; 1u << log < DMM_U; log++)
        dmm_sort_round(tile, r, t, log);
    DMM_UNROLL
    for (uint j = 0; j < DMM_E; j++)
        dmm_block_put(block, j, r[j]);
    barrier(CLK_LOCAL_MEM_FENCE); /* sorted tile stored | drained */
    if (count == DMM_TILE) /* a constant: no test an item */
        dmm_sort_drain(tile, goal, first, DMM_TILE, t);
    else
        dmm_sort_drain(tile, goal, first, count, t);
    dmm_sort_move_values(tile, in, goal, first, count, t);
}

#if !DMM_SEGMENTED && !DMM_MANY

/* `spare` is scratch of the CPU form. Conflict-free: A merge by blocks, No conflict in a merge, The
 * store between rounds, Sums, The first round. */
DMM_KERNEL(DMM_U)
void dmm_sort_tile(global dmm_key *keys_in, global dmm_value *values_in, global dmm_key *keys_out,
    global dmm_value *values_out, global dmm_key *keys_spare, global dmm_value *values_spare,
    global const ulong *count_in, const dmm_sort_call c)
{
    DMM_DECLARE_TILE(tile);
    const dmm_items in = dmm_list_of(keys_in, values_in, c.in);
    const dmm_sort_goal goal = {dmm_list_of(keys_out, values_out, c.out)};
    const uint t = DMM_LOCAL;
    const dmm_index first = DMM_GROUP * DMM_TILE;
    const dmm_index end =
        dmm_counted_end(count_in, c.count_at, (dmm_index)c.first, (dmm_index)c.end);
    const uint count = (uint)min((dmm_index)DMM_TILE, DMM_MINUS(end, first));
    dmm_reg r[DMM_E];
    if (count == DMM_TILE)
        dmm_load_items(tile, r, in, first, DMM_TILE, t);
    else
        dmm_load_items(tile, r, in, first, count, t);
    dmm_sort_one_tile(tile, in, goal, first, count, t, r);
}

#endif
