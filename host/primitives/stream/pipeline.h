/* SPDX-License-Identifier: MIT */
/*
 * Shared by all streams: reading the caller's blocks, the largest block that fits, and a pipeline.
 * While the device works on a block, the next one is loaded and the one before is stored.
 *
 * A GPU has two sets of buffers, and a queue for transfers beside the context's: while it works on
 * a block, the one before is downloaded, then the next one uploaded to the same set. A CPU copies
 * with the cores that work, and has one set and one queue.
 */
#ifndef DMM_PRIMITIVES_PIPELINE_H
#define DMM_PRIMITIVES_PIPELINE_H

#include "primitives/stream/stream.h"

/* A block on the device. */
typedef struct dmm_turn {
    cl_command_queue transfers; /* in order; perhaps the context's */
    uint32_t set;               /* number of its set of buffers, below the stream's `sets` */
    cl_event done;              /* completes with its work; NULL: no work in flight */
} dmm_turn;

typedef struct dmm_pipeline {
    const dmm_context *ctx;
    uint32_t sets;
    dmm_aside *aside; /* where `finish` puts items */
    void *user;
    /* Loads the next block; *is_left = 0: there is none */
    dmm_status (*load)(void *user, int *is_left);
    /* Uploads the block that was loaded last, and blocks */
    dmm_status (*upload)(void *user, const dmm_turn *turn);
    /* Enqueues the work on that block, on the context's queue */
    dmm_status (*start)(void *user, const dmm_turn *turn, cl_event *done);
    /* Puts the block whose work is done; the next one has been loaded, and may be on the device */
    dmm_status (*finish)(void *user, const dmm_turn *turn);
} dmm_pipeline;

/* Returns how many sets of buffers a stream with that tuning has. */
uint32_t dmm_stream_sets(const dmm_context *ctx, const dmm_tuning *tuning);
/* Runs until `load` finds nothing, and waits for the last put. */
dmm_status dmm_pipeline_run(const dmm_pipeline *p);

/* Items from a callback of the caller. */
typedef struct dmm_reader {
    void *user;
    dmm_status (*read)(void *user, void *keys, void *values, uint64_t most, uint64_t *count);
    int has_ended; /* `read` has returned no items */
} dmm_reader;

/* Reads behind the first *held items of the arrays, until they hold `most` or no item is left. */
dmm_status dmm_reader_fill(dmm_reader *reader, const dmm_stream *s, const dmm_array_pair *to,
    uint64_t most, uint64_t *held);

/* Returns the bound that a description gives, or its default, but no more than the device has. */
dmm_status dmm_stream_memory(const dmm_context *ctx, uint64_t memory_bytes, uint64_t *out);
/* Returns the most items of which a buffer of the device holds the keys, and one the values. */
uint64_t dmm_stream_buffer_items(const dmm_stream *s);
/* Returns the bytes of temp; UINT64_MAX if no buffer of the device holds them. */
uint64_t dmm_stream_temp(const dmm_stream *s, uint64_t bytes);
/* Finds the most items, at most `most`, whose bytes the memory holds; bytes_of never falls.
 * DMM_BAD_VALUE: fewer than 64. *out other than 0 is given: DMM_TOO_LARGE if its bytes are
 * UINT64_MAX. */
dmm_status dmm_stream_largest(uint64_t most, uint64_t memory,
    dmm_status (*bytes_of)(const void *user, uint64_t items, uint64_t *bytes), const void *user,
    uint64_t *out);

#endif
