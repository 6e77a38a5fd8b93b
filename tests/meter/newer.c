/* SPDX-License-Identifier: MIT */
/*
 * newer THREADS KERNEL...: builds and launches each kernel from that many threads at once, each
 * with a queue of its own, and checks the results. `plain` is OpenCL C 1.2; `sub_groups` and
 * `any_space` need OpenCL C 3.0 with these features: prints `no KERNEL` where the device lacks
 * them. An OpenCL program without dmm, for tests of `dmm meter`.
 */
#undef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ITEMS = 256, GROUP = 64, LAUNCHES = 4, THREADS_MAX = 64 };

static cl_context context;
static cl_device_id device;

/* Each adds 1 to every word; the others do so by what their names say, with known conflicts. */
static const struct {
    const char *name, *options, *text;
    cl_device_info feature; /* 0: none */
} kernels[] = {
    {"plain", "",
        "kernel void plain(global uint *a, local uint *words)\n"
        "{\n"
        "    const uint t = get_local_id(0);\n"
        "    words[2 * t] = a[get_global_id(0)];\n"
        "    barrier(CLK_LOCAL_MEM_FENCE);\n"
        "    a[get_global_id(0)] = words[2 * t] + 1;\n"
        "}\n",
        0},
    {"sub_groups", "-cl-std=CL3.0",
        "#pragma OPENCL EXTENSION cl_khr_subgroups : enable\n"
        "kernel void sub_groups(global uint *a, local uint *words)\n"
        "{\n"
        "    const uint t = get_local_id(0);\n"
        "    words[2 * t] = a[get_global_id(0)];\n"
        "    sub_group_barrier(CLK_LOCAL_MEM_FENCE);\n"
        "    const uint sum = sub_group_scan_inclusive_add(1u);\n"
        "    const uint ones = sum - get_sub_group_local_id();\n"
        "    a[get_global_id(0)] = words[2 * t] + sub_group_broadcast(ones, 0);\n"
        "}\n",
        CL_DEVICE_MAX_NUM_SUB_GROUPS},
    {"any_space", "-cl-std=CL3.0",
        "uint more(const uint *at)\n"
        "{\n"
        "    return *at + 1;\n"
        "}\n"
        "kernel void any_space(global uint *a, local uint *words)\n"
        "{\n"
        "    const uint t = get_local_id(0);\n"
        "    words[2 * t] = a[get_global_id(0)];\n"
        "    work_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_work_group);\n"
        "    const uint *at = t & 1 ? (const uint *)&words[2 * t] : (const uint "
        "*)&a[get_global_id(0)];\n"
        "    a[get_global_id(0)] = more(at);\n"
        "}\n",
        CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT},
};

static void check(cl_int status, const char *what)
{
    if (status == CL_SUCCESS)
        return;
    printf("newer: %s: OpenCL error %d\n", what, (int)status);
    exit(1);
}

static int has(cl_device_info feature)
{
    cl_uint value = 0;
    return feature == 0 ||
           (clGetDeviceInfo(device, feature, sizeof value, &value, NULL) == CL_SUCCESS &&
               value != 0);
}

static void *run(void *argument)
{
    const size_t number = *(const size_t *)argument, items = ITEMS, group = GROUP;
    const char *name = kernels[number].name;
    cl_uint words[ITEMS];
    cl_int status;
    cl_program program =
        clCreateProgramWithSource(context, 1, (const char **)&kernels[number].text, NULL, &status);
    check(status, "program");
    status = clBuildProgram(program, 1, &device, kernels[number].options, NULL, NULL);
    if (status != CL_SUCCESS) {
        char log[4096] = "";
        clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
        puts(log);
    }
    check(status, name);
    cl_kernel kernel = clCreateKernel(program, name, &status);
    check(status, name);
    cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, NULL, &status);
    check(status, "queue");
    for (cl_uint i = 0; i < ITEMS; i++)
        words[i] = i;
    cl_mem buffer = clCreateBuffer(
        context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof words, words, &status);
    check(status, "buffer");
    check(clSetKernelArg(kernel, 0, sizeof buffer, &buffer), "argument");
    check(clSetKernelArg(kernel, 1, 2 * GROUP * sizeof(cl_uint), NULL), "local memory");
    for (int i = 0; i < LAUNCHES; i++)
        check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group, 0, NULL, NULL), name);
    check(
        clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof words, words, 0, NULL, NULL), "read");
    for (cl_uint i = 0; i < ITEMS; i++)
        check(words[i] == i + LAUNCHES ? CL_SUCCESS : 1, "a wrong result");
    clReleaseMemObject(buffer);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    return NULL;
}

static void run_in_threads(size_t number, int threads)
{
    pthread_t thread[THREADS_MAX];
    for (int i = 0; i < threads; i++)
        check(pthread_create(&thread[i], NULL, run, &number), "thread");
    for (int i = 0; i < threads; i++)
        check(pthread_join(thread[i], NULL), "thread");
}

int main(int argc, char **argv)
{
    const int threads = argc > 1 ? atoi(argv[1]) : 0;
    cl_platform_id platform;
    cl_int status;
    check(threads > 0 && threads <= THREADS_MAX ? CL_SUCCESS : 1, "the number of threads");
    check(clGetPlatformIDs(1, &platform, NULL), "platform");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "device");
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    check(status, "context");
    for (int i = 2; i < argc; i++)
        for (size_t k = 0; k < sizeof kernels / sizeof kernels[0]; k++)
            if (strcmp(argv[i], kernels[k].name) != 0)
                continue;
            else if (has(kernels[k].feature))
                run_in_threads(k, threads);
            else
                printf("no %s\n", kernels[k].name);
    puts("PASSED");
    return 0;
}
