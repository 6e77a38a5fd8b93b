/* SPDX-License-Identifier: MIT */
/* ctest: oclgrind */
/*
 * Arguments that dmm_shuffle rejects, the order of the checks, and that a rejected call touches
 * nothing; wait lists, and calls in flight side by side.
 */
#include "support/require.h"

#include <dmm/shuffle.h>

#include "support/any_call.h"

static dmm_shuffle *refused;

#define REFUSED(expected, ...)          \
    REQUIRE_REFUSED(expected, &refused, \
        dmm_shuffle_create(&refused, shared.ctx, &(dmm_shuffle_desc){__VA_ARGS__}))

static void descriptions_outside_their_ranges_are_refused(void **state)
{
    (void)state;
    REFUSED(DMM_BAD_VALUE, .item_bytes = 257);
    REFUSED(DMM_BAD_VALUE, .item_bytes = 4, .value_bytes = 257);
    REFUSED(DMM_BAD_VALUE, .item_bytes = 2, .indices = 1);
    REFUSED(DMM_BAD_VALUE, .item_bytes = 4, .indices = 1, .max_n = ((uint64_t)1 << 32) + 1);
    REFUSED(DMM_BAD_VALUE, .item_bytes = 4, .tuning = {.form = (dmm_form)3});
    REFUSED(DMM_BAD_PARAMETERS, .item_bytes = 4, .tuning = {DMM_FORM_GPU, .u = 24});
    REFUSED(DMM_BAD_PARAMETERS, .item_bytes = 4, .tuning = {DMM_FORM_CPU, .tile = 100});
}

static void missing_pointers_are_refused(void **state)
{
    const dmm_shuffle_desc desc = {0};
    dmm_shuffle *shuffle = NULL;
    uint64_t bytes = 17;
    uint32_t item = 1;
    (void)state;
    test_note("missing pointers");
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_shuffle_create(NULL, shared.ctx, &desc));
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_shuffle_create(&shuffle, NULL, &desc));
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_shuffle_create(&shuffle, shared.ctx, NULL));
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_shuffle_temp_bytes(&bytes, NULL, 1));
    REQUIRE(bytes == 17);
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_shuffle_host(NULL, &desc, 1, &item, NULL, 1));
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_shuffle_host(shared.ctx, NULL, 1, &item, NULL, 1));
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_shuffle_host(shared.ctx, &desc, 1, NULL, NULL, 1));
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_shuffle_sample_host(shared.ctx, 1, 2, NULL, 4, 1));
    dmm_shuffle_free(NULL);
}

enum { N = 300, MAX_N = 1000 };

static dmm_status enqueue(const any_call *c, cl_event *event)
{
    return dmm_shuffle_enqueue(c->object, c->queue, c->args, c->n.first, c->num_wait, NULL, event);
}

static void arguments_are_checked_in_their_order_and_nothing_is_touched(void **state)
{
    const dmm_shuffle_desc desc = {.item_bytes = 4,
        .value_bytes = 2,
        .max_n = MAX_N,
        .tuning = {.form = DMM_FORM_CPU, .tile = 64}};
    uint64_t temp_bytes = 0;
    dmm_shuffle *shuffle = NULL;
    (void)state;
    REQUIRE_OK(dmm_shuffle_create(&shuffle, shared.ctx, &desc));
    REQUIRE_STATUS(DMM_TOO_LARGE, dmm_shuffle_temp_bytes(&temp_bytes, shuffle, MAX_N + 1));
    REQUIRE_OK(dmm_shuffle_temp_bytes(&temp_bytes, shuffle, N));
    zone in = zone_create(&shared, NULL, 4 * N, 0), out = zone_create(&shared, NULL, 4 * N, 0);
    zone values = zone_create(&shared, NULL, 2 * N, 0);
    zone values_out = zone_create(&shared, NULL, 2 * N, 0);
    zone temp = zone_create(&shared, NULL, temp_bytes, 256);
    dmm_shuffle_args args = {.temp = DMM_NONE};
    any_call call = {enqueue, shuffle, &args, {N, 0}, shared.queue, 0, NULL};

    any_call_before_spans(&call, &(call_counts){MAX_N + 1, 0}, 1);
    args.count = N + 1; /* judged with n, before the wait list */
    call.num_wait = 1;
    WRONG(DMM_BAD_VALUE);
    args.count = 0;
    call.num_wait = 0;
    WRONG_SPAN(args.in, &in, 4);
    WRONG_SPAN(args.values_in, &values, 2);
    WRONG_SPAN(args.out, &out, 4);
    WRONG_SPAN(args.values_out, &values_out, 2);
    args.values_out = (dmm_span){out.buffer, 2 * N - 2};
    WRONG(DMM_OVERLAP);
    args.values_out = zone_span(&in);
    WRONG(DMM_OVERLAP);
    args.values_out = zone_span(&values_out);
    args.temp = zone_span(&in);
    WRONG(DMM_OVERLAP);
    WRONG_TEMP(args.temp, &temp);
    FREE_UNTOUCHED(&in, &out, &values, &values_out, &temp);
    dmm_shuffle_free(shuffle);
}

static void zero_items_need_no_spans(void **state)
{
    const dmm_shuffle_args none = {.seed = 1};
    const dmm_shuffle_desc desc = {0};
    dmm_shuffle *shuffle = NULL;
    (void)state;
    REQUIRE_OK(dmm_shuffle_create(&shuffle, shared.ctx, &desc));
    any_call_of_nothing(&(any_call){enqueue, shuffle, &none, {0, 0}, shared.queue, 0, NULL});
    REQUIRE_OK(dmm_shuffle_host(shared.ctx, &desc, 1, NULL, NULL, 0));
    dmm_shuffle_free(shuffle);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(descriptions_outside_their_ranges_are_refused),
        cmocka_unit_test(missing_pointers_are_refused),
        cmocka_unit_test(arguments_are_checked_in_their_order_and_nothing_is_touched),
        cmocka_unit_test(zero_items_need_no_spans),
    };
    return RUN_WITH_RIG("shuffle_arguments", "banks=16,units=4", tests);
}
