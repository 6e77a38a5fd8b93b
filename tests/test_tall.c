/* SPDX-License-Identifier: MIT */
/*
 * The model of permuting a tall matrix: no step sends two labels to one row, and the rounds are as
 * few as the theorem says, on random permutations and on those that send rows to rows.
 */
#include "support/require.h"

#include <stdlib.h>

#include <dmm-model/tall.h>
#include <dmm/shuffle.h>

/* random; transposed: row i goes to column i; turned: each row goes to the next one */
enum { RANDOM, TRANSPOSED, TURNED, ORDERS };

static uint32_t *goals_of(uint32_t w, uint32_t m, int order)
{
    const uint32_t n = w * m;
    uint32_t *goals = malloc(n * sizeof *goals);
    REQUIRE(goals != NULL);
    for (uint32_t x = 0; x < n; x++)
        goals[x] = order == RANDOM       ? (uint32_t)dmm_shuffle_index(1, n, x)
                   : order == TRANSPOSED ? x % m * w + x / m
                                         : (x + m) % n;
    return goals;
}

static void few_rounds_without_conflicts(void **state)
{
    (void)state;
    for (uint32_t m = 8; m <= 64; m *= 2)
        for (uint32_t w = m; w <= 2048; w *= 4)
            for (int order = 0; order < ORDERS; order++)
                for (uint64_t seed = 0; seed < 3; seed++) {
                    dmm_model_tall_cost cost, again;
                    uint32_t *goals = goals_of(w, m, order);
                    test_note("w = %u, m = %u, order %d, seed %u", w, m, order, (unsigned)seed);
                    REQUIRE_OK(dmm_model_tall_permute(&cost, goals, w, m, seed));
                    REQUIRE_OK(dmm_model_tall_permute(&again, goals, w, m, seed));
                    REQUIRE(cost.worst == 1);
                    REQUIRE(cost.rounds >= 1 && cost.rounds <= 4);
                    REQUIRE(cost.left <= (uint64_t)w * m / 8);
                    REQUIRE(cost.steps <= (uint64_t)m * 4 * (3 * 4 + 64));
                    REQUIRE(again.rounds == cost.rounds && again.left == cost.left);
                    free(goals);
                }
}

static void wrong_arguments_are_refused(void **state)
{
    dmm_model_tall_cost cost = {9, 9, 9, 9};
    uint32_t goals[] = {0, 1, 2, 3, 4, 5, 6, 6};
    (void)state;
    test_note("wrong arguments");
    REQUIRE_STATUS(DMM_MODEL_NULL_ARGUMENT, dmm_model_tall_permute(NULL, goals, 4, 2, 0));
    REQUIRE_STATUS(DMM_MODEL_NULL_ARGUMENT, dmm_model_tall_permute(&cost, NULL, 4, 2, 0));
    REQUIRE_STATUS(DMM_MODEL_BAD_VALUE, dmm_model_tall_permute(&cost, goals, 2, 4, 0));
    REQUIRE_STATUS(DMM_MODEL_BAD_VALUE, dmm_model_tall_permute(&cost, goals, 4, 3, 0));
    REQUIRE_STATUS(DMM_MODEL_BAD_VALUE, dmm_model_tall_permute(&cost, goals, 8, 1, 0));
    REQUIRE_STATUS(DMM_MODEL_BAD_DATA, dmm_model_tall_permute(&cost, goals, 4, 2, 0));
    goals[7] = 8;
    REQUIRE_STATUS(DMM_MODEL_BAD_DATA, dmm_model_tall_permute(&cost, goals, 4, 2, 0));
    REQUIRE(cost.rounds == 9);
    goals[7] = 7;
    REQUIRE_OK(dmm_model_tall_permute(&cost, goals, 4, 2, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_rounds_without_conflicts),
        cmocka_unit_test(wrong_arguments_are_refused),
    };
    return cmocka_run_group_tests_name("tall", tests, NULL, NULL);
}
