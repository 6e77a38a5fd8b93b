/* SPDX-License-Identifier: MIT */
/*
 * Keys from ranks, and the judge: order, multiset of items, and, where values tell, stability.
 */
#include "keys.h"

#include <stdlib.h>
#include <string.h>

#include "cl/hash.clh"
#include "measure.h"

static const char *const input_names[] = {
    "random", "sorted", "reversed", "equal", "few", "organ", "worst", "zipf"};
enum { NUM_INPUTS = sizeof input_names / sizeof input_names[0], FEW = 16 };

int bench_input_named(bench_input *out, const char *name)
{
    for (int i = 0; i < NUM_INPUTS; i++)
        if (strcmp(input_names[i], name) == 0) {
            *out = (bench_input)i;
            return 1;
        }
    return 0;
}

bench_items bench_items_new(dmm_type type, uint32_t value_bytes, size_t n)
{
    bench_items items = {.type = type, .value_bytes = value_bytes, .n = n};
    items.keys = bench_allocate(bench_key_bytes(&items));
    items.values = value_bytes != 0 ? bench_allocate(bench_value_bytes(&items)) : NULL;
    return items;
}

void bench_items_free(bench_items *items)
{
    free(items->values);
    free(items->keys);
    *items = (bench_items){.keys = NULL};
}

size_t bench_key_bytes(const bench_items *items)
{
    return items->n * dmm_type_bytes(items->type);
}

size_t bench_value_bytes(const bench_items *items)
{
    return items->n * items->value_bytes;
}

static uint64_t mix(uint64_t x)
{
    return dmm_mix(x + DMM_GOLDEN);
}

/* Returns the bits of a float type's mantissa; -1 for integers. */
static int mantissa_bits(dmm_type type)
{
    return type == DMM_F16 ? 10 : type == DMM_F32 ? 23 : type == DMM_F64 ? 52 : -1;
}

static int is_signed(dmm_type type)
{
    return type == DMM_I8 || type == DMM_I16 || type == DMM_I32 || type == DMM_I64;
}

/* x in 0 .. 2^64 - 1, spread over the keys of the type: from the least number to the greatest. */
static uint64_t key_of(dmm_type type, uint64_t x)
{
    const unsigned bits = 8 * dmm_type_bytes(type);
    const uint64_t sign = (uint64_t)1 << (bits - 1), rank = x >> (64 - bits);
    const int mantissa = mantissa_bits(type);
    if (mantissa < 0)
        return is_signed(type) ? rank ^ sign : rank;
    /* Without a sign, the exponent's 2^e values shrink by one: 0 .. 2^(e + m) - 1 to 0 .. infinity.
     */
    const uint64_t infinity = sign - ((uint64_t)1 << mantissa), unsigned_rank = rank & (sign - 1);
    const uint64_t magnitude = unsigned_rank - (unsigned_rank >> (bits - 1 - (unsigned)mantissa));
    return rank & sign ? magnitude : sign | (infinity - magnitude);
}

/* The rank of a key among the numbers of its type, NaNs aside. */
static uint64_t rank_of(dmm_type type, uint64_t key)
{
    const uint64_t sign = (uint64_t)1 << (8 * dmm_type_bytes(type) - 1);
    if (mantissa_bits(type) < 0)
        return is_signed(type) ? key ^ sign : key;
    return key & sign ? sign - 1 - (key & (sign - 1)) : key | sign;
}

/* Little-endian hosts only, as is the library: the low bytes come first. */
static uint64_t load(const unsigned char *from, size_t i, uint32_t bytes)
{
    uint64_t x = 0;
    memcpy(&x, from + i * bytes, bytes < sizeof x ? bytes : sizeof x);
    return x;
}

static void store(unsigned char *to, size_t i, uint32_t bytes, uint64_t x)
{
    const uint32_t low = bytes < sizeof x ? bytes : (uint32_t)sizeof x;
    memcpy(to + i * bytes, &x, low);
    memset(to + i * bytes + low, 0, bytes - low);
}

/* Place i of n as a number in 0 .. 2^64 - 1. */
static uint64_t spread(uint64_t i, uint64_t n)
{
    return i * (UINT64_MAX / n);
}

/* 0 .. n - 1, x about as often as 1 / (x + 1): as many below each power of two as between it and
 * the next one. */
static uint64_t zipf(uint64_t i, uint64_t n)
{
    uint64_t octaves = 1;
    while (n >> octaves != 0)
        octaves++;
    const uint64_t random = mix(i), octave = (uint64_t)1 << random % octaves;
    return (octave - 1 + (mix(random) & (octave - 1))) % n;
}

static uint64_t number(bench_input input, uint64_t i, uint64_t n, const uint64_t *worst)
{
    switch (input) {
    case BENCH_RANDOM:
        return mix(i);
    case BENCH_SORTED:
        return spread(i, n);
    case BENCH_REVERSED:
        return spread(n - 1 - i, n);
    case BENCH_EQUAL:
        return UINT64_MAX / 2;
    case BENCH_FEW:
        return spread(mix(i) % FEW, FEW);
    case BENCH_ORGAN:
        return spread(i < n / 2 ? 2 * i : 2 * (n - 1 - i), n);
    case BENCH_ZIPF:
        return spread(zipf(i, n), n);
    default:
        return spread(worst[i], n);
    }
}

dmm_status bench_items_fill(
    bench_items *items, bench_input input, const dmm_model_merge_shape *shape)
{
    const uint32_t key_bytes = dmm_type_bytes(items->type);
    uint64_t *worst = NULL;
    dmm_status status = DMM_OK;
    if (input == BENCH_WORST) {
        worst = bench_allocate(items->n * sizeof *worst);
        status = dmm_model_worst_merge(worst, items->n, shape);
    }
    for (size_t i = 0; i < items->n && status == DMM_OK; i++) {
        store(items->keys, i, key_bytes, key_of(items->type, number(input, i, items->n, worst)));
        if (items->value_bytes != 0)
            store(items->values, i, items->value_bytes, i);
    }
    free(worst);
    return status;
}

/* Equal for two arrays of the same items in any order; for others, hardly ever. */
static uint64_t digest(const bench_items *items)
{
    const uint32_t key_bytes = dmm_type_bytes(items->type);
    uint64_t sum = 0;
    for (size_t i = 0; i < items->n; i++) {
        uint64_t hash = mix(load(items->keys, i, key_bytes));
        if (items->value_bytes != 0)
            hash = mix(hash ^ load(items->values, i, items->value_bytes));
        sum += hash;
    }
    return sum;
}

const char *bench_fault(const bench_items *in, const bench_items *out, int stable)
{
    const uint32_t key_bytes = dmm_type_bytes(in->type), value_bytes = in->value_bytes;
    const int tells = stable && (value_bytes >= 8 || (value_bytes >= 4 && in->n <= UINT32_MAX));
    for (size_t i = 1; i < out->n; i++) {
        const uint64_t before = rank_of(in->type, load(out->keys, i - 1, key_bytes));
        const uint64_t key = rank_of(in->type, load(out->keys, i, key_bytes));
        if (key < before)
            return "the keys are not in order";
        if (tells && key == before &&
            load(out->values, i, value_bytes) <= load(out->values, i - 1, value_bytes))
            return "equal keys changed their order";
    }
    return digest(in) == digest(out) ? NULL : "items were lost or changed";
}
