/* SPDX-License-Identifier: MIT */
/* ctest: oclgrind rows full */
/*
 * dmm_lab_partition_create by method matrix: matrices that are wide, square, high, and of one
 * column, over item and value sizes, ways, spreads, and what decides buckets. A stable partition is
 * one result: the judges are those of method radix.
 */
#include "support/require.h"

#include "support/cover.h"
#include "support/forms.h"
#include "support/methods.h"
#include "support/partition_rows.h"

/* clang-format off */
static const partition_row table[] = {
    {.kind = "u32", .ways = 20, .by = DMM_PARTITION_BY_LABELS, .label_bytes = 4,
        .set = "banks=8", .tuning = GPU(16, 16)},
    {.kind = "u32", .ways = 32, .by = DMM_PARTITION_BY_LABELS, .label_bytes = 4,
        .set = "banks=32", .tuning = GPU(64, 16)},
    {.kind = "u16", .ways = 1000, .by = DMM_PARTITION_BY_LABELS, .value_bytes = 5,
        .label_bytes = 2, .set = "banks=64", .tuning = GPU(64, 2)},
    {.kind = "u64", .ways = 256, .by = DMM_PARTITION_BY_LABELS, .value_bytes = 4,
        .label_bytes = 1, .flags = ROW_GUARANTEE, .set = "banks=8", .tuning = GPU(32, 8)},
    {.kind = "f32", .ways = 31, .by = DMM_PARTITION_BY_SPLITTERS, .value_bytes = 4,
        .set = "banks=16", .tuning = GPU(16, 32)},
    {.kind = "i32", .ways = 256, .by = DMM_PARTITION_BY_BITS, .value_bytes = 4,
        .bits = {24, 32}, .set = "banks=64", .tuning = GPU(64, 1)},
    {.kind = "u32", .ways = 10, .by = DMM_PARTITION_BY_EXPRESSION, .value_bytes = 4,
        .set = "banks=4", .tuning = GPU(8, 4)},
    {.kind = "item12", .ways = 33, .by = DMM_PARTITION_BY_LABELS, .value_bytes = 8,
        .label_bytes = 2, .set = "banks=16,bank_bytes=8", .tuning = GPU(32, 4)},
    {.kind = "u8", .ways = 2, .by = DMM_PARTITION_BY_LABELS, .label_bytes = 1,
        .flags = ROW_GUARANTEE, .set = "banks=32", .tuning = GPU(128, 2)},
    {.kind = "u32", .ways = 65536, .by = DMM_PARTITION_BY_LABELS, .value_bytes = 4,
        .label_bytes = 2, .set = "banks=8", .tuning = GPU(64, 4)},
    {.kind = "item256", .ways = 3, .by = DMM_PARTITION_BY_LABELS, .label_bytes = 2,
        .set = "banks=32,bank_bytes=8", .tuning = GPU(32, 2)},
};
/* clang-format on */

static void check_row(const partition_row *row, uint64_t seed)
{
    const uint64_t T = tile_of(&row->tuning);
    const uint64_t of[] = {T + 1, 3, T, 0, 1, T - 1, 2 * T + 3, 7 * T - 5};
    const size_t count = sizeof of / sizeof of[0];
    const partition_sizes sizes = {of, by_size(2, count, count), 1};
    partition_check_row(row, PARTITION_BY_MATRIX, &sizes, seed);
}

static int runs(cover *seen, const partition_row *one)
{
    const kind k = kind_named(one->kind);
    return COVER_TAKES(seen, 2, one->tuning.form, one->flags != 0, cover_text(one->set), one->by,
        one->ways > 256, cover_bytes(k.bytes), cover_bytes(one->value_bytes), one->label_bytes);
}

static void every_row_of_the_covering_table_is_partitioned(void **state)
{
    cover seen = {0};
    (void)state;
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (runs(&seen, &table[i]))
            check_row(&table[i], 100 * i);
}

static void sizes_up_to_4096_are_partitioned(void **state)
{
    (void)state;
    partition_check_sizes_to(by_size(60, 4096, 4096), &table[0], PARTITION_BY_MATRIX);
}

/* Matrices that u, E and the banks can make: every number of banks with every number of columns,
 * every u and every E, and every u with every E. */
static void every_shape_of_a_tile_is_partitioned(void **state)
{
    static const char *const banks[] = {"banks=4", "banks=8", "banks=16", "banks=32", "banks=64"};
    uint32_t at = 0;
    (void)state;
    if (sizes_wanted() != SIZES_FULL)
        skip();
    for (uint32_t b = 0; b < 5; b++)
        for (uint32_t log_u = b + 2; log_u <= 8; log_u++)
            for (uint32_t log_E = 0; log_E <= 5 && log_u + log_E <= 11; log_E++) {
                if (log_u > b + 2 && (b + log_u + 2 * log_E) % 3 != 0)
                    continue;
                const partition_row one = {.kind = "u32",
                    .ways = 1u << at % 9,
                    .by = DMM_PARTITION_BY_LABELS,
                    .label_bytes = 4,
                    .set = banks[b],
                    .tuning = GPU(1u << log_u, 1u << log_E)};
                if (part_starts(at++))
                    check_row(&one, at);
            }
}

static void many_items_are_partitioned_with_default_parameters(void **state)
{
    (void)state;
    partition_check_many(PARTITION_BY_MATRIX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_of_the_covering_table_is_partitioned),
        cmocka_unit_test(sizes_up_to_4096_are_partitioned),
        cmocka_unit_test(every_shape_of_a_tile_is_partitioned), /* 5 parts */
        cmocka_unit_test(many_items_are_partitioned_with_default_parameters),
    };
    return cmocka_run_group_tests_name("partition_matrix", tests, NULL, NULL);
}
