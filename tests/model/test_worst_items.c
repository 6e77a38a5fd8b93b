/* SPDX-License-Identifier: MIT */
/* Ranks as items of every type: the order is kept, values stay distinct while the type has enough.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dmm-model/worst.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Item i as a number; exact for all items of up to 32 bits, and for f64. */
static double number_of(const void *items, const char *type, uint64_t i)
{
    if (strcmp(type, "u8") == 0)
        return ((const uint8_t *)items)[i];
    if (strcmp(type, "i8") == 0)
        return ((const int8_t *)items)[i];
    if (strcmp(type, "u16") == 0)
        return ((const uint16_t *)items)[i];
    if (strcmp(type, "i16") == 0)
        return ((const int16_t *)items)[i];
    if (strcmp(type, "u32") == 0)
        return ((const uint32_t *)items)[i];
    if (strcmp(type, "i32") == 0)
        return ((const int32_t *)items)[i];
    if (strcmp(type, "u64") == 0)
        return (double)((const uint64_t *)items)[i];
    if (strcmp(type, "i64") == 0)
        return (double)((const int64_t *)items)[i];
    if (strcmp(type, "f32") == 0)
        return (double)((const float *)items)[i];
    if (strcmp(type, "f64") == 0)
        return ((const double *)items)[i];
    const uint16_t half = ((const uint16_t *)items)[i]; /* f16, normal and positive */
    return ldexp(1024 + half % 1024, half / 1024 - 15 - 10);
}

/* True if the item of rank r never exceeds that of rank r+1; counts the values. */
static bool order_is_kept(const void *items, const char *type, uint64_t n, uint64_t *values)
{
    *values = n > 0;
    for (uint64_t r = 1; r < n; r++) {
        const double before = number_of(items, type, r - 1), here = number_of(items, type, r);
        if (!(before <= here) || !isfinite(here))
            return false;
        *values += before < here;
    }
    return true;
}

static const char *const types[] = {
    "u8", "i8", "u16", "i16", "u32", "i32", "u64", "i64", "f16", "f32", "f64"};

static uint64_t values_of(const char *type, uint64_t n, int *distinct, double *first, double *last)
{
    uint64_t *ranks = calloc(n, sizeof *ranks), values;
    double *items = malloc(n * sizeof *items);
    for (uint64_t i = 0; i < n; i++)
        ranks[i] = i;
    assert_int_equal(dmm_model_worst_items(items, distinct, type, ranks, n), DMM_MODEL_OK);
    assert_true(order_is_kept(items, type, n, &values));
    *first = number_of(items, type, 0);
    *last = number_of(items, type, n - 1);
    free(items);
    free(ranks);
    return values;
}

static void items_follow_the_ranks_in_every_type(void **state)
{
    (void)state;
    const uint64_t counts[] = {1, 2, 100, 128, 129, 255, 256, 257, 512, 1000, 16384, 16385, 30720,
        30721, 32768, 32769, 65536, 65537, 200000};
    for (size_t t = 0; t < sizeof types / sizeof types[0]; t++)
        for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
            int distinct;
            double first, last;
            const uint64_t n = counts[c];
            const uint64_t values = values_of(types[t], n, &distinct, &first, &last);
            const uint64_t most = types[t][1] == '8'                ? 256
                                  : strcmp(types[t], "f16") == 0    ? 30720
                                  : strcmp(types[t] + 1, "16") == 0 ? 65536
                                                                    : UINT64_MAX;
            assert_int_equal(distinct, n <= most);
            const uint64_t ranks_a_value = n / most + (n % most != 0);
            assert_int_equal(values, n / ranks_a_value + (n % ranks_a_value != 0));
        }
}

static void values_begin_where_the_header_says(void **state)
{
    (void)state;
    int distinct;
    double first, last;
    values_of("i8", 128, &distinct, &first, &last);
    assert_true(first == 0 && last == 127);
    values_of("i8", 256, &distinct, &first, &last);
    assert_true(first == -128 && last == 127);
    values_of("u16", 65536, &distinct, &first, &last);
    assert_true(first == 0 && last == 65535);
    values_of("i32", 10, &distinct, &first, &last);
    assert_true(first == 0 && last == 9);
    values_of("f32", 3, &distinct, &first, &last);
    assert_true(first == 1 && last == 1 + ldexp(1, -22));
    values_of("f64", 3, &distinct, &first, &last);
    assert_true(first == 1 && last == 1 + ldexp(1, -51));
    values_of("f16", 16384, &distinct, &first, &last);
    assert_true(first == 1 && last == 65504);
    values_of("f16", 30720, &distinct, &first, &last);
    assert_true(first == ldexp(1, -14) && last == 65504);
}

static void the_judge_of_order_rejects_wrong_items(void **state)
{
    (void)state;
    uint64_t values;
    const float swapped[] = {1, 3, 2, 4}, equal[] = {1, 2, 2, 4}, nan_inside[] = {1, 2, NAN, 4};
    assert_false(order_is_kept(swapped, "f32", 4, &values));
    assert_false(order_is_kept(nan_inside, "f32", 4, &values));
    assert_true(order_is_kept(equal, "f32", 4, &values));
    assert_int_equal(values, 3);
}

static void bad_arguments_write_nothing(void **state)
{
    (void)state;
    const uint64_t ranks[] = {0, 2, 1};
    uint32_t items[3] = {7, 7, 7};
    int distinct = 1;
    assert_int_equal(
        dmm_model_worst_items(NULL, &distinct, "u32", ranks, 3), DMM_MODEL_NULL_ARGUMENT);
    assert_int_equal(
        dmm_model_worst_items(items, &distinct, NULL, ranks, 3), DMM_MODEL_NULL_ARGUMENT);
    assert_int_equal(
        dmm_model_worst_items(items, &distinct, "u32", NULL, 3), DMM_MODEL_NULL_ARGUMENT);
    const char *const unknown[] = {"", "u", "u33", "U32", "f80", "u32 ", "item"};
    for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++)
        assert_int_equal(
            dmm_model_worst_items(items, &distinct, unknown[i], ranks, 3), DMM_MODEL_BAD_VALUE);
    assert_int_equal(dmm_model_worst_items(items, &distinct, "u32", ranks, 2), DMM_MODEL_BAD_VALUE);
    assert_int_equal(items[0] + items[1] + items[2], 21);
    assert_int_equal(dmm_model_worst_items(items, NULL, "u32", ranks, 3), DMM_MODEL_OK);
    assert_int_equal(items[1], 2);
    assert_int_equal(dmm_model_worst_items(items, &distinct, "u32", ranks, 0), DMM_MODEL_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(items_follow_the_ranks_in_every_type),
        cmocka_unit_test(values_begin_where_the_header_says),
        cmocka_unit_test(the_judge_of_order_rejects_wrong_items),
        cmocka_unit_test(bad_arguments_write_nothing),
    };
    return cmocka_run_group_tests_name("worst_items", tests, NULL, NULL);
}
