/* SPDX-License-Identifier: MIT */
/*
 * The sum, the maximum or the minimum of the items of each run of equal keys, or what an operator
 * of the caller's makes of them, in their order.
 *
 * Equal          keys of key_bytes bytes, of any type, are equal where all bytes are, as in
 *                <dmm/unique.h>. After a sort by key the runs are the different keys.
 * Order          as in the input
 * In place       no: outputs are apart from inputs, which stay untouched
 * Cost           CPU form: keys are read twice (up to one tile, by one launch, once), items once,
 *                and the runs are written. GPU form: two launches that do this once; what dmm_scan
 *                does not chain: as dmm_unique with starts, and dmm_scan_by_key into temp, from
 *                which each run's item is fetched
 * Bank claim     as dmm_unique and dmm_scan_by_key; dmm_by_key_fetch and the CPU form use no local
 *                memory
 * Temp           CPU form: a few words for each group. GPU form: a few words for each tile; not
 *                chained: that of dmm_unique and dmm_scan_by_key, and 8 bytes and an item for each
 *                item
 * Items          as in <dmm/scan_by_key.h>; no run is empty
 * Source         as <dmm/scan_by_key.h>
 */
#ifndef DMM_REDUCE_BY_KEY_H
#define DMM_REDUCE_BY_KEY_H

#include <dmm/scan.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dmm_reduce_by_key_desc {
    dmm_type type; /* type of items, as in dmm_scan_desc */
    dmm_scan_op op;
    uint32_t key_bytes;      /* 1 to 256; 0: 4 */
    uint64_t max_n;          /* largest n of a call; 0: as many as the device can hold */
    dmm_tuning tuning;       /* as for dmm_scan_by_key */
    const dmm_operator *own; /* in place of op, as in dmm_scan_desc */
    const dmm_map *map;      /* <dmm/map.h>: what to reduce; NULL: the input's items */
    uint64_t reserved[2];    /* 0 */
} dmm_reduce_by_key_desc;

/* Spans have space for n items; of outputs, those behind the last run are undefined. Any overlap is
 * DMM_OVERLAP. */
typedef struct dmm_reduce_by_key_args {
    dmm_span keys_in;
    dmm_span in;
    dmm_span keys_out; /* the key of each run */
    dmm_span out;      /* the total of each run */
    dmm_span runs_out; /* one uint64_t: number of runs, usable as `count` of a later call */
    dmm_span temp;
    dmm_span count;          /* as in dmm_sort_args */
    const dmm_span *further; /* as in dmm_scan_args */
    uint64_t reserved[3];    /* 0 */
} dmm_reduce_by_key_args;

/* Built for one context and one description; for one thread at a time. */
typedef struct dmm_reduce_by_key dmm_reduce_by_key;

/* Errors as dmm_scan_create. */
DMM_API dmm_status dmm_reduce_by_key_create(
    dmm_reduce_by_key **out, dmm_context *ctx, const dmm_reduce_by_key_desc *desc);
/* Monotone in n. DMM_TOO_LARGE beyond max_n. */
DMM_API dmm_status dmm_reduce_by_key_temp_bytes(
    uint64_t *out, const dmm_reduce_by_key *reduce, uint64_t n);
/* Errors and events as dmm_sort_enqueue. n = 0 writes 0 runs. */
DMM_API dmm_status dmm_reduce_by_key_enqueue(dmm_reduce_by_key *reduce, cl_command_queue queue,
    const dmm_reduce_by_key_args *args, uint64_t n, cl_uint num_wait, const cl_event *wait,
    cl_event *event);
/* NULL is fine. */
DMM_API void dmm_reduce_by_key_free(dmm_reduce_by_key *reduce);
/* Packs host arrays in place, writes the number of runs to *runs_out, and blocks. Items after the
 * packed ones are undefined. */
DMM_API dmm_status dmm_reduce_by_key_host(dmm_context *ctx, const dmm_reduce_by_key_desc *desc,
    void *keys, void *items, size_t n, size_t *runs_out);

#ifdef __cplusplus
}
#endif

#endif
