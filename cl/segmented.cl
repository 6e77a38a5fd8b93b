/* SPDX-License-Identifier: MIT */
/*
 * Segments of a list around the primitives that work on them: rows as offsets, the first item of
 * each segment marked, and the first k items of each segment taken. A work-item for each place that
 * is written; no local memory (conflict-free).
 */
#include "cl/common.clh"
#include "cl/segmented.clh"
#include "cl/words.clh"

/* Returns offset i of a call, at most n. */
DMM_INLINE ulong dmm_segmented_offset(
    global const dmm_offset *offsets, const dmm_segmented_call c, ulong i)
{
    return min((ulong)offsets[c.offsets_at + i], c.n);
}

/* offsets[i] = i*row, 0 <= i <= segments. */
DMM_KERNEL(DMM_SEGMENTED_U)
void dmm_segmented_rows(global dmm_offset *offsets, const dmm_segmented_call c)
{
    const ulong i = get_global_id(0);
    if (i <= c.segments)
        offsets[c.offsets_at + i] = (dmm_offset)(i * c.row);
}

/* marks[x] = 1 for each offset x < n; all others are 0 before. Of equal offsets that follow each
 * other, the first one writes. */
DMM_KERNEL(DMM_SEGMENTED_U)
void dmm_segmented_mark(
    global const dmm_offset *offsets, global uchar *marks, const dmm_segmented_call c)
{
    const ulong i = get_global_id(0);
    if (i > c.segments)
        return;
    const ulong x = dmm_segmented_offset(offsets, c, i);
    if (x < c.n && (i == 0 || dmm_segmented_offset(offsets, c, i - 1) != x))
        marks[c.out_at + x] = 1;
}

/* out[s*k + j] = item j of segment s, if it has as many; by words. */
DMM_KERNEL(DMM_SEGMENTED_U)
void dmm_segmented_first(global const dmm_offset *offsets, global const dmm_value_word *in,
    global dmm_value_word *out, const dmm_segmented_call c)
{
    const ulong x = get_global_id(0), place = x / DMM_WORDS, word = x - place * DMM_WORDS;
    const ulong s = place / c.k, j = place - s * c.k;
    if (s >= c.segments)
        return;
    const ulong first = dmm_segmented_offset(offsets, c, s);
    const ulong end = dmm_segmented_offset(offsets, c, s + 1);
    if (first >= end || j >= end - first)
        return;
    const dmm_value_word found = in[c.in_at + (first + j) * DMM_WORDS + word];
    out[c.out_at + x] = c.subtracts ? (dmm_value_word)(found - first) : found;
}
