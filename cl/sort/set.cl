/* SPDX-License-Identifier: MIT */
/*
 * dmm_set_tile: merges the parts of A and B that make one tile, as merge.clh does, and finds by the
 * starts of the runs of equal items which items have partners.
 * Partners   of a run of which the tile has seen a items of A and b of B, all items of A come
 *            first. Item j of B has a partner if j < a. For item i of A, b is known only at the
 *            run's end, which a scan from the other side brings (DMM_SET_SINGLES alone).
 * Cost       that of dmm_merge_tile, two or three scans of a word a work-item, and some probes of
 *            global memory where a run continues in another tile
 * Layout     cl/tile.clh; sums: cl/columns.clh. The position of an item holds, once it is merged,
 *            whether it is kept (bit 31), how many kept items are before it, and its rank.
 * Claim      conflict-free (measured with DMM_PLAIN_SEARCH): as merge.clh; each work-item reads the
 *            last word of its neighbour's block, one residue class mod E; all read one word.
 */
#include "cl/gather.clh"
#include "cl/sort/merge.clh"
#include "cl/sort/set.clh"
#define DMM_COLUMN_BINS 1 /* cl/columns.clh: only its sums are used */
#include "cl/columns.clh"

#if !DMM_TIES
#error "dmm_set needs the ranks of items"
#endif

#define DMM_SET_KEPT     0x80000000u
#define DMM_SET_RANK     0x7fffu /* below T */
#define DMM_SET_PLACE_AT 15

/* Start of a run in the tile, in a word: its position, and how many items of A are before it. */
#define DMM_SET_START(x, a) ((x) << 16 | (a))
#define DMM_SET_X(start)    ((start) >> 16)
#define DMM_SET_A(start)    ((start)&0xffff)
#define DMM_SET_B(start)    (DMM_SET_X(start) - DMM_SET_A(start))

/* What other tiles have of the first run and of the last one: items of A less items of B, limited
 * to numbers that are compared with those of a tile. */
typedef struct dmm_set_ends {
    int before; /* difference of the first run, before the tile */
    int behind; /* difference of the last run, behind the tile */
    int both;   /* difference of a run that fills the tile, on both sides */
} dmm_set_ends;

typedef struct dmm_set_tile_view {
    dmm_tile tile;
    local dmm_word *sums; /* 2u */
    dmm_set_ends ends;
    uint na, count, t;
} dmm_set_tile_view;

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

DMM_INLINE dmm_code dmm_set_code(dmm_reg r)
{
    return dmm_ranked_code(r.code);
}

DMM_INLINE uint dmm_set_rank(dmm_reg r)
{
    return DMM_POSITIONS ? dmm_reg_position(r) : dmm_ranked_position(r.code);
}

/* Returns the start of the run that begins with the item of a rank at position x. */
DMM_INLINE uint dmm_set_start(dmm_set_tile_view s, uint x, uint rank)
{
    return DMM_SET_START(x, rank < s.na ? rank : x - (rank - s.na));
}

/* Returns a bit for each item of work-item t with which a run begins. Work-item 0 has no neighbour;
 * what it reads instead is in a bank of its own. */
DMM_INLINE uint dmm_set_begins(dmm_set_tile_view s, const dmm_reg r[DMM_E])
{
    const uint x = s.t * DMM_E;
    dmm_code other = dmm_tile_code(s.tile, (s.t > 0 ? x : DMM_W_KEY * DMM_E) - 1);
    uint begins = 0;
    DMM_UNROLL
    for (uint j = 0; j < DMM_E; j++) {
        const dmm_code code = dmm_set_code(r[j]);
        const uint differs = x + j == 0 || dmm_code_less(other, code);
        begins |= (differs & (x + j < s.count)) << j;
        other = code;
    }
    return begins;
}

/* Returns a bit for each item that has a partner, if it is of B; writes where the items' runs
 * start. */
DMM_INLINE uint dmm_set_pairs_b(
    dmm_set_tile_view s, const dmm_reg r[DMM_E], uint begins, uint starts[DMM_E])
{
    uint start = 0, pairs = 0;
    DMM_UNROLL
    for (uint j = 0; j < DMM_E; j++)
        if (begins >> j & 1)
            start = dmm_set_start(s, s.t * DMM_E + j, dmm_set_rank(r[j]));
    start = dmm_group_before(s.sums, s.t, start, 1);
    DMM_UNROLL
    for (uint j = 0; j < DMM_E; j++) {
        const uint x = s.t * DMM_E + j, rank = dmm_set_rank(r[j]), i = rank - s.na;
        if (begins >> j & 1)
            start = dmm_set_start(s, x, rank);
        const int of_a = (int)(x - i - DMM_SET_A(start));
        const int before = DMM_SET_X(start) == 0 ? s.ends.before : 0;
        pairs |= (uint)((int)(i - DMM_SET_B(start)) < of_a + before) << j;
        starts[j] = start;
    }
    return pairs;
}

/* The same for items of A, given the starts of the items' runs. */
DMM_INLINE uint dmm_set_pairs_a(
    dmm_set_tile_view s, const dmm_reg r[DMM_E], uint begins, const uint starts[DMM_E])
{
    const uint end = DMM_SET_START(s.count, s.na);
    uint next = 0, pairs = 0;
    DMM_UNROLL
    for (uint j = DMM_E; j-- > 0;)
        if (begins >> j & 1)
            next = ~dmm_set_start(s, s.t * DMM_E + j, dmm_set_rank(r[j]));
    next = ~dmm_group_before(s.sums, DMM_U - 1 - s.t, next, 1);
    if (next == ~0u)
        next = end;
    DMM_UNROLL
    for (uint j = DMM_E; j-- > 0;) {
        const uint start = starts[j], i = dmm_set_rank(r[j]);
        const int of_b = (int)(DMM_SET_B(next) - DMM_SET_B(start));
        const int first = DMM_SET_X(start) == 0, last = next == end;
        const int more = first ? (last ? s.ends.both : s.ends.before) : last ? s.ends.behind : 0;
        pairs |= (uint)((int)(i - DMM_SET_A(start)) + more < of_b) << j;
        if (begins >> j & 1)
            next = start;
    }
    return pairs;
}

/* Returns a bit for each kept item of work-item t. */
DMM_INLINE uint dmm_set_kept(dmm_set_tile_view s, const dmm_reg r[DMM_E])
{
    uint starts[DMM_E], kept = 0;
    const uint begins = dmm_set_begins(s, r);
    const uint pairs_b = dmm_set_pairs_b(s, r, begins, starts);
#if DMM_SET_OP == DMM_SET_SINGLES
    const uint pairs_a = dmm_set_pairs_a(s, r, begins, starts);
#else
    const uint pairs_a = 0;
#endif
    DMM_UNROLL
    for (uint j = 0; j < DMM_E; j++) {
        const int of_a = dmm_set_rank(r[j]) < s.na;
        const uint keeps =
            of_a ? DMM_SET_KEEPS_A(pairs_a >> j & 1) : DMM_SET_KEEPS_B((pairs_b >> j & 1) != 0);
        kept |= (keeps & (s.t * DMM_E + j < s.count)) << j;
    }
    return kept;
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
        kept = dmm_set_kept(s, r);
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
