/* SPDX-License-Identifier: MIT */
/*
 * dmm_gather_values: out[i] = value at positions[i], for values of any size, as words of DMM_WORD_BYTES.
 * Positions below a_end are of list a, the others of list b.
 * Cost       reads a position and a value and writes a value, each once; no local memory (conflict-free)
 */

/* DMM_GATHER_U: work-items a group. */
#if !defined(DMM_GATHER_U) || DMM_GATHER_U < 1
#error "DMM_GATHER_U must be at least 1"
#endif
/* DMM_WORD_BYTES: the widest of 1, 2, 4 and 8 that divides the value size; DMM_WORDS: words a value. */
#if DMM_WORD_BYTES == 8
typedef ulong dmm_value_word;
#elif DMM_WORD_BYTES == 4
typedef uint dmm_value_word;
#elif DMM_WORD_BYTES == 2
typedef ushort dmm_value_word;
#elif DMM_WORD_BYTES == 1
typedef uchar dmm_value_word;
#else
#error "DMM_WORD_BYTES must be 1, 2, 4 or 8"
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
