/* SPDX-License-Identifier: MIT */
/*
 * Fetches the values of the packed items (cl/unique.clh). Group g owns a range of their words.
 * Cost       reads the start of a run for each word, and moves the words
 * Claim      no local memory
 */
#include "cl/unique_call.clh"
#include "cl/common.clh"
#include "cl/words.clh"

/* out[r] = values[starts[r]] of all runs. Bounds: a broken driver may have left others there. */
DMM_KERNEL(DMM_U)
void dmm_unique_fetch(global const dmm_value_word *values, global dmm_value_word *restrict out,
    global const ulong *starts, global const ulong *runs, const dmm_unique_call c)
{
    const ulong words = min(runs[c.runs_at], c.n) * DMM_WORDS;
    const ulong range = words / c.groups + (words % c.groups != 0);
    const ulong first = DMM_GROUP * range, end = min(first + range, words);
    for (ulong x = first + get_local_id(0); x < end; x += DMM_U) {
        const ulong start = min(starts[c.starts_at + x / DMM_WORDS], c.n - 1);
        out[c.out_at + x] = values[c.items_at + start * DMM_WORDS + x % DMM_WORDS];
    }
}
