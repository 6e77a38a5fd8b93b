/* SPDX-License-Identifier: MIT */
/*
 * bench_shuffle_rounds [options]: what a number of rounds of the shuffle costs: a kernel of the
 * caller's own, over the text of dmm_shuffle_source(), writes the first --n indices of a shuffle of
 * as many, a work-item each. The library takes 24 rounds up to 1024 items, 6 up to 65536, else 4.
 * A round of all: each number of rounds once, and a copy.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dmm/shuffle.h>

#include "measure.h"

static const unsigned rounds[] = {2, 3, 4, 6, 8, 12, 24};
enum { ENTRIES = sizeof rounds / sizeof rounds[0], SEED = 3 };

static const char kernel_text[] =
    "kernel void indices(global uint *out, ulong seed, ulong n)\n"
    "{\n"
    "    const ulong i = get_global_id(0);\n"
    "    out[i] = (uint)dmm_shuffle_from(dmm_shuffle_begin(seed, n), i);\n"
    "}\n";

static cl_kernel build(const dmm_context *ctx, unsigned count)
{
    char define[64];
    const char *const texts[] = {define, dmm_shuffle_source(), kernel_text};
    const cl_device_id device = dmm_context_device(ctx)->id;
    cl_int status = CL_SUCCESS;
    snprintf(define, sizeof define, "#define DMM_SHUFFLE_ROUNDS(n) %uu\n", count);
    const cl_program program = clCreateProgramWithSource(
        dmm_context_cl(ctx), 3, (const char **)(void *)texts, NULL, &status);
    bench_require(status, "program");
    bench_require(clBuildProgram(program, 1, &device, "-cl-std=CL1.2", NULL, NULL), "build");
    const cl_kernel kernel = clCreateKernel(program, "indices", &status);
    bench_require(status, "kernel");
    clReleaseProgram(program);
    return kernel;
}

static double run_ms(const dmm_context *ctx, cl_kernel kernel, cl_mem out, size_t n)
{
    const cl_ulong seed = SEED, items = n;
    bench_require(clSetKernelArg(kernel, 0, sizeof out, &out), "argument");
    bench_require(clSetKernelArg(kernel, 1, sizeof seed, &seed), "argument");
    bench_require(clSetKernelArg(kernel, 2, sizeof items, &items), "argument");
    const double start = bench_now_ms();
    bench_require(
        clEnqueueNDRangeKernel(dmm_context_queue(ctx), kernel, 1, NULL, &n, NULL, 0, NULL, NULL),
        "launch");
    bench_require(clFinish(dmm_context_queue(ctx)), "finish");
    return bench_now_ms() - start;
}

/* Every index once. */
static const char *judge(const uint32_t *indices, size_t n)
{
    unsigned char *const seen = bench_allocate(n);
    const char *fault = NULL;
    memset(seen, 0, n);
    for (size_t i = 0; i < n && fault == NULL; i++) {
        if (indices[i] >= n || seen[indices[i]])
            fault = "no permutation";
        else
            seen[indices[i]] = 1;
    }
    free(seen);
    return fault;
}

int main(int argc, char **argv)
{
    const bench_options options = bench_parse(argc, argv);
    const dmm_context_desc desc = {.set = options.set};
    dmm_context *ctx = NULL;
    bench_require(dmm_context_create(&ctx, &desc), "context");
    const size_t n = options.n, bytes = n * sizeof(uint32_t);
    const cl_mem out = bench_buffer(ctx, bytes), copied = bench_buffer(ctx, bytes);
    uint32_t *const indices = bench_allocate(bytes);
    double *const times = bench_allocate((ENTRIES + 1) * options.runs * sizeof *times);
    cl_kernel kernels[ENTRIES];
    for (size_t e = 0; e < ENTRIES; e++) {
        kernels[e] = build(ctx, rounds[e]);
        run_ms(ctx, kernels[e], out, n);
        bench_read(ctx, out, indices, bytes);
        bench_require_right(judge(indices, n), "indices");
    }
    for (size_t r = 0; r < options.runs; r++) {
        for (size_t e = 0; e < ENTRIES; e++)
            times[e * options.runs + r] = run_ms(ctx, kernels[e], out, n);
        times[ENTRIES * options.runs + r] = bench_copy_ms(ctx, out, copied, bytes);
    }
    bench_print_origin(argc, argv, ctx);
    printf("# rounds n median_ms min_ms ns_an_index times-a-copy\n");
    const double copy = bench_summary(times + ENTRIES * options.runs, options.runs).median;
    for (size_t e = 0; e < ENTRIES; e++) {
        const bench_times t = bench_summary(times + e * options.runs, options.runs);
        printf("%u %zu %.3f %.3f %.2f %.1f\n", rounds[e], n, t.median, t.least,
            1e6 * t.median / (double)n, t.median / copy);
        clReleaseKernel(kernels[e]);
    }
    clReleaseMemObject(out);
    clReleaseMemObject(copied);
    free(indices);
    free(times);
    dmm_context_free(ctx);
    return 0;
}
