/* SPDX-License-Identifier: MIT */
/*
 * Union, intersection, difference and symmetric difference of two sorted lists.
 *
 * Equal items    lists may have an item several times, as in the C++ standard library's std::set_*:
 *                of an item that A has a times and B has b times, the result has
 *                  union         max(a, b): all of A, then the last b - a of B
 *                  intersection  min(a, b): the first ones of A
 *                  difference    max(a - b, 0): the last ones of A
 *                  symmetric     |a - b|: the last ones of the list that has more
 *                A value comes from where its key comes from.
 * Order          sorted as the inputs
 * In place       no: the output is apart from both inputs, which are only read
 * Cost           n/T binary searches (T: items a tile), then one launch that reads each item once,
 *                merges it in local memory, and writes what is kept; up to T items: that launch
 *                alone. The CPU form reads items twice, and scans counts between
 * Bank claim     `conflict-free` with search=cf, the default; `measured` with search=plain. The CPU
 *                form uses no local memory
 * Temp           two indices a tile, and a position an item for values that are not of 1,
 *                2, 4 or 8 bytes (dmm_set_temp_bytes)
 *
 * Details
 * Unsorted input leaves the output unspecified, nothing worse: at most as many items are written as
 * the output has space for. The same holds by a `less` that is no strict weak order.
 * Source         as <dmm/merge.h>; runs of equal items, counted in pairs, across tiles of a merge
 *                path: S. Baxter, moderngpu, "Multisets", 2013. Differs: within a tile, pairs are
 *                found by scans of the starts of runs, not by a search a work-item.
 */
#ifndef DMM_SET_H
#define DMM_SET_H

#include <dmm/context.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum dmm_set_op {
    DMM_SET_UNION = 0,
    DMM_SET_INTERSECTION = 1,
    DMM_SET_DIFFERENCE = 2,
    DMM_SET_SYMMETRIC = 3 /* difference */
} dmm_set_op;

typedef struct dmm_set_desc {
    dmm_order order; /* key type and order that both inputs are sorted by */
    dmm_set_op op;
    uint32_t value_bytes; /* a value that moves with each key: 1 to 256 bytes; 0: keys alone */
    int guarantee;        /* conflict-free kernels only: refuses search=plain */
    uint64_t
        max_n; /* largest n of a call, both inputs together; 0: as many as the device can hold */
    dmm_tuning tuning;
    uint64_t reserved[4]; /* 0 */
} dmm_set_desc;

/* The output has space for na + nb items (union, symmetric difference), the lesser of na and nb
 * (intersection), or na (difference). */
typedef struct dmm_set_args {
    dmm_span a_keys; /* na items */
    dmm_span a_values;
    dmm_span b_keys;   /* nb items */
    dmm_span b_values; /* none for intersection and difference, which keep items of A alone */
    dmm_span keys_out;
    dmm_span values_out;
    dmm_span count_out; /* one uint64_t: number of items, usable as `count` of a later call */
    dmm_span temp;
    uint64_t reserved[4]; /* 0 */
} dmm_set_args;

/* Built for one context and one description; for one thread at a time. */
typedef struct dmm_set dmm_set;

/* Errors as dmm_sort_create. */
DMM_API dmm_status dmm_set_create(dmm_set **out, dmm_context *ctx, const dmm_set_desc *desc);
/* Returns the bytes of temp for n = na + nb items; monotone in n. */
DMM_API dmm_status dmm_set_temp_bytes(uint64_t *out, const dmm_set *set, uint64_t n);
/* Errors and events as dmm_sort_enqueue. A span of no items may have a NULL buffer. */
DMM_API dmm_status dmm_set_enqueue(dmm_set *set, cl_command_queue queue, const dmm_set_args *args,
    uint64_t na, uint64_t nb, cl_uint num_wait, const cl_event *wait, cl_event *event);
/* NULL is fine. */
DMM_API void dmm_set_free(dmm_set *set);

/* Combines host arrays, writes the number of items to *count_out, and blocks. Items of the output
 * after these are untouched. Values are NULL for keys alone, b_values also where B's are not
 * kept. */
typedef struct dmm_set_host_args {
    const void *a_keys;
    const void *a_values;
    size_t na;
    const void *b_keys;
    const void *b_values;
    size_t nb;
    void *keys_out;
    void *values_out;
    size_t *count_out;
} dmm_set_host_args;
DMM_API dmm_status dmm_set_host(
    dmm_context *ctx, const dmm_set_desc *desc, const dmm_set_host_args *args);

#ifdef __cplusplus
}
#endif

#endif
