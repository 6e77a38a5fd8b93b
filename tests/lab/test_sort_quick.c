/* SPDX-License-Identifier: MIT */
/* ctest: oclgrind rows full */
/*
 * dmm_lab_sort_create by method quick, over the sizes, shapes, types and values of the other
 * methods; the judges are theirs. Small max_n make few buckets. Keys that are all equal share a
 * bucket. Beyond 64 or 256 tiles buckets are divided again: on all shapes, with values of any size.
 */
#include "support/require.h"

#include "support/forms.h"
#include "support/methods.h"
#include "support/sort_rows.h"

/* clang-format off */
static const sort_row table[] = {
    {.kind = "u32", .set = "banks=32", .tuning = GPU(32, 4)},
    {.kind = "i64", .descending = 1, .value_bytes = 4, .set = "banks=32",
        .tuning = CPU_BY(4, 64)},
    {.kind = "f32", .zero_equal = 1, .value_bytes = 8, .argsort = 1, .set = "banks=16",
        .tuning = GPU(64, 4)},
    {.kind = "u8", .descending = 1, .value_bytes = 3, .set = "banks=32",
        .tuning = CPU_BY(2, 128)},
    {.kind = "item12", .value_bytes = 4, .set = "banks=32", .tuning = GPU(32, 2)},
    {.kind = "u32", .value_bytes = 4, .set = "banks=128", .tuning = GPU(128, 2)},
    {.kind = "u32 by less", .descending = 1, .value_bytes = 2, .set = "banks=32",
        .tuning = CPU_BY(4, 64)},
};
/* clang-format on */

static void check(const rig *r, dmm_sort *sort, const sort_setup *setup, uint64_t seed)
{
    static const uint64_t sizes[] = {65, 0, 1, 2, 3, 255, 256, 257, 1000, 4097, 20011};
    const size_t count = sizeof sizes / sizeof sizes[0];
    sort_check_sizes(r, sort, setup, sizes, by_size(2, count, count), seed);
}

static void every_row_of_the_covering_table_sorts(void **state)
{
    cover seen = {0};
    (void)state;
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (sort_row_runs(&seen, &table[i], SORT_BY_QUICK)) {
            sort_try_row_as(&table[i], SORT_BY_QUICK, any_sort_create, check, 100 * i);
            sort_try_row_as(&table[i], SORT_BY_QUICK, any_sort_create, sort_check_shapes, 7 * i);
        }
}

/* Two levels of 64 buckets or of 256, three of 64 at the largest size. */
static void check_levels(const rig *r, dmm_sort *sort, const sort_setup *setup, uint64_t seed)
{
    const int cpu = setup->tuning.form == DMM_FORM_CPU;
    const uint64_t ways = cpu ? 64 : 256, tile = cpu ? 64 : 32 * (uint64_t)setup->tuning.E;
    const uint64_t n = by_size(ways, ways, ways * (cpu ? 80 : 1)) * (tile + 1) + 3;
    for (uint64_t s = 0; s < by_size(1, SHAPE_COUNT, SHAPE_COUNT); s++) {
        const sort_case c = {.n = n,
            .input = (shape)s,
            .seed = seed + s,
            .in_place = (int)(s % 3),
            .temp_given = s % 2 != 0};
        sort_check(r, sort, setup, &c);
    }
}

static void buckets_that_exceed_a_tile_are_divided_again(void **state)
{
    static const sort_row rows[] = {
        {.kind = "i64",
            .descending = 1,
            .value_bytes = 3,
            .set = "banks=32",
            .tuning = CPU_BY(4, 64)},
        {.kind = "f32",
            .zero_equal = 1,
            .value_bytes = 8,
            .argsort = 1,
            .set = "banks=32",
            .tuning = CPU_BY(4, 64)},
        {.kind = "u32 by less", .value_bytes = 12, .set = "banks=32", .tuning = CPU_BY(4, 64)},
        {.kind = "u32", .set = "banks=32", .tuning = GPU(32, 1)},
    };
    const size_t count = sizeof rows / sizeof rows[0];
    (void)state;
    for (size_t i = 0; i < by_size(1, count, count); i++)
        sort_try_row_as(&rows[i], SORT_BY_QUICK, any_sort_create, check_levels, 50 * i);
}

static void sizes_up_to_4096_sort(void **state)
{
    (void)state;
    sort_try_row_as(&table[0], SORT_BY_QUICK, any_sort_create, sort_check_to_4096, 20);
}

static void many_items_sort_with_default_parameters(void **state)
{
    const sort_row one = {
        .kind = "u32", .value_bytes = 4, .set = "banks=32", .tuning = {.form = DMM_FORM_DEFAULT}};
    (void)state;
    rig_optimise();
    sort_try_row_as(
        &one, SORT_BY_QUICK, any_sort_create, sort_check_many, by_size(0, 50007, (1 << 20) + 11));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_of_the_covering_table_sorts),
        cmocka_unit_test(buckets_that_exceed_a_tile_are_divided_again),
        cmocka_unit_test(sizes_up_to_4096_sort),
        cmocka_unit_test(many_items_sort_with_default_parameters),
    };
    return cmocka_run_group_tests_name("sort_quick", tests, NULL, NULL);
}
