/* SPDX-License-Identifier: MIT */
/*
 * Transposes matrices: rectangular, of items of 1 to 256 bytes, one or many in a call.
 *
 * In place     yes (out equal to in); out of place the input is untouched
 * Cost         out of place, or square: reads and writes each item once; otherwise two passes in
 *              place, three if rows and columns have a common divisor (two in the CPU form if it is
 *              one of them)
 * Bank claim   dmm_transpose_tiles, dmm_transpose_square: `conflict-free` for items of any size; no
 *              other kernel uses local memory
 * Temp         none out of place and for squares; otherwise see Details
 * Errors       at each function; {0} is a valid description: items of 4 bytes
 *
 * Details
 * Temp         in place: a row, or 16 columns, for each group; the device determines the number of
 *              groups (dmm_transpose_temp_bytes)
 * Vectors      matrices of one row or one column stay as they are in memory
 * Source       B. Catanzaro, A. Keller, M. Garland, "A Decomposition for In-place Matrix
 *              Transposition", PPoPP 2014, DOI 10.1145/2555243.2555253 (C2R, in place)
 */
#ifndef DMM_TRANSPOSE_H
#define DMM_TRANSPOSE_H

#include <dmm/context.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dmm_transpose_desc {
    uint32_t item_bytes;  /* 1 to 256; 0: 4 */
    uint64_t max_n;       /* largest item count of a call; 0: as many as the device can hold */
    dmm_tuning tuning;    /* form, u */
    uint64_t reserved[4]; /* 0 */
} dmm_transpose_desc;

/* Matrices of rows times cols items, row after row, one matrix after the other. */
typedef struct dmm_matrices {
    uint64_t rows, cols;
    uint64_t count; /* 0: one matrix */
} dmm_matrices;

typedef struct dmm_transpose_args {
    dmm_span in;  /* rows * cols * count items */
    dmm_span out; /* matrices of cols times rows; equal to in or apart from it */
    dmm_span temp;
    uint64_t reserved[4]; /* 0 */
} dmm_transpose_args;

/* Built for one context and one description; for one thread at a time. */
typedef struct dmm_transpose dmm_transpose;

/* Errors: DMM_NULL_ARGUMENT, DMM_BAD_VALUE, DMM_BAD_PARAMETERS, DMM_BUILD_FAILED,
 * DMM_OUT_OF_MEMORY, OpenCL's. On failure *out is NULL. */
DMM_API dmm_status dmm_transpose_create(
    dmm_transpose **out, dmm_context *ctx, const dmm_transpose_desc *desc);
/* Returns the bytes of temp for a call in place; out of place needs none. DMM_TOO_LARGE beyond
 * max_n. */
DMM_API dmm_status dmm_transpose_temp_bytes(
    uint64_t *out, const dmm_transpose *transpose, dmm_matrices shape);
/* Errors and events as dmm_sort_enqueue. Zero rows or columns are no items: nothing is written. */
DMM_API dmm_status dmm_transpose_enqueue(dmm_transpose *transpose, cl_command_queue queue,
    const dmm_transpose_args *args, dmm_matrices shape, cl_uint num_wait, const cl_event *wait,
    cl_event *event);
/* NULL is fine. */
DMM_API void dmm_transpose_free(dmm_transpose *transpose);
/* Transposes host matrices in place and blocks. */
DMM_API dmm_status dmm_transpose_host(
    dmm_context *ctx, const dmm_transpose_desc *desc, void *items, dmm_matrices shape);

#ifdef __cplusplus
}
#endif

#endif
