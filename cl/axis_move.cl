/* SPDX-License-Identifier: MIT */
/*
 * Moves a view of a matrix, whose rows may lie apart, and turns positions in a list into those in
 * its rows.
 * Cost       reads and writes each item once
 * Claim      no local memory
 */
#include "cl/axis_call.clh"
#include "cl/common.clh"
#include "cl/words.clh"

/* Moves the rows of a view; strides are in words, and cols counts words. No local memory. */
DMM_KERNEL(DMM_AXIS_U)
void dmm_axis_copy(global const dmm_value_word *in, global dmm_value_word *restrict out,
    const dmm_axis_call c)
{
    const ulong all = c.rows * c.cols;
    for (ulong x = get_global_id(0); x < all; x += c.items) {
        const ulong row = x / c.cols, col = x - row * c.cols;
        out[c.out_at + row * c.out_stride + col] = in[c.in_at + row * c.in_stride + col];
    }
}

#if DMM_WORDS == 1
/* Subtracts from the position of an item that of its row's first item. No local memory. */
DMM_KERNEL(DMM_AXIS_U)
void dmm_axis_places(global dmm_value_word *items, const dmm_axis_call c)
{
    const ulong all = c.rows * c.cols;
    items += c.out_at;
    for (ulong x = get_global_id(0); x < all; x += c.items)
        items[x] = (dmm_value_word)(items[x] - x / c.cols * c.cols);
}
#endif
