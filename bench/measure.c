/* SPDX-License-Identifier: MIT */
/*
 * Clock, statistics, buffers.
 */
#include "measure.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { LINE_BYTES = 64 };

void bench_require(dmm_status status, const char *what)
{
    if (status == DMM_OK)
        return;
    fprintf(stderr, "%s: %s\n", what, dmm_status_string(status));
    exit(2);
}

void bench_require_right(const char *fault, const char *what)
{
    if (fault == NULL)
        return;
    fprintf(stderr, "%s: wrong output: %s\n", what, fault);
    exit(3);
}

void *bench_allocate(size_t bytes)
{
    void *memory = aligned_alloc(LINE_BYTES, (bytes / LINE_BYTES + 1) * LINE_BYTES);
    bench_require(memory != NULL ? DMM_OK : DMM_OUT_OF_MEMORY, "host memory");
    return memory;
}

double bench_now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

static int compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

bench_times bench_summary(double *samples, size_t count)
{
    qsort(samples, count, sizeof *samples, compare_doubles);
    return (bench_times){samples[count / 2], samples[0], samples[count - 1]};
}

cl_mem bench_buffer(const dmm_context *ctx, uint64_t bytes)
{
    cl_int status = CL_SUCCESS;
    cl_mem buffer = clCreateBuffer(
        dmm_context_cl(ctx), CL_MEM_READ_WRITE, (size_t)(bytes != 0 ? bytes : 1), NULL, &status);
    bench_require(status, "buffer");
    return buffer;
}

void bench_write(const dmm_context *ctx, cl_mem to, const void *from, size_t bytes)
{
    if (bytes != 0)
        bench_require(clEnqueueWriteBuffer(
                          dmm_context_queue(ctx), to, CL_TRUE, 0, bytes, from, 0, NULL, NULL),
            "write");
}

void bench_read(const dmm_context *ctx, cl_mem from, void *to, size_t bytes)
{
    if (bytes != 0)
        bench_require(
            clEnqueueReadBuffer(dmm_context_queue(ctx), from, CL_TRUE, 0, bytes, to, 0, NULL, NULL),
            "read");
}
