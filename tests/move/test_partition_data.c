/* SPDX-License-Identifier: MIT */
/* ctest: oclgrind rows */
/*
 * dmm_partition where the data matter: expressions, items that have no bucket, counts in device
 * memory, positions beyond 2^32, the blocking form; and tests of the judges.
 */
#include "support/require.h"

#include <string.h>

#include "primitives/partition.h"
#include "support/cover.h"
#include "support/forms.h"
#include "support/partition_case.h"
#include "support/partition_judge.h"

static uint64_t last_digit(const void *item, const void *value, uint64_t i)
{
    uint32_t key = 0;
    (void)value, (void)i;
    memcpy(&key, item, sizeof key);
    return key % 10;
}

static uint64_t sign_of_float(const void *item, const void *value, uint64_t i)
{
    float key = 0;
    (void)value, (void)i;
    memcpy(&key, item, sizeof key);
    return key < 0 ? 0 : 1;
}

static uint64_t every_third(const void *item, const void *value, uint64_t i)
{
    (void)item, (void)value;
    return i % 3;
}

static uint64_t low_bits_of_value(const void *item, const void *value, uint64_t i)
{
    uint16_t v = 0;
    (void)item, (void)i;
    memcpy(&v, value, sizeof v);
    return v & 511;
}

static uint64_t field_of_item(const void *item, const void *value, uint64_t i)
{
    int32_t lo = 0;
    (void)value, (void)i;
    memcpy(&lo, (const char *)item + 8, sizeof lo);
    return lo < 0 ? 0 : (uint64_t)lo % 5;
}

static void expressions_decide(void **state)
{
    const struct {
        const char *kind, *expression;
        partition_rule *rule;
        uint32_t ways, value_bytes;
        dmm_tuning tuning;
    } rows[] = {
        {"u32", "key % 10", last_digit, 10, 4, GPU(16, 7)},
        {"f32", "key < 0 ? 0 : 1", sign_of_float, 2, 4, CPU(64)},
        {"u8", "i % 3", every_third, 3, 12, CPU(64)},
        {"u64", "i % 3 // a comment", every_third, 300, 4, GPU(16, 7)},
        {"u16", "value & 511", low_bits_of_value, 512, 2, GPU(16, 7)},
        {"item12", "key.lo < 0 ? 0 : key.lo % 5", field_of_item, 5, 4, CPU(64)},
        {"item12", "key.lo < 0 ? 0 : key.lo % 5", field_of_item, 5, 0, GPU(16, 7)},
    };
    static rig r;
    (void)state;
    rig_open(&r, "banks=16");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i += by_size(4, 1, 1)) {
        const partition_setup setup = {.k = kind_named(rows[i].kind),
            .ways = rows[i].ways,
            .by = DMM_PARTITION_BY_EXPRESSION,
            .value_bytes = rows[i].value_bytes,
            .expression = rows[i].expression,
            .rule = rows[i].rule,
            .tuning = rows[i].tuning};
        dmm_partition *const partition = partition_build(&r, &setup);
        for (uint64_t n = 0; n < by_size(200, 3000, 30000); n = 5 * n + 3) {
            const partition_case c = {.n = n,
                .input = n % 2 ? SHAPE_RANDOM : SHAPE_SPECIAL,
                .seed = n,
                .in_place = n % 4 == 3,
                .first = rows[i].tuning.form == DMM_FORM_CPU ? 1 << 16 : 0};
            partition_check(&r, partition, &setup, &c);
        }
        dmm_partition_free(partition);
    }
    rig_close(&r);
}

/* What decides the buckets of a prepared run, as it now is on the host: in a new buffer, since
 * Oclgrind 21.10 takes what is written into a part of one as uninitialised. */
static void renew_by(partition_run *run)
{
    const uint64_t bytes = run->by_in.bytes, offset_bytes = run->by_in.offset_bytes;
    zone_free(&run->by_in);
    run->by_in = zone_create(run->r, run->by, bytes, offset_bytes);
    run->args.by = zone_span(&run->by_in);
}

/* A label, cut to its width. */
static void spoil(partition_run *run, uint64_t at, uint32_t label)
{
    const uint32_t bytes = run->setup->label_bytes;
    memcpy(run->by + at * bytes, &label, bytes);
}

static void check_spoiled(const rig *r, dmm_partition *partition, const partition_setup *setup,
    const partition_case *c, uint64_t at, uint32_t label)
{
    cl_event done = NULL;
    partition_run run = partition_prepare(r, partition, setup, c);
    spoil(&run, c->n - 1, UINT32_MAX);
    spoil(&run, at, label);
    renew_by(&run);
    REQUIRE_OK(dmm_partition_enqueue(partition, r->queue, &run.args, c->n, 0, NULL, &done));
    REQUIRE_OK(clWaitForEvents(1, &done));
    clReleaseEvent(done);
    partition_finish_refused(&run, at);
}

/* Labels of K, more, and the most; first, last and between; then the object works as before. */
static void an_item_without_a_bucket_is_reported_and_nothing_is_written(void **state)
{
    const partition_setup setups[] = {
        {.k = kind_named("u32"),
            .ways = 32,
            .value_bytes = 4,
            .label_bytes = 4,
            .tuning = GPU(16, 7)},
        {.k = kind_named("u32"), .ways = 32, .value_bytes = 0, .label_bytes = 1, .tuning = CPU(64)},
        {.k = kind_named("item12"),
            .ways = 1,
            .value_bytes = 5,
            .label_bytes = 2,
            .tuning = GPU(16, 7)},
        {.k = kind_named("u8"),
            .ways = 65535,
            .value_bytes = 8,
            .label_bytes = 2,
            .tuning = CPU(64)},
        {.k = kind_named("u16"),
            .ways = 65536,
            .value_bytes = 4,
            .label_bytes = 4,
            .tuning = GPU(16, 7)},
        {.k = kind_named("u64"),
            .ways = 257,
            .value_bytes = 0,
            .label_bytes = 4,
            .tuning = CPU(64)},
        {.k = kind_named("item12"), /* packed */
            .ways = 2,
            .value_bytes = 5,
            .label_bytes = 4,
            .tuning = GPU(16, 7)},
    };
    static rig r;
    (void)state;
    rig_open(&r, "banks=16");
    for (size_t s = 0; s < sizeof setups / sizeof setups[0]; s += by_size(s == 0 ? 5 : 1, 1, 1)) {
        const partition_setup *const setup = &setups[s];
        dmm_partition *const partition = partition_build(&r, setup);
        for (uint64_t n = 1; n < by_size(60, 5000, 50000); n = 7 * n + 1)
            for (uint64_t part = 0; part < 4; part++) {
                const uint64_t at = part * (n - 1) / 3;
                const partition_case c = {.n = n,
                    .labels = SPREAD_CYCLE,
                    .seed = n,
                    .in_place = part % 2,
                    .no_report = part == 2,
                    .offset_items = 3};
                check_spoiled(&r, partition, setup, &c, at, part % 2 ? setup->ways : UINT32_MAX);
                partition_check(&r, partition, setup, &c);
            }
        dmm_partition_free(partition);
    }
    rig_close(&r);
}

static void an_expression_without_a_bucket_is_reported(void **state)
{
    static const char *const expressions[] = {"i == 77 ? -1 : 0", "i == 77 ? 3 : 2",
        "i == 77 ? 18446744073709551615UL : 1", "(float)i > 76.5f ? 1e30f : 0.0f",
        "i < 77 ? 0 : (ulong)1 << 32"};
    static rig r;
    (void)state;
    rig_open(&r, "banks=16");
    for (size_t e = 0; e < sizeof expressions / sizeof expressions[0]; e += by_size(3, 1, 1)) {
        const partition_setup setup = {.k = kind_named("u32"),
            .ways = 3,
            .by = DMM_PARTITION_BY_EXPRESSION,
            .value_bytes = 4,
            .expression = expressions[e],
            .rule = every_third,
            .tuning = e % 2 ? (dmm_tuning)CPU(64) : (dmm_tuning)GPU(16, 7)};
        dmm_partition *const partition = partition_build(&r, &setup);
        const partition_case c = {.n = 300, .seed = e};
        partition_run run = partition_prepare(&r, partition, &setup, &c);
        REQUIRE_OK(dmm_partition_enqueue(partition, r.queue, &run.args, c.n, 0, NULL, NULL));
        REQUIRE_OK(clFinish(r.queue));
        partition_finish_refused(&run, 77);
        dmm_partition_free(partition);
    }
    rig_close(&r);
}

static void splitters_in_disorder_give_some_partition(void **state)
{
    static rig r;
    (void)state;
    rig_open(&r, "banks=16");
    for (uint32_t ways = 2; ways <= by_size(500, 1000, 1000); ways += 499) {
        const partition_setup setup = {.k = kind_named("f32"),
            .ways = ways,
            .by = DMM_PARTITION_BY_SPLITTERS,
            .tuning = GPU(16, 7)};
        dmm_partition *const partition = partition_build(&r, &setup);
        const partition_case c = {.n = 500, .input = SHAPE_BITS, .seed = ways, .any_result = 1};
        partition_run run = partition_prepare(&r, partition, &setup, &c);
        random_source random = {ways};
        random_bytes(&random, run.by, (ways - 1) * sizeof(float));
        renew_by(&run);
        REQUIRE_OK(dmm_partition_enqueue(partition, r.queue, &run.args, c.n, 0, NULL, NULL));
        REQUIRE_OK(clFinish(r.queue));
        partition_finish(&run);
        dmm_partition_free(partition);
    }
    rig_close(&r);
}

/* Items behind the count are neither looked at nor moved: bad labels there do no harm. */
static void the_number_of_items_may_stand_in_device_memory(void **state)
{
    const partition_setup setups[] = {
        {.k = kind_named("u32"), .ways = 33, .label_bytes = 2, .tuning = GPU(16, 7)},
        {.k = kind_named("u64"), .ways = 2, .label_bytes = 1, .tuning = GPU(16, 7)},
        {.k = kind_named("u16"), .ways = 5000, .label_bytes = 4, .tuning = CPU(64)}};
    enum { N = 700 };
    static rig r;
    const uint64_t n = by_rows(250, N);
    (void)state;
    rig_open(&r, "banks=16");
    for (size_t s = 0; s < by_size(2, 3, 3); s++) {
        dmm_partition *const partition = partition_build(&r, &setups[s]);
        for (uint64_t count = 0; count <= n; count = 3 * count + 1) {
            const partition_case c = {.n = count, .labels = SPREAD_EVEN, .seed = count};
            const dmm_report fine = {DMM_OK, 0, 0};
            partition_run run = partition_prepare(&r, partition, &setups[s], &c);
            const uint32_t label_bytes = setups[s].label_bytes, item_bytes = setups[s].k.bytes;
            unsigned char labels[N * 4], items[N * 8];
            memset(labels, 255, sizeof labels);
            memset(items, 0, sizeof items);
            memcpy(labels, run.by, count * label_bytes);
            memcpy(items, run.items, count * item_bytes);
            zone by = zone_create(&r, labels, N * label_bytes, 0);
            zone in = zone_create(&r, items, N * item_bytes, 0);
            zone out = zone_create(&r, NULL, N * item_bytes, 0);
            zone number = zone_create(&r, &count, sizeof count, 8);
            dmm_partition_args args = run.args;
            args.by = zone_span(&by);
            args.items_in = zone_span(&in);
            args.items_out = zone_span(&out);
            args.count = zone_span(&number);
            REQUIRE_OK(dmm_partition_enqueue(partition, r.queue, &args, n, 0, NULL, NULL));
            REQUIRE_OK(clFinish(r.queue));
            REQUIRE(zone_holds(&r, &run.report, &fine));
            zone_read(&r, &out, items);
            zone_write(&r, &run.items_out, items); /* as many as run has: where finish looks */
            zone_free(&by);
            zone_free(&in);
            zone_free(&out);
            zone_free(&number);
            partition_finish(&run);
        }
        dmm_partition_free(partition);
    }
    rig_close(&r);
}

static void positions_beyond_2_to_the_32_are_partitioned(void **state)
{
    static const uint64_t firsts[] = {
        (uint64_t)1 << 31, ((uint64_t)1 << 32) - 2048, (uint64_t)5 << 40};
    const partition_setup setups[] = {{.k = kind_named("u32"),
                                          .ways = 33,
                                          .value_bytes = 4,
                                          .tuning = GPU(32, 8),
                                          .max_n = UINT64_MAX / 2},
        {.k = kind_named("u8"),
            .ways = 3,
            .by = DMM_PARTITION_BY_EXPRESSION,
            .expression = "i % 3",
            .rule = every_third,
            .value_bytes = 12,
            .tuning = CPU(64),
            .max_n = UINT64_MAX / 2}};
    static rig r;
    (void)state;
    rig_open(&r, "banks=32");
    for (size_t s = 0; s < 2; s++) {
        dmm_partition *const partition = partition_build(&r, &setups[s]);
        REQUIRE(partition->layout.index_bytes == 8);
        for (size_t i = 0; i < sizeof firsts / sizeof firsts[0]; i++) {
            const partition_case c = {.n = by_size(200, 2047, 2047), .seed = i, .first = firsts[i]};
            partition_check(&r, partition, &setups[s], &c);
        }
        dmm_partition_free(partition);
    }
    rig_close(&r);
}

static void the_blocking_form_partitions_or_says_why_not(void **state)
{
    enum { N = 1000, WAYS = 7 };
    static rig r;
    uint32_t items[N], values[N], labels[N], before[N];
    uint64_t offsets[WAYS + 1];
    dmm_report report;
    const dmm_partition_host_args args = {items, values, labels, offsets, &report};
    const dmm_partition_desc desc = {.ways = WAYS, .value_bytes = 4};
    (void)state;
    rig_open(&r, "banks=16");
    for (uint32_t i = 0; i < N; i++) {
        before[i] = items[i] = i * 2654435761u;
        values[i] = i;
        labels[i] = i * i % WAYS;
    }
    labels[500] = WAYS;
    REQUIRE_STATUS(DMM_BAD_DATA, dmm_partition_host(r.ctx, &desc, &args, N));
    REQUIRE(report.code == DMM_BAD_DATA && report.position == 500);
    REQUIRE(memcmp(items, before, sizeof items) == 0);
    labels[500] = 0;
    REQUIRE_OK(dmm_partition_host(r.ctx, &desc, &args, N));
    const partition_input in = {.n = N,
        .ways = WAYS,
        .item_bytes = 4,
        .items = (const unsigned char *)before,
        .buckets = labels};
    const partition_result out = {(const unsigned char *)items, NULL, offsets};
    REQUIRE_VERDICT(partition_judge(&in, &out));
    for (uint32_t i = 0; i < N; i++)
        REQUIRE(items[i] == before[values[i]]);
    REQUIRE_OK(dmm_partition_host(r.ctx, &desc, &args, 0));
    REQUIRE(offsets[0] == 0 && offsets[WAYS] == 0);
    const dmm_partition_host_args none = {.items = items, .values = values, .offsets_out = offsets};
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_partition_host(r.ctx, &desc, &none, N));
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_partition_host(r.ctx, &desc, NULL, N));
    rig_close(&r);
}

static void the_judges_find_wrong_answers(void **state)
{
    const unsigned char items[] = "abcdef", moved[] = "acebdf", unstable[] = "caebdf",
                        lost[] = "acebdd";
    const uint32_t buckets[] = {0, 2, 0, 2, 0, 2};
    const uint64_t right[] = {0, 3, 3, 6}, early[] = {0, 2, 3, 6}, short_[] = {0, 3, 3, 5},
                   falling[] = {0, 3, 2, 6};
    const uint32_t numbers[] = {0, 2, 4, 1, 3, 5}, swapped[] = {2, 0, 4, 1, 3, 5};
    const uint32_t given[] = {0, 1, 2, 3, 4, 5};
    const partition_input in = {
        .n = 6, .ways = 3, .item_bytes = 1, .items = items, .buckets = buckets};
    partition_input pairs = in;
    (void)state;
    pairs.value_bytes = 4;
    pairs.numbered = 1;
    pairs.values = (const unsigned char *)given;
#define OUT(i, v, o) (&(partition_result){i, (const unsigned char *)(v), o})
    REQUIRE_VERDICT(partition_judge(&in, OUT(moved, NULL, right)));
    REQUIRE_VERDICT(partition_judge(&pairs, OUT(moved, numbers, right)));
    REQUIRE(partition_judge_by_oracle(&in, OUT(unstable, NULL, right)) != NULL);
    REQUIRE(partition_judge_by_oracle(&in, OUT(lost, NULL, right)) != NULL);
    REQUIRE(partition_judge_by_oracle(&in, OUT(moved, NULL, early)) != NULL);
    REQUIRE(partition_judge_by_oracle(&pairs, OUT(moved, swapped, right)) != NULL);
    REQUIRE(partition_judge_by_property(&in, OUT(lost, NULL, right)) != NULL);
    REQUIRE(partition_judge_by_property(&in, OUT(moved, NULL, early)) != NULL);
    REQUIRE(partition_judge_by_property(&in, OUT(moved, NULL, short_)) != NULL);
    REQUIRE(partition_judge_by_property(&in, OUT(moved, NULL, falling)) != NULL);
    REQUIRE(partition_judge_by_property(&pairs, OUT(unstable, swapped, right)) != NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(expressions_decide),
        cmocka_unit_test(an_item_without_a_bucket_is_reported_and_nothing_is_written),
        cmocka_unit_test(an_expression_without_a_bucket_is_reported),
        cmocka_unit_test(splitters_in_disorder_give_some_partition),
        cmocka_unit_test(the_number_of_items_may_stand_in_device_memory),
        cmocka_unit_test(positions_beyond_2_to_the_32_are_partitioned),
        cmocka_unit_test(the_blocking_form_partitions_or_says_why_not),
        cmocka_unit_test(the_judges_find_wrong_answers),
    };
    return cmocka_run_group_tests_name("partition_data", tests, NULL, NULL);
}
