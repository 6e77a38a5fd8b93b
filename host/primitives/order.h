/* SPDX-License-Identifier: MIT */
/*
 * From a dmm_order and a value size to what kernels need: the defines of cl/order.clh, cl/tile.clh
 * and cl/values.clh, and the caller's item type and expression as a prelude.
 */
#ifndef DMM_PRIMITIVES_ORDER_H
#define DMM_PRIMITIVES_ORDER_H

#include "cl/items_call.clh"
#include "core/context.h"
#include "core/launch.h"

/* The most items that kernels with 32-bit positions take: no sum of two positions overflows. */
#define DMM_MAX_NARROW ((uint64_t)1 << 31)

typedef struct dmm_item_layout {
    uint32_t key_bytes;
    uint32_t value_bytes; /* as the caller sees them; 0: none */
    uint32_t moved_bytes; /* of what moves with a key: the value, or a position in its place; 0:
                             nothing */
    int by_position;      /* positions move, dmm_gather_values fetches the values at the end */
    uint32_t plane_bytes; /* width of a word of a key in local memory */
    uint32_t planes;      /* words a key */
    int ties;             /* equal keys can be told apart: positions are carried */
    uint32_t index_bytes; /* 4 where every position of a call fits in 31 bits, else 8 */
} dmm_item_layout;

/* Checks the order and lays items out. max_n = 0: as many as the device's largest buffer holds.
 * `positions`: the values are positions by the caller's wish. DMM_BAD_VALUE, DMM_UNSUPPORTED. */
dmm_status dmm_item_layout_init(dmm_item_layout *out, const dmm_device *device,
    const dmm_order *order, uint32_t value_bytes, int positions, uint64_t max_n);

/* What a tile of such items takes in local memory. */
dmm_footprint dmm_item_footprint(const dmm_item_layout *layout, const dmm_device *device);

void dmm_item_define(dmm_options *options, const dmm_item_layout *layout, const dmm_order *order);
void dmm_parameters_define(dmm_options *options, const dmm_parameters *p, const dmm_device *device);

/* The most items of a call: what the positions, and values that are positions, can count, or max_n
 * if that is less. */
uint64_t dmm_item_limit(const dmm_item_layout *layout, int positions, uint64_t max_n);

/* Keys and what moves with them. */
typedef struct dmm_item_spans {
    dmm_span keys;
    dmm_span values;
} dmm_item_spans;

/* Offset of a span in items; every offset was checked to be a multiple. */
cl_ulong dmm_span_items(dmm_span span, uint32_t item_bytes);

/* The offsets of a list whose first item has position `first`. */
dmm_list_at dmm_list_from(const dmm_item_layout *layout, dmm_item_spans spans, uint64_t first);

/* The prelude, to be freed; "" where the order needs none. NULL: out of memory. */
char *dmm_order_prelude(const dmm_order *order);

#endif
