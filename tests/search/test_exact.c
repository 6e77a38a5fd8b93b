/* SPDX-License-Identifier: MIT */
/*
 * The signs of cl/hull/exact.clh and quick.clh against fixed-point numbers as wide as the whole
 * range, which are themselves held against whole numbers: over every exponent, with subnormals, and
 * on triples that are almost on a line.
 */
#include "support/require.h"

#include <fenv.h>
#include <float.h>
#include <math.h>
#ifdef __SSE2__
#include <xmmintrin.h>
#endif

#include "support/exact.h"
#include "support/random.h"
#include "support/rig.h"

static float random_f32(random_source *random)
{
    union {
        uint32_t bits;
        float value;
    } u;
    do
        u.bits = (uint32_t)random_next(random);
    while (!isfinite(u.value));
    return u.value;
}

static double random_f64(random_source *random)
{
    union {
        uint64_t bits;
        double value;
    } u;
    do
        u.bits = random_next(random);
    while (!isfinite(u.value));
    return u.value;
}

static plane_point wide(flat p)
{
    return (plane_point){p.x, p.y};
}

/* Rounding, and whether numbers near 0 are flushed to it: what devices do. */
static const struct {
    int rounding, flushes;
} modes[] = {{FE_TONEAREST, 0}, {FE_TONEAREST, 1}, {FE_TOWARDZERO, 0}, {FE_TOWARDZERO, 1}};

static void set_mode(size_t mode)
{
    REQUIRE(fesetround(modes[mode].rounding) == 0);
#ifdef __SSE2__
    const unsigned flush_and_denormals_are_zero = 0x8040;
    const unsigned others = _mm_getcsr() & ~flush_and_denormals_are_zero;
    _mm_setcsr(others | (modes[mode].flushes ? flush_and_denormals_are_zero : 0));
#endif
}

/* The determinants that floating point was asked for, and those that it left in doubt. */
static struct {
    unsigned asked, doubted;
} quick;

/* The sign by floating point is right or in doubt, in every mode. */
#define REQUIRE_QUICK(call, sign)                 \
    for (size_t mode_ = 0; mode_ < 4; mode_++) {  \
        set_mode(mode_);                          \
        const int quick_ = call;                  \
        set_mode(0);                              \
        quick.asked++;                            \
        quick.doubted += quick_ == 0;             \
        REQUIRE(quick_ == 0 || quick_ == (sign)); \
    }

static void require_same_f32(flat a, flat b, flat c, flat d)
{
    test_note("(%a %a) (%a %a) (%a %a) (%a %a)", (double)a.x, (double)a.y, (double)b.x, (double)b.y,
        (double)c.x, (double)c.y, (double)d.x, (double)d.y);
    REQUIRE(exact_orient_f32(a, b, c) == oracle_orient(wide(a), wide(b), wide(c)));
    const int sign = oracle_cross(wide(a), wide(b), wide(c), wide(d));
    REQUIRE(exact_cross_f32(a, b, c, d) == sign);
    REQUIRE_QUICK(quick_cross_f32(a, b, c, d), sign)
}

static void require_same_f64(plane_point a, plane_point b, plane_point c, plane_point d)
{
    test_note("(%a %a) (%a %a) (%a %a) (%a %a)", a.x, a.y, b.x, b.y, c.x, c.y, d.x, d.y);
    REQUIRE(exact_orient_f64(a, b, c) == oracle_orient(a, b, c));
    const int sign = oracle_cross(a, b, c, d);
    REQUIRE(exact_cross_f64(a, b, c, d) == sign);
    REQUIRE_QUICK(quick_cross_f64(a, b, c, d), sign)
}

static int sign_of(int64_t x)
{
    return (x > 0) - (x < 0);
}

/* The judge itself: small whole numbers, whose determinants a 64-bit integer holds, at many scales.
 * */
static void the_oracle_agrees_with_whole_numbers(void **state)
{
    random_source random = {1};
    (void)state;
    for (int i = 0; i < 100000; i++) {
        int64_t v[8];
        plane_point s[4];
        const int scale = (int)random_below(&random, 1900) - 950;
        const uint64_t range = i % 2 ? 5 : 2000000;
        for (int k = 0; k < 8; k++)
            v[k] = (int64_t)random_below(&random, 2 * range + 1) - (int64_t)range;
        for (int k = 0; k < 4; k++)
            s[k] =
                (plane_point){ldexp((double)v[2 * k], scale), ldexp((double)v[2 * k + 1], scale)};
        const int64_t cross = (v[2] - v[0]) * (v[7] - v[5]) - (v[3] - v[1]) * (v[6] - v[4]);
        test_note("case %d, scale %d", i, scale);
        REQUIRE(oracle_cross(s[0], s[1], s[2], s[3]) == sign_of(cross));
    }
    REQUIRE(oracle_cross((plane_point){0, 0}, (plane_point){DBL_TRUE_MIN, 0}, (plane_point){0, 0},
                (plane_point){0, DBL_TRUE_MIN}) == 1);
    REQUIRE(oracle_cross((plane_point){-DBL_MAX, 0}, (plane_point){DBL_MAX, 0},
                (plane_point){0, DBL_MAX}, (plane_point){0, -DBL_MAX}) == -1);
}

/* Random bits: every exponent, subnormals, both zeros among exponents that differ by thousands. */
static void signs_hold_over_the_whole_range(void **state)
{
    random_source random = {2};
    (void)state;
    for (uint64_t i = 0; i < by_size(1000, 100000, 1000000); i++) {
        flat f[4];
        plane_point s[4];
        for (int k = 0; k < 4; k++) {
            f[k] = (flat){random_f32(&random), random_f32(&random)};
            s[k] = (plane_point){random_f64(&random), random_f64(&random)};
        }
        if (i % 4 == 1) { /* products that meet: c is a, but for an ulp */
            f[2] = (flat){f[0].x, nextafterf(f[0].y, 0)};
            s[2] = (plane_point){s[0].x, nextafter(s[0].y, 0)};
        }
        if (i % 4 == 2) { /* one direction, at two scales */
            f[1] = (flat){ldexpf(f[0].x, -3), ldexpf(f[0].y, -3)};
            s[1] = (plane_point){ldexp(s[0].x, -3), ldexp(s[0].y, -3)};
        }
        require_same_f32(f[0], f[1], f[2], f[3]);
        require_same_f64(s[0], s[1], s[2], s[3]);
    }
}

/* Points that are not almost on a line. */
static void floating_point_leaves_little_in_doubt(void **state)
{
    random_source random = {5};
    (void)state;
    quick.asked = quick.doubted = 0;
    for (uint64_t i = 0; i < by_size(1000, 100000, 1000000); i++) {
        flat f[4];
        plane_point s[4];
        for (int k = 0; k < 4; k++) {
            s[k] = (plane_point){
                ldexp((double)random_next(&random), -64), ldexp((double)random_next(&random), -64)};
            f[k] = (flat){(float)s[k].x, (float)s[k].y};
        }
        require_same_f32(f[0], f[1], f[2], f[3]);
        require_same_f64(s[0], s[1], s[2], s[3]);
    }
    print_message("%u of %u in doubt\n", quick.doubted, quick.asked);
    REQUIRE(quick.doubted < quick.asked / 10000);
}

/* The ends of both ranges, in every combination of three points. */
static void signs_hold_at_the_ends_of_the_range(void **state)
{
    static const float ends32[] = {
        0, -0.0f, FLT_TRUE_MIN, -FLT_TRUE_MIN, FLT_MIN, 1, FLT_MAX, -FLT_MAX};
    static const double ends64[] = {
        0, -0.0, DBL_TRUE_MIN, -DBL_TRUE_MIN, DBL_MIN, 1, DBL_MAX, -DBL_MAX};
    enum { ENDS = 8 };
    const int step = (int)by_size(41, 5, 1);
    (void)state;
    for (int i = 0; i < ENDS * ENDS * ENDS * ENDS * ENDS * ENDS; i += step) {
        const int k[] = {
            i % ENDS, i / ENDS % ENDS, i / 64 % ENDS, i / 512 % ENDS, i / 4096 % ENDS, i / 32768};
        require_same_f32((flat){ends32[k[0]], ends32[k[1]]}, (flat){ends32[k[2]], ends32[k[3]]},
            (flat){ends32[k[4]], ends32[k[5]]}, (flat){ends32[k[1]], ends32[k[4]]});
        require_same_f64((plane_point){ends64[k[0]], ends64[k[1]]},
            (plane_point){ends64[k[2]], ends64[k[3]]}, (plane_point){ends64[k[4]], ends64[k[5]]},
            (plane_point){ends64[k[1]], ends64[k[4]]});
    }
}

/* The 128 x 128 points around (0.5, 0.5), an ulp apart, against the line through (12, 12) and (24,
 * 24). Source of the grid: L. Kettner, K. Mehlhorn, S. Pion, S. Schirra, C. Yap, "Classroom
 * Examples of Robustness Problems in Geometric Computations", ESA 2004, DOI
 * 10.1007/978-3-540-30140-0_62. */
static void signs_hold_on_the_grid_an_ulp_from_a_line(void **state)
{
    unsigned naive = 0;
    (void)state;
    for (int i = 0; i < 128; i++)
        for (int j = 0; j < 128; j++) {
            const flat f = {0.5f + (float)i * FLT_EPSILON / 2, 0.5f + (float)j * FLT_EPSILON / 2};
            const plane_point s = {0.5 + i * DBL_EPSILON / 2, 0.5 + j * DBL_EPSILON / 2};
            require_same_f32(f, (flat){12, 12}, (flat){24, 24}, f);
            require_same_f64(s, (plane_point){12, 12}, (plane_point){24, 24}, s);
            const double det = (12 - s.x) * (24 - s.y) - (12 - s.y) * (24 - s.x);
            naive += ((det > 0) - (det < 0)) !=
                     oracle_orient(s, (plane_point){12, 12}, (plane_point){24, 24});
        }
    print_message("plain doubles are wrong on %u of 16384 points\n", naive);
    REQUIRE(naive > 0);
}

/* Three points of a line at random scales, one of them moved by at most an ulp. */
static void signs_hold_on_triples_almost_on_a_line(void **state)
{
    random_source random = {3};
    (void)state;
    for (uint64_t i = 0; i < by_size(1000, 1000000, 1000000); i++) {
        const double t = (double)random_below(&random, 1000) / 999;
        const int scale = (int)random_below(&random, 200) - 100;
        plane_point a = {(double)random_next(&random), (double)random_next(&random)};
        plane_point b = {(double)random_next(&random), -(double)random_next(&random)};
        a = (plane_point){ldexp(a.x, scale - 64), ldexp(a.y, scale - 64)};
        b = (plane_point){ldexp(b.x, scale - 64), ldexp(b.y, scale - 64)};
        const plane_point c = {a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)};
        if (i % 2)
            require_same_f64(a, b, c, b);
        else
            require_same_f32((flat){(float)a.x, (float)a.y}, (flat){(float)b.x, (float)b.y},
                (flat){(float)c.x, (float)c.y}, (flat){(float)b.x, (float)b.y});
    }
}

static void points_compare_by_value(void **state)
{
    random_source random = {4};
    (void)state;
    REQUIRE(exact_compare_f32((flat){-0.0f, 0}, (flat){0, -0.0f}) == 0);
    REQUIRE(exact_compare_f64((plane_point){-0.0, 0}, (plane_point){0, -0.0}) == 0);
    REQUIRE(exact_compare_f32((flat){-0.0f, 0}, (flat){-FLT_TRUE_MIN, 5}) > 0);
    for (int i = 0; i < 100000; i++) {
        plane_point a = {random_f64(&random), random_f64(&random)};
        const plane_point b = {i % 3 ? random_f64(&random) : a.x, random_f64(&random)};
        const int expected = a.x != b.x ? (a.x < b.x ? -1 : 1) : (a.y > b.y) - (a.y < b.y);
        test_note("case %d", i);
        REQUIRE(exact_compare_f64(a, b) == expected);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_oracle_agrees_with_whole_numbers),
        cmocka_unit_test(signs_hold_over_the_whole_range),
        cmocka_unit_test(floating_point_leaves_little_in_doubt),
        cmocka_unit_test(signs_hold_at_the_ends_of_the_range),
        cmocka_unit_test(signs_hold_on_the_grid_an_ulp_from_a_line),
        cmocka_unit_test(signs_hold_on_triples_almost_on_a_line),
        cmocka_unit_test(points_compare_by_value),
    };
    return cmocka_run_group_tests_name("exact", tests, NULL, NULL);
}
