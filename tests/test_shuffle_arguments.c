/* SPDX-License-Identifier: MIT */
/*
 * What dmm_shuffle refuses, in which order it looks, and that a refused call touches nothing; wait
 * lists, and calls in flight side by side.
 */
#include "support/require.h"

#include <dmm/shuffle.h>

#include "support/shared.h"
#include "support/zone.h"

static dmm_shuffle *refused;

#define REFUSED(expected, ...)          \
    REQUIRE_REFUSED(expected, &refused, \
        dmm_shuffle_create(&refused, shared.ctx, &(dmm_shuffle_desc){__VA_ARGS__}))

static void descriptions_outside_their_ranges_are_refused(void **state)
{
    (void)state;
    REFUSED(DMM_BAD_VALUE, .item_bytes = 0);
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
    const dmm_shuffle_desc desc = DMM_SHUFFLE_DESC_INIT;
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

/* A call in which everything is wrong, to be put right step by step. */
typedef struct wrong_call {
    dmm_shuffle *shuffle;
    cl_command_queue queue;
    const dmm_shuffle_args *given;
    uint64_t n;
    cl_uint num_wait;
    dmm_shuffle_args args;
    cl_event event;
} wrong_call;

#define WRONG(expected)                    \
    REQUIRE_REFUSED(expected, &call.event, \
        dmm_shuffle_enqueue(               \
            call.shuffle, call.queue, call.given, call.n, call.num_wait, NULL, &call.event))

static void arguments_are_checked_in_their_order_and_nothing_is_touched(void **state)
{
    const dmm_shuffle_desc desc = {4, 2, 0, MAX_N, {.form = DMM_FORM_CPU, .tile = 64}};
    wrong_call call = {.n = MAX_N + 1, .num_wait = 1, .args = {.count = N + 1}};
    uint64_t temp_bytes = 0;
    static rig other;
    dmm_shuffle *shuffle = NULL;
    (void)state;
    rig_open(&other, NULL);
    REQUIRE_OK(dmm_shuffle_create(&shuffle, shared.ctx, &desc));
    REQUIRE_STATUS(DMM_TOO_LARGE, dmm_shuffle_temp_bytes(&temp_bytes, shuffle, MAX_N + 1));
    REQUIRE_OK(dmm_shuffle_temp_bytes(&temp_bytes, shuffle, N));
    zone in = zone_create(&shared, NULL, 4 * N, 0), out = zone_create(&shared, NULL, 4 * N, 0);
    zone values = zone_create(&shared, NULL, 4 * N, 0);
    zone temp = zone_create(&shared, NULL, temp_bytes, 256);

    WRONG(DMM_NULL_ARGUMENT);
    call.shuffle = shuffle;
    WRONG(DMM_NULL_ARGUMENT);
    call.queue = other.queue;
    WRONG(DMM_WRONG_QUEUE);
    call.queue = shared.queue;
    WRONG(DMM_NULL_ARGUMENT);
    call.given = &call.args;
    WRONG(DMM_TOO_LARGE);
    call.n = N;
    WRONG(CL_INVALID_EVENT_WAIT_LIST);
    call.num_wait = 0;
    WRONG(DMM_BAD_VALUE);
    call.args.count = 0;
    WRONG(DMM_NULL_ARGUMENT);
    call.args.in = (dmm_span){in.buffer, 2};
    WRONG(DMM_MISALIGNED);
    call.args.in.offset_bytes = 1u << 20;
    WRONG(DMM_SPAN_TOO_SMALL);
    call.args.in.offset_bytes = 0;
    WRONG(DMM_NULL_ARGUMENT);
    call.args.values_in = (dmm_span){values.buffer, 1};
    WRONG(DMM_MISALIGNED);
    call.args.values_in.offset_bytes = 0;
    WRONG(DMM_NULL_ARGUMENT);
    call.args.out = (dmm_span){out.buffer, 0};
    WRONG(DMM_NULL_ARGUMENT);
    call.args.values_out = (dmm_span){values.buffer, 2};
    WRONG(DMM_OVERLAP);
    call.args.values_out = (dmm_span){out.buffer, 0};
    WRONG(DMM_OVERLAP);
    call.args.values_out = (dmm_span){values.buffer, 2 * N};
    call.args.temp = (dmm_span){temp.buffer, 128};
    WRONG(DMM_MISALIGNED);
    call.args.temp = (dmm_span){temp.buffer, temp.total_bytes / 256 * 256};
    WRONG(DMM_TEMP_TOO_SMALL);
    call.args.temp = (dmm_span){in.buffer, 0};
    WRONG(DMM_OVERLAP);
    REQUIRE(zone_untouched(&shared, &in) && zone_untouched(&shared, &out));
    REQUIRE(zone_untouched(&shared, &values) && zone_untouched(&shared, &temp));

    zone_free(&in);
    zone_free(&out);
    zone_free(&values);
    zone_free(&temp);
    dmm_shuffle_free(shuffle);
    rig_close(&other);
}

static void zero_items_need_no_spans(void **state)
{
    const dmm_shuffle_args none = {.seed = 1};
    const dmm_shuffle_desc desc = DMM_SHUFFLE_DESC_INIT;
    cl_event done = NULL;
    dmm_shuffle *shuffle = NULL;
    (void)state;
    test_note("n = 0");
    REQUIRE_OK(dmm_shuffle_create(&shuffle, shared.ctx, &desc));
    REQUIRE_OK(dmm_shuffle_enqueue(shuffle, shared.queue, &none, 0, 0, NULL, &done));
    REQUIRE_OK(clWaitForEvents(1, &done));
    clReleaseEvent(done);
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
