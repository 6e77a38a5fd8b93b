/* SPDX-License-Identifier: MIT */
/*
 * Scans that begin anew where the key changes. Every group owns one range of whole tiles.
 * dmm_by_key_reduce finds, from each range's end, the total of the items since the last change;
 * dmm_by_key_scan adds up what ranges before its own leave over, and scans its range.
 * Cost       reads keys and items once, and of each range what is behind its last change once more;
 *            writes items once
 * Claim      conflict-free, as cl/by_key_sums.clh
 * Source     G. Blelloch, "Prefix Sums and Their Applications", 1990, section 1.5 (segmented scans)
 */
#define DMM_LINK_COUNT_BITS 1
#include "cl/by_key_call.clh"
#include "cl/group.clh"
#include "cl/by_key_row.clh"
#include "cl/by_key_sums.clh"

/* Scans a step of `count` items, with these heads, that follow `carry`; returns the next carry. */
DMM_INLINE dmm_since dmm_by_key_step(dmm_by_key_local mem, DMM_INPUT(dmm_key) in,
    global dmm_emitted *out, uint count, uint heads, dmm_since carry)
{
    dmm_term r[DMM_E];
    dmm_since own = {DMM_IDENTITY, 0}, before;

    dmm_scan_read(r, in, count, mem.scan.t);
    heads = dmm_by_key_to_block(mem, r, heads);
    DMM_UNROLL
    for (uint j = 0; j < DMM_E; j++) {
        const dmm_since item = {r[j], heads >> j & 1};
        own = dmm_since_join(own, item);
    }
    const dmm_since all = dmm_by_key_group(mem, own, &before);
    dmm_term running = dmm_since_join(carry, before).total;
    DMM_UNROLL
    for (uint j = 0; j < DMM_E; j++) {
        if (heads >> j & 1)
            running = DMM_IDENTITY;
        const dmm_term with = dmm_combine(running, r[j]);
        r[j] = DMM_EXCLUSIVE ? running : with;
        running = with;
    }
    dmm_scan_to_stripe(mem.scan, r);
    dmm_scan_write(r, DMM_EMITS_BY(in) out, count, mem.scan.t);
    carry = dmm_since_join(carry, all);
    if (DMM_U == 1) /* all.total is not needed then */
        carry.total = running;
    return carry;
}

/* Scans items x .. end - 1 of a range. */
DMM_INLINE dmm_since dmm_by_key_steps(dmm_by_key_local mem, global const dmm_value_word *keys,
    DMM_INPUT(dmm_key) in, global dmm_emitted *out, dmm_index x, dmm_index end, dmm_since carry)
{
    for (; x < end; x += DMM_SCAN_STEP) {
        const uint count = (uint)min((dmm_index)DMM_SCAN_STEP, end - x);
        dmm_value_word held[DMM_E];
        const uint heads = dmm_by_key_heads(keys, x, count, mem.scan.t, held);
        carry = dmm_by_key_step(mem, DMM_INPUT_FROM(in, x, x), out + x, count, heads, carry);
    }
    return carry;
}

DMM_INLINE dmm_range dmm_by_key_range(global const ulong *count, dmm_by_key_call c)
{
    const dmm_index end = dmm_counted_end(count, c.count_at, 0, (dmm_index)c.n);
    dmm_range own;
    own.first = DMM_GROUP * (dmm_index)c.range;
    own.end = own.first + min((dmm_index)c.range, DMM_MINUS(end, own.first));
    return own;
}

#if DMM_SCAN_OP == DMM_OWN
/* Returns the total of the items first .. end - 1, in their order. No barrier is needed between
 * steps: those of dmm_by_key_group follow the reads of blocks, and that of dmm_scan_to_block those
 * of sums. */
DMM_INLINE dmm_term dmm_by_key_ordered(
    dmm_by_key_local mem, DMM_INPUT(dmm_key) in, dmm_index first, dmm_index end)
{
    dmm_term r[DMM_E], total = DMM_IDENTITY;
    dmm_since before;
    for (dmm_index x = first; x < end; x += min((dmm_index)DMM_SCAN_STEP, end - x)) {
        dmm_scan_read(
            r, DMM_INPUT_FROM(in, x, x), (uint)min((dmm_index)DMM_SCAN_STEP, end - x), mem.scan.t);
        dmm_scan_to_block(mem.scan, r);
        DMM_UNROLL
        for (uint i = 1; i < DMM_E; i++)
            r[0] = dmm_combine(r[0], r[i]);
        const dmm_since own = {r[0], 0};
        total = dmm_combine(total, dmm_by_key_group(mem, own, &before).total);
    }
    return total;
}
#endif

/* totals[g], begins[g]: of the items of group g's range since the last change of keys in it. Goes
 * from the range's end to that change. Conflict-free: Sums, Tiles in stripes and in blocks. */
DMM_KERNEL(DMM_U)
void dmm_by_key_reduce(global const dmm_value_word *keys, DMM_INPUT_PARAMETER(dmm_key, in),
    global dmm_key *totals, global uint *begins, global const ulong *count,
    const dmm_by_key_call c DMM_INPUT_FURTHER)
{
    DMM_INPUT_BEGIN(in, c.in_at)
    local dmm_plane sums[DMM_SCAN_SUM_WORDS], begun[2 * DMM_U];
    local dmm_index words[DMM_U];
    const uint t = (uint)get_local_id(0);
#if DMM_SCAN_OP == DMM_OWN
    local dmm_plane tile[DMM_SCAN_TILE_WORDS];
    const dmm_by_key_local mem = {{tile, sums, t}, 0, begun};
#else
    const dmm_by_key_local mem = {{0, sums, t}, 0, begun};
    dmm_since mine = {DMM_IDENTITY, 0}, before;
#endif
    const dmm_range own = dmm_by_key_range(count, c);
    dmm_index last = 0, x = own.end; /* last: position of the last change, plus 1 */
    keys += c.keys_at;
    DMM_INPUT_TO(in, c.in_at, 0);
#if DMM_TERM_ROWS
    mine.total = dmm_by_key_last(keys, in, own.first, &x);
#endif
    while (x > own.first && last == 0) { /* the same for the whole group */
        const dmm_index first = own.first + (x - own.first - 1) / DMM_SCAN_STEP * DMM_SCAN_STEP;
        dmm_value_word held[DMM_E];
        const uint heads = dmm_by_key_heads(keys, first, (uint)(x - first), t, held);
        if (heads != 0)
            last = first + t + (31 - clz(heads)) * DMM_U + 1;
        DMM_GROUP_FOLD(words, t, last, max);
#if DMM_SCAN_OP != DMM_OWN
        for (uint i = 0; i < DMM_E; i++) {
            const dmm_index at = first + t + i * DMM_U;
            if (at < x && at + 1 >= last)
                mine.total = dmm_combine(DMM_TERM_OF(DMM_INPUT_ITEM(in, at)), mine.total);
        }
#endif
        x = first;
    }
#if DMM_SCAN_OP == DMM_OWN
    const dmm_term total = dmm_by_key_ordered(mem, in, last != 0 ? last - 1 : own.first, own.end);
#else
    const dmm_term total = dmm_by_key_group(mem, mine, &before).total;
#endif
    if (t == 0) {
        totals[c.totals_at + DMM_GROUP] = DMM_KEY_OF(total);
        begins[c.begins_at + DMM_GROUP] = last != 0;
    }
}

/* Scans every group's range. The carry is of the ranges since the last one with a change.
 * Conflict-free: Sums, Tiles in stripes and in blocks. */
DMM_KERNEL(DMM_U)
void dmm_by_key_scan(global const dmm_value_word *keys, DMM_INPUT_PARAMETER(dmm_key, in),
    global dmm_emitted *out, global const dmm_key *totals, global const uint *begins,
    global const ulong *count, const dmm_by_key_call c DMM_INPUT_FURTHER)
{
    DMM_INPUT_BEGIN(in, c.in_at)
    local dmm_plane tile[DMM_SCAN_TILE_WORDS], heads[DMM_BARE_PLANE_WORDS];
    local dmm_plane sums[DMM_SCAN_SUM_WORDS], begun[2 * DMM_U];
    const uint t = (uint)get_local_id(0);
    const dmm_by_key_local mem = {{tile, sums, t}, heads, begun};
    const dmm_range own = dmm_by_key_range(count, c);
    dmm_since carry = {DMM_IDENTITY, 0};
    for (dmm_index g = DMM_GROUP; g > 0 && !carry.begun; g--) {
        const dmm_since other = {
            DMM_TERM_OF(totals[c.totals_at + g - 1]), begins[c.begins_at + g - 1]};
        carry = dmm_since_join(other, carry);
    }
    keys += c.keys_at;
    DMM_INPUT_TO(in, c.in_at, 0);
    out += c.out_at;
    dmm_index x = own.first;
#if DMM_TERM_ROWS
    if (x == 0) { /* item 0 has none before it */
        x = min(own.end, (dmm_index)DMM_SCAN_STEP);
        carry = dmm_by_key_steps(mem, keys, in, out, 0, x, carry);
    }
    carry.total = dmm_by_key_rows(keys, in, out, x, own.end, carry.total, (int)c.streams);
    x = own.end - (own.end - x) % DMM_SCAN_STEP;
#endif
    dmm_by_key_steps(mem, keys, in, out, x, own.end, carry);
}
