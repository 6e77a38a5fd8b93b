/* SPDX-License-Identifier: MIT */
/*
 * Jobs: from the command line to items on both sides.
 */
#include "job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "peers/peers.h"

enum { SPOILED = 0xa5, WORST_U = 256, WORST_E = 16 };

/* Parses a line of the library's log. */
static void hear(void *user, const char *line)
{
    bench_parameters *first = user, p = {.u = 0};
    if (sscanf(line, "parameters: form=%7s u=%u E=%u tile=%u", p.form, &p.u, &p.E, &p.tile) == 4)
        *first = first->tile == 0 ? p : *first;
    else if (strncmp(line, "device:", 7) != 0)
        fprintf(stderr, "%s\n", line);
}

bench_parameters bench_heard(bench_job *job)
{
    const bench_parameters p = job->heard;
    job->heard = (bench_parameters){.tile = 0};
    return p;
}

static cl_command_queue new_queue(const dmm_context *ctx)
{
    const cl_device_id device = dmm_context_device(ctx)->id;
    cl_int status = CL_SUCCESS;
    cl_command_queue queue =
        clCreateCommandQueue(dmm_context_cl(ctx), device, CL_QUEUE_PROFILING_ENABLE, &status);
    if (status != CL_SUCCESS)
        queue = clCreateCommandQueue(dmm_context_cl(ctx), device, 0, &status);
    bench_require(status, "queue");
    return queue;
}

int bench_main(const bench_word *word, int argc, char **argv)
{
    bench_job job = {
        .word = word->word, .options = bench_parse(argc, argv, word->inputs, word->sizes)};
    const bench_options *o = &job.options;
    const dmm_context_desc desc = {.set = o->set, .log = hear, .log_user = &job.heard};
    bench_require(dmm_context_create(&job.ctx, &desc), "context");
    job.origin = bench_origin_of(argc, argv, job.ctx);
    job.queue = new_queue(job.ctx);
    job.mark = bench_buffer(job.ctx, sizeof(cl_uint));
    bench_print_origin(&job.origin);
    bench_print_header();
    for (size_t i = 0; i < o->num_inputs; i++)
        for (size_t s = 0; s < o->num_sizes; s++) {
            job.input = o->inputs[i];
            job.n = o->sizes[s];
            job.type = dmm_type_name(o->type);
            word->run(&job);
            bench_job_clear(&job);
        }
    clReleaseMemObject(job.mark);
    clReleaseCommandQueue(job.queue);
    dmm_context_free(job.ctx);
    return 0;
}

void bench_job_fill(bench_job *job)
{
    const bench_options *o = &job->options;
    const uint32_t banks = (uint32_t)dmm_context_device(job->ctx)->banks.value;
    dmm_model_merge_shape shape = {banks, banks < WORST_U ? WORST_U : banks, WORST_E};
    bench_input input;
    if (job->heard.u > 1) {
        shape.u = job->heard.u;
        shape.E = job->heard.E;
    }
    if (sscanf(job->input, "worst-%u-%u", &shape.u, &shape.E) == 2)
        input = BENCH_WORST;
    else if (!bench_input_named(&input, job->input))
        bench_require(DMM_BAD_VALUE, "--input");
    job->in = bench_items_new(o->type, o->value_bytes, job->n);
    job->out = bench_items_new(o->type, o->value_bytes, job->n);
    if (job->out_bytes > bench_key_bytes(&job->in)) {
        free(job->out.keys);
        job->out.keys = bench_allocate(job->out_bytes);
    } else {
        job->out_bytes = bench_key_bytes(&job->in);
    }
    bench_require(bench_items_fill(&job->in, input, &shape), "input");
}

void bench_job_upload(bench_job *job, uint64_t temp_bytes)
{
    const size_t keys = bench_key_bytes(&job->in), values = bench_value_bytes(&job->in);
    job->keys_in = bench_buffer(job->ctx, keys);
    job->values_in = bench_buffer(job->ctx, values);
    job->keys_out = bench_buffer(job->ctx, job->out_bytes);
    job->values_out = bench_buffer(job->ctx, values);
    job->temp = bench_buffer(job->ctx, temp_bytes);
    bench_write(job->ctx, job->keys_in, job->in.keys, keys);
    bench_write(job->ctx, job->values_in, job->in.values, values);
}

void bench_job_upload_by(bench_job *job, void *by, size_t bytes)
{
    job->by = by;
    job->by_in = bench_buffer(job->ctx, bytes);
    bench_write(job->ctx, job->by_in, by, bytes);
}

void bench_job_fetch(bench_job *job)
{
    bench_read(job->ctx, job->keys_out, job->out.keys, job->out_bytes);
    bench_read(job->ctx, job->values_out, job->out.values, bench_value_bytes(&job->in));
}

void bench_job_clear(bench_job *job)
{
    cl_mem *const buffers[] = {
        &job->by_in, &job->temp, &job->values_out, &job->keys_out, &job->values_in, &job->keys_in};
    for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; i++) {
        if (*buffers[i] != NULL)
            clReleaseMemObject(*buffers[i]);
        *buffers[i] = NULL;
    }
    peer_cuda_free(job->cuda);
    job->cuda = NULL;
    free(job->by);
    free(job->array);
    free(job->expected);
    job->by = job->array = job->expected = NULL;
    job->out_bytes = 0;
    job->floors = (bench_floors){0, 0};
    bench_items_free(&job->out);
    bench_items_free(&job->in);
}

static void spoil(const bench_job *job, cl_mem buffer, void *host, size_t bytes)
{
    const unsigned char pattern = SPOILED;
    if (bytes == 0)
        return;
    memset(host, SPOILED, bytes);
    bench_require(
        clEnqueueFillBuffer(job->queue, buffer, &pattern, sizeof pattern, 0, bytes, 0, NULL, NULL),
        "fill");
}

void bench_job_spoil(bench_job *job)
{
    spoil(job, job->keys_out, job->out.keys, job->out_bytes);
    spoil(job, job->values_out, job->out.values, bench_value_bytes(&job->in));
    bench_require(clFinish(job->queue), "fill");
}
