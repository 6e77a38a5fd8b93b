/* SPDX-License-Identifier: MIT */
/*
 * The CPU form of selection (cl/kselect/kselect_cpu.clh): one work-item a range, without local
 * memory.
 * Cost       a pass reads the list's keys twice if the list moves, otherwise once; of items that
 *            do not move the keys alone, DMM_KSELECT_BATCH at a time in vector instructions. If
 *            k * DMM_KSELECT_BLOCK is far below n, almost all keys are read once, in vector
 *            instructions.
 */
#include "cl/kselect/kselect_cpu.clh"

#if DMM_U != 1
#error "the CPU form has one work-item a group"
#endif

/* Items that vector instructions examine together; such groups begin at multiples of it. */
#define DMM_KSELECT_BATCH 64

#if DMM_KSELECT_BLOCK % DMM_KSELECT_BATCH
#error "DMM_KSELECT_BLOCK must be a multiple of DMM_KSELECT_BATCH"
#endif

DMM_INLINE dmm_code dmm_kselect_minimum(global const dmm_key *keys, uint count)
{
    dmm_code least = DMM_CODE_MAX;
    DMM_ROLLED
    for (uint j = 0; j < count; j++)
        least = min(least, dmm_kselect_code(keys[j]));
    return least;
}

DMM_KERNEL(DMM_U)
void dmm_kselect_least(DMM_KSELECT_PARAMETERS)
{
    const dmm_kselect s = DMM_KSELECT_ARGUMENTS;
    const dmm_index n = s.end - s.first;
    const dmm_index blocks = n / DMM_KSELECT_BLOCK + (n % DMM_KSELECT_BLOCK != 0);
    const dmm_index range = blocks / s.groups + (blocks % s.groups != 0);
    const dmm_index own_end = min((DMM_GROUP + 1) * range, blocks);
    for (dmm_index b = DMM_GROUP * range; b < own_end; b++) {
        global const dmm_key *keys = s.in.keys + (s.first + b * DMM_KSELECT_BLOCK);
        const dmm_index left = n - b * DMM_KSELECT_BLOCK;
        const dmm_code code = left >= DMM_KSELECT_BLOCK
            ? dmm_kselect_minimum(keys, DMM_KSELECT_BLOCK)
            : dmm_kselect_minimum(keys, (uint)left);
        s.least[b] = dmm_decode(code);
    }
}

/* Returns the end of x's group. */
DMM_INLINE dmm_index dmm_kselect_look_end(dmm_kselect s, dmm_index x, dmm_index end)
{
    return x + min(DMM_KSELECT_BATCH - (x - s.first) % DMM_KSELECT_BATCH, end - x);
}

/* True if no item of x's block can be selected. */
DMM_INLINE int dmm_kselect_skips(dmm_kselect s, dmm_candidates list, dmm_index x)
{
    if (s.input != DMM_KSELECT_FEW || list.where != DMM_KSELECT_IN_INPUT)
        return 0;
    global const ulong *bound = s.state + (2 * s.passes - 1) * DMM_KSELECT_STATE_WORDS;
    const dmm_index block = (x - s.first) / DMM_KSELECT_BLOCK;
    const dmm_code code = dmm_kselect_code(s.least[block]), most = (dmm_code)bound[2];
    return code > most || (code == most && block >= bound[4]);
}

/* True if all items of a batch are in one row. */
DMM_INLINE int dmm_kselect_is_one_row(global const dmm_key *keys, dmm_code mask)
{
    const dmm_code first = dmm_kselect_code(keys[0]) & mask;
    dmm_code differ = (dmm_kselect_code(keys[DMM_KSELECT_BATCH - 1]) & mask) ^ first;
    if (differ != 0)
        return 0;
    for (uint j = 1; j < DMM_KSELECT_BATCH - 1; j++)
        differ |= (dmm_kselect_code(keys[j]) & mask) ^ first;
    return differ == 0;
}

/* Counts a batch. Even and odd items use separate bins: two increments of one bin in a row stall.
 * Items of one row, as equal keys are, are counted at once. */
DMM_INLINE void dmm_kselect_tally(dmm_candidates list, dmm_index x,
    dmm_index bins[DMM_COLUMN_BINS + 1], dmm_index odd[DMM_COLUMN_BINS + 1])
{
    global const dmm_key *keys = list.items.keys + x;
    if (dmm_kselect_is_one_row(keys, dmm_bits_from(list.low))) {
        bins[dmm_kselect_row(list, dmm_kselect_code(keys[0]))] += DMM_KSELECT_BATCH;
        return;
    }
    if (list.high == DMM_KEY_BITS) { /* all are candidates, and the code above the digit is 0 */
        for (uint j = 0; j < DMM_KSELECT_BATCH; j += 2) {
            bins[1 + (uint)(dmm_kselect_code(keys[j]) >> list.low)]++;
            odd[1 + (uint)(dmm_kselect_code(keys[j + 1]) >> list.low)]++;
        }
        return;
    }
    for (uint j = 0; j < DMM_KSELECT_BATCH; j += 2) {
        bins[dmm_kselect_row(list, dmm_kselect_code(keys[j]))]++;
        odd[dmm_kselect_row(list, dmm_kselect_code(keys[j + 1]))]++;
    }
}

/* Counts the rows of this group's items. */
DMM_INLINE void dmm_kselect_count_own(dmm_kselect s)
{
    const dmm_candidates list = dmm_kselect_list(s);
    const dmm_range own = dmm_kselect_range(s, list);
    const uint rows = DMM_KSELECT_ROWS(list.high - list.low);
    dmm_index bins[DMM_COLUMN_BINS + 1], odd[DMM_COLUMN_BINS + 1];

    for (uint row = 0; row <= DMM_COLUMN_BINS; row++)
        bins[row] = odd[row] = 0;
    for (dmm_index x = own.first, look_end; x < own.end; x = look_end) {
        look_end = dmm_kselect_look_end(s, x, own.end);
        if (dmm_kselect_skips(s, list, x))
            continue;
        if (look_end - x == DMM_KSELECT_BATCH)
            dmm_kselect_tally(list, x, bins, odd);
        else
            for (; x < look_end; x++)
                bins[dmm_kselect_row(list, dmm_kselect_code(list.items.keys[x]))]++;
    }
    for (uint row = 0; row < rows; row++)
        s.counts[row * (dmm_index)s.groups + DMM_GROUP] = bins[row] + odd[row];
    if (DMM_GROUP == 0)
        s.counts[rows * (dmm_index)s.groups] = 0;
}

DMM_KERNEL(DMM_U)
void dmm_kselect_count(DMM_KSELECT_PARAMETERS)
{
    const dmm_kselect s = DMM_KSELECT_ARGUMENTS;
    dmm_kselect_count_own(s);
}

/* With DMM_ONLY_LAST, returns how many of `count` items tie; otherwise 0 if all have codes above
 * `most`. */
DMM_INLINE uint dmm_kselect_moving(dmm_candidates list, dmm_keeping k, dmm_index x, uint count,
    dmm_code most)
{
    uint moving = 0;
    for (uint j = 0; j < count; j++) {
        const dmm_code code = dmm_kselect_code(list.items.keys[x + j]) & k.mask;
        if (DMM_ONLY_LAST)
            moving += code == k.prefix;
        else
            moving |= code <= most;
    }
    return moving;
}

/* Lists those of `count` items that move, without a branch; returns their number. */
DMM_INLINE uint dmm_kselect_picks(dmm_kselect s, dmm_candidates list, dmm_keeping k, dmm_index x,
    uint count, dmm_index *ties_left, uchar picks[DMM_KSELECT_BATCH])
{
    uint found = 0;
    for (uint j = 0; j < count; j++) {
        const dmm_code code = dmm_kselect_code(list.items.keys[x + j]) & k.mask;
        const int ties = code == k.prefix;
        picks[found] = (uchar)j;
        found += dmm_kselect_wants(s, code < k.prefix, ties, *ties_left);
        *ties_left -= ties & (*ties_left > 0);
    }
    return found;
}

/* After the last pass over the least codes, writes the end of the blocks up to b, in b's group
 * (cl/kselect/kselect_cpu.clh). */
DMM_INLINE void dmm_kselect_write_b(dmm_kselect s, dmm_candidates list, dmm_keeping k)
{
    const dmm_range own = dmm_kselect_range(s, list);
    dmm_index ties = k.ties;
    for (dmm_index x = own.first; x < own.end && ties < k.quota; x++)
        if (dmm_kselect_code(list.items.keys[x]) == k.prefix && ++ties == k.quota)
            s.state[s.pass * DMM_KSELECT_STATE_WORDS + 4] = x + 1 - s.first;
}

/* Moves this group's items that remain; writes the state. */
DMM_INLINE void dmm_kselect_keep_own(dmm_kselect s)
{
    const dmm_candidates list = dmm_kselect_list(s);
    uint row = 0;
    dmm_keeping k = dmm_kselect_keeping(s, list, &row, DMM_GROUP == 0);
    if (s.input == DMM_KSELECT_LEAST && s.pass + 1 == s.passes)
        dmm_kselect_write_b(s, list, k);
    if (k.from.first == k.from.end)
        return;
    for (uint r = 0; r < row; r++)
        k.before += dmm_kselect_before(s, r);
    dmm_index ties_left = DMM_MINUS(k.quota, k.ties);
    dmm_index place = dmm_kselect_place(s, k, k.before, k.ties);
    for (dmm_index x = k.from.first, look_end; x < k.from.end; x = look_end) {
        uchar picks[DMM_KSELECT_BATCH];
        look_end = dmm_kselect_look_end(s, x, k.from.end);
        if (dmm_kselect_skips(s, list, x))
            continue;
        const uint count = (uint)(look_end - x);
        if ((DMM_ONLY_LAST || k.prefix == 0) && ties_left == 0) /* nothing comes before the ties */
            return;
        const dmm_code most = ties_left == 0 ? k.prefix - 1 : k.prefix;
        const uint moving = count == DMM_KSELECT_BATCH
                                ? dmm_kselect_moving(list, k, x, DMM_KSELECT_BATCH, most)
                                : dmm_kselect_moving(list, k, x, count, most);
        if (moving == 0)
            continue;
        if (DMM_ONLY_LAST && s.pass + 1 == s.passes && moving < ties_left) {
            ties_left -= moving;
            continue;
        }
        const uint found = dmm_kselect_picks(s, list, k, x, count, &ties_left, picks);
        for (uint i = 0; i < found && place < k.end; i++)
            dmm_kselect_move(list.items, list.where == DMM_KSELECT_IN_INPUT, x + picks[i], k.to,
                place++);
    }
}

DMM_KERNEL(DMM_U)
void dmm_kselect_keep(DMM_KSELECT_PARAMETERS)
{
    const dmm_kselect s = DMM_KSELECT_ARGUMENTS;
    dmm_kselect_keep_own(s);
}

/* All passes over one tile. */
DMM_KERNEL(DMM_U)
void dmm_kselect_alone(DMM_KSELECT_PARAMETERS)
{
    dmm_kselect s = DMM_KSELECT_ARGUMENTS;
    for (s.pass = 0; s.pass < s.passes; s.pass++) {
        const uint left = s.passes - s.pass, low = DMM_KSELECT_LOW(DMM_KEY_BITS, left, s.passes);
        const uint rows = DMM_KSELECT_ROWS(DMM_KSELECT_HIGH(DMM_KEY_BITS, left, s.passes) - low);
        dmm_index before = 0;
        dmm_kselect_count_own(s);
        for (uint row = 0; row <= rows; row++) { /* counts become starts */
            const dmm_index count = s.counts[row];
            s.counts[row] = before;
            before += count;
        }
        dmm_kselect_keep_own(s);
    }
}
