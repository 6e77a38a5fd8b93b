/* SPDX-License-Identifier: MIT */
/*
 * Two judges of a scan, independent of each other and of the library. Each returns NULL, or a text
 * that says what is wrong (valid until its next call). Float sums are judged by the error bound of
 * summation in any order, and not at all where that could overflow.
 */
#ifndef DMM_TESTS_SCAN_JUDGE_H
#define DMM_TESTS_SCAN_JUDGE_H

#include <dmm/scan.h>

typedef struct scan_kind {
    dmm_type type;
    dmm_scan_op op;
    int exclusive;
} scan_kind;

/* The oracle: every output is what a loop over the items before it makes of them. */
const char *scan_judge_by_oracle(const scan_kind *k, const void *in, const void *out, uint64_t n);

/* The property: from one output to the next only one item is added; a maximum is one of its items,
 * and none is greater. */
const char *scan_judge_by_property(const scan_kind *k, const void *in, const void *out, uint64_t n);

/* Both. */
const char *scan_judge(const scan_kind *k, const void *in, const void *out, uint64_t n);

#endif
