/* SPDX-License-Identifier: MIT */
/*
 * What a radix sort of n items takes: between radix_plan.c and the steps in radix_call.c.
 */
#ifndef DMM_PRIMITIVES_RADIX_PLAN_H
#define DMM_PRIMITIVES_RADIX_PLAN_H

#include "primitives/sort/lists.h"
#include "primitives/sort/radix.h"

/* Regions of temp. */
enum { RADIX_COUNTS = DMM_OWN_REGIONS, RADIX_STATE, RADIX_SCRATCH, RADIX_SCAN };

/* Returns the number of passes over n items by `bits` bits. */
uint32_t dmm_radix_count_passes(const dmm_radix *radix, uint64_t n, uint32_t bits);

/* True if one work-group sorts everything in one launch. */
int dmm_radix_is_alone(const dmm_radix *radix, uint64_t n);

/* Returns the groups of a pass over n > 0 items. */
dmm_radix_shares dmm_radix_groups(const dmm_radix *radix, uint64_t n);

/* Returns the most tiles of a launch of a chained pass over n items. */
uint64_t dmm_radix_chained_tiles(const dmm_radix *radix, uint64_t n);

/* CPU form: returns the number of top bits to divide n items by; 0: no division. */
uint32_t dmm_radix_top_bits(const dmm_radix *radix, uint64_t n);

/* CPU form: returns the most items of a bucket that a work-item sorts by itself. */
uint64_t dmm_radix_most_in_bucket(const dmm_radix *radix);

/* CPU form: true if whole lines are written. */
int dmm_radix_writes_lines(const dmm_radix *radix, uint64_t n);

#endif
