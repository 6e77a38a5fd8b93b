/* SPDX-License-Identifier: MIT */
/*
 * A job: one primitive on keys and values, on the host and in device memory. What is sorted, merged
 * or moved goes from `in` to `out`; `in` stays as it was made.
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
    cl_command_queue queue; /* with the device's clock, where it has one */
    bench_parameters heard; /* what the library said first since bench_heard() was called */
    cl_mem mark;            /* 4 bytes, whose filling begins what the device's clock measures */
    size_t n;
    const char *input;
    const char *type;                                /* of an item, as the rows name it */
    bench_items in, out;                             /* on the host */
    cl_mem keys_in, values_in, keys_out, values_out; /* on the device */
    cl_mem temp;
    size_t out_bytes; /* of keys_out; as many as in keys_in, or more, if that is asked for */
    void *by;         /* labels, positions, offsets: what says where items go; on the host */
    cl_mem by_in;     /* on the device */
    uint32_t bound;   /* of labels in `by`: they are less */
    void *array;      /* room for n items of both, for peers that take keys and values as one */
    struct peer_cuda *cuda; /* the same items for CUDA's peers; NULL: there are none */
    void *expected; /* what the first expected_bytes of keys_out should be; NULL: who knows */
    size_t expected_bytes;
} bench_job;

/* A benchmark: what it does for each input and size that the options name. */
typedef struct bench_word {
    const char *word;
    const char *inputs, *sizes; /* unless the options name others */
    void (*run)(bench_job *job);
} bench_word;

/* What a benchmark's main returns. */
int bench_main(const bench_word *word, int argc, char **argv);

/* What the library has chosen for the object that was created last. */
bench_parameters bench_heard(bench_job *job);

/* Makes the keys and values of the job's input, on the host. */
void bench_job_fill(bench_job *job);
/* Brings what `in` then holds into device memory, and makes room for as much. */
void bench_job_upload(bench_job *job, uint64_t temp_bytes);
/* The job owns `by` from now on, and brings it into device memory. */
void bench_job_upload_by(bench_job *job, void *by, size_t bytes);
/* Brings what the device has put out to `out`. */
void bench_job_fetch(bench_job *job);
/* The end of what these two made; the job may be filled anew. */
void bench_job_clear(bench_job *job);

/* Overwrites all output, on both sides. */
void bench_job_spoil(bench_job *job);

#endif
