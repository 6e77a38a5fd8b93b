/* SPDX-License-Identifier: MIT */
/* The fewest decimal digits that read back as a binary float. */
#ifndef DMM_CLI_SHORTEST_H
#define DMM_CLI_SHORTEST_H

#include <stdbool.h>
#include <stdint.h>

/* digits * 10^exponent. */
typedef struct cli_decimal {
    uint64_t digits; /* at most 17 of them */
    int exponent;
} cli_decimal;

/*
 * The decimal with fewest digits, and of those the nearest, that rounds to c * 2^q. c in 1..2^53-1,
 * q in -1074..971. `near_below`: the next smaller float is half as far as the next greater one (c
 * is a power of two, and the exponent not the least).
 */
cli_decimal cli_shortest(uint64_t c, int q, bool near_below);

#endif
