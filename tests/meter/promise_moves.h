/* SPDX-License-Identifier: MIT */
/* The calls of promise_calls that move items and compare none. */
#ifndef DMM_TESTS_PROMISE_MOVES_H
#define DMM_TESTS_PROMISE_MOVES_H

#include <dmm/dmm.h>

/* word: "permute scatter", "permute randomized", "plan" or "transpose"; order: "random", or "bank",
 * in which a step's items go to one bank. *right: true if the result equals that of a plain loop.
 * DMM_BAD_VALUE: no such word. */
dmm_status promise_moves(dmm_context *ctx, const char *word, uint32_t item_bytes, const char *order,
    size_t n, int *right);

#endif
