/* SPDX-License-Identifier: MIT */
/*
 * dmm_permutation_plan: moves are computed on the host, kept on the device, and executed step by
 * step between the spans and two lists in temp.
 */
#include "primitives/permute/permutation_plan.h"

#include <stdlib.h>

#include "cl/permute/plan_call.clh"
#include "core/check.h"
#include "core/opencl.h"
#include "core/size.h"
#include "core/transfer.h"

#define MAX_ITEMS ((uint64_t)1 << 31)

enum { DEFAULT_ITEM_BYTES = 4 };

static dmm_status check_desc(const dmm_permutation_plan_desc *desc)
{
    const uint64_t n = desc->n, argument = desc->argument;
    if ((unsigned)desc->kind > DMM_PLAN_SHUFFLE)
        return DMM_BAD_VALUE;
    if (n > MAX_ITEMS)
        return DMM_TOO_LARGE;
    if (desc->kind == DMM_PLAN_INDEX)
        return n != 0 && desc->index == NULL ? DMM_NULL_ARGUMENT : DMM_OK;
    const int ok = desc->kind == DMM_PLAN_BIT_REVERSAL ? n == 0 || dmm_is_power_of_two(n)
                   : desc->kind == DMM_PLAN_TRANSPOSE  ? argument != 0 && n % argument == 0
                   : desc->kind == DMM_PLAN_STRIDE ? n == 0 || dmm_common_divisor(argument, n) == 1
                                                   : 1;
    return ok ? DMM_OK : DMM_BAD_VALUE;
}

/* Chooses the parameters. Words are at most as wide as banks, because the colouring is of banks. */
static dmm_status choose(dmm_permutation_plan *plan, uint32_t item_bytes, const dmm_tuning *own)
{
    dmm_status status = DMM_OK;
    const dmm_device *device = &plan->object.ctx->device;
    const uint32_t bank = (uint32_t)device->bank_bytes.value;
    TRY(dmm_word_layout_init(&plan->words, device, item_bytes, MAX_ITEMS));
    const dmm_footprint footprint = {.item_bytes = item_bytes,
        .local_bytes = bank,
        .most_tile = DMM_PLAN_MAX_TILE,
        .word = "permutation_plan"};
    TRY(dmm_context_choose(&plan->p, plan->object.ctx, own, &footprint));
    if (!plan->p.cpu && plan->words.word_bytes > bank) {
        plan->words.words *= plan->words.word_bytes / bank;
        plan->words.word_bytes = bank;
    }
    if (plan->p.cpu && plan->p.tile > DMM_PLAN_MAX_TILE)
        plan->p.tile = DMM_PLAN_MAX_TILE;
out:
    return status;
}

/* Creates the kernels, and copies the moves to the device. */
static dmm_status build(dmm_permutation_plan *plan)
{
    dmm_status status = DMM_OK;
    dmm_programs *programs = &plan->object.ctx->programs;
    dmm_options options = {.bytes = 0};
    const dmm_program_desc desc = {
        .root = "cl/permute/permutation_plan.cl", .options = &options, .prelude = ""};
    const dmm_plan_moves *moves = &plan->moves;
    const dmm_transpose_desc transpose = {.item_bytes = plan->words.item_bytes,
        .max_n = moves->padded,
        .tuning = {.form = plan->p.cpu ? DMM_FORM_CPU : DMM_FORM_GPU}};
    cl_program program = NULL;
    dmm_options_parameters(&options, &plan->p, &plan->object.ctx->device);
    dmm_word_define(&options, &plan->words);
    dmm_options_define(&options, "DMM_PLAN_TILE", plan->p.tile);
    TRY(dmm_programs_get(programs, &desc, &program));
    TRY(dmm_object_kernel(plan, program, "dmm_plan_tile", plan->p.u, &plan->tile));
    if (moves->num_steps > 1)
        TRY(dmm_object_part(plan, &plan->transpose, &dmm_transpose_class, &transpose));
    if (!dmm_context_is_offline(plan->object.ctx))
        TRY(dmm_upload(plan->object.ctx, moves->moves,
            moves->padded * moves->num_moves * sizeof *moves->moves, &plan->on_device));
out:
    return status;
}

static dmm_status make_moves(dmm_permutation_plan *plan, const dmm_permutation_plan_desc *desc)
{
    dmm_status status = DMM_OK;
    uint32_t *goals = NULL;
    plan->moves = (dmm_plan_moves){.n = desc->n,
        .tile = plan->p.tile,
        .banks = plan->p.cpu ? 0 : (uint32_t)plan->object.ctx->device.banks.value,
        .u = plan->p.u,
        .E = plan->p.E};
    TRY(dmm_plan_moves_lay_out(&plan->moves));
    TRY(dmm_plan_new_goals(&goals, desc, plan->moves.padded));
    TRY(dmm_plan_moves_fill(&plan->moves, goals));
out:
    free(goals);
    return status;
}

/* Reads moves from a file, and chooses the parameters that they were made for. */
static dmm_status read_moves(dmm_permutation_plan *plan, const char *path, uint32_t item_bytes)
{
    dmm_status status = DMM_OK;
    const dmm_context *const ctx = plan->object.ctx;
    TRY(dmm_plan_file_read(&plan->moves, path, &ctx->log));
    const dmm_plan_moves *const moves = &plan->moves;
    const int gpu = moves->banks != 0;
    const dmm_tuning tuning = {.form = gpu ? DMM_FORM_GPU : DMM_FORM_CPU,
        .u = gpu ? moves->u : 0,
        .E = gpu ? moves->E : 0,
        .tile = gpu ? 0 : moves->tile};
    TRY(choose(plan, item_bytes, &tuning));
    if (gpu && moves->banks < ctx->device.banks.value) {
        dmm_log_line(&ctx->log, "%s: is a plan for %u banks, the device has %u", path, moves->banks,
            (unsigned)ctx->device.banks.value);
        status = DMM_BAD_PARAMETERS;
    }
out:
    return status;
}

static dmm_status plan_init(void *object)
{
    dmm_status status = DMM_OK;
    dmm_permutation_plan *const plan = object;
    dmm_permutation_plan_desc *const desc = &plan->desc.desc;
    desc->item_bytes = desc->item_bytes != 0 ? desc->item_bytes : DEFAULT_ITEM_BYTES;
    if (plan->desc.path != NULL) {
        TRY(read_moves(plan, plan->desc.path, desc->item_bytes));
    } else {
        TRY(check_desc(desc));
        TRY(choose(plan, desc->item_bytes, &desc->tuning));
        TRY(make_moves(plan, desc));
    }
    TRY(build(plan));
    dmm_plan_moves_free(&plan->moves);
    plan->object.max_n = plan->moves.n;
out:
    return status;
}

static void plan_destroy(void *object)
{
    dmm_permutation_plan *const plan = object;
    dmm_plan_moves_free(&plan->moves);
    if (plan->on_device != NULL && !dmm_context_is_inherited(plan->object.ctx))
        clReleaseMemObject(plan->on_device);
}

/* Regions: two lists; or a copy of the items, for one tile in place. */
enum { LISTS };

static size_t plan_ports(
    const void *object, const void *args, const dmm_sizes *sizes, dmm_port ports[DMM_MAX_PORTS])
{
    const uint32_t bytes = ((const dmm_permutation_plan *)object)->words.item_bytes;
    const dmm_port list[] = {
        {DMM_READS(dmm_permutation_plan_args, in, sizes->n, bytes), .pair = 1},
        {DMM_WRITES(dmm_permutation_plan_args, out, sizes->n, bytes), .pair = 1},
    };
    (void)args;
    return DMM_PORTS(ports, list);
}

static int is_in_place(const dmm_permutation_plan_args *args)
{
    return args == NULL || dmm_spans_equal(args->in, args->out);
}

/* One item more: see dmm_call_items. */
static void plan_lay_out(const void *object, dmm_call *call)
{
    const dmm_permutation_plan *const plan = object;
    const dmm_plan_moves *const moves = &plan->moves;
    const uint64_t copy = is_in_place(call->args) && moves->n != 0 ? moves->n + 1 : 0;
    const int steps = moves->num_steps > 1;
    dmm_call_region(call, LISTS, steps ? moves->padded + 1 : copy, plan->words.item_bytes);
    dmm_call_region(call, LISTS + 1, steps ? moves->padded + 1 : 0, plan->words.item_bytes);
}

/* A list that a step reads or writes. */
typedef struct plan_list {
    dmm_span span;
    uint64_t n;
} plan_list;

static dmm_status launch_moves(const dmm_permutation_plan *plan, const dmm_call *call,
    plan_list from, plan_list to, uint64_t number)
{
    const uint32_t word_bytes = plan->words.word_bytes;
    const dmm_plan_call c = {.in_at = dmm_span_items(from.span, word_bytes),
        .out_at = dmm_span_items(to.span, word_bytes),
        .moves_at = number * plan->moves.padded,
        .in_n = from.n,
        .out_n = to.n};
    return dmm_call_launch(call, plan->tile,
        DMM_BUFFERS(from.span.buffer, to.span.buffer, plan->on_device), &c, sizeof c,
        (dmm_grid){0, plan->moves.padded / plan->moves.tile, plan->p.u});
}

static dmm_status transpose(const dmm_permutation_plan *plan, const dmm_call *call, dmm_span from,
    dmm_span to, const dmm_plan_step *step)
{
    const dmm_transpose_args args = {.in = from, .out = to};
    const dmm_sizes sizes = {.n = step->rows, .m = step->cols, .l = step->count};
    return dmm_call_run(call, plan->transpose, &args, sizes);
}

/* Enqueues the steps: from `in`, alternating between the two lists, to `out`. */
static dmm_status plan_steps(const void *object, dmm_call *call)
{
    dmm_status status = DMM_OK;
    const dmm_permutation_plan *const plan = object;
    const dmm_permutation_plan_args *const args = call->args;
    const dmm_plan_moves *const moves = &plan->moves;
    const uint32_t item_bytes = plan->words.item_bytes;
    plan_list from = {args->in, moves->n};
    uint64_t number = 0;
    if (moves->num_steps == 1 && is_in_place(args)) {
        from.span = dmm_call_items(call, LISTS, item_bytes);
        TRY(dmm_chain_copy(call->chain, args->in, from.span, moves->n * item_bytes));
    }
    for (uint32_t i = 0; i < moves->num_steps; i++) {
        const dmm_plan_step *const step = &moves->steps[i];
        plan_list to = {dmm_call_items(call, LISTS + i % 2, item_bytes), moves->padded};
        if (i + 1 == moves->num_steps)
            to = (plan_list){args->out, moves->n};
        if (step->rows == 0)
            TRY(launch_moves(plan, call, from, to, number++));
        else
            TRY(transpose(plan, call, from.span, to.span, step));
        from = to;
    }
out:
    return status;
}

const dmm_class dmm_permutation_plan_class = {
    .name = "dmm_permutation_plan",
    .word = "permutation_plan",
    .bytes = sizeof(dmm_permutation_plan),
    .desc_at = offsetof(dmm_permutation_plan, desc),
    .desc_bytes = sizeof(dmm_plan_source),
    .args_bytes = sizeof(dmm_permutation_plan_args),
    .temp_at = offsetof(dmm_permutation_plan_args, temp),
    .init = plan_init,
    .destroy = plan_destroy,
    .ports = plan_ports,
    .lay_out = plan_lay_out,
    .steps = plan_steps,
};

dmm_status dmm_permutation_plan_create(
    dmm_permutation_plan **out, dmm_context *ctx, const dmm_permutation_plan_desc *desc)
{
    const dmm_plan_source source = {.desc = desc != NULL ? *desc : (dmm_permutation_plan_desc){0}};
    return dmm_object_create(out, ctx, &dmm_permutation_plan_class, desc != NULL ? &source : NULL);
}

dmm_status dmm_permutation_plan_load(
    dmm_permutation_plan **out, dmm_context *ctx, uint32_t item_bytes, const char *path)
{
    const dmm_plan_source source = {.path = path, .desc = {.item_bytes = item_bytes}};
    return dmm_object_create(out, ctx, &dmm_permutation_plan_class, path != NULL ? &source : NULL);
}

void dmm_permutation_plan_free(dmm_permutation_plan *plan)
{
    dmm_object_free(plan);
}

dmm_status dmm_permutation_plan_temp_bytes(uint64_t *out, const dmm_permutation_plan *plan)
{
    const dmm_sizes sizes = {.n = dmm_permutation_plan_items(plan)};
    return dmm_object_temp_bytes(out, plan, sizes);
}

dmm_status dmm_permutation_plan_enqueue(dmm_permutation_plan *plan, cl_command_queue queue,
    const dmm_permutation_plan_args *args, cl_uint num_wait, const cl_event *wait, cl_event *event)
{
    const dmm_sizes sizes = {.n = dmm_permutation_plan_items(plan)};
    return dmm_object_enqueue(plan, queue, args, sizes, num_wait, wait, event);
}

dmm_status dmm_permutation_plan_host(
    dmm_context *ctx, const dmm_permutation_plan_desc *desc, void *items)
{
    const dmm_plan_source source = {.desc = desc != NULL ? *desc : (dmm_permutation_plan_desc){0}};
    dmm_permutation_plan_args args = {.temp = DMM_NONE};
    const dmm_host_array arrays[DMM_MAX_PORTS] = {{.from = items}, {.to = items}};
    return dmm_object_host(ctx, &dmm_permutation_plan_class, desc != NULL ? &source : NULL, &args,
        (dmm_sizes){.n = source.desc.n}, arrays);
}

uint64_t dmm_permutation_plan_items(const dmm_permutation_plan *plan)
{
    return plan != NULL ? plan->moves.n : 0;
}

dmm_status dmm_permutation_plan_save(const dmm_permutation_plan *plan, const char *path)
{
    dmm_status status = DMM_OK;
    dmm_plan_moves moves = {.moves = NULL};
    if (plan == NULL || path == NULL)
        return DMM_NULL_ARGUMENT;
    TRY(dmm_context_check_runs(plan->object.ctx));
    moves = plan->moves;
    TRY(dmm_plan_moves_lay_out(&moves));
    TRY(dmm_download(plan->object.ctx, plan->on_device, moves.moves,
        moves.padded * moves.num_moves * sizeof *moves.moves, NULL));
    TRY(dmm_plan_file_write(&moves, path, &plan->object.ctx->log));
out:
    dmm_plan_moves_free(&moves);
    return status;
}
