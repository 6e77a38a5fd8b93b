/* SPDX-License-Identifier: MIT */
/*
 * dmm_merge_tile: merges the parts of A and B that make one tile of the output, in local memory.
 * Cost       per work-item: one search, E reads (gather), a merge in registers, E writes; every
 *            item is read and written once in global memory.
 * Layout     cl/tile.clh, one merge of g = u work-items
 * Claim      conflict-free (measured with DMM_PLAIN_SEARCH)
 * Source     K. Berney, "Parallel Cache-Efficient Algorithms on GPUs", 2023, sections 4.1.1 and 5.2
 */
#include "cl/gather.clh"
#include "cl/sort/merge_path.clh"
#include "cl/tile.clh"

/* What lies between A and B: the greatest code, or, where `less` knows none, an item of the tile;
 * zeros in a tile behind the counted items, which has none. */
DMM_INLINE dmm_code dmm_merge_padding(dmm_items a, dmm_items b, dmm_parts parts)
{
#if DMM_KEY_KIND != DMM_KIND_LESS
    return DMM_CODE_MAX;
#else
    dmm_planes none;
    for (uint i = 0; i < DMM_PLANES; i++)
        none.plane[i] = 0;
    if (parts.na + parts.nb == 0)
        return none.item;
    return dmm_encode(parts.na ? a.keys[parts.a] : b.keys[parts.b]);
#endif
}

/* Position x of the tile: A upward, B downward from the end, padding between. */
DMM_INLINE void dmm_merge_load(dmm_tile tile, dmm_items a, dmm_items b, dmm_parts parts, uint t)
{
    for (uint i = 0; i < DMM_E; i++) {
        const uint x = t + i * DMM_U, j = DMM_TILE - 1 - x;
        if (x < parts.na)
            dmm_tile_put_code(tile, x, dmm_encode(a.keys[parts.a + x]));
        else if (j < parts.nb)
            dmm_tile_put_code(tile, x, dmm_encode(b.keys[parts.b + j]));
        else
            dmm_tile_put_code(tile, x, dmm_merge_padding(a, b, parts));
    }
}

#if DMM_TIES
/* The rank of tile position x: A in order, B in order, padding. */
DMM_INLINE uint dmm_merge_rank(dmm_parts parts, uint x)
{
    const uint j = DMM_TILE - 1 - x;
    return x < parts.na ? x : (j < parts.nb ? parts.na : DMM_PAD) + j;
}
#endif

DMM_INLINE void dmm_merge_drain(dmm_tile tile, dmm_items a, dmm_items b, dmm_items out,
    dmm_parts parts, uint t)
{
    for (uint i = 0; i < DMM_E; i++) {
        const uint x = t + i * DMM_U;
        if (x < parts.na + parts.nb) {
            out.keys[parts.first + x] = dmm_decode(dmm_tile_code(tile, x));
#if DMM_VALUE_BYTES
            const uint rank = dmm_tile_position(tile, x);
            const dmm_index from_a = parts.a + rank, from_b = parts.b + rank - parts.na;
#if DMM_MERGE_POSITIONS
            out.values[parts.first + x] = (dmm_value)(rank < parts.na ? from_a : from_b);
#else
            out.values[parts.first + x] = rank < parts.na ? a.values[from_a] : b.values[from_b];
#endif
#endif
        }
    }
}

/* Merges one tile's parts. */
DMM_INLINE void dmm_merge_one_tile(dmm_tile tile, local dmm_word *neighbour, dmm_items a,
    dmm_items b, dmm_items out, dmm_parts parts)
{
    const uint t = (uint)get_local_id(0);
    dmm_merge_view m = {0, DMM_U, parts.na, parts.nb};
    dmm_reg r[DMM_E];
#if DMM_SEGMENTED
    m.segments = 0;
#endif

    dmm_merge_load(tile, a, b, parts, t);
    barrier(CLK_LOCAL_MEM_FENCE); /* parts loaded | searched and gathered */
    const uint split = dmm_split(tile, m, t);
    neighbour[t] = split;
    barrier(CLK_LOCAL_MEM_FENCE); /* splits written | read by the neighbour */
    const uint next = t + 1 < DMM_U ? (uint)neighbour[t + 1] : m.na;
    const uint taken = dmm_split_count(split, next);
    DMM_UNROLL
    for (uint j = 0; j < DMM_E; j++) {
        const uint x = dmm_gather_position(j, t, DMM_U, split, taken, DMM_E);
        r[j].code = dmm_tile_code(tile, x);
#if DMM_TIES
        r[j].pos = dmm_merge_rank(parts, x);
#endif
    }
    dmm_merge_registers(r);
    barrier(CLK_LOCAL_MEM_FENCE); /* parts gathered | overwritten by the output */
    DMM_UNROLL
    for (uint j = 0; j < DMM_E; j++)
        dmm_tile_put(tile, t * DMM_E + j, r[j]);
    barrier(CLK_LOCAL_MEM_FENCE); /* output stored | drained */
    dmm_merge_drain(tile, a, b, out, parts, t);
}

#if !DMM_SEGMENTED

DMM_KERNEL(DMM_U)
void dmm_merge_tile(global dmm_key *a_keys, global dmm_value *a_values, global dmm_key *b_keys,
    global dmm_value *b_values, global dmm_key *restrict keys_out,
    global dmm_value *restrict values_out, global const dmm_index *splits,
    global const ulong *count, const dmm_merge_call c)
{
    DMM_DECLARE_TILE(tile);
    local dmm_word neighbour[DMM_U];
    const dmm_items a = dmm_list_of(a_keys, a_values, c.a);
    const dmm_items b = dmm_list_of(b_keys, b_values, c.b);
    const dmm_items out = dmm_list_of(keys_out, values_out, c.out);
    dmm_merge_one_tile(tile, neighbour, a, b, out, dmm_parts_of(splits, count, c));
}

#endif
