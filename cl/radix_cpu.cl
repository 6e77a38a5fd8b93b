/* SPDX-License-Identifier: MIT */
/*
 * The CPU form of radix sort (cl/radix.clh): one work-item a range, without local memory.
 * Cost       a pass reads each item twice and writes it once
 * Layout     lines[group][digit]: where many items go to memory, those of a digit are collected until they fill a
 *            line of 64 bytes, which is then written as a whole, past the cache where the compiler can.
 *            Position p of the target lies in slot p mod DMM_LINE of its digit's line.
 * Source     N. Satish et al., "Fast Sort on CPUs and GPUs: A Case for Bandwidth Oblivious SIMD Sort", SIGMOD
 *            2010, DOI 10.1145/1807167.1807207, section 3.1 (buffered scatter)
 */
#if DMM_U != 1
#error "the CPU form has one work-item a group"
#endif

/* Items a line: as many as fill 64 bytes with the wider of keys and values. */
#define DMM_LINE (64 / (DMM_KEY_BYTES > DMM_VALUE_BYTES ? DMM_KEY_BYTES : DMM_VALUE_BYTES))
#define DMM_KEY_WORDS   (DMM_LINE * DMM_KEY_BYTES / 8)
#define DMM_VALUE_WORDS (DMM_LINE * DMM_VALUE_BYTES / 8)

typedef union dmm_line {
    ulong words[DMM_KEY_WORDS + DMM_VALUE_WORDS];
    struct {
        dmm_key keys[DMM_LINE];
#if DMM_VALUE_BYTES
        dmm_value values[DMM_LINE];
#endif
    } items;
} dmm_line;

/* Adds the digits of a range to bins. */
DMM_INLINE void dmm_radix_tally(dmm_items from, dmm_range own, dmm_digit digit,
    dmm_index bins[DMM_BINS])
{
    for (uint d = 0; d <= digit.mask; d++)
        bins[d] = 0;
    for (dmm_index x = own.first; x < own.end; x++)
        bins[dmm_key_digit(from.keys[x], digit)]++;
}

/* Moves every item of a range to its digit's next place, `places[digit]` behind `to`. */
DMM_INLINE void dmm_radix_move(dmm_items from, uint source, dmm_items to, dmm_range own,
    dmm_digit digit, dmm_index places[DMM_BINS])
{
    for (dmm_index x = own.first; x < own.end; x++) {
        const dmm_key key = from.keys[x];
        const dmm_index place = places[dmm_key_digit(key, digit)]++;
        to.keys[place] = key;
#if DMM_VALUE_BYTES
        to.values[place] = dmm_radix_value(from, source, x);
#endif
    }
}

/* Writes what the line of a digit holds: places first .. end - 1, at most DMM_LINE. */
DMM_INLINE void dmm_line_write(global const dmm_line *line, dmm_items to, dmm_index first,
    dmm_index end)
{
    for (dmm_index place = first; place < end; place++) {
        to.keys[place] = line->items.keys[place % DMM_LINE];
#if DMM_VALUE_BYTES
        to.values[place] = line->items.values[place % DMM_LINE];
#endif
    }
}

DMM_INLINE int dmm_aligned(dmm_items to)
{
#if DMM_VALUE_BYTES
    return ((size_t)to.keys | (size_t)to.values) % 8 == 0;
#else
    return (size_t)to.keys % 8 == 0;
#endif
}

/* The same as dmm_radix_move, a line at a time. */
DMM_INLINE void dmm_radix_move_lines(dmm_items from, uint source, dmm_items to, dmm_range own,
    dmm_digit digit, dmm_index places[DMM_BINS], global dmm_line *lines)
{
    const int aligned = dmm_aligned(to);
    dmm_index firsts[DMM_BINS];
    for (uint d = 0; d <= digit.mask; d++)
        firsts[d] = places[d];
    for (dmm_index x = own.first; x < own.end; x++) {
        const dmm_key key = from.keys[x];
        const uint d = dmm_key_digit(key, digit);
        const dmm_index place = places[d]++;
        global dmm_line *line = &lines[d];
        line->items.keys[place % DMM_LINE] = key;
#if DMM_VALUE_BYTES
        line->items.values[place % DMM_LINE] = dmm_radix_value(from, source, x);
#endif
        if (place % DMM_LINE < DMM_LINE - 1)
            continue;
        const dmm_index start = place - (DMM_LINE - 1);
        if (aligned && start >= firsts[d]) {
            dmm_line_stream(line->words, to.keys + start, DMM_KEY_WORDS);
#if DMM_VALUE_BYTES
            dmm_line_stream(line->words + DMM_KEY_WORDS, to.values + start, DMM_VALUE_WORDS);
#endif
        } else
            dmm_line_write(line, to, max(start, firsts[d]), place + 1);
    }
    for (uint d = 0; d <= digit.mask; d++)
        dmm_line_write(&lines[d], to, max(places[d] - places[d] % DMM_LINE, firsts[d]), places[d]);
}

DMM_KERNEL(DMM_U)
void dmm_radix_count(DMM_RADIX_PARAMETERS)
{
    const dmm_radix r = DMM_RADIX_ARGUMENTS;
    const dmm_digit digit = dmm_digit_of(r, pass);
    dmm_index bins[DMM_BINS];
    dmm_radix_tally(dmm_radix_list(r, dmm_radix_source(r, pass)), dmm_radix_range(r), digit, bins);
    for (uint d = 0; d <= digit.mask; d++)
        r.counts[(dmm_index)d * groups + DMM_GROUP] = bins[d];
}

DMM_KERNEL(DMM_U)
void dmm_radix_scatter(DMM_RADIX_PARAMETERS)
{
    const dmm_radix r = DMM_RADIX_ARGUMENTS;
    const dmm_digit digit = dmm_digit_of(r, pass);
    const uint source = dmm_radix_source(r, pass);
    const dmm_items from = dmm_radix_list(r, source);
    const uint target = dmm_radix_shared(r, from, digit) ? source : dmm_radix_target(r, source);
    dmm_items to = dmm_radix_list(r, target);
    dmm_index places[DMM_BINS];

    if (DMM_GROUP == 0)
        r.state[pass] = target;
    if (target == source)
        return;
    for (uint d = 0; d <= digit.mask; d++)
        places[d] = r.counts[(dmm_index)d * groups + DMM_GROUP];
    to.keys += first;
    to.values += first;
    if (combines)
        dmm_radix_move_lines(from, source, to, dmm_radix_range(r), digit, places,
            (global dmm_line *)r.scratch + DMM_GROUP * DMM_BINS);
    else
        dmm_radix_move(from, source, to, dmm_radix_range(r), digit, places);
}

DMM_KERNEL(DMM_U)
void dmm_radix_settle(DMM_RADIX_PARAMETERS)
{
    const dmm_radix r = DMM_RADIX_ARGUMENTS;
    const dmm_range own = dmm_radix_range(r);
    dmm_radix_finish(r, dmm_radix_source(r, passes), own.first, own.end, 1);
}

/* Bins become places; returns whether all n items share a bin. */
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

/* All passes by one work-item. */
DMM_KERNEL(DMM_U)
void dmm_radix_alone(DMM_RADIX_PARAMETERS)
{
    const dmm_radix r = DMM_RADIX_ARGUMENTS;
    const dmm_range all = {first, r.end};
    dmm_index bins[DMM_BINS];
    uint source = DMM_IN_INPUT;
    for (uint p = 0; p < passes; p++) {
        const dmm_items from = dmm_radix_list(r, source);
        const dmm_digit digit = dmm_digit_of(r, p);
        dmm_radix_tally(from, all, digit, bins);
        if (dmm_radix_places(bins, digit.mask, r.end - first))
            continue;
        const uint target = dmm_radix_target(r, source);
        dmm_items to = dmm_radix_list(r, target);
        to.keys += first;
        to.values += first;
        dmm_radix_move(from, source, to, all, digit, bins);
        source = target;
    }
    dmm_radix_finish(r, source, first, r.end, 1);
}
