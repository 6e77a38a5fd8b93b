/* SPDX-License-Identifier: MIT */
/* ctest: oclgrind */
/* Descriptions and arguments that dmm_scan rejects; those that its ports say: test_arguments.c. */
#include "support/require.h"

#include "core/context.h"
#include "support/shared.h"
#include "support/zone.h"
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
    uint32_t item = 1;
    (void)state;
    test_note("missing pointers");
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_scan_host(NULL, &desc, &item, 1));
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_scan_host(shared.ctx, NULL, &item, 1));
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_scan_host(shared.ctx, &desc, NULL, 1));
    REQUIRE_OK(dmm_scan_host(shared.ctx, &desc, NULL, 0));
}

/* One group needs no temp: a small call takes any, and none at all. */
static void a_small_call_needs_no_temp(void **state)
{
    uint64_t temp_bytes = 1;
    const scan_setup setup = {{DMM_U32, DMM_SCAN_SUM, 0}, GPU(16, 4), 1000};
    dmm_scan *scan = scan_build(&shared, &setup);
    zone z = zone_create(&shared, NULL, 4 * 64, 0);
    const dmm_span span = zone_span(&z);
    const dmm_scan_args args = {.in = span, .out = span, .temp = {z.buffer, 3}};
    (void)state;
    test_note("one tile");
    REQUIRE_OK(dmm_scan_temp_bytes(&temp_bytes, scan, 65));
    REQUIRE(temp_bytes != 0);
    REQUIRE_OK(dmm_scan_temp_bytes(&temp_bytes, scan, 64));
    REQUIRE(temp_bytes == 0);
    REQUIRE_OK(dmm_scan_enqueue(scan, shared.queue, &args, 64, 0, NULL, NULL));
    REQUIRE_OK(clFinish(shared.queue));
    zone_free(&z);
    dmm_scan_free(scan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(descriptions_outside_their_ranges_are_refused),
        cmocka_unit_test(doubles_are_refused_where_the_device_has_none),
        cmocka_unit_test(missing_pointers_are_refused),
        cmocka_unit_test(a_small_call_needs_no_temp),
    };
    return RUN_WITH_RIG("scan_arguments", "banks=16,units=4", tests);
}
