/* SPDX-License-Identifier: MIT */
/*
 * Steps of any sorting network in the CPU form: a work-item does the comparators of a tile one
 * after the other, on items in global memory, which the cache holds.
 *
 * Cost       reads two wires, reads and writes two items and their values for each comparator
 * Claim      no local memory
 */
#include "cl/network_call.clh"
#include "cl/order.clh"
#include "cl/words.clh"

/* DMM_VALUES: 1 if a value moves with each key. */
#if !defined(DMM_VALUES) || DMM_VALUES > 1
#error "DMM_VALUES must be 0 or 1"
#endif

DMM_INLINE void dmm_network_compare(
    global dmm_key *keys, global dmm_value_word *values, uint low, uint high)
{
    const dmm_key a = keys[low], b = keys[high];
    const int swap = dmm_code_less(dmm_encode(b), dmm_encode(a));
    keys[low] = swap ? b : a;
    keys[high] = swap ? a : b;
#if DMM_VALUES
    for (uint k = 0; k < DMM_WORDS; k++) {
        const ulong i = (ulong)low * DMM_WORDS + k, j = (ulong)high * DMM_WORDS + k;
        const dmm_value_word x = values[i], y = values[j];
        values[i] = swap ? y : x;
        values[j] = swap ? x : y;
    }
#endif
}

DMM_KERNEL(1)
void dmm_network_tile(global dmm_key *keys, global dmm_value_word *values, global const uint *plan,
    const dmm_network_call c)
{
    const ulong tile = DMM_GROUP % c.tiles, first = DMM_GROUP / c.tiles * c.rows;
    const ulong end = min(first + c.rows, c.n / c.wires);
    const uint from = plan[c.ends_at + tile], to = plan[c.ends_at + tile + 1];
    plan += c.pairs_at;
    for (ulong row = first; row < end; row++) {
        global dmm_key *const items = keys + c.keys_at + row * c.wires;
        global dmm_value_word *const with = values + c.values_at + row * c.wires * DMM_WORDS;
        for (uint j = from; j < to; j += 2)
            dmm_network_compare(items, with, plan[j], plan[j + 1]);
    }
}
