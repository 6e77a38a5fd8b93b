/* SPDX-License-Identifier: MIT */
/*
 * The passes of cl/layout_call.clh, on items of words.
 * dmm_layout_swap     exchanges pairs of items
 * dmm_layout_columns  moves columns of words on by one. A group takes a batch of neighbours, which
 *                     it moves row by row: rows of a batch are consecutive words
 * dmm_layout_tiles    copies a segment to the group's scratch, and back in the new order
 * Cost       a pass reads and writes each item at most once; tiles read and write a copy, too
 * Claim      no local memory
 * Source     K. Berney, "Parallel Cache-Efficient Algorithms on GPUs", 2023, chapter 2
 * Differs    a batch of columns stands for the paper's transposition of cycles into rows (2.5.2)
 */
#include "cl/common.clh"
#include "cl/layout_call.clh"
#include "cl/words.clh"

/* Group g swaps in segments' items range*g .. range*(g + 1) - 1, counted over all segments. */
DMM_KERNEL(DMM_U)
void dmm_layout_swap(global dmm_value_word *items, const dmm_layout_call c)
{
    const dmm_layout_pass pass = c.pass;
    const ulong end = min((DMM_GROUP + 1) * c.range, c.work);
    items += c.items_at;
    for (ulong x = DMM_GROUP * c.range; x < end;) {
        const ulong segment = x / pass.len, begin = dmm_layout_begin(&pass, segment);
        const ulong first = x - segment * pass.len, last = min(pass.len, first + (end - x));
        for (ulong i = first + DMM_LOCAL; i < last; i += DMM_U) {
            const ulong j = dmm_layout_partner(&pass, segment, i);
            if (j <= i)
                continue;
            for (uint k = 0; k < DMM_WORDS; k++) {
                global dmm_value_word *const a = items + (begin + i) * DMM_WORDS + k;
                global dmm_value_word *const b = items + (begin + j) * DMM_WORDS + k;
                const dmm_value_word kept = *a;
                *a = *b;
                *b = kept;
            }
        }
        x += last - first;
    }
}

#if DMM_U == 1

/* Moves columns z .. z + width - 1 on: word z + row * stride for each row. unit: words of a
 * unit; a column of unit t has t + 2 rows. The last row of each unit's columns differs; those
 * before it are moved together. */
DMM_INLINE void dmm_columns_move(
    global dmm_value_word *items, ulong z, uint width, ulong unit, ulong stride, int back)
{
    dmm_value_word kept[DMM_LAYOUT_BATCH];
    const ulong most = (z + width - 1) / unit + 1;
    for (uint i = 0; i < width; i++)
        kept[i] = items[z + i + (back ? 0 : ((z + i) / unit + 1) * stride)];
    for (ulong step = 0; step <= most; step++) {
        const ulong row = back ? most - step : step;
        const ulong least = row < 2 ? 0 : (row - 1) * unit;
        global dmm_value_word *const at = items + z + row * stride;
        for (uint i = least <= z ? 0 : (uint)(least - z); i < width; i++) {
            const dmm_value_word next = at[i];
            at[i] = kept[i];
            kept[i] = next;
        }
    }
}

#else

/* Moves column z on. */
DMM_INLINE void dmm_column_move(
    global dmm_value_word *items, ulong z, ulong unit, ulong stride, int back)
{
    const ulong most = z / unit + 1;
    dmm_value_word kept = items[z + (back ? 0 : most * stride)];
    for (ulong step = 0; step <= most; step++) {
        global dmm_value_word *const at = items + z + (back ? most - step : step) * stride;
        const dmm_value_word next = *at;
        *at = kept;
        kept = next;
    }
}

#endif

/* Group g moves batches range*g .. range*(g + 1) - 1, counted over all segments. */
DMM_KERNEL(DMM_U)
void dmm_layout_columns(global dmm_value_word *items, const dmm_layout_call c)
{
    const dmm_layout_pass pass = c.pass;
    const ulong end = min((DMM_GROUP + 1) * c.range, c.work);
    const ulong words = pass.len * DMM_WORDS, unit = pass.unit * DMM_WORDS;
    const ulong batches = (words - 1) / DMM_LAYOUT_BATCH + 1, stride = pass.l * unit;
    items += c.items_at;
    for (ulong x = DMM_GROUP * c.range; x < end; x++) {
        const ulong segment = x / batches, first = (x - segment * batches) * DMM_LAYOUT_BATCH;
        const uint width = (uint)min(words - first, (ulong)DMM_LAYOUT_BATCH);
        global dmm_value_word *const at = items + dmm_layout_begin(&pass, segment) * DMM_WORDS;
#if DMM_U == 1
        dmm_columns_move(at, first, width, unit, stride, (int)pass.back);
#else
        for (uint i = DMM_LOCAL; i < width; i += DMM_U)
            dmm_column_move(at, first + i, unit, stride, (int)pass.back);
#endif
    }
}

/* Group g permutes segments range*g .. range*(g + 1) - 1. */
DMM_KERNEL(DMM_U)
void dmm_layout_tiles(
    global dmm_value_word *items, global dmm_value_word *scratch, const dmm_layout_call c)
{
    const dmm_layout_pass pass = c.pass;
    const ulong end = min((DMM_GROUP + 1) * c.range, c.work);
    const dmm_tree tree = dmm_tree_of(pass.kind, pass.ways - 1, pass.len);
    items += c.items_at;
    scratch += c.scratch_at + DMM_GROUP * c.scratch_words;
    for (ulong x = DMM_GROUP * c.range; x < end; x++) {
        const ulong count = x + 1 == c.work && pass.last != 0 ? pass.last : pass.len;
        global dmm_value_word *const at = items + dmm_layout_begin(&pass, x) * DMM_WORDS;
        for (ulong i = DMM_LOCAL; i < count * DMM_WORDS; i += DMM_U)
            scratch[i] = at[i];
        barrier(CLK_GLOBAL_MEM_FENCE); /* copy stored | loaded */
        for (ulong i = DMM_LOCAL; i < count; i += DMM_U) {
            const ulong from = dmm_layout_from(&pass, tree, count, i);
            for (uint k = 0; k < DMM_WORDS; k++)
                at[i * DMM_WORDS + k] = scratch[from * DMM_WORDS + k];
        }
        barrier(CLK_GLOBAL_MEM_FENCE); /* copy loaded | stored by the next round */
    }
}
