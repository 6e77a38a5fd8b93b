/* SPDX-License-Identifier: MIT */
/*
 * dmm_set_tile: merges the parts of A and B that make one tile, as merge.clh does, finds by the
 * starts of the runs of equal items which items have partners, learns how many items the earlier
 * tiles keep, and writes its own behind them.
 * Partners   cl/sort/partners.clh
 * Lists      which one an item is of, its rank says (cl/sort/set_by_rank.clh); for lone keys of at
 *            most 4 bytes, the comparisons of the merge (cl/sort/set_by_code.clh)
 * Chain      cl/chain.clh, behind the splits. A call of more than 2^29 items takes several
 *            launches, of which the next begins where this one ends: counts[turn].
 * Cost       that of dmm_merge_tile, two or three scans of a word a work-item, and some probes of
 *            global memory where a run continues in another tile
 * Layout     cl/tile.clh; sums: cl/before.clh. In the end they hold for each block which
 *            items are kept, a bit each, and how many are before the block.
 * Claim      conflict-free (measured with DMM_PLAIN_SEARCH): as merge.clh; each work-item reads the
 *            last word of its neighbour's block, one residue class mod E; all read one word.
 */
#define DMM_CHAINED /* dmm_merge_partition clears the chain */
#include "cl/chain.clh"
#if !DMM_TIES
#define DMM_REGISTER ulong /* twice the code of an item, and 1 if it is of B */
#endif
#include "cl/sort/merge.clh"
#include "cl/sort/partners.clh"
#include "cl/sort/set.clh"
#if DMM_TIES
#include "cl/sort/set_by_rank.clh"
#else
#include "cl/sort/set_by_code.clh"
#endif

DMM_INLINE int dmm_set_limited(long difference)
{
    return (int)clamp(difference, -2L * DMM_TILE, 2L * DMM_TILE);
}

/* What other tiles have of the runs of the tile's first code and of its last one. */
DMM_INLINE dmm_set_ends dmm_set_ends_of(dmm_items a, dmm_items b, dmm_parts parts,
    dmm_merge_call c, dmm_code first, dmm_code last)
{
    long before = (long)dmm_set_ties(a.keys + parts.a, parts.a, 1, first);
    before -= (long)dmm_set_ties(b.keys + parts.b, parts.b - (dmm_index)c.run, 1, first);
    long behind = 0;
#if DMM_SET_OP == DMM_SET_SINGLES
    const dmm_index b_end = parts.b + parts.nb;
    behind = -(long)dmm_set_ties(b.keys + b_end, (dmm_index)c.end - b_end, 0, last);
#endif
    const dmm_set_ends ends = {
        dmm_set_limited(before), dmm_set_limited(behind), dmm_set_limited(before + behind)};
    return ends;
}

/* Returns how many items of a run are kept, of which the tile has a of A and b of B. before, more:
 * what other tiles have, for items of B and of A (cl/sort/partners.clh). */
DMM_INLINE uint dmm_set_kept_of_run(uint a, uint b, int before, int more)
{
    const uint pairs_b = (uint)clamp((int)a + before, 0, (int)b);
    const uint pairs_a = (uint)clamp((int)b - more, 0, (int)a);
    return DMM_SET_OP == DMM_SET_EITHER ? a + (b - pairs_b)
        : DMM_SET_OP == DMM_SET_PAIRS   ? pairs_b
        : DMM_SET_OP == DMM_SET_LEFT    ? b - pairs_b
                                        : a - pairs_a + (b - pairs_b);
}

/* Counts what a tile keeps, by one work-item, from global memory. */
DMM_INLINE uint dmm_set_recount(dmm_items a, dmm_items b, dmm_parts parts, dmm_merge_call c)
{
    global const dmm_key *of_a = a.keys + parts.a, *of_b = b.keys + parts.b;
    const uint count = parts.na + parts.nb;
    dmm_set_ends ends = {0, 0, 0};
    uint i = 0, j = 0, kept = 0;
    while (i + j < count) {
        const uint i0 = i, j0 = j;
        const int from_b = i == parts.na ||
            (j < parts.nb && dmm_code_less(dmm_encode(of_b[j]), dmm_encode(of_a[i])));
        const dmm_code x = dmm_encode(from_b ? of_b[j] : of_a[i]);
        i += !from_b; /* at least one, even by a `less` that is no order */
        j += from_b;
        while (i < parts.na && !dmm_code_less(x, dmm_encode(of_a[i])))
            i++;
        while (j < parts.nb && !dmm_code_less(x, dmm_encode(of_b[j])))
            j++;
        const int is_first = i0 + j0 == 0, is_last = i + j == count;
        if (is_first || is_last)
            ends = dmm_set_ends_of(a, b, parts, c, x, x);
        kept += dmm_set_kept_of_run(i - i0, j - j0, is_first ? ends.before : 0,
            is_first ? (is_last ? ends.both : ends.before) : is_last ? ends.behind : 0);
    }
    return kept;
}

/* A tile's link in the chain. */
typedef struct dmm_set_link {
    global uint *words;
    uint tile, first, last; /* first, last: tiles of the launch */
} dmm_set_link;

/* Publishes the number of items that the tile keeps, if a tile follows; returns that of the earlier
 * tiles of the launch. For one work-item of a group. */
DMM_INLINE uint dmm_set_chain(dmm_items a, dmm_items b, global const dmm_index *splits,
    dmm_merge_call c, dmm_set_link link, uint own)
{
    uint before = 0;
    if (link.tile < link.last)
        atomic_xchg(&link.words[link.tile], DMM_CHAIN_OWN | own);
#define DMM_WORD_OF(row)  (&link.words[row])
#define DMM_COUNT_OF(row) dmm_set_recount(a, b, dmm_parts_of_tile(splits, 0, c, row), c)
    DMM_CHAIN_WALK(before, link.first, link.tile, DMM_WORD_OF, DMM_COUNT_OF);
#undef DMM_WORD_OF
#undef DMM_COUNT_OF
    if (link.tile < link.last)
        atomic_xchg(&link.words[link.tile], DMM_CHAIN_ALL | (before + own));
    return before;
}

/* Items of a work-item that are read before it waits for the first: all of them would take more
 * registers than the merge does. */
#define DMM_SET_LOADS (DMM_E < 8 ? DMM_E : 8)

/* Item j of a block. */
typedef struct dmm_block_item {
    uint block, j;
} dmm_block_item;

/* Returns the item at position t + i*u: the same one of each block if E divides u. */
DMM_INLINE dmm_block_item dmm_block_item_of(uint t, uint i)
{
    const uint x = DMM_U % DMM_E == 0 ? t : t + i * DMM_U;
    const dmm_block_item at = {
        x / DMM_E + (DMM_U % DMM_E == 0 ? i * (DMM_U / DMM_E) : 0), x % DMM_E};
    return at;
}

/* Writes the kept items of the tile, of which the output has space for `space`. whole: all items
 * are there, and the output has space for them. */
DMM_INLINE void dmm_set_drain(dmm_set_tile_view s, dmm_items a, dmm_items b, dmm_items out,
    dmm_parts parts, dmm_index first, dmm_index space, const int whole)
{
    const dmm_tile stripe = dmm_stripe(s.tile, s.t);
    global dmm_key *keys = out.keys + first;
    global dmm_value *values = out.values + first;
    for (uint i0 = 0; i0 < DMM_E; i0 += DMM_SET_LOADS) {
        DMM_UNROLL
        for (uint i = i0; i < i0 + DMM_SET_LOADS; i++) {
            const dmm_block_item at = dmm_block_item_of(s.t, i);
            if (whole ? DMM_E % DMM_SET_LOADS != 0 && i >= DMM_E : s.t + i * DMM_U >= s.count)
                continue;
            const uint kept = (uint)s.sums[at.block], address = dmm_stripe_address(s.t, i);
            const uint place =
                (uint)s.sums[DMM_U + at.block] + popcount(kept & dmm_set_first(at.j));
            if ((kept >> at.j & 1) && (whole || place < space)) {
                keys[place] = dmm_decode(dmm_tile_code_at(stripe, address));
                if (DMM_VALUE_BYTES)
                    values[place] = dmm_merge_value(
                        a, b, parts, dmm_tile_position_at(stripe, address));
            }
        }
    }
}

/* Conflict-free: A merge by blocks, No conflict in a merge, The store between rounds, Sums,
 * Partners in a tile. */
DMM_KERNEL(DMM_U)
void dmm_set_tile(DMM_SET_PARAMETERS)
{
    DMM_DECLARE_TILE(tile);
    local dmm_word sums[2 * DMM_U];
    local uint taken;
    local dmm_index first;
    const dmm_items a = dmm_list_of(a_keys, a_values, c.merge.a);
    const dmm_items b = dmm_list_of(b_keys, b_values, c.merge.b);
    const dmm_items out = dmm_list_of(keys_out, values_out, c.merge.out);
    global uint *const chain =
        dmm_split_chain(splits + c.merge.splits_at, (dmm_index)c.merge.tiles);
    const uint t = DMM_LOCAL;
    if (t == 0)
        taken = c.merge.tiles == 1 ? 0 : atomic_inc(chain);
    barrier(CLK_LOCAL_MEM_FENCE); /* tile stored | read by others */
    const dmm_set_link link = {chain + 1, min(taken, c.last_tile), c.first_tile, c.last_tile};
    const dmm_parts parts = dmm_parts_of_tile(splits, 0, c.merge, link.tile);
    const uint count = parts.na + parts.nb;
    dmm_set_tile_view s = {tile, sums, {0, 0, 0}, parts.na, count, t};
    uint kept = 0, place = 0;
    if (count > 0) { /* the same for the whole group */
        dmm_reg r[DMM_E];
        const dmm_set_origin origin = dmm_set_merge(tile, a, b, parts, t, r);
        barrier(CLK_LOCAL_MEM_FENCE); /* merged items stored | read by the next work-item */
        s.ends = dmm_set_ends_of(
            a, b, parts, c.merge, dmm_tile_code(tile, 0), dmm_tile_code(tile, count - 1));
        kept = dmm_set_kept(s, DMM_SET_OP, origin, r);
        place = dmm_group_before(sums, t, popcount(kept), 0);
        sums[t] = kept;
        sums[DMM_U + t] = place;
        DMM_END_OF_BLOCK();
    }
    if (t == DMM_U - 1) {
        const uint own = place + popcount(kept);
        const dmm_index from = c.first_tile == 0 ? 0 : counts[c.counts_at + c.turn];
        const dmm_index before = from + dmm_set_chain(a, b, splits, c.merge, link, own);
        first = before;
        if (link.tile == c.last_tile) {
            counts[c.counts_at + (c.turn ^ 1)] = before + own;
            total[c.total_at] = min((ulong)(before + own), (ulong)c.most);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* masks, places and the first place stored | drained */
    const dmm_index space = DMM_MINUS((dmm_index)c.most, first);
    if (count == DMM_TILE && space >= DMM_TILE) /* no tests an item */
        dmm_set_drain(s, a, b, out, parts, first, space, 1);
    else
        dmm_set_drain(s, a, b, out, parts, first, space, 0);
}
