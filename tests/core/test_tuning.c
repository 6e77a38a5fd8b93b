/* SPDX-License-Identifier: MIT */
/*
 * Tuning files: which one is read, which row counts, and what is stronger.
 */
#include "support/require.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <dmm/tuning.h>

#include "support/tuning_case.h"

static void the_row_of_the_next_larger_item_counts(void **state)
{
    journal j;
    (void)state;
    test_note("sizes");
    tuning_write("a", "tune scan 4 E=2\ntune scan 16 E=1 # more\ntune scan * E=4\n"
                      "tune merge 8 E=2\ntune merge 8 E=1\n");
    dmm_context *const ctx = tuning_open("a", NULL, &j);
    REQUIRE(tuning_chosen_E(ctx, "scan", 1) == 2 && tuning_chosen_E(ctx, "scan", 4) == 2);
    REQUIRE(tuning_chosen_E(ctx, "scan", 5) == 1 && tuning_chosen_E(ctx, "scan", 16) == 1);
    REQUIRE(tuning_chosen_E(ctx, "scan", 17) == 4 && tuning_chosen_E(ctx, "scan", 256) == 4);
    test_note("of two that are alike, the later one; none for what is larger");
    REQUIRE(tuning_chosen_E(ctx, "merge", 8) == 1);
    REQUIRE(tuning_chosen_E(ctx, "merge", 9) == tuning_chosen_E(ctx, "topk", 9));
    REQUIRE(strcmp(dmm_context_tuning_file(ctx), "a") == 0);
    dmm_context_free(ctx);
}

static void the_device_is_stronger_than_its_vendor_and_that_than_any(void **state)
{
    journal j;
    char rest[512];
    (void)state;
    test_note("sections");
    snprintf(rest, sizeof rest,
        "tune scan 4 E=2\nvendor %.4s\ntune scan 4 E=1\ntune merge 4 E=1\n"
        "any\ntune scan 4 E=4\ntune merge 4 E=4\ntune topk 4 E=4\n"
        "device of somebody else\ntune topk 4 E=1\nvendor nobody at all\ntune topk 4 E=1\n",
        tuning_device.vendor);
    tuning_write("a", rest);
    dmm_context *const ctx = tuning_open("a", NULL, &j);
    REQUIRE(tuning_chosen_E(ctx, "scan", 4) == 2);
    REQUIRE(tuning_chosen_E(ctx, "merge", 4) == 1);
    REQUIRE(tuning_chosen_E(ctx, "topk", 4) == 4);
    dmm_context_free(ctx);
}

/* As tuning_built_in.c would have them. */
static void rows_that_are_built_in_are_weaker_than_a_file(void **state)
{
    char built_in[] = "dmm tuning 1\nany\nfact banks=64\ntune scan 4 form=gpu E=2\n"
                      "tune merge 4 form=gpu E=2\n";
    char file[] = "dmm tuning 1\nany\ntune scan * form=gpu E=4\n";
    const dmm_log quiet = {NULL, NULL};
    dmm_tuning_rows rows = {.count = 0};
    dmm_device device = tuning_device;
    (void)state;
    test_note("built in");
    REQUIRE_OK(dmm_tuning_rows_read(&rows, built_in, NULL, &device, &quiet));
    REQUIRE_OK(dmm_tuning_rows_read(&rows, file, "file", &device, &quiet));
    REQUIRE(dmm_tuning_rows_find(&rows, "scan", 4, DMM_FORM_GPU)->tuning.E == 4);
    REQUIRE(dmm_tuning_rows_find(&rows, "merge", 4, DMM_FORM_GPU)->tuning.E == 2);
    REQUIRE(dmm_tuning_rows_find(&rows, "merge", 4, DMM_FORM_CPU) == NULL);
    REQUIRE(device.banks.value == tuning_device.banks.value); /* facts are for files */
    dmm_tuning_rows_destroy(&rows);
    test_note("the text that is built in is sound");
    journal j;
    dmm_context *const ctx = tuning_open("", NULL, &j);
    REQUIRE(strstr(j.text, "skipped") == NULL);
    dmm_context_free(ctx);
}

/* What the library has for a device of that vendor, for sorts of keys of 4 bytes. */
static dmm_tuning built_in_for(const char *vendor, dmm_device_kind kind, uint32_t lanes)
{
    const dmm_log quiet = {NULL, NULL};
    dmm_tuning_rows rows = {.count = 0};
    dmm_device device = tuning_device;
    dmm_tuning tuning = {.u = 0};
    char *const text = malloc(strlen(dmm_tuning_built_in) + 1);
    device.kind = kind;
    device.lanes.value = lanes;
    snprintf(device.vendor, sizeof device.vendor, "%s", vendor);
    REQUIRE(text != NULL);
    strcpy(text, dmm_tuning_built_in);
    REQUIRE_OK(dmm_tuning_rows_read(&rows, text, NULL, &device, &quiet));
    const dmm_tuning_row *const row = dmm_tuning_rows_find(&rows, "sort.merge", 4, DMM_FORM_GPU);
    if (row != NULL)
        tuning = row->tuning;
    REQUIRE(dmm_tuning_rows_find(&rows, "sort.merge", 4, DMM_FORM_CPU) == NULL);
    dmm_tuning_rows_destroy(&rows);
    free(text);
    return tuning;
}

static void gpus_of_each_vendor_have_rows_and_cpus_of_that_name_have_none(void **state)
{
    (void)state;
    test_note("vendors");
    REQUIRE(built_in_for("NVIDIA Corporation", DMM_KIND_GPU, 32).E == 32);
    REQUIRE(built_in_for("NVIDIA Corporation", DMM_KIND_GPU, 32).u == 128);
    REQUIRE(built_in_for("Intel(R) Corporation", DMM_KIND_GPU, 16).E == 16);
    REQUIRE(built_in_for("Advanced Micro Devices, Inc.", DMM_KIND_GPU, 32).E == 32);
    REQUIRE(built_in_for("Advanced Micro Devices, Inc.", DMM_KIND_GPU, 64).E == 16);
    REQUIRE(built_in_for("GenuineIntel", DMM_KIND_CPU, 32).E == 0);
    REQUIRE(built_in_for("Apple", DMM_KIND_GPU, 32).E == 0);
}

static void overrides_are_stronger_than_a_file(void **state)
{
    const dmm_tuning own = {.E = 1};
    journal j;
    (void)state;
    test_note("overrides");
    tuning_write("a", "fact banks=16 lanes=8\ntune scan 4 E=2\n");
    dmm_context *ctx = tuning_open("a", NULL, &j);
    REQUIRE(ctx->device.banks.value == 16 && ctx->device.banks.source == DMM_SOURCE_FILE);
    REQUIRE(ctx->device.lanes.value == 8 && tuning_chosen_E(ctx, "scan", 4) == 2);
    REQUIRE(tuning_chosen(ctx, "scan", 4, &own).E == 1);
    dmm_context_free(ctx);
    ctx = tuning_open("a", "banks=64,E=4", &j);
    REQUIRE(ctx->device.banks.value == 64 && ctx->device.banks.source == DMM_SOURCE_OVERRIDE);
    REQUIRE(tuning_chosen_E(ctx, "scan", 4) == 4 && tuning_chosen(ctx, "scan", 4, &own).E == 1);
    dmm_context_free(ctx);
    setenv("DMM_METER_SET", "E=8", 1);
    ctx = tuning_open("a", NULL, &j);
    REQUIRE(tuning_chosen_E(ctx, "scan", 4) == 8);
    dmm_context_free(ctx);
    unsetenv("DMM_METER_SET");
}

static void the_callers_file_the_environments_the_users(void **state)
{
    journal j;
    char here[4000];
    (void)state;
    test_note("which file");
    REQUIRE(getcwd(here, sizeof here) != NULL);
    setenv("XDG_CONFIG_HOME", here, 1);
    setenv("APPDATA", here, 1); /* read on Windows */
    tuning_write("dmm/tuning", "tune scan 4 E=1\n");
    tuning_write("a", "tune scan 4 E=2\n");
    tuning_write("b", "tune scan 4 E=4\n");
    dmm_context *ctx = tuning_open(NULL, NULL, &j);
    REQUIRE(tuning_chosen_E(ctx, "scan", 4) == 1);
    dmm_context_free(ctx);
    setenv("DMM_TUNING", "a", 1);
    ctx = tuning_open(NULL, NULL, &j);
    REQUIRE(tuning_chosen_E(ctx, "scan", 4) == 2);
    dmm_context_free(ctx);
    ctx = tuning_open("b", NULL, &j);
    REQUIRE(tuning_chosen_E(ctx, "scan", 4) == 4);
    dmm_context_free(ctx);
    test_note("switched off");
    ctx = tuning_open("", NULL, &j);
    REQUIRE(dmm_context_tuning_file(ctx) == NULL && tuning_chosen_E(ctx, "scan", 4) != 4);
    dmm_context_free(ctx);
#if !defined(_WIN32) /* has no empty variables */
    setenv("DMM_TUNING", "", 1);
    ctx = tuning_open(NULL, NULL, &j);
    REQUIRE(dmm_context_tuning_file(ctx) == NULL);
    dmm_context_free(ctx);
#endif
    unsetenv("XDG_CONFIG_HOME");
}

static void a_guarantee_takes_no_plain_search_of_a_file(void **state)
{
    const dmm_tuning none = {0};
    dmm_footprint f = {.item_bytes = 4, .word = "topk"};
    dmm_parameters p;
    journal j;
    (void)state;
    test_note("guarantee");
    tuning_write("a", "tune topk 4 search=plain\n");
    dmm_context *const ctx = tuning_open("a", NULL, &j);
    REQUIRE_OK(dmm_context_choose(&p, ctx, &none, &f));
    REQUIRE(p.plain_search);
    f.guarantee = 1;
    REQUIRE_OK(dmm_context_choose(&p, ctx, &none, &f));
    REQUIRE(!p.plain_search);
    dmm_context_free(ctx);
}

static void every_digit_and_form_of_a_file_is_right(void **state)
{
    journal j;
    (void)state;
    for (unsigned digit = 8; digit <= 12; digit++)
        for (int form = 0; form < (digit == 8 ? 2 : 1); form++) {
            char rest[256];
            snprintf(rest, sizeof rest,
                "form %s\ntune sort.radix * form=cpu digit=%u tile=512\ntune topk * form=cpu "
                "digit=%u\ntune sort * form=gpu from=100\ntune sort * form=cpu from=never\n",
                form ? "gpu" : "cpu", digit, digit);
            test_note("%s", rest);
            tuning_write("a", rest);
            dmm_context *const ctx = tuning_open("a", NULL, &j);
            tuning_results_are_right(ctx);
            dmm_context_free(ctx);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_row_of_the_next_larger_item_counts),
        cmocka_unit_test(the_device_is_stronger_than_its_vendor_and_that_than_any),
        cmocka_unit_test(rows_that_are_built_in_are_weaker_than_a_file),
        cmocka_unit_test(gpus_of_each_vendor_have_rows_and_cpus_of_that_name_have_none),
        cmocka_unit_test(overrides_are_stronger_than_a_file),
        cmocka_unit_test(the_callers_file_the_environments_the_users),
        cmocka_unit_test(a_guarantee_takes_no_plain_search_of_a_file),
        cmocka_unit_test(every_digit_and_form_of_a_file_is_right),
    };
    return cmocka_run_group_tests_name("tuning", tests, tuning_make_folder, tuning_remove_folder);
}
