/* SPDX-License-Identifier: MIT */
/*
 * Fetches the totals of runs from a scan by key: of each run, the scanned item at its end.
 * Cost       reads a start and a scanned item for each run, and writes an item
 * Claim      no local memory
 */
#include "cl/by_key_call.clh"
#include "cl/common.clh"
#include "cl/words.clh"

/* out[r] = in[starts[r + 1] - 1]; the last run ends with the items. Bounds: a broken driver may
 * have left others there. */
DMM_KERNEL(DMM_U)
void dmm_by_key_fetch(global const dmm_value_word *in, global dmm_value_word *restrict out,
    global const ulong *starts, global const ulong *runs, global const ulong *count,
    const dmm_fetch_call c)
{
    const ulong all = min(runs[c.runs_at], c.n);
    const ulong end = dmm_counted_end(count, c.count_at, 0, (dmm_index)c.n);
    starts += c.starts_at;
    for (ulong r = get_global_id(0); r < all; r += c.items) {
        const ulong from = c.in_at + min((r + 1 < all ? starts[r + 1] : end) - 1, c.n - 1);
        for (uint k = 0; k < DMM_WORDS; k++)
            out[(c.out_at + r) * DMM_WORDS + k] = in[from * DMM_WORDS + k];
    }
}
