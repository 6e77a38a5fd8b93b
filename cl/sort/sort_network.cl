/* SPDX-License-Identifier: MIT */
/*
 * A bitonic network in the GPU form: a group loads its tile into local memory, does steps of one or
 * more stages there, and stores it. A work-item reads a set of up to eight items, does three steps
 * on them in registers, and writes them back.
 *
 * Layout     planes of codes, positions, values: item x of the tile at word x of each
 * Cost       a launch reads and writes each item once in global memory, and once for each three
 *            steps in local memory
 * Claim      conflict-free: sets are accessed in turns (cl/map_network.clh)
 */
#include "cl/plane.clh"
#include "cl/plane_codes.clh"
#include "cl/sort/sort_network.clh"

/* Planes behind those of the codes. */
#define DMM_AT_POSITIONS (DMM_PLANES * DMM_TILE)
#define DMM_AT_VALUES    (DMM_AT_POSITIONS + DMM_TIES * DMM_TILE)
#define DMM_AT_END       (DMM_AT_VALUES + (DMM_VALUE_BYTES > 0) * DMM_TILE)

#define DMM_LOG_W (31 - clz((uint)DMM_W_KEY))

DMM_INLINE dmm_carried dmm_tile_get(local const dmm_plane *tile, uint x)
{
    dmm_carried item;
    item.code = dmm_plane_code(tile, x);
#if DMM_TIES
    item.position = (dmm_index)tile[DMM_AT_POSITIONS + x];
#endif
#if DMM_VALUE_BYTES
    item.value = (dmm_value)tile[DMM_AT_VALUES + x];
#endif
    return item;
}

DMM_INLINE void dmm_tile_put(local dmm_plane *tile, uint x, dmm_carried item)
{
    dmm_plane_put(tile, x, item.code);
#if DMM_TIES
    tile[DMM_AT_POSITIONS + x] = item.position;
#endif
#if DMM_VALUE_BYTES
    tile[DMM_AT_VALUES + x] = item.value;
#endif
}

/* Loads the tile. Items beyond the end are greater than all others. */
DMM_INLINE void dmm_tile_load(local dmm_plane *tile, const dmm_bitonic_call *c,
    dmm_network_arrays arrays, ulong first, ulong end)
{
    for (uint x = DMM_LOCAL; x < 1u << c->bits; x += DMM_U) {
        const ulong p = first ^ dmm_network_spread(c, x);
        dmm_carried item = dmm_network_load(arrays, p < end ? p : first);
        if (p >= end) {
#if DMM_KEY_KIND != DMM_KIND_LESS
            item.code = DMM_CODE_MAX;
#endif
#if DMM_TIES
            item.position = DMM_NETWORK_PAD;
#endif
        }
        dmm_tile_put(tile, x, item);
    }
}

/* Does `steps` steps from bit low + steps - 1 down. */
DMM_INLINE void dmm_tile_steps(
    local dmm_plane *tile, uint sets, uint low, const uint steps, uint mirror)
{
    for (uint q = DMM_LOCAL; q < sets >> steps; q += DMM_U) {
        const uint first = dmm_set_first(q, low, steps);
        const uint turn = dmm_set_turn(q, low, steps, DMM_LOG_W);
        dmm_carried items[DMM_NETWORK_ITEMS];
        DMM_UNROLL for (uint e = 0; e < DMM_NETWORK_ITEMS; e++) if (e < 1u << steps) items[e] =
            dmm_tile_get(tile, first ^ dmm_set_offset(e ^ turn, low, steps, mirror));
        dmm_network_set(items, steps, turn, mirror);
        DMM_UNROLL for (uint e = 0; e < DMM_NETWORK_ITEMS; e++) if (e < 1u << steps)
            dmm_tile_put(tile, first ^ dmm_set_offset(e ^ turn, low, steps, mirror), items[e]);
    }
}

/* Does a stage, three steps at a time; the one or two that are left over come first. */
DMM_INLINE void dmm_tile_stage(local dmm_plane *tile, const dmm_bitonic_call *c, uint stage)
{
    const uint sets = 1u << c->bits;
    uint left = stage - c->lowest, mirror = c->mirrors;
    do {
        const uint steps = left % DMM_NETWORK_STEPS ? left % DMM_NETWORK_STEPS : DMM_NETWORK_STEPS;
        left -= steps;
        barrier(CLK_LOCAL_MEM_FENCE); /* loaded, or written by the steps before | read */
        if (steps == 3)
            dmm_tile_steps(tile, sets, c->lowest + left, 3, mirror);
        else if (steps == 2)
            dmm_tile_steps(tile, sets, c->lowest + left, 2, mirror);
        else
            dmm_tile_steps(tile, sets, c->lowest + left, 1, mirror);
        mirror = 0;
    } while (left > 0);
}

/* Conflict-free: Sets of a bitonic network. */
DMM_KERNEL(DMM_U)
void dmm_sort_network(global const dmm_key *keys_in, global const dmm_value *values_in,
    global dmm_key *keys_out, global dmm_value *values_out, global dmm_index *positions,
    global const ulong *count_in, const dmm_bitonic_call c)
{
    local dmm_plane tile[DMM_AT_END];
    const dmm_network_arrays arrays = DMM_NETWORK_ARRAYS(c);
    const ulong end = count_in == 0 ? c.end : min(c.end, count_in[c.count_at]);
    const ulong first = dmm_network_tile(&c, DMM_GROUP);
    if (first < end) {
        dmm_tile_load(tile, &c, arrays, first, end);
        for (uint stage = c.first; stage <= c.last; stage++)
            dmm_tile_stage(tile, &c, stage);
        /* written by the last steps, the first item loaded for those beyond the end | stored */
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        for (uint x = DMM_LOCAL; x < 1u << c.bits; x += DMM_U) {
            const ulong p = first ^ dmm_network_spread(&c, x);
            if (p < end)
                dmm_network_store(arrays, p, dmm_tile_get(tile, x));
        }
    }
}
