/* SPDX-License-Identifier: MIT */
/* ctest: oclgrind */
/*
 * Arguments that dmm_scan rejects, the order of the checks, and that a rejected call touches
 * nothing.
 */
#include "support/require.h"

#include "core/context.h"
#include "support/any_call.h"
#include "support/forms.h"
#include "support/scan_case.h"

static dmm_scan *refused;

#define REFUSED(expected, ...) \
    REQUIRE_REFUSED(           \
        expected, &refused, dmm_scan_create(&refused, shared.ctx, &(dmm_scan_desc){__VA_ARGS__}))

static void descriptions_outside_their_ranges_are_refused(void **state)
{
    (void)state;
    REFUSED(DMM_BAD_VALUE, .type = DMM_F16);
    REFUSED(DMM_BAD_VALUE, .type = DMM_ITEM);
    REFUSED(DMM_BAD_VALUE, .type = (dmm_type)12);
    REFUSED(DMM_BAD_VALUE, .type = (dmm_type)1000);
    REFUSED(DMM_BAD_VALUE, .op = (dmm_scan_op)3);
    REFUSED(DMM_BAD_VALUE, .tuning = {.form = (dmm_form)3});
    REFUSED(DMM_BAD_PARAMETERS, .tuning = {DMM_FORM_GPU, .u = 24});
    REFUSED(DMM_BAD_PARAMETERS, .tuning = {DMM_FORM_GPU, .u = 8}); /* fewer than the banks */
    REFUSED(DMM_BAD_PARAMETERS, .tuning = {DMM_FORM_GPU, .E = 33});
    REFUSED(DMM_BAD_PARAMETERS, .type = DMM_U64, .tuning = {DMM_FORM_GPU, .u = 1u << 20});
    REFUSED(DMM_BAD_PARAMETERS, .tuning = {DMM_FORM_CPU, .E = 7});
    REFUSED(DMM_BAD_PARAMETERS, .tuning = {DMM_FORM_CPU, .tile = 100});
}

/* The fact is taken away: most devices have double. Keys are compared without, sums are not added.
 */
static void doubles_are_refused_where_the_device_has_none(void **state)
{
    const uint64_t fp64 = shared.ctx->device.fp64.value;
    (void)state;
    shared.ctx->device.fp64.value = 0;
    REFUSED(DMM_UNSUPPORTED, .type = DMM_F64);
    shared.ctx->device.fp64.value = fp64;
}

static void missing_pointers_are_refused(void **state)
{
    const dmm_scan_desc desc = {0};
    dmm_scan *scan = NULL;
    uint64_t bytes = 17;
    uint32_t item = 1;
    (void)state;
    test_note("missing pointers");
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_scan_create(NULL, shared.ctx, &desc));
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_scan_create(&scan, NULL, &desc));
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_scan_create(&scan, shared.ctx, NULL));
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_scan_temp_bytes(&bytes, NULL, 1));
    REQUIRE(bytes == 17);
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_scan_host(NULL, &desc, &item, 1));
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_scan_host(shared.ctx, NULL, &item, 1));
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_scan_host(shared.ctx, &desc, NULL, 1));
    dmm_scan_free(NULL);
}

enum { N = 300, MAX_N = 1000 };

static dmm_scan *build_for_arguments(void)
{
    const scan_setup setup = {{DMM_U32, DMM_SCAN_SUM, 0}, GPU(16, 4), MAX_N};
    return scan_build(&shared, &setup);
}

static dmm_status enqueue(const any_call *c, cl_event *event)
{
    return dmm_scan_enqueue(c->object, c->queue, c->args, c->n.first, c->num_wait, NULL, event);
}

static void arguments_are_checked_in_their_order_and_nothing_is_touched(void **state)
{
    uint64_t temp_bytes = 0;
    (void)state;
    dmm_scan *scan = build_for_arguments();
    zone in = zone_create(&shared, NULL, 4 * N, 0), out = zone_create(&shared, NULL, 4 * N, 4 * N);
    REQUIRE_STATUS(DMM_TOO_LARGE, dmm_scan_temp_bytes(&temp_bytes, scan, MAX_N + 1));
    REQUIRE_OK(dmm_scan_temp_bytes(&temp_bytes, scan, N));
    REQUIRE(temp_bytes != 0);
    zone temp = zone_create(&shared, NULL, temp_bytes, 0);
    dmm_scan_args args = {.temp = DMM_NONE};
    any_call call = {enqueue, scan, &args, {N, 0}, shared.queue, 0, NULL};

    any_call_before_spans(&call, &(call_counts){MAX_N + 1, 0}, 1);
    WRONG_SPAN(args.in, &in, 4);
    WRONG_SPAN(args.out, &out, 4);
    args.out = (dmm_span){in.buffer, 4};
    WRONG(in.total_bytes > in.bytes ? DMM_OVERLAP : DMM_SPAN_TOO_SMALL);
    args.out = zone_span(&out);
    args.temp = (dmm_span){out.buffer, 1024};
    WRONG(DMM_OVERLAP);
    args.temp = (dmm_span){in.buffer, 256};
    WRONG(DMM_OVERLAP);
    WRONG_TEMP(args.temp, &temp);
    FREE_UNTOUCHED(&in, &out, &temp);
    dmm_scan_free(scan);
}

static void overlaps_are_refused_and_neighbours_are_not(void **state)
{
    static const struct {
        uint64_t in, out;
        dmm_status expected;
    } cases[] = {{0, 1, DMM_OVERLAP}, {1, 0, DMM_OVERLAP}, {0, N - 1, DMM_OVERLAP},
        {N, 2 * N - 1, DMM_OVERLAP}, {0, N, DMM_OK}, {N, 0, DMM_OK}, {N / 2, N / 2, DMM_OK}};
    dmm_scan *scan = build_for_arguments();
    zone z = zone_create(&shared, NULL, 4 * 3 * N, 0);
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const dmm_scan_args args = {
            .in = {z.buffer, 4 * cases[i].in}, .out = {z.buffer, 4 * cases[i].out}};
        test_note("in %d out %d", (int)cases[i].in, (int)cases[i].out);
        REQUIRE_STATUS(
            cases[i].expected, dmm_scan_enqueue(scan, shared.queue, &args, N, 0, NULL, NULL));
        REQUIRE_OK(clFinish(shared.queue));
        if (cases[i].expected != DMM_OK)
            REQUIRE(zone_untouched(&shared, &z));
    }
    zone_free(&z);
    dmm_scan_free(scan);
}

/* One group needs no temp: a small call takes any, and none at all. */
static void a_small_call_needs_no_temp(void **state)
{
    uint64_t temp_bytes = 1;
    dmm_scan *scan = build_for_arguments();
    zone z = zone_create(&shared, NULL, 4 * 64, 0);
    const dmm_span span = zone_span(&z);
    const dmm_scan_args args = {.in = span, .out = span, .temp = {z.buffer, 3}};
    (void)state;
    test_note("one tile");
    REQUIRE_OK(dmm_scan_temp_bytes(&temp_bytes, scan, 64));
    REQUIRE(temp_bytes == 0);
    REQUIRE_OK(dmm_scan_enqueue(scan, shared.queue, &args, 64, 0, NULL, NULL));
    REQUIRE_OK(clFinish(shared.queue));
    zone_free(&z);
    dmm_scan_free(scan);
}

static void zero_items_need_no_spans(void **state)
{
    const dmm_scan_args none = {.temp = DMM_NONE};
    const dmm_scan_desc desc = {0};
    dmm_scan *scan = build_for_arguments();
    (void)state;
    any_call_of_nothing(&(any_call){enqueue, scan, &none, {0, 0}, shared.queue, 0, NULL});
    REQUIRE_OK(dmm_scan_host(shared.ctx, &desc, NULL, 0));
    dmm_scan_free(scan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(descriptions_outside_their_ranges_are_refused),
        cmocka_unit_test(doubles_are_refused_where_the_device_has_none),
        cmocka_unit_test(missing_pointers_are_refused),
        cmocka_unit_test(arguments_are_checked_in_their_order_and_nothing_is_touched),
        cmocka_unit_test(overlaps_are_refused_and_neighbours_are_not),
        cmocka_unit_test(a_small_call_needs_no_temp),
        cmocka_unit_test(zero_items_need_no_spans),
    };
    return RUN_WITH_RIG("scan_arguments", "banks=16,units=4", tests);
}
