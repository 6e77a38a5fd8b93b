/* SPDX-License-Identifier: MIT */
/*
 * A dmm_order as kernels need it: the defines of cl/order.clh.
 */
#ifndef DMM_PRIMITIVES_ORDER_H
#define DMM_PRIMITIVES_ORDER_H

#include <dmm/types.h>

#include "core/options.h"

int dmm_is_float(dmm_type type);
int dmm_is_signed(dmm_type type); /* an integer type with negative numbers */
uint64_t dmm_kind(dmm_type type); /* a DMM_KIND_ of cl/items_call.clh, of numbers */

/* Checks an order. DMM_BAD_VALUE; DMM_UNSUPPORTED: `less` of doubles on a device without them. */
dmm_status dmm_order_check(const dmm_order *order, const dmm_device *device);

uint32_t dmm_order_key_bytes(const dmm_order *order);

void dmm_order_define(dmm_options *options, const dmm_order *order);

#endif
