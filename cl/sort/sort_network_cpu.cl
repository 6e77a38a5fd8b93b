/* SPDX-License-Identifier: MIT */
/*
 * A bitonic network in the CPU form: a work-item does the steps of a launch on its tile, which the
 * cache holds, in the output array. Sets of eight items side by side are done as eight vectors.
 *
 * Cost       a launch reads and writes each item from and to memory once
 * Claim      no local memory
 */
#include "cl/sort/codes.clh"
#include "cl/sort/sort_network.clh"

/* Steps of a launch on the sets of a tile. */
typedef struct dmm_set_steps {
    ulong first; /* place of the tile's first item */
    ulong end;
    uint low;    /* lowest bit of the steps */
    uint mirror; /* 1 if the first of them mirrors */
    int whole;   /* 1 if all places of the tile are below end */
} dmm_set_steps;

/* Moves a tile of the input to the output. */
DMM_INLINE void dmm_network_begin(
    const dmm_bitonic_call *c, dmm_network_arrays arrays, ulong first, ulong end)
{
    for (uint x = 0; x < 1u << c->bits; x++) {
        const ulong p = first ^ dmm_network_spread(c, x);
        if (p < end)
            dmm_network_store(arrays, p, dmm_network_load(arrays, p));
    }
}

#if DMM_VECTORS

#define DMM_SETS_AT_ONCE 8

DMM_INLINE dmm_codes dmm_codes_reversed(dmm_codes codes)
{
    return shuffle(codes, (uint8)(7, 6, 5, 4, 3, 2, 1, 0));
}

/* Does the steps of eight sets whose items lie side by side. at[e]: what the place of item e
 * differs by from p. */
DMM_INLINE void dmm_vector_sets(
    global dmm_key *keys, ulong p, const ulong at[DMM_NETWORK_ITEMS], const uint steps, uint mirror)
{
    const uint middle = 1u << (steps - 1);
    dmm_codes items[DMM_NETWORK_ITEMS];
    DMM_UNROLL for (uint e = 0; e < 2 * middle; e++) items[e] =
        dmm_codes_load(keys + ((p ^ at[e]) & ~(ulong)7));
    if (mirror) {
        DMM_UNROLL for (uint e = 0; e < middle; e++) items[e + middle] =
            dmm_codes_reversed(items[e + middle]);
        DMM_UNROLL for (uint e = 0; e < middle; e++)
            dmm_codes_order(&items[e], &items[2 * middle - 1 - e]);
    } else {
        DMM_UNROLL for (uint e = 0; e < middle; e++) dmm_codes_order(&items[e], &items[e + middle]);
    }
    DMM_UNROLL for (uint s = 1; s < steps; s++)
    {
        const uint bit = middle >> s;
        DMM_UNROLL for (uint e = 0; e < 2 * middle; e++) if (!(e & bit))
            dmm_codes_order(&items[e], &items[e + bit]);
    }
    if (mirror)
        DMM_UNROLL for (uint e = 0; e < middle; e++) items[e + middle] =
            dmm_codes_reversed(items[e + middle]);
    DMM_UNROLL for (uint e = 0; e < 2 * middle; e++)
        dmm_codes_store(keys + ((p ^ at[e]) & ~(ulong)7), items[e]);
}

#endif

/* Does the steps of one set. */
DMM_INLINE void dmm_one_set(dmm_network_arrays arrays, const dmm_set_steps *d, ulong p,
    const ulong at[DMM_NETWORK_ITEMS], const uint steps)
{
    dmm_carried items[DMM_NETWORK_ITEMS];
    DMM_UNROLL for (uint e = 0; e < 1u << steps; e++)
    {
        const int there = d->whole || (p ^ at[e]) < d->end;
        items[e] = dmm_network_load(arrays, there ? p ^ at[e] : d->first);
        if (!there) {
#if DMM_KEY_KIND != DMM_KIND_LESS
            items[e].code = DMM_CODE_MAX;
#endif
#if DMM_TIES
            items[e].position = DMM_NETWORK_PAD;
#endif
        }
    }
    dmm_network_set(items, steps, 0, d->mirror);
    DMM_UNROLL for (uint e = 0; e < 1u << steps; e++) if (d->whole || (p ^ at[e]) < d->end)
        dmm_network_store(arrays, p ^ at[e], items[e]);
}

/* Does `steps` steps on all sets of a tile. */
DMM_INLINE void dmm_tile_steps(
    const dmm_bitonic_call *c, dmm_network_arrays arrays, const dmm_set_steps *d, const uint steps)
{
    const uint sets = 1u << (c->bits - steps);
    ulong at[DMM_NETWORK_ITEMS];
    DMM_UNROLL for (uint e = 0; e < 1u << steps; e++) at[e] =
        dmm_network_spread(c, dmm_set_offset(e, d->low, steps, d->mirror));
#if DMM_VECTORS
    if (d->whole && d->low >= 3 && c->low_bits >= 3) {
        for (uint q = 0; q < sets; q += DMM_SETS_AT_ONCE)
            dmm_vector_sets(arrays.keys_out,
                d->first ^ dmm_network_spread(c, dmm_set_first(q, d->low, steps)), at, steps,
                d->mirror);
        return;
    }
#endif
    for (uint q = 0; q < sets; q++)
        dmm_one_set(arrays, d, d->first ^ dmm_network_spread(c, dmm_set_first(q, d->low, steps)),
            at, steps);
}

/* Does a stage, three steps at a time; the one or two that are left over come first. */
DMM_INLINE void dmm_tile_stage(
    const dmm_bitonic_call *c, dmm_network_arrays arrays, dmm_set_steps d, uint stage)
{
    uint left = stage - c->lowest;
    d.mirror = c->mirrors;
    while (left > 0) {
        const uint steps = left % DMM_NETWORK_STEPS ? left % DMM_NETWORK_STEPS : DMM_NETWORK_STEPS;
        left -= steps;
        d.low = c->lowest + left;
        if (steps == 3)
            dmm_tile_steps(c, arrays, &d, 3);
        else if (steps == 2)
            dmm_tile_steps(c, arrays, &d, 2);
        else
            dmm_tile_steps(c, arrays, &d, 1);
        d.mirror = 0;
    }
}

DMM_KERNEL(1)
void dmm_sort_network(global const dmm_key *keys_in, global const dmm_value *values_in,
    global dmm_key *keys_out, global dmm_value *values_out, global dmm_index *positions,
    global const ulong *count_in, const dmm_bitonic_call c)
{
    dmm_network_arrays arrays = DMM_NETWORK_ARRAYS(c);
    const ulong end = count_in == 0 ? c.end : min(c.end, count_in[c.count_at]);
    const ulong first = dmm_network_tile(&c, DMM_GROUP);
    const dmm_set_steps d = {.first = first,
        .end = end,
        .whole = (first ^ dmm_network_spread(&c, (1u << c.bits) - 1)) < end};
    if (first < end) {
        if (c.makes)
            dmm_network_begin(&c, arrays, first, end);
        arrays.keys_in = arrays.keys_out;
        arrays.values_in = arrays.values_out;
        arrays.makes = 0;
        for (uint stage = c.first; stage <= c.last; stage++)
            dmm_tile_stage(&c, arrays, d, stage);
    }
}
