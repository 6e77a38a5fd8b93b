/* SPDX-License-Identifier: MIT */
/*
 * The sum, the maximum or the minimum of all items, or what an operator of the caller's makes of
 * them, in their order.
 *
 * In place       no: the result is apart from the items, which stay untouched
 * Cost           each item is read once, by one kernel; a second one combines one item per group
 * Bank claim     every kernel `conflict-free`; the CPU form uses no local memory
 * Temp           one item per group; the device, not n, limits the groups (see
 *                dmm_reduce_temp_bytes)
 * No items       give the identity: the operator's; or 0 for sum, for max the least integer or
 *                -infinity, for min the greatest integer or the NaN that is last in the order
 * Items          wrap, round and compare as those of dmm_scan do: <dmm/scan.h>
 * Source         G. Blelloch, "Prefix Sums and Their Applications", 1990, section 1.1
 */
#ifndef DMM_REDUCE_H
#define DMM_REDUCE_H

#include <dmm/scan.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dmm_reduce_desc {
    dmm_type type; /* as in dmm_scan_desc */
    dmm_scan_op op;
    uint64_t max_n;          /* largest n of a call; 0: as many as the device can hold */
    dmm_tuning tuning;       /* as in dmm_scan_desc */
    const dmm_operator *own; /* as in dmm_scan_desc */
    const dmm_map *map;      /* <dmm/map.h>: what to reduce; NULL: the input's items */
    uint64_t reserved[2];    /* 0 */
} dmm_reduce_desc;

typedef struct dmm_reduce_args {
    dmm_span in;
    dmm_span out; /* one item */
    dmm_span temp;
    dmm_span count;          /* as in dmm_sort_args */
    const dmm_span *further; /* as in dmm_scan_args */
    uint64_t reserved[3];    /* 0 */
} dmm_reduce_args;

/* Built for one context and one description; for one thread at a time. */
typedef struct dmm_reduce dmm_reduce;

/* Errors as dmm_scan_create. */
DMM_API dmm_status dmm_reduce_create(
    dmm_reduce **out, dmm_context *ctx, const dmm_reduce_desc *desc);
/* Monotone in n. DMM_TOO_LARGE beyond max_n. */
DMM_API dmm_status dmm_reduce_temp_bytes(uint64_t *out, const dmm_reduce *reduce, uint64_t n);
/* Errors and events as dmm_sort_enqueue. n = 0 writes the identity. */
DMM_API dmm_status dmm_reduce_enqueue(dmm_reduce *reduce, cl_command_queue queue,
    const dmm_reduce_args *args, uint64_t n, cl_uint num_wait, const cl_event *wait,
    cl_event *event);
/* NULL is fine. */
DMM_API void dmm_reduce_free(dmm_reduce *reduce);
/* Reduces a host array into *out, one item, and blocks. */
DMM_API dmm_status dmm_reduce_host(
    dmm_context *ctx, const dmm_reduce_desc *desc, const void *items, size_t n, void *out);

#ifdef __cplusplus
}
#endif

#endif
