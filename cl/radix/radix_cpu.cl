/* SPDX-License-Identifier: MIT */
/*
 * The CPU form of radix sort (cl/radix/radix.clh): one work-item a range, without local memory.
 * Cost       a pass reads each item twice and writes it once
 * Layout     blocks[group][digit], of values and behind them of keys: where many items go to
 *            memory, those of a digit are collected in a block of 1 or 4 lines of 64 bytes, which
 *            is written as a whole when full (no processor predicts when), past the cache if the
 *            compiler can. Position p of the target lies in slot p mod a block's items.
 * Source     N. Satish et al., "Fast Sort on CPUs and GPUs: A Case for Bandwidth Oblivious SIMD
 *            Sort", SIGMOD 2010, DOI 10.1145/1807167.1807207, section 3.1 (buffered scatter)
 */
#include "cl/gather.clh"
#include "cl/lines.clh"
#include "cl/radix/radix.clh"

#if DMM_U != 1
#error "the CPU form has one work-item a group"
#endif

/* Items per line: as many as fill it with the wider of keys and values. */
#define DMM_RADIX_LINE \
    (DMM_LINE_BYTES / (DMM_KEY_BYTES > DMM_VALUE_BYTES ? DMM_KEY_BYTES : DMM_VALUE_BYTES))
#define DMM_KEY_WORDS   (DMM_RADIX_LINE * DMM_KEY_BYTES / 8)
#define DMM_VALUE_WORDS (DMM_RADIX_LINE * DMM_VALUE_BYTES / 8)
/* Lines of a block if few digits share the scratch of DMM_BINS lines. */
#define DMM_RADIX_BLOCK 4

/* Blocks of a group: one for each digit. */
typedef struct dmm_blocks {
    global dmm_value *values;
    global dmm_key *keys;
    uint log_items; /* of the items of a block */
} dmm_blocks;

/* Returns blocks of so many lines; if that is a constant, so are shifts and masks of places. */
DMM_INLINE dmm_blocks dmm_blocks_of(dmm_radix r, uint lines)
{
    dmm_blocks blocks;
    global ulong *own = r.scratch + (ulong)DMM_GROUP * DMM_BINS * (DMM_KEY_WORDS + DMM_VALUE_WORDS);
    blocks.values = (global dmm_value *)own;
    blocks.keys = (global dmm_key *)(own + DMM_BINS * DMM_VALUE_WORDS);
    blocks.log_items = (uint)popcount(DMM_RADIX_LINE * lines - 1);
    return blocks;
}

/* Returns the slot of a place of digit d. */
DMM_INLINE uint dmm_block_slot(dmm_blocks blocks, uint d, dmm_index place)
{
    return (d << blocks.log_items) + ((uint)place & ((1u << blocks.log_items) - 1));
}

/* Counts the digits of a range. Even and odd keys use separate bins: two increments of one bin in a
 * row stall, and adjacent keys are often equal. */
DMM_INLINE void dmm_radix_tally(dmm_items from, dmm_range own, dmm_digit digit,
    dmm_index bins[DMM_BINS])
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

/* Moves every item of a range to its digit's next place, `to` + places[digit], which is trusted. */
DMM_INLINE void dmm_radix_move(dmm_items from, uint source, dmm_items to, dmm_range own,
    dmm_digit digit, dmm_index places[DMM_BINS], int values_only)
{
    DMM_UNROLL_4
    for (dmm_index x = own.first; x < own.end; x++) {
        const dmm_key key = from.keys[x];
        const dmm_index place = places[dmm_key_digit(key, digit)]++;
        if (!values_only)
            to.keys[place] = key;
#if DMM_VALUE_BYTES
        to.values[place] = dmm_radix_value(from, source, x);
#endif
    }
}

/* Writes places first .. end - 1 of the block of digit d. */
DMM_INLINE void dmm_block_write(dmm_blocks blocks, uint d, dmm_items to, dmm_index first,
    dmm_index end, int values_only)
{
    for (dmm_index place = first; place < end; place++) {
        const uint slot = dmm_block_slot(blocks, d, place);
        if (!values_only)
            to.keys[place] = blocks.keys[slot];
#if DMM_VALUE_BYTES
        to.values[place] = blocks.values[slot];
#endif
    }
}

DMM_INLINE int dmm_aligned(dmm_items to)
{
    const size_t values = DMM_VALUE_BYTES ? (size_t)to.values : 0;
    return ((size_t)to.keys | values) % DMM_LINE_BYTES == 0;
}

/* Writes the full block of digit d, whose places end at `end`, except places before `first`. */
DMM_INLINE void dmm_block_flush(dmm_blocks blocks, uint d, dmm_items to, dmm_index first,
    dmm_index end, int aligned, int values_only)
{
    const uint items = 1u << blocks.log_items;
    const dmm_index start = end - items;
    if (!aligned || start < first) {
        dmm_block_write(blocks, d, to, max(start, first), end, values_only);
        return;
    }
    for (uint i = 0; i < items; i += DMM_RADIX_LINE) {
        const uint slot = (d << blocks.log_items) + i;
        if (!values_only)
            dmm_line_stream(
                (global ulong *)(blocks.keys + slot), to.keys + (start + i), DMM_KEY_WORDS);
#if DMM_VALUE_BYTES
        dmm_line_stream(
            (global ulong *)(blocks.values + slot), to.values + (start + i), DMM_VALUE_WORDS);
#endif
    }
}

/* As dmm_radix_move, a block at a time. A full block is written when the next item of its digit
 * comes: by then its last item has left the store buffer, from which a whole line cannot be
 * loaded. No place of `all` or behind is written. */
DMM_INLINE void dmm_radix_move_blocks(dmm_items from, uint source, dmm_items to, dmm_range own,
    dmm_digit digit, dmm_index places[DMM_BINS], dmm_index all, dmm_blocks blocks, int values_only)
{
    const dmm_index rest = ((dmm_index)1 << blocks.log_items) - 1;
    const int aligned = dmm_aligned(to);
    dmm_index firsts[DMM_BINS];
    for (uint d = 0; d <= digit.mask; d++)
        firsts[d] = places[d];
    for (dmm_index x = own.first; x < own.end; x++) {
        const dmm_key key = from.keys[x];
        const uint d = dmm_key_digit(key, digit);
        const dmm_index place = places[d]++;
        const uint slot = dmm_block_slot(blocks, d, place);
        if ((place & rest) == 0 && place > firsts[d] && place <= all)
            dmm_block_flush(blocks, d, to, firsts[d], place, aligned, values_only);
        if (!values_only)
            blocks.keys[slot] = key;
#if DMM_VALUE_BYTES
        blocks.values[slot] = dmm_radix_value(from, source, x);
#endif
    }
    for (uint d = 0; d <= digit.mask; d++)
        dmm_block_write(blocks, d, to, max((places[d] - 1) & ~rest, firsts[d]),
            min(places[d], all), values_only);
}

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
    for (uint d = 0; d <= digit.mask; d++)
        r.counts[(dmm_index)d * r.groups + DMM_GROUP] = bins[d];
}

/* Returns the positions to which the items of digit d move, by the scanned counts. */
DMM_INLINE dmm_range dmm_radix_bucket(dmm_radix r, dmm_index d, dmm_index last)
{
    const dmm_index n = r.end - r.first;
    const dmm_range bucket = {r.first + r.counts[d * r.groups],
        r.first + (d < last ? r.counts[(d + 1) * r.groups] : n)};
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
        r.state[r.pass] = next;
    if (next == source)
        return;
    for (uint d = 0; d <= digit.mask; d++)
        places[d] = r.counts[(dmm_index)d * r.groups + DMM_GROUP];
    to.keys += r.first;
    to.values += r.first;
    const dmm_range own = dmm_radix_range(r);
    const dmm_index all = r.end - r.first;
    if (r.whole_lines && r.values_only && 2 * DMM_RADIX_BLOCK * (digit.mask + 1) <= DMM_BINS)
        dmm_radix_move_blocks(
            from, source, to, own, digit, places, all, dmm_blocks_of(r, DMM_RADIX_BLOCK), 1);
    else if (r.whole_lines && r.values_only)
        dmm_radix_move_blocks(from, source, to, own, digit, places, all, dmm_blocks_of(r, 1), 1);
    else if (r.whole_lines)
        dmm_radix_move_blocks(from, source, to, own, digit, places, all, dmm_blocks_of(r, 1), 0);
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

/* Sorts positions first .. end - 1 by one work-item, from any list to the output. */
DMM_INLINE void dmm_radix_sort(dmm_radix r, uint source, dmm_range own)
{
    const uint bits = r.end_bit - r.begin_bit;
    dmm_index bins[DMM_BINS];
    for (uint p = 0; p < r.passes; p++) {
        const dmm_items from = dmm_radix_list(r, source);
        dmm_radix one = r;
        one.begin_bit = r.begin_bit + bits * p / r.passes;
        one.end_bit = r.begin_bit + bits * (p + 1) / r.passes;
        const dmm_digit digit = dmm_digit_of(one);
        dmm_radix_tally(from, own, digit, bins);
        if (dmm_radix_places(bins, digit.mask, own.end - own.first))
            continue;
        const uint target = dmm_radix_target(r, source);
        dmm_items to = dmm_radix_list(r, target);
        to.keys += own.first;
        to.values += own.first;
        dmm_radix_move(from, source, to, own, digit, bins, 0);
        source = target;
    }
    dmm_radix_finish(r, source, own.first, own.end, 1);
}

/* Sorts the buckets of a division, each by all lower bits: group d has bucket d. */
DMM_KERNEL(DMM_U)
void dmm_radix_buckets(DMM_RADIX_PARAMETERS)
{
    const dmm_radix r = DMM_RADIX_ARGUMENTS;
    if (dmm_radix_source(r, r.pass) == DMM_IN_ORDER)
        dmm_radix_sort(r, r.from_input, dmm_radix_bucket(r, DMM_GROUP, c.buckets - 1));
}

/* One work-item: all passes. */
DMM_KERNEL(DMM_U)
void dmm_radix_alone(DMM_RADIX_PARAMETERS)
{
    const dmm_radix r = DMM_RADIX_ARGUMENTS;
    const dmm_range all = {r.first, r.end};
    dmm_radix_sort(r, DMM_IN_INPUT, all);
}
