/* SPDX-License-Identifier: MIT */
/* Random points of a disc, their hull on the device, and a check of it in integers on the host. */
#include "demo_hull.h"

#include <stdio.h>
#include <time.h>

#include <dmm/hull.h>

#include "array.h"
#include "core/opencl.h"
#include "points.h"
#include "progress.h"

/* Coordinates are whole numbers of at most 20 bits: exact as floats, their products exact in 64
 * bits. */
enum { POINTS = 1000000, RADIUS = 1 << 20, RUNS = 3 };

typedef struct demo {
    cli_session *session; /* borrowed */
    cli_array points;     /* 2 * POINTS numbers */
    cli_array vertices;   /* indices; space for all points */
    dmm_hull *hull;
    cl_mem in, out, count;
    double ms; /* time of the fastest call so far */
} demo;

static double now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
}

/* Returns a whole number from -RADIUS to RADIUS - 1, by the generator of cmd_demo.c. */
static int64_t random_coordinate(uint64_t *state)
{
    *state = 6364136223846793005u * *state + 1442695040888963407u;
    return (int64_t)(*state >> 43) - RADIUS;
}

static void fill(float *at)
{
    uint64_t state = 2;
    for (size_t i = 0; i < POINTS;) {
        const int64_t x = random_coordinate(&state), y = random_coordinate(&state);
        if (x * x + y * y > (int64_t)RADIUS * RADIUS)
            continue;
        at[2 * i] = (float)x;
        at[2 * i + 1] = (float)y;
        i++;
    }
}

static bool make_buffer(
    demo *d, cl_mem *out, cl_mem_flags flags, size_t bytes, void *data, cli_error *error)
{
    cl_int status = CL_SUCCESS;
    *out = clCreateBuffer(dmm_context_cl(d->session->context), flags, bytes, data, &status);
    return cli_check(d->session, status, NULL, error);
}

static bool prepare(demo *d, cli_error *error)
{
    const dmm_hull_desc desc = {.coordinates = DMM_HULL_F32, .index_bytes = 8, .max_n = POINTS};
    if (!cli_make_array(&d->points, DMM_F32, 0, 2 * POINTS, error) ||
        !cli_make_array(&d->vertices, DMM_U64, 0, POINTS, error))
        return false;
    fill(d->points.data);
    return make_buffer(d, &d->in, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
               2 * POINTS * sizeof(float), d->points.data, error) &&
           make_buffer(d, &d->out, CL_MEM_READ_WRITE, POINTS * sizeof(uint64_t), NULL, error) &&
           make_buffer(d, &d->count, CL_MEM_READ_WRITE, sizeof(uint64_t), NULL, error) &&
           cli_check(
               d->session, dmm_hull_create(&d->hull, d->session->context, &desc), NULL, error);
}

static bool find(demo *d, cli_error *error)
{
    const cl_command_queue queue = dmm_context_queue(d->session->context);
    const dmm_hull_args args = {
        .points = {d->in, 0}, .hull_out = {d->out, 0}, .count_out = {d->count, 0}};
    for (int i = 0; i < RUNS; i++) {
        const double start = now_ms();
        dmm_status status = dmm_hull_enqueue(d->hull, queue, &args, POINTS, 0, NULL, NULL);
        if (status == DMM_OK)
            status = clFinish(queue);
        if (!cli_check(d->session, status, NULL, error))
            return false;
        const double ms = now_ms() - start;
        d->ms = i == 0 || ms < d->ms ? ms : d->ms;
    }
    uint64_t count = 0;
    cl_int status =
        clEnqueueReadBuffer(queue, d->count, CL_TRUE, 0, sizeof count, &count, 0, NULL, NULL);
    d->vertices.count = count <= POINTS ? (size_t)count : 0;
    if (status == CL_SUCCESS && d->vertices.count != 0)
        status = clEnqueueReadBuffer(queue, d->out, CL_TRUE, 0,
            d->vertices.count * sizeof(uint64_t), d->vertices.data, 0, NULL, NULL);
    return cli_check(d->session, status, NULL, error);
}

/* True if every point is to the left of the line through two vertices, or on it. */
static bool is_edge(const float *at, uint64_t from, uint64_t to)
{
    const int64_t x = (int64_t)at[2 * from], y = (int64_t)at[2 * from + 1];
    const int64_t dx = (int64_t)at[2 * to] - x, dy = (int64_t)at[2 * to + 1] - y;
    int64_t least = 0;
    for (size_t i = 0; i < POINTS; i++) {
        const int64_t side = dx * ((int64_t)at[2 * i + 1] - y) - dy * ((int64_t)at[2 * i] - x);
        least = side < least ? side : least;
    }
    return least == 0 && (dx != 0 || dy != 0);
}

static bool check(const demo *d, cli_error *error)
{
    const uint64_t *const v = d->vertices.data;
    const size_t count = d->vertices.count;
    bool right = count > 2;
    for (size_t i = 0; i < count && right; i++)
        right = v[i] < POINTS && v[(i + 1) % count] < POINTS &&
                is_edge(d->points.data, v[i], v[(i + 1) % count]);
    return right || cli_fail(error, CLI_CHECK_FAILED, NULL, "the hull is wrong");
}

static bool draw(const demo *d, const char *svg, cli_error *error)
{
    cli_output output = CLI_OUTPUT_INIT;
    cli_output *const outputs[] = {&output};
    const bool drawn =
        cli_open_output(&output, svg, error) &&
        cli_draw_hull(&output, &d->points, d->vertices.data, d->vertices.count, true, error) &&
        cli_commit_outputs(outputs, 1, error);
    cli_close_output(&output);
    return drawn;
}

bool cli_demo_hull(cli_session *session, const char *svg, cli_error *error)
{
    demo d = {.session = session};
    cli_progress_start("finding a hull", 0);
    const bool done = prepare(&d, error) && find(&d, error) && check(&d, error) &&
                      (svg == NULL || draw(&d, svg, error));
    cli_progress_end();
    if (done) {
        printf("points      %d random points of a disc\n", POINTS);
        printf("warm call   %9.1f ms  their convex hull: %zu vertices (fastest of %d)\n", d.ms,
            d.vertices.count, RUNS);
        printf("checked     every edge has all points on one side%s%s\n",
            svg != NULL ? "; drawn in " : "", svg != NULL ? svg : "");
    }
    const cl_mem buffers[] = {d.in, d.out, d.count};
    for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; i++)
        if (buffers[i])
            clReleaseMemObject(buffers[i]);
    dmm_hull_free(d.hull);
    cli_free_array(&d.points);
    cli_free_array(&d.vertices);
    return done;
}
