/* SPDX-License-Identifier: MIT */
/* ctest: oclgrind */
/*
 * dmm_scan_segmented, dmm_reduce_segmented and dmm_topk_segmented over types, operators, segments
 * of any lengths by offsets of both widths, and rows, in both forms, beside loops on the host. Sums
 * of floats are of small whole numbers, hence exact.
 */
#include "support/require.h"

#include <dmm/reduce_segmented.h>
#include <dmm/scan_segmented.h>
#include <dmm/topk_segmented.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/forms.h"
#include "support/items.h"
#include "support/kind.h"
#include "support/shared.h"
#include "support/zone.h"

typedef struct row {
    dmm_type type;
    dmm_scan_op op;
    dmm_type offset_type;
    int exclusive;
    dmm_tuning tuning;
    const dmm_operator *own; /* the last one that is not 0: it does not commute */
} row;

/* Items of 12 bytes: the number, and two that go with it. */
enum { ITEM_BYTES = 12 };
static const dmm_operator last = {.combine = "b ? b : a", .identity = "0"},
                          last_item = {.item_bytes = ITEM_BYTES,
                              .item = "typedef struct { uint x, y, z; } dmm_item;",
                              .combine = "b.x ? b : a",
                              .identity = "(dmm_item){0, 0, 0}"};

static const row table[] = {
    {DMM_U32, DMM_SCAN_SUM, DMM_U64, 0, GPU(16, 4), NULL},
    {DMM_I32, DMM_SCAN_MAX, DMM_U32, 1, CPU(64), NULL},
    {DMM_F32, DMM_SCAN_SUM, DMM_U32, 1, GPU(32, 4), NULL},
    {DMM_ITEM, DMM_SCAN_SUM, DMM_U32, 1, GPU(16, 4), &last_item},
    {DMM_I8, DMM_SCAN_MIN, DMM_U64, 0, CPU(64), NULL},
    {DMM_U64, DMM_SCAN_SUM, DMM_U32, 0, CPU(128), NULL},
    {DMM_F32, DMM_SCAN_MIN, DMM_U32, 0, GPU(16, 4), NULL},
    {DMM_U64, DMM_SCAN_SUM, DMM_U64, 0, GPU(16, 4), &last},
    {DMM_ITEM, DMM_SCAN_SUM, DMM_U64, 0, CPU(64), &last_item},
};

/* A list and its segments. */
typedef struct list {
    const row *of;
    uint64_t n, segments;
    uint32_t bytes;
    unsigned char *items;
    uint64_t *offsets; /* NULL: rows */
    void *narrow;      /* the same of the row's offset type */
} list;

static uint64_t begin_of(const list *l, uint64_t s)
{
    const uint64_t at = l->offsets != NULL ? l->offsets[s] : s * (l->n / l->segments);
    return at < l->n ? at : l->n;
}

/* Segments of few items, empty ones, and one that is long; the first and last items are in none, or
 * the last offset is beyond n. */
static list make(const row *of, uint64_t n, uint64_t segments, int rows, uint64_t seed)
{
    random_source random = {seed};
    list l = {.of = of, .n = n, .segments = segments, .bytes = dmm_type_bytes(of->type)};
    l.bytes = of->type == DMM_ITEM ? ITEM_BYTES : l.bytes;
    l.items = allocate(n * l.bytes);
    for (uint64_t i = 0; i < n; i++) {
        const uint64_t bits = random_below(&random, 100);
        const float small = (float)bits - 50;
        const uint64_t own = bits % 3, both[] = {of->own ? own : bits, own != 0 ? i : 0};
        if (of->type == DMM_F32)
            memcpy(l.items + i * l.bytes, &small, sizeof small);
        else
            memcpy(l.items + i * l.bytes, both, l.bytes); /* little-endian */
    }
    if (rows)
        return l;
    l.offsets = allocate((segments + 1) * sizeof *l.offsets);
    l.narrow = allocate((segments + 1) * sizeof *l.offsets);
    uint64_t at = n > 3 ? seed % 3 : 0;
    for (uint64_t s = 0; s <= segments; s++) {
        l.offsets[s] = at;
        at += s == segments / 2 ? n / 2 : random_below(&random, 3) * random_below(&random, 9);
        at = at > n && seed % 2 == 0 ? n : at;
    }
    const uint32_t width = dmm_type_bytes(of->offset_type);
    for (uint64_t s = 0; s <= segments; s++)
        memcpy((char *)l.narrow + s * width, &l.offsets[s], width);
    return l;
}

static void free_list(list *l)
{
    free(l->items);
    free(l->offsets);
    free(l->narrow);
}

/* Items as numbers: every type of the table fits. */
static double number_at(dmm_type type, const void *items, uint64_t i)
{
    switch (type) {
    case DMM_U32:
        return ((const uint32_t *)items)[i];
    case DMM_I32:
        return ((const int32_t *)items)[i];
    case DMM_I8:
        return ((const int8_t *)items)[i];
    case DMM_F32:
        return ((const float *)items)[i];
    case DMM_ITEM:
        return ((const uint32_t *)items)[i * ITEM_BYTES / 4] +
               (double)((const uint32_t *)items)[i * ITEM_BYTES / 4 + 2] * 16;
    default:
        return (double)((const uint64_t *)items)[i];
    }
}

static double identity_of(const row *of)
{
    if (of->op == DMM_SCAN_SUM)
        return 0;
    if (of->op == DMM_SCAN_MAX)
        return -2147483648.0;
    return of->type == DMM_I8 ? 127 : (double)NAN;
}

static double combine(const row *of, double a, double b)
{
    if (of->own != NULL)
        return b - 16 * floor(b / 16) != 0 ? b : a;
    if (of->op == DMM_SCAN_SUM)
        return a + b;
    if (of->op == DMM_SCAN_MAX)
        return a > b ? a : b;
    return a < b || b != b ? a : b; /* a NaN is the identity */
}

static int same(double a, double b)
{
    return a == b || (a != a && b != b);
}

static const char *judge_scan(const list *l, const void *out)
{
    const dmm_type type = l->of->type;
    double running = identity_of(l->of);
    uint64_t s = 0;
    for (uint64_t i = 0; i < l->n; i++) {
        int begins = 0;
        while (s <= l->segments && begin_of(l, s) <= i)
            begins |= begin_of(l, s++) == i;
        const double before = begins || i == 0 ? identity_of(l->of) : running;
        running = combine(l->of, before, number_at(type, l->items, i));
        if (!same(number_at(type, out, i), l->of->exclusive ? before : running))
            return "a prefix is wrong";
    }
    return NULL;
}

static const char *judge_reduce(const list *l, const void *out)
{
    for (uint64_t s = 0; s < l->segments; s++) {
        double total = identity_of(l->of);
        for (uint64_t i = begin_of(l, s); i < begin_of(l, s + 1); i++)
            total = combine(l->of, total, number_at(l->of->type, l->items, i));
        if (!same(number_at(l->of->type, out, s), total))
            return "a total is wrong";
    }
    return NULL;
}

static zone offsets_zone(const list *l)
{
    const uint32_t width = dmm_type_bytes(l->of->offset_type);
    return zone_create(
        &shared, l->narrow, l->offsets != NULL ? (l->segments + 1) * width : 0, width);
}

static void run_scan(const list *l, dmm_scan_segmented *scan)
{
    const uint64_t bytes = l->n * l->bytes;
    unsigned char *const result = allocate(bytes);
    uint64_t temp_bytes = 0;
    REQUIRE_OK(dmm_scan_segmented_temp_bytes(&temp_bytes, scan, l->n, l->segments));
    zone in = zone_create(&shared, l->items, bytes, l->bytes);
    zone out = zone_create(&shared, NULL, bytes, 3 * l->bytes);
    zone temp = zone_create(&shared, NULL, temp_bytes, 256), offsets = offsets_zone(l);
    const int in_place = l->n % 2 == 0;
    const dmm_scan_segmented_args args = {.in = zone_span(&in),
        .offsets = l->offsets != NULL ? zone_span(&offsets) : DMM_NONE,
        .out = zone_span(in_place ? &in : &out),
        .temp = zone_span(&temp)};
    REQUIRE_OK(
        dmm_scan_segmented_enqueue(scan, shared.queue, &args, l->n, l->segments, 0, NULL, NULL));
    REQUIRE_OK(clFinish(shared.queue));
    zone_read(&shared, in_place ? &in : &out, result);
    REQUIRE(zone_intact(&shared, &in) && zone_intact(&shared, &out));
    REQUIRE(zone_intact(&shared, &temp) && (in_place || zone_holds(&shared, &in, l->items)));
    REQUIRE_VERDICT(judge_scan(l, result));
    zone_free(&in);
    zone_free(&out);
    zone_free(&temp);
    zone_free(&offsets);
    free(result);
}

static void run_reduce(const list *l, dmm_reduce_segmented *reduce)
{
    unsigned char *const result = allocate(l->segments * l->bytes);
    uint64_t temp_bytes = 0;
    REQUIRE_OK(dmm_reduce_segmented_temp_bytes(&temp_bytes, reduce, l->n, l->segments));
    zone in = zone_create(&shared, l->items, l->n * l->bytes, l->bytes);
    zone out = zone_create(&shared, NULL, l->segments * l->bytes, 3 * l->bytes);
    zone temp = zone_create(&shared, NULL, temp_bytes, 256), offsets = offsets_zone(l);
    const dmm_reduce_segmented_args args = {.in = zone_span(&in),
        .offsets = l->offsets != NULL ? zone_span(&offsets) : DMM_NONE,
        .out = zone_span(&out),
        .temp = zone_span(&temp)};
    REQUIRE_OK(dmm_reduce_segmented_enqueue(
        reduce, shared.queue, &args, l->n, l->segments, 0, NULL, NULL));
    REQUIRE_OK(clFinish(shared.queue));
    zone_read(&shared, &out, result);
    REQUIRE(zone_intact(&shared, &out) && zone_intact(&shared, &temp));
    REQUIRE(zone_holds(&shared, &in, l->items));
    REQUIRE_VERDICT(judge_reduce(l, result));
    zone_free(&in);
    zone_free(&out);
    zone_free(&temp);
    zone_free(&offsets);
    free(result);
}

static void segments_are_scanned_and_reduced(void **state)
{
    static const uint64_t sizes[] = {200, 1, 63, 64, 600, 3000, 0};
    (void)state;
    for (size_t r = 0; r < sizeof table / sizeof *table; r += by_size(3, 1, 1)) {
        const row *const of = &table[r];
        const dmm_scan_segmented_desc scans = {.type = of->type,
            .op = of->op,
            .exclusive = of->exclusive,
            .offset_type = of->offset_type,
            .tuning = of->tuning,
            .own = of->own};
        const dmm_reduce_segmented_desc reduces = {.type = of->type,
            .op = of->op,
            .offset_type = of->offset_type,
            .tuning = of->tuning,
            .own = of->own};
        dmm_scan_segmented *scan = NULL;
        dmm_reduce_segmented *reduce = NULL;
        REQUIRE_OK(dmm_scan_segmented_create(&scan, shared.ctx, &scans));
        REQUIRE_OK(dmm_reduce_segmented_create(&reduce, shared.ctx, &reduces));
        for (size_t i = 0; i < by_size(1, 7, 7); i++)
            for (int rows = 0; rows < 2; rows++) {
                const uint64_t n = sizes[i];
                const uint64_t segments = rows ? (n % 3 == 0 ? 3 : 1) : 1 + n / 4;
                list l = make(of, n, segments, rows, r + i);
                test_note(
                    "row %zu, n=%llu, %s", r, (unsigned long long)n, rows ? "rows" : "offsets");
                run_scan(&l, scan);
                run_reduce(&l, reduce);
                free_list(&l);
            }
        dmm_scan_segmented_free(scan);
        dmm_reduce_segmented_free(reduce);
    }
}

/* ---- Top k ----------------------------------------------------------------------------------- */

/* Returns the place of item i among the others of its segment, in stable order. */
static uint64_t rank_in(
    const kind *k, const unsigned char *keys, uint64_t first, uint64_t end, uint64_t i)
{
    uint64_t rank = 0;
    for (uint64_t j = first; j < end; j++) {
        const int order = kind_compare(k, keys + j * k->bytes, keys + i * k->bytes);
        rank += order < 0 || (order == 0 && j < i);
    }
    return rank;
}

typedef struct topk_row {
    const char *kind;
    uint32_t k, value_bytes;
    int argsort, falls;
    dmm_tuning tuning;
} topk_row;

enum { UNTOUCHED = 0x5a };

/* True if no byte was written. */
static int are_untouched(const unsigned char *at, uint64_t bytes)
{
    for (uint64_t i = 0; i < bytes; i++)
        if (at[i] != UNTOUCHED)
            return 0;
    return 1;
}

static void run_topk(const topk_row *of, uint64_t n, uint64_t segments, int rows)
{
    const row as = {.type = DMM_U32, .offset_type = DMM_U32};
    kind k = of->falls ? kind_descending(kind_named(of->kind)) : kind_named(of->kind);
    list l = make(&as, n, segments, rows, 0);
    random_source random = {n};
    const uint64_t places = segments * of->k, bytes = k.bytes;
    const dmm_topk_segmented_desc desc = {.order = k.order,
        .k = of->k,
        .value_bytes = of->value_bytes,
        .argsort = of->argsort,
        .tuning = of->tuning};
    dmm_topk_segmented *topk = NULL;
    unsigned char *const keys = allocate(n * bytes), *const values = allocate(n * of->value_bytes);
    unsigned char *const best = allocate(places * bytes);
    unsigned char *const with = allocate(places * of->value_bytes);
    kind_fill(&k, SHAPE_FEW, keys, n, &random);
    random_bytes(&random, values, n * of->value_bytes);
    zone in = zone_create(&shared, keys, n * bytes, bytes);
    zone values_in = zone_create(&shared, values, n * of->value_bytes, of->value_bytes);
    memset(best, UNTOUCHED, places * bytes);
    memset(with, UNTOUCHED, places * of->value_bytes);
    zone out = zone_create(&shared, best, places * bytes, 2 * bytes);
    zone values_out = zone_create(&shared, with, places * of->value_bytes, of->value_bytes);
    zone offsets = offsets_zone(&l);
    const dmm_topk_segmented_args args = {.keys_in = zone_span(&in),
        .values_in = of->argsort || of->value_bytes == 0 ? DMM_NONE : zone_span(&values_in),
        .offsets = rows ? DMM_NONE : zone_span(&offsets),
        .keys_out = zone_span(&out),
        .values_out = of->value_bytes != 0 ? zone_span(&values_out) : DMM_NONE};
    REQUIRE_OK(dmm_topk_segmented_create(&topk, shared.ctx, &desc));
    REQUIRE_OK(dmm_topk_segmented_enqueue(topk, shared.queue, &args, n, segments, 0, NULL, NULL));
    REQUIRE_OK(clFinish(shared.queue));
    dmm_topk_segmented_free(topk);
    zone_read(&shared, &out, best);
    zone_read(&shared, &values_out, with);
    REQUIRE(zone_intact(&shared, &out) && zone_intact(&shared, &values_out));
    REQUIRE(zone_holds(&shared, &in, keys));
    for (uint64_t s = 0; s < segments; s++) {
        const uint64_t first = begin_of(&l, s), end = begin_of(&l, s + 1);
        for (uint64_t i = first; i < end; i++) {
            const uint64_t rank = rank_in(&k, keys, first, end, i), place = s * of->k + rank;
            uint64_t index = 0;
            if (rank >= of->k)
                continue;
            REQUIRE(same_item(keys, i, best, place, k.bytes));
            if (!of->argsort) {
                REQUIRE(same_item(values, i, with, place, of->value_bytes));
                continue;
            }
            memcpy(&index, with + place * of->value_bytes, of->value_bytes);
            REQUIRE(index == i - first);
        }
        for (uint64_t i = end - first; i < of->k; i++) { /* places behind the last item */
            REQUIRE(are_untouched(best + (s * of->k + i) * bytes, bytes));
            REQUIRE(are_untouched(with + (s * of->k + i) * of->value_bytes, of->value_bytes));
        }
    }
    zone_free(&in);
    zone_free(&values_in);
    zone_free(&out);
    zone_free(&values_out);
    zone_free(&offsets);
    free(keys);
    free(values);
    free(best);
    free(with);
    free_list(&l);
}

static void the_first_of_each_segment_are_selected(void **state)
{
    static const topk_row rows[] = {
        {.kind = "f32", .k = 5, .value_bytes = 4, .argsort = 1, .falls = 1, .tuning = GPU(16, 4)},
        {.kind = "u8", .k = 1, .value_bytes = 12, .tuning = CPU(64)},
        {.kind = "item12", .k = 3, .value_bytes = 8, .argsort = 1, .tuning = CPU(64)},
        {.kind = "i64", .k = 40, .falls = 1, .tuning = GPU(16, 4)},
        {.kind = "f64", .k = 2, .value_bytes = 3, .falls = 1, .tuning = CPU(64)},
        {.kind = "u32 by less", .k = 32, .value_bytes = 4, .tuning = CPU(64)}};
    static const struct {
        uint64_t n, segments;
    } shapes[] = {{700, 100}, {700, 100}, {96, 4}, {12000, 2}, {3000, 40}, {90, 90}};
    (void)state;
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r += by_size(2, 1, 1))
        for (int i = 0; i < 6; i++) {
            test_note("top %u of %s, %d", (unsigned)rows[r].k, rows[r].kind, i);
            run_topk(&rows[r], shapes[i].n, shapes[i].segments, i % 2);
        }
}

static void wrong_calls_are_refused(void **state)
{
    static const dmm_scan_segmented_desc wrong = {.offset_type = DMM_I32};
    static const dmm_topk_segmented_desc narrow = {.value_bytes = 2, .argsort = 1};
    static const dmm_reduce_segmented_desc sums = {.type = DMM_U32};
    const uint32_t items[6] = {1, 2, 3, 4, 5, 6}, falls[3] = {0, 5, 2};
    uint32_t out[3] = {0};
    dmm_scan_segmented *scan = NULL;
    dmm_topk_segmented *topk = NULL;
    (void)state;
    test_note("wrong calls");
    REQUIRE_REFUSED(DMM_BAD_VALUE, &scan, dmm_scan_segmented_create(&scan, shared.ctx, &wrong));
    REQUIRE_REFUSED(DMM_BAD_VALUE, &topk, dmm_topk_segmented_create(&topk, shared.ctx, &narrow));
    REQUIRE_STATUS(
        DMM_BAD_VALUE, dmm_reduce_segmented_host(shared.ctx, &sums, items, 6, NULL, 4, out));
    REQUIRE_STATUS(
        DMM_BAD_VALUE, dmm_reduce_segmented_host(shared.ctx, &sums, items, 6, NULL, 0, out));
    REQUIRE_OK(dmm_reduce_segmented_host(shared.ctx, &sums, items, 6, NULL, 3, out));
    REQUIRE(out[0] == 3 && out[1] == 7 && out[2] == 11);
    const dmm_topk_segmented_desc best = {.order = {.type = DMM_U32}};
    REQUIRE_STATUS(DMM_BAD_DATA,
        dmm_topk_segmented_host(shared.ctx, &best, items, NULL, 6, falls, 2, out, NULL));
    REQUIRE_OK(dmm_topk_segmented_host(shared.ctx, &best, items, NULL, 6, NULL, 2, out, NULL));
    REQUIRE(out[0] == 1 && out[1] == 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(segments_are_scanned_and_reduced),
        cmocka_unit_test(the_first_of_each_segment_are_selected),
        cmocka_unit_test(wrong_calls_are_refused),
    };
    return RUN_WITH_RIG("scan_segmented", "banks=16", tests);
}
