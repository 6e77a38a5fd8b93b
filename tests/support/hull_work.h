/* SPDX-License-Identifier: MIT */
/*
 * Points that dmm_hull visits, counted by its kernels, on ten kinds of input.
 */
#ifndef DMM_TESTS_HULL_WORK_H
#define DMM_TESTS_HULL_WORK_H

#include "primitives/hull/hull.h"
#include "support/hull_case.h"

/* Groups and banks of both forms, so that counts do not depend on the device. */
#define HULL_WORK_DEVICE "banks=32,units=4"

enum { HULL_WORK_KINDS = 10 };
extern const cloud hull_work_kinds[HULL_WORK_KINDS];

typedef struct hull_counts {
    uint64_t vertices;
    uint64_t split;  /* points visited by the splitting stage, in whole tiles (GPU form) */
    uint64_t solved; /* points visited by the independent stage */
    uint64_t levels; /* most levels of one problem in the independent stage (GPU form) */
} hull_counts;

/* Finds one hull, judges it, and returns what it visited. */
hull_counts hull_count(
    const rig *r, dmm_hull *hull, const hull_setup *setup, cloud points, uint64_t n);
double hull_visits_per_point(const hull_counts *counts, uint64_t n);

#endif
