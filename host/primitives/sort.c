/* SPDX-License-Identifier: MIT */
/*
 * Merge sort: tiles are sorted by themselves, then passes merge pairs of runs, from one of two buffers
 * to the other. The tile sort writes to whichever buffer makes the last pass end in the output, so that
 * nothing is ever copied back.
 */
#include "primitives/sort.h"

#include <stdlib.h>

#include "core/check.h"
#include "core/size.h"

static dmm_status check_desc(const dmm_sort_desc *desc)
{
    if (desc->method > DMM_SORT_MERGE || desc->stable > DMM_NO)
        return DMM_BAD_VALUE;
    return DMM_OK;
}

dmm_status dmm_sort_create(dmm_sort **out, dmm_context *ctx, const dmm_sort_desc *desc)
{
    dmm_status status = DMM_OK;
    dmm_sort *sort = NULL;
    if (out == NULL)
        return DMM_NULL_ARGUMENT;
    *out = NULL;
    FAIL_IF(ctx == NULL || desc == NULL, DMM_NULL_ARGUMENT);
    TRY(check_desc(desc));
    FAIL_IF((sort = calloc(1, sizeof *sort)) == NULL, DMM_OUT_OF_MEMORY);
    sort->desc = *desc;
    const dmm_merger_desc merger = {.order = &desc->order, .tuning = &desc->tuning,
        .value_bytes = desc->value_bytes, .positions = desc->argsort != 0, .sorts = 1,
        .guarantee = desc->guarantee, .max_n = desc->max_n};
    TRY(dmm_merger_init(&sort->merger, ctx, &merger));
    TRY(dmm_programs_kernel(&ctx->programs, sort->merger.program, "dmm_sort_tile", sort->merger.p.u,
        &sort->tile));
    *out = sort;
    return DMM_OK;
out:
    dmm_sort_free(sort);
    return status;
}

void dmm_sort_free(dmm_sort *sort)
{
    if (sort == NULL)
        return;
    if (sort->tile != NULL)
        clReleaseKernel(sort->tile);
    dmm_merger_destroy(&sort->merger);
    free(sort);
}

/* Where everything of a call lies. `other` alternates with the output from pass to pass. */
typedef struct sort_layout {
    dmm_temp temp;
    uint64_t keys, values, positions, splits, input;
    uint32_t passes;
    int copies_input; /* values fetched by position into their own span: from a copy */
} sort_layout;

static uint32_t count_passes(const dmm_sort *sort, uint64_t n)
{
    uint32_t passes = 0;
    for (uint64_t run = sort->merger.p.tile; run < n; run *= 2)
        passes++;
    return passes;
}

/* in_place: the most that a call can need; a call whose values are apart needs no copy of them. */
static sort_layout lay_out(const dmm_sort *sort, uint64_t n, int in_place)
{
    const dmm_merger *merger = &sort->merger;
    const dmm_item_layout *item = &merger->layout;
    sort_layout l = {.passes = count_passes(sort, n)};
    const int scratch = l.passes > 0 || (merger->p.cpu && n > merger->p.E);
    l.copies_input = item->by_position && in_place;
    /* One more, since the caller's temp may begin between two multiples of key_bytes. */
    l.keys = dmm_temp_region(&l.temp, scratch ? n + 1 : 0, item->key_bytes);
    l.values = dmm_temp_region(&l.temp, scratch ? n : 0, item->moved_bytes);
    l.positions = dmm_temp_region(&l.temp, item->by_position ? n : 0, item->moved_bytes);
    l.splits = dmm_temp_region(&l.temp, l.passes > 0 ? dmm_size_div_up(n, merger->p.tile) : 0,
        item->index_bytes);
    l.input = dmm_temp_region(&l.temp, l.copies_input ? n : 0, item->value_bytes);
    return l;
}

dmm_status dmm_sort_temp_bytes(uint64_t *out, const dmm_sort *sort, uint64_t n)
{
    if (out == NULL || sort == NULL)
        return DMM_NULL_ARGUMENT;
    if (n > sort->merger.max_n)
        return DMM_TOO_LARGE;
    *out = lay_out(sort, n, 1).temp.bytes;
    return *out == UINT64_MAX ? DMM_TOO_LARGE : DMM_OK;
}

static dmm_status check_args(const dmm_sort *sort, cl_command_queue queue, const dmm_sort_args *args,
    uint64_t n, cl_uint num_wait, const cl_event *wait)
{
    dmm_status status = DMM_OK;
    const dmm_context *ctx = sort->merger.ctx;
    const dmm_item_layout *item = &sort->merger.layout;
    const dmm_sort_desc *desc = &sort->desc;
    const int reads_values = item->value_bytes != 0 && !desc->argsort;
    TRY(dmm_check_queue(queue, ctx->cl, ctx->device.id));
    FAIL_IF(args == NULL, DMM_NULL_ARGUMENT);
    FAIL_IF(n > sort->merger.max_n, DMM_TOO_LARGE);
    TRY(dmm_check_wait(num_wait, wait));
    TRY(dmm_check_span(args->keys_in, n, item->key_bytes));
    if (reads_values)
        TRY(dmm_check_span(args->values_in, n, item->value_bytes));
    TRY(dmm_check_span(args->keys_out, n, item->key_bytes));
    if (item->value_bytes != 0)
        TRY(dmm_check_span(args->values_out, n, item->value_bytes));
    const uint64_t keys = n * item->key_bytes, values = n * item->value_bytes;
    const int in_place = dmm_spans_equal(args->values_in, args->values_out);
    const uint64_t temp = lay_out(sort, n, in_place).temp.bytes;
    const dmm_extent inputs[] = {{args->keys_in, keys}, {args->values_in, reads_values ? values : 0}};
    const dmm_extent outputs[] = {{args->keys_out, keys}, {args->values_out, values}, {args->temp, temp}};
    TRY(dmm_check_overlaps(inputs, 2, outputs, 3, 1));
out:
    return status;
}

static dmm_status sort_tiles(const dmm_sort *sort, dmm_chain *chain, const dmm_item_spans spans[3],
    uint64_t first, uint64_t n)
{
    const dmm_item_layout *item = &sort->merger.layout;
    const cl_ulong end = first + n;
    cl_uint narrow = 0;
    cl_ulong keys[3], values[3];
    for (int i = 0; i < 3; i++) {
        keys[i] = dmm_span_items(spans[i].keys, item->key_bytes) - first;
        values[i] = dmm_span_items(spans[i].values, item->moved_bytes) - first;
    }
    const dmm_arg args[] = {DMM_ARG_SPAN(spans[0].keys, keys[0]), DMM_ARG_SPAN(spans[0].values, values[0]),
        DMM_ARG_SPAN(spans[1].keys, keys[1]), DMM_ARG_SPAN(spans[1].values, values[1]),
        DMM_ARG_SPAN(spans[2].keys, keys[2]), DMM_ARG_SPAN(spans[2].values, values[2]),
        dmm_index_arg(&sort->merger, &end, &narrow)};
    return dmm_chain_launch(chain, sort->tile, args, sizeof args / sizeof *args,
        (dmm_grid){first / sort->merger.p.tile, dmm_size_div_up(n, sort->merger.p.tile),
            sort->merger.p.u});
}

/* The tile sort and the passes; the last one writes to `out`. */
static dmm_status sort_items(const dmm_sort *sort, dmm_chain *chain, dmm_item_spans in, dmm_item_spans out,
    dmm_item_spans other, dmm_span splits, uint64_t first, uint64_t n)
{
    dmm_status status = DMM_OK;
    const uint32_t passes = count_passes(sort, n);
    dmm_item_spans from = passes % 2 ? other : out, to = passes % 2 ? out : other;
    TRY(sort_tiles(sort, chain, (dmm_item_spans[]){in, from, to}, first, n));
    for (uint64_t run = sort->merger.p.tile; run < n; run *= 2) {
        const dmm_pass pass = {.a = from, .b = from, .out = to, .splits = splits, .first = first, .n = n,
            .run = run, .span = 2 * run};
        TRY(dmm_merger_pass(&sort->merger, chain, &pass));
        const dmm_item_spans swapped = from;
        from = to;
        to = swapped;
    }
out:
    return status;
}

/* Values of a size that does not move by itself are fetched by position, from a copy if in place. */
static dmm_status fetch_values(const dmm_sort *sort, dmm_chain *chain, const dmm_sort_args *args,
    const sort_layout *l, dmm_span positions, uint64_t first, uint64_t n)
{
    dmm_status status = DMM_OK;
    dmm_span from = args->values_in;
    if (l->copies_input) {
        from = dmm_temp_span(&l->temp, l->input);
        TRY(dmm_chain_copy(chain, args->values_in, from, n * sort->merger.layout.value_bytes));
    }
    const dmm_gathering gathering = {.positions = positions, .a = from, .b = from,
        .out = args->values_out, .first = first, .na = n, .n = n};
    TRY(dmm_merger_gather(&sort->merger, chain, &gathering));
out:
    return status;
}

dmm_status dmm_sort_enqueue_from(dmm_sort *sort, cl_command_queue queue, const dmm_sort_args *args,
    uint64_t first, uint64_t n, cl_uint num_wait, const cl_event *wait, cl_event *event)
{
    dmm_status status = DMM_OK;
    dmm_chain chain = {queue, num_wait, wait, NULL};
    if (event != NULL)
        *event = NULL;
    if (sort == NULL)
        return DMM_NULL_ARGUMENT;
    if ((status = check_args(sort, queue, args, n, num_wait, wait)) != DMM_OK)
        return status;
    const int by_position = sort->merger.layout.by_position;
    sort_layout l = lay_out(sort, n, dmm_spans_equal(args->values_in, args->values_out));
    TRY(dmm_temp_acquire(&l.temp, sort->merger.ctx->cl, args->temp));
    const dmm_span positions = dmm_temp_span(&l.temp, l.positions);
    const dmm_item_spans in = {args->keys_in, args->values_in};
    const dmm_item_spans out = {args->keys_out, by_position ? positions : args->values_out};
    const dmm_item_spans other = {
        dmm_temp_items(&l.temp, l.keys, sort->merger.layout.key_bytes),
        dmm_temp_span(&l.temp, l.values),
    };
    if (n != 0)
        TRY(sort_items(sort, &chain, in, out, other, dmm_temp_span(&l.temp, l.splits), first, n));
    if (n != 0 && by_position)
        TRY(fetch_values(sort, &chain, args, &l, positions, first, n));
out:
    status = dmm_chain_end(&chain, status, event);
    dmm_temp_release(&l.temp);
    return status;
}

dmm_status dmm_sort_enqueue(dmm_sort *sort, cl_command_queue queue, const dmm_sort_args *args,
    uint64_t n, cl_uint num_wait, const cl_event *wait, cl_event *event)
{
    return dmm_sort_enqueue_from(sort, queue, args, 0, n, num_wait, wait, event);
}
