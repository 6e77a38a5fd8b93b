/* SPDX-License-Identifier: MIT */
/*
 * The judges behind --check. They share nothing with the library's kernels, and look at every item
 * of the output: on the host, but for an order of the user's own, which is OpenCL C.
 */
#ifndef DMM_CLI_JUDGE_H
#define DMM_CLI_JUDGE_H

#include "array.h"
#include "session.h"

/* A 128-bit sum over hashed items: equal for the same items in any order. Different items have
 * equal sums by a chance that can be neglected. */
typedef struct cli_fingerprint {
    uint64_t a;
    uint64_t b;
} cli_fingerprint;

/* Adds the keys, each with its value; `values` NULL: keys alone. */
void cli_add_fingerprint(cli_fingerprint *sum, const cli_array *keys, const cli_array *values);

/* True if the keys are in the library's total order (dmm/types.h). If not, *at is the first item
 * that is out of order. */
bool cli_is_ordered(const cli_array *keys, bool descending, size_t *at);

/* Warns on standard error if there are NaNs among f32 or f64 keys that --less compares. By 'a < b'
 * a NaN ties with every number, which is no strict weak order. */
void cli_warn_of_nans(const cli_array *keys);

/* The judges below return true, or false with CLI_CHECK_FAILED and what is wrong. */

/* The keys are in the library's order. */
bool cli_judge_order(const cli_array *keys, bool descending, cli_error *error);

/* The items are those of the fingerprint. */
bool cli_judge_items(const cli_array *keys, const cli_array *values,
    const cli_fingerprint *expected, cli_error *error);

/* Both. */
bool cli_judge(const cli_array *keys, const cli_array *values, bool descending,
    const cli_fingerprint *expected, cli_error *error);

/* `indices` (u32 or u64) names every item of `before` once, before[indices[i]] is after[i], and
 * items of equal bits that are neighbours keep their order. */
bool cli_judge_argsort(
    const cli_array *before, const cli_array *after, const cli_array *indices, cli_error *error);

/*
 * No neighbours are out of order by `less`, OpenCL C over a and b: by a kernel of the command's
 * own, on the session's device. Other failures: of OpenCL.
 */
bool cli_judge_less(cli_session *session, const cli_array *keys, const char *less, bool descending,
    cli_error *error);

#endif
