/* SPDX-License-Identifier: MIT */
/*
 * One hull of a test, from its description to the verdict: hull_build makes the object, hull_check
 * runs a case with it. The steps in between are for tests that do something meanwhile.
 */
#ifndef DMM_TESTS_HULL_CASE_H
#define DMM_TESTS_HULL_CASE_H

#include "support/hull_cloud.h"
#include "support/hull_judge.h"
#include "support/rig.h"
#include "support/zone.h"

/* Description of a hull. */
typedef struct hull_setup {
    dmm_type type;
    hull_kind k;
    int two_arrays;
    uint32_t index_bytes;
    dmm_tuning tuning;
    uint64_t max_n;
} hull_setup;

dmm_hull_desc hull_desc_of(const hull_setup *setup);
/* Fails the test, with the log, if the hull cannot be built. */
dmm_hull *hull_build(rig *r, const hull_setup *setup);

/* One call. */
typedef struct hull_case {
    uint64_t n;
    cloud points;
    uint64_t seed;
    uint64_t offset_items; /* offset of every span but temp */
    int temp_given;        /* temp of exactly the bytes asked for */
    uint64_t sets;         /* 0: one; otherwise n points are cut into so many, at random */
    int triples;           /* sets of three points */
    int unjudged;          /* red zones only */
} hull_case;

typedef struct hull_run {
    const rig *r;
    const hull_setup *setup;
    const hull_case *c;
    plane_point *cloud; /* the input, for the judges */
    uint64_t *starts;
    zone points, ys, starts_zone, hull, count, report, temp;
    dmm_hull_args args;
} hull_run;

/* `given`: the points; NULL: the case's cloud. */
hull_run hull_prepare(const rig *r, const dmm_hull *hull, const hull_setup *setup,
    const hull_case *c, const plane_point *given);
/* After completion: red zones, untouched inputs and the judges; then releases everything. */
void hull_finish(hull_run *run);
/* Prepares, runs and checks a case on the rig's queue. */
void hull_check(const rig *r, dmm_hull *hull, const hull_setup *setup, const hull_case *c,
    const plane_point *given);

#endif
