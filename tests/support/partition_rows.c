/* SPDX-License-Identifier: MIT */
#include "support/partition_rows.h"

#include <string.h>

#include "support/forms.h"
#include "support/require.h"

static uint64_t last_digit(const void *item, const void *value, uint64_t i)
{
    const unsigned char *const bytes = item;
    (void)value, (void)i;
    return bytes[0] % 10;
}

partition_setup partition_setup_of(const partition_row *row, dmm_partition_method method)
{
    partition_setup setup = {.k = kind_named(row->kind),
        .ways = row->ways,
        .by = row->by,
        .value_bytes = row->value_bytes,
        .label_bytes = row->label_bytes,
        .bits = row->bits,
        .expression = row->by == DMM_PARTITION_BY_EXPRESSION ? "key % 256 % 10" : NULL,
        .rule = last_digit,
        .guarantee = (row->flags & ROW_GUARANTEE) != 0,
        .method = method,
        .tuning = row->tuning};
    setup.k.order.descending = (row->flags & ROW_DESCENDING) != 0;
    return setup;
}

void partition_check_row(const partition_row *row, dmm_partition_method method,
    const partition_sizes *sizes, uint64_t seed)
{
    static rig r;
    const partition_setup setup = partition_setup_of(row, method);
    rig_open(&r, row->set);
    dmm_partition *const partition = partition_build(&r, &setup);
    for (size_t i = 0; i < sizes->count; i++)
        for (size_t k = 0; k < sizes->spreads; k++) {
            partition_case c = partition_case_of(sizes->of[i], seed + i);
            c.labels = (spread)((c.labels + k) % SPREAD_COUNT);
            partition_check(&r, partition, &setup, &c);
        }
    dmm_partition_free(partition);
    rig_close(&r);
}

void partition_check_sizes_to(uint64_t most, const partition_row *row, dmm_partition_method method)
{
    static rig r;
    const partition_setup setup = partition_setup_of(row, method);
    const uint64_t dense = 3 * tile_of(&row->tuning) + 2;
    rig_open(&r, row->set);
    dmm_partition *const partition = partition_build(&r, &setup);
    for (uint64_t n = 0; n <= most; n = size_after(n, dense)) {
        const partition_case c = partition_case_of(n, n);
        partition_check(&r, partition, &setup, &c);
    }
    dmm_partition_free(partition);
    rig_close(&r);
}

void partition_check_many(dmm_partition_method method)
{
    static rig r;
    const partition_setup setup = {
        .k = kind_named("u32"), .ways = 300, .value_bytes = 4, .method = method};
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
