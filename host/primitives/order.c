/* SPDX-License-Identifier: MIT */
/*
 * Orders and item layouts, as kernels see them.
 */
#include "primitives/order.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/size.h"

enum { KIND_UNSIGNED = 0, KIND_SIGNED = 1, KIND_FLOAT = 2, KIND_LESS = 3 };
enum { MAX_ITEM_BYTES = 256, MAX_MOVED_BYTES = 8 };

static int is_float(dmm_type type)
{
    return type == DMM_F16 || type == DMM_F32 || type == DMM_F64;
}

static uint64_t kind_of(const dmm_order *order)
{
    if (order->less != NULL)
        return KIND_LESS;
    if (is_float(order->type))
        return KIND_FLOAT;
    return order->type == DMM_I8 || order->type == DMM_I16 || order->type == DMM_I32 ||
           order->type == DMM_I64;
}

static dmm_status check_order(const dmm_order *order, const dmm_device *device)
{
    const int item = order->type == DMM_ITEM;
    if (dmm_type_name(order->type) == NULL || (order->zero_equal && !is_float(order->type)))
        return DMM_BAD_VALUE;
    if (item && (order->item == NULL || order->less == NULL || order->item_bytes < 1 ||
                    order->item_bytes > MAX_ITEM_BYTES))
        return DMM_BAD_VALUE;
    if (!item && (order->item != NULL || order->item_bytes != 0))
        return DMM_BAD_VALUE;
    if (order->less != NULL && order->type == DMM_F64 && !device->fp64.value)
        return DMM_UNSUPPORTED;
    return DMM_OK;
}

/* The narrowest words that fill a bank, or pairs of them where that halves their number. */
static void choose_planes(dmm_item_layout *layout, const dmm_device *device)
{
    const uint32_t bytes = layout->key_bytes;
    layout->plane_bytes = bytes % 8 == 0 || device->bank_bytes.value == 8 ? 8 : 4;
    layout->planes = (bytes + layout->plane_bytes - 1) / layout->plane_bytes;
}

static int moves_itself(uint32_t value_bytes)
{
    return value_bytes <= MAX_MOVED_BYTES && (value_bytes & (value_bytes - 1)) == 0;
}

dmm_status dmm_item_layout_init(dmm_item_layout *out, const dmm_device *device,
    const dmm_order *order, uint32_t value_bytes, int positions, uint64_t max_n)
{
    dmm_status status = DMM_OK;
    TRY(check_order(order, device));
    FAIL_IF(value_bytes > MAX_ITEM_BYTES, DMM_BAD_VALUE);
    FAIL_IF(positions && value_bytes != 4 && value_bytes != 8, DMM_BAD_VALUE);
    *out = (dmm_item_layout){
        .key_bytes = order->type == DMM_ITEM ? order->item_bytes : dmm_type_bytes(order->type),
        .value_bytes = value_bytes,
        .ties = value_bytes != 0 || order->less != NULL || order->zero_equal,
    };
    const uint64_t most = max_n != 0 ? max_n : device->max_buffer.value / out->key_bytes;
    out->index_bytes = most <= DMM_MAX_NARROW ? 4 : 8;
    out->by_position = !moves_itself(value_bytes);
    out->moved_bytes = out->by_position ? out->index_bytes : value_bytes;
    choose_planes(out, device);
out:
    return status;
}

/* Where positions go along, sorting networks cost more than they save beyond the shortest runs. */
enum { CPU_E_ALONE = 16, CPU_E_TIES = 4 };

dmm_footprint dmm_item_footprint(const dmm_item_layout *layout, const dmm_device *device)
{
    const uint32_t word_bytes = (uint32_t)device->bank_bytes.value;
    return (dmm_footprint){
        .item_bytes = layout->key_bytes + layout->moved_bytes,
        .planes = layout->planes + (layout->ties != 0),
        .plane_bytes = layout->plane_bytes,
        .group_bytes = word_bytes,
        .cpu_E = layout->ties ? CPU_E_TIES : CPU_E_ALONE,
    };
}

uint64_t dmm_item_limit(const dmm_item_layout *layout, int positions, uint64_t max_n)
{
    uint64_t most = max_n != 0 ? max_n : UINT64_MAX / 2;
    if (layout->index_bytes == 4 && most > DMM_MAX_NARROW)
        most = DMM_MAX_NARROW;
    if (positions && layout->value_bytes == 4 && most > (uint64_t)1 << 32)
        most = (uint64_t)1 << 32;
    return most;
}

cl_ulong dmm_span_items(dmm_span span, uint32_t item_bytes)
{
    return item_bytes != 0 ? span.offset_bytes / item_bytes : 0;
}

dmm_list_at dmm_list_from(const dmm_item_layout *layout, dmm_item_spans spans, uint64_t first)
{
    return (dmm_list_at){dmm_span_items(spans.keys, layout->key_bytes) - first,
        dmm_span_items(spans.values, layout->moved_bytes) - first};
}

void dmm_item_define(dmm_options *options, const dmm_item_layout *layout, const dmm_order *order)
{
    dmm_options_define(options, "DMM_KEY_KIND", kind_of(order));
    dmm_options_define(options, "DMM_KEY_BYTES", layout->key_bytes);
    dmm_options_define(options, "DMM_DESCENDING", order->descending != 0);
    dmm_options_define(options, "DMM_ZERO_EQUAL", order->zero_equal && order->less == NULL);
    dmm_options_define(options, "DMM_TIES", (uint64_t)layout->ties);
    dmm_options_define(options, "DMM_PLANE_BYTES", layout->plane_bytes);
    dmm_options_define(options, "DMM_PLANES", layout->planes);
    dmm_options_define(options, "DMM_VALUE_BYTES", layout->moved_bytes);
    dmm_options_define(options, "DMM_INDEX_BYTES", layout->index_bytes);
}

void dmm_parameters_define(dmm_options *options, const dmm_parameters *p, const dmm_device *device)
{
    dmm_options_define(options, "DMM_U", p->u);
    dmm_options_define(options, "DMM_E", p->E);
    dmm_options_define(options, "DMM_TILE", p->tile);
    dmm_options_define(options, "DMM_W", device->banks.value);
    dmm_options_define(options, "DMM_BANK_BYTES", device->bank_bytes.value);
    dmm_options_define(options, "DMM_PLAIN_SEARCH", (uint64_t)p->plain_search);
}

/* What a key of a built-in type is called in OpenCL C; halves are their bits. */
static const char *opencl_type(dmm_type type)
{
    static const char *const names[] = {
        [DMM_U32] = "uint",
        [DMM_U8] = "uchar",
        [DMM_I8] = "char",
        [DMM_U16] = "ushort",
        [DMM_I16] = "short",
        [DMM_I32] = "int",
        [DMM_U64] = "ulong",
        [DMM_I64] = "long",
        [DMM_F16] = "ushort",
        [DMM_F32] = "float",
        [DMM_F64] = "double",
    };
    return names[type];
}

char *dmm_order_prelude(const dmm_order *order)
{
    static const char format[] = "#line 1 \"item\"\n%s%s%s\n"
                                 "static inline int dmm_item_less(const dmm_item a, "
                                 "const dmm_item b)\n"
                                 "{\n    return (\n#line 1 \"less\"\n%s\n) ? 1 : 0;\n}\n";
    const int item = order->type == DMM_ITEM;
    if (order->less == NULL)
        return calloc(1, 1);
    const char *before = item ? "" : "typedef ",
               *type = item ? order->item : opencl_type(order->type);
    const char *after = item ? "" : " dmm_item;";
    const size_t bytes =
        sizeof format + strlen(before) + strlen(type) + strlen(after) + strlen(order->less);
    char *text = malloc(bytes);
    if (text != NULL)
        snprintf(text, bytes, format, before, type, after, order->less);
    return text;
}
