/* SPDX-License-Identifier: MIT */
/*
 * promise_textbook KERNELS.cl U E FILE.bin: sorts u32 keys, U*E*2^k of them, with a merge sort as
 * textbooks have it (promise_textbook.cl), and fails if they do not come out sorted. It knows
 * nothing of dmm.
 */
#include <CL/cl.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct device {
    cl_context context;
    cl_device_id id;
    cl_command_queue queue;
    cl_program program;
} device;

static void require(cl_int status, const char *what)
{
    if (status == CL_SUCCESS)
        return;
    fprintf(stderr, "promise_textbook: %s: %d\n", what, (int)status);
    exit(2);
}

/* The whole file, with a 0 behind it. */
static char *read_file(const char *path, size_t *bytes)
{
    FILE *file = fopen(path, "rb");
    require(file != NULL ? fseek(file, 0, SEEK_END) : 1, path);
    const long size = ftell(file);
    char *data = calloc((size_t)size + 1, 1);
    rewind(file);
    require(data == NULL || fread(data, 1, (size_t)size, file) != (size_t)size, path);
    fclose(file);
    *bytes = (size_t)size;
    return data;
}

static device open_device(const char *kernels, const char *u, const char *e)
{
    device d;
    cl_platform_id platform;
    cl_int status;
    size_t bytes;
    char options[64], *text = read_file(kernels, &bytes);
    require(clGetPlatformIDs(1, &platform, NULL), "platform");
    require(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &d.id, NULL), "device");
    d.context = clCreateContext(NULL, 1, &d.id, NULL, NULL, &status);
    require(status, "context");
    d.queue = clCreateCommandQueue(d.context, d.id, 0, &status);
    require(status, "queue");
    const char *const parts[] = {"#line 1 \"textbook.cl\"\n", text};
    d.program =
        clCreateProgramWithSource(d.context, 2, (const char **)(size_t)parts, NULL, &status);
    require(status, "program");
    snprintf(options, sizeof options, "-DU=%.8su -DE=%.8su", u, e);
    require(clBuildProgram(d.program, 1, &d.id, options, NULL, NULL), "build");
    free(text);
    return d;
}

/* run: keys a list that are merged in pairs; 0: the tiles are sorted. */
static void launch(const device *d, cl_mem in, cl_mem out, cl_uint run, size_t u, size_t groups)
{
    cl_int status;
    const size_t items = u * groups;
    cl_kernel kernel =
        clCreateKernel(d->program, run ? "textbook_merge_tile" : "textbook_sort_tile", &status);
    require(status, "kernel");
    require(clSetKernelArg(kernel, 0, sizeof in, &in), "argument");
    require(clSetKernelArg(kernel, 1, sizeof out, &out), "argument");
    if (run)
        require(clSetKernelArg(kernel, 2, sizeof run, &run), "argument");
    require(clEnqueueNDRangeKernel(d->queue, kernel, 1, NULL, &items, &u, 0, NULL, NULL), "launch");
    require(clFinish(d->queue), "launch");
    clReleaseKernel(kernel);
}

static void sort(const device *d, void *keys, size_t n, size_t u, size_t tile)
{
    cl_int status;
    const size_t bytes = n * sizeof(cl_uint);
    cl_mem from = clCreateBuffer(d->context, CL_MEM_COPY_HOST_PTR, bytes, keys, &status);
    require(status, "buffer");
    cl_mem to = clCreateBuffer(d->context, CL_MEM_READ_WRITE, bytes, NULL, &status);
    require(status, "buffer");
    for (size_t run = 0; run < n; run = run ? 2 * run : tile) {
        launch(d, from, to, (cl_uint)run, u, n / tile);
        cl_mem other = from;
        from = to;
        to = other;
    }
    require(clEnqueueReadBuffer(d->queue, from, CL_TRUE, 0, bytes, keys, 0, NULL, NULL), "read");
    clReleaseMemObject(from);
    clReleaseMemObject(to);
}

int main(int argc, char **argv)
{
    size_t bytes = 0;
    if (argc != 5) {
        fprintf(stderr, "usage: promise_textbook KERNELS.cl U E FILE.bin\n");
        return 1;
    }
    cl_uint *keys = (cl_uint *)(void *)read_file(argv[4], &bytes);
    const size_t n = bytes / sizeof *keys, u = strtoul(argv[2], NULL, 10);
    const size_t tile = u * strtoul(argv[3], NULL, 10);
    require(tile == 0 || n == 0 || n % tile != 0 || (n / tile & (n / tile - 1)) != 0,
        "keys are U*E*2^k");
    device d = open_device(argv[1], argv[2], argv[3]);
    sort(&d, keys, n, u, tile);
    for (size_t i = 1; i < n; i++)
        require(keys[i - 1] > keys[i], "not sorted");
    clReleaseProgram(d.program);
    clReleaseCommandQueue(d.queue);
    clReleaseContext(d.context);
    free(keys);
    return 0;
}
