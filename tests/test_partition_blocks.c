/* SPDX-License-Identifier: MIT */
/*
 * dmm_partition by method blocks: blocks of one item to a line, over item and value sizes, ways,
 * spreads, and what decides buckets. A stable partition is one result: the judges are those of
 * method radix.
 */
#include "support/require.h"

#include <string.h>

#include "support/cover.h"
#include "support/forms.h"
#include "support/partition_case.h"

typedef struct row {
    const char *kind;
    uint32_t ways;
    dmm_partition_by by;
    uint32_t value_bytes, label_bytes;
    dmm_bits bits;
    const char *set; /* facts of the device */
    dmm_tuning tuning;
} row;

/* Blocks of tile / (2K) items, K a power of two; at most 128 bytes. */
static const row table[] = {
    {"u32", 10, DMM_PARTITION_BY_LABELS, 0, 4, {0, 0}, "banks=8", GPU(16, 16)},
    {"u32", 2, DMM_PARTITION_BY_LABELS, 8, 1, {0, 0}, "banks=8", GPU(32, 4)},
    {"u64", 20, DMM_PARTITION_BY_LABELS, 1, 2, {0, 0}, "banks=32", GPU(64, 7)},
    {"u16", 1000, DMM_PARTITION_BY_LABELS, 5, 2, {0, 0}, "banks=16", GPU(128, 15)},
    {"f32", 31, DMM_PARTITION_BY_SPLITTERS, 4, 0, {0, 0}, "banks=16,bank_bytes=8", GPU(32, 8)},
    {"i32", 256, DMM_PARTITION_BY_BITS, 2, 0, {24, 32}, "banks=8", GPU(32, 4)},
    {"item12", 3, DMM_PARTITION_BY_LABELS, 12, 4, {0, 0}, "banks=4", GPU(16, 8)},
    {"u8", 10, DMM_PARTITION_BY_EXPRESSION, 4, 0, {0, 0}, "banks=32", GPU(64, 32)},
    {"u32", 65536, DMM_PARTITION_BY_LABELS, 4, 2, {0, 0}, "banks=8", GPU(64, 16)},
};

static uint64_t last_digit(const void *item, const void *value, uint64_t i)
{
    unsigned char key = 0;
    (void)value, (void)i;
    memcpy(&key, item, sizeof key);
    return key % 10;
}

static partition_setup setup_of(const row *r)
{
    return (partition_setup){.k = kind_named(r->kind),
        .ways = r->ways,
        .by = r->by,
        .value_bytes = r->value_bytes,
        .label_bytes = r->label_bytes,
        .bits = r->bits,
        .expression = r->by == DMM_PARTITION_BY_EXPRESSION ? "key % 10" : NULL,
        .rule = last_digit,
        .method = DMM_PARTITION_BLOCKS,
        .tuning = r->tuning};
}

static void check_row(const row *one, uint64_t seed)
{
    static rig r;
    const partition_setup setup = setup_of(one);
    const uint64_t T = tile_of(&one->tuning);
    const uint64_t sizes[] = {2 * T + 3, 0, 9 * T - 5, 1, T, T + 1, 40 * T + 7};
    const size_t count = sizeof sizes / sizeof sizes[0];
    rig_open(&r, one->set);
    dmm_partition *const partition = partition_build(&r, &setup);
    for (size_t i = 0; i < by_size(2, count, count); i++)
        for (uint64_t k = 0; k < by_size(1, SPREAD_COUNT, SPREAD_COUNT); k++) {
            partition_case c = partition_case_of(sizes[i], seed + i);
            c.labels = (spread)((c.labels + k) % SPREAD_COUNT);
            partition_check(&r, partition, &setup, &c);
        }
    dmm_partition_free(partition);
    rig_close(&r);
}

static int runs(cover *seen, const row *one)
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
    const partition_setup setup = setup_of(&table[0]);
    const uint64_t dense = 3 * tile_of(&table[0].tuning) + 2;
    static rig r;
    (void)state;
    rig_open(&r, table[0].set);
    dmm_partition *const partition = partition_build(&r, &setup);
    for (uint64_t n = 0; n <= by_size(60, 4096, 4096); n = size_after(n, dense)) {
        const partition_case c = partition_case_of(n, n);
        partition_check(&r, partition, &setup, &c);
    }
    dmm_partition_free(partition);
    rig_close(&r);
}

/* The form is the GPU's unless the description asks for the CPU's. */
static void many_items_are_partitioned_with_default_parameters(void **state)
{
    static rig r;
    const partition_setup setup = {
        .k = kind_named("u32"), .ways = 300, .value_bytes = 4, .method = DMM_PARTITION_BLOCKS};
    (void)state;
    if (sizes_wanted() == SIZES_SMALL)
        skip();
    rig_open(&r, "form=cpu");
    dmm_partition *const partition = partition_build(&r, &setup);
    const partition_case c = partition_case_of(by_size(0, 10007, 1 << 20), 6);
    partition_check(&r, partition, &setup, &c);
    REQUIRE(strstr(r.log, "form=cpu") == NULL);
    dmm_partition_free(partition);
    rig_close(&r);
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
