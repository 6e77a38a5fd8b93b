/* SPDX-License-Identifier: MIT */
/*
 * unmetered WAY...: runs one kernel for each way to make a program: `source`, `binary`, `linked` of
 * two parts, source with `printf`, and `built_in`, which stand_in.c has. Prints PASSED if every
 * kernel gave the right result. An OpenCL program without dmm, for tests of `dmm meter`, which can
 * meter the first way alone.
 */
#include <CL/cl.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ITEMS = 64, BINARY_BYTES_MAX = 1 << 22 };

static cl_context context;
static cl_device_id device;
static cl_command_queue queue;

static void check(cl_int status, const char *what)
{
    if (status == CL_SUCCESS)
        return;
    printf("unmetered: %s: OpenCL error %d\n", what, (int)status);
    exit(1);
}

static cl_program from_source(const char *text)
{
    cl_int status;
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &status);
    check(status, "source");
    return program;
}

static cl_program built(const char *text)
{
    cl_program program = from_source(text);
    check(clBuildProgram(program, 1, &device, "", NULL, NULL), "build");
    return program;
}

static cl_program from_binary(void)
{
    cl_program source = built("kernel void of_binary(global uint *a)\n"
                              "{ a[get_global_id(0)] += 3; }\n");
    static unsigned char bytes[BINARY_BYTES_MAX];
    unsigned char *to = bytes;
    const unsigned char *from = bytes;
    size_t length = 0;
    cl_int status, each;
    check(clGetProgramInfo(source, CL_PROGRAM_BINARY_SIZES, sizeof length, &length, NULL), "size");
    check(length == 0 || length > sizeof bytes, "a binary of that size");
    check(clGetProgramInfo(source, CL_PROGRAM_BINARIES, sizeof to, &to, NULL), "binary");
    cl_program program =
        clCreateProgramWithBinary(context, 1, &device, &length, &from, &each, &status);
    check(status, "program of a binary");
    check(clBuildProgram(program, 1, &device, "", NULL, NULL), "build of a binary");
    return program;
}

static cl_program linked(void)
{
    cl_int status;
    cl_program parts[] = {from_source("uint more(uint x) { return x + 3; }\n"),
        from_source("uint more(uint x);\n"
                    "kernel void of_parts(global uint *a)\n"
                    "{ a[get_global_id(0)] = more(a[get_global_id(0)]); }\n")};
    for (int i = 0; i < 2; i++)
        check(clCompileProgram(parts[i], 1, &device, "", 0, NULL, NULL, NULL, NULL), "compile");
    cl_program program = clLinkProgram(context, 1, &device, "", 2, parts, NULL, NULL, &status);
    check(status, "link");
    return program;
}

static cl_program built_in(void)
{
    cl_int status;
    cl_program program =
        clCreateProgramWithBuiltInKernels(context, 1, &device, "of_driver", &status);
    check(status, "program of built-in kernels");
    check(clBuildProgram(program, 1, &device, "", NULL, NULL), "build of built-in kernels");
    return program;
}

/* Runs the kernel, which must add 3 to every word. */
static void run(cl_program program, const char *name)
{
    cl_uint words[ITEMS];
    const size_t items = ITEMS, group = ITEMS / 2;
    cl_int status;
    for (cl_uint i = 0; i < ITEMS; i++)
        words[i] = i;
    cl_kernel kernel = clCreateKernel(program, name, &status);
    check(status, name);
    cl_mem buffer = clCreateBuffer(
        context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof words, words, &status);
    check(status, "buffer");
    check(clSetKernelArg(kernel, 0, sizeof buffer, &buffer), "argument");
    check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group, 0, NULL, NULL), name);
    check(
        clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof words, words, 0, NULL, NULL), "read");
    for (cl_uint i = 0; i < ITEMS; i++)
        check(words[i] == i + 3 ? CL_SUCCESS : 1, "a wrong result");
    clReleaseMemObject(buffer);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
}

static void run_way(const char *way)
{
    if (strcmp(way, "source") == 0)
        run(built("kernel void of_source(global uint *a)\n"
                  "{\n"
                  "    a[get_global_id(0)] += 3;\n"
                  "}\n"),
            "of_source");
    else if (strcmp(way, "binary") == 0)
        run(from_binary(), "of_binary");
    else if (strcmp(way, "linked") == 0)
        run(linked(), "of_parts");
    else if (strcmp(way, "built_in") == 0)
        run(built_in(), "of_driver");
    else if (strcmp(way, "printf") == 0)
        run(built("kernel void with_printf(global uint *a)\n"
                  "{\n"
                  "    a[get_global_id(0)] += 3;\n"
                  "    if (a[get_global_id(0)] == 3)\n"
                  "        printf(\"three\\n\");\n"
                  "}\n"),
            "with_printf");
    else
        check(1, way);
}

int main(int argc, char **argv)
{
    cl_platform_id platform;
    cl_int status;
    check(clGetPlatformIDs(1, &platform, NULL), "platform");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "device");
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    check(status, "context");
    queue = clCreateCommandQueue(context, device, 0, &status);
    check(status, "queue");
    for (int i = 1; i < argc; i++)
        run_way(argv[i]);
    check(clFinish(queue), "finish");
    puts("PASSED");
    return 0;
}
