/* SPDX-License-Identifier: MIT */
/*
 * Merging of sorted lists that neither the device nor the allowed memory holds: items come from a
 * callback, which can reach any item of a list, and go to a callback.
 *
 * Stable         yes: of equal items, those of the earlier list first, each list's in its order;
 *                the result is that of dmm_merge_many, bit for bit
 * Cost           a key of each block is loaded, then every item once. While the device merges a
 *                window, the next is loaded and the one before is written
 * Memory         as <dmm/sort_stream.h>; 16 bytes for each list beside it
 * Bank claim     as the calls it makes: dmm_sort, dmm_merge_many, dmm_search; with `guarantee` all
 *                kernels are conflict-free
 *
 * Details
 * Wrong data     as dmm_merge_many: a list that is not sorted leaves the order of the output
 *                unspecified; by `less` all items are in it once, with their values
 * Source         as <dmm/sort_stream.h>
 */
#ifndef DMM_MERGE_STREAM_H
#define DMM_MERGE_STREAM_H

#include <dmm/sort_stream.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Callbacks return DMM_OK, or any other status, which ends the call and is what it returns. `key`
 * and `load` are called on the caller's thread, `write` on another one. Lists without items are
 * never loaded.
 */
typedef struct dmm_merge_stream_args {
    void *user;            /* passed to each callback */
    uint64_t lists;        /* at most 65536 */
    const uint64_t *items; /* number of items in each list */
    /* Loads one key of a list; all of these calls come before the others */
    dmm_status (*key)(void *user, uint64_t list, uint64_t at, void *key);
    /* Loads items first .. first + count - 1 of a list; of each list in rising order. `values` is
     * NULL for keys alone */
    dmm_status (*load)(
        void *user, uint64_t list, uint64_t first, uint64_t count, void *keys, void *values);
    /* Writes the next `count` items of the result */
    dmm_status (*write)(void *user, const void *keys, const void *values, uint64_t count);
    dmm_sort_stream_result *result_out; /* NULL, or written by a call that succeeds */
    uint64_t reserved[4];               /* 0 */
} dmm_merge_stream_args;

/*
 * Merges lists that are sorted by the description's order, and blocks. It uses the queues of
 * dmm_sort_stream_host; run_items is not used. block_items 0: at most what lets the window hold two
 * blocks of each list. Errors: DMM_NULL_ARGUMENT; DMM_BAD_VALUE (a field outside its range;
 * memory_bytes too small for 64 items); DMM_TOO_LARGE (more lists than half the blocks of a window,
 * or than 65536); those of callbacks, of dmm_sort_create, dmm_merge_many_create and
 * dmm_search_create; OpenCL's.
 */
DMM_API dmm_status dmm_merge_stream_host(
    dmm_context *ctx, const dmm_sort_stream_desc *desc, const dmm_merge_stream_args *args);

#ifdef __cplusplus
}
#endif

#endif
