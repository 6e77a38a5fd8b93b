/* SPDX-License-Identifier: MIT */
/*
 * How many bytes of memory a call moves for an item, as the headers in include/dmm count them:
 * bytes read and written; caches are not modelled.
 */
#ifndef DMM_BENCH_MODEL_H
#define DMM_BENCH_MODEL_H

#include "job.h"

/* Passes that each read and write all items. */
double bench_pass_bytes(const bench_job *job, unsigned passes);
/* Tiles, then pairs of runs until there is one of n items; 0: the tile is not known. */
unsigned bench_merge_passes(const bench_parameters *with, size_t n);
/* dmm_sort by merge. */
double bench_merge_sort_bytes(const bench_job *job, const bench_parameters *with);
/* dmm_sort by radix, of keys that differ in all digits and spread evenly. */
double bench_radix_sort_bytes(const bench_job *job, const bench_parameters *with);
/* dmm_sort by network: up to three steps of a stage a pass. */
double bench_network_sort_bytes(const bench_job *job);

#endif
