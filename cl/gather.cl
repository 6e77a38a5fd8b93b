/* SPDX-License-Identifier: MIT */
/*
 * dmm_gather_values: out[i] = value at positions[i], for values of any size, as words of
 * DMM_WORD_BYTES. Positions, of DMM_INDEX_BYTES, below a_end are of list a, the others of list b.
 * Cost       reads a position and a value and writes a value, each once; no local memory
 *            (conflict-free)
 */
#include "cl/common.clh"
#include "cl/items_call.clh"
#include "cl/words.clh"

DMM_KERNEL(DMM_GATHER_U)
void dmm_gather_values(global const dmm_index *positions, global const dmm_value_word *a,
    global const dmm_value_word *b, global dmm_value_word *restrict out, global const ulong *count,
    const dmm_gather_call c)
{
    const ulong x = get_global_id(0), item = x / DMM_WORDS, word = x - item * DMM_WORDS;
    if (item >= c.n || (count != 0 && item >= count[c.count_at]))
        return;
    const ulong from = clamp((ulong)positions[c.positions_at + item], c.first, c.last);
    const ulong at = from * DMM_WORDS + word;
    out[c.out_at + x] = from < c.a_end ? a[c.a_at + at] : b[c.b_at + at];
}
