/* SPDX-License-Identifier: MIT */
/* ctest: oclgrind rows full */
/*
 * dmm_partition over sizes, ways, spreads, item and value sizes, and what decides buckets.
 */
#include "support/require.h"

#include "support/cover.h"
#include "support/forms.h"
#include "support/partition_rows.h"

/* clang-format off */
/* Few parameters, so that rows share programs. After the first two, each row has the most levels
 * that those above lack (support/cover.h). */
static const partition_row table[] = {
    {.kind = "u32", .ways = 33, .by = DMM_PARTITION_BY_LABELS, .value_bytes = 4, .label_bytes = 1,
        .bits = {0, 0}, .set = "banks=32", .tuning = GPU(32, 8)},
    {.kind = "u16", .ways = 256, .by = DMM_PARTITION_BY_LABELS, .value_bytes = 4,
        .label_bytes = 4, .bits = {0, 0}, .set = "", .tuning = CPU(64)},
    {.kind = "i8", .ways = 2, .by = DMM_PARTITION_BY_SPLITTERS, .value_bytes = 4, .bits = {0, 0},
        .flags = ROW_DESCENDING, .set = "banks=8", .tuning = GPU(8, 15)},
    {.kind = "u16", .ways = 1000, .by = DMM_PARTITION_BY_LABELS, .value_bytes = 5,
        .label_bytes = 2, .bits = {0, 0}, .set = "banks=64", .tuning = GPU(64, 4)},
    {.kind = "f64", .ways = 64, .by = DMM_PARTITION_BY_SPLITTERS, .value_bytes = 4,
        .bits = {0, 0}, .flags = ROW_DESCENDING, .set = "", .tuning = CPU(64)},
    {.kind = "u32", .ways = 1, .by = DMM_PARTITION_BY_SPLITTERS, .value_bytes = 4, .bits = {0, 0},
        .set = "banks=16,bank_bytes=8", .tuning = GPU(16, 7)},
    {.kind = "item12", .ways = 33, .by = DMM_PARTITION_BY_LABELS, .value_bytes = 4,
        .label_bytes = 2, .bits = {0, 0}, .set = "banks=16", .tuning = GPU(16, 7)},
    {.kind = "u32", .ways = 1, .by = DMM_PARTITION_BY_LABELS, .label_bytes = 4, .bits = {0, 0},
        .set = "", .tuning = CPU(64)},
    {.kind = "u64", .ways = 65536, .by = DMM_PARTITION_BY_BITS, .value_bytes = 4,
        .bits = {20, 36}, .set = "banks=64", .tuning = GPU(64, 4)},
    {.kind = "i8", .ways = 1000, .by = DMM_PARTITION_BY_BITS, .value_bytes = 4, .bits = {0, 8},
        .set = "", .tuning = CPU(64)},
    {.kind = "f32", .ways = 65536, .by = DMM_PARTITION_BY_LABELS, .label_bytes = 4,
        .bits = {0, 0}, .set = "", .tuning = CPU(64)},
    {.kind = "item12", .ways = 256, .by = DMM_PARTITION_BY_SPLITTERS, .value_bytes = 4,
        .bits = {0, 0}, .set = "", .tuning = CPU(64)},
    {.kind = "u32", .ways = 32, .by = DMM_PARTITION_BY_LABELS, .bits = {0, 0}, .set = "banks=32",
        .tuning = GPU(32, 8)},
    {.kind = "u32", .ways = 32, .by = DMM_PARTITION_BY_LABELS, .value_bytes = 4, .label_bytes = 4,
        .bits = {0, 0}, .set = "", .tuning = CPU(64)},
    {.kind = "u8", .ways = 2, .by = DMM_PARTITION_BY_LABELS, .value_bytes = 4, .label_bytes = 1,
        .bits = {0, 0}, .set = "banks=8", .tuning = GPU(8, 15)},
    {.kind = "u64", .ways = 256, .by = DMM_PARTITION_BY_LABELS, .value_bytes = 4,
        .label_bytes = 1, .bits = {0, 0}, .set = "", .tuning = CPU(64)},
    {.kind = "item256", .ways = 3, .by = DMM_PARTITION_BY_LABELS, .label_bytes = 2,
        .bits = {0, 0}, .set = "banks=32", .tuning = GPU(32, 8)},
    {.kind = "u32", .ways = 1000, .by = DMM_PARTITION_BY_LABELS, .value_bytes = 4,
        .label_bytes = 4, .bits = {0, 0}, .set = "", .tuning = CPU(64)},
    {.kind = "u32", .ways = 65536, .by = DMM_PARTITION_BY_LABELS, .value_bytes = 4,
        .label_bytes = 2, .bits = {0, 0}, .set = "banks=32", .tuning = GPU(32, 8)},
    {.kind = "f32", .ways = 31, .by = DMM_PARTITION_BY_SPLITTERS, .value_bytes = 4,
        .bits = {0, 0}, .set = "banks=32", .tuning = GPU(32, 8)},
    {.kind = "i64", .ways = 1000, .by = DMM_PARTITION_BY_SPLITTERS, .value_bytes = 4,
        .bits = {0, 0}, .set = "banks=16", .tuning = GPU(16, 7)},
    {.kind = "u16", .ways = 65536, .by = DMM_PARTITION_BY_SPLITTERS, .value_bytes = 4,
        .bits = {0, 0}, .set = "", .tuning = CPU(64)},
    {.kind = "u32", .ways = 32, .by = DMM_PARTITION_BY_BITS, .value_bytes = 4, .bits = {27, 32},
        .set = "banks=32", .tuning = GPU(32, 8)},
    {.kind = "i32", .ways = 256, .by = DMM_PARTITION_BY_BITS, .value_bytes = 4, .bits = {24, 32},
        .flags = ROW_DESCENDING, .set = "", .tuning = CPU(64)},
    {.kind = "item12", .ways = 2, .by = DMM_PARTITION_BY_LABELS, .value_bytes = 4,
        .label_bytes = 4, .bits = {0, 0}, .set = "", .tuning = CPU(64)},
    {.kind = "u32", .ways = 2, .by = DMM_PARTITION_BY_SPLITTERS, .bits = {0, 0}, .set = "",
        .tuning = CPU(256)},
};
/* clang-format on */

enum { NUM_ROWS = sizeof table / sizeof table[0] };

static void check_row(const partition_row *row, uint64_t seed)
{
    const uint64_t T = tile_of(&row->tuning);
    const uint64_t of[] = {
        T + 1, 0, 1, 3 * T + 1, 2, 3, T - 1, T, 2 * T, 2 * T + 3, 33, 7 * T - 5, 20 * T + 17};
    const size_t count = sizeof of / sizeof of[0];
    const partition_sizes sizes = {of, by_size(2, count, count), 1};
    partition_check_row(row, DMM_PARTITION_AUTO, &sizes, seed);
}

/* Buckets of one bit, of one digit, and of two. */
static int digits(uint32_t ways)
{
    return ways == 1 ? 0 : ways == 2 ? 1 : ways <= 256 ? 2 : ways <= 1000 ? 3 : 4;
}

static int runs(cover *seen, const partition_row *one)
{
    const kind k = kind_named(one->kind);
    return COVER_TAKES(seen, 1, one->tuning.form, 4u * one->tuning.form + one->by,
        8u * one->tuning.form + (unsigned)digits(one->ways), cover_text(one->set),
        one->by == DMM_PARTITION_BY_SPLITTERS ? 1 + cover_order(&k) : 0, cover_bytes(k.bytes),
        cover_bytes(one->value_bytes), one->label_bytes, one->flags != 0);
}

static void every_row_of_the_covering_table_is_partitioned(void **state)
{
    cover seen = {0};
    (void)state;
    for (size_t i = 0; i < NUM_ROWS; i++)
        if (runs(&seen, &table[i]))
            check_row(&table[i], 100 * i);
}

static void so_is_a_row_of_each_machine_under_guarantee(void **state)
{
    static const size_t rows[] = {14, 6, 0, 3, 18};
    (void)state;
    for (size_t i = 0; i < by_size(1, 2, 5); i++) {
        partition_row row = table[rows[i]];
        row.flags = ROW_GUARANTEE;
        check_row(&row, 1000 * i);
    }
}

/* Two buckets of the GPU form, which packing moves, with items and values of many words; and by the
 * sort that moves all others. */
static void two_buckets_are_packed(void **state)
{
    static const partition_row rows[] = {{.kind = "item12",
                                             .ways = 2,
                                             .by = DMM_PARTITION_BY_LABELS,
                                             .value_bytes = 5,
                                             .label_bytes = 2,
                                             .set = "banks=16",
                                             .tuning = GPU(16, 7)},
        {.kind = "u64",
            .ways = 2,
            .by = DMM_PARTITION_BY_BITS,
            .bits = {63, 64},
            .set = "banks=8",
            .tuning = GPU(8, 15)},
        {.kind = "f32",
            .ways = 2,
            .by = DMM_PARTITION_BY_SPLITTERS,
            .value_bytes = 16,
            .set = "banks=32",
            .tuning = GPU(32, 8)}};
    static const uint64_t of[] = {0, 1, 111, 112, 113, 1000, 5001, 300001}; /* ranges of tiles */
    const partition_sizes sizes = {of, by_size(7, 8, 8), 1};
    (void)state;
    for (size_t i = 0; i < by_size(2, 3, 3); i++)
        partition_check_row(&rows[i], DMM_PARTITION_AUTO, &sizes, 10 * i);
    partition_check_row(&rows[1], DMM_PARTITION_RADIX, &sizes, 1);
}

static void sizes_up_to_4096_are_partitioned(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2; i++)
        partition_check_sizes_to(by_size(100, 4096, 4096), &table[i], DMM_PARTITION_AUTO);
}

/* So many items that the CPU form moves them by whole lines, to targets that are aligned and that
 * are not. */
static void two_million_items_are_partitioned(void **state)
{
    static const partition_row one = {.kind = "u64",
        .ways = 100,
        .by = DMM_PARTITION_BY_LABELS,
        .label_bytes = 1,
        .set = "",
        .tuning = CPU(0)};
    static rig r;
    (void)state;
    if (sizes_wanted() == SIZES_SMALL)
        skip();
    rig_optimise();
    rig_open(&r, one.set);
    const partition_setup setup = partition_setup_of(&one, DMM_PARTITION_AUTO);
    dmm_partition *const partition = partition_build(&r, &setup);
    for (uint64_t i = 0; i < 2; i++) {
        const partition_case c = {.n = 1900000 + i, .in_place = i == 1, .offset_items = 3 * i};
        partition_check(&r, partition, &setup, &c);
    }
    dmm_partition_free(partition);
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_of_the_covering_table_is_partitioned),
        cmocka_unit_test(so_is_a_row_of_each_machine_under_guarantee),
        cmocka_unit_test(two_buckets_are_packed),
        cmocka_unit_test(sizes_up_to_4096_are_partitioned),
        cmocka_unit_test(two_million_items_are_partitioned),
    };
    return cmocka_run_group_tests_name("partition", tests, NULL, NULL);
}
