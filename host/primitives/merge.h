/* SPDX-License-Identifier: MIT */
/*
 * Merge passes, for dmm_merge and for dmm_sort: one pass merges pairs of adjacent sorted lists.
 */
#ifndef DMM_PRIMITIVES_MERGE_H
#define DMM_PRIMITIVES_MERGE_H

#include <dmm/merge.h>
#include <dmm/sort.h>

#include "core/launch.h"
#include "core/temp.h"
#include "primitives/values.h"

/* Work-items a group of the kernels that have one a tile. */
enum { DMM_PARTITION_U = 64 };

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
    const char *word; /* of the primitive, in tuning files */
    const dmm_order *order;
    const dmm_tuning *tuning;
    uint32_t value_bytes;
    int positions;          /* argsort: the values are the items' positions */
    dmm_sort_method method; /* matrix and shear: tiles are sorted so */
    int sorts; /* the program holds the sort's tile kernel as well, which makes positions first */
    uint32_t offset_bytes; /* not 0: sorts segments, by offsets of this size; see segments.h */
    int guarantee;
    uint64_t max_n;
} dmm_merger_desc;

dmm_status dmm_merger_init(dmm_merger *merger, dmm_context *ctx, const dmm_merger_desc *desc);
void dmm_merger_destroy(dmm_merger *merger);

/* Items at positions first .. first + n - 1 of a list, in pairs of `span` from position 0: A the
 * first `run` of each pair. The spans begin at position `first`; b's begin at position first +
 * b_shift. */
typedef struct dmm_pass {
    dmm_item_spans a, b, out;
    dmm_span splits; /* of one index a tile */
    dmm_span count;  /* of items, if fewer than n */
    uint64_t first, n, run, span, b_shift;
} dmm_pass;

dmm_status dmm_merger_pass(const dmm_merger *merger, dmm_chain *chain, const dmm_pass *pass);

/* What method merge of dmm_sort holds. */
typedef struct dmm_merge_sort {
    dmm_merger merger;
    cl_kernel tile; /* sorts a tile by itself */
} dmm_merge_sort;

#endif
