/* SPDX-License-Identifier: MIT */
/*
 * Method quick: quicksort with many pivots (T. Jurkiewicz, 2013, algorithm 8 and section 4.2.2,
 * k-quicksort). Takes a sample, sorts it, and takes items at equal distances as pivots; partitions
 * by the pivots; divides buckets that exceed a tile again, all at once, level by level; then sorts
 * all buckets at once, the independent stage. There, buckets that still exceed a tile, of equal
 * keys for instance, are merged.
 */
#include "primitives/sort/sort.h"

#include <stdlib.h>

#include <dmm/partition.h>

#include "cl/lab/pivots_call.clh"
#include "core/check.h"
#include "core/size.h"
#include "lab/lab.h"
#include "primitives/items.h"
#include "primitives/prelude.h"
#include "primitives/runs.h"
#include "primitives/scan_part.h"
#include "primitives/sort/sort_segmented.h"

typedef struct dmm_quick_sort {
    dmm_object object;
    dmm_sort_desc desc;
    dmm_item_layout layout;
    uint32_t ways;
    cl_kernel pick;
    cl_kernel positions;                    /* argsort; otherwise NULL */
    dmm_object *sample;                     /* sorts the sample */
    dmm_partition *partition;               /* by the pivots */
    dmm_sort_segmented *buckets;            /* sorts them */
    dmm_scan *scan;                         /* of the counts of a level */
    cl_kernel pivots, count, offsets, move; /* of a level below the first */
} dmm_quick_sort;

/* OVERSAMPLE: most sample items a bucket. SAMPLED: a sample has one in so many items, or more. */
enum { CPU_WAYS = 64, GPU_WAYS = 256, OVERSAMPLE = 32, SAMPLED = 8, OFFSET_BYTES = 8 };

/* Most buckets of all levels together: 256^2, 64^3. */
enum { MOST_BUCKETS = 1 << 18 };

/* Items of a tile; larger buckets are divided again. */
static uint64_t tile_of(const dmm_quick_sort *sort)
{
    return sort->buckets->merger.p.tile;
}

/* Returns the number of the deepest buckets for n items: as many levels as a tile each takes. */
static uint64_t num_buckets(const dmm_quick_sort *sort, uint64_t n)
{
    uint64_t buckets = sort->ways;
    while (n / buckets > tile_of(sort) && buckets * sort->ways <= MOST_BUCKETS)
        buckets *= sort->ways;
    return buckets;
}

/* Returns the number of counts of a level with so many buckets. */
static uint64_t num_cells(const dmm_quick_sort *sort, uint64_t n, uint64_t buckets)
{
    return sort->ways * (dmm_size_div_up(n, tile_of(sort)) + buckets);
}

/* Returns the sample items a bucket for n items. */
static uint64_t oversample(const dmm_quick_sort *sort, uint64_t n)
{
    const uint64_t wanted = n / sort->ways / SAMPLED;
    return wanted < 1 ? 1 : wanted < OVERSAMPLE ? wanted : OVERSAMPLE;
}

/* Returns the number of buckets: about a tile each, a power of two. In the CPU form few enough to
 * compare items with all pivots, in vectors (cl/bucket.clh). */
static uint32_t choose_ways(uint64_t max_n, const dmm_parameters *p)
{
    const uint32_t most = p->cpu ? CPU_WAYS : GPU_WAYS;
    uint32_t ways = 2;
    while (ways < most && (max_n == 0 || max_n / ways > p->tile))
        ways *= 2;
    return ways;
}

static dmm_status create_parts(dmm_quick_sort *sort)
{
    dmm_status status = DMM_OK;
    const dmm_sort_desc *const desc = &sort->desc;
    const dmm_sort_segmented_desc buckets = {.order = desc->order,
        .value_bytes = desc->value_bytes,
        .offset_type = DMM_U64,
        .guarantee = desc->guarantee,
        .max_n = desc->max_n,
        .tuning = desc->tuning};
    TRY(dmm_object_part(sort, &sort->buckets, &dmm_sort_segmented_class, &buckets));
    sort->ways = choose_ways(desc->max_n, &sort->buckets->merger.p);
    const dmm_partition_desc partition = {.ways = sort->ways,
        .by = DMM_PARTITION_BY_SPLITTERS,
        .order = desc->order,
        .value_bytes = desc->value_bytes,
        .guarantee = desc->guarantee,
        .max_n = desc->max_n,
        .tuning = desc->tuning};
    TRY(dmm_object_part(sort, &sort->partition, &dmm_partition_class, &partition));
    const dmm_sort_desc sample = {.order = desc->order,
        .guarantee = desc->guarantee,
        .max_n = (uint64_t)sort->ways * OVERSAMPLE,
        .tuning = desc->tuning};
    TRY(dmm_object_part(sort, &sort->sample, &dmm_merge_sort_class, &sample));
    TRY(dmm_scan_part(sort, &sort->scan, sort->layout.index_bytes, 0, sort->buckets->merger.p.cpu));
out:
    return status;
}

static dmm_status build(dmm_quick_sort *sort)
{
    dmm_status status = DMM_OK;
    dmm_context *const ctx = sort->object.ctx;
    const dmm_sort_desc *const desc = &sort->desc;
    dmm_options options = {.bytes = 0};
    cl_program program = NULL;
    const uint32_t u = dmm_runs_group(&ctx->device);
    const dmm_parameters p = {.u = u, .E = 1, .tile = u};
    char *const prelude = dmm_order_prelude(&desc->order);
    const dmm_program_desc text = {.root = "cl/lab/sort_quick.cl",
        .options = &options,
        .prelude = prelude,
        .sources = dmm_lab_sources};
    FAIL_IF(prelude == NULL, DMM_OUT_OF_MEMORY);
    dmm_options_parameters(&options, &p, &ctx->device);
    dmm_item_define(&options, &sort->layout, &desc->order);
    dmm_values_define(&options, &sort->layout, desc->argsort, 1);
    TRY(dmm_programs_get(&ctx->programs, &text, &program));
    TRY(dmm_object_kernel(sort, program, "dmm_pivots_pick", u, &sort->pick));
    TRY(dmm_object_kernel(sort, program, "dmm_quick_pivots", u, &sort->pivots));
    TRY(dmm_object_kernel(sort, program, "dmm_quick_count", u, &sort->count));
    TRY(dmm_object_kernel(sort, program, "dmm_quick_offsets", u, &sort->offsets));
    TRY(dmm_object_kernel(sort, program, "dmm_quick_move", u, &sort->move));
    if (desc->argsort)
        TRY(dmm_object_kernel(sort, program, "dmm_pivots_positions", u, &sort->positions));
out:
    free(prelude);
    return status;
}

static dmm_status quick_sort_init(void *object)
{
    dmm_status status = DMM_OK;
    dmm_quick_sort *const sort = object;
    const dmm_sort_desc *const desc = &sort->desc;
    TRY(dmm_item_layout_init(&sort->layout, &sort->object.ctx->device, &desc->order,
        desc->value_bytes, desc->argsort, desc->max_n));
    TRY(create_parts(sort));
    TRY(build(sort));
    const uint64_t limit = dmm_item_limit(&sort->layout, desc->argsort, desc->max_n);
    const uint64_t of_buckets = ((const dmm_object *)sort->buckets)->max_n;
    const uint64_t of_partition = ((const dmm_object *)sort->partition)->max_n;
    sort->object.max_n = limit < of_buckets ? limit : of_buckets;
    if (of_partition < sort->object.max_n)
        sort->object.max_n = of_partition;
out:
    return status;
}

/* Regions of temp. SPARE_*, COUNTS (and ranks), SCAN: of levels below the first. */
enum {
    SAMPLE,
    PIVOTS,
    OFFSETS,
    SPARE_OFFSETS,
    POSITIONS,
    SORT,
    PARTITION,
    BUCKETS,
    SPARE_KEYS,
    SPARE_VALUES,
    COUNTS,
    SCAN
};

static void quick_sort_lay_out(const void *object, dmm_call *call)
{
    const dmm_quick_sort *const sort = object;
    const uint64_t n = call->sizes.n, some = n != 0, samples = sort->ways * oversample(sort, n);
    const uint32_t key = sort->layout.key_bytes;
    dmm_call_region(call, SAMPLE, some * (samples + 1), key);
    const uint64_t buckets = num_buckets(sort, n), divided = buckets / sort->ways;
    const uint64_t again = divided > 1, cells = again * (num_cells(sort, n, divided) + 1);
    dmm_call_region(call, PIVOTS, some * (buckets + 1), key);
    dmm_call_region(call, OFFSETS, some * (buckets + 1), OFFSET_BYTES);
    dmm_call_region(call, SPARE_OFFSETS, again * (buckets + 1), OFFSET_BYTES);
    dmm_call_region(call, SPARE_KEYS, again * n, key);
    dmm_call_region(call, SPARE_VALUES, again * n * sort->desc.value_bytes, 1);
    dmm_call_region(call, COUNTS, 2 * cells, sort->layout.index_bytes);
    dmm_call_part_region(call, SCAN, sort->scan, (dmm_sizes){.n = cells});
    dmm_call_region(call, POSITIONS, sort->desc.argsort ? n : 0, sort->layout.value_bytes);
    dmm_call_part_region(call, SORT, sort->sample, (dmm_sizes){.n = some * samples});
    dmm_call_part_region(call, PARTITION, sort->partition, call->sizes);
    dmm_call_part_region(call, BUCKETS, sort->buckets, (dmm_sizes){.n = n, .m = some * buckets});
}

/* Returns the grid of a kernel with a work-item for each item. */
static dmm_grid grid_of(const dmm_quick_sort *sort, uint64_t items)
{
    const uint32_t u = dmm_runs_group(&sort->object.ctx->device);
    return (dmm_grid){0, dmm_size_div_up(items, u), u};
}

/* Takes `picks` items. stride: see dmm_pivots_call. */
static dmm_status pick(const dmm_quick_sort *sort, const dmm_call *call, dmm_span in, dmm_span out,
    uint64_t picks, uint64_t stride)
{
    const uint32_t key = sort->layout.key_bytes;
    const dmm_span count = ((const dmm_sort_args *)call->args)->count;
    const dmm_pivots_call c = {.in_at = dmm_span_items(in, key),
        .out_at = dmm_span_items(out, key),
        .count_at = dmm_span_items(count, DMM_COUNT_BYTES),
        .n = call->sizes.n,
        .picks = picks,
        .stride = stride};
    return dmm_call_launch(call, sort->pick, DMM_BUFFERS(in.buffer, out.buffer, count.buffer), &c,
        sizeof c, grid_of(sort, picks));
}

/* Finds the pivots: the sample is sorted in its place. */
static dmm_status find_pivots(const dmm_quick_sort *sort, dmm_call *call, dmm_span pivots)
{
    dmm_status status = DMM_OK;
    const dmm_sort_args *const args = call->args;
    const uint64_t stride = oversample(sort, call->sizes.n), samples = sort->ways * stride;
    const dmm_span sample = dmm_call_items(call, SAMPLE, sort->layout.key_bytes);
    const dmm_sort_args sorts = {
        .keys_in = sample, .keys_out = sample, .temp = call->regions[SORT]};
    TRY(pick(sort, call, args->keys_in, sample, samples, 0));
    TRY(dmm_call_run(call, sort->sample, &sorts, (dmm_sizes){.n = samples}));
    TRY(pick(sort, call, sample, pivots, sort->ways - (uint64_t)1, stride));
out:
    return status;
}

static dmm_status make_positions(const dmm_quick_sort *sort, const dmm_call *call)
{
    const dmm_span positions = call->regions[POSITIONS];
    const dmm_pivots_call c = {.out_at = dmm_span_items(positions, sort->layout.value_bytes),
        .n = call->sizes.n,
        .first = call->sizes.first};
    return dmm_call_launch(
        call, sort->positions, DMM_BUFFERS(positions.buffer), &c, sizeof c, grid_of(sort, c.n));
}

/* A list of items, and where its buckets begin. */
typedef struct level {
    dmm_span keys, values, offsets;
} level;

/* Divides the buckets of a level that exceed a tile. */
static dmm_status divide(const dmm_quick_sort *sort, const dmm_call *call, const level *from,
    const level *to, uint64_t buckets)
{
    dmm_status status = DMM_OK;
    const uint32_t key = sort->layout.key_bytes, index = sort->layout.index_bytes;
    const uint64_t n = call->sizes.n, chunk = tile_of(sort);
    const uint64_t cells = num_cells(sort, n, buckets), chunks = dmm_size_div_up(n, chunk);
    const dmm_span pivots = dmm_call_items(call, PIVOTS, key);
    const dmm_span counts = call->regions[COUNTS];
    const dmm_span ranks = {counts.buffer, counts.offset_bytes + (cells + 1) * index};
    const dmm_scan_args scans = {.in = counts, .out = ranks, .temp = call->regions[SCAN]};
    const dmm_quick_call c = {.in_at = dmm_span_items(from->keys, key),
        .out_at = dmm_span_items(to->keys, key),
        .values_in_at = from->values.offset_bytes,
        .values_out_at = to->values.offset_bytes,
        .offsets_at = dmm_span_items(from->offsets, OFFSET_BYTES),
        .offsets_out_at = dmm_span_items(to->offsets, OFFSET_BYTES),
        .pivots_at = dmm_span_items(pivots, key),
        .counts_at = dmm_span_items(counts, index),
        .ranks_at = dmm_span_items(ranks, index),
        .n = n,
        .chunk = chunk,
        .buckets = buckets,
        .ways = sort->ways,
        .cells = cells,
        .value_bytes = sort->desc.value_bytes};
    TRY(dmm_chain_fill(call->chain, counts, 0, (cells + 1) * index));
    TRY(dmm_call_launch(call, sort->pivots,
        DMM_BUFFERS(from->keys.buffer, pivots.buffer, from->offsets.buffer), &c, sizeof c,
        grid_of(sort, buckets)));
    TRY(dmm_call_launch(call, sort->count,
        DMM_BUFFERS(from->keys.buffer, pivots.buffer, from->offsets.buffer, counts.buffer), &c,
        sizeof c, grid_of(sort, chunks)));
    TRY(dmm_call_run(call, sort->scan, &scans, (dmm_sizes){.n = cells + 1}));
    TRY(dmm_call_launch(call, sort->offsets,
        DMM_BUFFERS(from->offsets.buffer, ranks.buffer, to->offsets.buffer), &c, sizeof c,
        grid_of(sort, buckets * sort->ways + 1)));
    TRY(dmm_call_launch(call, sort->move,
        DMM_BUFFERS(from->keys.buffer, from->values.buffer, to->keys.buffer, to->values.buffer,
            pivots.buffer, from->offsets.buffer, counts.buffer, ranks.buffer),
        &c, sizeof c, grid_of(sort, chunks)));
out:
    return status;
}

static dmm_status quick_sort_steps(const void *object, dmm_call *call)
{
    dmm_status status = DMM_OK;
    const dmm_quick_sort *const sort = object;
    const dmm_sort_args *const args = call->args;
    const dmm_span pivots = dmm_call_items(call, PIVOTS, sort->layout.key_bytes);
    const dmm_span offsets = call->regions[OFFSETS];
    const dmm_sizes sizes = {.n = call->sizes.n, .m = num_buckets(sort, call->sizes.n)};
    level now = {args->keys_out, args->values_out, offsets};
    level next = {dmm_call_items(call, SPARE_KEYS, sort->layout.key_bytes),
        call->regions[SPARE_VALUES], call->regions[SPARE_OFFSETS]};
    const dmm_partition_args divides = {.items_in = args->keys_in,
        .values_in = sort->desc.argsort ? call->regions[POSITIONS] : args->values_in,
        .by = pivots,
        .items_out = args->keys_out,
        .values_out = args->values_out,
        .offsets_out = offsets,
        .temp = call->regions[PARTITION],
        .count = args->count};
    if (sizes.n == 0)
        goto out;
    TRY(find_pivots(sort, call, pivots));
    if (sort->desc.argsort)
        TRY(make_positions(sort, call));
    TRY(dmm_call_run(call, sort->partition, &divides, (dmm_sizes){.n = sizes.n}));
    for (uint64_t buckets = sort->ways; buckets < sizes.m; buckets *= sort->ways) {
        TRY(divide(sort, call, &now, &next, buckets));
        const level divided = next;
        next = now;
        now = divided;
    }
    const dmm_sort_segmented_args sorts = {.keys_in = now.keys,
        .values_in = now.values,
        .keys_out = args->keys_out,
        .values_out = args->values_out,
        .offsets = now.offsets,
        .temp = call->regions[BUCKETS]};
    TRY(dmm_call_run(call, sort->buckets, &sorts, sizes));
out:
    return status;
}

const dmm_class dmm_lab_quick_sort_class = {
    .word = "sort.quick",
    .bytes = sizeof(dmm_quick_sort),
    .desc_at = offsetof(dmm_quick_sort, desc),
    .desc_bytes = sizeof(dmm_sort_desc),
    .args_bytes = sizeof(dmm_sort_args),
    .temp_at = offsetof(dmm_sort_args, temp),
    .init = quick_sort_init,
    .lay_out = quick_sort_lay_out,
    .steps = quick_sort_steps,
};
