/* SPDX-License-Identifier: MIT */
/*
 * Fused input: an OpenCL C expression that gives the items of a call, evaluated where the kernels
 * would read them. So a dot product, a norm, the number of items within bounds or a histogram of
 * computed bins is one pass over memory, without an array between. The dot product of two arrays:
 *
 *     dmm_map product = {.item = {DMM_F32}, .y = {DMM_F32}, .further = 1,
 *         .expression = "item * y"};
 *     dmm_reduce_desc desc = {.type = DMM_F32, .map = &product};
 *     dmm_status status = dmm_reduce_create(&reduce, ctx, &desc);
 *     dmm_reduce_args args = {.in = a, .further = &b, .out = sum};
 *
 * In             dmm_scan and dmm_reduce, both also by key and by segments, dmm_select, dmm_unique
 *                and dmm_histogram read through the map in every kernel that reads the input,
 *                dmm_axis in most. dmm_sort, dmm_partition, dmm_sort_segmented and
 *                dmm_topk_segmented write the items that it gives once, the last one to temp, and
 *                work on those
 * In place       where the call may be so without a map, if the items of input and output are of
 *                the same size; further inputs are apart from every output
 * Cost           that of the call, and the reads of the further inputs. The expression may be
 *                evaluated several times for an item
 * Bank claim     that of the call: no map changes an address in local memory
 * Host forms     take a map without further inputs; an array that they work on in place holds n
 *                items of the larger of both types
 * Errors         of the descriptions that have a map: DMM_BAD_VALUE; DMM_UNSUPPORTED (f64 without
 *                double); DMM_BUILD_FAILED: the compiler's message, in the context's log, calls the
 *                lines map.expression:1 and so on
 */
#ifndef DMM_MAP_H
#define DMM_MAP_H

#include <dmm/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The type of an input's items. Halves are their bits, ushort: "dmm_from_half(item)" is the number
 * (<dmm/types.h>). */
typedef struct dmm_map_type {
    dmm_type type;
    uint32_t item_bytes; /* DMM_ITEM only: 1 to 256, as sizeof says on the device */
} dmm_map_type;

/*
 * expression  over `item`, an item of the input; `y`, `z` and `w`, those of the further inputs at
 *             the same position; and `i`, that position, a ulong. It gives an item of the type that
 *             the description of the call states, and is converted to it as an assignment does:
 *             "item > 0 ? sqrt(item) : 0". NULL: "item"
 * declares    OpenCL C before the expressions: functions, and for DMM_ITEM the types dmm_map_item,
 *             dmm_map_y, dmm_map_z and dmm_map_w. It may use dmm_item, where the call has that
 *             type. NULL: nothing
 * out         scans only: an expression over `total`, the scanned value, and all of the above,
 *             whose results are written instead of `total`; they are of the type `result`.
 *             NULL: none
 * result      the type of `out`; for dmm_unique, whose keys have no type, that of `expression`
 *             (DMM_ITEM: dmm_item, which `declares` declares); elsewhere {0}
 */
typedef struct dmm_map {
    dmm_map_type item, y, z, w;
    uint32_t further; /* number of further inputs: 1: y, 2: y and z, 3: all */
    const char *expression;
    const char *declares;
    const char *out;
    dmm_map_type result;
    uint64_t reserved[4]; /* 0 */
} dmm_map;

#ifdef __cplusplus
}
#endif

#endif
