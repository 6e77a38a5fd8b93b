/* SPDX-License-Identifier: MIT */
/* ctest: oclgrind rows */
/*
 * dmm_sort by method radix under `guarantee`: tiles are sorted by split. Over banks, E, types and
 * values; every size up to some tiles once.
 */
#include "support/require.h"

#include "support/cover.h"
#include "support/forms.h"
#include "support/sort_rows.h"

typedef struct row {
    const char *kind;
    int descending;
    uint32_t value_bytes;
    const char *set;
    uint32_t u, E;
} row;

static const row table[] = {
    {.kind = "u32", .set = "banks=32", .u = 64, .E = 8},
    {.kind = "u8", .value_bytes = 1, .set = "banks=8", .u = 16, .E = 4},
    {.kind = "i16", .descending = 1, .value_bytes = 4, .set = "banks=8", .u = 8, .E = 15},
    {.kind = "u64", .value_bytes = 12, .set = "banks=16", .u = 32, .E = 16},
    {.kind = "f64", .descending = 1, .set = "banks=64", .u = 64, .E = 7},
    {.kind = "f32", .value_bytes = 8, .set = "banks=64", .u = 128, .E = 1},
    {.kind = "u16", .set = "banks=32,bank_bytes=8", .u = 32, .E = 17},
    {.kind = "f16",
        .descending = 1,
        .value_bytes = 2,
        .set = "banks=16,bank_bytes=8",
        .u = 16,
        .E = 32},
};

static dmm_sort *build(rig *r, const sort_setup *setup)
{
    dmm_sort_desc desc = sort_desc_of(setup);
    desc.method = DMM_SORT_RADIX;
    desc.guarantee = 1;
    return sort_build_desc(r, &desc);
}

static void check_row(const row *one, uint64_t seed)
{
    static rig r;
    const uint64_t T = (uint64_t)one->u * one->E;
    const uint64_t sizes[] = {T + 1, 1, T, 2, T - 1, 2 * T, 3 * T + 1, 20 * T + 17, 3};
    sort_setup setup = {.k = kind_named(one->kind),
        .value_bytes = one->value_bytes,
        .tuning = {DMM_FORM_GPU, one->u, one->E, 0, DMM_TILE_SEARCH_DEFAULT}};
    setup.k.order.descending = one->descending;
    rig_open(&r, one->set);
    dmm_sort *sort = build(&r, &setup);
    sort_check_sizes(&r, sort, &setup, sizes, by_size(2, 9, 9), seed);
    dmm_sort_free(sort);
    rig_close(&r);
}

static void every_row_of_the_table_sorts_by_split(void **state)
{
    const size_t first = (size_t)by_rows(1, 0);
    const size_t end = (size_t)by_rows(3, sizeof table / sizeof table[0]);
    (void)state;
    for (size_t i = first; i < end; i += (size_t)by_size(by_rows(1, 4), 1, 1))
        check_row(&table[i], 10 * i);
}

static void sizes_up_to_some_tiles_sorts_by_split(void **state)
{
    static rig r;
    const sort_setup setup = {.k = kind_named("u8"), .value_bytes = 4, .tuning = GPU(16, 8)};
    (void)state;
    rig_open(&r, "banks=16");
    dmm_sort *sort = build(&r, &setup);
    for (uint64_t n = 0; n <= by_size(300, 1000, 4096); n += by_size(3 + n, 1, 1)) {
        const sort_case c = {.n = n, .input = (shape)(n % SHAPE_COUNT), .seed = n};
        sort_check(&r, sort, &setup, &c);
    }
    dmm_sort_free(sort);
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_of_the_table_sorts_by_split),
        cmocka_unit_test(sizes_up_to_some_tiles_sorts_by_split),
    };
    return cmocka_run_group_tests_name("sort_split", tests, NULL, NULL);
}
