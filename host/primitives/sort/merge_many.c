/* SPDX-License-Identifier: MIT */
/*
 * dmm_merge_many: finds the runs of the call and a tree of merges, sorts tiles in which several
 * lists begin, then merges level by level (cl/sort/merge_many.clh). Only the device knows the
 * lists' lengths, so passes are enqueued for the highest tree.
 */
#include <dmm/merge_many.h>

#include "cl/sort/merge_many_call.clh"
#include "core/check.h"
#include "core/size.h"
#include "primitives/scan_part.h"
#include "primitives/sort/lists.h"
#include "primitives/sort/merger.h"
#include "primitives/sort/offsets.h"

struct dmm_merge_many {
    dmm_object object;
    dmm_merge_many_desc desc;
    dmm_merger merger; /* its kernels split and merge the jobs of a level */
    dmm_offsets offsets;
    cl_kernel cut, place, middle, levels, plan, tile;
    cl_kernel alone; /* NULL in the GPU form */
    dmm_scan *scan;
    int makes_positions; /* values in the input are positions, of which a list is made in temp */
};

/* MOST_PLANNED, MOST_PLANNED_CPU: most tiles whose runs and tree one work-item finds. */
enum { MOST_LISTS = 1 << (DMM_MANY_MOST_LEVELS - 1), MOST_PLANNED = 1, MOST_PLANNED_CPU = 16 };

static dmm_status build(dmm_merge_many *merge, const dmm_merger_desc *desc)
{
    dmm_status status = DMM_OK;
    dmm_merger *const merger = &merge->merger;
    dmm_options options = {.bytes = 0};
    const dmm_merger_program program = {
        .root = merger->p.cpu ? "cl/sort/merge_many_cpu.cl" : "cl/sort/merge_many.cl",
        .partition = "dmm_many_split",
        .tile = "dmm_many_merge",
        .options = &options};
    TRY(dmm_offsets_define(&options, merge->desc.offset_type));
    dmm_values_define(&options, &merger->layout, desc->positions, 1);
    TRY(dmm_merger_build(merger, &merge->object, desc, &program));
    TRY(dmm_offsets_init(&merge->offsets, &merge->object, merger->program, merge->desc.offset_type,
        merger->layout.index_bytes));
    const struct {
        const char *name;
        cl_kernel *kernel;
    } each[] = {{"dmm_many_cut", &merge->cut}, {"dmm_many_place", &merge->place},
        {"dmm_many_middle", &merge->middle}, {"dmm_many_levels", &merge->levels}};
    for (size_t i = 0; i < sizeof each / sizeof *each; i++)
        TRY(dmm_object_kernel(
            merge, merger->program, each[i].name, DMM_PARTITION_U, each[i].kernel));
    TRY(dmm_object_kernel(merge, merger->program, "dmm_many_plan", 1, &merge->plan));
    TRY(dmm_object_kernel(merge, merger->program, "dmm_many_tile", merger->p.u, &merge->tile));
    if (merger->p.cpu)
        TRY(dmm_object_kernel(
            merge, merger->program, "dmm_many_alone", merger->p.u, &merge->alone));
    TRY(dmm_scan_part(merge, &merge->scan, merger->layout.index_bytes,
        merge->object.max_n / merger->p.tile + 2, merger->p.cpu));
out:
    return status;
}

static dmm_status merge_many_init(void *object)
{
    dmm_status status = DMM_OK;
    dmm_merge_many *const merge = object;
    const dmm_merge_many_desc *const desc = &merge->desc;
    const dmm_merger_desc merger = {.word = "merge_many",
        .order = &desc->order,
        .tuning = &desc->tuning,
        .value_bytes = desc->value_bytes,
        .positions = desc->argsort != 0,
        .guarantee = desc->guarantee,
        .max_n = desc->max_n};
    TRY(dmm_merger_choose(&merge->merger, object, &merger));
    merge->makes_positions = desc->argsort || merge->merger.layout.by_position;
    TRY(build(merge, &merger));
out:
    return status;
}

/* Sizes: n items in m lists. */
static dmm_status merge_many_check(const void *object, const dmm_sizes *sizes)
{
    const dmm_merge_many *const merge = object;
    const int too_large = sizes->n > merge->object.max_n || sizes->m > MOST_LISTS;
    return too_large ? DMM_TOO_LARGE : DMM_OK;
}

static size_t merge_many_ports(
    const void *object, const void *args, const dmm_sizes *sizes, dmm_port ports[DMM_MAX_PORTS])
{
    const dmm_merge_many *const merge = object;
    const dmm_merge_many_desc *const desc = &merge->desc;
    const uint64_t n = sizes->n, num_offsets = n != 0 ? sizes->m + 1 : 0;
    const uint32_t key = merge->merger.layout.key_bytes, value = desc->value_bytes;
    const uint32_t offset = merge->offsets.offset_bytes;
    const dmm_port list[] = {
        {DMM_READS(dmm_merge_many_args, keys_in, n, key)},
        {DMM_READS(dmm_merge_many_args, values_in, n, desc->argsort ? 0 : value)},
        {DMM_WRITES(dmm_merge_many_args, keys_out, n, key)},
        {DMM_WRITES(dmm_merge_many_args, values_out, n, value)},
        {DMM_READS(dmm_merge_many_args, offsets, num_offsets, offset)},
        {DMM_WRITES_REPORT(dmm_merge_many_args)},
    };
    (void)args;
    return DMM_PORTS(ports, list);
}

enum { MADE = DMM_OWN_REGIONS, FALLEN, TILES, COUNTS, RUNS, MIDDLES, SPLITS, SCAN };

static uint64_t num_tiles(const dmm_merge_many *merge, uint64_t n)
{
    return dmm_size_div_up(n, merge->merger.p.tile);
}

/* Returns an upper bound of the runs of a call, or of those that lists have. */
static uint64_t most_runs(const dmm_merge_many *merge, const dmm_call *call, uint64_t lists)
{
    const uint64_t by_tiles = 2 * num_tiles(merge, call->sizes.n) + 1;
    return lists < by_tiles ? lists : by_tiles;
}

/* Returns the height of the tree: 1 + ceil(log2(runs)). A single tile is one run, and the middles
 * of two runs are on either side of 1/2. */
static uint32_t most_levels(const dmm_merge_many *merge, const dmm_call *call)
{
    const uint64_t runs = most_runs(merge, call, call->sizes.m);
    uint32_t levels = runs > 2;
    if (num_tiles(merge, call->sizes.n) <= 1)
        return 0;
    for (uint64_t reached = 1; reached < runs; reached *= 2)
        levels++;
    return levels;
}

static void merge_many_lay_out(const void *object, dmm_call *call)
{
    const dmm_merge_many *const merge = object;
    const dmm_item_layout *const item = &merge->merger.layout;
    const uint64_t n = call->sizes.n, tiles = num_tiles(merge, n), some = n != 0;
    const uint64_t runs = most_runs(merge, call, call->sizes.m + 2);
    dmm_lists_lay_out(call, item, call->sizes.m != 0, 0);
    dmm_call_region(call, MADE, merge->makes_positions ? n : 0, item->moved_bytes);
    dmm_offsets_lay_out(&merge->offsets, call, FALLEN);
    dmm_call_region(call, TILES, some * (tiles + 1), DMM_MANY_WORDS * item->index_bytes);
    dmm_call_region(call, COUNTS, some * (tiles + 1), item->index_bytes);
    dmm_call_region(call, RUNS, some * (runs + 1), DMM_RUN_WORDS * item->index_bytes);
    dmm_call_region(call, MIDDLES, some * (DMM_RUNS_MIDDLE + runs), sizeof(dmm_u64));
    dmm_call_region(call, SPLITS, dmm_merger_splits(&merge->merger, tiles), item->index_bytes);
    dmm_call_part_region(call, SCAN, merge->scan, (dmm_sizes){.n = some * (tiles + 1)});
}

/* A call, its lists, and the numbers of its launches, which differ in c.level and c.confirms. */
typedef struct many_run {
    const dmm_merge_many *merge;
    const dmm_call *call;
    const dmm_merge_many_args *args;
    dmm_lists lists;
    dmm_many_call c;
} many_run;

static many_run begin(const dmm_merge_many *merge, const dmm_call *call)
{
    const dmm_item_layout *const item = &merge->merger.layout;
    const dmm_merge_many_args *const args = call->args;
    const dmm_span *const regions = call->regions;
    const dmm_span values = merge->makes_positions ? regions[MADE] : args->values_in;
    const dmm_lists lists = dmm_lists_of(call, item, (dmm_item_spans){args->keys_in, values},
        (dmm_item_spans){args->keys_out, args->values_out});
    const dmm_many_call c = {.in = dmm_list_from(item, lists.in, 0),
        .out = dmm_list_from(item, lists.out, 0),
        .spare = dmm_list_from(item, lists.spare, 0),
        .tiles_at = dmm_span_items(regions[TILES], item->index_bytes),
        .counts_at = dmm_span_items(regions[COUNTS], item->index_bytes),
        .runs_at = dmm_span_items(regions[RUNS], item->index_bytes),
        .middles_at = dmm_span_items(regions[MIDDLES], sizeof(dmm_u64)),
        .splits_at = dmm_span_items(regions[SPLITS], item->index_bytes),
        .most_runs = most_runs(merge, call, call->sizes.m + 2),
        .levels = most_levels(merge, call)};
    return (many_run){merge, call, args, lists, c};
}

static dmm_grid grid_of(uint64_t items)
{
    return (dmm_grid){0, dmm_size_div_up(items, DMM_PARTITION_U), DMM_PARTITION_U};
}

/* The buffers of DMM_MANY_BUFFERS. */
#define MANY_BUFFERS(r)                                                                 \
    (r)->lists.in.keys.buffer, (r)->lists.in.values.buffer, (r)->lists.out.keys.buffer, \
        (r)->lists.out.values.buffer, (r)->lists.spare.keys.buffer,                     \
        (r)->lists.spare.values.buffer, (r)->args->offsets.buffer,                      \
        (r)->call->regions[TILES].buffer, (r)->call->regions[COUNTS].buffer,            \
        (r)->call->regions[RUNS].buffer, (r)->call->regions[MIDDLES].buffer,            \
        (r)->call->regions[SPLITS].buffer

static dmm_status launch(const many_run *r, cl_kernel kernel, dmm_grid grid)
{
    return dmm_call_launch(r->call, kernel, DMM_BUFFERS(MANY_BUFFERS(r)), &r->c, sizeof r->c, grid);
}

static dmm_offset_spans offset_spans(const many_run *r)
{
    return (dmm_offset_spans){r->args->offsets, r->args->report_out, r->call->regions[FALLEN]};
}

/* Enqueues all of a call that fills one tile at most. */
static dmm_status merge_alone(many_run *r)
{
    const dmm_lists *const l = &r->lists;
    const dmm_offset_spans spans = offset_spans(r);
    r->c.by = dmm_offsets_call_of(&r->merge->offsets, r->call, &spans);
    return dmm_call_launch(r->call, r->merge->alone,
        DMM_BUFFERS(l->in.keys.buffer, l->in.values.buffer, l->out.keys.buffer,
            l->out.values.buffer, l->spare.keys.buffer, l->spare.values.buffer,
            spans.offsets.buffer, spans.report.buffer),
        &r->c, sizeof r->c, (dmm_grid){0, 1, r->merge->merger.p.u});
}

/* Reports, and finds the runs and the tree by a launch for each step of it. */
static dmm_status find_runs(const many_run *r, const dmm_offset_spans *spans)
{
    dmm_status status = DMM_OK;
    const dmm_merge_many *const merge = r->merge;
    const dmm_call *const call = r->call;
    const dmm_span *const regions = call->regions;
    const uint64_t tiles = num_tiles(merge, call->sizes.n);
    const dmm_grid each_run = grid_of(most_runs(merge, call, call->sizes.m + 2));
    TRY(dmm_call_launch(call, merge->cut,
        DMM_BUFFERS(spans->offsets.buffer, regions[TILES].buffer, regions[COUNTS].buffer,
            regions[MIDDLES].buffer, spans->fallen.buffer, spans->report.buffer),
        &r->c, sizeof r->c, grid_of(tiles + 1)));
    if (tiles == 0)
        goto out;
    TRY(dmm_scan_counts(merge->scan, call, regions[COUNTS], tiles + 1, regions[SCAN]));
    TRY(launch(r, merge->place, grid_of(tiles)));
    TRY(launch(r, merge->middle, each_run));
    TRY(launch(r, merge->levels, each_run));
out:
    return status;
}

/* Checks for decreasing offsets, reports, and finds the runs and the tree, if there are items. */
static dmm_status plan(many_run *r)
{
    dmm_status status = DMM_OK;
    const dmm_merge_many *const merge = r->merge;
    const dmm_offset_spans spans = offset_spans(r);
    const uint64_t tiles = num_tiles(merge, r->call->sizes.n);
    const uint64_t few = merge->merger.p.cpu ? MOST_PLANNED_CPU : MOST_PLANNED;
    TRY(dmm_offsets_check(&merge->offsets, r->call, &spans, 0, &r->c.by));
    if (tiles == 0 || tiles > few)
        TRY(find_runs(r, &spans));
    else
        TRY(dmm_call_launch(r->call, merge->plan,
            DMM_BUFFERS(MANY_BUFFERS(r), spans.fallen.buffer, spans.report.buffer), &r->c,
            sizeof r->c, (dmm_grid){0, 1, 1}));
out:
    return status;
}

/* Enqueues the merges, level by level. */
static dmm_status merge_levels(many_run *r)
{
    dmm_status status = DMM_OK;
    const dmm_merger *const merger = &r->merge->merger;
    const uint64_t tiles = num_tiles(r->merge, r->call->sizes.n);
    const dmm_grid each = {0, tiles, merger->p.u};
    TRY(launch(r, r->merge->tile, each));
    for (uint32_t level = r->c.levels; level-- > 0;) {
        r->c.level = level;
        for (r->c.confirms = 0; r->c.confirms <= (dmm_u32)merger->confirms; r->c.confirms++)
            TRY(launch(r, merger->partition, grid_of(tiles + 1)));
        TRY(launch(r, merger->tile, each));
    }
out:
    return status;
}

static dmm_status merge_many_steps(const void *object, dmm_call *call)
{
    dmm_status status = DMM_OK;
    const dmm_merge_many *const merge = object;
    const dmm_merger *const merger = &merge->merger;
    const uint64_t n = call->sizes.n;
    const int alone = merge->alone != NULL && n != 0 && num_tiles(merge, n) == 1;
    many_run r = begin(merge, call);
    if (!alone && (n != 0 || r.args->report_out.buffer != NULL))
        TRY(plan(&r));
    if (n == 0)
        goto out;
    TRY(alone ? merge_alone(&r) : merge_levels(&r));
    TRY(dmm_lists_fetch(
        call, merger->gather, &merger->layout, r.args->values_in, r.args->values_out, DMM_NONE));
out:
    return status;
}

const dmm_class dmm_merge_many_class = {
    DMM_CLASS(dmm_merge_many),
    .word = "merge_many",
    .init = merge_many_init,
    .check = merge_many_check,
    .ports = merge_many_ports,
    .lay_out = merge_many_lay_out,
    .steps = merge_many_steps,
};

dmm_status dmm_merge_many_create(
    dmm_merge_many **out, dmm_context *ctx, const dmm_merge_many_desc *desc)
{
    return dmm_object_create(out, ctx, &dmm_merge_many_class, desc);
}

void dmm_merge_many_free(dmm_merge_many *merge)
{
    dmm_object_free(merge);
}

dmm_status dmm_merge_many_temp_bytes(
    uint64_t *out, const dmm_merge_many *merge, uint64_t n, uint64_t lists)
{
    return dmm_object_temp_bytes(out, merge, (dmm_sizes){.n = n, .m = lists});
}

dmm_status dmm_merge_many_enqueue(dmm_merge_many *merge, cl_command_queue queue,
    const dmm_merge_many_args *args, uint64_t n, uint64_t lists, cl_uint num_wait,
    const cl_event *wait, cl_event *event)
{
    const dmm_sizes sizes = {.n = n, .m = lists};
    return dmm_object_enqueue(merge, queue, args, sizes, num_wait, wait, event);
}

dmm_status dmm_merge_many_host(dmm_context *ctx, const dmm_merge_many_desc *desc, void *keys,
    void *values, size_t n, const void *offsets, size_t lists)
{
    dmm_merge_many_args args = {.temp = DMM_NONE};
    const dmm_sizes sizes = {.n = n, .m = lists};
    dmm_report report = {.code = DMM_OK};
    const dmm_host_array arrays[DMM_MAX_PORTS] = {{.from = keys}, {.from = values}, {.to = keys},
        {.to = values}, {.from = offsets}, {.to = &report}};
    return dmm_object_host(ctx, &dmm_merge_many_class, desc, &args, sizes, arrays);
}
