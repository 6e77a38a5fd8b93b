/* SPDX-License-Identifier: MIT */
/*
 * Two judges of a partition, independent of each other and of the library. Each returns NULL, or a
 * text that says what is wrong (valid until its next call).
 */
#ifndef DMM_TESTS_PARTITION_JUDGE_H
#define DMM_TESTS_PARTITION_JUDGE_H

#include <stdint.h>

/* n items of known buckets, with n values beside them (value_bytes 0: none). */
typedef struct partition_input {
    uint64_t n;
    uint32_t ways, item_bytes, value_bytes;
    int numbered; /* the first four bytes of value i are i */
    const unsigned char *items, *values;
    const uint32_t *buckets;
} partition_input;

typedef struct partition_result {
    const unsigned char *items, *values;
    const uint64_t *offsets;
} partition_result;

/* The oracle: items and offsets are, byte for byte, what counting on the host makes of them. */
const char *partition_judge_by_oracle(const partition_input *in, const partition_result *out);

/* The property: offsets rise from 0 to n, the rows between those of a bucket are the rows of that
 * bucket in whatever order, and numbers among the values rise. */
const char *partition_judge_by_property(const partition_input *in, const partition_result *out);

/* Both. */
const char *partition_judge(const partition_input *in, const partition_result *out);

#endif
