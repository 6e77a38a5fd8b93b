/* SPDX-License-Identifier: MIT */
/*
 * Drivers that lie (liar/driver.h), for every primitive in both forms: false facts, limits and
 * sizes, calls that fail, once or from one on, objects and events that are missing, commands that
 * fail after they were enqueued, events of the caller that fail before or after the call, counts
 * and reports that no kernel wrote. Whatever the driver does, a call ends with a status, uses
 * objects as OpenCL allows, writes only its outputs, and releases what it created.
 */
#include "support/require.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <dmm/dmm.h>

#include "liar/driver.h"
#include "liar/every_class.h"

enum { N = EVERY_N, GUARD_BYTES = 64, GUARD = 0xa5, MOST_BYTES = EVERY_MOST_BYTES };

static const char *const forms[] = {"form=cpu", "form=gpu"};

/* Host arrays: inputs of zeros, outputs before guard bytes. */
typedef struct arrays {
    unsigned char bytes[DMM_MAX_PORTS][MOST_BYTES + GUARD_BYTES];
    size_t used[DMM_MAX_PORTS];
    dmm_host_array list[DMM_MAX_PORTS];
} arrays;

static arrays host;

/* The sizes of the arrays come from an object of an honest driver. */
static void lay_out_arrays(const dmm_class *class, const void *object)
{
    dmm_port ports[DMM_MAX_PORTS] = {{0}};
    uint64_t args[128] = {0};
    REQUIRE(class->args_bytes <= sizeof args);
    const size_t count = class->ports(object, args, &every_sizes, ports);
    memset(&host, 0, sizeof host);
    for (size_t i = 0; i < count; i++) {
        host.used[i] = ports[i].n * ports[i].item_bytes;
        REQUIRE(host.used[i] <= MOST_BYTES);
        memset(host.bytes[i] + host.used[i], GUARD, GUARD_BYTES);
        if (ports[i].access == DMM_READ)
            host.list[i].from = host.bytes[i];
        else
            host.list[i].to = host.bytes[i];
    }
}

static void require_guards(void)
{
    for (size_t i = 0; i < DMM_MAX_PORTS; i++)
        for (size_t j = 0; j < GUARD_BYTES && (host.list[i].from || host.list[i].to); j++)
            REQUIRE(host.bytes[i][host.used[i] + j] == GUARD);
}

/* How calls by spans wait for an event of the caller, which fails. */
typedef enum user_event { NO_EVENT, FAILED_BEFORE, FAILS_AFTER } user_event;
static user_event waits_for;

/* Prepares the event, which a wait list may hold. */
static cl_event user_event_of(const dmm_context *ctx)
{
    cl_event event = NULL;
    if (waits_for == NO_EVENT)
        return NULL;
    event = clCreateUserEvent(ctx->cl, NULL);
    REQUIRE(event != NULL);
    if (waits_for == FAILED_BEFORE)
        clSetUserEventStatus(event, CL_OUT_OF_RESOURCES);
    return event;
}

/* True if no bit of these buffers is set: nothing has run. */
static int are_untouched(const cl_mem *buffers, size_t count, cl_command_queue queue)
{
    static unsigned char bytes[MOST_BYTES];
    int are_zero = 1;
    for (size_t i = 0; i < count; i++) {
        if (buffers[i] == NULL)
            continue;
        REQUIRE_OK(
            clEnqueueReadBuffer(queue, buffers[i], CL_TRUE, 0, host.used[i], bytes, 0, NULL, NULL));
        for (size_t j = 0; j < host.used[i]; j++)
            are_zero = are_zero && bytes[j] == 0;
    }
    return are_zero;
}

/* An object without its _host form: created, called with spans, waited for, freed. */
static dmm_status call_by_spans(dmm_context *ctx, const every_case *one)
{
    dmm_object *object = NULL;
    dmm_port ports[DMM_MAX_PORTS] = {{0}};
    cl_mem buffers[DMM_MAX_PORTS] = {NULL};
    uint64_t args[128] = {0};
    cl_event event = NULL;
    dmm_status status = dmm_object_create(&object, ctx, one->class, one->desc);
    REQUIRE((object != NULL) == (status == DMM_OK));
    if (status != DMM_OK)
        return status;
    const size_t count = one->class->ports(object, args, &every_sizes, ports);
    driver.is_armed = 0;
    for (size_t i = 0; i < count; i++) {
        if (host.used[i] == 0)
            continue;
        buffers[i] = clCreateBuffer(ctx->cl, 0, host.used[i], NULL, &status);
        memcpy((char *)args + ports[i].at, &(dmm_span){buffers[i], 0}, sizeof(dmm_span));
    }
    const cl_event user = user_event_of(ctx);
    driver.is_armed = 1;
    status = dmm_object_enqueue(
        object, ctx->queue, args, every_sizes, user != NULL, user ? &user : NULL, &event);
    REQUIRE((event != NULL) == (status == DMM_OK));
    if (waits_for == FAILS_AFTER)
        clSetUserEventStatus(user, CL_OUT_OF_RESOURCES);
    if (status == DMM_OK)
        status = clWaitForEvents(1, &event);
    driver.is_armed = 0;
    REQUIRE(waits_for == NO_EVENT || are_untouched(buffers, count, ctx->queue));
    if (event != NULL)
        clReleaseEvent(event);
    if (user != NULL)
        clReleaseEvent(user);
    for (size_t i = 0; i < count; i++)
        if (buffers[i] != NULL)
            clReleaseMemObject(buffers[i]);
    driver.is_armed = 1;
    dmm_object_free(object);
    return status;
}

/* Returns the first status that is not DMM_OK. `cache`: a folder, or NULL. */
static dmm_status attempt(
    const every_case *one, const char *form, const char *cache, const driver_lies *lies)
{
    dmm_context *ctx = NULL;
    uint64_t args[128] = {0};
    const dmm_context_desc desc = {
        .set = form, .cache = cache, .cache_always = 1, .ignore_environment = 1};
    driver = (driver_state){.lies = *lies, .is_armed = 1, .live = driver.live};
    dmm_status status = dmm_context_create(&ctx, &desc);
    REQUIRE((ctx != NULL) == (status == DMM_OK));
    if (status == DMM_OK)
        status = call_by_spans(ctx, one);
    if (status == DMM_OK)
        status = dmm_object_host(ctx, one->class, one->desc, args, every_sizes, host.list);
    dmm_context_free(ctx);
    driver.is_armed = 0;
    if (driver.misuse != NULL)
        fail_msg("misuse: %s\n  in: %s", driver.misuse, test_note_text());
    REQUIRE(driver.live == 0);
    require_guards();
    REQUIRE(dmm_status_string(status) != NULL);
    return status;
}

/* Returns the status of a call without lies. No kernel runs here, which a search notices. */
static dmm_status honest(const every_case *one)
{
    return one->class == &dmm_paths_class ? DMM_WRONG_RESULT : DMM_OK;
}

/* Prepares the arrays for a primitive. */
static void prepare(const every_case *one, const char *form)
{
    static const driver_lies none;
    dmm_context *ctx = NULL;
    dmm_object *object = NULL;
    driver = (driver_state){.lies = none};
    test_note("%s, %s, honest", one->name, form);
    REQUIRE_OK(dmm_context_create(&ctx, &(dmm_context_desc){.set = form, .ignore_environment = 1}));
    REQUIRE_OK(dmm_object_create(&object, ctx, one->class, one->desc));
    lay_out_arrays(one->class, object);
    dmm_object_free(object);
    dmm_context_free(ctx);
    REQUIRE_STATUS(honest(one), attempt(one, form, NULL, &none));
}

/* Calls `check` for every case in both forms. */
static void for_all(void (*check)(const every_case *one, const char *form))
{
    int count = 0;
    for (every_case one; (one = every_case_at(count)).class != NULL; count++)
        for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
            prepare(&one, forms[i]);
            check(&one, forms[i]);
        }
    REQUIRE(count > DMM_PRIMITIVE_SEARCH + 1);
}

static void lie_about_facts(const every_case *one, const char *form)
{
    static const cl_device_info facts[] = {CL_DEVICE_LOCAL_MEM_SIZE, CL_DEVICE_MAX_WORK_GROUP_SIZE,
        CL_DEVICE_MAX_COMPUTE_UNITS, CL_DEVICE_MAX_MEM_ALLOC_SIZE, CL_DEVICE_DOUBLE_FP_CONFIG,
        CL_DEVICE_HOST_UNIFIED_MEMORY, CL_DEVICE_TYPE, CL_DEVICE_NAME, 0x4003, 0x4043, 0x4048,
        0x4108};
    static const uint64_t values[] = {0, 1, 2, 3, 7, 16, 33, 100, 1000, 4096, 1u << 20, UINT32_MAX,
        (uint64_t)1 << 32, (uint64_t)1 << 40, INT64_MAX, (uint64_t)1 << 63, UINT64_MAX};
    static const size_t said[] = {0, 1, 4, 8, 1000, SIZE_MAX};
    for (size_t f = 0; f < sizeof facts / sizeof *facts; f++)
        for (size_t v = 0; v < sizeof values / sizeof *values; v++)
            for (size_t s = 0; s < sizeof said / sizeof *said; s++) {
                test_note("%s, %s: fact 0x%x is %llu in %zu bytes", one->name, form, facts[f],
                    (unsigned long long)values[v], said[s]);
                const driver_lies lies = {
                    .fact = facts[f], .value = values[v], .value_bytes = said[s]};
                attempt(one, form, NULL, &lies);
            }
}

static void false_facts_do_no_harm(void **state)
{
    (void)state;
    for_all(lie_about_facts);
}

static void lie_about_sizes(const every_case *one, const char *form)
{
    static const size_t limits[] = {0, 1, 2, 3, 31, 32, 33, 64, 100, SIZE_MAX};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        test_note("%s, %s: kernels of at most %zu", one->name, form, limits[i]);
        attempt(one, form, NULL, &(driver_lies){.has_limit = 1, .limit = limits[i]});
        test_note("%s, %s: a log of %zu", one->name, form, limits[i]);
        REQUIRE_STATUS(DMM_BUILD_FAILED,
            attempt(one, form, NULL,
                &(driver_lies){.build_error = CL_BUILD_PROGRAM_FAILURE, .log_bytes = limits[i]}));
    }
    static const cl_uint many[] = {64, 65, 1000, UINT32_MAX};
    for (size_t i = 0; i < sizeof many / sizeof *many; i++) {
        test_note("%s, %s: %u platforms and devices", one->name, form, many[i]);
        REQUIRE_STATUS(
            honest(one), attempt(one, form, NULL, &(driver_lies){.num_platforms = many[i]}));
    }
}

static void false_limits_and_sizes_do_no_harm(void **state)
{
    (void)state;
    for_all(lie_about_sizes);
}

static void lie_about_binaries(const every_case *one, const char *form)
{
    static const size_t bytes[] = {1, 4, 1000, (size_t)1 << 40, SIZE_MAX};
    char folder[] = "liar-XXXXXX";
    REQUIRE(mkdtemp(folder) != NULL);
    for (size_t i = 0; i < sizeof bytes / sizeof *bytes; i++) {
        test_note("%s, %s: a binary of %zu", one->name, form, bytes[i]);
        REQUIRE_STATUS(honest(one),
            attempt(one, form, folder,
                &(driver_lies){.binary_bytes = bytes[i], .num_kernels = (cl_uint)bytes[i]}));
        REQUIRE_OK(dmm_cache_clear(folder));
    }
    REQUIRE(rmdir(folder) == 0);
}

static void false_binaries_do_no_harm(void **state)
{
    (void)state;
    for_all(lie_about_binaries);
}

/* A call whose failure the library may pass over: optional facts, a wait before a release. */
static int is_optional(const char *call)
{
    static const char *const calls[] = {"clGetDeviceInfo", "clGetPlatformInfo", "clGetDeviceIDs",
        "clGetMemObjectInfo", "clWaitForEvents"};
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (strcmp(calls[i], call) == 0)
            return 1;
    return 0;
}

static void fail_each_call(const every_case *one, const char *form)
{
    static const cl_int errors[] = {CL_OUT_OF_RESOURCES, CL_OUT_OF_HOST_MEMORY,
        CL_INVALID_WORK_GROUP_SIZE, CL_DEVICE_NOT_FOUND, 12345};
    for (size_t e = 0; e < sizeof errors / sizeof *errors; e++)
        for (size_t k = 1;; k++) {
            test_note("%s, %s: call %zu returns %d", one->name, form, k, errors[e]);
            const dmm_status status =
                attempt(one, form, NULL, &(driver_lies){.fails_at = k, .error = errors[e]});
            if (driver.failed == NULL)
                break;
            REQUIRE(status == errors[e] || is_optional(driver.failed));
        }
}

static void each_call_may_fail_with_any_code(void **state)
{
    (void)state;
    for_all(fail_each_call);
}

static void hide_each_object(const every_case *one, const char *form)
{
    for (size_t k = 1;; k++) {
        test_note("%s, %s: object %zu is NULL", one->name, form, k);
        const dmm_status status = attempt(one, form, NULL, &(driver_lies){.null_at = k});
        if (driver.failed == NULL)
            break;
        if (status == DMM_OK)
            fail_msg("%s hid an object\n  in: %s", driver.failed, test_note_text());
    }
}

static void objects_and_events_may_be_missing(void **state)
{
    (void)state;
    for_all(hide_each_object);
}

static size_t num_cases;

static void lose_device(const every_case *one, const char *form)
{
    static const cl_int errors[] = {CL_DEVICE_NOT_AVAILABLE, CL_OUT_OF_RESOURCES, -9999};
    for (size_t e = 0; e < sizeof errors / sizeof *errors; e++)
        for (size_t k = 1;; k++) {
            test_note("%s, %s: from call %zu on, calls return %d", one->name, form, k, errors[e]);
            const dmm_status status =
                attempt(one, form, NULL, &(driver_lies){.lost_at = k, .error = errors[e]});
            if (driver.failed == NULL)
                break;
            REQUIRE(status == errors[e] || is_optional(driver.failed));
            num_cases++;
        }
}

static void a_device_may_be_lost_at_any_call(void **state)
{
    (void)state;
    num_cases = 0;
    for_all(lose_device);
    print_message("%zu cases\n", num_cases);
}

static void end_each_command(const every_case *one, const char *form)
{
    static const cl_int errors[] = {CL_OUT_OF_RESOURCES, CL_DEVICE_NOT_AVAILABLE};
    for (size_t e = 0; e < sizeof errors / sizeof *errors; e++)
        for (size_t k = 1;; k++) {
            test_note("%s, %s: command %zu ends with %d", one->name, form, k, errors[e]);
            const dmm_status status =
                attempt(one, form, NULL, &(driver_lies){.ends_at = k, .error = errors[e]});
            if (driver.failed == NULL)
                break;
            REQUIRE(status == errors[e] || status == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
            num_cases++;
        }
}

static void each_command_may_end_with_an_error(void **state)
{
    (void)state;
    num_cases = 0;
    for_all(end_each_command);
    print_message("%zu cases\n", num_cases);
}

/* True if the header says that a call waits for its work: dmm/paths.h. */
static int is_waiting(const every_case *one)
{
    return one->class == &dmm_paths_class;
}

static void wait_for_a_failure(const every_case *one, const char *form)
{
    for (waits_for = FAILED_BEFORE; waits_for <= FAILS_AFTER; waits_for++) {
        test_note("%s, %s: the caller's event fails %s the call", one->name, form,
            waits_for == FAILED_BEFORE ? "before" : "after");
        REQUIRE_STATUS(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
            attempt(one, form, NULL, &(driver_lies){.fact = 0}));
        REQUIRE((driver.waits != 0) == (waits_for == FAILS_AFTER && is_waiting(one)));
    }
    waits_for = NO_EVENT;
}

static void an_event_of_the_caller_may_fail(void **state)
{
    (void)state;
    for_all(wait_for_a_failure);
}

static void fail_commands(const every_case *one, const char *form)
{
    test_note("%s, %s: commands fail", one->name, form);
    const dmm_status right = honest(one);
    REQUIRE_STATUS(right != DMM_OK ? right : CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
        attempt(one, form, NULL, &(driver_lies){.commands_fail = 1}));
}

static void failed_commands_are_reported(void **state)
{
    (void)state;
    for_all(fail_commands);
}

static void read_ones(const every_case *one, const char *form)
{
    test_note("%s, %s: reads are ones", one->name, form);
    attempt(one, form, NULL, &(driver_lies){.reads_ones = 1});
}

/* The forms whose outputs are as long as a count that the device wrote. */
static void false_counts_do_no_harm(void **state)
{
    static uint32_t keys[N + 1];
    static float points[2 * N];
    static uint32_t indices[N + 1];
    dmm_context *ctx = NULL;
    size_t runs = 0;
    uint64_t vertices = 0;
    (void)state;
    for_all(read_ones);
    driver = (driver_state){.lies = {.reads_ones = 1}};
    REQUIRE_OK(dmm_context_create(&ctx, NULL));
    keys[N] = indices[N] = GUARD;
    test_note("runs");
    REQUIRE_STATUS(DMM_WRONG_RESULT,
        dmm_unique_host(ctx, &(dmm_unique_desc){.key_bytes = 4}, keys, NULL, N, &runs));
    test_note("vertices");
    REQUIRE(dmm_hull_host(ctx, &(dmm_hull_desc){.index_bytes = 4}, points, NULL, N, indices,
                &vertices) != DMM_OK);
    REQUIRE(keys[N] == GUARD && indices[N] == GUARD);
    REQUIRE(runs == 0);
    dmm_context_free(ctx);
    REQUIRE(driver.live == 0 && driver.misuse == NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(false_facts_do_no_harm),
        cmocka_unit_test(false_limits_and_sizes_do_no_harm),
        cmocka_unit_test(false_binaries_do_no_harm),
        cmocka_unit_test(each_call_may_fail_with_any_code),
        cmocka_unit_test(objects_and_events_may_be_missing),
        cmocka_unit_test(a_device_may_be_lost_at_any_call),
        cmocka_unit_test(each_command_may_end_with_an_error),
        cmocka_unit_test(an_event_of_the_caller_may_fail),
        cmocka_unit_test(failed_commands_are_reported),
        cmocka_unit_test(false_counts_do_no_harm),
    };
    return cmocka_run_group_tests_name("liar", tests, NULL, NULL);
}
