/* SPDX-License-Identifier: MIT */
/* T. Jurkiewicz 2013, sections 3.6 and 4.1: hulls, and lower bounds. */
#include <stdlib.h>

#include "core/opencl.h"
#include "primitives/hull/hull.h"
#include "table_device.h"
#include "table_meter.h"

#define SOURCE "Jurkiewicz 2013, "

enum { SQUARE, DISC, RING };

/* Fills with points of the thesis' kinds: in a square, in a disc, on a circle as f32 has it. */
static void fill(float *points, uint64_t n, int kind)
{
    const double pi = 3.14159265358979323846;
    uint64_t random = n;
    for (uint64_t i = 0; i < n; i++) {
        const double a = ldexp((double)(table_random(&random) >> 11), -53);
        const double b = ldexp((double)(table_random(&random) >> 11), -53);
        const double radius = kind == RING ? 1 : sqrt(b);
        points[2 * i] = (float)(kind == SQUARE ? a : radius * cos(2 * pi * a));
        points[2 * i + 1] = (float)(kind == SQUARE ? b : radius * sin(2 * pi * a));
    }
}

typedef struct hull_call {
    dmm_hull *hull;
    dmm_hull_args args;
    uint64_t n;
} hull_call;

static dmm_status enqueue_hull(void *user, cl_command_queue queue, cl_event *event)
{
    const hull_call *const call = user;
    return dmm_hull_enqueue(call->hull, queue, &call->args, call->n, 0, NULL, event);
}

/* Creates a hull of n points of a kind, with its buffers. */
static bool prepare(hull_call *call, table_buffers *buffers, const dmm_hull_desc *desc, uint64_t n,
    int kind, table_run *run, cli_error *error)
{
    float *const points = malloc((size_t)n * 2 * sizeof *points);
    uint64_t temp_bytes;
    *call = (hull_call){.n = n};
    if (!points)
        return cli_fail_memory(error, NULL, n * 2 * sizeof *points);
    fill(points, n, kind);
    const bool done =
        table_check(run, dmm_hull_create(&call->hull, run->session.context, desc), error) &&
        table_check(run, dmm_hull_temp_bytes(&temp_bytes, call->hull, n, 0), error) &&
        table_add_buffer(&call->args.points, buffers, run, 8 * n, points, error) &&
        table_add_buffer(&call->args.hull_out, buffers, run, 4 * n, NULL, error) &&
        table_add_buffer(&call->args.count_out, buffers, run, 8, NULL, error) &&
        table_add_buffer(&call->args.temp, buffers, run, temp_bytes, NULL, error);
    free(points);
    return done;
}

static bool read_words(
    void *out, size_t bytes, dmm_span from, uint64_t at, table_run *run, cli_error *error)
{
    return table_check(run,
        clEnqueueReadBuffer(dmm_context_queue(run->session.context), from.buffer, CL_TRUE,
            (size_t)(from.offset_bytes + at), bytes, out, 0, NULL, NULL),
        error);
}

/* ---- Figure 3.4 ------------------------------------------------------------------------------ */

/* sizes: n, kind. */
static bool measure_time(double *values, const table_point *point, table_run *run, cli_error *error)
{
    const dmm_hull_desc desc = {.coordinates = DMM_HULL_F32};
    table_buffers buffers = {0};
    hull_call call;
    uint64_t vertices = 0;
    double seconds = 0;
    const bool done = prepare(&call, &buffers, &desc, (uint64_t)point->sizes[0],
                          (int)point->sizes[1], run, error) &&
                      table_time_call(&seconds, run, enqueue_hull, &call, 3, error) &&
                      read_words(&vertices, sizeof vertices, call.args.count_out, 0, run, error);
    values[0] = (double)vertices;
    values[1] = 1e3 * seconds;
    table_free_buffers(&buffers);
    dmm_hull_free(call.hull);
    return done;
}

static const table_column time_columns[] = {{"paper: h", 0, true}, {"paper: LEDA ms", 0, true},
    {"paper: Srikanth ms", 0, true}, {"paper: GTX 285 ms", 0, true}, {"h", 0, false},
    {"ms", 2, false}, {0}};

#define KIND(name, kind, i, large, ...)                                                      \
    {                                                                                        \
        .label = name " 10^" #i, .x = 1e##i, .sizes = {1e##i, kind}, .paper = {__VA_ARGS__}, \
        .full = (large)                                                                      \
    }
static const table_point times[] = {KIND("square", SQUARE, 5, false, 36, 70, TABLE_NONE, 9),
    KIND("square", SQUARE, 6, false, 40, 970, TABLE_NONE, 14),
    KIND("square", SQUARE, 7, true, 42, 19550, TABLE_NONE, 58),
    KIND("disc", DISC, 5, false, 160, 80, TABLE_NONE, 12),
    KIND("disc", DISC, 6, false, 344, 980, 13, 20),
    KIND("disc", DISC, 7, true, 715, 19960, 115, 73),
    KIND("ring", RING, 5, false, 31526, 220, TABLE_NONE, 27),
    KIND("ring", RING, 6, false, 58982, 2750, TABLE_NONE, 53),
    KIND("ring", RING, 7, true, 101405, 45690, TABLE_NONE, 282), {0}};

/* ---- Figure 3.5 ------------------------------------------------------------------------------ */

/* sizes: n, kind. Text is read as doubles: a sector has S = 2 points, not 32. */
static bool measure_transactions(
    double *values, const table_point *point, table_run *run, cli_error *error)
{
    static const char *const arguments[] = {
        "--set", "form=gpu", "hull", "--format", "text", "-o", "/dev/null", NULL};
    const uint64_t n = (uint64_t)point->sizes[0];
    float *const points = malloc((size_t)n * 2 * sizeof *points);
    FILE *const input = tmpfile();
    table_metered metered = {0};
    (void)run;
    bool done = (points && input) || cli_fail_memory(error, NULL, n * 2 * sizeof *points);
    if (done) {
        fill(points, n, (int)point->sizes[1]);
        for (uint64_t i = 0; i < n; i++)
            fprintf(input, "%.9g,%.9g\n", (double)points[2 * i], (double)points[2 * i + 1]);
        done = table_meter(&metered, "dmm", arguments, input, NULL, error);
    }
    values[0] = metered.reads / 1e3;
    values[1] = metered.writes / 1e3;
    values[2] = (metered.reads + metered.writes) / ((double)n / 2);
    if (input)
        fclose(input);
    free(points);
    return done;
}

static const table_column transaction_columns[] = {{"paper: h", 0, true},
    {"paper: reads/10^3", 0, true}, {"paper: writes/10^3", 0, true},
    {"paper: n ceil(log h)/S/10^3", 0, true}, {"reads/10^3", 1, false}, {"writes/10^3", 1, false},
    {"both over n/S", 1, false}, {0}};

#define METERED(name, kind)                                     \
    {                                                           \
        .label = name " 10^4", .sizes = {1e4, kind}, .paper = { \
            TABLE_NONE,                                         \
            TABLE_NONE,                                         \
            TABLE_NONE,                                         \
            TABLE_NONE                                          \
        }                                                       \
    }
static const table_point transactions[] = {METERED("square", SQUARE), METERED("disc", DISC),
    METERED("ring", RING), KIND("square", SQUARE, 5, true, 36, 36, 13, 19),
    KIND("square", SQUARE, 6, true, 40, 225, 59, 188), KIND("disc", DISC, 5, true, 160, 55, 31, 25),
    KIND("disc", DISC, 6, true, 344, 293, 153, 281),
    KIND("ring", RING, 5, true, 31526, 206, 127, 47),
    KIND("ring", RING, 6, true, 58982, 1224, 693, 500), {0}};

/* ---- Figure 3.6 ------------------------------------------------------------------------------ */

/* What the kernels counted, in the call's temp. */
typedef struct iterations {
    uint64_t split, solved, levels;
} iterations;

static bool read_iterations(
    iterations *out, const hull_call *call, table_run *run, cli_error *error)
{
    const uint64_t pairs = call->hull->p.most_groups + 1;
    uint64_t *const words = malloc((size_t)pairs * 2 * sizeof *words);
    dmm_hull_call places;
    dmm_hull_place_regions(call->hull, dmm_hull_sizes_of(call->hull, call->n, 0), 0, &places);
    *out = (iterations){0};
    if (!words)
        return cli_fail_memory(error, NULL, pairs * 2 * sizeof *words);
    const bool done = read_words(
        words, (size_t)pairs * 2 * sizeof *words, call->args.temp, places.work_at, run, error);
    out->split = done ? words[0] : 0;
    for (uint64_t g = 1; g < pairs && done; g++) {
        out->solved += words[2 * g];
        out->levels = words[2 * g + 1] > out->levels ? words[2 * g + 1] : out->levels;
    }
    free(words);
    return done;
}

/* sizes: n, kind. */
static bool measure_iterations(
    double *values, const table_point *point, table_run *run, cli_error *error)
{
    const dmm_hull_desc desc = {.coordinates = DMM_HULL_F32, .tuning = {.form = DMM_FORM_GPU}};
    table_buffers buffers = {0};
    hull_call call;
    iterations counted = {0};
    bool done = prepare(
        &call, &buffers, &desc, (uint64_t)point->sizes[0], (int)point->sizes[1], run, error);
    done = done &&
           table_check(
               run, enqueue_hull(&call, dmm_context_queue(run->session.context), NULL), error) &&
           read_iterations(&counted, &call, run, error);
    if (done) {
        values[0] = dmm_hull_sizes_of(call.hull, call.n, 0).levels;
        values[1] = (double)counted.levels;
        values[2] = (double)counted.split / point->sizes[0];
        values[3] = (double)(counted.split + counted.solved) / point->sizes[0];
    }
    table_free_buffers(&buffers);
    dmm_hull_free(call.hull);
    return done;
}

static const table_column iteration_columns[] = {{"paper: splitting", 0, true},
    {"paper: independent, max", 0, true}, {"paper: mean", 2, true}, {"splitting levels", 0, false},
    {"independent, max", 0, false}, {"visits a point, splitting", 2, false},
    {"both stages", 2, false}, {0}};

static const table_point iterations_points[] = {KIND("square", SQUARE, 5, false, 3, 3, 0.04),
    KIND("square", SQUARE, 6, true, 4, 4, 0.06), KIND("square", SQUARE, 7, true, 4, 5, 0.06),
    KIND("disc", DISC, 5, false, 6, 7, 0.2), KIND("disc", DISC, 6, true, 9, 10, 0.45),
    KIND("disc", DISC, 7, true, 11, 19, 0.94), KIND("ring", RING, 5, false, 14, 123, 48),
    KIND("ring", RING, 6, true, 12, 256, 99), KIND("ring", RING, 7, true, 13, 542, 177), {0}};

/* ---- Section 4.1 ----------------------------------------------------------------------------- */

static double log_choose(double n, double k)
{
    return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1);
}

/* sizes: n, bytes of memory, bytes of a block. Items of 4 bytes. Bytes an item. */
static bool measure_bounds(
    double *values, const table_point *point, table_run *run, cli_error *error)
{
    const double n = point->sizes[0], S = point->sizes[2] / 4, memory = point->sizes[1] / 4;
    const double orders = lgamma(n + 1) - n / S * lgamma(S + 1), choices = log_choose(memory, S);
    const double any = orders / (choices + log(2 * n / S)), compares = orders / choices;
    (void)run;
    (void)error;
    values[0] = 8 * S / n * fmax(any, n / S);
    values[1] = 8 * S / n * fmax(compares, n / S);
    values[2] = 8 * fmax(1, log(n / S) / log(memory / S));
    return true;
}

static const table_column bound_columns[] = {{"permutation", 1, false}, {"sort", 1, false},
    {"8 log_c(n/S), without constants", 1, false}, {0}};

#define BOUND(i, memory)                                                                    \
    {                                                                                       \
        .label = "2^" #i ", " #memory " KiB", .x = (double)(UINT64_C(1) << (i)), .sizes = { \
            (double)(UINT64_C(1) << (i)),                                                   \
            (memory)*1024.0,                                                                \
            128                                                                             \
        }                                                                                   \
    }
static const table_point bounds[] = {BOUND(16, 48), BOUND(20, 48), BOUND(24, 48), BOUND(28, 48),
    BOUND(32, 48), BOUND(16, 227), BOUND(20, 227), BOUND(24, 227), BOUND(28, 227), BOUND(32, 227),
    {0}};

const paper_table tables_jurkiewicz_hull[] = {
    {.name = "jurkiewicz-3.4",
        .title = "times of convex hulls",
        .source = SOURCE "section 3.6, figure 3.4",
        .place = TABLE_DEVICE,
        .head = "points",
        .unit = "milliseconds",
        .heights = TABLE_LOG10,
        .columns = time_columns,
        .points = times,
        .measure = measure_time,
        .paper = "GTX 285 against one core. The ring's points are floats on a circle.",
        .reading = "h agrees with the thesis where the points decide it: the ring's number of "
                   "vertices is that of distinct floats. On a CPU dmm takes another algorithm, "
                   "Andrew's chain on strips; --set form=gpu takes the thesis' stages."},
    {.name = "jurkiewicz-3.5",
        .title = "global memory transactions of convex hulls",
        .source = SOURCE "section 3.6, figure 3.5",
        .place = TABLE_METER,
        .head = "points",
        .unit = "thousand transactions",
        .heights = TABLE_LOG10,
        .columns = transaction_columns,
        .points = transactions,
        .measure = measure_transactions,
        .paper = "reads and writes stay near n ceil(log h) / S, S = 32 points a transaction.",
        .reading = "the GPU form in doubles, sectors of 32 bytes with S = 2 points. As in the "
                   "thesis, transactions follow n / S times a factor that grows with h, and the "
                   "ring's is the largest. dmm reads each point for the filter, for its tile and "
                   "for each level. The thesis' sizes, with --full, take hours in Oclgrind."},
    {.name = "jurkiewicz-3.6",
        .title = "levels of the hull's two stages",
        .source = SOURCE "section 3.6, figure 3.6",
        .place = TABLE_DEVICE,
        .head = "points",
        .unit = "levels",
        .heights = TABLE_LOG10,
        .columns = iteration_columns,
        .points = iterations_points,
        .measure = measure_iterations,
        .paper = "iterations of the independent stage are sums over the problems of a warp, which "
                 "takes them one after the other.",
        .reading =
            "levels of dmm's splitting stage are fixed by n, and a level of the independent stage "
            "works on all problems of a group at once, so its number is a depth, not a sum. "
            "Visits a point say what the thesis' mean says. docs/hull.md has more inputs."},
    {.name = "jurkiewicz-4.1",
        .title = "bytes that every permutation and every sort moves, for an item of 4 bytes",
        .source = SOURCE "section 4.1, theorem 4.1 and section 4.1.2",
        .head = "items, memory",
        .unit = "bytes an item",
        .columns = bound_columns,
        .points = bounds,
        .measure = measure_bounds,
        .paper = "Omega(min(n/P, n/(PS) log_c(n/S))) turns to permute, Omega(n/(PS) log_c(n/S)) "
                 "to sort.",
        .reading =
            "blocks of 128 bytes, with the constants that the proof gives. `dmm bench` prints "
            "the floor beside each sort, permutation and partition: dmm's radix sort moves "
            "20 bytes on a CPU and 36 on a GPU at 2^24 (docs/model.md)."},
    {0},
};
