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
/* Method quick of libdmm-lab, in buckets of equal sizes. */
double bench_quick_sort_bytes(const bench_job *job, const bench_parameters *with);
/* dmm_sort by network: up to three steps of a stage a pass. */
double bench_network_sort_bytes(const bench_job *job, const bench_parameters *with);

/*
 * Returns the bytes per item of `item_bytes` that every algorithm moves in the worst case, between
 * the memory and processors with a fast memory of origin.memory_bytes each, in exchanges of a
 * block: one read, one write. Every block is exchanged at least once. All orders of n different
 * items, of permutations and sorts: n! / (S!)^(n/S) <= (2n/S binomial(cS, S))^t, for S items a
 * block, c blocks a memory and t exchanges; sorts that compare: without the factor 2n/S. Stable
 * partitions into `ways` equal buckets: n! / (L!)^(n/L), L = n/ways or, if greater, S. ways = n:
 * permutations and sorts.
 * Source     T. Jurkiewicz, "Toward Better Computation Models for Modern Machines", PhD thesis,
 *            Saarland University, 2013, section 4.1, without its asymptotic constants
 */
bench_floors bench_floors_of(const bench_job *job, double item_bytes, double ways);

#endif
