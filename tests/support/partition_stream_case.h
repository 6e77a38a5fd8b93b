/* SPDX-License-Identifier: MIT */
/*
 * A dmm_partition_stream whose items and scratch store are arrays. Its callbacks check each other:
 * what is loaded was stored, nothing is stored twice, and nothing lies beyond the plan.
 */
#ifndef DMM_TESTS_PARTITION_STREAM_CASE_H
#define DMM_TESTS_PARTITION_STREAM_CASE_H

#include <dmm/partition_stream.h>

#include "support/kind.h"
#include "support/rig.h"

typedef struct partition_stream_case {
    kind k;
    uint32_t value_bytes;
    uint64_t n;
    dmm_partition_stream_desc desc;
    dmm_partition_stream_plan plan;
    /* The bucket of item i, for an expression. */
    uint32_t (*rule)(const void *item, const void *value, uint64_t i);
    unsigned char *items, *values, *labels; /* input; labels: n of them, or splitters */
    uint32_t *buckets;                      /* bucket of each item */
    unsigned char *items_out, *values_out;  /* n items, and one more as a red zone */
    uint64_t *offsets;
    unsigned char *store, *is_stored; /* a byte for each byte */
    uint64_t read, written;           /* items */
    uint64_t most_read;               /* items of a `read`; 0: as many as are asked for */
    uint64_t calls, fails_at;         /* all callbacks; that one, from 1, fails. 0: none */
    dmm_report report;
    dmm_partition_stream_result result;
} partition_stream_case;

/* The status of the callback that fails. */
enum { PARTITION_STREAM_FAILS = 4712 };

/* Makes the input by the description. Fails the test if there is no plan. */
void partition_stream_open(partition_stream_case *c, const rig *r, shape input, uint64_t seed);
void partition_stream_close(partition_stream_case *c);
dmm_status partition_stream_run(partition_stream_case *c, const rig *r);
/* Judges the output of a call that has succeeded. */
void partition_stream_check(const partition_stream_case *c);

#endif
