/* SPDX-License-Identifier: MIT */
/*
 * dmm_topk_segmented. Few of each row: picks the first k of chunks, and of these again, until a row
 * is one chunk (cl/pick.cl). Otherwise dmm_sort_segmented into temp, then the first k of each
 * segment.
 */
#include <dmm/sort_segmented.h>
#include <dmm/take.h>
#include <dmm/topk_segmented.h>

#include <stdlib.h>

#include "cl/pick_call.clh"
#include "core/check.h"
#include "core/size.h"
#include "primitives/classes.h"
#include "primitives/mapping_store.h"
#include "primitives/order.h"
#include "primitives/prelude.h"
#include "primitives/segmented/segmented.h"

/* MOST_PICKED: most items that a work-item holds; MOST_PICKED_BYTES: most bytes of their keys;
 * CHUNK_ITEMS: least items of a chunk for each that it picks. */
enum { MOST_PICKED = 32, MOST_PICKED_BYTES = 16, CHUNK_ITEMS = 64 };

struct dmm_topk_segmented {
    dmm_object object;
    dmm_topk_segmented_desc desc;
    dmm_segmented keys, values;
    dmm_mapping_store store;  /* writes mapped keys to temp */
    dmm_sort_segmented *sort; /* a part */
    dmm_take *take;           /* a part; NULL: values do not follow what is picked */
    uint32_t position_bytes;  /* size of what is picked */
    cl_kernel pick;           /* NULL: too many, or too long */
    uint64_t least_picking;   /* work-items that share the keys before chunks get longer */
};

/* Builds what picks the first of rows. */
static dmm_status build_pick(dmm_topk_segmented *topk)
{
    dmm_status status = DMM_OK;
    const dmm_topk_segmented_desc *const desc = &topk->desc;
    dmm_context *const ctx = topk->object.ctx;
    const uint32_t bytes = dmm_order_key_bytes(&desc->order);
    const dmm_footprint footprint = {.item_bytes = bytes, .word = "topk_segmented"};
    const dmm_take_desc take = {.num_columns = 1,
        .item_bytes = {desc->value_bytes},
        .row_bytes = sizeof(uint64_t),
        .max_n = desc->max_n};
    dmm_options options = {.bytes = 0};
    dmm_parameters p;
    cl_program program = NULL;
    char *prelude = NULL;
    if (desc->k > MOST_PICKED || bytes > MOST_PICKED_BYTES)
        return DMM_OK;
    topk->position_bytes = desc->argsort ? desc->value_bytes : sizeof(uint64_t);
    FAIL_IF((prelude = dmm_order_prelude(&desc->order)) == NULL, DMM_OUT_OF_MEMORY);
    const dmm_program_desc text = {.root = "cl/pick.cl", .options = &options, .prelude = prelude};
    TRY(dmm_context_choose(&p, ctx, &(dmm_tuning){.form = desc->tuning.form}, &footprint));
    dmm_options_parameters(&options, &p, &ctx->device);
    dmm_order_define(&options, &desc->order);
    dmm_options_define(&options, "DMM_INDEX_BYTES", 8);
    dmm_options_define(&options, "DMM_K", desc->k);
    dmm_options_define(&options, "DMM_PICK_STOPS", p.cpu != 0);
    dmm_options_define(&options, "DMM_POSITION_BYTES", topk->position_bytes);
    TRY(dmm_programs_get(&ctx->programs, &text, &program));
    TRY(dmm_object_kernel(topk, program, "dmm_pick_chunks", DMM_PICK_U, &topk->pick));
    topk->least_picking = p.cpu ? DMM_PICK_U * (uint64_t)p.most_groups : UINT64_MAX;
    if (desc->value_bytes != 0 && !desc->argsort)
        TRY(dmm_object_part(topk, &topk->take, &dmm_take_class, &take));
out:
    free(prelude);
    return status;
}

static dmm_status topk_segmented_init(void *object)
{
    dmm_status status = DMM_OK;
    dmm_topk_segmented *const topk = object;
    dmm_topk_segmented_desc *const desc = &topk->desc;
    const dmm_sort_segmented_desc sort = {.order = desc->order,
        .value_bytes = desc->value_bytes,
        .argsort = desc->argsort,
        .offset_type = desc->offset_type,
        .guarantee = desc->guarantee,
        .max_n = desc->max_n,
        .tuning = desc->tuning};
    desc->k = desc->k != 0 ? desc->k : 1;
    TRY(dmm_object_part(topk, &topk->sort, &dmm_sort_segmented_class, &sort));
    TRY(dmm_mapping_store_init(topk, &topk->store, desc->map, &desc->order, desc->max_n));
    dmm_segmented_items items = {.item_bytes = dmm_order_key_bytes(&desc->order), .takes = 1};
    TRY(dmm_segmented_init(&topk->keys, topk, desc->offset_type, &items));
    items.item_bytes = desc->value_bytes;
    if (desc->value_bytes != 0)
        TRY(dmm_segmented_init(&topk->values, topk, desc->offset_type, &items));
    TRY(build_pick(topk));
    topk->object.max_n = ((const dmm_object *)topk->sort)->max_n;
out:
    return status;
}

static size_t topk_segmented_ports(
    const void *object, const void *args, const dmm_sizes *sizes, dmm_port ports[DMM_MAX_PORTS])
{
    const dmm_topk_segmented *const topk = object;
    const dmm_topk_segmented_desc *const desc = &topk->desc;
    const uint32_t key = topk->keys.item_bytes, value = desc->value_bytes;
    const uint32_t in = dmm_mapping_in(&topk->store.mapping, key);
    const uint64_t n = sizes->n, places = n != 0 ? dmm_size_mul(sizes->m, desc->k) : 0;
    const dmm_port list[] = {
        {DMM_READS(dmm_topk_segmented_args, keys_in, n, in)},
        {DMM_READS(dmm_topk_segmented_args, values_in, n, desc->argsort ? 0 : value)},
        {DMM_READS(dmm_topk_segmented_args, offsets, n != 0 ? dmm_segmented_read(sizes) : 0,
             topk->keys.offset_bytes),
            .optional = 1},
        {DMM_WRITES(dmm_topk_segmented_args, keys_out, places, key)},
        {DMM_WRITES(dmm_topk_segmented_args, values_out, places, value)},
        {DMM_WRITES_REPORT(dmm_topk_segmented_args)},
    };
    (void)args;
    return dmm_mapping_ports(&topk->store.mapping, offsetof(dmm_topk_segmented_args, further), n,
        ports, DMM_PORTS(ports, list));
}

enum {
    KEYS = DMM_SEGMENTED_REGIONS,
    VALUES,
    SORT,
    PICKED,
    POSITIONS = PICKED + 2,
    FOUND = POSITIONS + 2
};

/* True if a call picks: values follow what is found, so every place must be found. */
static int picks(const dmm_topk_segmented *topk, const dmm_sizes *sizes)
{
    const int is_full = sizes->m != 0 && sizes->n / sizes->m >= topk->desc.k;
    return topk->pick != NULL && sizes->l && (topk->take == NULL || is_full || sizes->n == 0);
}

/* Returns the least items of a chunk: longer chunks pick less. */
static uint64_t chunk_of(const dmm_topk_segmented *topk, uint64_t n)
{
    const uint64_t items = CHUNK_ITEMS * (uint64_t)topk->desc.k, share = n / topk->least_picking;
    return items > share ? items : share;
}

/* Lays out two lists of what is picked, at most k of CHUNK_ITEMS * k items, and the positions of
 * what is found. */
static void lay_out_picked(const dmm_topk_segmented *topk, dmm_call *call)
{
    const dmm_sizes *const sizes = &call->sizes;
    const uint64_t most = sizes->n / CHUNK_ITEMS;
    const uint64_t places = dmm_size_mul(sizes->m, topk->desc.k);
    for (size_t side = 0; side < 2; side++) {
        dmm_call_region(call, PICKED + side, most != 0 ? most + 1 : 0, topk->keys.item_bytes);
        dmm_call_region(call, POSITIONS + side, most, topk->position_bytes);
    }
    dmm_call_region(call, FOUND, topk->take != NULL ? places : 0, topk->position_bytes);
}

/* A region of items may begin in the middle of one: it has one more. */
static void topk_segmented_lay_out(const void *object, dmm_call *call)
{
    const dmm_topk_segmented *const topk = object;
    const dmm_sizes *const sizes = &call->sizes;
    const uint64_t items = sizes->n != 0 ? dmm_size_add(sizes->n, 1) : 0;
    if (topk->pick != NULL && (call->args == NULL || sizes->l))
        lay_out_picked(topk, call);
    if (topk->store.mapping.inputs != 0 || call->args == NULL || !picks(topk, sizes))
        dmm_call_region(call, KEYS, items, topk->keys.item_bytes);
    if (call->args != NULL && picks(topk, sizes))
        return;
    dmm_segmented_lay_out(&topk->keys, call, 0);
    dmm_call_region(call, VALUES, items, topk->desc.value_bytes);
    dmm_call_part_region(call, SORT, topk->sort, (dmm_sizes){.n = sizes->n, .m = sizes->m});
}

/* Picks the first of chunks of each row until there is one chunk, which goes to the output. */
static dmm_status pick_rows(const dmm_topk_segmented *topk, const dmm_call *call, dmm_span keys)
{
    dmm_status status = DMM_OK;
    const dmm_topk_segmented_args *const args = call->args;
    const uint32_t key = topk->keys.item_bytes, position = topk->position_bytes;
    const uint64_t k = topk->desc.k, chunk = chunk_of(topk, call->sizes.n), rows = call->sizes.m;
    const dmm_span found = topk->desc.argsort   ? args->values_out
                           : topk->take != NULL ? call->regions[FOUND]
                                                : DMM_NONE;
    dmm_span positions = DMM_NONE;
    uint64_t row = call->sizes.n / rows, chunks;
    for (size_t side = 0; row != 0; side = !side) {
        chunks = row < 2 * chunk ? 1 : row / chunk;
        const int is_last = chunks == 1;
        const dmm_span to = is_last ? args->keys_out : dmm_call_items(call, PICKED + side, key);
        const dmm_span at = is_last ? found : call->regions[POSITIONS + side];
        const dmm_pick_call c = {.keys_at = dmm_span_items(keys, key),
            .positions_at = dmm_span_items(positions, position),
            .keys_out_at = dmm_span_items(to, key),
            .positions_out_at = dmm_span_items(at, position),
            .rows = rows,
            .row = row,
            .chunks = chunks,
            .chunk = chunk,
            .whole = topk->take != NULL};
        TRY(dmm_call_launch(call, topk->pick,
            DMM_BUFFERS(keys.buffer, positions.buffer, to.buffer, at.buffer), &c, sizeof c,
            (dmm_grid){0, dmm_size_div_up(rows * chunks, DMM_PICK_U), DMM_PICK_U}));
        keys = to;
        positions = at;
        row = is_last ? 0 : chunks * k;
    }
    if (topk->take == NULL)
        goto out;
    const dmm_take_args take = {.rows = found, .in = {args->values_in}, .out = {args->values_out}};
    TRY(dmm_call_run(call, topk->take, &take,
        (dmm_sizes){.n = rows * k, .m = call->sizes.n, .l = call->sizes.n}));
out:
    return status;
}

/* Writes a report that all is right: rows cannot be wrong. */
static dmm_status report_rows(const dmm_call *call)
{
    const dmm_topk_segmented_args *const args = call->args;
    if (args->report_out.buffer == NULL)
        return DMM_OK;
    return dmm_chain_fill(call->chain, args->report_out, 0, sizeof(dmm_report));
}

static dmm_status topk_segmented_steps(const void *object, dmm_call *call)
{
    dmm_status status = DMM_OK;
    const dmm_topk_segmented *const topk = object;
    const dmm_topk_segmented_args *const args = call->args;
    const uint32_t value = topk->desc.value_bytes;
    const dmm_sizes sizes = {.n = call->sizes.n, .m = call->sizes.m};
    const int is_mapped = topk->store.mapping.inputs != 0 && sizes.n != 0;
    dmm_segmented_call c = {.k = topk->desc.k};
    dmm_span offsets = args->offsets, keys = args->keys_in;
    if (is_mapped) {
        keys = dmm_call_items(call, KEYS, topk->keys.item_bytes);
        TRY(dmm_mapping_store_run(&topk->store, call,
            &(dmm_mapping_store_spans){args->keys_in, keys, DMM_NONE, args->further}));
    }
    if (picks(topk, &call->sizes)) {
        TRY(report_rows(call));
        if (sizes.n != 0)
            TRY(pick_rows(topk, call, keys));
        goto out;
    }
    if (sizes.n != 0)
        TRY(dmm_segmented_offsets(&topk->keys, call, args->offsets, &offsets));
    const dmm_sort_segmented_args sort = {.keys_in = keys,
        .values_in = args->values_in,
        .keys_out = dmm_call_items(call, KEYS, topk->keys.item_bytes),
        .values_out = value != 0 ? dmm_call_items(call, VALUES, value) : DMM_NONE,
        .offsets = offsets,
        .temp = call->regions[SORT],
        .report_out = args->report_out};
    TRY(dmm_call_run(call, topk->sort, &sort, sizes));
    if (sizes.n == 0 || sizes.m == 0)
        goto out;
    TRY(dmm_segmented_take(&topk->keys, call, offsets, sort.keys_out, args->keys_out, c));
    c.subtracts = topk->desc.argsort != 0;
    if (value != 0)
        TRY(dmm_segmented_take(&topk->values, call, offsets, sort.values_out, args->values_out, c));
out:
    return status;
}

const dmm_class dmm_topk_segmented_class = {
    DMM_CLASS(dmm_topk_segmented),
    .word = "topk_segmented",
    .desc_taken = 1,
    .args_taken = 1,
    .init = topk_segmented_init,
    .check = dmm_segmented_check,
    .ports = topk_segmented_ports,
    .lay_out = topk_segmented_lay_out,
    .steps = topk_segmented_steps,
};

dmm_status dmm_topk_segmented_create(
    dmm_topk_segmented **out, dmm_context *ctx, const dmm_topk_segmented_desc *desc)
{
    return dmm_object_create(out, ctx, &dmm_topk_segmented_class, desc);
}

void dmm_topk_segmented_free(dmm_topk_segmented *topk)
{
    dmm_object_free(topk);
}

dmm_status dmm_topk_segmented_temp_bytes(
    uint64_t *out, const dmm_topk_segmented *topk, uint64_t n, uint64_t segments)
{
    return dmm_object_temp_bytes(out, topk, dmm_segmented_sizes(n, segments, 1));
}

dmm_status dmm_topk_segmented_enqueue(dmm_topk_segmented *topk, cl_command_queue queue,
    const dmm_topk_segmented_args *args, uint64_t n, uint64_t segments, cl_uint num_wait,
    const cl_event *wait, cl_event *event)
{
    const int has_offsets = args != NULL && args->offsets.buffer != NULL;
    return dmm_object_enqueue(
        topk, queue, args, dmm_segmented_sizes(n, segments, has_offsets), num_wait, wait, event);
}

dmm_status dmm_topk_segmented_host(dmm_context *ctx, const dmm_topk_segmented_desc *desc,
    const void *keys, const void *values, size_t n, const void *offsets, size_t segments,
    void *keys_out, void *values_out)
{
    dmm_topk_segmented_args args = {.temp = DMM_NONE};
    dmm_report report = {.code = DMM_OK};
    const dmm_host_array arrays[DMM_MAX_PORTS] = {{.from = keys}, {.from = values},
        {.from = offsets}, {.to = keys_out}, {.to = values_out}, {.to = &report}};
    return dmm_object_host(ctx, &dmm_topk_segmented_class, desc, &args,
        dmm_segmented_sizes(n, segments, offsets != NULL), arrays);
}
