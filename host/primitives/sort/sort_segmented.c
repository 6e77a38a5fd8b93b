/* SPDX-License-Identifier: MIT */
/*
 * dmm_sort_segmented: sorts tiles segment by segment, then merges the parts of segments that span
 * several tiles (cl/sort/segments.clh). Passes are enqueued for the longest segment, if the caller
 * has said how long it is; else for the longest possible one, since only the device reads offsets.
 */
#include "primitives/sort/sort_segmented.h"

#include "cl/sort/segments_call.clh"
#include "core/check.h"
#include "core/size.h"
#include "primitives/sort/lists.h"

static dmm_status build(dmm_sort_segmented *sort, const dmm_merger_desc *desc)
{
    dmm_status status = DMM_OK;
    dmm_merger *const merger = &sort->merger;
    dmm_options options = {.bytes = 0};
    const dmm_merger_program program = {
        .root = merger->p.cpu ? "cl/sort/segments_cpu.cl" : "cl/sort/segments.cl",
        .partition = "dmm_segments_split",
        .tile = "dmm_segments_merge",
        .options = &options};
    TRY(dmm_offsets_define(&options, sort->desc.offset_type));
    dmm_values_define(&options, &merger->layout, desc->positions, 1);
    TRY(dmm_merger_build(merger, &sort->object, desc, &program));
    TRY(dmm_offsets_init(&sort->offsets, &sort->object, merger->program, sort->desc.offset_type,
        merger->layout.index_bytes));
    TRY(dmm_object_kernel(
        sort, merger->program, "dmm_segments_find", DMM_PARTITION_U, &sort->find));
    TRY(dmm_object_kernel(sort, merger->program, "dmm_segments_tile", merger->p.u, &sort->tile));
out:
    return status;
}

static dmm_status sort_segmented_init(void *object)
{
    dmm_status status = DMM_OK;
    dmm_sort_segmented *const sort = object;
    const dmm_sort_segmented_desc *const desc = &sort->desc;
    const dmm_merger_desc merger = {.word = "sort_segmented",
        .order = &desc->order,
        .tuning = &desc->tuning,
        .value_bytes = desc->value_bytes,
        .positions = desc->argsort != 0,
        .guarantee = desc->guarantee,
        .max_n = desc->max_n,
        /* positions distinguish segments */
        .ties = !dmm_context_is_cpu(sort->object.ctx, &desc->tuning)};
    TRY(dmm_merger_choose(&sort->merger, object, &merger));
    TRY(build(sort, &merger));
    TRY(dmm_mapping_store_init(sort, &sort->store, desc->map, &desc->order, desc->max_n));
out:
    return status;
}

/* Sizes: n items in m segments of at most l items; l = 0: any number. Kernels count offsets in the
 * width of positions. */
static dmm_status sort_segmented_check(const void *object, const dmm_sizes *sizes)
{
    const dmm_sort_segmented *const sort = object;
    const uint64_t most = sort->merger.layout.index_bytes == 4 ? UINT32_MAX : UINT64_MAX;
    return sizes->n > sort->object.max_n || sizes->m >= most ? DMM_TOO_LARGE : DMM_OK;
}

static size_t sort_segmented_ports(
    const void *object, const void *args, const dmm_sizes *sizes, dmm_port ports[DMM_MAX_PORTS])
{
    const dmm_sort_segmented *const sort = object;
    const dmm_sort_segmented_desc *const desc = &sort->desc;
    const uint64_t n = sizes->n, num_offsets = n != 0 ? sizes->m + 1 : 0;
    const uint32_t key = sort->merger.layout.key_bytes, value = desc->value_bytes;
    const uint32_t offset = dmm_type_bytes(desc->offset_type);
    const uint32_t in = dmm_mapping_in(&sort->store.mapping, key);
    const uint8_t pair = in == key;
    const dmm_port list[] = {
        {DMM_READS(dmm_sort_segmented_args, keys_in, n, in), .pair = pair},
        {DMM_READS(dmm_sort_segmented_args, values_in, n, desc->argsort ? 0 : value), .pair = 2},
        {DMM_WRITES(dmm_sort_segmented_args, keys_out, n, key), .pair = pair},
        {DMM_WRITES(dmm_sort_segmented_args, values_out, n, value), .pair = 2},
        {DMM_READS(dmm_sort_segmented_args, offsets, num_offsets, offset)},
        {DMM_WRITES_REPORT(dmm_sort_segmented_args)},
    };
    (void)args;
    return dmm_mapping_ports(&sort->store.mapping, offsetof(dmm_sort_segmented_args, further), n,
        ports, DMM_PORTS(ports, list));
}

enum { BOUNDS = DMM_OWN_REGIONS, SPLITS, FALLEN };

static uint64_t num_tiles(const dmm_sort_segmented *sort, uint64_t n)
{
    return dmm_size_div_up(n, sort->merger.p.tile);
}

static void sort_segmented_lay_out(const void *object, dmm_call *call)
{
    const dmm_sort_segmented *const sort = object;
    const dmm_item_layout *const item = &sort->merger.layout;
    const dmm_parameters *const p = &sort->merger.p;
    const dmm_sort_segmented_args *const args = call->args;
    const uint64_t n = call->sizes.n, tiles = num_tiles(sort, n);
    dmm_lists_lay_out(call, item, n > (p->cpu ? p->E : p->tile),
        args == NULL || dmm_spans_equal(args->values_in, args->values_out));
    dmm_call_region(call, BOUNDS, n != 0 ? tiles + 1 : 0, DMM_BOUND_WORDS * item->index_bytes);
    dmm_call_region(call, SPLITS, dmm_merger_splits(&sort->merger, tiles), item->index_bytes);
    dmm_offsets_lay_out(&sort->offsets, call, FALLEN);
}

/* A call, its lists, and the numbers of its launches, which differ in c.pass. */
typedef struct segments_run {
    const dmm_sort_segmented *sort;
    const dmm_call *call;
    const dmm_sort_segmented_args *args;
    dmm_lists lists;
    dmm_segments_call c;
} segments_run;

/* Returns the keys to sort: those that a map has given are in the output. */
static dmm_span keys_of(const dmm_sort_segmented *sort, const dmm_sort_segmented_args *args)
{
    return sort->store.mapping.inputs != 0 ? args->keys_out : args->keys_in;
}

static segments_run begin(const dmm_sort_segmented *sort, const dmm_call *call)
{
    const dmm_item_layout *const item = &sort->merger.layout;
    const dmm_sort_segmented_args *const args = call->args;
    const dmm_lists lists =
        dmm_lists_of(call, item, (dmm_item_spans){keys_of(sort, args), args->values_in},
            (dmm_item_spans){args->keys_out, args->values_out});
    const dmm_segments_call c = {.in = dmm_list_from(item, lists.in, 0),
        .out = dmm_list_from(item, lists.out, 0),
        .spare = dmm_list_from(item, lists.spare, 0),
        .bounds_at = dmm_span_items(call->regions[BOUNDS], item->index_bytes),
        .splits_at = dmm_span_items(call->regions[SPLITS], item->index_bytes)};
    return (segments_run){sort, call, args, lists, c};
}

/* Checks for decreasing offsets, finds the segments of the tiles, and reports. Without items, only
 * reports. */
static dmm_status find_segments(segments_run *r, dmm_grid grid)
{
    dmm_status status = DMM_OK;
    const dmm_sort_segmented *const sort = r->sort;
    const dmm_span *const regions = r->call->regions;
    const dmm_offset_spans spans = {r->args->offsets, r->args->report_out, regions[FALLEN]};
    TRY(dmm_offsets_check(&sort->offsets, r->call, &spans, r->call->sizes.l, &r->c.by));
    TRY(dmm_call_launch(r->call, sort->find,
        DMM_BUFFERS(
            spans.offsets.buffer, regions[BOUNDS].buffer, spans.fallen.buffer, spans.report.buffer),
        &r->c, sizeof r->c, grid));
out:
    return status;
}

static dmm_status launch(const segments_run *r, cl_kernel kernel, dmm_grid grid)
{
    const dmm_lists *const l = &r->lists;
    return dmm_call_launch(r->call, kernel,
        DMM_BUFFERS(l->in.keys.buffer, l->in.values.buffer, l->out.keys.buffer,
            l->out.values.buffer, l->spare.keys.buffer, l->spare.values.buffer,
            r->args->offsets.buffer, r->call->regions[BOUNDS].buffer,
            r->call->regions[SPLITS].buffer),
        &r->c, sizeof r->c, grid);
}

/* Returns the most levels of a segment (cl/sort/segments.clh). */
static uint32_t count_passes(const dmm_sort_segmented *sort, dmm_sizes sizes)
{
    const uint64_t longest = sizes.l != 0 && sizes.l < sizes.n ? sizes.l : sizes.n;
    const uint64_t crossed = num_tiles(sort, longest - 1), ends = num_tiles(sort, sizes.n) - 1;
    uint32_t passes = 0;
    for (uint64_t tiles = crossed < ends ? crossed : ends; tiles > 0; tiles /= 2)
        passes++;
    return passes;
}

static dmm_status sort_segmented_steps(const void *object, dmm_call *call)
{
    dmm_status status = DMM_OK;
    const dmm_sort_segmented *const sort = object;
    const dmm_merger *const merger = &sort->merger;
    const uint64_t n = call->sizes.n, tiles = num_tiles(sort, n);
    const dmm_grid each = {0, tiles, merger->p.u};
    const dmm_grid one = {0, dmm_size_div_up(tiles + 1, DMM_PARTITION_U), DMM_PARTITION_U};
    segments_run r = begin(sort, call);
    const dmm_mapping_store_spans keys = {
        r.args->keys_in, r.args->keys_out, DMM_NONE, r.args->further};
    if (n != 0 || r.args->report_out.buffer != NULL)
        TRY(find_segments(&r, one));
    if (n == 0)
        goto out;
    TRY(dmm_mapping_store_run(&sort->store, call, &keys));
    TRY(launch(&r, sort->tile, each));
    const uint32_t passes = count_passes(sort, call->sizes);
    while (r.c.pass < passes) {
        r.c.pass++;
        for (r.c.confirms = 0; r.c.confirms <= (dmm_u32)merger->confirms; r.c.confirms++)
            TRY(launch(&r, merger->partition, one));
        TRY(launch(&r, merger->tile, each));
    }
    TRY(dmm_lists_fetch(
        call, merger->gather, &merger->layout, r.args->values_in, r.args->values_out, DMM_NONE));
out:
    return status;
}

const dmm_class dmm_sort_segmented_class = {
    DMM_CLASS(dmm_sort_segmented),
    .word = "sort_segmented",
    .desc_taken = 2,
    .args_taken = 1,
    .init = sort_segmented_init,
    .check = sort_segmented_check,
    .ports = sort_segmented_ports,
    .lay_out = sort_segmented_lay_out,
    .steps = sort_segmented_steps,
};

dmm_status dmm_sort_segmented_create(
    dmm_sort_segmented **out, dmm_context *ctx, const dmm_sort_segmented_desc *desc)
{
    return dmm_object_create(out, ctx, &dmm_sort_segmented_class, desc);
}

void dmm_sort_segmented_free(dmm_sort_segmented *sort)
{
    dmm_object_free(sort);
}

dmm_status dmm_sort_segmented_temp_bytes(uint64_t *out, const dmm_sort_segmented *sort, uint64_t n)
{
    return dmm_object_temp_bytes(out, sort, (dmm_sizes){.n = n});
}

dmm_status dmm_sort_segmented_enqueue(dmm_sort_segmented *sort, cl_command_queue queue,
    const dmm_sort_segmented_args *args, uint64_t n, uint64_t segments, cl_uint num_wait,
    const cl_event *wait, cl_event *event)
{
    const dmm_sizes sizes = {.n = n, .m = segments, .l = sort != NULL ? sort->desc.max_segment : 0};
    return dmm_object_enqueue(sort, queue, args, sizes, num_wait, wait, event);
}

/* Returns the length of the longest segment of host offsets, of those that ascend. */
static uint64_t longest_of(dmm_type type, const void *offsets, size_t segments)
{
    uint64_t longest = 0, end = 0, begin = 0;
    for (size_t i = 0; i <= segments; i++, begin = end) {
        end = type == DMM_U32 ? ((const uint32_t *)offsets)[i] : ((const uint64_t *)offsets)[i];
        if (i > 0 && end > begin && end - begin > longest)
            longest = end - begin;
    }
    return longest;
}

dmm_status dmm_sort_segmented_host(dmm_context *ctx, const dmm_sort_segmented_desc *desc,
    void *keys, void *values, size_t n, const void *offsets, size_t segments)
{
    dmm_sort_segmented_args args = {.temp = DMM_NONE};
    const int is_known = desc != NULL && offsets != NULL && n != 0 &&
                         (desc->offset_type == DMM_U32 || desc->offset_type == DMM_U64);
    const dmm_sizes sizes = {.n = n,
        .m = segments,
        .l = !is_known || desc->max_segment != 0
                 ? (desc != NULL ? desc->max_segment : 0)
                 : longest_of(desc->offset_type, offsets, segments)};
    dmm_report report = {.code = DMM_OK};
    const dmm_host_array arrays[DMM_MAX_PORTS] = {{.from = keys}, {.from = values}, {.to = keys},
        {.to = values}, {.from = offsets}, {.to = &report}};
    return dmm_object_host(ctx, &dmm_sort_segmented_class, desc, &args, sizes, arrays);
}
