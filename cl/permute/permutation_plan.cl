/* SPDX-License-Identifier: MIT */
/*
 * dmm_plan_tile: permutes each tile of T items as the plan says. A move is a word: its lower half
 * is the item's place in the tile, its upper half where the item goes.
 * GPU form   moves come in steps of w, one of each bank to one of each bank, so that lane i of a
 *            step reads from bank i; word plane by word plane, each at most as wide as a bank
 * CPU form   moves are in the order of the items
 * Cost       reads an item and a move, and writes an item
 * Layout     tile: item x at word x
 * Claim      conflict-free. Loading and storing: w consecutive words. Moves: by the colouring.
 * Source     K. Nakano, "Simple Memory Machine Models for GPUs", 2012, DOI 10.1109/IPDPSW.2012.98
 */
#include "cl/common.clh"
#include "cl/permute/plan_call.clh"
#include "cl/words.clh"

#define DMM_PLAN_PARAMETERS                                                                  \
    global const dmm_value_word *in, global dmm_value_word *out, global const uint *moves,  \
        const dmm_plan_call c

#if DMM_U == 1

/* DMM_PLAN_TILE: T. */
DMM_KERNEL(1)
void dmm_plan_tile(DMM_PLAN_PARAMETERS)
{
    const ulong first = get_global_id(0) * DMM_PLAN_TILE;
    const uint count = first < c.in_n ? (uint)min(c.in_n - first, (ulong)DMM_PLAN_TILE) : 0;
    moves += c.moves_at + first;
    in += c.in_at + first * DMM_WORDS;
    for (uint x = 0; x < DMM_PLAN_TILE; x++) { /* zeros past the last item */
        const ulong goal = first + (moves[x] >> 16);
        for (uint k = 0; k < DMM_WORDS && goal < c.out_n; k++)
            out[c.out_at + goal * DMM_WORDS + k] = x < count ? in[x * DMM_WORDS + k] : 0;
    }
}

#else

/* Loads word `word` of the tile's items; zeros past the last item. */
DMM_INLINE void dmm_plan_load(local dmm_word *tile, global const dmm_value_word *in, ulong first,
    ulong n, uint word)
{
    const uint t = (uint)get_local_id(0);
    for (uint e = 0; e < DMM_E; e++) {
        const uint x = t + e * DMM_U;
        tile[x] = first + x < n ? in[(first + x) * DMM_WORDS + word] : 0;
    }
}

/* Conflict-free: Moves of a plan. */
DMM_KERNEL(DMM_U)
void dmm_plan_tile(DMM_PLAN_PARAMETERS)
{
    local dmm_word tile[DMM_TILE];
    const ulong first = (get_global_id(0) / DMM_U) * DMM_TILE;
    const uint t = (uint)get_local_id(0);
    uint move[DMM_E];
    dmm_word moved[DMM_E];

    DMM_UNROLL
    for (uint e = 0; e < DMM_E; e++)
        move[e] = moves[c.moves_at + first + t + e * DMM_U];
    for (uint word = 0; word < DMM_WORDS; word++) {
        dmm_plan_load(tile, in + c.in_at, first, c.in_n, word);
        barrier(CLK_LOCAL_MEM_FENCE); /* items loaded | taken by others */
        DMM_UNROLL
        for (uint e = 0; e < DMM_E; e++)
            moved[e] = tile[move[e] & 0xffff];
        barrier(CLK_LOCAL_MEM_FENCE); /* items taken | overwritten */
        DMM_UNROLL
        for (uint e = 0; e < DMM_E; e++)
            tile[move[e] >> 16] = moved[e];
        barrier(CLK_LOCAL_MEM_FENCE); /* items at their places | read by others */
        for (uint e = 0; e < DMM_E; e++) {
            const uint x = t + e * DMM_U;
            if (first + x < c.out_n)
                out[c.out_at + (first + x) * DMM_WORDS + word] = (dmm_value_word)tile[x];
        }
        barrier(CLK_LOCAL_MEM_FENCE); /* tile read | overwritten by the next word */
    }
}

#endif
