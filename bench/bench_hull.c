/* SPDX-License-Identifier: MIT */
/*
 * bench_hull [--cloud square|disc|ring|circle] [--n N] [--runs R] [--set NAME=VALUE,...] [--smoke]: dmm_hull of n
 * float points in device memory, beside a copy of as many bytes, a monotone chain with the same exact predicates on
 * one thread of the host and, where they are installed, CGAL's ch_akl_toussaint (exact predicates, one thread) and
 * qconvex (its own "CPU seconds to compute hull"; not exact). Rounds of all but qconvex, which runs once. GB/s counts
 * n * 8 bytes, once.
 */
#define _XOPEN_SOURCE 700 /* mkstemp, popen */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <dmm/hull.h>

#include "measure.h"
#ifdef DMM_PEERS
#include "peers/peers.h"
#endif

#define DMM_COORD_BYTES 4
#include "cl/exact.clh"

typedef struct job {
    const char *cloud, *set;
    size_t n, runs;
    dmm_context *ctx;
    dmm_hull *hull;
    dmm_hull_args args;
    cl_mem other; /* for copies */
    float *points;
    size_t *order;
} job;

static double unit(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) * 0x1p-53;
}

static void fill(job *j)
{
    uint64_t state = 42;
    for (size_t i = 0; i < j->n; i++) {
        const double a = unit(&state), b = unit(&state), angle = 6.283185307179586 * a;
        const double radius = *j->cloud == 'd'   ? sqrt(b)
                              : *j->cloud == 'r' ? sqrt(0.81 + 0.19 * b)
                                                 : 1;
        const int square = *j->cloud == 's';
        j->points[2 * i] = (float)(square ? a : radius * cos(angle));
        j->points[2 * i + 1] = (float)(square ? b : radius * sin(angle));
    }
}

static void parse(job *j, int argc, char **argv)
{
    *j = (job){.cloud = "disc", .n = 1000000, .runs = 11};
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : "";
        if (strcmp(argv[i], "--smoke") == 0) {
            j->n = 5000;
            j->runs = 2;
            continue;
        }
        if (strcmp(argv[i], "--cloud") == 0 && *value != '\0' && strchr("sdrc", *value) != NULL)
            j->cloud = value;
        else if (strcmp(argv[i], "--n") == 0 && atof(value) >= 1)
            j->n = (size_t)atof(value);
        else if (strcmp(argv[i], "--runs") == 0 && atoi(value) > 0)
            j->runs = (size_t)atoi(value);
        else if (strcmp(argv[i], "--set") == 0)
            j->set = value;
        else {
            fprintf(stderr,
                "options: --cloud square|disc|ring|circle --n N --runs R --set NAME=VALUE,... "
                "--smoke\n");
            exit(1);
        }
        i++;
    }
}

static void open_job(job *j)
{
    const dmm_hull_desc desc = DMM_HULL_DESC_INIT;
    const dmm_context_desc context = {.set = j->set};
    uint64_t temp_bytes = 0;
    bench_require(dmm_context_create(&j->ctx, &context), "context");
    bench_require(dmm_hull_create(&j->hull, j->ctx, &desc), "create");
    bench_require(dmm_hull_temp_bytes(&temp_bytes, j->hull, j->n, 0), "temp");
    j->points = bench_allocate(8 * j->n);
    j->order = bench_allocate(2 * (j->n + 1) * sizeof *j->order);
    fill(j);
    j->args.points.buffer = bench_buffer(j->ctx, 8 * j->n);
    j->args.hull.buffer = bench_buffer(j->ctx, 4 * j->n);
    j->args.count.buffer = bench_buffer(j->ctx, 32);
    j->args.report = (dmm_span){j->args.count.buffer, 16};
    j->args.temp.buffer = bench_buffer(j->ctx, temp_bytes);
    j->other = bench_buffer(j->ctx, 8 * j->n);
    bench_write(j->ctx, j->args.points.buffer, j->points, 8 * j->n);
}

static double hull_ms(job *j, uint64_t *count)
{
    const cl_command_queue queue = dmm_context_queue(j->ctx);
    const double start = bench_now_ms();
    bench_require(dmm_hull_enqueue(j->hull, queue, &j->args, j->n, 0, NULL, NULL), "hull");
    bench_require(clFinish(queue), "hull");
    const double ms = bench_now_ms() - start;
    bench_read(j->ctx, j->args.count.buffer, count, sizeof *count);
    return ms;
}

static const float *sorted_points;

static dmm_point point_of(size_t i)
{
    dmm_point p;
    memcpy(&p, sorted_points + 2 * i, sizeof p);
    return p;
}

static int compare(const void *a, const void *b)
{
    return dmm_point_compare(point_of(*(const size_t *)a), point_of(*(const size_t *)b));
}

static int turn(const float *p, size_t a, size_t b, size_t c)
{
    const double up =
        ((double)p[2 * b] - (double)p[2 * a]) * ((double)p[2 * c + 1] - (double)p[2 * a + 1]);
    const double down =
        ((double)p[2 * b + 1] - (double)p[2 * a + 1]) * ((double)p[2 * c] - (double)p[2 * a]);
    if (fabs(up - down) > 1e-14 * (fabs(up) + fabs(down)) + 1e-290)
        return up > down ? 1 : -1;
    return dmm_orient_exact(point_of(a), point_of(b), point_of(c));
}

/* A. Andrew's monotone chain: sorts indices, then goes forth and back. */
static double chain_ms(job *j, uint64_t *count)
{
    const double start = bench_now_ms();
    size_t *const order = j->order, *const stack = j->order + j->n + 1, total = j->n;
    *count = 0;
    sorted_points = j->points;
    for (size_t i = 0; i < total; i++)
        order[i] = i;
    qsort(order, total, sizeof *order, compare);
    for (int back = 0; back < 2; back++) {
        size_t length = 0;
        for (size_t i = 0; i < total; i++) {
            const size_t next = order[back ? total - 1 - i : i];
            if (length > 0 && compare(&stack[length - 1], &next) == 0)
                continue;
            while (length >= 2 && turn(j->points, stack[length - 2], stack[length - 1], next) <= 0)
                length--;
            stack[length++] = next;
        }
        *count += length - 1;
    }
    return bench_now_ms() - start;
}

/* What qconvex says of itself; 0 where there is none. */
static double qconvex_ms(const job *j, uint64_t *count)
{
    char name[] = "/tmp/bench_hull_XXXXXX", line[256];
    double seconds = 0;
    const int fd = mkstemp(name);
    FILE *file = fd >= 0 ? fdopen(fd, "w") : NULL;
    if (file == NULL)
        return 0;
    fprintf(file, "2\n%zu\n", j->n);
    for (size_t i = 0; i < j->n; i++)
        fprintf(file, "%.9g %.9g\n", (double)j->points[2 * i], (double)j->points[2 * i + 1]);
    fclose(file);
    snprintf(line, sizeof line, "qconvex s <%s 2>&1", name);
    file = popen(line, "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        unsigned long long vertices;
        const char *const at = strstr(line, "CPU seconds to compute hull");
        if (at != NULL && strchr(at, ':') != NULL)
            seconds = atof(strchr(at, ':') + 1);
        if (sscanf(line, " Number of vertices: %llu", &vertices) == 1)
            *count = vertices;
    }
    if (file != NULL)
        pclose(file);
    unlink(name);
    return 1e3 * seconds;
}

static void print_row(
    const job *j, const char *who, uint64_t h, bench_times t, double copy, double ours)
{
    const double rate = 8e-6 * (double)j->n / t.median;
    printf("hull %s %zu %s %llu %.3f %.3f %.2f %.3f %.2f\n", j->cloud, j->n, who,
        (unsigned long long)h, t.median, t.least, rate, rate / copy, t.median / ours);
    fflush(stdout);
}

enum { DMM, CHAIN, CGAL, PEERS };

int main(int argc, char **argv)
{
    static const char *const names[] = {"dmm", "chain", "cgal"};
    job j;
    double *times[PEERS + 1];
    uint64_t counts[PEERS + 1] = {0};
    parse(&j, argc, argv);
    open_job(&j);
    for (int i = 0; i <= PEERS; i++)
        times[i] = bench_allocate(j.runs * sizeof(double));
    bench_print_origin(argc, argv, j.ctx);
    printf("# word cloud n who h median_ms min_ms GB/s share-of-copy time-over-dmm\n");
    printf("# first call %.1f ms, with building the kernels\n", hull_ms(&j, &counts[DMM]));
#ifdef DMM_PEER_CGAL
    peer_cgal_points *const cgal = peer_cgal_make(j.points, j.n);
#endif
    for (size_t i = 0; i < j.runs; i++) {
        times[PEERS][i] = bench_copy_ms(j.ctx, j.args.points.buffer, j.other, 8 * j.n);
        times[DMM][i] = hull_ms(&j, &counts[DMM]);
        times[CHAIN][i] = chain_ms(&j, &counts[CHAIN]);
#ifdef DMM_PEER_CGAL
        const double start = bench_now_ms();
        counts[CGAL] = peer_cgal_hull(cgal);
        times[CGAL][i] = bench_now_ms() - start;
#endif
    }
    const double copy = 16e-6 * (double)j.n / bench_summary(times[PEERS], j.runs).median;
    const bench_times ours = bench_summary(times[DMM], j.runs);
    for (int i = 0; i < PEERS; i++)
        if (counts[i] != 0)
            print_row(&j, names[i], counts[i], i == DMM ? ours : bench_summary(times[i], j.runs),
                copy, ours.median);
    bench_require_right(
        counts[CHAIN] != counts[DMM] ? "not the chain's" : NULL, "number of vertices");
    uint64_t vertices = 0;
    const double q = qconvex_ms(&j, &vertices);
    if (q > 0)
        print_row(&j, "qconvex", vertices, (bench_times){q, q, q}, copy, ours.median);
    return 0;
}
