/* SPDX-License-Identifier: MIT */
/*
 * dmm_hull: programs, temp, and the order of launches. How many there are depends on n and the device alone: a level
 * without active problems does nothing, and what levels leave large, the independent stage settles all the same.
 */
#include "primitives/hull.h"

#include <stdlib.h>

#include "core/check.h"
#include "core/launch.h"
#include "core/size.h"

/* Parts that the splitting stage makes for each group, so that groups end at one time. */
enum { PARTS_PER_GROUP = 16 };
/* Points that a work-item holds: longer blocks make longer vector loops (CPU), but leave the registers (GPU). */
enum { CPU_BLOCK = 64, GPU_E = 4 };
/* Of the CPU form: a quarter of a second-level cache in points. */
enum { CPU_POINT_BYTES = 64 };
/* Extreme directions, see bench/results. */
enum { DIRECTIONS = 8 };
/* At least the sizes of dmm_problem, dmm_frame and dmm_state in cl/hull/hull.clh. */
enum { NARROW_PROBLEM_BYTES = 32, WIDE_PROBLEM_BYTES = 64, FRAME_BYTES = 512, STATE_BYTES = 256 };
/* Tables of a sequence in cl/hull/hull_sequence.clh, each of an index a point. */
enum { GPU_MARKS = 4 };
/* Of a side of a large set, in the CPU form: as in cl/hull/hull_strips.clh. */
enum { MOST_STRIPS = 127, STRIP_SLOTS = 128, STRIP_COORDS = 5 };

static const char *const names[DMM_HULL_KERNELS] = {"dmm_hull_check", "dmm_hull_cut",
    "dmm_hull_extremes", "dmm_hull_frame", "dmm_hull_filter", "dmm_hull_sets", "dmm_hull_settle",
    "dmm_hull_place", "dmm_hull_write", "dmm_hull_gather", "dmm_hull_start", "dmm_hull_farthest",
    "dmm_hull_pivot", "dmm_hull_classify", "dmm_hull_plan", "dmm_hull_move", "dmm_hull_sample",
    "dmm_hull_assign", "dmm_hull_strips", "dmm_hull_spread", "dmm_hull_join"};

static dmm_status check_desc(const dmm_hull_desc *desc)
{
    const int known =
        (desc->type == DMM_F32 || desc->type == DMM_F64) &&
        (desc->index_bytes == 0 || desc->index_bytes == 4 || desc->index_bytes == 8) &&
        (unsigned)desc->part <= DMM_HULL_UPPER;
    return known ? DMM_OK : DMM_BAD_VALUE;
}

static dmm_status choose(dmm_hull *hull)
{
    dmm_status status = DMM_OK;
    const dmm_device *device = &hull->ctx->device;
    const dmm_hull_desc *desc = &hull->desc;
    hull->coord_bytes = dmm_type_bytes(desc->type);
    hull->desc.index_bytes = desc->index_bytes != 0 ? desc->index_bytes : 4;
    const uint64_t most =
        desc->max_n != 0 ? desc->max_n : device->max_buffer.value / hull->coord_bytes;
    hull->name_bytes = most <= DMM_MAX_NARROW ? 4 : 8;
    hull->max_n = desc->max_n != 0        ? desc->max_n
                  : hull->name_bytes == 4 ? DMM_MAX_NARROW
                                          : UINT64_MAX / 64;
    if (hull->desc.index_bytes == 4 && hull->max_n > (uint64_t)1 << 32)
        hull->max_n = (uint64_t)1 << 32;
    const dmm_footprint footprint = {.item_bytes = CPU_POINT_BYTES,
        .group_bytes = 2 * hull->name_bytes,
        .gpu_E = GPU_E,
        .word = "hull"};
    TRY(dmm_context_choose(&hull->p, hull->ctx, &desc->tuning, &footprint));
out:
    return status;
}

static dmm_status build(dmm_hull *hull)
{
    dmm_status status = DMM_OK;
    dmm_programs *programs = &hull->ctx->programs;
    dmm_options options = {.bytes = 0};
    const dmm_program_desc desc = {.root = hull->p.cpu ? "cl/hull/hull_cpu.cl" : "cl/hull/hull.cl",
        .options = &options,
        .prelude = ""};
    const int real = hull->desc.type == DMM_F32 || hull->ctx->device.fp64.value != 0;
    cl_program program = NULL;
    dmm_parameters_define(&options, &hull->p, &hull->ctx->device);
    dmm_options_define(&options, "DMM_INDEX_BYTES", hull->name_bytes);
    dmm_options_define(&options, "DMM_OUT_BYTES", hull->desc.index_bytes);
    dmm_options_define(&options, "DMM_COORD_BYTES", hull->coord_bytes);
    dmm_options_define(&options, "DMM_STRIDE", hull->desc.two_arrays ? 1 : 2);
    dmm_options_define(&options, "DMM_COLLINEAR", hull->desc.collinear != 0);
    dmm_options_define(&options, "DMM_PART", hull->desc.part);
    dmm_options_define(&options, "DMM_REAL", (uint64_t)real);
    dmm_options_define(&options, "DMM_DIRECTIONS", DIRECTIONS);
    dmm_options_define(&options, "DMM_PARTS", PARTS_PER_GROUP);
    dmm_options_define(&options, "DMM_HULL_BLOCK", hull->p.cpu ? CPU_BLOCK : hull->p.E);
    TRY(dmm_programs_get(programs, &desc, &program));
    for (size_t i = 0; i < DMM_HULL_KERNELS; i++) {
        const int is_gpu = i >= DMM_HULL_GATHER && i < DMM_HULL_SAMPLE;
        if (i < DMM_HULL_GATHER || is_gpu != hull->p.cpu)
            TRY(dmm_programs_kernel(programs, program, names[i], hull->p.u, &hull->kernels[i]));
    }
out:
    return status;
}

static dmm_status create(dmm_hull **out, dmm_context *ctx, const dmm_hull_desc *desc)
{
    dmm_status status = DMM_OK;
    dmm_hull *hull = NULL;
    if (out == NULL)
        return DMM_NULL_ARGUMENT;
    *out = NULL;
    FAIL_IF(ctx == NULL || desc == NULL, DMM_NULL_ARGUMENT);
    TRY(check_desc(desc));
    FAIL_IF((hull = calloc(1, sizeof *hull)) == NULL, DMM_OUT_OF_MEMORY);
    hull->ctx = ctx;
    hull->desc = *desc;
    TRY(choose(hull));
    TRY(build(hull));
    *out = hull;
    return DMM_OK;
out:
    dmm_hull_free(hull);
    return status;
}

dmm_status dmm_hull_create(dmm_hull **out, dmm_context *ctx, const dmm_hull_desc *desc)
{
    const dmm_status status = create(out, ctx, desc);
    return dmm_context_drops_rows(ctx, "hull", status) ? create(out, ctx, desc) : status;
}

void dmm_hull_free(dmm_hull *hull)
{
    if (hull == NULL)
        return;
    for (size_t i = 0; i < DMM_HULL_KERNELS; i++)
        if (hull->kernels[i] != NULL)
            clReleaseKernel(hull->kernels[i]);
    free(hull);
}

static uint32_t log2_up(uint64_t x)
{
    uint32_t bits = 0;
    while (bits < 63 && (uint64_t)1 << bits < x)
        bits++;
    return bits;
}

/*
 * A problem is active with more points than a tile, and with more than its part of all: so there are at most `parts`
 * of them at a time, and each level adds as many to the table. Halving all takes log2(parts) levels; half as many more
 * are for uneven halves. Pieces: see dmm_piece_points.
 */
dmm_hull_layout dmm_hull_lay_out(const dmm_hull *hull, uint64_t n, uint64_t sets)
{
    dmm_hull_layout l = {.splits = n > hull->p.tile};
    const uint64_t groups = hull->p.most_groups, name = hull->name_bytes;
    const uint64_t tiles = n / hull->p.tile, most = groups * PARTS_PER_GROUP;
    const uint64_t parts = tiles < most ? tiles : most, small = sets != 0 ? sets : 1;
    const uint32_t problem = name == 4 ? NARROW_PROBLEM_BYTES : WIDE_PROBLEM_BYTES;
    const uint64_t halves = tiles / 2 + 1, strips = halves < MOST_STRIPS ? halves : MOST_STRIPS;
    const uint32_t slots = 2 * STRIP_SLOTS;
    uint64_t frames = 0;
    if (l.splits) {
        l.levels = hull->p.cpu ? 0 : (3 * log2_up(parts) + 1) / 2;
        l.max_tiles = tiles + parts + 1;
        l.max_pieces = 2 * groups + 1;
        frames = groups + 1;
        l.capacity = hull->p.cpu ? 2 * frames * strips : 2 * frames + l.levels * parts;
    }
    l.coords = dmm_temp_region(&l.temp, dmm_size_mul(4, n), hull->coord_bytes);
    l.names = dmm_temp_region(&l.temp, dmm_size_mul(2, n), name);
    l.sides = dmm_temp_region(&l.temp, n, 1);
    l.marks = hull->p.cpu
                  ? dmm_temp_region(&l.temp, frames * slots * STRIP_COORDS, hull->coord_bytes)
                  : dmm_temp_region(&l.temp, dmm_size_mul(GPU_MARKS, n), name);
    l.problems = dmm_temp_region(&l.temp, 2 * l.capacity, problem);
    l.small = dmm_temp_region(&l.temp, dmm_size_mul(2, small), problem);
    l.tiles =
        dmm_temp_region(&l.temp, hull->p.cpu ? l.max_pieces * slots : 3 * (l.max_tiles + 1), name);
    l.pieces = dmm_temp_region(&l.temp, l.max_pieces * (1 + DIRECTIONS + 3), name);
    l.frames = dmm_temp_region(&l.temp, frames, FRAME_BYTES);
    l.bad = dmm_temp_region(&l.temp, 2 * groups, name);
    l.state = dmm_temp_region(&l.temp, STATE_BYTES, 1);
    if (name == 4 && sets >= DMM_MAX_NARROW / 2)
        l.temp.bytes = UINT64_MAX; /* problems are numbered, too */
    return l;
}

dmm_status dmm_hull_temp_bytes(uint64_t *out, const dmm_hull *hull, uint64_t n, uint64_t sets)
{
    if (out == NULL || hull == NULL)
        return DMM_NULL_ARGUMENT;
    if (n > hull->max_n)
        return DMM_TOO_LARGE;
    *out = dmm_hull_lay_out(hull, n, sets).temp.bytes;
    return *out == UINT64_MAX ? DMM_TOO_LARGE : DMM_OK;
}

static dmm_status check_args(const dmm_hull *hull, cl_command_queue queue,
    const dmm_hull_args *args, uint64_t n, cl_uint num_wait, const cl_event *wait)
{
    dmm_status status = DMM_OK;
    const uint32_t coord = hull->coord_bytes, point = hull->desc.two_arrays ? coord : 2 * coord;
    const uint32_t word = sizeof(cl_ulong), index = hull->desc.index_bytes;
    TRY(dmm_check_queue(queue, hull->ctx->cl, hull->ctx->device.id));
    FAIL_IF(args == NULL, DMM_NULL_ARGUMENT);
    const uint64_t starts = args->sets != 0 ? dmm_size_add(args->sets, 1) : 0;
    const uint64_t counts = starts != 0 ? starts : 1;
    const uint64_t temp = n <= hull->max_n ? dmm_hull_lay_out(hull, n, args->sets).temp.bytes : 0;
    FAIL_IF(n > hull->max_n || temp == UINT64_MAX, DMM_TOO_LARGE);
    TRY(dmm_check_wait(num_wait, wait));
    TRY(dmm_check_span(args->points, n, point));
    if (hull->desc.two_arrays)
        TRY(dmm_check_span(args->ys, n, coord));
    TRY(dmm_check_span(args->starts, starts, word));
    TRY(dmm_check_span(args->hull, n, index));
    TRY(dmm_check_span(args->count, counts, word));
    if (args->report.buffer != NULL)
        TRY(dmm_check_span(args->report, sizeof(dmm_report) / word, word));
    const dmm_extent inputs[] = {{args->points, n * point},
        {args->ys, hull->desc.two_arrays ? n * coord : 0}, {args->starts, starts * word}};
    const dmm_extent outputs[] = {{args->hull, n * index}, {args->count, counts * word},
        {args->report, sizeof(dmm_report)}, {args->temp, temp}};
    TRY(dmm_check_overlaps(inputs, 3, outputs, 4, 0));
out:
    return status;
}

/* One call, as the kernels see it: temp is one buffer. */
typedef struct hull_call {
    const dmm_hull *hull;
    dmm_chain *chain;
    cl_mem xs, ys, temp, starts;
    cl_ulong xs_at, ys_at, n, sets, coords, names, sides, marks, problems, capacity, small, tiles,
        max_tiles, pieces, max_pieces, frames, bad, state;
    cl_ulong starts_at, unread; /* where a report goes that nobody wants */
    cl_uint groups;
} hull_call;

/* A call of no points may have no buffer of points: any other does. */
static hull_call call_of(const dmm_hull *hull, dmm_chain *chain, const dmm_hull_args *args,
    const dmm_hull_layout *l, uint64_t n)
{
    const uint32_t coord = hull->coord_bytes;
    const dmm_span temp = dmm_temp_span(&l->temp, 0);
    const dmm_span xs = args->points.buffer != NULL ? args->points : temp;
    const dmm_span ys = hull->desc.two_arrays && args->ys.buffer != NULL ? args->ys : xs;
    const uint64_t at = temp.offset_bytes;
    return (hull_call){.hull = hull,
        .chain = chain,
        .xs = xs.buffer,
        .ys = ys.buffer,
        .temp = temp.buffer,
        .starts = args->starts.buffer != NULL ? args->starts.buffer : temp.buffer,
        .xs_at = xs.offset_bytes / coord,
        .ys_at = ys.offset_bytes / coord + (hull->desc.two_arrays ? 0 : 1),
        .n = n,
        .sets = args->sets,
        .coords = at + l->coords,
        .names = at + l->names,
        .sides = at + l->sides,
        .marks = at + l->marks,
        .problems = at + l->problems,
        .capacity = l->capacity,
        .small = at + l->small,
        .tiles = at + l->tiles,
        .max_tiles = l->max_tiles,
        .pieces = at + l->pieces,
        .max_pieces = l->max_pieces,
        .frames = at + l->frames,
        .bad = at + l->bad,
        .state = at + l->state,
        .starts_at = args->starts.offset_bytes / sizeof(cl_ulong),
        .unread = at + l->state + STATE_BYTES - sizeof(dmm_report),
        .groups = hull->p.most_groups};
}

enum { MOST_ARGS = 28 };

/* Launches a kernel with the arguments that all share, and more of its own. */
static dmm_status launch(const hull_call *c, dmm_hull_kernel kernel, uint64_t groups,
    const dmm_arg *more, cl_uint num_more)
{
    dmm_arg args[MOST_ARGS] = {DMM_ARG(c->xs), DMM_ARG(c->xs_at), DMM_ARG(c->ys), DMM_ARG(c->ys_at),
        DMM_ARG(c->n), DMM_ARG(c->sets), DMM_ARG(c->temp), DMM_ARG(c->coords), DMM_ARG(c->names),
        DMM_ARG(c->sides), DMM_ARG(c->marks), DMM_ARG(c->problems), DMM_ARG(c->capacity),
        DMM_ARG(c->small), DMM_ARG(c->tiles), DMM_ARG(c->max_tiles), DMM_ARG(c->pieces),
        DMM_ARG(c->max_pieces), DMM_ARG(c->frames), DMM_ARG(c->bad), DMM_ARG(c->state),
        DMM_ARG(c->groups)};
    cl_uint count = 0;
    while (args[count].value != NULL)
        count++;
    for (cl_uint i = 0; i < num_more; i++)
        args[count++] = more[i];
    return dmm_chain_launch(
        c->chain, c->hull->kernels[kernel], args, count, (dmm_grid){0, groups, c->hull->p.u});
}

/* Large sets to problems: filter and compaction, into strips or into a set's two sides. */
static dmm_status launch_filter(const hull_call *c)
{
    dmm_status status = DMM_OK;
    TRY(launch(c, DMM_HULL_EXTREMES, c->groups, NULL, 0));
    TRY(launch(c, DMM_HULL_FRAME, c->groups, NULL, 0));
    TRY(launch(c, DMM_HULL_FILTER, c->groups, NULL, 0));
    if (!c->hull->p.cpu)
        return launch(c, DMM_HULL_GATHER, c->groups, NULL, 0);
    TRY(launch(c, DMM_HULL_SAMPLE, c->groups, NULL, 0));
    TRY(launch(c, DMM_HULL_ASSIGN, c->groups, NULL, 0));
    TRY(launch(c, DMM_HULL_STRIPS, 1, NULL, 0));
    TRY(launch(c, DMM_HULL_SPREAD, c->groups, NULL, 0));
out:
    return status;
}

/* The splitting stage. */
static dmm_status launch_levels(const hull_call *c, uint32_t levels)
{
    static const dmm_hull_kernel steps[] = {
        DMM_HULL_FARTHEST, DMM_HULL_PIVOT, DMM_HULL_CLASSIFY, DMM_HULL_PLAN, DMM_HULL_MOVE};
    dmm_status status = DMM_OK;
    TRY(launch(c, DMM_HULL_START, 1, NULL, 0));
    for (cl_ulong level = 0; level < levels; level++)
        for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
            const dmm_arg more = DMM_ARG(level);
            TRY(launch(c, steps[i], steps[i] == DMM_HULL_PLAN ? 1 : c->groups, &more, 1));
        }
out:
    return status;
}

/* Points to problems. The points of one set are checked where its extreme ones are found. */
static dmm_status launch_problems(const hull_call *c, const dmm_hull_layout *l)
{
    dmm_status status = DMM_OK;
    const dmm_arg more[] = {DMM_ARG(c->starts), DMM_ARG(c->starts_at)};
    if (c->sets != 0 || !l->splits)
        TRY(launch(c, DMM_HULL_CHECK, c->groups, more, 2));
    if (l->splits) {
        TRY(launch(c, DMM_HULL_CUT, 1, more, 2));
        TRY(launch_filter(c));
    }
    if (c->sets != 0 || !l->splits)
        TRY(launch(c, DMM_HULL_SETS, c->groups, more, 2));
    if (l->splits && !c->hull->p.cpu)
        TRY(launch_levels(c, l->levels));
out:
    return status;
}

/* Problems to vertices, and these to the output. */
static dmm_status launch_output(
    const hull_call *c, const dmm_hull_layout *l, const dmm_hull_args *args)
{
    dmm_status status = DMM_OK;
    const cl_ulong count_at = args->count.offset_bytes / sizeof(cl_ulong);
    const int told = args->report.buffer != NULL;
    const cl_mem report = told ? args->report.buffer : c->temp;
    const cl_ulong report_at = (told ? args->report.offset_bytes : c->unread) / sizeof(cl_uint);
    const cl_ulong hull_at = args->hull.offset_bytes / c->hull->desc.index_bytes;
    const cl_mem hull = args->hull.buffer != NULL ? args->hull.buffer : c->temp;
    const dmm_arg place[] = {
        DMM_ARG(args->count.buffer), DMM_ARG(count_at), DMM_ARG(report), DMM_ARG(report_at)};
    const dmm_arg write[] = {DMM_ARG(hull), DMM_ARG(hull_at)};
    TRY(launch(c, DMM_HULL_SETTLE, c->groups, NULL, 0));
    if (l->splits && c->hull->p.cpu)
        TRY(launch(c, DMM_HULL_JOIN, c->groups, NULL, 0));
    TRY(launch(c, DMM_HULL_PLACE, 1, place, 4));
    TRY(launch(c, DMM_HULL_WRITE, c->groups, write, 2));
out:
    return status;
}

dmm_status dmm_hull_enqueue(dmm_hull *hull, cl_command_queue queue, const dmm_hull_args *args,
    uint64_t n, cl_uint num_wait, const cl_event *wait, cl_event *event)
{
    dmm_status status = DMM_OK;
    dmm_chain chain = {queue, num_wait, wait, NULL};
    if (event != NULL)
        *event = NULL;
    if (hull == NULL)
        return DMM_NULL_ARGUMENT;
    if ((status = check_args(hull, queue, args, n, num_wait, wait)) != DMM_OK)
        return status;
    dmm_hull_layout l = dmm_hull_lay_out(hull, n, args->sets);
    TRY(dmm_temp_acquire(&l.temp, hull->ctx->cl, args->temp));
    const hull_call c = call_of(hull, &chain, args, &l, n);
    TRY(launch_problems(&c, &l));
    TRY(launch_output(&c, &l, args));
out:
    status = dmm_chain_end(&chain, status, event);
    dmm_temp_release(&l.temp);
    return status;
}
