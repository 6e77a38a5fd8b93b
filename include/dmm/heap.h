/* SPDX-License-Identifier: MIT */
/*
 * A priority queue in device memory, for many items at a time: inserts items or lowers their
 * priorities, deletes items, takes or shows those of least priority.
 *
 * Item           a key, which identifies it, and a priority; at most one item a key
 * Heap           memory of the caller, of dmm_heap_bytes bytes: one object serves any number of
 *                heaps of its description, nothing grows, and a copy of the bytes is a copy of the
 *                heap. Calls for one heap run one after the other, in the order of `turn`
 * Order          that of dmm_sort, rising: NaNs come last. Ties: in no order that is promised, but
 *                the same in each run, and on each device of the same form
 * Cost           a call on n items of a heap of q levels: amortized, about 6 b q entries are sorted
 *                twice and moved some five times, whatever n; a single call may resolve all levels.
 *                The host reads nothing back. CPU form: see the details
 * Bank claim     every kernel of the heap: no local memory; its sorts and scans as <dmm/sort.h> and
 *                <dmm/scan.h>
 * Temp           dmm_heap_temp_bytes: about 40 to 60 bytes for each entry of all levels; CPU form:
 *                8 or 16 bytes for each item of the capacity, and four times as many for one of b
 *
 * Details and sources are at the end of this file.
 */
#ifndef DMM_HEAP_H
#define DMM_HEAP_H

#include <dmm/context.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum dmm_heap_op {
    DMM_HEAP_CLEAR = 0,   /* makes the memory an empty heap: the first call for each heap */
    DMM_HEAP_UPDATE = 1,  /* n items: inserts them; of a key that is there, the lower priority
                             stays */
    DMM_HEAP_DELETE = 2,  /* n keys; those that are not there do not matter */
    DMM_HEAP_EXTRACT = 3, /* takes the n least items, or all if there are fewer */
    DMM_HEAP_PEEK = 4,    /* the n least items, which stay */
    DMM_HEAP_SIZE = 5     /* resolves all levels and counts the items; n is 0 */
} dmm_heap_op;

typedef struct dmm_heap_desc {
    uint32_t key_bytes; /* 4 (0 means 4) or 8 */
    dmm_type priority;  /* a type of 4 or 8 bytes */
    uint64_t bulk;      /* b: most items of a call; 0: 1024 */
    uint64_t capacity;  /* items that a heap holds, at least; 0: 2^20 */
    int guarantee;      /* conflict-free kernels only */
    dmm_tuning tuning;
    uint64_t reserved[4]; /* 0 */
} dmm_heap_desc;

typedef struct dmm_heap_args {
    dmm_heap_op op;
    uint64_t turn;           /* number of UPDATE, DELETE and EXTRACT calls for this heap since its
                                CLEAR, this one not among them */
    dmm_span heap;           /* dmm_heap_bytes, at a multiple of 8 */
    dmm_span keys_in;        /* n: UPDATE, DELETE; if a key is there twice, both count */
    dmm_span priorities_in;  /* n: UPDATE */
    dmm_span keys_out;       /* n: EXTRACT, PEEK; by rising priority */
    dmm_span priorities_out; /* n: likewise */
    dmm_span count_out;  /* one uint64_t: items written (EXTRACT, PEEK), or in the heap (SIZE) */
    dmm_span report_out; /* a dmm_report: see dmm_heap_enqueue; none: no report */
    dmm_span temp;
    dmm_span count;       /* as in dmm_sort_args: items of an UPDATE, DELETE, EXTRACT or PEEK */
    uint64_t reserved[4]; /* 0 */
} dmm_heap_args;

/* Built for one context and one description; for one thread at a time. Holds no heap. */
typedef struct dmm_heap dmm_heap;

/* Errors: DMM_NULL_ARGUMENT, DMM_BAD_VALUE (key_bytes; a priority of other than 4 or 8 bytes),
 * DMM_TOO_LARGE (more than 2^31 entries in all levels), those of dmm_sort_create. On failure *out
 * is NULL. */
DMM_API dmm_status dmm_heap_create(dmm_heap **out, dmm_context *ctx, const dmm_heap_desc *desc);
/* Returns the bytes of a heap: 4 to 8 entries per item of a capacity well above `bulk`. The two
 * forms' heaps have the same size, but one is no heap to the other. Errors as above. */
DMM_API dmm_status dmm_heap_bytes(uint64_t *out, const dmm_heap_desc *desc);
/* Returns the bytes of temp that suffice for each call on n items. DMM_TOO_LARGE for n beyond
 * `bulk`. */
DMM_API dmm_status dmm_heap_temp_bytes(uint64_t *out, const dmm_heap *heap, uint64_t n);
/*
 * Enqueues one operation on n items. DMM_BAD_VALUE for an unknown op; DMM_TOO_LARGE for n beyond
 * `bulk`; other errors and events as dmm_sort_enqueue. What only the device finds is in the report:
 * DMM_TOO_LARGE  of an UPDATE: more items than the capacity might be in the heap after it. None of
 *                its items is inserted; the call counts for `turn`. A SIZE counts exactly, and lets
 *                the next UPDATE use what deletes and repeated keys have freed
 * DMM_BAD_VALUE  `turn` is another than the heap's: nothing is done; detail: the low half of the
 *                heap's turn
 * DMM_BAD_DATA   the memory is no heap of this description: nothing is done
 */
DMM_API dmm_status dmm_heap_enqueue(dmm_heap *heap, cl_command_queue queue,
    const dmm_heap_args *args, uint64_t n, cl_uint num_wait, const cl_event *wait, cl_event *event);
/* NULL is fine. */
DMM_API void dmm_heap_free(dmm_heap *heap);

/* One operation on a heap in host memory, which is copied to the device and back; blocks. */
typedef struct dmm_heap_host_args {
    dmm_heap_op op;
    uint64_t turn;
    void *heap; /* dmm_heap_bytes */
    const void *keys_in;
    const void *priorities_in;
    void *keys_out;
    void *priorities_out;
    uint64_t *count_out;
} dmm_heap_host_args;
/* Returns a report's code as its status; then all arrays are as they were. DMM_WRONG_RESULT: the
 * device has lost the call. */
DMM_API dmm_status dmm_heap_host(
    dmm_context *ctx, const dmm_heap_desc *desc, const dmm_heap_host_args *args, size_t n);

/*
 * Details
 * Levels         q levels: level i has a bucket of 2b * 4^i items, each with its final priority,
 *                and a buffer of b * 4^i signals: insert, lower or delete, yet to be applied to
 *                this level or to deeper ones. No item of a deeper level is less than one of a
 *                bucket above it. After each call, level 0 holds the b least items, or all
 * Resolving      call number t (from 1) resolves levels 0 .. j at once, j the deepest level with
 *                t a multiple of 2^(2j-1): signals are applied, the least items fill the buckets
 *                from the top, and what does not fit or concerns deeper levels becomes signals of
 *                level j + 1. The steps are sorts, scans and six kernels on one chain
 * CPU form       one work-item and one launch a call. A hash table has the items, and sorted runs
 *                have an entry for each insertion or lower priority. A call sorts its own n, and
 *                merges runs while one is at most twice as long as the next; an entry that the
 *                table does not confirm is void. When the runs are full, the table's items become
 *                one run. Amortized, an item is looked up twice and merged log2(capacity/n) times.
 *                Slower than a std::priority_queue in calls of 64 items, faster from 256 on
 * Differs        from the thesis: a level is resolved with all levels above it, twice as often, so
 *                that its capacities suffice although a lowered or deleted item leaves a signal
 *                behind that removes its old entry below (there an extracted key may come back);
 *                by sorting instead of merging; buckets are in the order of priorities; launches
 *                take the place of groups that wait for each other. A deleted key may be inserted
 *                again, with any priority
 * Source         K. Berney, "Parallel Cache-Efficient Algorithms on GPUs", PhD thesis, University
 *                of Hawai'i at Manoa, 2023, sections 3.3 and 3.4; G. Brodal, R. Fagerberg, U.
 *                Meyer, N. Zeh, "Cache-Oblivious Data Structures and Algorithms for Undirected
 *                Breadth-First Search and Shortest Paths", SWAT 2004, DOI
 *                10.1007/978-3-540-27810-8_41, section 2
 */

#ifdef __cplusplus
}
#endif

#endif
