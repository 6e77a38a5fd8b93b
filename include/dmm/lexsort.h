/* SPDX-License-Identifier: MIT */
/*
 * Sorts the rows of a table by several columns of any types, and moves up to eight further arrays
 * with them: stable, out of place, on the device. With one column, a sort of several value arrays.
 *
 *     dmm_lexsort *lexsort = NULL;
 *     dmm_lexsort_desc desc = {.num_keys = 2, .num_values = 2,
 *         .keys = {{.type = DMM_U16}, {.type = DMM_F32, .descending = 1}}, .value_bytes = {8, 20}};
 *     dmm_status status = dmm_lexsort_create(&lexsort, ctx, &desc);
 *     dmm_lexsort_args args = {.keys_in = {year, price}, .values_in = {id, name},
 *         .keys_out = {years, prices}, .values_out = {ids, names}};
 *     if (status == DMM_OK)
 *         status = dmm_lexsort_enqueue(lexsort, queue, &args, n, 0, NULL, &event);
 *     dmm_lexsort_free(lexsort);
 *
 * Order          by the first column; rows that tie there by the second, and so on; rows that tie
 *                in all columns keep their order. Each column has its own dmm_order
 * In place       no: outputs are apart from inputs, which stay untouched
 * Cost           columns side by side that have at most 64 bits together are one number: one sort,
 *                a dmm_sort of these and the rows' numbers. Otherwise a sort for each such group of
 *                columns, from the last group on. Then each array that is wanted is taken by the
 *                rows' numbers (<dmm/take.h>); columns of the first group are read from the sorted
 *                numbers instead. CPU form, one column, no row numbers wanted: arrays move along in
 *                sorts of the column, one each, where that is faster (below)
 * Bank claim     as dmm_sort; dmm_lexsort_pack, dmm_lexsort_unpack and the gather use no local
 *                memory
 * Temp           a number of 4 or 8 bytes for each row, or two; row numbers; that of dmm_sort
 *
 * Details are at the end of this file.
 */
#ifndef DMM_LEXSORT_H
#define DMM_LEXSORT_H

#include <dmm/take.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dmm_lexsort_desc {
    uint32_t num_keys;               /* columns that are compared: 1 to 8; 0: 1 */
    uint32_t num_values;             /* further arrays: 0 to 8 */
    dmm_order keys[DMM_MAX_COLUMNS]; /* each column's type and order; the first decides first */
    uint32_t value_bytes[DMM_MAX_COLUMNS]; /* size of each further array's items: 1 to 256; 0: 4 */
    uint32_t row_bytes;   /* bytes of a row's number: 4 or 8; 0: 4, for at most 2^32 rows */
    int guarantee;        /* conflict-free kernels only, as in dmm_sort_desc */
    uint64_t max_n;       /* largest n of a call; 0: as many as the device can hold */
    dmm_tuning tuning;    /* as for dmm_sort */
    uint64_t reserved[4]; /* 0 */
} dmm_lexsort_desc;

/* Spans hold n items each. Any overlap is DMM_OVERLAP. */
typedef struct dmm_lexsort_args {
    dmm_span keys_in[DMM_MAX_COLUMNS];
    dmm_span values_in[DMM_MAX_COLUMNS];
    dmm_span keys_out[DMM_MAX_COLUMNS]; /* none: this column is not wanted */
    dmm_span values_out[DMM_MAX_COLUMNS];
    dmm_span rows_out; /* the number that each row had in the input; none: not wanted */
    dmm_span temp;
    dmm_span count;       /* as in dmm_sort_args */
    uint64_t reserved[4]; /* 0 */
} dmm_lexsort_args;

/* Built for one context and one description; for one thread at a time. */
typedef struct dmm_lexsort dmm_lexsort;

/* Errors as dmm_sort_create. */
DMM_API dmm_status dmm_lexsort_create(
    dmm_lexsort **out, dmm_context *ctx, const dmm_lexsort_desc *desc);
/* Returns the number of sorts of row numbers that a call runs, 1 to 8; 0 for NULL. */
DMM_API uint32_t dmm_lexsort_sorts(const dmm_lexsort *lexsort);
/* Monotone in n. DMM_TOO_LARGE beyond max_n. */
DMM_API dmm_status dmm_lexsort_temp_bytes(uint64_t *out, const dmm_lexsort *lexsort, uint64_t n);
/* Errors and events as dmm_sort_enqueue. */
DMM_API dmm_status dmm_lexsort_enqueue(dmm_lexsort *lexsort, cl_command_queue queue,
    const dmm_lexsort_args *args, uint64_t n, cl_uint num_wait, const cl_event *wait,
    cl_event *event);
/* NULL is fine. */
DMM_API void dmm_lexsort_free(dmm_lexsort *lexsort);

/* Host arrays of n items each. */
typedef struct dmm_lexsort_host_args {
    const void *keys[DMM_MAX_COLUMNS]; /* may be outputs, too, as values */
    const void *values[DMM_MAX_COLUMNS];
    void *keys_out[DMM_MAX_COLUMNS]; /* NULL: not wanted */
    void *values_out[DMM_MAX_COLUMNS];
    void *rows_out; /* NULL: not wanted */
} dmm_lexsort_host_args;

/* Sorts host arrays and blocks. Errors as above. */
DMM_API dmm_status dmm_lexsort_host(
    dmm_context *ctx, const dmm_lexsort_desc *desc, const dmm_lexsort_host_args *args, size_t n);

/*
 * Details
 * Numbers        a column's code is its bits changed so that unsigned order is the column's order,
 *                descending and NaNs included; codes stand side by side, the first column's on top.
 *                So one comparison of 64 bits is that of all columns. A column with `less`, or of
 *                DMM_ITEM, is a group of its own, sorted by dmm_sort's method merge
 * Groups         are made from the last column on, each as long as it fits
 * Values         move once, at the end, whatever the number of sorts and their passes. One array of
 *                1, 2, 4 or 8 bytes beside one column is faster in dmm_sort, which moves it along.
 *                The CPU form does the same. It moves k > 1 arrays along if an item of the column
 *                and one of any array have at most 8 bytes together, and n rows of the arrays at
 *                least k^2 times 8 MiB: there a gather misses the caches.
 *                Time of dmm_sort for each array over that of one dmm_lexsort, u32 keys and arrays,
 *                PoCL 3.1 on two cores of an AMD EPYC, 2026-11-27 (bench_lexsort), for 1, 2, 4 and
 *                8 arrays: 1.0, 1.1, 1.7, 2.6 (n = 2^20, loaded); 1.0 each (2^24, idle)
 */

#ifdef __cplusplus
}
#endif

#endif
