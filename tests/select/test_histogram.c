/* SPDX-License-Identifier: MIT */
/* ctest: oclgrind full */
/*
 * dmm_histogram over sizes, types, bins and parameters, by two judges: an oracle that counts in a
 * loop, and the property that taking every label away leaves nothing.
 */
#include "support/require.h"

#include <dmm/histogram.h>

#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "support/forms.h"
#include "support/items.h"
#include "support/kind.h"
#include "support/random.h"
#include "support/rig.h"
#include "support/zone.h"

enum { MAX_BINS = 1 << 16 };

static uint64_t label_at(dmm_type type, const void *labels, uint64_t i)
{
    return type == DMM_U8    ? ((const uint8_t *)labels)[i]
           : type == DMM_U16 ? ((const uint16_t *)labels)[i]
                             : ((const uint32_t *)labels)[i];
}

static const char *judge_by_oracle(
    dmm_type type, const void *labels, uint64_t n, const uint64_t *counts, uint32_t bins)
{
    static uint64_t expected[MAX_BINS];
    memset(expected, 0, sizeof expected);
    for (uint64_t i = 0; i < n; i++)
        if (label_at(type, labels, i) < bins)
            expected[label_at(type, labels, i)]++;
    return memcmp(expected, counts, bins * sizeof *counts) == 0 ? NULL : "a bin is miscounted";
}

static const char *judge_by_property(
    dmm_type type, const void *labels, uint64_t n, const uint64_t *counts, uint32_t bins)
{
    static uint64_t left[MAX_BINS];
    memcpy(left, counts, bins * sizeof *counts);
    for (uint64_t i = 0; i < n; i++) {
        const uint64_t label = label_at(type, labels, i);
        if (label < bins && left[label]-- == 0)
            return "a label was not counted";
    }
    for (uint32_t bin = 0; bin < bins; bin++)
        if (left[bin] != 0)
            return "more was counted than is there";
    return NULL;
}

static void judge(
    dmm_type type, const void *labels, uint64_t n, const uint64_t *counts, uint32_t bins)
{
    REQUIRE_VERDICT(judge_by_oracle(type, labels, n, counts, bins));
    REQUIRE_VERDICT(judge_by_property(type, labels, n, counts, bins));
}

static dmm_histogram *build(rig *r, dmm_histogram_desc desc)
{
    dmm_histogram *histogram = NULL;
    REQUIRE_OK(rig_log_failure(r, dmm_histogram_create(&histogram, r->ctx, &desc)));
    return histogram;
}

/* Counts at most `most` labels, of which the device's count says n. */
static void count_labels(const rig *r, dmm_histogram *histogram, dmm_type type, const void *labels,
    uint64_t most, uint64_t n, uint32_t bins)
{
    static uint64_t counts[MAX_BINS];
    const uint32_t bytes = dmm_type_bytes(type);
    uint64_t temp_bytes = 0;
    REQUIRE_OK(dmm_histogram_temp_bytes(&temp_bytes, histogram, most));
    zone in = zone_create(r, labels, most * bytes, n % 3 * 5 * bytes);
    zone out = zone_create(r, NULL, bins * sizeof *counts, 24);
    zone temp = zone_create(r, NULL, temp_bytes, 256), count = zone_create(r, &n, sizeof n, 8);
    const dmm_histogram_args args = {.labels = zone_span(&in),
        .counts_out = zone_span(&out),
        .temp = n % 2 == 0 && temp_bytes != 0 ? zone_span(&temp) : DMM_NONE,
        .count = n != most ? zone_span(&count) : DMM_NONE};
    REQUIRE_OK(dmm_histogram_enqueue(histogram, r->queue, &args, most, 0, NULL, NULL));
    REQUIRE_OK(clFinish(r->queue));
    zone_read(r, &out, counts);
    REQUIRE(zone_intact(r, &out) && zone_intact(r, &temp) && zone_holds(r, &in, labels));
    judge(type, labels, n, counts, bins);
    zone_free(&in);
    zone_free(&out);
    zone_free(&temp);
    zone_free(&count);
}

typedef struct row {
    dmm_type type;
    uint32_t bins;
    const char *set; /* facts of the device */
    dmm_tuning tuning;
} row;

static const row table[] = {
    {.type = DMM_U8, .bins = 256, .set = "banks=32", .tuning = GPU(64, 8)},
    {.type = DMM_U8, .bins = 1, .set = "", .tuning = CPU(64)},
    {.type = DMM_U16, .bins = 3, .set = "banks=8,bank_bytes=8", .tuning = GPU(16, 15)},
    {.type = DMM_U16, .bins = 257, .set = "banks=16", .tuning = GPU(16, 4)},
    {.type = DMM_U32, .bins = 31, .set = "banks=16", .tuning = GPU(0, 0)},
    {.type = DMM_U32, .bins = 1000, .set = "", .tuning = CPU(128)},
    {.type = DMM_U16, .bins = 65536, .set = "", .tuning = CPU(64)},
    {.type = DMM_U32, .bins = 65536, .set = "banks=8", .tuning = GPU(8, 2)},
};

/* A third of the labels in any bin, a third in the first, a third at random. */
static void fill(const row *one, void *labels, uint64_t n, uint64_t seed)
{
    const uint32_t bytes = dmm_type_bytes(one->type);
    random_source random = {seed};
    random_bytes(&random, labels, n * bytes);
    for (uint64_t i = 0; i < n; i++) {
        const uint64_t label = i % 3 == 0 ? random_below(&random, one->bins) : 0;
        if (i % 3 < 2)
            memcpy((unsigned char *)labels + i * bytes, &label, bytes); /* little-endian */
    }
}

static void labels_of_every_type_are_counted(void **state)
{
    static const uint64_t sizes[] = {600, 0, 1, 511, 512, 513, 40000};
    static uint32_t labels[40000];
    (void)state;
    for (size_t k = 0; k < sizeof table / sizeof *table; k += by_size(2, 1, 1)) {
        static rig r;
        const row *one = &table[k];
        rig_open(&r, one->set);
        dmm_histogram *histogram = build(
            &r, (dmm_histogram_desc){.type = one->type, .bins = one->bins, .tuning = one->tuning});
        for (size_t i = 0; i < by_size(2, 7, 7); i++) {
            test_note("row %zu, n=%llu", k, (unsigned long long)sizes[i]);
            fill(one, labels, sizes[i], i);
            count_labels(&r, histogram, one->type, labels, sizes[i], sizes[i], one->bins);
        }
        dmm_histogram_free(histogram);
        rig_close(&r);
    }
}

/* Some of them by a count in device memory. */
static void sizes_up_to_4096_is_counted(void **state)
{
    static const row forms[] = {{DMM_U8, 200, "", GPU(32, 4)}, {DMM_U8, 200, "", CPU(64)}};
    static uint8_t labels[4096];
    static rig r;
    const uint64_t most = by_size(70, 4096, 4096);
    (void)state;
    rig_open(&r, "banks=32");
    fill(&forms[0], labels, sizeof labels, 3);
    for (size_t f = 0; f < 2; f++) {
        dmm_histogram *histogram =
            build(&r, (dmm_histogram_desc){
                          .type = DMM_U8, .bins = 200, .max_n = 4096, .tuning = forms[f].tuning});
        for (uint64_t n = 0; n <= most; n++) {
            if (!size_wanted(n, 32))
                continue;
            test_note("form %zu, n=%llu", f, (unsigned long long)n);
            count_labels(&r, histogram, DMM_U8, labels, n % 5 == 0 ? most : n, n, 200);
        }
        dmm_histogram_free(histogram);
    }
    rig_close(&r);
}

/* Even edges are the least items from the exact numbers on, or the bin is beyond the type. */
static void even_edges_are_rounded_up(void **state)
{
    uint8_t bytes[11];
    int8_t chars[3];
    int64_t longs[3];
    uint64_t ulongs[2];
    float floats[3];
    double doubles[5];
    static const uint8_t tenths[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 9};
    (void)state;
    test_note("even edges");
    REQUIRE_OK(dmm_histogram_even(bytes, DMM_U8, 10, -0.5, 9.5));
    REQUIRE(memcmp(bytes, tenths, sizeof tenths) == 0);
    REQUIRE_OK(dmm_histogram_even(bytes, DMM_U8, 2, 0, 255));
    REQUIRE(bytes[0] == 0 && bytes[1] == 128 && bytes[2] == 255);
    REQUIRE_STATUS(DMM_BAD_VALUE, dmm_histogram_even(bytes, DMM_U8, 10, 0, 300));
    REQUIRE_STATUS(DMM_BAD_VALUE, dmm_histogram_even(bytes, DMM_U8, 10, -30, -1));
    REQUIRE_OK(dmm_histogram_even(chars, DMM_I8, 2, -300.5, 127.5));
    REQUIRE(chars[0] == -128 && chars[1] == -86 && chars[2] == 127);
    REQUIRE_OK(dmm_histogram_even(longs, DMM_I64, 2, -0x1p63, 0x1p62 + 0.5));
    REQUIRE(
        longs[0] == INT64_MIN && longs[1] == -(INT64_C(1) << 61) && longs[2] == INT64_C(1) << 62);
    REQUIRE_STATUS(DMM_BAD_VALUE, dmm_histogram_even(longs, DMM_I64, 1, 0x1p63, 0x1p64));
    REQUIRE_OK(dmm_histogram_even(ulongs, DMM_U64, 1, -1.5, 0x1p64));
    REQUIRE(ulongs[0] == 0 && ulongs[1] == UINT64_MAX);
    REQUIRE_OK(dmm_histogram_even(floats, DMM_F32, 2, -1e300, 1e-60));
    REQUIRE(floats[0] == -FLT_MAX && floats[1] == -FLT_MAX && floats[2] == 0);
    REQUIRE_OK(dmm_histogram_even(floats, DMM_F32, 2, 0.1, 0.3));
    for (int i = 0; i < 3; i++) {
        const double exact = i < 2 ? 0.1 + i * ((0.3 - 0.1) / 2) : 0.3;
        REQUIRE(i < 2 ? floats[i] >= exact && floats[i] < exact * (1 + 1e-6)
                      : floats[i] <= exact && floats[i] > exact * (1 - 1e-6));
    }
    REQUIRE_OK(dmm_histogram_even(floats, DMM_F32, 2, -0.2, -0.1));
    REQUIRE(
        floats[0] >= -0.2 && floats[0] < -0.199999 && floats[2] <= -0.1 && floats[2] > -0.100001);
    REQUIRE_OK(dmm_histogram_even(doubles, DMM_F64, 4, -1, 1));
    REQUIRE(doubles[0] == -1 && doubles[1] == -0.5 && doubles[2] == 0 && doubles[4] == 1);
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_histogram_even(NULL, DMM_F64, 4, -1, 1));
    REQUIRE_STATUS(DMM_BAD_VALUE, dmm_histogram_even(doubles, DMM_ITEM, 4, -1, 1));
    REQUIRE_STATUS(DMM_BAD_VALUE, dmm_histogram_even(doubles, (dmm_type)99, 4, -1, 1));
    REQUIRE_STATUS(DMM_BAD_VALUE, dmm_histogram_even(doubles, DMM_F64, 0, -1, 1));
    REQUIRE_STATUS(DMM_BAD_VALUE, dmm_histogram_even(doubles, DMM_F64, 65537, -1, 1));
    REQUIRE_STATUS(DMM_BAD_VALUE, dmm_histogram_even(doubles, DMM_F64, 4, 1, 1));
    REQUIRE_STATUS(DMM_BAD_VALUE, dmm_histogram_even(doubles, DMM_F64, 4, -DBL_MAX, DBL_MAX));
    REQUIRE_STATUS(DMM_BAD_VALUE,
        dmm_histogram_even(doubles, DMM_F64, 4, 0, floats[0] / (floats[1] - floats[1])));
}

/* ---- By edges, and several channels ------------------------------------------------------- */

typedef struct range_row {
    const char *kind;
    uint32_t bins, channels, counted;
    dmm_tuning tuning;
    int mapped;
    int even; /* by given even edges for odd sizes, by uneven ones for even sizes */
} range_row;

/* Returns the bin of an item, by a look at every edge; bins: none. */
static uint32_t bin_of(
    const kind *k, const range_row *of, const unsigned char *edges, const void *item)
{
    uint32_t at = 0;
    while (at < of->bins + !of->even && kind_compare(k, edges + at * k->bytes, item) <= 0)
        at++;
    if (at == 0 || (of->even && kind_compare(k, edges + of->bins * k->bytes, item) < 0))
        return of->bins;
    return at - 1;
}

/* Sorts edges by insertion. */
static void sort_edges(const kind *k, unsigned char *edges, uint32_t count)
{
    unsigned char one[8];
    for (uint32_t i = 1; i < count; i++) {
        uint32_t at = i;
        memcpy(one, edges + i * k->bytes, k->bytes);
        for (; at > 0 && kind_compare(k, edges + (at - 1) * k->bytes, one) > 0; at--)
            memcpy(edges + at * k->bytes, edges + (at - 1) * k->bytes, k->bytes);
        memcpy(edges + at * k->bytes, one, k->bytes);
    }
}

/* Moves every second item to `other`; what is left, and the rest there, are bytes 0xff. */
static void take_apart(unsigned char *items, unsigned char *other, uint64_t n, uint32_t bytes)
{
    memset(other, 0xff, n * bytes);
    for (uint64_t i = 0; i < n; i += 2) {
        memcpy(other + i * bytes, items + i * bytes, bytes);
        memset(items + i * bytes, 0xff, bytes);
    }
}

static void count_ranges(rig *r, const range_row *of, uint64_t n, shape s)
{
    kind k = kind_named(of->kind);
    random_source random = {n};
    const uint32_t bins = of->bins;
    const uint64_t bytes = n * of->channels * k.bytes;
    const uint32_t counted = of->counted != 0 ? of->counted : of->channels;
    unsigned char *const items = allocate(bytes), *const edges = allocate((bins + 1) * k.bytes);
    uint64_t *const counts = allocate(counted * bins * sizeof *counts);
    uint64_t *const expected = allocate(counted * bins * sizeof *counts);
    k.order.zero_equal = k.order.type >= DMM_F16;
    kind_fill(&k, s, items, n * of->channels, &random);
    kind_fill(&k, SHAPE_RANDOM, edges, bins + 1, &random);
    sort_edges(&k, edges, bins + 1);
    if (of->even && n % 2)
        REQUIRE_OK(dmm_histogram_even(edges, k.order.type, bins, 0.25, 99.75));
    for (uint64_t i = 0; i < n; i++)
        for (uint32_t c = 0; c < counted; c++) {
            const uint32_t bin = bin_of(&k, of, edges, items + (i * of->channels + c) * k.bytes);
            if (bin < bins)
                expected[c * bins + bin]++;
        }
    const dmm_map either = {.item = {k.order.type, 0},
        .y = {k.order.type, 0},
        .further = 1,
        .expression = "i % 2 ? item : y"};
    const dmm_histogram_desc desc = {.type = k.order.type,
        .bins = bins,
        .by = of->even ? DMM_HISTOGRAM_EVEN : DMM_HISTOGRAM_EDGES,
        .channels = of->channels,
        .counted = of->counted,
        .map = of->mapped ? &either : NULL,
        .tuning = of->tuning};
    unsigned char *const other = allocate(bytes);
    if (of->mapped)
        take_apart(items, other, n * of->channels, k.bytes);
    dmm_histogram *const histogram = build(r, desc);
    zone in = zone_create(r, items, bytes, k.bytes), y = zone_create(r, other, bytes, 2 * k.bytes);
    const dmm_span further = zone_span(&y);
    zone at = zone_create(r, edges, (bins + 1) * k.bytes, 3 * k.bytes);
    zone out = zone_create(r, NULL, counted * bins * sizeof *counts, 24);
    const dmm_histogram_args args = {.labels = zone_span(&in),
        .edges = zone_span(&at),
        .counts_out = zone_span(&out),
        .further = &further};
    REQUIRE_OK(dmm_histogram_enqueue(histogram, r->queue, &args, n, 0, NULL, NULL));
    REQUIRE_OK(clFinish(r->queue));
    zone_read(r, &out, counts);
    REQUIRE(zone_intact(r, &out) && zone_holds(r, &in, items));
    REQUIRE(memcmp(counts, expected, counted * bins * sizeof *counts) == 0);
    if (!of->mapped)
        REQUIRE_OK(dmm_histogram_edges_host(r->ctx, &desc, items, n, edges, counts));
    REQUIRE(memcmp(counts, expected, counted * bins * sizeof *counts) == 0);
    dmm_histogram_free(histogram);
    zone_free(&in);
    zone_free(&y);
    free(other);
    zone_free(&at);
    zone_free(&out);
    free(items);
    free(edges);
    free(counts);
    free(expected);
}

static void ranges_of_every_kind_are_counted(void **state)
{
    static const range_row rows[] = {
        {.kind = "f32", .bins = 20, .channels = 1, .tuning = GPU(16, 4)},
        {.kind = "u8", .bins = 4, .channels = 4, .counted = 3, .tuning = GPU(16, 4)},
        {.kind = "f64", .bins = 1, .channels = 2, .tuning = CPU(64)},
        {.kind = "f32", .bins = 300, .channels = 1, .tuning = CPU(64), .even = 1},
        {.kind = "i16",
            .bins = 300,
            .channels = 3,
            .counted = 2,
            .tuning = GPU(16, 2),
            .mapped = 1},
        {.kind = "u64", .bins = 256, .channels = 3, .counted = 1, .tuning = CPU(64)},
        {.kind = "i32", .bins = 200, .channels = 1, .tuning = GPU(16, 4), .even = 1},
        {.kind = "f16", .bins = 7, .channels = 1, .tuning = GPU(32, 8)},
        {.kind = "i8", .bins = 100, .channels = 1, .tuning = CPU(64)},
        {.kind = "i8", .bins = 9, .channels = 1, .tuning = GPU(16, 4), .even = 1},
        {.kind = "u8", .bins = 300, .channels = 3, .tuning = CPU(64), .mapped = 1, .even = 1},
        {.kind = "f32", .bins = 40, .channels = 2, .counted = 2, .tuning = CPU(64), .mapped = 1},
        {.kind = "i64", .bins = 20, .channels = 5, .counted = 3, .tuning = GPU(16, 4), .mapped = 1},
        {.kind = "f64", .bins = 3000, .channels = 1, .tuning = CPU(64), .even = 1},
        {.kind = "u64", .bins = 1, .channels = 1, .tuning = GPU(16, 4), .even = 1},
        {.kind = "i16", .bins = 500, .channels = 1, .tuning = GPU(16, 4), .even = 1}};
    static rig r;
    (void)state;
    rig_open(&r, "banks=16");
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k += by_size(3, 1, 1))
        for (uint64_t i = 0; i < by_size(1, 3, 3); i++) {
            static const uint64_t sizes[] = {777, 0, 5000};
            test_note("%s by %u ranges, n=%llu", rows[k].kind, (unsigned)rows[k].bins,
                (unsigned long long)sizes[i]);
            count_ranges(&r, &rows[k], sizes[i], i % 2 ? SHAPE_RANDOM : SHAPE_SPECIAL);
        }
    test_note("an edge counts up, the last one does not");
    const float items[] = {0.f, -0.f, 1.f, 2.f, 1.5f, -1.f, 0.f / (float)(rows[1].counted - 3)};
    const float edges[] = {0.f, 1.f, 2.f};
    uint64_t counts[2];
    const dmm_histogram_desc two = {.type = DMM_F32, .bins = 2, .by = DMM_HISTOGRAM_EDGES};
    REQUIRE_OK(dmm_histogram_edges_host(r.ctx, &two, items, 7, edges, counts));
    REQUIRE(counts[0] == 2 && counts[1] == 2);
    rig_close(&r);
}

static void judges_tell_wrong_from_right(void **state)
{
    static const uint8_t labels[] = {1, 0, 1, 9};
    uint64_t counts[] = {1, 2, 0};
    (void)state;
    test_note("judges");
    judge(DMM_U8, labels, 4, counts, 3);
    for (int bin = 0; bin < 3; bin++)
        for (int change = -1; change <= 1; change += 2) {
            counts[bin] += (uint64_t)change;
            REQUIRE(judge_by_oracle(DMM_U8, labels, 4, counts, 3) != NULL);
            REQUIRE(judge_by_property(DMM_U8, labels, 4, counts, 3) != NULL);
            counts[bin] -= (uint64_t)change;
        }
}

static void wrong_descriptions_are_refused(void **state)
{
    static const dmm_histogram_desc wrong[] = {{.type = DMM_U64, .bins = 4}, {.type = DMM_I8},
        {.type = DMM_U8, .bins = 65537}, {.type = DMM_F32},
        {.type = DMM_ITEM, .by = DMM_HISTOGRAM_EDGES}, {.by = (dmm_histogram_by)3},
        {.channels = 257}, {.channels = 2, .counted = 3}};
    static rig r;
    const uint8_t labels[] = {1, 0, 1, 9};
    uint64_t counts[3] = {0};
    const dmm_histogram_desc desc = {.type = DMM_U8, .bins = 3, .max_n = 4};
    dmm_histogram *histogram = NULL;
    (void)state;
    rig_open(&r, NULL);
    test_note("wrong descriptions");
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        REQUIRE_REFUSED(
            DMM_BAD_VALUE, &histogram, dmm_histogram_create(&histogram, r.ctx, &wrong[i]));
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_histogram_host(r.ctx, &desc, labels, 4, NULL));
    REQUIRE_OK(dmm_histogram_host(r.ctx, &desc, labels, 4, counts));
    REQUIRE(counts[0] == 1 && counts[1] == 2 && counts[2] == 0);
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(labels_of_every_type_are_counted),
        cmocka_unit_test(sizes_up_to_4096_is_counted),
        cmocka_unit_test(even_edges_are_rounded_up),
        cmocka_unit_test(ranges_of_every_kind_are_counted),
        cmocka_unit_test(judges_tell_wrong_from_right),
        cmocka_unit_test(wrong_descriptions_are_refused),
    };
    return cmocka_run_group_tests_name("histogram", tests, NULL, NULL);
}
