/* SPDX-License-Identifier: MIT */
/*
 * Totals of segments. The steps of the work are the items and, behind its last item, each segment's
 * end, in this order; each group takes an equal share of the steps, whatever the lengths of the
 * segments. dmm_segmented_reduce stores the totals of the segments that end in its share, of one
 * that begins before the share only what is in it, and, as the share's tail, the total of what is
 * behind the last end. dmm_segmented_tails then puts tails before the segments that they begin.
 * Cost       reads each item and offset once, and two offsets more for each tile of a work-item;
 *            writes an item for each segment
 * Layout     tile, sums, begun: as cl/by_key.clh
 * Claim      conflict-free. Sums; Tiles in stripes and in blocks. The CPU form: no local memory.
 * Source     D. Merrill, M. Garland, "Merge-based Parallel Sparse Matrix-Vector Multiplication",
 *            SC 2016, DOI 10.1109/SC.2016.57
 * Differs    a work-item takes E items and the ends among them, not E steps: its block begins at a
 *            multiple of E. The group stores the totals of empty segments apart.
 */
#include "cl/by_key.clh"
#include "cl/segmented.clh"

/* A share: segments s .. s_end - 1 end in it, and items i .. i_end - 1 are in it. */
typedef struct dmm_share {
    ulong s, s_end;
    dmm_index i, i_end;
} dmm_share;

/* Returns the number of segments among the first `steps` steps. */
DMM_INLINE ulong dmm_share_ends(dmm_offsets offsets, ulong segments, ulong begin, ulong steps)
{
    ulong low = 0, high = segments;
    while (low < high) {
        const ulong middle = low + (high - low) / 2;
        if (dmm_offset_of(offsets, middle + 1) - begin + middle < steps)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Returns the group's share. Offsets that do not ascend give shares of other items of the list. */
DMM_INLINE dmm_share dmm_share_of(dmm_offsets offsets, dmm_shares_call c)
{
    const ulong begin = dmm_offset_of(offsets, 0), end = dmm_offset_of(offsets, c.segments);
    const ulong steps = c.segments + DMM_MINUS(end, begin);
    const ulong each = (steps - 1) / c.groups + 1, first = min(DMM_GROUP * each, steps);
    const ulong last = min(first + each, steps);
    dmm_share own = {
        dmm_share_ends(offsets, c.segments, begin, first), c.segments, 0, (dmm_index)end};
    own.i = (dmm_index)min(begin + first - own.s, end);
    if (last < steps) {
        own.s_end = dmm_share_ends(offsets, c.segments, begin, last);
        own.i_end = (dmm_index)min(begin + last - own.s_end, end);
    }
    return own;
}

#if DMM_U == 1

#if DMM_SCAN_OP == DMM_OWN

/* Returns the total of the items first .. end - 1, in their order. */
DMM_INLINE dmm_term dmm_segment_total(
    DMM_INPUT(dmm_key) in, dmm_index first, dmm_index end, dmm_index all)
{
    dmm_term total = DMM_IDENTITY;
    (void)all;
    DMM_NOT_ACROSS
    for (; first < end; first++)
        total = dmm_combine(total, DMM_TERM_OF(DMM_INPUT_ITEM(in, first)));
    return total;
}

#else

/* Combines items first, first + 1, ... of those before `end` with r, an item each. Reads E items,
 * or all up to the list's last one: a loop of as many turns as a short segment has items would cost
 * a wrong guess of the processor at its end. */
DMM_INLINE void dmm_segment_step(
    dmm_term r[DMM_E], DMM_INPUT(dmm_key) in, dmm_index first, dmm_index end, dmm_index all)
{
    if (all - first < DMM_E) {
        for (; first < end; first++)
            r[0] = dmm_combine(r[0], DMM_TERM_OF(DMM_INPUT_ITEM(in, first)));
        return;
    }
    DMM_UNROLL
    for (uint k = 0; k < DMM_E; k++) {
        const dmm_term item = DMM_TERM_OF(DMM_INPUT_ITEM(in, first + k));
        r[k] = dmm_combine(r[k], first + k < end ? item : DMM_IDENTITY);
    }
}

/* Returns the total of the items first .. end - 1, in E chains, which become vectors. all: items
 * of the list. */
DMM_INLINE dmm_term dmm_segment_total(
    DMM_INPUT(dmm_key) in, dmm_index first, dmm_index end, dmm_index all)
{
    dmm_term r[DMM_E];
    DMM_UNROLL
    for (uint k = 0; k < DMM_E; k++)
        r[k] = DMM_IDENTITY;
    DMM_NOT_ACROSS
    for (; first < end && end - first >= DMM_E; first += DMM_E) {
        DMM_UNROLL
        for (uint k = 0; k < DMM_E; k++)
            r[k] = dmm_combine(r[k], DMM_TERM_OF(DMM_INPUT_ITEM(in, first + k)));
    }
    if (first < end)
        dmm_segment_step(r, in, first, end, all);
    DMM_UNROLL
    for (uint s = 1; s < DMM_E; s *= 2) {
        DMM_UNROLL
        for (uint k = 0; k + s < DMM_E; k += 2 * s)
            r[k] = dmm_combine(r[k], r[k + s]);
    }
    return r[0];
}

#endif

/* Stores the totals of the segments that end in the share; returns that of the items behind. */
DMM_INLINE dmm_term dmm_share_reduce(
    dmm_share own, dmm_offsets offsets, ulong gap, DMM_INPUT(dmm_key) in, global dmm_key *out)
{
    const dmm_index all = (dmm_index)offsets.n;
    for (; own.s < own.s_end; own.s++) {
        const dmm_index end = (dmm_index)dmm_offset_of(offsets, own.s + 1);
        out[own.s] = DMM_KEY_OF(
            dmm_segment_total(DMM_INPUT_FROM(in, own.s * gap, own.s * gap), own.i, end, all));
        own.i = max(own.i, end);
    }
    return dmm_segment_total(DMM_INPUT_FROM(in, own.s * gap, own.s * gap), own.i, own.i_end, all);
}

#else

/* Returns the first segment, from s to s_end, that ends behind item x - 1. */
DMM_INLINE ulong dmm_segment_behind(dmm_offsets offsets, ulong s, ulong s_end, ulong x)
{
    while (s < s_end) {
        const ulong middle = s + (s_end - s) / 2;
        if (dmm_offset_of(offsets, middle + 1) <= x)
            s = middle + 1;
        else
            s_end = middle;
    }
    return s;
}

/* The segment whose items a work-item combines. */
typedef struct dmm_segment {
    ulong s, end;
} dmm_segment;

/* Returns the segment of item x, from s on: often s itself, or the next one. */
DMM_INLINE dmm_segment dmm_segment_at(dmm_offsets offsets, ulong s, ulong s_end, ulong x)
{
    dmm_segment found = {s, 0};
    if (s < s_end && dmm_offset_of(offsets, s + 1) <= x)
        found.s = dmm_segment_behind(offsets, s + 1, s_end, x);
    if (found.s < s_end)
        found.end = dmm_offset_of(offsets, found.s + 1);
    return found;
}

/* The total of the items of a work-item up to the first end among them. */
typedef struct dmm_segment_head {
    dmm_term total;
    ulong s;
} dmm_segment_head;

/* Combines the items of the work-item's block, `count` of them from item x on: stores the totals of
 * segments that begin and end among them, sets *head, and returns the total behind the last end.
 * The items stay in local memory: the loop is not unrolled, since it holds a search. */
DMM_INLINE dmm_since dmm_block_reduce(local const dmm_plane *block, uint count, ulong x,
    dmm_offsets offsets, dmm_segment at, ulong s_end, global dmm_key *out, dmm_segment_head *head)
{
    dmm_since own = {DMM_IDENTITY, 0};
    for (uint j = 0; j < DMM_E; j++) {
        if (j < count)
            own.total = dmm_combine(own.total, DMM_SCAN_GET(block, DMM_BARE_PLANE_WORDS, j));
        if (j < count && at.s < s_end && x + j + 1 == at.end) {
            if (own.begun)
                out[at.s] = DMM_KEY_OF(own.total);
            else
                *head = (dmm_segment_head){own.total, at.s};
            own.total = DMM_IDENTITY;
            own.begun = 1;
            at = dmm_segment_at(offsets, at.s + 1, s_end, at.end);
        }
    }
    return own;
}

/* As dmm_scan_read, from item x on, past the gaps behind the rows before. */
DMM_INLINE void dmm_share_read(dmm_term r[DMM_E], DMM_INPUT(dmm_key) in, dmm_index x, uint count,
    uint t, dmm_index row, ulong gap)
{
    if (gap == 0) {
        dmm_scan_read(r, DMM_INPUT_FROM(in, x, x), count, t);
        return;
    }
    DMM_UNROLL
    for (uint i = 0; i < DMM_E; i++) {
        const dmm_index at = x + min(t + i * DMM_U, count - 1);
        const dmm_key item = DMM_INPUT_ITEM(in, at + at / row * gap);
        r[i] = t + i * DMM_U < count ? DMM_TERM_OF(item) : DMM_IDENTITY;
    }
}

/* As in the CPU form, by the whole group. */
DMM_INLINE dmm_term dmm_share_reduce(dmm_by_key_local mem, dmm_share own, dmm_offsets offsets,
    ulong gap, DMM_INPUT(dmm_key) in, global dmm_key *out)
{
    const uint t = mem.scan.t;
    dmm_since carry = {DMM_IDENTITY, 0}, before;
    dmm_segment at = {own.s, 0};
    dmm_term r[DMM_E];

    for (ulong s = own.s + t; s < own.s_end; s += DMM_U) /* nothing of these is in the share */
        if (dmm_offset_of(offsets, s + 1) <= max(dmm_offset_of(offsets, s), (ulong)own.i))
            out[s] = DMM_KEY_OF(DMM_IDENTITY);
    for (dmm_index x = own.i; x < own.i_end;) {
        const uint many = (uint)min((dmm_index)DMM_SCAN_STEP, own.i_end - x);
        const uint mine = min(DMM_MINUS(many, t * DMM_E), (uint)DMM_E);
        const dmm_index first = x + t * DMM_E;
        dmm_segment_head head = {DMM_IDENTITY, own.s_end};
        dmm_share_read(r, in, x, many, t, (dmm_index)offsets.row, gap);
        dmm_scan_store_stripe(mem.scan, r);
        barrier(CLK_LOCAL_MEM_FENCE); /* stripes stored | read in blocks */
        at = dmm_segment_at(offsets, at.s, own.s_end, first);
        const dmm_since part = dmm_block_reduce(
            mem.scan.tile + dmm_plane_block(t), mine, first, offsets, at, own.s_end, out, &head);
        const dmm_since all = dmm_by_key_group(mem, part, &before);
        if (head.s < own.s_end)
            out[head.s] = DMM_KEY_OF(dmm_combine(dmm_since_join(carry, before).total, head.total));
        carry = dmm_since_join(carry, all);
        x += many;
    }
    return carry.total;
}

#endif

/* out[s] = total of segment s, of what is in the group's share; tails[g] = total of the items that
 * follow, of segment opens[g]. Conflict-free: Sums, Tiles in stripes and in blocks. */
DMM_KERNEL(DMM_U)
void dmm_segmented_reduce(global const dmm_offset *offsets, DMM_INPUT_PARAMETER(dmm_key, in),
    global dmm_key *out, global dmm_key *tails, global ulong *opens,
    const dmm_shares_call c DMM_INPUT_FURTHER)
{
    DMM_INPUT_BEGIN(in, c.in_at)
    const dmm_offsets ends = {offsets != 0 ? offsets + c.offsets_at : 0, c.n, c.row};
    const dmm_share own = dmm_share_of(ends, c);
    DMM_INPUT_TO(in, c.in_at, 0);
    out += c.out_at;
#if DMM_U > 1
    local dmm_plane tile[DMM_SCAN_TILE_WORDS], sums[DMM_SCAN_SUM_WORDS], begun[2 * DMM_U];
    const dmm_by_key_local mem = {{tile, sums, (uint)get_local_id(0)}, 0, begun};
    const dmm_term tail = dmm_share_reduce(mem, own, ends, c.gap, in, out);
#else
    const dmm_term tail = dmm_share_reduce(own, ends, c.gap, in, out);
#endif
    if (get_local_id(0) == 0) {
        tails[c.tails_at + DMM_GROUP] = DMM_KEY_OF(tail);
        opens[c.opens_at + DMM_GROUP] = own.s_end;
    }
}

/* Puts tails before the total of the segment that they begin: a work-item for each group whose tail
 * is the segment's first one. The last group has none: all segments have ended. */
DMM_KERNEL(DMM_SEGMENTED_U)
void dmm_segmented_tails(global const dmm_key *tails, global const ulong *opens,
    global dmm_key *out, const dmm_shares_call c)
{
    const ulong g = get_global_id(0);
    tails += c.tails_at;
    opens += c.opens_at;
    if (g + 1 >= c.groups || opens[g] >= c.segments || (g > 0 && opens[g - 1] == opens[g]))
        return;
    dmm_term total = DMM_TERM_OF(tails[g]);
    for (ulong h = g + 1; h < c.groups && opens[h] == opens[g]; h++)
        total = dmm_combine(total, DMM_TERM_OF(tails[h]));
    out += c.out_at + opens[g];
    *out = DMM_KEY_OF(dmm_combine(total, DMM_TERM_OF(*out)));
}
