/* SPDX-License-Identifier: MIT */
/*
 * Replaces two calls of OpenCL for programs in Oclgrind 21.10, which records initialised bytes by
 * buffer number. It keeps the record when a buffer is released: the next buffer with that number
 * inherits it, and bytes past the old length never count as initialised. It also applies the record
 * of a partial copy to the whole target buffer. It then reports correct kernels and misses errors.
 * Here buffers are never released, so numbers are unique, and a kernel makes the copies. Preloaded
 * by run.sh; forgets.c reproduces the errors.
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#define API __attribute__((visibility("default")))

static const char *source =
    "kernel void mend_copy(global uchar *to, ulong at, global const uchar *from, ulong first) {\n"
    "    to[at + get_global_id(0)] = from[first + get_global_id(0)];\n"
    "}\n";

API cl_int clReleaseMemObject(cl_mem buffer)
{
    (void)buffer;
    return CL_SUCCESS;
}

/* Returns the kernel, built once for consecutive calls from one context, or NULL on failure. */
static cl_kernel copy_kernel(cl_context context)
{
    static cl_context made_in;
    static cl_kernel kernel;
    if (made_in == context)
        return kernel;
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, NULL);
    clBuildProgram(program, 0, NULL, "", NULL, NULL);
    kernel = clCreateKernel(program, "mend_copy", NULL);
    clRetainContext(context); /* keeps its address from being reused */
    made_in = context;
    return kernel;
}

API cl_int clEnqueueCopyBuffer(cl_command_queue queue, cl_mem from, cl_mem to, size_t first,
    size_t at, size_t bytes, cl_uint num_wait, const cl_event *wait, cl_event *event)
{
    const cl_ulong wide_first = first, wide_at = at;
    cl_context context = NULL;
    cl_int failed = clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof context, &context, NULL);
    if (failed != CL_SUCCESS)
        return failed;
    const cl_kernel kernel = copy_kernel(context);
    failed |= clSetKernelArg(kernel, 0, sizeof to, &to);
    failed |= clSetKernelArg(kernel, 1, sizeof wide_at, &wide_at);
    failed |= clSetKernelArg(kernel, 2, sizeof from, &from);
    failed |= clSetKernelArg(kernel, 3, sizeof wide_first, &wide_first);
    return failed != CL_SUCCESS ? CL_INVALID_VALUE
                                : clEnqueueNDRangeKernel(
                                      queue, kernel, 1, NULL, &bytes, NULL, num_wait, wait, event);
}
