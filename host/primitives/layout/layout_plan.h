/* SPDX-License-Identifier: MIT */
/*
 * The passes that turn a sorted array into a layout. The way back is the same list from its end,
 * each pass inverted.
 */
#ifndef DMM_PRIMITIVES_LAYOUT_PLAN_H
#define DMM_PRIMITIVES_LAYOUT_PLAN_H

#include <stddef.h>

#include <dmm/layout.h>

#include "cl/layout_call.clh"

/* The least tile: any tree of up to 2^64 keys is then divided often enough for DMM_LAYOUT_DIMS. */
enum { DMM_LAYOUT_LEAST_TILE = 16 };

/* method: not AUTO. tile: the most items of a segment that goes through a copy; at least
 * DMM_LAYOUT_LEAST_TILE and, for B-trees, 2 * (B + 1). */
typedef struct dmm_layout_way {
    dmm_layout_kind kind;
    uint32_t B;
    dmm_layout_method method;
    uint64_t tile;
} dmm_layout_way;

typedef struct dmm_layout_plan {
    dmm_layout_pass *passes; /* owned */
    size_t count, most;
    int failed; /* out of memory */
} dmm_layout_plan;

/* Plans for n items; free it whatever the status. DMM_OUT_OF_MEMORY. */
dmm_status dmm_layout_plan_make(dmm_layout_plan *plan, const dmm_layout_way *way, uint64_t n);
void dmm_layout_plan_free(dmm_layout_plan *plan);

#endif
