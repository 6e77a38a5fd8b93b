/* SPDX-License-Identifier: MIT */
/* IEEE 754 half precision (binary16) from and to double. */
#ifndef DMM_CLI_HALF_H
#define DMM_CLI_HALF_H

#include <stdint.h>

/* Exact. */
double cli_half_to_double(uint16_t half);
/* Rounds to nearest, ties to even; beyond 65519.99... to infinity. */
uint16_t cli_half_from_double(double value);

#endif
