/* SPDX-License-Identifier: MIT */
/*
 * The GPU form of merging many lists (merge_many.clh): groups sort and merge as sort.clh and
 * merge.clh do.
 * Claim      conflict-free (measured with DMM_PLAIN_SEARCH), as sort.clh and merge.clh
 */
#include "cl/sort/merge.clh"
#include "cl/sort/merge_many.clh"
#include "cl/sort/merge_many_find.clh"
#include "cl/sort/sort.clh"

/* Conflict-free: A merge by blocks, No conflict in a merge, The store between rounds, Sums, The
 * first round. */
DMM_KERNEL(DMM_U)
void dmm_many_tile(DMM_MANY_PARAMETERS)
{
    DMM_DECLARE_TILE(tile);
    const dmm_many s = DMM_MANY_ARGUMENTS;
    const dmm_index q = DMM_GROUP, last = dmm_run_over(s, q + 1);
    const dmm_range sorted = dmm_many_sorted(s, q);
    const uint t = DMM_LOCAL;
    dmm_reg r[DMM_E];
    for (dmm_index run = dmm_run_over(s, q); run <= last && dmm_run_first(s, run) < s.n; run++)
        dmm_many_copy(s, q, run, t, DMM_U);
    if (sorted.first < sorted.end) { /* the same for the whole group */
        const uint levels = dmm_run_levels(s, dmm_run_over(s, q) + (sorted.first > q * DMM_TILE));
        const dmm_items out = dmm_many_list(s, popcount(levels & ~DMM_RUN_SORTED));
        const uint count = (uint)(sorted.end - sorted.first);
        dmm_load_items(tile, r, s.in, sorted.first, count, t);
        dmm_sort_one_tile(tile, t, r);
        dmm_sort_write(tile, s.in, out, sorted.first, count, t);
    }
}

/* Conflict-free: A merge by blocks, No conflict in a merge, The store between rounds, The split,
 * Sums. */
DMM_KERNEL(DMM_U)
void dmm_many_merge(DMM_MANY_PARAMETERS)
{
    DMM_DECLARE_TILE(tile);
    const dmm_many s = DMM_MANY_ARGUMENTS;
    for (int side = 0; side < 2; side++) {
        const dmm_many_job job = dmm_many_job_of(s, DMM_GROUP, side);
        if (job.parts.na + job.parts.nb > 0) /* the same for the whole group */
            dmm_merge_one_tile(tile, job.a, job.b, job.to, job.parts);
        barrier(CLK_LOCAL_MEM_FENCE); /* tile drained | overwritten by the other job */
    }
}
