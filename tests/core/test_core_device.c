/* SPDX-License-Identifier: MIT */
/* ctest: default */
/*
 * Devices: the list, the choice by text, facts with their sources; on whatever machine this runs.
 */
#include "support/require.h"

#include <ctype.h>
#include <string.h>

#include <dmm/device.h>

static void the_list_is_in_order_of_kinds_and_complete(void **state)
{
    dmm_device *devices = NULL;
    size_t count = 0;
    cl_platform_id platforms[64];
    cl_uint num_platforms = 0, total = 0;
    (void)state;
    test_note("listing");
    REQUIRE_OK(dmm_device_list(&devices, &count));
    REQUIRE_OK(clGetPlatformIDs(64, platforms, &num_platforms));
    for (cl_uint i = 0; i < num_platforms && i < 64; i++) {
        cl_uint found = 0;
        if (clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 0, NULL, &found) == CL_SUCCESS)
            total += found;
    }
    REQUIRE(count == total && count > 0);
    for (size_t i = 0; i < count; i++) {
        REQUIRE(i == 0 || devices[i - 1].kind <= devices[i].kind);
        REQUIRE(*dmm_device_kind_name(devices[i].kind) != '\0');
        REQUIRE(devices[i].id != NULL && devices[i].platform != NULL);
        REQUIRE(*devices[i].name != '\0' && *devices[i].platform_name != '\0');
    }
    dmm_device_list_free(devices);
    dmm_device_list_free(NULL);
}

static void every_fact_has_a_name_a_value_and_a_source(void **state)
{
    dmm_device device;
    const char *name = NULL;
    const dmm_fact *fact = NULL;
    size_t i = 0;
    (void)state;
    test_note("facts");
    REQUIRE_OK(dmm_device_find(&device, NULL));
    for (; (fact = dmm_device_fact(&device, i, &name)) != NULL; i++) {
        test_note("fact %s", name);
        REQUIRE(*dmm_source_name(fact->source) != '\0');
        REQUIRE(fact->value != 0 || strcmp(name, "unified") == 0 || strcmp(name, "fp64") == 0 ||
                strcmp(name, "launch_items") == 0);
    }
    REQUIRE(i == 11);
    REQUIRE(dmm_device_fact(&device, 0, NULL) == &device.banks);
    REQUIRE(dmm_device_fact(NULL, 0, &name) == NULL);
    REQUIRE(*dmm_source_name((dmm_source)0) == '\0' && *dmm_source_name((dmm_source)99) == '\0');
    REQUIRE(*dmm_device_kind_name((dmm_device_kind)0) == '\0');
}

static void facts_are_what_kernels_can_use(void **state)
{
    dmm_device *devices = NULL;
    size_t count = 0;
    (void)state;
    test_note("facts");
    REQUIRE_OK(dmm_device_list(&devices, &count));
    for (size_t i = 0; i < count; i++) {
        const dmm_device *const d = &devices[i];
        const uint64_t banks = d->banks.value;
        test_note("device %s", d->name);
        REQUIRE((banks & (banks - 1)) == 0 && banks >= 4 && banks <= 128);
        REQUIRE(d->bank_bytes.value == 4 || d->bank_bytes.value == 8);
        REQUIRE(d->sync_width.value >= 1 && d->sync_width.value <= 64 && d->lanes.value >= 1);
        REQUIRE(d->max_group.value >= 1 && d->max_buffer.value >= 1 << 20);
        REQUIRE(d->unified.value <= 1 && d->fp64.value <= 1);
    }
    dmm_device_list_free(devices);
}

static void a_device_is_found_by_index_and_by_a_part_of_its_name(void **state)
{
    dmm_device *devices = NULL;
    dmm_device found;
    size_t count = 0;
    char text[sizeof found.name];
    (void)state;
    test_note("finding");
    REQUIRE_OK(dmm_device_list(&devices, &count));
    REQUIRE_OK(dmm_device_find(&found, NULL));
    REQUIRE(found.id == devices[0].id);
    REQUIRE_OK(dmm_device_find(&found, ""));
    REQUIRE(found.id == devices[0].id);
    for (size_t i = 0; i < count; i++) {
        snprintf(text, sizeof text, "%u", (unsigned)i);
        REQUIRE_OK(dmm_device_find(&found, text));
        REQUIRE(found.id == devices[i].id);
    }
    for (size_t i = 0; devices[0].name[i] != '\0'; i++)
        text[i] = (char)toupper((unsigned char)devices[0].name[i]), text[i + 1] = '\0';
    REQUIRE_OK(dmm_device_find(&found, text));
    REQUIRE(found.id == devices[0].id);
    REQUIRE_OK(dmm_device_find(&found, devices[0].platform_name));
    dmm_device_list_free(devices);
}

static void a_device_that_is_not_there_is_not_found(void **state)
{
    static const char *const wrong[] = {
        "no such device", "999", "99999999999999999999999", "0x0x", "-1"};
    dmm_device found;
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        test_note("'%s'", wrong[i]);
        REQUIRE_STATUS(DMM_NO_DEVICE, dmm_device_find(&found, wrong[i]));
    }
}

static void missing_pointers_are_refused(void **state)
{
    dmm_device *devices = NULL;
    size_t count = 0;
    (void)state;
    test_note("missing pointers");
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_device_list(NULL, &count));
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_device_list(&devices, NULL));
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_device_find(NULL, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_list_is_in_order_of_kinds_and_complete),
        cmocka_unit_test(every_fact_has_a_name_a_value_and_a_source),
        cmocka_unit_test(facts_are_what_kernels_can_use),
        cmocka_unit_test(a_device_is_found_by_index_and_by_a_part_of_its_name),
        cmocka_unit_test(a_device_that_is_not_there_is_not_found),
        cmocka_unit_test(missing_pointers_are_refused),
    };
    return cmocka_run_group_tests_name("core_device", tests, NULL, NULL);
}
