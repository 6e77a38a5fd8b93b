/* SPDX-License-Identifier: MIT */
/*
 * dmm_set_tile: merges the parts of A and B that make one tile, as merge.clh does, and finds by the
 * starts of the runs of equal items which items have partners.
 * Partners   cl/sort/partners.clh
 * Cost       that of dmm_merge_tile, two or three scans of a word a work-item, and some probes of
 *            global memory where a run continues in another tile
 * Layout     cl/tile.clh; sums: cl/before.clh. The position of an item holds, once it is merged,
 *            whether it is kept (bit 31), how many kept items are before it, and its rank.
 * Claim      conflict-free (measured with DMM_PLAIN_SEARCH): as merge.clh; each work-item reads the
 *            last word of its neighbour's block, one residue class mod E; all read one word.
 */
#include "cl/sort/merge.clh"
#include "cl/sort/set.clh"
#include "cl/sort/partners.clh"

#if !DMM_TIES
#error "dmm_set needs the ranks of items"
#endif

#define DMM_SET_KEPT     0x80000000u
#define DMM_SET_RANK     0x7fffu /* below T */
#define DMM_SET_PLACE_AT 15

DMM_INLINE int dmm_set_limited(long difference)
{
    return (int)clamp(difference, -2L * DMM_TILE, 2L * DMM_TILE);
}

DMM_INLINE dmm_set_ends dmm_set_ends_of(
    dmm_tile tile, dmm_items a, dmm_items b, dmm_parts parts, dmm_merge_call c)
{
    const dmm_code first = dmm_tile_code(tile, 0);
    long before = (long)dmm_set_ties(a.keys + parts.a, parts.a, 1, first);
    before -= (long)dmm_set_ties(b.keys + parts.b, parts.b - (dmm_index)c.run, 1, first);
    long behind = 0;
#if DMM_SET_OP == DMM_SET_SINGLES
    const dmm_code last = dmm_tile_code(tile, parts.na + parts.nb - 1);
    const dmm_index b_end = parts.b + parts.nb;
    behind = -(long)dmm_set_ties(b.keys + b_end, (dmm_index)c.end - b_end, 0, last);
#endif
    const dmm_set_ends ends = {
        dmm_set_limited(before), dmm_set_limited(behind), dmm_set_limited(before + behind)};
    return ends;
}

/* Writes the kept items of the tile. */
DMM_INLINE void dmm_set_drain(dmm_tile tile, dmm_items a, dmm_items b, dmm_items out,
    dmm_parts parts, dmm_range places, uint t)
{
    const dmm_tile stripe = dmm_stripe(tile, t);
    for (uint i = 0; i < DMM_E && t + i * DMM_U < parts.na + parts.nb; i++) {
        const uint word = dmm_tile_position_at(stripe, dmm_stripe_address(t, i));
        const dmm_code code = dmm_tile_code_at(stripe, dmm_stripe_address(t, i));
        const dmm_index place = places.first + (word >> DMM_SET_PLACE_AT & DMM_SET_RANK);
        if ((word & DMM_SET_KEPT) && place < places.end) {
            out.keys[place] = dmm_decode(code);
            if (DMM_VALUE_BYTES)
                out.values[place] = dmm_merge_value(a, b, parts, word & DMM_SET_RANK);
        }
    }
}

/* Stores work-item t's items with their places in the output. */
DMM_INLINE void dmm_set_place(dmm_tile block, const dmm_reg r[DMM_E], uint kept, uint place)
{
    DMM_UNROLL
    for (uint j = 0; j < DMM_E; j++) {
        const uint keeps = kept >> j & 1;
        const uint word = dmm_set_rank(r[j]) & DMM_SET_RANK;
        dmm_block_put(block, j,
            dmm_reg_of(
                dmm_set_code(r[j]), word | (keeps ? DMM_SET_KEPT | place << DMM_SET_PLACE_AT : 0)));
        place += keeps;
    }
}

/* Conflict-free: A merge by blocks, No conflict in a merge, The store between rounds, Sums,
 * Partners in a tile. */
DMM_KERNEL(DMM_U)
void dmm_set_tile(DMM_SET_PARAMETERS)
{
    DMM_DECLARE_TILE(tile);
    local dmm_word sums[2 * DMM_U];
    const dmm_items a = dmm_list_of(a_keys, a_values, c.merge.a);
    const dmm_items b = dmm_list_of(b_keys, b_values, c.merge.b);
    const dmm_items out = dmm_list_of(keys_out, values_out, c.merge.out);
    const dmm_parts parts = dmm_parts_of(splits, 0, c.merge);
    const uint t = DMM_LOCAL, count = parts.na + parts.nb;
    const dmm_tile block = dmm_tile_block(tile, t);
    uint kept = 0, place = 0;
    dmm_reg r[DMM_E];
    if (count > 0) { /* the same for the whole group */
        dmm_merge_parts(tile, a, b, parts, t, r);
        barrier(CLK_LOCAL_MEM_FENCE); /* merged items stored | read by the next work-item */
        const dmm_set_ends ends = dmm_set_ends_of(tile, a, b, parts, c.merge);
        const dmm_set_tile_view s = {tile, sums, ends, parts.na, count, t};
        kept = dmm_set_kept(s, DMM_SET_OP, r);
        place = dmm_group_before(sums, t, popcount(kept), 0);
    }
    if (t == DMM_U - 1)
        dmm_set_tell(counts, total, c, place + popcount(kept));
    if (count > 0 && c.keeps) { /* the same for the whole group */
        dmm_set_place(block, r, kept, place);
        barrier(CLK_LOCAL_MEM_FENCE); /* places stored | drained */
        dmm_set_drain(tile, a, b, out, parts, dmm_set_places(counts, c), t);
    }
}
