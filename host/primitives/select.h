/* SPDX-License-Identifier: MIT */
/*
 * Selection by rank: what dmm_topk and dmm_nth share. By digits (cl/select.clh), or, where the order
 * is the caller's `less`, by sorting all items.
 */
#ifndef DMM_PRIMITIVES_SELECT_H
#define DMM_PRIMITIVES_SELECT_H

#include <dmm/scan.h>
#include <dmm/sort.h>

#include "core/launch.h"
#include "primitives/values.h"

typedef struct dmm_select_desc {
    dmm_order order;
    uint32_t value_bytes;
    int argsort;
    int only_last; /* the item at the last rank is all that is wanted */
    int unsorted;  /* the output is in input order */
    int guarantee;
    uint64_t max_k; /* the most items that are selected; 0: max_n */
    uint64_t max_n;
    dmm_tuning tuning;
} dmm_select_desc;

typedef struct dmm_select {
    dmm_context *ctx; /* borrowed */
    dmm_select_desc desc;
    dmm_item_layout layout;
    dmm_parameters p;
    uint64_t max_n;
    uint32_t digit_bits, passes;
    cl_kernel count, keep; /* NULL by sorting */
    cl_kernel least;       /* CPU form only */
    cl_kernel gather;      /* NULL where values move themselves */
    dmm_scan *scan;        /* of counts; NULL by sorting */
    dmm_sort *sort; /* of what was selected, NULL where that stays unsorted; or of all items */
} dmm_select;

/* A list that is a quarter of the one before is worth its move, and bounds temp by a third of n. */
enum { DMM_SELECT_SHRINK = 4 };
/* Items whose least code the CPU form finds first, where they are many and few are wanted. */
enum { DMM_SELECT_BLOCK = 256 };
/* By sorting all items? `less` knows no digits. */
int dmm_select_sorts_all(const dmm_select *select);
/* Counts of a pass whose digit has so many bits. */
uint64_t dmm_select_num_counts(uint64_t groups, uint32_t bits);

/* The spans of a call: out of min(k, n) items, or of one if only_last. */
typedef struct dmm_select_args {
    dmm_item_spans in, out;
    dmm_span temp;
} dmm_select_args;

/* Builds into zeros. Errors as dmm_sort_create. What a failure leaves is for dmm_select_destroy. */
dmm_status dmm_select_init(dmm_select *select, dmm_context *ctx, const dmm_select_desc *desc);
void dmm_select_destroy(dmm_select *select);

/* Monotone in n and k. DMM_TOO_LARGE. */
dmm_status dmm_select_temp_bytes(uint64_t *out, const dmm_select *select, uint64_t n, uint64_t k);

/*
 * Selects the first k of n items, k <= n, or only the last one of those. Positions are as of items
 * first .. first + n - 1 of a longer, imagined list; callers pass 0, tests exercise positions beyond
 * 2^32.
 */
dmm_status dmm_select_enqueue(dmm_select *select, cl_command_queue queue,
    const dmm_select_args *args, uint64_t first, uint64_t n, uint64_t k, cl_uint num_wait,
    const cl_event *wait, cl_event *event);

/* Host arrays in, host arrays out; blocks. */
dmm_status dmm_select_host(dmm_select *select, const void *keys, const void *values, uint64_t n,
    uint64_t k, void *keys_out, void *values_out);

#endif
