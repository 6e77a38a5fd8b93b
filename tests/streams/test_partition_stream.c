/* SPDX-License-Identifier: MIT */
/*
 * dmm_partition_stream with tiny runs and windows, by every source of buckets; buckets longer than
 * windows and runs; items without a bucket; failing callbacks.
 */
#include "support/require.h"

#include <string.h>

#include "support/forms.h"
#include "support/partition_stream_case.h"

/* Position, item and value decide, so an item of another run would be noticed. */
static const char *const expression = "(key + i * 3 + value) % 10";

static uint32_t bucket_of(const void *item, const void *value, uint64_t i)
{
    uint32_t key = 0, v = 0;
    memcpy(&key, item, sizeof key);
    memcpy(&v, value, sizeof v);
    return (uint32_t)((key + i * 3 + v) % 10);
}

typedef struct test_row {
    const char *kind;
    uint32_t value_bytes;
    dmm_partition_desc desc;
} test_row;

/* Each row is a program: few of them. */
static const test_row rows_of_all[] = {
    {"u32", 4, {.ways = 10, .by = DMM_PARTITION_BY_EXPRESSION}},
    {"u32", 0, {.ways = 7, .by = DMM_PARTITION_BY_LABELS, .label_bytes = 1}},
    {"f32", 4, {.ways = 5, .by = DMM_PARTITION_BY_SPLITTERS}},
    {"u16", 0, {.ways = 300, .by = DMM_PARTITION_BY_BITS, .bits = {3, 11}}},
    {"item12", 3, {.ways = 1000, .by = DMM_PARTITION_BY_LABELS}},
};

static partition_stream_case case_of(const test_row *row, uint64_t n, uint64_t run, uint64_t window)
{
    partition_stream_case c = {.k = kind_named(row->kind),
        .value_bytes = row->value_bytes,
        .n = n,
        .desc = {.partition = row->desc, .run_items = run, .window_items = window},
        .rule = bucket_of,
        .most_read = n % 3 * 5};
    c.desc.partition.tuning = usual_tuning();
    if (row->desc.by == DMM_PARTITION_BY_EXPRESSION)
        c.desc.partition.expression = expression;
    test_note("%s, values of %u, by %d, K %u, n %llu, runs of %llu, windows of %llu", row->kind,
        row->value_bytes, (int)row->desc.by, row->desc.ways, (unsigned long long)n,
        (unsigned long long)run, (unsigned long long)window);
    return c;
}

static void check_case(const rig *r, const test_row *row, uint64_t n, uint64_t run, uint64_t window)
{
    partition_stream_case c = case_of(row, n, run, window);
    partition_stream_open(&c, r, (shape)((n + run) % SHAPE_COUNT), n + run + window);
    REQUIRE_OK(partition_stream_run(&c, r));
    partition_stream_check(&c);
    partition_stream_close(&c);
}

static void items_lie_where_dmm_partition_puts_them(void **state)
{
    static const uint64_t sizes[][2] = {{64, 64}, {7, 1}, {64, 33}, {50, 1000}, {1, 5}, {600, 7}};
    static const uint64_t counts[] = {0, 1, 63, 64, 65, 129, 700};
    static rig r;
    rig_open(&r, *state);
    for (size_t i = 0; i < by_size(1, 5, 5); i++)
        for (size_t s = 0; s < by_size(1, 6, 6); s++)
            for (size_t n = by_size(5, 0, 0); n < by_size(6, 7, 7); n++) {
                const uint64_t most = sizes[s][0] == 1 ? 40 : counts[n];
                check_case(&r, &rows_of_all[i], counts[n] < most ? counts[n] : most, sizes[s][0],
                    sizes[s][1]);
            }
    rig_close(&r);
}

/* One bucket of all items, longer than any window; and one bucket only. */
static void a_bucket_may_be_longer_than_memory(void **state)
{
    test_row one = rows_of_all[1];
    static rig r;
    (void)state;
    rig_open(&r, NULL);
    partition_stream_case c = case_of(&one, by_size(150, 500, 500), 64, 20);
    partition_stream_open(&c, &r, SHAPE_RANDOM, 1);
    for (uint64_t i = 0; i < c.n; i++) {
        c.buckets[i] = 3 + (i == 77);
        c.labels[i] = (unsigned char)c.buckets[i];
    }
    REQUIRE_OK(partition_stream_run(&c, &r));
    partition_stream_check(&c);
    partition_stream_close(&c);
    one.desc.ways = 1;
    check_case(&r, &one, 100, 64, 20);
    rig_close(&r);
}

static void an_item_without_a_bucket_leaves_no_output(void **state)
{
    static const uint64_t bad[] = {0, 63, 64, 150, 199};
    static rig r;
    rig_open(&r, *state);
    for (size_t i = by_size(3, 0, 0); i < by_size(4, 5, 5); i++)
        for (int only = 0; only < 2; only++) {
            partition_stream_case c = case_of(&rows_of_all[1], 200, only ? 200 : 64, 50);
            partition_stream_open(&c, &r, SHAPE_RANDOM, i);
            c.labels[bad[i]] = 7;
            c.labels[199] = 255;
            REQUIRE_STATUS(DMM_BAD_DATA, partition_stream_run(&c, &r));
            REQUIRE(c.report.code == DMM_BAD_DATA && c.report.position == bad[i]);
            REQUIRE(c.written == 0);
            partition_stream_close(&c);
        }
    rig_close(&r);
}

static void a_callback_that_fails_ends_the_call(void **state)
{
    static rig r;
    rig_open(&r, *state);
    for (int only = 0; only < 2; only++) {
        partition_stream_case c = case_of(&rows_of_all[0], 200, only ? 200 : 64, 50);
        partition_stream_open(&c, &r, SHAPE_RANDOM, 1);
        REQUIRE_OK(partition_stream_run(&c, &r));
        for (uint64_t k = 1, calls = c.calls; k <= calls; k += by_size(12, 1, 1)) {
            test_note(
                "callback %llu of %llu fails", (unsigned long long)k, (unsigned long long)calls);
            c.fails_at = k;
            REQUIRE_STATUS(PARTITION_STREAM_FAILS, partition_stream_run(&c, &r));
        }
        c.fails_at = 0;
        REQUIRE_OK(partition_stream_run(&c, &r));
        partition_stream_check(&c);
        partition_stream_close(&c);
    }
    rig_close(&r);
}

static void sizes_follow_the_memory(void **state)
{
    const uint64_t n = by_size(500, 200000, 2000000), memory = by_size(1 << 15, 1 << 21, 1 << 23);
    partition_stream_case c = case_of(&rows_of_all[1], n, 0, 0);
    static rig r;
    (void)state;
    rig_open(&r, NULL);
    c.desc.memory_bytes = memory;
    test_note("memory of %llu bytes", (unsigned long long)memory);
    partition_stream_open(&c, &r, SHAPE_BITS, 5);
    REQUIRE(c.plan.run_items * 4 * 4 <= memory && c.plan.run_items * 4 * 16 >= memory);
    REQUIRE(c.plan.window_items * 4 * 2 <= memory && c.plan.window_items * 4 * 3 >= memory);
    REQUIRE_OK(partition_stream_run(&c, &r));
    partition_stream_check(&c);
    partition_stream_close(&c);
    rig_close(&r);
}

static dmm_status read_more(
    void *user, void *items, void *values, void *labels, uint64_t most, uint64_t *count)
{
    (void)user, (void)items, (void)values, (void)labels;
    *count = most + 1;
    return DMM_OK;
}

static dmm_status no_write(void *user, const void *items, const void *values, uint64_t count)
{
    (void)user, (void)items, (void)values, (void)count;
    return PARTITION_STREAM_FAILS;
}

static dmm_status no_store(void *user, uint64_t at, const void *data, uint64_t bytes)
{
    (void)user, (void)at, (void)data, (void)bytes;
    return PARTITION_STREAM_FAILS;
}

static dmm_status no_load(void *user, uint64_t at, void *data, uint64_t bytes)
{
    (void)user, (void)at, (void)data, (void)bytes;
    return PARTITION_STREAM_FAILS;
}

static void wrong_arguments_are_refused(void **state)
{
    dmm_partition_stream_desc desc = {
        .partition = rows_of_all[1].desc, .run_items = 8, .window_items = 8};
    dmm_partition_stream_args args = {
        .read = read_more, .write = no_write, .store = no_store, .load = no_load};
    dmm_partition_stream_plan plan = {.runs = 77};
    static rig r;
    (void)state;
    rig_open(&r, NULL);
    test_note("arguments");
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_partition_stream_plan_host(NULL, r.ctx, &desc, 1));
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_partition_stream_plan_host(&plan, NULL, &desc, 1));
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_partition_stream_plan_host(&plan, r.ctx, NULL, 1));
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_partition_stream_host(NULL, &desc, &args));
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_partition_stream_host(r.ctx, NULL, &args));
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_partition_stream_host(r.ctx, &desc, NULL));
    for (int i = 0; i < 4; i++) {
        dmm_partition_stream_args without = args;
        *(i == 0     ? (void **)&without.read
            : i == 1 ? (void **)&without.write
            : i == 2 ? (void **)&without.store
                     : (void **)&without.load) = NULL;
        REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_partition_stream_host(r.ctx, &desc, &without));
    }
    REQUIRE_STATUS(DMM_BAD_VALUE, dmm_partition_stream_host(r.ctx, &desc, &args));
    args.reserved[3] = 1;
    REQUIRE_STATUS(DMM_UNSUPPORTED, dmm_partition_stream_host(r.ctx, &desc, &args));
    REQUIRE_OK(dmm_partition_stream_plan_host(&plan, r.ctx, &desc, 17));
    REQUIRE(plan.runs == 3 && plan.run_items == 8 && plan.store_bytes == 2 * 4096 + 4);
    REQUIRE_OK(dmm_partition_stream_plan_host(&plan, r.ctx, &desc, 8));
    REQUIRE(plan.runs == 1 && plan.store_bytes == 0);
    REQUIRE_STATUS(DMM_TOO_LARGE, dmm_partition_stream_plan_host(&plan, r.ctx, &desc, UINT64_MAX));
    desc.reserved[0] = 1;
    REQUIRE_STATUS(DMM_UNSUPPORTED, dmm_partition_stream_plan_host(&plan, r.ctx, &desc, 1));
    desc = (dmm_partition_stream_desc){.partition = rows_of_all[1].desc, .memory_bytes = 1000};
    REQUIRE_STATUS(DMM_BAD_VALUE, dmm_partition_stream_plan_host(&plan, r.ctx, &desc, 1));
    desc.run_items = UINT64_MAX / 16;
    REQUIRE_STATUS(DMM_TOO_LARGE, dmm_partition_stream_plan_host(&plan, r.ctx, &desc, 1));
    desc = (dmm_partition_stream_desc){.partition = {.ways = 65537}};
    REQUIRE_STATUS(DMM_BAD_VALUE, dmm_partition_stream_plan_host(&plan, r.ctx, &desc, 1));
    desc = (dmm_partition_stream_desc){.partition = {.order = {.type = DMM_ITEM}}};
    REQUIRE_STATUS(DMM_BAD_VALUE, dmm_partition_stream_plan_host(&plan, r.ctx, &desc, 1));
    desc = (dmm_partition_stream_desc){
        .partition = {.ways = 5, .order = {.type = DMM_F32}, .by = DMM_PARTITION_BY_SPLITTERS}};
    args.reserved[3] = 0;
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_partition_stream_host(r.ctx, &desc, &args));
    rig_close(&r);
}

int main(void)
{
    /* Two queues, and two sets of buffers. */
    char gpu[] = "form=gpu,u=32,E=4";
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(items_lie_where_dmm_partition_puts_them),
        cmocka_unit_test(a_bucket_may_be_longer_than_memory),
        cmocka_unit_test(an_item_without_a_bucket_leaves_no_output),
        cmocka_unit_test(a_callback_that_fails_ends_the_call),
        cmocka_unit_test(sizes_follow_the_memory),
        cmocka_unit_test(wrong_arguments_are_refused),
        cmocka_unit_test_prestate(items_lie_where_dmm_partition_puts_them, gpu),
        cmocka_unit_test_prestate(an_item_without_a_bucket_leaves_no_output, gpu),
        cmocka_unit_test_prestate(a_callback_that_fails_ends_the_call, gpu),
    };
    return cmocka_run_group_tests_name("partition_stream", tests, NULL, NULL);
}
