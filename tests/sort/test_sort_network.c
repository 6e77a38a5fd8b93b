/* SPDX-License-Identifier: MIT */
/* ctest: oclgrind rows full */
/*
 * dmm_sort by method network, over the sizes, shapes, types and values of the other methods. The
 * judges are theirs: positions make it stable. That its accesses do not depend on data is checked
 * by tests/meter.
 */
#include "support/require.h"

#include "support/forms.h"
#include "support/sort_rows.h"

static const sort_row table[] = {
    {.kind = "u32", .set = "banks=32", .tuning = GPU(32, 4)},
    {.kind = "i64", .descending = 1, .value_bytes = 4, .set = "banks=32", .tuning = CPU_BY(4, 64)},
    {.kind = "f32",
        .zero_equal = 1,
        .value_bytes = 8,
        .argsort = 1,
        .set = "banks=16",
        .tuning = GPU(64, 4)},
    {.kind = "u8", .descending = 1, .value_bytes = 1, .set = "banks=32", .tuning = CPU_BY(2, 128)},
    {.kind = "item12", .value_bytes = 4, .set = "banks=32", .tuning = GPU(32, 2)},
    {.kind = "u32 by less",
        .descending = 1,
        .value_bytes = 2,
        .set = "banks=32",
        .tuning = GPU(32, 1)},
    {.kind = "f64", .set = "banks=32", .tuning = CPU_BY(8, 256)},
};

static void check(const rig *r, dmm_sort *sort, const sort_setup *setup, uint64_t seed)
{
    static const uint64_t sizes[] = {65, 0, 1, 2, 3, 7, 8, 9, 31, 64, 100, 1023, 1024, 4097};
    const size_t count = sizeof sizes / sizeof sizes[0];
    sort_check_sizes(r, sort, setup, sizes, by_size(2, count, count), seed);
}

static void every_row_of_the_covering_table_sorts(void **state)
{
    cover seen = {0};
    (void)state;
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (sort_row_runs(&seen, &table[i], DMM_SORT_NETWORK))
            sort_try_row(&table[i], DMM_SORT_NETWORK, check, 100 * i);
}

static void sizes_up_to_4096_sort(void **state)
{
    (void)state;
    sort_try_row(&table[0], DMM_SORT_NETWORK, sort_check_to_4096, 40);
}

static void many_items_sort_with_default_parameters(void **state)
{
    const sort_row one = {
        .kind = "u32", .value_bytes = 4, .set = "banks=32", .tuning = {.form = DMM_FORM_DEFAULT}};
    (void)state;
    rig_optimise();
    sort_try_row(&one, DMM_SORT_NETWORK, sort_check_many, by_size(0, 50007, 1 << 20));
}

static void long_values_are_refused(void **state)
{
    static rig r;
    dmm_sort *sort = NULL;
    dmm_sort_desc desc = {.method = DMM_SORT_NETWORK, .value_bytes = 3};
    (void)state;
    test_note("values of 3 bytes");
    rig_open(&r, "banks=32");
    REQUIRE_REFUSED(DMM_UNSUPPORTED, &sort, dmm_sort_create((void *)&sort, r.ctx, &desc));
    desc.value_bytes = 16;
    REQUIRE_REFUSED(DMM_UNSUPPORTED, &sort, dmm_sort_create((void *)&sort, r.ctx, &desc));
    desc.value_bytes = 0;
    desc.method = (dmm_sort_method)7;
    REQUIRE_REFUSED(DMM_BAD_VALUE, &sort, dmm_sort_create((void *)&sort, r.ctx, &desc));
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_of_the_covering_table_sorts),
        cmocka_unit_test(sizes_up_to_4096_sort),
        cmocka_unit_test(many_items_sort_with_default_parameters),
        cmocka_unit_test(long_values_are_refused),
    };
    return cmocka_run_group_tests_name("sort_network", tests, NULL, NULL);
}
