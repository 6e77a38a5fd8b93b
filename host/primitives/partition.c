/* SPDX-License-Identifier: MIT */
/*
 * A stable partition is a radix sort of bucket numbers with the items as values. Kernels find and
 * check the buckets; the items are sorted by bucket, then the values; a search finds where each
 * bucket begins. This file creates; partition_call.c has the steps.
 */
#include "primitives/partition.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cl/partition_call.clh"
#include "core/check.h"
#include "core/size.h"
#include "primitives/order.h"

_Static_assert(
    DMM_BY_LABELS == DMM_PARTITION_BY_LABELS && DMM_BY_SPLITTERS == DMM_PARTITION_BY_SPLITTERS &&
        DMM_BY_BITS == DMM_PARTITION_BY_BITS && DMM_BY_EXPRESSION == DMM_PARTITION_BY_EXPRESSION,
    "the kernels' numbers are those of dmm_partition_by");

/* The methods: how a pass sorts its tiles. NULL: as in a sort by radix; others: GPU form only. */
static const dmm_tile_by *const methods[] = {
    [DMM_PARTITION_RADIX] = NULL, /* auto, too */
    [DMM_PARTITION_MATRIX] = &dmm_tile_by_route,
    [DMM_PARTITION_BLOCKS] = &dmm_tile_by_blocks,
};

enum { DEFAULT_WAYS = 2, MAX_WAYS = 65536, MAX_BYTES = 256, MAX_BITS = 16 };

/* Rejects fields that `by` does not use. */
static dmm_status check_by(const dmm_partition_desc *desc)
{
    const dmm_bits bits = desc->bits;
    const int by_bits = desc->by == DMM_PARTITION_BY_BITS,
              by_labels = desc->by == DMM_PARTITION_BY_LABELS;
    if ((desc->expression != NULL) != (desc->by == DMM_PARTITION_BY_EXPRESSION) ||
        (!by_bits && (bits.begin != 0 || bits.end != 0)) || (!by_labels && desc->label_bytes != 0))
        return DMM_BAD_VALUE;
    if (!by_bits)
        return DMM_OK;
    if (desc->order.type > DMM_I64 || desc->order.less != NULL)
        return DMM_UNSUPPORTED;
    return bits.begin >= bits.end || bits.end > 8 * dmm_type_bytes(desc->order.type) ||
                   bits.end - bits.begin > MAX_BITS
               ? DMM_BAD_VALUE
               : DMM_OK;
}

static dmm_status check_desc(const dmm_partition_desc *desc)
{
    const uint32_t label = desc->label_bytes;
    const dmm_order *order = &desc->order;
    if (desc->ways > MAX_WAYS || (unsigned)desc->by > DMM_PARTITION_BY_EXPRESSION ||
        (size_t)desc->method >= sizeof methods / sizeof *methods ||
        dmm_type_name(order->type) == NULL || desc->value_bytes > MAX_BYTES)
        return DMM_BAD_VALUE;
    if (order->type == DMM_ITEM && (order->item_bytes < 1 || order->item_bytes > MAX_BYTES))
        return DMM_BAD_VALUE;
    return label > 4 || label == 3 ? DMM_BAD_VALUE : check_by(desc);
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
    const dmm_footprint footprint = {.item_bytes = partition->layout.key_bytes,
        .group_bytes = partition->layout.index_bytes,
        .word = desc->order.type != DMM_ITEM ? "partition" : NULL};
    TRY(dmm_context_choose(&partition->p, partition->object.ctx, &desc->tuning, &footprint));
out:
    return status;
}

/* Returns the items' order and the caller's expression as a function, to be freed. NULL: out of
 * memory. */
static char *prelude_of(const dmm_partition *partition, const dmm_order *order)
{
    static const char format[] =
        "%s\nstatic inline ulong dmm_bucket_of(const dmm_item key, %sconst ulong i)\n"
        "{\n    return (ulong)convert_long_sat(\n#line 1 \"expression\"\n%s\n);\n}\n";
    static const char *const values[] = {[0] = "",
        [1] = "const uchar value, ",
        [2] = "const ushort value, ",
        [4] = "const uint value, ",
        [8] = "const ulong value, "};
    const char *expression = partition->desc.expression;
    char *before = dmm_order_prelude(order), *text = NULL;
    if (expression == NULL || before == NULL)
        return before;
    const char *value = values[partition->layout.value_bytes];
    const size_t bytes = sizeof format + strlen(before) + strlen(value) + strlen(expression);
    if ((text = malloc(bytes)) != NULL)
        snprintf(text, bytes, format, before, value, expression);
    free(before);
    return text;
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
    const dmm_program_desc text = {"cl/partition.cl", &options, prelude};
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
    TRY(dmm_programs_get(&ctx->programs, &text, &program));
    TRY(dmm_object_kernel(partition, program, "dmm_partition_bucket", u, &partition->bucket));
    TRY(dmm_object_kernel(partition, program, "dmm_partition_judge", u, &partition->judge));
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
        .tile_by = methods[desc->method],
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
    const int gpu =
        dmm_radix_takes_rows(items, n) &&
        (values == NULL || (dmm_radix_takes_rows(values, n) && values->p.digit == items->p.digit));
    return cpu   ? 1u << (items->end_bit - items->begin_bit)
           : gpu ? (uint32_t)dmm_radix_most_counts(items, 1)
                 : 0;
}

static dmm_status partition_init(void *object)
{
    dmm_status status = DMM_OK;
    dmm_partition *const partition = object;
    dmm_partition_desc *const desc = &partition->desc;
    TRY(check_desc(desc));
    desc->ways = desc->ways != 0 ? desc->ways : DEFAULT_WAYS;
    const dmm_tile_by *const tile_by = methods[desc->method];
    if (tile_by != NULL) {
        FAIL_IF(desc->tuning.form == DMM_FORM_CPU, DMM_UNSUPPORTED);
        FAIL_IF(desc->guarantee && !tile_by->conflict_free, DMM_UNSUPPORTED);
        if (desc->tuning.form == DMM_FORM_DEFAULT)
            desc->tuning.form = DMM_FORM_GPU;
    }
    const dmm_order order = order_of(desc);
    TRY(choose(partition, &order));
    TRY(build_radix(partition, partition->item_bytes, &partition->items));
    if (desc->value_bytes != 0)
        TRY(build_radix(partition, desc->value_bytes, &partition->values));
    partition->count_rows = count_rows_of(partition);
    TRY(build(partition, &order));
    TRY(build_scan(partition));
out:
    return status;
}

uint64_t dmm_partition_by_items(const dmm_partition *partition, uint64_t n)
{
    return partition->desc.by == DMM_PARTITION_BY_LABELS      ? n
           : partition->desc.by == DMM_PARTITION_BY_SPLITTERS ? partition->desc.ways - 1
                                                              : 0;
}

uint32_t dmm_partition_by_bytes(const dmm_partition *partition)
{
    return partition->desc.by == DMM_PARTITION_BY_LABELS ? partition->label_bytes
                                                         : partition->item_bytes;
}

static size_t partition_ports(
    const void *object, const void *args, const dmm_sizes *sizes, dmm_port ports[DMM_MAX_PORTS])
{
    const dmm_partition *const partition = object;
    const uint32_t item = partition->item_bytes, value = partition->desc.value_bytes, word = 8;
    const uint64_t n = sizes->n, by = dmm_partition_by_items(partition, n);
    const dmm_port list[] = {
        {DMM_READS(dmm_partition_args, items_in, n, item), .pair = 1},
        {DMM_READS(dmm_partition_args, values_in, n, value), .pair = 2},
        {DMM_READS(dmm_partition_args, by, by, dmm_partition_by_bytes(partition))},
        {DMM_WRITES(dmm_partition_args, items_out, n, item), .pair = 1},
        {DMM_WRITES(dmm_partition_args, values_out, n, value), .pair = 2},
        {DMM_WRITES(dmm_partition_args, offsets, partition->desc.ways + (uint64_t)1, word)},
        {DMM_WRITES_REPORT(dmm_partition_args)},
        {DMM_READS_COUNT(dmm_partition_args)},
    };
    (void)args;
    return DMM_PORTS(ports, list);
}

const dmm_class dmm_partition_class = {
    DMM_CLASS(dmm_partition),
    .word = "partition",
    .init = partition_init,
    .ports = partition_ports,
    .lay_out = dmm_partition_lay_out,
    .steps = dmm_partition_steps,
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

dmm_status dmm_partition_host(
    dmm_context *ctx, const dmm_partition_desc *desc, const dmm_partition_host_args *host, size_t n)
{
    dmm_partition_args args = {.temp = DMM_NONE};
    dmm_report report = {.code = 0};
    if (host == NULL)
        return DMM_NULL_ARGUMENT;
    const dmm_host_array arrays[DMM_MAX_PORTS] = {{.from = host->items}, {.from = host->values},
        {.from = host->by}, {.to = host->items}, {.to = host->values}, {.to = host->offsets},
        {.to = host->report != NULL ? host->report : &report}};
    const dmm_sizes sizes = {.n = n};
    return dmm_object_host(ctx, &dmm_partition_class, desc, &args, sizes, arrays);
}
