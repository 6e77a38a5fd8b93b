/* SPDX-License-Identifier: MIT */
/* ctest: default */
/*
 * Contexts: of the library's own making and the caller's, what they retain, settings from the
 * description and from the environment, the log.
 */
#include "support/require.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <dmm/context.h>
#include <dmm/permutation_plan.h>
#include <dmm/scan.h>
#include <dmm/tuning.h>

static cl_uint context_references(cl_context context)
{
    cl_uint count = 0;
    REQUIRE_OK(clGetContextInfo(context, CL_CONTEXT_REFERENCE_COUNT, sizeof count, &count, NULL));
    return count;
}

static dmm_device best_device(void)
{
    dmm_device device;
    REQUIRE_OK(dmm_device_find(&device, getenv("DMM_DEVICE")));
    return device;
}

static cl_context own_context(cl_uint num_devices, const cl_device_id *devices)
{
    cl_int failed = CL_SUCCESS;
    const cl_context context = clCreateContext(NULL, num_devices, devices, NULL, NULL, &failed);
    REQUIRE_OK(failed);
    return context;
}

static void a_context_without_description_is_of_the_best_device(void **state)
{
    const dmm_device best = best_device();
    dmm_context *ctx = NULL;
    cl_device_id queue_device = NULL;
    cl_command_queue_properties properties = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
    (void)state;
    test_note("defaults");
    REQUIRE_OK(dmm_context_create(&ctx, NULL));
    const cl_command_queue queue = dmm_context_queue(ctx);
    REQUIRE(dmm_context_device(ctx)->id == best.id);
    REQUIRE_OK(
        clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof queue_device, &queue_device, NULL));
    REQUIRE(queue_device == best.id);
    REQUIRE_OK(
        clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, sizeof properties, &properties, NULL));
    REQUIRE((properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) == 0);
    dmm_context_free(ctx);
    dmm_context_free(NULL);
    REQUIRE(dmm_context_device(NULL) == NULL && dmm_context_cl(NULL) == NULL);
    REQUIRE(dmm_context_queue(NULL) == NULL);
}

static void the_callers_context_is_used_and_given_back(void **state)
{
    const dmm_device best = best_device();
    const cl_context own = own_context(1, &best.id);
    const cl_uint before = context_references(own);
    dmm_context *ctx = NULL;
    (void)state;
    test_note("the caller's context");
    REQUIRE_OK(dmm_context_create(&ctx, &(dmm_context_desc){.context = own}));
    REQUIRE(dmm_context_cl(ctx) == own && dmm_context_device(ctx)->id == best.id);
    REQUIRE(context_references(own) > before);
    dmm_context_free(ctx);
    REQUIRE(context_references(own) == before);
    REQUIRE_STATUS(
        DMM_BAD_SETTING, dmm_context_create(&ctx, &(dmm_context_desc){.context = own, .set = "x"}));
    REQUIRE(ctx == NULL && context_references(own) == before);
    clReleaseContext(own);
}

static void a_context_of_several_devices_needs_one_named(void **state)
{
    const dmm_device best = best_device();
    cl_device_id two[2] = {NULL, NULL};
    cl_uint found = 0;
    dmm_context *ctx = NULL;
    (void)state;
    REQUIRE_OK(clGetDeviceIDs(best.platform, CL_DEVICE_TYPE_ALL, 2, two, &found));
    if (found < 2) { /* a device may be split instead */
        const cl_device_partition_property halves[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
        if (clCreateSubDevices(best.id, halves, 2, two, &found) != CL_SUCCESS || found < 2)
            skip();
    }
    const cl_context own = own_context(2, two);
    REQUIRE_OK(clGetContextInfo(own, CL_CONTEXT_NUM_DEVICES, sizeof found, &found, NULL));
    if (found < 2) { /* PoCL 3.1 takes parts of one device for one */
        clReleaseContext(own);
        skip();
    }
    test_note("two devices");
    REQUIRE_STATUS(DMM_BAD_VALUE, dmm_context_create(&ctx, &(dmm_context_desc){.context = own}));
    REQUIRE(ctx == NULL);
    REQUIRE_OK(dmm_context_create(&ctx, &(dmm_context_desc){.context = own, .device = two[1]}));
    REQUIRE(dmm_context_device(ctx)->id == two[1]);
    dmm_context_free(ctx);
    clReleaseContext(own);
}

static void settings_come_from_the_meter_and_from_the_description(void **state)
{
    dmm_context *ctx = NULL;
    (void)state;
    test_note("settings");
    setenv("DMM_METER_SET", "banks=16,lanes=8", 1);
    REQUIRE_OK(dmm_context_create(&ctx, &(dmm_context_desc){.set = "banks=64"}));
    REQUIRE(dmm_context_device(ctx)->banks.value == 64);
    REQUIRE(dmm_context_device(ctx)->lanes.value == 8);
    REQUIRE(dmm_context_device(ctx)->lanes.source == DMM_SOURCE_OVERRIDE);
    dmm_context_free(ctx);
    setenv("DMM_METER_SET", "nonsense=1", 1);
    REQUIRE_STATUS(DMM_BAD_SETTING, dmm_context_create(&ctx, NULL));
    REQUIRE(ctx == NULL);
    unsetenv("DMM_METER_SET");
}

static void settings_of_other_programs_are_not_read(void **state)
{
    dmm_context *ctx = NULL;
    (void)state;
    test_note("DMM_SET");
    setenv("DMM_SET", "nonsense=1", 1);
    REQUIRE_OK(dmm_context_create(&ctx, NULL));
    dmm_context_free(ctx);
    unsetenv("DMM_SET");
}

static void the_device_comes_from_the_description_or_the_environment(void **state)
{
    const char *const before = getenv("DMM_DEVICE");
    char kept[256] = "";
    dmm_context *ctx = NULL;
    (void)state;
    test_note("device text");
    snprintf(kept, sizeof kept, "%s", before != NULL ? before : "");
    setenv("DMM_DEVICE", "no such device", 1);
    REQUIRE_STATUS(DMM_NO_DEVICE, dmm_context_create(&ctx, NULL));
    REQUIRE(ctx == NULL);
    REQUIRE_OK(dmm_context_create(&ctx, &(dmm_context_desc){.device_text = "0"}));
    dmm_context_free(ctx);
    setenv("DMM_DEVICE", kept, 1);
    REQUIRE_STATUS(
        DMM_NO_DEVICE, dmm_context_create(&ctx, &(dmm_context_desc){.device_text = "none"}));
    REQUIRE_OK(dmm_context_create(&ctx, NULL));
    dmm_context_free(ctx);
}

static size_t count_rows(int ignores)
{
    dmm_context *ctx = NULL;
    dmm_tuned row;
    size_t rows = 0;
    REQUIRE_OK(dmm_context_create(&ctx,
        &(dmm_context_desc){.device_text = "0", .tuning = "", .ignore_environment = ignores}));
    while (dmm_context_tuned(&row, ctx, rows) == DMM_OK)
        rows++;
    dmm_context_free(ctx);
    return rows;
}

static void the_folder_of_tuning_files_can_be_ignored(void **state)
{
    static const char folder[] = "context.tuning", path[] = "context.tuning/a.tuning";
    const char *const before = getenv("DMM_TUNING_FOLDER");
    char kept[1024] = "";
    (void)state;
    test_note("a folder of tuning files");
    snprintf(kept, sizeof kept, "%s", before != NULL ? before : "");
    unsetenv("DMM_TUNING_FOLDER");
    const size_t rows = count_rows(1);
    mkdir(folder, 0700);
    FILE *const file = fopen(path, "w");
    REQUIRE(file != NULL && fputs("dmm tuning 1\nany\ntune scan 4 E=2\n", file) >= 0);
    REQUIRE(fclose(file) == 0);
    setenv("DMM_TUNING_FOLDER", folder, 1);
    REQUIRE(count_rows(1) == rows);
    REQUIRE(count_rows(0) > 0 && count_rows(0) != rows);
    unlink(path);
    rmdir(folder);
    if (before != NULL)
        setenv("DMM_TUNING_FOLDER", kept, 1);
    else
        unsetenv("DMM_TUNING_FOLDER");
}

static void the_environment_can_be_ignored(void **state)
{
    const char *const before = getenv("DMM_DEVICE");
    const dmm_context_desc alone = {.device_text = "0", .ignore_environment = 1};
    dmm_context *ctx = NULL;
    char kept[256] = "";
    (void)state;
    test_note("no environment");
    snprintf(kept, sizeof kept, "%s", before != NULL ? before : "");
    setenv("DMM_DEVICE", "no such device", 1);
    setenv("DMM_METER_SET", "nonsense=1", 1);
    setenv("DMM_TUNING", "/", 1);
    REQUIRE_OK(dmm_context_create(&ctx, &alone));
    REQUIRE(dmm_context_tuning_file(ctx) == NULL);
    dmm_context_free(ctx);
    unsetenv("DMM_TUNING");
    unsetenv("DMM_METER_SET");
    REQUIRE_OK(dmm_context_create(&ctx, &(dmm_context_desc){.ignore_environment = 1}));
    dmm_context_free(ctx);
    setenv("DMM_DEVICE", kept, 1);
    REQUIRE_STATUS(DMM_UNSUPPORTED, dmm_context_create(&ctx, &(dmm_context_desc){.reserved = {1}}));
    REQUIRE(ctx == NULL);
}

static void find_name(void *user, const char *line)
{
    const char **const name = user;
    REQUIRE(strchr(line, '\n') == NULL);
    if (*name != NULL && strstr(line, *name) != NULL)
        *name = NULL;
}

static void the_log_names_the_device_and_nothing_is_printed(void **state)
{
    const dmm_device best = best_device();
    const char *wanted = best.name;
    dmm_context *ctx = NULL;
    (void)state;
    test_note("log");
    REQUIRE_OK(
        dmm_context_create(&ctx, &(dmm_context_desc){.log = find_name, .log_user = &wanted}));
    REQUIRE(wanted == NULL);
    dmm_context_free(ctx);
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_context_create(NULL, NULL));
}

/* What a child finds that inherits these; 0: as documented. Calls nothing of cmocka's. */
static int child_finds(dmm_context *ctx, dmm_scan *scan, dmm_permutation_plan *plan)
{
    dmm_scan *other = (dmm_scan *)(void *)&other;
    cl_event event = (cl_event)(void *)&event;
    uint32_t keys[] = {1, 2, 3};
    alarm(60); /* a call that waits for the driver's threads never returns */
    if (dmm_scan_create(&other, ctx, &(dmm_scan_desc){0}) != DMM_UNSUPPORTED || other != NULL)
        return 1;
    if (dmm_scan_enqueue(scan, dmm_context_queue(ctx), &(dmm_scan_args){0}, 3, 0, NULL, &event) !=
            DMM_UNSUPPORTED ||
        event != NULL)
        return 2;
    if (dmm_scan_host(ctx, &(dmm_scan_desc){0}, keys, 3) != DMM_UNSUPPORTED || keys[2] != 3)
        return 3;
    if (dmm_permutation_plan_save(plan, "inherited.plan") != DMM_UNSUPPORTED)
        return 4;
    dmm_permutation_plan_free(plan);
    dmm_scan_free(scan);
    dmm_context_free(ctx);
    return 0;
}

static void a_child_of_fork_is_refused_and_does_not_hang(void **state)
{
    dmm_context *ctx = NULL;
    dmm_scan *scan = NULL;
    dmm_permutation_plan *plan = NULL;
    uint32_t keys[] = {1, 2, 3};
    int status = 0;
    (void)state;
    test_note("fork");
    REQUIRE_OK(dmm_context_create(&ctx, NULL));
    REQUIRE_OK(dmm_scan_create(&scan, ctx, &(dmm_scan_desc){0}));
    REQUIRE_OK(dmm_permutation_plan_create(
        &plan, ctx, &(dmm_permutation_plan_desc){.kind = DMM_PLAN_STRIDE, .n = 8, .argument = 3}));
    REQUIRE_OK(dmm_scan_host(ctx, &(dmm_scan_desc){0}, keys, 3)); /* the driver's threads run */
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0)
        _exit(child_finds(ctx, scan, plan));
    REQUIRE(waitpid(child, &status, 0) == child);
    REQUIRE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    REQUIRE_OK(dmm_scan_host(ctx, &(dmm_scan_desc){0}, keys, 3));
    REQUIRE(keys[0] == 1 && keys[1] == 4 && keys[2] == 10);
    dmm_permutation_plan_free(plan);
    dmm_scan_free(scan);
    dmm_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_context_without_description_is_of_the_best_device),
        cmocka_unit_test(the_callers_context_is_used_and_given_back),
        cmocka_unit_test(a_context_of_several_devices_needs_one_named),
        cmocka_unit_test(settings_come_from_the_meter_and_from_the_description),
        cmocka_unit_test(settings_of_other_programs_are_not_read),
        cmocka_unit_test(the_device_comes_from_the_description_or_the_environment),
        cmocka_unit_test(the_environment_can_be_ignored),
        cmocka_unit_test(the_folder_of_tuning_files_can_be_ignored),
        cmocka_unit_test(the_log_names_the_device_and_nothing_is_printed),
        cmocka_unit_test(a_child_of_fork_is_refused_and_does_not_hang),
    };
    return cmocka_run_group_tests_name("context", tests, NULL, NULL);
}
