/* SPDX-License-Identifier: MIT */
/*
 * One scan of a test, from its description to the verdict: scan_build makes the object, scan_check
 * runs a case with it. The steps in between are for tests that do something meanwhile.
 */
#ifndef DMM_TESTS_SCAN_CASE_H
#define DMM_TESTS_SCAN_CASE_H

#include "support/kind.h"
#include "support/rig.h"
#include "support/scan_judge.h"
#include "support/zone.h"

/* Description of a scan. */
typedef struct scan_setup {
    scan_kind k;
    dmm_tuning tuning;
    uint64_t max_n;
} scan_setup;

dmm_scan_desc scan_desc_of(const scan_setup *setup);
/* Fails the test, with the log, if the scan cannot be built. */
dmm_scan *scan_build(rig *r, const scan_setup *setup);

/* One call. */
typedef struct scan_case {
    uint64_t n;
    shape input;
    uint64_t seed;
    int in_place;
    uint64_t offset_items; /* offset of both spans */
    int temp_given;        /* temp of exactly the bytes asked for */
} scan_case;

typedef struct scan_run {
    const rig *r;
    const scan_setup *setup;
    const scan_case *c;
    void *items; /* the input, for the judges */
    zone in, out, temp;
    dmm_scan_args args;
} scan_run;

scan_run scan_prepare(
    const rig *r, const dmm_scan *scan, const scan_setup *setup, const scan_case *c);
/* After the scan's completion: red zones, the untouched input and the judges; then releases
 * everything. */
void scan_finish(scan_run *run);

/* Prepares, runs and checks a case on the rig's queue. */
void scan_check(const rig *r, dmm_scan *scan, const scan_setup *setup, const scan_case *c);

#endif
