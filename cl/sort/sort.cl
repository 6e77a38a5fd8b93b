/* SPDX-License-Identifier: MIT */
/*
 * The GPU form of merge sort: dmm_sort_tile sorts each tile by itself (cl/sort/sort.clh), then
 * merge passes follow.
 */
#define DMM_ONE_LIST 1
#include "cl/sort/merge_pass.clh"
#include "cl/sort/sort.clh"
#include "cl/sort/sort_call.clh"

/* `spare` is scratch of the CPU form. Conflict-free: A merge by blocks, No conflict in a merge, The
 * store between rounds, Sums, The first round. */
DMM_KERNEL(DMM_U)
void dmm_sort_tile(global dmm_key *keys_in, global dmm_value *values_in, global dmm_key *keys_out,
    global dmm_value *values_out, global dmm_key *keys_spare, global dmm_value *values_spare,
    global const ulong *count_in, const dmm_sort_call c)
{
    DMM_DECLARE_TILE(tile);
    const dmm_items in = dmm_list_of(keys_in, values_in, c.in);
    const dmm_items out = dmm_list_of(keys_out, values_out, c.out);
    const uint t = DMM_LOCAL;
    const dmm_index first = DMM_GROUP * DMM_TILE;
    const dmm_index end =
        dmm_counted_end(count_in, c.count_at, (dmm_index)c.first, (dmm_index)c.end);
    const uint count = (uint)min((dmm_index)DMM_TILE, DMM_MINUS(end, first));
    dmm_reg r[DMM_E];
    if (count == DMM_TILE)
        dmm_load_items(tile, r, in, first, DMM_TILE, t);
    else
        dmm_load_items(tile, r, in, first, count, t);
    dmm_sort_one_tile(tile, t, r);
    dmm_sort_write(tile, in, out, first, count, t);
}
