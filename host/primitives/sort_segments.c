/* SPDX-License-Identifier: MIT */
/*
 * Segments as a method of dmm_sort: tiles are sorted segment by segment, then passes merge what a
 * segment has in several tiles (cl/sort/segments.clh). How far that goes is seen on the device; passes
 * are enqueued for the longest segment that there can be.
 */
#include "primitives/sort.h"

#include "core/check.h"
#include "core/size.h"

enum { BOUND_WORDS = 3 };

static dmm_status segments_init(dmm_sort *sort)
{
    dmm_status status = DMM_OK;
    const dmm_sort_desc *desc = &sort->desc;
    dmm_segment_sort *by = &sort->by.segments;
    dmm_programs *programs = &sort->ctx->programs;
    const dmm_merger_desc merger = {.order = &desc->order,
        .word = "sort_segmented",
        .tuning = &desc->tuning,
        .value_bytes = desc->value_bytes,
        .positions = desc->argsort != 0,
        .sorts = 1,
        .offset_bytes = sort->offset_bytes,
        .guarantee = desc->guarantee,
        .max_n = desc->max_n};
    TRY(dmm_merger_init(&by->merger, sort->ctx, &merger));
    TRY(dmm_programs_kernel(
        programs, by->merger.program, "dmm_segments_find", DMM_PARTITION_U, &by->find));
    TRY(dmm_programs_kernel(
        programs, by->merger.program, "dmm_segments_tile", by->merger.p.u, &by->tile));
    sort->layout = by->merger.layout;
    sort->max_n = by->merger.max_n;
    sort->gather = by->merger.gather;
out:
    return status;
}

static void segments_destroy(dmm_sort *sort)
{
    const cl_kernel kernels[] = {sort->by.segments.find, sort->by.segments.tile};
    for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++)
        if (kernels[i] != NULL)
            clReleaseKernel(kernels[i]);
    dmm_merger_destroy(&sort->by.segments.merger);
}

static int segments_needs_spare(const dmm_sort *sort, uint64_t n)
{
    const dmm_parameters *p = &sort->by.segments.merger.p;
    return n > (p->cpu ? p->E : p->tile);
}

static uint64_t num_tiles(const dmm_sort *sort, uint64_t n)
{
    return dmm_size_div_up(n, sort->by.segments.merger.p.tile);
}

/* Bounds of the tiles, and of one more, and then the splits. */
static uint64_t bounds_bytes(const dmm_sort *sort, uint64_t n)
{
    return dmm_size_mul(num_tiles(sort, n) + 1, BOUND_WORDS * sort->layout.index_bytes);
}

static uint64_t segments_scratch_bytes(const dmm_sort *sort, uint64_t n)
{
    return dmm_size_add(
        bounds_bytes(sort, n), dmm_size_mul(num_tiles(sort, n), sort->layout.index_bytes));
}

static dmm_status launch(const dmm_sort *sort, dmm_chain *chain, cl_kernel kernel,
    const dmm_sort_call *call, cl_uint pass, dmm_grid grid)
{
    const dmm_segment_sort *by = &sort->by.segments;
    const dmm_item_layout *item = &sort->layout;
    const dmm_item_spans lists[3] = {call->in, call->out, call->spare};
    const dmm_span bounds = call->scratch;
    const cl_ulong bounds_at = dmm_span_items(bounds, item->index_bytes);
    const cl_ulong splits_at = bounds_at + bounds_bytes(sort, call->n) / item->index_bytes;
    const cl_ulong offsets_at = dmm_span_items(by->offsets, sort->offset_bytes);
    const cl_ulong count = by->num_offsets, n = call->n;
    cl_uint narrow = 0;
    cl_ulong keys[3], values[3];
    for (int i = 0; i < 3; i++) {
        keys[i] = dmm_span_items(lists[i].keys, item->key_bytes);
        values[i] = dmm_span_items(lists[i].values, item->moved_bytes);
    }
    const dmm_arg args[] = {DMM_ARG_SPAN(lists[0].keys, keys[0]),
        DMM_ARG_SPAN(lists[0].values, values[0]), DMM_ARG_SPAN(lists[1].keys, keys[1]),
        DMM_ARG_SPAN(lists[1].values, values[1]), DMM_ARG_SPAN(lists[2].keys, keys[2]),
        DMM_ARG_SPAN(lists[2].values, values[2]), DMM_ARG_SPAN(by->offsets, offsets_at),
        DMM_ARG_SPAN(bounds, bounds_at), DMM_ARG_SPAN(bounds, splits_at), DMM_ARG(count),
        dmm_index_arg(item, &n, &narrow), DMM_ARG(pass)};
    return dmm_chain_launch(chain, kernel, args, sizeof args / sizeof *args, grid);
}

static dmm_status segments_sort(const dmm_sort *sort, dmm_chain *chain, const dmm_sort_call *call)
{
    dmm_status status = DMM_OK;
    const dmm_segment_sort *by = &sort->by.segments;
    const uint64_t tiles = num_tiles(sort, call->n);
    const dmm_grid each = {0, tiles, by->merger.p.u};
    const dmm_grid one = {0, dmm_size_div_up(tiles + 1, DMM_PARTITION_U), DMM_PARTITION_U};
    cl_uint pass = 0;
    TRY(launch(sort, chain, by->find, call, pass, one));
    TRY(launch(sort, chain, by->tile, call, pass, each));
    for (uint64_t run = by->merger.p.tile; run < call->n; run *= 2) {
        pass++;
        TRY(launch(sort, chain, by->merger.partition, call, pass, one));
        TRY(launch(sort, chain, by->merger.tile, call, pass, each));
    }
out:
    return status;
}

const dmm_sort_steps dmm_sort_by_segments = {
    segments_init, segments_needs_spare, segments_scratch_bytes, segments_sort, segments_destroy};
