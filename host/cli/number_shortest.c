/* SPDX-License-Identifier: MIT */
/*
 * Shortest decimals. The reals that round to c * 2^q form an interval that is longer than 10^k, for
 * k as below, and shorter than 10^(k+1): it holds a multiple of 10^k, and at most one of 10^(k+1),
 * which is then the shortest. 4 c 2^q / 10^k and the interval's ends are needed to 2 binary places
 * and a sticky bit, which a product with 128 bits of 10^-k gives exactly. Source: R. Giulietti,
 * "The Schubfach way to render doubles", 2022. Unlike there, the powers are not a printed table:
 * they are made at first use, by exact arithmetic on long integers.
 */
#include <string.h>

#include "number.h"

enum {
    LEAST = -292, /* least power of ten in use */
    GREATEST = 324,
    LIMBS = 37, /* limbs of 32 bits: 10^GREATEST has 1077 bits */
    UNIT = 1152 /* negative powers are held as 2^UNIT / 10^i */
};

__extension__ typedef unsigned __int128 wide;

/* 10^i = (high * 2^64 + low) * 2^(log2 - 127), rounded up; high has its top bit set. */
typedef struct power {
    uint64_t high, low;
    int log2; /* floor(log2(10^i)) */
} power;

static power powers[GREATEST - LEAST + 1];
static bool is_filled;

static void multiply_by_ten(uint32_t *limbs)
{
    uint64_t carry = 0;
    for (int i = 0; i < LIMBS; i++) {
        carry += (uint64_t)limbs[i] * 10;
        limbs[i] = (uint32_t)carry;
        carry >>= 32;
    }
}

/* Rounds down; so do several such steps together. */
static void divide_by_ten(uint32_t *limbs)
{
    uint64_t rest = 0;
    for (int i = LIMBS - 1; i >= 0; i--) {
        rest = rest << 32 | limbs[i];
        limbs[i] = (uint32_t)(rest / 10);
        rest %= 10;
    }
}

static int bit_at(const uint32_t *limbs, int i)
{
    return i >= 0 && (limbs[i / 32] >> (i % 32) & 1);
}

/* Returns the 128 leading bits of limbs / 2^unit, rounded up. */
static power leading_bits(const uint32_t *limbs, int unit)
{
    int top = 32 * LIMBS - 1;
    wide bits = 0;
    while (!bit_at(limbs, top))
        top--;
    for (int i = 0; i < 128; i++)
        bits = bits << 1 | (unsigned)bit_at(limbs, top - i);
    bits++;
    return (power){(uint64_t)(bits >> 64), (uint64_t)bits, top - unit};
}

static void fill_powers(void)
{
    uint32_t limbs[LIMBS] = {1};
    for (int i = 0; i <= GREATEST; i++, multiply_by_ten(limbs))
        powers[i - LEAST] = leading_bits(limbs, 0);
    memset(limbs, 0, sizeof limbs);
    limbs[UNIT / 32] = 1;
    for (int i = -1; i >= LEAST; i--) {
        divide_by_ten(limbs);
        powers[i - LEAST] = leading_bits(limbs, UNIT);
    }
    is_filled = true;
}

/* Returns the product without its 128 low bits; the lowest remaining bit is set if any of them
 * was. */
static uint64_t multiply(const power *p, uint64_t factor)
{
    wide low = (wide)factor * p->low;
    wide sum = (wide)factor * p->high + (uint64_t)(low >> 64);
    return (uint64_t)(sum >> 64) | ((uint64_t)sum > 1);
}

/* Returns floor(log10(2^q)), or floor(log10(3/4 * 2^q)), for |q| < 1100: log10(2) * 2^22 =
 * 1262611.4..., and log10(4/3) * 2^22 = 524031.2... */
static int log10_of(int q, bool three_quarters)
{
    int scaled = q * 1262611 - (three_quarters ? 524031 : 0);
    return scaled >= 0 ? scaled >> 22 : -((-scaled + (1 << 22) - 1) >> 22);
}

cli_decimal cli_shortest(uint64_t c, int q, bool near_below)
{
    if (!is_filled)
        fill_powers();
    int k = log10_of(q, near_below);
    const power *p = &powers[-k - LEAST];
    int shift = q + p->log2 + 1;
    uint64_t odd = c & 1; /* ties at the interval's ends round to even c only */
    uint64_t lower = multiply(p, (4 * c - (near_below ? 1 : 2)) << shift) + odd;
    uint64_t upper = multiply(p, (4 * c + 2) << shift) - odd;
    uint64_t value = multiply(p, 4 * c << shift);
    uint64_t below = value >> 2;

    uint64_t tens = below / 10 * 10;
    bool low_tens = lower <= 4 * tens;
    bool high_tens = 4 * (tens + 10) <= upper;
    if (below >= 10 && low_tens != high_tens)
        return (cli_decimal){low_tens ? tens : tens + 10, k};

    bool low_one = lower <= 4 * below;
    bool high_one = 4 * (below + 1) <= upper;
    if (low_one != high_one)
        return (cli_decimal){low_one ? below : below + 1, k};
    uint64_t middle = 4 * below + 2;
    bool up = value > middle || (value == middle && (below & 1));
    return (cli_decimal){below + up, k};
}
