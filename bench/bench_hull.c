/* SPDX-License-Identifier: MIT */
/*
 * bench_hull [options]: dmm_hull of n float points; --input names the cloud: disc, square, ring,
 * circle, parabola. Beside dmm_sort of the points as u64, which a hull of sorted points would wait
 * for, a monotone chain with the same exact predicates on one thread of the host and, where they
 * are installed, CGAL's ch_akl_toussaint (exact predicates, one thread) and qconvex (a process of
 * its own, by its "CPU seconds to compute hull"; not exact). The model is two reads of the points.
 */
#define _XOPEN_SOURCE 700 /* mkstemp, popen */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <dmm/hull.h>
#include <dmm/sort.h>

#include "contest.h"
#include "peers/peers.h"

#define DMM_COORD_BYTES 4
#include "cl/hull/exact.clh"

enum { POINT_BYTES = 8 };

typedef struct cloud {
    dmm_hull *hull;
    dmm_sort *sort;
    cl_mem told; /* number of vertices, and the report 16 bytes behind it */
    peer_cgal_points *cgal;
    size_t *order;     /* space for the chain: two lists of n + 1 */
    uint64_t vertices; /* number found by the entrant that ran last */
    char file[32];
} cloud;

static double unit(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) * 0x1p-53;
}

/* A point is a key of 8 bytes. */
static void fill(bench_job *job)
{
    const char kind = job->input[0];
    float *const points = (void *)job->in.keys;
    uint64_t state = 42;
    for (size_t i = 0; i < job->n; i++) {
        const double a = unit(&state), b = unit(&state), angle = 6.283185307179586 * a;
        const double radius = kind == 'd' ? sqrt(b) : kind == 'r' ? sqrt(0.81 + 0.19 * b) : 1;
        const int plain = kind == 's' || kind == 'p';
        points[2 * i] = (float)(plain ? a : radius * cos(angle));
        points[2 * i + 1] = (float)(kind == 'p' ? a * a : plain ? b : radius * sin(angle));
    }
}

static dmm_status enqueue(bench_job *job, const bench_entrant *self, cl_event *event)
{
    cloud *const c = self->object;
    const dmm_hull_args args = {.points = {job->keys_in, 0},
        .hull_out = {job->keys_out, 0},
        .count_out = {c->told, 0},
        .report_out = {c->told, 16},
        .temp = {job->temp, 0}};
    c->vertices = 0;
    return dmm_hull_enqueue(c->hull, job->queue, &args, job->n, 0, NULL, event);
}

static dmm_status enqueue_sort(bench_job *job, const bench_entrant *self, cl_event *event)
{
    const cloud *const c = self->object;
    const dmm_sort_args args = {
        .keys_in = {job->keys_in, 0}, .keys_out = {job->keys_out, 0}, .temp = {job->temp, 0}};
    return dmm_sort_enqueue(c->sort, job->queue, &args, job->n, 0, NULL, event);
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

/* A. Andrew's monotone chain: sorts indices, then goes forward and back. */
static int hull_chain(bench_job *job, const bench_entrant *self)
{
    cloud *const c = self->object;
    const float *const points = (const void *)job->in.keys;
    size_t *const order = c->order, *const stack = order + job->n + 1, total = job->n;
    c->vertices = 0;
    sorted_points = points;
    for (size_t i = 0; i < total; i++)
        order[i] = i;
    qsort(order, total, sizeof *order, compare);
    for (int back = 0; back < 2; back++) {
        size_t length = 0;
        for (size_t i = 0; i < total; i++) {
            const size_t next = order[back ? total - 1 - i : i];
            if (length > 0 && compare(&stack[length - 1], &next) == 0)
                continue;
            while (length >= 2 && turn(points, stack[length - 2], stack[length - 1], next) <= 0)
                length--;
            stack[length++] = next;
        }
        c->vertices += length - 1;
    }
    return 1;
}

static int hull_cgal(bench_job *job, const bench_entrant *self)
{
    cloud *const c = self->object;
    (void)job;
    c->vertices = c->cgal != NULL ? peer_cgal_hull(c->cgal) : 0;
    return c->cgal != NULL;
}

/* All three are exact: a result with as many vertices as the chain is right, unless all are
 * wrong. */
static const char *count_fault(bench_job *job, const bench_entrant *self)
{
    cloud *const c = self->object;
    const uint64_t *const expected = job->expected;
    if (self->enqueue != NULL)
        bench_read(job->ctx, c->told, &c->vertices, sizeof c->vertices);
    return c->vertices != *expected ? "not as many vertices as the chain's" : NULL;
}

/* Writes the points as input of qconvex to a new file; "" if there is none. */
static void write_points(cloud *c, const bench_job *job)
{
    const float *const points = (const void *)job->in.keys;
    strcpy(c->file, "/tmp/bench_hull_XXXXXX");
    const int fd = mkstemp(c->file);
    FILE *const file = fd >= 0 ? fdopen(fd, "w") : NULL;
    if (file == NULL) {
        c->file[0] = '\0';
        return;
    }
    fprintf(file, "2\n%zu\n", job->n);
    for (size_t i = 0; i < job->n; i++)
        fprintf(file, "%.9g %.9g\n", (double)points[2 * i], (double)points[2 * i + 1]);
    fclose(file);
}

/* Returns the time that qconvex reports; 0 if it is not there. */
static double qconvex_ms(bench_job *job, const bench_entrant *self)
{
    static const char told[] = "CPU seconds to compute hull";
    const cloud *const c = self->object;
    char line[256];
    double seconds = 0;
    (void)job;
    snprintf(line, sizeof line, "qconvex s <%s 2>&1", c->file);
    FILE *const output = c->file[0] != '\0' ? popen(line, "r") : NULL;
    while (output != NULL && fgets(line, sizeof line, output) != NULL) {
        const char *const at = strstr(line, told);
        if (at != NULL && strchr(at, ':') != NULL)
            seconds = atof(strchr(at, ':') + 1);
    }
    if (output != NULL)
        pclose(output);
    return 1e3 * seconds;
}

static void open_cloud(cloud *c, bench_job *job)
{
    const dmm_hull_desc desc = {.coordinates = DMM_HULL_F32};
    const dmm_sort_desc sort = {.order = {.type = DMM_U64}};
    uint64_t temp_bytes = 0, sort_bytes = 0;
    bench_require(dmm_hull_create(&c->hull, job->ctx, &desc), "create");
    bench_require(dmm_hull_temp_bytes(&temp_bytes, c->hull, job->n, 0), "temp");
    bench_require(dmm_sort_create(&c->sort, job->ctx, &sort), "sort");
    bench_require(dmm_sort_temp_bytes(&sort_bytes, c->sort, job->n), "sort's temp");
    job->type = "2xf32";
    job->in = bench_items_new(DMM_U64, 0, job->n);
    job->out = bench_items_new(DMM_U64, 0, job->n);
    job->out_bytes = bench_key_bytes(&job->in);
    fill(job);
    bench_job_upload(job, temp_bytes > sort_bytes ? temp_bytes : sort_bytes);
    c->told = bench_buffer(job->ctx, 16 + sizeof(dmm_report));
    c->cgal = job->options.peers ? peer_cgal_make((const void *)job->in.keys, job->n) : NULL;
    if (job->options.peers)
        write_points(c, job);
    c->order = bench_allocate(2 * (job->n + 1) * sizeof *c->order);
}

static void run(bench_job *job)
{
    cloud c = {.hull = NULL};
    open_cloud(&c, job);
    const bench_entrant entrants[] = {
        {.who = "dmm",
            .method = "hull",
            .with = bench_heard(job),
            .item_bytes = 2.0 * POINT_BYTES,
            .object = &c,
            .enqueue = enqueue,
            .fault = count_fault},
        {.who = "dmm", .method = "sort_of_points", .object = &c, .enqueue = enqueue_sort},
        {.who = "c",
            .method = "monotone_chain",
            .object = &c,
            .call = hull_chain,
            .fault = count_fault},
        {.who = "cgal",
            .method = "ch_akl_toussaint",
            .object = &c,
            .call = hull_cgal,
            .fault = count_fault},
        {.who = "qconvex", .method = "", .object = &c, .own_ms = qconvex_ms},
    };
    hull_chain(job, &entrants[2]);
    job->expected = bench_allocate(sizeof c.vertices);
    memcpy(job->expected, &c.vertices, sizeof c.vertices);
    printf("# %zu points have %llu vertices\n", job->n, (unsigned long long)c.vertices);
    bench_contest(job, "", entrants, job->options.peers ? 5 : 1);
    unlink(c.file);
    clReleaseMemObject(c.told);
    dmm_hull_free(c.hull);
    dmm_sort_free(c.sort);
    peer_cgal_free(c.cgal);
    free(c.order);
}

int main(int argc, char **argv)
{
    static const bench_word word = {"hull", "disc", "10^6", run};
    return bench_main(&word, argc, argv);
}
