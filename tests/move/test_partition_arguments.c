/* SPDX-License-Identifier: MIT */
/* ctest: oclgrind */
/* Descriptions that dmm_partition rejects; and temp. Wrong arguments: test_arguments.c. */
#include "support/require.h"

#include "primitives/partition.h"
#include "support/shared.h"
#include "support/forms.h"
#include "support/partition_case.h"

static dmm_partition *refused;

#define REFUSED(expected, ...)          \
    REQUIRE_REFUSED(expected, &refused, \
        dmm_partition_create(&refused, shared.ctx, &(dmm_partition_desc){__VA_ARGS__}))

static void descriptions_outside_their_ranges_are_refused(void **state)
{
    (void)state;
    REFUSED(DMM_BAD_VALUE, .ways = 65537);
    REFUSED(DMM_BAD_VALUE, .ways = 2, .by = (dmm_partition_by)4);
    REFUSED(DMM_BAD_VALUE, .ways = 2, .order = {.type = (dmm_type)12});
    REFUSED(DMM_BAD_VALUE, .ways = 2, .order = {.type = DMM_ITEM});
    REFUSED(DMM_BAD_VALUE, .ways = 2, .order = {.type = DMM_ITEM, .item_bytes = 257});
    REFUSED(DMM_BAD_VALUE, .ways = 2, .value_bytes = 257);
    REFUSED(DMM_BAD_VALUE, .ways = 2, .label_bytes = 3);
    REFUSED(DMM_BAD_VALUE, .ways = 2, .label_bytes = 8);
    REFUSED(DMM_BAD_VALUE, .ways = 2, .by = DMM_PARTITION_BY_SPLITTERS, .label_bytes = 4);
    REFUSED(DMM_BAD_VALUE, .ways = 2, .by = DMM_PARTITION_BY_SPLITTERS,
        .order = {.type = DMM_ITEM, .item_bytes = 4, .item = "typedef uint dmm_item;"});
    REFUSED(DMM_BAD_VALUE, .ways = 2, .bits = {0, 1});
    REFUSED(DMM_BAD_VALUE, .ways = 2, .expression = "0");
    REFUSED(DMM_BAD_VALUE, .ways = 2, .by = DMM_PARTITION_BY_EXPRESSION);
    REFUSED(DMM_BAD_VALUE, .ways = 2, .by = DMM_PARTITION_BY_BITS);
    REFUSED(DMM_BAD_VALUE, .ways = 2, .by = DMM_PARTITION_BY_BITS, .bits = {3, 3});
    REFUSED(DMM_BAD_VALUE, .ways = 2, .by = DMM_PARTITION_BY_BITS, .bits = {31, 33});
    REFUSED(DMM_BAD_VALUE, .ways = 2, .by = DMM_PARTITION_BY_BITS, .bits = {0, 17});
    REFUSED(DMM_UNSUPPORTED, .ways = 2, .by = DMM_PARTITION_BY_BITS, .bits = {0, 1},
        .order = {.type = DMM_F32});
    REFUSED(DMM_UNSUPPORTED, .ways = 2, .by = DMM_PARTITION_BY_BITS, .bits = {0, 1},
        .order = {.less = "a < b"});
    REFUSED(DMM_BAD_VALUE, .ways = 2, .method = (dmm_partition_method)2);
    REFUSED(DMM_BAD_VALUE, .ways = 2, .tuning.form = (dmm_form)3);
    REFUSED(DMM_BAD_VALUE, .ways = 2, .tuning = {.form = (dmm_form)3});
    REFUSED(DMM_BAD_PARAMETERS, .ways = 2, .tuning = {DMM_FORM_GPU, .u = 24});
    REFUSED(DMM_BAD_PARAMETERS, .ways = 2, .tuning = {DMM_FORM_CPU, .tile = 100});
    REFUSED(DMM_BUILD_FAILED, .ways = 2, .by = DMM_PARTITION_BY_EXPRESSION, .expression = "key +");
    REFUSED(DMM_BUILD_FAILED, .ways = 2, .by = DMM_PARTITION_BY_EXPRESSION, .expression = "value");
    REFUSED(DMM_BUILD_FAILED, .ways = 2, .by = DMM_PARTITION_BY_EXPRESSION, .expression = "value",
        .value_bytes = 3);
    dmm_partition *partition = NULL;
    REQUIRE_OK(dmm_partition_create(&partition, shared.ctx, &(dmm_partition_desc){0}));
    REQUIRE(partition->desc.ways == 2);
    dmm_partition_free(partition);
}

static partition_setup the_setup(void)
{
    return (partition_setup){
        .k = kind_named("u32"), .ways = 5, .value_bytes = 4, .tuning = GPU(16, 7)};
}

static void temp_bytes_never_fall_as_n_grows(void **state)
{
    (void)state;
    for (int form = DMM_FORM_GPU; form <= DMM_FORM_CPU; form++) {
        partition_setup setup = the_setup();
        setup.max_n = UINT64_MAX / 2;
        setup.ways = form == DMM_FORM_GPU ? 5 : 1000;
        setup.tuning = (dmm_tuning){.form = (dmm_form)form};
        dmm_partition *const partition = partition_build(&shared, &setup);
        uint64_t before = 0, bytes = 0;
        for (uint64_t n = 0; n < (uint64_t)1 << 50; n += 1 + n / 17, before = bytes) {
            REQUIRE_OK(dmm_partition_temp_bytes(&bytes, partition, n));
            REQUIRE(bytes >= before);
        }
        REQUIRE_STATUS(
            DMM_TOO_LARGE, dmm_partition_temp_bytes(&bytes, partition, UINT64_MAX / 2 + 1));
        REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_partition_temp_bytes(NULL, partition, 1));
        dmm_partition_free(partition);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(descriptions_outside_their_ranges_are_refused),
        cmocka_unit_test(temp_bytes_never_fall_as_n_grows),
    };
    return RUN_WITH_RIG("partition_arguments", "banks=16", tests);
}
