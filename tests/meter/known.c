/* SPDX-License-Identifier: MIT */
/*
 * known FILE WORD...: launches kernels of the OpenCL file FILE by name, one group of 32 each, with
 * a global buffer and local memory of 33 * 32 words, built with $KNOWN_OPTIONS. It knows nothing of
 * dmm. Two words are no kernels: `crash` ends the program by SIGSEGV, `fail` with exit status 3.
 */
#include <CL/cl.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GROUP = 32, LOCAL_BYTES = 33 * 32 * 4, GLOBAL_BYTES = 1 << 16, SOURCE_BYTES = 1 << 16 };

static void check(cl_int status, const char *what)
{
    if (status == CL_SUCCESS)
        return;
    fprintf(stderr, "known: %s: OpenCL error %d\n", what, (int)status);
    exit(1);
}

/* The file's text behind a #line that names it as the last part of its path. */
static char *read_source(const char *path)
{
    const char *slash = strrchr(path, '/');
    FILE *file = fopen(path, "r");
    char *text = calloc(SOURCE_BYTES, 1);
    if (!file || !text)
        exit(1);
    int used = snprintf(text, SOURCE_BYTES, "#line 1 \"%s\"\n", slash ? slash + 1 : path);
    size_t got = fread(text + used, 1, (size_t)(SOURCE_BYTES - 1 - used), file);
    fclose(file);
    if (got == 0)
        exit(1);
    return text;
}

static cl_program build(cl_context context, cl_device_id device, const char *path)
{
    cl_int status;
    char *text = read_source(path);
    cl_program program =
        clCreateProgramWithSource(context, 1, (const char *[]){text}, NULL, &status);
    check(status, "clCreateProgramWithSource");
    check(clBuildProgram(program, 1, &device, getenv("KNOWN_OPTIONS"), NULL, NULL), path);
    free(text);
    return program;
}

static void launch(cl_command_queue queue, cl_program program, const char *name, cl_mem buffer)
{
    cl_int status;
    const size_t size = GROUP;
    cl_kernel kernel = clCreateKernel(program, name, &status);
    check(status, name);
    check(clSetKernelArg(kernel, 0, sizeof buffer, &buffer), name);
    check(clSetKernelArg(kernel, 1, LOCAL_BYTES, NULL), name);
    check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &size, &size, 0, NULL, NULL), name);
    check(clFinish(queue), name);
    clReleaseKernel(kernel);
}

int main(int argc, char **argv)
{
    cl_int status;
    cl_platform_id platform;
    cl_device_id device;
    if (argc < 2)
        return 1;
    check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "clGetDeviceIDs");
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    check(status, "clCreateContext");
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &status);
    check(status, "clCreateCommandQueue");
    cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, GLOBAL_BYTES, NULL, &status);
    check(status, "clCreateBuffer");
    cl_program program = build(context, device, argv[1]);
    for (int i = 2; i < argc; i++) {
        if (strcmp(argv[i], "crash") == 0)
            raise(SIGSEGV);
        if (strcmp(argv[i], "fail") == 0)
            exit(3);
        launch(queue, program, argv[i], buffer);
    }
    clReleaseProgram(program);
    clReleaseMemObject(buffer);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    return 0;
}
