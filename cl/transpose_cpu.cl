/* SPDX-License-Identifier: MIT */
/*
 * Transposing in the CPU form. Out of place: transposes blocks of b x b items, b of which fill a
 * line, in registers and the first-level cache; reads whole lines, and writes them past the cache.
 * Squares in place: swaps blocks of 8 x 8 in registers.
 * Order      a strip of DMM_STRIP columns from top to bottom. Few pages are in use: those of b rows
 *            of the input, and of the strip's rows of the output.
 * Cost       reads and writes each item once
 * Claim      no local memory
 */
#include "cl/lines.clh"
#include "cl/transpose_place_cpu.clh"

#if DMM_U != 1
#error "the CPU form has one work-item a group"
#endif

#define DMM_BLOCK_SIDE DMM_TRANSPOSE_BLOCK(DMM_WORD_BYTES)
#define DMM_STRIP DMM_TRANSPOSE_STRIP(DMM_WORD_BYTES)
#define DMM_CHUNK DMM_TRANSPOSE_CHUNK
#if DMM_CHUNK % DMM_BLOCK_SIDE || DMM_TRANSPOSE_BAND != 8
#error "a piece of work is made of whole blocks, a band of blocks of 8 x 8"
#endif

/* Eight words of a row. */
#if DMM_WORD_BYTES == 8
typedef ulong8 dmm_octet;
#elif DMM_WORD_BYTES == 4
typedef uint8 dmm_octet;
#elif DMM_WORD_BYTES == 2
typedef ushort8 dmm_octet;
#else
typedef uchar8 dmm_octet;
#endif

/* One of three perfect shuffles of 64 words, which together transpose them. */
DMM_INLINE void dmm_square_shuffle(const dmm_octet r[8], dmm_octet s[8])
{
    DMM_UNROLL
    for (uint i = 0; i < 4; i++) {
        const dmm_octet a = r[i], b = r[i + 4];
        s[2 * i] = (dmm_octet)(a.s0, b.s0, a.s1, b.s1, a.s2, b.s2, a.s3, b.s3);
        s[2 * i + 1] = (dmm_octet)(a.s4, b.s4, a.s5, b.s5, a.s6, b.s6, a.s7, b.s7);
    }
}

/* Loads 8 x 8 words from rows `stride` words apart, transposed. */
DMM_INLINE void dmm_square_load(global const dmm_value_word *in, ulong stride, dmm_octet r[8])
{
    dmm_octet s[8];
    DMM_UNROLL
    for (uint i = 0; i < 8; i++)
        r[i] = vload8(0, in + i * stride);
    dmm_square_shuffle(r, s);
    dmm_square_shuffle(s, r);
    dmm_square_shuffle(r, s);
    DMM_UNROLL
    for (uint i = 0; i < 8; i++)
        r[i] = s[i];
}

/* Transposes a whole block of items of one word. */
DMM_INLINE void dmm_block_turn(global const dmm_value_word *in, global dmm_value_word *out,
    ulong rows, ulong cols, int streams)
{
    union {
        dmm_value_word words[DMM_BLOCK_SIDE * DMM_BLOCK_SIDE];
        ulong lines[DMM_BLOCK_SIDE * DMM_BLOCK_SIDE * DMM_WORD_BYTES / 8];
    } block;
    for (uint c = 0; c < DMM_BLOCK_SIDE; c += 8)
        for (uint r = 0; r < DMM_BLOCK_SIDE; r += 8) {
            dmm_octet square[8];
            dmm_square_load(in + r * cols + c, cols, square);
            DMM_UNROLL
            for (uint i = 0; i < 8; i++)
                vstore8(square[i], 0, &block.words[(c + i) * DMM_BLOCK_SIDE + r]);
        }
    for (uint c = 0; c < DMM_BLOCK_SIDE; c++) {
        global dmm_value_word *to = out + c * rows;
        if (streams)
            for (uint i = 0; i < DMM_BLOCK_SIDE * DMM_WORD_BYTES / 8; i++)
                DMM_STREAM(block.lines[c * (DMM_BLOCK_SIDE * DMM_WORD_BYTES / 8) + i],
                    (global ulong *)to + i);
        else
            for (uint r = 0; r < DMM_BLOCK_SIDE; r++)
                to[r] = block.words[c * DMM_BLOCK_SIDE + r];
    }
}

/* Transposes any part of a matrix, item by item. */
DMM_INLINE void dmm_part_turn(global const dmm_value_word *in, global dmm_value_word *out,
    ulong rows, ulong cols, uint height, uint width)
{
    for (uint c = 0; c < width; c++)
        for (uint r = 0; r < height; r++)
            for (uint k = 0; k < DMM_WORDS; k++)
                out[(c * rows + r) * DMM_WORDS + k] = in[(r * cols + c) * DMM_WORDS + k];
}

/* Group g transposes pieces range*g .. range*(g + 1) - 1: DMM_CHUNK rows of a strip each. */
DMM_KERNEL(1)
void dmm_transpose_blocks(global const dmm_value_word *in, global dmm_value_word *restrict out,
    const dmm_transpose_call c)
{
    const ulong rows = c.rows, cols = c.cols;
    const ulong strips = (cols - 1) / DMM_STRIP + 1, chunks = (rows - 1) / DMM_CHUNK + 1;
    const ulong end = min((get_global_id(0) + 1) * c.range, c.work);
    const int streams = ((size_t)(out + c.out_at) | (size_t)(rows * DMM_WORD_BYTES)) % 8 == 0;
    in += c.in_at;
    out += c.out_at;
    for (ulong piece = get_global_id(0) * c.range; piece < end; piece++) {
        const ulong matrix = piece / (strips * chunks) * rows * cols;
        const ulong c0 = piece / chunks % strips * DMM_STRIP, r0 = piece % chunks * DMM_CHUNK;
        const ulong c1 = min(c0 + DMM_STRIP, cols), r1 = min(r0 + DMM_CHUNK, rows);
        for (ulong r = r0; r < r1; r += DMM_BLOCK_SIDE)
            for (ulong q = c0; q < c1; q += DMM_BLOCK_SIDE) {
                const uint height = (uint)min(r1 - r, (ulong)DMM_BLOCK_SIDE);
                const uint width = (uint)min(c1 - q, (ulong)DMM_BLOCK_SIDE);
                global const dmm_value_word *from = in + (matrix + r * cols + q) * DMM_WORDS;
                global dmm_value_word *to = out + (matrix + q * rows + r) * DMM_WORDS;
                if (DMM_WORDS == 1 && height == DMM_BLOCK_SIDE && width == DMM_BLOCK_SIDE)
                    dmm_block_turn(from, to, rows, cols, streams);
                else
                    dmm_part_turn(from, to, rows, cols, height, width);
            }
    }
}

/* Swaps items (r, c) and (c, r), for height x width items from (r0, c0) on, above the diagonal. */
DMM_INLINE void dmm_pairs_swap(global dmm_value_word *items, ulong rows, ulong r0, ulong c0,
    uint height, uint width)
{
    for (ulong r = r0; r < r0 + height; r++)
        for (ulong c = max(c0, r + 1); c < c0 + width; c++)
            for (uint k = 0; k < DMM_WORDS; k++) {
                global dmm_value_word *a = items + (r * rows + c) * DMM_WORDS + k;
                global dmm_value_word *b = items + (c * rows + r) * DMM_WORDS + k;
                const dmm_value_word word = *a;
                *a = *b;
                *b = word;
            }
}

/* Swaps two whole blocks, or transposes one on the diagonal, of items of one word. */
DMM_INLINE void dmm_squares_swap(global dmm_value_word *items, ulong rows, ulong r0, ulong c0)
{
    dmm_octet upper[8], lower[8];
    dmm_square_load(items + (r0 * rows + c0), rows, upper);
    dmm_square_load(items + (c0 * rows + r0), rows, lower);
    DMM_UNROLL
    for (uint i = 0; i < 8; i++) {
        vstore8(upper[i], 0, items + ((c0 + i) * rows + r0));
        vstore8(lower[i], 0, items + ((r0 + i) * rows + c0));
    }
}

/* In place: group g transposes bands of eight rows g, g + groups, ... of all matrices. */
DMM_KERNEL(1)
void dmm_transpose_bands(global dmm_value_word *items, const dmm_transpose_call c)
{
    const ulong rows = c.rows, bands = (rows - 1) / DMM_TRANSPOSE_BAND + 1;
    for (ulong w = DMM_GROUP; w < c.work; w += c.groups) {
        global dmm_value_word *matrix = items + (c.in_at + w / bands * rows * rows * DMM_WORDS);
        const ulong r0 = w % bands * 8;
        for (ulong c0 = r0; c0 < rows; c0 += 8) {
            const uint height = (uint)min(rows - r0, (ulong)8);
            const uint width = (uint)min(rows - c0, (ulong)8);
            if (DMM_WORDS == 1 && width == 8)
                dmm_squares_swap(matrix, rows, r0, c0);
            else
                dmm_pairs_swap(matrix, rows, r0, c0, height, width);
        }
    }
}
