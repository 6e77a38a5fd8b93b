/* SPDX-License-Identifier: MIT */
/*
 * dmm_transpose: one launch out of place and for squares, else the passes of C2R.
 */
#include "primitives/transpose.h"

#include <stdlib.h>

#include "core/check.h"
#include "core/size.h"
#include "core/temp.h"
#include "core/transfer.h"
#include "primitives/order.h"

enum { LEAST_SIDE = 32, SLICE = 16 };
/* Pieces of work (cl/transpose_cpu.cl), and groups a compute unit. */
enum { CPU_CHUNK = 4096, CPU_BAND = 8 };

/* Rows of a block of the CPU form, as cl/transpose_cpu.cl has them; a strip is of four. */
static uint64_t strip_of(const dmm_word_layout *words)
{
    return words->word_bytes == 8 ? 32 : words->word_bytes == 4 ? 64 : 128;
}

static uint32_t tile_word_bytes(const dmm_transpose *t)
{
    const uint32_t bank = (uint32_t)t->ctx->device.bank_bytes.value;
    return t->words.word_bytes > bank ? t->words.word_bytes : bank;
}

static dmm_status choose(dmm_transpose *t)
{
    dmm_status status = DMM_OK;
    const dmm_device *device = &t->ctx->device;
    TRY(dmm_word_layout_init(&t->words, device, t->desc.item_bytes, t->desc.max_n));
    const dmm_footprint footprint = {.item_bytes = t->desc.item_bytes, .word = "transpose"};
    TRY(dmm_context_choose(&t->p, t->ctx, &t->desc.tuning, &footprint));
    t->side = device->banks.value > LEAST_SIDE ? (uint32_t)device->banks.value : LEAST_SIDE;
    const uint64_t tile = (uint64_t)t->side * t->side * tile_word_bytes(t);
    if (!t->p.cpu && tile > device->local_bytes.value) {
        dmm_log_line(&t->ctx->log, "a tile takes %llu bytes of local memory, the device has %llu",
            (unsigned long long)tile, (unsigned long long)device->local_bytes.value);
        FAIL_IF(1, DMM_BAD_PARAMETERS);
    }
out:
    return status;
}

static dmm_status build(dmm_transpose *t)
{
    dmm_status status = DMM_OK;
    dmm_programs *programs = &t->ctx->programs;
    dmm_options options = {.bytes = 0};
    const dmm_program_desc desc = {.root = t->p.cpu ? "cl/transpose_cpu.cl" : "cl/transpose.cl",
        .options = &options,
        .prelude = ""};
    const uint32_t u = t->p.u;
    const uint64_t tiles = 2 * (uint64_t)t->side * t->side * tile_word_bytes(t);
    cl_program program = NULL;
    dmm_parameters_define(&options, &t->p, &t->ctx->device);
    dmm_word_define(&options, &t->words);
    dmm_options_define(&options, "DMM_SIDE", t->side);
    dmm_options_define(&options, "DMM_SLICE", SLICE);
    TRY(dmm_programs_get(programs, &desc, &program));
    TRY(dmm_programs_kernel(
        programs, program, t->p.cpu ? "dmm_transpose_blocks" : "dmm_transpose_tiles", u, &t->turn));
    if (t->p.cpu || tiles <= t->ctx->device.local_bytes.value)
        TRY(dmm_programs_kernel(programs, program,
            t->p.cpu ? "dmm_transpose_bands" : "dmm_transpose_square", u, &t->square));
    TRY(dmm_programs_kernel(programs, program, "dmm_transpose_rows", u, &t->rows));
    TRY(dmm_programs_kernel(programs, program, "dmm_transpose_columns", u, &t->columns));
out:
    return status;
}

static dmm_status create(dmm_transpose **out, dmm_context *ctx, const dmm_transpose_desc *desc)
{
    dmm_status status = DMM_OK;
    dmm_transpose *t = NULL;
    if (out == NULL)
        return DMM_NULL_ARGUMENT;
    *out = NULL;
    FAIL_IF(ctx == NULL || desc == NULL, DMM_NULL_ARGUMENT);
    FAIL_IF((t = calloc(1, sizeof *t)) == NULL, DMM_OUT_OF_MEMORY);
    t->ctx = ctx;
    t->desc = *desc;
    TRY(choose(t));
    TRY(build(t));
    *out = t;
    return DMM_OK;
out:
    dmm_transpose_free(t);
    return status;
}

dmm_status dmm_transpose_create(
    dmm_transpose **out, dmm_context *ctx, const dmm_transpose_desc *desc)
{
    const dmm_status status = create(out, ctx, desc);
    return dmm_context_drops_rows(ctx, "transpose", status) ? create(out, ctx, desc) : status;
}

void dmm_transpose_free(dmm_transpose *t)
{
    if (t == NULL)
        return;
    const cl_kernel kernels[] = {t->turn, t->square, t->rows, t->columns};
    for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++)
        if (kernels[i] != NULL)
            clReleaseKernel(kernels[i]);
    free(t);
}

static uint64_t count_of(dmm_matrices shape)
{
    return shape.count != 0 ? shape.count : 1;
}

static uint64_t items_of(dmm_matrices shape)
{
    return dmm_size_mul(dmm_size_mul(shape.rows, shape.cols), count_of(shape));
}

/* Does a call in place go by the passes of C2R? A row or a column is its own transpose. */
static int takes_passes(const dmm_transpose *t, dmm_matrices shape)
{
    return shape.rows > 1 && shape.cols > 1 && (shape.rows != shape.cols || t->square == NULL);
}

static uint64_t slices_of(dmm_matrices shape)
{
    return dmm_size_div_up(shape.cols, SLICE);
}

/* Rows, or slices, whichever are more: no more groups than these. */
static uint64_t groups_of(const dmm_transpose *t, dmm_matrices shape)
{
    const uint64_t slices = slices_of(shape);
    const uint64_t work = dmm_size_mul(shape.rows > slices ? shape.rows : slices, count_of(shape));
    return work < t->p.most_groups ? work : t->p.most_groups;
}

static uint64_t scratch_items(dmm_matrices shape)
{
    const uint64_t slice = dmm_size_mul(shape.rows, SLICE);
    return slice > shape.cols ? slice : shape.cols;
}

static dmm_temp lay_out(const dmm_transpose *t, dmm_matrices shape, int in_place)
{
    dmm_temp temp = {0};
    if (in_place && items_of(shape) != 0 && takes_passes(t, shape))
        dmm_temp_region(
            &temp, dmm_size_mul(groups_of(t, shape), scratch_items(shape)), t->words.item_bytes);
    return temp;
}

dmm_status dmm_transpose_temp_bytes(
    uint64_t *out, const dmm_transpose *transpose, dmm_matrices shape)
{
    if (out == NULL || transpose == NULL)
        return DMM_NULL_ARGUMENT;
    if (items_of(shape) > transpose->words.max_n)
        return DMM_TOO_LARGE;
    *out = lay_out(transpose, shape, 1).bytes;
    return *out == UINT64_MAX ? DMM_TOO_LARGE : DMM_OK;
}

static dmm_status check_args(const dmm_transpose *t, cl_command_queue queue,
    const dmm_transpose_args *args, dmm_matrices shape, cl_uint num_wait, const cl_event *wait)
{
    dmm_status status = DMM_OK;
    const uint64_t n = items_of(shape);
    const uint32_t item_bytes = t->words.item_bytes;
    TRY(dmm_check_queue(queue, t->ctx->cl, t->ctx->device.id));
    FAIL_IF(args == NULL, DMM_NULL_ARGUMENT);
    FAIL_IF(n > t->words.max_n, DMM_TOO_LARGE);
    TRY(dmm_check_wait(num_wait, wait));
    TRY(dmm_check_span(args->in, n, item_bytes));
    TRY(dmm_check_span(args->out, n, item_bytes));
    const int in_place = dmm_spans_equal(args->in, args->out);
    const dmm_extent in = {args->in, n * item_bytes};
    const dmm_extent out[] = {
        {args->out, n * item_bytes}, {args->temp, lay_out(t, shape, in_place).bytes}};
    TRY(dmm_check_overlaps(&in, 1, out, 2, 1));
out:
    return status;
}

static dmm_status launch_turn(
    const dmm_transpose *t, dmm_chain *chain, const dmm_transpose_args *args, dmm_matrices shape)
{
    const cl_ulong in_at = dmm_span_items(args->in, t->words.word_bytes);
    const cl_ulong out_at = dmm_span_items(args->out, t->words.word_bytes);
    const cl_ulong rows = shape.rows, cols = shape.cols;
    const cl_ulong pieces = dmm_size_div_up(rows, CPU_CHUNK) *
                            dmm_size_div_up(cols, strip_of(&t->words)) * count_of(shape);
    const cl_ulong range = dmm_size_div_up(pieces, t->p.most_groups);
    const dmm_arg args_of[] = {DMM_ARG_SPAN(args->in, in_at), DMM_ARG_SPAN(args->out, out_at),
        DMM_ARG(rows), DMM_ARG(cols), DMM_ARG(pieces), DMM_ARG(range)};
    const uint64_t tiles =
        dmm_size_div_up(rows, t->side) * dmm_size_div_up(cols, t->side) * count_of(shape);
    return t->p.cpu ? dmm_chain_launch(chain, t->turn, args_of, 8,
                          (dmm_grid){0, dmm_size_div_up(pieces, range), 1})
                    : dmm_chain_launch(chain, t->turn, args_of, 6, (dmm_grid){0, tiles, t->p.u});
}

static dmm_status launch_square(
    const dmm_transpose *t, dmm_chain *chain, const dmm_transpose_args *args, dmm_matrices shape)
{
    const cl_ulong at = dmm_span_items(args->in, t->words.word_bytes), rows = shape.rows;
    const uint64_t across = dmm_size_div_up(rows, t->side);
    const cl_ulong work = dmm_size_div_up(rows, CPU_BAND) * count_of(shape);
    const cl_ulong groups = work < t->p.most_groups ? work : t->p.most_groups;
    const dmm_arg args_of[] = {
        DMM_ARG_SPAN(args->in, at), DMM_ARG(rows), DMM_ARG(work), DMM_ARG(groups)};
    return t->p.cpu ? dmm_chain_launch(chain, t->square, args_of, 5, (dmm_grid){0, groups, 1})
                    : dmm_chain_launch(chain, t->square, args_of, 3,
                          (dmm_grid){0, across * across * count_of(shape), t->p.u});
}

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
    while (b != 0) {
        const uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* One pass in place. */
typedef struct place_pass {
    dmm_span items, scratch;
    dmm_matrices shape;
    cl_kernel kernel;
    cl_uint rotates;
} place_pass;

static dmm_status launch_pass(const dmm_transpose *t, dmm_chain *chain, const place_pass *pass)
{
    const dmm_item_layout index = {.index_bytes = t->words.index_bytes};
    const dmm_matrices shape = pass->shape;
    const uint64_t c = common_divisor(shape.rows, shape.cols);
    const int by_row = pass->kernel == t->rows;
    const cl_ulong at = dmm_span_items(pass->items, t->words.word_bytes);
    const cl_ulong scratch_at = dmm_span_items(pass->scratch, t->words.word_bytes);
    const cl_ulong wide[] = {shape.rows, shape.cols, shape.rows / c, shape.cols / c};
    const cl_ulong work = (by_row ? shape.rows : slices_of(shape)) * count_of(shape);
    const cl_ulong scratch_words = scratch_items(shape) * t->words.words;
    const cl_ulong most = groups_of(t, shape), groups = work < most ? work : most;
    cl_uint narrow[4];
    const dmm_arg args[] = {DMM_ARG_SPAN(pass->items, at), DMM_ARG_SPAN(pass->scratch, scratch_at),
        dmm_index_arg(&index, &wide[0], &narrow[0]), dmm_index_arg(&index, &wide[1], &narrow[1]),
        dmm_index_arg(&index, &wide[2], &narrow[2]), dmm_index_arg(&index, &wide[3], &narrow[3]),
        DMM_ARG(work), DMM_ARG(groups), DMM_ARG(scratch_words), DMM_ARG(pass->rotates)};
    return dmm_chain_launch(
        chain, pass->kernel, args, by_row ? 11 : 12, (dmm_grid){0, groups, t->p.u});
}

static dmm_status launch_passes(
    const dmm_transpose *t, dmm_chain *chain, dmm_span items, dmm_span scratch, dmm_matrices shape)
{
    dmm_status status = DMM_OK;
    place_pass pass = {items, scratch, shape, t->columns, 1};
    if (common_divisor(shape.rows, shape.cols) > 1)
        TRY(launch_pass(t, chain, &pass));
    pass.kernel = t->rows;
    TRY(launch_pass(t, chain, &pass));
    pass.kernel = t->columns;
    pass.rotates = 0;
    TRY(launch_pass(t, chain, &pass));
out:
    return status;
}

dmm_status dmm_transpose_enqueue(dmm_transpose *transpose, cl_command_queue queue,
    const dmm_transpose_args *args, dmm_matrices shape, cl_uint num_wait, const cl_event *wait,
    cl_event *event)
{
    dmm_status status = DMM_OK;
    dmm_chain chain = {queue, num_wait, wait, NULL};
    if (event != NULL)
        *event = NULL;
    if (transpose == NULL)
        return DMM_NULL_ARGUMENT;
    if ((status = check_args(transpose, queue, args, shape, num_wait, wait)) != DMM_OK)
        return status;
    const int in_place = dmm_spans_equal(args->in, args->out);
    dmm_temp temp = lay_out(transpose, shape, in_place);
    TRY(dmm_temp_acquire(&temp, transpose->ctx->cl, args->temp));
    if (items_of(shape) == 0)
        goto out;
    if (!in_place)
        TRY(launch_turn(transpose, &chain, args, shape));
    else if (takes_passes(transpose, shape))
        TRY(launch_passes(transpose, &chain, args->in,
            dmm_temp_items(&temp, 0, transpose->words.word_bytes), shape));
    else if (shape.rows > 1 && shape.cols > 1)
        TRY(launch_square(transpose, &chain, args, shape));
out:
    status = dmm_chain_end(&chain, status, event);
    dmm_temp_release(&temp);
    return status;
}

dmm_status dmm_transpose_host(
    dmm_context *ctx, const dmm_transpose_desc *desc, void *items, dmm_matrices shape)
{
    dmm_status status = DMM_OK;
    dmm_transpose *transpose = NULL;
    dmm_transpose_args args = {.temp = DMM_NONE};
    cl_event done = NULL;
    TRY(dmm_transpose_create(&transpose, ctx, desc));
    FAIL_IF(items_of(shape) > transpose->words.max_n, DMM_TOO_LARGE);
    FAIL_IF(items_of(shape) != 0 && items == NULL, DMM_NULL_ARGUMENT);
    const uint64_t bytes = dmm_size_mul(items_of(shape), desc->item_bytes);
    TRY(dmm_upload(ctx, items, bytes, &args.in.buffer));
    args.out = args.in;
    TRY(dmm_transpose_enqueue(transpose, ctx->queue, &args, shape, 0, NULL, &done));
    TRY(dmm_download(ctx, args.out.buffer, items, bytes, &done));
out:
    dmm_settle(done);
    if (args.in.buffer != NULL)
        clReleaseMemObject(args.in.buffer);
    dmm_transpose_free(transpose);
    return status;
}
