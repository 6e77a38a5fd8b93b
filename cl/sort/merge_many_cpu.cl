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
        dmm_sort_span(s.in, dmm_many_list(s, depth), dmm_many_list(s, depth + 1), sorted.first,
            sorted.end);
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
