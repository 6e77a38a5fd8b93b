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

/* Blocks of tile / (2K) items, K a power of two; at most 128 bytes. */
static const partition_row table[] = {
    {"u32", 10, DMM_PARTITION_BY_LABELS, 0, 4, {0, 0}, 0, "banks=8", GPU(16, 16)},
    {"u32", 2, DMM_PARTITION_BY_LABELS, 8, 1, {0, 0}, 0, "banks=8", GPU(32, 4)},
    {"u64", 20, DMM_PARTITION_BY_LABELS, 1, 2, {0, 0}, 0, "banks=32", GPU(64, 7)},
    {"u16", 1000, DMM_PARTITION_BY_LABELS, 5, 2, {0, 0}, 0, "banks=16", GPU(128, 15)},
    {"f32", 31, DMM_PARTITION_BY_SPLITTERS, 4, 0, {0, 0}, 0, "banks=16,bank_bytes=8", GPU(32, 8)},
    {"i32", 256, DMM_PARTITION_BY_BITS, 2, 0, {24, 32}, 0, "banks=8", GPU(32, 4)},
    {"item12", 3, DMM_PARTITION_BY_LABELS, 12, 4, {0, 0}, 0, "banks=4", GPU(16, 8)},
    {"u8", 10, DMM_PARTITION_BY_EXPRESSION, 4, 0, {0, 0}, 0, "banks=32", GPU(64, 32)},
    {"u32", 65536, DMM_PARTITION_BY_LABELS, 4, 2, {0, 0}, 0, "banks=8", GPU(64, 16)},
};

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
