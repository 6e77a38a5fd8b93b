/* SPDX-License-Identifier: MIT */
/* ctest: oclgrind rows full */
/*
 * dmm_lab_sort_create by method quick, over the sizes, shapes, types and values of the other
 * methods; the judges are theirs. Small max_n make few buckets. Keys that are all equal share a
 * bucket.
 */
#include "support/require.h"

#include "support/forms.h"
#include "support/methods.h"
#include "support/sort_rows.h"

static const sort_row table[] = {
    {"u32", 0, 0, 0, 0, "banks=32", GPU(32, 4)},
    {"i64", 1, 0, 4, 0, "banks=32", CPU_BY(4, 64)},
    {"f32", 0, 1, 8, 1, "banks=16", GPU(64, 4)},
    {"u8", 1, 0, 3, 0, "banks=32", CPU_BY(2, 128)},
    {"item12", 0, 0, 4, 0, "banks=32", GPU(32, 2)},
    {"u32", 0, 0, 4, 0, "banks=128", GPU(128, 2)},
    {"u32 by less", 1, 0, 2, 0, "banks=32", CPU_BY(4, 64)},
};

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
            sort_try_row(&table[i], SORT_BY_QUICK, check, 100 * i);
            sort_try_row(&table[i], SORT_BY_QUICK, sort_check_shapes, 7 * i);
        }
}

static void sizes_up_to_4096_sort(void **state)
{
    (void)state;
    sort_try_row(&table[0], SORT_BY_QUICK, sort_check_to_4096, 20);
}

static void many_items_sort_with_default_parameters(void **state)
{
    const sort_row one = {"u32", 0, 0, 4, 0, "banks=32", {.form = DMM_FORM_DEFAULT}};
    (void)state;
    rig_optimise();
    sort_try_row(&one, SORT_BY_QUICK, sort_check_many, by_size(0, 50007, (1 << 20) + 11));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_of_the_covering_table_sorts),
        cmocka_unit_test(sizes_up_to_4096_sort),
        cmocka_unit_test(many_items_sort_with_default_parameters),
    };
    return cmocka_run_group_tests_name("sort_quick", tests, NULL, NULL);
}
