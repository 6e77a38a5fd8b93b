/* SPDX-License-Identifier: MIT */
/*
 * Merge passes: one pass merges pairs of adjacent sorted lists. Base of dmm_merge, of method merge
 * of dmm_sort, and of dmm_sort_segmented, which bring their programs.
 */
#ifndef DMM_PRIMITIVES_MERGER_H
#define DMM_PRIMITIVES_MERGER_H

#include "cl/sort/sort_call.clh"
#include "primitives/items.h"

/* Built for one item layout; its kernels belong to the object that it was built for. */
typedef struct dmm_merger {
    dmm_item_layout layout;
    dmm_parameters p;
    cl_program program; /* borrowed */
    cl_kernel partition, tile;
    cl_kernel gather; /* NULL where values move themselves */
    int confirms;     /* by `less`: splits are looked at before tiles are merged */
} dmm_merger;

typedef struct dmm_merger_desc {
    const char *word; /* in tuning files; NULL: no rows apply */
    const dmm_order *order;
    const dmm_tuning *tuning;
    uint32_t value_bytes;
    int positions; /* argsort */
    int guarantee;
    uint64_t max_n;
    int ties;             /* carries positions even if ties do not need them */
    int origins;          /* which list an item is of matters, even if ties do not */
    uint32_t group_words; /* words of local memory per work-item beside the tile */
} dmm_merger_desc;

/* Chooses layout and parameters; sets the object's max_n. */
dmm_status dmm_merger_choose(dmm_merger *merger, dmm_object *object, const dmm_merger_desc *desc);

/* A program that merges; `options` holds its defines beside the merger's. */
typedef struct dmm_merger_program {
    const char *root;                   /* in cl/ */
    const struct dmm_embedded *sources; /* as in dmm_program_desc */
    const char *partition, *tile;       /* its kernels; tile: NULL if the caller creates it */
    dmm_options *options;
} dmm_merger_program;

/* Words of one index that the splits of a pass need, given its tiles: marks follow the splits. */
uint64_t dmm_merger_splits(const dmm_merger *merger, uint64_t tiles);

/* Builds the program and creates its kernels, after dmm_merger_choose. */
dmm_status dmm_merger_build(dmm_merger *merger, dmm_object *object, const dmm_merger_desc *desc,
    const dmm_merger_program *program);

/* A pass over the items at positions first .. first + n - 1 of a list, in pairs of `span` from
 * position 0; A is the first `run` of each pair. The spans begin at position `first`; b's begin at
 * first + b_shift. */
typedef struct dmm_pass {
    dmm_item_spans a, b, out;
    dmm_span splits; /* dmm_merger_splits words of one index */
    dmm_span count;  /* device memory: number of items, if fewer than n */
    uint64_t first, n, run, span, b_shift;
    int alone; /* one tile merges both lists: it needs no splits */
} dmm_pass;

/* Enqueues the first step of a pass: the splits of its tiles, if there are several. Writes the
 * numbers of the pass. */
dmm_status dmm_merger_split(const dmm_merger *merger, const dmm_call *call, const dmm_pass *pass,
    uint64_t tiles, dmm_merge_call *out);
dmm_status dmm_merger_pass(const dmm_merger *merger, const dmm_call *call, const dmm_pass *pass);

#endif
