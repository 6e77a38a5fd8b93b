/* SPDX-License-Identifier: MIT */
/* ctest: oclgrind rows full */
/*
 * dmm_network on networks that sort and on random ones, over types, values, forms and tiles,
 * against a host that runs the comparators one by one; what sorting networks sort is also judged by
 * its order.
 */
#include "support/require.h"

#include <dmm/network.h>

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "support/cover.h"
#include "support/forms.h"
#include "support/judge.h"
#include "support/network_case.h"
#include "support/zone.h"

/* ---- Networks -------------------------------------------------------------------------------- */

typedef struct list {
    uint32_t wires;
    int sorts;
    dmm_comparator *pairs;
    uint64_t *ends;
    uint64_t steps, num_pairs;
} list;

static void add_pair(list *l, uint32_t low, uint32_t high)
{
    if ((l->num_pairs & (l->num_pairs - 1)) == 0)
        l->pairs = realloc(l->pairs, (2 * l->num_pairs + 1) * sizeof *l->pairs);
    l->pairs[l->num_pairs++] = (dmm_comparator){low, high};
}

static void end_step(list *l)
{
    l->ends = realloc(l->ends, (l->steps + 1) * sizeof *l->ends);
    l->ends[l->steps++] = l->num_pairs;
}

static list list_of(dmm_model_network_desc desc, int sorts)
{
    dmm_model_network *const network = network_make(desc);
    dmm_model_network_step step;
    list l = {.wires = dmm_model_network_wires(network), .sorts = sorts};
    while (dmm_model_network_next(&step, network)) {
        for (uint64_t i = 0; i < step.count; i++)
            add_pair(&l, step.pairs[i].low, step.pairs[i].high);
        end_step(&l);
    }
    dmm_model_network_free(network);
    return l;
}

/* Steps of a random number of random comparators between wires that are at most `reach` apart. */
static list list_random(uint32_t wires, uint64_t steps, uint32_t reach, uint64_t seed)
{
    random_source random = {seed};
    list l = {.wires = wires};
    unsigned char *const used = malloc(wires);
    for (uint64_t s = 0; s < steps; s++) {
        memset(used, 0, wires);
        for (uint64_t i = random_below(&random, wires); i != 0; i--) {
            const uint32_t low = (uint32_t)random_below(&random, wires);
            const uint32_t high = (uint32_t)((low + random_below(&random, reach)) % wires);
            if (low == high || used[low] || used[high])
                continue;
            used[low] = used[high] = 1;
            add_pair(&l, low, high);
        }
        end_step(&l);
    }
    free(used);
    return l;
}

static void free_list(list *l)
{
    free(l->pairs);
    free(l->ends);
}

static dmm_network_desc desc_of(
    const list *l, const kind *k, uint32_t value_bytes, dmm_tuning tuning)
{
    return (dmm_network_desc){.order = k->order,
        .value_bytes = value_bytes,
        .wires = l->wires,
        .pairs = l->pairs,
        .ends = l->ends,
        .steps = l->steps,
        .tuning = tuning};
}

/* ---- Judging --------------------------------------------------------------------------------- */

static void swap_bytes(unsigned char *a, unsigned char *b, uint64_t bytes)
{
    for (uint64_t i = 0; i < bytes; i++) {
        const unsigned char byte = a[i];
        a[i] = b[i];
        b[i] = byte;
    }
}

static void run_on_host(const list *l, const kind *k, uint32_t value_bytes, unsigned char *keys,
    unsigned char *values, uint64_t n)
{
    for (uint64_t row = 0; row < n; row += l->wires)
        for (uint64_t i = 0; i < l->num_pairs; i++) {
            const uint64_t low = row + l->pairs[i].low, high = row + l->pairs[i].high;
            if (kind_compare(k, keys + high * k->bytes, keys + low * k->bytes) >= 0)
                continue;
            swap_bytes(keys + low * k->bytes, keys + high * k->bytes, k->bytes);
            swap_bytes(values + low * value_bytes, values + high * value_bytes, value_bytes);
        }
}

enum { KEYS_IN, VALUES_IN, KEYS_OUT, VALUES_OUT, NUM_ZONES };

/* Keys and values. */
typedef struct items {
    unsigned char *keys, *values;
} items;

static items items_make(const kind *k, uint32_t value_bytes, uint64_t n, shape s, uint64_t seed)
{
    random_source random = {seed};
    const items it = {malloc(n * k->bytes + 1), malloc(n * value_bytes + 1)};
    REQUIRE(it.keys != NULL && it.values != NULL);
    kind_fill(k, s, it.keys, n, &random);
    random_bytes(&random, it.values, n * value_bytes);
    return it;
}

static void items_free(items *it)
{
    free(it->keys);
    free(it->values);
}

static void judge_rows(const list *l, const kind *k, uint32_t value_bytes, const items *in,
    const items *got, uint64_t n)
{
    for (uint64_t row = 0; row < n && l->sorts; row += l->wires) {
        const rows from = {
            in->keys + row * k->bytes, in->values + row * value_bytes, l->wires, value_bytes};
        const rows to = {
            got->keys + row * k->bytes, got->values + row * value_bytes, l->wires, value_bytes};
        REQUIRE_VERDICT(judge_by_property(k, &from, &to));
    }
}

static void run(const rig *r, const list *l, const kind *k, uint32_t value_bytes, dmm_tuning tuning,
    uint64_t num_rows, int in_place, uint64_t seed)
{
    const uint64_t n = num_rows * l->wires, keys = n * k->bytes, values = n * value_bytes;
    const dmm_network_desc desc = desc_of(l, k, value_bytes, tuning);
    dmm_network *network = NULL;
    uint64_t temp = 1;
    items in = items_make(k, value_bytes, n, (shape)(seed % SHAPE_COUNT), seed);
    items got = items_make(k, value_bytes, n, SHAPE_EQUAL, 1);
    items expected = items_make(k, value_bytes, n, SHAPE_EQUAL, 2);
    zone z[NUM_ZONES] = {zone_create(r, in.keys, keys, 3 * k->bytes),
        zone_create(r, in.values, values, 5 * value_bytes), zone_create(r, NULL, keys, k->bytes),
        zone_create(r, NULL, values, 2 * value_bytes)};
    const int to = in_place ? KEYS_IN : KEYS_OUT;
    const dmm_network_args args = {.keys_in = zone_span(&z[KEYS_IN]),
        .values_in = value_bytes ? zone_span(&z[VALUES_IN]) : DMM_NONE,
        .keys_out = zone_span(&z[to]),
        .values_out = value_bytes ? zone_span(&z[to + 1]) : DMM_NONE};
    const dmm_status status = dmm_network_create(&network, r->ctx, &desc);
    if (status != DMM_OK)
        print_error("%s", r->log);
    REQUIRE_OK(status);
    REQUIRE_OK(dmm_network_temp_bytes(&temp, network, n));
    REQUIRE(temp == 0);
    REQUIRE_OK(dmm_network_enqueue(network, r->queue, &args, n, 0, NULL, NULL));
    REQUIRE_OK(clFinish(r->queue));
    zone_read(r, &z[to], got.keys);
    zone_read(r, &z[to + 1], got.values);
    memcpy(expected.keys, in.keys, keys);
    memcpy(expected.values, in.values, values);
    run_on_host(l, k, value_bytes, expected.keys, expected.values, n);
    REQUIRE(memcmp(got.keys, expected.keys, keys) == 0);
    REQUIRE(memcmp(got.values, expected.values, values) == 0);
    judge_rows(l, k, value_bytes, &in, &got, n);
    if (!in_place)
        REQUIRE(zone_holds(r, &z[KEYS_IN], in.keys) && zone_holds(r, &z[VALUES_IN], in.values));
    for (int i = 0; i < NUM_ZONES; i++) {
        REQUIRE(zone_intact(r, &z[i]));
        zone_free(&z[i]);
    }
    items_free(&in);
    items_free(&got);
    items_free(&expected);
    dmm_network_free(network);
}

/* ---- Tests ----------------------------------------------------------------------------------- */

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
        list l;
        uint64_t rows;
    } networks[] = {
        {list_of((dmm_model_network_desc){.kind = DMM_MODEL_BEST, .wires = 13}, 1), 19},
        {list_random(40, 9, 7, seed), 4},
        {list_of((dmm_model_network_desc){.kind = DMM_MODEL_BITONIC, .wires = 256}, 1), 1},
        {list_of((dmm_model_network_desc){.kind = DMM_MODEL_ODD_EVEN, .wires = 300}, 1), 2},
        {list_of(
             (dmm_model_network_desc){
                 .kind = DMM_MODEL_SEPARATOR, .wires = 42, .fringe = 2, .matchings = 2},
             0),
            5},
        {list_random(1000, 12, 1000, seed + 1), 1},
        {list_random(700, 30, 5, seed + 2), 3},
        {list_random(2, 3, 2, seed + 3), 0},
        {list_random(1, 2, 1, seed + 4), 77},
        {list_of((dmm_model_network_desc){.kind = DMM_MODEL_PAIRWISE, .wires = 64}, 1), 9},
        {list_of((dmm_model_network_desc){.kind = DMM_MODEL_MERGE_EXCHANGE, .wires = 129}, 1), 1},
    };
    enum { NUM = sizeof networks / sizeof networks[0] };
    for (size_t i = 0; i < NUM; i++) {
        list l = networks[i].l;
        test_note("network %zu, seed %llu", i, (unsigned long long)seed);
        if (i < by_rows(3, NUM))
            run(r, &l, &k, one->value_bytes, one->tuning, networks[i].rows, i % 2, seed + i);
        free_list(&l);
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
    list l =
        list_of((dmm_model_network_desc){.kind = DMM_MODEL_AKS, .wires = 256, .perfect = true}, 1);
    (void)state;
    rig_open(&r, "banks=32");
    for (int i = 0; i < 2; i++)
        run(&r, &l, &k, 0, tunings[i], by_size(1, 3, 20), 1, 7);
    rig_close(&r);
    free_list(&l);
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
