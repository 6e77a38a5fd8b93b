/* SPDX-License-Identifier: MIT */
/*
 * known FILE WORD...: launches kernels of the OpenCL file FILE by name, one group of 32 each, with
 * a global buffer and local memory of 33 * 32 words, built with $KNOWN_OPTIONS. It knows nothing of
 * dmm. Two words are no kernels: `crash` ends the program by SIGSEGV, `fail` with exit status 3.
 * A FILE of SPIR-V (.spv) needs a device that takes it; its specialization constant 7 becomes
 * $KNOWN_CONSTANT. With $KNOWN_KHR the program is made by the extension cl_khr_il_program.
 */
#undef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GROUP = 32, LOCAL_BYTES = 33 * 32 * 4, GLOBAL_BYTES = 1 << 16, SOURCE_BYTES = 1 << 18 };

static void check(cl_int status, const char *what)
{
    if (status == CL_SUCCESS)
        return;
    fprintf(stderr, "known: %s: OpenCL error %d\n", what, (int)status);
    exit(1);
}

/* Reads the file behind what `text` has. Returns the bytes. */
static size_t read_file(char *text, size_t used, const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        exit(1);
    size_t got = fread(text + used, 1, SOURCE_BYTES - 1 - used, file);
    fclose(file);
    if (got == 0)
        exit(1);
    return used + got;
}

typedef cl_program(CL_API_CALL *create_il)(cl_context, const void *, size_t, cl_int *);

static cl_program create_from_il(
    cl_context context, cl_platform_id platform, cl_device_id device, const char *path)
{
    static char il[SOURCE_BYTES], copy[SOURCE_BYTES];
    char versions[256] = "";
    cl_int status;
    size_t length = read_file(il, 0, path), got = 0;
    create_il create = clCreateProgramWithIL;
    check(clGetDeviceInfo(device, CL_DEVICE_IL_VERSION, sizeof versions, versions, NULL), "IL");
    check(strstr(versions, "SPIR-V_1.0") ? CL_SUCCESS : 1, "the device takes no SPIR-V");
    if (getenv("KNOWN_KHR")) {
        void *found =
            clGetExtensionFunctionAddressForPlatform(platform, "clCreateProgramWithILKHR");
        memcpy(&create, &found, sizeof create);
    }
    cl_program program = create(context, il, length, &status);
    check(status, "clCreateProgramWithIL");
    check(clGetProgramInfo(program, CL_PROGRAM_IL, sizeof copy, copy, &got), "CL_PROGRAM_IL");
    check(got == length && memcmp(il, copy, got) == 0 ? CL_SUCCESS : 1, "another IL");
    if (getenv("KNOWN_CONSTANT")) {
        const cl_uint value = (cl_uint)atoi(getenv("KNOWN_CONSTANT"));
        check(clSetProgramSpecializationConstant(program, 8, sizeof value, &value) !=
                      CL_INVALID_SPEC_ID ||
                  clSetProgramSpecializationConstant(program, 7, 2 * sizeof value, &value) !=
                      CL_INVALID_VALUE,
            "a wrong constant is taken");
        check(clSetProgramSpecializationConstant(program, 7, sizeof value, &value), "constant");
    }
    return program;
}

/* Creates a program from the text behind a #line that names its file by the end of its path. */
static cl_program create_from_text(cl_context context, const char *path)
{
    static char text[SOURCE_BYTES];
    cl_int status;
    const char *slash = strrchr(path, '/'), *lines = text;
    int used = snprintf(text, SOURCE_BYTES, "#line 1 \"%s\"\n", slash ? slash + 1 : path);
    read_file(text, (size_t)used, path);
    cl_program program = clCreateProgramWithSource(context, 1, &lines, NULL, &status);
    check(status, "clCreateProgramWithSource");
    return program;
}

static cl_program build(
    cl_context context, cl_platform_id platform, cl_device_id device, const char *path)
{
    cl_program program = strstr(path, ".spv") ? create_from_il(context, platform, device, path)
                                              : create_from_text(context, path);
    check(clBuildProgram(program, 1, &device, getenv("KNOWN_OPTIONS"), NULL, NULL), path);
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
    cl_program program = build(context, platform, device, argv[1]);
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
