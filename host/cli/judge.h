/* SPDX-License-Identifier: MIT */
/*
 * The judge behind --check. It shares nothing with the library's kernels: it looks at every item of
 * the output on the host.
 */
#ifndef DMM_CLI_JUDGE_H
#define DMM_CLI_JUDGE_H

#include "array.h"

/* A sum over hashed items, 128 bits wide: the same for the same items in any order; that it is the
 * same for others is a chance to be ignored. */
typedef struct cli_fingerprint {
    uint64_t a;
    uint64_t b;
} cli_fingerprint;

/* Adds the keys, each with its value; `values` NULL: keys alone. */
void cli_add_fingerprint(cli_fingerprint *sum, const cli_array *keys, const cli_array *values);

/* In the library's total order (dmm/types.h). If not, *at is the first item that is out of order.
 */
bool cli_is_ordered(const cli_array *keys, bool descending, size_t *at);

/* Are these in order, and the items of that fingerprint? If not, CLI_CHECK_FAILED says where. */
bool cli_judge(const cli_array *keys, const cli_array *values, bool descending,
    const cli_fingerprint *expected, cli_error *error);

/* Is `after` in order, and do `indices` (u32 or u64) name every item of `before` once, so that
 * before[indices[i]] is after[i] and equal items keep their order? */
bool cli_judge_argsort(const cli_array *before, const cli_array *after, const cli_array *indices,
    bool descending, cli_error *error);

#endif
