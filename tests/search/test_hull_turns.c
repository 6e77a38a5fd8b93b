/* SPDX-License-Identifier: MIT */
/* ctest: full */
/*
 * The signs that kernels compute, filter and all: a set of three points has two vertices or three,
 * and their order tells the turn. Many sets in one call, almost on a line: floats, doubles, and
 * doubles on a device without them.
 */
#include "support/require.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "core/context.h"
#include "support/hull_case.h"

static const dmm_tuning forms[] = {{DMM_FORM_CPU, 0, 0, 64, DMM_TILE_SEARCH_DEFAULT},
    {DMM_FORM_GPU, 16, 2, 0, DMM_TILE_SEARCH_DEFAULT}};

/* Three points a set. */
static void check_triples(
    dmm_type type, int form, int without_doubles, const plane_point *points, uint64_t sets)
{
    const uint64_t n = 3 * sets;
    const hull_setup setup = {.type = type, .k = {form, DMM_HULL_WHOLE}, .tuning = forms[form]};
    const hull_case c = {.n = n, .sets = sets, .triples = 1};
    static rig r;
    rig_open(&r, "banks=16,units=2");
    if (without_doubles)
        r.ctx->device.fp64.value = 0;
    dmm_hull *hull = hull_build(&r, &setup);
    hull_check(&r, hull, &setup, &c, points);
    dmm_hull_free(hull);
    rig_close(&r);
}

static plane_point *triples(uint64_t sets)
{
    plane_point *const points = calloc((size_t)sets * 3, sizeof *points);
    REQUIRE(points != NULL);
    return points;
}

/* The 128 x 128 points around (0.5, 0.5), an ulp apart, with (12, 12) and (24, 24): see
 * test_exact.c. */
static void turns_are_right_on_the_grid_an_ulp_from_a_line(void **state)
{
    const uint64_t side = by_size(8, 128, 128);
    plane_point *const points = triples(side * side);
    (void)state;
    for (int type = 0; type < 2; type++) {
        const double ulp = type ? DBL_EPSILON / 2 : (double)FLT_EPSILON / 2;
        for (uint64_t i = 0; i < side * side; i++) {
            points[3 * i] =
                (plane_point){0.5 + (double)(i / side) * ulp, 0.5 + (double)(i % side) * ulp};
            points[3 * i + 1] = (plane_point){12, 12};
            points[3 * i + 2] = (plane_point){24, 24};
        }
        check_triples(type ? DMM_F64 : DMM_F32, type, type, points, side * side);
    }
    free(points);
}

/* Points of a line at random scales, one of them moved by at most an ulp. */
static void turns_are_right_on_triples_almost_on_a_line(void **state)
{
    const uint64_t sets = by_size(100, 20000, 300000);
    plane_point *const points = triples(sets);
    random_source random = {9};
    (void)state;
    for (int type = 0; type < 2; type++) {
        for (uint64_t i = 0; i < sets; i++) {
            const double t = (double)random_below(&random, 1000) / 999;
            const int scale = (int)random_below(&random, 200) - 164;
            plane_point p[3];
            for (int k = 0; k < 2; k++)
                p[k] = (plane_point){ldexp((double)random_next(&random), scale),
                    ldexp((double)random_next(&random), scale) * (k ? -1 : 1)};
            p[2] = (plane_point){p[0].x + t * (p[1].x - p[0].x), p[0].y + t * (p[1].y - p[0].y)};
            for (int k = 0; k < 3; k++) {
                volatile float x = (float)p[k].x, y = (float)p[k].y;
                points[3 * i + (uint64_t)k] = type ? p[k] : (plane_point){(double)x, (double)y};
            }
        }
        check_triples(type ? DMM_F64 : DMM_F32, 0, 0, points, sets);
    }
    free(points);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(turns_are_right_on_the_grid_an_ulp_from_a_line),
        cmocka_unit_test(turns_are_right_on_triples_almost_on_a_line),
    };
    return cmocka_run_group_tests_name("hull_turns", tests, NULL, NULL);
}
