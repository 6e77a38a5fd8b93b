/* SPDX-License-Identifier: MIT */
/*
 * dmm_transpose: one launch out of place and for squares; in the CPU form blocks and squares, if
 * one side is a multiple of the other; otherwise the passes of C2R.
 */
#include <dmm/transpose.h>

#include "cl/transpose_call.clh"
#include "core/check.h"
#include "core/size.h"
#include "primitives/classes.h"
#include "primitives/words.h"

struct dmm_transpose {
    dmm_object object;
    dmm_transpose_desc desc;
    dmm_word_layout words;
    dmm_parameters p;
    uint32_t side;    /* side of a tile in items (GPU form) */
    cl_kernel turn;   /* out of place */
    cl_kernel square; /* in place; NULL: squares take the passes of C2R */
    cl_kernel rows, columns;
    cl_kernel blocks; /* in place; CPU form */
};

/* Returns a call's shape from its sizes. */
static dmm_matrices shape_of(const dmm_sizes *sizes)
{
    return (dmm_matrices){sizes->n, sizes->m, sizes->l};
}

static uint64_t items_of(dmm_matrices shape)
{
    return dmm_size_mul(dmm_size_mul(shape.rows, shape.cols), shape.count);
}

enum { LEAST_SIDE = 32, DEFAULT_ITEM_BYTES = 4 };

/* Returns the bytes of local memory for one tile. */
static uint64_t tile_bytes(const dmm_transpose *t)
{
    const uint64_t bank = t->object.ctx->device.bank_bytes.value;
    const uint64_t word = t->words.word_bytes > bank ? t->words.word_bytes : bank;
    return (uint64_t)t->side * t->side * word;
}

static dmm_status choose(dmm_transpose *t)
{
    dmm_status status = DMM_OK;
    dmm_context *const ctx = t->object.ctx;
    const dmm_device *const device = &ctx->device;
    TRY(dmm_word_layout_init(&t->words, device, t->desc.item_bytes, t->desc.max_n));
    const dmm_footprint footprint = {.item_bytes = t->desc.item_bytes, .word = "transpose"};
    TRY(dmm_context_choose(&t->p, ctx, &t->desc.tuning, &footprint));
    t->object.max_n = t->words.max_n;
    t->side = device->banks.value > LEAST_SIDE ? (uint32_t)device->banks.value : LEAST_SIDE;
    if (!t->p.cpu && tile_bytes(t) > device->local_bytes.value) {
        dmm_log_line(&ctx->log, "a tile takes %llu bytes of local memory, the device has %llu",
            (unsigned long long)tile_bytes(t), (unsigned long long)device->local_bytes.value);
        status = DMM_BAD_PARAMETERS;
    }
out:
    return status;
}

static dmm_status build(dmm_transpose *t)
{
    dmm_status status = DMM_OK;
    const dmm_device *const device = &t->object.ctx->device;
    dmm_options options = {.bytes = 0};
    const dmm_program_desc desc = {.root = t->p.cpu ? "cl/transpose_cpu.cl" : "cl/transpose.cl",
        .options = &options,
        .prelude = ""};
    const char *const turn = t->p.cpu ? "dmm_transpose_blocks" : "dmm_transpose_tiles";
    const char *const square = t->p.cpu ? "dmm_transpose_bands" : "dmm_transpose_square";
    const uint32_t u = t->p.u;
    cl_program program = NULL;
    dmm_options_parameters(&options, &t->p, device);
    dmm_word_define(&options, &t->words);
    dmm_options_define(&options, "DMM_SIDE", t->side);
    TRY(dmm_programs_get(&t->object.ctx->programs, &desc, &program));
    TRY(dmm_object_kernel(t, program, turn, u, &t->turn));
    if (t->p.cpu || 2 * tile_bytes(t) <= device->local_bytes.value)
        TRY(dmm_object_kernel(t, program, square, u, &t->square));
    TRY(dmm_object_kernel(t, program, "dmm_transpose_rows", u, &t->rows));
    TRY(dmm_object_kernel(t, program, "dmm_transpose_columns", u, &t->columns));
    if (t->p.cpu)
        TRY(dmm_object_kernel(t, program, "dmm_transpose_blocks_move", u, &t->blocks));
out:
    return status;
}

static dmm_status transpose_init(void *object)
{
    dmm_status status = DMM_OK;
    dmm_transpose *const t = object;
    if (t->desc.item_bytes == 0)
        t->desc.item_bytes = DEFAULT_ITEM_BYTES;
    TRY(choose(t));
    TRY(build(t));
out:
    return status;
}

static dmm_status transpose_check(const void *object, const dmm_sizes *sizes)
{
    const dmm_transpose *const t = object;
    return items_of(shape_of(sizes)) > t->object.max_n ? DMM_TOO_LARGE : DMM_OK;
}

static size_t transpose_ports(
    const void *object, const void *args, const dmm_sizes *sizes, dmm_port ports[DMM_MAX_PORTS])
{
    const dmm_transpose *const t = object;
    const uint64_t n = items_of(shape_of(sizes));
    const dmm_port list[] = {
        {DMM_READS(dmm_transpose_args, in, n, t->words.item_bytes), .pair = 1},
        {DMM_WRITES(dmm_transpose_args, out, n, t->words.item_bytes), .pair = 1},
    };
    (void)args;
    return DMM_PORTS(ports, list);
}

enum { LEAST_SLICE_BYTES = 1024 };

/* True if a call in place takes the passes of C2R. A row or a column is its own transpose. */
static int takes_passes(const dmm_transpose *t, dmm_matrices shape)
{
    return shape.rows > 1 && shape.cols > 1 && (shape.rows != shape.cols || t->square == NULL);
}

static uint64_t slices_of(dmm_matrices shape)
{
    return dmm_size_div_up(shape.cols, DMM_TRANSPOSE_SLICE);
}

/* Returns the number of groups: at most as many as rows or slices, whichever are more. */
static uint64_t groups_of(const dmm_transpose *t, dmm_matrices shape)
{
    const uint64_t slices = slices_of(shape);
    const uint64_t work = dmm_size_mul(shape.rows > slices ? shape.rows : slices, shape.count);
    return work < t->p.most_groups ? work : t->p.most_groups;
}

static uint64_t scratch_items(dmm_matrices shape)
{
    const uint64_t slice = dmm_size_mul(shape.rows, DMM_TRANSPOSE_SLICE);
    return slice > shape.cols ? slice : shape.cols;
}

/* Returns the least words of a block that a group moves. */
static uint64_t least_slice(const dmm_transpose *t)
{
    return LEAST_SLICE_BYTES / t->words.word_bytes;
}

/* True if a call in place moves blocks and squares: the CPU form, if one side is a multiple of the
 * other. */
static int takes_squares(const dmm_transpose *t, dmm_matrices shape)
{
    const int wide = shape.cols > shape.rows;
    const uint64_t side = wide ? shape.rows : shape.cols, other = wide ? shape.cols : shape.rows;
    return t->blocks != NULL && side != other && other % side == 0 &&
           side * t->words.words >= least_slice(t);
}

enum { SCRATCH };

/* True if the call is in place, or if that is unknown. */
static int is_in_place(const dmm_transpose_args *args)
{
    return args == NULL || dmm_spans_equal(args->in, args->out);
}

static void transpose_lay_out(const void *object, dmm_call *call)
{
    const dmm_transpose *const t = object;
    const dmm_matrices shape = shape_of(&call->sizes);
    if (is_in_place(call->args) && shape.count != 0 && takes_passes(t, shape))
        dmm_call_region(call, SCRATCH, dmm_size_mul(groups_of(t, shape), scratch_items(shape)),
            t->words.item_bytes);
}

static dmm_status launch_turn(const dmm_transpose *t, const dmm_call *call, dmm_matrices shape)
{
    const dmm_transpose_args *const args = call->args;
    const uint64_t strip = DMM_TRANSPOSE_STRIP(t->words.word_bytes);
    const uint64_t pieces = dmm_size_div_up(shape.rows, DMM_TRANSPOSE_CHUNK) *
                            dmm_size_div_up(shape.cols, strip) * shape.count;
    const uint64_t tiles =
        dmm_size_div_up(shape.rows, t->side) * dmm_size_div_up(shape.cols, t->side) * shape.count;
    const uint64_t range = dmm_size_div_up(pieces, t->p.most_groups);
    const dmm_transpose_call c = {.in_at = dmm_span_items(args->in, t->words.word_bytes),
        .out_at = dmm_span_items(args->out, t->words.word_bytes),
        .rows = shape.rows,
        .cols = shape.cols,
        .work = pieces,
        .range = range};
    const uint64_t groups = t->p.cpu ? dmm_size_div_up(pieces, range) : tiles;
    return dmm_call_launch(call, t->turn, DMM_BUFFERS(args->in.buffer, args->out.buffer), &c,
        sizeof c, (dmm_grid){0, groups, t->p.u});
}

static dmm_status launch_square(const dmm_transpose *t, const dmm_call *call, dmm_matrices shape)
{
    const dmm_transpose_args *const args = call->args;
    const uint64_t bands = dmm_size_div_up(shape.rows, DMM_TRANSPOSE_BAND) * shape.count;
    const uint64_t across = dmm_size_div_up(shape.rows, t->side);
    const uint64_t most = t->p.most_groups;
    const uint64_t groups = !t->p.cpu ? across * across * shape.count : bands < most ? bands : most;
    const dmm_transpose_call c = {.in_at = dmm_span_items(args->in, t->words.word_bytes),
        .rows = shape.rows,
        .cols = shape.cols,
        .work = bands,
        .groups = (dmm_u32)groups};
    return dmm_call_launch(
        call, t->square, DMM_BUFFERS(args->in.buffer), &c, sizeof c, (dmm_grid){0, groups, t->p.u});
}

/* Enqueues one pass in place. */
static dmm_status launch_pass(
    const dmm_transpose *t, const dmm_call *call, dmm_matrices shape, cl_kernel kernel, int rotates)
{
    const dmm_span items = ((const dmm_transpose_args *)call->args)->in;
    const dmm_span scratch = call->regions[SCRATCH];
    const uint64_t divisor = dmm_common_divisor(shape.rows, shape.cols);
    const uint64_t each = kernel == t->rows ? shape.rows : slices_of(shape);
    const uint64_t work = each * shape.count, most = groups_of(t, shape);
    const uint64_t groups = work < most ? work : most;
    const dmm_transpose_call c = {.in_at = dmm_span_items(items, t->words.word_bytes),
        .scratch_at = dmm_span_items(scratch, t->words.word_bytes),
        .scratch_words = scratch_items(shape) * t->words.words,
        .rows = shape.rows,
        .cols = shape.cols,
        .a = shape.rows / divisor,
        .b = shape.cols / divisor,
        .work = work,
        .rotates = rotates != 0,
        .groups = (dmm_u32)groups};
    return dmm_call_launch(call, kernel, DMM_BUFFERS(items.buffer, scratch.buffer), &c, sizeof c,
        (dmm_grid){0, groups, t->p.u});
}

static dmm_status launch_passes(const dmm_transpose *t, const dmm_call *call, dmm_matrices shape)
{
    dmm_status status = DMM_OK;
    if (dmm_common_divisor(shape.rows, shape.cols) > 1)
        TRY(launch_pass(t, call, shape, t->columns, 1));
    TRY(launch_pass(t, call, shape, t->rows, 0));
    TRY(launch_pass(t, call, shape, t->columns, 0));
out:
    return status;
}

/* Enqueues the transpose in place of matrices of whole blocks of `width` items. */
static dmm_status launch_blocks(
    const dmm_transpose *t, const dmm_call *call, dmm_matrices shape, uint64_t width)
{
    const dmm_span items = ((const dmm_transpose_args *)call->args)->in;
    const dmm_span scratch = call->regions[SCRATCH];
    const dmm_matrices whole = shape_of(&call->sizes);
    const uint64_t words = width * t->words.words, most = groups_of(t, whole);
    const uint64_t share = dmm_size_div_up(words, most), least = least_slice(t);
    const uint64_t slice = share > least ? share : least;
    const uint64_t work = dmm_size_div_up(words, slice) * shape.count;
    const uint64_t groups = work < most ? work : most;
    const dmm_transpose_call c = {.in_at = dmm_span_items(items, t->words.word_bytes),
        .scratch_at = dmm_span_items(scratch, t->words.word_bytes),
        .scratch_words = scratch_items(whole) * t->words.words,
        .rows = shape.rows,
        .cols = shape.cols,
        .a = words,
        .b = slice,
        .work = work,
        .groups = (dmm_u32)groups};
    return dmm_call_launch(call, t->blocks, DMM_BUFFERS(items.buffer, scratch.buffer), &c, sizeof c,
        (dmm_grid){0, groups, t->p.u});
}

/* Enqueues the transposes of a matrix of k squares side by side, or one above the other: the rows
 * of the squares move as blocks, and each square is transposed. */
static dmm_status launch_squares(const dmm_transpose *t, const dmm_call *call, dmm_matrices shape)
{
    dmm_status status = DMM_OK;
    const int wide = shape.cols > shape.rows;
    const uint64_t side = wide ? shape.rows : shape.cols;
    const uint64_t k = (wide ? shape.cols : shape.rows) / side;
    const dmm_matrices squares = {side, side, shape.count * k};
    if (wide)
        TRY(launch_blocks(t, call, (dmm_matrices){side, k, shape.count}, side));
    TRY(launch_square(t, call, squares));
    if (!wide)
        TRY(launch_blocks(t, call, (dmm_matrices){k, side, shape.count}, side));
out:
    return status;
}

static dmm_status transpose_steps(const void *object, dmm_call *call)
{
    const dmm_transpose *const t = object;
    const dmm_matrices shape = shape_of(&call->sizes);
    if (items_of(shape) == 0)
        return DMM_OK;
    if (!is_in_place(call->args))
        return launch_turn(t, call, shape);
    if (takes_squares(t, shape))
        return launch_squares(t, call, shape);
    if (takes_passes(t, shape))
        return launch_passes(t, call, shape);
    return shape.rows > 1 && shape.cols > 1 ? launch_square(t, call, shape) : DMM_OK;
}

const dmm_class dmm_transpose_class = {
    DMM_CLASS(dmm_transpose),
    .word = "transpose",
    .init = transpose_init,
    .check = transpose_check,
    .ports = transpose_ports,
    .lay_out = transpose_lay_out,
    .steps = transpose_steps,
};

static dmm_sizes sizes_of(dmm_matrices shape)
{
    return (dmm_sizes){.n = shape.rows, .m = shape.cols, .l = shape.count != 0 ? shape.count : 1};
}

dmm_status dmm_transpose_create(
    dmm_transpose **out, dmm_context *ctx, const dmm_transpose_desc *desc)
{
    return dmm_object_create(out, ctx, &dmm_transpose_class, desc);
}

void dmm_transpose_free(dmm_transpose *t)
{
    dmm_object_free(t);
}

dmm_status dmm_transpose_temp_bytes(
    uint64_t *out, const dmm_transpose *transpose, dmm_matrices shape)
{
    return dmm_object_temp_bytes(out, transpose, sizes_of(shape));
}

dmm_status dmm_transpose_enqueue(dmm_transpose *transpose, cl_command_queue queue,
    const dmm_transpose_args *args, dmm_matrices shape, cl_uint num_wait, const cl_event *wait,
    cl_event *event)
{
    return dmm_object_enqueue(transpose, queue, args, sizes_of(shape), num_wait, wait, event);
}

dmm_status dmm_transpose_host(
    dmm_context *ctx, const dmm_transpose_desc *desc, void *items, dmm_matrices shape)
{
    dmm_transpose_args args = {.temp = DMM_NONE};
    const dmm_host_array arrays[DMM_MAX_PORTS] = {{.from = items}, {.to = items}};
    return dmm_object_host(ctx, &dmm_transpose_class, desc, &args, sizes_of(shape), arrays);
}
