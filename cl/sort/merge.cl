/* SPDX-License-Identifier: MIT */
/*
 * dmm_merge_tile: merges the parts of A and B that make one tile of the output, in local memory.
 * Cost       per work-item: E stores, 3E loads, a merge in registers, E stores, E loads; every item
 *            is read and written once in global memory.
 * Layout     cl/tile.clh. One merge of u + 1 work-items, the last of which would take the padding
 *            between A and B and is not there.
 * Values     of at most a plane's width: item x of A followed by B is at dmm_split_read(x, na, T).
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

/* DMM_ONE_LIST: 1 if A and B lie in one list, as in the passes of a sort: an index then finds an
 * item of either. */
#ifndef DMM_ONE_LIST
#define DMM_ONE_LIST 0
#endif
/* Whether indices find keys, not addresses. Of keys of at most 4 bytes alone they would save
 * instructions (ptxas: 1.00 a key of a pass, not 1.15), but not cycles on a simulated V100. */
#define DMM_MERGE_PLACES (DMM_TIES || DMM_KEY_BYTES > 4)

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

/* Returns where the item at position x < end lies: in A, which rises from position 0, or in `rest`,
 * in which B falls from position end - 1. Between the two: any item. */
DMM_INLINE dmm_index dmm_merge_place(dmm_parts parts, uint x, uint end)
{
    const dmm_index rest = parts.nb > 0 ? parts.b : parts.a;
    const uint last = DMM_MINUS(parts.nb, 1u);
    return x < parts.na ? parts.a + x : rest + min(end - 1 - x, last);
}

/* Stores items t + i*u of the tile, i from i0 on; any item in place of padding. */
DMM_INLINE void dmm_merge_load_some(dmm_tile stripe, dmm_items a, dmm_items b, dmm_parts parts,
    uint t, uint i0)
{
    dmm_code codes[DMM_LOADS];
#if DMM_MERGE_PLACES
    global const dmm_key *rest = parts.nb > 0 ? b.keys : a.keys;
    DMM_UNROLL
    for (uint i = 0; i < DMM_LOADS; i++) {
        const uint x = t + (i0 + i) * DMM_U;
        codes[i] = dmm_encode(
            (x < parts.na ? a.keys : rest)[dmm_merge_place(parts, x, DMM_MERGE_END)]);
    }
#else
    global const dmm_key *rising = a.keys + parts.a + t;
    global const dmm_key *falling = b.keys + parts.b + DMM_MERGE_END - 1 - t;
    global const dmm_key *any = parts.na > 0 ? a.keys + parts.a : b.keys + parts.b;
    DMM_UNROLL
    for (uint i = 0; i < DMM_LOADS; i++) {
        const uint step = (i0 + i) * DMM_U, x = t + step;
        const int of_a = x < parts.na, of_b = DMM_MERGE_END - 1 - x < parts.nb;
        codes[i] = dmm_encode(*(of_a ? rising + step : of_b ? falling - step : any));
    }
#endif
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

/* DMM_MERGE_TURNS: 1 if values are loaded while keys are merged, and then turn in local memory from
 * the order of the parts to that of the output. The segments' merge lacks registers for that
 * (ptxas: 160, not 128). */
#define DMM_MERGE_TURNS                                                                  \
    (DMM_VALUE_BYTES && DMM_VALUE_BYTES <= DMM_PLANE_BYTES && !DMM_MERGE_POSITIONS && \
        !DMM_SEGMENTED)

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

#if DMM_MERGE_TURNS

#if DMM_VALUE_BYTES == 8
typedef ulong dmm_turned;
#else
typedef dmm_word dmm_turned;
#endif

/* Loads the values of the parts, in flight while the keys are merged. */
DMM_INLINE void dmm_merge_load_values(
    dmm_items a, dmm_items b, dmm_parts parts, uint t, dmm_value values[DMM_E])
{
    global const dmm_value *rest = parts.nb > 0 ? b.values : a.values;
    DMM_UNROLL
    for (uint i = 0; i < DMM_E; i++) {
        const uint x = t + i * DMM_U;
        values[i] = (x < parts.na ? a.values : rest)[dmm_merge_place(parts, x, DMM_TILE)];
    }
}

/* Writes the tile's `count` items; their values turn in local memory. */
DMM_INLINE void dmm_merge_drain_turned(dmm_tile tile, dmm_items out, dmm_parts parts, uint count,
    uint t, const dmm_value values[DMM_E])
{
    const dmm_tile stripe = dmm_stripe(tile, t);
    local dmm_turned *turn = (local dmm_turned *)tile.codes;
    uint from[DMM_E];
    DMM_UNROLL
    for (uint i = 0; i < DMM_E; i++) {
        const uint address = dmm_stripe_address(t, i), rank = dmm_tile_position_at(stripe, address);
        from[i] = dmm_split_read(rank, parts.na, DMM_TILE);
        if (t + i * DMM_U < count)
            (out.keys + parts.first + t)[i * DMM_U] = dmm_decode(dmm_tile_code_at(stripe, address));
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* items read | overwritten by values */
    DMM_UNROLL
    for (uint i = 0; i < DMM_E; i++)
        (turn + t)[i * DMM_U] = values[i];
    barrier(CLK_LOCAL_MEM_FENCE); /* values stored | read in the output's order */
    DMM_UNROLL
    for (uint i = 0; i < DMM_E; i++)
        if (t + i * DMM_U < count)
            (out.values + parts.first + t)[i * DMM_U] = (dmm_value)turn[from[i]];
}

#endif

/* Merges one tile's parts, which are loaded; r: the items of work-item t. */
DMM_INLINE void dmm_merge_loaded(dmm_tile tile, dmm_parts parts, uint t, dmm_reg r[DMM_E])
{
    const dmm_merge_view m = dmm_tile_view(parts.na, DMM_U, DMM_E);
    const dmm_tile block = dmm_tile_block(tile, t);

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

/* Merges one tile's parts, which are not empty, in local memory; r: the items of work-item t. */
DMM_INLINE void dmm_merge_parts(dmm_tile tile, dmm_items a, dmm_items b, dmm_parts parts, uint t,
    dmm_reg r[DMM_E])
{
    dmm_tile_limit(tile, t);
    dmm_merge_load(tile, a, b, parts, t);
    dmm_merge_loaded(tile, parts, t, r);
}

/* Merges one tile's parts, which are not empty. */
DMM_INLINE void dmm_merge_one_tile(dmm_tile tile, dmm_items a, dmm_items b, dmm_items out,
    dmm_parts parts)
{
    const uint t = DMM_LOCAL, count = parts.na + parts.nb;
    dmm_reg r[DMM_E];
#if DMM_MERGE_TURNS
    dmm_value values[DMM_E];
    dmm_tile_limit(tile, t);
    dmm_merge_load(tile, a, b, parts, t);
    dmm_merge_load_values(a, b, parts, t, values);
    dmm_merge_loaded(tile, parts, t, r);
#else
    dmm_merge_parts(tile, a, b, parts, t, r);
#endif
    barrier(CLK_LOCAL_MEM_FENCE); /* output stored | drained */
#if DMM_MERGE_TURNS
    if (count == DMM_TILE) /* a constant: no test an item */
        dmm_merge_drain_turned(tile, out, parts, DMM_TILE, t, values);
    else
        dmm_merge_drain_turned(tile, out, parts, count, t, values);
#else
    if (count == DMM_TILE) /* a constant: no test an item */
        dmm_merge_drain(tile, a, b, out, parts, DMM_TILE, t);
    else
        dmm_merge_drain(tile, a, b, out, parts, count, t);
#endif
}

#if !DMM_SEGMENTED && !DMM_MANY && !defined(DMM_SET_OP)

/* Conflict-free: A merge by blocks, No conflict in a merge, The store between rounds, The split,
 * Sums. */
DMM_KERNEL(DMM_U)
void dmm_merge_tile(global dmm_key *a_keys, global dmm_value *a_values, global dmm_key *b_keys,
    global dmm_value *b_values, global dmm_key *restrict keys_out,
    global dmm_value *restrict values_out, global const dmm_index *splits,
    global const ulong *count, const dmm_merge_call c)
{
    DMM_DECLARE_TILE(tile);
    const dmm_items a = dmm_list_of(a_keys, a_values, c.a);
#if DMM_ONE_LIST
    const dmm_items b = a;
#else
    const dmm_items b = dmm_list_of(b_keys, b_values, c.b);
#endif
    const dmm_items out = dmm_list_of(keys_out, values_out, c.out);
    const dmm_parts parts = dmm_parts_of(splits, count, c);
    if (parts.na + parts.nb > 0) /* the same for the whole group */
        dmm_merge_one_tile(tile, a, b, out, parts);
}

#endif
