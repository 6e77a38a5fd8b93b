/* SPDX-License-Identifier: MIT */
/* ctest: oclgrind rows full */
/*
 * dmm_scan over sizes, shapes, types, operations and parameters: rows of a table in which each type
 * stands with each operation (support/cover.h), and with DMM_TEST_SIZES=full whole products.
 */
#include "support/require.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "primitives/scan.h"
#include "support/cover.h"
#include "support/forms.h"
#include "support/scan_case.h"

/* One program: what is scanned, and how. */
typedef struct row {
    dmm_type type;
    dmm_scan_op op;
    int exclusive;
    const char *set; /* facts of the device */
    dmm_tuning tuning;
} row;

/* After the first two, each row has the most levels that those above lack (support/cover.h). */
static const row table[] = {
    {DMM_U32, DMM_SCAN_SUM, 0, "banks=32", GPU(32, 4)},
    {DMM_U16, DMM_SCAN_SUM, 1, "", CPU_BY(8, 64)},
    {DMM_I64, DMM_SCAN_MIN, 1, "banks=8", GPU(8, 15)},
    {DMM_I8, DMM_SCAN_MAX, 0, "banks=16", GPU(16, 15)},
    {DMM_I16, DMM_SCAN_SUM, 0, "banks=64", GPU(128, 2)},
    {DMM_F32, DMM_SCAN_MIN, 0, "", CPU_BY(16, 64)},
    {DMM_F64, DMM_SCAN_MAX, 0, "banks=8,bank_bytes=8", GPU(16, 16)},
    {DMM_U8, DMM_SCAN_MAX, 1, "", CPU_BY(8, 64)},
    {DMM_I32, DMM_SCAN_SUM, 1, "", CPU_BY(8, 256)},
    {DMM_U64, DMM_SCAN_MIN, 0, "banks=32", GPU(128, 4)},
    {DMM_U16, DMM_SCAN_MAX, 0, "banks=32", GPU(64, 8)},
    {DMM_U16, DMM_SCAN_MIN, 1, "", CPU_BY(4, 64)},
    {DMM_I16, DMM_SCAN_MIN, 0, "", CPU_BY(16, 64)},
    {DMM_I32, DMM_SCAN_MIN, 1, "banks=16,bank_bytes=8", GPU(64, 8)},
    {DMM_I64, DMM_SCAN_MAX, 0, "", CPU_BY(8, 64)},
    {DMM_F32, DMM_SCAN_SUM, 0, "banks=32", GPU(64, 4)},
    {DMM_F32, DMM_SCAN_SUM, 1, "", CPU_BY(8, 64)},
    {DMM_F32, DMM_SCAN_MIN, 1, "banks=64", GPU(64, 8)},
    {DMM_U8, DMM_SCAN_SUM, 0, "banks=32", GPU(32, 4)},
    {DMM_U8, DMM_SCAN_MIN, 0, "banks=8", GPU(16, 7)},
    {DMM_I8, DMM_SCAN_SUM, 1, "", CPU_BY(1, 64)},
    {DMM_I8, DMM_SCAN_MIN, 1, "banks=64", GPU(64, 1)},
    {DMM_U16, DMM_SCAN_SUM, 1, "banks=8", GPU(8, 16)},
    {DMM_I16, DMM_SCAN_MAX, 1, "banks=16", GPU(16, 32)},
    {DMM_U32, DMM_SCAN_SUM, 0, "banks=32", GPU(256, 16)},
    {DMM_U32, DMM_SCAN_MAX, 1, "banks=8", GPU(32, 17)},
    {DMM_U32, DMM_SCAN_MIN, 0, "", CPU_BY(32, 128)},
    {DMM_I32, DMM_SCAN_MAX, 0, "banks=32", GPU(32, 15)},
    {DMM_U64, DMM_SCAN_SUM, 0, "banks=64", GPU(64, 16)},
    {DMM_U64, DMM_SCAN_MAX, 1, "", CPU_BY(2, 64)},
    {DMM_I64, DMM_SCAN_SUM, 1, "banks=16", GPU(16, 8)},
    {DMM_F32, DMM_SCAN_MAX, 1, "banks=16", GPU(32, 7)},
    {DMM_F64, DMM_SCAN_SUM, 1, "banks=32", GPU(32, 8)},
    {DMM_F64, DMM_SCAN_SUM, 0, "", CPU_BY(4, 64)},
    {DMM_F64, DMM_SCAN_MIN, 1, "", CPU_BY(8, 64)},
};

enum { NUM_ROWS = sizeof table / sizeof table[0] };

/* Sizes around every boundary: the banks, E, a step, a tile, the most groups. Each with another
 * shape, place and offset. */
static void check_sizes(const rig *r, dmm_scan *scan, const scan_setup *setup, uint64_t seed)
{
    const uint64_t w = dmm_context_device(r->ctx)->banks.value, E = scan->p.E, T = scan->p.tile;
    const uint64_t all = scan->p.most_groups * T;
    const uint64_t sizes[] = {0, 1, T + 1, E, 2 * T, w - 1, T - 1, 2, 3, 3 * T + 1, w, w + 1, T,
        E + 1, E - 1, all, all + 1, all - 1, 3 * all, 2 * all + T - 1, 7 * T - 5};
    const size_t count =
        (size_t)by_size(6, sizeof sizes / sizeof *sizes, sizeof sizes / sizeof *sizes);
    for (size_t i = 0; i < count; i++) {
        const uint64_t k = seed + i;
        const scan_case c = {.n = sizes[i],
            .input = (shape)(k % SHAPE_COUNT),
            .seed = k,
            .in_place = k % 2 == 0,
            .offset_items = k % 3 * 5,
            .temp_given = k % 5 < 2};
        scan_check(r, scan, setup, &c);
    }
}

/* Every shape at one size that leaves the last step and the last group's range short. */
static void check_shapes(const rig *r, dmm_scan *scan, const scan_setup *setup, uint64_t seed)
{
    const uint64_t n = 2 * scan->p.tile + 3 + scan->p.E;
    for (int s = 0; s < SHAPE_COUNT; s++) {
        const scan_case c = {
            .n = n, .input = (shape)s, .seed = seed, .in_place = s % 2, .temp_given = s % 3 == 0};
        scan_check(r, scan, setup, &c);
    }
}

static void check_row(const row *one, uint64_t seed)
{
    static rig r;
    const scan_setup setup = {{one->type, one->op, one->exclusive}, one->tuning, 0};
    rig_open(&r, one->set);
    if (one->type != DMM_F64 || rig_has_fp64(&r)) {
        dmm_scan *scan = scan_build(&r, &setup);
        check_sizes(&r, scan, &setup, seed);
        if (sizes_wanted() != SIZES_SMALL)
            check_shapes(&r, scan, &setup, seed);
        dmm_scan_free(scan);
    }
    rig_close(&r);
}

/* How numbers are added, or compared. */
static uint64_t operation(const row *one)
{
    const kind k = kind_named(dmm_type_name(one->type));
    return 4 * (cover_order(&k)) + one->op;
}

static int runs(cover *seen, const row *one)
{
    const dmm_tuning *const t = &one->tuning;
    return COVER_TAKES(seen, 1, t->form, 2u * t->form + (one->exclusive != 0), one->type,
        64 * t->form + operation(one), cover_text(one->set), t->E % 2 == 1 && t->E > 1);
}

static void every_row_of_the_covering_table_scans(void **state)
{
    cover seen = {0};
    (void)state;
    for (size_t i = 0; i < NUM_ROWS; i++)
        if (runs(&seen, &table[i]))
            check_row(&table[i], 100 * i);
}

static void sizes_up_to_4096_scans(void **state)
{
    static rig r;
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        const row *const one = &table[i];
        const scan_setup setup = {{one->type, one->op, one->exclusive}, one->tuning, 0};
        const uint64_t dense = 3 * tile_of(&one->tuning) + 2;
        rig_open(&r, one->set);
        dmm_scan *scan = scan_build(&r, &setup);
        for (uint64_t n = 0; n <= by_size(100, 4096, 4096); n = size_after(n, dense)) {
            const scan_case c = {
                .n = n, .input = SHAPE_BITS, .seed = n, .in_place = n % 4 < 2, .temp_given = n % 2};
            scan_check(&r, scan, &setup, &c);
        }
        dmm_scan_free(scan);
        rig_close(&r);
    }
}

static void a_million_items_scan_with_default_parameters(void **state)
{
    static const scan_setup setups[] = {
        {{DMM_U32, DMM_SCAN_SUM, 0}, {.form = DMM_FORM_GPU}, 0},
        {{DMM_U32, DMM_SCAN_SUM, 0}, {.form = DMM_FORM_CPU}, 0},
        {{DMM_F32, DMM_SCAN_MAX, 0}, {.form = DMM_FORM_GPU}, 0},
        {{DMM_F32, DMM_SCAN_SUM, 1}, {.form = DMM_FORM_CPU}, 0},
        {{DMM_U8, DMM_SCAN_SUM, 1}, {.form = DMM_FORM_CPU}, 0},
        {{DMM_I64, DMM_SCAN_MIN, 0}, {.form = DMM_FORM_DEFAULT}, 0},
    };
    static rig r;
    const uint64_t n = by_size(300, 1000003, (uint64_t)1 << 24);
    (void)state;
    rig_open(&r, NULL);
    for (size_t i = 0; i < by_size(2, 6, 6); i++) {
        const scan_case c = {.n = n, .input = SHAPE_RANDOM, .seed = i};
        dmm_scan *scan = scan_build(&r, &setups[i]);
        scan_check(&r, scan, &setups[i], &c);
        dmm_scan_free(scan);
    }
    rig_close(&r);
}

/* The CPU form writes them past the caches, unless in place or at an address between two lines. */
static void outputs_beyond_the_caches_scan(void **state)
{
    static const scan_setup setups[] = {
        {{DMM_U32, DMM_SCAN_SUM, 1}, {.form = DMM_FORM_CPU}, 0},
        {{DMM_F32, DMM_SCAN_MAX, 0}, {.form = DMM_FORM_CPU}, 0},
        {{DMM_I64, DMM_SCAN_MIN, 1}, {.form = DMM_FORM_CPU}, 0},
    };
    static rig r;
    (void)state;
    rig_open(&r, NULL);
    for (size_t i = 0; i < 3; i++) {
        const uint64_t bytes = dmm_type_bytes(setups[i].k.type);
        dmm_scan *scan = scan_build(&r, &setups[i]);
        for (uint64_t k = 0; k < by_size(1, 3, 3); k++) {
            const scan_case c = {.n = by_size(300, ((1u << 24) + 40) / bytes, (1u << 26) / bytes),
                .input = SHAPE_RANDOM,
                .seed = k,
                .in_place = k == 2,
                .offset_items = 5 * (k % 2)};
            scan_check(&r, scan, &setups[i], &c);
        }
        dmm_scan_free(scan);
    }
    rig_close(&r);
}

/* Sums that a float holds exactly are exact, in whatever order they are added. */
static void float_sums_of_small_whole_numbers_are_exact(void **state)
{
    const uint64_t n = by_size(200, 300000, 300000);
    const dmm_tuning forms[] = {GPU(32, 8), CPU_BY(8, 64)};
    static rig r;
    (void)state;
    float *items = malloc((size_t)n * sizeof *items);
    REQUIRE(items != NULL);
    rig_open(&r, "banks=32");
    for (size_t f = 0; f < 2; f++) {
        dmm_scan_desc desc = {0};
        float sum = 0;
        desc.type = DMM_F32;
        desc.tuning = forms[f];
        for (uint64_t i = 0; i < n; i++)
            items[i] = (float)(i % 29) - 9;
        REQUIRE_OK(dmm_scan_host(r.ctx, &desc, items, (size_t)n));
        for (uint64_t i = 0; i < n; i++) {
            sum += (float)(i % 29) - 9;
            test_note("item %llu, form %d", (unsigned long long)i, (int)forms[f].form);
            REQUIRE(items[i] == sum);
        }
    }
    free(items);
    rig_close(&r);
}

/* The promise of the header: the same bits for the same call; and no sum is -0. */
static void float_sums_are_reproducible(void **state)
{
    enum { MOST = 5000 };
    const uint64_t n = by_size(300, MOST, MOST);
    const kind k = kind_named("f32");
    static float items[MOST], first[MOST], second[MOST];
    static rig r;
    random_source random = {3};
    dmm_scan_desc desc = {0};
    (void)state;
    rig_open(&r, NULL);
    desc.type = DMM_F32;
    test_note("the same scan twice");
    kind_fill(&k, SHAPE_RANDOM, items, n, &random);
    memcpy(first, items, sizeof items);
    memcpy(second, items, sizeof items);
    REQUIRE_OK(dmm_scan_host(r.ctx, &desc, first, n));
    REQUIRE_OK(dmm_scan_host(r.ctx, &desc, second, n));
    REQUIRE(memcmp(first, second, n * sizeof *first) == 0);
    for (size_t i = 0; i < n; i++)
        items[i] = -0.0f;
    REQUIRE_OK(dmm_scan_host(r.ctx, &desc, items, n));
    for (size_t i = 0; i < n; i++)
        REQUIRE(items[i] == 0 && !signbit(items[i]));
    rig_close(&r);
}

/* Every pair of two levels: of types, operations, and modes with forms; of banks, E and widths. */
static void every_pair_of_levels_scans(void **state)
{
    static const char *const banks[] = {"banks=8", "banks=16", "banks=32", "banks=64"};
    static const uint32_t all_E[] = {1, 2, 4, 7, 8, 12, 15, 16, 17, 24, 31, 32};
    const dmm_tuning forms[] = {GPU(64, 4), CPU_BY(4, 64)};
    uint64_t seed = 10000;
    (void)state;
    if (sizes_wanted() != SIZES_FULL)
        skip();
    for (int type = DMM_U32; type <= DMM_F64; type++)
        for (int mode = 0; mode < 4 && type != DMM_F16; mode++) {
            const dmm_scan_op op = (dmm_scan_op)(DMM_SCAN_SUM + (type + mode) % 3);
            const row one = {(dmm_type)type, op, mode / 2, banks[seed / 100 % 4], forms[mode % 2]};
            seed += 100;
            if (part_starts(seed / 100))
                check_row(&one, seed);
        }
    for (size_t w = 0; w < 4; w++)
        for (size_t e = 0; e < sizeof all_E / sizeof all_E[0]; e++) {
            const int wide = (int)(w + e) % 2;
            const dmm_tuning t = {
                DMM_FORM_GPU, 64u << (w + e / 2) % 3, all_E[e], 0, DMM_TILE_SEARCH_DEFAULT};
            const row one = {wide ? DMM_U64 : DMM_U32, DMM_SCAN_SUM, wide, banks[w], t};
            seed += 100;
            if (part_starts(seed / 100))
                check_row(&one, seed);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_of_the_covering_table_scans),
        cmocka_unit_test(sizes_up_to_4096_scans),
        cmocka_unit_test(a_million_items_scan_with_default_parameters),
        cmocka_unit_test(outputs_beyond_the_caches_scan),
        cmocka_unit_test(float_sums_of_small_whole_numbers_are_exact),
        cmocka_unit_test(float_sums_are_reproducible),
        cmocka_unit_test(every_pair_of_levels_scans), /* 3 parts */
    };
    return cmocka_run_group_tests_name("scan", tests, NULL, NULL);
}
