/* SPDX-License-Identifier: MIT */
/*
 * Method merge: sorts tiles, then merges pairs of runs in passes that alternate
 * between two buffers. The tile sort writes to the buffer that makes the last pass end in the
 * output: nothing is copied back.
 */
#include "primitives/sort/sort_merge.h"

#include "cl/sort/sort_call.clh"
#include "core/check.h"
#include "core/size.h"
#include "primitives/sort/lists.h"

static dmm_status merge_sort_init(void *object)
{
    dmm_status status = DMM_OK;
    dmm_merge_sort *const sort = object;
    const dmm_sort_desc *const desc = &sort->desc;
    dmm_merger *const merger = &sort->merger;
    dmm_options options = {.bytes = 0};
    const dmm_merger_desc merges = {.word = "sort.merge",
        .order = &desc->order,
        .tuning = &desc->tuning,
        .value_bytes = desc->value_bytes,
        .positions = desc->argsort != 0,
        .guarantee = desc->guarantee,
        .max_n = desc->max_n};
    TRY(dmm_merger_choose(merger, object, &merges));
    dmm_values_define(&options, &merger->layout, merges.positions, 1);
    const dmm_merger_program program = {
        .root = merger->p.cpu ? "cl/sort/sort_cpu.cl" : "cl/sort/sort.cl",
        .partition = "dmm_merge_partition",
        .tile = "dmm_merge_tile",
        .options = &options};
    TRY(dmm_merger_build(merger, object, &merges, &program));
    TRY(dmm_object_kernel(sort, merger->program, "dmm_sort_tile", merger->p.u, &sort->tile));
out:
    return status;
}

static uint32_t count_passes(const dmm_merge_sort *sort, uint64_t n)
{
    uint32_t passes = 0;
    for (uint64_t run = sort->merger.p.tile; run < n; run *= 2)
        passes++;
    return passes;
}

enum { SPLITS = DMM_OWN_REGIONS };

/* Lays out the spare list, unless one network sorts everything, and one split per tile of a
 * pass. */
void dmm_merge_sort_lay_out(const void *object, dmm_call *call)
{
    const dmm_merge_sort *const sort = object;
    const dmm_item_layout *const item = &sort->merger.layout;
    const dmm_parameters *const p = &sort->merger.p;
    const dmm_sort_args *const args = call->args;
    const uint64_t n = call->sizes.n;
    const int merges = count_passes(sort, n) > 0;
    dmm_lists_lay_out(call, item, merges || (p->cpu && n > p->E),
        args == NULL || dmm_spans_equal(args->values_in, args->values_out));
    const uint64_t tiles = merges ? dmm_size_div_up(n, p->tile) : 0;
    dmm_call_region(call, SPLITS, dmm_merger_splits(&sort->merger, tiles), item->index_bytes);
}

static dmm_status sort_tiles(
    const dmm_merge_sort *sort, const dmm_call *call, const dmm_lists *lists, dmm_span count)
{
    const dmm_item_layout *const item = &sort->merger.layout;
    const dmm_parameters *const p = &sort->merger.p;
    const uint64_t first = call->sizes.first, n = call->sizes.n;
    const dmm_item_spans *const in = &lists->in, *out = &lists->out, *spare = &lists->spare;
    const dmm_sort_call c = {.in = dmm_list_from(item, *in, first),
        .out = dmm_list_from(item, *out, first),
        .spare = dmm_list_from(item, *spare, first),
        .first = first,
        .end = first + n,
        .count_at = dmm_span_items(count, DMM_COUNT_BYTES)};
    return dmm_call_launch(call, sort->tile,
        DMM_BUFFERS(in->keys.buffer, in->values.buffer, out->keys.buffer, out->values.buffer,
            spare->keys.buffer, spare->values.buffer, count.buffer),
        &c, sizeof c, (dmm_grid){first / p->tile, dmm_size_div_up(n, p->tile), p->u});
}

/* Enqueues the tile sort and the passes; the last one writes to the output. */
dmm_status dmm_merge_sort_steps(const void *object, dmm_call *call)
{
    dmm_status status = DMM_OK;
    const dmm_merge_sort *const sort = object;
    const dmm_merger *const merger = &sort->merger;
    const dmm_sort_args *const args = call->args;
    const uint64_t n = call->sizes.n;
    const int odd = count_passes(sort, n) % 2 != 0;
    const dmm_lists lists =
        dmm_lists_of(call, &merger->layout, (dmm_item_spans){args->keys_in, args->values_in},
            (dmm_item_spans){args->keys_out, args->values_out});
    dmm_item_spans from = odd ? lists.spare : lists.out, to = odd ? lists.out : lists.spare;
    if (n == 0)
        goto out;
    TRY(sort_tiles(sort, call, &(dmm_lists){lists.in, from, to}, args->count));
    for (uint64_t run = merger->p.tile; run < n; run *= 2) {
        const dmm_pass pass = {.a = from,
            .b = from,
            .out = to,
            .splits = call->regions[SPLITS],
            .count = args->count,
            .first = call->sizes.first,
            .n = n,
            .run = run,
            .span = 2 * run};
        TRY(dmm_merger_pass(merger, call, &pass));
        const dmm_item_spans swapped = from;
        from = to;
        to = swapped;
    }
    TRY(dmm_lists_fetch(
        call, merger->gather, &merger->layout, args->values_in, args->values_out, args->count));
out:
    return status;
}

const dmm_class dmm_merge_sort_class = {
    DMM_MERGE_SORT_CLASS,
    .word = "sort.merge",
    .init = merge_sort_init,
};
