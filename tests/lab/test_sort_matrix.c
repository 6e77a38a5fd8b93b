/* SPDX-License-Identifier: MIT */
/* ctest: oclgrind rows full */
/*
 * dmm_lab_sort_create by the methods matrix and shear, over the same sizes, shapes, types and
 * values as the others: matrices that are wide, square, high, and of one column. Their tile sort is
 * stable as well, since padding asks for positions: the judges are those of method merge.
 */
#include "support/require.h"

#include <string.h>

#include "support/forms.h"
#include "support/methods.h"
#include "support/sort_rows.h"

/* clang-format off */
static const sort_row table[] = {
    {.kind = "u32", .value_bytes = 4, .set = "banks=16", .tuning = GPU(32, 4)},
    {.kind = "u32", .descending = 1, .value_bytes = 4, .set = "banks=4",
        .tuning = GPU(16, 16)},
    {.kind = "item256", .value_bytes = 256, .set = "banks=32", .tuning = GPU(32, 1)},
    {.kind = "f64", .zero_equal = 1, .value_bytes = 4, .set = "banks=64",
        .tuning = GPU(64, 4)},
    {.kind = "i64 by less", .descending = 1, .value_bytes = 2, .set = "banks=8",
        .tuning = GPU(16, 4)},
    {.kind = "item16", .set = "banks=16,bank_bytes=8", .tuning = GPU(16, 4)},
    {.kind = "i16", .descending = 1, .set = "banks=32,bank_bytes=8", .tuning = GPU(32, 8)},
    {.kind = "i64", .descending = 1, .value_bytes = 8, .argsort = 1, .set = "banks=32",
        .tuning = GPU(32, 4)},
    {.kind = "u16", .descending = 1, .value_bytes = 2, .set = "banks=64",
        .tuning = GPU(64, 2)},
    {.kind = "u64", .descending = 1, .set = "banks=64", .tuning = GPU(128, 1)},
    {.kind = "i16", .set = "banks=8", .tuning = GPU(32, 8)},
    {.kind = "i32", .descending = 1, .value_bytes = 5, .set = "banks=16",
        .tuning = GPU(64, 4)},
    {.kind = "item12", .descending = 1, .value_bytes = 4, .set = "banks=32",
        .tuning = GPU(32, 2)},
};
/* clang-format on */

/* Every row by one of the methods, in turn. */
static void every_row_of_the_covering_table_sorts(void **state)
{
    cover seen = {0};
    (void)state;
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        const dmm_sort_method method = i % 3 == 1 ? SORT_BY_SHEAR : SORT_BY_MATRIX;
        if (sort_row_runs(&seen, &table[i], method))
            sort_try_row_as(&table[i], method, any_sort_create, sort_check_around_tiles, 100 * i);
    }
}

static void sizes_up_to_4096_sorts(void **state)
{
    (void)state;
    sort_try_row_as(&table[0], SORT_BY_MATRIX, any_sort_create, sort_check_to_4096, 40);
}

/* Matrices that u, E and the banks can make: every number of banks with every number of columns,
 * every u and every E, and every u with every E. */
static void every_shape_of_a_tile_sorts(void **state)
{
    static const char *const banks[] = {"banks=4", "banks=8", "banks=16", "banks=32", "banks=64"};
    uint32_t at = 0;
    (void)state;
    if (sizes_wanted() != SIZES_FULL)
        skip();
    for (uint32_t b = 0; b < 5; b++)
        for (uint32_t log_u = b + 2; log_u <= 9; log_u++)
            for (uint32_t log_E = 0; log_E <= 5 && log_u + log_E <= 13; log_E++) {
                if (log_u > b + 2 && log_u + log_E < 13 && (b + log_u + 2 * log_E) % 3 != 0)
                    continue;
                const sort_row one = {.kind = "u32",
                    .value_bytes = at % 2 * 4,
                    .set = banks[b],
                    .tuning = {DMM_FORM_GPU, 1u << log_u, 1u << log_E, 0, DMM_TILE_SEARCH_DEFAULT}};
                const dmm_sort_method method = at % 4 == 3 ? SORT_BY_SHEAR : SORT_BY_MATRIX;
                if (part_starts(at++))
                    sort_try_row_as(&one, method, any_sort_create, sort_check_around_tiles, at);
            }
}

/* The form is the GPU's unless the description asks for the CPU's. */
static void a_million_items_sort_with_default_parameters(void **state)
{
    const sort_row one = {
        .kind = "u32", .value_bytes = 4, .set = "form=cpu", .tuning = {.form = DMM_FORM_DEFAULT}};
    (void)state;
    rig_optimise();
    sort_try_row_as(
        &one, SORT_BY_MATRIX, any_sort_create, sort_check_many, by_size(0, 50007, 1 << 22));
}

/* No order at all: everything stays where it may be, and nothing is lost of the values. */
static void an_expression_that_is_no_order_ends(void **state)
{
    static rig r;
    sort_setup setup = {.k = kind_named("u32 by less"), .tuning = GPU(32, 4)};
    (void)state;
    setup.value_bytes = 4;
    setup.argsort = 1;
    setup.k.order.less = "(a * 2654435761u ^ b) % 3 != 0";
    rig_open(&r, "banks=16");
    dmm_sort_desc desc = sort_desc_of(&setup);
    desc.method = SORT_BY_MATRIX;
    dmm_sort *sort = sort_build_as(&r, &desc, any_sort_create);
    const sort_case c = {.n = 128, .input = SHAPE_BITS, .seed = 3, .any_order = 1};
    sort_run run = sort_prepare(&r, sort, &setup, &c);
    uint32_t places[128], seen[128] = {0};
    REQUIRE_OK(dmm_sort_enqueue(sort, r.queue, &run.args, c.n, 0, NULL, NULL));
    zone_read(&r, &run.values_out, places);
    for (int i = 0; i < 128; i++)
        REQUIRE(places[i] < 128 && seen[places[i]]++ == 0);
    sort_finish(&run);
    dmm_sort_free(sort);
    rig_close(&r);
}

static void what_a_matrix_cannot_do_is_refused(void **state)
{
    static rig r;
    dmm_sort *sort = NULL;
    (void)state;
    test_note("descriptions that are refused");
    rig_open(&r, "banks=32");
    for (int i = DMM_LAB_SORT_MATRIX; i <= DMM_LAB_SORT_SHEAR; i++) {
        const dmm_lab_sort_method method = (dmm_lab_sort_method)i;
        dmm_sort_desc desc = {.tuning.form = DMM_FORM_CPU};
        REQUIRE_STATUS(DMM_UNSUPPORTED, dmm_lab_sort_create(&sort, r.ctx, &desc, method));
        desc.tuning = (dmm_tuning)GPU(64, 15);
        REQUIRE_STATUS(DMM_BAD_PARAMETERS, dmm_lab_sort_create(&sort, r.ctx, &desc, method));
        REQUIRE(strstr(r.log, "power of two") != NULL);
        desc.tuning = (dmm_tuning)GPU(64, 16);
        desc.bits.end = 8;
        REQUIRE_STATUS(DMM_UNSUPPORTED, dmm_lab_sort_create(&sort, r.ctx, &desc, method));
        REQUIRE(sort == NULL);
    }
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_of_the_covering_table_sorts),
        cmocka_unit_test(sizes_up_to_4096_sorts),
        cmocka_unit_test(every_shape_of_a_tile_sorts), /* 5 parts */
        cmocka_unit_test(a_million_items_sort_with_default_parameters),
        cmocka_unit_test(an_expression_that_is_no_order_ends),
        cmocka_unit_test(what_a_matrix_cannot_do_is_refused),
    };
    return cmocka_run_group_tests_name("sort_matrix", tests, NULL, NULL);
}
