/* SPDX-License-Identifier: MIT */
/* ctest: oclgrind */
/* Descriptions and arguments that dmm_merge rejects; those that its ports say:
 * test_arguments.c. */
#include "support/require.h"

#include "support/shared.h"
#include "support/forms.h"
#include "support/merge_case.h"

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
    (void)state;
    test_note("missing pointers");
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_merge_host(NULL, &desc, &none));
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_merge_host(shared.ctx, NULL, &none));
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_merge_host(shared.ctx, &desc, NULL));
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_merge_host(shared.ctx, &desc, &none));
}

enum { NB = 40 };

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
    dmm_merge_free(merge);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(descriptions_outside_their_ranges_are_refused),
        cmocka_unit_test(missing_pointers_are_refused),
        cmocka_unit_test(an_empty_list_needs_no_spans),
    };
    return RUN_WITH_RIG("merge_arguments", "banks=16", tests);
}
