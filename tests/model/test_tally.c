/* SPDX-License-Identifier: MIT */
/* Sums of readings, and the statuses of the model library. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include <dmm-model/dmm-model.h>
#include <dmm/status.h>

static void tallies_add_up_by_label(void **state)
{
    (void)state;
    dmm_model_tally rows[2] = {{0}};
    const dmm_model_reading a = {.passes = 1, .needed = 1, .conflicts = 0, .worst = 1};
    const dmm_model_reading b = {.passes = 2, .needed = 1, .conflicts = 1, .worst = 2};
    const dmm_model_reading nothing = {0};
    char gather[] = "gather"; /* labels are compared as text */
    dmm_model_tally_add(dmm_model_tally_find(rows, 2, "gather"), &a);
    dmm_model_tally_add(dmm_model_tally_find(rows, 2, "store"), &a);
    dmm_model_tally_add(dmm_model_tally_find(rows, 2, gather), &b);
    dmm_model_tally_add(dmm_model_tally_find(rows, 2, gather), &nothing);
    assert_null(dmm_model_tally_find(rows, 2, "search"));
    assert_null(dmm_model_tally_find(NULL, 0, "search"));
    assert_string_equal(rows[0].label, "gather");
    assert_int_equal(rows[0].steps, 2);
    assert_int_equal(rows[0].passes, 3);
    assert_int_equal(rows[0].needed, 2);
    assert_int_equal(rows[0].conflicts, 1);
    assert_int_equal(rows[0].worst, 2);
    assert_int_equal(rows[1].steps, 1);
    assert_int_equal(rows[1].conflicts, 0);
}

/* A program may pass statuses of either library to one handler. */
static void statuses_have_the_numbers_of_libdmm(void **state)
{
    (void)state;
    assert_int_equal(DMM_MODEL_OK, DMM_OK);
    assert_int_equal(DMM_MODEL_NULL_ARGUMENT, DMM_NULL_ARGUMENT);
    assert_int_equal(DMM_MODEL_BAD_VALUE, DMM_BAD_VALUE);
    assert_int_equal(DMM_MODEL_OUT_OF_MEMORY, DMM_OUT_OF_MEMORY);
    assert_int_equal(DMM_MODEL_TOO_LARGE, DMM_TOO_LARGE);
    assert_int_equal(DMM_MODEL_UNSUPPORTED, DMM_UNSUPPORTED);
    assert_int_equal(DMM_MODEL_BAD_DATA, DMM_BAD_DATA);
}

static void every_status_has_a_text_of_its_own(void **state)
{
    static const dmm_model_status statuses[] = {DMM_MODEL_OK, DMM_MODEL_NULL_ARGUMENT,
        DMM_MODEL_BAD_VALUE, DMM_MODEL_OUT_OF_MEMORY, DMM_MODEL_TOO_LARGE, DMM_MODEL_UNSUPPORTED,
        DMM_MODEL_BAD_DATA, -1};
    enum { COUNT = sizeof statuses / sizeof statuses[0] };
    (void)state;
    for (int i = 0; i < COUNT; i++)
        for (int j = 0; j < i; j++)
            assert_string_not_equal(
                dmm_model_status_string(statuses[i]), dmm_model_status_string(statuses[j]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tallies_add_up_by_label),
        cmocka_unit_test(statuses_have_the_numbers_of_libdmm),
        cmocka_unit_test(every_status_has_a_text_of_its_own),
    };
    return cmocka_run_group_tests_name("tally", tests, NULL, NULL);
}
