/* SPDX-License-Identifier: MIT */
/*
 * Arguments that dmm_hull rejects, the order of the checks, and that a rejected call touches
 * nothing.
 */
#include "support/require.h"

#include "support/any_call.h"
#include "support/forms.h"
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
    dmm_hull *hull = NULL;
    uint64_t bytes = 17, count = 17;
    const float points[] = {1, 2};
    uint32_t index = 9;
    (void)state;
    test_note("missing pointers");
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_hull_create(NULL, shared.ctx, &desc));
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_hull_create(&hull, NULL, &desc));
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_hull_create(&hull, shared.ctx, NULL));
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_hull_temp_bytes(&bytes, NULL, 1, 0));
    REQUIRE(bytes == 17);
    REQUIRE_STATUS(
        DMM_NULL_ARGUMENT, dmm_hull_host(shared.ctx, &desc, NULL, NULL, 1, &index, &count));
    REQUIRE_STATUS(
        DMM_NULL_ARGUMENT, dmm_hull_host(shared.ctx, &desc, points, NULL, 1, NULL, &count));
    REQUIRE_STATUS(
        DMM_NULL_ARGUMENT, dmm_hull_host(shared.ctx, &desc, points, NULL, 1, &index, NULL));
    REQUIRE_STATUS(
        DMM_NULL_ARGUMENT, dmm_hull_host(shared.ctx, &split, points, NULL, 1, &index, &count));
    REQUIRE(count == 17 && index == 9);
    dmm_hull_free(NULL);
}

enum { N = 300, MAX_N = 1000, SETS = 5 };

static dmm_status enqueue(const any_call *c, cl_event *event)
{
    return dmm_hull_enqueue(c->object, c->queue, c->args, c->n.first, c->num_wait, NULL, event);
}

static void arguments_are_checked_in_their_order_and_nothing_is_touched(void **state)
{
    const hull_setup setup = {.type = DMM_F32, .two_arrays = 1, .max_n = MAX_N, .tuning = CPU(64)};
    uint64_t temp_bytes = 0;
    (void)state;
    dmm_hull *hull = hull_build(&shared, &setup);
    REQUIRE_STATUS(DMM_TOO_LARGE, dmm_hull_temp_bytes(&temp_bytes, hull, MAX_N + 1, 0));
    REQUIRE_OK(dmm_hull_temp_bytes(&temp_bytes, hull, N, SETS));
    zone xs = zone_create(&shared, NULL, 4 * N, 0), ys = zone_create(&shared, NULL, 4 * N, 0);
    zone starts = zone_create(&shared, NULL, 8 * (SETS + 1), 0);
    zone out = zone_create(&shared, NULL, 4 * N, 0);
    zone count = zone_create(&shared, NULL, 8 * (SETS + 1), 0);
    zone report = zone_create(&shared, NULL, sizeof(dmm_report), 0);
    zone temp = zone_create(&shared, NULL, temp_bytes, 0);
    dmm_hull_args args = {.sets = SETS};
    any_call call = {enqueue, hull, &args, {N, 0}, shared.queue, 0, NULL};

    any_call_before_spans(&call, &(call_counts){MAX_N + 1, 0}, 1);
    WRONG_SPAN(args.points, &xs, 4);
    WRONG_SPAN(args.ys, &ys, 4);
    WRONG_SPAN(args.starts, &starts, 8);
    WRONG_SPAN(args.hull, &out, 4);
    WRONG_SPAN(args.count, &count, 8);
    WRONG_OPTIONAL(args.report, &report, 8);
    args.report = zone_span(&count);
    WRONG(DMM_OVERLAP);
    args.report = zone_span(&report);
    args.hull = zone_span(&xs);
    WRONG(DMM_OVERLAP);
    args.hull = zone_span(&out);
    args.temp = (dmm_span){ys.buffer, 256};
    WRONG(DMM_OVERLAP);
    WRONG_TEMP(args.temp, &temp);
    FREE_UNTOUCHED(&xs, &ys, &starts, &out, &count, &report, &temp);
    dmm_hull_free(hull);
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
        cmocka_unit_test(arguments_are_checked_in_their_order_and_nothing_is_touched),
        cmocka_unit_test(temp_grows_with_points_and_sets),
    };
    return RUN_WITH_RIG("hull_arguments", "banks=16,units=2", tests);
}
