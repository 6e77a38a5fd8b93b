/* SPDX-License-Identifier: MIT */
/*
 * dmm_permute without tiles: word by word, each to or from where it must.
 * Cost       reads a position and a word, and writes a word, each once
 * Claim      no local memory
 */
#include "cl/common.clh"
#include "cl/permute/permute.clh"
#include "cl/words.clh"

/* DMM_PLAIN_U: work-items a group. */
#if !defined(DMM_PLAIN_U) || DMM_PLAIN_U < 1
#error "DMM_PLAIN_U must be at least 1"
#endif

/* out[index[i]] = in[i], or with `gather` out[i] = in[index[i]]; what is out of range is left. */
DMM_KERNEL(DMM_PLAIN_U)
void dmm_permute_plain(global const dmm_place *index, ulong index_at,
    global const dmm_value_word *in, ulong in_at, global dmm_value_word *out, ulong out_at, ulong n,
    uint gather, global const uint *bad, ulong bad_at)
{
    const ulong x = get_global_id(0), item = x / DMM_WORDS, word = x - item * DMM_WORDS;
    if (item >= n)
        return;
    if (DMM_CHECKED && bad[bad_at])
        return;
    const ulong place = index[index_at + item], other = place * DMM_WORDS + word;
    if (place >= n)
        return;
    out[out_at + (gather ? x : other)] = in[in_at + (gather ? other : x)];
}

/* out[i] = i: positions, to be moved as items are. */
DMM_KERNEL(DMM_PLAIN_U)
void dmm_permute_count(global dmm_place *out, ulong out_at, ulong n)
{
    const ulong x = get_global_id(0);
    if (x < n)
        out[out_at + x] = (dmm_place)x;
}
