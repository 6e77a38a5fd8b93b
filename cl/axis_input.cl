/* SPDX-License-Identifier: MIT */
/*
 * A map along an axis, where the call does not read through it: stores the items that it gives of a
 * view, side by side, and what its `out` makes of a scan of these.
 * Cost       reads each input once, and writes each item once; the same for `out`
 * Claim      no local memory
 */
#include "cl/axis_call.clh"
#include "cl/common.clh"
#include "cl/input.clh"

#if !defined(DMM_MAPPED) /* an editor's view; the map's text declares it */
typedef uchar dmm_map_result;
#endif

/* In place a work-item overwrites only what it alone has read. */
DMM_KERNEL(DMM_AXIS_U)
void dmm_axis_store(DMM_INPUT_PARAMETER(uchar, in), global dmm_map_result *out,
    const dmm_axis_call c DMM_INPUT_FURTHER)
{
    DMM_INPUT_BEGIN(in, c.in_at)
    const ulong all = c.rows * c.cols;
    for (ulong x = get_global_id(0); x < all; x += c.items) {
        const ulong row = x / c.cols, col = x - row * c.cols;
        out[c.out_at + x] = DMM_INPUT_ITEM(in, row * c.in_stride + col);
    }
}

#if defined(DMM_EMITS)
/* Likewise in place in the input. */
DMM_KERNEL(DMM_AXIS_U)
void dmm_axis_emit(DMM_INPUT_PARAMETER(uchar, in), global const dmm_map_result *totals,
    global dmm_emitted *out, const dmm_axis_call c DMM_INPUT_FURTHER)
{
    DMM_INPUT_BEGIN(in, c.in_at)
    const ulong all = c.rows * c.cols;
    for (ulong x = get_global_id(0); x < all; x += c.items) {
        const ulong row = x / c.cols, col = x - row * c.cols, at = row * c.in_stride + col;
        out[c.out_at + row * c.out_stride + col] =
            dmm_map_out(totals[c.totals_at + x], in.items[at], DMM_MAP_BEHIND(in, at));
    }
}
#endif
