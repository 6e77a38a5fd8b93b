/* SPDX-License-Identifier: MIT */
/* Converts one number between text and bytes. */
#ifndef DMM_CLI_NUMBER_H
#define DMM_CLI_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <dmm/types.h>

enum { CLI_NUMBER_CHARS = 32 }; /* the longest text that cli_print_number makes is shorter */

typedef enum cli_number_status {
    CLI_NUMBER_OK,
    CLI_NOT_A_NUMBER,
    CLI_NOT_WHOLE,   /* not a whole number, for an integer type */
    CLI_OUT_OF_RANGE /* the type cannot hold it */
} cli_number_status;

bool cli_is_float(dmm_type type);
bool cli_is_signed(dmm_type type); /* an integer type with negative numbers */

/* Parses a sign and digits and moves `*at` past them; the text ends with NUL. CLI_OUT_OF_RANGE
 * beyond 64 bits; CLI_NOT_WHOLE for a point, an exponent, nan or inf. */
cli_number_status cli_parse_whole(const char **at, bool *negative, uint64_t *magnitude);

/* Parses a decimal number with point and exponent, nan, inf or infinity, and stores it as an item
 * of a float type. Numbers too small for the type are rounded to zero or subnormals. */
cli_number_status cli_parse_float(const char **at, void *item, dmm_type type);

/* Parses any number as an item of `type`. */
cli_number_status cli_parse_number(const char **at, void *item, dmm_type type);

/* Prints the fewest digits that read back as the same item; returns the length. */
size_t cli_print_number(char out[CLI_NUMBER_CHARS], const void *item, dmm_type type);

/* Returns an item as a double: exact but for whole numbers beyond 2^53. */
double cli_number_value(const void *item, dmm_type type);

/* IEEE 754 half precision (binary16) to double: exact. */
double cli_half_to_double(uint16_t half);
/* Rounds to nearest, ties to even; beyond 65519.99... to infinity. */
uint16_t cli_half_from_double(double value);

/* digits * 10^exponent. */
typedef struct cli_decimal {
    uint64_t digits; /* at most 17 of them */
    int exponent;
} cli_decimal;

/*
 * Returns the decimal with fewest digits, and of those the nearest, that rounds to c * 2^q. c in
 * 1..2^53-1, q in -1074..971. `near_below`: the next smaller float is half as far as the next
 * greater one (c is a power of two, and the exponent is not the least).
 */
cli_decimal cli_shortest(uint64_t c, int q, bool near_below);

#endif
