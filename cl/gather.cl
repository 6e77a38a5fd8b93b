/* SPDX-License-Identifier: MIT */
/*
 * dmm_gather_values: out[i] = value at positions[i], for values of any size, as words of
 * DMM_WORD_BYTES. Positions below a_end are of list a, the others of list b.
 * Cost       reads a position and a value and writes a value, each once; no local memory
 *            (conflict-free)
 */

/* DMM_GATHER_U: work-items a group. */
#if !defined(DMM_GATHER_U) || DMM_GATHER_U < 1
#error "DMM_GATHER_U must be at least 1"
#endif
DMM_KERNEL(DMM_GATHER_U)
void dmm_gather_values(global const dmm_value *positions, ulong positions_at,
    global const dmm_value_word *a, ulong a_at, global const dmm_value_word *b, ulong b_at,
    global dmm_value_word *restrict out, ulong out_at, ulong a_end, ulong n, DMM_COUNT_PARAMETERS)
{
    const ulong x = get_global_id(0), item = x / DMM_WORDS, word = x - item * DMM_WORDS;
    if (item >= n || (count_in != 0 && item >= count_in[count_in_at]))
        return;
    const ulong from = positions[positions_at + item];
    const ulong at = from * DMM_WORDS + word;
    out[out_at + x] = from < a_end ? a[a_at + at] : b[b_at + at];
}
