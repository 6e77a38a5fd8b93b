/* SPDX-License-Identifier: MIT */
/*
 * dmm_sort_tile, the CPU form of sort.cl: one work-item sorts one tile, runs of E by a network,
 * then log2(T/E) rounds of serial merging between `out` and `spare`; both fit the second-level
 * cache.
 */
#include "cl/gather.clh"
#include "cl/sort/streams.clh"
#include "cl/registers.clh"
#include "cl/sort/sort_call.clh"
#if !DMM_SEGMENTED && !DMM_MANY
#include "cl/sort/merge_cpu.cl"
#endif

#if DMM_U != 1
#error "the CPU form has one work-item a group"
#endif

/* Sorts `count` items from position x on by insertion: the remainder after whole blocks. */
DMM_INLINE void dmm_sort_few(dmm_items in, dmm_items to, dmm_index x, uint count)
{
    for (uint j = 0; j < count; j++) {
        const dmm_key key = in.keys[x + j];
#if DMM_SORT_POSITIONS
        const dmm_value value = (dmm_value)(x + j);
#elif DMM_VALUE_BYTES
        const dmm_value value = in.values[x + j];
#endif
        uint i = j;
        for (; i > 0 && dmm_code_less(dmm_encode(key), dmm_encode(to.keys[x + i - 1])); i--) {
            to.keys[x + i] = to.keys[x + i - 1];
#if DMM_VALUE_BYTES
            to.values[x + i] = to.values[x + i - 1];
#endif
        }
        to.keys[x + i] = key;
#if DMM_VALUE_BYTES
        to.values[x + i] = value;
#endif
    }
}

#if DMM_VECTORS && DMM_E >= 8

/* Rows of eight codes: the network sorts the columns, and transposing makes runs of them. */
#define DMM_SORT_BLOCK (8 * DMM_E)

DMM_INLINE void dmm_codes_transpose(dmm_reg r[8])
{
    DMM_UNROLL
    for (uint i = 0; i < 4; i++)
        dmm_codes_exchange_4(&r[i].code, &r[i + 4].code);
    DMM_UNROLL
    for (uint i = 0; i < 8; i++)
        if (!(i & 2))
            dmm_codes_exchange_2(&r[i].code, &r[i + 2].code);
    DMM_UNROLL
    for (uint i = 0; i < 8; i += 2)
        dmm_codes_exchange_1(&r[i].code, &r[i + 1].code);
}

/* Sorts a block from position x on into runs of E. All is read before any is written. */
DMM_INLINE void dmm_sort_block(dmm_items in, dmm_items to, dmm_index x)
{
    dmm_reg r[DMM_E];
    DMM_UNROLL
    for (uint j = 0; j < DMM_E; j++)
        r[j].code = dmm_codes_load(in.keys + x + 8 * j);
    dmm_sort_registers(r);
    DMM_UNROLL
    for (uint rows = 0; rows < DMM_E; rows += 8) {
        dmm_codes_transpose(r + rows);
        DMM_UNROLL
        for (uint j = 0; j < 8; j++)
            dmm_codes_store(to.keys + x + j * DMM_E + rows, r[rows + j].code);
    }
}

#else

/* One run. */
#define DMM_SORT_BLOCK DMM_E

/* Sorts a block from position x on. All is read before any is written. */
DMM_INLINE void dmm_sort_block(dmm_items in, dmm_items to, dmm_index x)
{
    dmm_reg r[DMM_E];
    DMM_UNROLL
    for (uint j = 0; j < DMM_E; j++) {
        r[j].code = dmm_encode(in.keys[x + j]);
#if DMM_TIES
        r[j].pos = j;
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
        moved[j] = in.values[x + r[j].pos];
#endif
    }
#endif
    DMM_UNROLL
    for (uint j = 0; j < DMM_E; j++) {
        to.keys[x + j] = dmm_decode(r[j].code);
#if DMM_VALUE_BYTES
        to.values[x + j] = moved[j];
#endif
    }
}

#endif

#if DMM_KEY_KIND == DMM_KIND_LESS
/* Not with `less`: an expression that is no order would lose items. */
#define DMM_FEW 0
#else
#define DMM_FEW 16

/* Vectors of codes, of a width that every processor with vectors has. */
#if DMM_KEY_BYTES == 8
typedef ulong4 dmm_row;
#define DMM_ROW        4
#define DMM_ROW_LANES  (dmm_row)(0, 1, 2, 3)
#define DMM_ROW_LOAD   vload4
#define DMM_ROW_STORE  vstore4
#define DMM_ROW_OF     as_ulong4
#else
typedef uint8 dmm_row;
#define DMM_ROW        8
#define DMM_ROW_LANES  (dmm_row)(0, 1, 2, 3, 4, 5, 6, 7)
#define DMM_ROW_LOAD   vload8
#define DMM_ROW_STORE  vstore8
#define DMM_ROW_OF     as_uint8
#endif

/* Sorts up to DMM_FEW items by counting, for each, the items before it, without a branch.
 * Everything is read before anything is written. */
DMM_INLINE void dmm_sort_by_ranks(dmm_items in, dmm_items to, dmm_index x, uint count)
{
    dmm_code codes[DMM_FEW], tied[DMM_FEW], ranks[DMM_FEW];
    for (uint i = 0; i < DMM_FEW; i++)
        codes[i] = i < count ? dmm_encode(in.keys[x + i]) : DMM_CODE_MAX;
    for (uint i = 0; i < DMM_FEW; i++)
        tied[i] = dmm_code_tied(codes[i]);
    DMM_UNROLL
    for (uint row = 0; row < DMM_FEW / DMM_ROW; row++) {
        const dmm_row own = DMM_ROW_LOAD(row, tied),
            lane = DMM_ROW_LANES + (dmm_code)(row * DMM_ROW);
        dmm_row before = 0;
        DMM_UNROLL
        for (uint j = 0; j < DMM_FEW; j++) { /* true is -1 */
            const dmm_row other = (dmm_row)(tied[j]);
            before -= DMM_ROW_OF((other < own) | ((other == own) & ((dmm_code)j < lane)));
        }
        DMM_ROW_STORE(before, row, ranks);
    }
#if DMM_VALUE_BYTES
    dmm_value moved[DMM_FEW];
    for (uint i = 0; i < count; i++) {
#if DMM_SORT_POSITIONS
        moved[i] = (dmm_value)(x + i);
#else
        moved[i] = in.values[x + i];
#endif
    }
    for (uint i = 0; i < count; i++)
        to.values[x + ranks[i]] = moved[i];
#endif
    for (uint i = 0; i < count; i++)
        to.keys[x + ranks[i]] = dmm_decode(codes[i]);
}
#endif

/* Sorts positions first .. end - 1 of `in` into `out`; `spare` is scratch. Either may be `in`. */
DMM_INLINE void dmm_sort_span(dmm_items in, dmm_items out, dmm_items spare, dmm_index first,
    dmm_index end)
{
    uint rounds = 0;
#if DMM_FEW
    if (end - first <= DMM_FEW) {
        dmm_sort_by_ranks(in, out, first, (uint)(end - first));
        return;
    }
#endif
    for (dmm_index run = DMM_E; run < end - first; run *= 2)
        rounds++;
    /* Rounds alternate between the two; the last one writes to `out`. */
    dmm_items from = rounds % 2 ? spare : out, to = rounds % 2 ? out : spare;

    dmm_index x = first;
    for (; end - x >= DMM_SORT_BLOCK; x += DMM_SORT_BLOCK)
        dmm_sort_block(in, from, x);
    for (; x < end; x += min((dmm_index)DMM_E, end - x))
        dmm_sort_few(in, from, x, (uint)min((dmm_index)DMM_E, end - x));
    for (dmm_index run = DMM_E; run < end - first; run *= 2) {
        for (x = first; x < end; x += 2 * run) {
            const dmm_index middle = min(x + run, end), last = min(middle + run, end);
            const dmm_serial s = {x, middle, middle, last, x, last};
            dmm_serial_merge(from, from, to, s);
        }
        const dmm_items swapped = from;
        from = to;
        to = swapped;
    }
}

#if !DMM_SEGMENTED && !DMM_MANY

DMM_KERNEL(DMM_U)
void dmm_sort_tile(global dmm_key *keys_in, global dmm_value *values_in,
    global dmm_key *keys_out, global dmm_value *values_out, global dmm_key *keys_spare,
    global dmm_value *values_spare, global const ulong *count_in, const dmm_sort_call c)
{
    const dmm_items in = dmm_list_of(keys_in, values_in, c.in);
    const dmm_items out = dmm_list_of(keys_out, values_out, c.out);
    const dmm_items spare = dmm_list_of(keys_spare, values_spare, c.spare);
    const dmm_index first = DMM_GROUP * DMM_TILE;
    const dmm_index all =
        dmm_counted_end(count_in, c.count_at, (dmm_index)c.first, (dmm_index)c.end);
    const dmm_index end = first + min((dmm_index)DMM_TILE, DMM_MINUS(all, first));
    dmm_sort_span(in, out, spare, first, end);
}

#endif
