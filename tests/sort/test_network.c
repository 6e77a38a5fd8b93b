/* SPDX-License-Identifier: MIT */
/* ctest: oclgrind rows full */
/*
 * dmm_network on networks that sort and on random ones, over types, values, forms and tiles,
 * against a host that runs the comparators one by one; what sorting networks sort is also judged by
 * its order.
 */
#include "support/require.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "support/cover.h"
#include "support/forms.h"
#include "support/network_list.h"

/* One program. */
typedef struct row {
    const char *kind;
    int descending, zero_equal;
    uint32_t value_bytes;
    const char *set;
    dmm_tuning tuning;
} row;

static const row table[] = {
    {.kind = "u32", .set = "banks=32", .tuning = GPU(32, 4)},
    {.kind = "i64", .descending = 1, .value_bytes = 12, .set = "banks=32", .tuning = CPU(64)},
    {.kind = "f32", .zero_equal = 1, .value_bytes = 8, .set = "banks=16", .tuning = GPU(32, 2)},
    {.kind = "item12", .value_bytes = 3, .set = "banks=8", .tuning = GPU(16, 8)},
    {.kind = "u8", .descending = 1, .value_bytes = 1, .set = "", .tuning = CPU(128)},
    {.kind = "u64", .value_bytes = 16, .set = "banks=32", .tuning = GPU(32, 4)},
    {.kind = "u32 by less", .value_bytes = 4, .set = "banks=32", .tuning = GPU(64, 1)},
    {.kind = "item256", .set = "banks=16", .tuning = GPU(16, 1)},
    {.kind = "f64",
        .descending = 1,
        .value_bytes = 5,
        .set = "banks=32,bank_bytes=8",
        .tuning = GPU(32, 2)},
};

static void check_row(const rig *r, const row *one, uint64_t seed)
{
    kind k = kind_named(one->kind);
    k.order.descending = one->descending;
    k.order.zero_equal = one->zero_equal;
    const struct {
        network_list l;
        uint64_t rows;
    } networks[] = {
        {network_list_of((dmm_model_network_desc){.kind = DMM_MODEL_BEST, .wires = 13}, 1), 19},
        {network_list_random(40, 9, 7, seed), 4},
        {network_list_of((dmm_model_network_desc){.kind = DMM_MODEL_BITONIC, .wires = 256}, 1), 1},
        {network_list_of((dmm_model_network_desc){.kind = DMM_MODEL_ODD_EVEN, .wires = 300}, 1), 2},
        {network_list_of(
             (dmm_model_network_desc){
                 .kind = DMM_MODEL_SEPARATOR, .wires = 42, .fringe = 2, .matchings = 2},
             0),
            5},
        {network_list_random(1000, 12, 1000, seed + 1), 1},
        {network_list_random(700, 30, 5, seed + 2), 3},
        {network_list_random(2, 3, 2, seed + 3), 0},
        {network_list_random(1, 2, 1, seed + 4), 77},
        {network_list_of((dmm_model_network_desc){.kind = DMM_MODEL_PAIRWISE, .wires = 64}, 1), 9},
        {network_list_of(
             (dmm_model_network_desc){.kind = DMM_MODEL_MERGE_EXCHANGE, .wires = 129}, 1),
            1},
    };
    enum { NUM = sizeof networks / sizeof networks[0] };
    for (size_t i = 0; i < NUM; i++) {
        network_list l = networks[i].l;
        test_note("network %zu, seed %llu", i, (unsigned long long)seed);
        if (i < by_rows(3, NUM))
            network_run(
                r, &l, &k, one->value_bytes, one->tuning, networks[i].rows, i % 2, seed + i);
        network_list_free(&l);
    }
}

static void every_row_of_the_table_runs_networks(void **state)
{
    static rig r;
    cover seen = {0};
    (void)state;
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        const row *const one = &table[i];
        const kind k = kind_named(one->kind);
        if (!COVER_TAKES(&seen, 1, one->tuning.form, cover_order(&k), cover_bytes(k.bytes),
                cover_bytes(one->value_bytes), cover_text(one->set)))
            continue;
        rig_open(&r, one->set);
        check_row(&r, one, 20 * i);
        rig_close(&r);
    }
}

static void aks_sorts_on_the_device(void **state)
{
    static rig r;
    const kind k = kind_named("u32");
    const dmm_tuning tunings[] = {GPU(32, 4), CPU(64)};
    network_list l = network_list_of(
        (dmm_model_network_desc){.kind = DMM_MODEL_AKS, .wires = 256, .perfect = true}, 1);
    (void)state;
    rig_open(&r, "banks=32");
    for (int i = 0; i < 2; i++)
        network_run(&r, &l, &k, 0, tunings[i], by_size(1, 3, 20), 1, 7);
    rig_close(&r);
    network_list_free(&l);
}

static void networks_that_are_none_are_refused(void **state)
{
    static rig r;
    static const struct {
        dmm_comparator bad;
        const char *why;
    } cases[] = {{{0, 4}, "beyond the last wire"}, {{4, 1}, "beyond, as low"}, {{2, 2}, "twice"},
        {{1, 3}, "a wire of its step"}};
    const dmm_comparator good[] = {{0, 1}, {2, 3}, {0, 2}, {1, 3}};
    uint64_t ends[] = {2, 4}, position = 99;
    dmm_network *network = NULL;
    (void)state;
    rig_open(&r, "banks=32");
    for (size_t i = 0; i < 4; i++) {
        dmm_comparator pairs[] = {good[0], good[1], good[2], good[3]};
        dmm_network_desc desc = {
            .wires = 4, .pairs = pairs, .ends = ends, .steps = 2, .tuning = CPU(64)};
        test_note("%s", cases[i].why);
        REQUIRE_OK(dmm_network_check(&desc, NULL));
        pairs[1] = cases[i].bad;
        REQUIRE(dmm_network_check(&desc, &position) == DMM_BAD_DATA && position == 1);
        REQUIRE_REFUSED(DMM_BAD_DATA, &network, dmm_network_create((void *)&network, r.ctx, &desc));
        REQUIRE(strstr(r.log, "comparator 1") != NULL);
        pairs[1] = good[1];
        pairs[3] = cases[i].bad;
        REQUIRE(dmm_network_check(&desc, &position) == (i == 3 ? DMM_OK : DMM_BAD_DATA));
        REQUIRE(i == 3 || position == 3);
    }
    rig_close(&r);
}

static void bad_arguments_are_refused(void **state)
{
    static rig r;
    const dmm_comparator pairs[] = {{0, 1}};
    const uint64_t ends[] = {1}, falling[] = {1, 0}, many[] = {(UINT64_C(1) << 30) + 1};
    dmm_network *network = NULL;
    uint64_t temp = 0;
    uint32_t keys[] = {3, 2, 1, 0};
    const dmm_network_desc good = {
        .wires = 2, .pairs = pairs, .ends = ends, .steps = 1, .max_n = 4, .tuning = CPU(64)};
    dmm_network_desc desc = good;
    (void)state;
    rig_open(&r, "banks=32");
    REQUIRE(dmm_network_check(NULL, NULL) == DMM_NULL_ARGUMENT);
    desc.pairs = NULL;
    REQUIRE(dmm_network_check(&desc, NULL) == DMM_NULL_ARGUMENT);
    desc = good;
    desc.ends = NULL;
    REQUIRE(dmm_network_check(&desc, NULL) == DMM_NULL_ARGUMENT);
    desc.ends = falling;
    desc.steps = 2;
    REQUIRE(dmm_network_check(&desc, NULL) == DMM_BAD_VALUE);
    desc.ends = many;
    desc.steps = 1;
    REQUIRE(dmm_network_check(&desc, NULL) == DMM_TOO_LARGE);
    desc = good;
    desc.wires = 0;
    REQUIRE(dmm_network_check(&desc, NULL) == DMM_BAD_DATA);
    desc.wires = (UINT32_C(1) << 28) + 1;
    REQUIRE_REFUSED(DMM_BAD_VALUE, &network, dmm_network_create((void *)&network, r.ctx, &desc));
    desc = good;
    desc.tuning = (dmm_tuning)GPU(32, 3);
    REQUIRE_REFUSED(
        DMM_BAD_PARAMETERS, &network, dmm_network_create((void *)&network, r.ctx, &desc));
    REQUIRE_OK(dmm_network_create(&network, r.ctx, &good));
    REQUIRE(dmm_network_temp_bytes(&temp, network, 3) == DMM_BAD_VALUE);
    REQUIRE(dmm_network_temp_bytes(&temp, network, 6) == DMM_TOO_LARGE);
    REQUIRE(dmm_network_launches(network) == 1 && dmm_network_launches(NULL) == 0);
    dmm_network_free(network);
    dmm_network_free(NULL);
    REQUIRE(dmm_network_host(r.ctx, &good, keys, NULL, 3) == DMM_BAD_VALUE);
    REQUIRE_OK(dmm_network_host(r.ctx, &good, keys, NULL, 4));
    REQUIRE(keys[0] == 2 && keys[1] == 3 && keys[2] == 0 && keys[3] == 1);
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_of_the_table_runs_networks),
        cmocka_unit_test(aks_sorts_on_the_device),
        cmocka_unit_test(networks_that_are_none_are_refused),
        cmocka_unit_test(bad_arguments_are_refused),
    };
    return cmocka_run_group_tests_name("network", tests, NULL, NULL);
}
