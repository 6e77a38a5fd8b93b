/* SPDX-License-Identifier: MIT */
/*
 * The exact expected number of passes of one warp's merge of random keys. A warp of w threads
 * merges two lists of wE/2 items, every order of the merged items being as likely as any other, and
 * reads them in merged order from plain addresses, list B behind A (<dmm-model/worst.h>). K. Berney
 * 2023, section 4.4, calls this number an open problem.
 */
#ifndef DMM_LAB_EXPECTED_H
#define DMM_LAB_EXPECTED_H

#include <stdbool.h>
#include <stdint.h>

enum { EXPECTED_BANKS = 8, EXPECTED_ITEMS = 16 }; /* most w and E */

/* Returns in `passes` the expected passes of the E reads; in `orders`, if not NULL, the number of
 * orders, and in `sum` the passes summed over all of them, exact below 2^53. False: no memory, or
 * w*E is odd or beyond the limits. */
bool expected_passes(double *passes, double *sum, double *orders, uint32_t w, uint32_t E);

#endif
