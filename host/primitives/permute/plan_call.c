/* SPDX-License-Identifier: MIT */
/*
 * Executing a plan: step by step between the spans and two lists in temp.
 */
#include "core/check.h"
#include "core/size.h"
#include "core/temp.h"
#include "core/transfer.h"
#include "primitives/order.h"
#include "primitives/permute/permutation_plan.h"

/* Two lists; or, for one tile in place, a copy of the items. */
typedef struct plan_layout {
    dmm_temp temp;
    uint64_t lists[2];
} plan_layout;

static plan_layout lay_out(const dmm_permutation_plan *plan, int in_place)
{
    const dmm_plan_moves *moves = &plan->moves;
    const uint32_t item_bytes = plan->words.item_bytes;
    const int steps = moves->num_steps > 1;
    plan_layout l = {.lists = {0}};
    l.lists[0] = dmm_temp_region(&l.temp,
        steps                  ? moves->padded + 1
        : in_place && moves->n ? moves->n + 1
                               : 0,
        item_bytes);
    l.lists[1] = dmm_temp_region(&l.temp, steps ? moves->padded + 1 : 0, item_bytes);
    return l;
}

dmm_status dmm_permutation_plan_temp_bytes(uint64_t *out, const dmm_permutation_plan *plan)
{
    if (out == NULL || plan == NULL)
        return DMM_NULL_ARGUMENT;
    *out = lay_out(plan, 1).temp.bytes;
    return *out == UINT64_MAX ? DMM_TOO_LARGE : DMM_OK;
}

static dmm_status check_args(const dmm_permutation_plan *plan, cl_command_queue queue,
    const dmm_permutation_plan_args *args, cl_uint num_wait, const cl_event *wait)
{
    dmm_status status = DMM_OK;
    const uint64_t n = plan->moves.n;
    const uint32_t item_bytes = plan->words.item_bytes;
    TRY(dmm_check_queue(queue, plan->ctx->cl, plan->ctx->device.id));
    FAIL_IF(args == NULL, DMM_NULL_ARGUMENT);
    TRY(dmm_check_wait(num_wait, wait));
    TRY(dmm_check_span(args->in, n, item_bytes));
    TRY(dmm_check_span(args->out, n, item_bytes));
    const int in_place = dmm_spans_equal(args->in, args->out);
    const dmm_extent in = {args->in, n * item_bytes};
    const dmm_extent out[] = {
        {args->out, n * item_bytes}, {args->temp, lay_out(plan, in_place).temp.bytes}};
    TRY(dmm_check_overlaps(&in, 1, out, 2, 1));
out:
    return status;
}

/* A list that a step reads or writes. */
typedef struct plan_list {
    dmm_span span;
    uint64_t n;
} plan_list;

static dmm_status launch_moves(const dmm_permutation_plan *plan, dmm_chain *chain, plan_list from,
    plan_list to, uint64_t number)
{
    const uint32_t word_bytes = plan->words.word_bytes;
    const cl_ulong in_at = dmm_span_items(from.span, word_bytes), in_n = from.n;
    const cl_ulong out_at = dmm_span_items(to.span, word_bytes), out_n = to.n;
    const cl_ulong moves_at = number * plan->moves.padded;
    const dmm_arg args[] = {DMM_ARG_SPAN(from.span, in_at), DMM_ARG(in_n),
        DMM_ARG_SPAN(to.span, out_at), DMM_ARG(out_n), DMM_ARG(plan->on_device), DMM_ARG(moves_at)};
    return dmm_chain_launch(chain, plan->tile, args, sizeof args / sizeof *args,
        (dmm_grid){0, plan->moves.padded / plan->moves.tile, plan->p.u});
}

static dmm_status transpose(const dmm_permutation_plan *plan, dmm_chain *chain, dmm_span from,
    dmm_span to, const dmm_plan_step *step)
{
    const dmm_transpose_args args = {.in = from, .out = to};
    const dmm_matrices shape = {step->rows, step->cols, step->count};
    cl_event done = NULL;
    const dmm_status status =
        dmm_transpose_enqueue(plan->transpose, chain->queue, &args, shape, 1, &chain->last, &done);
    if (status == DMM_OK)
        dmm_chain_advance(chain, done);
    return status;
}

/* From `in` through the two lists by turns to `out`. */
static dmm_status launch_steps(const dmm_permutation_plan *plan, dmm_chain *chain,
    const dmm_permutation_plan_args *args, const plan_layout *l)
{
    dmm_status status = DMM_OK;
    const dmm_plan_moves *moves = &plan->moves;
    const uint32_t item_bytes = plan->words.item_bytes;
    plan_list from = {args->in, moves->n};
    uint64_t number = 0;
    if (moves->num_steps == 1 && dmm_spans_equal(args->in, args->out)) {
        from.span = dmm_temp_items(&l->temp, l->lists[0], item_bytes);
        TRY(dmm_chain_copy(chain, args->in, from.span, moves->n * item_bytes));
    }
    for (uint32_t i = 0; i < moves->num_steps; i++) {
        const dmm_plan_step *step = &moves->steps[i];
        plan_list to = {dmm_temp_items(&l->temp, l->lists[i % 2], item_bytes), moves->padded};
        if (i + 1 == moves->num_steps)
            to = (plan_list){args->out, moves->n};
        if (step->rows == 0)
            TRY(launch_moves(plan, chain, from, to, number++));
        else
            TRY(transpose(plan, chain, from.span, to.span, step));
        from = to;
    }
out:
    return status;
}

dmm_status dmm_permutation_plan_enqueue(dmm_permutation_plan *plan, cl_command_queue queue,
    const dmm_permutation_plan_args *args, cl_uint num_wait, const cl_event *wait, cl_event *event)
{
    dmm_status status = DMM_OK;
    dmm_chain chain = {queue, num_wait, wait, NULL};
    if (event != NULL)
        *event = NULL;
    if (plan == NULL)
        return DMM_NULL_ARGUMENT;
    if ((status = check_args(plan, queue, args, num_wait, wait)) != DMM_OK)
        return status;
    plan_layout l = lay_out(plan, dmm_spans_equal(args->in, args->out));
    TRY(dmm_temp_acquire(&l.temp, plan->ctx->cl, args->temp));
    TRY(launch_steps(plan, &chain, args, &l));
out:
    status = dmm_chain_end(&chain, status, event);
    dmm_temp_release(&l.temp);
    return status;
}

dmm_status dmm_permutation_plan_host(
    dmm_context *ctx, const dmm_permutation_plan_desc *desc, void *items)
{
    dmm_status status = DMM_OK;
    dmm_permutation_plan *plan = NULL;
    dmm_permutation_plan_args args = {.temp = DMM_NONE};
    cl_event done = NULL;
    TRY(dmm_permutation_plan_create(&plan, ctx, desc));
    FAIL_IF(desc->n != 0 && items == NULL, DMM_NULL_ARGUMENT);
    const uint64_t bytes = dmm_size_mul(desc->n, desc->item_bytes);
    TRY(dmm_upload(ctx, items, bytes, &args.in.buffer));
    args.out = args.in;
    TRY(dmm_permutation_plan_enqueue(plan, ctx->queue, &args, 0, NULL, &done));
    TRY(dmm_download(ctx, args.out.buffer, items, bytes, &done));
out:
    dmm_settle(done);
    if (args.in.buffer != NULL)
        clReleaseMemObject(args.in.buffer);
    dmm_permutation_plan_free(plan);
    return status;
}
