/* SPDX-License-Identifier: MIT */
/*
 * What every benchmark shares: its options, its clock, its statistics, the copy it is compared
 * with, and the lines that say where its numbers come from.
 */
#ifndef DMM_BENCH_MEASURE_H
#define DMM_BENCH_MEASURE_H

#include <dmm/context.h>

#include "keys.h"

typedef struct bench_options {
    dmm_type type;
    bench_input input;
    uint32_t value_bytes; /* 0: keys alone */
    const char *set;      /* of the context */
    size_t n;
    size_t runs;
} bench_options;

/* Reads the command line; --smoke makes a run of a moment. Says what is known and exits with status
 * 1 where an argument is not. */
bench_options bench_parse(int argc, char **argv);

/* Exits with status 2 and the status' text unless it is DMM_OK. */
void bench_require(dmm_status status, const char *what);
/* Exits with status 3 unless `fault` is NULL. */
void bench_require_right(const char *fault, const char *what);
/* Exits with status 2 where there is no memory. */
void *bench_allocate(size_t bytes);

/* Lines that begin with #: version, time and load of the machine, command, device and driver. */
void bench_print_origin(int argc, char **argv, const dmm_context *ctx);

double bench_now_ms(void);

typedef struct bench_times {
    double median, least, most;
} bench_times;

/* Sorts the samples. */
bench_times bench_summary(double *samples, size_t count);

cl_mem bench_buffer(const dmm_context *ctx, uint64_t bytes);
void bench_write(const dmm_context *ctx, cl_mem to, const void *from, size_t bytes);
void bench_read(const dmm_context *ctx, cl_mem from, void *to, size_t bytes);
/* Milliseconds that the device takes to copy. */
double bench_copy_ms(const dmm_context *ctx, cl_mem from, cl_mem to, size_t bytes);

#endif
