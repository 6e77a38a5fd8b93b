/* SPDX-License-Identifier: MIT */
/* Platform, device, objects, programs and kernels. */
#include "liar/driver_thing.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

driver_state driver;

static thing platform = {(uintptr_t)&platform, PLATFORM, 1, 0, NULL, NULL, 0, NULL};
static thing device = {(uintptr_t)&device, DEVICE, 1, 0, NULL, NULL, 0, NULL};
static const char build_log[] = "a log";
static unsigned char binary[] = {1, 2, 3};

int driver_fails(const char *name)
{
    if (!driver.is_armed)
        return 0;
    const size_t call = driver_count(&driver.calls), lost_at = driver.lies.lost_at;
    const int fails = call == driver.lies.fails_at || (lost_at != 0 && call >= lost_at);
    if (fails && driver.failed == NULL)
        driver.failed = name;
    return fails;
}

cl_int driver_wrong(const char *name, cl_int code)
{
    if (driver.misuse == NULL && driver.lies.null_at == 0)
        driver.misuse = name;
    return code;
}

int driver_is_a(kind expected, const void *handle)
{
    const thing *const t = handle;
    return t != NULL && t->magic == (uintptr_t)t && t->is == expected;
}

thing *driver_new(const char *name, kind is, size_t bytes, cl_int *status)
{
    if (driver.is_armed && driver_count(&driver.news) == driver.lies.null_at) {
        driver.failed = name;
        if (status != NULL)
            *status = CL_SUCCESS;
        return NULL;
    }
    thing *const t = calloc(1, sizeof *t);
    if (t == NULL)
        abort();
    *t = (thing){.magic = (uintptr_t)t, .is = is, .refs = 1, .bytes = bytes};
    if (is == BUFFER)
        t->data = calloc(1, bytes);
    driver_hold(&driver.live);
    if (status != NULL)
        *status = CL_SUCCESS;
    return t;
}

cl_int driver_release(const char *name, kind is, void *handle)
{
    thing *const t = handle;
    if (!driver_is_a(is, t))
        return driver_wrong(name, CL_INVALID_VALUE);
    atomic_fetch_sub_explicit(&driver.live, 1, memory_order_relaxed);
    if (atomic_fetch_sub_explicit(&t->refs, 1, memory_order_acq_rel) != 1)
        return CL_SUCCESS;
    free(t->data);
    if (t->root != NULL)
        driver_release(name, EVENT, t->root);
    memset(t, 0, sizeof *t);
    free(t);
    return CL_SUCCESS;
}

/* Answers a query: up to `bytes` bytes of `from`, and the size that there is or is said to be. */
static cl_int answer(
    const void *from, size_t from_bytes, size_t said_bytes, size_t bytes, void *to, size_t *got)
{
    if (to != NULL)
        memcpy(to, from, bytes < from_bytes ? bytes : from_bytes);
    if (got != NULL)
        *got = said_bytes;
    return CL_SUCCESS;
}

#define TELL(value) answer(&(value), sizeof(value), sizeof(value), bytes, to, got)

/* Returns how many platforms or devices this driver says that it has. */
static cl_uint count_told(void)
{
    return driver.is_armed && driver.lies.num_platforms != 0 ? driver.lies.num_platforms : 1;
}

cl_int clGetPlatformIDs(cl_uint n, cl_platform_id *ids, cl_uint *found)
{
    BEGIN("clGetPlatformIDs", n != 0 && ids != NULL, CL_INVALID_VALUE);
    *ids = (cl_platform_id)(void *)&platform;
    for (cl_uint i = 1; i < n && i < driver.lies.num_platforms; i++)
        ids[i] = *ids;
    *found = count_told();
    return CL_SUCCESS;
}

cl_int clGetDeviceIDs(
    cl_platform_id of, cl_device_type type, cl_uint n, cl_device_id *ids, cl_uint *found)
{
    (void)type;
    BEGIN("clGetDeviceIDs", driver_is_a(PLATFORM, of) && n != 0 && ids != NULL, CL_INVALID_VALUE);
    *ids = (cl_device_id)(void *)&device;
    for (cl_uint i = 1; i < n && i < driver.lies.num_platforms; i++)
        ids[i] = *ids;
    *found = count_told();
    return CL_SUCCESS;
}

cl_int clGetPlatformInfo(
    cl_platform_id of, cl_platform_info what, size_t bytes, void *to, size_t *got)
{
    (void)what;
    BEGIN("clGetPlatformInfo", driver_is_a(PLATFORM, of), CL_INVALID_PLATFORM);
    return answer("Liar", sizeof "Liar", sizeof "Liar", bytes, to, got);
}

/* Texts are of the greatest size, without a NUL at their end. */
static cl_int tell_text(size_t bytes, void *to, size_t *got)
{
    if (to != NULL)
        memset(to, 'x', bytes);
    if (got != NULL)
        *got = bytes;
    return CL_SUCCESS;
}

cl_int clGetDeviceInfo(cl_device_id of, cl_device_info what, size_t bytes, void *to, size_t *got)
{
    static const struct {
        cl_device_info what;
        uint64_t value;
    } facts[] = {{CL_DEVICE_TYPE, CL_DEVICE_TYPE_GPU}, {CL_DEVICE_LOCAL_MEM_SIZE, 49152},
        {CL_DEVICE_MAX_WORK_GROUP_SIZE, GROUP}, {CL_DEVICE_MAX_COMPUTE_UNITS, 4},
        {CL_DEVICE_MAX_MEM_ALLOC_SIZE, MOST_BYTES}, {CL_DEVICE_GLOBAL_MEM_SIZE, 1 << 30},
        {CL_DEVICE_HOST_UNIFIED_MEMORY, 0}, {CL_DEVICE_DOUBLE_FP_CONFIG, 0}};
    const driver_lies *const lies = &driver.lies;
    const void *const only = &platform;
    BEGIN("clGetDeviceInfo", driver_is_a(DEVICE, of), CL_INVALID_DEVICE);
    if (what == CL_DEVICE_PLATFORM)
        return TELL(only);
    if (driver.is_armed && lies->fact == what)
        return answer(&lies->value, sizeof lies->value,
            lies->value_bytes != 0 ? lies->value_bytes : bytes, bytes, to, got);
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
        if (facts[i].what == what)
            return TELL(facts[i].value);
    if (what == CL_DEVICE_NAME || what == CL_DEVICE_VENDOR || what == CL_DRIVER_VERSION ||
        what == CL_DEVICE_VERSION)
        return tell_text(bytes, to, got);
    return CL_INVALID_VALUE;
}

cl_context clCreateContext(const cl_context_properties *properties, cl_uint n,
    const cl_device_id *devices,
    void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *), void *user,
    cl_int *status)
{
    (void)properties;
    (void)notify;
    (void)user;
    BEGIN_NEW(
        "clCreateContext", n == 1 && driver_is_a(DEVICE, *devices), CL_INVALID_DEVICE, status);
    return (cl_context)(void *)driver_new("clCreateContext", CONTEXT, 0, status);
}

cl_int clGetContextInfo(cl_context of, cl_context_info what, size_t bytes, void *to, size_t *got)
{
    const cl_uint one = 1;
    const void *const only = &device;
    BEGIN("clGetContextInfo", driver_is_a(CONTEXT, of), CL_INVALID_CONTEXT);
    return what == CL_CONTEXT_NUM_DEVICES ? TELL(one) : TELL(only);
}

cl_command_queue clCreateCommandQueue(
    cl_context of, cl_device_id on, cl_command_queue_properties properties, cl_int *status)
{
    (void)properties;
    BEGIN_NEW("clCreateCommandQueue", driver_is_a(CONTEXT, of) && driver_is_a(DEVICE, on),
        CL_INVALID_CONTEXT, status);
    thing *const queue = driver_new("clCreateCommandQueue", QUEUE, 0, status);
    if (queue != NULL)
        queue->of = of;
    return (cl_command_queue)(void *)queue;
}

cl_int clGetCommandQueueInfo(
    cl_command_queue of, cl_command_queue_info what, size_t bytes, void *to, size_t *got)
{
    const void *const only = &device;
    BEGIN("clGetCommandQueueInfo", driver_is_a(QUEUE, of), CL_INVALID_COMMAND_QUEUE);
    return what == CL_QUEUE_DEVICE ? TELL(only) : TELL(((thing *)(void *)of)->of);
}

cl_mem clCreateBuffer(cl_context of, cl_mem_flags flags, size_t bytes, void *from, cl_int *status)
{
    (void)flags;
    (void)from;
    BEGIN_NEW(
        "clCreateBuffer", driver_is_a(CONTEXT, of) && bytes != 0, CL_INVALID_BUFFER_SIZE, status);
    if (bytes > MOST_BYTES) {
        *status = CL_INVALID_BUFFER_SIZE;
        return NULL;
    }
    return (cl_mem)(void *)driver_new("clCreateBuffer", BUFFER, bytes, status);
}

cl_int clGetMemObjectInfo(cl_mem of, cl_mem_info what, size_t bytes, void *to, size_t *got)
{
    const void *const none = NULL;
    BEGIN("clGetMemObjectInfo", driver_is_a(BUFFER, of), CL_INVALID_MEM_OBJECT);
    return what == CL_MEM_SIZE ? TELL(((thing *)(void *)of)->bytes) : TELL(none);
}

/* Programs and kernels. */

cl_program clCreateProgramWithSource(
    cl_context of, cl_uint n, const char **texts, const size_t *bytes, cl_int *status)
{
    (void)bytes;
    BEGIN_NEW("clCreateProgramWithSource", driver_is_a(CONTEXT, of) && n != 0 && texts != NULL,
        CL_INVALID_VALUE, status);
    return (cl_program)(void *)driver_new("clCreateProgramWithSource", PROGRAM, 0, status);
}

cl_program clCreateProgramWithBinary(cl_context of, cl_uint n, const cl_device_id *devices,
    const size_t *bytes, const unsigned char **binaries, cl_int *statuses, cl_int *status)
{
    (void)statuses;
    BEGIN_NEW("clCreateProgramWithBinary",
        driver_is_a(CONTEXT, of) && n == 1 && driver_is_a(DEVICE, *devices) && *bytes != 0 &&
            *binaries != NULL,
        CL_INVALID_VALUE, status);
    return (cl_program)(void *)driver_new("clCreateProgramWithBinary", PROGRAM, 0, status);
}

/* The groups of a program's kernels are in its options. */
cl_int clBuildProgram(cl_program program, cl_uint n, const cl_device_id *devices,
    const char *options, void(CL_CALLBACK *notify)(cl_program, void *), void *user)
{
    const char *const u = options != NULL ? strstr(options, "DMM_U=") : NULL;
    (void)notify;
    (void)user;
    BEGIN("clBuildProgram",
        driver_is_a(PROGRAM, program) && n == 1 && driver_is_a(DEVICE, *devices),
        CL_INVALID_PROGRAM);
    if (driver.lies.build_ns != 0)
        nanosleep(&(struct timespec){.tv_nsec = driver.lies.build_ns}, NULL);
    if (driver.is_armed && driver.lies.build_error != 0)
        return driver.lies.build_error;
    ((thing *)(void *)program)->bytes = u != NULL ? strtoul(u + strlen("DMM_U="), NULL, 10) : 1;
    return CL_SUCCESS;
}

cl_int clGetProgramInfo(cl_program of, cl_program_info what, size_t bytes, void *to, size_t *got)
{
    const size_t said = driver.lies.binary_bytes != 0 ? driver.lies.binary_bytes : sizeof binary;
    BEGIN("clGetProgramInfo", driver_is_a(PROGRAM, of) && to != NULL, CL_INVALID_PROGRAM);
    if (what == CL_PROGRAM_BINARY_SIZES)
        return TELL(said);
    memcpy(*(unsigned char **)to, binary, said < sizeof binary ? said : sizeof binary);
    return CL_SUCCESS;
}

cl_int clGetProgramBuildInfo(
    cl_program of, cl_device_id on, cl_program_build_info what, size_t bytes, void *to, size_t *got)
{
    const size_t said = driver.lies.log_bytes != 0 ? driver.lies.log_bytes : sizeof build_log;
    (void)what;
    BEGIN("clGetProgramBuildInfo", driver_is_a(PROGRAM, of) && driver_is_a(DEVICE, on),
        CL_INVALID_PROGRAM);
    return answer(build_log, strlen(build_log), said, bytes, to, got);
}

cl_kernel clCreateKernel(cl_program of, const char *name, cl_int *status)
{
    BEGIN_NEW(
        "clCreateKernel", driver_is_a(PROGRAM, of) && name != NULL, CL_INVALID_PROGRAM, status);
    return (cl_kernel)(void *)driver_new(
        "clCreateKernel", KERNEL, ((thing *)(void *)of)->bytes, status);
}

cl_int clCreateKernelsInProgram(cl_program of, cl_uint n, cl_kernel *kernels, cl_uint *found)
{
    BEGIN("clCreateKernelsInProgram", driver_is_a(PROGRAM, of), CL_INVALID_PROGRAM);
    if (kernels != NULL && n != 0)
        *kernels = (cl_kernel)(void *)driver_new("clCreateKernelsInProgram", KERNEL, 1, NULL);
    if (found != NULL)
        *found = driver.lies.num_kernels != 0 ? driver.lies.num_kernels : 1;
    return CL_SUCCESS;
}

cl_int clGetKernelWorkGroupInfo(cl_kernel of, cl_device_id on, cl_kernel_work_group_info what,
    size_t bytes, void *to, size_t *got)
{
    BEGIN("clGetKernelWorkGroupInfo", driver_is_a(KERNEL, of) && driver_is_a(DEVICE, on),
        CL_INVALID_KERNEL);
    const size_t compiled[3] = {((thing *)(void *)of)->bytes, 1, 1};
    const size_t most = driver.is_armed && driver.lies.has_limit ? driver.lies.limit : GROUP;
    return what == CL_KERNEL_COMPILE_WORK_GROUP_SIZE ? TELL(compiled) : TELL(most);
}

cl_int clSetKernelArg(cl_kernel kernel, cl_uint i, size_t bytes, const void *value)
{
    (void)i;
    BEGIN("clSetKernelArg", driver_is_a(KERNEL, kernel) && bytes != 0 && value != NULL,
        CL_INVALID_KERNEL);
    return CL_SUCCESS;
}
