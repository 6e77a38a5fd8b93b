/* SPDX-License-Identifier: MIT */
/*
 * The GPU form of packing (cl/unique.clh): a group handles its range a tile of T items at a time.
 * Layout     ranks: cl/plane.clh, a word an item. sums: cl/columns.clh.
 * Claim      conflict-free. Stripes: w consecutive positions from a multiple of w. Blocks: one
 *            residue class mod E. Sums: cl/columns.clh and cl/group.clh.
 */
#include "cl/group.clh"
#include "cl/plane.clh"
#include "cl/unique.clh"
#define DMM_COLUMN_BINS 1 /* of cl/columns.clh, only the sums are used */
#include "cl/columns.clh"

#define DMM_PLUS(a, b) ((a) + (b))

typedef struct dmm_unique_local {
    local dmm_plane *ranks; /* DMM_BARE_PLANE_WORDS */
    local dmm_word *sums;  /* 2u */
    uint t;
} dmm_unique_local;

DMM_INLINE uint dmm_unique_begins(dmm_unique_view s, ulong x)
{
    return x == 0 || dmm_unique_differs(s, x);
}

/* Conflict-free: Sums. */
DMM_KERNEL(DMM_U)
void dmm_unique_count(DMM_UNIQUE_PARAMETERS)
{
    local dmm_index words[DMM_U];
    const dmm_unique_view s = DMM_UNIQUE_ARGUMENTS;
    const uint t = (uint)get_local_id(0);
    dmm_index total = 0;
    for (ulong x = s.first + t; x < s.end; x += DMM_TILE) {
        DMM_UNROLL
        for (uint i = 0; i < DMM_E; i++) /* past the last item: that item again */
            total += dmm_unique_begins(s, min(x + i * DMM_U, s.end - 1)) & (x + i * DMM_U < s.end);
    }
    DMM_GROUP_FOLD(words, t, total, DMM_PLUS);
    if (t == 0)
        s.counts[DMM_GROUP] = total;
    if (DMM_GROUP == 0 && t == 0)
        s.counts[c.groups] = 0;
}

/* Turns marks into ranks: for each item of the tile, the number of runs that begin before it.
 * Returns their number. */
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
    if (mem.t == DMM_U - 1)
        mem.sums[0] = before;
    barrier(CLK_LOCAL_MEM_FENCE); /* ranks in blocks and their total stored | read */
    return (uint)mem.sums[0];
}

/* Moves those of the `count` items from x0 on that begin a run; returns their number. */
DMM_INLINE uint dmm_unique_tile(dmm_unique_view s, dmm_unique_local mem, ulong x0, uint count,
    ulong place)
{
    local dmm_plane *stripe = mem.ranks + dmm_plane_stripe(mem.t);
    uint marks = 0; /* a bit an item */
    DMM_UNROLL
    for (uint i = 0; i < DMM_E; i++) { /* past the last item: that item again */
        const uint x = mem.t + i * DMM_U;
        const uint mark = dmm_unique_begins(s, x0 + min(x, count - 1)) & (x < count);
        stripe[dmm_stripe_address(mem.t, i)] = mark;
        marks |= mark << i;
    }
    const uint all = dmm_unique_rank(mem);
    for (uint i = 0; i < DMM_E; i++) {
        const uint x = mem.t + i * DMM_U;
        if (marks >> i & 1)
            dmm_unique_move(s, x0 + x, place + stripe[dmm_stripe_address(mem.t, i)]);
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* ranks and total read | overwritten */
    return all;
}

/* Conflict-free: Sums, Tiles in stripes and in blocks. */
DMM_KERNEL(DMM_U)
void dmm_unique_keep(DMM_UNIQUE_PARAMETERS)
{
    local dmm_plane ranks[DMM_BARE_PLANE_WORDS];
    local dmm_word sums[2 * DMM_U];
    const dmm_unique_view s = DMM_UNIQUE_ARGUMENTS;
    const dmm_unique_local mem = {ranks, sums, (uint)get_local_id(0)};
    ulong place = s.counts[DMM_GROUP];
    if (DMM_GROUP == 0 && mem.t == 0)
        s.runs[0] = s.counts[c.groups];
    for (ulong x = s.first; x < s.end; x += DMM_TILE)
        place += dmm_unique_tile(s, mem, x, (uint)min((ulong)DMM_TILE, s.end - x), place);
}
