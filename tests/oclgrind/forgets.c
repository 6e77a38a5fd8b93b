/* SPDX-License-Identifier: MIT */
/*
 * forgets sound|released|copied|branch: makes Oclgrind 21.10 report uninitialised memory wrongly
 * (mend.c).
 *   sound      correct: a larger buffer in the place of a released one, a copy into a part of a
 *              buffer, and a buffer that is filled. Oclgrind reports it
 *   constant   correct: a buffer in the place of a released program's constant. Oclgrind reports it
 *   released   reads a buffer without contents, in the place of a written one: no report
 *   copied     reads a copy of a buffer without contents: no report
 *   branch     reads a variable that only one branch writes: reported, and must also be reported
 *              under promote.cpp
 * run.sh reverses the first four. Uses no part of dmm.
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FEW = 4, MANY = 16 };

static const char *source =
    "kernel void fill(global uint *to) { to[get_global_id(0)] = 7; }\n"
    "kernel void read(global uint *to, global const uint *from)\n"
    "{ to[get_global_id(0)] = from[get_global_id(0)]; }\n"
    "kernel void branch(global uint *to)\n"
    "{ uint x; if (get_global_id(0) > 0) x = 7; to[get_global_id(0)] = x; }\n";

static cl_int failed;
static cl_context context;
static cl_command_queue queue;
static cl_program program;

static void require_success(cl_int status)
{
    if (status == CL_SUCCESS)
        return;
    fprintf(stderr, "forgets: an OpenCL call returned %d\n", status);
    exit(EXIT_FAILURE);
}

static void open_device(void)
{
    cl_platform_id platform;
    cl_device_id device;
    require_success(clGetPlatformIDs(1, &platform, NULL));
    require_success(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &failed);
    require_success(failed);
    queue = clCreateCommandQueue(context, device, 0, &failed);
    require_success(failed);
    program = clCreateProgramWithSource(context, 1, &source, NULL, &failed);
    require_success(failed);
    require_success(clBuildProgram(program, 1, &device, "", NULL, NULL));
}

static cl_mem buffer_of(size_t items)
{
    const cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, 4 * items, NULL, &failed);
    require_success(failed);
    return buffer;
}

/* Runs a kernel on the first items of a buffer: fill or read. Oclgrind may report the reads. */
static void run(const char *name, cl_mem buffer, size_t items)
{
    const cl_kernel kernel = clCreateKernel(program, name, &failed);
    const cl_mem first = strcmp(name, "read") == 0 ? buffer_of(MANY) : buffer;
    require_success(failed);
    require_success(clSetKernelArg(kernel, 0, sizeof first, &first));
    if (first != buffer)
        require_success(clSetKernelArg(kernel, 1, sizeof buffer, &buffer));
    require_success(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
    require_success(clFinish(queue));
}

static void copy(cl_mem from, cl_mem to, size_t at, size_t items)
{
    require_success(clEnqueueCopyBuffer(queue, from, to, 0, 4 * at, 4 * items, 0, NULL, NULL));
    require_success(clFinish(queue));
}

/* Returns a buffer of MANY items in the place of a released one of `items`, all filled. */
static cl_mem second_hand(size_t items)
{
    const cl_mem before = buffer_of(items);
    run("fill", before, items);
    require_success(clReleaseMemObject(before));
    return buffer_of(MANY);
}

/* Builds a program whose constant is in a buffer of a few bytes, and releases it. */
static void build_and_release(void)
{
    const char *text = "constant uint seven[2] = {7, 7};\n"
                       "kernel void read(global uint *to)\n"
                       "{ to[get_global_id(0)] = seven[get_global_id(0) % 2]; }\n";
    const cl_program built = clCreateProgramWithSource(context, 1, &text, NULL, &failed);
    require_success(failed);
    require_success(clBuildProgram(built, 0, NULL, NULL, NULL, NULL));
    require_success(clReleaseProgram(built));
}

int main(int argc, char **argv)
{
    const char *const word = argc == 2 ? argv[1] : "";
    open_device();
    if (strcmp(word, "sound") == 0) {
        const cl_mem larger = second_hand(FEW), whole = buffer_of(MANY), filled = buffer_of(MANY);
        const cl_uint seven = 7;
        run("fill", larger, MANY);
        run("read", larger, MANY);
        run("fill", whole, MANY);
        copy(larger, whole, FEW, FEW);
        run("read", whole, MANY);
        require_success(
            clEnqueueFillBuffer(queue, filled, &seven, sizeof seven, 0, 4 * FEW, 0, NULL, NULL));
        run("read", filled, FEW);
    } else if (strcmp(word, "constant") == 0) {
        build_and_release();
        const cl_mem buffer = buffer_of(MANY);
        run("fill", buffer, MANY);
        run("read", buffer, MANY);
    } else if (strcmp(word, "released") == 0) {
        run("read", second_hand(FEW), FEW);
    } else if (strcmp(word, "copied") == 0) {
        const cl_mem to = buffer_of(MANY);
        copy(buffer_of(MANY), to, 0, MANY);
        run("read", to, MANY);
    } else if (strcmp(word, "branch") == 0) {
        run("branch", buffer_of(MANY), MANY);
    } else {
        fprintf(stderr, "usage: forgets sound|constant|released|copied|branch\n");
        return EXIT_FAILURE;
    }
    return EXIT_SUCCESS;
}
