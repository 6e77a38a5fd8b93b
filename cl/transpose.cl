/* SPDX-License-Identifier: MIT */
/*
 * Transposing by tiles of s x s items, s a multiple of w (GPU form), word plane by word plane.
 * dmm_transpose_tiles    out of place: one tile a group
 * dmm_transpose_square   in place: two tiles a group, which it swaps, or one on the diagonal
 * Order      strips of 4 rows of tiles, column by column: fewer pages in use (docs/meter.md)
 * Cost       reads and writes each item once
 * Layout     item (r, c) of a tile at word r*s + (c + r) mod s
 * Claim      conflict-free. Rows: w consecutive words, but for the turn at s. Columns: of w rows
 *            the words (c + r) mod w, all different.
 */
#include "cl/map_rows.clh"
#include "cl/transpose_place.clh"

/* DMM_SIDE: s, rows and columns of a tile; a multiple of the banks. */
#if !defined(DMM_SIDE) || DMM_SIDE % DMM_W
#error "DMM_SIDE must be a multiple of DMM_W"
#endif

/* Word of an item in local memory, at least as wide as a bank. */
#if DMM_WORD_BYTES < DMM_BANK_BYTES
typedef dmm_word dmm_tile_word;
#else
typedef dmm_value_word dmm_tile_word;
#endif

/* Words of a line that the group accesses at a time: a line, part of one, or several; lane t takes
 * word t % DMM_ACROSS. */
#define DMM_ACROSS (DMM_U < DMM_SIDE ? DMM_U : DMM_SIDE)
#define DMM_DOWN   (DMM_U / DMM_ACROSS)

/* Rows of tiles that groups go through together. */
#define DMM_STRIP 4

/* A tile of one of several matrices. */
typedef struct dmm_corner {
    ulong matrix;       /* items before its matrix */
    dmm_index row, col; /* row and column of its first item */
} dmm_corner;

/* Returns the word of item (r, c) of a tile. */
DMM_INLINE uint dmm_tile_at(uint r, uint c)
{
    return dmm_skew_address(r, c, DMM_SIDE);
}

/* Returns the number of items of a tile's side that are in the matrix. */
DMM_INLINE uint dmm_tile_extent(dmm_index first, dmm_index end)
{
    return (uint)min(end - first, (dmm_index)DMM_SIDE);
}

/* Loads word `word` of each item of a tile of a matrix of rows x cols. */
DMM_INLINE void dmm_tile_load(local dmm_tile_word *tile, global const dmm_value_word *items,
    dmm_corner at, dmm_index rows, dmm_index cols, uint word)
{
    const uint height = dmm_tile_extent(at.row, rows), width = dmm_tile_extent(at.col, cols);
    const uint r0 = (uint)get_local_id(0) / DMM_ACROSS;
    const ulong line = (ulong)cols * DMM_WORDS;
    items += (at.matrix + at.col) * DMM_WORDS + (at.row + r0) * line + word;
    for (uint j = 0; j < DMM_SIDE / DMM_ACROSS; j++) {
        const uint c = (uint)get_local_id(0) % DMM_ACROSS + j * DMM_ACROSS;
        global const dmm_value_word *from = items + c * DMM_WORDS;
        DMM_NOT_UNROLLED
        for (uint i = 0; i < DMM_SIDE / DMM_DOWN; i++) {
            const uint r = r0 + i * DMM_DOWN;
            if (r < height && c < width)
                tile[dmm_tile_at(r, c)] = from[i * DMM_DOWN * line];
        }
    }
}

/* Stores it, transposed, into a matrix of cols x rows. */
DMM_INLINE void dmm_tile_store(local const dmm_tile_word *tile, global dmm_value_word *items,
    dmm_corner at, dmm_index rows, dmm_index cols, uint word)
{
    const uint height = dmm_tile_extent(at.row, rows), width = dmm_tile_extent(at.col, cols);
    const uint c0 = (uint)get_local_id(0) / DMM_ACROSS;
    const ulong line = (ulong)rows * DMM_WORDS;
    items += (at.matrix + at.row) * DMM_WORDS + (at.col + c0) * line + word;
    for (uint j = 0; j < DMM_SIDE / DMM_ACROSS; j++) {
        const uint r = (uint)get_local_id(0) % DMM_ACROSS + j * DMM_ACROSS;
        global dmm_value_word *to = items + r * DMM_WORDS;
        for (uint i = 0; i < DMM_SIDE / DMM_DOWN; i++) {
            const uint c = c0 + i * DMM_DOWN;
            if (r < height && c < width)
                to[i * DMM_DOWN * line] = (dmm_value_word)tile[dmm_tile_at(r, c)];
        }
    }
}

/* Returns a / b, by a 32-bit division if possible: a 64-bit one takes many instructions. */
DMM_INLINE dmm_index dmm_quotient(dmm_index a, dmm_index b)
{
    return ((ulong)a | b) >> 32 == 0 ? (uint)a / (uint)b : a / b;
}

/* Returns the tile of this group, among those of matrices of rows x cols items. Groups go through
 * a strip of DMM_STRIP rows of tiles column by column: neighbours write to the same rows of the
 * output, so to few pages, and read from few. */
DMM_INLINE dmm_corner dmm_group_corner(dmm_index rows, dmm_index cols)
{
    const dmm_index across = (cols - 1) / DMM_SIDE + 1, down = (rows - 1) / DMM_SIDE + 1;
    const dmm_index matrix = dmm_quotient(DMM_GROUP, across * down);
    const dmm_index tile = DMM_GROUP - matrix * across * down;
    const dmm_index above = dmm_quotient(tile, DMM_STRIP * across) * DMM_STRIP;
    const dmm_index height = min(down - above, (dmm_index)DMM_STRIP);
    const dmm_index col = dmm_quotient(tile - above * across, height);
    dmm_corner at;
    at.matrix = (ulong)matrix * rows * cols;
    at.row = (above + tile - above * across - col * height) * DMM_SIDE;
    at.col = col * DMM_SIDE;
    return at;
}

/* Conflict-free: Transposing. */
DMM_KERNEL(DMM_U)
void dmm_transpose_tiles(global const dmm_value_word *in, global dmm_value_word *restrict out,
    const dmm_transpose_call c)
{
    local dmm_tile_word tile[DMM_SIDE * DMM_SIDE];
    const dmm_index rows = (dmm_index)c.rows, cols = (dmm_index)c.cols;
    const dmm_corner at = dmm_group_corner(rows, cols);
    for (uint word = 0; word < DMM_WORDS; word++) {
        dmm_tile_load(tile, in + c.in_at, at, rows, cols, word);
        barrier(CLK_LOCAL_MEM_FENCE); /* tile loaded | read by others */
        dmm_tile_store(tile, out + c.out_at, at, rows, cols, word);
        barrier(CLK_LOCAL_MEM_FENCE); /* tile read | overwritten by the next word */
    }
}

/* Conflict-free: Transposing. */
DMM_KERNEL(DMM_U)
void dmm_transpose_square(global dmm_value_word *items, const dmm_transpose_call c)
{
    local dmm_tile_word tile[DMM_SIDE * DMM_SIDE], mirror[DMM_SIDE * DMM_SIDE];
    const dmm_index rows = (dmm_index)c.rows;
    const dmm_corner at = dmm_group_corner(rows, rows);
    const dmm_corner other = {at.matrix, at.col, at.row};
    const uint words = at.row <= at.col ? DMM_WORDS : 0; /* the same in all lanes */
    items += c.in_at;
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
