/* SPDX-License-Identifier: MIT */
/*
 * What is not public of dmm_sort. A sort has one method; sort.c holds what the methods share:
 * arguments, temp, and values that are fetched by position at the end.
 */
#ifndef DMM_PRIMITIVES_SORT_H
#define DMM_PRIMITIVES_SORT_H

#include <dmm/sort.h>
#include <dmm/sort_segmented.h>

#include "core/launch.h"
#include "primitives/merge.h"
#include "primitives/radix.h"
#include "primitives/segments.h"

/* The lists of a call: `spare` is as large as the output, or none where the method needs none. */
typedef struct dmm_sort_call {
    dmm_item_spans in, out, spare;
    dmm_span scratch; /* the method's own */
    dmm_span count;   /* of items, if fewer than n */
    dmm_span counts;  /* of dmm_sort_enqueue_counted, or none */
    uint64_t first, n;
} dmm_sort_call;

/* One method: its steps in the order in which they are called. */
typedef struct dmm_sort_steps {
    /* Builds; sets layout, max_n and gather. */
    dmm_status (*init)(dmm_sort *sort);
    /* How much temp n items take beside the lists; monotone in n. */
    int (*needs_spare)(const dmm_sort *sort, uint64_t n);
    uint64_t (*scratch_bytes)(const dmm_sort *sort, uint64_t n);
    /* Enqueues; n > 0. */
    dmm_status (*sort)(const dmm_sort *sort, dmm_chain *chain, const dmm_sort_call *call);
    /* Of whatever init has built. */
    void (*destroy)(dmm_sort *sort);
} dmm_sort_steps;

extern const dmm_sort_steps dmm_sort_by_merge, dmm_sort_by_radix, dmm_sort_by_segments;

struct dmm_sort {
    dmm_context *ctx; /* borrowed */
    dmm_sort_desc desc;
    const dmm_sort_steps *steps;
    uint32_t offset_bytes; /* of dmm_sort_segmented */
    dmm_item_layout layout;
    uint64_t max_n;
    cl_kernel gather; /* borrowed of the method; NULL where values move themselves */
    union {
        dmm_merge_sort merge;
        dmm_radix_sort radix;
        dmm_segment_sort segments;
    } by;
};

/* A sort whose steps know segments. */
struct dmm_sort_segmented {
    dmm_sort *sort;
};

/* A sort by the given steps, of a description that was checked; offset_bytes: of segments, or 0. On
 * failure *out is left alone. */
dmm_status dmm_sort_create_by(dmm_sort **out, dmm_context *ctx, const dmm_sort_desc *desc,
    const dmm_sort_steps *steps, uint32_t offset_bytes);

/* The checks of dmm_sort_enqueue. */
dmm_status dmm_sort_check(const dmm_sort *sort, cl_command_queue queue, const dmm_sort_args *args,
    uint64_t n, cl_uint num_wait, const cl_event *wait);

/*
 * dmm_sort_enqueue, with the items at positions first .. first + n - 1 of a longer, imagined list:
 * what the kernels compute is as of that list's tail. dmm_sort_enqueue passes 0; others exercise
 * positions beyond 2^32 in small buffers. first: a multiple of the power of two that is at least n
 * and T.
 */
dmm_status dmm_sort_enqueue_from(dmm_sort *sort, cl_command_queue queue, const dmm_sort_args *args,
    uint64_t first, uint64_t n, cl_uint num_wait, const cl_event *wait, cl_event *event);

/*
 * The same by method radix in one pass, by keys that the caller has counted, where dmm_radix_share
 * has groups: counts[digit][group], exclusively scanned, for all digits of the keys' bits. Only the
 * values are put out.
 */
dmm_status dmm_sort_enqueue_counted(dmm_sort *sort, cl_command_queue queue,
    const dmm_sort_args *args, dmm_span counts, uint64_t first, uint64_t n, cl_uint num_wait,
    const cl_event *wait, cl_event *event);

#endif
