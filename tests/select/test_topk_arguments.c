/* SPDX-License-Identifier: MIT */
/* ctest: oclgrind */
/*
 * Descriptions and arguments that dmm_topk and dmm_nth reject (those that their ports say:
 * test_arguments.c), and that they work among other work on a queue.
 */
#include "support/require.h"

#include "core/context.h"
#include "support/shared.h"
#include "support/forms.h"
#include "support/topk_case.h"

static void require_refused(dmm_status expected, const dmm_topk_desc *desc, const char *why)
{
    int anything = 0;
    dmm_topk *topk = (dmm_topk *)(void *)&anything;
    dmm_nth *nth = (dmm_nth *)(void *)&anything;
    const dmm_nth_desc same = {.order = desc->order,
        .value_bytes = desc->value_bytes,
        .argsort = desc->argsort,
        .guarantee = desc->guarantee,
        .tuning = desc->tuning};
    test_note("%s", why);
    REQUIRE_STATUS(expected, dmm_topk_create(&topk, shared.ctx, desc));
    REQUIRE(topk == NULL);
    if (desc->unsorted)
        return;
    REQUIRE_STATUS(expected, dmm_nth_create(&nth, shared.ctx, &same));
    REQUIRE(nth == NULL);
}

#define REFUSED(expected, ...) \
    require_refused(expected, &(dmm_topk_desc){__VA_ARGS__}, #__VA_ARGS__)

static void descriptions_outside_their_ranges_are_refused(void **state)
{
    (void)state;
    REFUSED(DMM_BAD_VALUE, .order = {.type = (dmm_type)12});
    REFUSED(DMM_BAD_VALUE, .order = {.zero_equal = 1});
    REFUSED(DMM_BAD_VALUE, .order = {.type = DMM_ITEM});
    REFUSED(DMM_BAD_VALUE, .value_bytes = 257);
    REFUSED(DMM_BAD_VALUE, .argsort = 1, .value_bytes = 2);
    REFUSED(DMM_BAD_VALUE, .tuning = {.form = (dmm_form)3});
    REFUSED(DMM_BAD_PARAMETERS, .tuning = {DMM_FORM_GPU, .u = 24});
    REFUSED(DMM_BAD_PARAMETERS, .tuning = {DMM_FORM_GPU, .E = 33});
    REFUSED(DMM_BAD_PARAMETERS, .tuning = {DMM_FORM_CPU, .tile = 100});
    REFUSED(
        DMM_UNSUPPORTED, .guarantee = 1, .tuning = {DMM_FORM_GPU, .search = DMM_TILE_SEARCH_PLAIN});
    REFUSED(DMM_UNSUPPORTED, .order = {.less = "a < b"}, .unsorted = 1);
}

static void missing_pointers_are_refused(void **state)
{
    const dmm_topk_desc desc = {0};
    uint32_t key = 1, out = 2;
    (void)state;
    test_note("missing pointers");
    REQUIRE_STATUS(
        DMM_NULL_ARGUMENT, dmm_topk_host(shared.ctx, &desc, NULL, NULL, 1, 1, &out, NULL));
    REQUIRE_STATUS(
        DMM_NULL_ARGUMENT, dmm_topk_host(shared.ctx, &desc, &key, NULL, 1, 1, NULL, NULL));
    REQUIRE(out == 2);
}

enum { N = 100, MAX_N = 1000 };

/* Judged with n, before the wait list. */
static void ranks_without_an_item_are_refused(void **state)
{
    static const uint64_t wrong[][2] = {{N, N}, {N, UINT64_MAX}, {0, 0}};
    const dmm_nth_desc desc = {.max_n = MAX_N, .tuning = GPU(16, 4)};
    const dmm_nth_args args = {.temp = DMM_NONE};
    dmm_nth *nth = NULL;
    (void)state;
    REQUIRE_OK(dmm_nth_create(&nth, shared.ctx, &desc));
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        REQUIRE_STATUS(DMM_BAD_VALUE,
            dmm_nth_enqueue(nth, shared.queue, &args, wrong[i][0], wrong[i][1], 1, NULL, NULL));
    dmm_nth_free(nth);
}

/* On an out-of-order queue behind another selection, joined by the event alone. */
static void selections_chain_by_events(void **state)
{
    const topk_setup down = {{kind_descending(kind_named("u32")), 3, 0, GPU(32, 4)}, 1};
    const topk_case c = {.n = by_size(300, 20000, 20000), .k = 150, .input = SHAPE_BITS, .seed = 5};
    const cl_command_queue queue = shared.out_of_order != NULL ? shared.out_of_order : shared.queue;
    cl_event first = NULL, second = NULL;
    (void)state;
    dmm_topk *topk = topk_build(&shared, &down);
    topk_run run = topk_prepare(&shared, &down, &c, 0, 0);
    const dmm_topk_args args = topk_args_of(&run);
    REQUIRE_OK(dmm_topk_enqueue(topk, queue, &args, c.n, c.k / 2, 0, NULL, &first));
    REQUIRE_OK(dmm_topk_enqueue(topk, queue, &args, c.n, c.k, 1, &first, &second));
    REQUIRE_OK(clWaitForEvents(1, &second));
    clReleaseEvent(first);
    clReleaseEvent(second);
    topk_finish(&run, 1);
    dmm_topk_free(topk);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(descriptions_outside_their_ranges_are_refused),
        cmocka_unit_test(missing_pointers_are_refused),
        cmocka_unit_test(ranks_without_an_item_are_refused),
        cmocka_unit_test(selections_chain_by_events),
    };
    return RUN_WITH_RIG("topk_arguments", "banks=16", tests);
}
