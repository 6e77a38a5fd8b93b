/* SPDX-License-Identifier: MIT */
/*
 * dmm_shuffle: gathers by the index function, or spreads by its inverse; items and values one after
 * the other.
 */
#include "primitives/shuffle.h"

#include <stdlib.h>

#include "core/check.h"
#include "core/size.h"
#include "core/temp.h"
#include "core/transfer.h"
#include "primitives/order.h"

enum { CPU_LEAST_RANGE = 1024 };

static dmm_status list_init(
    dmm_shuffle *shuffle, dmm_shuffle_list *list, uint32_t item_bytes, int indices, uint32_t tile)
{
    dmm_status status = DMM_OK;
    dmm_programs *programs = &shuffle->ctx->programs;
    dmm_options options = {.bytes = 0};
    const dmm_program_desc desc = {.root = "cl/shuffle.cl", .options = &options, .prelude = ""};
    cl_program program = NULL;
    TRY(dmm_word_layout_init(&list->words, &shuffle->ctx->device, item_bytes, shuffle->desc.max_n));
    if (indices) { /* positions of items that are nowhere in memory */
        const uint64_t most = item_bytes == 4 ? (uint64_t)1 << 32 : UINT64_MAX;
        FAIL_IF(shuffle->desc.max_n > most, DMM_BAD_VALUE);
        list->words.max_n = shuffle->desc.max_n != 0 ? shuffle->desc.max_n : most;
        list->words.index_bytes = list->words.max_n <= DMM_MAX_NARROW ? 4 : 8;
    }
    dmm_parameters_define(&options, &shuffle->p, &shuffle->ctx->device);
    dmm_word_define(&options, &list->words);
    dmm_options_define(&options, "DMM_INDICES", (uint64_t)indices);
    TRY(dmm_programs_get(programs, &desc, &program));
    TRY(dmm_programs_kernel(programs, program, "dmm_shuffle_gather", shuffle->p.u, &list->gather));
    if (!indices)
        TRY(dmm_spread_init(&list->spread, shuffle->ctx, &list->words, &shuffle->p, tile, 0, 0));
out:
    return status;
}

static dmm_status init(dmm_shuffle *shuffle)
{
    dmm_status status = DMM_OK;
    const dmm_shuffle_desc *desc = &shuffle->desc;
    const dmm_tuning tuning = dmm_tuning_over(&desc->tuning, &shuffle->ctx->tuning);
    const dmm_footprint footprint = {
        .item_bytes = desc->item_bytes != 0 ? desc->item_bytes : 1, .word = "shuffle"};
    FAIL_IF(desc->indices && desc->item_bytes != 4 && desc->item_bytes != 8, DMM_BAD_VALUE);
    TRY(dmm_context_choose(&shuffle->p, shuffle->ctx, &desc->tuning, &footprint));
    TRY(list_init(shuffle, &shuffle->items, desc->item_bytes, desc->indices != 0, tuning.tile));
    shuffle->max_n = shuffle->items.words.max_n;
    if (desc->value_bytes == 0)
        goto out;
    TRY(list_init(shuffle, &shuffle->values, desc->value_bytes, 0, tuning.tile));
    if (shuffle->max_n > shuffle->values.words.max_n)
        shuffle->max_n = shuffle->values.words.max_n;
out:
    return status;
}

static dmm_status create(dmm_shuffle **out, dmm_context *ctx, const dmm_shuffle_desc *desc)
{
    dmm_status status = DMM_OK;
    dmm_shuffle *shuffle = NULL;
    if (out == NULL)
        return DMM_NULL_ARGUMENT;
    *out = NULL;
    FAIL_IF(ctx == NULL || desc == NULL, DMM_NULL_ARGUMENT);
    FAIL_IF((shuffle = calloc(1, sizeof *shuffle)) == NULL, DMM_OUT_OF_MEMORY);
    shuffle->ctx = ctx;
    shuffle->desc = *desc;
    TRY(init(shuffle));
    *out = shuffle;
    return DMM_OK;
out:
    dmm_shuffle_free(shuffle);
    return status;
}

dmm_status dmm_shuffle_create(dmm_shuffle **out, dmm_context *ctx, const dmm_shuffle_desc *desc)
{
    const dmm_status status = create(out, ctx, desc);
    return dmm_context_drops_rows(ctx, "shuffle", status) ? create(out, ctx, desc) : status;
}

static void list_destroy(dmm_shuffle_list *list)
{
    dmm_spread_destroy(&list->spread);
    if (list->gather != NULL)
        clReleaseKernel(list->gather);
}

void dmm_shuffle_free(dmm_shuffle *shuffle)
{
    if (shuffle == NULL)
        return;
    list_destroy(&shuffle->items);
    list_destroy(&shuffle->values);
    free(shuffle);
}

/* One list of a call. */
typedef struct shuffle_call {
    const dmm_shuffle_list *list;
    dmm_span in, out;
    uint64_t seed, n, count;
} shuffle_call;

static int is_spread(const shuffle_call *c)
{
    return c->count == c->n && dmm_spread_takes(&c->list->spread, c->n);
}

/* A gather in place reads from a copy. */
static uint64_t list_temp_bytes(const shuffle_call *c)
{
    dmm_temp temp = {0};
    if (is_spread(c))
        return dmm_spread_scratch_bytes(&c->list->spread, c->n);
    if (c->list->gather != NULL && c->in.buffer != NULL && dmm_spans_equal(c->in, c->out))
        dmm_temp_region(&temp, c->n + 1, c->list->words.item_bytes);
    return temp.bytes;
}

static void calls_of(
    shuffle_call calls[2], const dmm_shuffle *shuffle, const dmm_shuffle_args *args, uint64_t n)
{
    const uint64_t count = args->count != 0 ? args->count : n;
    calls[0] = (shuffle_call){&shuffle->items, args->in, args->out, args->seed, n, count};
    calls[1] =
        (shuffle_call){&shuffle->values, args->values_in, args->values_out, args->seed, n, count};
    if (shuffle->desc.indices)
        calls[0].in = DMM_NONE;
}

/* The lists take turns. */
static dmm_temp lay_out(const shuffle_call calls[2])
{
    const uint64_t items = list_temp_bytes(&calls[0]), values = list_temp_bytes(&calls[1]);
    dmm_temp temp = {0};
    dmm_temp_region(&temp, items > values ? items : values, 1);
    return temp;
}

/* A copy of more items than are spread may take less than spreading fewer: hence the most of both. */
static uint64_t most_temp_bytes(const dmm_shuffle_list *list, uint64_t n)
{
    const dmm_spread *spread = &list->spread;
    const uint64_t spread_n = spread->settle != NULL && n > spread->most_n ? spread->most_n : n;
    const uint64_t spread_bytes = dmm_spread_scratch_bytes(spread, spread_n);
    dmm_temp copy = {0};
    dmm_temp_region(&copy, dmm_size_add(n, 1), list->words.item_bytes);
    return spread_bytes > copy.bytes ? spread_bytes : copy.bytes;
}

dmm_status dmm_shuffle_temp_bytes(uint64_t *out, const dmm_shuffle *shuffle, uint64_t n)
{
    if (out == NULL || shuffle == NULL)
        return DMM_NULL_ARGUMENT;
    if (n > shuffle->max_n)
        return DMM_TOO_LARGE;
    const int indices = shuffle->desc.indices, values = shuffle->values.gather != NULL;
    const uint64_t a = n == 0 || indices ? 0 : most_temp_bytes(&shuffle->items, n);
    const uint64_t b = n == 0 || !values ? 0 : most_temp_bytes(&shuffle->values, n);
    *out = a > b ? a : b;
    return *out == UINT64_MAX ? DMM_TOO_LARGE : DMM_OK;
}

static dmm_status check_args(const dmm_shuffle *shuffle, cl_command_queue queue,
    const dmm_shuffle_args *args, uint64_t n, cl_uint num_wait, const cl_event *wait)
{
    dmm_status status = DMM_OK;
    const uint32_t item_bytes = shuffle->desc.item_bytes, value_bytes = shuffle->desc.value_bytes;
    shuffle_call calls[2];
    TRY(dmm_check_queue(queue, shuffle->ctx->cl, shuffle->ctx->device.id));
    FAIL_IF(args == NULL, DMM_NULL_ARGUMENT);
    FAIL_IF(n > shuffle->max_n, DMM_TOO_LARGE);
    TRY(dmm_check_wait(num_wait, wait));
    FAIL_IF(args->count > n, DMM_BAD_VALUE);
    calls_of(calls, shuffle, args, n);
    const uint64_t count = calls[0].count, in_n = shuffle->desc.indices ? 0 : n;
    TRY(dmm_check_span(args->in, in_n, item_bytes));
    if (value_bytes != 0)
        TRY(dmm_check_span(args->values_in, n, value_bytes));
    TRY(dmm_check_span(args->out, count, item_bytes));
    if (value_bytes != 0)
        TRY(dmm_check_span(args->values_out, count, value_bytes));
    const dmm_extent inputs[] = {{args->in, in_n * item_bytes}, {args->values_in, n * value_bytes}};
    const dmm_extent outputs[] = {{args->out, count * item_bytes},
        {args->values_out, count * value_bytes}, {args->temp, lay_out(calls).bytes}};
    TRY(dmm_check_overlaps(inputs, 2, outputs, 3, 2));
out:
    return status;
}

static dmm_status launch_gather(
    const dmm_shuffle *shuffle, dmm_chain *chain, const shuffle_call *c, dmm_span in)
{
    const dmm_word_layout *words = &c->list->words;
    const uint64_t share = dmm_size_div_up(c->count, shuffle->p.most_groups);
    const cl_ulong range = share > CPU_LEAST_RANGE ? share : CPU_LEAST_RANGE;
    const uint64_t groups =
        shuffle->p.cpu ? dmm_size_div_up(c->count, range)
                       : dmm_size_div_up(dmm_size_mul(c->count, words->words), shuffle->p.u);
    const cl_ulong in_at = dmm_span_items(in, words->word_bytes);
    const cl_ulong out_at = dmm_span_items(c->out, words->word_bytes);
    const cl_ulong seed = c->seed, n = c->n, count = c->count;
    const dmm_arg args[] = {DMM_ARG_SPAN(in, in_at), DMM_ARG_SPAN(c->out, out_at), DMM_ARG(seed),
        DMM_ARG(n), DMM_ARG(count), DMM_ARG(range)};
    return dmm_chain_launch(chain, c->list->gather, args, sizeof args / sizeof *args,
        (dmm_grid){0, groups, shuffle->p.u});
}

static dmm_status move_list(
    const dmm_shuffle *shuffle, dmm_chain *chain, const shuffle_call *c, const dmm_temp *temp)
{
    dmm_status status = DMM_OK;
    const dmm_span scratch = dmm_temp_span(temp, 0);
    dmm_span in = c->in;
    if (c->list->gather == NULL || c->count == 0)
        goto out;
    if (is_spread(c)) {
        const dmm_spreading spreading = {
            .in = c->in, .out = c->out, .scratch = scratch, .seed = c->seed, .n = c->n};
        TRY(dmm_spread_move(&c->list->spread, chain, &spreading));
        goto out;
    }
    if (list_temp_bytes(c) != 0) {
        in = dmm_temp_items(temp, 0, c->list->words.item_bytes);
        TRY(dmm_chain_copy(chain, c->in, in, c->n * c->list->words.item_bytes));
    }
    TRY(launch_gather(shuffle, chain, c, in));
out:
    return status;
}

dmm_status dmm_shuffle_enqueue(dmm_shuffle *shuffle, cl_command_queue queue,
    const dmm_shuffle_args *args, uint64_t n, cl_uint num_wait, const cl_event *wait,
    cl_event *event)
{
    dmm_status status = DMM_OK;
    dmm_chain chain = {queue, num_wait, wait, NULL};
    shuffle_call calls[2];
    if (event != NULL)
        *event = NULL;
    if (shuffle == NULL)
        return DMM_NULL_ARGUMENT;
    if ((status = check_args(shuffle, queue, args, n, num_wait, wait)) != DMM_OK)
        return status;
    calls_of(calls, shuffle, args, n);
    dmm_temp temp = lay_out(calls);
    TRY(dmm_temp_acquire(&temp, shuffle->ctx->cl, args->temp));
    TRY(move_list(shuffle, &chain, &calls[0], &temp));
    TRY(move_list(shuffle, &chain, &calls[1], &temp));
out:
    status = dmm_chain_end(&chain, status, event);
    dmm_temp_release(&temp);
    return status;
}
