/* SPDX-License-Identifier: MIT */
/* Tests of dmm_partition from tables: each row is one program, what it partitions and how. */
#ifndef DMM_TESTS_PARTITION_ROWS_H
#define DMM_TESTS_PARTITION_ROWS_H

#include <stddef.h>

#include "support/partition_case.h"

enum { ROW_DESCENDING = 1, ROW_GUARANTEE = 2 };

typedef struct partition_row {
    const char *kind;
    uint32_t ways;
    dmm_partition_by by;
    uint32_t value_bytes, label_bytes;
    dmm_bits bits;
    int flags;
    const char *set; /* facts of the device */
    dmm_tuning tuning;
} partition_row;

/* An expression decides by the last decimal digit of a key. */
partition_setup partition_setup_of(const partition_row *row, dmm_partition_method method);

/* The calls of check_row: of so many sizes, each with so many spreads. */
typedef struct partition_sizes {
    const uint64_t *of;
    size_t count, spreads;
} partition_sizes;

void partition_check_row(const partition_row *row, dmm_partition_method method,
    const partition_sizes *sizes, uint64_t seed);

/* All sizes to 3 tiles, then ever fewer up to `most`. */
void partition_check_sizes_to(uint64_t most, const partition_row *row, dmm_partition_method method);

/* Many u32 with default parameters: the form is the GPU's although the description asks for the
 * CPU's. Skipped at small sizes. */
void partition_check_many(dmm_partition_method method);

#endif
