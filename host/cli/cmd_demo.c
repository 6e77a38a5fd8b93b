/* SPDX-License-Identifier: MIT */
/* dmm demo: a first run for newcomers. Sorts random keys on the device and finds the hull of random
 * points; checks and times both. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <dmm/sort.h>

#include "array.h"
#include "commands.h"
#include "core/opencl.h"
#include "demo_hull.h"
#include "judge.h"
#include "option.h"
#include "progress.h"
#include "session.h"

enum { WARM_RUNS = 5, TEMP_ALIGNMENT = 256 };

typedef struct work {
    cli_session session;
    cli_array keys; /* random, then sorted */
    dmm_sort *sort;
    cl_mem in, out, temp;
    uint64_t temp_bytes;
    double first_ms, warm_ms;
} work;

static double now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
}

/* Fills in the same keys on every machine: the upper halves of the linear congruential generator of
 * D. Knuth's MMIX ("The Art of Computer Programming", volume 2, 3rd edition, section 3.3.4, table
 * 1). */
static void fill_random(cli_array *keys)
{
    uint64_t state = 1;
    uint32_t *key = keys->data;
    for (size_t i = 0; i < keys->count; i++) {
        state = 6364136223846793005u * state + 1442695040888963407u;
        key[i] = (uint32_t)(state >> 32);
    }
}

static bool make_buffer(
    cl_mem *out, work *w, cl_mem_flags flags, size_t bytes, void *data, cli_error *error)
{
    cl_int status = CL_SUCCESS;
    *out = clCreateBuffer(dmm_context_cl(w->session.context), flags, bytes, data, &status);
    return cli_check(&w->session, status, NULL, error);
}

static bool prepare(work *w, uint64_t n, cli_error *error)
{
    if (n == 0 || n > SIZE_MAX / sizeof(uint32_t))
        return cli_fail(
            error, CLI_MISTAKE, "-n", "at least one key, and no more than memory holds");
    if (!cli_open_session(&w->session, error) ||
        !cli_make_array(&w->keys, DMM_U32, 0, (size_t)n, error))
        return false;
    size_t bytes = w->keys.count * sizeof(uint32_t);
    fill_random(&w->keys);
    return make_buffer(
               &w->in, w, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, bytes, w->keys.data, error) &&
           make_buffer(&w->out, w, CL_MEM_READ_WRITE, bytes, NULL, error);
}

/* Builds the kernels and allocates: the cost of a first call. */
static bool build(work *w, cli_error *error)
{
    dmm_sort_desc desc = {0};
    desc.max_n = w->keys.count;
    desc.guarantee = 1;
    return cli_check(
               &w->session, dmm_sort_create(&w->sort, w->session.context, &desc), NULL, error) &&
           cli_check(&w->session, dmm_sort_temp_bytes(&w->temp_bytes, w->sort, w->keys.count), NULL,
               error) &&
           (w->temp_bytes == 0 ||
               make_buffer(&w->temp, w, CL_MEM_READ_WRITE, (size_t)w->temp_bytes, NULL, error));
}

static bool sort_once(work *w, cli_error *error)
{
    cl_command_queue queue = dmm_context_queue(w->session.context);
    const dmm_sort_args args = {
        .keys_in = {w->in, 0}, .keys_out = {w->out, 0}, .temp = {w->temp, 0}};
    dmm_status status = dmm_sort_enqueue(w->sort, queue, &args, w->keys.count, 0, NULL, NULL);
    if (status == DMM_OK)
        status = clFinish(queue);
    return cli_check(&w->session, status, NULL, error);
}

static int compare_ms(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static bool measure(work *w, cli_error *error)
{
    double runs[WARM_RUNS];
    double start = now_ms();
    cli_progress_start("building", 0);
    if (!build(w, error) || !sort_once(w, error))
        return false;
    w->first_ms = now_ms() - start;
    cli_progress_start("sorting", WARM_RUNS);
    for (int i = 0; i < WARM_RUNS; i++) {
        start = now_ms();
        if (!sort_once(w, error))
            return false;
        runs[i] = now_ms() - start;
        cli_progress_step((uint64_t)i + 1);
    }
    qsort(runs, WARM_RUNS, sizeof runs[0], compare_ms);
    w->warm_ms = runs[WARM_RUNS / 2];
    return true;
}

static bool check(work *w, cli_error *error)
{
    cli_fingerprint sum = {0, 0};
    size_t bytes = w->keys.count * sizeof(uint32_t);
    cli_sum_items(&sum, &w->keys, NULL);
    cl_int status = clEnqueueReadBuffer(dmm_context_queue(w->session.context), w->out, CL_TRUE, 0,
        bytes, w->keys.data, 0, NULL, NULL);
    return cli_check(&w->session, status, NULL, error) &&
           cli_judge(&w->keys, NULL, false, &sum, error);
}

static void report(const work *w)
{
    const dmm_device *device = dmm_context_device(w->session.context);
    double n = (double)w->keys.count;
    cli_progress_end();
    printf("device      %s (%s, %s)\n", device->name, dmm_device_kind_name(device->kind),
        device->platform_name);
    printf("keys        %zu random 32-bit numbers, in device memory\n", w->keys.count);
    printf("first call  %9.1f ms  with building the kernels\n", w->first_ms);
    printf("warm call   %9.1f ms  %.1f million keys a second (median of %d)\n", w->warm_ms,
        n / w->warm_ms / 1e3, WARM_RUNS);
    printf("checked     every key is there, and in order\n");
}

static void release(work *w)
{
    const cl_mem buffers[] = {w->in, w->out, w->temp};
    for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; i++)
        if (buffers[i])
            clReleaseMemObject(buffers[i]);
    dmm_sort_free(w->sort);
    cli_close_session(&w->session);
    cli_free_array(&w->keys);
}

int dmm_cli_demo(int argc, char **argv)
{
    cli_error error = {0};
    uint64_t n = 1 << 24;
    const char *svg = NULL;
    work w = {.session = CLI_SESSION_INIT};
    const cli_option options[] = {
        {'n', "keys", CLI_COUNT, &n, "N", "how many keys (default: 16777216)"},
        {0, "svg", CLI_SVG, &svg, "FILE", "draw the points and their hull"},
    };
    const cli_syntax syntax = {.synopsis = "[-n N] [--svg FILE]",
        .about = "Sorts random 32-bit keys and finds the hull of random points on the best device, "
                 "checks\n"
                 "both on the host, and says how long they took.",
        .options = options,
        .num_options = sizeof options / sizeof options[0]};
    if (cli_parse_some(&syntax, argc, argv, NULL, 0, &error) && prepare(&w, n, &error) &&
        measure(&w, &error) && check(&w, &error)) {
        report(&w);
        cli_demo_hull(&w.session, svg, &error);
    }
    release(&w);
    return cli_finish(&error);
}
