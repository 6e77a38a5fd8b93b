/* SPDX-License-Identifier: MIT */
/*
 * Stable partition of more items than the device or the allowed memory holds: items come from a
 * callback and go to a callback, bucket by bucket, and wait in between in a scratch store, which
 * callbacks provide as well.
 *
 * Stable         yes; the result is that of dmm_partition, bit for bit
 * Cost           A run of items at a time is partitioned on the device and stored; then the pieces
 *                of each bucket are gathered from all runs. So an item is read, stored, loaded and
 *                written once. Items that fit one run are written without the store
 * Overlap        while the device partitions a run, the next is read and the one before is stored;
 *                while a window of the result is loaded, the one before is written
 * Memory         host arrays and device buffers together take at most `memory_bytes`; beside them
 *                the call keeps 8 bytes for each bucket of each run, and the device its programs
 * Bank claim     as dmm_partition; with `guarantee` all kernels are conflict-free
 * Errors         DMM_BAD_DATA in the report, for an item without a bucket: nothing is written
 *
 * Details
 * Position       `i` of an expression is the position among all items, not in its run
 * Windows        A window is a range of the result. It has at most one range of each run, so it is
 *                loaded by one call for each run, however many buckets there are. A bucket may be
 *                longer than a window
 * Determinism    the result depends on the input alone
 * Source         as <dmm/partition.h>; the distribution of items by way of runs: A. Aggarwal,
 *                J. Vitter, "The Input/Output Complexity of Sorting and Related Problems",
 *                Communications of the ACM 31, 1988, DOI 10.1145/48529.48535. Differs: buckets are
 *                separated within runs first, so their number does not bound the blocks in memory
 */
#ifndef DMM_PARTITION_STREAM_H
#define DMM_PARTITION_STREAM_H

#include <dmm/partition.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dmm_partition_stream_desc {
    dmm_partition_desc partition; /* as in dmm_partition_create; max_n is not used */
    uint64_t memory_bytes;        /* bound of arrays and buffers; 0: 2^30 */
    uint64_t run_items;           /* items partitioned at once; 0: as many as memory_bytes allows */
    uint64_t window_items;        /* items gathered at once; 0: as many as memory_bytes allows */
    uint64_t reserved[4];         /* 0 */
} dmm_partition_stream_desc;

/* What a call does: sizes in items, and what n items need. */
typedef struct dmm_partition_stream_plan {
    uint64_t run_items;    /* items in each run but the last */
    uint64_t window_items; /* gathered at once */
    uint64_t runs;         /* number of runs of n items */
    uint64_t store_bytes;  /* size of the scratch store; one run needs none */
} dmm_partition_stream_plan;

/* What a call has done. */
typedef struct dmm_partition_stream_result {
    uint64_t items;        /* read */
    uint64_t runs;         /* partitioned */
    uint64_t windows;      /* gathered */
    uint64_t stored_bytes; /* to the scratch store */
    uint64_t loaded_bytes; /* from it */
    uint64_t reserved[4];  /* 0 */
} dmm_partition_stream_result;

/*
 * Callbacks return DMM_OK, or any other status, which ends the call and is what it returns.
 * `values` is NULL for items alone. `read` and `load` are called on the caller's thread, `write`
 * and `store` on another one; `load` is first called when nothing is stored any more.
 */
typedef struct dmm_partition_stream_args {
    void *user; /* passed to each callback */
    /* Reads up to `most` items; *count: how many, 0 only at the end. `labels`: as many numbers of
     * label_bytes bytes; NULL unless the description partitions by labels */
    dmm_status (*read)(
        void *user, void *items, void *values, void *labels, uint64_t most, uint64_t *count);
    /* Writes the next `count` items of the result */
    dmm_status (*write)(void *user, const void *items, const void *values, uint64_t count);
    /* Stores bytes at a position of the scratch store, from 0 to the plan's store_bytes */
    dmm_status (*store)(void *user, uint64_t at_bytes, const void *data, uint64_t bytes);
    /* Loads bytes that were stored */
    dmm_status (*load)(void *user, uint64_t at_bytes, void *data, uint64_t bytes);
    const void *splitters;  /* K - 1 items where these decide, else not read */
    uint64_t *offsets_out;  /* K + 1 numbers, or NULL: where each bucket begins, and all items;
                              written before the first item is */
    dmm_report *report_out; /* NULL: not wanted */
    dmm_partition_stream_result *result_out; /* NULL, or written by a call that succeeds */
    uint64_t reserved[4];                    /* 0 */
} dmm_partition_stream_args;

/*
 * Returns what a call with n items does. Builds kernels, and blocks. Errors: DMM_NULL_ARGUMENT;
 * DMM_BAD_VALUE (memory_bytes too small for 64 items); DMM_TOO_LARGE (sizes beyond the device);
 * those of dmm_partition_create.
 */
DMM_API dmm_status dmm_partition_stream_plan_host(dmm_partition_stream_plan *out, dmm_context *ctx,
    const dmm_partition_stream_desc *desc, uint64_t n);

/*
 * Partitions all items that `read` gives, and blocks. It uses the context's queue; on a GPU, also
 * one of its own for transfers. After an error, some items may have been written, but none after
 * DMM_BAD_DATA. Errors: as above; DMM_NULL_ARGUMENT (no splitters where these decide);
 * DMM_BAD_VALUE (a `read` of more items than asked for); DMM_BAD_DATA (an item without a bucket:
 * the report has its position); those of callbacks; OpenCL's.
 */
DMM_API dmm_status dmm_partition_stream_host(
    dmm_context *ctx, const dmm_partition_stream_desc *desc, const dmm_partition_stream_args *args);

#ifdef __cplusplus
}
#endif

#endif
