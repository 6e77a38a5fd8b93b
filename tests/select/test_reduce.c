/* SPDX-License-Identifier: MIT */
/* ctest: oclgrind rows full */
/*
 * dmm_reduce over sizes, shapes, types, operations and parameters. Its judges are those of a scan:
 * the total of all items stands in the place of the last item of a scan that they have approved.
 */
#include "support/require.h"

#include <dmm/reduce.h>

#include <stdlib.h>
#include <string.h>

#include "support/cover.h"
#include "support/forms.h"
#include "support/scan_case.h"

typedef struct row {
    dmm_type type;
    dmm_scan_op op;
    const char *set; /* facts of the device */
    dmm_tuning tuning;
} row;

static const row table[] = {
    {DMM_U32, DMM_SCAN_SUM, "banks=32", GPU(64, 8)},
    {DMM_U8, DMM_SCAN_SUM, "", CPU_BY(8, 64)},
    {DMM_I8, DMM_SCAN_MAX, "banks=16", GPU(32, 15)},
    {DMM_U16, DMM_SCAN_MIN, "", CPU_BY(4, 64)},
    {DMM_I16, DMM_SCAN_MAX, "banks=8", GPU(8, 16)},
    {DMM_I32, DMM_SCAN_MIN, "", CPU_BY(16, 128)},
    {DMM_U64, DMM_SCAN_SUM, "banks=64", GPU(64, 4)},
    {DMM_I64, DMM_SCAN_MAX, "", CPU_BY(8, 64)},
    {DMM_F32, DMM_SCAN_SUM, "banks=32", GPU(32, 7)},
    {DMM_F32, DMM_SCAN_MIN, "", CPU_BY(8, 64)},
    {DMM_F64, DMM_SCAN_SUM, "", CPU_BY(2, 64)},
    {DMM_F64, DMM_SCAN_MAX, "banks=16,bank_bytes=8", GPU(16, 8)},
};

enum { NUM_ROWS = sizeof table / sizeof table[0], MAX_BYTES = 8, GUARD_ITEMS = 3 };

static dmm_reduce *build(rig *r, const row *one, uint64_t max_n)
{
    dmm_reduce *reduce = NULL;
    const dmm_reduce_desc desc = {
        .type = one->type, .op = one->op, .max_n = max_n, .tuning = one->tuning};
    REQUIRE_OK(rig_log_failure(r, dmm_reduce_create(&reduce, r->ctx, &desc)));
    return reduce;
}

typedef struct spans {
    zone in, out, temp;
    dmm_reduce_args args;
} spans;

static spans prepare(
    const rig *r, const dmm_reduce *reduce, uint32_t item_bytes, const void *items, uint64_t n)
{
    spans s = {.args = {.temp = DMM_NONE}};
    uint64_t temp_bytes = 0;
    REQUIRE_OK(dmm_reduce_temp_bytes(&temp_bytes, reduce, n));
    s.in = zone_create(r, items, n * item_bytes, n % 3 * 5 * item_bytes);
    s.out = zone_create(r, NULL, item_bytes, GUARD_ITEMS * item_bytes);
    if (n % 2 == 0 && temp_bytes != 0) {
        s.temp = zone_create(r, NULL, temp_bytes, 256);
        s.args.temp = zone_span(&s.temp);
    }
    s.args.in = zone_span(&s.in);
    s.args.out = zone_span(&s.out);
    return s;
}

/* The result of a call that has completed. */
static void finish(const rig *r, spans *s, const void *items, void *result)
{
    zone_read(r, &s->out, result);
    REQUIRE(zone_intact(r, &s->out));
    REQUIRE(zone_holds(r, &s->in, items));
    if (s->temp.buffer != NULL)
        REQUIRE(zone_intact(r, &s->temp));
    zone_free(&s->in);
    zone_free(&s->out);
    zone_free(&s->temp);
}

static void reduce_items(const rig *r, dmm_reduce *reduce, uint32_t item_bytes, const void *items,
    uint64_t n, void *result)
{
    cl_event done = NULL;
    spans s = prepare(r, reduce, item_bytes, items, n);
    REQUIRE_OK(dmm_reduce_enqueue(reduce, r->queue, &s.args, n, 0, NULL, &done));
    REQUIRE_OK(clWaitForEvents(1, &done));
    clReleaseEvent(done);
    finish(r, &s, items, result);
}

/* An exclusive scan of one item makes the same of no items. */
static void judge_total(
    rig *r, const row *one, const void *items, uint64_t n, const unsigned char *total)
{
    const uint32_t item_bytes = dmm_type_bytes(one->type);
    const uint64_t scanned = n != 0 ? n : 1;
    const scan_kind k = {one->type, one->op, n == 0};
    const dmm_scan_desc desc = {.type = one->type, .op = one->op, .exclusive = k.exclusive};
    unsigned char *in = calloc(scanned, item_bytes), *out = malloc(scanned * item_bytes);
    REQUIRE(in != NULL && out != NULL);
    memcpy(in, items, n * item_bytes);
    memcpy(out, in, scanned * item_bytes);
    REQUIRE_OK(dmm_scan_host(r->ctx, &desc, out, scanned));
    REQUIRE_VERDICT(scan_judge(&k, in, out, scanned));
    memcpy(out + (scanned - 1) * item_bytes, total, item_bytes);
    REQUIRE_VERDICT(scan_judge(&k, in, out, scanned));
    free(out);
    free(in);
}

static void check_row(const row *one, uint64_t seed)
{
    static rig r;
    const kind k = kind_named(dmm_type_name(one->type));
    const uint64_t T = one->tuning.form == DMM_FORM_CPU ? one->tuning.tile
                                                        : (uint64_t)one->tuning.u * one->tuning.E;
    rig_open(&r, one->set);
    dmm_reduce *reduce = build(&r, one, 0);
    const uint64_t sizes[] = {T + 1, 0, 40 * T + 7, 1, T - 1, T, 2 * T, 9 * T + 5, 200 * T};
    for (size_t i = 0; i < by_size(2, sizeof sizes / sizeof sizes[0], 9); i++, seed++) {
        unsigned char total[MAX_BYTES], *items = malloc(sizes[i] * k.bytes + 1);
        random_source random = {seed};
        REQUIRE(items != NULL);
        test_note("%s op=%d, n=%llu, seed=%llu", k.name, (int)one->op, (unsigned long long)sizes[i],
            (unsigned long long)seed);
        kind_fill(&k, (shape)(seed % SHAPE_COUNT), items, sizes[i], &random);
        reduce_items(&r, reduce, k.bytes, items, sizes[i], total);
        judge_total(&r, one, items, sizes[i], total);
        free(items);
    }
    dmm_reduce_free(reduce);
    rig_close(&r);
}

static void every_row_of_the_table_reduces(void **state)
{
    cover seen = {0};
    (void)state;
    for (size_t i = 0; i < NUM_ROWS; i++) {
        const row *const one = &table[i];
        const kind k = kind_named(dmm_type_name(one->type));
        if (COVER_TAKES(&seen, 1, one->tuning.form, 4u * one->tuning.form + one->op, k.bytes,
                4 * cover_order(&k) + one->op, cover_text(one->set)))
            check_row(one, 100 * i);
    }
}

/* The sum that the library finds grows by the item that is added. */
static void sizes_up_to_4096_reduces(void **state)
{
    static const row forms[] = {{DMM_U32, DMM_SCAN_SUM, "banks=32", GPU(32, 4)},
        {DMM_U32, DMM_SCAN_SUM, "", CPU_BY(8, 64)}};
    static uint32_t items[4096];
    random_source random = {1};
    (void)state;
    random_bytes(&random, items, sizeof items);
    for (size_t f = 0; f < 2; f++) {
        static rig r;
        uint32_t expected = 0;
        rig_open(&r, forms[f].set);
        dmm_reduce *reduce = build(&r, &forms[f], 4096);
        for (uint64_t n = 0; n <= by_size(70, 4096, 4096); n++) {
            uint32_t total = 0;
            test_note("form %zu, n=%llu", f, (unsigned long long)n);
            if (size_wanted(n, 32)) {
                reduce_items(&r, reduce, sizeof *items, items, n, &total);
                REQUIRE(total == expected);
            }
            expected += n < 4096 ? items[n] : 0;
        }
        dmm_reduce_free(reduce);
        rig_close(&r);
    }
}

static void the_count_may_stand_in_device_memory(void **state)
{
    static const uint64_t counts[] = {0, 1, 63, 64, 700, 1000, 2000};
    static uint32_t items[1000];
    static rig r;
    random_source random = {2};
    (void)state;
    random_bytes(&random, items, sizeof items);
    rig_open(&r, "banks=8");
    for (size_t f = 0; f < 2; f++) {
        const row one = {DMM_U32, DMM_SCAN_SUM, "", {f ? DMM_FORM_CPU : DMM_FORM_GPU, .E = 4}};
        dmm_reduce *reduce = build(&r, &one, 0);
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
            uint32_t total = 0, expected = 0;
            for (uint64_t x = 0; x < counts[i] && x < 1000; x++)
                expected += items[x];
            spans s = prepare(&r, reduce, sizeof *items, items, 1000);
            zone count = zone_create(&r, &counts[i], sizeof *counts, 24);
            s.args.count = zone_span(&count);
            test_note("form %zu, count=%llu", f, (unsigned long long)counts[i]);
            REQUIRE_OK(dmm_reduce_enqueue(reduce, r.queue, &s.args, 1000, 0, NULL, NULL));
            REQUIRE_OK(clFinish(r.queue));
            finish(&r, &s, items, &total);
            REQUIRE(total == expected);
            zone_free(&count);
        }
        dmm_reduce_free(reduce);
    }
    rig_close(&r);
}

static void wrong_arguments_are_refused_in_order(void **state)
{
    static rig r;
    const row one = {DMM_U32, DMM_SCAN_SUM, "", {.form = DMM_FORM_DEFAULT}};
    const dmm_reduce_desc desc = {0}, wrong = {.type = DMM_F16};
    static uint32_t items[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    uint32_t total = 0;
    uint64_t bytes = 0;
    (void)state;
    rig_open(&r, NULL);
    dmm_reduce *reduce = (dmm_reduce *)(void *)&bytes;
    test_note("wrong arguments");
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_reduce_create(NULL, r.ctx, &desc));
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_reduce_create(&reduce, NULL, &desc));
    REQUIRE(reduce == NULL);
    REQUIRE_STATUS(DMM_BAD_VALUE, dmm_reduce_create(&reduce, r.ctx, &wrong));
    reduce = build(&r, &one, 8);
    spans s = prepare(&r, reduce, sizeof *items, items, 8);
    dmm_reduce_args args = s.args;
#define REFUSED(expected, given, n) \
    REQUIRE_STATUS(expected, dmm_reduce_enqueue(reduce, r.queue, given, n, 0, NULL, NULL))
    REQUIRE_STATUS(DMM_TOO_LARGE, dmm_reduce_temp_bytes(&bytes, reduce, 9));
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_reduce_enqueue(NULL, r.queue, &args, 8, 0, NULL, NULL));
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_reduce_enqueue(reduce, NULL, &args, 8, 0, NULL, NULL));
    REFUSED(DMM_NULL_ARGUMENT, NULL, 8);
    REFUSED(DMM_TOO_LARGE, &args, 9);
    args.out.offset_bytes++;
    REFUSED(DMM_MISALIGNED, &args, 8);
    args.out = args.in;
    REFUSED(DMM_OVERLAP, &args, 8);
    args.out = DMM_NONE;
    REFUSED(DMM_NULL_ARGUMENT, &args, 0);
    REQUIRE(zone_untouched(&r, &s.out));
    finish(&r, &s, items, &total);
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_reduce_host(r.ctx, &desc, items, 8, NULL));
    REQUIRE_OK(dmm_reduce_host(r.ctx, &desc, items, 8, &total));
    REQUIRE(total == 36);
    dmm_reduce_free(reduce);
    dmm_reduce_free(NULL);
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_of_the_table_reduces),
        cmocka_unit_test(sizes_up_to_4096_reduces),
        cmocka_unit_test(the_count_may_stand_in_device_memory),
        cmocka_unit_test(wrong_arguments_are_refused_in_order),
    };
    return cmocka_run_group_tests_name("reduce", tests, NULL, NULL);
}
