/* SPDX-License-Identifier: MIT */
/* ctest: oclgrind */
/*
 * dmm_lexsort over tables: columns of every type, in both directions, packed and not, with arrays
 * of many sizes beside them, in both forms. The judge compares the output's rows with those of the
 * input, column by column, by the tests' own account of orders.
 */
#include "support/require.h"

#include <dmm/lexsort.h>

#include <stdlib.h>
#include <string.h>

#include "support/forms.h"
#include "support/items.h"
#include "support/kind.h"
#include "support/shared.h"
#include "support/zone.h"

/* A table's description. */
typedef struct row {
    const char *keys[DMM_MAX_COLUMNS]; /* kinds; "-" before one: descending; "0": zeros tie */
    uint32_t values[DMM_MAX_COLUMNS];
    uint32_t sorts; /* sorts a call */
    uint32_t row_bytes;
    int guarantee;
    dmm_tuning tuning;
} row;

static const row table[] = {
    {.keys = {"u32"}, .values = {4, 12, 1}, .sorts = 1},
    {.keys = {"u16", "-f32"}, .values = {8, 20}, .sorts = 1, .tuning = GPU(16, 4)},
    {.keys = {"u8", "-i16", "i8"}, .values = {4}, .sorts = 1, .tuning = CPU(64)},
    {.keys = {"0f32", "0-f32"}, .sorts = 1, .row_bytes = 8, .tuning = GPU(16, 4), .guarantee = 1},
    {.keys = {"f64", "u8"}, .values = {256}, .sorts = 2, .tuning = GPU(32, 4)},
    {.keys = {"-u64", "f16", "-u32", "i32", "u8", "f64", "i64", "u16"},
        .values = {1, 2, 3, 4, 5, 6, 7, 8},
        .sorts = 6},
    {.keys = {"item12", "u8", "-item3"}, .values = {4}, .sorts = 3, .tuning = CPU(128)},
    {.keys = {"u8", "u32 by less"},
        .values = {2},
        .sorts = 2,
        .row_bytes = 8,
        .tuning = GPU(16, 4)},
};

/* A call: its columns, before and after. */
typedef struct test_call {
    const row *of;
    uint64_t n, counted;
    dmm_lexsort_desc desc;
    kind kinds[DMM_MAX_COLUMNS];
    unsigned char *keys[DMM_MAX_COLUMNS], *keys_out[DMM_MAX_COLUMNS];
    unsigned char *values[DMM_MAX_COLUMNS], *values_out[DMM_MAX_COLUMNS];
    unsigned char *rows;
    int numbered; /* 1: array 0 is the rows' numbers, and rows_out is not wanted */
} test_call;

static kind kind_of(const char *name)
{
    const int ties = name[0] == '0', falls = name[ties] == '-';
    kind k = kind_named(name + ties + falls);
    if (falls)
        k = kind_descending(k);
    k.order.zero_equal = ties;
    return k;
}

static test_call make(const row *of, uint64_t n, uint64_t seed)
{
    static const shape shapes[] = {SHAPE_FEW, SHAPE_SPECIAL, SHAPE_FEW, SHAPE_BITS};
    test_call c = {.of = of, .n = n, .counted = n};
    random_source random = {seed};
    c.desc = (dmm_lexsort_desc){
        .row_bytes = of->row_bytes, .guarantee = of->guarantee, .tuning = of->tuning};
    for (; c.desc.num_keys < DMM_MAX_COLUMNS && of->keys[c.desc.num_keys]; c.desc.num_keys++) {
        const uint32_t k = c.desc.num_keys;
        c.kinds[k] = kind_of(of->keys[k]);
        c.desc.keys[k] = c.kinds[k].order;
        c.keys[k] = allocate(n * c.kinds[k].bytes);
        c.keys_out[k] = allocate(n * c.kinds[k].bytes);
        kind_fill(&c.kinds[k], shapes[(k + seed) % 4], c.keys[k], n, &random);
    }
    for (; c.desc.num_values < DMM_MAX_COLUMNS && of->values[c.desc.num_values];
         c.desc.num_values++) {
        const uint32_t v = c.desc.num_values;
        c.desc.value_bytes[v] = of->values[v];
        c.values[v] = allocate(n * of->values[v]);
        c.values_out[v] = allocate(n * of->values[v]);
        random_bytes(&random, c.values[v], n * of->values[v]);
    }
    c.rows = allocate(n * 8);
    return c;
}

static void free_call(test_call *c)
{
    for (uint32_t i = 0; i < DMM_MAX_COLUMNS; i++) {
        free(c->keys[i]);
        free(c->keys_out[i]);
        free(c->values[i]);
        free(c->values_out[i]);
    }
    free(c->rows);
}

static uint64_t row_at(const test_call *c, uint64_t i)
{
    uint64_t number = 0;
    const uint32_t bytes = c->desc.row_bytes != 0 ? c->desc.row_bytes : 4;
    memcpy(&number, c->rows + i * bytes, bytes);
    return number;
}

/* < 0, 0, > 0: row a of the input comes before row b, ties with it, comes after it. */
static int compare(const test_call *c, uint64_t a, uint64_t b)
{
    int less = 0;
    for (uint32_t k = 0; k < c->desc.num_keys && less == 0; k++)
        less = kind_compare(
            &c->kinds[k], c->keys[k] + a * c->kinds[k].bytes, c->keys[k] + b * c->kinds[k].bytes);
    return less;
}

static const char *judge(const test_call *c)
{
    unsigned char *const seen = allocate(c->n);
    const char *fault = NULL;
    for (uint64_t i = 0; i < c->counted && fault == NULL; i++) {
        const uint64_t from = row_at(c, i);
        if (from >= c->counted || seen[from]++)
            fault = "a row is missing";
        for (uint32_t k = 0; k < c->desc.num_keys && fault == NULL; k++)
            if (!same_item(c->keys[k], from, c->keys_out[k], i, c->kinds[k].bytes))
                fault = "a key is not that of its row";
        for (uint32_t v = 0; v < c->desc.num_values && fault == NULL; v++)
            if (!same_item(c->values[v], from, c->values_out[v], i, c->desc.value_bytes[v]))
                fault = "a value is not that of its row";
        if (fault == NULL && i > 0) {
            const int order = compare(c, row_at(c, i - 1), from);
            if (order > 0 || (order == 0 && row_at(c, i - 1) > from))
                fault = order > 0 ? "rows are not in order" : "ties are not in the input's order";
        }
    }
    free(seen);
    return fault;
}

/* Zones of a call's columns, in the order of the args. */
typedef struct zones {
    zone keys[DMM_MAX_COLUMNS], values[DMM_MAX_COLUMNS], keys_out[DMM_MAX_COLUMNS],
        values_out[DMM_MAX_COLUMNS];
} zones;

static void open_zones(const test_call *c, zones *z, dmm_lexsort_args *args)
{
    for (uint32_t k = 0; k < c->desc.num_keys; k++) {
        const uint64_t bytes = c->kinds[k].bytes;
        z->keys[k] = zone_create(&shared, c->keys[k], c->n * bytes, bytes);
        z->keys_out[k] = zone_create(&shared, NULL, c->n * bytes, 3 * bytes);
        args->keys_in[k] = zone_span(&z->keys[k]);
        args->keys_out[k] = zone_span(&z->keys_out[k]);
    }
    for (uint32_t v = 0; v < c->desc.num_values; v++) {
        const uint64_t bytes = c->desc.value_bytes[v];
        z->values[v] = zone_create(&shared, c->values[v], c->n * bytes, bytes);
        z->values_out[v] = zone_create(&shared, NULL, c->n * bytes, 2 * bytes);
        args->values_in[v] = zone_span(&z->values[v]);
        args->values_out[v] = zone_span(&z->values_out[v]);
    }
}

static void close_zones(test_call *c, zones *z)
{
    for (uint32_t k = 0; k < c->desc.num_keys; k++) {
        zone_read(&shared, &z->keys_out[k], c->keys_out[k]);
        REQUIRE(zone_intact(&shared, &z->keys_out[k]));
        REQUIRE(zone_holds(&shared, &z->keys[k], c->keys[k]));
        zone_free(&z->keys[k]);
        zone_free(&z->keys_out[k]);
    }
    for (uint32_t v = 0; v < c->desc.num_values; v++) {
        zone_read(&shared, &z->values_out[v], c->values_out[v]);
        REQUIRE(zone_intact(&shared, &z->values_out[v]));
        zone_free(&z->values[v]);
        zone_free(&z->values_out[v]);
    }
}

static void run(test_call *c, dmm_lexsort *lexsort)
{
    static zones z;
    const uint32_t bytes = c->desc.row_bytes != 0 ? c->desc.row_bytes : 4;
    dmm_lexsort_args args = {.temp = DMM_NONE};
    uint64_t temp_bytes = 0;
    open_zones(c, &z, &args);
    REQUIRE_OK(dmm_lexsort_temp_bytes(&temp_bytes, lexsort, c->n));
    zone rows = zone_create(&shared, NULL, c->n * bytes, bytes);
    zone temp = zone_create(&shared, NULL, temp_bytes, 256);
    zone count = zone_create(&shared, &c->counted, 8, 8);
    args.rows_out = c->numbered ? DMM_NONE : zone_span(&rows);
    if (c->numbered && c->n % 2 == 0)
        args.keys_out[0] = DMM_NONE;
    args.temp = c->n % 2 == 1 ? zone_span(&temp) : DMM_NONE;
    args.count = c->counted != c->n ? zone_span(&count) : DMM_NONE;
    REQUIRE_OK(dmm_lexsort_enqueue(lexsort, shared.queue, &args, c->n, 0, NULL, NULL));
    REQUIRE_OK(clFinish(shared.queue));
    zone_read(&shared, &rows, c->rows);
    REQUIRE(zone_intact(&shared, &rows) && zone_intact(&shared, &temp));
    close_zones(c, &z);
    if (c->numbered)
        memcpy(c->rows, c->values_out[0], c->n * bytes);
    if (args.keys_out[0].buffer == NULL)
        for (uint64_t i = 0; i < c->counted; i++)
            memcpy(c->keys_out[0] + i * c->kinds[0].bytes,
                c->keys[0] + row_at(c, i) * c->kinds[0].bytes, c->kinds[0].bytes);
    zone_free(&rows);
    zone_free(&temp);
    zone_free(&count);
    REQUIRE_VERDICT(judge(c));
}

static void tables_are_sorted(void **state)
{
    static const uint64_t sizes[] = {61, 1, 0, 64, 129, 1000, 4001};
    (void)state;
    for (size_t r = 0; r < sizeof table / sizeof *table; r += by_size(3, 1, 1)) {
        dmm_lexsort *lexsort = NULL;
        for (size_t i = 0; i < by_size(1, 7, 7); i++) {
            test_call c = make(&table[r], sizes[i], r + 10 * i);
            test_note("row %zu, n=%llu", r, (unsigned long long)c.n);
            if (lexsort == NULL)
                REQUIRE_OK(dmm_lexsort_create(&lexsort, shared.ctx, &c.desc));
            REQUIRE(dmm_lexsort_sorts(lexsort) == table[r].sorts);
            c.counted = i % 3 == 2 ? c.n - c.n / 3 : c.n;
            run(&c, lexsort);
            free_call(&c);
        }
        dmm_lexsort_free(lexsort);
    }
}

/* Without row numbers, arrays beside one column may move along in sorts of it. */
static void arrays_move_along(void **state)
{
    static const row along[] = {
        {.keys = {"-f32"}, .values = {4}, .tuning = CPU(64)},
        {.keys = {"item12"}, .values = {8}, .row_bytes = 8, .tuning = CPU(64)},
        {.keys = {"u16"}, .values = {4}, .tuning = GPU(16, 4)},
        {.keys = {"0f32"}, .values = {4, 4}},
    };
    static const uint64_t sizes[] = {1001, 500};
    (void)state;
    for (size_t r = 0; r < by_size(3, 4, 4); r++) {
        dmm_lexsort *lexsort = NULL;
        for (size_t i = 0; i < 2; i++) {
            const uint64_t n = r == 3 ? (uint64_t)1 << (22 - i) : sizes[i]; /* sorts, a gather */
            test_call c = make(&along[r], n, r + 10 * i);
            test_note("along, row %zu, n=%llu", r, (unsigned long long)n);
            c.numbered = 1;
            for (uint64_t x = 0; x < n; x++)
                memcpy(c.values[0] + x * along[r].values[0], &x, along[r].values[0]);
            c.counted = i == 1 ? n - n / 3 : n;
            if (lexsort == NULL)
                REQUIRE_OK(dmm_lexsort_create(&lexsort, shared.ctx, &c.desc));
            run(&c, lexsort);
            free_call(&c);
        }
        dmm_lexsort_free(lexsort);
    }
}

/* Host arrays, some of which are not wanted, and outputs that are inputs. */
static void host_arrays_are_sorted(void **state)
{
    test_call c = make(&table[2], 500, 3);
    dmm_lexsort_host_args args = {.rows_out = c.rows};
    unsigned char *const before = allocate(500 * 4);
    (void)state;
    test_note("host arrays");
    for (uint32_t k = 0; k < c.desc.num_keys; k++) {
        args.keys[k] = c.keys[k];
        args.keys_out[k] = c.keys_out[k];
    }
    memcpy(before, c.values[0], 500 * 4);
    args.values[0] = args.values_out[0] = c.values[0];
    REQUIRE_OK(dmm_lexsort_host(shared.ctx, &c.desc, &args, 500));
    memcpy(c.values_out[0], c.values[0], 500 * 4);
    memcpy(c.values[0], before, 500 * 4);
    REQUIRE_VERDICT(judge(&c));
    memset(args.keys_out, 0, sizeof args.keys_out);
    args.rows_out = NULL;
    memset(c.values_out[0], 0, 500 * 4);
    args.values_out[0] = c.values_out[0];
    args.values[0] = c.values[0];
    REQUIRE_OK(dmm_lexsort_host(shared.ctx, &c.desc, &args, 500));
    REQUIRE_VERDICT(judge(&c)); /* keys and rows are of the first call */
    args.keys[0] = NULL;
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_lexsort_host(shared.ctx, &c.desc, &args, 500));
    REQUIRE(strstr(dmm_error_text(DMM_NULL_ARGUMENT), "keys_in[0]") != NULL);
    free(before);
    free_call(&c);
}

static void judge_tells_wrong_from_right(void **state)
{
    test_call c = make(&(const row){.keys = {"u8", "u8"}, .values = {1}}, 3, 1);
    (void)state;
    test_note("judge");
    memcpy(c.keys[0], "\2\1\1", 3);
    memcpy(c.keys[1], "\0\5\5", 3);
    memcpy(c.keys_out[0], "\1\1\2", 3);
    memcpy(c.keys_out[1], "\5\5\0", 3);
    const uint32_t right[] = {1, 2, 0}, unstable[] = {2, 1, 0}, twice[] = {1, 1, 0};
    memcpy(c.rows, right, sizeof right);
    for (uint32_t i = 0; i < 3; i++)
        c.values_out[0][i] = c.values[0][right[i]] = (unsigned char)i;
    REQUIRE_VERDICT(judge(&c));
    memcpy(c.rows, unstable, sizeof unstable);
    REQUIRE(judge(&c) != NULL);
    memcpy(c.rows, twice, sizeof twice);
    REQUIRE(judge(&c) != NULL);
    memcpy(c.rows, right, sizeof right);
    c.values_out[0][1]++;
    REQUIRE(judge(&c) != NULL);
    free_call(&c);
}

static void wrong_descriptions_are_refused(void **state)
{
    static const dmm_lexsort_desc wrong[] = {{.num_keys = 9}, {.num_values = 9}, {.row_bytes = 3},
        {.num_values = 1, .value_bytes = {257}},
        {.num_keys = 2, .keys = {{.type = DMM_U8}, {.type = (dmm_type)99}}}};
    dmm_lexsort *lexsort = NULL;
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        test_note("wrong description %zu", i);
        REQUIRE_REFUSED(
            DMM_BAD_VALUE, &lexsort, dmm_lexsort_create(&lexsort, shared.ctx, &wrong[i]));
    }
    REQUIRE(dmm_lexsort_sorts(NULL) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_are_sorted),
        cmocka_unit_test(arrays_move_along),
        cmocka_unit_test(host_arrays_are_sorted),
        cmocka_unit_test(judge_tells_wrong_from_right),
        cmocka_unit_test(wrong_descriptions_are_refused),
    };
    return RUN_WITH_RIG("lexsort", "banks=16", tests);
}
