/* SPDX-License-Identifier: MIT */
/* ctest: oclgrind full */
/*
 * Fused input: what dmm_scan and dmm_reduce make of a map's items, over sizes and forms, against
 * the same on the host; in place, counted, and with an output expression; and maps and spans that
 * are wrong.
 */
#include "support/require.h"

#include <dmm/histogram.h>
#include <dmm/reduce.h>
#include <dmm/unique.h>

#include <stdlib.h>
#include <string.h>

#include "core/context.h"
#include "support/forms.h"
#include "support/items.h"
#include "support/mapped_case.h"

/* Sums, exclusive ones too, and with `out`: how far each is from its item, as a long. */
static void check_scan(rig *r, const subject *s, dmm_tuning tuning, int exclusive, int emits)
{
    static const uint64_t sizes[] = {0, 1, 65, 1000, 63, 129, 8191};
    dmm_map map = s->map;
    dmm_scan *scan = NULL;
    if (emits) {
        map.out = s->map.item.type == DMM_ITEM ? "(long)total - (long)item.x + (long)i"
                                               : "(long)total - (long)(item != 0) + (long)i";
        map.result = (dmm_map_type){DMM_I64, 0};
    }
    const dmm_scan_desc desc = {
        .type = s->type, .exclusive = exclusive, .tuning = tuning, .map = &map};
    REQUIRE_OK(rig_log_failure(r, dmm_scan_create(&scan, r->ctx, &desc)));
    for (size_t k = 0; k < by_size(3, 7, 7); k++) {
        const uint64_t n = sizes[k];
        inputs in = make_inputs(s, n, k);
        device_inputs d = upload(r, &in);
        const uint32_t bytes = emits ? 8 : in.made_bytes;
        const int in_place = bytes == in.bytes[0] && k % 2;
        const uint64_t mask = UINT64_MAX >> (64 - 8 * in.made_bytes);
        unsigned char *const expected = allocate(n * bytes);
        uint64_t total = 0;
        for (uint64_t i = 0; i < n; i++) {
            const uint64_t with = (total + number_at(in.made, in.made_bytes, i)) & mask;
            uint64_t result = exclusive ? total : with;
            uint32_t first = 0;
            memcpy(&first, in.in[0] + i * in.bytes[0], in.bytes[0] < 4 ? 1 : 4);
            if (emits && s->map.item.type == DMM_F32) {
                float x;
                memcpy(&x, &first, 4);
                first = x != 0;
            } else if (emits && s->map.item.type != DMM_ITEM)
                first = first != 0;
            if (emits)
                result = result - first + i;
            memcpy(expected + i * bytes, &result, bytes);
            total = with;
        }
        test_note("scan %s, form %u, n=%llu, out %d", s->name, (unsigned)tuning.form,
            (unsigned long long)n, emits);
        zone out = zone_create(r, NULL, n * bytes, bytes);
        const dmm_scan_args args = {.in = zone_span(&d.in[0]),
            .out = zone_span(in_place ? &d.in[0] : &out),
            .count = k % 3 == 0 ? zone_span(&d.count) : DMM_NONE,
            .further = d.further};
        REQUIRE_OK(dmm_scan_enqueue(scan, r->queue, &args, n, 0, NULL, NULL));
        REQUIRE_OK(clFinish(r->queue));
        REQUIRE(zone_holds(r, in_place ? &d.in[0] : &out, expected));
        REQUIRE(zone_intact(r, &out));
        zone_free(&out);
        release(r, &d, &in, in_place);
        free(expected);
        free_inputs(&in);
    }
    dmm_scan_free(scan);
}

static void check_reduce(rig *r, const subject *s, dmm_tuning tuning, dmm_scan_op op)
{
    static const uint64_t sizes[] = {1, 1000, 0, 63, 65, 8191};
    const dmm_reduce_desc desc = {.type = s->type, .op = op, .tuning = tuning, .map = &s->map};
    dmm_reduce *reduce = NULL;
    REQUIRE_OK(dmm_reduce_create(&reduce, r->ctx, &desc));
    for (size_t k = 0; k < by_size(3, 6, 6); k++) {
        inputs in = make_inputs(s, sizes[k], k);
        device_inputs d = upload(r, &in);
        uint64_t total = 0;
        for (uint64_t i = 0; i < in.n; i++) {
            const uint64_t item = number_at(in.made, in.made_bytes, i);
            total = op == DMM_SCAN_SUM ? total + item : item > total ? item : total;
        }
        test_note(
            "reduce %s, form %u, n=%llu", s->name, (unsigned)tuning.form, (unsigned long long)in.n);
        zone out = zone_create(r, NULL, in.made_bytes, in.made_bytes);
        const dmm_reduce_args args = {
            .in = zone_span(&d.in[0]), .out = zone_span(&out), .further = d.further};
        REQUIRE_OK(dmm_reduce_enqueue(reduce, r->queue, &args, in.n, 0, NULL, NULL));
        REQUIRE_OK(clFinish(r->queue));
        REQUIRE(zone_holds(r, &out, &total));
        zone_free(&out);
        release(r, &d, &in, 0);
        free_inputs(&in);
    }
    dmm_reduce_free(reduce);
}

static const dmm_tuning forms[] = {GPU(16, 4), CPU_BY(4, 64), GPU(32, 1), CPU_BY(8, 64)};

static void sums_are_of_mapped_items(void **state)
{
    (void)state;
    for (size_t k = 0; k < by_size(2, NUM_SUBJECTS, NUM_SUBJECTS); k++)
        for (size_t f = k % 2; f < by_size(k % 2 + 1, k % 2 + 1, 4); f++) {
            static rig r;
            rig_open(&r, k % 2 ? "banks=8,units=3" : "banks=16,units=2");
            check_scan(&r, &subjects[k], forms[f], (int)((k + f) % 2), (int)(k / 2 + f) % 2);
            check_reduce(&r, &subjects[k], forms[f], f % 2 ? DMM_SCAN_MAX : DMM_SCAN_SUM);
            rig_close(&r);
        }
}

/* Wrong maps, and texts in which the compiler finds mistakes. */
static void mistakes_are_named(void **state)
{
    static const struct {
        dmm_map map;
        dmm_status status;
        const char *named; /* in the log */
    } wrong[] = {
        {{.expression = "item +\n  x"}, DMM_BUILD_FAILED, "map.expression:2:3"},
        {{.expression = "y"}, DMM_BUILD_FAILED, "map.expression:1:1"},
        {{.expression = "item", .declares = "typedef unit number;"}, DMM_BUILD_FAILED,
            "map.declares:1:9"},
        {{.out = "total + none"}, DMM_BUILD_FAILED, "map.out:1:9"},
        {{.item = {DMM_ITEM, 8}, .declares = "typedef uint dmm_map_item;"}, DMM_BUILD_FAILED,
            "dmm_map_item_bytes_must_be_its_sizeof"},
        {{.item = {DMM_ITEM, 4}}, DMM_BAD_VALUE, "map.declares: is NULL"},
        {{.item = {DMM_ITEM, 257}, .declares = ""}, DMM_BAD_VALUE, "map.item.item_bytes"},
        {{.item = {DMM_U32, 4}}, DMM_BAD_VALUE, "map.item.item_bytes"},
        {{.item = {(dmm_type)12, 0}}, DMM_BAD_VALUE, "map.item.type"},
        {{.further = 4}, DMM_BAD_VALUE, "map.further: is 4"},
        {{.further = 1, .z = {DMM_F32, 0}}, DMM_BAD_VALUE, "map.z: is given"},
        {{.reserved = {1}}, DMM_UNSUPPORTED, "reserved"},
    };
    static rig r;
    (void)state;
    rig_open(&r, NULL);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const dmm_scan_desc desc = {.map = &wrong[i].map};
        dmm_scan *scan = NULL;
        test_note("mistake %zu", i);
        REQUIRE_REFUSED(wrong[i].status, &scan, dmm_scan_create(&scan, r.ctx, &desc));
        if (sizes_wanted() != SIZES_SMALL || wrong[i].status != DMM_BUILD_FAILED)
            REQUIRE(strstr(r.log, wrong[i].named) != NULL); /* Oclgrind: no #line */
    }
    const dmm_map out = {.out = "total"}, narrow = {.result = {DMM_U16, 0}};
    const dmm_reduce_desc of_all = {.map = &out};
    const dmm_unique_desc runs = {.map = &narrow};
    dmm_reduce *reduce = NULL;
    dmm_unique *unique = NULL;
    REQUIRE_REFUSED(DMM_BAD_VALUE, &reduce, dmm_reduce_create(&reduce, r.ctx, &of_all));
    REQUIRE_REFUSED(DMM_BAD_VALUE, &unique, dmm_unique_create(&unique, r.ctx, &runs));
    r.ctx->device.fp64.value = 0;
    const dmm_map plain = {.expression = "item"};
    const dmm_histogram_desc doubles = {.type = DMM_F64, .by = DMM_HISTOGRAM_EDGES, .map = &plain};
    dmm_histogram *histogram = NULL;
    REQUIRE_REFUSED(DMM_UNSUPPORTED, &histogram, dmm_histogram_create(&histogram, r.ctx, &doubles));
    rig_close(&r);
}

/* Further inputs are checked as other spans; the _host form takes a map without them. */
static void wrong_spans_are_refused(void **state)
{
    enum { N = 5 };
    static const dmm_map map = {.further = 1, .expression = "item * y"},
                         alone = {.item = {DMM_U8, 0}, .expression = "item * item"};
    static rig r;
    const uint32_t items[N] = {1, 2, 3, 4, 5};
    const uint8_t bytes[N] = {20, 30, 40, 50, 60};
    const dmm_reduce_desc desc = {.map = &map}, of_bytes = {.map = &alone};
    uint32_t sum = 0;
    dmm_reduce *reduce = NULL;
    (void)state;
    rig_open(&r, NULL);
    REQUIRE_OK(dmm_reduce_create(&reduce, r.ctx, &desc));
    zone in = zone_create(&r, items, sizeof items, 4), out = zone_create(&r, NULL, 4, 4);
    dmm_span further = DMM_NONE;
    dmm_reduce_args args = {.in = zone_span(&in), .out = zone_span(&out)};
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_reduce_enqueue(reduce, r.queue, &args, N, 0, NULL, NULL));
    args.further = &further;
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_reduce_enqueue(reduce, r.queue, &args, N, 0, NULL, NULL));
    REQUIRE(strstr(r.log, "further[0]: no buffer") != NULL);
    further = (dmm_span){in.buffer, 2};
    REQUIRE_STATUS(DMM_MISALIGNED, dmm_reduce_enqueue(reduce, r.queue, &args, N, 0, NULL, NULL));
    further = (dmm_span){in.buffer, in.total_bytes - 4 * N + 4};
    REQUIRE_STATUS(
        DMM_SPAN_TOO_SMALL, dmm_reduce_enqueue(reduce, r.queue, &args, N, 0, NULL, NULL));
    args.out = further = zone_span(&in);
    REQUIRE_STATUS(DMM_OVERLAP, dmm_reduce_enqueue(reduce, r.queue, &args, N, 0, NULL, NULL));
    REQUIRE(zone_untouched(&r, &out));
    args.out = zone_span(&out);
    REQUIRE_OK(dmm_reduce_enqueue(reduce, r.queue, &args, N, 0, NULL, NULL));
    REQUIRE_OK(clFinish(r.queue));
    zone_read(&r, &out, &sum);
    REQUIRE(sum == 1 + 4 + 9 + 16 + 25); /* an input twice is fine */
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_reduce_host(r.ctx, &desc, items, N, &sum));
    REQUIRE_OK(dmm_reduce_host(r.ctx, &of_bytes, bytes, N, &sum));
    REQUIRE(sum == 400 + 900 + 1600 + 2500 + 3600);
    zone_free(&in);
    zone_free(&out);
    dmm_reduce_free(reduce);
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_are_of_mapped_items),
        cmocka_unit_test(mistakes_are_named),
        cmocka_unit_test(wrong_spans_are_refused),
    };
    return cmocka_run_group_tests_name("mapped", tests, NULL, NULL);
}
