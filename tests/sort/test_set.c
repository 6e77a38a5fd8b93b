/* SPDX-License-Identifier: MIT */
/* ctest: oclgrind rows */
/*
 * dmm_set over operations, lengths, runs, types, values and forms, by two judges: an oracle that
 * walks through the lists, and a property of the numbers of each item and of their order.
 */
#include "support/require.h"

#include <dmm/set.h>

#include <stdlib.h>
#include <string.h>

#include "support/items.h"
#include "support/shared.h"
#include "support/zone.h"
#include "support/cover.h"
#include "support/forms.h"
#include "support/judge.h"

/* A call: lists A and B, one behind the other, and what came out of it. */
typedef struct combining {
    kind k;
    dmm_set_op op;
    uint32_t value_bytes;
    uint64_t na, nb, count, most;
    int ends; /* all keys are bytes of ones or of zeros: the greatest code and the least one */
    unsigned char *keys, *values, *keys_out, *values_out;
} combining;

static const void *key_at(const combining *c, uint64_t i)
{
    return c->keys + i * c->k.bytes;
}

static uint64_t n_of(const combining *c)
{
    return c->na + c->nb;
}

/* True if item `place` of the result is item `from` of the input. */
static int is_item(const combining *c, uint64_t place, uint64_t from)
{
    const size_t key = c->k.bytes, value = c->value_bytes;
    return place < c->count && memcmp(c->keys_out + place * key, key_at(c, from), key) == 0 &&
           memcmp(c->values_out + place * value, c->values + from * value, value) == 0;
}

static const char *judge_by_walk(const combining *c)
{
    uint64_t a = 0, b = c->na, place = 0;
    const int left = c->op != DMM_SET_INTERSECTION;
    const int right = c->op == DMM_SET_UNION || c->op == DMM_SET_SYMMETRIC;
    const int both = c->op == DMM_SET_UNION || c->op == DMM_SET_INTERSECTION;
    while (a < c->na || b < n_of(c)) {
        const int order = a == c->na     ? 1
                          : b == n_of(c) ? -1
                                         : kind_compare(&c->k, key_at(c, a), key_at(c, b));
        if (order < 0 ? left : order > 0 ? right : both)
            if (!is_item(c, place++, order > 0 ? b : a))
                return "an item is another one";
        a += order <= 0;
        b += order >= 0;
    }
    return place == c->count ? NULL : "too many items";
}

/* Returns the number of items first .. end - 1 of a list that tie with a key. */
static uint64_t number_of(
    const combining *c, const void *key, const unsigned char *keys, uint64_t first, uint64_t end)
{
    uint64_t number = 0;
    for (uint64_t i = first; i < end; i++)
        number += kind_compare(&c->k, key, keys + i * c->k.bytes) == 0;
    return number;
}

static uint64_t wanted(dmm_set_op op, uint64_t a, uint64_t b)
{
    switch (op) {
    case DMM_SET_UNION:
        return a > b ? a : b;
    case DMM_SET_INTERSECTION:
        return a < b ? a : b;
    case DMM_SET_DIFFERENCE:
        return a > b ? a - b : 0;
    default:
        return a > b ? a - b : b - a;
    }
}

/* In O(n^2): for small calls. */
static const char *judge_by_numbers(const combining *c)
{
    for (uint64_t i = 1; i < c->count; i++)
        if (kind_compare(&c->k, c->keys_out + (i - 1) * c->k.bytes, c->keys_out + i * c->k.bytes) >
            0)
            return "the result is not sorted";
    for (uint64_t i = 0; i < n_of(c); i++) {
        const uint64_t a = number_of(c, key_at(c, i), c->keys, 0, c->na);
        const uint64_t b = number_of(c, key_at(c, i), c->keys, c->na, n_of(c));
        if (number_of(c, key_at(c, i), c->keys_out, 0, c->count) != wanted(c->op, a, b))
            return "an item comes more or less often";
    }
    return c->count <= c->most ? NULL : "more items than there can be";
}

static void sort_part(combining *c, uint64_t first, uint64_t n)
{
    const uint64_t key = c->k.bytes, value = c->value_bytes;
    void *const keys = allocate(n * key), *const values = allocate(n * value);
    memcpy(keys, c->keys + first * key, (size_t)(n * key));
    memcpy(values, c->values + first * value, (size_t)(n * value));
    oracle_sort(&c->k, &(rows){keys, values, n, c->value_bytes}, c->keys + first * key,
        c->values + first * value);
    free(keys);
    free(values);
}

/* `different` values in either list; 0: as many as the shape has. Those of A begin at one, those of
 * B at another. */
static void fill(combining *c, shape s, uint64_t different, uint64_t seed)
{
    random_source random = {seed};
    const uint64_t n = n_of(c), key = c->k.bytes;
    c->keys = allocate(n * key);
    c->values = allocate(n * c->value_bytes);
    c->keys_out = allocate(n * key);
    c->values_out = allocate(n * c->value_bytes);
    kind_fill(&c->k, s, c->keys, n, &random);
    for (uint64_t i = 0; i < n && different != 0; i++) {
        const uint64_t from = random_below(&random, different) + (i < c->na ? 0 : different / 3);
        memmove(c->keys + i * key, c->keys + (from < i ? from : 0) * key, (size_t)key);
    }
    for (uint64_t i = 0; i < n && c->ends; i++)
        memset(c->keys + i * key, random_below(&random, 3) > 0 ? 0xff : 0, (size_t)key);
    random_bytes(&random, c->values, (size_t)(n * c->value_bytes));
}

static void free_combining(combining *c)
{
    free(c->keys);
    free(c->values);
    free(c->keys_out);
    free(c->values_out);
}

enum { A_KEYS, A_VALUES, B_KEYS, B_VALUES, KEYS, VALUES, COUNT, TEMP, NUM_ZONES };

/* Returns the span of a new zone; none for no items, or items of no bytes. */
static dmm_span place(
    const rig *r, zone *z, const void *from, uint64_t n, uint64_t item_bytes, uint64_t offset)
{
    if (item_bytes == 0 || n == 0)
        return DMM_NONE;
    *z = zone_create(r, from, n * item_bytes, offset * item_bytes);
    return zone_span(z);
}

/* Runs a call; the inputs stay as they are. */
static void combine(const rig *r, dmm_set *set, combining *c, int given)
{
    const uint64_t key = c->k.bytes, value = c->value_bytes, na = c->na, nb = c->nb, at = na % 3;
    const int one = c->op == DMM_SET_INTERSECTION || c->op == DMM_SET_DIFFERENCE;
    uint64_t temp_bytes = 0;
    zone z[NUM_ZONES] = {{.buffer = NULL}};
    c->most = wanted(c->op, na, 0) + wanted(c->op, 0, nb);
    if (c->op == DMM_SET_INTERSECTION)
        c->most = wanted(c->op, na, nb);
    REQUIRE_OK(dmm_set_temp_bytes(&temp_bytes, set, na + nb));
    const dmm_set_args args = {.a_keys = place(r, &z[A_KEYS], c->keys, na, key, at),
        .a_values = place(r, &z[A_VALUES], c->values, na, value, 2 * at),
        .b_keys = place(r, &z[B_KEYS], c->keys + na * key, nb, key, 3),
        .b_values = place(r, &z[B_VALUES], c->values + na * value, nb, one ? 0 : value, nb % 2 * 5),
        .keys_out = place(r, &z[KEYS], NULL, c->most, key, 2 * at),
        .values_out = place(r, &z[VALUES], NULL, c->most, value, 1),
        .count_out = place(r, &z[COUNT], NULL, 1, sizeof c->count, 1),
        .temp = given ? place(r, &z[TEMP], NULL, temp_bytes, 1, 256) : DMM_NONE};
    REQUIRE_OK(dmm_set_enqueue(set, r->queue, &args, na, nb, 0, NULL, NULL));
    REQUIRE_OK(clFinish(r->queue));
    zone_read(r, &z[COUNT], &c->count);
    REQUIRE(c->count <= c->most);
    if (c->most != 0)
        zone_read(r, &z[KEYS], c->keys_out);
    if (c->most * value != 0)
        zone_read(r, &z[VALUES], c->values_out);
    REQUIRE(na == 0 || zone_holds(r, &z[A_KEYS], c->keys));
    REQUIRE(nb == 0 || zone_holds(r, &z[B_KEYS], c->keys + na * key));
    for (int i = 0; i < NUM_ZONES; i++) {
        REQUIRE(z[i].buffer == NULL || zone_intact(r, &z[i]));
        zone_free(&z[i]);
    }
}

static dmm_set *build(rig *r, const combining *c, dmm_tuning tuning)
{
    dmm_set *set = NULL;
    const dmm_set_desc desc = {
        .order = c->k.order, .op = c->op, .value_bytes = c->value_bytes, .tuning = tuning};
    REQUIRE_OK(rig_log_failure(r, dmm_set_create(&set, r->ctx, &desc)));
    return set;
}

enum { MOST_SQUARED = 700 }; /* items up to which the property is judged */

static void check(const rig *r, dmm_set *set, combining *c, shape s, uint64_t different,
    uint64_t seed, int sorted)
{
    test_note("op %d of %s, value_bytes=%u, na=%llu, nb=%llu, %s, %llu different, seed=%llu",
        (int)c->op, c->k.name, c->value_bytes, (unsigned long long)c->na, (unsigned long long)c->nb,
        shape_name(s), (unsigned long long)different, (unsigned long long)seed);
    fill(c, s, different, seed);
    if (sorted) {
        sort_part(c, 0, c->na);
        sort_part(c, c->na, c->nb);
    }
    combine(r, set, c, seed % 2 == 0);
    if (sorted)
        REQUIRE_VERDICT(judge_by_walk(c));
    if (sorted && n_of(c) <= MOST_SQUARED)
        REQUIRE_VERDICT(judge_by_numbers(c));
    free_combining(c);
}

typedef struct row {
    const char *kind;
    int descending, zero_equal;
    dmm_set_op op;
    uint32_t value_bytes;
    const char *set;
    dmm_tuning tuning;
} row;

static const row table[] = {
    {.kind = "u32",
        .op = DMM_SET_SYMMETRIC,
        .value_bytes = 4,
        .set = "banks=16",
        .tuning = GPU_BY(16, 4, CF)},
    {.kind = "u32",
        .descending = 1,
        .op = DMM_SET_SYMMETRIC,
        .value_bytes = 8,
        .set = "",
        .tuning = CPU_BY(4, 64)},
    {.kind = "u64", .op = DMM_SET_UNION, .set = "banks=8", .tuning = GPU_BY(16, 5, PLAIN)},
    {.kind = "u16",
        .op = DMM_SET_INTERSECTION,
        .value_bytes = 3,
        .set = "banks=16",
        .tuning = GPU_BY(32, 2, CF)},
    {.kind = "f32",
        .zero_equal = 1,
        .op = DMM_SET_DIFFERENCE,
        .value_bytes = 1,
        .set = "banks=32",
        .tuning = GPU_BY(32, 3, CF)},
    {.kind = "u32", .op = DMM_SET_UNION, .value_bytes = 12, .set = "", .tuning = CPU_BY(4, 64)},
    {.kind = "u8",
        .descending = 1,
        .op = DMM_SET_DIFFERENCE,
        .value_bytes = 2,
        .set = "",
        .tuning = CPU_BY(4, 64)},
    {.kind = "u32 by less",
        .op = DMM_SET_SYMMETRIC,
        .value_bytes = 2,
        .set = "banks=16",
        .tuning = GPU_BY(16, 4, CF)},
    {.kind = "item12", .op = DMM_SET_INTERSECTION, .set = "", .tuning = CPU_BY(4, 32)},
};

enum { NUM_ROWS = sizeof table / sizeof table[0] };

static combining combining_of(const row *one)
{
    combining c = {.k = kind_named(one->kind), .op = one->op, .value_bytes = one->value_bytes};
    c.k.order.descending = one->descending;
    c.k.order.zero_equal = one->zero_equal;
    return c;
}

/* Lengths around the tile, each with each; runs of an item, of some, of more than a tile, of
 * all. */
static void check_row(const rig *r, const row *one, dmm_set *set)
{
    const uint64_t T = tile_of(&one->tuning);
    const uint64_t lengths[] = {0, T + 1, 3 * T + 5, 1, T - 1, T, 8 * T};
    const uint64_t different[] = {0, 3, 2 * T, 1, T / 4, 2, 40};
    const uint64_t count = by_size(3, 7, 7);
    combining c = combining_of(one);
    for (uint64_t i = 0; i < count * count; i += by_rows(2, 1)) {
        c.na = lengths[i % count];
        c.nb = lengths[i / count];
        check(r, set, &c, (shape)(i % SHAPE_COUNT), different[i % 7], i, 1);
        if (i % 5 == 0)
            check(r, set, &c, SHAPE_BITS, different[i % 7], i, 0);
    }
}

static void every_row_of_the_table_is_combined(void **state)
{
    (void)state;
    for (size_t i = 0; i < by_rows(3, NUM_ROWS); i++) { /* simulators: each form and search */
        static rig r;
        const combining c = combining_of(&table[i]);
        rig_open(&r, table[i].set);
        dmm_set *set = build(&r, &c, table[i].tuning);
        check_row(&r, &table[i], set);
        dmm_set_free(set);
        rig_close(&r);
    }
}

/* Every pair of small lengths, and lists of up to five values, by the row's programs. */
static void small_lengths_and_long_runs_are_combined(void **state)
{
    const uint64_t most = by_size(2, 9, 40);
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        static rig r;
        combining c = combining_of(&table[i]);
        rig_open(&r, table[i].set);
        dmm_set *set = build(&r, &c, table[i].tuning);
        for (uint64_t n = 0; n < (most + 1) * (most + 1); n++) {
            c.na = n % (most + 1);
            c.nb = n / (most + 1);
            check(&r, set, &c, SHAPE_FEW, 1 + n % 5, n, 1);
        }
        for (uint64_t n = 0; n < by_size(1, 60, 1000); n++) {
            c.na = n * 37 % by_size(200, 2000, 5000);
            c.nb = n * 101 % by_size(200, 2000, 5000);
            check(&r, set, &c, SHAPE_RANDOM, 1 + n % 5, n, 1);
        }
        dmm_set_free(set);
        rig_close(&r);
    }
}

/* Keys without values, whose codes alone are merged; padding has the greatest code. */
static void lone_keys_are_combined(void **state)
{
    static const row lone[] = {
        {.kind = "u32", .op = DMM_SET_SYMMETRIC, .set = "banks=16", .tuning = GPU_BY(16, 4, CF)},
        {.kind = "u32", .op = DMM_SET_UNION, .set = "banks=8", .tuning = GPU_BY(8, 32, CF)},
        {.kind = "u32",
            .descending = 1,
            .op = DMM_SET_SYMMETRIC,
            .set = "banks=4",
            .tuning = GPU_BY(16, 32, CF)},
        {.kind = "i32", .op = DMM_SET_INTERSECTION, .set = "", .tuning = GPU_BY(32, 3, PLAIN)},
        {.kind = "u32", .op = DMM_SET_DIFFERENCE, .set = "banks=8", .tuning = GPU_BY(16, 5, CF)},
        {.kind = "f32", .op = DMM_SET_SYMMETRIC, .set = "banks=8", .tuning = GPU_BY(16, 5, CF)},
        {.kind = "u8", .op = DMM_SET_UNION, .set = "banks=128", .tuning = GPU_BY(128, 2, CF)},
        {.kind = "u16",
            .descending = 1,
            .op = DMM_SET_DIFFERENCE,
            .set = "banks=64",
            .tuning = GPU_BY(64, 8, CF)},
        {.kind = "u32 by less",
            .op = DMM_SET_UNION,
            .set = "banks=16",
            .tuning = GPU_BY(16, 4, CF)}};
    (void)state;
    for (size_t i = 0; i < by_rows(2, sizeof lone / sizeof *lone); i++) {
        static rig r;
        const uint64_t T = tile_of(&lone[i].tuning);
        combining c = combining_of(&lone[i]);
        rig_open(&r, lone[i].set);
        dmm_set *set = build(&r, &c, lone[i].tuning);
        for (uint64_t n = 0; n < by_size(2, 24, 200); n++) {
            c.ends = n % 3 != 0;
            c.na = n % 8 == 7 ? T : n * 37 % (3 * T);
            c.nb = n % 8 == 7 ? n / 8 % 2 * T : n * 101 % (2 * T + n);
            check(&r, set, &c, (shape)(n % SHAPE_COUNT), n % 2 ? T / 4 : 0, n, 1);
        }
        dmm_set_free(set);
        rig_close(&r);
    }
}

static void judges_tell_wrong_from_right(void **state)
{
    unsigned char keys[] = {1, 2, 2, 2, 7, 2, 2, 5}, values[] = {0, 1, 2, 3, 4, 5, 6, 7};
    unsigned char keys_out[] = {1, 2, 5, 7}, values_out[] = {0, 3, 7, 4};
    combining c = {
        kind_named("u8"), DMM_SET_SYMMETRIC, 1, 5, 3, 4, 8, 0, keys, values, keys_out, values_out};
    (void)state;
    test_note("judges");
    REQUIRE_VERDICT(judge_by_walk(&c));
    REQUIRE_VERDICT(judge_by_numbers(&c));
#define SPOILT(change, undo)                   \
    do {                                       \
        change;                                \
        REQUIRE(judge_by_walk(&c) != NULL);    \
        REQUIRE(judge_by_numbers(&c) != NULL); \
        undo;                                  \
    } while (0)
    SPOILT(c.count = 3, c.count = 4);
    SPOILT(keys_out[1] = 1, keys_out[1] = 2);
    SPOILT(keys_out[3] = 4, keys_out[3] = 7);
    SPOILT(c.op = DMM_SET_UNION, c.op = DMM_SET_SYMMETRIC);
    values_out[1] = 2; /* the first one of three: only the oracle sees values */
    REQUIRE(judge_by_walk(&c) != NULL);
}

static void wrong_arguments_are_refused_in_order(void **state)
{
    enum { NA = 3, NB = 2, N = NA + NB };
    static const dmm_set_desc desc = {.max_n = N, .op = DMM_SET_UNION};
    static const dmm_set_desc wrong = {.op = (dmm_set_op)4};
    static const uint32_t a[NA] = {1, 3, 3}, b[NB] = {2, 3};
    uint32_t keys[N] = {0};
    size_t count = 0;
    dmm_set *set = NULL;
    (void)state;
    rig_open(&shared, NULL);
    test_note("wrong arguments");
    REQUIRE_REFUSED(DMM_BAD_VALUE, &set, dmm_set_create(&set, shared.ctx, &wrong));
    dmm_set_host_args host = {
        .a_keys = a, .na = NA, .b_keys = b, .nb = NB, .keys_out = keys, .count_out = NULL};
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_set_host(shared.ctx, &desc, NULL));
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_set_host(shared.ctx, &desc, &host));
    host.count_out = &count;
    REQUIRE_OK(dmm_set_host(shared.ctx, &desc, &host));
    REQUIRE(count == 4 && keys[0] == 1 && keys[1] == 2 && keys[2] == 3 && keys[3] == 3);
    rig_close(&shared);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_of_the_table_is_combined),
        cmocka_unit_test(small_lengths_and_long_runs_are_combined),
        cmocka_unit_test(lone_keys_are_combined),
        cmocka_unit_test(judges_tell_wrong_from_right),
        cmocka_unit_test(wrong_arguments_are_refused_in_order),
    };
    return cmocka_run_group_tests_name("set", tests, NULL, NULL);
}
