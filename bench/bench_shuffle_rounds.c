/* SPDX-License-Identifier: MIT */
/*
 * bench_shuffle_rounds [options]: what a number of rounds of the shuffle costs: a kernel of the
 * caller's own, over the text of dmm_shuffle_source(), writes the first --n indices of a shuffle of
 * as many, a work-item each. The library takes 24 rounds up to 1024 items, 6 up to 65536, else 4;
 * ratios are to the 4.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dmm/shuffle.h>

#include "contest.h"

enum { SEED = 3, ENTRIES = 7, USUAL = 2 };

static const struct {
    unsigned rounds;
    const char *method;
} counts[ENTRIES] = {{2, "rounds-2"}, {3, "rounds-3"}, {4, "rounds-4"}, {6, "rounds-6"},
    {8, "rounds-8"}, {12, "rounds-12"}, {24, "rounds-24"}};

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

static dmm_status enqueue(bench_job *job, const bench_entrant *self, cl_event *event)
{
    const cl_ulong seed = SEED, items = job->n;
    const size_t n = job->n;
    bench_require(
        clSetKernelArg(self->object, 0, sizeof job->keys_out, &job->keys_out), "argument");
    bench_require(clSetKernelArg(self->object, 1, sizeof seed, &seed), "argument");
    bench_require(clSetKernelArg(self->object, 2, sizeof items, &items), "argument");
    return clEnqueueNDRangeKernel(job->queue, self->object, 1, NULL, &n, NULL, 0, NULL, event);
}

/* Every index once. */
static const char *fault(bench_job *job, const bench_entrant *self)
{
    const uint32_t *const indices = (const void *)job->out.keys;
    unsigned char *const seen = bench_allocate(job->n);
    const char *fault = NULL;
    (void)self;
    bench_job_fetch(job);
    memset(seen, 0, job->n);
    for (size_t i = 0; i < job->n && fault == NULL; i++) {
        if (indices[i] >= job->n || seen[indices[i]])
            fault = "no permutation";
        else
            seen[indices[i]] = 1;
    }
    free(seen);
    return fault;
}

static void run(bench_job *job)
{
    bench_entrant entrants[ENTRIES];
    if (job->options.type != DMM_U32 || job->options.value_bytes != 0)
        bench_require(DMM_UNSUPPORTED, "indices of u32 alone");
    for (int i = 0; i < ENTRIES; i++)
        entrants[i] = (bench_entrant){.who = "dmm",
            .method = counts[i].method,
            .beside = USUAL,
            .item_bytes = sizeof(uint32_t),
            .object = build(job->ctx, counts[i].rounds),
            .enqueue = enqueue,
            .fault = fault};
    bench_job_fill(job);
    bench_job_upload(job, 1);
    bench_contest(job, "", entrants, ENTRIES);
    for (int i = 0; i < ENTRIES; i++)
        clReleaseKernel(entrants[i].object);
}

int main(int argc, char **argv)
{
    static const bench_word word = {"shuffle_rounds", "random", "2^22", run};
    return bench_main(&word, argc, argv);
}
