/* SPDX-License-Identifier: MIT */
/*
 * The first DMM_K items of each chunk of each row, by insertion: a work-item for each chunk holds
 * the best so far. Applied again to what it has picked, until a row is one chunk.
 * Cost       each key is read once; an insertion moves at most DMM_K items. In random order a chunk
 *            of c items has about K*(1 + ln(c/K)) insertions; no local memory (conflict-free)
 * Stable     a chunk's items are read in their order, and an item goes behind those that tie with
 *            it; chunks write in their order
 */
#include "cl/order.clh"
#include "cl/pick_call.clh"

/* DMM_K: places of a chunk. */
#if !defined(DMM_K) || DMM_K < 1 || DMM_K > 32
#error "DMM_K must be from 1 to 32"
#endif
/* DMM_POSITION_BYTES: size of a position that is written. */
#if DMM_POSITION_BYTES == 8
typedef ulong dmm_position;
#elif DMM_POSITION_BYTES == 4
typedef uint dmm_position;
#else
#error "DMM_POSITION_BYTES must be 4 or 8"
#endif

/* positions 0: keys are numbered here; positions_out 0: nobody wants them. */
DMM_KERNEL(DMM_PICK_U)
void dmm_pick_chunks(global const dmm_key *keys, global const dmm_position *positions,
    global dmm_key *keys_out, global dmm_position *positions_out, const dmm_pick_call c)
{
    const ulong x = get_global_id(0), row = x / c.chunks, q = x - row * c.chunks;
    if (row >= c.rows)
        return;
    const ulong begin = row * c.row, first = begin + q * c.chunk;
    const ulong end = q + 1 == c.chunks ? begin + c.row : first + c.chunk;
    dmm_code best[DMM_K];
    dmm_position at[DMM_K];
    uint held = 0;
    for (ulong i = first; i < end; i++) {
        const dmm_code code = dmm_encode(keys[c.keys_at + i]);
        if (held == DMM_K && !dmm_code_less(code, best[DMM_K - 1]))
            continue;
        uint place = held < DMM_K ? held++ : DMM_K - 1;
        for (; place > 0 && dmm_code_less(code, best[place - 1]); place--) {
            best[place] = best[place - 1];
            at[place] = at[place - 1];
        }
        best[place] = code;
        at[place] = positions != 0 ? positions[c.positions_at + i]
                                   : (dmm_position)(c.whole ? i : i - begin);
    }
    for (uint k = 0; k < held; k++) {
        keys_out[c.keys_out_at + x * DMM_K + k] = dmm_decode(best[k]);
        if (positions_out != 0)
            positions_out[c.positions_out_at + x * DMM_K + k] = at[k];
    }
}
