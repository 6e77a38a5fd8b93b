/* SPDX-License-Identifier: MIT */
/* ctest: oclgrind rows full */
/*
 * dmm_lab_partition_create by method blocks: blocks of one item to a line, over item and value
 * sizes, ways, spreads, and what decides buckets. A stable partition is one result: the judges are
 * those of method radix.
 */
#include "support/require.h"

#include "support/cover.h"
#include "support/forms.h"
#include "support/methods.h"
#include "support/partition_rows.h"

/* clang-format off */
/* Blocks of tile / (2K) items, K a power of two; at most 128 bytes. */
static const partition_row table[] = {
    {.kind = "u32", .ways = 10, .by = DMM_PARTITION_BY_LABELS, .label_bytes = 4,
        .set = "banks=8", .tuning = GPU(16, 16)},
    {.kind = "u32", .ways = 2, .by = DMM_PARTITION_BY_LABELS, .value_bytes = 8,
        .label_bytes = 1, .set = "banks=8", .tuning = GPU(32, 4)},
    {.kind = "u64", .ways = 20, .by = DMM_PARTITION_BY_LABELS, .value_bytes = 1,
        .label_bytes = 2, .set = "banks=32", .tuning = GPU(64, 7)},
    {.kind = "u16", .ways = 1000, .by = DMM_PARTITION_BY_LABELS, .value_bytes = 5,
        .label_bytes = 2, .set = "banks=16", .tuning = GPU(128, 15)},
    {.kind = "f32", .ways = 31, .by = DMM_PARTITION_BY_SPLITTERS, .value_bytes = 4,
        .set = "banks=16,bank_bytes=8", .tuning = GPU(32, 8)},
    {.kind = "i32", .ways = 256, .by = DMM_PARTITION_BY_BITS, .value_bytes = 2,
        .bits = {24, 32}, .set = "banks=8", .tuning = GPU(32, 4)},
    {.kind = "item12", .ways = 3, .by = DMM_PARTITION_BY_LABELS, .value_bytes = 12,
        .label_bytes = 4, .set = "banks=4", .tuning = GPU(16, 8)},
    {.kind = "u8", .ways = 10, .by = DMM_PARTITION_BY_EXPRESSION, .value_bytes = 4,
        .set = "banks=32", .tuning = GPU(64, 32)},
    {.kind = "u32", .ways = 65536, .by = DMM_PARTITION_BY_LABELS, .value_bytes = 4,
        .label_bytes = 2, .set = "banks=8", .tuning = GPU(64, 16)},
};
/* clang-format on */

static void check_row(const partition_row *row, uint64_t seed)
{
    const uint64_t T = tile_of(&row->tuning);
    const uint64_t of[] = {2 * T + 3, 0, 9 * T - 5, 1, T, T + 1, 40 * T + 7};
    const size_t count = sizeof of / sizeof of[0];
    const partition_sizes sizes = {
        of, by_size(2, count, count), by_size(1, SPREAD_COUNT, SPREAD_COUNT)};
    partition_check_row(row, PARTITION_BY_BLOCKS, &sizes, seed);
}

static int runs(cover *seen, const partition_row *one)
{
    const kind k = kind_named(one->kind);
    return COVER_TAKES(seen, 2, cover_text(one->set), one->by, one->ways > 256,
        cover_bytes(k.bytes), cover_bytes(one->value_bytes), one->label_bytes);
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
    partition_check_sizes_to(by_size(60, 4096, 4096), &table[0], PARTITION_BY_BLOCKS);
}

static void many_items_are_partitioned_with_default_parameters(void **state)
{
    (void)state;
    partition_check_many(PARTITION_BY_BLOCKS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_of_the_covering_table_is_partitioned),
        cmocka_unit_test(sizes_up_to_4096_are_partitioned),
        cmocka_unit_test(many_items_are_partitioned_with_default_parameters),
    };
    return cmocka_run_group_tests_name("partition_blocks", tests, NULL, NULL);
}
