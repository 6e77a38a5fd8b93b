/* SPDX-License-Identifier: MIT */
/* Opening and closing contexts for tests. */
#include "support/rig.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/require.h"

test_sizes sizes_wanted(void)
{
    const char *const text = getenv("DMM_TEST_SIZES");
    if (text == NULL || *text == '\0')
        return SIZES_DEFAULT;
    return strcmp(text, "small") == 0 ? SIZES_SMALL : SIZES_FULL;
}

uint64_t by_size(uint64_t small, uint64_t usual, uint64_t full)
{
    const test_sizes wanted = sizes_wanted();
    return wanted == SIZES_SMALL ? small : wanted == SIZES_DEFAULT ? usual : full;
}

int part_wanted(uint64_t at)
{
    const char *const text = getenv("DMM_TEST_PART");
    unsigned long long part = 1, parts = 1;
    return text == NULL || sscanf(text, "%llu/%llu", &part, &parts) != 2 || parts == 0 ||
           at % parts == part - 1;
}

int size_wanted(uint64_t n, uint64_t step)
{
    const uint64_t dense = by_size(0, 12 * step, UINT64_MAX);
    return n <= dense || (n + 1) % by_size(step, 8 * step, 1) < 3;
}

uint64_t size_after(uint64_t n, uint64_t dense)
{
    const uint64_t sparse = n + 1 + n / 16;
    return by_size(6 * n + 1, n < dense ? n + 1 : sparse, n + 1);
}

/* Keeps what fits, so that a failing build shows its log and a test can look for words in it. */
static void keep_line(void *user, const char *line)
{
    static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;
    rig *const r = user;
    pthread_mutex_lock(&one_at_a_time);
    const size_t space = sizeof r->log - r->log_bytes;
    if (strlen(line) + 2 <= space)
        r->log_bytes += (size_t)snprintf(r->log + r->log_bytes, space, "%s\n", line);
    pthread_mutex_unlock(&one_at_a_time);
}

/* The OpenCL context of one rig after the other, never released: PoCL reads its library of
 * functions anew for each context, which takes it longer than to compile a kernel. */
static cl_context kept;
static int keeps_context = 1, kept_is_used;
static const char no_optimiser[] = "-cl-opt-disable", *const flags = "POCL_EXTRA_BUILD_FLAGS";
static enum { AS_GIVEN, TURNED_ON, TURNED_OFF } optimiser;

void rig_keep_no_context(void)
{
    keeps_context = 0;
}

void rig_optimise(void)
{
    const char *const given = getenv(flags);
    optimiser = given != NULL && strcmp(given, no_optimiser) == 0 ? TURNED_ON : AS_GIVEN;
    if (optimiser == TURNED_ON)
        unsetenv(flags);
}

void rig_skip_optimiser(void)
{
    optimiser = getenv(flags) == NULL ? TURNED_OFF : AS_GIVEN;
    if (optimiser == TURNED_OFF)
        setenv(flags, no_optimiser, 1);
}

int part_starts(uint64_t at)
{
    if (!part_wanted(at))
        return 0;
    rig_skip_optimiser();
    return 1;
}

void rig_open(rig *r, const char *set)
{
    cl_int failed = CL_SUCCESS;
    *r = (rig){0};
    test_note("opening a context with settings '%s'", set != NULL ? set : "");
    const dmm_context_desc desc = {.context = kept_is_used ? NULL : kept,
        .set = set,
        .tuning = "",
        .log = keep_line,
        .log_user = r};
    REQUIRE_OK(dmm_context_create(&r->ctx, &desc));
    r->cl = dmm_context_cl(r->ctx);
    if (keeps_context && kept == NULL) {
        kept = r->cl;
        REQUIRE_OK(clRetainContext(kept));
    }
    kept_is_used |= r->cl == kept;
    const cl_device_id device = dmm_context_device(r->ctx)->id;
    r->queue = clCreateCommandQueue(r->cl, device, 0, &failed);
    REQUIRE_OK(failed);
    r->out_of_order =
        clCreateCommandQueue(r->cl, device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &failed);
    if (failed != CL_SUCCESS)
        r->out_of_order = NULL;
}

void rig_close(rig *r)
{
    REQUIRE(strstr(r->log, "the driver's declarations") == NULL); /* cl/builtins.clh is complete */
    if (r->out_of_order != NULL)
        clReleaseCommandQueue(r->out_of_order);
    if (r->queue != NULL)
        clReleaseCommandQueue(r->queue);
    if (r->cl == kept)
        kept_is_used = 0;
    dmm_context_free(r->ctx);
    if (optimiser == TURNED_ON)
        setenv(flags, no_optimiser, 1);
    else if (optimiser == TURNED_OFF)
        unsetenv(flags);
    optimiser = AS_GIVEN;
    *r = (rig){0};
}

dmm_status rig_log_failure(const rig *r, dmm_status status)
{
    if (status != DMM_OK)
        print_error("%s", r->log);
    return status;
}

int rig_has_fp64(const rig *r)
{
    return dmm_context_device(r->ctx)->fp64.value != 0;
}

cl_event user_event(const rig *r)
{
    cl_int failed = CL_SUCCESS;
    const cl_event event = clCreateUserEvent(r->cl, &failed);
    REQUIRE_OK(failed);
    return event;
}

cl_kernel rig_kernel(const rig *r, const char *source, const char *text)
{
    const char *texts[] = {source, text};
    cl_int failed = CL_SUCCESS;
    const cl_program program = clCreateProgramWithSource(r->cl, 2, texts, NULL, &failed);
    REQUIRE_OK(failed);
    REQUIRE_OK(clBuildProgram(program, 0, NULL, "-cl-std=CL1.2", NULL, NULL));
    const cl_kernel kernel = clCreateKernel(program, "f", &failed);
    REQUIRE_OK(failed);
    clReleaseProgram(program); /* the kernel keeps it */
    return kernel;
}
