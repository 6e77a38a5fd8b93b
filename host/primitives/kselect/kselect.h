/* SPDX-License-Identifier: MIT */
/*
 * Selection by rank for dmm_topk and dmm_nth: by digits (cl/kselect/kselect.clh); or by sorting all
 * items, if the order is the caller's `less`, or many of them are selected (CPU form).
 */
#ifndef DMM_PRIMITIVES_KSELECT_H
#define DMM_PRIMITIVES_KSELECT_H

#include <dmm/sort.h>

#include "primitives/classes.h"
#include "primitives/items.h"
#include "primitives/scan_part.h"

typedef struct dmm_kselect_desc {
    dmm_order order;
    uint32_t value_bytes;
    int argsort;
    int only_last; /* selects only the item at the last rank */
    int unsorted;  /* output in input order */
    int guarantee;
    uint64_t max_k; /* largest k of a call; 0: max_n */
    uint64_t max_n;
    dmm_tuning tuning;
} dmm_kselect_desc;

/* First field of primitives that select. Sizes of a call: n items, m = k <= n. */
typedef struct dmm_kselect {
    dmm_object object;
    dmm_kselect_desc what;
    dmm_item_layout layout;
    dmm_parameters p;
    uint32_t digit_bits, passes;
    int shares_columns;    /* GPU form: a column of counters is one bank's; else a work-item's */
    int sorts_many;        /* CPU form: where many are selected, sorts and copies these */
    cl_kernel count, keep; /* NULL by sorting */
    cl_kernel alone;       /* all passes over one tile */
    cl_kernel clear;       /* GPU form only */
    cl_kernel least;       /* CPU form only */
    cl_kernel gather;      /* NULL where values move themselves */
    dmm_scan *scan;        /* scans counts; CPU form only; NULL by sorting */
    dmm_sort *sort;        /* sorts the selected items, or all; NULL: they stay unsorted */
} dmm_kselect;

/* For dmm_class.init; `what` is set. Errors as dmm_sort_create. */
dmm_status dmm_kselect_init(dmm_kselect *select);

/* DMM_TOO_LARGE beyond max_n and max_k. */
dmm_status dmm_kselect_check(const void *select, const dmm_sizes *sizes);

/* Returns the number of items that a call with k = sizes->m writes. */
uint64_t dmm_kselect_taken(const dmm_kselect *select, uint64_t k);
/* Bytes of a value that a call reads; 0: it reads none. */
uint32_t dmm_kselect_value_bytes(const dmm_kselect *select);

void dmm_kselect_lay_out(const void *select, dmm_call *call);

/* Regions of a call's temp. A and B: lists of candidates, in the GPU form keys alone; or A: all
 * items, sorted. */
enum {
    DMM_KSELECT_KEYS_A,
    DMM_KSELECT_VALUES_A,
    DMM_KSELECT_KEYS_B,
    DMM_KSELECT_VALUES_B,
    DMM_KSELECT_COUNTS,
    DMM_KSELECT_STATE,
    DMM_KSELECT_LEAST_CODES,
    DMM_KSELECT_POSITIONS,
    DMM_KSELECT_SCAN,
    DMM_KSELECT_SORT
};

/* Returns the words of 4 bytes that the GPU form counts n > 0 items in. */
uint64_t dmm_kselect_words(const dmm_kselect *select, uint64_t n);

/* Selects by digits in the GPU form, with at most `groups` groups a pass. */
dmm_status dmm_kselect_gpu(const dmm_kselect *select, const dmm_call *call, dmm_item_spans in,
    dmm_item_spans out, uint32_t groups);

/* Selects the first k of n items, or the last of those alone. */
dmm_status dmm_kselect_steps(
    const dmm_kselect *select, dmm_call *call, dmm_item_spans in, dmm_item_spans out);

#endif
