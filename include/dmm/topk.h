/* SPDX-License-Identifier: MIT */
/*
 * Selects the k items that come first in an order: the smallest, or, descending, the largest.
 *
 *     dmm_topk *topk = NULL;
 *     dmm_topk_desc desc = {.order = {.type = DMM_F32, .descending = 1}};
 *     dmm_status status = dmm_topk_create(&topk, ctx, &desc);
 *     dmm_topk_args args = {.keys_in = in, .keys_out = largest};
 *     if (status == DMM_OK)
 *         status = dmm_topk_enqueue(topk, queue, &args, n, k, 0, NULL, &event);
 *     dmm_topk_free(topk);
 *
 * Order        that of dmm_sort, NaNs last in either direction; ties go to lower indices. The
 *              output equals the first k items of a stable dmm_sort; `unsorted` leaves them in
 *              input order
 * In place     no: outputs are apart from inputs, which stay untouched
 * Cost         about two reads of every key (GPU form: three), one if k <= n/1024 (CPU form); then
 *              a sort of k items unless `unsorted`. By `less`: a sort of all items. In the CPU
 *              form for k >= n/5, sorted, with no values or such as move with their keys: the
 *              division of a radix sort and the sort of the buckets of the first k, which are
 *              copied. Nothing is read back
 * Bank claim   dmm_kselect_count, dmm_kselect_keep, dmm_kselect_alone: `conflict-free`; the sort of
 *              k items as dmm_sort
 * Temp         about n/3 keys and values (GPU form: keys alone), and temp of a sort of k items;
 *              `less`: two lists of n items; CPU form: two of min(n, 5 k) items
 *
 * Details and sources are at the end of this file.
 */
#ifndef DMM_TOPK_H
#define DMM_TOPK_H

#include <dmm/context.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dmm_topk_desc {
    dmm_order order;      /* key type and order */
    uint32_t value_bytes; /* bytes of the value of each key, 1 to 256; 0: keys alone */
    int argsort;          /* the values are not read: value i is the index i; value_bytes 4 or 8 */
    int unsorted;         /* output in input order; not with `less` */
    int guarantee;        /* conflict-free kernels only: refuses search=plain */
    uint64_t max_k;       /* largest min(k, n) of a call; 0: max_n */
    uint64_t max_n;       /* largest n of a call; 0: as many as the device can hold */
    dmm_tuning tuning;
    uint64_t reserved[4]; /* 0 */
} dmm_topk_desc;

/* n items in, min(k, n) out; any overlap is DMM_OVERLAP. */
typedef struct dmm_topk_args {
    dmm_span keys_in;
    dmm_span values_in; /* none for keys alone and for argsort */
    dmm_span keys_out;
    dmm_span values_out;
    dmm_span temp;
    uint64_t reserved[4]; /* 0 */
} dmm_topk_args;

/* Built for one context and one description; for one thread at a time. */
typedef struct dmm_topk dmm_topk;

/* Errors as dmm_sort_create; DMM_UNSUPPORTED for `unsorted` with `less`, too. */
DMM_API dmm_status dmm_topk_create(dmm_topk **out, dmm_context *ctx, const dmm_topk_desc *desc);
/* Returns the bytes of temp; monotone in n and in k. DMM_TOO_LARGE beyond max_n or max_k. */
DMM_API dmm_status dmm_topk_temp_bytes(uint64_t *out, const dmm_topk *topk, uint64_t n, uint64_t k);
/* Any k: 0 selects nothing, k >= n all. Errors and events as dmm_sort_enqueue. */
DMM_API dmm_status dmm_topk_enqueue(dmm_topk *topk, cl_command_queue queue,
    const dmm_topk_args *args, uint64_t n, uint64_t k, cl_uint num_wait, const cl_event *wait,
    cl_event *event);
/* NULL is fine. */
DMM_API void dmm_topk_free(dmm_topk *topk);
/* Selects from host arrays of n items into host arrays of min(k, n), and blocks. values is NULL for
 * keys alone and for argsort; values_out is NULL for keys alone. */
DMM_API dmm_status dmm_topk_host(dmm_context *ctx, const dmm_topk_desc *desc, const void *keys,
    const void *values, size_t n, size_t k, void *keys_out, void *values_out);

/*
 * Details
 * Passes       by digits of 8 bits (GPU form) or 11 bits (CPU form), the highest first. GPU form:
 *              the passes of the first two digits read every key, as does the launch that moves the
 *              selected items. If at most a quarter of the keys share the first digit of the one at
 *              the rank (random keys: about n/256), the passes between read only these. CPU form:
 *              the first pass reads every key twice: to count, and to keep the candidates. If these
 *              are at most a quarter of the items (random keys: about k + n/2048), later passes
 *              read only them. In both forms, at worst each digit reads all keys once, and the last
 *              launch once more. One launch does all passes over one tile. The number of launches
 *              depends on the key's size, n and k alone
 * Small k      the CPU form computes the least key of each block of 256 items, then reads only the
 *              k blocks whose least keys come first
 * `less`       has no digits, hence the sort; whatever it answers, no item of the input is selected
 *              twice
 * Source       M. Blum, R. Floyd, V. Pratt, R. Rivest, R. Tarjan, "Time Bounds for Selection", JCSS
 *              7(4), 1973, DOI 10.1016/S0022-0000(73)80033-9; T. Alabi, J. Blanchard, B. Gordon, R.
 *              Steinbach, "Fast k-Selection Algorithms for Graphics Processing Units", ACM JEA 17,
 *              2012, DOI 10.1145/2133803.2345676
 */

#ifdef __cplusplus
}
#endif

#endif
