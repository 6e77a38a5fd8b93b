/* SPDX-License-Identifier: MIT */
/*
 * The GPU form of radix sort (radix.clh): a group handles its range a tile of T items at a time.
 * Scatter    the tile is sorted by the digit in local memory (by rank, by split, or by rank as a
 *            matrix); then items of one digit lie side by side and leave in runs.
 * Cost       a pass reads each item twice and writes it once
 * Layout     tile: cl/tile.clh. goals: position x at address rho(x).
 * Claim      conflict-free but for dmm_radix_exchange (radix_rank.clh), which is `measured`
 *            unless tiles are matrices. Counting: cl/columns.clh.
 */
#include "cl/gather.clh"
#include "cl/radix/radix.clh"
#include "cl/columns.clh"
#include "cl/radix/radix_local.clh"
#if DMM_SPLIT
#include "cl/radix/radix_split.clh"
#else
#include "cl/radix/radix_rank.clh"
#endif

/* Goals of items: positions, at least as wide as a bank. */
#if DMM_INDEX_BYTES < DMM_BANK_BYTES
typedef dmm_word dmm_goal;
#else
typedef dmm_index dmm_goal;
#endif
#define DMM_W_GOAL DMM_W_OF(DMM_INDEX_BYTES)

DMM_INLINE uint dmm_goal_address(uint x)
{
    return dmm_rho(x, DMM_W_GOAL, DMM_E, DMM_GCD(DMM_W_GOAL, DMM_E));
}

/*
 * Computes the goals of a sorted tile's items: the next place of their digit, and the places behind
 * it in order. A run begins where the digit changes; for the item at x it begins at `head`, and the
 * item goes x - head places behind the digit's next place. The work-item with the item after a run
 * advances the digit's next place; for the last run, the one with its last item.
 */
DMM_INLINE void dmm_radix_goals(dmm_radix_local mem, const dmm_reg r[DMM_E], dmm_digit digit,
    uint count, global dmm_index *places, local dmm_goal *goals)
{
    const uint x0 = mem.t * DMM_E, last = dmm_code_digit(r[DMM_E - 1].code, digit);
    mem.sums[mem.t] = last;
    barrier(CLK_LOCAL_MEM_FENCE); /* last digits stored | read by the neighbour */
    const uint left = mem.t > 0 ? (uint)mem.sums[mem.t - 1] : 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* last digits read | overwritten */
    uint heads = 0, before = left;
    DMM_UNROLL
    for (uint j = 0; j < DMM_E; j++) {
        const uint d = dmm_code_digit(r[j].code, digit);
        heads = d != before ? x0 + j : heads;
        before = d;
    }
    const uint head0 = dmm_group_before(mem.sums, mem.t, heads, 1);

    uint head = head0, d = left;
    dmm_index next = places[d];
    DMM_UNROLL
    for (uint j = 0; j < DMM_E; j++) {
        const uint x = x0 + j, own = dmm_code_digit(r[j].code, digit);
        if (own != d || x == 0) {
            head = x;
            d = own;
            next = places[d];
        }
        goals[dmm_goal_address(x)] = next + (x - head);
    }
    /* goals stored, places read | read, advanced */
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    head = head0;
    d = left;
    DMM_UNROLL
    for (uint j = 0; j < DMM_E; j++) {
        const uint x = x0 + j, own = dmm_code_digit(r[j].code, digit);
        if (own != d && x > 0 && x < count)
            places[d] += x - head;
        if (own != d || x == 0) {
            head = x;
            d = own;
        }
        if (x + 1 == count)
            places[d] += count - head;
    }
}

/* Moves one tile of `count` items from position `first` on. */
DMM_INLINE void dmm_radix_move_tile(dmm_radix_local mem, dmm_items from, uint source, dmm_items to,
    dmm_index first, uint count, dmm_digit digit, global dmm_index *places, local dmm_goal *goals)
{
    dmm_reg r[DMM_E];
    dmm_radix_sort_tile(mem, r, from, first, count, digit.shift, popcount(digit.mask));
    dmm_radix_goals(mem, r, digit, count, places, goals);
    for (uint i = 0; i < DMM_E; i++) {
        const uint x = mem.t + i * DMM_U;
        if (x < count) {
            const dmm_index goal = (dmm_index)goals[dmm_goal_address(x)];
            to.keys[goal] = dmm_decode(dmm_tile_code(mem.tile, x));
#if DMM_VALUE_BYTES
            to.values[goal] =
                dmm_radix_value(from, source, first + dmm_tile_position(mem.tile, x));
#endif
        }
    }
    /* tile read, places advanced | overwritten, read */
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
}

DMM_KERNEL(DMM_U)
void dmm_radix_scatter(DMM_RADIX_PARAMETERS)
{
    DMM_DECLARE_RADIX_LOCAL(mem);
    local dmm_goal goals[DMM_TILE];
    const dmm_radix r = DMM_RADIX_ARGUMENTS;
    const dmm_digit digit = dmm_digit_of(r);
    const dmm_range own = dmm_radix_range(r);
    const uint source = dmm_radix_source(r, r.pass);
    const dmm_items from = dmm_radix_list(r, source);
    const uint target = dmm_radix_shared(r, from, digit) ? source : dmm_radix_target(r, source);
    const dmm_index stop = target == source ? own.first : own.end;
    dmm_items to = dmm_radix_list(r, target);
    global dmm_index *places = (global dmm_index *)r.scratch + DMM_GROUP * DMM_BINS;

    to.keys += r.first;
    to.values += r.first;
    if (DMM_GROUP == 0 && mem.t == 0)
        r.state[r.pass] = target;
    for (uint d = mem.t; d <= digit.mask; d += DMM_U)
        places[d] = r.counts[(dmm_index)d * r.groups + DMM_GROUP];
    barrier(CLK_GLOBAL_MEM_FENCE); /* places copied | read by others */
    for (dmm_index x = own.first; x < stop; x += DMM_TILE)
        dmm_radix_move_tile(mem, from, source, to, x, (uint)min((dmm_index)DMM_TILE, stop - x),
            digit, places, goals);
}

DMM_KERNEL(DMM_U)
void dmm_radix_count(DMM_RADIX_PARAMETERS)
{
    local dmm_word columns[DMM_ROWS * DMM_U];
    const dmm_radix r = DMM_RADIX_ARGUMENTS;
    const dmm_digit digit = dmm_digit_of(r);
    const dmm_range own = dmm_radix_range(r);
    const dmm_items from = dmm_radix_list(r, dmm_radix_source(r, r.pass));
    const uint t = (uint)get_local_id(0);
    const dmm_index step = DMM_BYTE_TILES * DMM_TILE;
    dmm_index totals[DMM_OWN_BINS];

    dmm_columns_clear(columns, t, totals);
    for (dmm_index part = own.first; part < own.end; part += step) {
        const dmm_index part_end = part + min(step, own.end - part);
        for (dmm_index x = part + t; x < part_end; x += DMM_U)
            dmm_columns_add(columns, t, dmm_key_digit(from.keys[x], digit));
        barrier(CLK_LOCAL_MEM_FENCE); /* columns counted | added up and cleared by rows */
        dmm_columns_empty(columns, t, totals);
        barrier(CLK_LOCAL_MEM_FENCE); /* columns cleared | counted again */
    }
    for (uint i = 0; i < DMM_OWN_BINS; i++) {
        const uint d = dmm_columns_bin(t, i);
        if (d <= digit.mask)
            r.counts[(dmm_index)d * r.groups + DMM_GROUP] = totals[i];
    }
}

/* Copies a range to the output, unless it is already there. */
DMM_KERNEL(DMM_U)
void dmm_radix_copy(DMM_RADIX_PARAMETERS)
{
    const dmm_radix r = DMM_RADIX_ARGUMENTS;
    const dmm_range own = dmm_radix_range(r);
    dmm_radix_finish(r, dmm_radix_source(r, r.pass), own.first + (uint)get_local_id(0), own.end,
        DMM_U);
}

/* One group: sorts at most T items by all digits in local memory. In place, so everything is read
 * before anything is written. */
DMM_KERNEL(DMM_U)
void dmm_radix_alone(DMM_RADIX_PARAMETERS)
{
    DMM_DECLARE_RADIX_LOCAL(mem);
    const dmm_radix r = DMM_RADIX_ARGUMENTS;
    const uint count = (uint)(r.end - r.first);
    dmm_reg regs[DMM_E];

    dmm_radix_sort_tile(mem, regs, r.in, r.first, count, r.begin_bit, r.end_bit - r.begin_bit);
#if DMM_VALUE_BYTES
    dmm_value moved[DMM_E];
    DMM_UNROLL
    for (uint i = 0; i < DMM_E; i++) {
        const uint x = mem.t + i * DMM_U;
        if (x < count)
            moved[i] = dmm_radix_value(
                r.in, DMM_IN_INPUT, r.first + dmm_tile_position(mem.tile, x));
    }
    barrier(CLK_GLOBAL_MEM_FENCE); /* values read | overwritten */
#endif
    DMM_UNROLL
    for (uint i = 0; i < DMM_E; i++) {
        const uint x = mem.t + i * DMM_U;
        if (x < count) {
            r.out.keys[r.first + x] = dmm_decode(dmm_tile_code(mem.tile, x));
#if DMM_VALUE_BYTES
            r.out.values[r.first + x] = moved[i];
#endif
        }
    }
}
