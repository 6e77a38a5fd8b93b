/* SPDX-License-Identifier: MIT */
/*
 * dmm_merge_tile, the CPU form of merge.cl: one work-item merges one tile's parts, without local
 * memory.
 */
#include "cl/gather.clh"
#include "cl/sort/merge_path.clh"
#include "cl/sort/streams.clh"

#if DMM_U != 1
#error "the CPU form has one work-item a group"
#endif

#if DMM_VALUE_BYTES && DMM_MERGE_POSITIONS
/* Merging positions: the values of a list are where its items lie. */
DMM_INLINE void dmm_serial_positions(dmm_items a, dmm_items b, dmm_items to, dmm_serial s)
{
    while (s.out < s.out_end) {
        const int from_b = s.a == s.a_end ||
            (s.b < s.b_end && dmm_code_less(dmm_encode(b.keys[s.b]), dmm_encode(a.keys[s.a])));
        to.keys[s.out] = from_b ? b.keys[s.b] : a.keys[s.a];
        to.values[s.out] = (dmm_value)(from_b ? s.b : s.a);
        s.a += !from_b;
        s.b += from_b;
        s.out++;
    }
}
#define dmm_serial_merge dmm_serial_positions
#endif

DMM_KERNEL(DMM_U)
void dmm_merge_tile(global dmm_key *a_keys, ulong a_keys_at, global dmm_value *a_values,
    ulong a_values_at, global dmm_key *b_keys, ulong b_keys_at, global dmm_value *b_values,
    ulong b_values_at, global dmm_key *keys_out, ulong keys_out_at, global dmm_value *values_out,
    ulong values_out_at, global const dmm_index *splits, ulong splits_at, dmm_index n,
    dmm_index run, dmm_index span, dmm_index first_tile, DMM_COUNT_PARAMETERS)
{
    const dmm_items a = dmm_items_at(a_keys, a_keys_at, a_values, a_values_at);
    const dmm_items b = dmm_items_at(b_keys, b_keys_at, b_values, b_values_at);
    const dmm_items out = dmm_items_at(keys_out, keys_out_at, values_out, values_out_at);
    const dmm_index end = dmm_counted_end(count_in, count_in_at, first_tile * DMM_TILE, n);
    const dmm_parts parts =
        dmm_parts_of(DMM_GROUP, splits + splits_at, end, run, span, first_tile);
    const dmm_serial s = {parts.a, parts.a + parts.na, parts.b, parts.b + parts.nb, parts.first,
        parts.first + parts.na + parts.nb};
    dmm_serial_merge(a, b, out, s);
}
