/* SPDX-License-Identifier: MIT */
/*
 * dmm_hull: program and order of launches. Their number depends on n and the device
 * alone: a level without active problems does nothing, and the independent stage solves problems
 * that the levels leave large.
 */
#include "primitives/hull/hull.h"

#include "core/check.h"
#include "core/refuse.h"
#include "core/size.h"
#include "primitives/classes.h"
#include "primitives/words.h"

/* Points per work-item. CPU: longer vector loops; GPU: as many as fit in registers. */
enum { CPU_BLOCK = 64, GPU_E = 4 };
/* Bytes of a point in the CPU form's footprint: tiles take a quarter of the second-level cache. */
enum { CPU_POINT_BYTES = 64 };
enum { TEMP, WORD_BYTES = sizeof(cl_ulong) };

_Static_assert(DMM_HULL_BAD_DATA == DMM_BAD_DATA && DMM_HULL_WRONG == DMM_WRONG_RESULT &&
                   DMM_HULL_NOT_FINITE == DMM_NOT_FINITE,
    "the kernels' codes are statuses");

typedef enum forms { BOTH, GPU, CPU } forms;

static const struct {
    const char *name;
    forms form;
    int one_group; /* else most_groups */
} kernel_rows[DMM_HULL_KERNELS] = {
    [DMM_HULL_CHECK] = {"dmm_hull_check", BOTH, 0},
    [DMM_HULL_CUT] = {"dmm_hull_cut", BOTH, 1},
    [DMM_HULL_EXTREMES] = {"dmm_hull_extremes", BOTH, 0},
    [DMM_HULL_SETS] = {"dmm_hull_sets", BOTH, 0},
    [DMM_HULL_SOLVE] = {"dmm_hull_solve", BOTH, 0},
    [DMM_HULL_PLACE] = {"dmm_hull_place", BOTH, 1},
    [DMM_HULL_WRITE] = {"dmm_hull_write", BOTH, 0},
    [DMM_HULL_POLYGON] = {"dmm_hull_polygon", GPU, 0},
    [DMM_HULL_FILTER] = {"dmm_hull_filter", GPU, 0},
    [DMM_HULL_GATHER] = {"dmm_hull_gather", GPU, 0},
    [DMM_HULL_START] = {"dmm_hull_start", GPU, 1},
    [DMM_HULL_FARTHEST] = {"dmm_hull_farthest", GPU, 0},
    [DMM_HULL_PIVOT] = {"dmm_hull_pivot", GPU, 0},
    [DMM_HULL_CLASSIFY] = {"dmm_hull_classify", GPU, 0},
    [DMM_HULL_PLAN] = {"dmm_hull_plan", GPU, 1},
    [DMM_HULL_MOVE] = {"dmm_hull_move", GPU, 0},
    [DMM_HULL_SAMPLE] = {"dmm_hull_sample", CPU, 0},
    [DMM_HULL_ASSIGN] = {"dmm_hull_assign", CPU, 0},
    [DMM_HULL_SPREAD] = {"dmm_hull_spread", CPU, 0},
    [DMM_HULL_JOIN] = {"dmm_hull_join", CPU, 0},
};

static uint32_t log2_up(uint64_t x)
{
    uint32_t bits = 0;
    while (bits < 63 && (uint64_t)1 << bits < x)
        bits++;
    return bits;
}

/*
 * A problem is active if it has more points than a tile and more than 1/parts of all points. So at
 * most `parts` problems are active at a time, and a level adds at most as many to the table.
 * Halving everything takes log2(parts) levels; half as many more allow for uneven halves.
 * dmm_piece_points makes at most one large set and two pieces for each group.
 */
dmm_hull_sizes dmm_hull_sizes_of(const dmm_hull *hull, uint64_t n, uint64_t sets)
{
    dmm_hull_sizes s = {.splits = n > hull->p.tile, .n = n, .groups = hull->p.most_groups};
    const uint64_t tiles = n / hull->p.tile, most = s.groups * DMM_HULL_PARTS;
    const uint64_t parts = tiles < most ? tiles : most, halves = tiles / 2 + 1;
    s.strips = halves < DMM_MOST_STRIPS ? (uint32_t)halves : DMM_MOST_STRIPS;
    s.small = dmm_size_mul(2, sets != 0 ? sets : 1);
    s.slots = hull->p.cpu ? 0 : n;
    if (!s.splits)
        return s;
    s.pieces = 2 * s.groups + 1;
    s.large_sets = s.groups + 1;
    s.halfplanes = s.large_sets * (DMM_DIRECTIONS + 1);
    s.problems = 2 * s.large_sets;
    if (hull->p.cpu) {
        s.problems *= s.strips;
        s.chords = s.large_sets * 4 * DMM_CHORD_SLOTS;
        s.strip_bounds = s.large_sets * DMM_STRIP_SLOTS;
        s.strip_counts = s.pieces * DMM_STRIP_COUNTS;
    } else {
        s.levels = (3 * log2_up(parts) + 1) / 2;
        s.problems += s.levels * parts;
        s.tiles = tiles + parts + 2; /* one entry more, for totals */
    }
    return s;
}

uint64_t dmm_hull_place_regions(
    const dmm_hull *hull, const dmm_hull_sizes s, uint64_t at, dmm_hull_call *c)
{
    const struct {
        uint64_t coord, index, byte, problem, large, halfplane, state, work;
    } bytes = {hull->coord_bytes, hull->index_bytes, 1, DMM_PROBLEM_BYTES(hull->index_bytes),
        DMM_LARGE_BYTES(hull->index_bytes), DMM_HALFPLANE_BYTES(hull->coord_bytes),
        DMM_STATE_BYTES(hull->index_bytes), DMM_WORK_BYTES};
    dmm_temp temp = {.bytes = 0};
#define DMM_HULL_REGION(name, type, elements) \
    c->name##_at = at + dmm_temp_region(&temp, elements, bytes.type);
    DMM_HULL_REGIONS(DMM_HULL_REGION)
    return temp.bytes;
}

static dmm_status choose(dmm_hull *hull)
{
    const dmm_device *device = &hull->object.ctx->device;
    dmm_hull_desc *const desc = &hull->desc;
    uint64_t *const max_n = &hull->object.max_n;
    hull->coord_bytes = desc->coordinates == DMM_HULL_F64 ? sizeof(cl_double) : sizeof(cl_float);
    desc->index_bytes = desc->index_bytes != 0 ? desc->index_bytes : 4;
    hull->index_bytes = dmm_index_width(device, desc->max_n, hull->coord_bytes);
    *max_n = dmm_index_limit(hull->index_bytes, desc->max_n);
    if (desc->index_bytes == 4 && *max_n > (uint64_t)1 << 32)
        *max_n = (uint64_t)1 << 32;
    const dmm_footprint footprint = {.item_bytes = CPU_POINT_BYTES,
        .group_bytes = 2 * hull->index_bytes,
        .gpu_E = GPU_E,
        .word = "hull"};
    return dmm_context_choose(&hull->p, hull->object.ctx, &desc->tuning, &footprint);
}

static dmm_status hull_init(void *object)
{
    dmm_status status = DMM_OK;
    dmm_hull *const hull = object;
    dmm_hull_desc *const desc = &hull->desc;
    dmm_context *const ctx = hull->object.ctx;
    dmm_options options = {.bytes = 0};
    cl_program program = NULL;
    FAIL_IF((unsigned)desc->coordinates > DMM_HULL_F64,
        dmm_refuse(DMM_BAD_VALUE, "coordinates: %d is no type of them", (int)desc->coordinates));
    FAIL_IF(desc->index_bytes != 0 && desc->index_bytes != 4 && desc->index_bytes != 8,
        dmm_refuse(
            DMM_BAD_VALUE, "index_bytes: must be 0, 4 or 8, is %u", (unsigned)desc->index_bytes));
    FAIL_IF((unsigned)desc->part > DMM_HULL_UPPER,
        dmm_refuse(DMM_BAD_VALUE, "part: %d is no dmm_hull_part", (int)desc->part));
    TRY(choose(hull));
    const int real = desc->coordinates == DMM_HULL_F32 || ctx->device.fp64.value != 0;
    const dmm_program_desc text = {.root = hull->p.cpu ? "cl/hull/hull_cpu.cl" : "cl/hull/hull.cl",
        .options = &options,
        .prelude = ""};
    dmm_options_parameters(&options, &hull->p, &ctx->device);
    dmm_options_define(&options, "DMM_INDEX_BYTES", hull->index_bytes);
    dmm_options_define(&options, "DMM_OUT_BYTES", desc->index_bytes);
    dmm_options_define(&options, "DMM_COORD_BYTES", hull->coord_bytes);
    dmm_options_define(&options, "DMM_STRIDE", desc->two_arrays ? 1 : 2);
    dmm_options_define(&options, "DMM_COLLINEAR", desc->collinear != 0);
    dmm_options_define(&options, "DMM_PART", desc->part);
    dmm_options_define(&options, "DMM_REAL", (uint64_t)real);
    dmm_options_define(&options, "DMM_HULL_BLOCK", hull->p.cpu ? CPU_BLOCK : hull->p.E);
    TRY(dmm_programs_get(&ctx->programs, &text, &program));
    for (size_t i = 0; i < DMM_HULL_KERNELS; i++)
        if (kernel_rows[i].form != (hull->p.cpu ? GPU : CPU))
            TRY(dmm_object_kernel(
                hull, program, kernel_rows[i].name, hull->p.u, &hull->kernels[i]));
out:
    return status;
}

static uint64_t temp_bytes(const dmm_hull *hull, const dmm_sizes *sizes)
{
    dmm_hull_call c;
    return dmm_hull_place_regions(hull, dmm_hull_sizes_of(hull, sizes->n, sizes->m), 0, &c);
}

/* Sizes: n points, m sets (0: one set). Problems are numbered by indices, too. */
static dmm_status hull_check(const void *object, const dmm_sizes *sizes)
{
    const dmm_hull *const hull = object;
    const int fits = sizes->n <= hull->object.max_n &&
                     (hull->index_bytes == 8 || sizes->m < DMM_MAX_NARROW / 2) &&
                     temp_bytes(hull, sizes) != UINT64_MAX;
    return fits ? DMM_OK : DMM_TOO_LARGE;
}

static size_t hull_ports(
    const void *object, const void *args, const dmm_sizes *sizes, dmm_port ports[DMM_MAX_PORTS])
{
    const dmm_hull *const hull = object;
    const uint64_t n = sizes->n, starts = sizes->m != 0 ? dmm_size_add(sizes->m, 1) : 0;
    const uint32_t coord = hull->coord_bytes;
    const int split = hull->desc.two_arrays != 0;
    const dmm_port list[] = {
        {DMM_READS(dmm_hull_args, points, n, split ? coord : 2 * coord)},
        {DMM_READS(dmm_hull_args, ys, n, split ? coord : 0)},
        {DMM_READS(dmm_hull_args, starts, starts, WORD_BYTES), .optional = starts == 0},
        {DMM_WRITES(dmm_hull_args, hull_out, n, hull->desc.index_bytes)},
        {DMM_WRITES(dmm_hull_args, count_out, starts != 0 ? starts : 1, WORD_BYTES)},
        {DMM_WRITES(dmm_hull_args, report_out, sizeof(dmm_report) / WORD_BYTES, WORD_BYTES),
            .optional = 1, .report = 1},
    };
    (void)args;
    return DMM_PORTS(ports, list);
}

static void hull_lay_out(const void *object, dmm_call *call)
{
    dmm_call_region(call, TEMP, temp_bytes(object, &call->sizes), 1);
}

static dmm_hull_call numbers_of(const dmm_hull *hull, const dmm_call *call, const dmm_hull_sizes *s)
{
    const dmm_hull_args *const args = call->args;
    const int split = hull->desc.two_arrays != 0;
    const dmm_span ys = split ? args->ys : args->points;
    dmm_hull_call c = {
        .xs_at = dmm_span_items(args->points, hull->coord_bytes),
        .ys_at = dmm_span_items(ys, hull->coord_bytes) + (split ? 0 : 1),
        .starts_at = dmm_span_items(args->starts, WORD_BYTES),
        .hull_at = dmm_span_items(args->hull_out, hull->desc.index_bytes),
        .count_at = dmm_span_items(args->count_out, WORD_BYTES),
        .report_at = dmm_span_items(args->report_out, sizeof(cl_uint)),
        .n = s->n,
        .sets = call->sizes.m,
        .call = dmm_call_number(),
        .before = 1,
        .groups = hull->p.most_groups,
        .strips = s->strips,
    };
    dmm_hull_place_regions(hull, *s, call->regions[TEMP].offset_bytes, &c);
    return c;
}

/* Enqueues the kernels of the list that exist in this form. */
static dmm_status launch(const dmm_hull *hull, const dmm_call *call, dmm_hull_call *c,
    const dmm_hull_kernel *list, size_t count)
{
    dmm_status status = DMM_OK;
    const dmm_hull_args *const args = call->args;
    const cl_mem ys = hull->desc.two_arrays ? args->ys.buffer : args->points.buffer;
    for (size_t i = 0; i < count; i++) {
        const uint64_t groups = kernel_rows[list[i]].one_group ? 1 : c->groups;
        if (hull->kernels[list[i]] == NULL)
            continue;
        TRY(dmm_call_launch(call, hull->kernels[list[i]],
            DMM_BUFFERS(args->points.buffer, ys, args->starts.buffer, call->regions[TEMP].buffer,
                args->hull_out.buffer, args->count_out.buffer, args->report_out.buffer),
            c, sizeof *c, (dmm_grid){0, groups, hull->p.u}));
        c->before = c->turn == 0 ? 1 : (uint32_t)groups;
        c->turn++;
    }
out:
    return status;
}

#define LAUNCH(...)                                                \
    launch(hull, call, &c, (const dmm_hull_kernel[]){__VA_ARGS__}, \
        sizeof(const dmm_hull_kernel[]){__VA_ARGS__} / sizeof(dmm_hull_kernel))

static dmm_status hull_steps(const void *object, dmm_call *call)
{
    dmm_status status = DMM_OK;
    const dmm_hull *const hull = object;
    const dmm_hull_sizes s = dmm_hull_sizes_of(hull, call->sizes.n, call->sizes.m);
    const int has_small = call->sizes.m != 0 || !s.splits;
    dmm_hull_call c = numbers_of(hull, call, &s);
    if (has_small) /* one large set is checked by dmm_hull_extremes */
        TRY(LAUNCH(DMM_HULL_CHECK));
    if (s.splits)
        TRY(LAUNCH(DMM_HULL_CUT, DMM_HULL_EXTREMES, DMM_HULL_POLYGON, DMM_HULL_FILTER,
            DMM_HULL_GATHER, DMM_HULL_SAMPLE, DMM_HULL_ASSIGN, DMM_HULL_SPREAD));
    if (has_small)
        TRY(LAUNCH(DMM_HULL_SETS));
    if (s.splits)
        TRY(LAUNCH(DMM_HULL_START));
    for (c.level = 0; c.level < s.levels; c.level++)
        TRY(LAUNCH(
            DMM_HULL_FARTHEST, DMM_HULL_PIVOT, DMM_HULL_CLASSIFY, DMM_HULL_PLAN, DMM_HULL_MOVE));
    TRY(LAUNCH(DMM_HULL_SOLVE));
    if (s.splits)
        TRY(LAUNCH(DMM_HULL_JOIN));
    TRY(LAUNCH(DMM_HULL_PLACE, DMM_HULL_WRITE));
out:
    return status;
}

const dmm_class dmm_hull_class = {
    DMM_CLASS(dmm_hull),
    .word = "hull",
    .init = hull_init,
    .check = hull_check,
    .ports = hull_ports,
    .lay_out = hull_lay_out,
    .steps = hull_steps,
};

dmm_status dmm_hull_create(dmm_hull **out, dmm_context *ctx, const dmm_hull_desc *desc)
{
    return dmm_object_create(out, ctx, &dmm_hull_class, desc);
}

void dmm_hull_free(dmm_hull *hull)
{
    dmm_object_free(hull);
}

dmm_status dmm_hull_temp_bytes(uint64_t *out, const dmm_hull *hull, uint64_t n, uint64_t sets)
{
    return dmm_object_temp_bytes(out, hull, (dmm_sizes){.n = n, .m = sets});
}

dmm_status dmm_hull_enqueue(dmm_hull *hull, cl_command_queue queue, const dmm_hull_args *args,
    uint64_t n, cl_uint num_wait, const cl_event *wait, cl_event *event)
{
    const dmm_sizes sizes = {.n = n, .m = args != NULL ? args->sets : 0};
    return dmm_object_enqueue(hull, queue, args, sizes, num_wait, wait, event);
}

dmm_status dmm_hull_host(dmm_context *ctx, const dmm_hull_desc *desc, const void *points,
    const void *ys, size_t n, void *hull_out, uint64_t *count_out)
{
    uint64_t vertices = 0;
    dmm_report report = {0};
    dmm_hull_args args = {.temp = DMM_NONE};
    const dmm_host_array arrays[DMM_MAX_PORTS] = {{.from = points}, {.from = ys}, {.to = NULL},
        {.to = hull_out, .kept = &vertices}, {.to = &vertices}, {.to = &report}};
    if (count_out == NULL)
        return DMM_NULL_ARGUMENT;
    const dmm_status status =
        dmm_object_host(ctx, &dmm_hull_class, desc, &args, (dmm_sizes){.n = n}, arrays);
    if (status == DMM_OK)
        *count_out = vertices;
    else if (status == DMM_NOT_FINITE)
        *count_out = report.position;
    return status;
}
