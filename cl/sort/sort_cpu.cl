/* SPDX-License-Identifier: MIT */
/*
 * The CPU form of merge sort: dmm_sort_tile sorts each tile by itself (cl/sort/sort_cpu.clh), then
 * merge passes follow.
 */
#include "cl/sort/merge_pass_cpu.clh"
#include "cl/sort/sort_cpu.clh"
#include "cl/sort/sort_call.clh"

DMM_KERNEL(DMM_U)
void dmm_sort_tile(global dmm_key *keys_in, global dmm_value *values_in,
    global dmm_key *keys_out, global dmm_value *values_out, global dmm_key *keys_spare,
    global dmm_value *values_spare, global const ulong *count_in, const dmm_sort_call c)
{
    const dmm_items in = dmm_list_of(keys_in, values_in, c.in);
    const dmm_items out = dmm_list_of(keys_out, values_out, c.out);
    const dmm_items spare = dmm_list_of(keys_spare, values_spare, c.spare);
    const dmm_index first = DMM_GROUP * DMM_TILE;
    const dmm_index all =
        dmm_counted_end(count_in, c.count_at, (dmm_index)c.first, (dmm_index)c.end);
    const dmm_index end = first + min((dmm_index)DMM_TILE, DMM_MINUS(all, first));
    dmm_sort_span(in, out, spare, first, end);
}
