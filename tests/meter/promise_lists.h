/* SPDX-License-Identifier: MIT */
/*
 * Calls for promise_calls. Merging many lists: N items (u8 u16 u32 u64; KIND: random equal sorted)
 * in lists of 11 items (tiny), or of half, a quarter, an eighth of them and so on (mixed). Sorting
 * N structs of 12 bytes by one of their fields.
 */
#ifndef DMM_TESTS_PROMISE_LISTS_H
#define DMM_TESTS_PROMISE_LISTS_H

#include <dmm/context.h>

/* *right: the result is that of a stable sort of all lists. */
dmm_status promise_lists(
    dmm_context *ctx, const char *type, const char *sizes, const char *kind, size_t n, int *right);

/* *right: the structs are in order, stably, and whole. */
dmm_status promise_items(dmm_context *ctx, size_t n, int *right);

#endif
