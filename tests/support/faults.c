/* SPDX-License-Identifier: MIT */
/* The wrappers: the linker resolves a call of f to __wrap_f, and __real_f to f. Then the loop over
 * k. */
#include "support/faults.h"

#include <stdlib.h>
#include <string.h>

#include "support/built.h"
#include "support/require.h"
#include "support/rig.h"

enum { INJECTED = CL_OUT_OF_HOST_MEMORY };

static struct {
    int armed;
    uint64_t calls, fatal; /* so far; the one to fail, 0: none */
    const char *failed;
    uint64_t allocations;
    cl_event last; /* the newest command's, retained */
} faults;

static fault_ledger ledger;

/* Streams wait for events and release them on another thread. */
#define COUNT(field, more) ((void)__atomic_add_fetch(&(field), (more), __ATOMIC_SEQ_CST))

/* True if this is the call to fail. */
static int fails(const char *name)
{
    if (!faults.armed || __atomic_add_fetch(&faults.calls, 1, __ATOMIC_SEQ_CST) != faults.fatal)
        return 0;
    faults.failed = name;
    return 1;
}

#define WRAP(type, name, parameters) \
    type __real_##name parameters;   \
    type __wrap_##name parameters;   \
    type __wrap_##name parameters

/* Calls that only return a status. */
#define STATUS(name, parameters, ...)                                \
    WRAP(cl_int, name, parameters)                                   \
    {                                                                \
        return fails(#name) ? INJECTED : __real_##name(__VA_ARGS__); \
    }

/* Calls that return a new object, and a status through their last parameter. */
#define CREATE(type, name, counter, parameters, ...)             \
    WRAP(type, name, parameters)                                 \
    {                                                            \
        if (fails(#name)) {                                      \
            if (status != NULL)                                  \
                *status = INJECTED;                              \
            return NULL;                                         \
        }                                                        \
        const type created = __real_##name(__VA_ARGS__, status); \
        COUNT(ledger.counter, created != NULL);                  \
        return created;                                          \
    }

#define RETAIN(name, counter, type)   \
    WRAP(cl_int, name, (type object)) \
    {                                 \
        if (fails(#name))             \
            return INJECTED;          \
        COUNT(ledger.counter, 1);     \
        return __real_##name(object); \
    }

#define RELEASE(name, counter, type)  \
    WRAP(cl_int, name, (type object)) \
    {                                 \
        COUNT(ledger.counter, -1);    \
        return __real_##name(object); \
    }

cl_int __real_clReleaseEvent(cl_event event);

static void keep_last(cl_event event)
{
    if (faults.last != NULL)
        __real_clReleaseEvent(faults.last);
    faults.last = event;
    if (event != NULL)
        clRetainEvent(event);
}

/* Calls that enqueue a command; *event, if wanted, is a new object. */
#define ENQUEUE(name, parameters, ...)                                                     \
    WRAP(cl_int, name, parameters)                                                         \
    {                                                                                      \
        const cl_int status = fails(#name) ? INJECTED : __real_##name(__VA_ARGS__, event); \
        if (status == CL_SUCCESS && event != NULL) {                                       \
            COUNT(ledger.events, 1);                                                       \
            if (faults.armed)                                                              \
                keep_last(*event);                                                         \
        }                                                                                  \
        return status;                                                                     \
    }

typedef void(CL_CALLBACK *context_notify)(const char *, const void *, size_t, void *);
typedef void(CL_CALLBACK *build_notify)(cl_program, void *);

WRAP(cl_context, clCreateContext,
    (const cl_context_properties *properties, cl_uint n, const cl_device_id *devices,
        context_notify notify, void *user, cl_int *status))
{
    REQUIRE(n == 1 && notify == NULL && user == NULL);
    if (fails("clCreateContext")) {
        *status = INJECTED;
        return NULL;
    }
    const cl_context created = built_context(properties, devices[0], status);
    COUNT(ledger.contexts, created != NULL);
    return created;
}

CREATE(cl_command_queue, clCreateCommandQueue, queues,
    (cl_context context, cl_device_id device, cl_command_queue_properties p, cl_int *status),
    context, device, p)
CREATE(cl_program, clCreateProgramWithSource, programs,
    (cl_context context, cl_uint n, const char **texts, const size_t *bytes, cl_int *status),
    context, n, texts, bytes)
CREATE(cl_kernel, clCreateKernel, kernels, (cl_program program, const char *name, cl_int *status),
    built_of(program), name)

WRAP(cl_mem, clCreateBuffer,
    (cl_context context, cl_mem_flags flags, size_t bytes, void *from, cl_int *status))
{
    COUNT(faults.allocations, 1);
    if (fails("clCreateBuffer")) {
        if (status != NULL)
            *status = INJECTED;
        return NULL;
    }
    const cl_mem created = __real_clCreateBuffer(context, flags, bytes, from, status);
    COUNT(ledger.buffers, created != NULL);
    return created;
}

RETAIN(clRetainContext, contexts, cl_context)
RELEASE(clReleaseContext, contexts, cl_context)
RELEASE(clReleaseCommandQueue, queues, cl_command_queue)
RELEASE(clReleaseMemObject, buffers, cl_mem)
RELEASE(clReleaseKernel, kernels, cl_kernel)
RELEASE(clReleaseEvent, events, cl_event)

WRAP(cl_int, clReleaseProgram, (cl_program program))
{
    COUNT(ledger.programs, -1);
    built_forget(program);
    return __real_clReleaseProgram(program);
}

ENQUEUE(clEnqueueNDRangeKernel,
    (cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t *offset,
        const size_t *global, const size_t *local, cl_uint n, const cl_event *wait,
        cl_event *event),
    queue, kernel, dimensions, offset, global, local, n, wait)
ENQUEUE(clEnqueueCopyBuffer,
    (cl_command_queue queue, cl_mem from, cl_mem to, size_t from_at, size_t to_at, size_t bytes,
        cl_uint n, const cl_event *wait, cl_event *event),
    queue, from, to, from_at, to_at, bytes, n, wait)
ENQUEUE(clEnqueueFillBuffer,
    (cl_command_queue queue, cl_mem to, const void *pattern, size_t pattern_bytes, size_t at,
        size_t bytes, cl_uint n, const cl_event *wait, cl_event *event),
    queue, to, pattern, pattern_bytes, at, bytes, n, wait)
ENQUEUE(clEnqueueReadBuffer,
    (cl_command_queue queue, cl_mem from, cl_bool block, size_t at, size_t bytes, void *to,
        cl_uint n, const cl_event *wait, cl_event *event),
    queue, from, block, at, bytes, to, n, wait)
ENQUEUE(clEnqueueWriteBuffer,
    (cl_command_queue queue, cl_mem to, cl_bool block, size_t at, size_t bytes, const void *from,
        cl_uint n, const cl_event *wait, cl_event *event),
    queue, to, block, at, bytes, from, n, wait)
ENQUEUE(clEnqueueMarkerWithWaitList,
    (cl_command_queue queue, cl_uint n, const cl_event *wait, cl_event *event), queue, n, wait)

CREATE(cl_program, clCreateProgramWithBinary, programs,
    (cl_context context, cl_uint n, const cl_device_id *devices, const size_t *bytes,
        const unsigned char **binaries, cl_int *statuses, cl_int *status),
    context, n, devices, bytes, binaries, statuses)

WRAP(cl_int, clCreateKernelsInProgram,
    (cl_program program, cl_uint n, cl_kernel *kernels, cl_uint *found))
{
    if (fails("clCreateKernelsInProgram"))
        return INJECTED;
    const cl_int status = __real_clCreateKernelsInProgram(built_of(program), n, kernels, found);
    COUNT(ledger.kernels, status == CL_SUCCESS && kernels != NULL ? (long)n : 0);
    return status;
}

WRAP(cl_int, clBuildProgram,
    (cl_program program, cl_uint n, const cl_device_id *devices, const char *options,
        build_notify notify, void *user))
{
    REQUIRE(notify == NULL && user == NULL);
    return fails("clBuildProgram") ? INJECTED : built_program(program, n, devices, options);
}

STATUS(clGetProgramInfo,
    (cl_program program, cl_program_info what, size_t bytes, void *value, size_t *needed),
    built_of(program), what, bytes, value, needed)
STATUS(clSetKernelArg, (cl_kernel kernel, cl_uint i, size_t bytes, const void *value), kernel, i,
    bytes, value)
STATUS(clGetPlatformIDs, (cl_uint n, cl_platform_id *ids, cl_uint *found), n, ids, found)
STATUS(clGetDeviceIDs,
    (cl_platform_id platform, cl_device_type type, cl_uint n, cl_device_id *ids, cl_uint *found),
    platform, type, n, ids, found)
STATUS(clGetKernelWorkGroupInfo,
    (cl_kernel kernel, cl_device_id device, cl_kernel_work_group_info what, size_t bytes,
        void *value, size_t *got),
    kernel, device, what, bytes, value, got)
STATUS(clGetProgramBuildInfo,
    (cl_program program, cl_device_id device, cl_program_build_info what, size_t bytes, void *value,
        size_t *got),
    program, device, what, bytes, value, got)

#define INFO(name, object_type, what_type)                                                     \
    STATUS(name, (object_type object, what_type what, size_t bytes, void *value, size_t *got), \
        object, what, bytes, value, got)

INFO(clGetCommandQueueInfo, cl_command_queue, cl_command_queue_info)
INFO(clGetContextInfo, cl_context, cl_context_info)
INFO(clGetDeviceInfo, cl_device_id, cl_device_info)
INFO(clGetMemObjectInfo, cl_mem, cl_mem_info)
INFO(clGetPlatformInfo, cl_platform_id, cl_platform_info)

/* Waits even if it reports failure. */
WRAP(cl_int, clWaitForEvents, (cl_uint n, const cl_event *events))
{
    const cl_int status = __real_clWaitForEvents(n, events);
    return fails("clWaitForEvents") ? INJECTED : status;
}

WRAP(cl_int, clFinish, (cl_command_queue queue))
{
    const cl_int status = __real_clFinish(queue);
    return fails("clFinish") ? INJECTED : status;
}

WRAP(cl_int, clFlush, (cl_command_queue queue))
{
    const cl_int status = __real_clFlush(queue);
    return fails("clFlush") ? INJECTED : status;
}

/* `old`: the block that the new one replaces, or NULL. */
#define ALLOCATE(name, parameters, old, ...)                                  \
    WRAP(void *, name, parameters)                                            \
    {                                                                         \
        const int is_new = (old) == NULL;                                     \
        COUNT(faults.allocations, 1);                                         \
        void *const block = fails(#name) ? NULL : __real_##name(__VA_ARGS__); \
        COUNT(ledger.blocks, block != NULL ? is_new : 0);                     \
        return block;                                                         \
    }

ALLOCATE(malloc, (size_t bytes), NULL, bytes)
ALLOCATE(calloc, (size_t n, size_t bytes), NULL, n, bytes)
ALLOCATE(realloc, (void *was, size_t bytes), was, was, bytes)

WRAP(char *, realpath, (const char *path, char *out))
{
    char *const real = __real_realpath(path, out);
    COUNT(ledger.blocks, real != NULL && out == NULL);
    return real;
}

WRAP(void, free, (void *block))
{
    COUNT(ledger.blocks, -(block != NULL));
    __real_free(block);
}

/* The ledger is to end at zero. */
__attribute__((constructor)) static void count_contexts(void)
{
    rig_keep_no_context();
}

void faults_arm(uint64_t k)
{
    faults.armed = 1;
    faults.calls = 0;
    faults.fatal = k;
    faults.failed = NULL;
    faults.allocations = 0;
}

static int is_running(cl_event event)
{
    cl_int now = CL_COMPLETE;
    return event != NULL &&
           clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof now, &now, NULL) ==
               CL_SUCCESS &&
           now > CL_COMPLETE;
}

fault_report faults_disarm(void)
{
    const int allocation = faults.failed != NULL && strstr(faults.failed, "alloc") != NULL;
    const fault_report report = {faults.failed,
        faults.failed == NULL ? DMM_OK
        : allocation          ? DMM_OUT_OF_MEMORY
                              : INJECTED,
        faults.allocations, is_running(faults.last)};
    faults.armed = 0;
    keep_last(NULL);
    return report;
}

fault_ledger faults_ledger(void)
{
    return ledger;
}

/* True for calls whose failure the library may ignore: optional facts, and a wait before a release.
 * A platform or device that does not answer counts as absent. */
static int may_be_passed_over(const char *call)
{
    static const char *const calls[] = {"clGetDeviceInfo", "clGetPlatformInfo", "clGetDeviceIDs",
        "clGetMemObjectInfo", "clWaitForEvents"};
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++)
        if (strcmp(call, calls[i]) == 0)
            return 1;
    return 0;
}

static int is_right(dmm_status status, const operation *op, const fault_report *report)
{
    if (report->failed == NULL)
        return status == op->without_faults;
    if (status == report->expected)
        return 1;
    if (op->without_faults != DMM_OK && status == op->without_faults)
        return 1; /* failed for its own reason; the fault hit what reports it */
    return may_be_passed_over(report->failed) && (status == DMM_OK || status == DMM_NO_DEVICE);
}

static void require_no_loss(const fault_ledger *before)
{
    const fault_ledger now = faults_ledger();
    REQUIRE(now.contexts == before->contexts && now.queues == before->queues);
    REQUIRE(now.buffers == before->buffers && now.events == before->events);
    REQUIRE(now.programs == before->programs && now.kernels == before->kernels);
    REQUIRE(now.blocks == before->blocks);
}

uint64_t fail_every_call(const operation *op, void *user)
{
    for (uint64_t k = 1;; k++) {
        const fault_ledger before = faults_ledger();
        if (op->before != NULL)
            op->before(user);
        faults_arm(k);
        const dmm_status status = op->attempt(user);
        const fault_report report = faults_disarm();
        test_note("%s: call %d fails, %s", op->name, (int)k,
            report.failed != NULL ? report.failed : "none");
        if (!is_right(status, op, &report))
            fail_msg(
                "status %d (%s)\n  in: %s", status, dmm_status_string(status), test_note_text());
        REQUIRE(status == DMM_OK || !report.unfinished);
        op->after(user, status);
        test_note("%s: after call %d failed, %s", op->name, (int)k,
            report.failed != NULL ? report.failed : "none");
        require_no_loss(&before);
        if (report.failed == NULL)
            return k - 1;
    }
}

void faults_leave_nothing_behind(void **state)
{
    const fault_ledger nothing = {0};
    (void)state;
    test_note("the whole program");
    require_no_loss(&nothing);
}
