/* SPDX-License-Identifier: MIT */
/*
 * Segments of a list around the primitives that work on them: rows as offsets, the first item of
 * each segment marked, and the last or the first k items of each segment taken. A work-item for
 * each place that is written; no local memory (conflict-free).
 */
#include "cl/common.clh"
#include "cl/segmented_call.clh"
#include "cl/words.clh"

/* DMM_OFFSET_BYTES: size of an offset. */
#if DMM_OFFSET_BYTES == 8
typedef ulong dmm_offset;
#elif DMM_OFFSET_BYTES == 4
typedef uint dmm_offset;
#else
#error "DMM_OFFSET_BYTES must be 4 or 8"
#endif

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

/* DMM_SEGMENTED_OWN: defined if items are those of the caller's operator. */
#if defined(DMM_SEGMENTED_OWN)
typedef dmm_item dmm_last;
#define DMM_EMPTY(c) dmm_operator_identity()
#elif DMM_WORDS == 1
typedef dmm_value_word dmm_last;
#define DMM_EMPTY(c) (dmm_value_word) c.identity
#endif

#if defined(DMM_EMPTY)
/* out[s] = last item of segment s. */
DMM_KERNEL(DMM_SEGMENTED_U)
void dmm_segmented_last(global const dmm_offset *offsets, global const dmm_value_word *in,
    global dmm_value_word *out, const dmm_segmented_call c)
{
    const ulong s = get_global_id(0);
    global const dmm_last *from = (global const dmm_last *)(in + c.in_at);
    global dmm_last *to = (global dmm_last *)(out + c.out_at);
    if (s >= c.segments)
        return;
    const ulong first = dmm_segmented_offset(offsets, c, s);
    const ulong end = dmm_segmented_offset(offsets, c, s + 1);
    if (first < end)
        to[s] = from[end - 1];
    else
        to[s] = DMM_EMPTY(c);
}
#endif

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
