/* SPDX-License-Identifier: MIT */
/* ctest: oclgrind */
/*
 * Arguments that dmm_merge rejects, the order of the checks, and that a rejected call touches
 * nothing.
 */
#include "support/require.h"

#include "support/any_call.h"
#include "support/forms.h"
#include "support/merge_case.h"

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
    REFUSED(DMM_UNSUPPORTED, .reserved = {0, 0, 0, 1});
    REFUSED(DMM_BAD_VALUE, .order = {.type = (dmm_type)12});
    REFUSED(DMM_BAD_VALUE, .order = {.zero_equal = 1});
    REFUSED(DMM_BAD_VALUE, .order = {.type = DMM_ITEM, .item_bytes = 4, .less = "a < b"});
    REFUSED(DMM_BAD_VALUE, .value_bytes = 257);
    REFUSED(DMM_BAD_VALUE, .tuning = {.search = (dmm_tile_search)3});
    REFUSED(DMM_BAD_PARAMETERS, .tuning = {DMM_FORM_GPU, .u = 24});
    REFUSED(DMM_BAD_PARAMETERS, .tuning = {DMM_FORM_CPU, .tile = 100});
    REFUSED(
        DMM_UNSUPPORTED, .guarantee = 1, .tuning = {DMM_FORM_GPU, .search = DMM_TILE_SEARCH_PLAIN});
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

static dmm_status enqueue(const any_call *c, cl_event *event)
{
    return dmm_merge_enqueue(
        c->object, c->queue, c->args, c->n.first, c->n.second, c->num_wait, NULL, event);
}

static void arguments_are_checked_in_their_order_and_nothing_is_touched(void **state)
{
    static const call_counts too_large[] = {
        {UINT64_MAX, NB}, {UINT64_MAX - NB + 1, NB}, {NA + 1, NB}};
    const merge_setup setup = the_setup();
    const merge_case c = {.na = NA, .nb = NB, .temp_given = 1};
    dmm_merge_desc desc = merge_desc_of(&setup);
    dmm_merge *merge = NULL;
    (void)state;
    desc.max_n = N;
    REQUIRE_OK(dmm_merge_create(&merge, shared.ctx, &desc));
    merge_run run = merge_prepare(&shared, merge, &setup, &c);
    dmm_merge_args args = {.temp = DMM_NONE};
    any_call call = {enqueue, merge, &args, {NA, NB}, shared.queue, 0, NULL};

    any_call_before_spans(&call, too_large, sizeof too_large / sizeof too_large[0]);
    WRONG_SPAN(args.a_keys, &run.a_keys, 4);
    WRONG_SPAN(args.a_values, &run.a_values, 4);
    WRONG_SPAN(args.b_keys, &run.b_keys, 4);
    WRONG_SPAN(args.b_values, &run.b_values, 4);
    WRONG_SPAN(args.keys_out, &run.keys_out, 4);
    WRONG_SPAN(args.values_out, &run.values_out, 4);
    WRONG_TEMP(args.temp, &run.temp);
    REQUIRE(zone_untouched(&shared, &run.keys_out) && zone_untouched(&shared, &run.values_out));
    REQUIRE(zone_untouched(&shared, &run.temp));
    REQUIRE_OK(enqueue(&call, NULL));
    REQUIRE_OK(clFinish(shared.queue));
    merge_finish(&run);
    dmm_merge_free(merge);
}

/* Spans of one buffer, in items of 4 bytes: a_keys, a_values, b_keys, b_values, keys_out,
 * values_out. */
static void require_overlap(
    dmm_merge *merge, const zone *z, const uint64_t items[6], dmm_status expected)
{
    const dmm_merge_args args = {{z->buffer, 4 * items[0]}, {z->buffer, 4 * items[1]},
        {z->buffer, 4 * items[2]}, {z->buffer, 4 * items[3]}, {z->buffer, 4 * items[4]},
        {z->buffer, 4 * items[5]}, {NULL, 0}, {0}};
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
    const dmm_merge_args none = {.temp = DMM_NONE};
    cl_event done = NULL;
    (void)state;
    dmm_merge *merge = merge_build(&shared, &setup);
    merge_run run = merge_prepare(&shared, merge, &setup, &c);
    run.args.a_keys = (dmm_span){NULL, 0};
    REQUIRE_OK(dmm_merge_enqueue(merge, shared.queue, &run.args, 0, NB, 0, NULL, &done));
    REQUIRE_OK(clWaitForEvents(1, &done));
    clReleaseEvent(done);
    merge_finish(&run);
    any_call_of_nothing(&(any_call){enqueue, merge, &none, {0, 0}, shared.queue, 0, NULL});
    dmm_merge_free(merge);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(descriptions_outside_their_ranges_are_refused),
        cmocka_unit_test(missing_pointers_are_refused),
        cmocka_unit_test(arguments_are_checked_in_their_order_and_nothing_is_touched),
        cmocka_unit_test(overlaps_are_refused_and_neighbours_are_not),
        cmocka_unit_test(an_empty_list_needs_no_spans),
    };
    return RUN_WITH_RIG("merge_arguments", "banks=16", tests);
}
