/* SPDX-License-Identifier: MIT */
/*
 * dmm_set: splits two lists as a merge does. The GPU form writes what each tile keeps in one
 * launch, by a chained scan of the counts; the CPU form counts, scans the counts, and writes.
 */
#include <dmm/set.h>

#include "cl/sort/set_call.clh"
#include "core/check.h"
#include "core/refuse.h"
#include "core/size.h"
#include "primitives/classes.h"
#include "primitives/lanes.h"
#include "primitives/scan_part.h"
#include "primitives/sort/merger.h"

struct dmm_set {
    dmm_object object;
    dmm_set_desc desc;
    dmm_merger merger;
    dmm_lanes_by lanes_by;
    dmm_scan *scan; /* scans counts; CPU form */
};

/* Items of a launch of the chained scan, whose counts have 30 bits. */
enum { MOST_CHAINED_ITEMS = 1 << 29 };

/* True if items of one list alone are kept. The lists are exchanged then (cl/sort/set_call.clh). */
static int keeps_one(const dmm_set *set)
{
    return set->desc.op == DMM_SET_INTERSECTION || set->desc.op == DMM_SET_DIFFERENCE;
}

static dmm_merger_desc merger_of(const dmm_set_desc *desc)
{
    return (dmm_merger_desc){.word = "set",
        .order = &desc->order,
        .tuning = &desc->tuning,
        .value_bytes = desc->value_bytes,
        .guarantee = desc->guarantee,
        .max_n = desc->max_n,
        .origins = 1,
        .group_words = 2};
}

static dmm_status build(dmm_set *set)
{
    dmm_status status = DMM_OK;
    static const uint64_t ops[] = {DMM_SET_EITHER, DMM_SET_PAIRS, DMM_SET_LEFT, DMM_SET_SINGLES};
    const dmm_merger_desc merger = merger_of(&set->desc);
    dmm_options options = {.bytes = 0};
    dmm_values_define(&options, &set->merger.layout, 0, 0);
    dmm_options_define(&options, "DMM_SET_OP", ops[set->desc.op]);
    dmm_lanes_define(&options, set->lanes_by, &set->object.ctx->device);
    const dmm_merger_program program = {.root = set->merger.p.cpu ? "cl/sort/set_cpu.cl"
                                                : set->lanes_by == DMM_LANES_BY_NONE
                                                    ? "cl/sort/set.cl"
                                                    : "cl/sort/set_lanes.cl",
        .partition = "dmm_merge_partition",
        .options = &options};
    TRY(dmm_merger_build(&set->merger, &set->object, &merger, &program));
    TRY(dmm_lanes_kernel(set, set->lanes_by, set->merger.program, "dmm_set_tile", set->merger.p.u,
        &set->merger.tile));
out:
    return status;
}

static dmm_status set_init(void *object)
{
    dmm_status status = DMM_OK;
    dmm_set *const set = object;
    const dmm_set_desc *const desc = &set->desc;
    const dmm_merger_desc merger = merger_of(desc);
    FAIL_IF(desc->op < DMM_SET_UNION || desc->op > DMM_SET_SYMMETRIC,
        dmm_refuse(DMM_BAD_VALUE, "op: %d is no dmm_set_op", (int)desc->op));
    TRY(dmm_merger_choose(&set->merger, object, &merger));
    if (!set->merger.p.cpu && set->merger.p.u % set->object.ctx->device.sync_width.value == 0)
        set->lanes_by = dmm_lanes_of(set->object.ctx, &desc->tuning);
    status = build(set);
    if (dmm_programs_are_unfit(status) && set->lanes_by != DMM_LANES_BY_NONE) {
        set->lanes_by = DMM_LANES_BY_NONE;
        status = build(set);
    }
    TRY(status);
    if (set->merger.p.cpu)
        TRY(dmm_scan_part(set, &set->scan, set->merger.layout.index_bytes,
            (set->object.max_n / set->merger.p.tile + 1) * DMM_SET_WALKS + 1, 1));
out:
    return status;
}

/* Returns the sizes of a call: n items, m of them in A. */
static dmm_sizes sizes_of(uint64_t na, uint64_t nb)
{
    return (dmm_sizes){.n = dmm_size_add(na, nb), .m = na};
}

/* Returns the most items of an output. */
static uint64_t most_kept(const dmm_set *set, const dmm_sizes *sizes)
{
    const uint64_t na = sizes->m, nb = sizes->n - na;
    if (set->desc.op == DMM_SET_INTERSECTION)
        return na < nb ? na : nb;
    return set->desc.op == DMM_SET_DIFFERENCE ? na : sizes->n;
}

static size_t set_ports(
    const void *object, const void *args, const dmm_sizes *sizes, dmm_port ports[DMM_MAX_PORTS])
{
    const dmm_set *const set = object;
    const dmm_item_layout *const item = &set->merger.layout;
    const uint32_t key = item->key_bytes, value = item->value_bytes;
    const uint64_t na = sizes->m, nb = sizes->n - na, most = most_kept(set, sizes);
    const dmm_port list[] = {
        {DMM_READS(dmm_set_args, a_keys, na, key)},
        {DMM_READS(dmm_set_args, a_values, na, value)},
        {DMM_READS(dmm_set_args, b_keys, nb, key)},
        {DMM_READS(dmm_set_args, b_values, nb, keeps_one(set) ? 0 : value)},
        {DMM_WRITES(dmm_set_args, keys_out, most, key)},
        {DMM_WRITES(dmm_set_args, values_out, most, value)},
        {DMM_WRITES(dmm_set_args, count_out, 1, DMM_COUNT_BYTES)},
    };
    (void)args;
    return DMM_PORTS(ports, list);
}

enum { SPLITS, COUNTS, POSITIONS, SCAN };

/* Returns the tiles of n items: at least one, which writes the count. */
static uint64_t tiles_of(const dmm_set *set, uint64_t n)
{
    return n != 0 ? dmm_size_div_up(n, set->merger.p.tile) : 1;
}

/* Returns the counts of a call: of the tiles' walks and their total, or of two launches. */
static uint64_t counts_of(const dmm_set *set, uint64_t tiles)
{
    return set->merger.p.cpu ? dmm_size_mul(tiles, DMM_SET_WALKS) + 1 : 2;
}

static void set_lay_out(const void *object, dmm_call *call)
{
    const dmm_set *const set = object;
    const dmm_item_layout *const item = &set->merger.layout;
    const uint64_t n = call->sizes.n, tiles = tiles_of(set, n), counts = counts_of(set, tiles);
    const uint64_t chain = set->merger.p.cpu ? 0 : tiles + 1;
    dmm_call_region(
        call, SPLITS, dmm_merger_splits(&set->merger, tiles) + chain, item->index_bytes);
    dmm_call_region(call, COUNTS, counts, item->index_bytes);
    dmm_call_region(call, POSITIONS, item->by_position ? n : 0, item->moved_bytes);
    dmm_call_part_region(call, SCAN, set->scan, (dmm_sizes){.n = counts});
}

/* Launches a kernel over some tiles. */
static dmm_status launch(const dmm_set *set, const dmm_call *call, const dmm_pass *pass,
    const dmm_set_call *c, uint64_t tiles)
{
    const dmm_set_args *const args = call->args;
    return dmm_call_launch(call, set->merger.tile,
        DMM_BUFFERS(pass->a.keys.buffer, pass->a.values.buffer, pass->b.keys.buffer,
            pass->b.values.buffer, pass->out.keys.buffer, pass->out.values.buffer,
            pass->splits.buffer, call->regions[COUNTS].buffer, args->count_out.buffer),
        c, sizeof *c, (dmm_grid){0, tiles, set->merger.p.u});
}

/* Merges tiles and writes what they keep, in parts, of which the next one begins where this one
 * ends. */
static dmm_status keep_chained(
    const dmm_set *set, const dmm_call *call, const dmm_pass *pass, dmm_set_call c)
{
    dmm_status status = DMM_OK;
    const uint64_t limit = set->object.ctx->device.launch_items.value, tile = set->merger.p.tile;
    const uint64_t most = limit != 0 && limit < MOST_CHAINED_ITEMS ? limit : MOST_CHAINED_ITEMS;
    const uint64_t part = most < tile ? 1 : most / tile;
    dmm_call parts = *call; /* parts replace launch_items */
    parts.launches = 1;
    for (uint64_t first = 0; first < c.merge.tiles; first += part, c.turn ^= 1) {
        const uint64_t left = c.merge.tiles - first, tiles = left < part ? left : part;
        c.first_tile = (dmm_u32)first;
        c.last_tile = (dmm_u32)(first + tiles - 1);
        TRY(launch(set, &parts, pass, &c, tiles));
    }
out:
    return status;
}

/* Counts what the tiles' walks keep, and writes it. */
static dmm_status keep_counted(
    const dmm_set *set, const dmm_call *call, const dmm_pass *pass, dmm_set_call c)
{
    dmm_status status = DMM_OK;
    TRY(launch(set, call, pass, &c, c.merge.tiles));
    TRY(dmm_scan_counts(set->scan, call, call->regions[COUNTS], counts_of(set, c.merge.tiles),
        call->regions[SCAN]));
    c.keeps = 1;
    TRY(launch(set, call, pass, &c, c.merge.tiles));
out:
    return status;
}

/* Returns the call as a pass over the kernel's lists. */
static dmm_pass pass_of(const dmm_set *set, const dmm_call *call)
{
    const dmm_set_args *const args = call->args;
    const dmm_item_spans a = {args->a_keys, args->a_values}, b = {args->b_keys, args->b_values};
    const uint64_t n = call->sizes.n, na = call->sizes.m, first = keeps_one(set) ? n - na : na;
    return (dmm_pass){.a = keeps_one(set) ? b : a,
        .b = keeps_one(set) ? a : b,
        .out = {args->keys_out,
            set->merger.layout.by_position ? call->regions[POSITIONS] : args->values_out},
        .splits = call->regions[SPLITS],
        .n = n,
        .run = first,
        .span = n != 0 ? n : 1,
        .b_shift = first,
        .alone = !set->merger.p.cpu && tiles_of(set, n) == 1};
}

static dmm_status set_steps(const void *object, dmm_call *call)
{
    dmm_status status = DMM_OK;
    const dmm_set *const set = object;
    const dmm_set_args *const args = call->args;
    const dmm_pass pass = pass_of(set, call);
    dmm_set_call c = {
        .counts_at = dmm_span_items(call->regions[COUNTS], set->merger.layout.index_bytes),
        .total_at = dmm_span_items(args->count_out, DMM_COUNT_BYTES),
        .most = most_kept(set, &call->sizes)};
    const dmm_gathering gathering = {.positions = pass.out.values,
        .a = pass.a.values,
        .b = pass.b.values,
        .out = args->values_out,
        .na = pass.run,
        .nb = pass.n - pass.run,
        .n = c.most,
        .count = args->count_out};
    TRY(dmm_merger_split(&set->merger, call, &pass, tiles_of(set, pass.n), &c.merge));
    TRY(set->merger.p.cpu ? keep_counted(set, call, &pass, c) : keep_chained(set, call, &pass, c));
    if (set->merger.layout.by_position && c.most != 0)
        TRY(dmm_values_gather(call, set->merger.gather, &set->merger.layout, &gathering));
out:
    return status;
}

const dmm_class dmm_set_class = {
    DMM_CLASS(dmm_set),
    .word = "set",
    .init = set_init,
    .ports = set_ports,
    .lay_out = set_lay_out,
    .steps = set_steps,
};

dmm_status dmm_set_create(dmm_set **out, dmm_context *ctx, const dmm_set_desc *desc)
{
    return dmm_object_create(out, ctx, &dmm_set_class, desc);
}

void dmm_set_free(dmm_set *set)
{
    dmm_object_free(set);
}

dmm_status dmm_set_temp_bytes(uint64_t *out, const dmm_set *set, uint64_t n)
{
    return dmm_object_temp_bytes(out, set, sizes_of(n, 0));
}

dmm_status dmm_set_enqueue(dmm_set *set, cl_command_queue queue, const dmm_set_args *args,
    uint64_t na, uint64_t nb, cl_uint num_wait, const cl_event *wait, cl_event *event)
{
    return dmm_object_enqueue(set, queue, args, sizes_of(na, nb), num_wait, wait, event);
}

dmm_status dmm_set_host(dmm_context *ctx, const dmm_set_desc *desc, const dmm_set_host_args *host)
{
    uint64_t kept = 0;
    dmm_set_args args = {.temp = DMM_NONE};
    if (host == NULL || host->count_out == NULL)
        return DMM_NULL_ARGUMENT;
    const dmm_host_array arrays[DMM_MAX_PORTS] = {{.from = host->a_keys}, {.from = host->a_values},
        {.from = host->b_keys}, {.from = host->b_values}, {.to = host->keys_out, .kept = &kept},
        {.to = host->values_out, .kept = &kept}, {.to = &kept}};
    const dmm_status status =
        dmm_object_host(ctx, &dmm_set_class, desc, &args, sizes_of(host->na, host->nb), arrays);
    if (status == DMM_OK)
        *host->count_out = (size_t)kept;
    return status;
}
