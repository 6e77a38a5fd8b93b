/* SPDX-License-Identifier: MIT */
/*
 * What the ex_group_ programs share, none of it dmm's: a device, a program of several texts, and
 * arrays of the host as arguments of a kernel.
 */
#ifndef EX_GROUP_H
#define EX_GROUP_H

#include <stdio.h>
#include <stdlib.h>

#include <dmm/dmm.h>

/* Ends the program unless an OpenCL or dmm call has succeeded. */
static inline void check(int status, const char *what)
{
    if (status != 0) {
        fprintf(stderr, "%s: %s\n", what, dmm_error_text((dmm_status)status));
        exit(1);
    }
}

typedef struct program {
    cl_context context;
    cl_command_queue queue;
    cl_program program;
} program;

/* Builds a program of texts on the first device of the first platform. */
static inline program open_program(const char **texts, cl_uint count)
{
    cl_platform_id platform = NULL;
    cl_device_id device = NULL;
    cl_int status = CL_SUCCESS;
    program p;
    check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "clGetDeviceIDs");
    p.context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    check(status, "clCreateContext");
    p.queue = clCreateCommandQueue(p.context, device, 0, &status);
    check(status, "clCreateCommandQueue");
    p.program = clCreateProgramWithSource(p.context, count, texts, NULL, &status);
    check(status, "clCreateProgramWithSource");
    check(clBuildProgram(p.program, 1, &device, "-cl-std=CL1.2", NULL, NULL), "clBuildProgram");
    return p;
}

static inline void close_program(const program *p)
{
    clReleaseProgram(p->program);
    clReleaseCommandQueue(p->queue);
    clReleaseContext(p->context);
}

/* An array of the host that a kernel gets as a buffer, and gives back. */
typedef struct array {
    void *data;
    size_t bytes;
} array;

/* Runs a kernel of `groups` groups of u work-items on arrays. */
static inline void run(
    const program *p, const char *name, size_t groups, size_t u, const array *arrays, cl_uint count)
{
    const size_t all = groups * u;
    cl_mem buffers[8];
    cl_int status = CL_SUCCESS;
    cl_kernel kernel = clCreateKernel(p->program, name, &status);
    check(status, name);
    for (cl_uint i = 0; i < count; i++) {
        buffers[i] = clCreateBuffer(p->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
            arrays[i].bytes, arrays[i].data, &status);
        check(status, "clCreateBuffer");
        check(clSetKernelArg(kernel, i, sizeof buffers[i], &buffers[i]), "clSetKernelArg");
    }
    check(clEnqueueNDRangeKernel(p->queue, kernel, 1, NULL, &all, &u, 0, NULL, NULL), name);
    for (cl_uint i = 0; i < count; i++) {
        check(clEnqueueReadBuffer(
                  p->queue, buffers[i], CL_TRUE, 0, arrays[i].bytes, arrays[i].data, 0, NULL, NULL),
            "clEnqueueReadBuffer");
        clReleaseMemObject(buffers[i]);
    }
    clReleaseKernel(kernel);
}

/* Returns the next of numbers that look random. */
static inline unsigned draw(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

#endif
