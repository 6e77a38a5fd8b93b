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
/* Writes positions as values, when positions are merged. */
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
void dmm_merge_tile(global dmm_key *a_keys, global dmm_value *a_values, global dmm_key *b_keys,
    global dmm_value *b_values, global dmm_key *keys_out, global dmm_value *values_out,
    global const dmm_index *splits, global const ulong *count, const dmm_merge_call c)
{
    const dmm_items a = dmm_list_of(a_keys, a_values, c.a);
    const dmm_items b = dmm_list_of(b_keys, b_values, c.b);
    const dmm_items out = dmm_list_of(keys_out, values_out, c.out);
    const dmm_parts parts = dmm_parts_of(splits, count, c);
    const dmm_serial s = {parts.a, parts.a + parts.na, parts.b, parts.b + parts.nb, parts.first,
        parts.first + parts.na + parts.nb};
    dmm_serial_merge(a, b, out, s);
}
