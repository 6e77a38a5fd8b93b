/* SPDX-License-Identifier: MIT */
/*
 * The work of dmm_hull: its kernels count the points that they visit.
 */
#include "support/require.h"

#include <math.h>

#include "support/hull_work.h"

/* Visits of a point grow with the logarithm of the number of vertices, whatever the input: a curve
 * whose points crowd at one end, too. */
static void work_is_bounded(dmm_form form, int collinear, double per_bit)
{
    static rig r;
    const uint64_t n = by_size(2000, 8000, 200000);
    const hull_setup setup = {
        .type = DMM_F64, .k = {.collinear = collinear}, .tuning = {.form = form}};
    rig_open(&r, HULL_WORK_DEVICE);
    dmm_hull *hull = hull_build(&r, &setup);
    for (size_t i = 0; i < HULL_WORK_KINDS; i++) {
        const hull_counts counts = hull_count(&r, hull, &setup, hull_work_kinds[i], n);
        const double visits = hull_visits_per_point(&counts, n);
        const double bits = log2((double)counts.vertices + 2);
        test_note("%s, n=%llu: %llu vertices, %.1f visits a point, %llu levels",
            cloud_name(hull_work_kinds[i]), (unsigned long long)n,
            (unsigned long long)counts.vertices, visits, (unsigned long long)counts.levels);
        REQUIRE(visits > 0 || hull_work_kinds[i] == CLOUD_SLOPE);
        REQUIRE(visits < 4 + per_bit * bits);
        REQUIRE((double)counts.levels < 8 * log2((double)n));
    }
    dmm_hull_free(hull);
    rig_close(&r);
}

static void the_gpu_form_visits_few_points(void **state)
{
    (void)state;
    work_is_bounded(DMM_FORM_GPU, 0, 3.5);
}

static void the_gpu_form_with_points_between_vertices_visits_few_points(void **state)
{
    (void)state;
    work_is_bounded(DMM_FORM_GPU, 1, 3.5);
}

static void the_cpu_form_visits_few_points(void **state)
{
    (void)state;
    work_is_bounded(DMM_FORM_CPU, 0, 1);
    work_is_bounded(DMM_FORM_CPU, 1, 1);
}

/*
 * Most points lie on a vertical line by the last of many vertices. Edges reach them after one level
 * for each vertex, and lines of their pairs find only an end of a problem, so pruning alone
 * discards them early: without any, 318 visits a point.
 */
static void pruning_discards_points_that_no_line_separates(void **state)
{
    static rig r;
    (void)state;
    rig_optimise(); /* as hull_work; PoCL then runs blocks by all: cl/workarounds.clh */
    rig_open(&r, HULL_WORK_DEVICE);
    for (uint8_t collinear = 0; collinear <= 1; collinear++) {
        const uint64_t n = by_size(2000, 9000, 200000);
        const hull_setup setup = {
            .type = DMM_F64, .k = {.collinear = collinear}, .tuning = {.form = DMM_FORM_GPU}};
        dmm_hull *hull = hull_build(&r, &setup);
        const hull_counts counts = hull_count(&r, hull, &setup, CLOUD_STACK, n);
        const double visits = hull_visits_per_point(&counts, n);
        test_note("stack, n=%llu: %llu vertices, %.1f visits a point", (unsigned long long)n,
            (unsigned long long)counts.vertices, visits);
        REQUIRE(
            visits < 9); /* without pruning in the splitting stage 11.5, in the independent 20 */
        dmm_hull_free(hull);
    }
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_gpu_form_visits_few_points),
        cmocka_unit_test(the_gpu_form_with_points_between_vertices_visits_few_points),
        cmocka_unit_test(the_cpu_form_visits_few_points),
        cmocka_unit_test(pruning_discards_points_that_no_line_separates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
