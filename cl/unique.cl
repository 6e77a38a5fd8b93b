/* SPDX-License-Identifier: MIT */
/*
 * The GPU form of packing (cl/unique.clh), in one launch by a chained scan (cl/chain.clh), after
 * one that clears the chain: a group takes a tile of T items, ranks those that begin a run, learns
 * how many the earlier tiles have, and moves its own behind them. A call of more than 2^29 items
 * takes several launches, of which the next begins where this one ends: counts[turn].
 * Cost       items are read once; kept ones are read again, from the cache, and written
 * Buffers    state: [0] counter of tiles, [1 + tile] words of the chain
 * Layout     ranks: cl/plane.clh, a word an item. sums: cl/columns.clh.
 * Lost       no more runs begin before an item than there are items: no move leaves its span
 * Claim      conflict-free. Stripes: w consecutive positions from a multiple of w. Blocks: one
 *            residue class mod E. Sums: cl/columns.clh.
 */
#include "cl/chain.clh"
#include "cl/plane.clh"
#include "cl/unique.clh"
#define DMM_COLUMN_BINS 1 /* of cl/columns.clh, only the sums are used */
#include "cl/columns.clh"

typedef struct dmm_unique_local {
    local dmm_plane *ranks; /* DMM_BARE_PLANE_WORDS */
    local dmm_word *sums;   /* 2u */
    local dmm_index *place; /* of the tile's first run */
    uint t;
} dmm_unique_local;

DMM_INLINE uint dmm_unique_begins(dmm_unique_view s, ulong x)
{
    return x == 0 || dmm_unique_differs(s, x);
}

/* A tile's link in the chain. */
typedef struct dmm_unique_link {
    global uint *words;
    uint tile, first; /* first: tile of the launch */
} dmm_unique_link;

/* Clears the chain. */
DMM_KERNEL(DMM_U)
void dmm_unique_clear(DMM_UNIQUE_PARAMETERS)
{
    const ulong words = 1 + c.tiles;
    for (ulong x = get_global_id(0); x < words; x += c.groups * DMM_U)
        state[c.state_at + x] = 0;
    if (get_global_id(0) == 0)
        counts[c.counts_at] = 0;
}

/* Returns the number of runs that begin in a tile. */
DMM_INLINE uint dmm_unique_recount(dmm_unique_view s, uint tile)
{
    const ulong first = min((ulong)tile * DMM_TILE, s.end), end = min(first + DMM_TILE, s.end);
    uint runs = 0;
    for (ulong x = first; x < end; x++)
        runs += dmm_unique_begins(s, x);
    return runs;
}

/* Publishes the number of runs that begin in the tile; returns that of the earlier tiles. */
DMM_INLINE uint dmm_unique_chain(dmm_unique_view s, dmm_unique_link link, uint own)
{
    uint before = 0;
    atomic_xchg(&link.words[link.tile], DMM_CHAIN_OWN | own);
#define DMM_WORD_OF(row)  (&link.words[row])
#define DMM_COUNT_OF(row) dmm_unique_recount(s, row)
    DMM_CHAIN_WALK(before, link.first, link.tile, DMM_WORD_OF, DMM_COUNT_OF);
#undef DMM_WORD_OF
#undef DMM_COUNT_OF
    atomic_xchg(&link.words[link.tile], DMM_CHAIN_ALL | (before + own));
    return before;
}

/* Turns marks into ranks: for each item of the tile, the number of runs that begin before it in the
 * tile. Returns their number to the last work-item. */
DMM_INLINE uint dmm_unique_rank(dmm_unique_local mem)
{
    local dmm_plane *block = mem.ranks + dmm_plane_block(mem.t);
    uint own = 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* stripes stored | read in blocks */
    for (uint j = 0; j < DMM_E; j++)
        own += (uint)block[j];
    uint before = dmm_group_before(mem.sums, mem.t, own, 0);
    for (uint j = 0; j < DMM_E; j++) {
        const uint mark = (uint)block[j];
        block[j] = before;
        before += mark;
    }
    return before;
}

/* Moves those of the `count` items from x0 on that begin a run. place: of the launch's first run.
 * Returns the place behind the tile's last run to the last work-item. */
DMM_INLINE dmm_index dmm_unique_tile(dmm_unique_view s, dmm_unique_local mem, ulong x0, uint count,
    dmm_unique_link link, dmm_index place)
{
    local dmm_plane *stripe = mem.ranks + dmm_plane_stripe(mem.t);
    uint marks = 0; /* a bit an item */
    DMM_UNROLL
    for (uint i = 0; i < DMM_E; i++) { /* past the last item: that item again */
        const uint x = mem.t + i * DMM_U;
        const uint mark =
            count > 0 && dmm_unique_begins(s, x0 + min(x, count - 1)) & (x < count);
        stripe[dmm_stripe_address(mem.t, i)] = mark;
        marks |= mark << i;
    }
    const uint own = dmm_unique_rank(mem);
    if (mem.t == DMM_U - 1) {
        place = min(place + dmm_unique_chain(s, link, own), (dmm_index)x0);
        *mem.place = place;
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* ranks in blocks and the place stored | read */
    const dmm_index first = *mem.place;
    for (uint i = 0; i < DMM_E; i++) {
        const uint x = mem.t + i * DMM_U;
        if (marks >> i & 1)
            dmm_unique_move(s, x0 + x, first + (uint)stripe[dmm_stripe_address(mem.t, i)]);
    }
    return place + own;
}

/* Each group moves the runs of a tile. Conflict-free: Sums, Tiles in stripes and in blocks. */
DMM_KERNEL(DMM_U)
void dmm_unique_keep(DMM_UNIQUE_PARAMETERS)
{
    local dmm_plane ranks[DMM_BARE_PLANE_WORDS];
    local dmm_word sums[2 * DMM_U];
    local dmm_index place;
    local uint taken;
    const dmm_unique_local mem = {ranks, sums, &place, (uint)get_local_id(0)};
    const ulong end = DMM_UNIQUE_END;
    const dmm_unique_view s = DMM_UNIQUE_ARGUMENTS(0, end);
    if (mem.t == 0)
        taken = atomic_inc(&state[c.state_at]);
    barrier(CLK_LOCAL_MEM_FENCE); /* tile stored | read by others */
    const dmm_unique_link link = {state + c.state_at + 1, min(taken, c.last_tile), c.first_tile};
    const ulong x0 = min((ulong)link.tile * DMM_TILE, end);
    const dmm_index next = dmm_unique_tile(s, mem, x0, (uint)min((ulong)DMM_TILE, end - x0), link,
        s.counts[c.turn]);
    if (link.tile == c.last_tile && mem.t == DMM_U - 1) {
        s.counts[c.turn ^ 1] = next;
        s.runs[0] = next;
    }
}
