/* SPDX-License-Identifier: MIT */
/* ctest: oclgrind rows full */
/*
 * dmm_lab_sort_create by method gather, over the same sizes, types and values as method merge,
 * whose judges are these: E coprime to the banks and not, 4 to 128 banks, one warp and several.
 */
#include "support/require.h"

#include "support/forms.h"
#include "support/methods.h"
#include "support/sort_rows.h"

/* clang-format off */
static const sort_row table[] = {
    {.kind = "u32", .set = "banks=32", .tuning = GPU(64, 15)},
    {.kind = "u32", .descending = 1, .value_bytes = 4, .set = "banks=4", .tuning = GPU(16, 16)},
    {.kind = "f64", .zero_equal = 1, .value_bytes = 4, .set = "banks=64", .tuning = GPU(64, 5)},
    {.kind = "i16", .set = "banks=16,bank_bytes=8", .tuning = GPU(32, 6)},
    {.kind = "i64", .descending = 1, .value_bytes = 8, .argsort = 1, .set = "banks=32",
        .tuning = GPU(32, 4)},
    {.kind = "u16", .descending = 1, .value_bytes = 2, .set = "banks=128", .tuning = GPU(128, 2)},
    {.kind = "u64", .set = "banks=8", .tuning = GPU(8, 1)},
    {.kind = "i32", .value_bytes = 5, .set = "banks=16", .tuning = GPU(128, 7)},
};
/* clang-format on */

static void every_row_of_the_covering_table_sorts(void **state)
{
    cover seen = {0};
    (void)state;
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (sort_row_runs(&seen, &table[i], SORT_BY_GATHER))
            sort_try_row_as(
                &table[i], SORT_BY_GATHER, any_sort_create, sort_check_around_tiles, 100 * i);
}

static void sizes_up_to_4096_sorts(void **state)
{
    (void)state;
    sort_try_row_as(&table[0], SORT_BY_GATHER, any_sort_create, sort_check_to_4096, 40);
}

/* What the method has not: orders by an expression, the promise, the CPU form. */
static void what_it_lacks_is_unsupported(void **state)
{
    static rig r;
    dmm_sort *sort = NULL;
    const dmm_sort_desc plain = {.order = {.type = DMM_U32}};
    dmm_sort_desc desc = plain;
    (void)state;
    rig_open(&r, "banks=16");
    desc.guarantee = 1;
    REQUIRE_STATUS(DMM_UNSUPPORTED, dmm_lab_sort_create(&sort, r.ctx, &desc, DMM_LAB_SORT_GATHER));
    desc = plain;
    desc.tuning.form = DMM_FORM_CPU;
    REQUIRE_STATUS(DMM_UNSUPPORTED, dmm_lab_sort_create(&sort, r.ctx, &desc, DMM_LAB_SORT_GATHER));
    desc = plain;
    desc.order.less = "a < b";
    REQUIRE_STATUS(DMM_UNSUPPORTED, dmm_lab_sort_create(&sort, r.ctx, &desc, DMM_LAB_SORT_GATHER));
    REQUIRE(sort == NULL);
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_of_the_covering_table_sorts),
        cmocka_unit_test(sizes_up_to_4096_sorts),
        cmocka_unit_test(what_it_lacks_is_unsupported),
    };
    return cmocka_run_group_tests_name("sort_gather", tests, NULL, NULL);
}
