/* SPDX-License-Identifier: MIT */
/* ctest: oclgrind full */
/*
 * Fused input by key and by segments: what dmm_scan_by_key, dmm_reduce_by_key, dmm_scan_segmented,
 * dmm_reduce_segmented, dmm_sort_segmented and dmm_topk_segmented make of a map's items, over sizes
 * and forms, against the same on the host; with an output expression, an operator, and strides.
 */
#include "support/require.h"

#include <dmm/reduce_by_key.h>
#include <dmm/reduce_segmented.h>
#include <dmm/scan_by_key.h>
#include <dmm/scan_segmented.h>
#include <dmm/sort_segmented.h>
#include <dmm/topk_segmented.h>

#include <stdlib.h>
#include <string.h>

#include "support/forms.h"
#include "support/items.h"
#include "support/mapped_case.h"

static const dmm_tuning forms[] = {GPU(16, 4), CPU_BY(4, 64), GPU(32, 1), CPU_BY(8, 64)};

/* Segments of 0 to 12 items, and a last one of a third of all. */
typedef struct cuts {
    uint64_t segments, *offsets;
    uint8_t *heads;
} cuts;

static cuts make_cuts(uint64_t n)
{
    cuts c = {0, allocate((n + 3) * sizeof(uint64_t)), allocate(n + 1)};
    memset(c.heads, 0, n);
    c.offsets[0] = 0;
    for (uint64_t at = 0; at < n; c.segments++) {
        const uint64_t length = at < n / 3 * 2 ? c.segments * 7 % 13 : n - at;
        if (length != 0)
            c.heads[at] = 1;
        c.offsets[c.segments + 1] = at += length;
    }
    return c;
}

static void free_cuts(cuts *c)
{
    free(c->offsets);
    free(c->heads);
}

static uint64_t mask_of(const inputs *in)
{
    return UINT64_MAX >> (64 - 8 * in->made_bytes);
}

/* Scans, exclusive ones too, into `out` and with an output expression. */
static void check_scans(
    rig *r, const subject *s, dmm_tuning tuning, const inputs *in, const cuts *c, int by_key)
{
    const int emits = s->map.further > 0 || by_key, exclusive = in->n % 2 == 0;
    const uint32_t bytes = emits ? 8 : in->made_bytes;
    dmm_map map = s->map;
    if (emits) {
        map.out = "(ulong)total + 3 * i";
        map.result = (dmm_map_type){DMM_U64, 0};
    }
    const int in_place = bytes == in->bytes[0];
    unsigned char *const expected = allocate(in->n * bytes);
    uint64_t total = 0;
    for (uint64_t i = 0; i < in->n; i++) {
        const uint64_t before = c->heads[i] ? 0 : total;
        total = (before + number_at(in->made, in->made_bytes, i)) & mask_of(in);
        const uint64_t result = (exclusive ? before : total) + (emits ? 3 * i : 0);
        memcpy(expected + i * bytes, &result, bytes);
    }
    device_inputs d = upload(r, in);
    zone out = zone_create(r, NULL, in->n * bytes, bytes);
    zone heads = zone_create(r, c->heads, in->n, 1);
    zone offsets = zone_create(r, c->offsets, (c->segments + 1) * 8, 8);
    const dmm_span to = zone_span(in_place ? &d.in[0] : &out);
    dmm_scan_by_key *keyed = NULL;
    dmm_scan_segmented *segmented = NULL;
    if (by_key) {
        const dmm_scan_by_key_desc desc = {
            .type = s->type, .exclusive = exclusive, .heads = 1, .tuning = tuning, .map = &map};
        const dmm_scan_by_key_args args = {.keys_in = zone_span(&heads),
            .in = zone_span(&d.in[0]),
            .out = to,
            .count = zone_span(&d.count),
            .further = d.further};
        REQUIRE_OK(rig_log_failure(r, dmm_scan_by_key_create(&keyed, r->ctx, &desc)));
        REQUIRE_OK(dmm_scan_by_key_enqueue(keyed, r->queue, &args, in->n, 0, NULL, NULL));
    } else {
        const dmm_scan_segmented_desc desc = {.type = s->type,
            .exclusive = exclusive,
            .offset_type = DMM_U64,
            .tuning = tuning,
            .map = &map};
        const dmm_scan_segmented_args args = {.in = zone_span(&d.in[0]),
            .offsets = zone_span(&offsets),
            .out = to,
            .further = d.further};
        REQUIRE_OK(rig_log_failure(r, dmm_scan_segmented_create(&segmented, r->ctx, &desc)));
        REQUIRE_OK(dmm_scan_segmented_enqueue(
            segmented, r->queue, &args, in->n, c->segments, 0, NULL, NULL));
    }
    REQUIRE_OK(clFinish(r->queue));
    REQUIRE(zone_holds(r, in_place ? &d.in[0] : &out, expected));
    REQUIRE(zone_intact(r, &out));
    dmm_scan_by_key_free(keyed);
    dmm_scan_segmented_free(segmented);
    zone_free(&out);
    zone_free(&heads);
    zone_free(&offsets);
    release(r, &d, in, in_place);
    free(expected);
}

/* Totals of runs of equal keys, which are those of the segments that have items. */
static void check_runs(rig *r, const subject *s, dmm_tuning tuning, const inputs *in, const cuts *c)
{
    const dmm_reduce_by_key_desc desc = {
        .type = s->type, .key_bytes = 2, .tuning = tuning, .map = &s->map};
    const uint32_t bytes = in->made_bytes;
    uint16_t *const keys = allocate(in->n * sizeof *keys), *const kept = allocate(in->n * 2);
    unsigned char *const totals = allocate(in->n * bytes);
    unsigned char *const found_totals = allocate(in->n * bytes);
    dmm_reduce_by_key *reduce = NULL;
    uint64_t runs = 0, found = 0, total = 0;
    for (uint64_t i = 0; i < in->n; i++) {
        runs += c->heads[i];
        total = (c->heads[i] ? 0 : total) + number_at(in->made, bytes, i);
        keys[i] = kept[runs - 1] = (uint16_t)(runs * 257);
        memcpy(totals + (runs - 1) * bytes, &total, bytes);
    }
    device_inputs d = upload(r, in);
    zone by = zone_create(r, keys, in->n * 2, 2), keys_out = zone_create(r, NULL, in->n * 2, 6);
    zone out = zone_create(r, NULL, in->n * bytes, bytes), number = zone_create(r, NULL, 8, 8);
    const dmm_reduce_by_key_args args = {.keys_in = zone_span(&by),
        .in = zone_span(&d.in[0]),
        .keys_out = zone_span(&keys_out),
        .out = zone_span(&out),
        .runs_out = zone_span(&number),
        .count = zone_span(&d.count),
        .further = d.further};
    REQUIRE_OK(rig_log_failure(r, dmm_reduce_by_key_create(&reduce, r->ctx, &desc)));
    REQUIRE_OK(dmm_reduce_by_key_enqueue(reduce, r->queue, &args, in->n, 0, NULL, NULL));
    REQUIRE_OK(clFinish(r->queue));
    zone_read(r, &number, &found);
    REQUIRE(found == runs && zone_intact(r, &keys_out) && zone_kept(r, &out, runs * bytes));
    zone_read(r, &keys_out, keys);
    zone_read(r, &out, found_totals);
    REQUIRE(memcmp(keys, kept, runs * 2) == 0 && memcmp(found_totals, totals, runs * bytes) == 0);
    free(found_totals);
    dmm_reduce_by_key_free(reduce);
    zone_free(&by);
    zone_free(&keys_out);
    zone_free(&out);
    zone_free(&number);
    release(r, &d, in, 0);
    free(keys);
    free(kept);
    free(totals);
}

/* Totals by offsets; and, as rows of 5 of 8 items, by a stride, which the further inputs have. */
static void check_reduce(rig *r, const subject *s, dmm_tuning tuning, const inputs *in, cuts *c)
{
    enum { ROW = 5, STRIDE = 8 };
    const dmm_reduce_segmented_desc desc = {
        .type = s->type, .offset_type = DMM_U64, .tuning = tuning, .map = &s->map};
    const uint64_t rows = in->n / STRIDE, places = c->segments > rows ? c->segments : rows;
    dmm_reduce_segmented *reduce = NULL;
    REQUIRE_OK(rig_log_failure(r, dmm_reduce_segmented_create(&reduce, r->ctx, &desc)));
    for (int strides = 0; strides < 2; strides++) {
        const uint64_t segments = strides ? rows : c->segments;
        unsigned char *const expected = allocate(places * in->made_bytes);
        for (uint64_t s2 = 0; s2 < segments; s2++) {
            const uint64_t first = strides ? s2 * STRIDE : c->offsets[s2];
            const uint64_t end = strides ? first + ROW : c->offsets[s2 + 1];
            uint64_t total = 0;
            for (uint64_t i = first; i < end; i++)
                total += number_at(in->made, in->made_bytes, i);
            memcpy(expected + s2 * in->made_bytes, &total, in->made_bytes);
        }
        device_inputs d = upload(r, in);
        zone offsets = zone_create(r, c->offsets, (c->segments + 1) * 8, 8);
        zone out = zone_create(r, NULL, segments * in->made_bytes, in->made_bytes);
        const dmm_reduce_segmented_args args = {.in = zone_span(&d.in[0]),
            .offsets = strides ? DMM_NONE : zone_span(&offsets),
            .out = zone_span(&out),
            .stride = strides ? STRIDE : 0,
            .further = d.further};
        REQUIRE_OK(dmm_reduce_segmented_enqueue(
            reduce, r->queue, &args, strides ? rows * ROW : in->n, segments, 0, NULL, NULL));
        REQUIRE_OK(clFinish(r->queue));
        REQUIRE(zone_holds(r, &out, expected));
        zone_free(&offsets);
        zone_free(&out);
        release(r, &d, in, 0);
        free(expected);
    }
    dmm_reduce_segmented_free(reduce);
}

/* Sorts the positions of a segment by the items there, the lower position first. */
static void sort_segment(const inputs *in, uint64_t *positions, uint64_t first, uint64_t end)
{
    for (uint64_t i = first; i < end; i++) {
        const uint64_t item = number_at(in->made, in->made_bytes, i);
        uint64_t at = i;
        for (; at > first && number_at(in->made, in->made_bytes, positions[at - 1]) > item; at--)
            positions[at] = positions[at - 1];
        positions[at] = i;
    }
}

/* Sorts, in place if the sizes allow, with positions; and the first K of each segment. */
static void check_sorts(
    rig *r, const subject *s, dmm_tuning tuning, const inputs *in, const cuts *c)
{
    enum { K = 3 };
    const int in_place = in->made_bytes == in->bytes[0];
    const dmm_sort_segmented_desc desc = {.order = {.type = s->type},
        .value_bytes = 8,
        .argsort = 1,
        .offset_type = DMM_U64,
        .tuning = tuning,
        .map = &s->map};
    const dmm_topk_segmented_desc first = {.order = {.type = s->type},
        .k = K,
        .offset_type = DMM_U64,
        .tuning = tuning,
        .map = &s->map};
    dmm_sort_segmented *sort = NULL;
    dmm_topk_segmented *topk = NULL;
    uint64_t *const at = allocate(in->n * sizeof *at);
    unsigned char *const keys = allocate(in->n * in->made_bytes);
    for (uint64_t k = 0; k < c->segments; k++)
        sort_segment(in, at, c->offsets[k], c->offsets[k + 1]);
    for (uint64_t i = 0; i < in->n; i++)
        memcpy(keys + i * in->made_bytes, in->made + at[i] * in->made_bytes, in->made_bytes);
    device_inputs d = upload(r, in);
    zone offsets = zone_create(r, c->offsets, (c->segments + 1) * 8, 8);
    zone out = zone_create(r, NULL, in->n * in->made_bytes, in->made_bytes);
    zone positions = zone_create(r, NULL, in->n * 8, 8);
    zone best = zone_create(r, NULL, c->segments * K * in->made_bytes, in->made_bytes);
    const dmm_topk_segmented_args picks = {.keys_in = zone_span(&d.in[0]),
        .offsets = zone_span(&offsets),
        .keys_out = zone_span(&best),
        .further = d.further};
    const dmm_sort_segmented_args args = {.keys_in = zone_span(&d.in[0]),
        .keys_out = zone_span(in_place ? &d.in[0] : &out),
        .values_out = zone_span(&positions),
        .offsets = zone_span(&offsets),
        .further = d.further};
    REQUIRE_OK(dmm_topk_segmented_create(&topk, r->ctx, &first));
    REQUIRE_OK(
        dmm_topk_segmented_enqueue(topk, r->queue, &picks, in->n, c->segments, 0, NULL, NULL));
    REQUIRE_OK(clFinish(r->queue));
    REQUIRE_OK(dmm_sort_segmented_create(&sort, r->ctx, &desc));
    REQUIRE_OK(
        dmm_sort_segmented_enqueue(sort, r->queue, &args, in->n, c->segments, 0, NULL, NULL));
    REQUIRE_OK(clFinish(r->queue));
    REQUIRE(zone_holds(r, in_place ? &d.in[0] : &out, keys));
    REQUIRE(zone_holds(r, &positions, at) && zone_intact(r, &out));
    unsigned char *const found = allocate(c->segments * K * in->made_bytes);
    zone_read(r, &best, found);
    for (uint64_t k = 0; k < c->segments; k++)
        for (uint64_t j = 0; j < K && j < c->offsets[k + 1] - c->offsets[k]; j++)
            REQUIRE(same_item(found, k * K + j, keys, c->offsets[k] + j, in->made_bytes));
    free(found);
    free(at);
    free(keys);
    zone_free(&offsets);
    zone_free(&out);
    zone_free(&positions);
    zone_free(&best);
    release(r, &d, in, in_place);
    dmm_sort_segmented_free(sort);
    dmm_topk_segmented_free(topk);
}

/* The first K of rows, which picks them, with their columns. */
static void check_rows(rig *r, const subject *s, dmm_tuning tuning, const inputs *in)
{
    enum { K = 2, ROWS = 4 };
    const uint64_t n = in->n / ROWS * ROWS, row = n / ROWS;
    const dmm_topk_segmented_desc desc = {.order = {.type = s->type},
        .k = K,
        .value_bytes = 8,
        .argsort = 1,
        .tuning = tuning,
        .map = &s->map};
    dmm_topk_segmented *topk = NULL;
    uint64_t *const at = allocate((n + 1) * sizeof *at), columns[ROWS * K];
    for (uint64_t k = 0; k < ROWS; k++) {
        sort_segment(in, at, k * row, (k + 1) * row);
        for (uint64_t j = 0; j < K; j++)
            columns[k * K + j] = at[k * row + j] - k * row;
    }
    device_inputs d = upload(r, in);
    zone best = zone_create(r, NULL, sizeof columns / 8 * in->made_bytes, in->made_bytes);
    zone places = zone_create(r, NULL, sizeof columns, 8);
    const dmm_topk_segmented_args args = {.keys_in = zone_span(&d.in[0]),
        .keys_out = zone_span(&best),
        .values_out = zone_span(&places),
        .further = d.further};
    REQUIRE_OK(dmm_topk_segmented_create(&topk, r->ctx, &desc));
    REQUIRE_OK(dmm_topk_segmented_enqueue(topk, r->queue, &args, n, ROWS, 0, NULL, NULL));
    REQUIRE_OK(clFinish(r->queue));
    REQUIRE(zone_holds(r, &places, columns));
    zone_free(&best);
    zone_free(&places);
    release(r, &d, in, 0);
    free(at);
    dmm_topk_segmented_free(topk);
}

/* Each subject in one form by default. */
static void mapped_segments_are_those_of_the_host(void **state)
{
    static const uint64_t sizes[] = {1000, 65, 16, 3001};
    (void)state;
    for (size_t k = 0; k < by_size(2, NUM_SUBJECTS, NUM_SUBJECTS); k++)
        for (size_t f = k % 2; f < by_size(k % 2 + 1, k % 2 + 1, 4); f++) {
            static rig r;
            const subject *const s = &subjects[k];
            rig_open(&r, k % 2 ? "banks=8,units=3" : "banks=16,units=2");
            for (size_t i = 0; i < by_size(1, 2, 4); i++) {
                inputs in = make_inputs(s, sizes[i], i);
                cuts c = make_cuts(in.n);
                test_note("%s, form %zu, n=%llu", s->name, f, (unsigned long long)in.n);
                check_scans(&r, s, forms[f], &in, &c, 0);
                check_scans(&r, s, forms[f], &in, &c, 1);
                check_runs(&r, s, forms[f], &in, &c);
                check_reduce(&r, s, forms[f], &in, &c);
                check_sorts(&r, s, forms[f], &in, &c);
                check_rows(&r, s, forms[f], &in);
                free_cuts(&c);
                free_inputs(&in);
            }
            rig_close(&r);
        }
}

/* Differences within segments, by the operator that is given, which needs `out`; and both ends of
 * each row, of which the last two have one key. */
static void operators_take_maps(void **state)
{
    enum { N = 9, ROWS = 3 };
    static const uint32_t items[N] = {5, 7, 4, 1, 1, 9, 2, 8, 3};
    static const uint32_t steps[N] = {5, 2, (uint32_t)-3, 1, 0, 8, 2, 6, (uint32_t)-5};
    static const uint32_t bounds[2 * ROWS] = {4, 7, 1, 9, 2, 8};
    static const uint32_t ends_of_runs[4] = {4, 7, 1, 9};
    (void)state;
    for (size_t f = 0; f < 2; f++) {
        static rig r;
        dmm_operator own;
        dmm_map map;
        uint32_t found[2 * ROWS], scanned[2 * N];
        rig_open(&r, "banks=8,units=3");
        REQUIRE_OK(dmm_operator_given(&own, &map, DMM_OPERATOR_DIFFERENCE, DMM_U32));
        const dmm_scan_segmented_desc scan = {
            .type = DMM_ITEM, .exclusive = 1, .tuning = forms[f], .own = &own, .map = &map};
        memcpy(scanned, items, sizeof items);
        REQUIRE_OK(
            rig_log_failure(&r, dmm_scan_segmented_host(r.ctx, &scan, scanned, N, NULL, ROWS)));
        REQUIRE(memcmp(scanned, steps, sizeof steps) == 0);
        REQUIRE_OK(dmm_operator_given(&own, &map, DMM_OPERATOR_MINMAX, DMM_U32));
        const dmm_reduce_segmented_desc reduce = {
            .type = DMM_ITEM, .tuning = forms[f], .own = &own, .map = &map};
        REQUIRE_OK(dmm_reduce_segmented_host(r.ctx, &reduce, items, N, NULL, ROWS, found));
        REQUIRE(memcmp(found, bounds, sizeof bounds) == 0);
        const dmm_reduce_by_key_desc by_key = {
            .type = DMM_ITEM, .tuning = forms[f], .own = &own, .map = &map};
        uint32_t keys[N] = {3, 3, 3, 5, 5, 5, 5, 5, 5};
        size_t runs = 0;
        memcpy(scanned, items, sizeof items);
        REQUIRE_OK(
            rig_log_failure(&r, dmm_reduce_by_key_host(r.ctx, &by_key, keys, scanned, N, &runs)));
        REQUIRE(runs == 2 && memcmp(scanned, ends_of_runs, sizeof ends_of_runs) == 0);
        rig_close(&r);
    }
}

/* A reduction has no `out`, and a further input is a span as any other. */
static void mistakes_are_refused(void **state)
{
    static const dmm_map emits = {.out = "total"}, product = {.further = 1};
    static rig r;
    const uint32_t items[4] = {1, 2, 3, 4};
    uint32_t sums[2];
    const dmm_reduce_segmented_desc wrong = {.map = &emits}, of_two = {.map = &product};
    (void)state;
    rig_open(&r, NULL);
    REQUIRE_STATUS(
        DMM_BAD_VALUE, dmm_reduce_segmented_host(r.ctx, &wrong, items, 4, NULL, 2, sums));
    REQUIRE(strstr(r.log, "map.out") != NULL);
    REQUIRE_STATUS(
        DMM_NULL_ARGUMENT, dmm_reduce_segmented_host(r.ctx, &of_two, items, 4, NULL, 2, sums));
    const dmm_reduce_by_key_desc by_key = {.map = &emits};
    const dmm_sort_segmented_desc sort = {.map = &emits};
    const dmm_topk_segmented_desc topk = {.map = &emits};
    const uint64_t offsets[2] = {0, 4};
    uint32_t keys[4] = {4, 3, 2, 1}, summed[4] = {1, 1, 1, 1};
    size_t runs = 0;
    REQUIRE_STATUS(DMM_BAD_VALUE, dmm_reduce_by_key_host(r.ctx, &by_key, keys, summed, 4, &runs));
    REQUIRE_STATUS(DMM_BAD_VALUE, dmm_sort_segmented_host(r.ctx, &sort, keys, NULL, 4, offsets, 1));
    REQUIRE_STATUS(
        DMM_BAD_VALUE, dmm_topk_segmented_host(r.ctx, &topk, keys, NULL, 4, NULL, 1, sums, NULL));
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mapped_segments_are_those_of_the_host),
        cmocka_unit_test(operators_take_maps),
        cmocka_unit_test(mistakes_are_refused),
    };
    return cmocka_run_group_tests_name("mapped_segments", tests, NULL, NULL);
}
