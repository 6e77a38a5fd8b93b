/* SPDX-License-Identifier: MIT */
/*
 * Merge passes, for dmm_merge and for dmm_sort: one pass merges pairs of adjacent sorted lists.
 */
#ifndef DMM_PRIMITIVES_MERGE_H
#define DMM_PRIMITIVES_MERGE_H

#include <dmm/merge.h>

#include "core/launch.h"
#include "core/temp.h"
#include "primitives/order.h"

/* Everything that is built for one item layout; the base of both primitives' objects. */
typedef struct dmm_merger {
    dmm_context *ctx; /* borrowed */
    dmm_item_layout layout;
    dmm_parameters p;
    uint64_t max_n;
    cl_program program; /* borrowed */
    cl_kernel partition, tile;
    cl_kernel gather; /* NULL where values move themselves */
} dmm_merger;

typedef struct dmm_merger_desc {
    const dmm_order *order;
    const dmm_tuning *tuning;
    uint32_t value_bytes;
    int positions;   /* argsort: the values are the items' positions */
    int sorts;       /* the program holds the sort's tile kernel as well, which makes positions first */
    int guarantee;
    uint64_t max_n;
} dmm_merger_desc;

dmm_status dmm_merger_init(dmm_merger *merger, dmm_context *ctx, const dmm_merger_desc *desc);
void dmm_merger_destroy(dmm_merger *merger);

/* Keys and what moves with them. */
typedef struct dmm_item_spans {
    dmm_span keys;
    dmm_span values;
} dmm_item_spans;

/* Items at positions first .. first + n - 1 of a list, in pairs of `span` from position 0: A the first
 * `run` of each pair. The spans begin at position `first`; b's begin at position first + b_shift. */
typedef struct dmm_pass {
    dmm_item_spans a, b, out;
    dmm_span splits; /* of one index a tile */
    uint64_t first, n, run, span, b_shift;
} dmm_pass;

dmm_status dmm_merger_pass(const dmm_merger *merger, dmm_chain *chain, const dmm_pass *pass);

/* out[i] = the value at positions[i], 0 <= i < n: positions first .. first + na - 1 are of a, later ones of b. */
typedef struct dmm_gathering {
    dmm_span positions, a, b, out;
    uint64_t first, na, n;
} dmm_gathering;

dmm_status dmm_merger_gather(const dmm_merger *merger, dmm_chain *chain, const dmm_gathering *g);

/* Offset of a span in items; every offset was checked to be a multiple. */
cl_ulong dmm_span_items(dmm_span span, uint32_t item_bytes);

/* A position as the kernels' index type: `narrow` is the room for its 32-bit form. */
dmm_arg dmm_index_arg(const dmm_merger *merger, const cl_ulong *wide, cl_uint *narrow);

/* Two kernel arguments: the buffer and its offset in items. */
#define DMM_ARG_SPAN(span, at) DMM_ARG((span).buffer), DMM_ARG(at)

#endif
