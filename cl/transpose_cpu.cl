/* SPDX-License-Identifier: MIT */
/*
 * Transposing in the CPU form. Out of place: transposes blocks of b x b items, b of which fill a
 * line, eight columns at a time in registers; writes whole lines past the cache. Squares in place:
 * swaps blocks of 8 x 8 in registers.
 * Order      b rows of a strip of DMM_STRIP columns from left to right, which the processor
 *            prefetches; the next b rows write to the same pages of the output.
 * Cost       reads and writes each item once
 * Claim      no local memory
 */
#include "cl/lines.clh"
#include "cl/transpose_place_cpu.clh"

#if DMM_U != 1
#error "the CPU form has one work-item a group"
#endif

#define DMM_BLOCK_SIDE DMM_TRANSPOSE_BLOCK(DMM_WORD_BYTES)
#define DMM_STRIP      DMM_TRANSPOSE_STRIP(DMM_WORD_BYTES)
#define DMM_CHUNK      DMM_TRANSPOSE_CHUNK
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
/* The same anywhere in a row. Not by vload8 and vstore8: for functions on vectors of 64 bytes the
 * compiler of PoCL warns on standard error where the processor lacks AVX-512. */
typedef dmm_octet dmm_octet_in_row __attribute__((aligned(DMM_WORD_BYTES)));

/* Transposes the 4 x 4 words in the lower halves of four octets, and those in the upper halves. */
DMM_INLINE void dmm_quads_turn(const dmm_octet s[4], dmm_octet r[4])
{
    const dmm_octet a = s[0], b = s[1], c = s[2], d = s[3];
    const dmm_octet ab = (dmm_octet)(a.s0, b.s0, a.s1, b.s1, a.s4, b.s4, a.s5, b.s5);
    const dmm_octet cd = (dmm_octet)(c.s0, d.s0, c.s1, d.s1, c.s4, d.s4, c.s5, d.s5);
    const dmm_octet ef = (dmm_octet)(a.s2, b.s2, a.s3, b.s3, a.s6, b.s6, a.s7, b.s7);
    const dmm_octet gh = (dmm_octet)(c.s2, d.s2, c.s3, d.s3, c.s6, d.s6, c.s7, d.s7);
    r[0] = (dmm_octet)(ab.s0, ab.s1, cd.s0, cd.s1, ab.s4, ab.s5, cd.s4, cd.s5);
    r[1] = (dmm_octet)(ab.s2, ab.s3, cd.s2, cd.s3, ab.s6, ab.s7, cd.s6, cd.s7);
    r[2] = (dmm_octet)(ef.s0, ef.s1, gh.s0, gh.s1, ef.s4, ef.s5, gh.s4, gh.s5);
    r[3] = (dmm_octet)(ef.s2, ef.s3, gh.s2, gh.s3, ef.s6, ef.s7, gh.s6, gh.s7);
}

/* Loads 8 x 8 words from rows `stride` words apart, transposed. */
DMM_INLINE void dmm_square_load(global const dmm_value_word *in, ulong stride, dmm_octet r[8])
{
    dmm_octet s[8];
    DMM_UNROLL
    for (uint i = 0; i < 4; i++) {
        const dmm_octet a = *(global const dmm_octet_in_row *)(in + i * stride);
        const dmm_octet b = *(global const dmm_octet_in_row *)(in + (i + 4) * stride);
        s[i] = (dmm_octet)(a.s0, a.s1, a.s2, a.s3, b.s0, b.s1, b.s2, b.s3);
        s[i + 4] = (dmm_octet)(a.s4, a.s5, a.s6, a.s7, b.s4, b.s5, b.s6, b.s7);
    }
    dmm_quads_turn(s, r);
    dmm_quads_turn(s + 4, r + 4);
}

/* Transposes a whole block of items of one word, eight columns at a time. */
DMM_INLINE void dmm_block_turn(global const dmm_value_word *in, global dmm_value_word *out,
    ulong rows, ulong cols, int streams)
{
    for (uint c = 0; c < DMM_BLOCK_SIDE; c += 8) {
        dmm_octet lines[DMM_BLOCK_SIDE / 8][8];
        DMM_UNROLL
        for (uint k = 0; k < DMM_BLOCK_SIDE / 8; k++)
            dmm_square_load(in + k * 8 * cols + c, cols, lines[k]);
        DMM_UNROLL
        for (uint i = 0; i < 8; i++) {
            global dmm_value_word *to = out + (c + i) * rows;
            DMM_UNROLL
            for (uint k = 0; k < DMM_BLOCK_SIDE / 8; k++)
                if (streams)
                    DMM_STREAM(lines[k][i], (global dmm_octet *)to + k);
                else
                    *(global dmm_octet_in_row *)(to + 8 * k) = lines[k][i];
        }
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
    const int streams =
        ((size_t)(out + c.out_at) | (size_t)(rows * DMM_WORD_BYTES)) % sizeof(dmm_octet) == 0;
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
DMM_INLINE void dmm_pairs_swap(
    global dmm_value_word *items, ulong rows, ulong r0, ulong c0, uint height, uint width)
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
        *(global dmm_octet_in_row *)(items + ((c0 + i) * rows + r0)) = upper[i];
        *(global dmm_octet_in_row *)(items + ((r0 + i) * rows + c0)) = lower[i];
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
