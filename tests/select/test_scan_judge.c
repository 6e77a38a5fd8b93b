/* SPDX-License-Identifier: MIT */
/*
 * The judges of scans: they accept right answers worked out by hand and reject spoilt ones.
 */
#include "support/require.h"

#include <math.h>
#include <string.h>

#include "support/scan_judge.h"

/* Both judges say yes; no item of the answer can be changed without either of them noticing. */
static void require_sharp(const scan_kind *k, const void *in, void *out, uint64_t n)
{
    const uint32_t bytes = dmm_type_bytes(k->type);
    unsigned char *const items = out;
    REQUIRE_VERDICT(scan_judge_by_oracle(k, in, out, n));
    REQUIRE_VERDICT(scan_judge_by_property(k, in, out, n));
    for (uint64_t i = 0; i < n * bytes; i++) {
        items[i] ^= 0x40;
        test_note("byte %llu spoilt", (unsigned long long)i);
        REQUIRE(scan_judge_by_oracle(k, in, out, n) != NULL);
        REQUIRE(scan_judge_by_property(k, in, out, n) != NULL);
        items[i] ^= 0x40;
    }
}

static void sums_of_whole_numbers_are_judged_exactly(void **state)
{
    const scan_kind inclusive = {DMM_U8, DMM_SCAN_SUM, 0}, exclusive = {DMM_I16, DMM_SCAN_SUM, 1};
    const uint8_t narrow[] = {200, 100, 0, 255};
    uint8_t narrow_sums[] = {200, 44, 44, 43};
    const int16_t wide[] = {-5, 32767, 10, 1};
    int16_t wide_sums[] = {0, -5, 32762, -32764};
    (void)state;
    require_sharp(&inclusive, narrow, narrow_sums, 4);
    require_sharp(&exclusive, wide, wide_sums, 4);
}

static void extremes_are_judged_exactly(void **state)
{
    const scan_kind most = {DMM_I32, DMM_SCAN_MAX, 1}, least = {DMM_U64, DMM_SCAN_MIN, 0};
    const int32_t items[] = {-7, -9, 3, 2};
    int32_t maxima[] = {INT32_MIN, -7, -7, 3};
    const uint64_t wide[] = {UINT64_MAX, 8, 9, 1};
    uint64_t minima[] = {UINT64_MAX, 8, 8, 1};
    (void)state;
    require_sharp(&most, items, maxima, 4);
    require_sharp(&least, wide, minima, 4);
}

/* Spelt out in bits: -0 is below +0, NaNs are above everything, and of two NaNs the order decides.
 */
static void extremes_of_floats_follow_the_documented_order(void **state)
{
    const scan_kind most = {DMM_F32, DMM_SCAN_MAX, 0}, least = {DMM_F32, DMM_SCAN_MIN, 1};
    const uint32_t rising[] = {0xff800000, 0x80000000, 0x00000000, 0x7f800000, 0x7fc00000,
        0x7f800001, 0xffc00000, 0x3f800000, 0xff800001};
    uint32_t maxima[] = {0xff800000, 0x80000000, 0x00000000, 0x7f800000, 0x7fc00000, 0x7fc00000,
        0xffc00000, 0xffc00000, 0xff800001};
    const uint32_t falling[] = {0xffc00000, 0x7fc00000, 0x00000000, 0x7fc00000, 0x80000000, 1};
    uint32_t minima[] = {0xff800001, 0xffc00000, 0x7fc00000, 0x00000000, 0x00000000, 0x80000000};
    (void)state;
    require_sharp(&most, rising, maxima, 9);
    require_sharp(&least, falling, minima, 6);
}

static void float_sums_are_judged_within_bounds(void **state)
{
    const scan_kind k = {DMM_F32, DMM_SCAN_SUM, 0};
    const float items[] = {1, 1e-3f, 1000, -1001, INFINITY, 5, -INFINITY, 1};
    float sums[] = {1, 1.001f, 1001.001f, 0.001f, INFINITY, INFINITY, NAN, NAN};
    const struct {
        size_t at;
        float wrong;
    } spoilt[] = {{0, 0.9999f}, {0, -1}, {1, 1}, {2, NAN}, {3, -0.001f}, {6, 1}, {7, INFINITY}};
    (void)state;
    test_note("the right sums");
    REQUIRE_VERDICT(scan_judge(&k, items, sums, 8));
    sums[3] = 0.00105f; /* well within the rounding of a sum of a thousand */
    REQUIRE_VERDICT(scan_judge(&k, items, sums, 8));
    for (size_t i = 0; i < sizeof spoilt / sizeof spoilt[0]; i++) {
        float answer[8];
        memcpy(answer, sums, sizeof answer);
        answer[spoilt[i].at] = spoilt[i].wrong;
        test_note("sum %zu is %g", spoilt[i].at, (double)spoilt[i].wrong);
        REQUIRE(scan_judge_by_oracle(&k, items, answer, 8) != NULL);
    }
    for (size_t i = 0; i < 4; i++) {
        float answer[8];
        memcpy(answer, sums, sizeof answer);
        answer[spoilt[i].at] = spoilt[i].wrong;
        test_note("sum %zu is %g", spoilt[i].at, (double)spoilt[i].wrong);
        REQUIRE(scan_judge_by_property(&k, items, answer, 8) != NULL);
    }
}

static void a_sum_of_minus_zero_is_rejected(void **state)
{
    const scan_kind k = {DMM_F64, DMM_SCAN_SUM, 0};
    const double items[] = {-0.0}, plus[] = {0.0}, minus[] = {-0.0};
    (void)state;
    test_note("zeros");
    REQUIRE_VERDICT(scan_judge(&k, items, plus, 1));
    REQUIRE(scan_judge_by_oracle(&k, items, minus, 1) != NULL);
}

/* An inclusive answer is no exclusive one, and shifted by one item it is wrong. */
static void the_other_mode_s_answer_is_rejected(void **state)
{
    const scan_kind inclusive = {DMM_U32, DMM_SCAN_SUM, 0}, exclusive = {DMM_U32, DMM_SCAN_SUM, 1};
    const uint32_t items[] = {3, 1, 4, 1, 5}, with[] = {3, 4, 8, 9, 14}, before[] = {0, 3, 4, 8, 9};
    (void)state;
    test_note("modes");
    REQUIRE_VERDICT(scan_judge(&inclusive, items, with, 5));
    REQUIRE_VERDICT(scan_judge(&exclusive, items, before, 5));
    REQUIRE(scan_judge_by_oracle(&exclusive, items, with, 5) != NULL);
    REQUIRE(scan_judge_by_property(&exclusive, items, with, 5) != NULL);
    REQUIRE(scan_judge_by_oracle(&inclusive, items, before, 5) != NULL);
    REQUIRE(scan_judge_by_property(&inclusive, items, before, 5) != NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_of_whole_numbers_are_judged_exactly),
        cmocka_unit_test(extremes_are_judged_exactly),
        cmocka_unit_test(extremes_of_floats_follow_the_documented_order),
        cmocka_unit_test(float_sums_are_judged_within_bounds),
        cmocka_unit_test(a_sum_of_minus_zero_is_rejected),
        cmocka_unit_test(the_other_mode_s_answer_is_rejected),
    };
    return cmocka_run_group_tests_name("scan_judge", tests, NULL, NULL);
}
