/* SPDX-License-Identifier: MIT */
/* ctest: oclgrind rows */
/*
 * The number of items in device memory: a call for at most n items handles the items that the count
 * says, as a call of that many does, and leaves what lies behind them alone.
 */
#include "support/require.h"

#include <stdlib.h>
#include <string.h>

#include "support/cover.h"
#include "support/judge.h"
#include "support/methods.h"
#include "support/rig.h"
#include "support/shared.h"
#include "support/zone.h"

#include <dmm/scan.h>
#include <dmm/sort.h>

enum { COUNT_OFFSET_BYTES = 24 };

/* A count beyond n counts as n. */
static uint64_t items_of(uint64_t count, uint64_t n)
{
    return count < n ? count : n;
}

/* One sort: keys beside values, in place or not. */
typedef struct counted_sort {
    kind k;
    uint32_t value_bytes;
    int in_place;
    uint64_t n, count;
} counted_sort;

static void *random_memory(random_source *random, uint64_t bytes)
{
    void *const memory = malloc(bytes != 0 ? (size_t)bytes : 1);
    REQUIRE(memory != NULL);
    random_bytes(random, memory, (size_t)bytes);
    return memory;
}

/* The first `counted` rows are as the judges want them; the others as they were before the call. */
static void require_sorted(const counted_sort *c, const rows *before, zone *keys, zone *values)
{
    const uint64_t counted = items_of(c->count, c->n), key = c->k.bytes, value = c->value_bytes;
    unsigned char *const sorted = malloc((size_t)(c->n * key + 1));
    unsigned char *const moved = malloc((size_t)(c->n * value + 1));
    REQUIRE(sorted != NULL && moved != NULL);
    zone_read(&shared, keys, sorted);
    if (value != 0)
        zone_read(&shared, values, moved);
    const rows input = {before->keys, before->values, counted, c->value_bytes};
    const rows result = {sorted, moved, counted, c->value_bytes};
    REQUIRE_VERDICT(judge(&c->k, &input, &result));
    if (c->in_place) {
        const unsigned char *const k = before->keys, *const v = before->values;
        REQUIRE(memcmp(sorted + counted * key, k + counted * key, (c->n - counted) * key) == 0);
        REQUIRE(
            memcmp(moved + counted * value, v + counted * value, (c->n - counted) * value) == 0);
    } else if (counted == 0)
        REQUIRE(zone_untouched(&shared, keys));
    REQUIRE(zone_intact(&shared, keys));
    free(sorted);
    free(moved);
}

static void check_sort(dmm_sort *sort, const counted_sort *c)
{
    random_source random = {c->n * 31 + c->count};
    void *const keys = random_memory(&random, c->n * c->k.bytes);
    void *const values = random_memory(&random, c->n * c->value_bytes);
    const rows before = {keys, values, c->n, c->value_bytes};
    test_note("%s, value_bytes=%u, n=%llu, count=%llu%s", c->k.name, c->value_bytes,
        (unsigned long long)c->n, (unsigned long long)c->count, c->in_place ? ", in place" : "");
    kind_fill(&c->k, SHAPE_RANDOM, keys, c->n, &random);
    zone count = zone_create(&shared, &c->count, sizeof c->count, COUNT_OFFSET_BYTES);
    zone keys_in = zone_create(&shared, keys, c->n * c->k.bytes, 0);
    zone values_in = zone_create(&shared, values, c->n * c->value_bytes, 0);
    zone keys_out = c->in_place ? keys_in : zone_create(&shared, NULL, c->n * c->k.bytes, 0);
    zone values_out =
        c->in_place ? values_in : zone_create(&shared, NULL, c->n * c->value_bytes, 0);
    const dmm_span none = {NULL, 0};
    const dmm_sort_args args = {.keys_in = zone_span(&keys_in),
        .values_in = c->value_bytes != 0 ? zone_span(&values_in) : none,
        .keys_out = zone_span(&keys_out),
        .values_out = c->value_bytes != 0 ? zone_span(&values_out) : none,
        .count = zone_span(&count)};
    REQUIRE_OK(dmm_sort_enqueue(sort, shared.queue, &args, c->n, 0, NULL, NULL));
    REQUIRE_OK(clFinish(shared.queue));
    require_sorted(c, &before, &keys_out, &values_out);
    REQUIRE(zone_holds(&shared, &count, &c->count));
    if (!c->in_place) {
        REQUIRE(zone_holds(&shared, &keys_in, keys));
        zone_free(&keys_out);
        zone_free(&values_out);
    }
    zone_free(&keys_in);
    zone_free(&values_in);
    zone_free(&count);
    free(keys);
    free(values);
}

/* Sizes around one tile, several, and several passes; counts at and around every tile's end. */
static void check_sorts(
    dmm_sort_method method, dmm_form form, const char *name, uint32_t value_bytes)
{
    const uint64_t tile = form == DMM_FORM_CPU ? 64 : 16 * 3;
    counted_sort c = {.k = kind_named(name), .value_bytes = value_bytes};
    dmm_sort_desc desc = {0};
    dmm_sort *sort = NULL;
    desc.order = c.k.order;
    desc.value_bytes = value_bytes;
    desc.method = method;
    desc.tuning.form = form;
    desc.tuning.E = form == DMM_FORM_CPU ? 8 : 3;
    desc.tuning.tile = form == DMM_FORM_CPU ? 64 : 0;
    test_note("building method %d, form %d, %s", (int)method, (int)form, name);
    REQUIRE_OK(any_sort_create(&sort, shared.ctx, &desc));
    const uint64_t sizes[] = {1, tile, 2 * tile + 5, 37 * tile};
    for (size_t i = by_size(2, 0, 0); i < by_size(3, 4, 4); i++) {
        const uint64_t n = sizes[i];
        const uint64_t counts[] = {
            0, 1, tile - 1, tile, tile + 1, 3 * tile, n - 1, n, n + 1, UINT64_MAX};
        for (size_t j = i % 2; j < sizeof counts / sizeof *counts; j += by_size(4, 1, 1)) {
            c.n = n;
            c.count = counts[j];
            c.in_place = (i + j) % 2 == 0;
            check_sort(sort, &c);
        }
    }
    dmm_sort_free(sort);
}

static void a_sort_handles_as_many_items_as_the_device_says(void **state)
{
    (void)state;
    for (int form = DMM_FORM_GPU; form <= DMM_FORM_CPU; form++) {
        /* Simulators take one kind of keys by each method and form. */
        const int all = by_rows(0, 1) != 0, gpu = form == DMM_FORM_GPU;
        if (all || gpu)
            check_sorts(DMM_SORT_MERGE, (dmm_form)form, "u32", 0);
        if (all || !gpu)
            check_sorts(DMM_SORT_MERGE, (dmm_form)form, "f64", 4);
        if (all || !gpu)
            check_sorts(DMM_SORT_RADIX, (dmm_form)form, "u32", 0);
        if (all || gpu)
            check_sorts(DMM_SORT_RADIX, (dmm_form)form, "i16", 4);
    }
}

static void so_does_a_sort_of_items_and_one_of_large_values(void **state)
{
    (void)state;
    for (int form = DMM_FORM_GPU; form <= DMM_FORM_CPU; form++) {
        check_sorts(DMM_SORT_MERGE, (dmm_form)form, "item12", 12);
        check_sorts(DMM_SORT_RADIX, (dmm_form)form, "u8", 12);
        if (lab_is_built())
            check_sorts(SORT_BY_QUICK, (dmm_form)form, "u32", 4);
    }
}

static void check_scan(dmm_scan *scan, uint64_t n, uint64_t count)
{
    random_source random = {n + count};
    uint32_t *const in = random_memory(&random, n * sizeof *in);
    uint32_t *const out = random_memory(&random, n * sizeof *in);
    const uint64_t counted = items_of(count, n);
    test_note("scan, n=%llu, count=%llu", (unsigned long long)n, (unsigned long long)count);
    zone items = zone_create(&shared, in, n * sizeof *in, 0);
    zone at = zone_create(&shared, &count, sizeof count, COUNT_OFFSET_BYTES);
    const dmm_scan_args args = {
        .in = zone_span(&items), .out = zone_span(&items), .count = zone_span(&at)};
    REQUIRE_OK(dmm_scan_enqueue(scan, shared.queue, &args, n, 0, NULL, NULL));
    REQUIRE_OK(clFinish(shared.queue));
    zone_read(&shared, &items, out);
    uint32_t sum = 0;
    for (uint64_t i = 0; i < n; i++) {
        sum += in[i];
        REQUIRE(out[i] == (i < counted ? sum : in[i]));
    }
    REQUIRE(zone_intact(&shared, &items) && zone_holds(&shared, &at, &count));
    zone_free(&items);
    zone_free(&at);
    free(in);
    free(out);
}

static void a_scan_handles_as_many_items_as_the_device_says(void **state)
{
    (void)state;
    for (int form = DMM_FORM_GPU; form <= DMM_FORM_CPU; form++) {
        const dmm_scan_desc desc = {.tuning = {.form = (dmm_form)form, .E = 4, .tile = 64}};
        dmm_scan *scan = NULL;
        REQUIRE_OK(dmm_scan_create(&scan, shared.ctx, &desc));
        for (uint64_t n = 1; n < by_size(60, 9000, 90000); n = 3 * n + 2)
            for (uint64_t i = 0; i <= 16; i += by_size(4, 1, 1))
                check_scan(scan, n, i * n / 15);
        dmm_scan_free(scan);
    }
}

static void a_bad_count_is_refused(void **state)
{
    (void)state;
    enum { N = 4096 }; /* enough to need temp */
    dmm_sort *sort = NULL;
    dmm_scan *scan = NULL;
    const dmm_sort_desc sort_desc = {0};
    const dmm_scan_desc scan_desc = {0};
    REQUIRE_OK(dmm_sort_create(&sort, shared.ctx, &sort_desc));
    REQUIRE_OK(dmm_scan_create(&scan, shared.ctx, &scan_desc));
    zone keys = zone_create(&shared, NULL, N * sizeof(uint32_t), 0);
    const struct {
        uint64_t offset_bytes;
        dmm_status status;
    } cases[] = {{4, DMM_MISALIGNED}, {64, DMM_SPAN_TOO_SMALL}, {0, DMM_OVERLAP}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        /* The small sizes leave nothing behind the payload: the last 8 bytes are always inside. */
        const uint64_t offset = cases[i].status == DMM_SPAN_TOO_SMALL
                                    ? (keys.total_bytes + 7) / 8 * 8
                                    : cases[i].offset_bytes;
        const dmm_span span = zone_span(&keys), count = {keys.buffer, offset};
        const dmm_sort_args sort_args = {.keys_in = span, .keys_out = span, .count = count};
        const dmm_scan_args scan_args = {.in = span, .out = span, .count = count};
        REQUIRE_STATUS(
            cases[i].status, dmm_sort_enqueue(sort, shared.queue, &sort_args, N, 0, NULL, NULL));
        REQUIRE_STATUS(
            cases[i].status, dmm_scan_enqueue(scan, shared.queue, &scan_args, N, 0, NULL, NULL));
    }
    zone temp = zone_create(&shared, NULL, 1 << 20, 0);
    const dmm_sort_args both = {.keys_in = zone_span(&keys),
        .keys_out = zone_span(&keys),
        .temp = zone_span(&temp),
        .count = zone_span(&temp)};
    REQUIRE_STATUS(DMM_OVERLAP, dmm_sort_enqueue(sort, shared.queue, &both, N, 0, NULL, NULL));
    REQUIRE(zone_untouched(&shared, &temp));
    zone_free(&temp);
    REQUIRE(zone_untouched(&shared, &keys));
    zone_free(&keys);
    dmm_sort_free(sort);
    dmm_scan_free(scan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sort_handles_as_many_items_as_the_device_says),
        cmocka_unit_test(so_does_a_sort_of_items_and_one_of_large_values),
        cmocka_unit_test(a_scan_handles_as_many_items_as_the_device_says),
        cmocka_unit_test(a_bad_count_is_refused),
    };
    return RUN_WITH_RIG("count", "banks=8,u=16", tests);
}
