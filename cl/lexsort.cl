/* SPDX-License-Identifier: MIT */
/*
 * Columns of a table as numbers: dmm_lexsort_pack puts a column's codes into the numbers of rows,
 * dmm_lexsort_unpack reads a column from them. The type of a column is known at run time, and the
 * same for all work-items: one program serves all tables.
 * Cost       a column's item is read (through a row's number, if rows have been sorted before) and
 *            a number read and written; no local memory (conflict-free)
 */
#include "cl/common.clh"
#include "cl/lexsort_call.clh"

/* Item x of a column of items of `bytes` bytes. */
DMM_INLINE ulong dmm_column_bits(global const uchar *column, ulong x, uint bytes)
{
    return bytes == 1   ? column[x]
           : bytes == 2 ? ((global const ushort *)column)[x]
           : bytes == 4 ? ((global const uint *)column)[x]
                        : ((global const ulong *)column)[x];
}

/* All bits of an item; the mask of a mirror if the sign bit is set. */
#define DMM_COLUMN_ALL(bytes) (~(ulong)0 >> (64 - 8 * (bytes)))
#define DMM_COLUMN_MIRRORED(bits, c) \
    ((bits) ^ ((0 - ((bits) >> (8 * (c).bytes - 1) & 1)) & (c).mirror))

DMM_INLINE int dmm_lexsort_is_row(global const ulong *count, const dmm_lexsort_call c, ulong x)
{
    return x < c.n && (count == 0 || x < count[c.count_at]);
}

/* A row's number is in `wide` ulongs or in `narrow` uints, which are one buffer. */
DMM_KERNEL(DMM_LEXSORT_U)
void dmm_lexsort_pack(global const uchar *column, global uchar *numbers,
    global const dmm_index *rows, global const ulong *count, const dmm_lexsort_call c)
{
    const ulong x = get_global_id(0);
    if (!dmm_lexsort_is_row(count, c, x))
        return;
    const ulong from = rows == 0 ? x : rows[c.rows_at + x];
    const ulong bits = dmm_column_bits(column, c.column_at + from, c.bytes);
    ulong code = ((DMM_COLUMN_MIRRORED(bits, c) ^ c.flip) - c.rotate) & DMM_COLUMN_ALL(c.bytes);
    code = (code - (c.zero != 0 && code == c.zero)) << c.shift;
    if (c.wide) {
        global ulong *number = (global ulong *)numbers + (c.numbers_at + x);
        *number = c.continues ? *number | code : code;
    } else {
        global uint *number = (global uint *)numbers + (c.numbers_at + x);
        *number = c.continues ? *number | (uint)code : (uint)code;
    }
}

DMM_KERNEL(DMM_LEXSORT_U)
void dmm_lexsort_unpack(global uchar *column, global const uchar *numbers,
    global const ulong *count, const dmm_lexsort_call c)
{
    const ulong x = get_global_id(0);
    if (!dmm_lexsort_is_row(count, c, x))
        return;
    const ulong at = c.column_at + x;
    const ulong code = dmm_column_bits(numbers, c.numbers_at + x, c.wide ? 8 : 4) >> c.shift;
    const ulong turned = ((code + c.rotate) & DMM_COLUMN_ALL(c.bytes)) ^ c.flip;
    const ulong bits = DMM_COLUMN_MIRRORED(turned, c);
    if (c.bytes == 1)
        column[at] = (uchar)bits;
    else if (c.bytes == 2)
        ((global ushort *)column)[at] = (ushort)bits;
    else if (c.bytes == 4)
        ((global uint *)column)[at] = (uint)bits;
    else
        ((global ulong *)column)[at] = bits;
}
