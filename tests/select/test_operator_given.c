/* SPDX-License-Identifier: MIT */
/* ctest: oclgrind full */
/*
 * dmm_operator_given: argmin, argmax and minmax of arrays of each type, against loops on the host:
 * equal items, NaNs, items that equal the identity, and no items.
 */
#include "support/require.h"

#include <dmm/reduce.h>

#include <math.h>
#include <string.h>

#include "support/forms.h"
#include "support/random.h"
#include "support/rig.h"

enum { N = 3000, WIDE = 8 };

/* Returns item i as a number: exact for the few values of which the items are. */
static double number_at(const unsigned char *items, dmm_type type, uint64_t i)
{
    const unsigned char *const at = items + i * dmm_type_bytes(type);
    int8_t i8;
    int16_t i16;
    int32_t i32;
    int64_t i64;
    uint64_t u64 = 0;
    float f32;
    double f64;
    switch (type) {
    case DMM_I8:
        memcpy(&i8, at, sizeof i8);
        return i8;
    case DMM_I16:
        memcpy(&i16, at, sizeof i16);
        return i16;
    case DMM_I32:
        memcpy(&i32, at, sizeof i32);
        return i32;
    case DMM_I64:
        memcpy(&i64, at, sizeof i64);
        return (double)i64;
    case DMM_F32:
        memcpy(&f32, at, sizeof f32);
        return f32;
    case DMM_F64:
        memcpy(&f64, at, sizeof f64);
        return f64;
    default:
        memcpy(&u64, at, dmm_type_bytes(type)); /* little-endian */
        return (double)u64;
    }
}

/* How items are made: at random; all the greatest item; all NaN, or the least item; both zeros. */
typedef enum filling { RANDOM, GREATEST, LEAST, ZEROS } filling;

static void make_items(unsigned char *items, dmm_type type, filling how)
{
    random_source random = {(uint64_t)type + 1};
    const uint32_t bytes = dmm_type_bytes(type);
    for (uint64_t i = 0; i < N; i++) {
        const int64_t drawn = (int64_t)random_below(&random, 100) + 10;
        const float f32 = how == RANDOM     ? drawn % 7 == 0 ? NAN : (float)drawn - 60
                          : how == GREATEST ? INFINITY
                          : how == LEAST    ? NAN
                          : drawn % 2 == 0  ? 0.0f
                                            : -0.0f;
        const double f64 = f32;
        const int is_signed =
            type == DMM_I8 || type == DMM_I16 || type == DMM_I32 || type == DMM_I64;
        const uint64_t greatest = UINT64_MAX >> (64 - 8 * bytes + (is_signed ? 1 : 0));
        const uint64_t least = is_signed ? (uint64_t)1 << (8 * bytes - 1) : 0;
        const uint64_t bits = how == RANDOM     ? (uint64_t)(drawn - (is_signed ? 60 : 0))
                              : how == GREATEST ? greatest
                              : how == LEAST    ? least
                                                : 0;
        const void *const item = type == DMM_F32   ? (const void *)&f32
                                 : type == DMM_F64 ? (const void *)&f64
                                                   : (const void *)&bits;
        memcpy(items + i * bytes, item, bytes);
    }
}

/* Finds the first of the least (sign = 1) or greatest (-1) items that are no NaN; n: none. */
static uint64_t find(const unsigned char *items, dmm_type type, uint64_t n, double sign)
{
    uint64_t found = n;
    for (uint64_t i = 0; i < n; i++) {
        const double x = sign * number_at(items, type, i);
        if (x == x && (found == n || x < sign * number_at(items, type, found)))
            found = i;
    }
    return found;
}

static void check(rig *r, dmm_type type, dmm_tuning tuning, filling how, uint64_t n)
{
    static unsigned char items[N * WIDE];
    const uint32_t bytes = dmm_type_bytes(type);
    dmm_operator own;
    dmm_map map;
    make_items(items, type, how);
    const uint64_t least = find(items, type, n, 1), greatest = find(items, type, n, -1);
    for (int name = 0; name < 3; name++) {
        dmm_reduce_desc desc = {.type = DMM_ITEM, .tuning = tuning, .own = &own, .map = &map};
        unsigned char result[16];
        REQUIRE_OK(dmm_operator_given(&own, &map, (dmm_operator_name)name, type));
        test_note("operator %d of %s, filling %d, n=%llu", name, dmm_type_name(type), (int)how,
            (unsigned long long)n);
        REQUIRE_OK(rig_log_failure(r, dmm_reduce_host(r->ctx, &desc, items, (size_t)n, result)));
        if (name < 2) {
            const uint64_t expected = name == 0 ? least : greatest;
            dmm_placed placed;
            memcpy(&placed, result, sizeof placed);
            REQUIRE(placed.at == (expected == n ? UINT64_MAX : expected));
            if (expected != n)
                REQUIRE(memcmp(&placed.value, items + expected * bytes, bytes) == 0);
        } else if (least != n) {
            REQUIRE(number_at(result, type, 0) == number_at(items, type, least));
            REQUIRE(number_at(result, type, 1) == number_at(items, type, greatest));
        }
    }
}

static void ends_of_arrays_are_found(void **state)
{
    static const dmm_type types[] = {
        DMM_F32, DMM_I8, DMM_U32, DMM_U8, DMM_U16, DMM_I16, DMM_I32, DMM_U64, DMM_I64, DMM_F64};
    static const dmm_tuning forms[] = {GPU(16, 4), CPU_BY(4, 64)}, in_blocks = CPU_BY(4, 2048);
    static rig r;
    (void)state;
    rig_open(&r, "banks=16,units=2");
    for (size_t k = 0; k < by_size(2, 5, 10); k++) {
        if (types[k] == DMM_F64 && !rig_has_fp64(&r))
            continue;
        check(&r, types[k], forms[k % 2], RANDOM, by_size(200, N, N));
        for (int how = 0; how < 3 && k < by_size(1, 3, 10); how++)
            check(&r, types[k], forms[k % 2], (filling)how, how == 1 ? 0 : 65);
        check(&r, types[k], forms[k % 2], GREATEST, 65);
        for (int how = 0; how <= ZEROS; how++)
            check(&r, types[k], in_blocks, (filling)how, N);
    }
    rig_close(&r);
}

/* Differences from the item before, of every type, in place; their sums are the items again. */
static void differences_are_of_neighbours(void **state)
{
    static const dmm_tuning forms[] = {GPU(16, 4), CPU_BY(4, 64)};
    static const dmm_type types[] = {DMM_U32, DMM_F32, DMM_I8, DMM_U64, DMM_I16};
    static rig r;
    (void)state;
    rig_open(&r, "banks=16,units=2");
    for (size_t k = 0; k < by_size(2, 5, 5); k++) {
        static unsigned char items[N * WIDE], out[N * WIDE];
        const size_t n = (size_t)by_size(200, N, N), bytes = dmm_type_bytes(types[k]);
        dmm_operator own;
        dmm_map map;
        make_items(items, types[k], RANDOM);
        for (size_t i = 0; types[k] == DMM_F32 && i < n; i++) {
            const float whole = (float)(i * i % 1000); /* so that differences are exact */
            memcpy(items + i * bytes, &whole, bytes);
        }
        memcpy(out, items, n * bytes);
        test_note("differences of %s", dmm_type_name(types[k]));
        REQUIRE_OK(dmm_operator_given(&own, &map, DMM_OPERATOR_DIFFERENCE, types[k]));
        const dmm_scan_desc of_neighbours = {
            .type = DMM_ITEM, .exclusive = 1, .tuning = forms[k % 2], .own = &own, .map = &map};
        const dmm_scan_desc sums = {.type = types[k], .tuning = forms[k % 2]};
        REQUIRE_OK(rig_log_failure(&r, dmm_scan_host(r.ctx, &of_neighbours, out, n)));
        REQUIRE(memcmp(out, items, bytes) == 0 && memcmp(out, items, n * bytes) != 0);
        REQUIRE_OK(dmm_scan_host(r.ctx, &sums, out, n));
        REQUIRE(memcmp(out, items, n * bytes) == 0);
    }
    rig_close(&r);
}

/* The least absolute value, by another expression of the map. */
static void other_maps_find_the_least_of_functions(void **state)
{
    enum { LAST = 2412 };
    const float items[] = {-5, 3, -2, 7, 2};
    static float many[N];
    static rig r;
    dmm_operator own;
    dmm_map map;
    dmm_placed placed;
    (void)state;
    rig_open(&r, NULL);
    REQUIRE_OK(dmm_operator_given(&own, &map, DMM_OPERATOR_ARGMIN, DMM_F32));
    map.expression = "(dmm_item){i, fabs(item)}";
    const dmm_reduce_desc desc = {.type = DMM_ITEM, .own = &own, .map = &map};
    const dmm_reduce_desc in_blocks = {
        .type = DMM_ITEM, .tuning = CPU_BY(4, 2048), .own = &own, .map = &map};
    REQUIRE_OK(dmm_reduce_host(r.ctx, &desc, items, 5, &placed));
    REQUIRE(placed.at == 2);
    for (int i = 0; i < N; i++)
        many[i] = (float)(i * 7 % 1024 - 500); /* 0 at 364, and again at each 1024th item */
    map.expression = "(dmm_item){4000 - i, fabs(item)}"; /* of equal ones the last is taken */
    REQUIRE_OK(dmm_reduce_host(r.ctx, &in_blocks, many, N, &placed));
    REQUIRE(many[LAST] == 0 && placed.at == 4000 - LAST);
    REQUIRE_STATUS(DMM_BAD_VALUE, dmm_operator_given(&own, &map, 0, DMM_ITEM));
    REQUIRE_STATUS(DMM_BAD_VALUE, dmm_operator_given(&own, &map, (dmm_operator_name)4, DMM_F32));
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_operator_given(NULL, &map, 0, DMM_F32));
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_operator_given(&own, NULL, 0, DMM_F32));
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ends_of_arrays_are_found),
        cmocka_unit_test(differences_are_of_neighbours),
        cmocka_unit_test(other_maps_find_the_least_of_functions),
    };
    return cmocka_run_group_tests_name("operator_given", tests, NULL, NULL);
}
