/* SPDX-License-Identifier: MIT */
/*
 * Transposing matrices: rectangular, of items of 1 to 256 bytes, one or many at a time.
 *
 * In place       yes (out equal to in), and out of place with the input untouched
 * Cost           out of place: reads and writes each item once. In place: the same for square
 *                matrices; others take two passes over the items, three where rows and columns
 *                have a common divisor
 * Bank claim     dmm_transpose_tiles, dmm_transpose_square: `conflict-free`, for items of any size;
 *                the others, and the CPU form, use no local memory
 * Temp           out of place and square: none. In place: a row or some columns for each of a
 *                number of groups that the device fixes (see dmm_transpose_temp_bytes)
 * Source         B. Catanzaro, A. Keller, M. Garland, "A Decomposition for In-place Matrix
 *                Transposition", PPoPP 2014, DOI 10.1145/2555243.2555253 (C2R, in place)
 */
#ifndef DMM_TRANSPOSE_H
#define DMM_TRANSPOSE_H

#include <dmm/context.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dmm_transpose_desc {
    uint32_t item_bytes; /* 1 to 256 */
    uint64_t max_n;      /* the most items of a call; 0: as many as the device can hold */
    dmm_tuning tuning;   /* form, u */
} dmm_transpose_desc;

#define DMM_TRANSPOSE_DESC_INIT                           \
    {                                                     \
        4, 0,                                             \
        {                                                 \
            DMM_FORM_DEFAULT, 0, 0, 0, DMM_SEARCH_DEFAULT \
        }                                                 \
    }

/* Matrices of rows times cols items, row after row, one matrix after the other. */
typedef struct dmm_matrices {
    uint64_t rows, cols;
    uint64_t count; /* 0: one matrix */
} dmm_matrices;

typedef struct dmm_transpose_args {
    dmm_span in;  /* rows * cols * count items */
    dmm_span out; /* matrices of cols times rows; equal to in or apart from it */
    dmm_span temp;
} dmm_transpose_args;

/* Built for one context and one description; for one thread at a time. */
typedef struct dmm_transpose dmm_transpose;

/* Errors: DMM_NULL_ARGUMENT, DMM_BAD_VALUE, DMM_BAD_PARAMETERS, DMM_BUILD_FAILED,
 * DMM_OUT_OF_MEMORY, OpenCL's. On failure *out is NULL. */
DMM_API dmm_status dmm_transpose_create(
    dmm_transpose **out, dmm_context *ctx, const dmm_transpose_desc *desc);
/* What a call in place needs; out of place none is. DMM_TOO_LARGE beyond max_n. */
DMM_API dmm_status dmm_transpose_temp_bytes(
    uint64_t *out, const dmm_transpose *transpose, dmm_matrices shape);
/* Errors and events as dmm_sort_enqueue. No rows, or no columns: no items. */
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
