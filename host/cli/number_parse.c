/* SPDX-License-Identifier: MIT */
/*
 * Parses and prints numbers. In the C locale: the command never calls setlocale. Half precision is
 * parsed via double, as in NumPy.
 */
#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "number.h"

bool cli_is_float(dmm_type type)
{
    return type == DMM_F16 || type == DMM_F32 || type == DMM_F64;
}

bool cli_is_signed(dmm_type type)
{
    return type == DMM_I8 || type == DMM_I16 || type == DMM_I32 || type == DMM_I64;
}

enum { SAFE_DIGITS = 19 }; /* any so many are less than 2^64 */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* True if `word` (lower case) is at `at`, in lower or upper case. */
static bool has_word(const char *at, const char *word)
{
    for (; *word; at++, word++)
        if ((*at | 0x20) != *word)
            return false;
    return true;
}

/* Returns the length of nan, inf or infinity at `at`. */
static size_t special_length(const char *at)
{
    if (has_word(at, "nan"))
        return 3;
    if (has_word(at, "inf"))
        return has_word(at, "infinity") ? 8 : 3;
    return 0;
}

/* Returns the length of a decimal number or special at `at`; 0: none. Hexadecimal floats are not
 * accepted. */
static size_t float_length(const char *at)
{
    const char *p = at + (*at == '-' || *at == '+');
    size_t special = special_length(p);
    size_t digits = 0;
    if (special)
        return (size_t)(p - at) + special;
    for (; is_digit(*p); p++)
        digits++;
    if (*p == '.')
        for (p++; is_digit(*p); p++)
            digits++;
    if (digits == 0)
        return 0;
    if (*p == 'e' || *p == 'E') {
        const char *e = p + 1 + (p[1] == '-' || p[1] == '+');
        if (!is_digit(*e))
            return 0;
        for (p = e; is_digit(*p);)
            p++;
    }
    return (size_t)(p - at);
}

cli_number_status cli_parse_whole(const char **at, bool *negative, uint64_t *magnitude)
{
    const char *p = *at;
    const char *first;
    uint64_t value = 0;
    bool fits = true;
    *negative = *p == '-';
    p += *p == '-' || *p == '+';
    for (first = p; is_digit(*p); p++) {
        uint64_t digit = (uint64_t)(*p - '0');
        if (p - first >= SAFE_DIGITS)
            fits = fits && value <= (UINT64_MAX - digit) / 10;
        value = 10 * value + digit;
    }
    if (p == first || *p == '.' || *p == 'e' || *p == 'E')
        return float_length(*at) > 0 ? CLI_NOT_WHOLE : CLI_NOT_A_NUMBER;
    *at = p;
    *magnitude = value;
    return fits ? CLI_NUMBER_OK : CLI_OUT_OF_RANGE;
}

/* Stores a sign and digits as an item of an integer type. */
static cli_number_status store_whole(void *item, dmm_type type, bool negative, uint64_t magnitude)
{
    uint32_t bytes = dmm_type_bytes(type);
    uint64_t all_ones = UINT64_MAX >> (64 - 8 * bytes);
    uint64_t most = cli_is_signed(type) ? all_ones >> 1 : all_ones;
    uint64_t least = cli_is_signed(type) ? most + 1 : 0;
    uint64_t value = negative ? 0 - magnitude : magnitude;
    if (magnitude > (negative ? least : most))
        return CLI_OUT_OF_RANGE;
    if (bytes == 1)
        *(uint8_t *)item = (uint8_t)value;
    else if (bytes == 2)
        *(uint16_t *)item = (uint16_t)value;
    else if (bytes == 4)
        *(uint32_t *)item = (uint32_t)value;
    else
        *(uint64_t *)item = value;
    return CLI_NUMBER_OK;
}

/* Stores a float; a number beyond the largest has become an infinity, which only "inf" may
 * spell. */
static cli_number_status store_float(void *item, dmm_type type, const char *text)
{
    bool special = special_length(text + (*text == '-' || *text == '+')) > 0;
    bool infinite;
    if (type == DMM_F32) {
        float value = strtof(text, NULL);
        infinite = value > FLT_MAX || value < -FLT_MAX;
        memcpy(item, &value, sizeof value);
    } else {
        double value = strtod(text, NULL);
        infinite = value > DBL_MAX || value < -DBL_MAX;
        if (type == DMM_F16) {
            uint16_t half = cli_half_from_double(value);
            infinite = (half & 0x7FFF) == 0x7C00;
            memcpy(item, &half, sizeof half);
        } else {
            memcpy(item, &value, sizeof value);
        }
    }
    return infinite && !special ? CLI_OUT_OF_RANGE : CLI_NUMBER_OK;
}

cli_number_status cli_parse_float(const char **at, void *item, dmm_type type)
{
    size_t length = float_length(*at);
    const char *text = *at;
    *at += length;
    return length ? store_float(item, type, text) : CLI_NOT_A_NUMBER;
}

cli_number_status cli_parse_number(const char **at, void *item, dmm_type type)
{
    bool negative;
    uint64_t magnitude;
    if (cli_is_float(type))
        return cli_parse_float(at, item, type);
    cli_number_status status = cli_parse_whole(at, &negative, &magnitude);
    return status == CLI_NUMBER_OK ? store_whole(item, type, negative, magnitude) : status;
}
