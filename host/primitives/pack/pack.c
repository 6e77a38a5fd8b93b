/* SPDX-License-Identifier: MIT */
/*
 * Packing: parameters, kernels, temp and steps.
 */
#include "primitives/pack/pack.h"

#include "core/check.h"
#include "core/size.h"
#include "primitives/lanes.h"

enum { COUNTS, STATE, ITEMS, VALUES };
/* Items of a launch of the chained scan, whose counts have 30 bits. */
enum { MOST_CHAINED_ITEMS = 1 << 29, MOST_BACK_GROUPS = 1024 };
/* Work-items a group, by ballots and of splits; items a work-item of splits by sub-groups of fewer
 * lanes than WIDE_LANES, whose values would spill beside 16 items (tgllp). */
enum { LANES_U = 64, SPLIT_U = 128, NARROW_E = 8, WIDE_LANES = 32 };

/* Returns the number of lists whose items are counted. */
static uint64_t lists_of(const dmm_pack *pack)
{
    return pack->what.second ? 2 : 1;
}

static const char *root_of(const dmm_pack *pack)
{
    const int by_lanes = pack->lanes_by != DMM_LANES_BY_NONE;
    if (pack->p.cpu)
        return "cl/pack/pack_cpu.cl";
    if (pack->what.split)
        return by_lanes ? "cl/pack/pack_split_ballot.cl" : "cl/pack/pack_split.cl";
    return by_lanes ? "cl/pack/pack_ballot.cl" : "cl/pack/pack.cl";
}

static dmm_status build(dmm_pack *pack, const char *prelude)
{
    dmm_status status = DMM_OK;
    const uint32_t u = pack->p.u;
    const dmm_device *device = &pack->object.ctx->device;
    dmm_options options = {.bytes = 0};
    const dmm_program_desc desc = {.root = root_of(pack), .options = &options, .prelude = prelude};
    cl_program program = NULL;
    dmm_options_parameters(&options, &pack->p, device);
    dmm_word_define_pair(&options, &pack->items, &pack->values);
    dmm_options_define(&options, "DMM_INDEX_BYTES", pack->items.index_bytes);
    dmm_mapping_define(&options, &pack->mapping);
    dmm_options_define(&options, "DMM_PLANE_BYTES", device->bank_bytes.value);
    dmm_options_define(&options, "DMM_PACK_BY", pack->what.by);
    dmm_options_define(&options, "DMM_PACK_SECOND", pack->what.second != 0);
    dmm_options_define(&options, "DMM_PACK_BEHIND", pack->what.behind != 0);
    dmm_options_define(&options, "DMM_PACK_SPLIT", pack->what.split != 0);
    dmm_lanes_define(&options, pack->lanes_by, device);
    TRY(dmm_programs_get(&pack->object.ctx->programs, &desc, &program));
    if (pack->p.cpu)
        TRY(dmm_object_kernel(pack, program, "dmm_pack_count", u, &pack->count));
    else if (!pack->what.split)
        TRY(dmm_object_kernel(pack, program, "dmm_pack_clear", u, &pack->clear));
    TRY(dmm_lanes_kernel(pack, pack->lanes_by, program, "dmm_pack_keep", u, &pack->keep));
    if (pack->what.in_place)
        TRY(dmm_object_kernel(pack, program, "dmm_pack_back", u, &pack->back));
out:
    return status;
}

static dmm_status choose_and_build(dmm_pack *pack, const char *prelude)
{
    dmm_status status = DMM_OK;
    const dmm_device *device = &pack->object.ctx->device;
    const uint32_t word = (uint32_t)device->bank_bytes.value;
    const int by_lanes = pack->lanes_by != DMM_LANES_BY_NONE;
    /* Local memory: a rank an item; two sums, or a count, a work-item, and one more of a split. By
     * ballots next to none, but E items and ballots in registers. */
    const dmm_footprint footprint = {.item_bytes = pack->what.item_bytes,
        .planes = 1,
        .plane_bytes = word,
        .group_bytes = 2 * word + (pack->what.split ? pack->items.index_bytes : 0),
        .gpu_u = pack->what.split ? SPLIT_U
                 : by_lanes       ? LANES_U
                                  : 0,
        .gpu_E =
            pack->what.split && by_lanes && device->sync_width.value < WIDE_LANES ? NARROW_E : 0,
        .word = "unique"};
    TRY(dmm_context_choose(&pack->p, pack->object.ctx, &pack->what.tuning, &footprint));
    FAIL_IF(
        by_lanes && pack->p.u % pack->object.ctx->device.sync_width.value != 0, DMM_BAD_PARAMETERS);
    TRY(build(pack, prelude));
out:
    return status;
}

dmm_status dmm_pack_init(dmm_pack *pack, const char *prelude)
{
    dmm_status status = DMM_OK;
    const dmm_pack_desc *const what = &pack->what;
    const dmm_device *device = &pack->object.ctx->device;
    TRY(dmm_word_layout_init(&pack->items, device, what->item_bytes, what->max_n));
    pack->object.max_n = pack->items.max_n;
    if (what->value_bytes != 0) {
        TRY(dmm_word_layout_init(&pack->values, device, what->value_bytes, what->max_n));
        if (pack->values.max_n < pack->object.max_n)
            pack->object.max_n = pack->values.max_n;
    }
    if (!what->second) /* ballots rank one list */
        pack->lanes_by = dmm_lanes_of(pack->object.ctx, &what->tuning);
    status = choose_and_build(pack, prelude);
    if (dmm_programs_are_unfit(status) && pack->lanes_by != DMM_LANES_BY_NONE) {
        pack->lanes_by = DMM_LANES_BY_NONE;
        status = choose_and_build(pack, prelude);
    }
out:
    return status;
}

/* Returns an upper bound, monotone in n, of the groups for n items. */
static uint64_t most_groups(const dmm_pack *pack, uint64_t n)
{
    const uint64_t tiles = dmm_size_div_up(n, pack->p.tile);
    return tiles == 0 ? 1 : tiles < pack->p.most_groups ? tiles : pack->p.most_groups;
}

static uint64_t tiles_of(const dmm_pack *pack, uint64_t n)
{
    return n != 0 ? dmm_size_div_up(n, pack->p.tile) : 1;
}

/* Returns the words of 4 bytes of the chain of n items; GPU form. */
static uint64_t chain_words(const dmm_pack *pack, uint64_t n)
{
    return 1 + lists_of(pack) * tiles_of(pack, n);
}

void dmm_pack_lay_out(const void *object, dmm_call *call)
{
    const dmm_pack *const pack = object;
    const uint64_t n = call->sizes.n, lists = lists_of(pack);
    const uint64_t counts = lists * (pack->p.cpu ? most_groups(pack, n) : 2);
    const uint64_t state = pack->p.cpu || pack->what.split ? 0 : chain_words(pack, n);
    const uint64_t stored = pack->what.in_place && n != 0 ? n + 1 : 0; /* one: dmm_call_items */
    dmm_call_region(call, COUNTS, counts, pack->items.index_bytes);
    dmm_call_region(call, STATE, state, sizeof(dmm_u32));
    dmm_call_region(call, ITEMS, stored, pack->what.item_bytes);
    dmm_call_region(call, VALUES, pack->what.value_bytes != 0 ? stored : 0, pack->what.value_bytes);
}

static dmm_pack_call numbers_of(
    const dmm_pack *pack, const dmm_call *call, const dmm_pack_spans *spans)
{
    const uint64_t n = call->sizes.n, tile = pack->p.tile;
    const uint64_t share = dmm_size_div_up(n, most_groups(pack, n));
    const uint64_t range = pack->what.split ? spans->judged.range
                           : pack->p.cpu    ? share
                                            : dmm_size_div_up(share, tile) * tile;
    const uint32_t item = pack->items.word_bytes, value = pack->values.word_bytes;
    const uint32_t in = pack->mapping.inputs != 0 ? pack->mapping.bytes[0] : item;
    return (dmm_pack_call){.items_at = dmm_span_items(spans->items, in),
        .values_at = dmm_span_items(spans->values, value),
        .flags_at = dmm_span_items(spans->flags, 1),
        .out_at = dmm_span_items(spans->out, item),
        .values_out_at = dmm_span_items(spans->values_out, value),
        .rest_at = dmm_span_items(spans->rest, item),
        .rest_values_at = dmm_span_items(spans->rest_values, value),
        .second_at = dmm_span_items(spans->second, item),
        .second_values_at = dmm_span_items(spans->second_values, value),
        .seconds_at = dmm_span_items(spans->seconds, DMM_COUNT_BYTES),
        .positions_at = dmm_span_items(spans->positions, DMM_POSITION_BYTES),
        .kept_at = dmm_span_items(spans->kept, DMM_COUNT_BYTES),
        .counts_at = dmm_span_items(call->regions[COUNTS], pack->items.index_bytes),
        .count_at = dmm_span_items(spans->count, DMM_COUNT_BYTES),
        .n = n,
        .number = call->sizes.first,
        .range = range,
        .groups = n != 0 ? dmm_size_div_up(n, range) : 1,
        .tiles = tiles_of(pack, n),
        .state_at = dmm_span_items(call->regions[STATE], sizeof(dmm_u32)),
        .ranges_at = dmm_span_items(spans->judged.ranges, pack->items.index_bytes),
        .offsets_at = dmm_span_items(spans->judged.offsets, sizeof(dmm_u64)),
        .report_at = dmm_span_items(spans->judged.report, sizeof(dmm_u64)),
        .ranges = spans->judged.num_ranges,
        .code = DMM_BAD_DATA};
}

/* A call's launches. */
typedef struct pack_launches {
    const dmm_pack *pack;
    const dmm_call *call;
    const dmm_pack_spans *spans;
} pack_launches;

/* Launches a kernel that has all of the parameters. */
static dmm_status launch(
    const pack_launches *l, cl_kernel kernel, const dmm_pack_call *c, uint64_t groups)
{
    const dmm_pack_spans *const s = l->spans;
    const dmm_span *const regions = l->call->regions;
    const cl_mem buffers[] = {s->items.buffer, s->values.buffer, s->flags.buffer, s->out.buffer,
        s->values_out.buffer, s->rest.buffer, s->rest_values.buffer, s->second.buffer,
        s->second_values.buffer, s->positions.buffer, s->kept.buffer, s->seconds.buffer,
        regions[COUNTS].buffer, regions[STATE].buffer, s->count.buffer,
        /* of a split alone */
        s->judged.ranges.buffer, s->judged.offsets.buffer, s->judged.report.buffer};
    const size_t num = sizeof buffers / sizeof *buffers - (l->pack->what.split ? 0 : 3);
    return dmm_mapping_launch(&l->pack->mapping, l->call, (dmm_further){s->further, 0}, kernel,
        buffers, num, c, sizeof *c, (dmm_grid){0, groups, l->pack->p.u});
}

uint64_t dmm_chained_tiles(const dmm_context *ctx, uint64_t tile)
{
    const uint64_t limit = ctx->device.launch_items.value;
    const uint64_t most = limit != 0 && limit < MOST_CHAINED_ITEMS ? limit : MOST_CHAINED_ITEMS;
    return most < tile ? 1 : most / tile;
}

/* Moves the items in parts, of which the next one begins where this one ends. */
static dmm_status keep_chained(const pack_launches *l, dmm_pack_call c)
{
    dmm_status status = DMM_OK;
    const dmm_pack *const pack = l->pack;
    const uint64_t part = dmm_chained_tiles(pack->object.ctx, pack->p.tile);
    dmm_call parts = *l->call; /* parts replace launch_items */
    parts.launches = 1;
    const pack_launches in_parts = {pack, &parts, l->spans};
    if (c.tiles > 1)
        TRY(launch(l, pack->clear, &c, c.groups));
    for (uint64_t tile = 0; tile < c.tiles; tile += part, c.turn ^= 1) {
        const uint64_t tiles = c.tiles - tile < part ? c.tiles - tile : part;
        c.first_tile = (dmm_u32)tile;
        c.last_tile = (dmm_u32)(tile + tiles - 1);
        TRY(launch(&in_parts, pack->keep, &c, tiles));
    }
out:
    return status;
}

/* Counts the kept items of each group's range, and moves them. One group does both at once. */
static dmm_status keep_counted(const pack_launches *l, dmm_pack_call c)
{
    dmm_status status = DMM_OK;
    const dmm_pack *const pack = l->pack;
    if (c.groups > 1)
        TRY(launch(l, pack->count, &c, c.groups));
    TRY(launch(l, pack->keep, &c, c.groups));
out:
    return status;
}

static dmm_status steps(const dmm_pack *pack, const dmm_call *call, const dmm_pack_spans *spans)
{
    const pack_launches launches = {pack, call, spans};
    const dmm_pack_call c = numbers_of(pack, call, spans);
    if (pack->what.split)
        return launch(&launches, pack->keep, &c, c.ranges != 0 ? c.ranges : 1);
    return pack->p.cpu ? keep_counted(&launches, c) : keep_chained(&launches, c);
}

/* Copies the packed items and values of temp to where the input was. */
static dmm_status copy_back(const dmm_pack *pack, const dmm_call *call,
    const dmm_pack_spans *packed, const dmm_pack_spans *spans)
{
    const uint32_t item = pack->items.word_bytes, value = pack->values.word_bytes, u = pack->p.u;
    const uint64_t words =
        pack->items.words > pack->values.words ? pack->items.words : pack->values.words;
    const uint64_t wanted = dmm_size_div_up(dmm_size_mul(call->sizes.n, words), u);
    const dmm_grid grid = {0, wanted < MOST_BACK_GROUPS ? wanted : MOST_BACK_GROUPS, u};
    const dmm_pack_back_call c = {.items_at = dmm_span_items(packed->out, item),
        .values_at = dmm_span_items(packed->values_out, value),
        .out_at = dmm_span_items(spans->out, item),
        .values_out_at = dmm_span_items(spans->values_out, value),
        .kept_at = dmm_span_items(spans->kept, DMM_COUNT_BYTES),
        .count_at = dmm_span_items(spans->count, DMM_COUNT_BYTES),
        .n = call->sizes.n,
        .items = grid.groups * u};
    return dmm_call_launch(call, pack->back,
        DMM_BUFFERS(packed->out.buffer, packed->values_out.buffer, spans->out.buffer,
            spans->values_out.buffer, spans->kept.buffer, spans->count.buffer),
        &c, sizeof c, grid);
}

dmm_status dmm_pack_steps(const dmm_pack *pack, const dmm_call *call, const dmm_pack_spans *spans)
{
    dmm_status status = DMM_OK;
    const int items = dmm_spans_equal(spans->out, spans->items) && spans->out.buffer != NULL;
    const int values =
        dmm_spans_equal(spans->values_out, spans->values) && spans->values.buffer != NULL;
    dmm_pack_spans packed = *spans;
    if (!pack->what.in_place || !(items || values))
        return steps(pack, call, spans);
    if (spans->out.buffer != NULL)
        packed.out = dmm_call_items(call, ITEMS, pack->what.item_bytes);
    if (spans->values_out.buffer != NULL)
        packed.values_out = dmm_call_items(call, VALUES, pack->what.value_bytes);
    TRY(steps(pack, call, &packed));
    TRY(copy_back(pack, call, &packed, spans));
out:
    return status;
}

static dmm_status part_init(void *object)
{
    dmm_pack *const pack = object;
    const char *const prelude = pack->what.prelude;
    pack->what.prelude = NULL;
    return dmm_pack_init(pack, prelude != NULL ? prelude : "");
}

static dmm_status part_steps(const void *object, dmm_call *call)
{
    return dmm_pack_steps(object, call, call->args);
}

const dmm_class dmm_pack_class = {
    .word = "unique",
    .bytes = sizeof(dmm_pack),
    .desc_at = offsetof(dmm_pack, what),
    .desc_bytes = sizeof(dmm_pack_desc),
    .args_bytes = sizeof(dmm_pack_spans),
    .temp_at = offsetof(dmm_pack_spans, temp),
    .init = part_init,
    .lay_out = dmm_pack_lay_out,
    .steps = part_steps,
};
