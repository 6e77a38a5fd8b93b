/* SPDX-License-Identifier: MIT */
/*
 * The GPU form of packing (cl/pack/pack.clh), in one launch by a chained scan (cl/chain.clh), after
 * one that clears the chain: a group takes a tile of T items, ranks those that are kept, learns how
 * many the earlier tiles have, and moves its own behind them. A call of more than 2^29 items takes
 * several launches, of which the next begins where this one ends: counts[turn].
 * Cost       items are read once; those that move are read again, from the cache, and written
 * Buffers    state: [0] counter of tiles, [1 + tile] words of the chain, then those of the second
 *            list's
 * Layout     ranks: cl/plane.clh, a word an item. sums: cl/columns.clh.
 * Lost       no more items are kept before an item than there are items: no move leaves its span
 * Claim      conflict-free. Stripes: w consecutive positions from a multiple of w. Blocks: one
 *            residue class mod E. Sums: cl/columns.clh.
 */
#include "cl/chain.clh"
#include "cl/plane.clh"
#include "cl/pack/pack.clh"
#define DMM_COLUMN_BINS 1 /* of cl/columns.clh, only the sums are used */
#include "cl/columns.clh"

/* Places of items in their lists, or numbers of them. */
typedef struct dmm_pack_places {
    dmm_index kept, second;
} dmm_pack_places;

typedef struct dmm_pack_local {
    local dmm_plane *ranks;       /* DMM_BARE_PLANE_WORDS */
    local dmm_word *sums;         /* 2u */
    local dmm_pack_places *place; /* of the tile's first items */
    uint t;
} dmm_pack_local;

DMM_INLINE uint dmm_pack_mark(dmm_pack_view s, ulong x)
{
    return DMM_PACK_BY == DMM_PACK_RUNS && x == 0 ? 1 : dmm_pack_kind(s, x);
}

/* A tile's rank counts kept items in its lower half, those of the second list in the upper one: a
 * tile has at most 2^15 items. */
#define DMM_PACK_RANK(kind)    (((kind) & 1) | (kind) >> 1 << 16)
#define DMM_PACK_KEPT(rank)    ((rank) & 0xffffu)
#define DMM_PACK_SECONDS(rank) ((rank) >> 16)

/* A tile's link in the chain, or in that of the second list, which follows it. */
typedef struct dmm_pack_link {
    global uint *words, *seconds;
    uint tile, first; /* first: tile of the launch */
} dmm_pack_link;

/* Clears the chain. */
DMM_KERNEL(DMM_U)
void dmm_pack_clear(DMM_PACK_PARAMETERS)
{
    DMM_INPUT_BEGIN(items, c.items_at)
    const ulong words = 1 + (DMM_PACK_SECOND ? 2 : 1) * c.tiles;
    for (ulong x = get_global_id(0); x < words; x += c.groups * DMM_U)
        state[c.state_at + x] = 0;
    if (get_global_id(0) == 0)
        counts[c.counts_at] = 0;
    if (DMM_PACK_SECOND && get_global_id(0) == 0)
        counts[c.counts_at + 2] = 0;
}

/* Returns the number of items of a tile that are of a kind. */
DMM_INLINE uint dmm_pack_recount(dmm_pack_view s, uint tile, uint kind)
{
    const ulong first = min((ulong)tile * DMM_TILE, s.end), end = min(first + DMM_TILE, s.end);
    uint found = 0;
    for (ulong x = first; x < end; x++)
        found += dmm_pack_mark(s, x) == kind;
    return found;
}

/* Returns the number of items of the earlier tiles that are of a kind; publishes it with that of
 * this tile, which is published already. */
DMM_INLINE uint dmm_pack_chain(
    dmm_pack_view s, global uint *words, dmm_pack_link link, uint own, uint kind)
{
    uint before = 0;
#define DMM_WORD_OF(row)  (&words[row])
#define DMM_COUNT_OF(row) dmm_pack_recount(s, row, kind)
    DMM_CHAIN_WALK(before, link.first, link.tile, DMM_WORD_OF, DMM_COUNT_OF);
#undef DMM_WORD_OF
#undef DMM_COUNT_OF
    atomic_xchg(&words[link.tile], DMM_CHAIN_ALL | (before + own));
    return before;
}

/* Publishes the tile's rank; returns the places of its first items. from: of the launch's. */
DMM_INLINE dmm_pack_places dmm_pack_find(
    dmm_pack_view s, dmm_pack_link link, uint own, dmm_pack_places from, dmm_index most)
{
    const uint kept = DMM_PACK_SECOND ? DMM_PACK_KEPT(own) : own;
    dmm_pack_places place = {0, 0};
    atomic_xchg(&link.words[link.tile], DMM_CHAIN_OWN | kept);
    if (DMM_PACK_SECOND)
        atomic_xchg(&link.seconds[link.tile], DMM_CHAIN_OWN | DMM_PACK_SECONDS(own));
    place.kept = min(from.kept + dmm_pack_chain(s, link.words, link, kept, 1), most);
    if (DMM_PACK_SECOND)
        place.second =
            min(from.second + dmm_pack_chain(s, link.seconds, link, DMM_PACK_SECONDS(own), 2),
                most - place.kept);
    return place;
}

/* Turns marks into ranks: for each item of the tile, the number of kept ones before it in the tile.
 * Returns their number to the last work-item. */
DMM_INLINE uint dmm_pack_rank(dmm_pack_local mem)
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

/* Moves those of the `count` items from x0 on that have a list. place: of the launch's first items.
 * Returns the places behind the tile's last ones to the last work-item. */
DMM_INLINE dmm_pack_places dmm_pack_tile(dmm_pack_view s, dmm_pack_local mem, ulong x0, uint count,
    dmm_pack_link link, dmm_pack_places place)
{
    local dmm_plane *stripe = mem.ranks + dmm_plane_stripe(mem.t);
    uint marks = 0, seconds = 0; /* a bit an item */
    DMM_UNROLL
    for (uint i = 0; i < DMM_E; i++) { /* past the last item: that item again */
        const uint x = mem.t + i * DMM_U;
        const uint there = count > 0 ? dmm_pack_mark(s, x0 + min(x, count - 1)) : 0;
        const uint kind = x < count ? there : 0;
        stripe[dmm_stripe_address(mem.t, i)] = DMM_PACK_SECOND ? DMM_PACK_RANK(kind) : kind;
        marks |= (kind & 1) << i;
        if (DMM_PACK_SECOND)
            seconds |= kind >> 1 << i;
    }
    const uint own = dmm_pack_rank(mem);
    if (mem.t == DMM_U - 1)
        *mem.place = place = dmm_pack_find(s, link, own, place, (dmm_index)x0);
    barrier(CLK_LOCAL_MEM_FENCE); /* ranks in blocks and the place stored | read */
    const dmm_pack_places first = *mem.place;
    for (uint i = 0; i < DMM_E; i++) {
        const uint x = mem.t + i * DMM_U, is_kept = marks >> i & 1, is_second = seconds >> i & 1;
        if (DMM_PACK_SPLITS ? x >= count : !is_kept)
            continue;
        const uint rank = (uint)stripe[dmm_stripe_address(mem.t, i)];
        const dmm_index kept = first.kept + (DMM_PACK_SECOND ? DMM_PACK_KEPT(rank) : rank);
        const dmm_index second = DMM_PACK_SECOND ? first.second + DMM_PACK_SECONDS(rank) : 0;
        if (is_kept)
            dmm_pack_put(s, x0 + x, kept);
        else if (is_second)
            dmm_pack_move(s, x0 + x, s.second, second);
        else
            dmm_pack_put_rest(s, x0 + x, x0 + x - kept - second);
    }
    place.kept += DMM_PACK_SECOND ? DMM_PACK_KEPT(own) : own;
    place.second += DMM_PACK_SECOND ? DMM_PACK_SECONDS(own) : 0;
    return place;
}

/* Each group moves the items of a tile. Conflict-free: Sums, Tiles in stripes and in blocks. */
DMM_KERNEL(DMM_U)
void dmm_pack_keep(DMM_PACK_PARAMETERS)
{
    DMM_INPUT_BEGIN(items, c.items_at)
    local dmm_plane ranks[DMM_BARE_PLANE_WORDS];
    local dmm_word sums[2 * DMM_U];
    local dmm_pack_places place;
    local uint taken;
    const dmm_pack_local mem = {ranks, sums, &place, (uint)get_local_id(0)};
    const ulong end = DMM_PACK_END;
    const dmm_pack_view s = DMM_PACK_ARGUMENTS(0, end);
    if (mem.t == 0)
        taken = atomic_inc(&state[c.state_at]);
    barrier(CLK_LOCAL_MEM_FENCE); /* tile stored | read by others */
    const dmm_pack_link link = {state + c.state_at + 1, state + c.state_at + 1 + c.tiles,
        min(taken, c.last_tile), c.first_tile};
    const ulong x0 = min((ulong)link.tile * DMM_TILE, end);
    const dmm_pack_places from = {s.counts[c.turn], DMM_PACK_SECOND ? s.counts[c.turn + 2] : 0};
    const dmm_pack_places next =
        dmm_pack_tile(s, mem, x0, (uint)min((ulong)DMM_TILE, end - x0), link, from);
    if (link.tile == c.last_tile && mem.t == DMM_U - 1) {
        s.counts[c.turn ^ 1] = next.kept;
        s.kept[0] = next.kept;
        if (DMM_PACK_SECOND)
            s.counts[(c.turn ^ 1) + 2] = s.seconds[0] = next.second;
    }
}
