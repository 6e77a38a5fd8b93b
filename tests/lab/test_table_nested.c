/* SPDX-License-Identifier: MIT */
/*
 * Two translations, and theorem 2.32, on random traces: what a nested machine inserts lies between
 * one translation and the product of both; the best cache never has more faults than one cut into
 * layers (Jurkiewicz 2013, sections 2.5 and 2.6.1).
 */
#include "support/require.h"

#include <stdlib.h>

#include "support/random.h"
#include "table/nested.h"

enum { ACCESSES = 4000, MACHINES = 6 };

static const dmm_model_translation machines[MACHINES] = {
    {.page_bytes = 4096, .fanout = 512, .depth = 4, .nodes = 64},
    {.page_bytes = 4096, .fanout = 8, .depth = 12, .nodes = 13},
    {.page_bytes = 64, .fanout = 2, .depth = 42, .nodes = 85},
    {.page_bytes = 64, .fanout = 4, .depth = 21, .nodes = 43},
    {.page_bytes = 4096, .fanout = 4096, .depth = 3, .nodes = 4},
    {.page_bytes = 1 << 16, .fanout = 16, .depth = 8, .nodes = 100},
};

/* Traces: random within a range that grows, with runs of neighbours. */
static void fill(uint64_t *addresses, uint64_t bits, random_source *random)
{
    uint64_t at = 0;
    for (uint64_t i = 0; i < ACCESSES; i++) {
        at = random_below(random, 4) == 0 ? random_below(random, UINT64_C(1) << bits) : at + 8;
        addresses[i] = at % (UINT64_C(1) << 32);
    }
}

static void two_translations_cost_between_one_and_all(void **state)
{
    uint64_t *const addresses = malloc(ACCESSES * sizeof *addresses);
    random_source random = {1};
    (void)state;
    for (int i = 0; i < MACHINES; i++)
        for (uint64_t bits = 12; bits <= 32; bits += 5) {
            const uint64_t d = machines[i].depth;
            nested_machine nested;
            test_note("machine %d, 2^%d bytes", i, (int)bits);
            fill(addresses, bits, &random);
            REQUIRE_OK(nested_create(&nested, &machines[i]));
            nested_add(&nested, addresses, ACCESSES);
            REQUIRE_OK(nested.status);
            const nested_counts c = nested.counts;
            nested_free(&nested);
            dmm_model_translation single = machines[i];
            single.eviction = DMM_MODEL_ISLRU;
            dmm_model_translation_counts alone;
            REQUIRE_OK(dmm_model_translate(&alone, NULL, &single, addresses, ACCESSES));
            REQUIRE(c.translations == ACCESSES && c.guest == alone.insertions);
            /* at most a path for each access of the host: data, and nodes of the guest */
            REQUIRE(c.host <= (d + 1) * (ACCESSES + c.guest));
            /* every page of data that the guest walks to, the host walks to, too */
            REQUIRE(c.host >= alone.leaves / (machines[i].nodes + 1));
        }
    free(addresses);
}

static void one_page_is_walked_to_once(void **state)
{
    const uint64_t same[3] = {4096, 4100, 4104};
    nested_machine nested;
    (void)state;
    REQUIRE_OK(nested_create(&nested, &machines[0]));
    nested_add(&nested, same, 3);
    /* guest: 5 nodes; host: paths to 4 layers of tables and the root's own page, and to the data */
    REQUIRE(nested.counts.guest == 5);
    REQUIRE(nested.counts.host <= 5 * 6 && nested.counts.host >= 5 + 5);
    const uint64_t before = nested.counts.host;
    nested_add(&nested, same, 3);
    REQUIRE(nested.counts.guest == 5 && nested.counts.host == before);
    nested_free(&nested);
}

static void the_best_cache_has_no_more_faults_than_layers(void **state)
{
    uint64_t *const addresses = malloc(ACCESSES * sizeof *addresses);
    random_source random = {2};
    (void)state;
    for (int i = 0; i < MACHINES; i++)
        for (uint64_t bits = 8; bits <= 32; bits += 3) {
            dmm_model_translation best = machines[i];
            dmm_model_translation_counts counts;
            best.eviction = DMM_MODEL_MIN;
            test_note("machine %d, 2^%d bytes", i, (int)bits);
            fill(addresses, bits, &random);
            REQUIRE_OK(dmm_model_translate(&counts, NULL, &best, addresses, ACCESSES));
            REQUIRE(counts.insertions <= layered_faults(&machines[i], addresses, ACCESSES));
        }
    free(addresses);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_translations_cost_between_one_and_all),
        cmocka_unit_test(one_page_is_walked_to_once),
        cmocka_unit_test(the_best_cache_has_no_more_faults_than_layers),
    };
    return cmocka_run_group_tests_name("table_nested", tests, NULL, NULL);
}
