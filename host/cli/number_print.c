/* SPDX-License-Identifier: MIT */
/* Prints numbers. */
#include <stdio.h>
#include <string.h>

#include "number.h"

static size_t print_whole(char *out, bool negative, uint64_t magnitude)
{
    char digits[20];
    size_t count = 0, used = 0;
    do {
        digits[count++] = (char)('0' + magnitude % 10);
        magnitude /= 10;
    } while (magnitude > 0);
    if (negative)
        out[used++] = '-';
    while (count > 0)
        out[used++] = digits[--count];
    return used;
}

static uint64_t load_whole(const void *item, uint32_t bytes)
{
    if (bytes == 1)
        return *(const uint8_t *)item;
    if (bytes == 2)
        return *(const uint16_t *)item;
    if (bytes == 4)
        return *(const uint32_t *)item;
    return *(const uint64_t *)item;
}

double cli_number_value(const void *item, dmm_type type)
{
    const uint32_t bytes = dmm_type_bytes(type);
    const uint64_t word = load_whole(item, bytes), sign = 1ULL << (8 * bytes - 1);
    double f64;
    float f32;
    memcpy(&f64, &word, sizeof f64);
    memcpy(&f32, &word, sizeof f32);
    if (cli_is_float(type))
        return bytes == 8 ? f64 : bytes == 4 ? (double)f32 : cli_half_to_double((uint16_t)word);
    return cli_is_signed(type) ? (double)(int64_t)((word ^ sign) - sign) : (double)word;
}

/* The fields of a float. */
typedef struct parts {
    bool negative;
    bool special; /* infinite, or NaN if the fraction is not 0 */
    uint64_t fraction;
    int exponent; /* 0: subnormal */
    int fraction_bits;
    int bias;
} parts;

static parts take_apart(const void *item, dmm_type type)
{
    int bits = (int)dmm_type_bytes(type) * 8;
    parts p = {.fraction_bits = type == DMM_F64 ? 52 : type == DMM_F32 ? 23 : 10};
    uint64_t word = load_whole(item, dmm_type_bytes(type));
    int exponent_bits = bits - 1 - p.fraction_bits;
    int all_ones = (1 << exponent_bits) - 1;
    p.bias = all_ones >> 1;
    p.negative = word >> (bits - 1);
    p.fraction = word & ((1ULL << p.fraction_bits) - 1);
    p.exponent = (int)(word >> p.fraction_bits) & all_ones;
    p.special = p.exponent == all_ones;
    return p;
}

/* Prints digits * 10^exponent: plain for moderate sizes, otherwise as 1.5e-7; returns the
 * length. */
static size_t print_decimal(char *out, cli_decimal d)
{
    char digits[20];
    int count, point, used = 0;
    while (d.digits % 10 == 0) {
        d.digits /= 10;
        d.exponent++;
    }
    count = (int)print_whole(digits, false, d.digits);
    point = count + d.exponent; /* digits before the point; may be negative */
    if (point < -3 || point > 17) {
        used = count > 1 ? sprintf(out, "%c.%.*s", digits[0], count - 1, digits + 1)
                         : sprintf(out, "%c", digits[0]);
        used += sprintf(out + used, "e%d", point - 1);
    } else if (point <= 0) {
        used = sprintf(out, "0.%.*s%.*s", -point, "000", count, digits);
    } else if (point < count) {
        used = sprintf(out, "%.*s.%.*s", point, digits, count - point, digits + point);
    } else {
        used = sprintf(out, "%.*s%.*s", count, digits, point - count, "0000000000000000");
    }
    return (size_t)used;
}

static size_t print_float(char *out, const void *item, dmm_type type)
{
    parts p = take_apart(item, type);
    uint64_t hidden = p.exponent > 0 ? 1ULL << p.fraction_bits : 0;
    int power = (p.exponent > 0 ? p.exponent : 1) - p.bias - p.fraction_bits;
    size_t used = 0;
    if (p.special && p.fraction)
        return (size_t)sprintf(out, "nan");
    if (p.negative)
        out[used++] = '-';
    if (p.special)
        return used + (size_t)sprintf(out + used, "inf");
    if (p.exponent == 0 && p.fraction == 0)
        return used + (size_t)sprintf(out + used, "0");
    bool near_below = p.fraction == 0 && p.exponent > 1;
    return used + print_decimal(out + used, cli_shortest(p.fraction | hidden, power, near_below));
}

size_t cli_print_number(char out[CLI_NUMBER_CHARS], const void *item, dmm_type type)
{
    if (cli_is_float(type))
        return print_float(out, item, type);
    uint32_t bytes = dmm_type_bytes(type);
    uint64_t value = load_whole(item, bytes);
    bool negative = cli_is_signed(type) && value >> (8 * bytes - 1);
    if (negative)
        value = (0 - value) & UINT64_MAX >> (64 - 8 * bytes);
    return print_whole(out, negative, value);
}
