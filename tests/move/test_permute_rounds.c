/* SPDX-License-Identifier: MIT */
/*
 * The rounds of dmm_permute's method randomized: as many as by a random function, by seeds of the
 * system's or the caller's.
 */
#include "support/permute_case.h"

#include <stdlib.h>
#include <string.h>

#include "primitives/permute/permute.h"
#include "support/forms.h"
#include "support/random.h"

/* Rounds of one tile of a random permutation by a random function, in the mean of many trials. */
static double expected_rounds(uint32_t w, uint32_t m, uint32_t trials)
{
    random_source random = {99};
    uint64_t *labels = calloc((size_t)w * m, sizeof *labels), sum = 0;
    uint32_t *h = calloc(w, sizeof *h), *taken = calloc(m, sizeof *taken);
    REQUIRE(labels != NULL && h != NULL && taken != NULL);
    for (uint32_t trial = 0; trial < trials; trial++) {
        uint32_t left = w * m, round = 0;
        permute_fill_order(labels, left, ORDER_RANDOM, trial, 0);
        for (; left != 0; sum++) {
            round++;
            for (uint32_t i = 0; i < w; i++)
                h[i] = (uint32_t)random_below(&random, m);
            for (uint32_t row = 0; row < w; row++) {
                memset(taken, 0, m * sizeof *taken);
                for (uint64_t *l = labels + row * m; l < labels + row * m + m; l++) {
                    const uint32_t k = *l == UINT64_MAX ? 0 : ((uint32_t)*l / w + h[*l % w]) % m;
                    if (*l == UINT64_MAX || taken[k]++ != 0)
                        continue;
                    *l = UINT64_MAX;
                    left--;
                }
            }
        }
        REQUIRE(round <= m);
    }
    free(labels);
    free(h);
    free(taken);
    return (double)sum / trials;
}

/* Two-sided: rounds are as many as a random function takes. */
static void rounds_are_those_of_a_random_function(void **state)
{
    static const uint32_t shapes[][2] = {{32, 4}, {64, 16}, {128, 16}}; /* u, E: what fits 32 KiB */
    enum { BANKS = 32 };
    const uint64_t seeds = by_size(4, 40, 40);
    const double slack = seeds < 40 ? 1 : 0.25;
    static rig r;
    (void)state;
    rig_open(&r, "banks=32");
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        const uint32_t u = shapes[i][0], E = shapes[i][1];
        dmm_permute_desc d = {.item_bytes = 4,
            .index_bytes = 4,
            .method = DMM_PERMUTE_RANDOMIZED,
            .tuning = GPU(u, E)};
        double sum = 0;
        for (uint64_t seed = 1; seed <= seeds; seed++) {
            d.seed = seed * 0x9e3779b97f4a7c15u;
            dmm_permute *p = permute_build(&r, &d);
            sum += permute_check(&r, p, &d, &(permute_case){.n = u * E, .seed = seed}).detail;
            dmm_permute_free(p);
        }
        const double found = sum / (double)seeds,
                     expected = expected_rounds(BANKS, u * E / BANKS, 200);
        test_note("u %u, E %u: %.2f rounds, expected %.2f", u, E, found, expected);
        REQUIRE(found > expected - slack && found < expected + slack);
    }
    rig_close(&r);
}

/* No seed: one of the system's, another for each object. */
static void seeds_are_fresh_unless_given(void **state)
{
    dmm_permute_desc d = {
        .item_bytes = 4, .index_bytes = 4, .method = DMM_PERMUTE_RANDOMIZED, .tuning = GPU(32, 4)};
    static rig r;
    (void)state;
    test_note("seeds");
    rig_open(&r, "banks=32");
    dmm_permute *first = permute_build(&r, &d), *second = permute_build(&r, &d);
    d.seed = 5;
    dmm_permute *given = permute_build(&r, &d);
    REQUIRE(first->desc.seed != 0 && second->desc.seed != 0);
    REQUIRE(first->desc.seed != second->desc.seed);
    REQUIRE(given->desc.seed == 5);
    dmm_permute_free(first);
    dmm_permute_free(second);
    dmm_permute_free(given);
    rig_close(&r);
}

/* The same seed, the same run. */
static void a_seed_fixes_the_rounds(void **state)
{
    const dmm_permute_desc d = {.item_bytes = 4,
        .index_bytes = 4,
        .method = DMM_PERMUTE_RANDOMIZED,
        .seed = 5,
        .tuning = GPU(32, 16)};
    const permute_case c = {.n = 2000, .seed = 3};
    static rig r;
    (void)state;
    rig_open(&r, "banks=32");
    dmm_permute *p = permute_build(&r, &d);
    const uint32_t rounds = permute_check(&r, p, &d, &c).detail;
    REQUIRE(rounds > 1);
    REQUIRE(permute_check(&r, p, &d, &c).detail == rounds);
    dmm_permute_free(p);
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rounds_are_those_of_a_random_function),
        cmocka_unit_test(seeds_are_fresh_unless_given),
        cmocka_unit_test(a_seed_fixes_the_rounds),
    };
    return cmocka_run_group_tests_name("permute_rounds", tests, NULL, NULL);
}
