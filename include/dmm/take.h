/* SPDX-License-Identifier: MIT */
/*
 * Takes rows of up to eight arrays by number: out[c][i] = in[c][rows[i]] for each array c. For what
 * moves with items that another call has sorted, merged or selected, and left the numbers of:
 * dmm_sort (argsort), dmm_merge (positions), dmm_select (positions_out), dmm_unique (starts_out),
 * dmm_lexsort (rows_out).
 *
 *     dmm_take *take = NULL;
 *     dmm_take_desc desc = {.num_columns = 2, .item_bytes = {4, 12}, .row_bytes = 8};
 *     dmm_status status = dmm_take_create(&take, ctx, &desc);
 *     dmm_take_args args = {.rows = positions, .in = {ages, names}, .out = {ages_out, names_out},
 *         .count = number};
 *     if (status == DMM_OK)
 *         status = dmm_take_enqueue(take, queue, &args, n, rows, 0, NULL, &event);
 *     dmm_take_free(take);
 *
 * Rows           any numbers, some several times, others not at all; those beyond the last row take
 *                the last one, and nothing beyond it is read
 * In place       no: outputs are apart from inputs, which stay untouched
 * Cost           a launch for each array, which reads a number and an item and writes an item
 * Bank claim     no local memory
 * Temp           none
 */
#ifndef DMM_TAKE_H
#define DMM_TAKE_H

#include <dmm/context.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { DMM_MAX_COLUMNS = 8 };

typedef struct dmm_take_desc {
    uint32_t num_columns;                 /* 1 to 8; 0: 1 */
    uint32_t item_bytes[DMM_MAX_COLUMNS]; /* size of each array's items: 1 to 256; 0: 4 */
    uint32_t row_bytes;                   /* bytes of a number: 4 (u32) or 8 (u64); 0: 4 */
    uint64_t max_n;       /* largest n of a call; 0: as many as the device can hold */
    uint64_t reserved[4]; /* 0 */
} dmm_take_desc;

/* Any overlap is DMM_OVERLAP. */
typedef struct dmm_take_args {
    dmm_span rows;                  /* n numbers */
    dmm_span in[DMM_MAX_COLUMNS];   /* rows_a items each */
    dmm_span in_b[DMM_MAX_COLUMNS]; /* the rows from rows_a on, as of a merge of two lists */
    dmm_span out[DMM_MAX_COLUMNS];  /* space for n items each */
    dmm_span temp;                  /* not looked at */
    dmm_span count;                 /* as in dmm_sort_args */
    uint64_t rows_a;                /* rows of `in`; 0: all, and `in_b` is not read */
    uint64_t reserved[4];           /* 0 */
} dmm_take_args;

/* Built for one context and one description; for one thread at a time. */
typedef struct dmm_take dmm_take;

/* Errors: DMM_NULL_ARGUMENT, DMM_BAD_VALUE, DMM_BUILD_FAILED, DMM_OUT_OF_MEMORY, OpenCL's. On
 * failure *out is NULL. */
DMM_API dmm_status dmm_take_create(dmm_take **out, dmm_context *ctx, const dmm_take_desc *desc);
/* Returns 0 bytes. DMM_TOO_LARGE beyond max_n. */
DMM_API dmm_status dmm_take_temp_bytes(uint64_t *out, const dmm_take *take, uint64_t n);
/* Takes n of `rows` rows. DMM_BAD_VALUE if there are none to take, or fewer than rows_a. Other
 * errors and events as dmm_sort_enqueue. */
DMM_API dmm_status dmm_take_enqueue(dmm_take *take, cl_command_queue queue,
    const dmm_take_args *args, uint64_t n, uint64_t rows, cl_uint num_wait, const cl_event *wait,
    cl_event *event);
/* NULL is fine. */
DMM_API void dmm_take_free(dmm_take *take);
/* Takes n of `rows` rows of one array in host memory, the description's first, and blocks. Errors
 * as above. */
DMM_API dmm_status dmm_take_host(dmm_context *ctx, const dmm_take_desc *desc, const void *numbers,
    size_t n, const void *items, size_t rows, void *out);

#ifdef __cplusplus
}
#endif

#endif
