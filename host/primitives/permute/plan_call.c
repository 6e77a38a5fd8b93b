/* SPDX-License-Identifier: MIT */
/*
 * Executes a plan: step by step between the spans and two lists in temp.
 */
#include "cl/permute/plan_call.clh"
#include "core/check.h"
#include "primitives/permute/permutation_plan.h"

/* Regions: two lists; or a copy of the items, for one tile in place. */
enum { LISTS };

size_t dmm_plan_ports(
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
void dmm_plan_lay_out(const void *object, dmm_call *call)
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
dmm_status dmm_plan_steps(const void *object, dmm_call *call)
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
