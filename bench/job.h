/* SPDX-License-Identifier: MIT */
/*
 * A job: one primitive on keys and values in device memory, beside a copy of as many keys. The
 * first call is timed apart, since it builds kernels. Every later round copies, then calls: each
 * call starts from an output that is wrong, and what disturbs the machine disturbs both. Times are
 * of enqueue to finish.
 */
#ifndef DMM_BENCH_JOB_H
#define DMM_BENCH_JOB_H

#include "measure.h"

/* What the library chose; u = 1 in the CPU form, whose tile is `tile`; else u*E. */
typedef struct bench_parameters {
    char form[8];
    unsigned u, E, tile;
} bench_parameters;

typedef struct bench_job {
    bench_options options;
    dmm_context *ctx;
    bench_parameters chosen;                 /* for the object that was created first */
    double start_ms, context_ms, created_ms; /* of the clock; when there was a context, an object */
    bench_items in, out;                     /* on the host */
    cl_mem keys_in, values_in, keys_out, values_out; /* on the device */
    cl_mem temp;
} bench_job;

/* Reads the command line and creates the context. */
void bench_job_open(bench_job *job, int argc, char **argv);
/* To be called when the object that is measured has been created. */
void bench_job_created(bench_job *job);
/* Makes the input, on the host; what a caller changes of `in` goes with the upload. */
void bench_job_fill(bench_job *job);
void bench_job_upload(bench_job *job, uint64_t temp_bytes);
void bench_job_close(bench_job *job);

/* Enqueues the call that is measured. */
typedef dmm_status (*bench_call)(const bench_job *job, void *object);

/* Times, judges and prints one line. passes: how often each item is read and written. */
void bench_job_run(
    const bench_job *job, const char *word, bench_call call, void *object, unsigned passes);

#endif
