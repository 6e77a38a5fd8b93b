/* SPDX-License-Identifier: MIT */
/*
 * Run lengths: the first key of each run of equal neighbours, how many keys the run has, and the
 * number of runs.
 *
 * Equal          keys of key_bytes bytes, of any type, are equal where all bytes are, as in
 *                <dmm/unique.h>. After a sort the counts are those of the different keys.
 * Order          as in the input
 * In place       no: outputs are apart from inputs, which stay untouched
 * Cost           CPU form: keys are read twice (up to one tile, by one launch, once), and the runs
 *                are written. GPU form: two launches that do this once
 * Bank claim     every kernel `conflict-free`; the CPU form uses no local memory
 * Temp           a few words for each group (CPU form) or tile (GPU form)
 * Source         as <dmm/unique.h>
 */
#ifndef DMM_RUN_LENGTH_H
#define DMM_RUN_LENGTH_H

#include <dmm/context.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dmm_run_length_desc {
    uint32_t key_bytes;   /* 1 to 256; 0: 4 */
    uint64_t max_n;       /* largest n of a call; 0: as many as the device can hold */
    dmm_tuning tuning;    /* as for dmm_unique */
    uint64_t reserved[4]; /* 0 */
} dmm_run_length_desc;

/* Spans have space for n items; of outputs, those behind the last run are undefined. Any overlap is
 * DMM_OVERLAP. */
typedef struct dmm_run_length_args {
    dmm_span keys_in;
    dmm_span keys_out;   /* the first key of each run */
    dmm_span counts_out; /* uint64_t: number of keys in each run */
    dmm_span runs_out;   /* one uint64_t: number of runs, usable as `count` of a later call */
    dmm_span temp;
    dmm_span count;       /* as in dmm_sort_args */
    uint64_t reserved[4]; /* 0 */
} dmm_run_length_args;

/* Built for one context and one description; for one thread at a time. */
typedef struct dmm_run_length dmm_run_length;

/* Errors as dmm_unique_create. */
DMM_API dmm_status dmm_run_length_create(
    dmm_run_length **out, dmm_context *ctx, const dmm_run_length_desc *desc);
/* Monotone in n. DMM_TOO_LARGE beyond max_n. */
DMM_API dmm_status dmm_run_length_temp_bytes(
    uint64_t *out, const dmm_run_length *run_length, uint64_t n);
/* Errors and events as dmm_sort_enqueue. n = 0 writes 0 runs. */
DMM_API dmm_status dmm_run_length_enqueue(dmm_run_length *run_length, cl_command_queue queue,
    const dmm_run_length_args *args, uint64_t n, cl_uint num_wait, const cl_event *wait,
    cl_event *event);
/* NULL is fine. */
DMM_API void dmm_run_length_free(dmm_run_length *run_length);
/* Packs a host array in place, writes the counts, of which there is space for n, and the number of
 * runs to *runs_out, and blocks. Keys after the packed ones are undefined. */
DMM_API dmm_status dmm_run_length_host(dmm_context *ctx, const dmm_run_length_desc *desc,
    void *keys, size_t n, uint64_t *counts_out, size_t *runs_out);

#ifdef __cplusplus
}
#endif

#endif
