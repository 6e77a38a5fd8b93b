/* SPDX-License-Identifier: MIT */
/*
 * dmm_permute: the check, then the move; a gather by tiles is a scatter by the inverse.
 */
#include "primitives/permute.h"

#include <stdlib.h>

#include "core/check.h"
#include "core/seed.h"
#include "core/size.h"
#include "core/temp.h"
#include "core/transfer.h"
#include "primitives/order.h"

static dmm_status check_desc(const dmm_permute_desc *desc)
{
    if (desc->index_bytes != 4 && desc->index_bytes != 8)
        return DMM_BAD_VALUE;
    return (unsigned)desc->direction > DMM_GATHER || (unsigned)desc->method > DMM_PERMUTE_RANDOMIZED
               ? DMM_BAD_VALUE
               : DMM_OK;
}

/*
 * Spreading was measured faster than the plain kernel where items outgrow the caches; a plain
 * gather is faster than finding the inverse. The GPU form has not been measured on a GPU.
 */
static dmm_permute_method method_of(const dmm_permute_desc *desc, const dmm_context *ctx)
{
    if (desc->method != DMM_PERMUTE_AUTO)
        return desc->method;
    return dmm_context_is_cpu(ctx, &desc->tuning) && desc->direction == DMM_SCATTER
               ? DMM_PERMUTE_SCATTER
               : DMM_PERMUTE_PLAIN;
}

static dmm_status init(dmm_permute *permute)
{
    dmm_status status = DMM_OK;
    const dmm_permute_desc *desc = &permute->desc;
    const dmm_permute_method method = method_of(desc, permute->ctx);
    TRY(check_desc(desc));
    permute->inverts = desc->direction == DMM_GATHER && method != DMM_PERMUTE_PLAIN;
    TRY(dmm_permute_mover_init(&permute->items, permute->ctx, desc, desc->item_bytes, method));
    if (permute->inverts)
        TRY(dmm_permute_mover_init(
            &permute->positions, permute->ctx, desc, desc->index_bytes, method));
    permute->max_n = permute->items.words.max_n;
    if (permute->inverts && permute->max_n > permute->positions.words.max_n)
        permute->max_n = permute->positions.words.max_n;
    TRY(dmm_permute_checker_init(&permute->checker, permute->ctx, desc->index_bytes,
        permute->items.words.index_bytes, desc->check));
out:
    return status;
}

static dmm_status create(dmm_permute **out, dmm_context *ctx, const dmm_permute_desc *desc)
{
    dmm_status status = DMM_OK;
    dmm_permute *permute = NULL;
    if (out == NULL)
        return DMM_NULL_ARGUMENT;
    *out = NULL;
    FAIL_IF(ctx == NULL || desc == NULL, DMM_NULL_ARGUMENT);
    FAIL_IF((permute = calloc(1, sizeof *permute)) == NULL, DMM_OUT_OF_MEMORY);
    permute->ctx = ctx;
    permute->desc = *desc;
    if (desc->method == DMM_PERMUTE_RANDOMIZED && desc->seed == 0)
        permute->desc.seed = dmm_fresh_seed(&ctx->log);
    TRY(init(permute));
    *out = permute;
    return DMM_OK;
out:
    dmm_permute_free(permute);
    return status;
}

dmm_status dmm_permute_create(dmm_permute **out, dmm_context *ctx, const dmm_permute_desc *desc)
{
    const dmm_status status = create(out, ctx, desc);
    return dmm_context_drops_rows(ctx, "permute", status) ? create(out, ctx, desc) : status;
}

void dmm_permute_free(dmm_permute *permute)
{
    if (permute == NULL)
        return;
    dmm_permute_mover_destroy(&permute->items);
    dmm_permute_mover_destroy(&permute->positions);
    dmm_permute_checker_destroy(&permute->checker);
    free(permute);
}

/* Where everything of a call lies; the movers take turns. */
typedef struct permute_layout {
    dmm_temp temp;
    uint64_t state; /* the flag; behind it room for a report where the caller wants none */
    uint64_t check, inverse, numbers, scratch;
} permute_layout;

enum { STATE_REPORT_BYTES = 16, STATE_BYTES = 32 };

static permute_layout lay_out(const dmm_permute *permute, uint64_t n, uint64_t scratch_bytes)
{
    permute_layout l = {.state = 0};
    const uint64_t positions = permute->inverts ? n : 0;
    l.state = dmm_temp_region(&l.temp, n != 0 ? STATE_BYTES : 0, 1);
    l.check = dmm_temp_region(&l.temp, dmm_permute_check_bytes(&permute->checker, n), 1);
    l.inverse = dmm_temp_region(&l.temp, positions, permute->desc.index_bytes);
    l.numbers = dmm_temp_region(&l.temp, positions, permute->desc.index_bytes);
    l.scratch = dmm_temp_region(&l.temp, scratch_bytes, 1);
    return l;
}

dmm_status dmm_permute_temp_bytes(uint64_t *out, const dmm_permute *permute, uint64_t n)
{
    if (out == NULL || permute == NULL)
        return DMM_NULL_ARGUMENT;
    if (n > permute->max_n)
        return DMM_TOO_LARGE;
    uint64_t most = n != 0 ? dmm_permute_most_bytes(&permute->items, n) : 0;
    const uint64_t other =
        n != 0 && permute->inverts ? dmm_permute_most_bytes(&permute->positions, n) : 0;
    most = most > other ? most : other;
    *out = lay_out(permute, n, most).temp.bytes;
    return *out == UINT64_MAX ? DMM_TOO_LARGE : DMM_OK;
}

/* The call as the two movers see it, but for where temp is. */
typedef struct permute_moves {
    dmm_permute_move items, positions;
    permute_layout layout;
} permute_moves;

static permute_moves plan(const dmm_permute *permute, const dmm_permute_args *args, uint64_t n)
{
    permute_moves m = {.items = {.index = args->index,
                           .in = args->in,
                           .out = args->out,
                           .seed = permute->desc.seed,
                           .n = n,
                           .gather = permute->desc.direction == DMM_GATHER && !permute->inverts}};
    uint64_t bytes = n != 0 ? dmm_permute_move_bytes(&permute->items, &m.items) : 0;
    if (permute->inverts && n != 0) {
        m.positions = m.items;
        m.positions.in = args->in; /* the numbers are apart from the inverse: as if out of place */
        m.positions.out = DMM_NONE;
        const uint64_t other = dmm_permute_move_bytes(&permute->positions, &m.positions);
        bytes = bytes > other ? bytes : other;
    }
    m.layout = lay_out(permute, n, bytes);
    return m;
}

/* Now that temp is there. */
static void place(permute_moves *m, const dmm_permute *permute, const dmm_permute_args *args)
{
    const permute_layout *l = &m->layout;
    m->items.bad = dmm_temp_span(&l->temp, l->state);
    m->items.report = args->report.buffer != NULL
                          ? args->report
                          : dmm_temp_span(&l->temp, l->state + STATE_REPORT_BYTES);
    m->items.scratch = dmm_temp_span(&l->temp, l->scratch);
    if (!permute->inverts)
        return;
    m->positions = m->items;
    m->positions.in = dmm_temp_span(&l->temp, l->numbers);
    m->positions.out = dmm_temp_span(&l->temp, l->inverse);
    m->items.index = m->positions.out;
}

static dmm_status check_args(const dmm_permute *permute, cl_command_queue queue,
    const dmm_permute_args *args, uint64_t n, cl_uint num_wait, const cl_event *wait)
{
    dmm_status status = DMM_OK;
    const dmm_permute_desc *desc = &permute->desc;
    TRY(dmm_check_queue(queue, permute->ctx->cl, permute->ctx->device.id));
    FAIL_IF(args == NULL, DMM_NULL_ARGUMENT);
    FAIL_IF(n > permute->max_n, DMM_TOO_LARGE);
    TRY(dmm_check_wait(num_wait, wait));
    TRY(dmm_check_span(args->index, n, desc->index_bytes));
    TRY(dmm_check_span(args->in, n, desc->item_bytes));
    TRY(dmm_check_span(args->out, n, desc->item_bytes));
    if (desc->check || args->report.buffer != NULL)
        TRY(dmm_check_span(
            args->report, sizeof(dmm_permute_report) / sizeof(uint64_t), sizeof(uint64_t)));
    const uint64_t bytes = n * desc->item_bytes;
    const dmm_extent inputs[] = {{args->in, bytes}, {args->index, n * desc->index_bytes}};
    const dmm_extent outputs[] = {{args->out, bytes}, {args->report, sizeof(dmm_permute_report)},
        {args->temp, plan(permute, args, n).layout.temp.bytes}};
    TRY(dmm_check_overlaps(inputs, 2, outputs, 3, 1));
out:
    return status;
}

static dmm_status check_positions(
    const dmm_permute *permute, dmm_chain *chain, const permute_moves *m)
{
    const dmm_permute_checking checking = {
        .index = permute->inverts ? m->positions.index : m->items.index,
        .report = m->items.report,
        .bad = m->items.bad,
        .scratch = dmm_temp_span(&m->layout.temp, m->layout.check),
        .n = m->items.n};
    return dmm_permute_check(&permute->checker, chain, &checking);
}

dmm_status dmm_permute_enqueue(dmm_permute *permute, cl_command_queue queue,
    const dmm_permute_args *args, uint64_t n, cl_uint num_wait, const cl_event *wait,
    cl_event *event)
{
    dmm_status status = DMM_OK;
    dmm_chain chain = {queue, num_wait, wait, NULL};
    if (event != NULL)
        *event = NULL;
    if (permute == NULL)
        return DMM_NULL_ARGUMENT;
    if ((status = check_args(permute, queue, args, n, num_wait, wait)) != DMM_OK)
        return status;
    permute_moves m = plan(permute, args, n);
    const int reports = args->report.buffer != NULL || (permute->items.tiles != NULL && n != 0);
    TRY(dmm_temp_acquire(&m.layout.temp, permute->ctx->cl, args->temp));
    place(&m, permute, args);
    if (reports) /* a check has one */
        TRY(check_positions(permute, &chain, &m));
    if (n == 0)
        goto out;
    if (permute->inverts) {
        TRY(dmm_permute_number(&permute->positions, &chain, m.positions.in, n));
        TRY(dmm_permute_move_items(&permute->positions, &chain, &m.positions));
    }
    TRY(dmm_permute_move_items(&permute->items, &chain, &m.items));
out:
    status = dmm_chain_end(&chain, status, event);
    dmm_temp_release(&m.layout.temp);
    return status;
}

dmm_status dmm_permute_host(dmm_context *ctx, const dmm_permute_desc *desc, const void *index,
    void *items, size_t n, dmm_permute_report *report)
{
    dmm_status status = DMM_OK;
    dmm_permute *permute = NULL;
    dmm_permute_report told = {0};
    dmm_permute_args args = {.temp = DMM_NONE};
    cl_event done = NULL;
    TRY(dmm_permute_create(&permute, ctx, desc));
    FAIL_IF(n != 0 && (index == NULL || items == NULL), DMM_NULL_ARGUMENT);
    const uint64_t bytes = dmm_size_mul(n, desc->item_bytes);
    TRY(dmm_upload(ctx, index, dmm_size_mul(n, desc->index_bytes), &args.index.buffer));
    TRY(dmm_upload(ctx, items, bytes, &args.in.buffer));
    TRY(dmm_upload(ctx, &told, sizeof told, &args.report.buffer));
    args.out = args.in;
    TRY(dmm_permute_enqueue(permute, ctx->queue, &args, n, 0, NULL, &done));
    TRY(dmm_download(ctx, args.report.buffer, &told, sizeof told, &done));
    if (report != NULL)
        *report = told;
    FAIL_IF(told.code != DMM_OK, (dmm_status)told.code);
    TRY(dmm_download(ctx, args.out.buffer, items, bytes, NULL));
out:
    dmm_settle(done);
    const cl_mem buffers[] = {args.index.buffer, args.in.buffer, args.report.buffer};
    for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; i++)
        if (buffers[i] != NULL)
            clReleaseMemObject(buffers[i]);
    dmm_permute_free(permute);
    return status;
}
