/* SPDX-License-Identifier: MIT */
/*
 * Sorting of more items than the device or the allowed memory holds: items come from a callback
 * and go to a callback, and wait in between in a scratch store, which callbacks provide as well.
 *
 * Stable         yes; the result is that of dmm_sort, bit for bit
 * Cost           a run of items at a time is sorted on the device and stored; then all runs are
 *                merged into the output. Of more than about 128 runs (most_runs of
 *                dmm_sort_stream_plan), some are first merged into longer ones. Items that fit one
 *                run are written without the store
 * Overlap        while the device sorts a run, the next is read and the one before is stored; while
 *                it merges a window, the next is loaded and the one before is written. On a GPU,
 *                copies go on at the same time: there are two sets of buffers and two queues
 * Memory         host arrays and device buffers together take at most `memory_bytes`, or what the
 *                device has if that is less, and no buffer more than its largest; beside them
 *                the merge keeps a key and 4 bytes for each block of a run (n / block_items of
 *                them), about four times over while they are sorted, and the device its programs
 * Bank claim     as the calls it makes: dmm_sort, dmm_merge_many, dmm_search (<dmm/sort.h>, ...);
 *                with `guarantee` all kernels are conflict-free
 *
 * Details and sources are at the end of this file.
 */
#ifndef DMM_SORT_STREAM_H
#define DMM_SORT_STREAM_H

#include <dmm/context.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dmm_sort_stream_desc {
    dmm_order order;       /* key type and order */
    uint32_t value_bytes;  /* a value that moves with each key: 1 to 256 bytes; 0: keys alone */
    int guarantee;         /* conflict-free kernels only */
    uint64_t memory_bytes; /* bound of arrays and buffers; 0: 2^30 */
    uint64_t run_items;    /* items sorted at once; 0: as many as memory_bytes allows */
    uint64_t window_items; /* items merged at once; 0: as many as memory_bytes allows */
    uint64_t block_items;  /* items of a block, at most a quarter of a window; 0: chosen */
    dmm_tuning tuning;
    uint64_t reserved[4]; /* 0 */
} dmm_sort_stream_desc;

/* What a call does: sizes in items, and what n items need. */
typedef struct dmm_sort_stream_plan {
    uint64_t run_items;    /* items in each run but the last */
    uint64_t window_items; /* merged at once */
    uint64_t block_items;  /* loaded at once, at least */
    uint64_t most_runs;    /* most runs of one merge: window_items / (2 block_items) */
    uint64_t runs;         /* number of runs of n items */
    uint64_t merges;       /* merges of runs; 0: the items are one run */
    uint64_t store_bytes;  /* size of the scratch store */
} dmm_sort_stream_plan;

/* What a call has done. */
typedef struct dmm_sort_stream_result {
    uint64_t items;        /* read, and those that were stored before the call */
    uint64_t runs;         /* sorted */
    uint64_t merges;       /* merges of runs */
    uint64_t windows;      /* windows of all merges */
    uint64_t most_kept;    /* items that a window kept back for the next one: of a merge of k runs
                               at most (k - 1) block_items */
    uint64_t stored_bytes; /* to the scratch store */
    uint64_t loaded_bytes; /* from it */
    uint64_t reserved[4];  /* 0 */
} dmm_sort_stream_result;

/*
 * Callbacks return DMM_OK, or any other status, which ends the call and is what it returns.
 * `values` is NULL for keys alone. `read` and `load` are called on the caller's thread, `write`,
 * `store` and `stored` on another one, at most one of these at a time: `load` and `store` may run
 * at once, but never for the same bytes.
 */
typedef struct dmm_sort_stream_args {
    void *user; /* passed to each callback */
    /* Reads up to `most` items; *count: how many, 0 only at the end */
    dmm_status (*read)(void *user, void *keys, void *values, uint64_t most, uint64_t *count);
    /* Writes the next `count` items of the result */
    dmm_status (*write)(void *user, const void *keys, const void *values, uint64_t count);
    /* Stores bytes at a position of the scratch store, from 0 to the plan's store_bytes */
    dmm_status (*store)(void *user, uint64_t at_bytes, const void *data, uint64_t bytes);
    /* Loads bytes that were stored */
    dmm_status (*load)(void *user, uint64_t at_bytes, void *data, uint64_t bytes);
    /* NULL, or called after each sorted run: the items of all runs that the store holds now. A
     * later call of the same description may begin with them (stored_items) */
    dmm_status (*stored)(void *user, uint64_t items);
    /* Items that the store holds in sorted runs, as `stored` said; `read` begins behind them. 0:
     * none */
    uint64_t stored_items;
    dmm_sort_stream_result *result_out; /* NULL, or written by a call that succeeds */
    uint64_t reserved[4];               /* 0 */
} dmm_sort_stream_args;

/*
 * Returns what a call with n items does. Builds kernels, and blocks. Errors: DMM_NULL_ARGUMENT;
 * DMM_BAD_VALUE (a field outside its range; memory_bytes too small for 64 items); DMM_TOO_LARGE
 * (sizes beyond the device, or more than 2^24 runs); those of dmm_sort_create,
 * dmm_merge_many_create and dmm_search_create.
 */
DMM_API dmm_status dmm_sort_stream_plan_host(
    dmm_sort_stream_plan *out, dmm_context *ctx, const dmm_sort_stream_desc *desc, uint64_t n);

/*
 * Sorts all items that `read` gives, and blocks. It uses the context's queue; on a GPU, also one of
 * its own for transfers. After an error, some items may have been written; what `stored` has said
 * of the store stays true, because runs are never overwritten: a later call may begin with it.
 * Errors: as above; DMM_BAD_VALUE (stored_items is not a number of whole runs, and items follow; a
 * `read` of more items than asked for); those of callbacks; OpenCL's.
 */
DMM_API dmm_status dmm_sort_stream_host(
    dmm_context *ctx, const dmm_sort_stream_desc *desc, const dmm_sort_stream_args *args);

/*
 * Details
 * Merge          Jurkiewicz's k-merge: the next block is read from the run of least rank, its last
 *                item read; all items up to that rank can be written, so that at most k - 1 blocks
 *                stay in memory. The ranks of all blocks, stored behind each run, are sorted first:
 *                this is the order in which blocks are read. It is correct for windows of k blocks;
 *                here they have at least 2k
 * Any `less`     keeps every item once, with its value, whatever it answers, as dmm_sort does
 * Source         T. Jurkiewicz, "Toward Better Computation Models for Modern Machines", PhD
 *                thesis, Saarland University, 2013, section 4.2, algorithm 9 and theorem 4.2;
 *                D. Hutchinson, P. Sanders, J. Vitter, "Duality between Prefetching and Queued
 *                Writing with Parallel Disks", SIAM Journal on Computing 34, 2005, DOI
 *                10.1137/S0097539703431573 (the order of blocks)
 */

#ifdef __cplusplus
}
#endif

#endif
