/* SPDX-License-Identifier: MIT */
/*
 * Half precision by its bits: sign 1, exponent 5 (bias 15), fraction 10; double has 1, 11 (bias
 * 1023) and 52.
 */
#include <string.h>

#include "number.h"

enum { FRACTION = 10, BIAS = 15, DOUBLE_FRACTION = 52, DOUBLE_BIAS = 1023 };

double cli_half_to_double(uint16_t half)
{
    uint64_t sign = (uint64_t)(half >> 15) << 63;
    uint64_t exponent = (half >> FRACTION) & 0x1F;
    uint64_t fraction = half & 0x3FF;
    uint64_t bits;
    double value;
    if (exponent == 0) {
        /* Subnormal or zero: fraction units of 2^-24. */
        value = (double)fraction * 0x1p-24;
        return sign ? -value : value;
    }
    exponent = exponent == 0x1F ? 0x7FF : exponent + DOUBLE_BIAS - BIAS;
    bits = sign | exponent << DOUBLE_FRACTION | fraction << (DOUBLE_FRACTION - FRACTION);
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* m / 2^shift to the nearest, ties to even; shift in 1..53. */
static uint64_t round_shift(uint64_t m, int shift)
{
    uint64_t quotient = m >> shift;
    uint64_t rest = m & ((1ULL << shift) - 1);
    uint64_t half = 1ULL << (shift - 1);
    return quotient + (rest > half || (rest == half && (quotient & 1)));
}

uint16_t cli_half_from_double(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    uint64_t sign = bits >> 63 << 15;
    int exponent = (int)(bits >> DOUBLE_FRACTION & 0x7FF) - DOUBLE_BIAS;
    uint64_t fraction = bits & ((1ULL << DOUBLE_FRACTION) - 1);
    uint64_t magnitude;
    if (exponent > DOUBLE_BIAS)
        magnitude = fraction ? 0x7E00 : 0x7C00;
    else if (exponent > BIAS)
        magnitude = 0x7C00;
    else if (exponent < -25)
        magnitude = 0;
    else {
        /* The leading 1 adds one to the exponent field of a normal number, and a carry out of the
         * rounding moves on to the next exponent, as it must. */
        uint64_t significand = fraction | 1ULL << DOUBLE_FRACTION;
        int below = exponent < 1 - BIAS ? 1 - BIAS - exponent : 0;
        uint64_t rounded = round_shift(significand, DOUBLE_FRACTION - FRACTION + below);
        uint64_t field = below ? 0 : (uint64_t)(exponent + BIAS - 1);
        magnitude = (field << FRACTION) + rounded;
    }
    return (uint16_t)(sign | magnitude);
}
