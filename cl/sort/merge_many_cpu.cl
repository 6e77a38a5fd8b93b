/* SPDX-License-Identifier: MIT */
/*
 * The CPU form of merging many lists (merge_many.clh): one work-item a tile, without local memory.
 */
#include "cl/sort/merge_many.clh"
#include "cl/sort/merge_many_find.clh"
#include "cl/sort/sort_cpu.clh"

#if DMM_U != 1
#error "the CPU form has one work-item a group"
#endif

/* Lists of a tile that are merged; of more, or as many, the tile is sorted. A round of merges takes
 * as long as a round of the sort, whose runs are longer than lists would be. */
enum { DMM_MANY_LISTS_IN_TILE = 256 };

/* Merges the lists of a span, side by side, in rounds between `out` and `spare`; both fit the
 * second-level cache. at: where they begin, and the span's end, which the rounds overwrite. */
DMM_INLINE void dmm_many_rounds(
    dmm_items from, dmm_items out, dmm_items spare, dmm_index *at, uint lists)
{
    uint left = 1;
    while (1u << left < lists)
        left++;
    while (left-- > 0) {
        const dmm_items to = left % 2 ? spare : out;
        uint merged = 0;
        for (uint i = 0; i < lists; i += 2) {
            const dmm_index middle = at[i + 1], end = at[min(i + 2, lists)];
            const dmm_serial s = {at[i], middle, middle, end, at[i], end};
            dmm_serial_merge(from, from, to, s);
            at[merged++] = s.a;
        }
        at[merged] = at[lists];
        lists = merged;
        from = to;
    }
}

/* Makes positions first .. end - 1, where lists begin, one list in `out`. */
DMM_INLINE void dmm_many_sort(global const dmm_offset *offsets, dmm_offsets_call by,
    dmm_range span, dmm_items in, dmm_items out, dmm_items spare)
{
    dmm_index at[DMM_MANY_LISTS_IN_TILE + 1];
    const ulong a = dmm_offsets_number(offsets, span.first, 0, by.num_offsets);
    const ulong b = dmm_offsets_number(offsets, span.end - 1, a, by.num_offsets);
    uint lists = 1;
    if (b - a >= DMM_MANY_LISTS_IN_TILE) {
        dmm_sort_span(in, out, spare, span.first, span.end);
        return;
    }
    at[0] = span.first;
    for (ulong i = a; i < b; i++) {
        const dmm_index x = (dmm_index)min((ulong)offsets[i], (ulong)span.end);
        if (x > at[lists - 1]) /* the list before is not empty */
            at[lists++] = x;
    }
    at[lists] = span.end;
    dmm_many_number(in, span.first, span.end, 1);
    dmm_many_rounds(in, out, spare, at, lists);
}

DMM_KERNEL(DMM_U)
void dmm_many_tile(DMM_MANY_PARAMETERS)
{
    const dmm_many s = DMM_MANY_ARGUMENTS;
    const dmm_index q = DMM_GROUP, last = dmm_run_over(s, q + 1);
    const dmm_range sorted = dmm_many_sorted(s, q);
    for (dmm_index r = dmm_run_over(s, q); r <= last && dmm_run_first(s, r) < s.n; r++)
        dmm_many_copy(s, q, r, 0, 1);
    if (sorted.first < sorted.end) {
        const uint levels = dmm_run_levels(s, dmm_run_over(s, q) + (sorted.first > q * DMM_TILE));
        const uint depth = popcount(levels & ~DMM_RUN_SORTED);
        dmm_many_sort(s.offsets, c.by, sorted, s.in, dmm_many_list(s, depth),
            dmm_many_list(s, depth + 1));
    }
}

DMM_KERNEL(DMM_U)
void dmm_many_merge(DMM_MANY_PARAMETERS)
{
    const dmm_many s = DMM_MANY_ARGUMENTS;
    for (int side = 0; side < 2; side++) {
        const dmm_many_job job = dmm_many_job_of(s, DMM_GROUP, side);
        const dmm_parts parts = job.parts;
        const dmm_serial all = {parts.a, parts.a + parts.na, parts.b, parts.b + parts.nb,
            parts.first, parts.first + parts.na + parts.nb};
        dmm_serial_merge(job.a, job.b, job.to, all);
    }
}

/* A call of at most one tile: what the other kernels do, in one launch. */
DMM_KERNEL(DMM_U)
void dmm_many_alone(global dmm_key *keys_in, global dmm_value *values_in, global dmm_key *keys_out,
    global dmm_value *values_out, global dmm_key *keys_spare, global dmm_value *values_spare,
    global const dmm_offset *offsets, global ulong *report, const dmm_many_call c)
{
    const dmm_items in = dmm_list_of(keys_in, values_in, c.in);
    const dmm_items out = dmm_list_of(keys_out, values_out, c.out);
    const dmm_items spare = dmm_list_of(keys_spare, values_spare, c.spare);
    const dmm_index n = (dmm_index)c.by.n;
    offsets += c.by.offsets_at;
    const dmm_index fall = dmm_offsets_first_fall(offsets, 1, 1, c.by);
    const dmm_range lists = dmm_many_lists(offsets, fall, c.by);
    dmm_offsets_report(report, fall, c.by);
    dmm_many_keep(in, out, 0, lists.first, 1);
    if (lists.first < lists.end)
        dmm_many_sort(offsets, c.by, lists, in, out, spare);
    dmm_many_keep(in, out, lists.end, n, 1);
}
