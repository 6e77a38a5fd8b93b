/* SPDX-License-Identifier: MIT */
/*
 * Orders as kernels need them.
 */
#include "primitives/order.h"

#include "cl/items_call.clh"
#include "core/refuse.h"
#include "primitives/words.h"

int dmm_is_float(dmm_type type)
{
    return type == DMM_F16 || type == DMM_F32 || type == DMM_F64;
}

int dmm_is_signed(dmm_type type)
{
    return type == DMM_I8 || type == DMM_I16 || type == DMM_I32 || type == DMM_I64;
}

uint64_t dmm_kind(dmm_type type)
{
    if (dmm_is_float(type))
        return DMM_KIND_FLOAT;
    return dmm_is_signed(type) ? DMM_KIND_SIGNED : DMM_KIND_UNSIGNED;
}

dmm_status dmm_order_check(const dmm_order *order, const dmm_device *device)
{
    const int item = order->type == DMM_ITEM;
    if (dmm_type_name(order->type) == NULL)
        return dmm_refuse(DMM_BAD_VALUE, "order.type: %d is no dmm_type", (int)order->type);
    if (order->zero_equal && !dmm_is_float(order->type))
        return dmm_refuse(DMM_BAD_VALUE, "order.zero_equal: is for floats, and order.type is %s",
            dmm_type_name(order->type));
    if (item && (order->item == NULL || order->less == NULL))
        return dmm_refuse(DMM_BAD_VALUE, "order.%s: is NULL, DMM_ITEM needs it",
            order->item == NULL ? "item" : "less");
    if (item && (order->item_bytes < 1 || order->item_bytes > DMM_MAX_ITEM_BYTES))
        return dmm_refuse(DMM_BAD_VALUE, "order.item_bytes: DMM_ITEM needs 1 to %d, is %u",
            DMM_MAX_ITEM_BYTES, (unsigned)order->item_bytes);
    if (!item && (order->item != NULL || order->item_bytes != 0))
        return dmm_refuse(DMM_BAD_VALUE, "order.%s: is for DMM_ITEM, and order.type is %s",
            order->item != NULL ? "item" : "item_bytes", dmm_type_name(order->type));
    if (order->less != NULL && order->type == DMM_F64 && !device->fp64.value)
        return dmm_refuse(DMM_UNSUPPORTED, "order.less: this device does not compute with doubles");
    return DMM_OK;
}

uint32_t dmm_order_key_bytes(const dmm_order *order)
{
    return order->type == DMM_ITEM ? order->item_bytes : dmm_type_bytes(order->type);
}

void dmm_order_define(dmm_options *options, const dmm_order *order)
{
    dmm_options_define(
        options, "DMM_KEY_KIND", order->less != NULL ? DMM_KIND_LESS : dmm_kind(order->type));
    dmm_options_define(options, "DMM_KEY_BYTES", dmm_order_key_bytes(order));
    dmm_options_define(options, "DMM_DESCENDING", order->descending != 0);
    dmm_options_define(options, "DMM_ZERO_EQUAL", order->zero_equal && order->less == NULL);
}
