/* SPDX-License-Identifier: MIT */
/*
 * Scans in two ways. The GPU form, except for sums of floats and own operators: a chain
 * (cl/scan_chain.clh), which dmm_scan_clear clears; each group of dmm_scan_chained scans a tile.
 * All else: reduce, then scan.
 * Every group owns one range of whole tiles. dmm_scan_reduce, or dmm_scan_ordered for an own
 * operator that does not commute, finds the total of each range but the last, dmm_scan_alone scans
 * the totals, dmm_scan_apply scans the ranges.
 * Cost       an item is read once, or twice without a chain, and written once; a tile moves 4T
 *            words through local memory, with log4(u) + 3 barriers. In the CPU form (u = 1) a tile
 *            is E items in registers.
 * Layout     tile: a plane of keys (cl/plane.clh). sums: two rows of u words, which alternate.
 * Claim      conflict-free. Striped: w consecutive positions from a multiple of w. Blocked: one
 *            residue class mod E, as in a gather. Sums: w consecutive words, or one (broadcast).
 * Source     Y. Dotsenko, N. Govindaraju, P. Sloan, C. Boyd, J. Manferdelli, "Fast Scan Algorithms
 *            on Graphics Processors", ICS 2008, section 3
 * Differs    the sums of a group's work-items go by a scan of radix 4.
 */
#include "cl/scan_call.clh"
#include "cl/scan.clh"

/* Scans a step of `count` items that follow items with total `carry`; returns the total of all. */
DMM_INLINE dmm_term dmm_scan_step(dmm_scan_local mem, DMM_INPUT(dmm_key) in,
    global dmm_emitted *out, uint count, int exclusive, dmm_term carry)
{
    dmm_term r[DMM_E];

    dmm_scan_read(r, in, count, mem.t);
    dmm_scan_to_block(mem, r);
    const dmm_term total = dmm_scan_blocks(mem, r, exclusive, carry);
    dmm_scan_to_stripe(mem, r);
    dmm_scan_write(r, DMM_EMITS_BY(in) out, count, mem.t);
    return dmm_combine(carry, total);
}

/* Scans n items. No barrier is needed between steps: in the tile, and in place in the output, a
 * work-item overwrites only what it alone has read. */
DMM_INLINE void dmm_scan_range(dmm_scan_local mem, DMM_INPUT(dmm_key) in,
    global dmm_emitted *out, dmm_index n, int exclusive, dmm_term carry)
{
    dmm_index at = 0;
#if DMM_U == 1 /* without comparisons, full steps become vector instructions */
    for (; n - at >= DMM_SCAN_STEP; at += DMM_SCAN_STEP)
        carry = dmm_scan_step(
            mem, DMM_INPUT_FROM(in, at, at), out + at, DMM_SCAN_STEP, exclusive, carry);
#endif
    for (; at < n; at += DMM_SCAN_STEP) {
        const uint count = (uint)min((dmm_index)DMM_SCAN_STEP, n - at);
        carry = dmm_scan_step(
            mem, DMM_INPUT_FROM(in, at, at), out + at, count, exclusive, carry);
    }
}

#if DMM_SCAN_OP == DMM_OWN && !defined(DMM_COMMUTES)

/* As dmm_scan_reduce, in the order of the items. No barrier is needed between steps: those of
 * dmm_scan_group follow the reads of blocks, and that of dmm_scan_to_block those of sums.
 * Conflict-free: Sums, Tiles in stripes and in blocks. */
DMM_KERNEL(DMM_U)
void dmm_scan_ordered(DMM_INPUT_PARAMETER(dmm_key, in), global dmm_key *totals,
    global const ulong *count, const dmm_scan_call c DMM_INPUT_FURTHER)
{
    DMM_INPUT_BEGIN(in, c.in_at)
    local dmm_plane tile[DMM_SCAN_TILE_WORDS], sums[DMM_SCAN_SUM_WORDS];
    const dmm_scan_local mem = {tile, sums, (uint)get_local_id(0)};
    const dmm_index range = (dmm_index)c.range, first = DMM_GROUP * range;
    const dmm_index end = dmm_counted_end(count, c.count_at, (dmm_index)c.first, (dmm_index)c.end);
    const dmm_index own = min(range, DMM_MINUS(end, first));
    dmm_term r[DMM_E], before, total = DMM_IDENTITY;

    DMM_INPUT_TO(in, c.in_at + first, first);
    for (dmm_index at = 0; at < own; at += min((dmm_index)DMM_SCAN_STEP, own - at)) {
        dmm_scan_read(r, DMM_INPUT_FROM(in, at, at),
            (uint)min((dmm_index)DMM_SCAN_STEP, own - at), mem.t);
        dmm_scan_to_block(mem, r);
        DMM_UNROLL
        for (uint i = 1; i < DMM_E; i++)
            r[0] = dmm_combine(r[0], r[i]);
        total = dmm_combine(total, dmm_scan_group(mem, r[0], &before));
    }
    if (mem.t == 0)
        totals[c.totals_at + DMM_GROUP] = DMM_KEY_OF(total);
}

#else

/* totals[g] = total of group g's range, items g*range .. (g + 1)*range - 1 of n. Conflict-free:
 * Sums. */
DMM_KERNEL(DMM_U)
void dmm_scan_reduce(DMM_INPUT_PARAMETER(dmm_key, in), global dmm_key *totals,
    global const ulong *count, const dmm_scan_call c DMM_INPUT_FURTHER)
{
    DMM_INPUT_BEGIN(in, c.in_at)
    local dmm_plane sums[DMM_SCAN_SUM_WORDS];
    const dmm_scan_local mem = {0, sums, (uint)get_local_id(0)};
    const dmm_index range = (dmm_index)c.range, first = DMM_GROUP * range;
    const dmm_index end = dmm_counted_end(count, c.count_at, (dmm_index)c.first, (dmm_index)c.end);
    const dmm_index own = min(range, DMM_MINUS(end, first)), full = own - own % DMM_SCAN_STEP;
    dmm_term r[DMM_E], before;

    DMM_INPUT_TO(in, c.in_at + first, first);
    dmm_scan_read(r, DMM_INPUT_FROM(in, full, full), (uint)(own - full), mem.t);
    DMM_NOT_ACROSS
    for (dmm_index at = 0; at < full; at += DMM_SCAN_STEP) {
        dmm_term next[DMM_E];
        dmm_scan_read(next, DMM_INPUT_FROM(in, at, at), DMM_SCAN_STEP, mem.t);
        DMM_UNROLL
        for (uint i = 0; i < DMM_E; i++)
            r[i] = dmm_combine(r[i], next[i]);
    }
    DMM_UNROLL
    for (uint i = 1; i < DMM_E; i++)
        r[0] = dmm_combine(r[0], r[i]);
    const dmm_term total = dmm_scan_group(mem, r[0], &before);
    if (mem.t == 0)
        totals[c.totals_at + DMM_GROUP] = DMM_KEY_OF(total);
}

#endif

/* One group: scans n items, which are the totals or an input that is too small to share.
 * Conflict-free: Sums, Tiles in stripes and in blocks. */
DMM_KERNEL(DMM_U)
void dmm_scan_alone(DMM_INPUT_PARAMETER(dmm_key, in), global dmm_emitted *out,
    global const ulong *count, const dmm_scan_call c DMM_INPUT_FURTHER)
{
    DMM_INPUT_BEGIN(in, c.in_at)
    local dmm_plane tile[DMM_SCAN_TILE_WORDS], sums[DMM_SCAN_SUM_WORDS];
    const dmm_scan_local mem = {tile, sums, (uint)get_local_id(0)};
    const dmm_index end = dmm_counted_end(count, c.count_at, 0, (dmm_index)c.end);
    dmm_scan_range(mem, DMM_INPUT_FROM(in, c.in_at, 0), out + c.out_at, end, c.exclusive != 0,
        DMM_IDENTITY);
}

/* Scans every group's range, given the inclusively scanned totals of the ranges before it.
 * Conflict-free: Sums, Tiles in stripes and in blocks. */
DMM_KERNEL(DMM_U)
void dmm_scan_apply(DMM_INPUT_PARAMETER(dmm_key, in), global dmm_emitted *out,
    global const dmm_key *totals, global const ulong *count,
    const dmm_scan_call c DMM_INPUT_FURTHER)
{
    DMM_INPUT_BEGIN(in, c.in_at)
    local dmm_plane tile[DMM_SCAN_TILE_WORDS], sums[DMM_SCAN_SUM_WORDS];
    const dmm_scan_local mem = {tile, sums, (uint)get_local_id(0)};
    const dmm_index range = (dmm_index)c.range, first = DMM_GROUP * range;
    const dmm_index end = dmm_counted_end(count, c.count_at, (dmm_index)c.first, (dmm_index)c.end);
    dmm_term carry = DMM_IDENTITY;
    if (first > (dmm_index)c.first)
        carry = DMM_TERM_OF(totals[c.totals_at + DMM_GROUP - 1]);
    dmm_scan_range(mem, DMM_INPUT_FROM(in, (c.in_at + first), first), out + (c.out_at + first),
        min(range, DMM_MINUS(end, first)), DMM_EXCLUSIVE, carry);
}

/* Chained scans; not for the CPU form, sums of floats and own operators. */
#if DMM_U > 1 && DMM_SCAN_OP != DMM_OWN && \
    (DMM_SCAN_OP != DMM_SUM || DMM_KEY_KIND != DMM_KIND_FLOAT)

#include "cl/scan_chain.clh"

/* Clears the chain. */
DMM_KERNEL(DMM_U)
void dmm_scan_clear(global uint *state, const dmm_scan_call c)
{
    const ulong first = (ulong)DMM_GROUP * DMM_SCAN_STEP + DMM_LOCAL;
    for (uint i = 0; i < DMM_E; i++)
        if (first + i * DMM_U < c.state_words)
            state[c.state_at + first + i * DMM_U] = 0;
}

/* Each group scans a tile, whose items follow those of the earlier tiles in the chain.
 * Conflict-free: Sums, Tiles in stripes and in blocks. */
DMM_KERNEL(DMM_U)
void dmm_scan_chained(DMM_INPUT_PARAMETER(dmm_key, in), global dmm_emitted *out,
    global uint *state, global const ulong *count, const dmm_scan_call c DMM_INPUT_FURTHER)
{
    DMM_INPUT_BEGIN(in, c.in_at)
    local dmm_plane tile[DMM_SCAN_TILE_WORDS], sums[DMM_SCAN_SUM_WORDS], carried;
    local uint taken;
    const dmm_scan_local mem = {tile, sums, (uint)get_local_id(0)};
    const dmm_index end = dmm_counted_end(count, c.count_at, (dmm_index)c.first, (dmm_index)c.end);
    dmm_term r[DMM_E];

    if (mem.t == 0) /* a tile of the call, even if its number was not cleared */
        taken = min(atomic_inc(&state[c.state_at]), (uint)((c.end - c.first - 1) / DMM_SCAN_STEP));
    barrier(CLK_LOCAL_MEM_FENCE); /* number stored | read by others */
    const dmm_index at = (dmm_index)taken * DMM_SCAN_STEP;
    const uint own = (uint)min((dmm_index)DMM_SCAN_STEP, DMM_MINUS(end, (dmm_index)c.first + at));
    DMM_INPUT_TO(in, c.in_at + c.first, c.first);
    out += c.out_at + c.first;
    dmm_scan_read(r, DMM_INPUT_FROM(in, at, at), own, mem.t);
    dmm_scan_to_block(mem, r);
    const dmm_term total = dmm_scan_blocks(mem, r, DMM_EXCLUSIVE, DMM_IDENTITY);
    if (mem.t == DMM_U - 1 && own > 0)
        carried = DMM_KEY_OF(dmm_link_before(state + c.state_at + 1, in, taken, total));
    dmm_scan_to_stripe(mem, r); /* its barrier: carried stored | read */
    const dmm_term before = DMM_TERM_OF((dmm_key)carried);
    DMM_UNROLL
    for (uint i = 0; i < DMM_E; i++)
        r[i] = dmm_combine(before, r[i]);
    dmm_scan_write(r, DMM_EMITS_BY(DMM_INPUT_FROM(in, at, at)) out + at, own, mem.t);
}
#endif
