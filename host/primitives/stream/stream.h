/* SPDX-License-Identifier: MIT */
/*
 * The internals of dmm_sort_stream and dmm_merge_stream: sizes, the scratch store, sorting of
 * runs, merging of runs.
 */
#ifndef DMM_PRIMITIVES_STREAM_H
#define DMM_PRIMITIVES_STREAM_H

#include <dmm/merge_many.h>
#include <dmm/merge_stream.h>
#include <dmm/search.h>
#include <dmm/sort.h>
#include <dmm/sort_stream.h>

#include "core/context.h"
#include "core/launch.h"
#include "primitives/stream/aside.h"

/*
 * A sorted run in the scratch store, at a multiple of DMM_RUN_ALIGN bytes: its keys, its values,
 * and its ranks, which are the last keys of all blocks but the last one.
 */
typedef struct dmm_stored_run {
    uint64_t items;    /* at least 1 */
    uint64_t at_bytes; /* dmm_merge_stream: the number of the list */
} dmm_stored_run;

enum { DMM_RUN_ALIGN = 4096, MOST_SETS = 2 };

/* The runs of a store, in the order of the input. */
typedef struct dmm_stored_runs {
    dmm_stored_run *runs; /* owned */
    size_t count, capacity;
    uint64_t end_bytes; /* end of the used part of the store */
    size_t next;        /* where the next merge that is not the last one begins */
} dmm_stored_runs;

typedef struct dmm_stream {
    dmm_context *ctx;
    const dmm_sort_stream_desc *desc;
    const dmm_sort_stream_args *args;   /* NULL: a plan alone, or lists */
    const dmm_merge_stream_args *lists; /* lists of dmm_merge_stream; NULL: none */
    void *user;
    dmm_status (*write)(void *user, const void *keys, const void *values, uint64_t count);
    uint32_t key_bytes, value_bytes;
    uint32_t sets; /* sets of buffers: blocks on the device at once (pipeline.h) */
    dmm_sort_stream_plan plan;
    dmm_sort *sort; /* sorts a run; NULL for lists */
    dmm_merge_many *merge;
    dmm_search *search;
    dmm_stored_runs store;
    dmm_sort_stream_result result;
    dmm_aside aside; /* writes */
} dmm_stream;

/* Keys, and values or NULL: arrays, and buffers. */
typedef struct dmm_array_pair {
    char *keys, *values;
} dmm_array_pair;
typedef struct dmm_buffer_pair {
    cl_mem keys, values;
} dmm_buffer_pair;

/* Moves items within arrays; the places may overlap. */
void dmm_stream_move(
    const dmm_stream *s, const dmm_array_pair *in, uint64_t to, uint64_t from, uint64_t items);
/* Create and free; what has not been created is NULL. */
dmm_status dmm_stream_arrays(const dmm_stream *s, uint64_t items, dmm_array_pair *out);
dmm_status dmm_stream_buffers(const dmm_stream *s, uint64_t items, dmm_buffer_pair *out);
void dmm_stream_free_arrays(dmm_array_pair *arrays);
void dmm_stream_free_buffers(dmm_buffer_pair *buffers);
/* The same for a pair of each set: arrays of MOST_SETS. */
dmm_status dmm_stream_buffer_sets(const dmm_stream *s, uint64_t items, dmm_buffer_pair *out);
void dmm_stream_free_buffer_sets(dmm_buffer_pair *buffers);
/* Copies the first items, and blocks. */
dmm_status dmm_stream_upload(const dmm_stream *s, cl_command_queue queue,
    const dmm_array_pair *from, const dmm_buffer_pair *to, uint64_t items);
/* Appends a search to a chain. */
dmm_status dmm_stream_search(
    dmm_search *search, dmm_chain *chain, const dmm_search_args *args, uint64_t n, uint64_t m);
/* Enqueues copies of the first items, at least one; *done: when both are there; it fails if either
 * does. */
dmm_status dmm_stream_download(const dmm_stream *s, cl_command_queue queue,
    const dmm_buffer_pair *from, const dmm_array_pair *to, uint64_t items, cl_event *done);

/* Chooses the objects and sizes: plan.run_items to plan.most_runs. Lists are in the store. */
dmm_status dmm_stream_size(dmm_stream *s);
void dmm_stream_close(dmm_stream *s);

/* Returns the ranks of a run. */
uint64_t dmm_stream_ranks(const dmm_stream *s, uint64_t items);
/* Appends a run behind all others, in the list and in the store. */
dmm_status dmm_stream_append(dmm_stream *s, uint64_t items);
/* Returns which runs are merged next, *first .. *first + *count - 1; true: all, so it is the last
 * merge. */
int dmm_stream_next_merge(const dmm_stream *s, size_t *first, size_t *count);
/* Replaces these runs by one behind all others in the store. */
void dmm_stream_replace(dmm_stream *s, size_t first, size_t count);

/* Where sorted items go: to a run of the store, or to the caller. */
typedef struct dmm_sink {
    dmm_stream *s;
    const dmm_stored_run *run; /* NULL: to the caller */
    uint64_t filled;           /* items that have been put */
    char *ranks;               /* ranks of the run; owned */
    int reports;               /* reports to `stored` when the run is complete */
    uint64_t stored_items;     /* items of all runs then */
    dmm_array_pair from;       /* source of the write in progress */
    uint64_t count;
} dmm_sink;

dmm_status dmm_sink_open(dmm_sink *sink, dmm_stream *s, const dmm_stored_run *run);
/* Puts `count` items aside when the event is complete, which it takes over, after the put before
 * has been waited for: `from` may not change before the next wait. */
void dmm_sink_put(dmm_sink *sink, cl_event after, const dmm_array_pair *from, uint64_t count);
/* Waits. Zeros are fine. */
void dmm_sink_close(dmm_sink *sink);

/* Loads items of a run, from item `first`, to item `at` of arrays. */
dmm_status dmm_stream_load(dmm_stream *s, const dmm_stored_run *run, uint64_t first, uint64_t items,
    const dmm_array_pair *to, uint64_t at);
/* Loads the ranks of a run. */
dmm_status dmm_stream_load_ranks(dmm_stream *s, const dmm_stored_run *run, char *to);

/* Reads and sorts all items: into runs, or, where they are one run, to the caller. */
dmm_status dmm_stream_sort_runs(dmm_stream *s);
/* Merges runs first .. first + count - 1 into `to`; NULL: to the caller. */
dmm_status dmm_stream_merge_runs(
    dmm_stream *s, size_t first, size_t count, const dmm_stored_run *to);

#endif
