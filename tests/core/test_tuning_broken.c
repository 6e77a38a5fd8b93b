/* SPDX-License-Identifier: MIT */
/* ctest: wrap=clGetKernelWorkGroupInfo */
/*
 * Tuning files that are wrong, in whatever way: none is fatal or changes a result, and the log says
 * what was skipped.
 */
#include "support/require.h"

#include <stdlib.h>
#include <string.h>

#include <dmm/scan.h>
#include <dmm/tuning.h>

#include "support/random.h"
#include "support/rig.h"
#include "support/tuning_case.h"

/* The device refuses kernels for larger groups; 0: as it is. */
static size_t most_of_kernels;

cl_int __real_clGetKernelWorkGroupInfo(
    cl_kernel, cl_device_id, cl_kernel_work_group_info, size_t, void *, size_t *);
cl_int __wrap_clGetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id device,
    cl_kernel_work_group_info what, size_t bytes, void *out, size_t *used);

cl_int __wrap_clGetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id device,
    cl_kernel_work_group_info what, size_t bytes, void *out, size_t *used)
{
    const cl_int status = __real_clGetKernelWorkGroupInfo(kernel, device, what, bytes, out, used);
    if (most_of_kernels != 0 && what == CL_KERNEL_WORK_GROUP_SIZE && bytes == sizeof(size_t))
        memcpy(out, &most_of_kernels, sizeof most_of_kernels);
    return status;
}

static void files_that_cannot_be_read_are_logged(void **state)
{
    const char *const names[] = {"nothing here", "dmm", "/dev/zero", "b"};
    journal j;
    (void)state;
    tuning_write_bytes("b", "dmm tuning 2\n", 13);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        test_note("%s", names[i]);
        dmm_context *const ctx = tuning_open(names[i], NULL, &j);
        REQUIRE(strstr(j.text, names[i]) != NULL && strstr(j.text, "skipped") != NULL);
        dmm_context_free(ctx);
    }
}

static void what_is_wrong_is_logged_by_line_and_left_out(void **state)
{
    const struct {
        const char *line, *reason;
    } cases[] = {
        {"tune scan 4 E=33", "a:4: 'E' must be a whole number from 1 to 32"},
        {"tune scan 4 u=100", "a:4: 'u' must be a power of two"},
        {"tune scan 4 form=tpu", "a:4: 'form' must be one of"},
        {"tune scan 4 E", "a:4: 'E' is not of the form NAME=VALUE"},
        {"tune scan 4 E=1 speed=9", "a:4: 'speed' is not a parameter of this version"},
        {"tune scan 4 banks=16", "a:4: 'banks' is not a parameter of this version"},
        {"tune scan 0 E=2", "a:4: '0' is not a number of bytes"},
        {"tune scan", "a:4: 'tune' needs a primitive and the bytes of its items"},
        {"tune scam 4 E=2", "a:4: 'scam' is not a primitive"},
        {"tune sort 4 from=-1", "a:4: 'from' has an invalid value"},
        {"tune topk 4 digit=13", "a:4: 'digit' has an invalid value"},
        {"tuna scan 4 E=2", "a:4: 'tuna' is not a key"},
        {"form tpu", "a:4: 'tpu' must be one of"},
        {"fact banks=5", "a:4: 'banks' has an invalid value"},
        {"fact banks", "a:4: 'banks' is not of the form NAME=VALUE"},
        {"fact fp64=0", "a:4: 'fp64' has an invalid value"},
        {"fact colour=9", "a:4: 'colour' is not a fact"},
        {"fact local_bytes=1073741824", "a:4: 'local_bytes' is more than the driver's value"},
        {"fact local_bytes=1024",
            "a:4: 'local_bytes' is more than the driver's value, or too small"},
        {"fact max_group=65536", "a:4: 'max_group' is more than the driver's value"},
        {"fact sync_width=1", "a:4: 'sync_width' cannot be set by a file"},
        {"driver of yesterday", "a:4: tuned with driver of yesterday, but this is driver"},
    };
    journal j;
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char rest[512];
        test_note("%s", cases[i].line);
        snprintf(rest, sizeof rest, "%s\ntune merge 4 E=2\n", cases[i].line);
        tuning_write("a", rest);
        dmm_context *const ctx = tuning_open("a", NULL, &j);
        if (strstr(j.text, cases[i].reason) == NULL)
            fail_msg("%s\n  is not in: %s", cases[i].reason, j.text);
        REQUIRE(tuning_chosen_E(ctx, "merge", 4) == 2);
        dmm_context_free(ctx);
    }
    test_note("before any section");
    tuning_write_bytes("a", "dmm tuning 1\ntune scan 4 E=2", 28);
    dmm_context_free(tuning_open("a", NULL, &j));
    REQUIRE(strstr(j.text, "a:2: 'tune' comes before any device") != NULL);
}

static void a_row_that_does_not_fit_is_left_out_and_counted(void **state)
{
    const dmm_tuning gpu = {.form = DMM_FORM_GPU};
    journal j;
    dmm_tuned row;
    (void)state;
    test_note("misfit");
    tuning_write("a", "tune scan * form=gpu u=1024 E=32\ntune scan * form=cpu E=32 tile=64\n");
    dmm_context *const ctx = tuning_open("a", "local_bytes=32768,max_group=256", &j);
    REQUIRE(tuning_chosen(ctx, "scan", 4, &gpu).u == 256);
    REQUIRE(strstr(j.text, "a:4: does not fit scan on this device: skipped") != NULL);
    REQUIRE_OK(dmm_context_tuned(&row, ctx, 0));
    REQUIRE(row.misfits == 1 && row.line == 4 && row.source == DMM_SOURCE_FILE);
    REQUIRE(strcmp(row.settings, "form=gpu u=1024 E=32") == 0 && row.item_bytes == UINT32_MAX);
    REQUIRE_OK(dmm_context_tuned(&row, ctx, 1));
    REQUIRE(row.misfits == 0 && strcmp(row.settings, "form=cpu E=32 tile=64") == 0);
    test_note("listing");
    REQUIRE_STATUS(DMM_BAD_VALUE, dmm_context_tuned(&row, ctx, 1000));
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_context_tuned(NULL, ctx, 0));
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_context_tuned(&row, NULL, 0));
    dmm_context_free(ctx);
}

static void a_row_with_which_no_kernel_runs_is_dropped(void **state)
{
    const dmm_scan_desc too_many = {.tuning = {.form = DMM_FORM_GPU, .u = 512}};
    dmm_scan *scan = NULL;
    journal j;
    dmm_tuned row;
    (void)state;
    test_note("a kernel for groups of 256");
    tuning_write("a", "form gpu\ntune scan * form=gpu u=512\ntune sort.merge * form=gpu u=512 E=2\n"
                      "tune sort.radix * form=gpu u=512 E=2\ntune topk * form=gpu u=512 E=2\n");
    dmm_context *const ctx = tuning_open("a", NULL, &j);
    most_of_kernels = 256;
    tuning_results_are_right(ctx);
    REQUIRE(strstr(j.text, "a:5: does not fit scan on this device: skipped") != NULL);
    for (size_t i = 0; i < 4; i++) {
        REQUIRE_OK(dmm_context_tuned(&row, ctx, i));
        REQUIRE(row.misfits >= 1);
    }
    test_note("the caller's own is refused");
    REQUIRE_STATUS(DMM_BAD_PARAMETERS, dmm_scan_create(&scan, ctx, &too_many));
    most_of_kernels = 0;
    dmm_context_free(ctx);
}

static void a_kernel_with_a_lower_limit_gets_smaller_groups(void **state)
{
    const dmm_tuning gpu = {.form = DMM_FORM_GPU}, own = {.form = DMM_FORM_GPU, .u = 256};
    journal j;
    (void)state;
    test_note("groups of 100 at most");
    dmm_context *ctx = tuning_open("", "form=gpu", &j);
    REQUIRE(tuning_chosen(ctx, "scan", 4, &gpu).u == 256);
    most_of_kernels = 100;
    tuning_results_are_right(ctx);
    REQUIRE(strstr(j.text, "runs it in groups of at most 100, not u=256") != NULL);
    REQUIRE(tuning_chosen(ctx, "scan", 4, &gpu).u == 64);
    const dmm_scan_desc refused = {.tuning = own};
    dmm_scan *scan = NULL;
    REQUIRE_STATUS(DMM_BAD_PARAMETERS, dmm_scan_create(&scan, ctx, &refused));
    dmm_context_free(ctx);
    test_note("less than a warp: the size that the kernel was compiled for is believed");
    ctx = tuning_open("", "form=gpu,lanes=32", &j);
    most_of_kernels = 32;
    tuning_results_are_right(ctx);
    REQUIRE(strstr(j.text, "not believed") != NULL);
    REQUIRE(tuning_chosen(ctx, "scan", 4, &gpu).u == 256);
    most_of_kernels = 0;
    dmm_context_free(ctx);
}

/* A file as somebody may have it. */
static const char sound[] =
    "rate global_copy=7.1\ndate 2026-11-21\nfact banks=32 lanes=32\n"
    "tune sort.merge 4 E=16 tile=1024 form=cpu # fast\n"
    "tune sort.radix 8 digit=9 tile=4096\ntune sort 8 from=100\n"
    "tune scan * u=128 E=4 form=gpu\ntune topk 4 E=4\nany\ntune scan 4 E=2\n";

/* Changes, removes, doubles or cuts at a random place. */
static size_t corrupt(char *text, size_t bytes, random_source *random)
{
    const char likely[] = "=# \n0123456789\0\xff%-tune";
    for (uint64_t changes = 1 + random_next(random) % 4; changes > 0 && bytes > 1; changes--) {
        const size_t at = (size_t)(random_next(random) % bytes);
        const uint64_t bits = random_next(random);
        switch (bits % 5) {
        case 0:
            text[at] = (char)(text[at] ^ (1 << (bits >> 8) % 8));
            break;
        case 1:
            text[at] = likely[(bits >> 8) % (sizeof likely - 1)];
            break;
        case 2:
            memmove(text + at, text + at + 1, --bytes - at);
            break;
        case 3:
            memmove(text + at + 1, text + at, bytes++ - at);
            break;
        default:
            bytes = (bits >> 8) % 8 == 0 ? at : bytes;
        }
    }
    return bytes;
}

static void no_file_is_fatal_or_changes_a_result(void **state)
{
    const unsigned runs = (unsigned)by_size(10, 1000, 1000);
    char text[2048], broken[4096];
    unsigned reported = 0;
    journal j;
    (void)state;
    tuning_write("a", sound);
    FILE *const file = fopen("a", "rb");
    REQUIRE(file != NULL);
    const size_t bytes = fread(text, 1, sizeof text, file);
    fclose(file);
    for (unsigned run = 0; run < runs; run++) {
        random_source random = {run};
        memcpy(broken, text, bytes);
        tuning_write_bytes("a", broken, corrupt(broken, bytes, &random));
        test_note("corruption %u", run);
        dmm_context *const ctx = tuning_open("a", NULL, &j);
        reported += strstr(j.text, "a:") != NULL;
        /* Each costs seconds of building where it is new; most are not. */
        if (run % 50 == 0)
            tuning_results_are_right(ctx);
        for (uint32_t size = 1; size <= 256; size *= 2)
            for (int form = DMM_FORM_GPU; form <= DMM_FORM_CPU; form++) {
                const dmm_tuning own = {.form = (dmm_form)form};
                tuning_chosen(ctx, "scan", size, &own);
                tuning_chosen(ctx, "sort.merge", size, &own);
                tuning_chosen(ctx, "topk", size, &own);
            }
        dmm_context_free(ctx);
    }
    print_message("%u of %u files were found wrong\n", reported, runs);
    REQUIRE(reported > runs / 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_that_cannot_be_read_are_logged),
        cmocka_unit_test(what_is_wrong_is_logged_by_line_and_left_out),
        cmocka_unit_test(a_row_that_does_not_fit_is_left_out_and_counted),
        cmocka_unit_test(a_row_with_which_no_kernel_runs_is_dropped),
        cmocka_unit_test(a_kernel_with_a_lower_limit_gets_smaller_groups),
        cmocka_unit_test(no_file_is_fatal_or_changes_a_result),
    };
    return cmocka_run_group_tests_name(
        "tuning_broken", tests, tuning_make_folder, tuning_remove_folder);
}
