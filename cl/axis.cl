/* SPDX-License-Identifier: MIT */
/*
 * Totals and scans of the columns of a matrix. A work-item has a strip of columns, one in the GPU
 * form, in a block of rows, which it reads from top to bottom: neighbours read neighbours.
 * dmm_axis_reduce finds the totals of the blocks; run on these, the totals of columns.
 * dmm_axis_scan scans a block, given the scanned totals of the blocks above.
 * Cost       reduce: reads each item once; scan: twice, but for the last block, and writes it once
 * Claim      no local memory
 */
#include "cl/axis_call.clh"
#include "cl/scan.clh"

/* DMM_STRIP: columns of a work-item. */
#if !defined(DMM_STRIP) || DMM_STRIP < 1 || DMM_STRIP > 1024
#error "DMM_STRIP (columns of a work-item) must be from 1 to 1024"
#endif
/* Rows that are read before they are combined. */
#define DMM_AXIS_ROWS 4

/* For loops over the columns of a strip, in place, too: no column touches another one. */
#if defined(__clang__) && DMM_STRIP > 1
#define DMM_ACROSS _Pragma("clang loop vectorize(assume_safety)")
#else
#define DMM_ACROSS
#endif

/* A work-item's part of the matrix: `width` columns in rows first .. end - 1 of block `block`. */
typedef struct dmm_axis_part {
    ulong block, first, end, col;
    uint width;
} dmm_axis_part;

DMM_INLINE dmm_axis_part dmm_axis_part_of(dmm_axis_call c)
{
    const ulong x = get_global_id(0), strips = (c.cols - 1) / DMM_STRIP + 1;
    dmm_axis_part own;
    own.block = x / strips;
    own.col = (x - own.block * strips) * DMM_STRIP;
    own.first = min(own.block * c.block, c.rows);
    own.end = min(own.first + c.block, c.rows);
    own.width = (uint)min(c.cols - own.col, (ulong)DMM_STRIP);
    return own;
}

/* out[b][c] = total of column c in block b. */
DMM_KERNEL(DMM_U)
void dmm_axis_reduce(DMM_INPUT_PARAMETER(dmm_key, in), global dmm_key *out,
    const dmm_axis_call c DMM_INPUT_FURTHER)
{
    DMM_INPUT_BEGIN(in, c.in_at)
    dmm_term total[DMM_STRIP];
    if (get_global_id(0) >= c.items)
        return;
    const dmm_axis_part own = dmm_axis_part_of(c);
    const ulong at = own.first * c.in_stride + own.col;
    DMM_INPUT_TO(in, c.in_at + at, at);
    out += c.out_at + own.block * c.out_stride + own.col;
    for (uint k = 0; k < own.width; k++)
        total[k] = DMM_IDENTITY;
    ulong left = own.end - own.first;
    for (; left >= DMM_AXIS_ROWS; left -= DMM_AXIS_ROWS) {
        DMM_ACROSS
        for (uint k = 0; k < own.width; k++) {
            dmm_term r[DMM_AXIS_ROWS];
            DMM_UNROLL
            for (uint i = 0; i < DMM_AXIS_ROWS; i++)
                r[i] = DMM_TERM_OF(DMM_INPUT_ITEM(in, i * c.in_stride + k));
            DMM_UNROLL
            for (uint i = 0; i < DMM_AXIS_ROWS; i++)
                total[k] = dmm_combine(total[k], r[i]);
        }
        DMM_INPUT_TO(in, DMM_AXIS_ROWS * c.in_stride, DMM_AXIS_ROWS * c.in_stride);
    }
    for (; left > 0; left--) {
        DMM_ACROSS
        for (uint k = 0; k < own.width; k++)
            total[k] = dmm_combine(total[k], DMM_TERM_OF(DMM_INPUT_ITEM(in, k)));
        DMM_INPUT_TO(in, c.in_stride, c.in_stride);
    }
    DMM_ACROSS
    for (uint k = 0; k < own.width; k++)
        out[k] = DMM_KEY_OF(total[k]);
}

/* Scans the columns of each block; totals[b - 1][c] is the total of column c above block b. In
 * place a work-item overwrites only what it alone has read. */
DMM_KERNEL(DMM_U)
void dmm_axis_scan(DMM_INPUT_PARAMETER(dmm_key, in), global dmm_emitted *out,
    global const dmm_key *totals, const dmm_axis_call c DMM_INPUT_FURTHER)
{
    DMM_INPUT_BEGIN(in, c.in_at)
    dmm_term total[DMM_STRIP];
    if (get_global_id(0) >= c.items)
        return;
    const dmm_axis_part own = dmm_axis_part_of(c);
    const ulong at = own.first * c.in_stride + own.col;
    DMM_INPUT_TO(in, c.in_at + at, at);
    out += c.out_at + own.first * c.out_stride + own.col;
    for (uint k = 0; k < own.width; k++)
        total[k] = DMM_IDENTITY;
    if (own.block > 0) {
        totals += c.totals_at + (own.block - 1) * c.cols + own.col;
        for (uint k = 0; k < own.width; k++)
            total[k] = DMM_TERM_OF(totals[k]);
    }
    for (ulong row = own.first; row < own.end; row++) {
        DMM_ACROSS
        for (uint k = 0; k < own.width; k++) {
            const dmm_term with = dmm_combine(total[k], DMM_TERM_OF(DMM_INPUT_ITEM(in, k)));
            out[k] = DMM_EMITTED(DMM_KEY_OF(c.exclusive ? total[k] : with), in, k);
            total[k] = with;
        }
        DMM_INPUT_TO(in, c.in_stride, c.in_stride);
        out += c.out_stride;
    }
}
