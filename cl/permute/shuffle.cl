/* SPDX-License-Identifier: MIT */
/*
 * dmm_shuffle_gather: fetches item i of the output, word by word, from the index that
 * cl/shuffle.clh computes.
 * Cost       reads and writes each word once; writes are consecutive, reads are not
 * Claim      no local memory
 */
#include "cl/common.clh"
#include "cl/permute/shuffle_call.clh"
#include "cl/shuffle.clh"
#include "cl/words.clh"
#if DMM_U == 1
#include "cl/permute/shuffle_batch.clh"
#endif

/* DMM_INDICES: 1 if item i is the number i, so that nothing is read. */
#if !defined(DMM_INDICES) || DMM_INDICES > 1
#error "DMM_INDICES must be 0 or 1"
#endif

#if DMM_U == 1 /* a group processes its range batch by batch */

DMM_KERNEL(1)
void dmm_shuffle_gather(global const dmm_value_word *in, global dmm_value_word *restrict out,
    const dmm_shuffle_call c)
{
    const dmm_shuffling shuffling = dmm_shuffle_begin(c.seed, c.n);
    const ulong first = DMM_GROUP * c.range, end = first + min(c.range, c.count - first);
    dmm_index from[DMM_BATCH];
    for (ulong x = first; x < end; x += DMM_BATCH) {
        const uint batch = (uint)min((ulong)DMM_BATCH, end - x);
        dmm_shuffle_batch(shuffling, x, batch, 1, from);
        for (uint j = 0; j < batch; j++)
            for (uint k = 0; k < DMM_WORDS; k++)
                out[c.out_at + (x + j) * DMM_WORDS + k] = DMM_INDICES
                    ? (dmm_value_word)from[j] : in[c.in_at + (ulong)from[j] * DMM_WORDS + k];
    }
}

#else

DMM_KERNEL(DMM_U)
void dmm_shuffle_gather(global const dmm_value_word *in, global dmm_value_word *restrict out,
    const dmm_shuffle_call c)
{
    const ulong x = get_global_id(0), item = x / DMM_WORDS, word = x - item * DMM_WORDS;
    if (item >= c.count)
        return;
    const ulong from = dmm_shuffle_index(c.seed, c.n, item);
    out[c.out_at + x] = DMM_INDICES ? (dmm_value_word)from : in[c.in_at + from * DMM_WORDS + word];
}

#endif
