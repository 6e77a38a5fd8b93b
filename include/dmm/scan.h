/* SPDX-License-Identifier: MIT */
/*
 * Prefix sums, maxima and minima, and those of an operator of the caller's.
 *
 *     dmm_scan *scan = NULL;
 *     dmm_scan_desc desc = {.type = DMM_U32, .op = DMM_SCAN_SUM};
 *     dmm_status status = dmm_scan_create(&scan, ctx, &desc);
 *     dmm_scan_args args = {.in = in, .out = out};
 *     if (status == DMM_OK)
 *         status = dmm_scan_enqueue(scan, queue, &args, n, 0, NULL, &event);
 *     dmm_scan_free(scan);
 *
 * Input, output  n items in, n items out; in place (out equal to in) or apart
 * Cost           GPU form: two launches read and write each item once. CPU form, sums of floats
 *                and own operators that are not `exact`: three launches (CPU form: two) read each
 *                item twice and write it once. Up to one tile, one launch reads it once
 * Bank claim     every kernel `conflict-free`; the CPU form uses no local memory
 * Temp           GPU form: for each tile of u*E items 8 bytes (items of 1 or 2 bytes), 16 (4), 24
 *                (8) or up to 40 (16). Without a chain: one item per group; the device, not n,
 *                limits the groups
 * Errors         see dmm_scan_create and dmm_sort_enqueue
 *
 * Details and sources are at the end of this file.
 */
#ifndef DMM_SCAN_H
#define DMM_SCAN_H

#include <dmm/context.h>
#include <dmm/map.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum dmm_scan_op { DMM_SCAN_SUM = 0, DMM_SCAN_MAX = 1, DMM_SCAN_MIN = 2 } dmm_scan_op;

/*
 * An operator of the caller's, in OpenCL C: an expression over `a` and `b`, items, and one for its
 * identity e, for which combining e with any item gives that item. It must be associative; it need
 * not commute: `a` is always what comes before `b`. Items are of the OpenCL C type of `type`, or of
 * the type dmm_item, which `item` declares (<dmm/types.h>); `item` may declare functions, too. The
 * least item and where it is:
 *
 *     dmm_operator least = {.item_bytes = 8,
 *         .item = "typedef struct { float x; uint at; } dmm_item;",
 *         .combine = "b.x < a.x ? b : a",
 *         .identity = "(dmm_item){INFINITY, 0xffffffff}"};
 *     dmm_reduce_desc desc = {.type = DMM_ITEM, .own = &least};
 *
 * Messages about a mistake, in the context's log, call lines operator.combine:1 and so on.
 */
typedef struct dmm_operator {
    uint32_t item_bytes; /* DMM_ITEM only: 1 to 64, as sizeof says on the device */
    const char *item;    /* DMM_ITEM only */
    const char *combine;
    const char *identity;
    int commutes; /* 1: dmm_reduce may combine items in any order, which is faster */
    int exact;    /* 1: (a b) c and a (b c) are the same bits, as of integers: scans of items
                             of up to 16 bytes then read each once (Details, "Chain") */
    uint64_t reserved[3]; /* 0 */
} dmm_operator;

/*
 * Operators that are given: the least or the greatest item with its position, of equal ones the
 * first; and both the least and the greatest. NaNs are passed over. And for dmm_scan, the
 * difference of each item and the one before it (adjacent difference).
 *
 *     dmm_status status = dmm_operator_given(&own, &map, DMM_OPERATOR_ARGMIN, DMM_F32);
 *     dmm_reduce_desc desc = {.type = DMM_ITEM, .own = &own, .map = &map};
 *
 * The map makes the operator's items of those of an array of `type`; with another expression the
 * least of any function of the items is found. Differences, also in place; with another `out` any
 * function of `item` and `total.least`, the item before; `total.greatest` is 0 for the first item:
 *
 *     dmm_status status = dmm_operator_given(&own, &map, DMM_OPERATOR_DIFFERENCE, DMM_F32);
 *     dmm_scan_desc desc = {.type = DMM_ITEM, .exclusive = 1, .own = &own, .map = &map};
 *
 * In the CPU form, an argmin or argmax whose operator has the texts that are given uses vector
 * instructions; differences whose operator and expression have them read each item once.
 */
typedef enum dmm_operator_name {
    DMM_OPERATOR_ARGMIN = 0,    /* a dmm_placed */
    DMM_OPERATOR_ARGMAX = 1,    /* a dmm_placed */
    DMM_OPERATOR_MINMAX = 2,    /* two items of `type`: the least, then the greatest */
    DMM_OPERATOR_DIFFERENCE = 3 /* an item of `type`; the first one stays. Exclusive scans alone */
} dmm_operator_name;

/* Result of argmin and argmax. */
typedef struct dmm_placed {
    uint64_t at;    /* the item's position; 2^64 - 1: there is none: no items, or NaNs alone */
    uint64_t value; /* its first bytes are the item, of `type`; the others are 0 */
} dmm_placed;

/* Fills an operator and a map whose texts are constants. DMM_NULL_ARGUMENT; DMM_BAD_VALUE: type is
 * DMM_ITEM, or there is no such name. */
DMM_API dmm_status dmm_operator_given(
    dmm_operator *own, dmm_map *map, dmm_operator_name name, dmm_type type);

typedef struct dmm_scan_desc {
    dmm_type type; /* DMM_F16: maxima and minima only; DMM_F64 if the device has double; DMM_ITEM
                      with `own` only */
    dmm_scan_op op;
    int exclusive;     /* out[i] combines the items before i; out[0] is the identity: 0 for sum; for
                          max the least integer or -infinity; for min the greatest integer or the
                          NaN that is last in the order */
    uint64_t max_n;    /* largest n of a call; 0: as many as the device can hold */
    dmm_tuning tuning; /* form, u, E; tile: least items of a group (CPU form) */
    const dmm_operator *own; /* in place of op, which is 0; only read by create. NULL: op */
    const dmm_map *map;      /* <dmm/map.h>: what to scan, and what to write; only read by create.
                                NULL: the input's items, and their scan */
    uint64_t reserved[2];    /* 0 */
} dmm_scan_desc;

typedef struct dmm_scan_args {
    dmm_span in;
    dmm_span out; /* equal to in, or apart from it */
    dmm_span temp;
    dmm_span count;          /* as in dmm_sort_args */
    const dmm_span *further; /* with a map: its further inputs, y first; only read by the call */
    uint64_t reserved[3];    /* 0 */
} dmm_scan_args;

/* Built for one context and one description; for one thread at a time. */
typedef struct dmm_scan dmm_scan;

/* Errors: DMM_NULL_ARGUMENT, DMM_BAD_VALUE, DMM_BAD_PARAMETERS, DMM_UNSUPPORTED (f64 without
 * double), DMM_BUILD_FAILED, DMM_OUT_OF_MEMORY, OpenCL's. On failure *out is NULL. */
DMM_API dmm_status dmm_scan_create(dmm_scan **out, dmm_context *ctx, const dmm_scan_desc *desc);
/* Monotone in n. DMM_TOO_LARGE beyond max_n. */
DMM_API dmm_status dmm_scan_temp_bytes(uint64_t *out, const dmm_scan *scan, uint64_t n);
/* Errors and events as dmm_sort_enqueue. */
DMM_API dmm_status dmm_scan_enqueue(dmm_scan *scan, cl_command_queue queue,
    const dmm_scan_args *args, uint64_t n, cl_uint num_wait, const cl_event *wait, cl_event *event);
/* NULL is fine. */
DMM_API void dmm_scan_free(dmm_scan *scan);
/* Scans a host array in place and blocks. */
DMM_API dmm_status dmm_scan_host(
    dmm_context *ctx, const dmm_scan_desc *desc, void *items, size_t n);

/*
 * Details
 * Integer sums   wrap in the item's width, signed ones too
 * Float sums     are added in a fixed tree: the same bits for the same n, device and parameters,
 *                not across them. Infinities and NaNs are IEEE's, subnormal numbers the device's. A
 *                sum begins with +0: none is -0. Sums of positive items may fall, since
 *                neighbouring sums are rounded separately
 * Chain          GPU form: groups find the totals of earlier tiles in a chain; a group that finds
 *                none after some reads adds up an earlier tile itself, so no group waits for
 *                another one. Sums of floats are not chained: which totals are added, and in which
 *                order, would depend on time. Nor are own operators, unless they are `exact`: in a
 *                fixed tree those that are not quite associative give the same bits each time; nor
 *                items of more than 16 bytes. In place, an exact operator and a map may be applied
 *                to bytes that are no item, and the result dropped: they must return for any bytes
 * Float max/min  follow the order of <dmm/types.h>, bit for bit: -0 is below +0, NaNs are above
 *                everything. So a maximum is a NaN from the first NaN on (of several, the last in
 *                that order), and a minimum is a NaN only if all its items are
 * Source         G. Blelloch, "Prefix Sums and Their Applications", 1990, section 1.2. Reduce, then
 *                scan: Y. Dotsenko, N. Govindaraju, P. Sloan, C. Boyd, J. Manferdelli, "Fast Scan
 *                Algorithms on Graphics Processors", ICS 2008, DOI 10.1145/1375527.1375559. Chain:
 *                D. Merrill, M. Garland, "Single-pass Parallel Prefix Scan with Decoupled
 *                Look-back", NVIDIA NVR-2016-002, 2016; T. Smith, R. Levien, J. Owens, "Decoupled
 *                Fallback: A Portable Single-Pass GPU Scan", SPAA 2025, DOI
 *                10.1145/3694906.3743326
 */

#ifdef __cplusplus
}
#endif

#endif
