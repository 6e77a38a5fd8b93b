/* SPDX-License-Identifier: MIT */
/*
 * Steps of any sorting network in local memory. A group loads the wires of its tile, does several
 * steps on them, and stores them. The plan has chosen the comparators of each w lanes such that
 * their first positions lie in w banks, and their other positions, too.
 *
 * Layout     planes of codes, an item at its position; with values, a plane of the positions at
 *            which items were loaded
 * Cost       a launch reads a wire number, reads and writes an item for each wire, and reads a word
 *            for each comparator; values move once a launch
 * Claim      conflict-free. Loading and storing: w consecutive positions. Comparators: by the plan
 *            (host/primitives/network/network_lanes.c).
 * Source     J. Petersen, "Die Theorie der regulaeren graphs", Acta Math. 15, 1891, DOI
 *            10.1007/BF02392606
 */
#include "cl/network_call.clh"
#include "cl/plane_codes.clh"
#include "cl/words.clh"

/* DMM_VALUES: 1 if a value moves with each key. */
#if !defined(DMM_VALUES) || DMM_VALUES > 1
#error "DMM_VALUES must be 0 or 1"
#endif

/* Exchanges words p and q of a plane if `swap`; writes both in any case. */
DMM_INLINE void dmm_network_select(local dmm_plane *plane, uint p, uint q, int swap)
{
    const dmm_plane a = plane[p], b = plane[q];
    plane[p] = swap ? b : a;
    plane[q] = swap ? a : b;
}

DMM_INLINE void dmm_network_compare(local dmm_plane *codes, local dmm_plane *origins, uint pair)
{
    const uint p = pair & DMM_NETWORK_MASK, q = pair >> DMM_NETWORK_BITS & DMM_NETWORK_MASK;
    const dmm_code first = dmm_plane_code(codes, p), second = dmm_plane_code(codes, q);
    const int swap =
        pair & DMM_NETWORK_TURN ? dmm_code_less(first, second) : dmm_code_less(second, first);
    for (uint i = 0; i < DMM_PLANES; i++)
        dmm_network_select(codes + i * DMM_TILE, p, q, swap);
#if DMM_VALUES
    dmm_network_select(origins, p, q, swap);
#endif
}

/* Moves the values of the items loaded at origins[x] to the wires at positions x, word by word.
 * Uses `words`. */
DMM_INLINE void dmm_network_move(local dmm_plane *words, local const dmm_plane *origins,
    global dmm_value_word *values, global const uint *wires, ulong base, ulong end)
{
    for (uint k = 0; k < DMM_WORDS; k++) {
        barrier(CLK_LOCAL_MEM_FENCE); /* words read | overwritten */
        for (uint x = DMM_LOCAL; x < DMM_TILE; x += DMM_U)
            if (wires[x] != DMM_NETWORK_NONE && base + wires[x] < end)
                words[x] = values[(base + wires[(uint)origins[x]]) * DMM_WORDS + k];
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); /* values read | overwritten */
        for (uint x = DMM_LOCAL; x < DMM_TILE; x += DMM_U)
            if (wires[x] != DMM_NETWORK_NONE && base + wires[x] < end)
                values[(base + wires[x]) * DMM_WORDS + k] = (dmm_value_word)words[x];
    }
}

/* Rows past the last one repeat the group's first row, and are not stored. Conflict-free:
 * Comparators of a network. */
DMM_KERNEL(DMM_U)
void dmm_network_tile(global dmm_key *keys, global dmm_value_word *values, global const uint *plan,
    const dmm_network_call c)
{
    local dmm_plane codes[DMM_PLANES * DMM_TILE];
#if DMM_VALUES
    local dmm_plane origins[DMM_TILE];
#else
    local dmm_plane *const origins = 0;
#endif
    const uint t = DMM_LOCAL;
    const ulong tile = DMM_GROUP % c.tiles, base = DMM_GROUP / c.tiles * c.rows * c.wires;
    global const uint *const wires = plan + c.wires_at + tile * DMM_TILE;
    global const uint *const ends = plan + c.ends_at + tile * c.steps;
    global const uint *const pairs = plan + c.pairs_at;
    keys += c.keys_at;

    for (uint x = t; x < DMM_TILE; x += DMM_U) {
        const uint wire = wires[x];
        if (wire != DMM_NETWORK_NONE)
            dmm_plane_put(
                codes, x, dmm_encode(keys[base + (base + wire < c.n ? wire : wire % c.wires)]));
#if DMM_VALUES
        origins[x] = x;
#endif
    }
    uint step = 0, from = ends[0];
    do {
        const uint end = ends[step + 1];
        barrier(CLK_LOCAL_MEM_FENCE); /* loaded, or compared in the step before | compared */
        for (uint j = from + t; j < end; j += DMM_U)
            if (pairs[j] != DMM_NETWORK_NONE)
                dmm_network_compare(codes, origins, pairs[j]);
        from = end;
    } while (++step < c.steps);
    /* compared; and rows past the last one have read the first row | stored */
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    for (uint x = t; x < DMM_TILE; x += DMM_U)
        if (wires[x] != DMM_NETWORK_NONE && base + wires[x] < c.n)
            keys[base + wires[x]] = dmm_decode(dmm_plane_code(codes, x));
#if DMM_VALUES
    dmm_network_move(codes, origins, values + c.values_at, wires, base, c.n);
#endif
}
