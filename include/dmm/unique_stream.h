/* SPDX-License-Identifier: MIT */
/*
 * Runs of equal neighbours among items that neither the device nor the allowed memory holds: the
 * first item of each run, from callback to callback.
 *
 * Result         that of dmm_unique, bit for bit: runs that several blocks share, too
 * Cost           each item is read once; the first item of each run is written. While the device
 *                works on a block, the next is read and the one before is written
 * Memory         host arrays and device buffers together take at most `memory_bytes`; beside them
 *                the device keeps its programs
 * Bank claim     as dmm_unique
 */
#ifndef DMM_UNIQUE_STREAM_H
#define DMM_UNIQUE_STREAM_H

#include <dmm/unique.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dmm_unique_stream_desc {
    uint32_t key_bytes;    /* 1 to 256; 0: 4 */
    uint32_t value_bytes;  /* a value that moves with each key: 1 to 256 bytes; 0: keys alone */
    uint64_t memory_bytes; /* bound of arrays and buffers; 0: 2^30 */
    uint64_t block_items;  /* items read at once; 0: as many as memory_bytes allows */
    dmm_tuning tuning;
    uint64_t reserved[4]; /* 0 */
} dmm_unique_stream_desc;

/*
 * Callbacks return DMM_OK, or any other status, which ends the call and is what it returns. `read`
 * is called on the caller's thread, `write` on another one.
 */
typedef struct dmm_unique_stream_args {
    void *user; /* passed to each callback */
    /* Reads up to `most` items; *count: how many, 0 only at the end. `values` is NULL for keys
     * alone */
    dmm_status (*read)(void *user, void *keys, void *values, uint64_t most, uint64_t *count);
    /* Writes the next `count` items of the result, at least one */
    dmm_status (*write)(void *user, const void *keys, const void *values, uint64_t count);
    uint64_t *items_out;  /* NULL, or the items written by a call that succeeds */
    uint64_t reserved[4]; /* 0 */
} dmm_unique_stream_args;

/*
 * Writes the first item of each run, and blocks. It uses the context's queue; on a GPU, also one of
 * its own for transfers. After an error, some items may have been written. Errors:
 * DMM_NULL_ARGUMENT; DMM_BAD_VALUE (a field outside its range; memory_bytes too small for blocks of
 * 64 items; a `read` of more items than asked for); DMM_TOO_LARGE (a block beyond the device);
 * those of callbacks and of dmm_unique_create; OpenCL's.
 */
DMM_API dmm_status dmm_unique_stream_host(
    dmm_context *ctx, const dmm_unique_stream_desc *desc, const dmm_unique_stream_args *args);

#ifdef __cplusplus
}
#endif

#endif
