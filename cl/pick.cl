/* SPDX-License-Identifier: MIT */
/*
 * The first DMM_K items of each chunk of each row, by insertion: a work-item for each chunk holds
 * the best so far. Applied again to what it has picked, until a row is one chunk.
 * Cost       each key is read once; an insertion compares with at most DMM_K. In random order a
 *            chunk of c items has about K*(1 + ln(c/K)) insertions; no local memory
 *            (conflict-free). Intel's compiler for dg2 keeps 64-bit keys on a stack
 * Stable     a chunk's items are read in their order, and an item goes behind those that tie with
 *            it; chunks write in their order
 */
#include "cl/order.clh"
#include "cl/pick_call.clh"

/* DMM_K: places of a chunk. */
#if !defined(DMM_K) || DMM_K < 1 || DMM_K > 32
#error "DMM_K must be from 1 to 32"
#endif
/* DMM_PICK_STOPS: 1: an insertion ends at its place, which saves time on CPUs. 0: it compares with
 * all places, so that compilers for GPUs keep what is held in registers. */
#if !defined(DMM_PICK_STOPS) || DMM_PICK_STOPS > 1
#error "DMM_PICK_STOPS must be 0 or 1"
#endif
/* Keys that are compared with the last place at once: on CPUs by vector instructions. */
enum { DMM_PICK_BLOCK = DMM_PICK_STOPS ? 16 : 1 };
/* DMM_POSITION_BYTES: size of a position that is written. */
#if DMM_POSITION_BYTES == 8
typedef ulong dmm_position;
#elif DMM_POSITION_BYTES == 4
typedef uint dmm_position;
#else
#error "DMM_POSITION_BYTES must be 4 or 8"
#endif

/* True if one of a block's keys comes before a code. */
DMM_INLINE int dmm_pick_any(global const dmm_key *keys, dmm_code last)
{
    dmm_code least = dmm_encode(keys[0]);
    DMM_UNROLL
    for (uint i = 1; i < DMM_PICK_BLOCK; i++) {
        const dmm_code code = dmm_encode(keys[i]);
        least = dmm_code_less(code, least) ? code : least;
    }
    return dmm_code_less(least, last);
}

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
    for (ulong block = first; block < end; block += DMM_PICK_BLOCK) {
        const ulong stop = min(block + DMM_PICK_BLOCK, end);
        if (block - first >= DMM_K * DMM_PICK_BLOCK && stop - block == DMM_PICK_BLOCK &&
            !dmm_pick_any(keys + c.keys_at + block, best[DMM_K - 1]))
            continue; /* before, most blocks have one */
        for (ulong i = block; i < stop; i++) {
            const dmm_code code = dmm_encode(keys[c.keys_at + i]);
            if (held == DMM_K && !dmm_code_less(code, best[DMM_K - 1]))
                continue;
            const dmm_position position = positions != 0 ? positions[c.positions_at + i]
                                                         : (dmm_position)(c.whole ? i : i - begin);
            DMM_UNROLL
            for (uint k = DMM_K - 1; k > 0; k--) {
                const int goes_before = k <= held && dmm_code_less(code, best[k - 1]);
                const int goes_here = DMM_PICK_STOPS || k >= held || dmm_code_less(code, best[k]);
                best[k] = goes_before ? best[k - 1] : goes_here ? code : best[k];
                at[k] = goes_before ? at[k - 1] : goes_here ? position : at[k];
                if (DMM_PICK_STOPS && k <= held && !goes_before)
                    break;
            }
            if (held == 0 || dmm_code_less(code, best[0])) {
                best[0] = code;
                at[0] = position;
            }
            held = min(held + 1, (uint)DMM_K);
        }
    }
    DMM_UNROLL
    for (uint k = 0; k < DMM_K; k++) {
        if (k >= held)
            continue;
        keys_out[c.keys_out_at + x * DMM_K + k] = dmm_decode(best[k]);
        if (positions_out != 0)
            positions_out[c.positions_out_at + x * DMM_K + k] = at[k];
    }
}
