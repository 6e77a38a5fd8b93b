/* SPDX-License-Identifier: MIT */
/*
 * Two judges of a convex hull, independent of each other and of the library. Each returns NULL, or
 * a text that says what is wrong. Both decide by exact fixed-point numbers.
 */
#ifndef DMM_TESTS_HULL_JUDGE_H
#define DMM_TESTS_HULL_JUDGE_H

#include <dmm/hull.h>

#include "support/exact.h"

typedef struct hull_kind {
    int collinear;
    dmm_hull_part part;
} hull_kind;

/* The oracle's own hull: a monotone chain. `out` has room for n + 1. Returns how many.
 * Source: A. Andrew, "Another Efficient Algorithm for Convex Hulls in Two Dimensions", Information
 * Processing Letters 9(5), 1979, DOI 10.1016/0020-0190(79)90072-3. */
uint64_t oracle_hull(const hull_kind *k, const plane_point *points, uint64_t n, uint64_t *out);

/* The oracle: these indices, in this order. */
const char *hull_judge_by_oracle(const hull_kind *k, const plane_point *points, uint64_t n,
    const uint64_t *hull, uint64_t count);

/* The property, of whole hulls: it turns left everywhere, begins with the least point, holds every
 * point, and of equal points the first; with `collinear` no point of the boundary is missing. Takes
 * n * count steps. */
const char *hull_judge_by_property(const hull_kind *k, const plane_point *points, uint64_t n,
    const uint64_t *hull, uint64_t count);

/* Both; the property where it is a whole hull and n * count is not too much. */
const char *hull_judge(const hull_kind *k, const plane_point *points, uint64_t n,
    const uint64_t *hull, uint64_t count);

#endif
