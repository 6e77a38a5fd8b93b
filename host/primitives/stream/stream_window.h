/* SPDX-License-Identifier: MIT */
/*
 * The window of a merge: the items of k runs that are in memory, run by run, and which blocks come
 * next. No device.
 */
#ifndef DMM_PRIMITIVES_STREAM_WINDOW_H
#define DMM_PRIMITIVES_STREAM_WINDOW_H

#include "primitives/stream/stream.h"

/* A run of the merge. In the window it has items first .. first + held - 1, of which `safe` are
 * merged now; the others are kept back. */
typedef struct dmm_window_run {
    uint64_t loaded; /* items of the run, those that have left the window included */
    uint64_t coming; /* items to load next */
    uint64_t first, held, safe;
} dmm_window_run;

typedef struct dmm_window {
    dmm_stream *s;
    const dmm_stored_run *stored;
    dmm_window_run *runs; /* owned */
    uint32_t k;
    uint32_t *order; /* the run of each block but the first of each run, as they are read; owned */
    uint64_t num_order, at;
    dmm_array_pair items;
} dmm_window;

/* Allocates the window and finds the order of its blocks. */
dmm_status dmm_window_open(
    dmm_window *window, dmm_stream *s, const dmm_stored_run *stored, size_t k);
void dmm_window_close(dmm_window *window);

/* Drops the safe items, moves the others, and loads the next blocks beside them: as many as fit, at
 * least one if one is left. */
dmm_status dmm_window_fill(dmm_window *window);
uint64_t dmm_window_held(const dmm_window *window);
/* Returns the run of least rank, which the next block comes from; k: no block is left. */
uint32_t dmm_window_least(const dmm_window *window);
/* Returns how many of a run's last items may be greater than the least rank: at most those of the
 * block that was loaded last. */
uint64_t dmm_window_tail(const dmm_window *window, uint32_t run);

#endif
