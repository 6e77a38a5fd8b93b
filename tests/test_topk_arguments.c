/* SPDX-License-Identifier: MIT */
/* ctest: oclgrind */
/*
 * Arguments that dmm_topk and dmm_nth reject, the order of the checks, that a rejected call touches
 * nothing, and that they work among other work on a queue.
 */
#include "support/require.h"

#include "core/context.h"
#include "support/any_call.h"
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
    const dmm_nth_desc nth_desc = {0};
    dmm_topk *topk = NULL;
    dmm_nth *nth = NULL;
    uint64_t bytes = 17;
    uint32_t key = 1, out = 2;
    (void)state;
    test_note("missing pointers");
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_topk_create(NULL, shared.ctx, &desc));
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_topk_create(&topk, NULL, &desc));
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_topk_create(&topk, shared.ctx, NULL));
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_nth_create(NULL, shared.ctx, &nth_desc));
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_nth_create(&nth, NULL, &nth_desc));
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_nth_create(&nth, shared.ctx, NULL));
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_topk_temp_bytes(&bytes, NULL, 1, 1));
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_nth_temp_bytes(&bytes, NULL, 1));
    REQUIRE_STATUS(
        DMM_NULL_ARGUMENT, dmm_topk_host(shared.ctx, &desc, NULL, NULL, 1, 1, &out, NULL));
    REQUIRE_STATUS(
        DMM_NULL_ARGUMENT, dmm_topk_host(shared.ctx, &desc, &key, NULL, 1, 1, NULL, NULL));
    REQUIRE(bytes == 17 && out == 2);
    dmm_topk_free(NULL);
    dmm_nth_free(NULL);
}

enum { N = 100, K = 10, MAX_N = 1000, MAX_K = 500 };

static dmm_status enqueue(const any_call *c, cl_event *event)
{
    return dmm_topk_enqueue(
        c->object, c->queue, c->args, c->n.first, c->n.second, c->num_wait, NULL, event);
}

static dmm_topk *build_for_arguments(void)
{
    dmm_topk *topk = NULL;
    dmm_topk_desc desc = {0};
    desc.value_bytes = 4;
    desc.max_n = MAX_N;
    desc.max_k = MAX_K;
    desc.tuning = (dmm_tuning)GPU(16, 4);
    test_note("building");
    REQUIRE_OK(dmm_topk_create(&topk, shared.ctx, &desc));
    return topk;
}

static void arguments_are_checked_in_their_order_and_nothing_is_touched(void **state)
{
    static const call_counts too_large[] = {{MAX_N + 1, MAX_K + 1}, {MAX_N, MAX_K + 1}};
    uint64_t temp_bytes = 0;
    (void)state;
    dmm_topk *topk = build_for_arguments();
    zone keys = zone_create(&shared, NULL, 4 * N, 0), values = zone_create(&shared, NULL, 4 * N, 0);
    zone keys_out = zone_create(&shared, NULL, 4 * K, 4 * K);
    zone values_out = zone_create(&shared, NULL, 4 * K, 0);
    REQUIRE_OK(dmm_topk_temp_bytes(&temp_bytes, topk, N, K));
    zone temp = zone_create(&shared, NULL, temp_bytes, 0);
    dmm_topk_args args = {.temp = DMM_NONE};
    any_call call = {enqueue, topk, &args, {N, K}, shared.queue, 0, NULL};

    any_call_before_spans(&call, too_large, 2);
    WRONG_SPAN(args.keys_in, &keys, 4);
    WRONG_SPAN(args.values_in, &values, 4);
    WRONG_SPAN(args.keys_out, &keys_out, 4);
    WRONG_SPAN(args.values_out, &values_out, 4);
    args.values_out = (dmm_span){keys_out.buffer, 4 * K - 4};
    WRONG(DMM_OVERLAP);
    args.values_out = zone_span(&values); /* not in place */
    WRONG(DMM_OVERLAP);
    args.values_out = zone_span(&values_out);
    WRONG_TEMP(args.temp, &temp);
    FREE_UNTOUCHED(&keys, &values, &keys_out, &values_out, &temp);
    dmm_topk_free(topk);
}

static dmm_status enqueue_nth(const any_call *c, cl_event *event)
{
    return dmm_nth_enqueue(
        c->object, c->queue, c->args, c->n.first, c->n.second, c->num_wait, NULL, event);
}

static void arguments_of_nth_are_checked_in_their_order(void **state)
{
    const dmm_nth_desc desc = {.value_bytes = 4, .max_n = MAX_N, .tuning = GPU(16, 4)};
    dmm_nth_args args = {.temp = DMM_NONE};
    uint64_t temp_bytes = 0;
    dmm_nth *nth = NULL;
    (void)state;
    REQUIRE_OK(dmm_nth_create(&nth, shared.ctx, &desc));
    zone keys = zone_create(&shared, NULL, 4 * N, 0), values = zone_create(&shared, NULL, 4 * N, 0);
    zone key = zone_create(&shared, NULL, 4, 4), value = zone_create(&shared, NULL, 4, 0);
    REQUIRE_OK(dmm_nth_temp_bytes(&temp_bytes, nth, N));
    zone temp = zone_create(&shared, NULL, temp_bytes, 0);
    any_call call = {enqueue_nth, nth, &args, {N, N - 1}, shared.queue, 0, NULL};

    any_call_before_spans(&call, &(call_counts){MAX_N + 1, UINT64_MAX}, 1);
    test_note("a rank without an item");
    call.num_wait = 1;
    call.n.second = N;
    WRONG(DMM_BAD_VALUE);
    call.n.second = UINT64_MAX;
    WRONG(DMM_BAD_VALUE);
    call.n = (call_counts){0, 0};
    WRONG(DMM_BAD_VALUE);
    call.n = (call_counts){N, N - 1};
    call.num_wait = 0;
    WRONG_SPAN(args.keys_in, &keys, 4);
    WRONG_SPAN(args.values_in, &values, 4);
    WRONG_SPAN(args.key_out, &key, 4);
    WRONG_SPAN(args.value_out, &value, 4);
    WRONG_TEMP(args.temp, &temp);
    args.reserved[3] = 1;
    WRONG(DMM_UNSUPPORTED);
    FREE_UNTOUCHED(&keys, &values, &key, &value, &temp);
    dmm_nth_free(nth);
}

static void nothing_selected_needs_no_output(void **state)
{
    const dmm_topk_args none = {.temp = DMM_NONE};
    dmm_topk *topk = build_for_arguments();
    (void)state;
    any_call_of_nothing(&(any_call){enqueue, topk, &none, {0, 7}, shared.queue, 0, NULL});
    dmm_topk_free(topk);
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
        cmocka_unit_test(arguments_are_checked_in_their_order_and_nothing_is_touched),
        cmocka_unit_test(arguments_of_nth_are_checked_in_their_order),
        cmocka_unit_test(nothing_selected_needs_no_output),
        cmocka_unit_test(selections_chain_by_events),
    };
    return RUN_WITH_RIG("topk_arguments", "banks=16", tests);
}
