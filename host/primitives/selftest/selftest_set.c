/* SPDX-License-Identifier: MIT */
/*
 * The self-test's checks of dmm_set.
 */
#include "primitives/selftest/selftest.h"

#include <string.h>

#include <dmm/set.h>

enum { ALIKE = 5 }; /* items that begin as one */

/* Returns how many items from `at` on are equal, of those before `end`, in sorted input. */
static uint64_t run_at(const dmm_trial *t, uint64_t at, uint64_t end)
{
    uint64_t i = at;
    while (i < end && dmm_trial_bits(t, i) == dmm_trial_bits(t, at))
        i++;
    return i - at;
}

/* Expects the last `count` of the `run` items from `at` on. */
static void expect_last(dmm_trial *t, uint64_t at, uint64_t run, uint64_t count)
{
    for (uint64_t i = run - count; i < run; i++)
        dmm_trial_expect_item(t, t->places++, at + i);
}

/* Expects the union, or the symmetric difference, of items 0 .. na - 1 and of the others. */
static void expect_set(dmm_trial *t, uint64_t na, int symmetric)
{
    uint64_t a = 0, b = na;
    t->places = 0;
    while (a < na || b < t->n) {
        uint64_t in_a = run_at(t, a, na), in_b = run_at(t, b, t->n);
        if (in_a > 0 && in_b > 0 && dmm_trial_bits(t, a) != dmm_trial_bits(t, b)) {
            const int a_first = dmm_trial_code(t, a) < dmm_trial_code(t, b);
            in_b = a_first ? 0 : in_b;
            in_a = a_first ? in_a : 0;
        }
        const uint64_t pairs = in_a < in_b ? in_a : in_b;
        expect_last(t, a, in_a, symmetric ? in_a - pairs : in_a);
        expect_last(t, b, in_b, in_b - pairs);
        a += in_a;
        b += in_b;
    }
}

/* Combines the first third and the rest, each sorted, with many equal items; values say where an
 * item was in the two lists. */
static dmm_status set(dmm_trial *t, dmm_set_op op)
{
    const dmm_set_desc desc = {
        .order = {.type = t->type}, .op = op, .value_bytes = sizeof *t->answer_from};
    const uint64_t na = t->n / 3;
    size_t count = 0;
    memcpy(t->answer, t->input, (size_t)(t->n * t->bytes));
    for (uint64_t i = 0; i < t->n; i++) /* the same items in either list */
        memcpy(t->input + i * t->bytes, t->answer + i % (na + 1) / ALIKE * t->bytes, t->bytes);
    dmm_trial_expect_sorted(t, 0, na);
    dmm_trial_expect_sorted(t, na, t->n);
    memcpy(t->input, t->expected, (size_t)(t->n * t->bytes));
    expect_set(t, na, op == DMM_SET_SYMMETRIC);
    for (uint64_t i = 0; i < t->n; i++)
        t->spare[i] = (uint32_t)i;
    const dmm_set_host_args args = {.a_keys = t->input,
        .a_values = t->spare,
        .na = (size_t)na,
        .b_keys = t->input + na * t->bytes,
        .b_values = t->spare + na,
        .nb = (size_t)(t->n - na),
        .keys_out = t->answer,
        .values_out = t->answer_from,
        .count_out = &count};
    const dmm_status status = dmm_set_host(t->ctx, &desc, &args);
    return status == DMM_OK && count != t->places ? DMM_WRONG_RESULT : status;
}

static dmm_status set_union(dmm_trial *t)
{
    return set(t, DMM_SET_UNION);
}

static dmm_status set_symmetric(dmm_trial *t)
{
    return set(t, DMM_SET_SYMMETRIC);
}

const dmm_check dmm_set_checks[] = {
    {"set union", set_union, U32, U32}, {"set symmetric", set_symmetric, U64, U64}, {0}};
