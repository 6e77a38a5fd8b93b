/* SPDX-License-Identifier: MIT */
/*
 * dmm_merge_tile: merges the parts of A and B that make one tile of the output, in local memory.
 * Cost       per work-item: E stores, 3E loads, a merge in registers, E stores, E loads; every item
 *            is read and written once in global memory.
 * Layout     cl/tile.clh. One merge of u + 1 work-items, the last of which would take the padding
 *            between A and B and is not there.
 * Claim      conflict-free (measured with DMM_PLAIN_SEARCH)
 * Source     K. Berney, "Parallel Cache-Efficient Algorithms on GPUs", 2023, sections 4.1.1 and 5.2
 */
#include "cl/gather.clh"
#include "cl/sort/merge_blocks.clh"
#include "cl/sort/merge_path.clh"

/* Returns the padding between A and B: the greatest code or, if `less` has none, an item of the
 * tile. */
DMM_INLINE dmm_code dmm_merge_padding(dmm_items a, dmm_items b, dmm_parts parts)
{
#if DMM_KEY_KIND != DMM_KIND_LESS
    return DMM_CODE_MAX;
#else
    return dmm_encode(parts.na ? a.keys[parts.a] : b.keys[parts.b]);
#endif
}

/* Positions of the tile: of A rising, at least E of padding, of B falling. */
#define DMM_MERGE_END (DMM_TILE + DMM_E)

/* Returns the position of item x of A followed by B, of `count` items. */
DMM_INLINE uint dmm_merge_position(dmm_parts parts, uint x)
{
    return x < parts.na ? x : DMM_MERGE_END - 1 - (x - parts.na);
}

/* Returns the rank of that item where positions break ties; padding is last. */
DMM_INLINE uint dmm_merge_rank(dmm_parts parts, uint x)
{
    const uint j = DMM_MERGE_END - 1 - x;
    return x < parts.na ? x : (j < parts.nb ? parts.na : DMM_PAD) + j;
}

/* Loads of a work-item that are in flight before it waits for the first. 16 of keys alone take no
 * more registers than 8; of wider items and with positions they would (ptxas: 113, not 80). */
#define DMM_MOST_LOADS (DMM_TIES || DMM_KEY_BYTES > 4 ? 8 : 16)
#define DMM_LOADS      (DMM_E < DMM_MOST_LOADS ? DMM_E : DMM_MOST_LOADS)

/* Stores items t + i*u of the tile, i from i0 on; any item in place of padding. */
DMM_INLINE void dmm_merge_load_some(dmm_tile stripe, dmm_items a, dmm_items b, dmm_parts parts,
    uint t, uint i0)
{
    global const dmm_key *rising = a.keys + parts.a + t;
    global const dmm_key *falling = b.keys + parts.b + DMM_MERGE_END - 1 - t;
    global const dmm_key *any = parts.na > 0 ? a.keys + parts.a : b.keys + parts.b;
    dmm_code codes[DMM_LOADS];
    DMM_UNROLL
    for (uint i = 0; i < DMM_LOADS; i++) {
        const uint step = (i0 + i) * DMM_U, x = t + step;
        const int of_a = x < parts.na, of_b = DMM_MERGE_END - 1 - x < parts.nb;
        codes[i] = dmm_encode(*(of_a ? rising + step : of_b ? falling - step : any));
    }
    DMM_UNROLL
    for (uint i = 0; i < DMM_LOADS; i++)
        if (i0 + i < DMM_E)
            dmm_block_put(stripe, dmm_stripe_address(t, i0 + i),
                dmm_reg_of(codes[i], dmm_merge_rank(parts, t + (i0 + i) * DMM_U)));
}

/* Loads the parts, which are not empty. A work-item stores padding where it has stored an item
 * itself. */
DMM_INLINE void dmm_merge_load(dmm_tile tile, dmm_items a, dmm_items b, dmm_parts parts, uint t)
{
    const dmm_tile stripe = dmm_stripe(tile, t);
    const uint end = DMM_MERGE_END - parts.nb;
    DMM_UNROLL
    for (uint i = 0; i < DMM_E; i += DMM_LOADS)
        dmm_merge_load_some(stripe, a, b, parts, t, i);
    for (uint x = DMM_TILE + t; x < DMM_MERGE_END; x += DMM_U)
        if (x >= end)
            dmm_tile_put(tile, x,
                dmm_reg_of(dmm_encode(b.keys[parts.b + DMM_MERGE_END - 1 - x]),
                    dmm_merge_rank(parts, x)));
    for (uint i = parts.na / DMM_U; i * DMM_U < end; i++) {
        const uint x = t + i * DMM_U;
        if (x >= parts.na && x < end)
            dmm_tile_put(tile, x,
                dmm_reg_of(dmm_merge_padding(a, b, parts), dmm_merge_rank(parts, x)));
    }
}

#if DMM_VALUE_BYTES
/* Returns the value of the item of a rank. */
DMM_INLINE dmm_value dmm_merge_value(dmm_items a, dmm_items b, dmm_parts parts, uint rank)
{
    const dmm_index from_a = parts.a + rank, from_b = parts.b + rank - parts.na;
#if DMM_MERGE_POSITIONS
    return (dmm_value)(rank < parts.na ? from_a : from_b);
#else
    return *(rank < parts.na ? a.values + from_a : b.values + from_b);
#endif
}
#endif

/* Writes items t + i*u of the tile's `count` items, i from i0 on. */
DMM_INLINE void dmm_merge_drain_some(dmm_tile stripe, dmm_items a, dmm_items b, dmm_items out,
    dmm_parts parts, uint count, uint t, uint i0)
{
    global dmm_key *keys = out.keys + parts.first + t;
#if DMM_VALUE_BYTES
    global dmm_value *values = out.values + parts.first + t;
    dmm_value moved[DMM_LOADS];
    DMM_UNROLL
    for (uint i = 0; i < DMM_LOADS; i++)
        if (i0 + i < DMM_E && t + (i0 + i) * DMM_U < count)
            moved[i] = dmm_merge_value(a, b, parts,
                dmm_tile_position_at(stripe, dmm_stripe_address(t, i0 + i)));
#endif
    DMM_UNROLL
    for (uint i = 0; i < DMM_LOADS; i++)
        if (i0 + i < DMM_E && t + (i0 + i) * DMM_U < count) {
            keys[(i0 + i) * DMM_U] =
                dmm_decode(dmm_tile_code_at(stripe, dmm_stripe_address(t, i0 + i)));
#if DMM_VALUE_BYTES
            values[(i0 + i) * DMM_U] = moved[i];
#endif
        }
}

DMM_INLINE void dmm_merge_drain(dmm_tile tile, dmm_items a, dmm_items b, dmm_items out,
    dmm_parts parts, uint count, uint t)
{
    const dmm_tile stripe = dmm_stripe(tile, t);
    DMM_UNROLL
    for (uint i = 0; i < DMM_E; i += DMM_LOADS)
        dmm_merge_drain_some(stripe, a, b, out, parts, count, t, i);
}

/* Merges one tile's parts, which are not empty, in local memory; r: the items of work-item t. */
DMM_INLINE void dmm_merge_parts(dmm_tile tile, dmm_items a, dmm_items b, dmm_parts parts, uint t,
    dmm_reg r[DMM_E])
{
    const dmm_merge_view m = dmm_tile_view(parts.na, DMM_U, DMM_E);
    const dmm_tile block = dmm_tile_block(tile, t);

    dmm_tile_limit(tile, t);
    dmm_merge_load(tile, a, b, parts, t);
    barrier(CLK_LOCAL_MEM_FENCE); /* parts loaded | merged */
    if (!dmm_merge_blocks(tile, m, t, r)) {
        for (uint j = 0; j < DMM_E; j++)
            r[j] = dmm_tile_get(tile, dmm_merge_position(parts, t * DMM_E + j));
    } else {
        dmm_merge_registers(r);
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* parts merged | overwritten by the output */
    DMM_UNROLL
    for (uint j = 0; j < DMM_E; j++)
        dmm_block_put(block, j, r[j]);
}

/* Merges one tile's parts, which are not empty. */
DMM_INLINE void dmm_merge_one_tile(dmm_tile tile, dmm_items a, dmm_items b, dmm_items out,
    dmm_parts parts)
{
    const uint t = DMM_LOCAL, count = parts.na + parts.nb;
    dmm_reg r[DMM_E];

    dmm_merge_parts(tile, a, b, parts, t, r);
    barrier(CLK_LOCAL_MEM_FENCE); /* output stored | drained */
    if (count == DMM_TILE) /* a constant: no test an item */
        dmm_merge_drain(tile, a, b, out, parts, DMM_TILE, t);
    else
        dmm_merge_drain(tile, a, b, out, parts, count, t);
}

#if !DMM_SEGMENTED && !DMM_MANY && !defined(DMM_SET_OP)

/* Conflict-free: A merge by blocks, No conflict in a merge, The store between rounds, Sums. */
DMM_KERNEL(DMM_U)
void dmm_merge_tile(global dmm_key *a_keys, global dmm_value *a_values, global dmm_key *b_keys,
    global dmm_value *b_values, global dmm_key *restrict keys_out,
    global dmm_value *restrict values_out, global const dmm_index *splits,
    global const ulong *count, const dmm_merge_call c)
{
    DMM_DECLARE_TILE(tile);
    const dmm_items a = dmm_list_of(a_keys, a_values, c.a);
    const dmm_items b = dmm_list_of(b_keys, b_values, c.b);
    const dmm_items out = dmm_list_of(keys_out, values_out, c.out);
    const dmm_parts parts = dmm_parts_of(splits, count, c);
    if (parts.na + parts.nb > 0) /* the same for the whole group */
        dmm_merge_one_tile(tile, a, b, out, parts);
}

#endif
