/* SPDX-License-Identifier: MIT */
/*
 * Two judges of a sorted (or merged) result, independent of each other and of the library. Each
 * returns NULL, or a text that says what is wrong (valid until its next call).
 */
#ifndef DMM_TESTS_JUDGE_H
#define DMM_TESTS_JUDGE_H

#include "support/kind.h"

/* n keys, with n values beside them (value_bytes 0: none). */
typedef struct rows {
    const void *keys;
    const void *values;
    uint64_t n;
    uint32_t value_bytes;
} rows;

/* Return key and value of row i. */
const unsigned char *rows_key(const kind *k, const rows *r, uint64_t i);
const unsigned char *rows_value(const rows *r, uint64_t i);
/* Returns a hash of a row's bytes. */
uint64_t rows_hash(const kind *k, const rows *r, uint64_t i);

/* Writes the input's rows in stable order: keys and, if there are, values. */
void oracle_sort(const kind *k, const rows *input, void *keys, void *values);

/* The oracle: the result is, byte for byte, what a stable merge sort on the host makes of the
 * input. */
const char *judge_by_oracle(const kind *k, const rows *input, const rows *result);

/* The property: the result's keys are in order, and its rows are the input's rows, in whatever
 * order. */
const char *judge_by_property(const kind *k, const rows *input, const rows *result);

/* Both. */
const char *judge(const kind *k, const rows *input, const rows *result);

#endif
