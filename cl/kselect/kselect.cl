/* SPDX-License-Identifier: MIT */
/*
 * The GPU form of selection (cl/kselect/kselect.clh): a group takes its range tile by tile, T
 * items each.
 * Cost       a pass reads the list's keys twice if the list moves, otherwise once. A tile that
 *            moves takes a scan over the group, and 2T words pass through local memory.
 * Layout     tile: cl/tile.clh. columns, sums: cl/columns.clh.
 * Claim      conflict-free, as cl/tile.clh and cl/columns.clh: items go from stripes to blocks, and
 *            from there to global memory, where those that move lie side by side.
 */
#include "cl/kselect/kselect.clh"
#include "cl/tile.clh"
#include "cl/columns.clh"
#include "cl/group.clh"

/* Counts the rows of this group's items. */
DMM_INLINE void dmm_kselect_count_own(dmm_kselect s, local dmm_word *columns)
{
    const dmm_candidates list = dmm_kselect_list(s);
    const dmm_range own = dmm_kselect_range(s, list);
    const uint t = (uint)get_local_id(0), rows = DMM_KSELECT_ROWS(list.high - list.low);
    const dmm_index step = DMM_COLUMN_TILES * DMM_TILE;
    dmm_index totals[DMM_OWN_BINS];

    dmm_columns_clear(columns, t, totals);
    for (dmm_index part = own.first; part < own.end; part += min(step, own.end - part)) {
        global const dmm_key *const keys = list.items.keys + part;
        const uint size = (uint)min(step, own.end - part);
        barrier(CLK_LOCAL_MEM_FENCE); /* columns cleared | counted */
        for (uint x = t; x < size; x += DMM_TILE) {
            dmm_key batch[DMM_E]; /* loads in flight */
            DMM_UNROLL
            for (uint i = 0; i < DMM_E; i++)
                batch[i] = keys[min(x + i * DMM_U, size - 1)];
            DMM_UNROLL
            for (uint i = 0; i < DMM_E; i++) {
                const uint row = dmm_kselect_row(list, dmm_kselect_code(batch[i]));
                if (row < DMM_COLUMN_BINS && x + i * DMM_U < size)
                    dmm_columns_add(columns, t, row);
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE); /* columns counted | added up and cleared by rows */
        dmm_columns_sum(columns, t, totals, size < own.end - part);
    }
    for (uint i = 0; i < DMM_OWN_BINS; i++) {
        const uint row = dmm_columns_bin(t, i);
        if (row < rows)
            s.counts[row * (dmm_index)s.groups + DMM_GROUP] = totals[i];
    }
    if (DMM_GROUP == 0 && t == 0)
        s.counts[rows * (dmm_index)s.groups] = 0;
}

/* Conflict-free: Counters. */
DMM_KERNEL(DMM_U)
void dmm_kselect_count(DMM_KSELECT_PARAMETERS)
{
    local dmm_word columns[DMM_COUNTER_WORDS];
    const dmm_kselect s = DMM_KSELECT_ARGUMENTS;
    dmm_kselect_count_own(s, columns);
}

/* Loads `count` items into the tile, in stripes; after a barrier they can be read in blocks. */
DMM_INLINE void dmm_kselect_load(dmm_tile tile, dmm_candidates list, dmm_index x0,
    uint count, uint t)
{
    global const dmm_key *keys = list.items.keys + x0 + t;
    const dmm_tile stripe = dmm_stripe(tile, t);
    dmm_code codes[DMM_E]; /* E loads in flight */
    DMM_UNROLL
    for (uint i = 0; i < DMM_E; i++)
        codes[i] = t + i * DMM_U < count ? dmm_kselect_code(keys[i * DMM_U]) : 0;
    DMM_UNROLL
    for (uint i = 0; i < DMM_E; i++)
        dmm_tile_put_ranked_at(stripe, dmm_stripe_address(t, i), codes[i]);
}

/* Moves the selected items of a tile of `count` items from x0 on, and adds their number to *k. */
DMM_INLINE void dmm_kselect_tile(dmm_kselect s, dmm_candidates list, dmm_tile tile,
    local dmm_word *sums, dmm_keeping *k, dmm_index x0, uint count)
{
    const uint t = (uint)get_local_id(0);
    uint own = 0; /* low half: items before; high half: ties; T < 2^16 */
    uint first = 0, tied = 0; /* a bit an item: codes would take E registers */
    const dmm_tile block = dmm_tile_block(tile, t);
    dmm_kselect_load(tile, list, x0, count, t);
    barrier(CLK_LOCAL_MEM_FENCE); /* stripes stored | read in blocks */
    DMM_UNROLL
    for (uint j = 0; j < DMM_E; j++)
        if (t * DMM_E + j < count) {
            const dmm_code code = dmm_tile_code_at(block, j) & k->mask;
            const uint comes_before = code < k->prefix, is_tie = code == k->prefix;
            own += comes_before + (is_tie << 16);
            first |= comes_before << j;
            tied |= is_tie << j;
        }
    const uint earlier = dmm_group_before(sums, t, own, 0);
    dmm_index before = k->before + (earlier & 0xffff), ties = k->ties + (earlier >> 16);
    DMM_UNROLL_4
    for (uint j = 0; j < DMM_E; j++)
        if (t * DMM_E + j < count) {
            const int comes_before = first >> j & 1, is_tie = tied >> j & 1;
            if (dmm_kselect_wants(s, comes_before, is_tie, DMM_MINUS(k->quota, ties))) {
                const dmm_index place = dmm_kselect_place(s, *k, before, ties);
                if (place < k->end)
                    dmm_kselect_move(list, x0 + t * DMM_E + j, k->to, place);
            }
            before += comes_before;
            ties += is_tie;
        }
    if (t == DMM_U - 1)
        sums[0] = earlier + own;
    barrier(CLK_LOCAL_MEM_FENCE); /* total stored, blocks read | read, overwritten */
    k->before += (uint)sums[0] & 0xffff;
    k->ties += (uint)sums[0] >> 16;
    barrier(CLK_LOCAL_MEM_FENCE); /* total read | overwritten */
}

#define DMM_KSELECT_SUM(x, y) ((x) + (y))

/* Sums up rows 0 .. rows - 1 of the groups before this one. */
DMM_INLINE dmm_index dmm_kselect_sum(dmm_kselect s, local dmm_index *parts, uint rows, uint t)
{
    dmm_index own = 0;
    for (uint row = t; row < rows; row += DMM_U)
        own += dmm_kselect_before(s, row);
    DMM_GROUP_FOLD(parts, t, own, DMM_KSELECT_SUM);
    return own;
}

/* Moves this group's items that remain; writes the state. */
DMM_INLINE void dmm_kselect_keep_own(
    dmm_kselect s, dmm_tile tile, local dmm_word *sums, local dmm_index *parts)
{
    const dmm_candidates list = dmm_kselect_list(s);
    const uint t = (uint)get_local_id(0);
    uint row = 0;
    dmm_keeping k = dmm_kselect_keeping(s, list, &row, DMM_GROUP == 0 && t == 0);
    const dmm_range from = k.from;
    if (from.first < from.end) /* the same in all work-items */
        k.before = dmm_kselect_sum(s, parts, row, t);
    for (dmm_index x = from.first; x < from.end; x += min((dmm_index)DMM_TILE, from.end - x))
        dmm_kselect_tile(s, list, tile, sums, &k, x, (uint)min((dmm_index)DMM_TILE, from.end - x));
}

/* Conflict-free: Sums, Tiles in stripes and in blocks. */
DMM_KERNEL(DMM_U)
void dmm_kselect_keep(DMM_KSELECT_PARAMETERS)
{
    DMM_DECLARE_TILE(tile);
    local dmm_word sums[2 * DMM_U];
    local dmm_index parts[DMM_U];
    const dmm_kselect s = DMM_KSELECT_ARGUMENTS;
    dmm_kselect_keep_own(s, tile, sums, parts);
}

/* Turns the counts of the only group, of one tile, into starts. A work-item takes neighbours. */
DMM_INLINE void dmm_kselect_starts(dmm_kselect s, local dmm_word *sums, uint t)
{
    const uint left = s.passes - s.pass, low = DMM_KSELECT_LOW(DMM_KEY_BITS, left, s.passes);
    const uint counts =
        DMM_KSELECT_ROWS(DMM_KSELECT_HIGH(DMM_KEY_BITS, left, s.passes) - low) + 1;
    const uint share = (counts + DMM_U - 1) / DMM_U;
    const uint first = min(t * share, counts), end = min(first + share, counts);
    uint own = 0;
    for (uint i = first; i < end; i++)
        own += (uint)s.counts[i];
    uint before = dmm_group_before(sums, t, own, 0);
    for (uint i = first; i < end; i++) {
        const uint count = (uint)s.counts[i];
        s.counts[i] = before;
        before += count;
    }
}

/* All passes over one tile. Conflict-free: Counters, Sums, Tiles in stripes and in blocks. */
DMM_KERNEL(DMM_U)
void dmm_kselect_alone(DMM_KSELECT_PARAMETERS)
{
    DMM_DECLARE_TILE(tile);
    local dmm_word columns[DMM_COUNTER_WORDS];
    local dmm_word sums[2 * DMM_U];
    local dmm_index parts[DMM_U];
    dmm_kselect s = DMM_KSELECT_ARGUMENTS;
    for (s.pass = 0; s.pass < s.passes; s.pass++) {
        dmm_kselect_count_own(s, columns);
        barrier(CLK_GLOBAL_MEM_FENCE); /* counts written | read by others */
        dmm_kselect_starts(s, sums, (uint)get_local_id(0));
        barrier(CLK_GLOBAL_MEM_FENCE); /* starts written | read by others */
        dmm_kselect_keep_own(s, tile, sums, parts);
        /* columns added up, starts read, state and list written | cleared, overwritten, read */
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    }
}
