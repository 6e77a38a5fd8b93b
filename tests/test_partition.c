/* SPDX-License-Identifier: MIT */
/* ctest: oclgrind rows full */
/*
 * dmm_partition over sizes, ways, spreads, item and value sizes, and what decides buckets.
 */
#include "support/require.h"

#include "support/cover.h"
#include "support/forms.h"
#include "support/partition_rows.h"

/* Few parameters, so that rows share programs. After the first two, each row has the most levels
 * that those above lack (support/cover.h). */
static const partition_row table[] = {
    {"u32", 33, DMM_PARTITION_BY_LABELS, 4, 1, {0, 0}, 0, "banks=32", GPU(32, 8)},
    {"u16", 256, DMM_PARTITION_BY_LABELS, 4, 4, {0, 0}, 0, "", CPU(64)},
    {"i8", 2, DMM_PARTITION_BY_SPLITTERS, 4, 0, {0, 0}, ROW_DESCENDING, "banks=8", GPU(8, 15)},
    {"u16", 1000, DMM_PARTITION_BY_LABELS, 5, 2, {0, 0}, 0, "banks=64", GPU(64, 4)},
    {"f64", 64, DMM_PARTITION_BY_SPLITTERS, 4, 0, {0, 0}, ROW_DESCENDING, "", CPU(64)},
    {"u32", 1, DMM_PARTITION_BY_SPLITTERS, 4, 0, {0, 0}, 0, "banks=16,bank_bytes=8", GPU(16, 7)},
    {"item12", 33, DMM_PARTITION_BY_LABELS, 4, 2, {0, 0}, 0, "banks=16", GPU(16, 7)},
    {"u32", 1, DMM_PARTITION_BY_LABELS, 0, 4, {0, 0}, 0, "", CPU(64)},
    {"u64", 65536, DMM_PARTITION_BY_BITS, 4, 0, {20, 36}, 0, "banks=64", GPU(64, 4)},
    {"i8", 1000, DMM_PARTITION_BY_BITS, 4, 0, {0, 8}, 0, "", CPU(64)},
    {"f32", 65536, DMM_PARTITION_BY_LABELS, 0, 4, {0, 0}, 0, "", CPU(64)},
    {"item12", 256, DMM_PARTITION_BY_SPLITTERS, 4, 0, {0, 0}, 0, "", CPU(64)},
    {"u32", 32, DMM_PARTITION_BY_LABELS, 0, 0, {0, 0}, 0, "banks=32", GPU(32, 8)},
    {"u32", 32, DMM_PARTITION_BY_LABELS, 4, 4, {0, 0}, 0, "", CPU(64)},
    {"u8", 2, DMM_PARTITION_BY_LABELS, 4, 1, {0, 0}, 0, "banks=8", GPU(8, 15)},
    {"u64", 256, DMM_PARTITION_BY_LABELS, 4, 1, {0, 0}, 0, "", CPU(64)},
    {"item256", 3, DMM_PARTITION_BY_LABELS, 0, 2, {0, 0}, 0, "banks=32", GPU(32, 8)},
    {"u32", 1000, DMM_PARTITION_BY_LABELS, 4, 4, {0, 0}, 0, "", CPU(64)},
    {"u32", 65536, DMM_PARTITION_BY_LABELS, 4, 2, {0, 0}, 0, "banks=32", GPU(32, 8)},
    {"f32", 31, DMM_PARTITION_BY_SPLITTERS, 4, 0, {0, 0}, 0, "banks=32", GPU(32, 8)},
    {"i64", 1000, DMM_PARTITION_BY_SPLITTERS, 4, 0, {0, 0}, 0, "banks=16", GPU(16, 7)},
    {"u16", 65536, DMM_PARTITION_BY_SPLITTERS, 4, 0, {0, 0}, 0, "", CPU(64)},
    {"u32", 32, DMM_PARTITION_BY_BITS, 4, 0, {27, 32}, 0, "banks=32", GPU(32, 8)},
    {"i32", 256, DMM_PARTITION_BY_BITS, 4, 0, {24, 32}, ROW_DESCENDING, "", CPU(64)},
};

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
    static const partition_row one = {
        "u64", 100, DMM_PARTITION_BY_LABELS, 0, 1, {0, 0}, 0, "", CPU(0)};
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
        cmocka_unit_test(sizes_up_to_4096_are_partitioned),
        cmocka_unit_test(two_million_items_are_partitioned),
    };
    return cmocka_run_group_tests_name("partition", tests, NULL, NULL);
}
