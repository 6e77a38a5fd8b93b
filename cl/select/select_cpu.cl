/* SPDX-License-Identifier: MIT */
/*
 * The CPU form of selection (cl/select/select.clh): one work-item a range, without local memory.
 * Cost       a pass reads the list's keys twice if the list moves, otherwise once; of items that
 *            do not move the keys alone, DMM_SELECT_BATCH at a time in vector instructions. If
 *            k * DMM_SELECT_BLOCK is far below n, almost all keys are read once, in vector
 *            instructions.
 */
#include "cl/select/select.clh"

#if DMM_U != 1
#error "the CPU form has one work-item a group"
#endif

/* Items that vector instructions examine together; such groups begin at multiples of it. */
#define DMM_SELECT_BATCH 64

#if DMM_SELECT_BLOCK % DMM_SELECT_BATCH
#error "DMM_SELECT_BLOCK must be a multiple of DMM_SELECT_BATCH"
#endif

DMM_INLINE dmm_code dmm_select_minimum(global const dmm_key *keys, uint count)
{
    dmm_code least = DMM_CODE_MAX;
    DMM_ROLLED
    for (uint j = 0; j < count; j++)
        least = min(least, dmm_select_code(keys[j]));
    return least;
}

DMM_KERNEL(DMM_U)
void dmm_select_least(DMM_SELECT_PARAMETERS)
{
    const dmm_select s = DMM_SELECT_ARGUMENTS;
    const dmm_index n = s.end - s.first;
    const dmm_index blocks = n / DMM_SELECT_BLOCK + (n % DMM_SELECT_BLOCK != 0);
    const dmm_index range = blocks / s.groups + (blocks % s.groups != 0);
    const dmm_index own_end = min((DMM_GROUP + 1) * range, blocks);
    for (dmm_index b = DMM_GROUP * range; b < own_end; b++) {
        global const dmm_key *keys = s.in.keys + (s.first + b * DMM_SELECT_BLOCK);
        const dmm_index left = n - b * DMM_SELECT_BLOCK;
        const dmm_code code = left >= DMM_SELECT_BLOCK ? dmm_select_minimum(keys, DMM_SELECT_BLOCK)
                                                : dmm_select_minimum(keys, (uint)left);
        s.least[b] = dmm_decode(code);
    }
}

/* Returns the end of x's group. */
DMM_INLINE dmm_index dmm_select_look_end(dmm_select s, dmm_index x, dmm_index end)
{
    return x + min(DMM_SELECT_BATCH - (x - s.first) % DMM_SELECT_BATCH, end - x);
}

/* True if no item of x's block can be selected. */
DMM_INLINE int dmm_select_skips(dmm_select s, dmm_candidates list, dmm_index x)
{
    if (s.input != DMM_SELECT_FEW || list.where != DMM_SELECT_IN_INPUT)
        return 0;
    global const ulong *bound = s.state + (2 * s.passes - 1) * DMM_SELECT_STATE_WORDS;
    const dmm_index block = (x - s.first) / DMM_SELECT_BLOCK;
    const dmm_code code = dmm_select_code(s.least[block]), most = (dmm_code)bound[2];
    return code > most || (code == most && block >= bound[4]);
}

/* True if all items of a batch are in one row. */
DMM_INLINE int dmm_select_is_one_row(global const dmm_key *keys, dmm_code mask)
{
    const dmm_code first = dmm_select_code(keys[0]) & mask;
    dmm_code differ = (dmm_select_code(keys[DMM_SELECT_BATCH - 1]) & mask) ^ first;
    if (differ != 0)
        return 0;
    for (uint j = 1; j < DMM_SELECT_BATCH - 1; j++)
        differ |= (dmm_select_code(keys[j]) & mask) ^ first;
    return differ == 0;
}

/* Counts a batch. Even and odd items use separate bins: two increments of one bin in a row stall.
 * Items of one row, as equal keys are, are counted at once. */
DMM_INLINE void dmm_select_tally(dmm_candidates list, dmm_index x,
    dmm_index bins[DMM_COLUMN_BINS + 1], dmm_index odd[DMM_COLUMN_BINS + 1])
{
    global const dmm_key *keys = list.items.keys + x;
    if (dmm_select_is_one_row(keys, dmm_bits_from(list.low))) {
        bins[dmm_select_row(list, dmm_select_code(keys[0]))] += DMM_SELECT_BATCH;
        return;
    }
    if (list.high == DMM_KEY_BITS) { /* all are candidates, and the code above the digit is 0 */
        for (uint j = 0; j < DMM_SELECT_BATCH; j += 2) {
            bins[1 + (uint)(dmm_select_code(keys[j]) >> list.low)]++;
            odd[1 + (uint)(dmm_select_code(keys[j + 1]) >> list.low)]++;
        }
        return;
    }
    for (uint j = 0; j < DMM_SELECT_BATCH; j += 2) {
        bins[dmm_select_row(list, dmm_select_code(keys[j]))]++;
        odd[dmm_select_row(list, dmm_select_code(keys[j + 1]))]++;
    }
}

DMM_KERNEL(DMM_U)
void dmm_select_count(DMM_SELECT_PARAMETERS)
{
    const dmm_select s = DMM_SELECT_ARGUMENTS;
    const dmm_candidates list = dmm_select_list(s);
    const dmm_range own = dmm_select_range(s, list);
    const uint rows = DMM_SELECT_ROWS(list.high - list.low);
    dmm_index bins[DMM_COLUMN_BINS + 1], odd[DMM_COLUMN_BINS + 1];

    for (uint row = 0; row <= DMM_COLUMN_BINS; row++)
        bins[row] = odd[row] = 0;
    for (dmm_index x = own.first, look_end; x < own.end; x = look_end) {
        look_end = dmm_select_look_end(s, x, own.end);
        if (dmm_select_skips(s, list, x))
            continue;
        if (look_end - x == DMM_SELECT_BATCH)
            dmm_select_tally(list, x, bins, odd);
        else
            for (; x < look_end; x++)
                bins[dmm_select_row(list, dmm_select_code(list.items.keys[x]))]++;
    }
    for (uint row = 0; row < rows; row++)
        s.counts[row * (dmm_index)s.groups + DMM_GROUP] = bins[row] + odd[row];
    if (DMM_GROUP == 0)
        s.counts[rows * (dmm_index)s.groups] = 0;
}

/* With DMM_ONLY_LAST, returns how many of `count` items tie; otherwise 0 if all have codes above
 * `most`. */
DMM_INLINE uint dmm_select_moving(dmm_candidates list, dmm_keeping k, dmm_index x, uint count,
    dmm_code most)
{
    uint moving = 0;
    for (uint j = 0; j < count; j++) {
        const dmm_code code = dmm_select_code(list.items.keys[x + j]) & k.mask;
        if (DMM_ONLY_LAST)
            moving += code == k.prefix;
        else
            moving |= code <= most;
    }
    return moving;
}

/* Lists those of `count` items that move, without a branch; returns their number. */
DMM_INLINE uint dmm_select_picks(dmm_select s, dmm_candidates list, dmm_keeping k, dmm_index x,
    uint count, dmm_index *ties_left, uchar picks[DMM_SELECT_BATCH])
{
    uint found = 0;
    for (uint j = 0; j < count; j++) {
        const dmm_code code = dmm_select_code(list.items.keys[x + j]) & k.mask;
        const int ties = code == k.prefix;
        picks[found] = (uchar)j;
        found += dmm_select_wants(s, code < k.prefix, ties, *ties_left);
        *ties_left -= ties & (*ties_left > 0);
    }
    return found;
}

/* After the last pass over the least codes, writes the end of the blocks up to b, in b's group
 * (cl/select/select.clh). */
DMM_INLINE void dmm_select_write_b(dmm_select s, dmm_candidates list, dmm_keeping k)
{
    const dmm_range own = dmm_select_range(s, list);
    dmm_index ties = k.ties;
    for (dmm_index x = own.first; x < own.end && ties < k.quota; x++)
        if (dmm_select_code(list.items.keys[x]) == k.prefix && ++ties == k.quota)
            s.state[s.pass * DMM_SELECT_STATE_WORDS + 4] = x + 1 - s.first;
}

DMM_KERNEL(DMM_U)
void dmm_select_keep(DMM_SELECT_PARAMETERS)
{
    const dmm_select s = DMM_SELECT_ARGUMENTS;
    const dmm_candidates list = dmm_select_list(s);
    uint row = 0;
    dmm_keeping k = dmm_select_keeping(s, list, &row, DMM_GROUP == 0);
    if (s.input == DMM_SELECT_LEAST && s.pass + 1 == s.passes)
        dmm_select_write_b(s, list, k);
    if (k.from.first == k.from.end)
        return;
    for (uint r = 0; r < row; r++)
        k.before += dmm_select_before(s, r);
    dmm_index ties_left = DMM_MINUS(k.quota, k.ties);
    dmm_index place = dmm_select_place(s, k, k.before, k.ties);
    for (dmm_index x = k.from.first, look_end; x < k.from.end; x = look_end) {
        uchar picks[DMM_SELECT_BATCH];
        look_end = dmm_select_look_end(s, x, k.from.end);
        if (dmm_select_skips(s, list, x))
            continue;
        const uint count = (uint)(look_end - x);
        if ((DMM_ONLY_LAST || k.prefix == 0) && ties_left == 0) /* nothing comes before the ties */
            return;
        const dmm_code most = ties_left == 0 ? k.prefix - 1 : k.prefix;
        const uint moving = count == DMM_SELECT_BATCH
                                ? dmm_select_moving(list, k, x, DMM_SELECT_BATCH, most)
                                : dmm_select_moving(list, k, x, count, most);
        if (moving == 0)
            continue;
        if (DMM_ONLY_LAST && s.pass + 1 == s.passes && moving < ties_left) {
            ties_left -= moving;
            continue;
        }
        const uint found = dmm_select_picks(s, list, k, x, count, &ties_left, picks);
        for (uint i = 0; i < found && place < k.end; i++)
            dmm_select_move(list, x + picks[i], k.to, place++);
    }
}
