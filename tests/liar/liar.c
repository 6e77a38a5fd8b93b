/* SPDX-License-Identifier: MIT */
/*
 * A driver that fails, for programs that must survive one: loaded before the real one (LD_PRELOAD),
 * it passes calls on, but for programs that are built with options which hold DMM_LIAR_CRASH it
 * crashes, with DMM_LIAR_HANG it sleeps for ever, and with DMM_LIAR_WRONG every buffer read from
 * then on has a bit changed. DMM_LIAR_READS=M changes a bit in each read of M bytes or more;
 * DMM_LIAR_GROUPS=G leaves out the last group of each launch of more than G groups. late.c has
 * DMM_LIAR_LATE.
 */
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <CL/cl.h>

#include "liar/late.h"

typedef cl_int (*build_function)(cl_program, cl_uint, const cl_device_id *, const char *,
    void(CL_CALLBACK *)(cl_program, void *), void *);
typedef cl_int (*launch_function)(cl_command_queue, cl_kernel, cl_uint, const size_t *,
    const size_t *, const size_t *, cl_uint, const cl_event *, cl_event *);
typedef cl_int (*read_function)(cl_command_queue, cl_mem, cl_bool, size_t, size_t, void *, cl_uint,
    const cl_event *, cl_event *);

static int lies;

/* Returns a number from the environment; SIZE_MAX: none. */
static size_t limit(const char *variable)
{
    const char *const text = getenv(variable);
    return text != NULL ? (size_t)strtoull(text, NULL, 10) : SIZE_MAX;
}

static int is_asked(const char *variable, const char *options)
{
    const char *const part = getenv(variable);
    return part != NULL && options != NULL && strstr(options, part) != NULL;
}

/* Finds the next function of that name; ISO C has no conversion from a data pointer to a function
 * pointer. */
static void find(const char *name, void *out, size_t bytes)
{
    void *const found = dlsym(RTLD_NEXT, name);
    if (found == NULL)
        abort();
    memcpy(out, &found, bytes);
}

CL_API_ENTRY cl_int CL_API_CALL clBuildProgram(cl_program program, cl_uint num_devices,
    const cl_device_id *devices, const char *options, void(CL_CALLBACK *notify)(cl_program, void *),
    void *user)
{
    build_function next;
    find("clBuildProgram", &next, sizeof next);
    if (is_asked("DMM_LIAR_CRASH", options))
        abort(); /* a driver may catch SIGSEGV */
    while (is_asked("DMM_LIAR_HANG", options))
        pause();
    lies = lies || is_asked("DMM_LIAR_WRONG", options);
    return next(program, num_devices, devices, options, notify, user);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueReadBuffer(cl_command_queue queue, cl_mem buffer,
    cl_bool blocking, size_t offset, size_t bytes, void *out, cl_uint num_wait,
    const cl_event *wait, cl_event *event)
{
    read_function next;
    find("clEnqueueReadBuffer", &next, sizeof next);
    late_arrive(blocking ? queue : NULL);
    late_arrive_for(num_wait, wait);
    const cl_int status = next(queue, buffer, blocking, offset, bytes, out, num_wait, wait, event);
    if ((lies || bytes >= limit("DMM_LIAR_READS")) && blocking && bytes != 0)
        ((unsigned char *)out)[bytes / 2] ^= 1;
    return status;
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel,
    cl_uint dims, const size_t *offset, const size_t *global, const size_t *local, cl_uint num_wait,
    const cl_event *wait, cl_event *event)
{
    launch_function next;
    size_t fewer = dims == 1 ? global[0] : 0;
    find("clEnqueueNDRangeKernel", &next, sizeof next);
    if (dims == 1 && local != NULL && global[0] / local[0] > limit("DMM_LIAR_GROUPS"))
        fewer -= local[0];
    late_arrive_for(num_wait, wait);
    return next(
        queue, kernel, dims, offset, dims == 1 ? &fewer : global, local, num_wait, wait, event);
}
