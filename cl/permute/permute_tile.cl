/* SPDX-License-Identifier: MIT */
/*
 * Permuting inside tiles: T = u*E items, whose goals are all in their tile. In local memory only
 * the items' positions move; the items follow when the tile is written. dmm_permute_tile: each
 * position is written to its place: measured. dmm_permute_rounds: the same without conflicts, on
 * any permutation.
 * Matrix     address x is column x / w of row x mod w, its bank; m = T / w columns. A label is an
 *            item's place and position.
 * Spread     every row is rotated by a random amount, and w x w blocks of columns are transposed,
 *            so that a row holds labels from all over the tile
 * Round      label (row i, column j) has colour k = (j - h(i)) mod m, h fresh and random. A row's
 *            labels of colour k meet at claims[k] of that row, where the first column wins; then
 *            each row sends the winner of colour k. No two go to one row: there is one label for
 *            each row and colour. Rounds go on until all labels are sent; each sends at least one.
 * Layout     labels, claims, places: word x. sums: u words.
 * Claim      dmm_permute_rounds conflict-free: a lane has the row of its number mod w to itself,
 *            but for the sending above and the transposing, in which w lanes are at w rows.
 * Source     P. Afshani, N. Sitchinava, "Sorting and Permuting without Bank Conflicts on GPUs", ESA
 *            2015, DOI 10.1007/978-3-662-48350-3_2, section 3
 * Differs    the paper's matrix is tall (w >= m), and its h of few random words must be
 *            communicated; here every lane computes h by a hash of the seed, so that the w values
 *            of a round are as independent as any: no k-wise family would ask for less. Every round
 *            sends one label of a row and colour, so that the number left is squared, about, each
 *            time; what is left at the end is sent by further rounds, not sorted. A round takes a
 *            label or more from each row that has one: at most DMM_COLUMNS rounds.
 */
#include "cl/group.clh"
#include "cl/hash.clh"
#include "cl/map_rows.clh"
#include "cl/permute/permute.clh"
#include "cl/words.clh"

#if DMM_TILE > DMM_PERMUTE_MAX_TILE
#error "DMM_TILE must be at most DMM_PERMUTE_MAX_TILE"
#endif
#define DMM_TILE_COLUMNS (DMM_TILE / DMM_W)
#define DMM_NONE    0xffffffffu
/* A claim is a 32-bit atomic in a bank's word of its own. */
#define DMM_CLAIM(x) ((x) * (DMM_BANK_BYTES / 4))

/* A tile's part of the call. */
typedef struct dmm_permute_part {
    ulong first; /* first place and first item of the tile */
    uint count;
} dmm_permute_part;

DMM_INLINE dmm_permute_part dmm_permute_part_of(ulong n)
{
    dmm_permute_part part;
    part.first = (ulong)(get_global_id(0) / DMM_U) * DMM_TILE;
    part.count = (uint)min(n - part.first, (ulong)DMM_TILE);
    return part;
}

/* Writes the tile: each place gets the item whose position it holds. */
DMM_INLINE void dmm_permute_write(local const dmm_word *places, dmm_permute_part part,
    global const dmm_value_word *in, global dmm_value_word *out)
{
    in += part.first * DMM_WORDS;
    out += part.first * DMM_WORDS;
    for (uint y = get_local_id(0); y < part.count * DMM_WORDS; y += DMM_U) {
        const uint from = (uint)places[y / DMM_WORDS];
        if (from < part.count)
            out[y] = in[from * DMM_WORDS + y % DMM_WORDS];
    }
}

#define DMM_TILE_PARAMETERS                                                                 \
    global const dmm_place *index, global const dmm_value_word *in,                         \
        global dmm_value_word *out, global const uint *bad, global uint *report,            \
        const dmm_permute_call c

#if !DMM_RANDOMIZED

/* Measured. */
DMM_KERNEL(DMM_U)
void dmm_permute_tile(DMM_TILE_PARAMETERS)
{
    local dmm_word places[DMM_TILE];
    const dmm_permute_part part = dmm_permute_part_of(c.n);
    const uint t = (uint)get_local_id(0);
    const uint count = DMM_CHECKED && bad[c.bad_at] ? 0 : part.count; /* the same in all lanes */

    for (uint e = 0; e < DMM_E; e++)
        places[t + e * DMM_U] = DMM_NONE;
    barrier(CLK_LOCAL_MEM_FENCE); /* places cleared | written by others */
    for (uint e = 0; e < DMM_E; e++) {
        const uint x = t + e * DMM_U;
        const ulong place = x < count ? index[c.index_at + part.first + x] - part.first : DMM_TILE;
        if (place < count)
            places[place] = x;
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* positions at their places | read by others */
    dmm_permute_write(places, part, in + c.in_at, out + c.out_at);
}

#else

/* Returns a random number for a row, a tile and a round: all of them mixed as in SplitMix64. */
DMM_INLINE uint dmm_permute_random(ulong seed, uint round, uint row)
{
    const ulong x = seed + ((ulong)round << 40) + ((ulong)(get_global_id(0) / DMM_U) << 8) + row;
    return (uint)(dmm_mix(x * DMM_GOLDEN) >> 33);
}

/* Returns the e-th column of work-item t, whose row is t mod w. */
DMM_INLINE uint dmm_permute_column(uint t, uint e)
{
    return dmm_row_column(t, e, DMM_U, DMM_W);
}

/* Transposes whole blocks of w columns: step s takes w rows' items from w columns. */
DMM_INLINE void dmm_permute_transpose(local dmm_word *labels, uint t)
{
    const uint row = dmm_row_of(t, DMM_W);
    dmm_word moved[DMM_E];
    DMM_UNROLL
    for (uint e = 0; e < DMM_E; e++) {
        const uint c = dmm_permute_column(t, e);
        const uint column =
            dmm_block_is_whole(c, DMM_W, DMM_TILE_COLUMNS) ? dmm_block_from(row, c, DMM_W) : c;
        moved[e] = labels[dmm_row_address(row, column, DMM_W)];
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* labels read | overwritten */
    DMM_UNROLL
    for (uint e = 0; e < DMM_E; e++) {
        const uint c = dmm_permute_column(t, e);
        if (dmm_block_is_whole(c, DMM_W, DMM_TILE_COLUMNS))
            labels[dmm_block_to(row, c, DMM_W)] = moved[e];
    }
}

/* Executes one round: claims, then sends. Returns the number of labels that the work-item still
 * holds. */
DMM_INLINE uint dmm_permute_round(local dmm_word *labels, local uint *claims,
    local dmm_word *places, ulong seed, uint round)
{
    const uint t = (uint)get_local_id(0), own = dmm_row_of(t, DMM_W);
    uint left = 0;
    for (uint e = 0; e < DMM_E; e++)
        claims[DMM_CLAIM(dmm_row_address(own, dmm_permute_column(t, e), DMM_W))] = DMM_NONE;
    barrier(CLK_LOCAL_MEM_FENCE); /* claims cleared | made by others */
    for (uint e = 0; e < DMM_E; e++) {
        const uint c = dmm_permute_column(t, e);
        const uint label = (uint)labels[dmm_row_address(own, c, DMM_W)];
        if (label == DMM_NONE)
            continue;
        const uint place = label >> 16, h = dmm_permute_random(seed, round, place % DMM_W);
        const uint k = dmm_colour(place, h, DMM_W, DMM_TILE_COLUMNS);
        atomic_min(&claims[DMM_CLAIM(dmm_row_address(own, k, DMM_W))], c);
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* claims made | read by others */
    for (uint e = 0; e < DMM_E; e++) {
        const uint k = dmm_permute_column(t, e);
        const uint c = claims[DMM_CLAIM(dmm_row_address(own, k, DMM_W))];
        if (c == DMM_NONE)
            continue;
        local dmm_word *const label_at = &labels[dmm_row_address(own, c, DMM_W)];
        const uint label = (uint)*label_at;
        places[label >> 16] = label & 0xffff;
        *label_at = DMM_NONE;
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* labels sent | counted by their owners */
    for (uint e = 0; e < DMM_E; e++)
        left += labels[dmm_row_address(own, dmm_permute_column(t, e), DMM_W)] != DMM_NONE;
    return left;
}

/* Conflict-free: Rounds, Sums. */
DMM_KERNEL(DMM_U)
void dmm_permute_rounds(DMM_TILE_PARAMETERS)
{
    local dmm_word labels[DMM_TILE], places[DMM_TILE], sums[DMM_U];
    local uint claims[DMM_CLAIM(DMM_TILE)];
    const dmm_permute_part part = dmm_permute_part_of(c.n);
    const uint t = (uint)get_local_id(0), own = dmm_row_of(t, DMM_W);
    const uint shift = dmm_permute_random(c.seed, 0, own) % DMM_TILE_COLUMNS;
    const uint count = DMM_CHECKED && bad[c.bad_at] ? 0 : part.count; /* the same in all lanes */

    for (uint e = 0; e < DMM_E; e++) {
        const uint x = t + e * DMM_U;
        const uint column = (dmm_permute_column(t, e) + shift) % DMM_TILE_COLUMNS;
        const ulong place = x < count ? index[c.index_at + part.first + x] - part.first : DMM_TILE;
        labels[dmm_row_address(own, column, DMM_W)] =
            place < count ? (uint)place << 16 | x : DMM_NONE;
        places[x] = DMM_NONE;
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* labels stored | read by others */
    dmm_permute_transpose(labels, t);
    uint round = 0, left = 1;
    while (left != 0) {
        left = dmm_permute_round(labels, claims, places, c.seed, ++round);
        DMM_GROUP_FOLD(sums, t, left, max);
    }
    if (t == 0)
        atomic_max(&report[c.report_at + 1], round);
    dmm_permute_write(places, part, in + c.in_at, out + c.out_at);
}

#endif
