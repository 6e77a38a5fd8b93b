/* SPDX-License-Identifier: MIT */
/*
 * One partition of a test, from its description to the verdict: partition_build makes the object,
 * partition_check runs a case with it. The steps in between are for tests that do something
 * meanwhile.
 */
#ifndef DMM_TESTS_PARTITION_CASE_H
#define DMM_TESTS_PARTITION_CASE_H

#include <dmm/partition.h>

#include "support/kind.h"
#include "support/rig.h"
#include "support/zone.h"

/* An expression under test, evaluated on the host. */
typedef uint64_t partition_rule(const void *item, const void *value, uint64_t i);

/* Description of a partition. */
typedef struct partition_setup {
    kind k; /* kind of the items */
    uint32_t ways;
    dmm_partition_by by;
    uint32_t value_bytes, label_bytes;
    dmm_bits bits;
    const char *expression;
    partition_rule *rule; /* the expression */
    int guarantee;
    dmm_partition_method method;
    dmm_tuning tuning;
    uint64_t max_n;
} partition_setup;

dmm_partition_desc partition_desc_of(const partition_setup *setup);
/* Fails the test, with the log, if the partition cannot be built. */
dmm_partition *partition_build(rig *r, const partition_setup *setup);

/* How labels are spread. */
typedef enum spread {
    SPREAD_EVEN,
    SPREAD_ONE,    /* all items in one bucket */
    SPREAD_SKEWED, /* most in bucket 0, many buckets empty */
    SPREAD_ENDS,   /* first and last bucket only */
    SPREAD_CYCLE,  /* 0, 1, ..., K - 1, 0, ... */
    SPREAD_SORTED,
    SPREAD_COUNT
} spread;

/* One call. */
typedef struct partition_case {
    uint64_t n;
    spread labels;
    shape input; /* shape of the items, where they decide */
    uint64_t seed;
    int in_place;
    uint64_t offset_items; /* offset of every span but temp */
    int temp_given;        /* temp of exactly the bytes asked for */
    int no_report;
    int any_result; /* the judges are not asked */
    uint64_t first; /* position of the first item */
} partition_case;

/* The k-th of various calls with n items. */
partition_case partition_case_of(uint64_t n, uint64_t k);

typedef struct partition_run {
    const rig *r;
    const partition_setup *setup;
    const partition_case *c;
    unsigned char *items, *values, *by; /* the input, for the judges */
    uint32_t *buckets;
    zone items_in, values_in, by_in, items_out, values_out, offsets, report, temp;
    dmm_partition_args args;
} partition_run;

partition_run partition_prepare(const rig *r, const dmm_partition *partition,
    const partition_setup *setup, const partition_case *c);
/* After completion: red zones, untouched inputs, the report and the judges; then releases
 * everything. */
void partition_finish(partition_run *run);
/* The same for a call whose item `position` has no bucket: nothing is written but the report. */
void partition_finish_refused(partition_run *run, uint64_t position);

/* Prepares, runs and checks a case on the rig's queue. */
void partition_check(
    const rig *r, dmm_partition *partition, const partition_setup *setup, const partition_case *c);

#endif
