/* SPDX-License-Identifier: MIT */
/* ctest: oclgrind */
/*
 * dmm_take over item sizes, numbers of both widths, numbers that are out of range, a count on the
 * device, and two lists as of a merge by positions, beside a loop on the host.
 */
#include "support/require.h"

#include <dmm/merge.h>
#include <dmm/take.h>

#include <stdlib.h>
#include <string.h>

#include "support/items.h"
#include "support/random.h"
#include "support/shared.h"
#include "support/zone.h"

enum { MOST = 5000, GUARD = 8 };

/* Items of three arrays, the numbers, and what came out. */
typedef struct table {
    uint32_t row_bytes;
    uint64_t n, rows, rows_a;
    uint32_t bytes[DMM_MAX_COLUMNS], columns;
    unsigned char *in[DMM_MAX_COLUMNS], *out[DMM_MAX_COLUMNS];
    uint64_t *numbers;
} table;

static table make(uint32_t row_bytes, uint64_t n, uint64_t rows, uint64_t rows_a, uint64_t seed)
{
    static const uint32_t sizes[DMM_MAX_COLUMNS] = {4, 1, 12, 256, 8, 3, 2, 40};
    random_source random = {seed};
    table t = {.row_bytes = row_bytes, .n = n, .rows = rows, .rows_a = rows_a};
    t.columns = (uint32_t)(1 + seed % DMM_MAX_COLUMNS);
    t.numbers = allocate(n * sizeof *t.numbers);
    for (uint64_t i = 0; i < n; i++) /* one of eight is out of range */
        t.numbers[i] = random_below(&random, 8) == 0 ? random_next(&random) >> (64 - 8 * row_bytes)
                                                     : random_below(&random, rows);
    for (uint32_t c = 0; c < t.columns; c++) {
        t.bytes[c] = sizes[(c + seed) % DMM_MAX_COLUMNS];
        t.in[c] = allocate(rows * t.bytes[c]);
        t.out[c] = allocate(n * t.bytes[c]);
        random_bytes(&random, t.in[c], rows * t.bytes[c]);
    }
    return t;
}

static void free_table(table *t)
{
    for (uint32_t c = 0; c < t->columns; c++) {
        free(t->in[c]);
        free(t->out[c]);
    }
    free(t->numbers);
}

static const char *judge(const table *t, uint64_t taken)
{
    for (uint32_t c = 0; c < t->columns; c++)
        for (uint64_t i = 0; i < taken; i++) {
            const uint64_t row = t->numbers[i] < t->rows ? t->numbers[i] : t->rows - 1;
            if (!same_item(t->in[c], row, t->out[c], i, t->bytes[c]))
                return "an item is not that of its row";
        }
    return NULL;
}

static void run(table *t, uint64_t taken)
{
    dmm_take_desc desc = {.num_columns = t->columns, .row_bytes = t->row_bytes};
    dmm_take_args args = {.rows_a = t->rows_a};
    dmm_take *take = NULL;
    zone in[DMM_MAX_COLUMNS], in_b[DMM_MAX_COLUMNS], out[DMM_MAX_COLUMNS];
    unsigned char *const narrow = allocate(t->n * t->row_bytes);
    const uint64_t first = t->rows_a != 0 ? t->rows_a : t->rows;
    for (uint64_t i = 0; i < t->n; i++) /* little-endian */
        memcpy(narrow + i * t->row_bytes, &t->numbers[i], t->row_bytes);
    zone numbers = zone_create(&shared, narrow, t->n * t->row_bytes, t->row_bytes);
    zone count = zone_create(&shared, &taken, sizeof taken, 8);
    for (uint32_t c = 0; c < t->columns; c++) {
        const uint32_t bytes = desc.item_bytes[c] = t->bytes[c];
        in[c] = zone_create(&shared, t->in[c], first * bytes, bytes);
        in_b[c] = zone_create(&shared, t->in[c] + first * bytes, (t->rows - first) * bytes, 0);
        out[c] = zone_create(&shared, NULL, t->n * bytes, 2 * bytes);
        args.in[c] = zone_span(&in[c]);
        args.in_b[c] = first < t->rows ? zone_span(&in_b[c]) : DMM_NONE;
        args.out[c] = zone_span(&out[c]);
    }
    args.rows = zone_span(&numbers);
    args.count = taken != t->n ? zone_span(&count) : DMM_NONE;
    REQUIRE_OK(dmm_take_create(&take, shared.ctx, &desc));
    REQUIRE_OK(dmm_take_enqueue(take, shared.queue, &args, t->n, t->rows, 0, NULL, NULL));
    REQUIRE_OK(clFinish(shared.queue));
    dmm_take_free(take);
    for (uint32_t c = 0; c < t->columns; c++) {
        zone_read(&shared, &out[c], t->out[c]);
        REQUIRE(zone_intact(&shared, &out[c]));
        zone_free(&in[c]);
        zone_free(&in_b[c]);
        zone_free(&out[c]);
    }
    zone_free(&numbers);
    zone_free(&count);
    free(narrow);
    REQUIRE_VERDICT(judge(t, taken));
}

static void rows_are_taken_by_number(void **state)
{
    static const uint64_t sizes[] = {1, 63, 64, 65, MOST, 0};
    (void)state;
    for (uint64_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (uint64_t s = 0; s < by_size(1, 8, 8); s++) {
            const uint64_t rows = 1 + (97 * s + 13 * i) % MOST;
            table t = make(s % 2 ? 8 : 4, sizes[i], rows, s % 3 == 2 ? 1 + rows / 3 : 0, s + 8 * i);
            test_note("n=%llu, rows=%llu, seed %llu", (unsigned long long)t.n,
                (unsigned long long)rows, (unsigned long long)(s + 8 * i));
            run(&t, s % 4 == 3 ? t.n / 2 : t.n);
            free_table(&t);
        }
}

static int compare(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* A merge by positions tells the rows of several arrays. */
static void a_merge_by_positions_numbers_both_lists(void **state)
{
    enum { NA = 700, NB = 501, N = NA + NB };
    static uint32_t keys[N], merged[N], positions[N];
    const dmm_merge_desc desc = {.value_bytes = 4, .positions = 1, .max_n = N};
    const dmm_merge_desc narrow = {.value_bytes = 2, .positions = 1};
    dmm_merge *merge = NULL;
    random_source random = {7};
    (void)state;
    test_note("a merge by positions");
    for (uint32_t i = 0; i < N; i++)
        keys[i] = (uint32_t)random_below(&random, 300);
    qsort(keys, NA, sizeof *keys, compare);
    qsort(keys + NA, NB, sizeof *keys, compare);
    zone a = zone_create(&shared, keys, sizeof *keys * NA, 4);
    zone b = zone_create(&shared, keys + NA, sizeof *keys * NB, 8);
    zone out = zone_create(&shared, NULL, sizeof merged, 4);
    zone places = zone_create(&shared, NULL, sizeof positions, 12);
    const dmm_merge_args args = {.a_keys = zone_span(&a),
        .b_keys = zone_span(&b),
        .keys_out = zone_span(&out),
        .values_out = zone_span(&places)};
    REQUIRE_REFUSED(DMM_BAD_VALUE, &merge, dmm_merge_create(&merge, shared.ctx, &narrow));
    REQUIRE_OK(dmm_merge_create(&merge, shared.ctx, &desc));
    REQUIRE_OK(dmm_merge_enqueue(merge, shared.queue, &args, NA, NB, 0, NULL, NULL));
    REQUIRE_OK(clFinish(shared.queue));
    zone_read(&shared, &out, merged);
    zone_read(&shared, &places, positions);
    REQUIRE(zone_intact(&shared, &out) && zone_intact(&shared, &places));
    for (uint32_t i = 0; i < N; i++) {
        REQUIRE(positions[i] < N && keys[positions[i]] == merged[i]);
        if (i > 0) /* sorted, stable, and none twice */
            REQUIRE(merged[i - 1] < merged[i] ||
                    (merged[i - 1] == merged[i] && positions[i - 1] < positions[i]));
    }
    dmm_merge_free(merge);
    zone_free(&a);
    zone_free(&b);
    zone_free(&out);
    zone_free(&places);
}

static void wrong_descriptions_are_refused(void **state)
{
    static const dmm_take_desc wrong[] = {
        {.num_columns = 9}, {.row_bytes = 2}, {.item_bytes = {257}}};
    const uint32_t numbers[] = {2, 0, 9}, items[] = {5, 6, 7};
    uint32_t out[3];
    dmm_take *take = NULL;
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        test_note("wrong description %zu", i);
        REQUIRE_REFUSED(DMM_BAD_VALUE, &take, dmm_take_create(&take, shared.ctx, &wrong[i]));
    }
    const dmm_take_desc desc = {.num_columns = 1}, two = {.num_columns = 2};
    REQUIRE_OK(dmm_take_host(shared.ctx, &desc, numbers, 3, items, 3, out));
    REQUIRE(out[0] == 7 && out[1] == 5 && out[2] == 7);
    REQUIRE_STATUS(DMM_BAD_VALUE, dmm_take_host(shared.ctx, &desc, numbers, 3, items, 0, out));
    REQUIRE_STATUS(DMM_BAD_VALUE, dmm_take_host(shared.ctx, &two, numbers, 3, items, 3, out));
    REQUIRE_OK(dmm_take_host(shared.ctx, &desc, numbers, 0, items, 0, out));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_taken_by_number),
        cmocka_unit_test(a_merge_by_positions_numbers_both_lists),
        cmocka_unit_test(wrong_descriptions_are_refused),
    };
    return RUN_WITH_RIG("take", NULL, tests);
}
