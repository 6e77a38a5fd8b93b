/* SPDX-License-Identifier: MIT */
/*
 * Union, intersection, difference and symmetric difference of two sorted lists that neither the
 * device nor the allowed memory holds: items come from a callback, each list in its order, and go
 * to a callback.
 *
 * Result         that of dmm_set, bit for bit, items that come several times included
 * Cost           each item is read once and written at most once; an item that waits in the window
 *                for the other list is uploaded again. While the device combines a window, the next
 *                items are read and the last ones written
 * Memory         host arrays and device buffers together take at most `memory_bytes`; beside them
 *                the device keeps its programs
 * Bank claim     as the calls it makes: dmm_set, dmm_search; with `guarantee` all kernels are
 *                conflict-free
 *
 * Details
 * Windows        The window of a list has its next items. That of the list whose last item in the
 *                window comes first is used up; of the other list the items before that one, and of
 *                its equals as many as are used of the first list. So the pairs of equal items are
 *                those of the whole lists, however often an item comes
 * Wrong data     as dmm_set: lists that are not sorted leave the output unspecified, nothing worse
 * Source         as <dmm/set.h>
 */
#ifndef DMM_SET_STREAM_H
#define DMM_SET_STREAM_H

#include <dmm/set.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dmm_set_stream_desc {
    dmm_order order; /* key type and order that both lists are sorted by */
    dmm_set_op op;
    uint32_t value_bytes;  /* a value that moves with each key: 1 to 256 bytes; 0: keys alone */
    int guarantee;         /* conflict-free kernels only */
    uint64_t memory_bytes; /* bound of arrays and buffers; 0: 2^30 */
    uint64_t window_items; /* items of a list in memory; 0: as many as memory_bytes allows */
    dmm_tuning tuning;
    uint64_t reserved[4]; /* 0 */
} dmm_set_stream_desc;

/*
 * Callbacks return DMM_OK, or any other status, which ends the call and is what it returns. `read`
 * is called on the caller's thread, `write` on another one.
 */
typedef struct dmm_set_stream_args {
    void *user; /* passed to each callback */
    /* Reads up to `most` items of list 0 (A) or 1 (B); *count: how many, 0 only at its end.
     * `values` is NULL for keys alone, and for list B of an intersection or a difference */
    dmm_status (*read)(
        void *user, uint32_t list, void *keys, void *values, uint64_t most, uint64_t *count);
    /* Writes the next `count` items of the result, at least one */
    dmm_status (*write)(void *user, const void *keys, const void *values, uint64_t count);
    uint64_t *items_out;  /* NULL, or the items written by a call that succeeds */
    uint64_t reserved[4]; /* 0 */
} dmm_set_stream_args;

/*
 * Combines the lists, and blocks. It uses the context's queue; on a GPU, also one of its own for
 * transfers. After an error, some items may have been written. Errors: DMM_NULL_ARGUMENT;
 * DMM_BAD_VALUE (a field outside its range; memory_bytes too small for windows of 64 items; a
 * `read` of more items than asked for); DMM_TOO_LARGE (a window beyond the device); those of
 * callbacks, of dmm_set_create and dmm_search_create; OpenCL's.
 */
DMM_API dmm_status dmm_set_stream_host(
    dmm_context *ctx, const dmm_set_stream_desc *desc, const dmm_set_stream_args *args);

#ifdef __cplusplus
}
#endif

#endif
