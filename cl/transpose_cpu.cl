/* SPDX-License-Identifier: MIT */
/*
 * Transposing out of place in the CPU form: blocks of b x b items, b of which fill a line, turn in
 * registers or in the first-level cache; whole lines are read, and written past the cache.
 * Order      a strip of DMM_STRIP columns goes down the matrix, so that few pages are in use: those
 *            of b rows of the input, and of the strip's rows of the output.
 * Cost       reads and writes each item once
 * Claim      conflict-free: no local memory
 */
#if DMM_U != 1
#error "the CPU form has one work-item a group"
#endif

/* Items a block's side: a line of words, between 8 and 32. */
#define DMM_BLOCK (DMM_WORD_BYTES == 8 ? 8 : DMM_WORD_BYTES == 4 ? 16 : 32)
#define DMM_STRIP (4 * DMM_BLOCK)
#define DMM_CHUNK 4096 /* rows of a piece of work; whole blocks */

/* A whole block of items of one word. */
DMM_INLINE void dmm_block_turn(global const dmm_value_word *in, global dmm_value_word *out,
    ulong rows, ulong cols, int streams)
{
    union {
        dmm_value_word words[DMM_BLOCK * DMM_BLOCK];
        ulong lines[DMM_BLOCK * DMM_BLOCK * DMM_WORD_BYTES / 8];
    } block;
    for (uint r = 0; r < DMM_BLOCK; r++)
        for (uint c = 0; c < DMM_BLOCK; c++)
            block.words[c * DMM_BLOCK + r] = in[r * cols + c];
    for (uint c = 0; c < DMM_BLOCK; c++) {
        global dmm_value_word *to = out + c * rows;
        if (streams)
            for (uint i = 0; i < DMM_BLOCK * DMM_WORD_BYTES / 8; i++)
                DMM_STREAM(block.lines[c * (DMM_BLOCK * DMM_WORD_BYTES / 8) + i],
                    (global ulong *)to + i);
        else
            for (uint r = 0; r < DMM_BLOCK; r++)
                to[r] = block.words[c * DMM_BLOCK + r];
    }
}

/* Any part of a matrix, item by item. */
DMM_INLINE void dmm_part_turn(global const dmm_value_word *in, global dmm_value_word *out,
    ulong rows, ulong cols, uint height, uint width)
{
    for (uint c = 0; c < width; c++)
        for (uint r = 0; r < height; r++)
            for (uint k = 0; k < DMM_WORDS; k++)
                out[(c * rows + r) * DMM_WORDS + k] = in[(r * cols + c) * DMM_WORDS + k];
}

/* A group does pieces range*g .. range*(g + 1) - 1: DMM_CHUNK rows of a strip each. */
DMM_KERNEL(1)
void dmm_transpose_blocks(global const dmm_value_word *in, ulong in_at,
    global dmm_value_word *restrict out, ulong out_at, ulong rows, ulong cols, ulong pieces,
    ulong range)
{
    const ulong strips = (cols - 1) / DMM_STRIP + 1, chunks = (rows - 1) / DMM_CHUNK + 1;
    const ulong end = min((get_global_id(0) + 1) * range, pieces);
    const int streams = ((size_t)(out + out_at) | (size_t)(rows * DMM_WORD_BYTES)) % 8 == 0;
    in += in_at;
    out += out_at;
    for (ulong piece = get_global_id(0) * range; piece < end; piece++) {
        const ulong matrix = piece / (strips * chunks) * rows * cols;
        const ulong c0 = piece / chunks % strips * DMM_STRIP, r0 = piece % chunks * DMM_CHUNK;
        const ulong c1 = min(c0 + DMM_STRIP, cols), r1 = min(r0 + DMM_CHUNK, rows);
        for (ulong r = r0; r < r1; r += DMM_BLOCK)
            for (ulong c = c0; c < c1; c += DMM_BLOCK) {
                const uint height = (uint)min(r1 - r, (ulong)DMM_BLOCK);
                const uint width = (uint)min(c1 - c, (ulong)DMM_BLOCK);
                global const dmm_value_word *from = in + (matrix + r * cols + c) * DMM_WORDS;
                global dmm_value_word *to = out + (matrix + c * rows + r) * DMM_WORDS;
                if (DMM_WORDS == 1 && height == DMM_BLOCK && width == DMM_BLOCK)
                    dmm_block_turn(from, to, rows, cols, streams);
                else
                    dmm_part_turn(from, to, rows, cols, height, width);
            }
    }
}
