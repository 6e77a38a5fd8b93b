/* SPDX-License-Identifier: MIT */
/*
 * The parallel bucket heap of K. Berney 2023, sections 3.3 and 3.4, on a device, for study: a level
 * is resolved after each fourth resolve of the level above it, and not while a neighbour is
 * (theorem 20). Beside it, the same heap a level at a time. Updates insert keys or lower their
 * priorities; no two priorities are equal. As in the thesis, the old entry of a lowered key may
 * come back.
 */
#ifndef DMM_LAB_HEAP_LEVELS_H
#define DMM_LAB_HEAP_LEVELS_H

#include <dmm/context.h>

typedef struct dmm_levels_heap dmm_levels_heap;

typedef enum dmm_levels_order {
    DMM_LEVELS_SERIAL = 0, /* Algorithm 1: a launch a resolve */
    DMM_LEVELS_ABREAST = 1 /* a launch for all levels that may be resolved */
} dmm_levels_order;

typedef struct dmm_levels_counts {
    uint64_t calls, resolves, rounds; /* rounds: launches that resolve */
    uint64_t widest;                  /* most levels of a round */
    double fullest; /* largest signals over d 4^i before a resolve: theorem 20 says 1 */
} dmm_levels_counts;

/* An entry: a key, and behind it a priority. */
#define DMM_LEVELS_ENTRY(key, priority) ((uint64_t)(key) << 32 | (priority))

/* Creates an empty heap for calls of up to d entries, and up to `capacity` in all. Blocks, as all
 * calls do. Errors: DMM_BAD_VALUE (d is 0), DMM_TOO_LARGE (more than DMM_LEVELS_MOST levels). */
dmm_status dmm_levels_create(
    dmm_levels_heap **out, dmm_context *ctx, uint64_t d, uint64_t capacity, dmm_levels_order order);
void dmm_levels_free(dmm_levels_heap *heap); /* NULL is fine */

/* BULKUPDATE with n <= d entries by rising key, each key once. DMM_TOO_LARGE: more than d, or than
 * the capacity in all updates. */
dmm_status dmm_levels_update(dmm_levels_heap *heap, const uint64_t *entries, uint64_t n);
/* Takes the n <= d entries of least priority, or *n there are, by rising key. */
dmm_status dmm_levels_take(dmm_levels_heap *heap, uint64_t *out, uint64_t *n);

dmm_status dmm_levels_count(dmm_levels_counts *out, dmm_levels_heap *heap);

#endif
