/* SPDX-License-Identifier: MIT */
/*
 * The judges behind --check. They share nothing with the library's kernels, and check every item of
 * the output: on the host; except for the user's own order, which is OpenCL C.
 */
#ifndef DMM_CLI_JUDGE_H
#define DMM_CLI_JUDGE_H

#include "array.h"
#include "session.h"

/* A 128-bit sum of hashed items: equal for the same items in any order. Different items have equal
 * sums with negligible probability. */
typedef struct cli_fingerprint {
    uint64_t a;
    uint64_t b;
} cli_fingerprint;

/* Adds the keys, each with its value; `values` NULL: keys alone. */
void cli_add_fingerprint(cli_fingerprint *sum, const cli_array *keys, const cli_array *values);

/* Returns a number that grows with the order of a key among those of its type. */
uint64_t cli_place_of(const void *item, dmm_type type, bool descending);

/* True if the keys are in the library's total order (dmm/types.h). If not, *at is the first item
 * that is out of order. */
bool cli_is_ordered(const cli_array *keys, bool descending, size_t *at);

/* The same and cli_add_fingerprint, of long lists: each is a step of the bar. */
bool cli_check_order(const cli_array *keys, bool descending, size_t *at);
void cli_sum_items(cli_fingerprint *sum, const cli_array *keys, const cli_array *values);

/* Warns on standard error if there are NaNs among f32 or f64 keys that --less compares. By 'a < b'
 * a NaN ties with every number, which is no strict weak order. */
void cli_warn_of_nans(const cli_array *keys);

/* The judges below return true, or false with CLI_CHECK_FAILED and what is wrong. */

/* Judges that the keys are in the library's order. */
bool cli_judge_order(const cli_array *keys, bool descending, cli_error *error);

/* Judges that the items are those of the fingerprint. */
bool cli_judge_items(const cli_array *keys, const cli_array *values,
    const cli_fingerprint *expected, cli_error *error);

/* Judges both. */
bool cli_judge(const cli_array *keys, const cli_array *values, bool descending,
    const cli_fingerprint *expected, cli_error *error);

/* Judges that lists[2] is what remains of the sorted lists[0] and lists[1], A and B: numbers of one
 * list alone, and pairs, as `keeps` says. */
#define CLI_KEEPS_A     1u
#define CLI_KEEPS_B     2u
#define CLI_KEEPS_PAIRS 4u
bool cli_judge_set(const cli_array lists[3], unsigned keeps, bool descending, cli_error *error);

/* Judges that `indices` (u32 or u64) contains every index of `before` once, that before[indices[i]]
 * is after[i], and that equal neighbours keep their order. */
bool cli_judge_argsort(
    const cli_array *before, const cli_array *after, const cli_array *indices, cli_error *error);

/*
 * Judges that no neighbours are out of order by `less`, OpenCL C over a and b: with a kernel of the
 * command, on the session's device. Other failures: OpenCL's.
 */
bool cli_judge_less(cli_session *session, const cli_array *keys, const char *less, bool descending,
    cli_error *error);

#endif
