/* SPDX-License-Identifier: MIT */
/*
 * Prefix sums, maxima and minima of segments, and those of an operator of the caller's: each run of
 * equal keys is scanned by itself.
 *
 * Equal          keys of key_bytes bytes, of any type, are equal where all bytes are, as in
 *                <dmm/unique.h>. They need not be sorted. Keys may be the numbers of segments.
 * Input, output  n keys and n items in, n items out; in place (out equal to in) or apart
 * Cost           two launches read each key and item once, and write each item once; the CPU form
 *                and what dmm_scan does not chain, as sums of floats, read what is behind the last
 *                change of keys of a group's range once more
 * Bank claim     every kernel `conflict-free`; the CPU form uses no local memory
 * Temp           GPU form: a few words for each tile; else an item and a number per group, whose
 *                number the device limits, not n
 * Errors         see dmm_scan_create and dmm_sort_enqueue
 * Items          wrap, round and compare as those of <dmm/scan.h> do. Float sums are added in a
 *                fixed tree that depends on n, the parameters and where keys change: the same bits
 *                for the same input, device and parameters
 * Source         G. Blelloch, "Prefix Sums and Their Applications", 1990, section 1.5 (segmented
 *                scans); as <dmm/scan.h>
 */
#ifndef DMM_SCAN_BY_KEY_H
#define DMM_SCAN_BY_KEY_H

#include <dmm/scan.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dmm_scan_by_key_desc {
    dmm_type type; /* type of items, as in dmm_scan_desc */
    dmm_scan_op op;
    int exclusive;      /* as in dmm_scan_desc: the first item of a run becomes the identity */
    uint32_t key_bytes; /* 1 to 256; 0: 4 */
    uint64_t max_n;     /* largest n of a call; 0: as many as the device can hold */
    dmm_tuning tuning;  /* form, u, E; tile: least items of a group (CPU form) */
    int heads; /* keys are flags of one byte (key_bytes 1): a run begins where one is not 0 */
    const dmm_operator *own; /* in place of op, as in dmm_scan_desc */
    const dmm_map *map;      /* what to scan, and what to write, as in dmm_scan_desc */
    uint64_t reserved[1];    /* 0 */
} dmm_scan_by_key_desc;

typedef struct dmm_scan_by_key_args {
    dmm_span keys_in;
    dmm_span in;
    dmm_span out; /* equal to in, or apart from it */
    dmm_span temp;
    dmm_span count;          /* as in dmm_sort_args */
    const dmm_span *further; /* as in dmm_scan_args */
    uint64_t reserved[3];    /* 0 */
} dmm_scan_by_key_args;

/* Built for one context and one description; for one thread at a time. */
typedef struct dmm_scan_by_key dmm_scan_by_key;

/* Errors as dmm_scan_create. */
DMM_API dmm_status dmm_scan_by_key_create(
    dmm_scan_by_key **out, dmm_context *ctx, const dmm_scan_by_key_desc *desc);
/* Monotone in n. DMM_TOO_LARGE beyond max_n. */
DMM_API dmm_status dmm_scan_by_key_temp_bytes(
    uint64_t *out, const dmm_scan_by_key *scan, uint64_t n);
/* Errors and events as dmm_sort_enqueue. */
DMM_API dmm_status dmm_scan_by_key_enqueue(dmm_scan_by_key *scan, cl_command_queue queue,
    const dmm_scan_by_key_args *args, uint64_t n, cl_uint num_wait, const cl_event *wait,
    cl_event *event);
/* NULL is fine. */
DMM_API void dmm_scan_by_key_free(dmm_scan_by_key *scan);
/* Scans a host array in place by its keys, and blocks. */
DMM_API dmm_status dmm_scan_by_key_host(
    dmm_context *ctx, const dmm_scan_by_key_desc *desc, const void *keys, void *items, size_t n);

#ifdef __cplusplus
}
#endif

#endif
