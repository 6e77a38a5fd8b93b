/* SPDX-License-Identifier: MIT */
/*
 * dmm_sort_tile, the CPU form of cl/sort.cl: one work-item sorts one tile, runs of E by a network and then
 * log2(T/E) rounds of serial merging between `out` and `spare`. The tile fits the second-level cache.
 */
#if DMM_U != 1
#error "the CPU form has one work-item a group"
#endif

/* Sorts `count` <= E items from position x on. All are read before any is written. */
DMM_INLINE void dmm_sort_run(dmm_items in, dmm_items to, dmm_index x, uint count)
{
    dmm_reg r[DMM_E];
    DMM_UNROLL
    for (uint j = 0; j < DMM_E; j++) {
        r[j].code = dmm_encode(in.keys[x + min(j, count - 1)]);
#if DMM_KEY_KIND != DMM_KIND_LESS
        r[j].code = j < count ? r[j].code : DMM_CODE_MAX;
#endif
#if DMM_TIES
        r[j].pos = j < count ? j : DMM_PAD + j;
#endif
    }
    dmm_sort_registers(r);
#if DMM_VALUE_BYTES
    dmm_value moved[DMM_E];
    DMM_UNROLL
    for (uint j = 0; j < DMM_E; j++) {
#if DMM_SORT_POSITIONS
        moved[j] = (dmm_value)(x + r[j].pos);
#else
        moved[j] = in.values[x + min(r[j].pos, count - 1)];
#endif
    }
#endif
    DMM_UNROLL
    for (uint j = 0; j < DMM_E; j++)
        if (j < count) {
            to.keys[x + j] = dmm_decode(r[j].code);
#if DMM_VALUE_BYTES
            to.values[x + j] = moved[j];
#endif
        }
}

DMM_KERNEL(DMM_U)
void dmm_sort_tile(global dmm_key *keys_in, ulong keys_in_at, global dmm_value *values_in,
    ulong values_in_at, global dmm_key *keys_out, ulong keys_out_at, global dmm_value *values_out,
    ulong values_out_at, global dmm_key *keys_spare, ulong keys_spare_at,
    global dmm_value *values_spare, ulong values_spare_at, dmm_index n)
{
    const dmm_items in = dmm_items_at(keys_in, keys_in_at, values_in, values_in_at);
    const dmm_items out = dmm_items_at(keys_out, keys_out_at, values_out, values_out_at);
    const dmm_items spare = dmm_items_at(keys_spare, keys_spare_at, values_spare, values_spare_at);
    const dmm_index first = DMM_GROUP * DMM_TILE, end = first + min((dmm_index)DMM_TILE, n - first);
    uint rounds = 0;
    for (dmm_index run = DMM_E; run < end - first; run *= 2)
        rounds++;
    /* Rounds alternate between the two; the last one writes to `out`. */
    dmm_items from = rounds % 2 ? spare : out, to = rounds % 2 ? out : spare;

    for (dmm_index x = first; x < end; x += DMM_E)
        dmm_sort_run(in, from, x, (uint)min((dmm_index)DMM_E, end - x));
    for (dmm_index run = DMM_E; run < end - first; run *= 2) {
        for (dmm_index x = first; x < end; x += 2 * run) {
            const dmm_index middle = min(x + run, end), last = min(middle + run, end);
            const dmm_serial s = {x, middle, middle, last, x, last};
            dmm_serial_merge(from, from, to, s);
        }
        const dmm_items swapped = from;
        from = to;
        to = swapped;
    }
}
