/* SPDX-License-Identifier: MIT */
/*
 * Inputs: a shape gives each position a rank, 0 .. RANKS - 1; a rank becomes a value of the field's
 * type, larger for larger ranks.
 */
#include <string.h>

#include "support/kind.h"

/* Floats of 16 bits hold that many different whole numbers around 0; 8-bit types repeat each 16
 * times. */
enum { RANKS = 4096, SAWTOOTH_ITEMS = 37 };

const char *shape_name(shape s)
{
    static const char *const names[SHAPE_COUNT] = {"random", "bits", "special", "sorted",
        "reversed", "equal", "few", "sawtooth", "organ pipe"};
    return s < SHAPE_COUNT ? names[s] : "?";
}

static uint64_t rank_of(shape s, uint64_t i, uint64_t n, random_source *random)
{
    const uint64_t slope = n > RANKS ? n / RANKS + 1 : 1; /* items of one rank */
    switch (s) {
    case SHAPE_SORTED:
        return i / slope;
    case SHAPE_REVERSED:
        return (n - 1 - i) / slope;
    case SHAPE_EQUAL:
        return RANKS / 2;
    case SHAPE_FEW:
        return RANKS / 4 * random_below(random, 4);
    case SHAPE_SAWTOOTH:
        return i % SAWTOOTH_ITEMS * (RANKS / SAWTOOTH_ITEMS);
    case SHAPE_ORGAN_PIPE:
        return (i < n / 2 ? i : n - 1 - i) / slope;
    default:
        return random_below(random, RANKS);
    }
}

/* A whole number of at most 11 bits as a float's bits. */
static uint64_t float_bits(int value, int exponent_bits, int mantissa_bits)
{
    const uint64_t sign = (uint64_t)(value < 0) << (exponent_bits + mantissa_bits);
    uint64_t mantissa = (uint64_t)(value < 0 ? -value : value);
    int exponent = (1 << (exponent_bits - 1)) - 1 + mantissa_bits;
    if (mantissa == 0)
        return sign;
    for (; mantissa >> mantissa_bits == 0; exponent--)
        mantissa <<= 1;
    return sign | (uint64_t)exponent << mantissa_bits |
           (mantissa & (((uint64_t)1 << mantissa_bits) - 1));
}

static uint64_t value_of_rank(dmm_type type, uint64_t rank)
{
    const int centred = (int)rank - RANKS / 2;
    switch (type) {
    case DMM_U8:
        return rank * 256 / RANKS;
    case DMM_I8:
        return rank * 256 / RANKS - 128;
    case DMM_U16:
        return rank * 65536 / RANKS;
    case DMM_I16:
        return rank * 65536 / RANKS - 32768;
    case DMM_F16:
        return float_bits(centred, 5, 10);
    case DMM_F32:
        return float_bits(centred, 8, 23);
    case DMM_F64:
        return float_bits(centred, 11, 52);
    case DMM_I32:
        return (uint64_t)((int64_t)centred * 1048573);
    case DMM_I64:
        return (uint64_t)((int64_t)centred * 4503599627370449);
    case DMM_U64:
        return rank * 4503599627370449u;
    default:
        return rank * 1048573u;
    }
}

/* The j-th interesting float, j from 0 to 19. */
static uint64_t special_float(uint64_t j, int exponent_bits, int mantissa_bits)
{
    const uint64_t one = 1, infinite = ((one << exponent_bits) - 1) << mantissa_bits;
    const uint64_t sizes[] = {
        0,                                                                /* zero */
        1,                                                                /* the least denormal */
        (one << mantissa_bits) - 1,                                       /* the largest denormal */
        one << mantissa_bits,                                             /* the least normal */
        (infinite >> 1) & ~((one << (mantissa_bits - 1)) - 1) & infinite, /* one or nearly so */
        infinite - 1,                                                     /* the largest */
        infinite, infinite | 1,                                           /* a signalling NaN */
        infinite | one << (mantissa_bits - 1),                            /* the usual NaN */
        infinite | ((one << mantissa_bits) - 1),                          /* all payload bits */
    };
    return sizes[j % 10] | (j / 10 % 2) << (exponent_bits + mantissa_bits);
}

static uint64_t special_value(dmm_type type, uint64_t j)
{
    const int top = (int)(8 * dmm_type_bytes(type)) - 1;
    const uint64_t high = (uint64_t)1 << top;
    const uint64_t ends[] = {0, 1, high - 1, high, high + 1, 2 * high - 1, 2 * high - 2};
    switch (type) {
    case DMM_F16:
        return special_float(j % 20, 5, 10);
    case DMM_F32:
        return special_float(j % 20, 8, 23);
    case DMM_F64:
        return special_float(j % 20, 11, 52);
    default:
        return ends[j % (sizeof ends / sizeof ends[0])];
    }
}

static void store_field(dmm_type type, uint64_t bits, void *at)
{
    const uint8_t one = (uint8_t)bits;
    const uint16_t two = (uint16_t)bits;
    const uint32_t four = (uint32_t)bits;
    switch (dmm_type_bytes(type)) {
    case 1:
        memcpy(at, &one, sizeof one);
        break;
    case 2:
        memcpy(at, &two, sizeof two);
        break;
    case 4:
        memcpy(at, &four, sizeof four);
        break;
    default:
        memcpy(at, &bits, sizeof bits);
    }
}

static void fill_fields(
    const kind *k, shape s, unsigned char *key, uint64_t rank, random_source *random)
{
    /* Two fields: the first one repeats 64 times as often, so that the second one decides too. */
    const uint64_t ranks[2] = {k->num_fields == 2 ? rank / 64 * 64 : rank, rank % 64 * 64};
    for (uint32_t f = 0; f < k->num_fields; f++) {
        const dmm_type type = k->fields[f].type;
        const uint64_t bits = s == SHAPE_SPECIAL ? special_value(type, random_below(random, 140))
                                                 : value_of_rank(type, ranks[f]);
        store_field(type, bits, key + k->fields[f].offset_bytes);
    }
}

void kind_fill(const kind *k, shape s, void *out, uint64_t n, random_source *random)
{
    unsigned char *key = out;
    random_bytes(random, out, (size_t)(n * k->bytes));
    for (uint64_t i = 0; i < n && s != SHAPE_BITS; i++, key += k->bytes)
        fill_fields(k, s, key, rank_of(s, i, n, random), random);
}
