/* SPDX-License-Identifier: MIT */
/*
 * dmm_permute without tiles: moves word by word, straight to or from its position.
 * Cost       reads a position and a word, and writes a word, each once
 * Claim      no local memory
 */
#include "cl/common.clh"
#include "cl/permute/permute.clh"
#include "cl/words.clh"

/* out[index[i]] = in[i], or with `gather` out[i] = in[index[i]]; skips positions out of range. */
DMM_KERNEL(DMM_PERMUTE_PLAIN_U)
void dmm_permute_plain(global const dmm_place *index, global const dmm_value_word *in,
    global dmm_value_word *out, global const uint *bad, const dmm_permute_call c)
{
    const ulong x = get_global_id(0), item = x / DMM_WORDS, word = x - item * DMM_WORDS;
    if (item >= c.n)
        return;
    if (DMM_CHECKED && bad[c.bad_at])
        return;
    const ulong place = index[c.index_at + item], other = place * DMM_WORDS + word;
    if (place >= c.n)
        return;
    out[c.out_at + (c.gather ? x : other)] = in[c.in_at + (c.gather ? other : x)];
}

/* out[i] = i: positions, which are then moved like items. */
DMM_KERNEL(DMM_PERMUTE_PLAIN_U)
void dmm_permute_count(global dmm_place *out, const dmm_permute_call c)
{
    const ulong x = get_global_id(0);
    if (x < c.n)
        out[c.out_at + x] = (dmm_place)x;
}
