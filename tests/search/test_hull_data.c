/* SPDX-License-Identifier: MIT */
/* ctest: oclgrind */
/*
 * Reports of dmm_hull on invalid data; results depend on the points alone: not on their order, not
 * on the parameters.
 */
#include "support/require.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/forms.h"
#include "support/hull_case.h"

static rig shared;

static int open_rig(void **state)
{
    (void)state;
    rig_open(&shared, "banks=16,units=2");
    return 0;
}

static int close_rig(void **state)
{
    (void)state;
    rig_close(&shared);
    return 0;
}

static const dmm_tuning forms[] = {{DMM_FORM_CPU, 0, 0, 64, DMM_TILE_SEARCH_DEFAULT},
    {DMM_FORM_GPU, 16, 2, 0, DMM_TILE_SEARCH_DEFAULT}};

/* The report is this one, and nothing else was written. */
static void require_report(hull_run *run, dmm_hull *hull, dmm_status code, uint64_t position)
{
    dmm_report report;
    REQUIRE_OK(dmm_hull_enqueue(hull, shared.queue, &run->args, run->c->n, 0, NULL, NULL));
    REQUIRE_OK(clFinish(shared.queue));
    zone_read(&shared, &run->report, &report);
    REQUIRE(report.code == (uint32_t)code && report.detail == 0 && report.position == position);
    REQUIRE(zone_untouched(&shared, &run->hull) && zone_untouched(&shared, &run->count));
    hull_finish(run);
}

static void the_first_point_that_is_not_finite_is_reported(void **state)
{
    static const double wrong[] = {NAN, INFINITY, -INFINITY};
    const uint64_t sizes[] = {1, 50, by_size(100, 3000, 3000)};
    (void)state;
    for (size_t f = 0; f < 2; f++) {
        const hull_setup setup = {.type = f ? DMM_F64 : DMM_F32, .tuning = forms[f]};
        dmm_hull *hull = hull_build(&shared, &setup);
        for (size_t i = 0; i < by_size(6, 27, 27); i++) {
            const uint64_t n = sizes[i % 3], first = n == 1 ? 0 : i * 131 % (n - 1);
            const hull_case c = {
                .n = n, .points = CLOUD_DISC, .seed = i, .sets = i % 9 == 8 ? 3 : 0, .unjudged = 1};
            plane_point *points = calloc((size_t)n, sizeof *points);
            REQUIRE(points != NULL);
            points[n - 1].x = NAN;
            *(i % 2 ? &points[first].x : &points[first].y) = wrong[i / 3 % 3];
            hull_run run = hull_prepare(&shared, hull, &setup, &c, points);
            require_report(&run, hull, DMM_NOT_FINITE, first);
            free(points);
        }
        dmm_hull_free(hull);
    }
}

static void starts_out_of_order_are_reported(void **state)
{
    static const uint64_t starts[][4] = {
        {0, 10, 9, 20}, {0, 0, 21, 20}, {5, 4, 4, 4}, {0, 1, 2, UINT64_MAX}, {21, 21, 21, 21}};
    static const uint64_t first[] = {2, 2, 1, 3, 0};
    const hull_setup setup = {.type = DMM_F32, .tuning = forms[1]};
    const hull_case c = {.n = 20, .points = CLOUD_DISC, .sets = 3, .unjudged = 1};
    (void)state;
    dmm_hull *hull = hull_build(&shared, &setup);
    for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++) {
        hull_run run = hull_prepare(&shared, hull, &setup, &c, NULL);
        zone_write(&shared, &run.starts_zone, starts[i]);
        require_report(&run, hull, DMM_BAD_DATA, first[i]);
    }
    dmm_hull_free(hull);
}

static void the_host_form_says_which_point_is_wrong(void **state)
{
    float points[] = {0, 0, 1, 0, 0, INFINITY, NAN, 1};
    uint32_t indices[4] = {7, 7, 7, 7};
    uint64_t count = 9;
    const dmm_hull_desc desc = {.coordinates = DMM_HULL_F32, .tuning = usual_tuning()};
    (void)state;
    test_note("four points, two of them not finite");
    REQUIRE_STATUS(
        DMM_NOT_FINITE, dmm_hull_host(shared.ctx, &desc, points, NULL, 4, indices, &count));
    REQUIRE(count == 2 && indices[0] == 7 && indices[3] == 7);
    REQUIRE_OK(dmm_hull_host(shared.ctx, &desc, points, NULL, 2, indices, &count));
    REQUIRE(count == 2 && indices[0] == 0 && indices[1] == 1 && indices[2] == 7);
    REQUIRE_OK(dmm_hull_host(shared.ctx, &desc, NULL, NULL, 0, NULL, &count));
    REQUIRE(count == 0);
}

static void a_report_may_go_unread(void **state)
{
    const hull_setup setup = {.type = DMM_F32, .tuning = forms[0]};
    const hull_case c = {.n = 500, .points = CLOUD_DISC, .seed = 4, .unjudged = 1};
    uint64_t count = 0;
    (void)state;
    dmm_hull *hull = hull_build(&shared, &setup);
    hull_run run = hull_prepare(&shared, hull, &setup, &c, NULL);
    run.args.report_out = DMM_NONE;
    REQUIRE_OK(dmm_hull_enqueue(hull, shared.queue, &run.args, c.n, 0, NULL, NULL));
    REQUIRE_OK(clFinish(shared.queue));
    zone_read(&shared, &run.count, &count);
    REQUIRE(count > 3 && zone_untouched(&shared, &run.report));
    hull_finish(&run);
    dmm_hull_free(hull);
}

enum { SHUFFLED = 4000 };

/* Coordinates of the hull's vertices, in order. */
static uint64_t vertices(
    const plane_point *points, uint64_t n, const dmm_hull_desc *desc, plane_point *out)
{
    static double coords[2 * SHUFFLED];
    static uint64_t indices[SHUFFLED];
    uint64_t count = 0;
    memcpy(coords, points, (size_t)n * sizeof *points);
    REQUIRE_OK(dmm_hull_host(shared.ctx, desc, coords, NULL, (size_t)n, indices, &count));
    for (uint64_t i = 0; i < count; i++)
        out[i] = points[indices[i]];
    return count;
}

static void neither_order_nor_parameters_change_the_vertices(void **state)
{
    static const cloud clouds[] = {CLOUD_CIRCLE, CLOUD_GRID, CLOUD_WORST_PIVOTS, CLOUD_BITS};
    static plane_point points[SHUFFLED], first[SHUFFLED], again[SHUFFLED];
    const uint64_t n = by_size(100, SHUFFLED, SHUFFLED);
    random_source random = {11};
    (void)state;
    for (size_t i = 0; i < by_size(1, 4, 4); i++) {
        uint64_t expected = 0;
        cloud_fill(clouds[i], DMM_F64, points, n, &random);
        for (size_t round = 0; round < by_size(2, 4, 4); round++) {
            const dmm_hull_desc desc = {.coordinates = DMM_HULL_F64,
                .index_bytes = 8,
                .collinear = 1,
                .tuning = forms[round % 2]};
            test_note("%s, round %d", cloud_name(clouds[i]), (int)round);
            const uint64_t count = vertices(points, n, &desc, round == 0 ? first : again);
            expected = round == 0 ? count : expected;
            REQUIRE(count == expected);
            for (uint64_t v = 0; v < count && round > 0; v++)
                REQUIRE(first[v].x == again[v].x && first[v].y == again[v].y);
            for (uint64_t k = n - 1; k > 0; k--) {
                const uint64_t other = random_below(&random, k + 1);
                const plane_point p = points[k];
                points[k] = points[other];
                points[other] = p;
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_point_that_is_not_finite_is_reported),
        cmocka_unit_test(starts_out_of_order_are_reported),
        cmocka_unit_test(the_host_form_says_which_point_is_wrong),
        cmocka_unit_test(a_report_may_go_unread),
        cmocka_unit_test(neither_order_nor_parameters_change_the_vertices),
    };
    return cmocka_run_group_tests_name("hull_data", tests, open_rig, close_rig);
}
