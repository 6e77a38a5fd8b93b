/* SPDX-License-Identifier: MIT */
/*
 * Packing by ranks: dmm_unique_mark marks the items that begin a run, dmm_scan makes ranks of the
 * marks, and dmm_unique_keep writes each marked item to its rank. Group g owns items
 * g*range .. (g + 1)*range - 1.
 * Cost       marking reads each item twice, or once from memory and once from a cache; keeping
 *            reads the ranks
 * Claim      conflict-free: no local memory
 */

/* Items as words: x is the item's number. */
DMM_INLINE int dmm_unique_begins(global const dmm_value_word *items, ulong x)
{
    int differ = x == 0;
    for (uint k = 0; k < DMM_WORDS && x > 0; k++)
        differ |= items[x * DMM_WORDS + k] != items[(x - 1) * DMM_WORDS + k];
    return differ;
}

DMM_KERNEL(DMM_U)
void dmm_unique_mark(global const dmm_value_word *items, ulong items_at, global dmm_index *ranks,
    ulong ranks_at, ulong n, ulong range, DMM_COUNT_PARAMETERS)
{
    const ulong all = dmm_counted_end(count_in, count_in_at, 0, (dmm_index)n);
    const ulong first = DMM_GROUP * range, end = min(all, first + range);
    for (ulong x = first + get_local_id(0); x < end; x += DMM_U)
        ranks[ranks_at + x] = (dmm_index)dmm_unique_begins(items + items_at, x);
}

/* `starts` and `runs` may be none. */
DMM_KERNEL(DMM_U)
void dmm_unique_keep(global const dmm_value_word *items, ulong items_at,
    global const dmm_index *ranks, ulong ranks_at, global dmm_value_word *restrict out,
    ulong out_at, global ulong *restrict starts, ulong starts_at, global ulong *restrict runs,
    ulong runs_at, ulong n, ulong range, DMM_COUNT_PARAMETERS)
{
    const ulong all = dmm_counted_end(count_in, count_in_at, 0, (dmm_index)n);
    const ulong first = DMM_GROUP * range, end = min(all, first + range);
    for (ulong x = first + get_local_id(0); x < end; x += DMM_U) {
        const ulong rank = ranks[ranks_at + x];
        if (x > 0 && rank == ranks[ranks_at + x - 1])
            continue;
        for (uint k = 0; k < DMM_WORDS; k++)
            out[out_at + (rank - 1) * DMM_WORDS + k] = items[items_at + x * DMM_WORDS + k];
        if (starts != 0)
            starts[starts_at + rank - 1] = x;
    }
    if (runs != 0 && get_global_id(0) == 0)
        runs[runs_at] = all > 0 ? ranks[ranks_at + all - 1] : 0;
}
