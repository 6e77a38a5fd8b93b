/* SPDX-License-Identifier: MIT */
/*
 * scatter [N [GROUPS]]: writes N words (default 65536) to the places of a random permutation, each
 * work-item its own, as code does that cares for nothing. With GROUPS, a power of two that divides
 * N, each of so many equal parts of the words goes to a part of its own.
 */
#include <CL/cl.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const source =
    "#line 1 \"scatter.cl\"\n"
    "kernel void scatter(global const uint *in, global const uint *places, global uint *out)\n"
    "{\n"
    "    const size_t i = get_global_id(0);\n"
    "    out[places[i]] = in[i];\n"
    "}\n";

static void check(cl_int status, const char *what)
{
    if (status == CL_SUCCESS)
        return;
    fprintf(stderr, "scatter: %s: OpenCL error %d\n", what, (int)status);
    exit(1);
}

/* A random permutation of each part (Fisher and Yates). */
static void permute(uint32_t *places, size_t n, size_t parts)
{
    uint64_t state = 1;
    for (size_t i = 0; i < n; i++)
        places[i] = (uint32_t)i;
    for (size_t i = n; i-- > 0;) {
        const size_t first = i / (n / parts) * (n / parts);
        state = state * 6364136223846793005u + 1442695040888963407u;
        const size_t j = first + (size_t)((state >> 33) % (i - first + 1));
        const uint32_t place = places[i];
        places[i] = places[j];
        places[j] = place;
    }
}

static cl_mem fill(cl_context context, uint32_t *words, size_t bytes)
{
    cl_int status;
    cl_mem buffer =
        clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, bytes, words, &status);
    check(status, "clCreateBuffer");
    return buffer;
}

static void scatter(
    cl_context context, cl_device_id device, uint32_t *words, size_t n, size_t parts)
{
    enum { GROUP = 256 };
    cl_int status;
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &status);
    check(status, "clCreateCommandQueue");
    permute(words, n, parts);
    cl_mem buffers[] = {fill(context, words, 4 * n), fill(context, words, 4 * n),
        clCreateBuffer(context, CL_MEM_READ_WRITE, 4 * n, NULL, &status)};
    check(status, "clCreateBuffer");
    cl_program program =
        clCreateProgramWithSource(context, 1, (const char *[]){source}, NULL, NULL);
    check(clBuildProgram(program, 1, &device, NULL, NULL, NULL), "clBuildProgram");
    cl_kernel kernel = clCreateKernel(program, "scatter", &status);
    check(status, "clCreateKernel");
    for (cl_uint i = 0; i < 3; i++)
        check(clSetKernelArg(kernel, i, sizeof buffers[i], &buffers[i]), "clSetKernelArg");
    check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &n, &(size_t){GROUP}, 0, NULL, NULL),
        "clEnqueueNDRangeKernel");
    check(clEnqueueReadBuffer(queue, buffers[2], CL_TRUE, 0, 4 * n, words, 0, NULL, NULL), "read");
    for (size_t i = 0; i < n; i++)
        if (words[i] != i)
            exit(1);
    for (int i = 0; i < 3; i++)
        clReleaseMemObject(buffers[i]);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
}

int main(int argc, char **argv)
{
    cl_platform_id platform;
    cl_device_id device;
    const size_t n = argc > 1 ? strtoull(argv[1], NULL, 10) : 65536;
    const size_t parts = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    uint32_t *words = parts && n % parts == 0 ? malloc(4 * n + 1) : NULL;
    if (!words)
        return 1;
    check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "clGetDeviceIDs");
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    scatter(context, device, words, n, parts);
    clReleaseContext(context);
    free(words);
    return 0;
}
