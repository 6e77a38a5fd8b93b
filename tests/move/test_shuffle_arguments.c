/* SPDX-License-Identifier: MIT */
/* ctest: oclgrind */
/* Descriptions and arguments that dmm_shuffle rejects; those that its ports say:
 * test_arguments.c. */
#include "support/require.h"

#include <dmm/shuffle.h>

#include "support/shared.h"

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
    uint32_t item = 1;
    (void)state;
    test_note("missing pointers");
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_shuffle_host(NULL, &desc, 1, &item, NULL, 1));
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_shuffle_host(shared.ctx, NULL, 1, &item, NULL, 1));
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_shuffle_host(shared.ctx, &desc, 1, NULL, NULL, 1));
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_shuffle_sample_host(shared.ctx, 1, 2, 1, 4, NULL));
    REQUIRE_OK(dmm_shuffle_host(shared.ctx, &desc, 1, NULL, NULL, 0));
}

/* Judged with n, before the wait list. */
static void more_items_than_there_are_are_refused(void **state)
{
    enum { N = 300 };
    const dmm_shuffle_desc desc = {.item_bytes = 4};
    const dmm_shuffle_args args = {.count = N + 1};
    dmm_shuffle *shuffle = NULL;
    (void)state;
    REQUIRE_OK(dmm_shuffle_create(&shuffle, shared.ctx, &desc));
    REQUIRE_STATUS(
        DMM_BAD_VALUE, dmm_shuffle_enqueue(shuffle, shared.queue, &args, N, 1, NULL, NULL));
    dmm_shuffle_free(shuffle);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(descriptions_outside_their_ranges_are_refused),
        cmocka_unit_test(missing_pointers_are_refused),
        cmocka_unit_test(more_items_than_there_are_are_refused),
    };
    return RUN_WITH_RIG("shuffle_arguments", "banks=16,units=4", tests);
}
