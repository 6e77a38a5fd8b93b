/* SPDX-License-Identifier: MIT */
/*
 * The expected passes of a merge of random keys against all orders of the merged items: each is
 * merged, and its passes are counted by the lock-steps of libdmm-model.
 */
#include "support/require.h"

#include <dmm-model/step.h>

#include "table/expected.h"

/* Returns the passes of the reads of one order: bit i of `order` says that item i is B's. */
static uint64_t passes_of(uint64_t order, uint32_t w, uint32_t E)
{
    const dmm_model_local memory = {.banks = w, .lanes = w};
    dmm_model_access accesses[EXPECTED_BANKS];
    uint32_t words[64], a = 0, b = 0;
    uint64_t passes = 0;
    for (uint32_t i = 0; i < w * E; i++)
        words[i] = order >> i & 1 ? w * E / 2 + b++ : a++;
    for (uint32_t j = 0; j < E; j++) {
        dmm_model_reading reading;
        for (uint32_t lane = 0; lane < w; lane++)
            accesses[lane] = (dmm_model_access){4 * words[lane * E + j], 4, lane};
        REQUIRE_OK(dmm_model_local_step(&reading, &memory, DMM_MODEL_READ, accesses, w));
        passes += reading.passes;
    }
    return passes;
}

static void all_orders_have_the_expected_passes(void **state)
{
    static const uint32_t warps[][2] = {
        {2, 1}, {2, 4}, {2, 7}, {4, 1}, {4, 2}, {4, 3}, {4, 4}, {4, 5}, {8, 1}, {8, 2}};
    (void)state;
    for (size_t i = 0; i < sizeof warps / sizeof warps[0]; i++) {
        const uint32_t w = warps[i][0], E = warps[i][1], n = w * E;
        uint64_t sum = 0, orders = 0;
        double passes, all, count;
        test_note("w = %u, E = %u", w, E);
        for (uint64_t order = 0; order >> n == 0; order++) {
            if (__builtin_popcountll(order) != (int)(n / 2))
                continue;
            sum += passes_of(order, w, E);
            orders++;
        }
        REQUIRE(expected_passes(&passes, &all, &count, w, E));
        /* each step counts the orders once */
        REQUIRE(count == (double)orders && all == (double)sum);
        REQUIRE(passes == (double)sum / (double)orders);
    }
}

static void shapes_out_of_range_are_refused(void **state)
{
    double passes;
    (void)state;
    REQUIRE(!expected_passes(&passes, NULL, NULL, 1, 2));
    REQUIRE(!expected_passes(&passes, NULL, NULL, 9, 2));
    REQUIRE(!expected_passes(&passes, NULL, NULL, 3, 3));
    REQUIRE(!expected_passes(&passes, NULL, NULL, 8, 0));
    REQUIRE(!expected_passes(&passes, NULL, NULL, 8, 17));
    REQUIRE(expected_passes(&passes, NULL, NULL, 6, 3));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_orders_have_the_expected_passes),
        cmocka_unit_test(shapes_out_of_range_are_refused),
    };
    return cmocka_run_group_tests_name("table_expected", tests, NULL, NULL);
}
