/* SPDX-License-Identifier: MIT */
/*
 * Merge sort by the thesis' CF-Merge: the rounds and passes of cl/sort, whose step is that of
 * cl/lab/gather_items.clh.
 * Cost       per work-item: a network on E items, then log2(u) rounds of E stores, a search, E
 *            loads and a merge in registers; a pass has one such round
 * Claim      conflict-free but for the search
 * Source     K. Berney, "Parallel Cache-Efficient Algorithms on GPUs", 2023, sections 5.2 and 5.3
 */
#define DMM_ONE_LIST     1
#define DMM_LOADS_BLOCKS 0
#define DMM_MERGE_END    DMM_TILE /* no padding between A and B */
#define DMM_MERGE_TURNS  0
#include "cl/lab/gather_items.clh"
#include "cl/sort/merge.clh"
#include "cl/sort/merge_path.clh"
#include "cl/sort/sort.clh"

/* The spare list is unused here: scratch of the CPU form of other methods. Measured. */
DMM_KERNEL(DMM_U)
void dmm_sort_gather(global dmm_key *keys_in, global dmm_value *values_in,
    global dmm_key *keys_out, global dmm_value *values_out, global dmm_key *keys_spare,
    global dmm_value *values_spare, global const ulong *count_in, const dmm_sort_call c)
{
    DMM_DECLARE_TILE(tile);
    const dmm_items in = dmm_list_of(keys_in, values_in, c.in);
    const dmm_items out = dmm_list_of(keys_out, values_out, c.out);
    const uint t = (uint)get_local_id(0);
    const dmm_tile block = dmm_tile_block(tile, t);
    const dmm_index first = DMM_GROUP * DMM_TILE;
    const dmm_index end =
        dmm_counted_end(count_in, c.count_at, (dmm_index)c.first, (dmm_index)c.end);
    const uint count = (uint)min((dmm_index)DMM_TILE, DMM_MINUS(end, first));
    dmm_reg r[DMM_E];
    dmm_load_items(tile, r, in, first, count, t);
    barrier(CLK_GLOBAL_MEM_FENCE); /* in place, keys read | overwritten */
    dmm_sort_registers(r);
    for (uint log = 0; 1u << log < DMM_U; log++)
        dmm_sort_round(tile, r, t, log);
    DMM_UNROLL
    for (uint j = 0; j < DMM_E; j++)
        dmm_block_put(block, j, r[j]);
    barrier(CLK_LOCAL_MEM_FENCE); /* sorted tile stored | drained */
    dmm_sort_write(tile, in, out, first, count, t);
}

/* Measured. */
DMM_KERNEL(DMM_U)
void dmm_merge_gather(global dmm_key *a_keys, global dmm_value *a_values, global dmm_key *b_keys,
    global dmm_value *b_values, global dmm_key *restrict keys_out,
    global dmm_value *restrict values_out, global const dmm_index *splits,
    global const ulong *count, const dmm_merge_call c)
{
    DMM_DECLARE_TILE(tile);
    const dmm_items a = dmm_list_of(a_keys, a_values, c.a);
    const dmm_items out = dmm_list_of(keys_out, values_out, c.out);
    const dmm_parts parts = dmm_parts_of(splits, count, c);
    if (parts.na + parts.nb > 0) /* the same for the whole group */
        dmm_merge_one_tile(tile, a, a, out, parts);
}
