/* SPDX-License-Identifier: MIT */
/*
 * A library to preload: records for replay.cpp what an OpenCL program builds, allocates, launches
 * and reads, and passes each call to the driver. Writes to the folder $DMM_RECORD, file `calls`:
 *   buffer ID BYTES FILE           FILE holds the initial contents; - if there are none
 *   write ID AT BYTES FILE
 *   read ID AT BYTES FILE          FILE holds the bytes that the driver returned
 *   dump ID FILE                   a read of some rows of a buffer: replay writes all of it to FILE
 *   copy FROM AT TO AT BYTES
 *   launch PROGRAM KERNEL OFFSET GLOBAL LOCAL ARGUMENT...
 *                                  an argument: @ID, *BYTES of local memory, or its bytes in hex
 * PROGRAM.cl and PROGRAM.options hold the text and the options of each program that is built.
 * Ranges must have one dimension, as all of dmm's do. Reads become blocking.
 */
#define _GNU_SOURCE
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_OBJECTS = 4096, MOST_ARGUMENTS = 32, MOST_BYTES = 1024 };

typedef struct argument {
    size_t bytes;
    int is_local;
    unsigned char value[MOST_BYTES];
} argument;

typedef struct kernel_seen {
    cl_kernel kernel;
    cl_program program;
    char name[128];
    cl_uint num_arguments;
    argument arguments[MOST_ARGUMENTS];
} kernel_seen;

static FILE *calls;
static cl_mem buffers[MOST_OBJECTS];
static cl_program programs[MOST_OBJECTS];
static char *texts[MOST_OBJECTS];
static kernel_seen *kernels[MOST_OBJECTS];
static size_t num_buffers, num_programs, num_kernels, num_files;

static void fail(const char *what)
{
    fprintf(stderr, "record: %s\n", what);
    exit(2);
}

static FILE *open_in_folder(const char *name)
{
    char path[4096];
    const char *const folder = getenv("DMM_RECORD");
    if (folder == NULL)
        fail("DMM_RECORD is not set");
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *const file = fopen(path, "wb");
    if (file == NULL)
        fail(path);
    return file;
}

static FILE *log_of_calls(void)
{
    if (calls == NULL) {
        calls = open_in_folder("calls");
        setvbuf(calls, NULL, _IOLBF, 0);
    }
    return calls;
}

/* Returns the driver's function of that name. */
static void *next_of(const char *name)
{
    void *const function = dlsym(RTLD_NEXT, name);
    if (function == NULL)
        fail(name);
    return function;
}

#define REAL(type, name)                      \
    type real;                                \
    do {                                      \
        void *const address = next_of(name);  \
        memcpy(&real, &address, sizeof real); \
    } while (0)

/* Saves bytes to a new file and returns its name, which the next call overwrites. */
static const char *save(const void *data, size_t bytes)
{
    static char name[32];
    snprintf(name, sizeof name, "data%zu", num_files++);
    FILE *const file = open_in_folder(name);
    if (fwrite(data, 1, bytes, file) != bytes || fclose(file) != 0)
        fail(name);
    return name;
}

/* Sets `at` to the newest object with that address, or to num. Drivers reuse addresses. */
#define NEWEST(list, num, object, at)            \
    size_t at = (num);                           \
    while (at > 0 && (list)[at - 1] != (object)) \
        at--;                                    \
    at = at > 0 ? at - 1 : (num)

static size_t buffer_number(cl_mem buffer)
{
    NEWEST(buffers, num_buffers, buffer, at);
    return at;
}

static kernel_seen *kernel_of(cl_kernel kernel)
{
    for (size_t i = num_kernels; i > 0; i--)
        if (kernels[i - 1]->kernel == kernel)
            return kernels[i - 1];
    fail("a kernel that was not created here");
    return NULL;
}

/* Programs are for another driver, without dmm's workarounds for this one. */
cl_int clGetPlatformInfo(
    cl_platform_id platform, cl_platform_info what, size_t bytes, void *value, size_t *needed)
{
    static const char name[] = "recorded";
    typedef cl_int (*function)(cl_platform_id, cl_platform_info, size_t, void *, size_t *);
    REAL(function, "clGetPlatformInfo");
    if (what != CL_PLATFORM_NAME)
        return real(platform, what, bytes, value, needed);
    if (needed != NULL)
        *needed = sizeof name;
    if (value != NULL && bytes >= sizeof name)
        memcpy(value, name, sizeof name);
    return value != NULL && bytes < sizeof name ? CL_INVALID_VALUE : CL_SUCCESS;
}

cl_program clCreateProgramWithSource(
    cl_context context, cl_uint count, const char **strings, const size_t *lengths, cl_int *error)
{
    typedef cl_program (*function)(cl_context, cl_uint, const char **, const size_t *, cl_int *);
    REAL(function, "clCreateProgramWithSource");
    size_t bytes = 1, at = 0;
    for (cl_uint i = 0; i < count; i++)
        bytes += lengths != NULL && lengths[i] != 0 ? lengths[i] : strlen(strings[i]);
    char *const text = calloc(bytes, 1);
    if (text == NULL || num_programs == MOST_OBJECTS)
        fail("too many programs");
    for (cl_uint i = 0; i < count; i++) {
        const size_t part = lengths != NULL && lengths[i] != 0 ? lengths[i] : strlen(strings[i]);
        memcpy(text + at, strings[i], part);
        at += part;
    }
    programs[num_programs] = real(context, count, strings, lengths, error);
    texts[num_programs] = text;
    return programs[num_programs++];
}

static void save_text(size_t program, const char *suffix, const char *text)
{
    char name[64];
    snprintf(name, sizeof name, "%zu.%s", program, suffix);
    FILE *const file = open_in_folder(name);
    if (fputs(text, file) < 0 || fclose(file) != 0)
        fail(name);
}

cl_int clBuildProgram(cl_program program, cl_uint num_devices, const cl_device_id *devices,
    const char *options, void(CL_CALLBACK *notify)(cl_program, void *), void *user)
{
    typedef cl_int (*function)(cl_program, cl_uint, const cl_device_id *, const char *,
        void(CL_CALLBACK *)(cl_program, void *), void *);
    REAL(function, "clBuildProgram");
    NEWEST(programs, num_programs, program, at);
    if (at < num_programs) {
        save_text(at, "cl", texts[at]);
        save_text(at, "options", options != NULL ? options : "");
    }
    return real(program, num_devices, devices, options, notify, user);
}

cl_kernel clCreateKernel(cl_program program, const char *name, cl_int *error)
{
    typedef cl_kernel (*function)(cl_program, const char *, cl_int *);
    REAL(function, "clCreateKernel");
    kernel_seen *const seen = calloc(1, sizeof *seen);
    if (seen == NULL || num_kernels == MOST_OBJECTS)
        fail("too many kernels");
    seen->kernel = real(program, name, error);
    seen->program = program;
    snprintf(seen->name, sizeof seen->name, "%s", name);
    kernels[num_kernels++] = seen;
    return seen->kernel;
}

cl_int clSetKernelArg(cl_kernel kernel, cl_uint i, size_t bytes, const void *value)
{
    typedef cl_int (*function)(cl_kernel, cl_uint, size_t, const void *);
    REAL(function, "clSetKernelArg");
    kernel_seen *const seen = kernel_of(kernel);
    if (i >= MOST_ARGUMENTS || (value != NULL && bytes > MOST_BYTES))
        fail("an argument too many, or too long");
    seen->arguments[i].bytes = bytes;
    seen->arguments[i].is_local = value == NULL;
    memset(seen->arguments[i].value, 0, MOST_BYTES);
    if (value != NULL)
        memcpy(seen->arguments[i].value, value, bytes);
    seen->num_arguments = i >= seen->num_arguments ? i + 1 : seen->num_arguments;
    return real(kernel, i, bytes, value);
}

cl_mem clCreateBuffer(
    cl_context context, cl_mem_flags flags, size_t bytes, void *host, cl_int *error)
{
    typedef cl_mem (*function)(cl_context, cl_mem_flags, size_t, void *, cl_int *);
    REAL(function, "clCreateBuffer");
    if (num_buffers == MOST_OBJECTS)
        fail("too many buffers");
    buffers[num_buffers] = real(context, flags, bytes, host, error);
    fprintf(log_of_calls(), "buffer %zu %zu %s\n", num_buffers, bytes,
        host != NULL ? save(host, bytes) : "-");
    return buffers[num_buffers++];
}

cl_int clEnqueueWriteBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t at,
    size_t bytes, const void *data, cl_uint num_wait, const cl_event *wait, cl_event *event)
{
    typedef cl_int (*function)(cl_command_queue, cl_mem, cl_bool, size_t, size_t, const void *,
        cl_uint, const cl_event *, cl_event *);
    REAL(function, "clEnqueueWriteBuffer");
    fprintf(log_of_calls(), "write %zu %zu %zu %s\n", buffer_number(buffer), at, bytes,
        save(data, bytes));
    return real(queue, buffer, blocking, at, bytes, data, num_wait, wait, event);
}

cl_int clEnqueueReadBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t at,
    size_t bytes, void *data, cl_uint num_wait, const cl_event *wait, cl_event *event)
{
    typedef cl_int (*function)(cl_command_queue, cl_mem, cl_bool, size_t, size_t, void *, cl_uint,
        const cl_event *, cl_event *);
    REAL(function, "clEnqueueReadBuffer");
    (void)blocking;
    const cl_int status = real(queue, buffer, CL_TRUE, at, bytes, data, num_wait, wait, event);
    fprintf(log_of_calls(), "read %zu %zu %zu %s\n", buffer_number(buffer), at, bytes,
        save(data, bytes));
    return status;
}

cl_int clEnqueueReadBufferRect(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
    const size_t *buffer_origin, const size_t *host_origin, const size_t *region, size_t row_pitch,
    size_t slice_pitch, size_t host_row_pitch, size_t host_slice_pitch, void *data,
    cl_uint num_wait, const cl_event *wait, cl_event *event)
{
    typedef cl_int (*function)(cl_command_queue, cl_mem, cl_bool, const size_t *, const size_t *,
        const size_t *, size_t, size_t, size_t, size_t, void *, cl_uint, const cl_event *,
        cl_event *);
    static size_t dumps;
    REAL(function, "clEnqueueReadBufferRect");
    fprintf(log_of_calls(), "dump %zu dump%zu\n", buffer_number(buffer), dumps++);
    return real(queue, buffer, blocking, buffer_origin, host_origin, region, row_pitch, slice_pitch,
        host_row_pitch, host_slice_pitch, data, num_wait, wait, event);
}

cl_int clEnqueueCopyBuffer(cl_command_queue queue, cl_mem from, cl_mem to, size_t from_at,
    size_t to_at, size_t bytes, cl_uint num_wait, const cl_event *wait, cl_event *event)
{
    typedef cl_int (*function)(cl_command_queue, cl_mem, cl_mem, size_t, size_t, size_t, cl_uint,
        const cl_event *, cl_event *);
    REAL(function, "clEnqueueCopyBuffer");
    fprintf(log_of_calls(), "copy %zu %zu %zu %zu %zu\n", buffer_number(from), from_at,
        buffer_number(to), to_at, bytes);
    return real(queue, from, to, from_at, to_at, bytes, num_wait, wait, event);
}

static void log_argument(const argument *given)
{
    cl_mem buffer = NULL;
    size_t number = num_buffers;
    if (given->is_local) {
        fprintf(calls, " *%zu", given->bytes);
        return;
    }
    if (given->bytes == sizeof buffer) {
        memcpy(&buffer, given->value, sizeof buffer);
        number = buffer != NULL ? buffer_number(buffer) : num_buffers;
    }
    if (number < num_buffers) {
        fprintf(calls, " @%zu", number);
        return;
    }
    fputc(' ', calls);
    for (size_t i = 0; i < given->bytes; i++)
        fprintf(calls, "%02x", given->value[i]);
}

cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
    const size_t *offset, const size_t *global, const size_t *local, cl_uint num_wait,
    const cl_event *wait, cl_event *event)
{
    typedef cl_int (*function)(cl_command_queue, cl_kernel, cl_uint, const size_t *, const size_t *,
        const size_t *, cl_uint, const cl_event *, cl_event *);
    REAL(function, "clEnqueueNDRangeKernel");
    const kernel_seen *const seen = kernel_of(kernel);
    NEWEST(programs, num_programs, seen->program, program);
    if (dimensions != 1 || local == NULL)
        fail("a launch that is not of one dimension and a given group");
    fprintf(log_of_calls(), "launch %zu %s %zu %zu %zu", program, seen->name,
        offset != NULL ? offset[0] : 0, global[0], local[0]);
    for (cl_uint i = 0; i < seen->num_arguments; i++)
        log_argument(&seen->arguments[i]);
    fputc('\n', calls);
    return real(queue, kernel, dimensions, offset, global, local, num_wait, wait, event);
}
