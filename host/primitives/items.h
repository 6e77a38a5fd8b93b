/* SPDX-License-Identifier: MIT */
/*
 * Items: keys and what moves with them. Values that do not move with their keys are represented by
 * positions (cl/values.clh), and dmm_gather_values fetches the values at the end.
 */
#ifndef DMM_PRIMITIVES_ITEMS_H
#define DMM_PRIMITIVES_ITEMS_H

#include "cl/items_call.clh"
#include "core/object.h"

enum { DMM_MAX_MOVED_BYTES = 8 }; /* longer values do not move with their keys */

typedef struct dmm_item_layout {
    uint32_t key_bytes;
    uint32_t value_bytes; /* bytes of a caller's value; 0: none */
    uint32_t moved_bytes; /* bytes that move with a key: value or position; 0: none */
    int by_position;      /* positions move, dmm_gather_values fetches the values at the end */
    uint32_t plane_bytes; /* width of a word of a key in local memory */
    uint32_t planes;      /* words a key */
    int ties;             /* equal keys can be distinguished, so positions are carried */
    int packed;           /* one word holds a key's code and its position */
    uint32_t index_bytes; /* width of positions: 4 or 8 */
} dmm_item_layout;

/* Checks the order and lays items out. max_n = 0: as many as the device's largest buffer holds.
 * positions: argsort, the values are the items' positions. DMM_BAD_VALUE, DMM_UNSUPPORTED. */
dmm_status dmm_item_layout_init(dmm_item_layout *out, const dmm_device *device,
    const dmm_order *order, uint32_t value_bytes, int positions, uint64_t max_n);

/* Packs codes and positions where that is possible, for a tile of the GPU form that is sorted or
 * merged by comparing items. */
void dmm_item_pack(dmm_item_layout *layout, const dmm_order *order);

/* Returns the local memory needs of tiles of such items. */
dmm_footprint dmm_item_footprint(const dmm_item_layout *layout, const dmm_device *device);

/* Defines the macros of cl/order.clh and cl/tile.clh. */
void dmm_item_define(dmm_options *options, const dmm_item_layout *layout, const dmm_order *order);

/* Returns the most items of a call: max_n, or as many as positions, and values that are positions,
 * can count. */
uint64_t dmm_item_limit(const dmm_item_layout *layout, int positions, uint64_t max_n);

typedef struct dmm_item_spans {
    dmm_span keys;
    dmm_span values;
} dmm_item_spans;

/* Returns the offsets of a list whose first item has position `first`. */
dmm_list_at dmm_list_from(const dmm_item_layout *layout, dmm_item_spans spans, uint64_t first);

/* Defines the macros of cl/values.clh. positions: argsort. sorts: the sort's first step creates the
 * positions; otherwise the merge does. */
void dmm_values_define(
    dmm_options *options, const dmm_item_layout *layout, int positions, int sorts);

/* Creates the gather kernel, of a program of its own, for an object, which owns it; leaves *out
 * alone if values move themselves. */
dmm_status dmm_values_kernel(void *object, const dmm_item_layout *layout, cl_kernel *out);

/* out[i] = value at positions[i], 0 <= i < n: positions first .. first + na - 1 are in a, the next
 * nb in b. */
typedef struct dmm_gathering {
    dmm_span positions, a, b, out;
    uint64_t first, na, nb, n;
    dmm_span count; /* device memory: number of items, if fewer than n */
} dmm_gathering;

dmm_status dmm_values_gather(
    const dmm_call *call, cl_kernel kernel, const dmm_item_layout *layout, const dmm_gathering *g);

#endif
