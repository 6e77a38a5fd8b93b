/* SPDX-License-Identifier: MIT */
/*
 * dmm_shuffle_gather: word by word, item i of the output is fetched from where cl/shuffle.clh says.
 * Cost       a word is read and written once; writes are of consecutive words, reads of any
 * Claim      no local memory
 */
#include "cl/common.clh"
#include "cl/shuffle.clh"
#include "cl/words.clh"
#if DMM_U == 1
#include "cl/shuffle_batch.clh"
#endif

/* DMM_INDICES: 1 where an item is its own number, and nothing is read. */
#if !defined(DMM_INDICES) || DMM_INDICES > 1
#error "DMM_INDICES must be 0 or 1"
#endif

#if DMM_U == 1 /* a group owns a range of items, which it goes through batch by batch */

DMM_KERNEL(1)
void dmm_shuffle_gather(global const dmm_value_word *in, ulong in_at,
    global dmm_value_word *restrict out, ulong out_at, ulong seed, ulong n, ulong count,
    ulong range)
{
    const dmm_shuffling shuffling = dmm_shuffle_begin(seed, n);
    const ulong first = DMM_GROUP * range, end = first + min(range, count - first);
    dmm_index from[DMM_BATCH];
    for (ulong x = first; x < end; x += DMM_BATCH) {
        const uint batch = (uint)min((ulong)DMM_BATCH, end - x);
        dmm_shuffle_batch(shuffling, x, batch, 1, from);
        for (uint j = 0; j < batch; j++)
            for (uint k = 0; k < DMM_WORDS; k++)
                out[out_at + (x + j) * DMM_WORDS + k] = DMM_INDICES
                    ? (dmm_value_word)from[j] : in[in_at + (ulong)from[j] * DMM_WORDS + k];
    }
}

#else

DMM_KERNEL(DMM_U)
void dmm_shuffle_gather(global const dmm_value_word *in, ulong in_at,
    global dmm_value_word *restrict out, ulong out_at, ulong seed, ulong n, ulong count,
    ulong range)
{
    const ulong x = get_global_id(0), item = x / DMM_WORDS, word = x - item * DMM_WORDS;
    if (item >= count)
        return;
    const ulong from = dmm_shuffle_index(seed, n, item);
    out[out_at + x] = DMM_INDICES ? (dmm_value_word)from : in[in_at + from * DMM_WORDS + word];
}

#endif
