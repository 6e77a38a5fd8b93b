/* SPDX-License-Identifier: MIT */
/*
 * Prefix sums, maxima and minima.
 *
 * In place       yes (out equal to in), and out of place with the input untouched
 * Cost           reads each item twice and writes it once; three kernels (reduce, scan the sums, scan)
 * Bank claim     every kernel `conflict-free`
 * Temp           a few items a group (see dmm_scan_temp_bytes)
 * Arithmetic     integer sums wrap in the item's width. Float sums are added in a fixed tree: the
 *                same result for the same n, device and parameters, not across them. max and min of
 *                floats follow the order of dmm_order's header, NaNs above everything.
 * Source         G. Blelloch, "Prefix Sums and Their Applications", 1990, section 1.2; reduce-then-scan:
 *                Y. Dotsenko, N. Govindaraju, P. Sloan, C. Boyd, J. Manferdelli, "Fast Scan Algorithms
 *                on Graphics Processors", ICS 2008, DOI 10.1145/1375527.1375559
 */
#ifndef DMM_SCAN_H
#define DMM_SCAN_H

#include <dmm/context.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum dmm_scan_op { DMM_SCAN_SUM = 0, DMM_SCAN_MAX = 1, DMM_SCAN_MIN = 2 } dmm_scan_op;

typedef struct dmm_scan_desc {
    dmm_type type;     /* any but DMM_F16 and DMM_ITEM; DMM_F64 where the device has double */
    dmm_scan_op op;
    int exclusive;     /* out[i] combines the items before i; out[0] is the identity: 0 for sum, the
                          least value (integers) or -infinity for max, the greatest or NaN for min */
    uint64_t max_n;    /* the most items of a call; 0: as many as the device can hold */
    dmm_tuning tuning; /* form, u, E */
} dmm_scan_desc;

#define DMM_SCAN_DESC_INIT {DMM_U32, DMM_SCAN_SUM, 0, 0, \
    {DMM_FORM_DEFAULT, 0, 0, 0, DMM_SEARCH_DEFAULT}}

typedef struct dmm_scan_args {
    dmm_span in;
    dmm_span out; /* equal to in, or apart from it */
    dmm_span temp;
} dmm_scan_args;

/* Built for one context and one description; for one thread at a time. */
typedef struct dmm_scan dmm_scan;

/* Errors: DMM_NULL_ARGUMENT, DMM_BAD_VALUE, DMM_BAD_PARAMETERS, DMM_UNSUPPORTED (f64 without double),
 * DMM_BUILD_FAILED, DMM_OUT_OF_MEMORY, OpenCL's. On failure *out is NULL. */
DMM_API dmm_status dmm_scan_create(dmm_scan **out, dmm_context *ctx, const dmm_scan_desc *desc);
/* Monotone in n. DMM_TOO_LARGE beyond max_n. */
DMM_API dmm_status dmm_scan_temp_bytes(uint64_t *out, const dmm_scan *scan, uint64_t n);
/* Errors and events as dmm_sort_enqueue. */
DMM_API dmm_status dmm_scan_enqueue(dmm_scan *scan, cl_command_queue queue, const dmm_scan_args *args,
    uint64_t n, cl_uint num_wait, const cl_event *wait, cl_event *event);
/* NULL is fine. */
DMM_API void dmm_scan_free(dmm_scan *scan);
/* Scans a host array in place and blocks. */
DMM_API dmm_status dmm_scan_host(dmm_context *ctx, const dmm_scan_desc *desc, void *items, size_t n);

#ifdef __cplusplus
}
#endif

#endif
