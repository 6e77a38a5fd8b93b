/* SPDX-License-Identifier: MIT */
/*
 * A stable partition is a radix sort of bucket numbers with the items as values. Kernels find and
 * check the buckets; the items are sorted by bucket, then the values; a search finds where each
 * bucket begins. If one pass moves everything, buckets are counted as they are found. Two buckets
 * of the GPU form are packed instead, items and values at once.
 */
#include "primitives/partition.h"

#include <stdlib.h>

#include "cl/partition_call.clh"
#include "core/check.h"
#include "core/refuse.h"
#include "core/size.h"
#include "primitives/order.h"
#include "primitives/prelude.h"

_Static_assert(
    DMM_BY_LABELS == DMM_PARTITION_BY_LABELS && DMM_BY_SPLITTERS == DMM_PARTITION_BY_SPLITTERS &&
        DMM_BY_BITS == DMM_PARTITION_BY_BITS && DMM_BY_EXPRESSION == DMM_PARTITION_BY_EXPRESSION,
    "the kernels' numbers are those of dmm_partition_by");

/* If two buckets are packed: work-items a group; most ranges, whose counts each group adds up.
 * Small ranges are read one behind the other, large ones side by side, from few banks of memory. */
enum { PACKED_U = 128, PACKED_RANGES = 1024 };
enum { DEFAULT_WAYS = 2, MAX_WAYS = 65536, MAX_BYTES = 256, MAX_BITS = 16 };

/* Rejects fields that `by` does not use. */
static dmm_status check_by(const dmm_partition_desc *desc)
{
    const dmm_bits bits = desc->bits;
    const int by_bits = desc->by == DMM_PARTITION_BY_BITS,
              by_labels = desc->by == DMM_PARTITION_BY_LABELS;
    if ((desc->expression != NULL) != (desc->by == DMM_PARTITION_BY_EXPRESSION) ||
        (!by_bits && (bits.begin != 0 || bits.end != 0)) || (!by_labels && desc->label_bytes != 0))
        return dmm_refuse(DMM_BAD_VALUE, "expression, bits or label_bytes: does not go with `by`");
    if (!by_bits)
        return DMM_OK;
    if (desc->order.type > DMM_I64 || desc->order.less != NULL)
        return dmm_refuse(DMM_UNSUPPORTED, "order: partitions by bits need integers without less");
    if (bits.begin >= bits.end || bits.end > 8 * dmm_type_bytes(desc->order.type) ||
        bits.end - bits.begin > MAX_BITS)
        return dmm_refuse(DMM_BAD_VALUE, "bits: from %u to %u are not 1 to %d bits of %s",
            (unsigned)bits.begin, (unsigned)bits.end, MAX_BITS, dmm_type_name(desc->order.type));
    return DMM_OK;
}

static dmm_status check_desc(const dmm_partition_desc *desc)
{
    const uint32_t label = desc->label_bytes;
    const dmm_order *order = &desc->order;
    if (desc->ways > MAX_WAYS || (unsigned)desc->by > DMM_PARTITION_BY_EXPRESSION ||
        (unsigned)desc->method > DMM_PARTITION_RADIX || dmm_type_name(order->type) == NULL ||
        desc->value_bytes > MAX_BYTES)
        return dmm_refuse(DMM_BAD_VALUE,
            "ways, by, method, order.type or value_bytes: is out of its range (%d ways, %d bytes)",
            MAX_WAYS, MAX_BYTES);
    if (order->type == DMM_ITEM && (order->item_bytes < 1 || order->item_bytes > MAX_BYTES))
        return dmm_refuse(DMM_BAD_VALUE, "order.item_bytes: DMM_ITEM needs 1 to %d, is %u",
            MAX_BYTES, (unsigned)order->item_bytes);
    if (label > 4 || label == 3)
        return dmm_refuse(
            DMM_BAD_VALUE, "label_bytes: must be 0, 1, 2 or 4, is %u", (unsigned)label);
    return check_by(desc);
}

/* True if an expression can read values of this size. */
static int is_readable(uint32_t bytes)
{
    return bytes <= 8 && dmm_is_power_of_two(bytes);
}

/* Returns the order for kernels: none for labels, nor for an expression, which reads the item. */
static dmm_order order_of(const dmm_partition_desc *desc)
{
    dmm_order order = desc->order;
    if (desc->by == DMM_PARTITION_BY_LABELS)
        return (dmm_order){.type = DMM_U8};
    if (desc->by == DMM_PARTITION_BY_EXPRESSION && order.less == NULL)
        order.less = "0";
    return order;
}

static dmm_status choose(dmm_partition *partition, const dmm_order *order)
{
    dmm_status status = DMM_OK;
    const dmm_partition_desc *desc = &partition->desc;
    const dmm_device *device = &partition->object.ctx->device;
    const int sees_values =
        desc->by == DMM_PARTITION_BY_EXPRESSION && is_readable(desc->value_bytes);
    partition->item_bytes =
        desc->order.type == DMM_ITEM ? desc->order.item_bytes : dmm_type_bytes(desc->order.type);
    partition->label_bytes = desc->label_bytes != 0 ? desc->label_bytes : 4;
    partition->bucket_bytes = desc->ways <= 256 ? 1 : 2;
    partition->object.max_n =
        desc->max_n != 0 ? desc->max_n : device->max_buffer.value / partition->item_bytes;
    TRY(dmm_item_layout_init(&partition->layout, device, order, sees_values ? desc->value_bytes : 0,
        0, partition->object.max_n));
    TRY(dmm_word_layout_init(
        &partition->item_words, device, partition->item_bytes, partition->object.max_n));
    if (desc->value_bytes != 0)
        TRY(dmm_word_layout_init(
            &partition->value_words, device, desc->value_bytes, partition->object.max_n));
    const dmm_footprint footprint = {.item_bytes = partition->layout.key_bytes,
        .group_bytes = partition->layout.index_bytes,
        .gpu_u = dmm_partition_packs(partition) ? PACKED_U : 0,
        .word = desc->order.type != DMM_ITEM ? "partition" : NULL};
    TRY(dmm_context_choose(&partition->p, partition->object.ctx, &desc->tuning, &footprint));
out:
    return status;
}

/* Returns the items' order and the caller's expression as a function, to be freed. NULL: out of
 * memory. */
static char *prelude_of(const dmm_partition *partition, const dmm_order *order)
{
    static const char *const heads[] = {
        [0] = "ulong dmm_bucket_of(const dmm_item key, const ulong i)",
        [1] = "ulong dmm_bucket_of(const dmm_item key, const uchar value, const ulong i)",
        [2] = "ulong dmm_bucket_of(const dmm_item key, const ushort value, const ulong i)",
        [4] = "ulong dmm_bucket_of(const dmm_item key, const uint value, const ulong i)",
        [8] = "ulong dmm_bucket_of(const dmm_item key, const ulong value, const ulong i)"};
    char *const prelude = dmm_prelude_halves(dmm_order_prelude(order), order->type);
    const dmm_prelude_text bucket = {heads[partition->layout.value_bytes], "expression",
        partition->desc.expression, "(ulong)convert_long_sat(", ")"};
    return bucket.text == NULL ? prelude : dmm_prelude_function(prelude, &bucket);
}

static dmm_status build(dmm_partition *partition, const dmm_order *order)
{
    dmm_status status = DMM_OK;
    const dmm_partition_desc *const desc = &partition->desc;
    dmm_context *const ctx = partition->object.ctx;
    const uint32_t u = partition->p.u;
    dmm_options options = {.bytes = 0};
    cl_program program = NULL;
    char *const prelude = prelude_of(partition, order);
    const dmm_program_desc text = {
        .root = "cl/partition.cl", .options = &options, .prelude = prelude};
    FAIL_IF(prelude == NULL, DMM_OUT_OF_MEMORY);
    dmm_options_parameters(&options, &partition->p, &ctx->device);
    dmm_item_define(&options, &partition->layout, order);
    dmm_options_define(&options, "DMM_SORT_POSITIONS", 0);
    dmm_options_define(&options, "DMM_MERGE_POSITIONS", 0);
    dmm_options_define(&options, "DMM_BY", desc->by);
    dmm_options_define(&options, "DMM_WAYS", desc->ways);
    dmm_options_define(&options, "DMM_BIT", desc->bits.begin);
    dmm_options_define(&options, "DMM_BITS", desc->bits.end - desc->bits.begin);
    dmm_options_define(&options, "DMM_LABEL_BYTES", partition->label_bytes);
    dmm_options_define(&options, "DMM_COUNT_ROWS", partition->count_rows);
    dmm_options_define(&options, "DMM_PACKS", partition->pack != NULL);
    dmm_word_define_pair(&options, &partition->item_words, &partition->value_words);
    dmm_options_define(
        &options, "DMM_STORES_BUCKETS", (uint64_t)dmm_partition_stores_buckets(partition));
    TRY(dmm_programs_get(&ctx->programs, &text, &program));
    TRY(dmm_object_kernel(partition, program, "dmm_partition_bucket", u, &partition->bucket));
    if (partition->pack == NULL)
        TRY(dmm_object_kernel(partition, program, "dmm_partition_judge", u, &partition->judge));
    if (!dmm_partition_moves_once(partition))
        TRY(dmm_object_kernel(
            partition, program, "dmm_partition_offsets", DMM_OFFSETS_U, &partition->offsets));
out:
    free(prelude);
    return status;
}

/* Creates the scan of bucket counts, which the CPU form makes before its single pass. */
static dmm_status build_scan(dmm_partition *partition)
{
    const uint64_t counts = (uint64_t)partition->count_rows * partition->p.most_groups;
    if (counts == 0 || !partition->p.cpu)
        return DMM_OK;
    return dmm_scan_part(partition, &partition->scan, partition->layout.index_bytes, counts, 1);
}

dmm_status dmm_partition_by_tiles(dmm_partition *partition, const dmm_tile_by *tile_by)
{
    dmm_status status = DMM_OK;
    dmm_partition_desc *const desc = &partition->desc;
    TRY(check_desc(desc));
    desc->ways = desc->ways != 0 ? desc->ways : DEFAULT_WAYS;
    partition->tile_by = tile_by;
    const dmm_order order = order_of(desc);
    TRY(choose(partition, &order));
    TRY(dmm_partition_build_moves(partition));
    TRY(build(partition, &order));
    TRY(build_scan(partition));
    TRY(dmm_mapping_store_init(partition, &partition->store, desc->map, &desc->order, desc->max_n));
out:
    return status;
}

static dmm_status partition_init(void *object)
{
    return dmm_partition_by_tiles(object, NULL);
}

uint64_t dmm_partition_by_items(const dmm_partition *partition, uint64_t n)
{
    return partition->desc.by == DMM_PARTITION_BY_LABELS      ? n
           : partition->desc.by == DMM_PARTITION_BY_SPLITTERS ? partition->desc.ways - 1
                                                              : 0;
}

static uint32_t by_bytes(const dmm_partition *partition)
{
    return partition->desc.by == DMM_PARTITION_BY_LABELS ? partition->label_bytes
                                                         : partition->item_bytes;
}

size_t dmm_partition_ports(
    const void *object, const void *args, const dmm_sizes *sizes, dmm_port ports[DMM_MAX_PORTS])
{
    const dmm_partition *const partition = object;
    const uint32_t item = partition->item_bytes, value = partition->desc.value_bytes, word = 8;
    const uint64_t n = sizes->n, by = dmm_partition_by_items(partition, n);
    const dmm_mapping *const mapping = &partition->store.mapping;
    const uint32_t in = dmm_mapping_in(mapping, item);
    const uint8_t pair = in == item;
    const dmm_port list[] = {
        {DMM_READS(dmm_partition_args, items_in, n, in), .pair = pair},
        {DMM_READS(dmm_partition_args, values_in, n, value), .pair = 2},
        {DMM_READS(dmm_partition_args, by, by, by_bytes(partition))},
        {DMM_WRITES(dmm_partition_args, items_out, n, item), .pair = pair},
        {DMM_WRITES(dmm_partition_args, values_out, n, value), .pair = 2},
        {DMM_WRITES(dmm_partition_args, offsets_out, partition->desc.ways + (uint64_t)1, word)},
        {DMM_WRITES_REPORT(dmm_partition_args)},
        {DMM_READS_COUNT(dmm_partition_args)},
    };
    (void)args;
    return dmm_mapping_ports(
        mapping, offsetof(dmm_partition_args, further), n, ports, DMM_PORTS(ports, list));
}

enum {
    BUCKETS, /* bucket numbers */
    SORTED,  /* the same, sorted */
    WRONG,   /* a position per group; of packing, a count as well */
    VERDICT, /* number of items to move; true if outputs may be written. Not of packing */
    COUNTS,
    SCAN,
    MOVES,
    CHAIN, /* of what moves once, as the next three */
    VALUES_CHAIN,
    COPY, /* items, and values, of a call in place */
    VALUES_COPY,
    MAPPED /* items that a map gives */
};

static uint64_t count_groups(const dmm_partition *partition, uint64_t n)
{
    const uint64_t steps = dmm_size_div_up(n, partition->p.u * partition->p.E);
    const uint64_t most = partition->pack != NULL && partition->p.most_groups < PACKED_RANGES
                              ? PACKED_RANGES
                              : partition->p.most_groups;
    return steps < most ? steps : most;
}

void dmm_partition_lay_out(const void *object, dmm_call *call)
{
    const dmm_partition *const partition = object;
    const uint64_t n = call->sizes.n;
    const uint64_t groups = partition->p.cpu ? partition->p.most_groups
                                             : DMM_RADIX_START_ROWS + count_groups(partition, n);
    const uint64_t counts = (uint64_t)partition->count_rows * groups;
    const uint64_t kept =
        partition->p.cpu && counts != 0 ? dmm_radix_kept_counts(partition->count_rows, groups) : 0;
    const uint32_t index_bytes = partition->layout.index_bytes;
    const uint64_t stored = dmm_partition_stores_buckets(partition) != 0 ? n : 0;
    const uint64_t copied =
        dmm_partition_moves_once(partition) && n != 0 ? n + 1 : 0; /* dmm_call_items */
    dmm_call_region(call, BUCKETS, stored, partition->bucket_bytes);
    dmm_call_region(call, SORTED, partition->by_digits || partition->pack != NULL ? 0 : n,
        partition->bucket_bytes);
    dmm_call_region(
        call, WRONG, count_groups(partition, n) * (partition->pack != NULL ? 2 : 1), index_bytes);
    dmm_call_region(call, VERDICT, 2, sizeof(dmm_u64));
    dmm_call_region(call, COUNTS, dmm_size_add(counts, kept), index_bytes);
    dmm_call_part_region(call, SCAN, partition->scan, (dmm_sizes){.n = counts});
    dmm_call_region(call, MOVES, dmm_partition_move_bytes(partition, call->sizes), 1);
    dmm_call_region(call, CHAIN, dmm_partition_chain(partition, n).words, sizeof(dmm_u32));
    dmm_call_region(
        call, VALUES_CHAIN, dmm_partition_values_chain(partition, n).words, sizeof(dmm_u32));
    dmm_call_region(call, COPY, copied, partition->item_bytes);
    dmm_call_region(call, VALUES_COPY, partition->desc.value_bytes != 0 ? copied : 0,
        partition->desc.value_bytes);
    dmm_call_region(
        call, MAPPED, partition->store.mapping.inputs != 0 ? n + 1 : 0, partition->item_bytes);
}

/* Shares of the groups: whole steps; or those of the radix passes, if the CPU form counts buckets
 * while they are found. counts: they are counted. */
typedef struct partition_shares {
    uint64_t groups, range;
    int counts;
} partition_shares;

static partition_shares share(const dmm_partition *partition, uint64_t n)
{
    const dmm_radix_shares radix =
        partition->items != NULL ? dmm_radix_share(partition->items, n) : (dmm_radix_shares){0, 0};
    const uint64_t most = count_groups(partition, n), step = partition->p.u * partition->p.E;
    const uint64_t range =
        most == 0 ? step : dmm_size_div_up(dmm_size_div_up(n, most), step) * step;
    if (partition->count_rows != 0 && radix.groups != 0)
        return (partition_shares){radix.groups, radix.range, 1};
    return (partition_shares){
        dmm_size_div_up(n, range), range, partition->count_rows != 0 && !partition->p.cpu};
}

/* counts: DMM_NONE if buckets are not counted while they are found. */
static dmm_partition_call numbers_of(
    const dmm_partition *partition, const dmm_call *call, partition_shares shares, dmm_span counts)
{
    const dmm_partition_args *const args = call->args;
    const dmm_span *const regions = call->regions;
    const uint64_t first = call->sizes.first;
    const uint32_t word = sizeof(dmm_u64), bucket = partition->bucket_bytes;
    const uint32_t index_bytes = partition->layout.index_bytes;
    const int labels = partition->desc.by == DMM_PARTITION_BY_LABELS;
    return (dmm_partition_call){.items = dmm_list_from(&partition->layout,
                                    (dmm_item_spans){args->items_in, args->values_in}, first),
        .by_at = dmm_span_items(args->by, by_bytes(partition)) - (labels ? first : 0),
        .buckets_at = dmm_span_items(regions[BUCKETS], bucket) - first,
        .sorted_at = dmm_span_items(regions[SORTED], bucket),
        .wrong_at = dmm_span_items(regions[WRONG], index_bytes),
        .counts_at = dmm_span_items(counts, index_bytes) +
                     (partition->p.cpu ? 0 : DMM_RADIX_START_ROWS * partition->count_rows),
        .firsts_at = dmm_span_items(counts, index_bytes),
        .verdict_at = dmm_span_items(regions[VERDICT], word),
        .report_at = dmm_span_items(args->report_out, word),
        .offsets_at = dmm_span_items(args->offsets_out, word),
        .count_at = dmm_span_items(args->count, DMM_COUNT_BYTES),
        .chain = {dmm_span_items(regions[CHAIN], sizeof(dmm_u32)),
            dmm_partition_chain(partition, call->sizes.n).cleared},
        .values_chain = {dmm_span_items(regions[VALUES_CHAIN], sizeof(dmm_u32)),
            dmm_partition_values_chain(partition, call->sizes.n).cleared},
        .first = first,
        .end = first + call->sizes.n,
        .range = shares.range,
        .groups = (dmm_u32)shares.groups,
        .stride = partition->p.cpu ? (dmm_u32)shares.groups : 1,
        .code = DMM_BAD_DATA,
        .stamp = dmm_radix_stamp()};
}

/* Returns the offsets of what is copied. */
static dmm_copied_at copied_at(
    const dmm_word_layout *words, dmm_span from, dmm_span to, uint64_t first)
{
    const uint64_t before = first * words->words;
    return (dmm_copied_at){dmm_span_items(from, words->word_bytes) - before,
        dmm_span_items(to, words->word_bytes) - before};
}

/* Returns the buffer of a copy; NULL: none is made. */
static cl_mem copy_of(dmm_span in, dmm_span moved)
{
    return dmm_spans_equal(in, moved) ? NULL : moved.buffer;
}

static dmm_status find_buckets(const dmm_partition *partition, const dmm_call *call,
    const dmm_partition_call *c, const dmm_partition_moves *m)
{
    dmm_status status = DMM_OK;
    const dmm_partition_args *const args = call->args;
    TRY(dmm_call_launch(call, partition->bucket,
        DMM_BUFFERS(args->items_in.buffer, args->values_in.buffer, args->by.buffer,
            call->regions[BUCKETS].buffer, m->wrong.buffer, m->counts.buffer, m->chain.buffer,
            copy_of(args->items_in, m->items), copy_of(args->values_in, m->values),
            args->report_out.buffer, m->verdict.buffer, args->count.buffer),
        c, sizeof *c, (dmm_grid){0, c->groups, partition->p.u}));
    /* packing judges by itself, as does a group alone that does not count */
    if (partition->pack != NULL || (c->groups == 1 && !dmm_partition_moves_once(partition)))
        goto out;
    TRY(dmm_call_launch(call, partition->judge,
        DMM_BUFFERS(m->wrong.buffer, m->counts.buffer, args->report_out.buffer, m->verdict.buffer,
            args->offsets_out.buffer, args->count.buffer),
        c, sizeof *c, (dmm_grid){0, 1, partition->p.u}));
out:
    return status;
}

static dmm_status find_offsets(const dmm_partition *partition, const dmm_call *call,
    const dmm_partition_call *c, dmm_span counts)
{
    const dmm_partition_args *const args = call->args;
    const uint64_t offsets = partition->desc.ways + (uint64_t)1;
    return dmm_call_launch(call, partition->offsets,
        DMM_BUFFERS(call->regions[SORTED].buffer, call->regions[VERDICT].buffer,
            args->offsets_out.buffer, counts.buffer),
        c, sizeof *c, (dmm_grid){0, dmm_size_div_up(offsets, DMM_OFFSETS_U), DMM_OFFSETS_U});
}

/* Partitions the items of the call's arguments. */
static dmm_status partition_steps(const dmm_partition *partition, const dmm_call *call)
{
    dmm_status status = DMM_OK;
    const dmm_partition_args *const args = call->args;
    const dmm_span *const regions = call->regions;
    const uint64_t n = call->sizes.n, first = call->sizes.first;
    const partition_shares shares = share(partition, n);
    const dmm_span counts = shares.counts ? regions[COUNTS] : DMM_NONE;
    const uint64_t num_counts = partition->count_rows * shares.groups;
    const uint32_t value_bytes = partition->desc.value_bytes;
    dmm_partition_call c = numbers_of(partition, call, shares, counts);
    const dmm_partition_moves moves = {.items = dmm_partition_items(partition, call, COPY),
        .values = dmm_partition_values(partition, call, VALUES_COPY),
        .buckets = dmm_partition_stores_buckets(partition) ? regions[BUCKETS] : args->by,
        .sorted = regions[SORTED],
        .wrong = regions[WRONG],
        .verdict = regions[VERDICT],
        .chain = regions[CHAIN],
        .values_chain = regions[VALUES_CHAIN],
        .counts = counts,
        .temp = regions[MOVES],
        .groups = shares.groups,
        .range = shares.range,
        .stamp = c.stamp};
    c.copied = copied_at(&partition->item_words, args->items_in, moves.items, first);
    if (value_bytes != 0)
        c.carried = copied_at(&partition->value_words, args->values_in, moves.values, first);
    TRY(find_buckets(partition, call, &c, &moves));
    if (shares.counts && partition->scan != NULL)
        TRY(dmm_scan_counts(partition->scan, call, counts, num_counts, regions[SCAN]));
    TRY(dmm_partition_move(partition, call, &moves));
    if (!dmm_partition_moves_once(partition))
        TRY(find_offsets(partition, call, &c, counts));
out:
    return status;
}

dmm_status dmm_partition_steps(const void *object, dmm_call *call)
{
    dmm_status status = DMM_OK;
    const dmm_partition *const partition = object;
    const dmm_partition_args *const args = call->args;
    const int is_mapped = partition->store.mapping.inputs != 0;
    dmm_partition_args mapped = *args;
    dmm_call of_items = *call;
    const dmm_mapping_store_spans spans = {args->items_in,
        dmm_call_items(call, MAPPED, partition->item_bytes), args->count, args->further};
    of_items.args = &mapped;
    if (is_mapped)
        mapped.items_in = spans.out;
    TRY(dmm_mapping_store_run(&partition->store, call, &spans));
    TRY(partition_steps(partition, &of_items));
out:
    return status;
}

const dmm_class dmm_partition_class = {
    DMM_PARTITION_CLASS,
    .init = partition_init,
};

dmm_status dmm_partition_create(
    dmm_partition **out, dmm_context *ctx, const dmm_partition_desc *desc)
{
    return dmm_object_create(out, ctx, &dmm_partition_class, desc);
}

void dmm_partition_free(dmm_partition *partition)
{
    dmm_object_free(partition);
}

dmm_status dmm_partition_temp_bytes(uint64_t *out, const dmm_partition *partition, uint64_t n)
{
    return dmm_object_temp_bytes(out, partition, (dmm_sizes){.n = n});
}

dmm_status dmm_partition_enqueue(dmm_partition *partition, cl_command_queue queue,
    const dmm_partition_args *args, uint64_t n, cl_uint num_wait, const cl_event *wait,
    cl_event *event)
{
    const dmm_sizes sizes = {.n = n};
    return dmm_object_enqueue(partition, queue, args, sizes, num_wait, wait, event);
}

dmm_status dmm_partition_host_of(dmm_context *ctx, const dmm_class *class,
    const dmm_partition_desc *desc, const dmm_partition_host_args *host, size_t n)
{
    dmm_partition_args args = {.temp = DMM_NONE};
    dmm_report report = {.code = 0};
    if (host == NULL)
        return DMM_NULL_ARGUMENT;
    const dmm_host_array arrays[DMM_MAX_PORTS] = {{.from = host->items}, {.from = host->values},
        {.from = host->by}, {.to = host->items}, {.to = host->values}, {.to = host->offsets_out},
        {.to = host->report_out != NULL ? host->report_out : &report}};
    const dmm_sizes sizes = {.n = n};
    return dmm_object_host(ctx, class, desc, &args, sizes, arrays);
}

dmm_status dmm_partition_host(
    dmm_context *ctx, const dmm_partition_desc *desc, const dmm_partition_host_args *host, size_t n)
{
    return dmm_partition_host_of(ctx, &dmm_partition_class, desc, host, n);
}
