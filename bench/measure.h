/* SPDX-License-Identifier: MIT */
/*
 * Shared by all benchmarks: exits, clock, statistics, buffers.
 */
#ifndef DMM_BENCH_MEASURE_H
#define DMM_BENCH_MEASURE_H

#include <stddef.h>

#include <dmm/context.h>

/* Exits with status 2 and the status' text unless it is DMM_OK. */
void bench_require(dmm_status status, const char *what);
/* Exits with status 3 unless `fault` is NULL. */
void bench_require_right(const char *fault, const char *what);
/* Allocates, aligned to a cache line, or exits with status 2. Release with free(). */
void *bench_allocate(size_t bytes);

double bench_now_ms(void);

typedef struct bench_times {
    double median, least, most;
} bench_times;

/* Returns median and others; sorts the samples. */
bench_times bench_summary(double *samples, size_t count);

cl_mem bench_buffer(const dmm_context *ctx, uint64_t bytes);
void bench_write(const dmm_context *ctx, cl_mem to, const void *from, size_t bytes);
void bench_read(const dmm_context *ctx, cl_mem from, void *to, size_t bytes);

#endif
