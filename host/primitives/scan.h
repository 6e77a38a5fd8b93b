/* SPDX-License-Identifier: MIT */
/*
 * The internals of dmm_scan.
 */
#ifndef DMM_PRIMITIVES_SCAN_H
#define DMM_PRIMITIVES_SCAN_H

#include <dmm/scan.h>

#include "primitives/classes.h"
#include "primitives/items.h"
#include "primitives/lanes.h"
#include "primitives/mapping.h"

struct dmm_scan {
    dmm_object object;
    dmm_scan_desc desc;
    dmm_item_layout layout;
    dmm_mapping mapping;
    dmm_parameters p;
    cl_kernel reduce, alone, apply;        /* of the input */
    cl_kernel reduce_totals, alone_totals; /* of totals: the same ones without a map */
    cl_kernel clear, chained;              /* NULL if groups reduce, then scan */
    dmm_lanes_by lanes_by;                 /* how lanes of `chained` exchange data */
};

/* Checks type and operation. */
dmm_status dmm_scan_check(const dmm_scan_desc *desc, const dmm_device *device);
/* Returns the order for max and min. Integer sums have the same bits, signed or not. */
dmm_order dmm_scan_order(const dmm_scan_desc *desc);
/* True if tiles of such items can be chained in the GPU form: not if floats are added, or by an
 * operator that is not exact, since totals would depend on which group was first; nor items that
 * are too large for the chain. */
int dmm_scan_can_chain(const dmm_scan_desc *desc);
/* Appends a region of temp for items, to be read by dmm_call_items: those of the caller's may have
 * any size. */
void dmm_scan_region(dmm_call *call, size_t name, uint64_t items, uint32_t item_bytes);
/* Appends the caller's operator, if there is one, to a prelude (primitives/prelude.h). */
char *dmm_scan_prelude(char *prelude, const dmm_operator *own, const dmm_order *order);
/* Defines the alignment of the caller's items: spans begin at multiples of their size, and buffers
 * too, but on CPUs, where they may be arrays of the caller's. */
void dmm_scan_define_align(
    dmm_options *options, const dmm_item_layout *layout, const dmm_device *device);
/* Defines what the CPU form needs of argmin, argmax and difference, if an operator and a map, which
 * may be NULL, have the texts that are given for them. */
void dmm_operator_define(dmm_options *options, const dmm_operator *own, const dmm_map *map);
/* Defines what cl/scan.clh needs beside the items. */
void dmm_scan_define(dmm_options *options, const dmm_scan_desc *desc);

/* Shares of a call's groups: group g has items g*range .. (g + 1)*range - 1, the last group up to n
 * - 1. */
typedef struct dmm_scan_shares {
    uint64_t groups; /* at most p.most_groups; none for n = 0 */
    uint64_t range;  /* items; whole tiles */
} dmm_scan_shares;

dmm_scan_shares dmm_scan_share(const dmm_scan *scan, uint64_t n);

/* Returns an upper bound, monotone in n, of the groups of a call; dmm_scan_share may return fewer
 * groups for more items. */
uint64_t dmm_scan_most_groups(const dmm_scan *scan, uint64_t n);

/* As dmm_scan_enqueue, with the items from the range of first_group on; tests exercise positions
 * beyond 2^32 with it. */
dmm_status dmm_scan_enqueue_from(dmm_scan *scan, cl_command_queue queue, const dmm_scan_args *args,
    uint64_t first_group, uint64_t n, cl_uint num_wait, const cl_event *wait, cl_event *event);

/* Enqueues kernel `reduce`: totals[g] = total of group g's range of the input. */
dmm_status dmm_scan_launch_reduce(const dmm_scan *scan, const dmm_call *call,
    const dmm_scan_args *args, dmm_span totals, uint64_t n, dmm_scan_shares shares,
    uint64_t first_group);
/* Enqueues it over totals: *out = total of n of them. */
dmm_status dmm_scan_launch_reduce_totals(
    const dmm_scan *scan, const dmm_call *call, dmm_span totals, dmm_span out, uint64_t n);

#endif
