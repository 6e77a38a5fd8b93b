/* SPDX-License-Identifier: MIT */
/* Items are handled as bytes: added as numbers of their width, compared by kind_compare. */
#include "support/scan_judge.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/kind.h"

enum { MAX_BYTES = 8 };

static char verdict[256];

static const char *fault_at(const char *what, uint64_t i, uint64_t n)
{
    snprintf(verdict, sizeof verdict, "%s at item %llu of %llu", what, (unsigned long long)i,
        (unsigned long long)n);
    return verdict;
}

static int is_float(dmm_type type)
{
    return type == DMM_F32 || type == DMM_F64;
}

/* An unsigned number of the type's width. */
static uint64_t bits_at(dmm_type type, const void *at)
{
    uint8_t one;
    uint16_t two;
    uint32_t four;
    uint64_t eight;
    switch (dmm_type_bytes(type)) {
    case 1:
        memcpy(&one, at, sizeof one);
        return one;
    case 2:
        memcpy(&two, at, sizeof two);
        return two;
    case 4:
        memcpy(&four, at, sizeof four);
        return four;
    default:
        memcpy(&eight, at, sizeof eight);
        return eight;
    }
}

/* Stores the low bits of a number. */
static void put_bits(dmm_type type, void *at, uint64_t bits)
{
    const uint8_t one = (uint8_t)bits;
    const uint16_t two = (uint16_t)bits;
    const uint32_t four = (uint32_t)bits;
    const void *const from[] = {[1] = &one, [2] = &two, [4] = &four, [8] = &bits};
    memcpy(at, from[dmm_type_bytes(type)], dmm_type_bytes(type));
}

static double real_at(dmm_type type, const void *at)
{
    float narrow;
    double wide;
    if (type == DMM_F32) {
        memcpy(&narrow, at, sizeof narrow);
        return narrow;
    }
    memcpy(&wide, at, sizeof wide);
    return wide;
}

/* Stores the identity: 0; the least item; the greatest, which for floats is the last NaN. */
static void put_identity(const scan_kind *k, void *at)
{
    const uint32_t bits = 8 * dmm_type_bytes(k->type);
    const uint64_t all = UINT64_MAX >> (64 - bits), sign = (uint64_t)1 << (bits - 1);
    const uint64_t infinity = k->type == DMM_F32 ? 0x7f800000 : 0x7ff0000000000000;
    const int is_signed =
        k->type == DMM_I8 || k->type == DMM_I16 || k->type == DMM_I32 || k->type == DMM_I64;
    uint64_t identity = 0;
    if (k->op == DMM_SCAN_MAX)
        identity = is_float(k->type) ? sign | infinity : is_signed ? sign : 0;
    if (k->op == DMM_SCAN_MIN)
        identity = is_float(k->type) ? sign | (infinity + 1) : is_signed ? all - sign : all;
    put_bits(k->type, at, identity);
}

/* a = a op b, for everything but float sums. */
static void fold(const scan_kind *k, const kind *order, void *a, const void *b)
{
    if (k->op == DMM_SCAN_SUM) {
        put_bits(k->type, a, bits_at(k->type, a) + bits_at(k->type, b));
        return;
    }
    const int compared = kind_compare(order, b, a);
    if (k->op == DMM_SCAN_MAX ? compared > 0 : compared < 0)
        memcpy(a, b, dmm_type_bytes(k->type));
}

static const char *exact_oracle(const scan_kind *k, const char *in, const char *out, uint64_t n)
{
    const kind order = kind_named(dmm_type_name(k->type));
    const uint32_t bytes = dmm_type_bytes(k->type);
    unsigned char expected[MAX_BYTES];
    put_identity(k, expected);
    for (uint64_t i = 0; i < n; i++) {
        if (!k->exclusive)
            fold(k, &order, expected, in + i * bytes);
        if (memcmp(out + i * bytes, expected, bytes) != 0)
            return fault_at("oracle: another result", i, n);
        if (k->exclusive)
            fold(k, &order, expected, in + i * bytes);
    }
    return NULL;
}

/* True if `now` follows from `before` and one item. A maximum is one of them, and neither is
 * greater. */
static int one_item_more(
    const scan_kind *k, const kind *order, const void *before, const void *item, const void *now)
{
    const uint32_t bytes = dmm_type_bytes(k->type);
    const int sign = k->op == DMM_SCAN_MAX ? 1 : -1;
    unsigned char step[MAX_BYTES];
    if (k->op == DMM_SCAN_SUM) {
        put_bits(k->type, step, bits_at(k->type, now) - bits_at(k->type, before));
        return memcmp(step, item, bytes) == 0;
    }
    return (memcmp(now, before, bytes) == 0 || memcmp(now, item, bytes) == 0) &&
           sign * kind_compare(order, now, before) >= 0 &&
           sign * kind_compare(order, now, item) >= 0;
}

static const char *exact_property(const scan_kind *k, const char *in, const char *out, uint64_t n)
{
    const kind order = kind_named(dmm_type_name(k->type));
    const uint32_t bytes = dmm_type_bytes(k->type);
    unsigned char identity[MAX_BYTES];
    put_identity(k, identity);
    if (k->exclusive && n != 0 && memcmp(out, identity, bytes) != 0)
        return fault_at("property: not the identity", 0, n);
    for (uint64_t i = k->exclusive ? 1 : 0; i < n; i++) {
        const void *const before = i > 0 ? (const void *)(out + (i - 1) * bytes) : identity;
        const char *const item = in + (k->exclusive ? i - 1 : i) * bytes;
        if (!one_item_more(k, &order, before, item, out + i * bytes))
            return fault_at("property: not one item more", i, n);
    }
    return NULL;
}

/* State of a float sum. */
typedef struct float_sum {
    long double sum, size; /* sums of the finite items, and of their absolute values */
    uint64_t count;
    int nan, above, below; /* a NaN, +inf, -inf among them */
} float_sum;

static void add(float_sum *s, double item)
{
    s->count++;
    s->nan |= isnan(item);
    s->above |= isinf(item) && item > 0;
    s->below |= isinf(item) && item < 0;
    if (isfinite(item)) {
        s->sum += item;
        s->size += fabsl((long double)item);
    }
}

/* Subnormal numbers may count as zero: CL_FP_DENORM is a device's choice. */
static long double tolerance(dmm_type type, const float_sum *s)
{
    const long double epsilon = type == DMM_F32 ? FLT_EPSILON : DBL_EPSILON;
    const long double least = type == DMM_F32 ? FLT_MIN : DBL_MIN;
    return (long double)s->count * (epsilon * s->size + least);
}

static int may_overflow(dmm_type type, const float_sum *s)
{
    return s->size > (type == DMM_F32 ? FLT_MAX : DBL_MAX) / 2;
}

static int sum_fits(dmm_type type, const float_sum *s, double got)
{
    if (s->nan || (s->above && s->below))
        return isnan(got);
    if (may_overflow(type, s))
        return 1;
    if (s->above || s->below)
        return isinf(got) && (got > 0) == s->above;
    return fabsl(got - s->sum) <= tolerance(type, s) && (got != 0 || !signbit(got));
}

static const char *sum_oracle(const scan_kind *k, const char *in, const char *out, uint64_t n)
{
    const uint32_t bytes = dmm_type_bytes(k->type);
    float_sum s = {0};
    for (uint64_t i = 0; i < n; i++) {
        if (!k->exclusive)
            add(&s, real_at(k->type, in + i * bytes));
        if (!sum_fits(k->type, &s, real_at(k->type, out + i * bytes)))
            return fault_at("oracle: a sum out of bounds", i, n);
        if (k->exclusive)
            add(&s, real_at(k->type, in + i * bytes));
    }
    return NULL;
}

/* Neighbouring sums each have their own rounding errors. */
static const char *sum_property(const scan_kind *k, const char *in, const char *out, uint64_t n)
{
    const uint32_t bytes = dmm_type_bytes(k->type);
    float_sum s = {0};
    long double before = 0;
    for (uint64_t i = 0; i < n; i++) {
        const double now = real_at(k->type, out + i * bytes);
        const uint64_t from = i - (uint64_t)(k->exclusive != 0);
        const double item = k->exclusive && i == 0 ? 0 : real_at(k->type, in + from * bytes);
        add(&s, item);
        if (!isnan(now) && s.nan)
            return fault_at("property: a NaN is lost", i, n);
        if (s.nan || s.above || s.below || may_overflow(k->type, &s))
            continue;
        if (!(fabsl(now - before - item) <= 2 * tolerance(k->type, &s)))
            return fault_at("property: not one item more", i, n);
        before = now;
    }
    return NULL;
}

static int adds_floats(const scan_kind *k)
{
    return k->op == DMM_SCAN_SUM && is_float(k->type);
}

const char *scan_judge_by_oracle(const scan_kind *k, const void *in, const void *out, uint64_t n)
{
    return adds_floats(k) ? sum_oracle(k, in, out, n) : exact_oracle(k, in, out, n);
}

const char *scan_judge_by_property(const scan_kind *k, const void *in, const void *out, uint64_t n)
{
    return adds_floats(k) ? sum_property(k, in, out, n) : exact_property(k, in, out, n);
}

const char *scan_judge(const scan_kind *k, const void *in, const void *out, uint64_t n)
{
    const char *const fault = scan_judge_by_property(k, in, out, n);
    return fault != NULL ? fault : scan_judge_by_oracle(k, in, out, n);
}
