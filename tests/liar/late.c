/* SPDX-License-Identifier: MIT */
/*
 * DMM_LIAR_LATE=1: blocking writes return as early as OpenCL 1.2 allows (section 5.2.2), when the
 * host's memory may be reused, and the data arrive in the buffer as late as it allows. A write
 * waits for a gate, a user event, and the gate opens when the host or a command waits for an event
 * of the write's queue, or when that queue is finished, read by a blocking read, or released. A
 * command on another queue that does not wait for the write sees the old data.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "liar/late.h"

enum { MOST_GATES = 256 };

/* A write that has not begun. */
typedef struct gate {
    cl_command_queue queue; /* NULL: none */
    cl_event open, done;
    void *data;
} gate;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static gate gates[MOST_GATES];

/* Declares `next`, the driver's function of that name. ISO C has no conversion from a data pointer
 * to a function pointer. */
#define NEXT(type, name, parameters)                 \
    type(*next) parameters = NULL;                   \
    {                                                \
        void *const found_ = dlsym(RTLD_NEXT, name); \
        if (found_ == NULL)                          \
            abort();                                 \
        memcpy(&next, &found_, sizeof found_);       \
    }

static int is_late(void)
{
    return getenv("DMM_LIAR_LATE") != NULL;
}

static cl_int wait_for(cl_uint n, const cl_event *events)
{
    NEXT(cl_int, "clWaitForEvents", (cl_uint, const cl_event *))
    return next(n, events);
}

void late_arrive(cl_command_queue queue)
{
    pthread_mutex_lock(&lock);
    for (gate *g = gates; g < gates + MOST_GATES; g++)
        if (g->queue == queue && queue != NULL) {
            clSetUserEventStatus(g->open, CL_COMPLETE);
            wait_for(1, &g->done);
            clReleaseEvent(g->open);
            clReleaseEvent(g->done);
            free(g->data);
            *g = (gate){NULL, NULL, NULL, NULL};
        }
    pthread_mutex_unlock(&lock);
}

void late_arrive_for(cl_uint n, const cl_event *events)
{
    for (cl_uint i = 0; i < n && events != NULL && is_late(); i++) {
        cl_command_queue queue = NULL;
        if (clGetEventInfo(events[i], CL_EVENT_COMMAND_QUEUE, sizeof queue, &queue, NULL) ==
            CL_SUCCESS)
            late_arrive(queue);
    }
}

static int add_gate(cl_command_queue queue, cl_event open, cl_event done, void *data)
{
    int added = 0;
    pthread_mutex_lock(&lock);
    for (gate *g = gates; g < gates + MOST_GATES && !added; g++)
        if ((added = g->queue == NULL) != 0)
            *g = (gate){queue, open, done, data};
    pthread_mutex_unlock(&lock);
    return added;
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueWriteBuffer(cl_command_queue queue, cl_mem buffer,
    cl_bool blocking, size_t offset, size_t bytes, const void *data, cl_uint num_wait,
    const cl_event *wait, cl_event *event)
{
    NEXT(cl_int, "clEnqueueWriteBuffer",
        (cl_command_queue, cl_mem, cl_bool, size_t, size_t, const void *, cl_uint, const cl_event *,
            cl_event *))
    cl_context context = NULL;
    cl_event done = NULL;
    void *const copy = is_late() && blocking && num_wait == 0 ? malloc(bytes) : NULL;
    if (copy == NULL || clGetCommandQueueInfo(
                            queue, CL_QUEUE_CONTEXT, sizeof context, &context, NULL) != CL_SUCCESS)
        return next(queue, buffer, blocking, offset, bytes, data, num_wait, wait, event);
    const cl_event open = clCreateUserEvent(context, NULL);
    memcpy(copy, data, bytes);
    const cl_int status = next(queue, buffer, CL_FALSE, offset, bytes, copy, 1, &open, &done);
    if (status != CL_SUCCESS) {
        clReleaseEvent(open);
        free(copy);
        return status;
    }
    if (event != NULL)
        *event = done;
    if (event != NULL)
        clRetainEvent(done);
    if (!add_gate(queue, open, done, copy))
        abort();
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL clWaitForEvents(cl_uint n, const cl_event *events)
{
    late_arrive_for(n, events);
    return wait_for(n, events);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueCopyBuffer(cl_command_queue queue, cl_mem from, cl_mem to,
    size_t from_at, size_t to_at, size_t bytes, cl_uint n, const cl_event *wait, cl_event *event)
{
    NEXT(cl_int, "clEnqueueCopyBuffer",
        (cl_command_queue, cl_mem, cl_mem, size_t, size_t, size_t, cl_uint, const cl_event *,
            cl_event *))
    late_arrive_for(n, wait);
    return next(queue, from, to, from_at, to_at, bytes, n, wait, event);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueMarkerWithWaitList(
    cl_command_queue queue, cl_uint n, const cl_event *wait, cl_event *event)
{
    NEXT(cl_int, "clEnqueueMarkerWithWaitList",
        (cl_command_queue, cl_uint, const cl_event *, cl_event *))
    late_arrive_for(n, wait);
    return next(queue, n, wait, event);
}

CL_API_ENTRY cl_int CL_API_CALL clFinish(cl_command_queue queue)
{
    NEXT(cl_int, "clFinish", (cl_command_queue))
    late_arrive(queue);
    return next(queue);
}

CL_API_ENTRY cl_int CL_API_CALL clReleaseCommandQueue(cl_command_queue queue)
{
    NEXT(cl_int, "clReleaseCommandQueue", (cl_command_queue))
    late_arrive(queue);
    return next(queue);
}
