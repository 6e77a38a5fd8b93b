/* SPDX-License-Identifier: MIT */
/*
 * Steps of a bitonic network: item i is compared with item i ^ mask, and the smaller one goes to
 * the lower place. A launch does up to three steps: the items that their masks connect are a set of
 * eight, which a work-item reads, exchanges in registers and writes. Which places it reads and
 * writes depends on the number of items alone.
 *
 * Set q begins at q with zeros inserted at the highest bits of the masks; its item e is at the
 * exclusive or of the first place and the masks of e's bits. Items beyond the end are left out:
 * they would be greater than all others and never move.
 *
 * Cost       reads and writes each item once a launch
 * Claim      no local memory
 * Source     K. Batcher, Sorting networks and their applications, AFIPS 1968, DOI
 *            10.1145/1468075.1468121. Differs: all comparators upwards, by mirroring first steps
 */
#include "cl/sort/bitonic_call.clh"
#include "cl/values.clh"

/* DMM_TIES: 1 if positions decide between equal keys. */
#if !defined(DMM_TIES) || DMM_TIES > 1
#error "DMM_TIES must be 0 or 1"
#endif

/* What moves. */
typedef struct dmm_carried {
    dmm_code code;
#if DMM_TIES
    dmm_index position;
#endif
#if DMM_VALUE_BYTES
    dmm_value value;
#endif
} dmm_carried;

DMM_INLINE int dmm_carried_before(dmm_carried a, dmm_carried b)
{
#if DMM_TIES
    return dmm_code_less(a.code, b.code) ||
           (!dmm_code_less(b.code, a.code) && a.position < b.position);
#else
    return dmm_code_less(a.code, b.code);
#endif
}

/* One step: items whose numbers differ in `bit`, at places p and q. */
#define DMM_NETWORK_STEP(bit)                                                                    \
    DMM_UNROLL for (uint e = 0; e < DMM_NETWORK_ITEMS;                                           \
                    e++) if ((e & (bit)) == 0 && places[e] < end && places[e | (bit)] < end)     \
    {                                                                                            \
        const dmm_carried a = items[e], b = items[e | (bit)];                                    \
        const int swap =                                                                         \
            places[e] < places[e | (bit)] ? dmm_carried_before(b, a) : dmm_carried_before(a, b); \
        items[e] = swap ? b : a;                                                                 \
        items[e | (bit)] = swap ? a : b;                                                         \
    }

DMM_INLINE ulong dmm_network_place(const dmm_bitonic_call *c, ulong q, uint e)
{
    ulong place = ((q >> c->low) << (c->low + c->steps)) | (q & (((ulong)1 << c->low) - 1));
    DMM_UNROLL for (uint s = 0; s < DMM_NETWORK_STEPS; s++) if (e >> s & 1) place ^= c->masks[s];
    return e >> c->steps == 0 ? place : ~(ulong)0;
}

/* Group g handles `range` sets. */
DMM_KERNEL(DMM_U)
void dmm_sort_network(global const dmm_key *keys_in, global const dmm_value *values_in,
    global dmm_key *keys_out, global dmm_value *values_out, global dmm_index *positions,
    global const ulong *count_in, const dmm_bitonic_call c)
{
    const ulong end = count_in == 0 ? c.end : min(c.end, count_in[c.count_at]);
    const ulong first = DMM_GROUP * c.range, sets = min(first + c.range, c.sets);
    for (ulong q = first + DMM_LOCAL; q < sets; q += DMM_U) {
        ulong places[DMM_NETWORK_ITEMS];
        dmm_carried items[DMM_NETWORK_ITEMS];
        DMM_UNROLL for (uint e = 0; e < DMM_NETWORK_ITEMS; e++)
        {
            const ulong p = places[e] = dmm_network_place(&c, q, e);
            if (p < end) {
                items[e].code = dmm_encode(keys_in[c.in.keys + p]);
#if DMM_TIES
                items[e].position = c.makes ? (dmm_index)p : positions[c.positions_at + p];
#endif
#if DMM_VALUE_BYTES && DMM_SORT_POSITIONS
                items[e].value = c.makes ? (dmm_value)p : values_in[c.in.values + p];
#elif DMM_VALUE_BYTES
                items[e].value = values_in[c.in.values + p];
#endif
            }
        }
        DMM_NETWORK_STEP(1)
        DMM_NETWORK_STEP(2)
        DMM_NETWORK_STEP(4)
        DMM_UNROLL for (uint e = 0; e < DMM_NETWORK_ITEMS; e++)
        {
            const ulong p = places[e];
            if (p < end) {
                keys_out[c.out.keys + p] = dmm_decode(items[e].code);
#if DMM_TIES
                positions[c.positions_at + p] = items[e].position;
#endif
#if DMM_VALUE_BYTES
                values_out[c.out.values + p] = items[e].value;
#endif
            }
        }
    }
}
