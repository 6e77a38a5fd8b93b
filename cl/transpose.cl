/* SPDX-License-Identifier: MIT */
/*
 * Transposing by tiles of s x s items, s a multiple of w (GPU form), word plane by word plane.
 * dmm_transpose_tiles    out of place: a group a tile
 * dmm_transpose_square   in place: a group two tiles that change places, or one on the diagonal
 * Cost       reads and writes each item once
 * Layout     item (r, c) of a tile at word r*s + (c + r) mod s
 * Claim      conflict-free. Rows: w consecutive words, but for the turn at s. Columns: of w rows
 *            the words (c + r) mod w, all different.
 */
#include "cl/transpose_place.clh"

/* DMM_SIDE: s, rows and columns of a tile; a multiple of the banks. */
#if !defined(DMM_SIDE) || DMM_SIDE % DMM_W
#error "DMM_SIDE must be a multiple of DMM_W"
#endif

/* An item's word in local memory, at least as wide as a bank. */
#if DMM_WORD_BYTES < DMM_BANK_BYTES
typedef dmm_word dmm_tile_word;
#else
typedef dmm_value_word dmm_tile_word;
#endif

/* A tile within its matrix. */
typedef struct dmm_corner {
    ulong row, col;
} dmm_corner;

/* Loads word `word` of each item of a tile of a matrix of rows x cols. */
DMM_INLINE void dmm_tile_load(local dmm_tile_word *tile, global const dmm_value_word *matrix,
    dmm_corner at, ulong rows, ulong cols, uint word)
{
    for (uint x = get_local_id(0); x < DMM_SIDE * DMM_SIDE; x += DMM_U) {
        const uint r = x / DMM_SIDE, c = x % DMM_SIDE;
        if (at.row + r < rows && at.col + c < cols)
            tile[r * DMM_SIDE + (c + r) % DMM_SIDE] =
                matrix[((at.row + r) * cols + at.col + c) * DMM_WORDS + word];
    }
}

/* Stores it, transposed, into a matrix of cols x rows. */
DMM_INLINE void dmm_tile_store(local const dmm_tile_word *tile, global dmm_value_word *matrix,
    dmm_corner at, ulong rows, ulong cols, uint word)
{
    for (uint x = get_local_id(0); x < DMM_SIDE * DMM_SIDE; x += DMM_U) {
        const uint c = x / DMM_SIDE, r = x % DMM_SIDE;
        if (at.row + r < rows && at.col + c < cols)
            matrix[((at.col + c) * rows + at.row + r) * DMM_WORDS + word] =
                (dmm_value_word)tile[r * DMM_SIDE + (c + r) % DMM_SIDE];
    }
}

/* The corner of tile `number` of a matrix that is `across` tiles wide. */
DMM_INLINE dmm_corner dmm_corner_of(ulong number, ulong across)
{
    dmm_corner at;
    at.row = number / across * DMM_SIDE;
    at.col = number % across * DMM_SIDE;
    return at;
}

DMM_KERNEL(DMM_U)
void dmm_transpose_tiles(global const dmm_value_word *in, ulong in_at,
    global dmm_value_word *restrict out, ulong out_at, ulong rows, ulong cols)
{
    local dmm_tile_word tile[DMM_SIDE * DMM_SIDE];
    const ulong across = (cols - 1) / DMM_SIDE + 1, down = (rows - 1) / DMM_SIDE + 1;
    const ulong group = get_global_id(0) / DMM_U, matrix = group / (across * down);
    const ulong first = matrix * rows * cols * DMM_WORDS;
    const dmm_corner at = dmm_corner_of(group - matrix * across * down, across);
    for (uint word = 0; word < DMM_WORDS; word++) {
        dmm_tile_load(tile, in + (in_at + first), at, rows, cols, word);
        barrier(CLK_LOCAL_MEM_FENCE); /* tile loaded | read by others */
        dmm_tile_store(tile, out + (out_at + first), at, rows, cols, word);
        barrier(CLK_LOCAL_MEM_FENCE); /* tile read | overwritten by the next word */
    }
}

DMM_KERNEL(DMM_U)
void dmm_transpose_square(global dmm_value_word *items, ulong items_at, ulong rows)
{
    local dmm_tile_word tile[DMM_SIDE * DMM_SIDE], mirror[DMM_SIDE * DMM_SIDE];
    const ulong across = (rows - 1) / DMM_SIDE + 1;
    const ulong group = get_global_id(0) / DMM_U, matrix = group / (across * across);
    const dmm_corner at = dmm_corner_of(group - matrix * across * across, across);
    const dmm_corner other = {at.col, at.row};
    const uint words = at.row <= at.col ? DMM_WORDS : 0; /* the same in all lanes */
    items += items_at + matrix * rows * rows * DMM_WORDS;
    for (uint word = 0; word < words; word++) {
        dmm_tile_load(tile, items, at, rows, rows, word);
        dmm_tile_load(mirror, items, other, rows, rows, word);
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); /* tiles loaded | read, overwritten */
        dmm_tile_store(tile, items, at, rows, rows, word);
        if (at.row < at.col)
            dmm_tile_store(mirror, items, other, rows, rows, word);
        barrier(CLK_LOCAL_MEM_FENCE); /* tiles read | overwritten by the next word */
    }
}
