/* SPDX-License-Identifier: MIT */
/* ctest: oclgrind */
/*
 * dmm_axis over works, both axes, types, operators that do not commute, values, whole matrices and
 * views with gaps, in place and apart, in both forms, beside loops on the host. Nothing between the
 * rows of a view changes.
 */
#include "support/require.h"

#include <dmm/axis.h>

#include <stdlib.h>
#include <string.h>

#include "support/forms.h"
#include "support/items.h"
#include "support/random.h"
#include "support/shared.h"
#include "support/zone.h"

enum { MOST_BYTES = 16, ITEM_BYTES = 12 };

typedef struct row {
    dmm_axis_desc d;
    uint64_t in_gap, out_gap; /* items between rows */
    int in_place;
} row;

/* The last item that is not 0: does not commute. */
static const dmm_operator last = {.combine = "b ? b : a", .identity = "0"},
                          last_item = {.item_bytes = ITEM_BYTES,
                              .item = "typedef struct { uint x, y, z; } dmm_item;",
                              .combine = "b.x ? b : a",
                              .identity = "(dmm_item){0, 0, 0}"};

#define WORK(name, along, of) .work = DMM_AXIS_##name, .axis = (along), .order = {.type = DMM_##of}
static const row table[] = {
    {{WORK(REDUCE, 0, U32), .tuning = GPU(16, 4)}, 3, 0, 0},
    {{WORK(SCAN, 0, I8), .op = DMM_SCAN_MIN, .exclusive = 1, .tuning = CPU(64)}, 2, 2, 1},
    {{WORK(SORT, 0, F32), .value_bytes = 4, .argsort = 1, .tuning = GPU(16, 4)}, 0, 0, 1},
    {{WORK(SORT, 1, U32), .value_bytes = 12, .tuning = CPU(64)}, 5, 1, 0},
    {{WORK(REDUCE, 1, I32), .op = DMM_SCAN_MAX, .tuning = GPU(16, 4)}, 7, 0, 0},
    {{WORK(SCAN, 1, F32), .tuning = CPU(64)}, 2, 2, 1},
    {{WORK(SCAN, 0, ITEM), .own = &last_item, .tuning = GPU(16, 4)}, 1, 0, 0},
    {{WORK(REDUCE, 0, ITEM), .own = &last_item, .tuning = CPU(64)}, 0, 0, 0},
    {{WORK(REDUCE, 1, ITEM), .own = &last_item, .tuning = CPU(64)}, 1, 0, 0},
    {{WORK(REDUCE, 1, U64), .own = &last, .tuning = GPU(16, 4)}, 0, 0, 0},
    {{WORK(SCAN, 1, U64), .own = &last, .exclusive = 1, .tuning = GPU(16, 4)}, 3, 0, 0},
    {{WORK(SCAN, 0, U64), .tuning = CPU(64)}, 0, 4, 0},
    {{WORK(SORT, 0, I8), .value_bytes = 3, .tuning = CPU(64)}, 1, 2, 0},
    {{WORK(SORT, 1, U64), .value_bytes = 8, .argsort = 1, .tuning = GPU(16, 4)}, 2, 2, 1},
};

static uint32_t bytes_of(const row *of)
{
    return of->d.order.type == DMM_ITEM ? ITEM_BYTES : dmm_type_bytes(of->d.order.type);
}

/* Items as numbers: all are whole and small. */
static int64_t load(const row *of, const unsigned char *at)
{
    const dmm_type type = of->d.order.type;
    const uint32_t bytes = bytes_of(of) < 8 ? bytes_of(of) : 8;
    uint64_t bits = 0;
    float number;
    memcpy(&bits, at, bytes);
    memcpy(&number, &bits, sizeof number);
    if (type == DMM_F32)
        return (int64_t)number;
    return type == DMM_I8 ? (int8_t)bits : type == DMM_I32 ? (int32_t)bits : (int64_t)bits;
}

static void store(const row *of, unsigned char *at, int64_t item)
{
    const float number = (float)item;
    memcpy(at, of->d.order.type == DMM_F32 ? (const void *)&number : &item, bytes_of(of));
}

static void put_identity(const row *of, unsigned char *at)
{
    memset(at, 0, bytes_of(of));
    if (of->d.op != DMM_SCAN_SUM)
        store(of, at, of->d.op == DMM_SCAN_MAX ? INT32_MIN : INT8_MAX);
}

/* a = a combined with b. */
static void combine(const row *of, unsigned char *a, const unsigned char *b)
{
    const uint32_t bytes = bytes_of(of);
    if (of->d.own != NULL) {
        uint64_t bits = 0;
        memcpy(&bits, b, of->d.order.type == DMM_ITEM ? 4 : bytes);
        if (bits != 0)
            memcpy(a, b, bytes);
        return;
    }
    const int64_t x = load(of, a), y = load(of, b);
    const int64_t most = x > y ? x : y, least = x < y ? x : y;
    store(of, a, of->d.op == DMM_SCAN_SUM ? x + y : of->d.op == DMM_SCAN_MAX ? most : least);
}

/* A matrix, its values, and what comes out, each with gaps. */
typedef struct matrix {
    const row *of;
    uint64_t rows, cols, in_stride, out_stride, in_items, out_items;
    unsigned char *in, *values, *out, *values_out;
} matrix;

static uint64_t extent(uint64_t rows, uint64_t cols, uint64_t stride)
{
    return rows == 0 || cols == 0 ? 0 : (rows - 1) * stride + cols;
}

static matrix make(const row *of, uint64_t rows, uint64_t cols)
{
    random_source random = {rows * 1000 + cols};
    const int reduces = of->d.work == DMM_AXIS_REDUCE;
    const uint32_t bytes = bytes_of(of), value = of->d.value_bytes;
    matrix m = {
        of, rows, cols, cols + of->in_gap, cols + of->out_gap, 0, 0, NULL, NULL, NULL, NULL};
    m.in_items = extent(rows, cols, m.in_stride);
    m.out_items = reduces ? (of->d.axis == 0 ? cols : rows) : extent(rows, cols, m.out_stride);
    m.in = allocate(m.in_items * bytes);
    m.values = allocate(m.in_items * value);
    m.out = allocate(m.out_items * bytes);
    m.values_out = allocate(m.out_items * value);
    random_bytes(&random, m.values, m.in_items * value);
    for (uint64_t i = 0; i < m.in_items; i++) {
        unsigned char *const item = m.in + i * bytes;
        if (of->d.own != NULL) {
            const uint64_t both[2] = {random_below(&random, 3) != 0 ? 0 : i + 1, i};
            memcpy(item, both, bytes);
        } else {
            store(of, item,
                (int64_t)random_below(&random, 100) -
                    (of->d.order.type == DMM_U32 || of->d.order.type == DMM_U64 ? 0 : 50));
        }
    }
    if (of->in_place) {
        memcpy(m.out, m.in, m.out_items * bytes);
        memcpy(m.values_out, m.values, m.out_items * value);
    }
    return m;
}

static uint64_t length_of(const matrix *m)
{
    return m->of->d.axis == 0 ? m->rows : m->cols;
}

/* Item i of line s, a column or a row, in an array of this stride. */
static uint64_t place(const matrix *m, uint64_t stride, uint64_t s, uint64_t i)
{
    return m->of->d.axis == 0 ? i * stride + s : s * stride + i;
}

static void expect_fold(matrix *m, uint64_t s)
{
    const row *const of = m->of;
    const uint32_t bytes = bytes_of(of);
    unsigned char total[MOST_BYTES], next[MOST_BYTES];
    put_identity(of, total);
    for (uint64_t i = 0; i < length_of(m); i++) {
        memcpy(next, total, bytes);
        combine(of, next, m->in + place(m, m->in_stride, s, i) * bytes);
        if (of->d.work == DMM_AXIS_SCAN)
            memcpy(m->out + place(m, m->out_stride, s, i) * bytes, of->d.exclusive ? total : next,
                bytes);
        memcpy(total, next, bytes);
    }
    if (of->d.work == DMM_AXIS_REDUCE)
        memcpy(m->out + s * bytes, total, bytes);
}

static void expect_sort(matrix *m, uint64_t s)
{
    const row *const of = m->of;
    const uint32_t bytes = bytes_of(of), value = of->d.value_bytes;
    for (uint64_t i = 0; i < length_of(m); i++) {
        const uint64_t from = place(m, m->in_stride, s, i);
        const int64_t key = load(of, m->in + from * bytes);
        uint64_t rank = 0;
        for (uint64_t j = 0; j < length_of(m); j++) {
            const int64_t other = load(of, m->in + place(m, m->in_stride, s, j) * bytes);
            rank += other < key || (other == key && j < i);
        }
        const uint64_t to = place(m, m->out_stride, s, rank);
        memcpy(m->out + to * bytes, m->in + from * bytes, bytes);
        memcpy(m->values_out + to * value,
            of->d.argsort ? (const void *)&i : m->values + from * value, value);
    }
}

static void run(const row *of, dmm_axis *axis, uint64_t rows, uint64_t cols)
{
    const uint32_t bytes = bytes_of(of), value = of->d.value_bytes;
    matrix m = make(of, rows, cols);
    uint64_t temp_bytes = 0;
    zone in = zone_create(&shared, m.in, m.in_items * bytes, bytes);
    zone values = zone_create(&shared, m.values, m.in_items * value, value);
    zone out = zone_create(&shared, m.out, m.out_items * bytes, 3 * bytes);
    zone values_out = zone_create(&shared, m.values_out, m.out_items * value, value);
    REQUIRE_OK(dmm_axis_temp_bytes(&temp_bytes, axis, rows, cols));
    zone temp = zone_create(&shared, NULL, temp_bytes, 256);
    const int reads_values = value != 0 && !of->d.argsort;
    const dmm_span to = zone_span(of->in_place ? &in : &out);
    const dmm_span values_to = zone_span(of->in_place && reads_values ? &values : &values_out);
    const dmm_axis_args args = {.in = zone_span(&in),
        .values_in = reads_values ? zone_span(&values) : DMM_NONE,
        .out = to,
        .values_out = value != 0 ? values_to : DMM_NONE,
        .temp = zone_span(&temp),
        .in_stride = of->in_gap != 0 ? m.in_stride : 0,
        .out_stride = of->out_gap != 0 ? m.out_stride : 0};
    for (uint64_t s = 0; s < (of->d.axis == 0 ? cols : rows); s++) {
        if (of->d.work == DMM_AXIS_SORT)
            expect_sort(&m, s);
        else
            expect_fold(&m, s);
    }
    REQUIRE_OK(dmm_axis_enqueue(axis, shared.queue, &args, rows, cols, 0, NULL, NULL));
    REQUIRE_OK(clFinish(shared.queue));
    REQUIRE(zone_holds(&shared, of->in_place ? &in : &out, m.out));
    REQUIRE(of->in_place || zone_holds(&shared, &in, m.in));
    REQUIRE(value == 0 || zone_holds(&shared, of->in_place && reads_values ? &values : &values_out,
                              m.values_out));
    REQUIRE(zone_intact(&shared, &temp));
    zone_free(&in);
    zone_free(&values);
    zone_free(&out);
    zone_free(&values_out);
    zone_free(&temp);
    free(m.in);
    free(m.values);
    free(m.out);
    free(m.values_out);
}

static void lines_are_reduced_scanned_and_sorted(void **state)
{
    static const struct {
        uint64_t rows, cols;
    } shapes[] = {{70, 9}, {1, 130}, {130, 1}, {0, 3}, {3, 0}, {33, 200}, {300, 70}, {5000, 3}};
    (void)state;
    for (size_t r = 0; r < sizeof table / sizeof *table; r += by_size(2, 1, 1)) {
        dmm_axis *axis = NULL;
        REQUIRE_OK(dmm_axis_create(&axis, shared.ctx, &table[r].d));
        for (size_t i = 0; i < by_size(1, 8, 8); i++) {
            test_note(
                "row %zu, %u rows of %u", r, (unsigned)shapes[i].rows, (unsigned)shapes[i].cols);
            run(&table[r], axis, shapes[i].rows, shapes[i].cols);
        }
        dmm_axis_free(axis);
    }
}

static void wrong_calls_are_refused(void **state)
{
    static const dmm_axis_desc wrong[] = {{.work = (dmm_axis_work)3}, {.axis = -1},
        {.value_bytes = 4}, {.exclusive = 1}, {.order = {.descending = 1}},
        {.work = DMM_AXIS_SORT, .op = DMM_SCAN_MAX}, {.order = {.type = DMM_ITEM}},
        {.work = DMM_AXIS_SORT, .value_bytes = 2, .argsort = 1}};
    const dmm_axis_desc sums = {.work = DMM_AXIS_SCAN};
    const uint32_t items[6] = {1, 2, 3, 4, 5, 6};
    uint32_t out[6] = {0};
    dmm_axis *axis = NULL;
    (void)state;
    test_note("wrong calls");
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        REQUIRE_REFUSED(DMM_BAD_VALUE, &axis, dmm_axis_create(&axis, shared.ctx, &wrong[i]));
    REQUIRE_OK(dmm_axis_host(shared.ctx, &sums, items, NULL, 2, 3, out));
    REQUIRE(out[0] == 1 && out[3] == 5 && out[5] == 9);
    REQUIRE_OK(dmm_axis_create(&axis, shared.ctx, &sums));
    zone in = zone_create(&shared, items, sizeof items, 4);
    dmm_axis_args args = {.in = zone_span(&in), .out = zone_span(&in), .in_stride = 2};
    REQUIRE_STATUS(DMM_BAD_VALUE, dmm_axis_enqueue(axis, shared.queue, &args, 2, 3, 0, NULL, NULL));
    args.in_stride = 3;
    REQUIRE_OK(dmm_axis_enqueue(axis, shared.queue, &args, 2, 3, 0, NULL, NULL));
    args.out_stride = 4;
    REQUIRE_STATUS(DMM_BAD_VALUE, dmm_axis_enqueue(axis, shared.queue, &args, 1, 3, 0, NULL, NULL));
    REQUIRE_OK(clFinish(shared.queue));
    zone_free(&in);
    dmm_axis_free(axis);
}

/* However many rows of no items: there is nothing to scan or to sort, and no memory is needed. */
static void rows_of_no_items_need_nothing(void **state)
{
    enum { ROWS = INT32_MAX };
    (void)state;
    for (int work = DMM_AXIS_SCAN; work <= DMM_AXIS_SORT; work++)
        for (int along = 0; along < 2; along++) {
            const dmm_axis_desc desc = {.work = (dmm_axis_work)work, .axis = along};
            const uint64_t rows = along ? ROWS : 0, cols = along ? 0 : ROWS;
            const dmm_axis_args args = {.in_stride = cols};
            dmm_axis *axis = NULL;
            test_note("work %d, axis %d", work, along);
            REQUIRE_OK(dmm_axis_create(&axis, shared.ctx, &desc));
            REQUIRE_OK(dmm_axis_enqueue(axis, shared.queue, &args, rows, cols, 0, NULL, NULL));
            dmm_axis_free(axis);
        }
    REQUIRE_OK(clFinish(shared.queue));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_reduced_scanned_and_sorted),
        cmocka_unit_test(rows_of_no_items_need_nothing),
        cmocka_unit_test(wrong_calls_are_refused),
    };
    return RUN_WITH_RIG("axis", "banks=16", tests);
}
