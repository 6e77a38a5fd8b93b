/* SPDX-License-Identifier: MIT */
/*
 * Keys of any type to measure with, and the judge of sorted ones. Keys are made from 64-bit ranks
 * by a monotone map; floats are never NaN.
 */
#ifndef DMM_BENCH_KEYS_H
#define DMM_BENCH_KEYS_H

#include <stddef.h>

#include <dmm-model/worst.h>
#include <dmm/types.h>

typedef enum bench_input {
    BENCH_RANDOM = 0,
    BENCH_SORTED = 1,
    BENCH_REVERSED = 2,
    BENCH_EQUAL = 3,
    BENCH_FEW = 4,   /* sixteen values */
    BENCH_ORGAN = 5, /* up, then down */
    BENCH_WORST = 6, /* most bank conflicts of the plain merge sort: dmm_model_worst_merge */
    BENCH_ZIPF = 7   /* small keys often, key x about as often as 1 / x */
} bench_input;

/* Returns 0 unless the name is one of the above. */
int bench_input_named(bench_input *out, const char *name);

/* Host arrays. Value i holds i, in as many low bytes as it has. */
typedef struct bench_items {
    dmm_type type;
    uint32_t value_bytes;
    size_t n;
    unsigned char *keys, *values;
} bench_items;

/* Allocated for n > 0 items; bench_items_free is the end of them. */
bench_items bench_items_new(dmm_type type, uint32_t value_bytes, size_t n);
void bench_items_free(bench_items *items);

size_t bench_key_bytes(const bench_items *items);   /* all keys together */
size_t bench_value_bytes(const bench_items *items); /* all values together */

/* `shape` is read for BENCH_WORST only. */
dmm_status bench_items_fill(
    bench_items *items, bench_input input, const dmm_model_merge_shape *shape);

/* Returns NULL if `out` is `in` in ascending order and, if `stable`, equal keys keep their order;
 * else the fault. `in` is as it was filled. */
const char *bench_fault(const bench_items *in, const bench_items *out, int stable);

#endif
