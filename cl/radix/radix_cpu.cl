/* SPDX-License-Identifier: MIT */
/*
 * The CPU form of radix sort (cl/radix/radix.clh): one work-item a range, without local memory.
 * Cost       a pass reads each item twice and writes it once
 */
#include "cl/radix/counts.clh"
#include "cl/radix/radix_lines.clh"
#include "cl/radix/radix_quick.clh"
#include "cl/radix/radix_two.clh"
#include "cl/sort/streams.clh"

#if DMM_U != 1
#error "the CPU form has one work-item a group"
#endif

/* Counts the digits of a range. Even and odd keys use separate bins: two increments of one bin in a
 * row stall, and adjacent keys are often equal. */
DMM_INLINE void dmm_radix_tally(
    dmm_items from, dmm_range own, dmm_digit digit, dmm_index bins[DMM_BINS])
{
    dmm_index odd[DMM_BINS];
    for (uint d = 0; d <= digit.mask; d++)
        bins[d] = odd[d] = 0;
    global const dmm_key *key = from.keys + own.first, *end = from.keys + own.end;
    DMM_UNROLL_4
    for (; end - key >= 2; key += 2) {
        bins[dmm_key_digit(key[0], digit)]++;
        odd[dmm_key_digit(key[1], digit)]++;
    }
    if (key < end)
        bins[dmm_key_digit(*key, digit)]++;
    for (uint d = 0; d <= digit.mask; d++)
        bins[d] += odd[d];
}

/* Moves every item of a range to its digit's next place, `to` + places[digit]. */
DMM_INLINE void dmm_radix_move(dmm_items from, uint source, dmm_items to, dmm_range own,
    dmm_digit digit, dmm_index places[DMM_BINS], int values_only)
{
    DMM_UNROLL_4
    for (dmm_index x = own.first; x < own.end; x++) {
        const dmm_key key = from.keys[x];
        const dmm_index place = places[dmm_key_digit(key, digit)]++;
        if (!values_only)
            to.keys[place] = key;
        if (DMM_VALUE_BYTES)
            to.values[place] = dmm_radix_value(from, source, x);
    }
}

/* The ways to move by blocks. Functions of their own: compilers join calls of one function, and
 * make variables of the constants. */
#define DMM_RADIX_MOVE(name, lines, values_only)                                           \
    static __attribute__((noinline)) void name(dmm_items from, uint source, dmm_items to,  \
        dmm_range own, dmm_digit digit, dmm_index places[DMM_BINS], dmm_blocks blocks)     \
    {                                                                                      \
        dmm_radix_move_blocks(                                                             \
            from, source, to, own, digit, places, blocks, lines, values_only);             \
    }
#if DMM_KEY_BYTES > 1 || 2 * DMM_RADIX_BLOCK * 256 > DMM_BINS /* digits may be many */
#define DMM_RADIX_MANY 1
DMM_RADIX_MOVE(dmm_radix_move_lines_of_values, 1, 1)
#else
#define DMM_RADIX_MANY 0
#endif
DMM_RADIX_MOVE(dmm_radix_move_values, DMM_RADIX_BLOCK, 1)
DMM_RADIX_MOVE(dmm_radix_move_lines, 1, 0)

DMM_KERNEL(DMM_U)
void dmm_radix_count(DMM_RADIX_PARAMETERS)
{
    const dmm_radix r = DMM_RADIX_ARGUMENTS;
    const dmm_digit digit = dmm_digit_of(r);
    const uint source = dmm_radix_source(r, r.pass);
    dmm_range own = dmm_radix_range(r);
    dmm_index bins[DMM_BINS];
    if (source == DMM_IN_ORDER) /* nothing to count, but the scan reads all counts */
        own.end = own.first;
    dmm_radix_tally(dmm_radix_list(r, source), own, digit, bins);
    dmm_counts_put(r.counts, digit.mask + 1, r.groups, bins, r.stamp);
}

/* Returns the positions to which the items of digit d move, by the scanned counts. */
DMM_INLINE dmm_range dmm_radix_bucket(dmm_radix r, dmm_index d, dmm_index last)
{
    const dmm_index n = r.end - r.first;
    const dmm_range bucket = {
        r.first + r.counts[d * r.groups], r.first + (d < last ? r.counts[(d + 1) * r.groups] : n)};
    return bucket;
}

/* True if no bucket exceeds its limit. */
DMM_INLINE int dmm_radix_divides(dmm_radix r, dmm_digit digit)
{
    dmm_index most = 0;
    for (uint d = 0; d <= digit.mask; d++) {
        const dmm_range bucket = dmm_radix_bucket(r, d, digit.mask);
        most = max(most, bucket.end - bucket.first);
    }
    return most <= r.most;
}

/* Returns the state after a pass; unchanged if the pass moves nothing. */
DMM_INLINE uint dmm_radix_next(dmm_radix r, uint source, dmm_digit digit)
{
    if (source == DMM_IN_ORDER)
        return source;
    if (r.most != 0)
        return dmm_radix_divides(r, digit) ? DMM_IN_ORDER : source;
    return dmm_radix_shared(r, dmm_radix_list(r, source), digit) ? source
                                                                 : dmm_radix_target(r, source);
}

DMM_KERNEL(DMM_U)
void dmm_radix_scatter(DMM_RADIX_PARAMETERS)
{
    const dmm_radix r = DMM_RADIX_ARGUMENTS;
    const dmm_digit digit = dmm_digit_of(r);
    const uint source = dmm_radix_source(r, r.pass), next = dmm_radix_next(r, source, digit);
    const dmm_items from = dmm_radix_list(r, source);
    dmm_items to = dmm_radix_list(r, dmm_radix_target(r, source));
    dmm_index places[DMM_BINS];

    if (DMM_GROUP == 0)
        r.state[r.pass] = DMM_RADIX_STATE(next, r.stamp);
    if (next == source ||
        !dmm_counts_places(r.counts, digit.mask + 1, r.groups, r.end - r.first, r.stamp, places))
        return;
    to.keys += r.first;
    to.values += r.first;
    const dmm_range own = dmm_radix_range(r);
#if DMM_RADIX_TWO
    if (r.values_only && digit.shift == 0 && digit.mask == 1) {
        global const dmm_index *kept = dmm_counts_kept(r.counts, 2, r.groups);
        const dmm_index ends[2] = {places[0] + kept[0], places[1] + kept[1]};
        dmm_radix_move_two(from, source, to, own, places, ends);
        return;
    }
#endif
    const int lines_of_values = r.whole_lines && r.values_only;
    const dmm_blocks blocks = dmm_blocks_of(r);
#if DMM_RADIX_MANY
    if (lines_of_values && 2 * DMM_RADIX_BLOCK * (digit.mask + 1) > DMM_BINS)
        dmm_radix_move_lines_of_values(from, source, to, own, digit, places, blocks);
    else
#endif
        if (lines_of_values)
        dmm_radix_move_values(from, source, to, own, digit, places, blocks);
    else if (r.whole_lines)
        dmm_radix_move_lines(from, source, to, own, digit, places, blocks);
    else
        dmm_radix_move(from, source, to, own, digit, places, (int)r.values_only);
}

DMM_KERNEL(DMM_U)
void dmm_radix_copy(DMM_RADIX_PARAMETERS)
{
    const dmm_radix r = DMM_RADIX_ARGUMENTS;
    const uint source = dmm_radix_source(r, r.pass);
    const dmm_range own = dmm_radix_range(r);
    if (source != DMM_IN_ORDER)
        dmm_radix_finish(r, source, own.first, own.end, 1);
}

/* Turns bins into places; true if all n items share a bin. */
DMM_INLINE int dmm_radix_places(dmm_index bins[DMM_BINS], uint mask, dmm_index n)
{
    dmm_index before = 0;
    int shared = 0;
    for (uint d = 0; d <= mask; d++) {
        const dmm_index bin = bins[d];
        shared |= bin == n;
        bins[d] = before;
        before += bin;
    }
    return shared;
}

/* Digits that are counted in one read of the keys. */
enum { DMM_RADIX_COUNTED = 3 };

/* Returns the digit of pass p of r.passes. */
DMM_INLINE dmm_digit dmm_radix_pass_digit(dmm_radix r, uint p)
{
    const uint bits = r.end_bit - r.begin_bit;
    dmm_radix one = r;
    one.begin_bit = r.begin_bit + bits * p / r.passes;
    one.end_bit = r.begin_bit + bits * (p + 1) / r.passes;
    return dmm_digit_of(one);
}

/* Counts the digits of passes p .. p + DMM_RADIX_COUNTED - 1: the order of items does not matter.
 * Past the last pass the last one again. */
DMM_INLINE void dmm_radix_tally_all(
    dmm_radix r, dmm_items from, dmm_range own, uint p, dmm_index bins[DMM_RADIX_COUNTED][DMM_BINS])
{
    dmm_digit digits[DMM_RADIX_COUNTED];
    DMM_UNROLL
    for (uint i = 0; i < DMM_RADIX_COUNTED; i++) {
        digits[i] = dmm_radix_pass_digit(r, min(p + i, r.passes - 1));
        for (uint d = 0; d <= digits[i].mask; d++)
            bins[i][d] = 0;
    }
    for (dmm_index x = own.first; x < own.end; x++) {
        const dmm_key key = from.keys[x];
        DMM_UNROLL
        for (uint i = 0; i < DMM_RADIX_COUNTED; i++)
            bins[i][dmm_key_digit(key, digits[i])]++;
    }
}

/* Sorts positions first .. end - 1 by one work-item, from any list to the output: by whole keys if
 * the bits of all passes and the `shared` ones above them are all bits, otherwise by digits. */
DMM_INLINE void dmm_radix_sort(dmm_radix r, uint source, dmm_range own, uint shared)
{
    dmm_index bins[DMM_RADIX_COUNTED][DMM_BINS];
#if DMM_QUICK
    if (r.begin_bit == 0 && r.end_bit + shared == DMM_KEY_BITS) {
        if (dmm_quick_sort(dmm_radix_list(r, source).keys, r.out.keys, r.spare.keys, own))
            return;
        source = DMM_IN_OUTPUT;
    }
#endif
    for (uint p = 0; p < r.passes; p++) {
        const dmm_items from = dmm_radix_list(r, source);
        const dmm_digit digit = dmm_radix_pass_digit(r, p);
        dmm_index *const places = bins[p % DMM_RADIX_COUNTED];
        if (p % DMM_RADIX_COUNTED == 0)
            dmm_radix_tally_all(r, from, own, p, bins);
        if (dmm_radix_places(places, digit.mask, own.end - own.first))
            continue;
        const uint target = dmm_radix_target(r, source);
        dmm_items to = dmm_radix_list(r, target);
        to.keys += own.first;
        to.values += own.first;
        dmm_radix_move(from, source, to, own, digit, places, 0);
        source = target;
    }
    dmm_radix_finish(r, source, own.first, own.end, 1);
}

/* Sorts the buckets of a division that hold the first items, each by all lower bits: group d has
 * bucket d. If the division found that none exceeds its limit, they follow one another, up to n. */
DMM_KERNEL(DMM_U)
void dmm_radix_buckets(DMM_RADIX_PARAMETERS)
{
    const dmm_radix r = DMM_RADIX_ARGUMENTS;
    const dmm_range own = dmm_radix_bucket(r, DMM_GROUP, c.buckets - 1);
    const int divided = r.state[r.pass - 1] == DMM_RADIX_STATE(DMM_IN_ORDER, r.stamp);
    if (divided && own.first - r.first < r.most)
        dmm_radix_sort(r, r.from_input, own, (uint)popcount(c.buckets - 1));
}

/* Sorts a range. */
DMM_KERNEL(DMM_U)
void dmm_radix_alone(DMM_RADIX_PARAMETERS)
{
    const dmm_radix r = DMM_RADIX_ARGUMENTS;
    dmm_radix_sort(r, DMM_IN_INPUT, dmm_radix_range(r), 0);
}

/* Merges sorted ranges of the spare list, two at a time, to the output: r.groups groups a pair,
 * each of which finds its part by itself. For any items, no part exceeds its list. */
DMM_KERNEL(DMM_U)
void dmm_radix_merge(DMM_RADIX_PARAMETERS)
{
    const dmm_radix r = DMM_RADIX_ARGUMENTS;
    const dmm_index part = DMM_GROUP % r.groups;
    const dmm_index a = min(r.first + DMM_GROUP / r.groups * 2 * r.range, r.end);
    const dmm_index b = a + min(r.range, r.end - a), na = b - a, nb = min(r.range, r.end - b);
    const dmm_index first = (na + nb) / r.groups * part + min(part, (na + nb) % r.groups);
    const dmm_index items = (na + nb) / r.groups + (part < (na + nb) % r.groups);
    global const dmm_key *keys = r.spare.keys;
    const dmm_index split = dmm_merge_search(keys + a, na, keys + b, nb, first);
    const dmm_index next = dmm_merge_search(keys + a, na, keys + b, nb, first + items);
    const dmm_index from_a = min(DMM_MINUS(next, split), items);
    const dmm_serial s = {a + split, a + split + from_a, b + first - split,
        b + first - split + (items - from_a), a + first, a + first + items};
    dmm_serial_merge(r.spare, r.spare, r.out, s);
}
