/* SPDX-License-Identifier: MIT */
/*
 * A job: one primitive on keys and values, on the host and in device memory. The input `in` is not
 * modified; results go to `out`.
 */
#ifndef DMM_BENCH_JOB_H
#define DMM_BENCH_JOB_H

#include "keys.h"
#include "options.h"
#include "row.h"

typedef struct bench_job {
    const char *word;
    bench_options options;
    bench_origin origin;
    dmm_context *ctx;
    cl_command_queue queue; /* with profiling, if the device has it */
    bench_parameters
        heard;   /* parameters that the library logged first since bench_heard() was called */
    cl_mem mark; /* 4 bytes, whose filling begins what the device's clock measures */
    size_t n;
    bench_floors floors; /* the contest's; 0: none */
    const char *input;
    const char *type;                                /* type of an item, as the rows name it */
    bench_items in, out;                             /* on the host */
    cl_mem keys_in, values_in, keys_out, values_out; /* on the device */
    cl_mem temp;
    size_t out_bytes; /* size of keys_out: that of keys_in, or more, if asked for */
    void *by;         /* labels, positions or offsets; on the host */
    cl_mem by_in;     /* on the device */
    uint32_t bound;   /* bound of the labels in `by`: they are less */
    void *array;      /* space for n items of both, for peers that take keys and values as one */
    struct peer_cuda *cuda; /* the same items for CUDA's peers; NULL: there are none */
    void *expected;         /* expected first expected_bytes of keys_out; NULL: unknown */
    size_t expected_bytes;
} bench_job;

/* A benchmark: its function for each input and size that the options name. */
typedef struct bench_word {
    const char *word;
    const char *inputs, *sizes; /* unless the options name others */
    void (*run)(bench_job *job);
} bench_word;

/* Runs a benchmark; returns its exit code. */
int bench_main(const bench_word *word, int argc, char **argv);

/* Returns the parameters that the library chose for the last created object. */
bench_parameters bench_heard(bench_job *job);

/* Creates the keys and values of the job's input on the host. */
void bench_job_fill(bench_job *job);
/* Copies `in` to device memory, and allocates as much for the output. */
void bench_job_upload(bench_job *job, uint64_t temp_bytes);
/* Takes ownership of `by`, and copies it to device memory. */
void bench_job_upload_by(bench_job *job, void *by, size_t bytes);
/* Brings what the device has put out to `out`. */
void bench_job_fetch(bench_job *job);
/* The end of what these two made; the job may be filled anew. */
void bench_job_clear(bench_job *job);

/* Overwrites all output, on both sides. */
void bench_job_spoil(bench_job *job);

#endif
