/* SPDX-License-Identifier: MIT */
/*
 * A case of dmm_permute: an order of positions, its items, and two judges.
 */
#ifndef DMM_TESTS_PERMUTE_CASE_H
#define DMM_TESTS_PERMUTE_CASE_H

#include <dmm/permute.h>

#include "support/require.h"
#include "support/rig.h"

/* ORDER_ONE_BANK: neighbours go `apart` places apart */
typedef enum permute_order {
    ORDER_RANDOM,
    ORDER_IDENTITY,
    ORDER_REVERSED,
    ORDER_ONE_BANK,
    ORDER_ROTATED,
    ORDER_COUNT
} permute_order;

/* Fills n positions. */
void permute_fill_order(
    uint64_t *index, uint64_t n, permute_order kind, uint64_t seed, uint64_t apart);

typedef struct permute_case {
    uint64_t n;
    permute_order kind;
    uint64_t seed;
    int in_place, temp_given;
    uint64_t offset_items;
} permute_case;

typedef struct permute_data {
    uint64_t *index;
    unsigned char *narrow, *before, *after;
} permute_data;

/* Where items belong, by a plain loop; and that every item is there once, whatever the order. NULL:
 * nothing is wrong. */
const char *permute_judge_by_loop(const dmm_permute_desc *d, const permute_data *data, uint64_t n);
const char *permute_judge_as_set(const dmm_permute_desc *d, const permute_data *data, uint64_t n);

dmm_permute *permute_build(rig *r, const dmm_permute_desc *d);
/* Runs and judges a case; returns its report. */
dmm_report permute_check(
    const rig *r, dmm_permute *p, const dmm_permute_desc *d, const permute_case *c);

#endif
