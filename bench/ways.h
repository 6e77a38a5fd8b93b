/* SPDX-License-Identifier: MIT */
/*
 * Shared by benchmarks of dmm_partition: 32-bit items by 32-bit labels.
 */
#ifndef DMM_BENCH_WAYS_H
#define DMM_BENCH_WAYS_H

#include <dmm/partition.h>

#include "contest.h"

/* The object of an entrant. */
typedef struct bench_ways {
    dmm_partition *partition;
    cl_mem offsets;
    uint32_t K;
} bench_ways;

/* For n items of the job; returns the bytes of temp. */
uint64_t bench_ways_create(bench_ways *out, bench_job *job, const dmm_partition_desc *desc);
/* Takes over a partition into K buckets that was created elsewhere. */
uint64_t bench_ways_take(bench_ways *out, bench_job *job, dmm_partition *partition, uint32_t K);
void bench_ways_free(bench_ways *ways);

dmm_status bench_ways_enqueue(bench_job *job, const bench_entrant *self, cl_event *event);

/* Sets the job's labels, its floor and the expected partition. A label is its item, scaled to
 * 0 .. K - 1; for two ways it is the item's lowest bit. */
void bench_ways_label(bench_job *job, uint32_t K);

/* Bytes moved for an item. */
double bench_ways_bytes(uint32_t K, const bench_parameters *with);

#endif
