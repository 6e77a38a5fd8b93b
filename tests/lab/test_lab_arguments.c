/* SPDX-License-Identifier: MIT */
/*
 * Arguments that libdmm-lab rejects, and what its sorts and partitions have in common with those of
 * libdmm. test_sort_matrix has what a matrix cannot do.
 */
#include "support/require.h"

#include <dmm-lab/dmm-lab.h>

#include "support/forms.h"
#include "support/shared.h"

static dmm_sort *sort;
static dmm_partition *partition;

#define SORT_REFUSED(expected, method, ...) \
    REQUIRE_REFUSED(expected, &sort,        \
        dmm_lab_sort_create(                \
            &sort, shared.ctx, &(dmm_sort_desc){__VA_ARGS__}, (dmm_lab_sort_method)(method)))
#define PARTITION_REFUSED(expected, method, ...)                                             \
    REQUIRE_REFUSED(expected, &partition,                                                    \
        dmm_lab_partition_create(&partition, shared.ctx, &(dmm_partition_desc){__VA_ARGS__}, \
            (dmm_lab_partition_method)(method)))

static void sorts_are_refused(void **state)
{
    (void)state;
    SORT_REFUSED(DMM_BAD_VALUE, 0, .value_bytes = 4);
    SORT_REFUSED(DMM_BAD_VALUE, DMM_LAB_SORT_GATHER + 1, .value_bytes = 4);
    SORT_REFUSED(DMM_UNSUPPORTED, DMM_LAB_SORT_QUICK, .reserved = {0, 0, 1});
    SORT_REFUSED(DMM_BAD_VALUE, DMM_LAB_SORT_QUICK, .method = DMM_SORT_MERGE);
    SORT_REFUSED(DMM_BAD_VALUE, DMM_LAB_SORT_MATRIX, .order = {.type = (dmm_type)12});
    SORT_REFUSED(DMM_BAD_VALUE, DMM_LAB_SORT_QUICK, .value_bytes = 257);
    SORT_REFUSED(DMM_UNSUPPORTED, DMM_LAB_SORT_QUICK, .bits = {0, 8});
    REQUIRE_STATUS(DMM_NULL_ARGUMENT,
        dmm_lab_sort_create(NULL, shared.ctx, &(dmm_sort_desc){0}, DMM_LAB_SORT_QUICK));
    REQUIRE_STATUS(DMM_NULL_ARGUMENT,
        dmm_lab_sort_create(&sort, NULL, &(dmm_sort_desc){0}, DMM_LAB_SORT_QUICK));
    REQUIRE_STATUS(
        DMM_NULL_ARGUMENT, dmm_lab_sort_create(&sort, shared.ctx, NULL, DMM_LAB_SORT_QUICK));
    REQUIRE_STATUS(DMM_BAD_VALUE,
        dmm_lab_sort_host(shared.ctx, &(dmm_sort_desc){0}, (dmm_lab_sort_method)0, NULL, NULL, 0));
}

static void partitions_are_refused(void **state)
{
    enum { MATRIX = DMM_LAB_PARTITION_MATRIX, BLOCKS = DMM_LAB_PARTITION_BLOCKS };
    (void)state;
    PARTITION_REFUSED(DMM_BAD_VALUE, 0, .ways = 2);
    PARTITION_REFUSED(DMM_BAD_VALUE, BLOCKS + 1, .ways = 2);
    PARTITION_REFUSED(DMM_BAD_VALUE, MATRIX, .ways = 2, .method = DMM_PARTITION_RADIX);
    PARTITION_REFUSED(DMM_BAD_VALUE, MATRIX, .ways = 65537);
    PARTITION_REFUSED(DMM_BAD_VALUE, MATRIX, .ways = 2, .tuning.form = (dmm_form)3);
    PARTITION_REFUSED(DMM_UNSUPPORTED, MATRIX, .ways = 2, .tuning = CPU(64));
    PARTITION_REFUSED(DMM_UNSUPPORTED, BLOCKS, .ways = 2, .tuning = CPU(64));
    PARTITION_REFUSED(DMM_UNSUPPORTED, BLOCKS, .ways = 2, .guarantee = 1);
    PARTITION_REFUSED(DMM_BAD_PARAMETERS, MATRIX, .ways = 2, .tuning = GPU(16, 7));
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_lab_partition_host(shared.ctx, &(dmm_partition_desc){0},
                                          DMM_LAB_PARTITION_MATRIX, NULL, 0));
}

/* A sort of the lab is a dmm_sort: libdmm checks its calls, and frees it. */
static void a_sort_of_the_lab_is_a_sort(void **state)
{
    const dmm_sort_desc desc = {.tuning = GPU(32, 4)};
    const dmm_sort_args args = {.keys_in = DMM_NONE};
    uint64_t bytes = 0;
    (void)state;
    REQUIRE_OK(dmm_lab_sort_create(&sort, shared.ctx, &desc, DMM_LAB_SORT_MATRIX));
    REQUIRE(dmm_sort_chosen(sort) == DMM_SORT_AUTO);
    REQUIRE_OK(dmm_sort_temp_bytes(&bytes, sort, 1000));
    REQUIRE(bytes >= 4000);
    REQUIRE_STATUS(
        DMM_NULL_ARGUMENT, dmm_sort_enqueue(sort, shared.queue, &args, 1, 0, NULL, NULL));
    dmm_sort_free(sort);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sorts_are_refused),
        cmocka_unit_test(partitions_are_refused),
        cmocka_unit_test(a_sort_of_the_lab_is_a_sort),
    };
    return RUN_WITH_RIG("lab_arguments", "banks=16", tests);
}
