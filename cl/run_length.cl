/* SPDX-License-Identifier: MIT */
/*
 * Lengths of runs, from where they begin (cl/pack/pack.clh).
 * Cost       reads two starts and writes a count for each run
 * Claim      no local memory
 */
#include "cl/run_length_call.clh"
#include "cl/common.clh"

/* counts[r] = starts[r + 1] - starts[r]; the last run ends with the items. */
DMM_KERNEL(DMM_U)
void dmm_run_length_count(global const ulong *starts, global const ulong *runs,
    global ulong *restrict counts, global const ulong *count, const dmm_run_length_call c)
{
    const ulong all = min(runs[c.runs_at], c.n); /* whatever a broken driver has left there */
    const ulong end = dmm_counted_end(count, c.count_at, 0, (dmm_index)c.n);
    starts += c.starts_at;
    for (ulong r = get_global_id(0); r < all; r += c.items)
        counts[c.counts_at + r] = (r + 1 < all ? starts[r + 1] : end) - starts[r];
}
