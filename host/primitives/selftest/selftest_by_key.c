/* SPDX-License-Identifier: MIT */
/*
 * The self-test's checks of dmm_scan_by_key and dmm_reduce_by_key.
 */
#include "primitives/selftest/selftest.h"

#include <string.h>

#include <dmm/reduce_by_key.h>
#include <dmm/scan_by_key.h>

enum { RUN = 3, LONG_RUN = 5000, LONG_FROM = 700 };

/* Makes keys of runs of one to three items, and one long run; returns whether a run begins at i. */
static int key_begins(dmm_trial *t, uint64_t i)
{
    const int begins =
        i == 0 || (i % (2 * RUN) <= RUN && (i < LONG_FROM || i > LONG_FROM + LONG_RUN));
    t->spare[i] = i == 0 ? 0 : t->spare[i - 1] + (uint32_t)begins;
    return begins;
}

/* Expects the u32 sum of a run up to item i at a place; returns it. */
static uint32_t expect_sum(dmm_trial *t, uint64_t place, uint64_t i, uint32_t sum)
{
    sum += (uint32_t)dmm_trial_bits(t, i);
    memcpy(t->expected + place * t->bytes, &sum, t->bytes);
    return sum;
}

static dmm_status scan_by_key(dmm_trial *t)
{
    const dmm_scan_by_key_desc desc = {.type = t->type, .key_bytes = sizeof *t->spare};
    uint32_t sum = 0;
    for (uint64_t i = 0; i < t->n; i++)
        sum = expect_sum(t, i, i, key_begins(t, i) ? 0 : sum);
    dmm_trial_expect_no_origins(t);
    memcpy(t->answer, t->input, t->n * t->bytes);
    return dmm_scan_by_key_host(t->ctx, &desc, t->spare, t->answer, (size_t)t->n);
}

const dmm_check dmm_scan_by_key_checks[] = {{"scan by key", scan_by_key, U32, U32}, {0}};

static dmm_status reduce_by_key(dmm_trial *t)
{
    const dmm_reduce_by_key_desc desc = {.type = t->type, .key_bytes = sizeof *t->spare};
    uint64_t runs = 0;
    uint32_t sum = 0;
    size_t found = 0;
    for (uint64_t i = 0; i < t->n; i++) {
        const uint64_t begins = (uint64_t)key_begins(t, i);
        runs += begins;
        sum = expect_sum(t, runs - 1, i, begins != 0 ? 0 : sum);
    }
    dmm_trial_expect_no_origins(t);
    memcpy(t->answer, t->input, t->n * t->bytes);
    const dmm_status status =
        dmm_reduce_by_key_host(t->ctx, &desc, t->spare, t->answer, (size_t)t->n, &found);
    t->places = runs;
    return status == DMM_OK && found != runs ? DMM_WRONG_RESULT : status;
}

const dmm_check dmm_reduce_by_key_checks[] = {{"reduce by key", reduce_by_key, U32, U32}, {0}};
