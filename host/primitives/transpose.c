/* SPDX-License-Identifier: MIT */
/*
 * dmm_transpose: creates; transpose_call.c has the steps.
 */
#include "primitives/transpose.h"

#include "core/check.h"
#include "core/size.h"

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
    return dmm_transpose_items(dmm_transpose_shape(sizes)) > t->object.max_n ? DMM_TOO_LARGE
                                                                             : DMM_OK;
}

static size_t transpose_ports(
    const void *object, const void *args, const dmm_sizes *sizes, dmm_port ports[DMM_MAX_PORTS])
{
    const dmm_transpose *const t = object;
    const uint64_t n = dmm_transpose_items(dmm_transpose_shape(sizes));
    const dmm_port list[] = {
        {DMM_READS(dmm_transpose_args, in, n, t->words.item_bytes), .pair = 1},
        {DMM_WRITES(dmm_transpose_args, out, n, t->words.item_bytes), .pair = 1},
    };
    (void)args;
    return DMM_PORTS(ports, list);
}

const dmm_class dmm_transpose_class = {
    DMM_CLASS(dmm_transpose),
    .word = "transpose",
    .init = transpose_init,
    .check = transpose_check,
    .ports = transpose_ports,
    .lay_out = dmm_transpose_lay_out,
    .steps = dmm_transpose_steps,
};

dmm_sizes dmm_transpose_sizes(dmm_matrices shape)
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
    return dmm_object_temp_bytes(out, transpose, dmm_transpose_sizes(shape));
}

dmm_status dmm_transpose_enqueue(dmm_transpose *transpose, cl_command_queue queue,
    const dmm_transpose_args *args, dmm_matrices shape, cl_uint num_wait, const cl_event *wait,
    cl_event *event)
{
    return dmm_object_enqueue(
        transpose, queue, args, dmm_transpose_sizes(shape), num_wait, wait, event);
}

dmm_status dmm_transpose_host(
    dmm_context *ctx, const dmm_transpose_desc *desc, void *items, dmm_matrices shape)
{
    dmm_transpose_args args = {.temp = DMM_NONE};
    const dmm_host_array arrays[DMM_MAX_PORTS] = {{.from = items}, {.to = items}};
    return dmm_object_host(
        ctx, &dmm_transpose_class, desc, &args, dmm_transpose_sizes(shape), arrays);
}
