/* SPDX-License-Identifier: MIT */
/*
 * What moves the items of a partition, once their buckets are known: packing for two buckets in
 * the GPU form, which moves items and values at once; otherwise sorts by bucket number, of the
 * items and of the values.
 */
#include "primitives/partition.h"

#include <stdlib.h>

#include "core/check.h"
#include "primitives/prelude.h"

/* Bits that one pass of the GPU form sorts by. */
enum { PASS_BITS = 8 };

/* True if one pass of the GPU form can sort the items by their bits themselves. */
static int takes_digits(const dmm_partition *partition)
{
    const dmm_partition_desc *const desc = &partition->desc;
    const uint32_t bits = desc->bits.end - desc->bits.begin;
    return desc->by == DMM_PARTITION_BY_BITS && !partition->p.cpu && partition->tile_by == NULL &&
           !desc->guarantee && bits <= PASS_BITS && desc->ways <= (uint32_t)1 << bits;
}

/* Creates a radix sort of the items, with their values, by the bits that are their buckets. */
static dmm_status build_digits(dmm_partition *partition)
{
    const dmm_partition_desc *const desc = &partition->desc;
    const dmm_radix_desc radix = {.order = desc->order,
        .value_bytes = desc->value_bytes,
        .bits = desc->bits,
        .max_n = partition->object.max_n,
        .tuning = desc->tuning};
    return dmm_object_part(partition, &partition->items, &dmm_radix_class, &radix);
}

/* Creates a radix sort of bucket numbers with values of value_bytes bytes. */
static dmm_status build_radix(dmm_partition *partition, uint32_t value_bytes, dmm_radix **out)
{
    const dmm_partition_desc *const desc = &partition->desc;
    uint32_t bits = 1;
    while (desc->ways > (uint32_t)1 << bits)
        bits++;
    const dmm_radix_desc radix = {
        .order = {.type = partition->bucket_bytes == 1 ? DMM_U8 : DMM_U16},
        .value_bytes = value_bytes,
        .bits = {0, bits},
        .tile_by = partition->tile_by,
        .guarantee = desc->guarantee,
        .max_n = partition->object.max_n,
        .tuning = desc->tuning};
    return dmm_object_part(partition, out, &dmm_radix_class, &radix);
}

/* Returns the number of bins if one pass moves everything, items as well as values; otherwise 0. */
static uint32_t count_rows_of(const dmm_partition *partition)
{
    const dmm_radix *const items = partition->items, *const values = partition->values;
    const uint64_t n = UINT64_MAX / 2;
    const int cpu = dmm_radix_share(items, n).groups != 0 &&
                    (values == NULL || dmm_radix_share(values, n).groups != 0);
    const int gpu = dmm_radix_takes_starts(items, n) &&
                    (values == NULL ||
                        (dmm_radix_takes_starts(values, n) && values->p.digit == items->p.digit));
    return cpu   ? 1u << (items->end_bit - items->begin_bit)
           : gpu ? (uint32_t)dmm_radix_most_counts(items, 1)
                 : 0;
}

int dmm_partition_packs(const dmm_partition *partition)
{
    const dmm_partition_desc *const desc = &partition->desc;
    return desc->method == DMM_PARTITION_AUTO && desc->ways == 2 && partition->tile_by == NULL;
}

int dmm_partition_moves_once(const dmm_partition *partition)
{
    return partition->pack != NULL || (partition->count_rows != 0 && !partition->p.cpu);
}

/* Returns the chain of a sort whose passes' starts the call brings. */
static dmm_radix_chain chain_of(const dmm_partition *partition, const dmm_radix *radix, uint64_t n)
{
    return radix != NULL && dmm_partition_moves_once(partition) ? dmm_radix_chain_of(radix, n)
                                                                : (dmm_radix_chain){0, 0};
}

dmm_radix_chain dmm_partition_chain(const dmm_partition *partition, uint64_t n)
{
    return chain_of(partition, partition->items, n);
}

dmm_radix_chain dmm_partition_values_chain(const dmm_partition *partition, uint64_t n)
{
    return chain_of(partition, partition->values, n);
}

/* True if what moves in place is a copy. Items of a tile alone (no chain), which are in registers
 * before any moves, need none. */
static int moves_copy(
    const dmm_partition *partition, dmm_radix_chain chain, dmm_span in, dmm_span out)
{
    return (partition->pack != NULL || chain.words != 0) && in.buffer != NULL &&
           dmm_spans_equal(in, out);
}

dmm_span dmm_partition_items(const dmm_partition *partition, const dmm_call *call, size_t copy)
{
    const dmm_partition_args *const args = call->args;
    const dmm_radix_chain chain = dmm_partition_chain(partition, call->sizes.n);
    return moves_copy(partition, chain, args->items_in, args->items_out)
               ? dmm_call_items(call, copy, partition->item_bytes)
               : args->items_in;
}

dmm_span dmm_partition_values(const dmm_partition *partition, const dmm_call *call, size_t copy)
{
    const dmm_partition_args *const args = call->args;
    const uint64_t n = call->sizes.n;
    const dmm_radix_chain chain = partition->by_digits ? dmm_partition_chain(partition, n)
                                                       : dmm_partition_values_chain(partition, n);
    return moves_copy(partition, chain, args->values_in, args->values_out)
               ? dmm_call_items(call, copy, partition->desc.value_bytes)
               : args->values_in;
}

static int packs_by_expression(const dmm_partition *partition)
{
    return partition->desc.by == DMM_PARTITION_BY_EXPRESSION && partition->layout.value_bytes == 0;
}

int dmm_partition_stores_buckets(const dmm_partition *partition)
{
    const int by_labels = partition->desc.by == DMM_PARTITION_BY_LABELS &&
                          partition->label_bytes == partition->bucket_bytes;
    return !dmm_partition_moves_once(partition) ||
           !(by_labels || partition->by_digits ||
               (partition->pack != NULL && packs_by_expression(partition)));
}

/* Creates the packing of the second bucket's items behind the first one's. */
static dmm_status build_pack(dmm_partition *partition)
{
    dmm_status status = DMM_OK;
    const dmm_partition_desc *const desc = &partition->desc;
    const int by_expression = packs_by_expression(partition);
    const dmm_prelude_text is_second = {"int dmm_select_where(const dmm_item key, const ulong i)",
        "expression", desc->expression, "(ulong)convert_long_sat(", ") == 1"};
    char *const prelude = by_expression
                              ? dmm_prelude_function(dmm_prelude_item(dmm_prelude_new(), "item",
                                                         desc->order.type, desc->order.item),
                                    &is_second)
                              : NULL;
    const dmm_pack_desc pack = {.by = by_expression ? DMM_PACK_EXPRESSION : DMM_PACK_FLAGS,
        .item_bytes = partition->item_bytes,
        .value_bytes = desc->value_bytes,
        .max_n = partition->object.max_n,
        .tuning = desc->tuning,
        .split = 1,
        .prelude = prelude};
    FAIL_IF(by_expression && prelude == NULL, DMM_OUT_OF_MEMORY);
    TRY(dmm_object_part(partition, &partition->pack, &dmm_pack_class, &pack));
out:
    free(prelude);
    return status;
}

dmm_status dmm_partition_build_moves(dmm_partition *partition)
{
    const dmm_partition_desc *const desc = &partition->desc;
    dmm_status status = DMM_OK;
    if (dmm_partition_packs(partition) && !partition->p.cpu)
        return build_pack(partition);
    partition->by_digits = takes_digits(partition);
    if (partition->by_digits)
        TRY(build_digits(partition));
    else
        TRY(build_radix(partition, partition->item_bytes, &partition->items));
    if (desc->value_bytes != 0 && !partition->by_digits)
        TRY(build_radix(partition, desc->value_bytes, &partition->values));
    partition->count_rows = count_rows_of(partition);
    partition->items->is_started = dmm_partition_moves_once(partition);
    if (partition->values != NULL)
        partition->values->is_started = partition->items->is_started;
out:
    return status;
}

static uint64_t bytes_of(const void *part, dmm_sizes sizes)
{
    uint64_t bytes = 0;
    if (part != NULL && dmm_object_temp_bytes(&bytes, part, sizes) != DMM_OK)
        bytes = UINT64_MAX;
    return bytes;
}

uint64_t dmm_partition_move_bytes(const dmm_partition *partition, dmm_sizes sizes)
{
    const uint64_t items = bytes_of(partition->items, sizes);
    const uint64_t values = bytes_of(partition->values, sizes);
    if (partition->pack != NULL)
        return bytes_of(partition->pack, (dmm_sizes){.n = sizes.n});
    return items > values ? items : values;
}

/* Moves items and values of two buckets. */
static dmm_status pack_by_bucket(
    const dmm_partition *partition, const dmm_call *call, const dmm_partition_moves *m)
{
    const dmm_partition_args *const args = call->args;
    const dmm_pack_spans spans = {.items = m->items,
        .values = m->values,
        .flags = m->buckets,
        .out = args->items_out,
        .values_out = args->values_out,
        .rest = args->items_out,
        .rest_values = args->values_out,
        .count = args->count,
        .judged = {m->wrong, (uint32_t)m->groups, m->range, args->offsets_out, args->report_out},
        .temp = m->temp};
    return dmm_call_run(call, partition->pack, &spans, call->sizes);
}

/* Moves keys and values by bucket; uses the counts if this radix sort takes them. */
static dmm_status sort_by_bucket(const dmm_radix *radix, const dmm_call *call,
    const dmm_partition_moves *m, dmm_span chain, int moves_keys, dmm_sort_args items)
{
    const dmm_radix_shares shares = dmm_radix_share(radix, call->sizes.n);
    const int same = shares.groups == m->groups && shares.range == m->range;
    const dmm_radix_args args = {.items = items,
        .counts = same || dmm_radix_takes_starts(radix, call->sizes.n) ? m->counts : DMM_NONE,
        .chain = chain,
        .stamp = m->stamp,
        .moves_keys = moves_keys};
    return dmm_call_run(call, radix, &args, call->sizes);
}

/* Sorts buckets, with items or values as their values. */
static dmm_status sort_of_buckets(const dmm_radix *radix, const dmm_call *call,
    const dmm_partition_moves *m, dmm_span chain, dmm_span in, dmm_span out)
{
    const dmm_sort_args items = {.keys_in = m->buckets,
        .values_in = in,
        .keys_out = m->sorted,
        .values_out = out,
        .temp = m->temp,
        .count = m->verdict};
    return sort_by_bucket(radix, call, m, chain, 0, items);
}

/* Sorts the items by their digits. */
static dmm_status sort_by_digits(
    const dmm_partition *partition, const dmm_call *call, const dmm_partition_moves *m)
{
    const dmm_partition_args *const args = call->args;
    const dmm_sort_args items = {.keys_in = m->items,
        .values_in = m->values,
        .keys_out = args->items_out,
        .values_out = args->values_out,
        .temp = m->temp,
        .count = m->verdict};
    return sort_by_bucket(partition->items, call, m, m->chain, 1, items);
}

dmm_status dmm_partition_move(
    const dmm_partition *partition, const dmm_call *call, const dmm_partition_moves *m)
{
    dmm_status status = DMM_OK;
    const dmm_partition_args *const args = call->args;
    if (partition->pack != NULL)
        return pack_by_bucket(partition, call, m);
    if (partition->by_digits)
        return sort_by_digits(partition, call, m);
    TRY(sort_of_buckets(partition->items, call, m, m->chain, m->items, args->items_out));
    if (partition->values != NULL)
        TRY(sort_of_buckets(
            partition->values, call, m, m->values_chain, m->values, args->values_out));
out:
    return status;
}
