/* SPDX-License-Identifier: MIT */
/*
 * Two calls of OpenCL, for programs in Oclgrind 21.10, whose account of what is initialised goes by
 * a buffer's number. It never hears that a buffer is released: the next one of that number is as
 * initialised as that one was, and past its length nothing ever is. And it takes what a command
 * copies into a part of a buffer for the whole of it. So correct kernels are reported, and wrong
 * ones are not. Here numbers are never given twice, and copies are made by a kernel. Preloaded by
 * run.sh; forgets.c is what it mends.
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

/* The kernel, made once for as long as calls come from one context. NULL: it cannot be made. */
static cl_kernel copy_kernel(cl_context context)
{
    static cl_context made_in;
    static cl_kernel kernel;
    if (made_in == context)
        return kernel;
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, NULL);
    clBuildProgram(program, 0, NULL, "", NULL, NULL);
    kernel = clCreateKernel(program, "mend_copy", NULL);
    clRetainContext(context); /* so that no other one gets its address */
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
