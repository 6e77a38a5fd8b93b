/* SPDX-License-Identifier: MIT */
/*
 * Kernels of method quick of dmm_lab_sort beside its parts: the sample, the pivots among the sorted
 * sample, and the positions for argsort.
 * Cost       reads and writes each item taken once; no local memory (conflict-free)
 */
#include "cl/lab/pivots_call.clh"
#include "cl/values.clh"

/* Returns a random number of 32 bits. */
DMM_INLINE uint dmm_pivots_random(uint i)
{
    uint x = (i + 1) * 0x9e3779b9u;
    x = (x ^ x >> 16) * 0x85ebca6bu;
    x = (x ^ x >> 13) * 0xc2b2ae35u;
    return x ^ x >> 16;
}

/* Returns the item of stratum i of `picks` that is taken, of all > 0 items. */
DMM_INLINE ulong dmm_pivots_place(ulong i, ulong picks, ulong all)
{
    const ulong low = i * (all / picks) + i * (all % picks) / picks, size = all / picks;
    return min(low + (size > 0 ? dmm_pivots_random((uint)i) % size : 0), all - 1);
}

/* out[i] = an item, 0 <= i < picks; zeros if there are no items. */
DMM_KERNEL(DMM_U)
void dmm_pivots_pick(global const dmm_key *in, global dmm_key *restrict out,
    global const ulong *count, const dmm_pivots_call c)
{
    const ulong i = get_global_id(0);
    const ulong all = dmm_counted_end(count, c.count_at, 0, (dmm_index)c.n);
    dmm_key key = {0};
    if (i >= c.picks)
        return;
    if (all != 0)
        key =
            in[c.in_at + (c.stride != 0 ? (i + 1) * c.stride : dmm_pivots_place(i, c.picks, all))];
    out[c.out_at + i] = key;
}

/* out[i] = first + i, 0 <= i < n. */
DMM_KERNEL(DMM_U)
void dmm_pivots_positions(global dmm_value *out, const dmm_pivots_call c)
{
    const ulong i = get_global_id(0);
    if (i < c.n)
        out[c.out_at + i] = (dmm_value)(c.first + i);
}
