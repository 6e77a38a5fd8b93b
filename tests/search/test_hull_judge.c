/* SPDX-License-Identifier: MIT */
/*
 * The judges of hulls: they agree with each other on what is right and find what is wrong, and the
 * oracle finds the hulls that are known.
 */
#include "support/require.h"

#include <string.h>

#include "support/hull_cloud.h"
#include "support/hull_judge.h"

enum { N = 60, MOST = 2 * N + 2 };

static const hull_kind strict = {0, DMM_HULL_WHOLE}, collinear = {1, DMM_HULL_WHOLE};

static void the_oracle_knows_small_hulls(void **state)
{
    const plane_point square[] = {
        {1, 1}, {0, 0}, {0, 2}, {2, 0}, {2, 2}, {0, 0}, {1, 0}, {0, 1}, {1, 2}};
    const plane_point line[] = {{3, 3}, {1, 1}, {2, 2}, {1, 1}};
    const uint64_t corners[] = {1, 3, 4, 2}, boundary[] = {1, 6, 3, 4, 8, 2, 7};
    const hull_kind lower = {1, DMM_HULL_LOWER}, upper = {0, DMM_HULL_UPPER};
    uint64_t out[MOST];
    (void)state;
    test_note("small hulls");
    REQUIRE(oracle_hull(&strict, square, 9, out) == 4 && memcmp(out, corners, sizeof corners) == 0);
    REQUIRE(oracle_hull(&collinear, square, 9, out) == 7 &&
            memcmp(out, boundary, sizeof boundary) == 0);
    REQUIRE(oracle_hull(&lower, square, 9, out) == 4 && out[0] == 1 && out[1] == 6 && out[3] == 4);
    REQUIRE(oracle_hull(&upper, square, 9, out) == 3 && out[0] == 4 && out[1] == 2 && out[2] == 1);
    REQUIRE(oracle_hull(&strict, line, 4, out) == 2 && out[0] == 1 && out[1] == 0);
    REQUIRE(
        oracle_hull(&collinear, line, 4, out) == 3 && out[0] == 1 && out[1] == 2 && out[2] == 0);
    REQUIRE(oracle_hull(&strict, line, 0, out) == 0);
    REQUIRE(oracle_hull(&strict, line, 1, out) == 1 && out[0] == 0);
}

/* All points of a parabola are vertices; of a grid of side k, 4 are, and 4 (k - 1) lie on its
 * boundary. */
static void the_oracle_knows_the_sizes_of_hulls(void **state)
{
    plane_point points[N];
    uint64_t out[MOST];
    random_source random = {1};
    (void)state;
    test_note("parabola and grid");
    cloud_fill(CLOUD_PARABOLA, DMM_F32, points, N, &random);
    REQUIRE(oracle_hull(&strict, points, N, out) == N);
    for (int i = 0; i < 49; i++)
        points[i] = (plane_point){i % 7, i / 7};
    REQUIRE(oracle_hull(&strict, points, 49, out) == 4);
    REQUIRE(oracle_hull(&collinear, points, 49, out) == 24);
}

/* Each wrong answer is made of a right one. */
static void spoil(uint64_t *hull, uint64_t *count, int how, uint64_t n)
{
    const uint64_t first = hull[0];
    switch (how) {
    case 0: /* a vertex less */
        hull[1] = hull[--*count];
        break;
    case 1: /* one twice */
        hull[(*count)++] = hull[1];
        break;
    case 2: /* another beginning */
        memmove(hull, hull + 1, (size_t)(*count - 1) * sizeof *hull);
        hull[*count - 1] = first;
        break;
    case 3: /* two exchanged */
        hull[1] = hull[2];
        hull[2] = first;
        break;
    case 4: /* clockwise */
        for (uint64_t i = 1, j = *count - 1; i < j; i++, j--) {
            const uint64_t other = hull[i];
            hull[i] = hull[j];
            hull[j] = other;
        }
        break;
    case 5:
        *count = 0;
        break;
    case 6:
        hull[1] = n;
        break;
    default: /* round twice */
        memcpy(hull + *count, hull, (size_t)*count * sizeof *hull);
        *count *= 2;
    }
}

static void both_judges_find_wrong_hulls(void **state)
{
    static const cloud clouds[] = {CLOUD_DISC, CLOUD_GRID, CLOUD_BITS, CLOUD_CLUSTERS};
    (void)state;
    for (int how = 0; how < 8; how++)
        for (size_t i = 0; i < 8; i++) {
            const hull_kind *const k = i % 2 ? &collinear : &strict;
            random_source random = {i};
            plane_point points[N];
            uint64_t hull[MOST];
            cloud_fill(clouds[i / 2], DMM_F64, points, N, &random);
            uint64_t count = oracle_hull(k, points, N, hull);
            test_note("fault %d in %s", how, cloud_name(clouds[i / 2]));
            REQUIRE(count > 3);
            REQUIRE_VERDICT(hull_judge_by_property(k, points, N, hull, count));
            spoil(hull, &count, how, N);
            REQUIRE(hull_judge_by_oracle(k, points, N, hull, count) != NULL);
            REQUIRE(hull_judge_by_property(k, points, N, hull, count) != NULL);
        }
}

static void both_judges_know_which_of_equal_points_stands_for_all(void **state)
{
    const plane_point points[] = {{0, 0}, {1, 0}, {0, 1}, {1, 0}, {0.5, 0}};
    const uint64_t right[] = {0, 1, 2}, wrong[] = {0, 3, 2};
    (void)state;
    test_note("equal points");
    REQUIRE_VERDICT(hull_judge(&strict, points, 5, right, 3));
    REQUIRE(hull_judge_by_oracle(&strict, points, 5, wrong, 3) != NULL);
    REQUIRE(hull_judge_by_property(&strict, points, 5, wrong, 3) != NULL);
    REQUIRE(hull_judge_by_oracle(&collinear, points, 5, right, 3) != NULL);
    REQUIRE(hull_judge_by_property(&collinear, points, 5, right, 3) != NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_oracle_knows_small_hulls),
        cmocka_unit_test(the_oracle_knows_the_sizes_of_hulls),
        cmocka_unit_test(both_judges_find_wrong_hulls),
        cmocka_unit_test(both_judges_know_which_of_equal_points_stands_for_all),
    };
    return cmocka_run_group_tests_name("hull_judge", tests, NULL, NULL);
}
