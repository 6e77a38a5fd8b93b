/* SPDX-License-Identifier: MIT */
/*
 * Writes the items that a map gives: what sorts and partitions then read in place of the input.
 * Cost       reads each input once, and writes each item once
 * Claim      no local memory
 */
#include "cl/input_store_call.clh"
#include "cl/common.clh"
#include "cl/input.clh"

#if !defined(DMM_MAPPED) /* an editor's view; the map's text declares it */
typedef uchar dmm_map_result;
#endif

/* out[x] = item x. In place a work-item overwrites only what it alone has read. */
DMM_KERNEL(DMM_U)
void dmm_input_store(DMM_INPUT_PARAMETER(uchar, in), global dmm_map_result *out,
    global const ulong *count, const dmm_input_store_call c DMM_INPUT_FURTHER)
{
    DMM_INPUT_BEGIN(in, c.in_at)
    const ulong end = dmm_counted_end(count, c.count_at, 0, (dmm_index)c.n);
    for (ulong x = get_global_id(0); x < end; x += c.items)
        out[c.out_at + x] = DMM_INPUT_ITEM(in, x);
}
