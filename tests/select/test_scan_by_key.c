/* SPDX-License-Identifier: MIT */
/* ctest: oclgrind rows */
/*
 * dmm_scan_by_key and dmm_reduce_by_key over sizes, keys, lengths of segments, types, operations
 * and forms, by two judges: an oracle that adds up item by item, and the property that neighbours
 * in the output differ by an item, and that the totals of runs are last items.
 */
#include "support/require.h"

#include <dmm/reduce_by_key.h>
#include <dmm/scan_by_key.h>

#include <stdlib.h>
#include <string.h>

#include "support/items.h"
#include "support/shared.h"
#include "support/zone.h"
#include "support/cover.h"
#include "support/forms.h"
#include "support/random.h"

/* A call's arrays. Items are i64, u32, u8 or f32 with whole values, whose sums are exact. */
typedef struct segmented {
    dmm_type type;
    dmm_scan_op op;
    int exclusive;
    uint32_t key_bytes;
    uint64_t n, runs;
    unsigned char *keys, *items, *out; /* the scan's */
    unsigned char *keys_out, *totals;  /* the reduction's */
} segmented;

static double item_at(const segmented *s, const void *items, uint64_t i)
{
    switch (s->type) {
    case DMM_F32:
        return ((const float *)items)[i];
    case DMM_I64:
        return (double)((const int64_t *)items)[i];
    case DMM_U8:
        return ((const uint8_t *)items)[i];
    default:
        return ((const uint32_t *)items)[i];
    }
}

/* Numbers are so small that only sums of u8 wrap. */
static double combine(const segmented *s, double a, double b)
{
    if (s->op == DMM_SCAN_MAX)
        return a > b ? a : b;
    if (s->op == DMM_SCAN_MIN)
        return a < b ? a : b;
    return s->type == DMM_U8 ? (double)(((unsigned)a + (unsigned)b) & 255) : a + b;
}

static int begins(const segmented *s, uint64_t i)
{
    const unsigned char *const key = s->keys + i * s->key_bytes;
    return i == 0 || memcmp(key, key - s->key_bytes, s->key_bytes) != 0;
}

static const char *judge_by_adding(const segmented *s)
{
    double running = 0;
    uint64_t run = 0;
    for (uint64_t i = 0; i < s->n; i++) {
        const double item = item_at(s, s->items, i), before = running;
        const int first = begins(s, i);
        running = first ? item : combine(s, running, item);
        if (!s->exclusive && item_at(s, s->out, i) != running)
            return "an item is wrong";
        if (s->exclusive && (first ? s->op == DMM_SCAN_SUM && item_at(s, s->out, i) != 0
                                   : item_at(s, s->out, i) != before))
            return "an exclusive item is wrong";
        if (i + 1 < s->n && !begins(s, i + 1))
            continue;
        if (run == s->runs || item_at(s, s->totals, run) != running ||
            memcmp(s->keys_out + run * s->key_bytes, s->keys + i * s->key_bytes, s->key_bytes) != 0)
            return "a run is wrong";
        run++;
    }
    return run == s->runs ? NULL : "too many runs";
}

static const char *judge_by_neighbours(const segmented *s)
{
    uint64_t run = 0;
    for (uint64_t i = 0; i < s->n && !s->exclusive; i++) {
        const double before = i == 0 || begins(s, i)
                                  ? item_at(s, s->items, i)
                                  : combine(s, item_at(s, s->out, i - 1), item_at(s, s->items, i));
        if (item_at(s, s->out, i) != before)
            return "an item does not follow from the one before it";
        if (i + 1 == s->n || begins(s, i + 1))
            if (run == s->runs || item_at(s, s->totals, run++) != item_at(s, s->out, i))
                return "a total is not the last item of its run";
    }
    return s->exclusive || run == s->runs ? NULL : "too many runs";
}

/* Segments of about `length` items; 0: one. Neighbouring keys differ in one byte. */
static void fill(segmented *s, uint64_t length, uint64_t seed)
{
    random_source random = {seed};
    const uint32_t bytes = dmm_type_bytes(s->type);
    s->keys = allocate(s->n * s->key_bytes);
    s->keys_out = allocate(s->n * s->key_bytes);
    s->items = allocate(s->n * bytes);
    s->out = allocate(s->n * bytes);
    s->totals = allocate(s->n * bytes);
    for (uint64_t i = 0; i < s->n; i++) {
        unsigned char *const key = s->keys + i * s->key_bytes;
        const uint64_t number = random_below(&random, 9);
        const float real = (float)number - 4;
        const int64_t wide = (int64_t)number - 4;
        memcpy(s->items + i * bytes,
            s->type == DMM_F32   ? (const void *)&real
            : s->type == DMM_I64 ? (const void *)&wide
                                 : (const void *)&number,
            bytes);
        if (i > 0)
            memcpy(key, key - s->key_bytes, s->key_bytes);
        if (length != 0 && random_below(&random, length) == 0)
            key[random_below(&random, 2) * (s->key_bytes - 1)]++;
    }
}

static void free_segmented(segmented *s)
{
    unsigned char *const arrays[] = {s->keys, s->items, s->out, s->keys_out, s->totals};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        free(arrays[i]);
}

typedef struct pair {
    dmm_scan_by_key *scan;
    dmm_reduce_by_key *reduce;
} pair;

static pair build(rig *r, const segmented *s, dmm_tuning tuning)
{
    pair p = {NULL, NULL};
    const dmm_scan_by_key_desc scan = {.type = s->type,
        .op = s->op,
        .exclusive = s->exclusive,
        .key_bytes = s->key_bytes,
        .tuning = tuning};
    const dmm_reduce_by_key_desc reduce = {
        .type = s->type, .op = s->op, .key_bytes = s->key_bytes, .tuning = tuning};
    REQUIRE_OK(rig_log_failure(r, dmm_scan_by_key_create(&p.scan, r->ctx, &scan)));
    REQUIRE_OK(dmm_reduce_by_key_create(&p.reduce, r->ctx, &reduce));
    return p;
}

static void free_pair(pair p)
{
    dmm_scan_by_key_free(p.scan);
    dmm_reduce_by_key_free(p.reduce);
}

enum { KEYS, ITEMS, OUT, KEYS_OUT, TOTALS, RUNS, COUNT, NUM_ZONES };

/* Runs both for at most `most` items, of which the device's count says s->n; `in_place`: the
 * scan. */
static void call(const rig *r, pair p, segmented *s, uint64_t most, int in_place)
{
    const uint64_t bytes = dmm_type_bytes(s->type), at = most % 3;
    zone z[NUM_ZONES] = {
        [KEYS] = zone_create(r, s->keys, most * s->key_bytes, at * s->key_bytes),
        [ITEMS] = zone_create(r, s->items, most * bytes, 3 * bytes),
        [OUT] = zone_create(r, s->items, most * bytes, 2 * at * bytes),
        [KEYS_OUT] = zone_create(r, NULL, most * s->key_bytes, 2 * s->key_bytes),
        [TOTALS] = zone_create(r, NULL, most * bytes, at * bytes),
        [RUNS] = zone_create(r, NULL, sizeof s->runs, 8),
        [COUNT] = zone_create(r, &s->n, sizeof s->n, 16),
    };
    const dmm_span count = most != s->n ? zone_span(&z[COUNT]) : DMM_NONE;
    const dmm_scan_by_key_args scan = {.keys_in = zone_span(&z[KEYS]),
        .in = zone_span(&z[in_place ? OUT : ITEMS]),
        .out = zone_span(&z[OUT]),
        .count = count};
    const dmm_reduce_by_key_args reduce = {.keys_in = zone_span(&z[KEYS]),
        .in = zone_span(&z[ITEMS]),
        .keys_out = zone_span(&z[KEYS_OUT]),
        .out = zone_span(&z[TOTALS]),
        .runs_out = zone_span(&z[RUNS]),
        .count = count};
    REQUIRE_OK(dmm_scan_by_key_enqueue(p.scan, r->queue, &scan, most, 0, NULL, NULL));
    REQUIRE_OK(dmm_reduce_by_key_enqueue(p.reduce, r->queue, &reduce, most, 0, NULL, NULL));
    REQUIRE_OK(clFinish(r->queue));
    zone_read(r, &z[OUT], s->out);
    zone_read(r, &z[KEYS_OUT], s->keys_out);
    zone_read(r, &z[TOTALS], s->totals);
    zone_read(r, &z[RUNS], &s->runs);
    REQUIRE(zone_holds(r, &z[KEYS], s->keys));
    REQUIRE(zone_holds(r, &z[ITEMS], s->items));
    for (int i = 0; i < NUM_ZONES; i++) {
        REQUIRE(zone_intact(r, &z[i]));
        zone_free(&z[i]);
    }
    REQUIRE_VERDICT(judge_by_adding(s));
    REQUIRE_VERDICT(judge_by_neighbours(s));
}

static const struct {
    dmm_type type;
    dmm_scan_op op;
    int exclusive;
    uint32_t key_bytes;
    const char *set;
    dmm_tuning tuning;
} table[] = {
    {DMM_F32, DMM_SCAN_SUM, 0, 4, "banks=16", GPU(16, 4)},
    {DMM_I64, DMM_SCAN_SUM, 1, 12, "", CPU_BY(4, 64)},
    {DMM_U8, DMM_SCAN_SUM, 1, 1, "banks=8", GPU(16, 5)},
    {DMM_U32, DMM_SCAN_MIN, 0, 8, "", CPU_BY(8, 64)},
    {DMM_I64, DMM_SCAN_MAX, 0, 3, "banks=32", GPU(32, 3)},
    {DMM_F32, DMM_SCAN_SUM, 1, 4, "", CPU_BY(8, 64)},
    {DMM_I64, DMM_SCAN_MAX, 1, 3, "", CPU_BY(8, 64)},
    {DMM_U8, DMM_SCAN_SUM, 0, 1, "", CPU_BY(8, 64)},
};

static void segments_of_every_length_are_scanned(void **state)
{
    static const uint64_t lengths[] = {2, 0, 40, 1, 900, 7};
    (void)state;
    for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
        static rig r;
        segmented s = {.type = table[k].type,
            .op = table[k].op,
            .exclusive = table[k].exclusive,
            .key_bytes = table[k].key_bytes};
        const uint64_t T = tile_of(&table[k].tuning);
        const uint64_t sizes[] = {3 * T + 5, 0, 1, T - 1, T, T + 1, 20 * T + 3, 300 * T + 1};
        const uint64_t count = by_size(3, 8, 8);
        rig_open(&r, table[k].set);
        const pair p = build(&r, &s, table[k].tuning);
        /* Simulators take every other pair of a size and a length, by turns. */
        for (uint64_t i = by_rows(k % 2, 0); i < count * by_size(2, 6, 6); i += by_rows(2, 1)) {
            const uint64_t n = sizes[i % count], length = lengths[i / count];
            test_note("type %d, op %d, exclusive %d, keys of %u bytes, n=%llu, segments of %llu",
                (int)s.type, (int)s.op, s.exclusive, s.key_bytes, (unsigned long long)n,
                (unsigned long long)length);
            s.n = n;
            fill(&s, length, i);
            call(&r, p, &s, n, i % 2);
            if (n > 1) { /* all but some, by a count in device memory */
                s.n = n - 1 - n / 3;
                call(&r, p, &s, n, 0);
            }
            free_segmented(&s);
        }
        free_pair(p);
        rig_close(&r);
    }
}

static void judges_tell_wrong_from_right(void **state)
{
    unsigned char keys[] = {5, 5, 7, 7, 7, 5}, keys_out[] = {5, 7, 5};
    unsigned char items[] = {1, 2, 3, 4, 5, 6}, out[] = {1, 3, 3, 7, 12, 6}, totals[] = {3, 12, 6};
    segmented s = {.type = DMM_U8,
        .key_bytes = 1,
        .n = 6,
        .runs = 3,
        .keys = keys,
        .items = items,
        .out = out,
        .keys_out = keys_out,
        .totals = totals};
    (void)state;
    test_note("judges");
    REQUIRE_VERDICT(judge_by_adding(&s));
    REQUIRE_VERDICT(judge_by_neighbours(&s));
#define SPOILT(change, undo)                      \
    do {                                          \
        change;                                   \
        REQUIRE(judge_by_adding(&s) != NULL);     \
        REQUIRE(judge_by_neighbours(&s) != NULL); \
        undo;                                     \
    } while (0)
    SPOILT(s.runs = 2, s.runs = 3);
    SPOILT(out[2] = 6, out[2] = 3);
    SPOILT(out[5] = 18, out[5] = 6);
    SPOILT(totals[1] = 7, totals[1] = 12);
    keys_out[1] = 5; /* the property is of items alone */
    REQUIRE(judge_by_adding(&s) != NULL);
}

enum { N = 3 };

static void wrong_arguments_of_a_scan_are_refused(void **state)
{
    static const dmm_scan_by_key_desc desc = {.type = DMM_U32, .max_n = N};
    static const dmm_scan_by_key_desc wide = {.type = DMM_U32, .key_bytes = 257};
    static const dmm_scan_by_key_desc half = {.type = DMM_F16};
    static const uint32_t keys[N] = {7, 7, 9};
    uint32_t items[N] = {1, 2, 3};
    dmm_scan_by_key *scan = NULL;
    (void)state;
    rig_open(&shared, NULL);
    test_note("wrong arguments of a scan");
    REQUIRE_REFUSED(DMM_BAD_VALUE, &scan, dmm_scan_by_key_create(&scan, shared.ctx, &wide));
    REQUIRE_REFUSED(DMM_BAD_VALUE, &scan, dmm_scan_by_key_create(&scan, shared.ctx, &half));
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_scan_by_key_host(shared.ctx, &desc, NULL, items, N));
    REQUIRE_OK(dmm_scan_by_key_host(shared.ctx, &desc, keys, items, N));
    REQUIRE(items[0] == 1 && items[1] == 3 && items[2] == 3);
    rig_close(&shared);
}

static void wrong_arguments_of_a_reduction_are_refused(void **state)
{
    static const dmm_reduce_by_key_desc desc = {.type = DMM_U32, .max_n = N};
    uint32_t keys[N] = {7, 7, 9}, items[N] = {1, 2, 3};
    size_t runs = 0;
    (void)state;
    rig_open(&shared, NULL);
    test_note("wrong arguments of a reduction");
    REQUIRE_STATUS(
        DMM_NULL_ARGUMENT, dmm_reduce_by_key_host(shared.ctx, &desc, keys, items, N, NULL));
    REQUIRE_OK(dmm_reduce_by_key_host(shared.ctx, &desc, keys, items, N, &runs));
    REQUIRE(runs == 2 && keys[1] == 9 && items[0] == 3 && items[1] == 3);
    rig_close(&shared);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(segments_of_every_length_are_scanned),
        cmocka_unit_test(judges_tell_wrong_from_right),
        cmocka_unit_test(wrong_arguments_of_a_scan_are_refused),
        cmocka_unit_test(wrong_arguments_of_a_reduction_are_refused),
    };
    return cmocka_run_group_tests_name("scan_by_key", tests, NULL, NULL);
}
