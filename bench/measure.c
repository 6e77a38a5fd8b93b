/* SPDX-License-Identifier: MIT */
/*
 * Options, clock, statistics, buffers.
 */
#include "measure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <dmm/version.h>

enum { DEFAULT_RUNS = 11, SMOKE_ITEMS = 10000, MAX_VALUE_BYTES = 256 };

static const char usage[] =
    "options: --type NAME --input random|sorted|reversed|equal|few|organ|worst|zipf --n ITEMS|2^K\n"
    "         --values BYTES --set NAME=VALUE,... --runs COUNT --smoke\n";

static int parse_type(dmm_type *out, const char *name)
{
    for (int type = 0; type < DMM_ITEM; type++)
        if (strcmp(dmm_type_name((dmm_type)type), name) == 0) {
            *out = (dmm_type)type;
            return 1;
        }
    return 0;
}

/* "123" or "2^24", from 1 to most. */
static int parse_number(size_t *out, const char *text, size_t most)
{
    char *end = NULL;
    const int power = strncmp(text, "2^", 2) == 0;
    const unsigned long long number = strtoull(power ? text + 2 : text, &end, 10);
    if (*end != '\0' || end == text || (power && number > 62))
        return 0;
    *out = power ? (size_t)1 << number : (size_t)number;
    return *out >= 1 && *out <= most;
}

static int parse_one(bench_options *o, const char *name, const char *value)
{
    size_t number = 0;
    if (strcmp(name, "--type") == 0)
        return parse_type(&o->type, value);
    if (strcmp(name, "--input") == 0)
        return bench_input_named(&o->input, value);
    if (strcmp(name, "--n") == 0)
        return parse_number(&o->n, value, SIZE_MAX / 2);
    if (strcmp(name, "--runs") == 0)
        return parse_number(&o->runs, value, 1000000);
    if (strcmp(name, "--set") == 0) {
        o->set = value;
        return 1;
    }
    if (strcmp(name, "--values") != 0 || !parse_number(&number, value, MAX_VALUE_BYTES))
        return 0;
    o->value_bytes = (uint32_t)number;
    return 1;
}

bench_options bench_parse(int argc, char **argv)
{
    bench_options o = {.type = DMM_U32, .n = (size_t)1 << 24, .runs = DEFAULT_RUNS};
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--smoke") == 0) {
            o.n = SMOKE_ITEMS;
        } else if (i + 1 < argc && parse_one(&o, argv[i], argv[i + 1])) {
            i++;
        } else {
            fprintf(stderr, "%s: %s\n%s", argv[0], argv[i], usage);
            exit(1);
        }
    }
    return o;
}

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
    void *memory = malloc(bytes != 0 ? bytes : 1);
    bench_require(memory != NULL ? DMM_OK : DMM_OUT_OF_MEMORY, "host memory");
    return memory;
}

/* The machine's load: runnable tasks, averaged over the last minute. Systems without it say
 * nothing. */
static void print_load(void)
{
    char text[64] = "";
    FILE *file = fopen("/proc/loadavg", "r");
    if (file == NULL)
        return;
    if (fgets(text, sizeof text, file) != NULL)
        printf(", load %.*s", (int)strcspn(text, " "), text);
    fclose(file);
}

void bench_print_origin(int argc, char **argv, const dmm_context *ctx)
{
    char date[32] = "";
    const dmm_device *device = dmm_context_device(ctx);
    const time_t now = time(NULL);
    const char *slash = strrchr(argv[0], '/');
    strftime(date, sizeof date, "%Y-%m-%d %H:%M UTC", gmtime(&now));
    printf("# dmm %s, %s", DMM_VERSION, date);
    print_load();
    printf("\n# command: %s", slash != NULL ? slash + 1 : argv[0]);
    for (int i = 1; i < argc; i++)
        printf(" %s", argv[i]);
    printf("\n# device: %s (%s), driver %s\n", device->name, device->platform_name, device->driver);
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

double bench_copy_ms(const dmm_context *ctx, cl_mem from, cl_mem to, size_t bytes)
{
    const double start = bench_now_ms();
    bench_require(
        clEnqueueCopyBuffer(dmm_context_queue(ctx), from, to, 0, 0, bytes, 0, NULL, NULL), "copy");
    bench_require(clFinish(dmm_context_queue(ctx)), "copy");
    return bench_now_ms() - start;
}
