/* SPDX-License-Identifier: MIT */
/*
 * A stable partition is a radix sort of bucket numbers with the items as values: buckets found and
 * judged, sorted by dmm_sort, once with the items and once with their values, and searched for
 * where each begins. Here is what is built; partition_call.c has the calls.
 */
#include "primitives/partition.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/size.h"
#include "primitives/sort.h"

enum { MAX_WAYS = 65536, MAX_BYTES = 256, MAX_BITS = 16 };

/* What `by` does not ask for must not be given. */
static dmm_status check_by(const dmm_partition_desc *desc)
{
    const dmm_bits bits = desc->bits;
    const int by_bits = desc->by == DMM_BY_BITS, by_labels = desc->by == DMM_BY_LABELS;
    if ((desc->expression != NULL) != (desc->by == DMM_BY_EXPRESSION) ||
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
    if (desc->ways < 1 || desc->ways > MAX_WAYS || (unsigned)desc->by > DMM_BY_EXPRESSION ||
        (unsigned)desc->method > DMM_PARTITION_MATRIX || dmm_type_name(order->type) == NULL ||
        desc->value_bytes > MAX_BYTES)
        return DMM_BAD_VALUE;
    if (order->type == DMM_ITEM && (order->item_bytes < 1 || order->item_bytes > MAX_BYTES))
        return DMM_BAD_VALUE;
    return label > 4 || label == 3 ? DMM_BAD_VALUE : check_by(desc);
}

static int is_read(uint32_t bytes)
{
    return bytes <= 8 && dmm_is_power_of_two(bytes);
}

/* What the kernels are told of the items: nothing, where labels decide; an expression sees them as
 * they are, and no order. */
static dmm_order order_of(const dmm_partition_desc *desc)
{
    dmm_order order = desc->order;
    if (desc->by == DMM_BY_LABELS)
        return (dmm_order){.type = DMM_U8};
    if (desc->by == DMM_BY_EXPRESSION && order.less == NULL)
        order.less = "0";
    return order;
}

static dmm_status choose(dmm_partition *partition, const dmm_order *order)
{
    dmm_status status = DMM_OK;
    const dmm_partition_desc *desc = &partition->desc;
    const dmm_device *device = &partition->ctx->device;
    const int sees_values = desc->by == DMM_BY_EXPRESSION && is_read(desc->value_bytes);
    partition->item_bytes =
        desc->order.type == DMM_ITEM ? desc->order.item_bytes : dmm_type_bytes(desc->order.type);
    partition->label_bytes = desc->label_bytes != 0 ? desc->label_bytes : 4;
    partition->bucket_bytes = desc->ways <= 256 ? 1 : 2;
    partition->max_n =
        desc->max_n != 0 ? desc->max_n : device->max_buffer.value / partition->item_bytes;
    TRY(dmm_item_layout_init(&partition->layout, device, order, sees_values ? desc->value_bytes : 0,
        0, partition->max_n));
    const dmm_footprint footprint = {.item_bytes = partition->layout.key_bytes,
        .group_bytes = partition->layout.index_bytes,
        .word = desc->order.type != DMM_ITEM ? "partition" : NULL};
    TRY(dmm_context_choose(&partition->p, partition->ctx, &desc->tuning, &footprint));
out:
    return status;
}

/* The items' order, and the caller's expression as a function; to be freed. NULL: out of memory. */
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
    const dmm_partition_desc *desc = &partition->desc;
    dmm_programs *programs = &partition->ctx->programs;
    const uint32_t u = partition->p.u;
    dmm_options options = {.bytes = 0};
    cl_program program = NULL;
    char *prelude = prelude_of(partition, order);
    const dmm_program_desc text = {
        .root = "cl/partition.cl", .options = &options, .prelude = prelude};
    FAIL_IF(prelude == NULL, DMM_OUT_OF_MEMORY);
    dmm_parameters_define(&options, &partition->p, &partition->ctx->device);
    dmm_item_define(&options, &partition->layout, order);
    dmm_options_define(&options, "DMM_SORT_POSITIONS", 0);
    dmm_options_define(&options, "DMM_MERGE_POSITIONS", 0);
    dmm_options_define(&options, "DMM_BY", desc->by);
    dmm_options_define(&options, "DMM_WAYS", desc->ways);
    dmm_options_define(&options, "DMM_BIT", desc->bits.begin);
    dmm_options_define(&options, "DMM_BITS", desc->bits.end - desc->bits.begin);
    dmm_options_define(&options, "DMM_LABEL_BYTES", partition->label_bytes);
    dmm_options_define(&options, "DMM_OFFSETS_U", DMM_OFFSETS_U);
    dmm_options_define(&options, "DMM_COUNT_ROWS", partition->count_rows);
    TRY(dmm_programs_get(programs, &text, &program));
    TRY(dmm_programs_kernel(programs, program, "dmm_partition_bucket", u, &partition->bucket));
    TRY(dmm_programs_kernel(programs, program, "dmm_partition_judge", u, &partition->judge));
    TRY(dmm_programs_kernel(
        programs, program, "dmm_partition_offsets", DMM_OFFSETS_U, &partition->offsets));
out:
    free(prelude);
    return status;
}

/* What a pass of the sort's CPU form looks at is counted beforehand. */
static dmm_status build_scan(dmm_partition *partition)
{
    const dmm_scan_desc scan = {.type = partition->layout.index_bytes == 8 ? DMM_U64 : DMM_U32,
        .exclusive = 1,
        .max_n = (uint64_t)partition->count_rows * partition->p.most_groups,
        .tuning = {.form = DMM_FORM_CPU}};
    return partition->count_rows != 0 ? dmm_scan_create(&partition->scan, partition->ctx, &scan)
                                      : DMM_OK;
}

/* A sort by bucket of what moves with it: value_bytes bytes an item. */
static dmm_status create_sort(dmm_sort **out, const dmm_partition *partition, uint32_t value_bytes)
{
    const dmm_partition_desc *desc = &partition->desc;
    uint32_t bits = 1;
    while (desc->ways > (uint32_t)1 << bits)
        bits++;
    const int matrix = desc->method == DMM_PARTITION_MATRIX;
    const dmm_sort_desc sort = {.order = {.type = partition->bucket_bytes == 1 ? DMM_U8 : DMM_U16},
        .value_bytes = value_bytes,
        .method = matrix ? DMM_SORT_MATRIX : DMM_SORT_RADIX,
        .bits = {0, bits},
        .guarantee = desc->guarantee,
        .max_n = partition->max_n,
        .tuning = desc->tuning};
    return matrix ? dmm_sort_create_by(out, partition->ctx, &sort, &dmm_sort_by_radix, 0)
                  : dmm_sort_create(out, partition->ctx, &sort);
}

/* Where one pass moves all, of items and of values alike. */
static uint32_t count_rows_of(const dmm_partition *partition)
{
    const dmm_radix_sort *items = &partition->items->by.radix;
    const dmm_sort *values = partition->values;
    const uint64_t n = UINT64_MAX / 2;
    return partition->p.cpu && dmm_radix_share(items, n).groups != 0 &&
                   (values == NULL || dmm_radix_share(&values->by.radix, n).groups != 0)
               ? 1u << (items->end_bit - items->begin_bit)
               : 0;
}

static dmm_status create(dmm_partition **out, dmm_context *ctx, const dmm_partition_desc *desc)
{
    dmm_status status = DMM_OK;
    dmm_partition *partition = NULL;
    if (out == NULL)
        return DMM_NULL_ARGUMENT;
    *out = NULL;
    FAIL_IF(ctx == NULL || desc == NULL, DMM_NULL_ARGUMENT);
    TRY(check_desc(desc));
    FAIL_IF((partition = calloc(1, sizeof *partition)) == NULL, DMM_OUT_OF_MEMORY);
    partition->ctx = ctx;
    partition->desc = *desc;
    if (desc->method == DMM_PARTITION_MATRIX) {
        FAIL_IF(desc->tuning.form == DMM_FORM_CPU, DMM_UNSUPPORTED);
        if (desc->tuning.form == DMM_FORM_DEFAULT)
            partition->desc.tuning.form = DMM_FORM_GPU;
    }
    const dmm_order order = order_of(desc);
    TRY(choose(partition, &order));
    TRY(create_sort(&partition->items, partition, partition->item_bytes));
    if (desc->value_bytes != 0)
        TRY(create_sort(&partition->values, partition, desc->value_bytes));
    partition->count_rows = count_rows_of(partition);
    TRY(build(partition, &order));
    TRY(build_scan(partition));
    *out = partition;
    return DMM_OK;
out:
    dmm_partition_free(partition);
    return status;
}

dmm_status dmm_partition_create(
    dmm_partition **out, dmm_context *ctx, const dmm_partition_desc *desc)
{
    const dmm_status status = create(out, ctx, desc);
    return dmm_context_drops_rows(ctx, "partition", status) ? create(out, ctx, desc) : status;
}

void dmm_partition_free(dmm_partition *partition)
{
    if (partition == NULL)
        return;
    const cl_kernel kernels[] = {partition->bucket, partition->judge, partition->offsets};
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++)
        if (kernels[i] != NULL)
            clReleaseKernel(kernels[i]);
    dmm_scan_free(partition->scan);
    dmm_sort_free(partition->items);
    dmm_sort_free(partition->values);
    free(partition);
}
