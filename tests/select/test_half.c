/* SPDX-License-Identifier: MIT */
/* ctest: oclgrind full */
/*
 * Half floats where calls compute or compare: every half as a float and back; maxima, minima and
 * given operators; sums through a map; conditions, edges and orders; with NaNs, infinities,
 * subnormals and both zeros, odd counts, and offsets of an odd number of halves. What is refused
 * names the argument.
 */
#include "support/require.h"

#include <dmm/axis.h>
#include <dmm/histogram.h>
#include <dmm/partition.h>
#include <dmm/reduce.h>
#include <dmm/reduce_by_key.h>
#include <dmm/reduce_segmented.h>
#include <dmm/scan_by_key.h>
#include <dmm/scan_segmented.h>
#include <dmm/select.h>
#include <dmm/sort.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/forms.h"
#include "support/items.h"
#include "support/random.h"
#include "support/zone.h"

enum { BYTES = 2, ALL = 65536, INF = 0x7c00, SIGN = 0x8000 };

static const dmm_tuning forms[] = {GPU(16, 4), CPU_BY(4, 64)};

/* NaNs of both signs, infinities, zeros, the ends of subnormals and normals, and others. */
static const uint16_t edges[] = {0x0000, 0x8000, 0x0001, 0x8001, 0x03ff, 0x83ff, 0x0400, 0x8400,
    0x3c00, 0xbc00, 0x3555, 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7c01, 0x7e00, 0x7fff, 0xfe00, 0xffff};
enum { NUM_EDGES = sizeof edges / sizeof *edges };

/* By the definition of the format, apart from the text that is tested. */
static double value_of(uint16_t half)
{
    const int exponent = half >> 10 & 31, mantissa = half & 1023;
    const double size = exponent == 31  ? mantissa ? NAN : INFINITY
                        : exponent == 0 ? ldexp(mantissa, -24)
                                        : ldexp(1024 + mantissa, exponent - 25);
    return half & SIGN ? -size : size;
}

/* The place of a half in the order of <dmm/types.h>. */
static uint32_t place_of(uint16_t half)
{
    const int negative = (half & SIGN) != 0;
    if ((half & 0x7fff) > INF)
        return negative ? 0x30000u - half : 0x10000u + half;
    return negative ? 0x10000u - half : 0x10000u + half;
}

/* Halves of which `nans` in eight are any bits at all, others edges and small numbers. */
static void draw(uint16_t *halves, uint64_t n, uint64_t seed, uint64_t nans)
{
    random_source random = {seed + 1};
    for (uint64_t i = 0; i < n; i++) {
        const uint64_t kind = random_below(&random, 8);
        halves[i] =
            kind < nans ? (uint16_t)random_below(&random, ALL)
            : kind == 6
                ? edges[random_below(&random, NUM_EDGES)]
                : (uint16_t)(random_below(&random, 2) * SIGN + random_below(&random, 0x4400));
        if (nans == 0 && (halves[i] & 0x7fff) >= INF)
            halves[i] = (uint16_t)i & 0x3ff;
    }
}

/* Each half as a float, and floats as halves: each half, and what is between two neighbours. */
static void halves_become_floats_and_floats_halves(void **state)
{
    static const dmm_map widen = {.item = {DMM_F16, 0},
        .expression = "0",
        .out = "dmm_from_half(item)",
        .result = {DMM_F32, 0}};
    static const dmm_map narrow = {.item = {DMM_F32, 0},
        .expression = "0",
        .out = "dmm_to_half(item)",
        .result = {DMM_F16, 0}};
    static uint16_t halves[ALL], back[4 * ALL], expected[4 * ALL];
    static float floats[4 * ALL];
    static rig r;
    const uint64_t step = sizes_wanted() == SIZES_SMALL ? 61 : 1;
    uint64_t n = 0, m = 0;
    (void)state;
    rig_open(&r, NULL);
    for (uint64_t i = 0; i < ALL; i += step)
        halves[n++] = (uint16_t)i;
    const dmm_scan_desc to_floats = {.map = &widen}, to_halves = {.map = &narrow};
    float *const wide = allocate(n * sizeof *wide);
    memcpy(wide, halves, n * BYTES);
    REQUIRE_OK(rig_log_failure(&r, dmm_scan_host(r.ctx, &to_floats, wide, n)));
    for (uint64_t i = 0; i < n; i++) {
        const double value = value_of(halves[i]);
        test_note("half %x", (unsigned)halves[i]);
        if (isnan(value)) {
            REQUIRE(isnan(wide[i]));
            continue;
        }
        REQUIRE((double)wide[i] == value && !signbit(wide[i]) == !signbit(value));
        const uint16_t half = halves[i], up = (uint16_t)(half + 1); /* away from 0 */
        const double next = (half & 0x7fff) == INF ? value : value_of(up);
        const double end = half & SIGN ? -65536 : 65536; /* where infinity would be */
        const double middle = (value + (isinf(next) ? end : next)) / 2;
        expected[m] = half;
        floats[m++] = wide[i];
        if (isinf(value))
            continue;
        expected[m] = half & 1 ? up : half; /* a tie */
        floats[m++] = (float)middle;
        expected[m] = up;
        floats[m++] = nextafterf((float)middle, half & SIGN ? -INFINITY : INFINITY);
        expected[m] = half;
        floats[m++] = nextafterf((float)middle, 0);
    }
    REQUIRE_OK(rig_log_failure(&r, dmm_scan_host(r.ctx, &to_halves, floats, m)));
    memcpy(back, floats, m * BYTES);
    for (uint64_t i = 0; i < m; i++) {
        test_note("float %llu", (unsigned long long)i);
        REQUIRE(back[i] == expected[i]);
    }
    free(wide);
    rig_close(&r);
}

/* Returns the one of two halves that a maximum (sign 1) or minimum (-1) keeps. */
static uint16_t better(uint16_t a, uint16_t b, int sign)
{
    const int64_t of_a = place_of(a), of_b = place_of(b);
    return sign * (of_b - of_a) > 0 ? b : a;
}

/* The same by scans and reductions of all kinds. Rows of 7 are segments, runs of keys and rows. */
static void check_extremes(rig *r, dmm_tuning tuning, int sign, uint64_t rows)
{
    enum { ROW = 7 };
    const dmm_scan_op op = sign > 0 ? DMM_SCAN_MAX : DMM_SCAN_MIN;
    const uint16_t identity = sign > 0 ? 0xfc00 : 0xfc01; /* -inf, the NaN that is last */
    const uint64_t n = rows * ROW;
    uint16_t *const items = allocate(n * BYTES), *const all = allocate(n * BYTES);
    uint16_t *const before = allocate(n * BYTES), *const totals = allocate(rows * BYTES);
    uint16_t *const by_row = allocate(n * BYTES), *const work = allocate(n * BYTES);
    uint32_t *const keys = allocate(n * sizeof *keys);
    uint16_t columns[ROW], total = identity, found[ROW];
    size_t runs = 0;
    draw(items, n, rows, 2);
    for (uint64_t i = 0; i < n; i++) {
        const uint64_t row = i / ROW, col = i % ROW;
        before[i] = total;
        all[i] = total = better(total, items[i], sign);
        by_row[i] = totals[row] = col == 0 ? items[i] : better(totals[row], items[i], sign);
        columns[col] = row == 0 ? items[i] : better(columns[col], items[i], sign);
        keys[i] = (uint32_t)row;
    }
    const dmm_scan_desc scan = {.type = DMM_F16, .op = op, .tuning = tuning};
    const dmm_scan_desc exclusive = {.type = DMM_F16, .op = op, .exclusive = 1, .tuning = tuning};
    const dmm_reduce_desc reduce = {.type = DMM_F16, .op = op, .tuning = tuning};
    memcpy(work, items, n * BYTES);
    REQUIRE_OK(rig_log_failure(r, dmm_scan_host(r->ctx, &scan, work, n)));
    REQUIRE(memcmp(work, all, n * BYTES) == 0);
    memcpy(work, items, n * BYTES);
    REQUIRE_OK(dmm_scan_host(r->ctx, &exclusive, work, n));
    REQUIRE(memcmp(work, before, n * BYTES) == 0);
    REQUIRE_OK(dmm_reduce_host(r->ctx, &reduce, items, n, found));
    REQUIRE(found[0] == total);
    const dmm_scan_segmented_desc segments = {.type = DMM_F16, .op = op, .tuning = tuning};
    memcpy(work, items, n * BYTES);
    REQUIRE_OK(dmm_scan_segmented_host(r->ctx, &segments, work, n, NULL, rows));
    REQUIRE(memcmp(work, by_row, n * BYTES) == 0);
    const dmm_scan_by_key_desc by_key = {.type = DMM_F16, .op = op, .tuning = tuning};
    memcpy(work, items, n * BYTES);
    REQUIRE_OK(dmm_scan_by_key_host(r->ctx, &by_key, keys, work, n));
    REQUIRE(memcmp(work, by_row, n * BYTES) == 0);
    const dmm_reduce_segmented_desc of_rows = {.type = DMM_F16, .op = op, .tuning = tuning};
    REQUIRE_OK(dmm_reduce_segmented_host(r->ctx, &of_rows, items, n, NULL, rows, work));
    REQUIRE(memcmp(work, totals, rows * BYTES) == 0);
    const dmm_reduce_by_key_desc of_runs = {.type = DMM_F16, .op = op, .tuning = tuning};
    memcpy(work, items, n * BYTES);
    REQUIRE_OK(dmm_reduce_by_key_host(r->ctx, &of_runs, keys, work, n, &runs));
    REQUIRE(runs == rows && memcmp(work, totals, rows * BYTES) == 0);
    const dmm_axis_desc down = {.order = {.type = DMM_F16}, .op = op, .tuning = tuning};
    REQUIRE_OK(dmm_axis_host(r->ctx, &down, items, NULL, rows, ROW, found));
    REQUIRE(memcmp(found, columns, sizeof columns) == 0);
    free(items), free(all), free(before), free(totals), free(by_row), free(work), free(keys);
}

static void the_greatest_and_the_least_half_are_found(void **state)
{
    static const uint64_t rows[] = {31, 1, 143, 1000};
    (void)state;
    for (size_t f = 0; f < 2; f++) {
        static rig r;
        rig_open(&r, f ? "banks=16,units=3" : "banks=8,units=2");
        for (size_t i = 0; i < by_size(1, 3, 4); i++) {
            test_note("form %zu, %llu rows", f, (unsigned long long)rows[i]);
            check_extremes(&r, forms[f], 1, rows[i]);
            check_extremes(&r, forms[f], -1, rows[i]);
        }
        rig_close(&r);
    }
}

/* Sums as f32, and running sums as halves; in spans whose offset is an odd number of halves. */
static void sums_of_halves_are_those_of_a_map(void **state)
{
    enum { N = 333 };
    static const dmm_map map = {.item = {DMM_F16, 0}, .expression = "dmm_from_half(item)"};
    static const dmm_map running = {.item = {DMM_F16, 0},
        .expression = "dmm_from_half(item)",
        .out = "dmm_to_half(total)",
        .result = {DMM_F16, 0}};
    uint16_t items[N], sums[N];
    (void)state;
    for (int i = 0; i < N; i++) /* whole numbers from -8 to 7: their sums are halves */
        items[i] = (uint16_t)(i % 16 == 8  ? 0x0000
                              : i % 16 < 8 ? 0xc800 - 0x80 * (i % 8 % 4)
                                           : 0x4000 + 0x200 * (i % 4));
    for (size_t f = 0; f < 2; f++) {
        static rig r;
        float total = 0, found = 0;
        rig_open(&r, "banks=8,units=2");
        const dmm_reduce_desc reduce = {.type = DMM_F32, .tuning = forms[f], .map = &map};
        const dmm_scan_desc scan = {.type = DMM_F32, .tuning = forms[f], .map = &running};
        dmm_scan *object = NULL;
        for (int i = 0; i < N; i++)
            total += (float)value_of(items[i]);
        REQUIRE_OK(rig_log_failure(&r, dmm_reduce_host(r.ctx, &reduce, items, N, &found)));
        REQUIRE(found == total);
        REQUIRE_OK(rig_log_failure(&r, dmm_scan_create(&object, r.ctx, &scan)));
        zone in = zone_create(&r, items, sizeof items, 3 * BYTES);
        zone out = zone_create(&r, NULL, sizeof items, 5 * BYTES);
        const dmm_scan_args args = {.in = zone_span(&in), .out = zone_span(&out)};
        REQUIRE_OK(dmm_scan_enqueue(object, r.queue, &args, N, 0, NULL, NULL));
        REQUIRE_OK(clFinish(r.queue));
        zone_read(&r, &out, sums);
        total = 0;
        for (int i = 0; i < N; i++) {
            total += (float)value_of(items[i]);
            REQUIRE(fabs(value_of(sums[i]) - (double)total) <= fabs((double)total) / 2048);
        }
        REQUIRE(zone_intact(&r, &out) && zone_holds(&r, &in, items));
        zone_free(&in);
        zone_free(&out);
        dmm_scan_free(object);
        rig_close(&r);
    }
}

/* Argmin, argmax, both ends, and differences. */
static void given_operators_take_halves(void **state)
{
    enum { N = 1001 };
    static uint16_t items[N], work[N];
    static rig r;
    (void)state;
    rig_open(&r, "banks=8,units=2");
    for (uint64_t nans = 0; nans < 3; nans++) {
        uint64_t least = N, greatest = N;
        dmm_operator own;
        dmm_map map;
        dmm_placed placed;
        uint16_t ends[2];
        draw(items, N, nans, nans == 2 ? 8 : nans);
        for (uint64_t i = 0; i < N; i++) {
            const double x = value_of(items[i]);
            if (isnan(x))
                continue;
            if (least == N || x < value_of(items[least]))
                least = i;
            if (greatest == N || x > value_of(items[greatest]))
                greatest = i;
        }
        const dmm_reduce_desc desc = {.type = DMM_ITEM, .own = &own, .map = &map};
        REQUIRE_OK(dmm_operator_given(&own, &map, DMM_OPERATOR_ARGMIN, DMM_F16));
        REQUIRE_OK(rig_log_failure(&r, dmm_reduce_host(r.ctx, &desc, items, N, &placed)));
        REQUIRE(placed.at == least && placed.value == items[least]);
        REQUIRE_OK(dmm_operator_given(&own, &map, DMM_OPERATOR_ARGMAX, DMM_F16));
        REQUIRE_OK(rig_log_failure(&r, dmm_reduce_host(r.ctx, &desc, items, N, &placed)));
        REQUIRE(placed.at == greatest && placed.value == items[greatest]);
        REQUIRE_OK(dmm_operator_given(&own, &map, DMM_OPERATOR_MINMAX, DMM_F16));
        REQUIRE_OK(rig_log_failure(&r, dmm_reduce_host(r.ctx, &desc, items, N, ends)));
        REQUIRE(value_of(ends[0]) == value_of(items[least]));
        REQUIRE(value_of(ends[1]) == value_of(items[greatest]));
        REQUIRE_OK(dmm_operator_given(&own, &map, DMM_OPERATOR_DIFFERENCE, DMM_F16));
        const dmm_scan_desc steps = {.type = DMM_ITEM, .exclusive = 1, .own = &own, .map = &map};
        memcpy(work, items, sizeof items);
        REQUIRE_OK(rig_log_failure(&r, dmm_scan_host(r.ctx, &steps, work, N)));
        for (uint64_t i = 0; i < N; i++) {
            const double x = value_of(items[i]) - (i > 0 ? value_of(items[i - 1]) : 0);
            test_note("item %llu", (unsigned long long)i);
            if (isnan(x))
                REQUIRE(isnan(value_of(work[i])));
            else if (fabs(x) < 65504)
                REQUIRE(fabs(value_of(work[i]) - x) <= fabs(x) / 2048);
            else
                REQUIRE(value_of(work[i]) ==
                        (fabs(x) >= 65520 ? copysign(INFINITY, x) : copysign(65504, x)));
        }
    }
    rig_close(&r);
}

/* A condition, a bucket and an order that compute with halves; and even edges. */
static void texts_and_edges_take_halves(void **state)
{
    enum { N = 777, BINS = 13 };
    static uint16_t items[N], kept[N], work[N];
    static const double ends[][2] = {{-1, 1}, {0, 6e-8}, {-65504, 65504}, {-3e-5, 7e-5}, {0.1, 2}};
    static rig r;
    size_t selected = 0, at = 0;
    (void)state;
    rig_open(&r, "banks=8,units=2");
    draw(items, N, 3, 2);
    const dmm_select_desc select = {.type = DMM_F16, .where = "dmm_from_half(x) > 0.5f"};
    const dmm_select_host_args args = {.items = items, .items_out = kept};
    REQUIRE_OK(rig_log_failure(&r, dmm_select_host(r.ctx, &select, &args, N, &selected)));
    for (uint64_t i = 0; i < N; i++)
        if (value_of(items[i]) > 0.5)
            REQUIRE(at < selected && kept[at++] == items[i]);
    REQUIRE(at == selected);
    uint64_t offsets[3];
    const dmm_partition_desc partition = {.ways = 2,
        .by = DMM_PARTITION_BY_EXPRESSION,
        .order = {.type = DMM_F16},
        .expression = "dmm_from_half(key) > 0.5f"};
    const dmm_partition_host_args parts = {.items = work, .offsets_out = offsets};
    memcpy(work, items, sizeof items);
    REQUIRE_OK(rig_log_failure(&r, dmm_partition_host(r.ctx, &partition, &parts, N)));
    REQUIRE(offsets[1] == N - selected);
    REQUIRE(memcmp(work + offsets[1], kept, selected * BYTES) == 0);
    const dmm_sort_desc sort = {
        .order = {.type = DMM_F16, .less = "fabs(dmm_from_half(a)) < fabs(dmm_from_half(b))"}};
    draw(work, N, 4, 0);
    REQUIRE_OK(rig_log_failure(&r, dmm_sort_host(r.ctx, &sort, work, NULL, N)));
    for (uint64_t i = 1; i < N; i++)
        REQUIRE(fabs(value_of(work[i - 1])) <= fabs(value_of(work[i])));
    for (size_t e = 0; e < sizeof ends / sizeof *ends; e++) {
        const double low = ends[e][0], high = ends[e][1];
        uint16_t limits[BINS + 1];
        uint64_t counts[BINS], expected[BINS] = {0};
        REQUIRE_OK(dmm_histogram_even(limits, DMM_F16, BINS, low, high));
        for (uint32_t b = 0; b <= BINS; b++) { /* the nearest half on the right side */
            const double exact = b < BINS ? low + b * ((high - low) / BINS) : high;
            const int up = b < BINS, negative = (limits[b] & SIGN) != 0;
            const uint16_t inner =
                limits[b] == 0 ? SIGN | 1 : (uint16_t)(limits[b] + (negative ? 1 : -1));
            const uint16_t outer =
                limits[b] == SIGN ? 1 : (uint16_t)(limits[b] + (negative ? -1 : 1));
            test_note("edge %u of %zu: %x", (unsigned)b, e, (unsigned)limits[b]);
            REQUIRE(up ? value_of(limits[b]) >= exact && value_of(inner) < exact
                       : value_of(limits[b]) <= exact && !(value_of(outer) <= exact));
        }
        const dmm_histogram_desc desc = {.type = DMM_F16, .bins = BINS, .by = DMM_HISTOGRAM_EVEN};
        for (uint64_t i = 0; i < N; i++) {
            const double x = value_of(items[i]);
            for (uint32_t b = 0; b < BINS; b++)
                expected[b] +=
                    x >= value_of(limits[b]) &&
                    (b == BINS - 1 ? x <= value_of(limits[BINS]) : x < value_of(limits[b + 1]));
        }
        REQUIRE_OK(
            rig_log_failure(&r, dmm_histogram_edges_host(r.ctx, &desc, items, N, limits, counts)));
        REQUIRE(memcmp(counts, expected, sizeof counts) == 0);
    }
    uint16_t limits[3];
    REQUIRE_STATUS(DMM_BAD_VALUE, dmm_histogram_even(limits, DMM_F16, 2, 0, 200000));
    REQUIRE_STATUS(DMM_BAD_VALUE, dmm_histogram_even(limits, DMM_F16, 2, -200000, -100000));
    rig_close(&r);
}

/* Sums and own operators of halves themselves. */
static void what_is_refused_is_named(void **state)
{
    static const dmm_operator own = {.combine = "a", .identity = "0"};
    static rig r;
    uint16_t items[3] = {0, 0, 0};
    uint32_t keys[3] = {0, 0, 0};
    const dmm_scan_desc scan = {.type = DMM_F16}, by_own = {.type = DMM_F16, .own = &own};
    const dmm_scan_by_key_desc by_key = {.type = DMM_F16};
    const dmm_axis_desc axis = {.order = {.type = DMM_F16}};
    (void)state;
    rig_open(&r, NULL);
    REQUIRE_STATUS(DMM_BAD_VALUE, dmm_scan_host(r.ctx, &scan, items, 3));
    REQUIRE(strstr(r.log, "type: sums take no f16") != NULL);
    REQUIRE_STATUS(DMM_BAD_VALUE, dmm_scan_host(r.ctx, &by_own, items, 3));
    REQUIRE(strstr(r.log, "type: own operators take no f16") != NULL);
    REQUIRE_STATUS(DMM_BAD_VALUE, dmm_scan_by_key_host(r.ctx, &by_key, keys, items, 3));
    REQUIRE(strstr(r.log, "dmm_scan_by_key: type: sums") != NULL);
    REQUIRE_STATUS(DMM_BAD_VALUE, dmm_axis_host(r.ctx, &axis, items, NULL, 1, 3, keys));
    REQUIRE(strstr(r.log, "dmm_axis: type: sums") != NULL);
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(halves_become_floats_and_floats_halves),
        cmocka_unit_test(the_greatest_and_the_least_half_are_found),
        cmocka_unit_test(sums_of_halves_are_those_of_a_map),
        cmocka_unit_test(given_operators_take_halves),
        cmocka_unit_test(texts_and_edges_take_halves),
        cmocka_unit_test(what_is_refused_is_named),
    };
    return cmocka_run_group_tests_name("half", tests, NULL, NULL);
}
