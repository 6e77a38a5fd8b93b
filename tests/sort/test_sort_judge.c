/* SPDX-License-Identifier: MIT */
/* ctest: default */
/*
 * The judges of sorts and of sorts of segments: they accept right answers and reject spoilt ones.
 */
#include "support/require.h"

#include "support/judge.h"
#include "support/segment_case.h"

/* A correct result, spoilt in several ways: each judge must find what it can see. */
static void judges_reject_wrong_answers(void **state)
{
    const kind k = kind_named("u32 by less");
    const uint32_t input_keys[] = {0x305, 0x101, 0x205, 0x405};
    const uint32_t input_values[] = {10, 11, 12, 13};
    const rows input = {input_keys, input_values, 4, 4};
    struct {
        const char *what;
        uint32_t keys[4], values[4];
        int by_property, by_oracle;
    } answers[] = {
        {"correct", {0x101, 0x305, 0x205, 0x405}, {11, 10, 12, 13}, 1, 1},
        {"unstable", {0x101, 0x205, 0x305, 0x405}, {11, 12, 10, 13}, 1, 0},
        {"out of order", {0x305, 0x101, 0x205, 0x405}, {10, 11, 12, 13}, 0, 0},
        {"values left behind", {0x101, 0x305, 0x205, 0x405}, {10, 11, 12, 13}, 0, 0},
        {"an item lost, one doubled", {0x101, 0x305, 0x305, 0x405}, {11, 10, 10, 13}, 0, 0},
        {"another tie's bits", {0x101, 0x305, 0x205, 0x505}, {11, 10, 12, 13}, 0, 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof answers / sizeof answers[0]; i++) {
        const rows result = {answers[i].keys, answers[i].values, 4, 4};
        test_note("%s", answers[i].what);
        REQUIRE((judge_by_property(&k, &input, &result) == NULL) == answers[i].by_property);
        REQUIRE((judge_by_oracle(&k, &input, &result) == NULL) == answers[i].by_oracle);
    }
}

/* The judges' own order of floats, spelt out once. */
static void the_float_order_is_the_documented_one(void **state)
{
    const uint32_t up[] = {0xff800000, 0xff7fffff, 0x80000001, 0x80000000, 0, 1, 0x7f7fffff,
        0x7f800000, 0x7f800001, 0x7fffffff, 0xffffffff, 0xff800001};
    const uint32_t down[] = {0x7f800000, 0x7f7fffff, 1, 0, 0x80000000, 0x80000001, 0xff800000,
        0xff800001, 0xffffffff, 0x7fffffff};
    const kind ascending = kind_named("f32"), descending = kind_descending(ascending);
    kind ties = ascending;
    (void)state;
    ties.order.zero_equal = 1;
    for (size_t i = 0; i + 1 < sizeof up / sizeof up[0]; i++)
        REQUIRE(kind_compare(&ascending, &up[i], &up[i + 1]) < 0);
    for (size_t i = 0; i + 1 < sizeof down / sizeof down[0]; i++)
        REQUIRE(kind_compare(&descending, &down[i], &down[i + 1]) < 0);
    REQUIRE(kind_compare(&ties, &up[3], &up[4]) == 0);
    REQUIRE(kind_compare(&ties, &up[2], &up[4]) < 0);
}

/* Items 3 | 2 1 0 | 5 4 in segments 1..3 and 4..5. */
static void the_judge_of_segments_rejects_wrong_answers(void **state)
{
    static const uint8_t keys[] = {3, 2, 1, 0, 5, 4};
    static const uint8_t answers[][6] = {{3, 0, 1, 2, 5, 4}, /* right */
        {0, 1, 2, 3, 5, 4},                                  /* over a segment's beginning */
        {3, 0, 1, 2, 4, 5},                                  /* over the last one's end */
        {3, 0, 1, 1, 5, 4}, {3, 0, 2, 1, 5, 4}};
    static const uint64_t offsets[] = {1, 4, 5};
    const kind k = kind_named("u8");
    const rows input = {keys, keys, 6, 0};
    (void)state;
    for (size_t i = 0; i < sizeof answers / sizeof answers[0]; i++) {
        const rows result = {answers[i], answers[i], 6, 0};
        test_note("answer %d", (int)i);
        REQUIRE((judge_segments(&k, &input, &result, offsets, 2) != NULL) == (i != 0));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(judges_reject_wrong_answers),
        cmocka_unit_test(the_float_order_is_the_documented_one),
        cmocka_unit_test(the_judge_of_segments_rejects_wrong_answers),
    };
    return cmocka_run_group_tests_name("sort_judge", tests, NULL, NULL);
}
