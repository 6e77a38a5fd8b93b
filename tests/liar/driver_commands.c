/* SPDX-License-Identifier: MIT */
/* Commands, which have run when the call returns, and releases. */
#include <string.h>

#include "liar/driver_thing.h"

static int are_events(cl_uint n, const cl_event *events)
{
    int sound = (n == 0) == (events == NULL);
    for (cl_uint i = 0; i < n && sound; i++)
        sound = driver_is_a(EVENT, events[i]);
    return sound;
}

static int is_within(cl_mem buffer, size_t at, size_t bytes)
{
    const thing *const t = (const void *)buffer;
    return driver_is_a(BUFFER, buffer) && at <= t->bytes && bytes <= t->bytes - at && bytes != 0;
}

/* Returns how an event has ended; positive: not yet. */
static cl_int end_of(const thing *event)
{
    const cl_int of_root = event->root != NULL ? event->root->ended : CL_COMPLETE;
    return of_root < 0 ? CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST
                       : (of_root > 0 ? of_root : event->ended);
}

/* How a command ends: positive: as its root does. */
typedef struct ending {
    cl_int ended;
    thing *root;
} ending;

static ending ending_of(const char *name, cl_uint n, const cl_event *wait)
{
    ending e = {CL_COMPLETE, NULL};
    for (cl_uint i = 0; i < n; i++) {
        thing *const event = (void *)wait[i];
        const cl_int ended = end_of(event);
        if (ended < 0 && e.root == NULL)
            e.ended = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
        if (ended > 0)
            e = (ending){ended, event->root != NULL ? event->root : event};
    }
    if (driver.is_armed && driver_count(&driver.commands) == driver.lies.ends_at) {
        e = (ending){driver.lies.error, NULL};
        driver.failed = name;
    }
    return e;
}

static cl_int done(const char *name, ending e, cl_bool blocks, cl_event *event)
{
    if (blocks && e.ended > 0)
        driver_count(&driver.waits);
    if (blocks && e.ended != CL_COMPLETE)
        return e.ended < 0 ? e.ended : CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
    if (event == NULL)
        return CL_SUCCESS;
    thing *const new = driver_new(name, EVENT, 0, NULL);
    *event = (cl_event)(void *)new;
    if (new == NULL)
        return CL_SUCCESS;
    new->ended = e.root != NULL ? CL_COMPLETE : e.ended;
    new->root = e.root;
    if (e.root != NULL) {
        driver_hold(&e.root->refs);
        driver_hold(&driver.live);
    }
    return CL_SUCCESS;
}

#define BEGIN_COMMAND(name, is_right) \
    BEGIN(name, driver_is_a(QUEUE, queue) && are_events(n, wait) && (is_right), CL_INVALID_VALUE)

cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
    const size_t *offset, const size_t *global, const size_t *local, cl_uint n,
    const cl_event *wait, cl_event *event)
{
    BEGIN_COMMAND("clEnqueueNDRangeKernel", driver_is_a(KERNEL, kernel) && dimensions == 1 &&
                                                offset != NULL && *local != 0 && *local <= GROUP &&
                                                *global != 0 && *global % *local == 0 &&
                                                *global <= SIZE_MAX - *offset);
    return done(
        "clEnqueueNDRangeKernel", ending_of("clEnqueueNDRangeKernel", n, wait), CL_FALSE, event);
}

cl_int clEnqueueCopyBuffer(cl_command_queue queue, cl_mem from, cl_mem to, size_t from_at,
    size_t to_at, size_t bytes, cl_uint n, const cl_event *wait, cl_event *event)
{
    BEGIN_COMMAND("clEnqueueCopyBuffer",
        is_within(from, from_at, bytes) && is_within(to, to_at, bytes) && from != to);
    const ending e = ending_of("clEnqueueCopyBuffer", n, wait);
    if (e.ended == CL_COMPLETE)
        memcpy(((thing *)(void *)to)->data + to_at, ((thing *)(void *)from)->data + from_at, bytes);
    return done("clEnqueueCopyBuffer", e, CL_FALSE, event);
}

cl_int clEnqueueFillBuffer(cl_command_queue queue, cl_mem to, const void *pattern,
    size_t pattern_bytes, size_t at, size_t bytes, cl_uint n, const cl_event *wait, cl_event *event)
{
    BEGIN_COMMAND("clEnqueueFillBuffer", is_within(to, at, bytes) && bytes % pattern_bytes == 0);
    const ending e = ending_of("clEnqueueFillBuffer", n, wait);
    for (size_t i = 0; i < bytes && e.ended == CL_COMPLETE; i += pattern_bytes)
        memcpy(((thing *)(void *)to)->data + at + i, pattern, pattern_bytes);
    return done("clEnqueueFillBuffer", e, CL_FALSE, event);
}

cl_int clEnqueueReadBuffer(cl_command_queue queue, cl_mem from, cl_bool block, size_t at,
    size_t bytes, void *to, cl_uint n, const cl_event *wait, cl_event *event)
{
    BEGIN_COMMAND("clEnqueueReadBuffer", is_within(from, at, bytes) && to != NULL);
    const ending e = ending_of("clEnqueueReadBuffer", n, wait);
    if (e.ended == CL_COMPLETE)
        memcpy(to, ((thing *)(void *)from)->data + at, bytes);
    if (driver.lies.reads_ones)
        memset(to, 255, bytes);
    if (driver.lies.read_data != NULL && bytes == driver.lies.read_bytes)
        memcpy(to, driver.lies.read_data, bytes);
    return done("clEnqueueReadBuffer", e, block, event);
}

cl_int clEnqueueWriteBuffer(cl_command_queue queue, cl_mem to, cl_bool block, size_t at,
    size_t bytes, const void *from, cl_uint n, const cl_event *wait, cl_event *event)
{
    BEGIN_COMMAND("clEnqueueWriteBuffer", is_within(to, at, bytes) && from != NULL);
    const ending e = ending_of("clEnqueueWriteBuffer", n, wait);
    if (e.ended == CL_COMPLETE)
        memcpy(((thing *)(void *)to)->data + at, from, bytes);
    return done("clEnqueueWriteBuffer", e, block, event);
}

cl_int clEnqueueMarkerWithWaitList(
    cl_command_queue queue, cl_uint n, const cl_event *wait, cl_event *event)
{
    BEGIN_COMMAND("clEnqueueMarkerWithWaitList", 1);
    return done("clEnqueueMarkerWithWaitList", ending_of("clEnqueueMarkerWithWaitList", n, wait),
        CL_FALSE, event);
}

cl_int clWaitForEvents(cl_uint n, const cl_event *events)
{
    BEGIN("clWaitForEvents", n != 0 && are_events(n, events), CL_INVALID_EVENT);
    int has_failed = driver.is_armed && driver.lies.commands_fail;
    for (cl_uint i = 0; i < n; i++) {
        const cl_int ended = end_of((const void *)events[i]);
        if (ended > 0)
            driver_count(&driver.waits);
        has_failed = has_failed || ended != CL_COMPLETE;
    }
    return has_failed ? CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST : CL_SUCCESS;
}

cl_event clCreateUserEvent(cl_context of, cl_int *status)
{
    BEGIN_NEW("clCreateUserEvent", driver_is_a(CONTEXT, of), CL_INVALID_CONTEXT, status);
    thing *const event = driver_new("clCreateUserEvent", EVENT, 0, status);
    if (event != NULL)
        event->ended = CL_SUBMITTED;
    return (cl_event)(void *)event;
}

cl_int clSetUserEventStatus(cl_event of, cl_int ended)
{
    thing *const event = (void *)of;
    BEGIN("clSetUserEventStatus",
        driver_is_a(EVENT, of) && event->ended > 0 && event->root == NULL && ended <= 0,
        CL_INVALID_EVENT);
    event->ended = ended;
    return CL_SUCCESS;
}

cl_int clFinish(cl_command_queue queue)
{
    BEGIN("clFinish", driver_is_a(QUEUE, queue), CL_INVALID_COMMAND_QUEUE);
    return CL_SUCCESS;
}

cl_int clFlush(cl_command_queue queue)
{
    BEGIN("clFlush", driver_is_a(QUEUE, queue), CL_INVALID_COMMAND_QUEUE);
    return CL_SUCCESS;
}

cl_int clRetainContext(cl_context context)
{
    BEGIN("clRetainContext", driver_is_a(CONTEXT, context), CL_INVALID_CONTEXT);
    driver_hold(&((thing *)(void *)context)->refs);
    driver_hold(&driver.live);
    return CL_SUCCESS;
}

#define RELEASE(name, is, type)                   \
    cl_int name(type handle)                      \
    {                                             \
        return driver_release(#name, is, handle); \
    }

RELEASE(clReleaseContext, CONTEXT, cl_context)
RELEASE(clReleaseCommandQueue, QUEUE, cl_command_queue)
RELEASE(clReleaseMemObject, BUFFER, cl_mem)
RELEASE(clReleaseProgram, PROGRAM, cl_program)
RELEASE(clReleaseKernel, KERNEL, cl_kernel)
RELEASE(clReleaseEvent, EVENT, cl_event)
