/* SPDX-License-Identifier: MIT */
/*
 * What dmm_hull refuses, in which order it looks, and that a refused call touches nothing.
 */
#include "support/require.h"

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

static void require_refused(dmm_status expected, const dmm_hull_desc *desc, const char *why)
{
    int anything = 0;
    dmm_hull *hull = (dmm_hull *)(void *)&anything;
    test_note("%s", why);
    REQUIRE_STATUS(expected, dmm_hull_create(&hull, shared.ctx, desc));
    REQUIRE(hull == NULL);
}

#define REFUSED(expected, ...) \
    require_refused(expected, &(dmm_hull_desc){__VA_ARGS__}, #__VA_ARGS__)

static void descriptions_outside_their_ranges_are_refused(void **state)
{
    (void)state;
    REFUSED(DMM_BAD_VALUE, .type = DMM_U32);
    REFUSED(DMM_BAD_VALUE, .type = DMM_F16);
    REFUSED(DMM_BAD_VALUE, .type = (dmm_type)1000);
    REFUSED(DMM_BAD_VALUE, .type = DMM_F32, .index_bytes = 2);
    REFUSED(DMM_BAD_VALUE, .type = DMM_F32, .part = (dmm_hull_part)3);
    REFUSED(DMM_BAD_VALUE, .type = DMM_F32, .tuning = {.form = (dmm_form)3});
    REFUSED(DMM_BAD_PARAMETERS, .type = DMM_F32, .tuning = {DMM_FORM_GPU, .u = 24});
    REFUSED(DMM_BAD_PARAMETERS, .type = DMM_F32, .tuning = {DMM_FORM_GPU, .E = 33});
    REFUSED(DMM_BAD_PARAMETERS, .type = DMM_F32, .tuning = {DMM_FORM_CPU, .tile = 100});
}

static void missing_pointers_are_refused(void **state)
{
    const dmm_hull_desc desc = DMM_HULL_DESC_INIT, split = {.type = DMM_F32, .two_arrays = 1};
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

/* A call in which everything is wrong, to be put right step by step. */
typedef struct wrong_call {
    dmm_hull *hull;
    cl_command_queue queue;
    const dmm_hull_args *given;
    uint64_t n;
    cl_uint num_wait;
    dmm_hull_args args;
} wrong_call;

static void require_call(dmm_status expected, const wrong_call *call, const char *what)
{
    cl_event event = (cl_event)(void *)&shared;
    test_note("%s", what);
    REQUIRE_STATUS(expected, dmm_hull_enqueue(call->hull, call->queue, call->given, call->n,
                                 call->num_wait, NULL, &event));
    REQUIRE(event == NULL);
}

#define WRONG(expected) require_call(expected, &call, #expected " in line " LINE(__LINE__))
#define LINE(number)    LINE_TEXT(number)
#define LINE_TEXT(text) #text

/* What the calls are given, in the end. */
typedef struct places {
    zone xs, ys, starts, out, count, report, temp;
    uint64_t temp_bytes;
} places;

static places places_create(const dmm_hull *hull)
{
    places p = {.xs = zone_create(&shared, NULL, 4 * N, 0),
        .ys = zone_create(&shared, NULL, 4 * N, 0),
        .starts = zone_create(&shared, NULL, 8 * (SETS + 1), 0),
        .out = zone_create(&shared, NULL, 4 * N, 0),
        .count = zone_create(&shared, NULL, 8 * (SETS + 1), 0),
        .report = zone_create(&shared, NULL, 16, 0)};
    REQUIRE_OK(dmm_hull_temp_bytes(&p.temp_bytes, hull, N, SETS));
    p.temp = zone_create(&shared, NULL, 2 * p.temp_bytes, 0);
    return p;
}

static void places_free(places *p)
{
    zone *const zones[] = {&p->xs, &p->ys, &p->starts, &p->out, &p->count, &p->report, &p->temp};
    for (size_t i = 0; i < sizeof zones / sizeof zones[0]; i++) {
        REQUIRE(zone_untouched(&shared, zones[i]));
        zone_free(zones[i]);
    }
}

/* What comes before the spans. */
static void check_call(wrong_call *given, dmm_hull *hull, cl_command_queue foreign)
{
    wrong_call call = *given;
    WRONG(DMM_NULL_ARGUMENT);
    call.hull = hull;
    WRONG(DMM_NULL_ARGUMENT);
    call.queue = foreign;
    WRONG(DMM_WRONG_QUEUE);
    call.queue = shared.queue;
    WRONG(DMM_NULL_ARGUMENT);
    call.given = &given->args;
    WRONG(DMM_TOO_LARGE);
    call.n = N;
    WRONG(CL_INVALID_EVENT_WAIT_LIST);
    call.num_wait = 0;
    *given = call;
    given->given = &given->args;
}

/* Then each span: missing, misaligned, too small. */
static void check_spans(wrong_call *given, const places *p)
{
    wrong_call call = *given;
    dmm_hull_args *const args = &call.args;
    call.given = args;
    WRONG(DMM_NULL_ARGUMENT);
    args->points = (dmm_span){p->xs.buffer, 2};
    WRONG(DMM_MISALIGNED);
    args->points.offset_bytes = p->xs.total_bytes / 4 * 4 - 4 * N + 4;
    WRONG(DMM_SPAN_TOO_SMALL);
    args->points.offset_bytes = 0;
    WRONG(DMM_NULL_ARGUMENT);
    args->ys = (dmm_span){p->ys.buffer, 1};
    WRONG(DMM_MISALIGNED);
    args->ys.offset_bytes = 0;
    WRONG(DMM_NULL_ARGUMENT);
    args->starts = (dmm_span){p->starts.buffer, 4};
    WRONG(DMM_MISALIGNED);
    args->starts.offset_bytes = 0;
    WRONG(DMM_NULL_ARGUMENT);
    args->hull = (dmm_span){p->out.buffer, 3};
    WRONG(DMM_MISALIGNED);
    args->hull.offset_bytes = 0;
    WRONG(DMM_NULL_ARGUMENT);
    args->count = (dmm_span){p->count.buffer, 4};
    WRONG(DMM_MISALIGNED);
    args->count.offset_bytes = 0;
    args->report = (dmm_span){p->report.buffer, 4};
    WRONG(DMM_MISALIGNED);
    args->report.offset_bytes = p->report.total_bytes / 8 * 8 - 8;
    WRONG(DMM_SPAN_TOO_SMALL);
    given->args = call.args;
}

/* Last, what overlaps, and temp. */
static void check_overlaps(wrong_call *given, const places *p)
{
    wrong_call call = *given;
    dmm_hull_args *const args = &call.args;
    call.given = args;
    args->report = (dmm_span){p->count.buffer, 0};
    WRONG(DMM_OVERLAP);
    args->report = (dmm_span){p->report.buffer, 0};
    args->hull = (dmm_span){p->xs.buffer, 0};
    WRONG(DMM_OVERLAP);
    args->hull = (dmm_span){p->out.buffer, 0};
    args->temp = (dmm_span){p->ys.buffer, 256};
    WRONG(DMM_OVERLAP);
    args->temp = (dmm_span){p->temp.buffer, 128};
    WRONG(DMM_MISALIGNED);
    args->temp.offset_bytes = (p->temp.total_bytes - p->temp_bytes) / 256 * 256 + 256;
    WRONG(DMM_TEMP_TOO_SMALL);
}

static void arguments_are_checked_in_their_order_and_nothing_is_touched(void **state)
{
    static rig other;
    const hull_setup setup = {.type = DMM_F32,
        .two_arrays = 1,
        .max_n = MAX_N,
        .tuning = {DMM_FORM_CPU, 0, 0, 64, DMM_SEARCH_DEFAULT}};
    wrong_call call = {.n = MAX_N + 1, .num_wait = 1, .args.sets = SETS};
    uint64_t temp_bytes = 0;
    (void)state;
    rig_open(&other, NULL);
    dmm_hull *hull = hull_build(&shared, &setup);
    REQUIRE_STATUS(DMM_TOO_LARGE, dmm_hull_temp_bytes(&temp_bytes, hull, MAX_N + 1, 0));
    places p = places_create(hull);
    check_call(&call, hull, other.queue);
    check_spans(&call, &p);
    check_overlaps(&call, &p);
    places_free(&p);
    dmm_hull_free(hull);
    rig_close(&other);
}

/* Nothing runs before the whole wait list is complete; the object may be freed meanwhile. */
static void work_waits_for_its_list(void **state)
{
    const hull_setup setup = {
        .type = DMM_F32, .tuning = {DMM_FORM_CPU, 0, 0, 64, DMM_SEARCH_DEFAULT}};
    const cl_command_queue queue = shared.out_of_order != NULL ? shared.out_of_order : shared.queue;
    (void)state;
    if (sizes_wanted() == SIZES_SMALL)
        skip(); /* simulators wait for ever */
    for (uint64_t n = 0; n < 3000; n = 10 * n + 7) {
        const hull_case c = {.n = n, .points = CLOUD_DISC, .seed = n};
        const cl_event gate = user_event(&shared);
        cl_event done = NULL;
        dmm_hull *hull = hull_build(&shared, &setup);
        hull_run run = hull_prepare(&shared, hull, &setup, &c, NULL);
        REQUIRE_OK(dmm_hull_enqueue(hull, queue, &run.args, n, 1, &gate, &done));
        dmm_hull_free(hull);
        REQUIRE_OK(clFlush(queue));
        REQUIRE(zone_untouched(&shared, &run.report) && zone_untouched(&shared, &run.count));
        REQUIRE_OK(clSetUserEventStatus(gate, CL_COMPLETE));
        REQUIRE_OK(clWaitForEvents(1, &done));
        clReleaseEvent(done);
        clReleaseEvent(gate);
        hull_finish(&run);
    }
}

static void executions_of_one_object_overlap_in_flight(void **state)
{
    enum { RUNS = 5 };
    const hull_setup setup = {
        .type = DMM_F32, .tuning = {DMM_FORM_CPU, 0, 0, 64, DMM_SEARCH_DEFAULT}};
    const cl_command_queue queue = shared.out_of_order != NULL ? shared.out_of_order : shared.queue;
    hull_case cases[RUNS];
    hull_run runs[RUNS];
    cl_event done[RUNS];
    (void)state;
    dmm_hull *hull = hull_build(&shared, &setup);
    for (unsigned i = 0; i < RUNS; i++) {
        cases[i] = (hull_case){.n = by_size(100, 3000, 3000) + 91 * i,
            .points = (cloud)i,
            .seed = i,
            .temp_given = i % 2};
        runs[i] = hull_prepare(&shared, hull, &setup, &cases[i], NULL);
    }
    for (int i = 0; i < RUNS; i++)
        REQUIRE_OK(dmm_hull_enqueue(hull, queue, &runs[i].args, cases[i].n, 0, NULL, &done[i]));
    dmm_hull_free(hull);
    REQUIRE_OK(clWaitForEvents(RUNS, done));
    for (int i = 0; i < RUNS; i++) {
        clReleaseEvent(done[i]);
        hull_finish(&runs[i]);
    }
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
        cmocka_unit_test(work_waits_for_its_list),
        cmocka_unit_test(executions_of_one_object_overlap_in_flight),
        cmocka_unit_test(temp_grows_with_points_and_sets),
    };
    return cmocka_run_group_tests_name("hull_arguments", tests, open_rig, close_rig);
}
