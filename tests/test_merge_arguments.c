/* SPDX-License-Identifier: MIT */
/*
 * What dmm_merge refuses, in which order it looks, and that a refused call touches nothing.
 */
#include "support/require.h"

#include "support/forms.h"
#include "support/merge_case.h"
#include "support/shared.h"

static merge_setup the_setup(void)
{
    return (merge_setup){kind_named("u32"), 4, GPU(16, 4)};
}

static dmm_merge *refused;

#define REFUSED(expected, ...)          \
    REQUIRE_REFUSED(expected, &refused, \
        dmm_merge_create(&refused, shared.ctx, &(dmm_merge_desc){__VA_ARGS__}))

static void descriptions_outside_their_ranges_are_refused(void **state)
{
    (void)state;
    REFUSED(DMM_BAD_VALUE, .order = {.type = (dmm_type)12});
    REFUSED(DMM_BAD_VALUE, .order = {.zero_equal = 1});
    REFUSED(DMM_BAD_VALUE, .order = {.type = DMM_ITEM, .item_bytes = 4, .less = "a < b"});
    REFUSED(DMM_BAD_VALUE, .value_bytes = 257);
    REFUSED(DMM_BAD_VALUE, .tuning = {.search = (dmm_search)3});
    REFUSED(DMM_BAD_PARAMETERS, .tuning = {DMM_FORM_GPU, .u = 24});
    REFUSED(DMM_BAD_PARAMETERS, .tuning = {DMM_FORM_CPU, .tile = 100});
    REFUSED(DMM_UNSUPPORTED, .guarantee = 1, .tuning = {DMM_FORM_GPU, .search = DMM_SEARCH_PLAIN});
    REFUSED(DMM_BUILD_FAILED, .order = {.less = "a +"});
}

static void missing_pointers_are_refused(void **state)
{
    const dmm_merge_desc desc = merge_desc_of(&(merge_setup){.k = kind_named("u32")});
    const dmm_merge_host_args none = {.na = 1};
    dmm_merge *merge = NULL;
    uint64_t bytes = 17;
    (void)state;
    test_note("missing pointers");
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_merge_create(NULL, shared.ctx, &desc));
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_merge_create(&merge, NULL, &desc));
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_merge_create(&merge, shared.ctx, NULL));
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_merge_temp_bytes(&bytes, NULL, 1));
    REQUIRE(bytes == 17);
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_merge_host(NULL, &desc, &none));
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_merge_host(shared.ctx, NULL, &none));
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_merge_host(shared.ctx, &desc, NULL));
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_merge_host(shared.ctx, &desc, &none));
    dmm_merge_free(NULL);
}

enum { NA = 60, NB = 40, N = NA + NB };

static void spans_are_checked_in_their_order_and_nothing_is_touched(void **state)
{
    const merge_setup setup = the_setup();
    const merge_case c = {.na = NA, .nb = NB, .temp_given = 1};
    (void)state;
    dmm_merge *merge = merge_build(&shared, &setup);
    merge_run run = merge_prepare(&shared, merge, &setup, &c);
    dmm_merge_args args = {.temp = {NULL, 0}};
    const struct {
        dmm_span *wrong, right;
        const char *name;
    } spans[] = {{&args.a_keys, run.args.a_keys, "a_keys"},
        {&args.a_values, run.args.a_values, "a_values"}, {&args.b_keys, run.args.b_keys, "b_keys"},
        {&args.b_values, run.args.b_values, "b_values"},
        {&args.keys_out, run.args.keys_out, "keys_out"},
        {&args.values_out, run.args.values_out, "values_out"}};
    for (size_t i = 0; i < sizeof spans / sizeof spans[0]; i++) {
        cl_event event = (cl_event)(void *)&shared;
        test_note("%s", spans[i].name);
#define CALL dmm_merge_enqueue(merge, shared.queue, &args, NA, NB, 0, NULL, &event)
        REQUIRE_STATUS(DMM_NULL_ARGUMENT, CALL);
        *spans[i].wrong = (dmm_span){spans[i].right.buffer, 2};
        REQUIRE_STATUS(DMM_MISALIGNED, CALL);
        spans[i].wrong->offset_bytes = (uint64_t)1 << 40;
        REQUIRE_STATUS(DMM_SPAN_TOO_SMALL, CALL);
        REQUIRE(event == NULL);
        *spans[i].wrong = spans[i].right;
    }
    args.temp = (dmm_span){run.temp.buffer, 64};
    REQUIRE_STATUS(
        DMM_MISALIGNED, dmm_merge_enqueue(merge, shared.queue, &args, NA, NB, 0, NULL, NULL));
    args.temp.offset_bytes = run.temp.total_bytes / 256 * 256;
    REQUIRE_STATUS(
        DMM_TEMP_TOO_SMALL, dmm_merge_enqueue(merge, shared.queue, &args, NA, NB, 0, NULL, NULL));
    REQUIRE(zone_untouched(&shared, &run.keys_out) && zone_untouched(&shared, &run.values_out));
    REQUIRE(zone_untouched(&shared, &run.temp));
    REQUIRE_OK(dmm_merge_enqueue(merge, shared.queue, &run.args, NA, NB, 0, NULL, NULL));
    REQUIRE_OK(clFinish(shared.queue));
    merge_finish(&run);
    dmm_merge_free(merge);
}

static void other_arguments_are_checked_first(void **state)
{
    static rig other;
    const merge_setup setup = the_setup();
    const dmm_merge_args none = {.temp = {NULL, 0}};
    dmm_merge_desc desc = merge_desc_of(&setup);
    dmm_merge *merge = NULL;
    (void)state;
    rig_open(&other, NULL);
    desc.max_n = N;
    test_note("other arguments");
    REQUIRE_OK(dmm_merge_create(&merge, shared.ctx, &desc));
#define ENQUEUE(m, queue, args, na, num) dmm_merge_enqueue(m, queue, args, na, NB, num, NULL, NULL)
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, ENQUEUE(NULL, NULL, NULL, UINT64_MAX, 1));
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, ENQUEUE(merge, NULL, NULL, UINT64_MAX, 1));
    REQUIRE_STATUS(DMM_WRONG_QUEUE, ENQUEUE(merge, other.queue, NULL, UINT64_MAX, 1));
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, ENQUEUE(merge, shared.queue, NULL, UINT64_MAX, 1));
    REQUIRE_STATUS(DMM_TOO_LARGE, ENQUEUE(merge, shared.queue, &none, UINT64_MAX, 1));
    REQUIRE_STATUS(DMM_TOO_LARGE, ENQUEUE(merge, shared.queue, &none, UINT64_MAX - NB + 1, 1));
    REQUIRE_STATUS(DMM_TOO_LARGE, ENQUEUE(merge, shared.queue, &none, NA + 1, 1));
    REQUIRE_STATUS(CL_INVALID_EVENT_WAIT_LIST, ENQUEUE(merge, shared.queue, &none, NA, 1));
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, ENQUEUE(merge, shared.queue, &none, NA, 0));
    dmm_merge_free(merge);
    rig_close(&other);
}

/* Spans of one buffer, in items of 4 bytes: a_keys, a_values, b_keys, b_values, keys_out,
 * values_out. */
static void require_overlap(
    dmm_merge *merge, const zone *z, const uint64_t items[6], dmm_status expected)
{
    const dmm_merge_args args = {{z->buffer, 4 * items[0]}, {z->buffer, 4 * items[1]},
        {z->buffer, 4 * items[2]}, {z->buffer, 4 * items[3]}, {z->buffer, 4 * items[4]},
        {z->buffer, 4 * items[5]}, {NULL, 0}};
    test_note("a %d %d, b %d %d, out %d %d", (int)items[0], (int)items[1], (int)items[2],
        (int)items[3], (int)items[4], (int)items[5]);
    REQUIRE_STATUS(expected, dmm_merge_enqueue(merge, shared.queue, &args, NA, NB, 0, NULL, NULL));
    REQUIRE_OK(clFinish(shared.queue));
}

/* Inputs are only read and may overlap; an output may be neither an input nor another output. */
static void overlaps_are_refused_and_neighbours_are_not(void **state)
{
    const merge_setup setup = the_setup();
    dmm_merge *merge = merge_build(&shared, &setup);
    zone z = zone_create(&shared, NULL, 4 * 4 * N, 0);
    (void)state;
    require_overlap(merge, &z, (uint64_t[]){0, N, NA, N + NA, 0, 3 * N}, DMM_OVERLAP);
    require_overlap(merge, &z, (uint64_t[]){0, N, NA, N + NA, 2 * N - 1, 3 * N}, DMM_OVERLAP);
    require_overlap(merge, &z, (uint64_t[]){0, N, NA, N + NA, 2 * N, 3 * N - 1}, DMM_OVERLAP);
    require_overlap(merge, &z, (uint64_t[]){0, N, NA, N + NA, 2 * N, N}, DMM_OVERLAP);
    require_overlap(merge, &z, (uint64_t[]){0, N, 3 * N, N + NA, 2 * N, 3 * N}, DMM_OVERLAP);
    REQUIRE(zone_untouched(&shared, &z));
    require_overlap(merge, &z, (uint64_t[]){0, N, NA, N + NA, 2 * N, 3 * N}, DMM_OK);
    require_overlap(merge, &z, (uint64_t[]){0, N, 0, N, 2 * N, 3 * N}, DMM_OK);
    zone_free(&z);
    dmm_merge_free(merge);
}

static void an_empty_list_needs_no_spans(void **state)
{
    const merge_setup setup = {kind_named("u32"), 0, GPU(16, 4)};
    const merge_case c = {.na = 0, .nb = NB, .a = SHAPE_FEW, .b = SHAPE_FEW};
    cl_event done = NULL;
    (void)state;
    dmm_merge *merge = merge_build(&shared, &setup);
    merge_run run = merge_prepare(&shared, merge, &setup, &c);
    run.args.a_keys = (dmm_span){NULL, 0};
    REQUIRE_OK(dmm_merge_enqueue(merge, shared.queue, &run.args, 0, NB, 0, NULL, &done));
    REQUIRE_OK(clWaitForEvents(1, &done));
    clReleaseEvent(done);
    merge_finish(&run);
    test_note("two empty lists");
    REQUIRE_OK(dmm_merge_enqueue(
        merge, shared.queue, &(dmm_merge_args){.temp = {NULL, 0}}, 0, 0, 0, NULL, &done));
    REQUIRE_OK(clWaitForEvents(1, &done));
    clReleaseEvent(done);
    dmm_merge_free(merge);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(descriptions_outside_their_ranges_are_refused),
        cmocka_unit_test(missing_pointers_are_refused),
        cmocka_unit_test(spans_are_checked_in_their_order_and_nothing_is_touched),
        cmocka_unit_test(other_arguments_are_checked_first),
        cmocka_unit_test(overlaps_are_refused_and_neighbours_are_not),
        cmocka_unit_test(an_empty_list_needs_no_spans),
    };
    return RUN_WITH_RIG("merge_arguments", "banks=16", tests);
}
