/* SPDX-License-Identifier: MIT */
/*
 * Segments as a method of dmm_sort: tiles are sorted segment by segment, then passes merge what a
 * segment has in several tiles (cl/sort/segments.clh). How far that goes is seen on the device; passes
 * are enqueued for the longest segment that there can be.
 */
#include "primitives/sort.h"

#include <string.h>

#include "core/check.h"
#include "core/size.h"

enum { BOUND_WORDS = 3, MAX_MORE = 8 };
/* Work-items that look for offsets that fall: few, since each tile reads what they found. */
enum { CHECK_MOST_GROUPS = 16, CHECK_OFFSETS_A_GROUP = 1024 };

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
        programs, by->merger.program, "dmm_segments_check", DMM_PARTITION_U, &by->check));
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
    const cl_kernel kernels[] = {
        sort->by.segments.check, sort->by.segments.find, sort->by.segments.tile};
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

/* Bounds of the tiles, and of one more; then the splits; then what the check found. */
static uint64_t bounds_bytes(const dmm_sort *sort, uint64_t n)
{
    return dmm_size_mul(num_tiles(sort, n) + 1, BOUND_WORDS * sort->layout.index_bytes);
}

static uint64_t splits_bytes(const dmm_sort *sort, uint64_t n)
{
    return dmm_size_mul(num_tiles(sort, n), sort->layout.index_bytes);
}

static uint64_t segments_scratch_bytes(const dmm_sort *sort, uint64_t n)
{
    const uint64_t fallen_bytes =
        (uint64_t)CHECK_MOST_GROUPS * DMM_PARTITION_U * sort->layout.index_bytes;
    return dmm_size_add(dmm_size_add(bounds_bytes(sort, n), splits_bytes(sort, n)), fallen_bytes);
}

/* Where the regions of scratch begin, in indices of its buffer. */
typedef struct scratch_at {
    cl_ulong bounds, splits, fallen;
} scratch_at;

static scratch_at scratch_of(const dmm_sort *sort, const dmm_sort_call *call)
{
    const uint32_t bytes = sort->layout.index_bytes;
    const cl_ulong bounds = dmm_span_items(call->scratch, bytes);
    const cl_ulong splits = bounds + bounds_bytes(sort, call->n) / bytes;
    return (scratch_at){bounds, splits, splits + splits_bytes(sort, call->n) / bytes};
}

/* The parameters of all kernels but the check, and `more` behind them. */
static dmm_status launch(const dmm_sort *sort, dmm_chain *chain, cl_kernel kernel,
    const dmm_sort_call *call, cl_uint pass, dmm_grid grid, const dmm_arg *more, cl_uint num_more)
{
    const dmm_segment_sort *by = &sort->by.segments;
    const dmm_item_layout *item = &sort->layout;
    const dmm_item_spans lists[3] = {call->in, call->out, call->spare};
    const scratch_at at = scratch_of(sort, call);
    const cl_ulong offsets_at = dmm_span_items(by->offsets, sort->offset_bytes);
    const cl_ulong count = by->num_offsets, n = call->n;
    cl_uint narrow = 0;
    cl_ulong keys[3], values[3];
    for (int i = 0; i < 3; i++) {
        keys[i] = dmm_span_items(lists[i].keys, item->key_bytes);
        values[i] = dmm_span_items(lists[i].values, item->moved_bytes);
    }
    const dmm_arg common[] = {DMM_ARG_SPAN(lists[0].keys, keys[0]),
        DMM_ARG_SPAN(lists[0].values, values[0]), DMM_ARG_SPAN(lists[1].keys, keys[1]),
        DMM_ARG_SPAN(lists[1].values, values[1]), DMM_ARG_SPAN(lists[2].keys, keys[2]),
        DMM_ARG_SPAN(lists[2].values, values[2]), DMM_ARG_SPAN(by->offsets, offsets_at),
        DMM_ARG_SPAN(call->scratch, at.bounds), DMM_ARG_SPAN(call->scratch, at.splits),
        DMM_ARG(count), dmm_index_arg(item, &n, &narrow), DMM_ARG(pass)};
    const cl_uint num_common = sizeof common / sizeof *common;
    dmm_arg args[MAX_MORE + sizeof common / sizeof *common];
    memcpy(args, common, sizeof common);
    if (num_more != 0)
        memcpy(args + num_common, more, num_more * sizeof *more);
    return dmm_chain_launch(chain, kernel, args, num_common + num_more, grid);
}

/* Looks for offsets that fall, in as many work-items as it returns. */
static dmm_status check_offsets(
    const dmm_sort *sort, dmm_chain *chain, const dmm_sort_call *call, cl_uint *work_items)
{
    const dmm_segment_sort *by = &sort->by.segments;
    const scratch_at at = scratch_of(sort, call);
    const cl_ulong offsets_at = dmm_span_items(by->offsets, sort->offset_bytes);
    const cl_ulong count = by->num_offsets, n = call->n;
    const uint64_t wanted = dmm_size_div_up(count, CHECK_OFFSETS_A_GROUP);
    const uint64_t groups = wanted < CHECK_MOST_GROUPS ? wanted : CHECK_MOST_GROUPS;
    const dmm_grid grid = {0, groups, DMM_PARTITION_U};
    cl_uint narrow = 0;
    const dmm_arg args[] = {DMM_ARG_SPAN(by->offsets, offsets_at), DMM_ARG(count),
        dmm_index_arg(&sort->layout, &n, &narrow), DMM_ARG_SPAN(call->scratch, at.fallen)};
    *work_items = (cl_uint)groups * DMM_PARTITION_U;
    return dmm_chain_launch(chain, by->check, args, sizeof args / sizeof *args, grid);
}

/* Finds the segments of the tiles, by what so many work-items of the check found, and reports. */
static dmm_status find_segments(const dmm_sort *sort, dmm_chain *chain, const dmm_sort_call *call,
    cl_uint checked, dmm_grid grid)
{
    const dmm_segment_sort *by = &sort->by.segments;
    const scratch_at at = scratch_of(sort, call);
    const cl_ulong report_at = dmm_span_items(by->report, sizeof(cl_ulong));
    const cl_uint code = DMM_BAD_DATA, reports = by->report.buffer != NULL;
    const dmm_arg more[] = {DMM_ARG_SPAN(call->scratch, at.fallen), DMM_ARG(checked), DMM_ARG(code),
        DMM_ARG_SPAN(by->report, report_at), DMM_ARG(reports)};
    return launch(sort, chain, by->find, call, 0, grid, more, sizeof more / sizeof *more);
}

dmm_status dmm_segments_report_none(const dmm_sort *sort, dmm_chain *chain)
{
    const dmm_sort_call none = {.n = 0};
    return find_segments(sort, chain, &none, 0, (dmm_grid){0, 1, DMM_PARTITION_U});
}

static dmm_status segments_sort(const dmm_sort *sort, dmm_chain *chain, const dmm_sort_call *call)
{
    dmm_status status = DMM_OK;
    const dmm_segment_sort *by = &sort->by.segments;
    const uint64_t tiles = num_tiles(sort, call->n);
    const dmm_grid each = {0, tiles, by->merger.p.u};
    const dmm_grid one = {0, dmm_size_div_up(tiles + 1, DMM_PARTITION_U), DMM_PARTITION_U};
    cl_uint pass = 0, checked = 0;
    TRY(check_offsets(sort, chain, call, &checked));
    TRY(find_segments(sort, chain, call, checked, one));
    TRY(launch(sort, chain, by->tile, call, pass, each, NULL, 0));
    for (uint64_t run = by->merger.p.tile; run < call->n; run *= 2) {
        pass++;
        TRY(launch(sort, chain, by->merger.partition, call, pass, one, NULL, 0));
        TRY(launch(sort, chain, by->merger.tile, call, pass, each, NULL, 0));
    }
out:
    return status;
}

const dmm_sort_steps dmm_sort_by_segments = {
    segments_init, segments_needs_spare, segments_scratch_bytes, segments_sort, segments_destroy};
