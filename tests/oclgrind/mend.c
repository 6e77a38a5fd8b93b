/* SPDX-License-Identifier: MIT */
/*
 * Replaces four calls of OpenCL for programs in Oclgrind 21.10, which records initialised bytes by
 * buffer number. It keeps the record when a buffer is released: the next buffer with that number
 * inherits it, and bytes past the old length never count as initialised. The constants of a program
 * are such buffers, too. It applies the record of a partial copy to the whole target buffer, and
 * records no bytes that are filled. It then reports correct kernels and misses errors. Here buffers
 * and programs are never released, so numbers are unique, and kernels copy and fill. Preloaded by
 * run.sh; forgets.c reproduces the errors.
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <string.h>

#define API __attribute__((visibility("default")))

static const char *source =
    "kernel void mend_copy(global uchar *to, ulong at, global const uchar *from, ulong first) {\n"
    "    to[at + get_global_id(0)] = from[first + get_global_id(0)];\n"
    "}\n"
    "kernel void mend_fill(global uchar *to, ulong at, ulong pattern, uint bytes) {\n"
    "    to[at + get_global_id(0)] = (uchar)(pattern >> 8 * (get_global_id(0) % bytes));\n"
    "}\n";

API cl_int clReleaseMemObject(cl_mem buffer)
{
    (void)buffer;
    return CL_SUCCESS;
}

API cl_int clReleaseProgram(cl_program program)
{
    (void)program;
    return CL_SUCCESS;
}

/* Stores the kernels, built once for consecutive calls from one context; NULL on failure. */
static cl_int kernels_of(cl_command_queue queue, cl_kernel *copy, cl_kernel *fill)
{
    static cl_context made_in;
    static cl_kernel copies, fills;
    cl_context context = NULL;
    const cl_int status =
        clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof context, &context, NULL);
    if (status == CL_SUCCESS && made_in != context) {
        cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, NULL);
        clBuildProgram(program, 0, NULL, "", NULL, NULL);
        copies = clCreateKernel(program, "mend_copy", NULL);
        fills = clCreateKernel(program, "mend_fill", NULL);
        clRetainContext(context); /* keeps its address from being reused */
        made_in = context;
    }
    *copy = copies;
    *fill = fills;
    return status;
}

API cl_int clEnqueueCopyBuffer(cl_command_queue queue, cl_mem from, cl_mem to, size_t first,
    size_t at, size_t bytes, cl_uint num_wait, const cl_event *wait, cl_event *event)
{
    const cl_ulong wide_first = first, wide_at = at;
    cl_kernel kernel, fill;
    cl_int failed = kernels_of(queue, &kernel, &fill);
    if (failed != CL_SUCCESS)
        return failed;
    failed |= clSetKernelArg(kernel, 0, sizeof to, &to);
    failed |= clSetKernelArg(kernel, 1, sizeof wide_at, &wide_at);
    failed |= clSetKernelArg(kernel, 2, sizeof from, &from);
    failed |= clSetKernelArg(kernel, 3, sizeof wide_first, &wide_first);
    return failed != CL_SUCCESS ? CL_INVALID_VALUE
                                : clEnqueueNDRangeKernel(
                                      queue, kernel, 1, NULL, &bytes, NULL, num_wait, wait, event);
}

/* Patterns of up to 8 bytes. */
API cl_int clEnqueueFillBuffer(cl_command_queue queue, cl_mem to, const void *pattern,
    size_t pattern_bytes, size_t at, size_t bytes, cl_uint num_wait, const cl_event *wait,
    cl_event *event)
{
    const cl_ulong wide_at = at;
    const cl_uint period = (cl_uint)pattern_bytes;
    cl_ulong word = 0;
    cl_kernel copy, kernel;
    cl_int failed = kernels_of(queue, &copy, &kernel);
    if (failed != CL_SUCCESS)
        return failed;
    if (pattern_bytes > sizeof word)
        return CL_INVALID_VALUE;
    memcpy(&word, pattern, pattern_bytes);
    failed |= clSetKernelArg(kernel, 0, sizeof to, &to);
    failed |= clSetKernelArg(kernel, 1, sizeof wide_at, &wide_at);
    failed |= clSetKernelArg(kernel, 2, sizeof word, &word);
    failed |= clSetKernelArg(kernel, 3, sizeof period, &period);
    return failed != CL_SUCCESS ? CL_INVALID_VALUE
                                : clEnqueueNDRangeKernel(
                                      queue, kernel, 1, NULL, &bytes, NULL, num_wait, wait, event);
}
