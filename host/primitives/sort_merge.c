/* SPDX-License-Identifier: MIT */
/*
 * Methods merge, matrix and shear: tiles are sorted by themselves, then passes merge pairs of runs,
 * from one of two buffers to the other. The tile sort writes to whichever buffer makes the last pass
 * end in the output, so that nothing is ever copied back.
 */
#include "primitives/sort.h"

#include "core/check.h"
#include "core/size.h"
#include "primitives/sort_matrix.h"

static dmm_status merge_init(dmm_sort *sort)
{
    dmm_status status = DMM_OK;
    const dmm_sort_desc *desc = &sort->desc;
    dmm_merge_sort *by = &sort->by.merge;
    const int matrix = dmm_sorts_matrix(desc->method);
    dmm_tuning tuning = desc->tuning;
    FAIL_IF(matrix && tuning.form == DMM_FORM_CPU, DMM_UNSUPPORTED);
    if (matrix)
        tuning.form = DMM_FORM_GPU;
    const dmm_merger_desc merger = {.order = &desc->order,
        .method = desc->method,
        .word = matrix ? NULL : "sort.merge",
        .tuning = &tuning,
        .value_bytes = desc->value_bytes,
        .positions = desc->argsort != 0,
        .sorts = 1,
        .guarantee = desc->guarantee,
        .max_n = desc->max_n};
    TRY(dmm_merger_init(&by->merger, sort->ctx, &merger));
    TRY(dmm_programs_kernel(&sort->ctx->programs, by->merger.program,
        matrix ? "dmm_sort_matrix" : "dmm_sort_tile", by->merger.p.u, &by->tile));
    sort->layout = by->merger.layout;
    sort->max_n = by->merger.max_n;
    sort->gather = by->merger.gather;
out:
    return status;
}

static void merge_destroy(dmm_sort *sort)
{
    if (sort->by.merge.tile != NULL)
        clReleaseKernel(sort->by.merge.tile);
    dmm_merger_destroy(&sort->by.merge.merger);
}

static uint32_t count_passes(const dmm_sort *sort, uint64_t n)
{
    uint32_t passes = 0;
    for (uint64_t run = sort->by.merge.merger.p.tile; run < n; run *= 2)
        passes++;
    return passes;
}

static int merge_needs_spare(const dmm_sort *sort, uint64_t n)
{
    const dmm_parameters *p = &sort->by.merge.merger.p;
    return count_passes(sort, n) > 0 || (p->cpu && n > p->E);
}

/* One split a tile of a pass. */
static uint64_t merge_scratch_bytes(const dmm_sort *sort, uint64_t n)
{
    const uint64_t tiles = dmm_size_div_up(n, sort->by.merge.merger.p.tile);
    return count_passes(sort, n) > 0 ? dmm_size_mul(tiles, sort->layout.index_bytes) : 0;
}

static dmm_status sort_tiles(const dmm_sort *sort, dmm_chain *chain, const dmm_item_spans spans[3],
    const dmm_sort_call *call)
{
    const dmm_item_layout *item = &sort->layout;
    const dmm_parameters *p = &sort->by.merge.merger.p;
    const uint64_t first = call->first, n = call->n;
    const cl_ulong end = first + n, count_at = dmm_span_items(call->count, DMM_COUNT_BYTES);
    cl_uint narrow = 0;
    cl_ulong keys[3], values[3];
    for (int i = 0; i < 3; i++) {
        keys[i] = dmm_span_items(spans[i].keys, item->key_bytes) - first;
        values[i] = dmm_span_items(spans[i].values, item->moved_bytes) - first;
    }
    const dmm_arg args[] = {DMM_ARG_SPAN(spans[0].keys, keys[0]),
        DMM_ARG_SPAN(spans[0].values, values[0]), DMM_ARG_SPAN(spans[1].keys, keys[1]),
        DMM_ARG_SPAN(spans[1].values, values[1]), DMM_ARG_SPAN(spans[2].keys, keys[2]),
        DMM_ARG_SPAN(spans[2].values, values[2]), dmm_index_arg(item, &end, &narrow),
        DMM_ARG_SPAN(call->count, count_at)};
    return dmm_chain_launch(chain, sort->by.merge.tile, args, sizeof args / sizeof *args,
        (dmm_grid){first / p->tile, dmm_size_div_up(n, p->tile), p->u});
}

/* The tile sort and the passes; the last one writes to the output. */
static dmm_status merge_sort(const dmm_sort *sort, dmm_chain *chain, const dmm_sort_call *call)
{
    dmm_status status = DMM_OK;
    const dmm_merger *merger = &sort->by.merge.merger;
    const int odd = count_passes(sort, call->n) % 2 != 0;
    dmm_item_spans from = odd ? call->spare : call->out, to = odd ? call->out : call->spare;
    TRY(sort_tiles(sort, chain, (dmm_item_spans[]){call->in, from, to}, call));
    for (uint64_t run = merger->p.tile; run < call->n; run *= 2) {
        const dmm_pass pass = {.a = from,
            .b = from,
            .out = to,
            .splits = call->scratch,
            .count = call->count,
            .first = call->first,
            .n = call->n,
            .run = run,
            .span = 2 * run};
        TRY(dmm_merger_pass(merger, chain, &pass));
        const dmm_item_spans swapped = from;
        from = to;
        to = swapped;
    }
out:
    return status;
}

const dmm_sort_steps dmm_sort_by_merge = {
    merge_init, merge_needs_spare, merge_scratch_bytes, merge_sort, merge_destroy};
