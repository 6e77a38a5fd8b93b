/* SPDX-License-Identifier: MIT */
/*
 * Runs of equal neighbours: the first item of each, its index, and the number of runs.
 *
 * Equal          keys of key_bytes bytes, of any type, are equal where all bytes are: -0 is not +0,
 *                a NaN equals itself. After a sort the runs are the different keys.
 * Order          as in the input
 * In place       no: outputs are apart from inputs, which stay untouched
 * Cost           each key is read once (CPU form: twice), each kept key written once: for keys of 4
 *                bytes, all different, 8 bytes moved per item (CPU form: 12). Values are read only
 *                at starts of runs (CPU form, keys and values of 1, 2, 4 or 8 bytes: all).
 * Bank claim     dmm_pack_keep: `conflict-free`; dmm_pack_clear and the CPU form use no local
 *                memory
 * Temp           4 bytes a tile (CPU form: a few counts a compute unit)
 * Source         G. Blelloch, "Prefix Sums and Their Applications", 1990, section 1.3 (packing);
 *                for the GPU form cl/chain.clh
 */
#ifndef DMM_UNIQUE_H
#define DMM_UNIQUE_H

#include <dmm/context.h>
#include <dmm/map.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dmm_unique_desc {
    uint32_t key_bytes;   /* 1 to 256; 0: 4 */
    uint32_t value_bytes; /* a value that moves with each key: 1 to 256 bytes; 0: keys alone */
    uint64_t max_n;       /* largest n of a call; 0: as many as the device can hold */
    dmm_tuning tuning;
    const dmm_map *map;   /* <dmm/map.h>: gives the keys, of its type `result`, which has key_bytes
                             bytes (no padding); NULL: they are those of keys_in */
    uint64_t reserved[3]; /* 0 */
} dmm_unique_desc;

/* Spans have space for n items. Any overlap is DMM_OVERLAP. */
typedef struct dmm_unique_args {
    dmm_span keys_in;
    dmm_span values_in; /* none for keys alone */
    dmm_span keys_out;
    dmm_span values_out;
    dmm_span starts_out; /* uint64_t: the index in the input at which each run begins; or none */
    dmm_span runs_out;   /* one uint64_t: number of runs, usable as `count` of a later call */
    dmm_span temp;
    dmm_span count;          /* as in dmm_sort_args */
    const dmm_span *further; /* as in dmm_scan_args */
    uint64_t reserved[3];    /* 0 */
} dmm_unique_args;

/* Built for one context and one description; for one thread at a time. */
typedef struct dmm_unique dmm_unique;

/* Errors: DMM_NULL_ARGUMENT, DMM_BAD_VALUE, DMM_BAD_PARAMETERS, DMM_BUILD_FAILED,
 * DMM_OUT_OF_MEMORY, OpenCL's. On failure *out is NULL. */
DMM_API dmm_status dmm_unique_create(
    dmm_unique **out, dmm_context *ctx, const dmm_unique_desc *desc);
/* Monotone in n. DMM_TOO_LARGE beyond max_n. */
DMM_API dmm_status dmm_unique_temp_bytes(uint64_t *out, const dmm_unique *unique, uint64_t n);
/* Errors and events as dmm_sort_enqueue. n = 0 writes 0 runs. */
DMM_API dmm_status dmm_unique_enqueue(dmm_unique *unique, cl_command_queue queue,
    const dmm_unique_args *args, uint64_t n, cl_uint num_wait, const cl_event *wait,
    cl_event *event);
/* NULL is fine. */
DMM_API void dmm_unique_free(dmm_unique *unique);
/* Packs host arrays in place, writes the number of remaining items to *runs_out, and blocks. values
 * is NULL for keys alone. Items after the packed ones are undefined. */
DMM_API dmm_status dmm_unique_host(dmm_context *ctx, const dmm_unique_desc *desc, void *keys,
    void *values, size_t n, size_t *runs_out);

#ifdef __cplusplus
}
#endif

#endif
