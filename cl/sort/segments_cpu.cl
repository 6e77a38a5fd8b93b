/* SPDX-License-Identifier: MIT */
/*
 * The CPU form of sorting segments (segments.clh): one work-item a tile, without local memory.
 */
#include "cl/sort/segments.clh"
#include "cl/sort/segments_find.clh"
#include "cl/sort/sort_cpu.clh"

#if DMM_U != 1
#error "the CPU form has one work-item a group"
#endif

/* Sorts the parts of all segments that lie in the tile. */
DMM_KERNEL(DMM_U)
void dmm_segments_tile(DMM_SEGMENTS_PARAMETERS)
{
    const dmm_segments s = DMM_SEGMENTS_ARGUMENTS;
    const dmm_index q = DMM_GROUP, x0 = q * DMM_TILE, x1 = x0 + min((dmm_index)DMM_TILE, s.n - x0);
    global const dmm_index *bound = s.bounds + q * DMM_BOUND_WORDS + DMM_BOUND_NUMBER;
    const ulong most = min((ulong)bound[DMM_BOUND_WORDS], s.num_offsets); /* next tile */
    ulong number = bound[0];
    for (dmm_index x = x0; x < x1;) {
        while (number < most && s.offsets[number] <= x)
            number++;
        const dmm_segment own = dmm_segment_of(s, x, number);
        const dmm_index end = min(own.end, x1);
        const uint levels = own.first < x0 || own.end > x1 ? dmm_segment_levels(own) : 0;
        dmm_sort_span(s.in, dmm_segment_list(s, levels, 0), dmm_segment_list(s, levels + 1, 0), x,
            end);
        x = end;
    }
}

DMM_KERNEL(DMM_U)
void dmm_segments_merge(DMM_SEGMENTS_PARAMETERS)
{
    const dmm_segments s = DMM_SEGMENTS_ARGUMENTS;
    for (int side = 0; side < 2; side++) {
        const dmm_merge_job job = dmm_segment_job(s, DMM_GROUP, side);
        const dmm_parts parts = job.parts;
        const dmm_serial all = {parts.a, parts.a + parts.na, parts.b, parts.b + parts.nb,
            parts.first, parts.first + parts.na + parts.nb};
        dmm_serial_merge(job.from, job.from, job.to, all);
    }
}
