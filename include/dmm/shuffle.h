/* SPDX-License-Identifier: MIT */
/*
 * Shuffles: random permutations from a 64-bit seed, as a function of the index and of buffers.
 *
 * Order        item i of the output is item dmm_shuffle_index(seed, n, i) of the input: the same on
 *              every device, with any parameters. Not a cipher
 * In place     yes (out equal to in); out of place the input is untouched
 * Cost         reads and writes each item once, or twice in the CPU form from 2^20 items on; 4 to
 *              24 rounds of 4 multiplications an item
 * Bank claim   no kernel uses local memory
 * Temp         none, or about the items once more: dmm_shuffle_temp_bytes
 *
 * Details
 * Gather       one pass fetches item i; whole lines are written, reads go all over the input. In
 *              place it reads from a copy
 * Spread       CPU form, items of 1, 2, 4 or 8 bytes, all n of them: one pass sends each item to
 *              its tile of the output, whole lines at a time; a second one places it within the
 *              tile, in the cache. Its temp: the items, two bytes for each, and some hundred bytes
 *              for each tile and group
 * Seeds        give at most 2^64 of the n! orders, which are more from n = 21 on. The tests of
 *              tests/move/test_shuffle_quality.c cannot tell them from uniform orders: all orders
 *              of up to 7 items, pairs and triples of items over seeds, neighbours and places
 *              within an order, fixed points, cycles, parity. Enough of an order may reveal the
 *              seed. Orders stay the same in every version
 * Source       as in cl/shuffle.clh
 */
#ifndef DMM_SHUFFLE_H
#define DMM_SHUFFLE_H

#include <dmm/context.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Returns the index of the item that comes i-th in the shuffled order, i < n: a bijection of
 * 0 .. n-1 for every seed and every n up to 2^64 - 1. Needs no memory and no OpenCL. */
DMM_API uint64_t dmm_shuffle_index(uint64_t seed, uint64_t n, uint64_t i);
/* Returns the place of item x in the shuffled order, x < n: the inverse. */
DMM_API uint64_t dmm_shuffle_place(uint64_t seed, uint64_t n, uint64_t x);
/*
 * Returns both functions as text, valid as OpenCL C and as C11, to precede kernels that call them:
 *     ulong dmm_shuffle_index(ulong seed, ulong n, ulong i);
 *     ulong dmm_shuffle_place(ulong seed, ulong n, ulong x);
 * and, to do once what is the same for all i, dmm_shuffle_begin(seed, n) with
 * dmm_shuffle_from(begun, i) and dmm_shuffle_to(begun, x). Static storage.
 */
DMM_API const char *dmm_shuffle_source(void);

typedef struct dmm_shuffle_desc {
    uint32_t item_bytes;  /* 1 to 256, for `indices` 4 or 8; 0: 4 */
    uint32_t value_bytes; /* bytes of the value of each item, 1 to 256; 0: items alone */
    int indices;          /* the items are not read: item i is the number i */
    uint64_t max_n;    /* largest n of a call; 0: as many as the device can hold, and for `indices`
                             as many as the numbers can count */
    dmm_tuning tuning; /* form; tile: items of a tile (CPU form) */
    uint64_t reserved[4]; /* 0 */
} dmm_shuffle_desc;

/* Inputs hold n items, outputs `count`. An output is equal to its input or apart from it. */
typedef struct dmm_shuffle_args {
    uint64_t seed;
    uint64_t count; /* only the first `count` items of the shuffled order are written: a sample
                       without replacement, in random order; 0: all n */
    dmm_span in;    /* none for `indices` */
    dmm_span values_in;
    dmm_span out;
    dmm_span values_out;
    dmm_span temp;
    uint64_t reserved[4]; /* 0 */
} dmm_shuffle_args;

/* Built for one context and one description; for one thread at a time. */
typedef struct dmm_shuffle dmm_shuffle;

/* Errors: DMM_NULL_ARGUMENT, DMM_BAD_VALUE, DMM_BAD_PARAMETERS, DMM_BUILD_FAILED,
 * DMM_OUT_OF_MEMORY, OpenCL's. On failure *out is NULL. */
DMM_API dmm_status dmm_shuffle_create(
    dmm_shuffle **out, dmm_context *ctx, const dmm_shuffle_desc *desc);
/* Returns the bytes of temp for at most n items, in place or not, whole or sampled. DMM_TOO_LARGE
 * beyond max_n. */
DMM_API dmm_status dmm_shuffle_temp_bytes(uint64_t *out, const dmm_shuffle *shuffle, uint64_t n);
/* Errors and events as dmm_sort_enqueue; DMM_BAD_VALUE: count is above n. */
DMM_API dmm_status dmm_shuffle_enqueue(dmm_shuffle *shuffle, cl_command_queue queue,
    const dmm_shuffle_args *args, uint64_t n, cl_uint num_wait, const cl_event *wait,
    cl_event *event);
/* NULL is fine. */
DMM_API void dmm_shuffle_free(dmm_shuffle *shuffle);
/* Shuffles host arrays in place and blocks. values: NULL without value_bytes; items are written
 * only, for `indices`. */
DMM_API dmm_status dmm_shuffle_host(dmm_context *ctx, const dmm_shuffle_desc *desc, uint64_t seed,
    void *items, void *values, size_t n);
/* Writes the indices of a random sample of `count` out of n, without replacement and in random
 * order, to a host array of u32 (index_bytes 4) or u64 (8), and blocks. Memory: that of the sample
 * alone. */
DMM_API dmm_status dmm_shuffle_sample_host(
    dmm_context *ctx, uint64_t seed, uint64_t n, size_t count, uint32_t index_bytes, void *out);

#ifdef __cplusplus
}
#endif

#endif
