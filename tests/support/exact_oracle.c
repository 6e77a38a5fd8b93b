/* SPDX-License-Identifier: MIT */
/* A fixed-point number of 2^-2148 units: the unit of the product of two subnormal doubles. */
#include "support/exact.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* Products of doubles end below 2^2048; some bits more for their sum and its sign. */
enum { LOWEST_EXPONENT = -2148, WORDS = (2148 + 2048 + 64) / 32 };

typedef struct fixed {
    uint32_t words[WORDS]; /* two's complement, lowest first */
} fixed;

/* Adds (or takes away) a word, and what it carries. */
static void add_word(fixed *f, unsigned at, uint32_t word, int subtract)
{
    for (uint64_t carry = word; carry != 0 && at < WORDS; at++) {
        const uint64_t sum = subtract ? f->words[at] - carry : f->words[at] + carry;
        f->words[at] = (uint32_t)sum;
        carry = sum >> 32 & 1;
    }
}

/* Adds part * 2^exponent units, part < 2^32. */
static void add_part(fixed *f, uint64_t part, unsigned exponent, int subtract)
{
    const uint64_t shifted = part << exponent % 32;
    add_word(f, exponent / 32, (uint32_t)shifted, subtract);
    add_word(f, exponent / 32 + 1, (uint32_t)(shifted >> 32), subtract);
}

/* A number as a whole number of 53 bits and an exponent. */
static uint64_t whole_of(double a, int *exponent)
{
    const double fraction = frexp(fabs(a), exponent);
    *exponent -= 53;
    if (*exponent < -1074) { /* subnormal: as many bits as it has */
        *exponent = -1074;
        return (uint64_t)ldexp(fabs(a), 1074);
    }
    return (uint64_t)ldexp(fraction, 53);
}

static void add_product(fixed *f, double a, double b)
{
    int a_exponent, b_exponent;
    const uint64_t m = whole_of(a, &a_exponent), n = whole_of(b, &b_exponent);
    const int subtract = (signbit(a) != 0) != (signbit(b) != 0);
    if (m == 0 || n == 0)
        return;
    const unsigned at = (unsigned)(a_exponent + b_exponent - LOWEST_EXPONENT);
    for (unsigned i = 0; i < 2; i++)
        for (unsigned j = 0; j < 2; j++) {
            const uint64_t part = (m >> 32 * i & UINT32_MAX) * (n >> 32 * j & UINT32_MAX);
            add_part(f, part & UINT32_MAX, at + 32 * (i + j), subtract);
            add_part(f, part >> 32, at + 32 * (i + j + 1), subtract);
        }
}

static int sign_of(const fixed *f)
{
    static const fixed zero;
    if (f->words[WORDS - 1] >> 31)
        return -1;
    return memcmp(f, &zero, sizeof zero) != 0;
}

int oracle_cross(plane_point a, plane_point b, plane_point p, plane_point q)
{
    fixed f;
    memset(&f, 0, sizeof f);
    add_product(&f, b.x, q.y);
    add_product(&f, b.x, -p.y);
    add_product(&f, -a.x, q.y);
    add_product(&f, a.x, p.y);
    add_product(&f, -b.y, q.x);
    add_product(&f, b.y, p.x);
    add_product(&f, a.y, q.x);
    add_product(&f, -a.y, p.x);
    return sign_of(&f);
}

int oracle_orient(plane_point a, plane_point b, plane_point c)
{
    return oracle_cross(a, b, a, c);
}
