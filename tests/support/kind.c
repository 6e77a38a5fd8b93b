/* SPDX-License-Identifier: MIT */
/*
 * The order of keys, decided by plain comparisons of numbers: nothing here flips bits as the
 * library does.
 */
#include "support/kind.h"

#include <math.h>
#include <string.h>

#include "support/require.h"

#define SCALAR(type, bytes)                                  \
    {                                                        \
#type, {DMM_##type, 0, 0, 0, NULL, NULL }, bytes, 1, \
        {                                                    \
            {                                                \
                DMM_##type, 0                                \
            }                                                \
        }                                                    \
    }
#define ITEM(name, bytes, text, less, ...)                                                   \
    {                                                                                        \
        name, {DMM_ITEM, 0, 0, bytes, "typedef struct { " text " } dmm_item;", less}, bytes, \
            __VA_ARGS__                                                                      \
    }

static const kind kinds[] = {
    SCALAR(U32, 4),
    SCALAR(U8, 1),
    SCALAR(I8, 1),
    SCALAR(U16, 2),
    SCALAR(I16, 2),
    SCALAR(I32, 4),
    SCALAR(U64, 8),
    SCALAR(I64, 8),
    SCALAR(F16, 2),
    SCALAR(F32, 4),
    SCALAR(F64, 8),
    ITEM("item3", 3, "uchar a, key, c;", "a.key < b.key", 1, {{DMM_U8, 1}}),
    ITEM("item12", 12, "uint hi, tag; int lo;", "a.hi < b.hi || (a.hi == b.hi && a.lo < b.lo)", 2,
        {{DMM_U32, 0}, {DMM_I32, 8}}),
    ITEM("item16", 16, "ulong tag; long key;", "a.key < b.key", 1, {{DMM_I64, 8}}),
    ITEM("item40", 40, "uint tag[9]; ushort key, pad;", "a.key < b.key", 1, {{DMM_U16, 36}}),
    ITEM("item256", 256, "uchar tag[252]; uint key;", "a.key < b.key", 1, {{DMM_U32, 252}}),
    {"u32 by less", {DMM_U32, 0, 0, 0, NULL, "(uchar)a < (uchar)b"}, 4, 1, {{DMM_U8, 0}}},
    {"i64 by less", {DMM_I64, 0, 0, 0, NULL, "(short)a < (short)b"}, 8, 1, {{DMM_I16, 0}}},
    {"f16 by less", {DMM_F16, 0, 0, 0, NULL, "a < b"}, 2, 1, {{DMM_U16, 0}}},
};

const kind *kind_at(size_t i)
{
    return i < sizeof kinds / sizeof kinds[0] ? &kinds[i] : NULL;
}

static int same_word(const char *a, const char *b)
{
    for (; *a != '\0' && *b != '\0'; a++, b++)
        if ((*a | 32) != (*b | 32))
            return 0;
    return *a == *b;
}

kind kind_named(const char *name)
{
    size_t i = 0;
    while (kind_at(i) != NULL && !same_word(kinds[i].name, name))
        i++;
    REQUIRE(kind_at(i) != NULL);
    return kinds[i];
}

kind kind_descending(kind k)
{
    k.order.descending = 1;
    return k;
}

static double half_value(uint16_t bits)
{
    const int exponent = bits >> 10 & 31, mantissa = bits & 1023;
    const double size = exponent == 31  ? (mantissa != 0 ? (double)NAN : (double)INFINITY)
                        : exponent == 0 ? ldexp(mantissa, -24)
                                        : ldexp(1024 + mantissa, exponent - 25);
    return bits >> 15 ? -size : size;
}

/* The bits of a key's field, and what they mean. */
typedef struct number {
    uint64_t bits;
    int64_t integer; /* value of a signed type */
    double real;     /* value of a float type */
} number;

#define LOAD(type) \
    type value;    \
    memcpy(&value, at, sizeof value)

static number load(dmm_type type, const void *at)
{
    switch (type) {
    case DMM_U8:
    case DMM_I8: {
        LOAD(uint8_t);
        return (number){value, (int8_t)value, 0};
    }
    case DMM_U16:
    case DMM_I16:
    case DMM_F16: {
        LOAD(uint16_t);
        return (number){value, (int16_t)value, half_value(value)};
    }
    case DMM_U32:
    case DMM_I32: {
        LOAD(uint32_t);
        return (number){value, (int32_t)value, 0};
    }
    case DMM_F32: {
        LOAD(float);
        uint32_t bits;
        memcpy(&bits, at, sizeof bits);
        return (number){bits, 0, value};
    }
    case DMM_F64: {
        LOAD(double);
        uint64_t bits;
        memcpy(&bits, at, sizeof bits);
        return (number){bits, 0, value};
    }
    default: {
        LOAD(uint64_t);
        return (number){value, (int64_t)value, 0};
    }
    }
}

#define THREE_WAY(x, y) (((x) > (y)) - ((x) < (y)))

/* NaNs: the positive ones by their bits, then the negative ones by theirs, downward. */
static int compare_nans(number x, number y)
{
    const int negative = signbit(x.real) != 0;
    if (negative != (signbit(y.real) != 0))
        return negative ? 1 : -1;
    return negative ? THREE_WAY(y.bits, x.bits) : THREE_WAY(x.bits, y.bits);
}

/* NaNs come last in either direction. */
static int compare_reals(const dmm_order *order, number x, number y)
{
    const int sign = order->descending ? -1 : 1;
    if (isnan(x.real) != isnan(y.real))
        return isnan(x.real) ? 1 : -1;
    if (isnan(x.real))
        return sign * compare_nans(x, y);
    if (x.real == 0 && y.real == 0)
        return order->zero_equal ? 0 : sign * ((signbit(y.real) != 0) - (signbit(x.real) != 0));
    return sign * THREE_WAY(x.real, y.real);
}

static int compare_field(const dmm_order *order, dmm_type type, const void *a, const void *b)
{
    const number x = load(type, a), y = load(type, b);
    const int sign = order->descending ? -1 : 1;
    switch (type) {
    case DMM_I8:
    case DMM_I16:
    case DMM_I32:
    case DMM_I64:
        return sign * THREE_WAY(x.integer, y.integer);
    case DMM_F16:
    case DMM_F32:
    case DMM_F64:
        return compare_reals(order, x, y);
    default:
        return sign * THREE_WAY(x.bits, y.bits);
    }
}

int kind_compare(const kind *k, const void *a, const void *b)
{
    int order = 0;
    for (uint32_t i = 0; i < k->num_fields && order == 0; i++) {
        const size_t at = k->fields[i].offset_bytes;
        order =
            compare_field(&k->order, k->fields[i].type, (const char *)a + at, (const char *)b + at);
    }
    return order;
}
