/* SPDX-License-Identifier: MIT */
/*
 * Stable partition into K buckets: the items of a bucket lie side by side, and offsets hold where
 * each bucket begins.
 *
 *     dmm_partition *partition = NULL;
 *     dmm_partition_desc desc = {.ways = 16, .order = {.type = DMM_U32}, .label_bytes = 1};
 *     dmm_status status = dmm_partition_create(&partition, ctx, &desc);
 *     dmm_partition_args args = {.items_in = in, .by = labels, .items_out = out,
 *         .offsets_out = offsets};
 *     if (status == DMM_OK)
 *         status = dmm_partition_enqueue(partition, queue, &args, n, 0, NULL, &event);
 *     dmm_partition_free(partition);
 *
 * Bucket         of an item: a label, its place among splitters, bits of it, or an expression
 * Stable         yes
 * In place       yes (items_out equal to items_in), and out of place with the input untouched
 * Cost           one pass that finds the buckets, then a radix sort by them: a pass per 8 bits (GPU
 *                form) or 11 bits (CPU form) of K - 1; K = 2 in the GPU form: one pass more, of
 *                all, which reads labels of a byte, or an expression of items alone, again. Up to 8
 *                bits in the GPU form: the items themselves are sorted, by these bits
 * Bank claim     as method radix of <dmm/sort.h>; `conflict-free` under `guarantee`
 * Temp           about n items and values (the larger of both; both, where one pass of the GPU
 *                form does), four buckets per item, and the sort's own; K = 2 in the GPU form: n
 *                items, n values, and often a byte per item (dmm_partition_temp_bytes)
 * Errors         DMM_BAD_DATA in the report, for an item without a bucket: nothing is moved
 *
 * Details and sources are at the end of this file.
 */
#ifndef DMM_PARTITION_H
#define DMM_PARTITION_H

#include <dmm/sort.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum dmm_partition_by {
    DMM_PARTITION_BY_LABELS = 0,
    DMM_PARTITION_BY_SPLITTERS = 1,
    DMM_PARTITION_BY_BITS = 2,
    DMM_PARTITION_BY_EXPRESSION = 3
} dmm_partition_by;

typedef enum dmm_partition_method {
    DMM_PARTITION_AUTO = 0,
    DMM_PARTITION_RADIX = 1
} dmm_partition_method;

typedef struct dmm_partition_desc {
    uint32_t ways;          /* K, 1 to 65536; 0: 2 */
    dmm_partition_by by;    /* source of an item's bucket */
    dmm_order order;        /* items, and the order of splitters and bits. DMM_ITEM: item_bytes for
                               labels, `item` as well for an expression, `less` too for splitters */
    uint32_t value_bytes;   /* a value that moves with each item: 1 to 256 bytes; 0: items alone */
    uint32_t label_bytes;   /* 1, 2 or 4; 0: 4 */
    dmm_bits bits;          /* DMM_PARTITION_BY_BITS: at least one, at most 16 */
    const char *expression; /* DMM_PARTITION_BY_EXPRESSION */
    int guarantee;          /* conflict-free kernels only */
    dmm_partition_method method;
    uint64_t max_n; /* largest n of a call; 0: as many as the device can hold */
    dmm_tuning tuning;
    const dmm_map *map;   /* <dmm/map.h>: gives the items, which are written to temp first (n items
                             more); NULL: they are those of items_in. Not for streams */
    uint64_t reserved[3]; /* 0 */
} dmm_partition_desc;

/* items_out (values_out) is either equal to items_in (values_in) or apart from it; every other
 * overlap is DMM_OVERLAP. */
typedef struct dmm_partition_args {
    dmm_span items_in;
    dmm_span values_in; /* none for items alone */
    dmm_span by;        /* n labels, or K - 1 splitters; else none */
    dmm_span items_out;
    dmm_span values_out;
    dmm_span offsets_out;    /* K + 1 u64: bucket b begins at offsets_out[b]; offsets_out[K] = n */
    dmm_span report_out;     /* a dmm_report; none: no report */
    dmm_span temp;           /* none: allocated for the call */
    dmm_span count;          /* as in dmm_sort_args */
    const dmm_span *further; /* as in dmm_sort_args */
    uint64_t reserved[3];    /* 0 */
} dmm_partition_args;

/* Built for one context and one description; for one thread at a time. It owns kernels, no device
 * memory: executions in flight may overlap when their temps differ. */
typedef struct dmm_partition dmm_partition;

/*
 * Creates the object and builds its kernels. Errors: DMM_NULL_ARGUMENT; DMM_BAD_VALUE (a field
 * outside its range, or not asked for by `by`); DMM_BAD_PARAMETERS (u, E, tile do not fit the
 * device or the method); DMM_UNSUPPORTED (bits of floats, of DMM_ITEM or with `less`; splitters by
 * `less` or an expression on f64 where the device has no double); DMM_BUILD_FAILED (see the
 * context's log); DMM_OUT_OF_MEMORY; OpenCL's. On failure *out is NULL.
 */
DMM_API dmm_status dmm_partition_create(
    dmm_partition **out, dmm_context *ctx, const dmm_partition_desc *desc);

/* Returns the bytes of temp that a call with n items needs; monotone in n. DMM_TOO_LARGE beyond
 * max_n. */
DMM_API dmm_status dmm_partition_temp_bytes(
    uint64_t *out, const dmm_partition *partition, uint64_t n);

/* Partitions n items. n = 0 writes the report and offsets of 0. Errors and events as
 * dmm_sort_enqueue. */
DMM_API dmm_status dmm_partition_enqueue(dmm_partition *partition, cl_command_queue queue,
    const dmm_partition_args *args, uint64_t n, cl_uint num_wait, const cl_event *wait,
    cl_event *event);

/* NULL is fine. */
DMM_API void dmm_partition_free(dmm_partition *partition);

/* Host arrays, partitioned in place. `by` as in dmm_partition_args, NULL for none; offsets has K +
 * 1 items. */
typedef struct dmm_partition_host_args {
    void *items;
    void *values;
    const void *by;
    uint64_t *offsets_out;
    dmm_report *report_out; /* NULL: not wanted */
} dmm_partition_host_args;

/* Partitions host arrays, and blocks. Errors as above, and DMM_BAD_DATA: nothing was written but
 * the report. */
DMM_API dmm_status dmm_partition_host(dmm_context *ctx, const dmm_partition_desc *desc,
    const dmm_partition_host_args *args, size_t n);

/*
 * Details
 * Bucket         DMM_PARTITION_BY_LABELS      labels[i], an unsigned number of label_bytes bytes
 *                DMM_PARTITION_BY_SPLITTERS   the number of splitters, K - 1 in all, that do not
 *                                             come after the item in the order: bucket b holds
 *                                             splitters[b-1] <= item < splitters[b]. If they are
 *                                             not sorted, the partition is unspecified
 *                DMM_PARTITION_BY_BITS        the bits of an integer item, as in <dmm/sort.h>
 *                DMM_PARTITION_BY_EXPRESSION  OpenCL C over `key` (the item; half items: ushort),
 *                                             `i` (its position, ulong) and, for values of 1, 2, 4
 *                                             or 8 bytes, `value` (as an unsigned number), e.g.
 *                                             "key % 10"; a float is rounded toward 0, a NaN counts
 *                                             as 0
 * Wrong data     a label, bits or expression of K or more (or below 0): the call moves nothing,
 *                writes no output, and reports the first such item
 * Methods        auto     radix; K = 2 in the GPU form: items and values are packed by their
 *                         buckets, as <dmm/select.h> does by flags, but in one pass that is not
 *                         chained: the buckets are counted range by range before
 *                radix    the buckets are sorted as method radix of <dmm/sort.h> sorts keys
 * Cost           Buckets are written in 1 byte (K <= 256) or 2. If one pass does, they are counted
 *                as they are found, and the pass reads buckets and items and writes items: with
 *                K <= 256, labels and items of 4 bytes, 14 bytes moved for an item. The GPU form
 *                reads labels as wide as buckets again instead of writing these: 10 bytes of labels
 *                of 1 byte; and up to 8 bits of items of 4 bytes take 12. In place the GPU form
 *                moves a copy, made as the buckets are found: 4 bytes more, 8 by labels.
 *                More passes and `guarantee` read the buckets once more to count them and write
 *                them with the items: 16 bytes for one pass; in place they copy the items back.
 *                Values are a second such sort, unless items are sorted by their own bits; items
 *                and values that are not of 1, 2, 4 or 8 bytes move by their position, and are
 *                fetched once at the end. K <= 64 splitters are compared one after the other, more
 *                are searched. K = 2 in the GPU form: as the buckets are found, those of the second
 *                are counted, and one pass moves items and values of any size: items of 4 bytes by
 *                an expression 12 bytes, and in place as above.
 * Bank claim     the count of buckets and the exchange by rank are `measured`, all else
 *                `conflict-free`; under `guarantee` items are moved by split, and every kernel is
 *                `conflict-free`, as it is without for K = 2. The CPU form uses no local memory.
 * Determinism    the result depends on the input alone
 * Source         S. Ashkiani, A. Davidson, U. Meyer, J. Owens, "GPU Multisplit", PPoPP 2016, DOI
 *                10.1145/2851141.2851169
 */

#ifdef __cplusplus
}
#endif

#endif
