/* SPDX-License-Identifier: MIT */
/*
 * The scratch store of dmm_partition_stream. A run has its items in the order of their buckets. A
 * piece is what a run has of a bucket; the result is the pieces of bucket 0, run after run, then
 * those of bucket 1, and so on. No device.
 */
#ifndef DMM_PRIMITIVES_PIECES_H
#define DMM_PRIMITIVES_PIECES_H

#include <dmm/partition_stream.h>

#include "primitives/stream/stream.h"

typedef struct dmm_pieces {
    dmm_stream s; /* context, and sizes of an item */
    const dmm_partition_stream_args *args;
    dmm_partition_stream_plan plan;
    uint32_t ways;
    uint64_t capacity; /* rows */
    uint64_t *starts;  /* one row a run: the begin of each bucket, then its items; owned */
    dmm_partition_stream_result result;
} dmm_pieces;

/* Returns the bytes of the store that runs of n items take. */
uint64_t dmm_pieces_bytes(const dmm_pieces *p, uint64_t n);
/* Appends a run; *row is its row of starts, to be filled. */
dmm_status dmm_pieces_append(dmm_pieces *p, uint64_t **row);
/* Stores the items of a run. */
dmm_status dmm_pieces_store(
    dmm_pieces *p, uint64_t run, const dmm_array_pair *from, uint64_t items);
/* Fills K + 1 numbers: where the buckets begin in the result. */
void dmm_pieces_offsets(const dmm_pieces *p, uint64_t *out);
/* Writes the result of all runs, which are stored. */
dmm_status dmm_pieces_gather(dmm_pieces *p);

#endif
