/* SPDX-License-Identifier: MIT */
/* ctest: oclgrind-default rows full */
/*
 * dmm_sort over sizes, shapes, types, values and parameters: rows of a table (support/cover.h), and
 * with DMM_TEST_SIZES=full every pair of levels.
 */
#include "support/require.h"

#include <string.h>

#include "support/forms.h"
#include "support/judge.h"
#include "support/sort_rows.h"

/* clang-format off */
/* After the first two, each row has the most levels that those above lack (support/cover.h). */
static const sort_row table[] = {
    {.kind = "u32", .value_bytes = 4, .set = "banks=32", .tuning = GPU_BY(32, 4, CF)},
    {.kind = "u16", .set = "", .tuning = CPU_BY(8, 64)},
    {.kind = "i8", .descending = 1, .set = "banks=16", .tuning = GPU_BY(16, 7, CF)},
    {.kind = "f64", .zero_equal = 1, .value_bytes = 4, .set = "banks=64",
        .tuning = GPU_BY(64, 8, PLAIN)},
    {.kind = "item3", .set = "banks=8", .tuning = GPU_BY(8, 32, CF)},
    {.kind = "i64", .descending = 1, .value_bytes = 8, .argsort = 1, .set = "banks=32",
        .tuning = GPU_BY(32, 15, CF)},
    {.kind = "item16", .set = "banks=16,bank_bytes=8", .tuning = GPU_BY(16, 8, CF)},
    {.kind = "i64 by less", .descending = 1, .value_bytes = 2, .set = "banks=32",
        .tuning = GPU_BY(64, 7, CF)},
    {.kind = "u8", .value_bytes = 1, .set = "banks=8", .tuning = GPU_BY(16, 4, PLAIN)},
    {.kind = "u8", .descending = 1, .value_bytes = 3, .set = "", .tuning = CPU_BY(8, 128)},
    {.kind = "i32", .value_bytes = 4, .argsort = 1, .set = "", .tuning = CPU_BY(16, 64)},
    {.kind = "u64", .value_bytes = 12, .set = "banks=16", .tuning = GPU_BY(32, 16, CF)},
    {.kind = "f16", .descending = 1, .zero_equal = 1, .set = "", .tuning = CPU_BY(1, 64)},
    {.kind = "i16", .descending = 1, .set = "banks=32,bank_bytes=8", .tuning = GPU_BY(32, 16, CF)},
    {.kind = "u32", .set = "banks=32", .tuning = GPU_BY(64, 8, CF)},
    {.kind = "u32", .descending = 1, .value_bytes = 4, .set = "", .tuning = CPU_BY(4, 64)},
    {.kind = "u16", .descending = 1, .value_bytes = 2, .set = "banks=64",
        .tuning = GPU_BY(64, 2, CF)},
    {.kind = "i16", .value_bytes = 8, .set = "banks=8", .tuning = GPU_BY(8, 15, CF)},
    {.kind = "i32", .descending = 1, .value_bytes = 5, .set = "banks=32",
        .tuning = GPU_BY(32, 17, CF)},
    {.kind = "u64", .descending = 1, .set = "banks=64", .tuning = GPU_BY(128, 1, PLAIN)},
    {.kind = "i64", .value_bytes = 16, .set = "", .tuning = CPU_BY(2, 256)},
    {.kind = "f16", .value_bytes = 100, .set = "banks=8", .tuning = GPU_BY(32, 8, CF)},
    {.kind = "f32", .set = "banks=32", .tuning = GPU_BY(32, 16, CF)},
    {.kind = "f32", .descending = 1, .zero_equal = 1, .set = "banks=16",
        .tuning = GPU_BY(64, 4, CF)},
    {.kind = "f32", .descending = 1, .value_bytes = 8, .set = "", .tuning = CPU_BY(32, 64)},
    {.kind = "f64", .descending = 1, .value_bytes = 4, .argsort = 1, .set = "",
        .tuning = CPU_BY(8, 64)},
    {.kind = "item12", .descending = 1, .value_bytes = 4, .set = "banks=32",
        .tuning = GPU_BY(32, 2, CF)},
    {.kind = "item40", .descending = 1, .value_bytes = 1, .set = "", .tuning = CPU_BY(4, 64)},
    {.kind = "item256", .value_bytes = 256, .set = "banks=32", .tuning = GPU_BY(32, 4, PLAIN)},
    {.kind = "u32 by less", .set = "banks=64", .tuning = GPU_BY(64, 4, PLAIN)},
    {.kind = "f16 by less", .set = "banks=16", .tuning = GPU_BY(16, 1, CF)},
};
/* clang-format on */

enum { NUM_ROWS = sizeof table / sizeof table[0] };

/* Sizes around every boundary: 0, the banks, E, tiles; then every shape. */
static void check(const rig *r, dmm_sort *sort, const sort_setup *setup, uint64_t seed)
{
    const uint64_t w = dmm_context_device(r->ctx)->banks.value, E = setup->tuning.E;
    const uint64_t T = tile_of(&setup->tuning);
    const uint64_t first = T > by_size(300, T, T) ? T - 1 : T + 1; /* simulators take their time */
    const uint64_t sizes[] = {first, 0, T + 1, E, 1, 2 * T, w - 1, T - 1, 2, w, w + 1, 3 * T + 1, T,
        2 * T + 3, 3, 7 * T - 5};
    const size_t count = sizeof sizes / sizeof sizes[0];
    sort_check_sizes(r, sort, setup, sizes, by_size(2, count, count), seed);
    sort_check_shapes(r, sort, setup, seed);
}

static void every_row_of_the_covering_table_sorts(void **state)
{
    cover seen = {0};
    (void)state;
    for (size_t i = 0; i < NUM_ROWS; i++)
        if (sort_row_runs(&seen, &table[i], DMM_SORT_MERGE))
            sort_try_row(&table[i], DMM_SORT_MERGE, check, 100 * i);
}

static void sizes_up_to_4096_sorts(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2; i++)
        sort_try_row(&table[i], DMM_SORT_MERGE, sort_check_to_4096, 100);
}

/* The CPU form sorts numbers with values by digits, where a tile's are many. */
static void check_digits(const rig *r, dmm_sort *sort, const sort_setup *setup, uint64_t seed)
{
    const uint64_t T = tile_of(&setup->tuning);
    const uint64_t sizes[] = {512, T, 511, 513, T - 1, T + 511, T + 512, 3 * T + 5};
    sort_check_sizes(r, sort, setup, sizes, by_size(1, 8, 8), seed);
    sort_check_shapes(r, sort, setup, seed);
}

static void tiles_by_digits_sort(void **state)
{
    static const sort_row tiles[] = {
        {.kind = "u32", .value_bytes = 4, .set = "", .tuning = CPU_BY(4, 1024)},
        {.kind = "f32",
            .descending = 1,
            .zero_equal = 1,
            .value_bytes = 4,
            .argsort = 1,
            .set = "",
            .tuning = CPU_BY(4, 1024)},
        {.kind = "f16", .zero_equal = 1, .set = "", .tuning = CPU_BY(4, 2048)},
        {.kind = "u8", .value_bytes = 1, .set = "", .tuning = CPU_BY(4, 512)},
        {.kind = "i64", .value_bytes = 8, .set = "", .tuning = CPU_BY(8, 1024)},
        {.kind = "i16", .descending = 1, .value_bytes = 3, .set = "", .tuning = CPU_BY(4, 1024)},
    };
    (void)state;
    for (size_t i = 0; i < by_size(1, sizeof tiles / sizeof *tiles, sizeof tiles / sizeof *tiles);
         i++)
        sort_try_row(&tiles[i], DMM_SORT_MERGE, check_digits, 7000 + 100 * i);
}

/* The CPU form is the self-test's program. */
static void many_items_sort_with_default_parameters(void **state)
{
    (void)state;
    for (int form = DMM_FORM_GPU; form <= DMM_FORM_CPU; form++) {
        const sort_row one = {
            .kind = "u32", .value_bytes = 4, .argsort = 1, .tuning = {.form = (dmm_form)form}};
        const uint64_t usual = form == DMM_FORM_GPU ? 70003 : 1000003;
        if (form == DMM_FORM_CPU)
            rig_optimise();
        sort_try_row(&one, DMM_SORT_MERGE, sort_check_many, by_size(0, usual, 1 << 24));
    }
}

/* Every pair of two levels: of kinds, values, forms and directions; of banks, E, searches and
 * widths. */
static void every_pair_of_levels_sorts(void **state)
{
    static const uint32_t values[] = {0, 1, 2, 3, 4, 5, 8, 12, 16, 100, 256};
    static const char *const banks[] = {"banks=8", "banks=16", "banks=32", "banks=64"};
    static const uint32_t all_E[] = {1, 2, 4, 7, 8, 15, 16, 17, 32};
    const dmm_tuning forms[] = {GPU_BY(64, 4, CF), CPU_BY(4, 64)};
    uint64_t seed = 10000;
    (void)state;
    if (sizes_wanted() != SIZES_FULL)
        skip();
    for (size_t k = 0; kind_at(k) != NULL; k++)
        for (size_t v = 0; v < sizeof values / sizeof values[0]; v++) {
            const int down = (int)(k / 2 + v / 2) % 2;
            const sort_row one = {.kind = kind_at(k)->name,
                .descending = down,
                .value_bytes = values[v],
                .set = banks[v % 4],
                .tuning = forms[(k + v) % 2]};
            seed += 100;
            if (!part_starts(seed / 100))
                continue;
            sort_try_row(&one, DMM_SORT_MERGE, check, seed);
        }
    for (size_t w = 0; w < 4; w++)
        for (size_t e = 0; e < sizeof all_E / sizeof all_E[0]; e++) {
            const int wide = (int)(w / 2 + e) % 2;
            const dmm_tuning t = {DMM_FORM_GPU, 64u << (w + e / 2) % 3, all_E[e], 0,
                (w + e) % 2 ? DMM_TILE_SEARCH_PLAIN : DMM_TILE_SEARCH_CF};
            const sort_row one = {.kind = wide ? "u64" : "u32",
                .value_bytes = wide ? 0u : 4u,
                .set = banks[w],
                .tuning = t};
            seed += 100;
            if (!part_starts(seed / 100))
                continue;
            sort_try_row(&one, DMM_SORT_MERGE, check, seed);
        }
}

static void items_of_every_size_sort(void **state)
{
    uint64_t seed = 5000000;
    (void)state;
    if (sizes_wanted() != SIZES_FULL)
        skip();
    for (uint32_t bytes = 2; bytes <= 256; bytes += bytes < 40 ? 1 : 27)
        for (int form = 0; form < 2; form++) {
            static rig r;
            char text[64];
            const dmm_tuning forms[] = {GPU_BY(32, 4, CF), CPU_BY(4, 64)};
            const sort_setup setup = {
                {"item", {DMM_ITEM, 0, 0, bytes, text, "a.key < b.key"}, bytes, 1, {{DMM_U8, 1}}},
                bytes, 0, forms[form]};
            snprintf(
                text, sizeof text, "typedef struct { uchar a, key, c[%u]; } dmm_item;", bytes - 2);
            if (bytes == 2)
                snprintf(text, sizeof text, "typedef struct { uchar a, key; } dmm_item;");
            rig_skip_optimiser();
            rig_open(&r, "banks=32");
            dmm_sort *sort = sort_build(&r, &setup);
            check(&r, sort, &setup, seed += 100);
            dmm_sort_free(sort);
            rig_close(&r);
        }
}

static void check_host(rig *r, const sort_setup *setup, uint64_t n)
{
    enum { MOST = 3000 };
    static uint16_t keys[MOST], sorted[MOST];
    static unsigned char values[MOST * 8], moved[MOST * 8];
    const dmm_sort_desc desc = sort_desc_of(setup);
    random_source random = {n};
    test_note("host form, n=%d value_bytes=%u%s", (int)n, setup->value_bytes,
        setup->argsort ? " argsort" : "");
    kind_fill(&setup->k, SHAPE_RANDOM, keys, n, &random);
    random_bytes(&random, values, sizeof values);
    for (uint64_t i = 0; setup->argsort && i < n; i++)
        memcpy(values + 8 * i, &i, 8);
    memcpy(sorted, keys, sizeof keys);
    memcpy(moved, values, sizeof values);
    if (setup->argsort)
        memset(moved, 0xee, sizeof moved);
    REQUIRE_OK(
        dmm_sort_host(r->ctx, &desc, sorted, setup->value_bytes != 0 ? moved : NULL, (size_t)n));
    REQUIRE_VERDICT(judge(&setup->k, &(rows){keys, values, n, setup->value_bytes},
        &(rows){sorted, moved, n, setup->value_bytes}));
}

static void the_host_form_sorts(void **state)
{
    static rig r;
    const sort_setup setups[] = {{kind_named("i16"), 0, 0, GPU_BY(32, 4, CF)},
        {kind_named("f16"), 8, 1, GPU_BY(32, 4, CF)}, {kind_named("u16"), 7, 0, GPU_BY(32, 4, CF)}};
    (void)state;
    rig_open(&r, "banks=32");
    for (size_t i = by_size(1, 0, 0); i < by_size(2, 3, 3); i++)
        for (uint64_t n = 0; n <= by_size(100, 3000, 3000); n = 5 * n + 3)
            check_host(&r, &setups[i], n);
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_of_the_covering_table_sorts),
        cmocka_unit_test(tiles_by_digits_sort),
        cmocka_unit_test(sizes_up_to_4096_sorts),
        cmocka_unit_test(many_items_sort_with_default_parameters),
        cmocka_unit_test(the_host_form_sorts),
        cmocka_unit_test(every_pair_of_levels_sorts), /* 10 parts */
        cmocka_unit_test(items_of_every_size_sort),
    };
    return cmocka_run_group_tests_name("sort", tests, NULL, NULL);
}
