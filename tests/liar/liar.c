/* SPDX-License-Identifier: MIT */
/*
 * A driver that fails, for programs that must survive one: loaded before the real one (LD_PRELOAD),
 * it passes calls on, but for programs that are built with options which hold DMM_LIAR_CRASH it
 * crashes, with DMM_LIAR_HANG it sleeps for ever, and with DMM_LIAR_WRONG every buffer read from
 * then on has a bit changed.
 */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <CL/cl.h>

typedef cl_int (*build_function)(cl_program, cl_uint, const cl_device_id *, const char *,
    void(CL_CALLBACK *)(cl_program, void *), void *);
typedef cl_int (*read_function)(cl_command_queue, cl_mem, cl_bool, size_t, size_t, void *, cl_uint,
    const cl_event *, cl_event *);

static int lies;

static int is_asked(const char *variable, const char *options)
{
    const char *const part = getenv(variable);
    return part != NULL && options != NULL && strstr(options, part) != NULL;
}

/* The next function of that name; ISO C has no way from a pointer to data to one to a function. */
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
    const cl_int status = next(queue, buffer, blocking, offset, bytes, out, num_wait, wait, event);
    if (lies && blocking && bytes != 0)
        ((unsigned char *)out)[bytes / 2] ^= 1;
    return status;
}
