/* SPDX-License-Identifier: MIT */
/*
 * The self-test's checks of primitives that add up, also by key, and of those that pack runs.
 */
#include "primitives/selftest/selftest.h"

#include <stdlib.h>
#include <string.h>

#include <dmm/reduce.h>
#include <dmm/reduce_by_key.h>
#include <dmm/run_length.h>
#include <dmm/scan.h>
#include <dmm/scan_by_key.h>
#include <dmm/select.h>
#include <dmm/unique.h>

enum { RUN = 3, LONG_RUN = 5000, LONG_FROM = 700 };

static dmm_status scan(dmm_trial *t, dmm_scan_op op)
{
    const dmm_scan_desc desc = {.type = t->type, .op = op};
    uint64_t sum = 0, most = 0;
    for (uint64_t i = 0; i < t->n; i++) {
        sum += dmm_trial_bits(t, i);
        most = dmm_trial_code(t, i) > dmm_trial_code(t, most) ? i : most;
        const uint64_t item = op == DMM_SCAN_SUM ? sum : dmm_trial_bits(t, most);
        memcpy(t->expected + i * t->bytes, &item, t->bytes);
    }
    dmm_trial_expect_no_origins(t);
    memcpy(t->answer, t->input, (size_t)(t->n * t->bytes));
    return dmm_scan_host(t->ctx, &desc, t->answer, (size_t)t->n);
}

static dmm_status scan_sums(dmm_trial *t)
{
    return scan(t, DMM_SCAN_SUM);
}

static dmm_status scan_maxima(dmm_trial *t)
{
    return scan(t, DMM_SCAN_MAX);
}

/* An operator that does not commute: the last item that is not 0; by trees, or by a chain. */
static const dmm_operator last_item = {.combine = "b != 0 ? b : a", .identity = "0"},
                          last_exactly = {.combine = "b != 0 ? b : a", .identity = "0", .exact = 1};

/* Returns the operator of a check that has one: i16 are scanned by a chain. */
static const dmm_operator *own_of(const dmm_trial *t)
{
    return t->type == DMM_I16 ? &last_exactly : &last_item;
}

/* Makes all items 0 but a few; returns item i, or the last one before it that is not 0. */
static uint64_t last_of(dmm_trial *t, uint64_t i, uint64_t before)
{
    const uint64_t bits = dmm_trial_bits(t, i), kept = bits % (2 * RUN) == 1 ? bits : 0;
    memcpy(t->input + i * t->bytes, &kept, t->bytes);
    return kept != 0 ? kept : before;
}

static dmm_status scan_own(dmm_trial *t)
{
    const dmm_scan_desc desc = {.type = t->type, .own = own_of(t)};
    uint64_t last = 0;
    for (uint64_t i = 0; i < t->n; i++) {
        last = last_of(t, i, last);
        memcpy(t->expected + i * t->bytes, &last, t->bytes);
    }
    dmm_trial_expect_no_origins(t);
    memcpy(t->answer, t->input, (size_t)(t->n * t->bytes));
    return dmm_scan_host(t->ctx, &desc, t->answer, (size_t)t->n);
}

const dmm_check dmm_scan_checks[] = {
    {"scan, sums", scan_sums, U8 | U32 | U64, U32},
    {"scan, maxima", scan_maxima, I32 | F32, 0},
    {"scan, own operator", scan_own, U16, 0},
    {"scan, exact operator", scan_own, I16, 0},
    {0},
};

static dmm_status reduce(dmm_trial *t)
{
    const dmm_reduce_desc desc = {.type = t->type};
    uint64_t sum = 0;
    for (uint64_t i = 0; i < t->n; i++)
        sum += dmm_trial_bits(t, i);
    memcpy(t->expected, &sum, t->bytes);
    t->places = 1;
    dmm_trial_expect_no_origins(t);
    return dmm_reduce_host(t->ctx, &desc, t->input, (size_t)t->n, t->answer);
}

static dmm_status reduce_own(dmm_trial *t)
{
    const dmm_reduce_desc desc = {.type = t->type, .own = &last_item};
    uint64_t last = 0;
    for (uint64_t i = 0; i < t->n; i++)
        last = last_of(t, i, last);
    memcpy(t->expected, &last, t->bytes);
    t->places = 1;
    dmm_trial_expect_no_origins(t);
    return dmm_reduce_host(t->ctx, &desc, t->input, (size_t)t->n, t->answer);
}

/* The sum of the items' complements, each of which a map gives. */
static dmm_status reduce_mapped(dmm_trial *t)
{
    const dmm_map map = {.item = {t->type, 0}, .expression = "~item"};
    const dmm_reduce_desc desc = {.type = t->type, .map = &map};
    uint64_t sum = 0;
    for (uint64_t i = 0; i < t->n; i++)
        sum += ~dmm_trial_bits(t, i);
    memcpy(t->expected, &sum, t->bytes);
    t->places = 1;
    dmm_trial_expect_no_origins(t);
    return dmm_reduce_host(t->ctx, &desc, t->input, (size_t)t->n, t->answer);
}

const dmm_check dmm_reduce_checks[] = {{"reduce", reduce, U16 | U64, U64},
    {"reduce, own operator", reduce_own, U32, 0}, {"reduce, map", reduce_mapped, U32, 0}, {0}};

/* Makes keys of runs of one to three items, and one long run; returns whether a run begins at i. */
static int key_begins(dmm_trial *t, uint64_t i)
{
    const int begins =
        i == 0 || (i % (2 * RUN) <= RUN && (i < LONG_FROM || i > LONG_FROM + LONG_RUN));
    t->spare[i] = i == 0 ? 0 : t->spare[i - 1] + (uint32_t)begins;
    return begins;
}

/* Returns the operator of checks by key: u16 and i16 have an own one, other types add. */
static const dmm_operator *own_by_key(const dmm_trial *t)
{
    return t->bytes == 2 ? own_of(t) : NULL;
}

/* Expects the total of a run up to item i at a place; returns it. Makes floats small whole numbers,
 * whose sums are exact. */
static uint32_t expect_total(dmm_trial *t, uint64_t place, uint64_t i, uint32_t before)
{
    uint32_t total = before + (uint32_t)dmm_trial_bits(t, i);
    if (own_by_key(t) != NULL)
        total = (uint32_t)last_of(t, i, before);
    if (t->type == DMM_F32) {
        const uint32_t item = (uint32_t)dmm_trial_bits(t, i) % (2 * RUN);
        total = before + item;
        const float floats[] = {(float)item, (float)total};
        memcpy(t->input + i * t->bytes, &floats[0], t->bytes);
        memcpy(t->expected + place * t->bytes, &floats[1], t->bytes);
    } else {
        memcpy(t->expected + place * t->bytes, &total, t->bytes);
    }
    return total;
}

static dmm_status scan_by_key(dmm_trial *t)
{
    const dmm_scan_by_key_desc desc = {
        .type = t->type, .key_bytes = sizeof *t->spare, .own = own_by_key(t)};
    uint32_t total = 0;
    for (uint64_t i = 0; i < t->n; i++)
        total = expect_total(t, i, i, key_begins(t, i) ? 0 : total);
    dmm_trial_expect_no_origins(t);
    memcpy(t->answer, t->input, (size_t)(t->n * t->bytes));
    return dmm_scan_by_key_host(t->ctx, &desc, t->spare, t->answer, (size_t)t->n);
}

const dmm_check dmm_scan_by_key_checks[] = {{"scan by key", scan_by_key, U32, U32},
    {"scan by key, float sums", scan_by_key, F32, 0},
    {"scan by key, own operator", scan_by_key, U16, 0},
    {"scan by key, exact operator", scan_by_key, I16, 0}, {0}};

static dmm_status reduce_by_key(dmm_trial *t)
{
    const dmm_reduce_by_key_desc desc = {
        .type = t->type, .key_bytes = sizeof *t->spare, .own = own_by_key(t)};
    uint64_t runs = 0;
    uint32_t total = 0;
    size_t found = 0;
    for (uint64_t i = 0; i < t->n; i++) {
        const uint64_t begins = (uint64_t)key_begins(t, i);
        runs += begins;
        total = expect_total(t, runs - 1, i, begins != 0 ? 0 : total);
    }
    dmm_trial_expect_no_origins(t);
    memcpy(t->answer, t->input, (size_t)(t->n * t->bytes));
    const dmm_status status =
        dmm_reduce_by_key_host(t->ctx, &desc, t->spare, t->answer, (size_t)t->n, &found);
    t->places = runs;
    return status == DMM_OK && found != runs ? DMM_WRONG_RESULT : status;
}

const dmm_check dmm_reduce_by_key_checks[] = {{"reduce by key", reduce_by_key, U32, U32},
    {"reduce by key, float sums", reduce_by_key, F32, 0},
    {"reduce by key, own operator", reduce_by_key, U16, 0},
    {"reduce by key, exact operator", reduce_by_key, I16, 0}, {0}};

/* Removes duplicates from runs of three. The origins hold the number of runs. */
static dmm_status unique(dmm_trial *t)
{
    const dmm_unique_desc desc = {.key_bytes = t->bytes};
    uint64_t runs = 0;
    size_t found = 0;
    for (uint64_t i = 0; i < t->n; i++) {
        memcpy(t->input + i * t->bytes, t->input + i / RUN * RUN * t->bytes, t->bytes);
        if (i == 0 || dmm_trial_bits(t, i) != dmm_trial_bits(t, i - 1))
            dmm_trial_expect_item(t, runs++, i);
    }
    memcpy(t->answer, t->input, (size_t)(t->n * t->bytes));
    dmm_trial_expect_no_origins(t);
    const dmm_status status = dmm_unique_host(t->ctx, &desc, t->answer, NULL, (size_t)t->n, &found);
    t->places = runs;
    t->expected_from[0] = (uint32_t)runs;
    t->answer_from[0] = (uint32_t)found;
    return status;
}

const dmm_check dmm_unique_checks[] = {{"unique", unique, U16, U16}, {0}};

/* Selects the items that are no multiples of 4. */
static dmm_status select_where(dmm_trial *t)
{
    const dmm_select_desc desc = {
        .type = t->type, .where = "x % 4 != 0", .value_bytes = sizeof *t->spare};
    const dmm_select_host_args args = {.items = t->input,
        .values = t->spare,
        .items_out = t->answer,
        .values_out = t->answer_from};
    size_t found = 0;
    t->places = 0;
    for (uint64_t i = 0; i < t->n; i++) {
        t->spare[i] = (uint32_t)i;
        if (dmm_trial_bits(t, i) % 4 != 0)
            dmm_trial_expect_item(t, t->places++, i);
    }
    const dmm_status status = dmm_select_host(t->ctx, &desc, &args, (size_t)t->n, &found);
    return status == DMM_OK && found != t->places ? DMM_WRONG_RESULT : status;
}

/* Selects items by flags, and takes the others. */
static dmm_status select_rest(dmm_trial *t)
{
    const dmm_select_desc desc = {.type = t->type, .value_bytes = sizeof *t->spare};
    uint8_t *const flags = calloc((size_t)t->n + 1, 1);
    const dmm_select_host_args args = {.items = t->input,
        .values = t->spare,
        .flags = flags,
        .rest_out = t->answer,
        .rest_values_out = t->answer_from};
    size_t found = 0;
    if (flags == NULL)
        return DMM_OUT_OF_MEMORY;
    t->places = 0;
    for (uint64_t i = 0; i < t->n; i++) {
        t->spare[i] = (uint32_t)i;
        flags[i] = (uint8_t)(dmm_trial_bits(t, i) % RUN);
        if (flags[i] == 0)
            dmm_trial_expect_item(t, t->places++, i);
    }
    const dmm_status status = dmm_select_host(t->ctx, &desc, &args, (size_t)t->n, &found);
    free(flags);
    return status == DMM_OK && found != t->n - t->places ? DMM_WRONG_RESULT : status;
}

const dmm_check dmm_select_checks[] = {
    {"select", select_where, U32, U32}, {"select by flags", select_rest, U16, 0}, {0}};

/* Counts runs of one to five items. The origins hold the counts. */
static dmm_status run_length(dmm_trial *t)
{
    const dmm_run_length_desc desc = {.key_bytes = t->bytes};
    uint64_t *const counts = malloc((size_t)(t->n + 1) * sizeof *counts);
    uint64_t runs = 0;
    size_t found = 0;
    if (counts == NULL)
        return DMM_OUT_OF_MEMORY;
    for (uint64_t i = 0; i < t->n; i++) {
        if (i % (2 * RUN) > RUN)
            memcpy(t->input + i * t->bytes, t->input + (i - 1) * t->bytes, t->bytes);
        if (i == 0 || dmm_trial_bits(t, i) != dmm_trial_bits(t, i - 1)) {
            dmm_trial_expect_item(t, runs, i);
            t->expected_from[runs++] = 0;
        }
        t->expected_from[runs - 1]++;
    }
    memcpy(t->answer, t->input, (size_t)(t->n * t->bytes));
    const dmm_status status =
        dmm_run_length_host(t->ctx, &desc, t->answer, (size_t)t->n, counts, &found);
    t->places = runs;
    for (uint64_t r = 0; r < runs; r++)
        t->answer_from[r] = found == runs ? (uint32_t)counts[r] : 0;
    free(counts);
    return status;
}

const dmm_check dmm_run_length_checks[] = {{"run length", run_length, U16 | U64, U16}, {0}};
