/* SPDX-License-Identifier: MIT */
/*
 * A matrix transpose as vendors' samples show it, through tiles in local memory: once with rows of
 * 32 words, whose columns lie in one bank, and once with rows of 33. It knows nothing of dmm,
 * leaves what it made to the end of the process, and prints whether its results are right.
 */
#include <CL/cl.h>

#include <stdio.h>
#include <stdlib.h>

#define WIDTH  128
#define HEIGHT 96
#define TILE   32
#define ROWS   8

static const char *source =
    "#define TILE 32\n"
    "#define ROWS 8\n"
    "#define TRANSPOSE(name, pitch) \\\n"
    "__kernel void name(__global float *out, __global const float *in, int width, int height) \\\n"
    "{ \\\n"
    "    __local float tile[TILE * (pitch)]; \\\n"
    "    const int lx = get_local_id(0), ly = get_local_id(1); \\\n"
    "    const int x = get_group_id(0) * TILE, y = get_group_id(1) * TILE; \\\n"
    "    for (int r = ly; r < TILE; r += ROWS) \\\n"
    "        tile[r * (pitch) + lx] = in[(y + r) * width + x + lx]; \\\n"
    "    barrier(CLK_LOCAL_MEM_FENCE); \\\n"
    "    for (int r = ly; r < TILE; r += ROWS) \\\n"
    "        out[(x + r) * height + y + lx] = tile[lx * (pitch) + r]; \\\n"
    "}\n"
    "TRANSPOSE(transpose_plain, TILE)\n"
    "TRANSPOSE(transpose_padded, TILE + 1)\n";

static int is_transposed(const float *out, const float *in)
{
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            if (out[x * HEIGHT + y] != in[y * WIDTH + x])
                return 0;
    return 1;
}

int main(void)
{
    static const char *names[] = {"transpose_plain", "transpose_padded"};
    static float in[WIDTH * HEIGHT], out[WIDTH * HEIGHT];
    const size_t local[2] = {TILE, ROWS}, global[2] = {WIDTH, HEIGHT / TILE * ROWS};
    const int width = WIDTH, height = HEIGHT;
    cl_platform_id platform;
    cl_device_id device;
    cl_int err;
    int passed = 1;

    for (int i = 0; i < WIDTH * HEIGHT; i++)
        in[i] = (float)i;
    err = clGetPlatformIDs(1, &platform, NULL);
    err |= clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL);
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, NULL);
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, NULL);
    err |= clBuildProgram(program, 1, &device, "", NULL, NULL);
    cl_mem d_in =
        clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof in, in, NULL);
    cl_mem d_out = clCreateBuffer(context, CL_MEM_WRITE_ONLY, sizeof out, NULL, NULL);
    for (int i = 0; i < 2; i++) {
        cl_kernel kernel = clCreateKernel(program, names[i], NULL);
        err |= clSetKernelArg(kernel, 0, sizeof d_out, &d_out);
        err |= clSetKernelArg(kernel, 1, sizeof d_in, &d_in);
        err |= clSetKernelArg(kernel, 2, sizeof width, &width);
        err |= clSetKernelArg(kernel, 3, sizeof height, &height);
        err |= clEnqueueNDRangeKernel(queue, kernel, 2, NULL, global, local, 0, NULL, NULL);
        err |= clEnqueueReadBuffer(queue, d_out, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL);
        passed &= err == CL_SUCCESS && is_transposed(out, in);
    }
    printf("%s\n", passed ? "PASSED" : "FAILED");
    return passed ? EXIT_SUCCESS : EXIT_FAILURE;
}
