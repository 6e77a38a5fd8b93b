/* SPDX-License-Identifier: MIT */
/* Descriptions and arguments that dmm_hull rejects; those that its ports say: test_arguments.c. */
#include "support/require.h"

#include "support/shared.h"
#include "support/hull_case.h"

static dmm_hull *refused;

#define REFUSED(expected, ...) \
    REQUIRE_REFUSED(           \
        expected, &refused, dmm_hull_create(&refused, shared.ctx, &(dmm_hull_desc){__VA_ARGS__}))

static void descriptions_outside_their_ranges_are_refused(void **state)
{
    (void)state;
    REFUSED(DMM_BAD_VALUE, .coordinates = (dmm_hull_coordinates)2);
    REFUSED(DMM_BAD_VALUE, .coordinates = (dmm_hull_coordinates)DMM_F64);
    REFUSED(DMM_BAD_VALUE, .index_bytes = 2);
    REFUSED(DMM_BAD_VALUE, .part = (dmm_hull_part)3);
    REFUSED(DMM_BAD_VALUE, .tuning = {.form = (dmm_form)3});
    REFUSED(DMM_BAD_PARAMETERS, .tuning = {DMM_FORM_GPU, .u = 24});
    REFUSED(DMM_BAD_PARAMETERS, .tuning = {DMM_FORM_GPU, .E = 33});
    REFUSED(DMM_BAD_PARAMETERS, .tuning = {DMM_FORM_CPU, .tile = 100});
}

static void missing_pointers_are_refused(void **state)
{
    const dmm_hull_desc desc = {0}, split = {.two_arrays = 1};
    uint64_t count = 17;
    const float points[] = {1, 2};
    uint32_t index = 9;
    (void)state;
    test_note("missing pointers");
    REQUIRE_STATUS(
        DMM_NULL_ARGUMENT, dmm_hull_host(shared.ctx, &desc, NULL, NULL, 1, &index, &count));
    REQUIRE_STATUS(
        DMM_NULL_ARGUMENT, dmm_hull_host(shared.ctx, &desc, points, NULL, 1, NULL, &count));
    REQUIRE_STATUS(
        DMM_NULL_ARGUMENT, dmm_hull_host(shared.ctx, &desc, points, NULL, 1, &index, NULL));
    REQUIRE_STATUS(
        DMM_NULL_ARGUMENT, dmm_hull_host(shared.ctx, &split, points, NULL, 1, &index, &count));
    REQUIRE(count == 17 && index == 9);
}

static void temp_grows_with_points_and_sets(void **state)
{
    const hull_setup setup = {.type = DMM_F32};
    uint64_t least = 0, bytes = 0;
    (void)state;
    dmm_hull *hull = hull_build(&shared, &setup);
    for (uint64_t n = 0; n < 10000000; n += 1 + n / 3) {
        test_note("n=%llu", (unsigned long long)n);
        REQUIRE_OK(dmm_hull_temp_bytes(&bytes, hull, n, 0));
        REQUIRE(bytes >= least);
        least = bytes;
    }
    REQUIRE_OK(dmm_hull_temp_bytes(&least, hull, 1000, 10));
    REQUIRE_OK(dmm_hull_temp_bytes(&bytes, hull, 1000, 1000));
    REQUIRE(bytes > least);
    REQUIRE_STATUS(DMM_TOO_LARGE, dmm_hull_temp_bytes(&bytes, hull, 1000, UINT64_MAX));
    dmm_hull_free(hull);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(descriptions_outside_their_ranges_are_refused),
        cmocka_unit_test(missing_pointers_are_refused),
        cmocka_unit_test(temp_grows_with_points_and_sets),
    };
    return RUN_WITH_RIG("hull_arguments", "banks=16,units=2", tests);
}
