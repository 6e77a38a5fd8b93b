/* SPDX-License-Identifier: MIT */
/*
 * Jobs: from the command line to the printed line.
 */
#include "job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a line of the library's log is about. */
static void hear(void *user, const char *line)
{
    bench_parameters *first = user, p = {.u = 0};
    if (sscanf(line, "parameters: form=%7s u=%u E=%u tile=%u", p.form, &p.u, &p.E, &p.tile) == 4)
        *first = first->tile == 0 ? p : *first;
    else if (strncmp(line, "device:", 7) != 0)
        fprintf(stderr, "%s\n", line);
}

void bench_job_open(bench_job *job, int argc, char **argv)
{
    *job = (bench_job){.options = bench_parse(argc, argv), .start_ms = bench_now_ms()};
    const dmm_context_desc desc = {.set = job->options.set, .log = hear, .log_user = &job->chosen};
    bench_require(dmm_context_create(&job->ctx, &desc), "context");
    job->context_ms = bench_now_ms();
}

void bench_job_created(bench_job *job)
{
    job->created_ms = bench_now_ms();
}

void bench_job_fill(bench_job *job)
{
    const bench_options *o = &job->options;
    const dmm_merge_shape shape = {(uint32_t)dmm_context_device(job->ctx)->banks.value,
        job->chosen.u > 1 ? job->chosen.u : 256, job->chosen.E};
    job->in = bench_items_new(o->type, o->value_bytes, o->n);
    job->out = bench_items_new(o->type, o->value_bytes, o->n);
    bench_require(bench_items_fill(&job->in, o->input, &shape), "input");
}

void bench_job_upload(bench_job *job, uint64_t temp_bytes)
{
    const size_t keys = bench_key_bytes(&job->in), values = bench_value_bytes(&job->in);
    job->keys_in = bench_buffer(job->ctx, keys);
    job->values_in = bench_buffer(job->ctx, values);
    job->keys_out = bench_buffer(job->ctx, keys);
    job->values_out = bench_buffer(job->ctx, values);
    job->temp = bench_buffer(job->ctx, temp_bytes);
    bench_write(job->ctx, job->keys_in, job->in.keys, keys);
    bench_write(job->ctx, job->values_in, job->in.values, values);
}

void bench_job_close(bench_job *job)
{
    clReleaseMemObject(job->temp);
    clReleaseMemObject(job->values_out);
    clReleaseMemObject(job->keys_out);
    clReleaseMemObject(job->values_in);
    clReleaseMemObject(job->keys_in);
    bench_items_free(&job->out);
    bench_items_free(&job->in);
    dmm_context_free(job->ctx);
}

static double call_ms(const bench_job *job, bench_call call, void *object)
{
    const double start = bench_now_ms();
    bench_require(call(job, object), "call");
    bench_require(clFinish(dmm_context_queue(job->ctx)), "call");
    return bench_now_ms() - start;
}

static double copy_ms(const bench_job *job)
{
    return bench_copy_ms(job->ctx, job->keys_in, job->keys_out, bench_key_bytes(&job->in));
}

static void judge(const bench_job *job)
{
    bench_read(job->ctx, job->keys_out, job->out.keys, bench_key_bytes(&job->in));
    bench_read(job->ctx, job->values_out, job->out.values, bench_value_bytes(&job->in));
    bench_require_right(bench_fault(&job->in, &job->out, 1), "output");
}

/* Bytes of an item as it is read or written by a pass: values of other sizes stay where they are,
 * while positions of 4 bytes move, and are fetched by position at the end. */
static double pass_bytes(const bench_options *o)
{
    const uint32_t value = o->value_bytes;
    return dmm_type_bytes(o->type) + (value > 8 || (value & (value - 1)) != 0 ? 4 : value);
}

static void print_row(
    const bench_job *job, const char *word, unsigned passes, bench_times call, bench_times copy)
{
    const bench_options *o = &job->options;
    const double n = (double)o->n, rate = 2e-6 * passes * n * pass_bytes(o) / call.median;
    const double copy_rate = 2e-6 * n * dmm_type_bytes(o->type) / copy.median;
    printf("# word type values input n form u E tile median_ms min_ms Mitems/s passes GB/s "
           "copy_GB/s share\n");
    printf("%s %s %u %s %zu %s %u %u %u %.3f %.3f %.1f %u %.2f %.2f %.2f\n", word,
        dmm_type_name(o->type), o->value_bytes, bench_input_name(o->input), o->n, job->chosen.form,
        job->chosen.u, job->chosen.E, job->chosen.tile, call.median, call.least,
        1e-3 * n / call.median, passes, rate, copy_rate, rate / copy_rate);
}

void bench_job_run(
    const bench_job *job, const char *word, bench_call call, void *object, unsigned passes)
{
    const size_t runs = job->options.runs;
    double *calls = bench_allocate(runs * sizeof *calls);
    double *copies = bench_allocate(runs * sizeof *copies);
    const double first_ms = call_ms(job, call, object);
    judge(job);
    copy_ms(job);
    call_ms(job, call, object);
    for (size_t i = 0; i < runs; i++) {
        copies[i] = copy_ms(job);
        calls[i] = call_ms(job, call, object);
    }
    judge(job);
    printf("# first use: %.1f ms to find the device, %.1f ms to create, %.1f ms the first call; "
           "then %zu "
           "runs\n",
        job->context_ms - job->start_ms, job->created_ms - job->context_ms, first_ms, runs);
    print_row(job, word, passes, bench_summary(calls, runs), bench_summary(copies, runs));
    free(copies);
    free(calls);
}
