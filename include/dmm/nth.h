/* SPDX-License-Identifier: MIT */
/*
 * Selects the item at a rank: the one at that index after a stable dmm_sort, without sorting.
 *
 * Rank         0: the smallest key (descending: the largest); n - 1: the last one; (n - 1) / 2: the
 *              lower median
 * Order        that of dmm_sort, NaNs last in either direction; equal keys rank by their indices
 * In place     no: outputs are apart from inputs, which stay untouched
 * Cost         about two reads of every key (GPU form: three), whatever the rank; `less`: a sort of
 *              all items
 * Bank claim, temp, errors: as <dmm/topk.h>
 *
 * Details
 * Passes       as in <dmm/topk.h>, but items before the rank are not kept: of random keys about
 *              n/256 (GPU form) or n/2048 (CPU form) are left after the first digit
 * Source       as there
 */
#ifndef DMM_NTH_H
#define DMM_NTH_H

#include <dmm/context.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dmm_nth_desc {
    dmm_order order;      /* key type and order */
    uint32_t value_bytes; /* bytes of the value of each key, 1 to 256; 0: keys alone */
    int argsort;          /* the values are not read: value i is the index i; value_bytes 4 or 8 */
    int guarantee;        /* conflict-free kernels only: refuses search=plain */
    uint64_t max_n;       /* largest n of a call; 0: as many as the device can hold */
    dmm_tuning tuning;
    uint64_t reserved[4]; /* 0 */
} dmm_nth_desc;

/* n items in, one out; any overlap is DMM_OVERLAP. */
typedef struct dmm_nth_args {
    dmm_span keys_in;
    dmm_span values_in; /* none for keys alone and for argsort */
    dmm_span key_out;
    dmm_span value_out;
    dmm_span temp;
    uint64_t reserved[4]; /* 0 */
} dmm_nth_args;

/* Built for one context and one description; for one thread at a time. */
typedef struct dmm_nth dmm_nth;

/* Errors as dmm_sort_create. */
DMM_API dmm_status dmm_nth_create(dmm_nth **out, dmm_context *ctx, const dmm_nth_desc *desc);
/* Returns the bytes of temp for any rank; monotone in n. DMM_TOO_LARGE beyond max_n. */
DMM_API dmm_status dmm_nth_temp_bytes(uint64_t *out, const dmm_nth *nth, uint64_t n);
/* DMM_BAD_VALUE unless rank < n; n = 0 has no item to select. Other errors and events as
 * dmm_sort_enqueue. */
DMM_API dmm_status dmm_nth_enqueue(dmm_nth *nth, cl_command_queue queue, const dmm_nth_args *args,
    uint64_t n, uint64_t rank, cl_uint num_wait, const cl_event *wait, cl_event *event);
/* NULL is fine. */
DMM_API void dmm_nth_free(dmm_nth *nth);
/* Selects from host arrays of n items and blocks. values is NULL for keys alone and for argsort;
 * value_out is NULL for keys alone. */
DMM_API dmm_status dmm_nth_host(dmm_context *ctx, const dmm_nth_desc *desc, const void *keys,
    const void *values, size_t n, size_t rank, void *key_out, void *value_out);

#ifdef __cplusplus
}
#endif

#endif
