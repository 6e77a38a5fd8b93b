/* SPDX-License-Identifier: MIT */
/*
 * Each group's total since its last change of keys, then scans of the groups' ranges: two launches,
 * or one if a single group suffices.
 */
#include <dmm/scan_by_key.h>

#include <stdlib.h>

#include "cl/by_key_call.clh"
#include "core/check.h"
#include "core/refuse.h"
#include "core/size.h"
#include "primitives/by_key.h"
#include "primitives/classes.h"
#include "primitives/mapping.h"
#include "primitives/prelude.h"
#include "primitives/scan.h"
#include "primitives/words.h"

enum { DEFAULT_KEY_BYTES = 4, CPU_E = 8, BEGUN_BYTES = 4 };
enum { TOTALS, BEGINS };
/* Outputs of so many bytes are written past the cache (CPU form). */
enum { CPU_CACHED_BYTES = 1 << 24 };

struct dmm_scan_by_key {
    dmm_object object;
    dmm_scan_by_key_desc desc;
    dmm_item_layout layout; /* layout of items */
    dmm_word_layout keys;
    dmm_mapping mapping;
    dmm_parameters p;
    cl_kernel reduce, scan;
    dmm_by_key by; /* chained: instead of all of that */
};

/* Returns a scan of the same items. */
static dmm_scan_desc scan_of(const dmm_scan_by_key_desc *desc)
{
    return (dmm_scan_desc){.type = desc->type,
        .op = desc->op,
        .exclusive = desc->exclusive,
        .own = desc->own,
        .map = desc->map,
        .max_n = desc->max_n,
        .tuning = desc->tuning};
}

static dmm_status choose(dmm_scan_by_key *scan, const dmm_order *order)
{
    dmm_status status = DMM_OK;
    const dmm_scan_by_key_desc *const desc = &scan->desc;
    const dmm_device *const device = &scan->object.ctx->device;
    TRY(dmm_item_layout_init(&scan->layout, device, order, 0, 0, desc->max_n));
    TRY(dmm_word_layout_init(&scan->keys, device, desc->key_bytes, desc->max_n));
    const uint32_t word = scan->layout.plane_bytes;
    const dmm_footprint footprint = {.item_bytes = scan->layout.key_bytes,
        .planes = scan->layout.planes + 1,
        .plane_bytes = word,
        .group_bytes = 2 * (scan->layout.planes + 1) * word,
        .cpu_E = CPU_E,
        .word = desc->own == NULL ? "scan_by_key" : NULL};
    TRY(dmm_context_choose(&scan->p, scan->object.ctx, &desc->tuning, &footprint));
    scan->object.max_n = dmm_item_limit(&scan->layout, 0, desc->max_n);
    if (scan->keys.max_n < scan->object.max_n)
        scan->object.max_n = scan->keys.max_n;
out:
    return status;
}

static dmm_status build(dmm_scan_by_key *scan, const dmm_order *order)
{
    dmm_status status = DMM_OK;
    dmm_options options = {.bytes = 0};
    const dmm_scan_desc like = scan_of(&scan->desc);
    char *const prelude = dmm_mapping_prelude(dmm_scan_prelude(dmm_prelude_new(), like.own, order),
        like.map, like.type, like.own != NULL);
    const dmm_program_desc desc = {
        .root = "cl/scan_by_key.cl", .options = &options, .prelude = prelude};
    cl_program program = NULL;
    FAIL_IF(prelude == NULL, DMM_OUT_OF_MEMORY);
    dmm_options_parameters(&options, &scan->p, &scan->object.ctx->device);
    dmm_item_define(&options, &scan->layout, order);
    dmm_scan_define(&options, &like);
    dmm_options_define(&options, "DMM_HEADS", scan->desc.heads != 0);
    dmm_options_define(&options, "DMM_WORD_BYTES", scan->keys.word_bytes);
    dmm_options_define(&options, "DMM_WORDS", scan->keys.words);
    dmm_mapping_define(&options, &scan->mapping);
    TRY(dmm_programs_get(&scan->object.ctx->programs, &desc, &program));
    TRY(dmm_object_kernel(scan, program, "dmm_by_key_reduce", scan->p.u, &scan->reduce));
    TRY(dmm_object_kernel(scan, program, "dmm_by_key_scan", scan->p.u, &scan->scan));
out:
    free(prelude);
    return status;
}

static dmm_status scan_by_key_init(void *object)
{
    dmm_status status = DMM_OK;
    dmm_scan_by_key *const scan = object;
    const dmm_scan_desc like = scan_of(&scan->desc);
    TRY(dmm_scan_check(&like, &scan->object.ctx->device));
    TRY(dmm_mapping_init(&scan->mapping, like.map, like.type, &scan->object.ctx->device, 1));
    const dmm_order order = dmm_scan_order(&like);
    if (scan->desc.key_bytes == 0)
        scan->desc.key_bytes = scan->desc.heads ? 1 : DEFAULT_KEY_BYTES;
    FAIL_IF(scan->desc.heads && scan->desc.key_bytes != 1,
        dmm_refuse(DMM_BAD_VALUE, "key_bytes: is %u, heads are flags of one byte",
            (unsigned)scan->desc.key_bytes));
    TRY(dmm_by_key_init(scan, &scan->by,
        &(dmm_by_key_desc){.what = DMM_BY_KEY_SCAN,
            .items = like,
            .key_bytes = scan->desc.key_bytes,
            .heads = (int)scan->desc.heads}));
    if (scan->by.chained != NULL) {
        scan->layout = scan->by.layout;
        scan->object.max_n = scan->by.max_n;
        goto out;
    }
    TRY(choose(scan, &order));
    TRY(build(scan, &order));
out:
    return status;
}

static uint32_t in_bytes(const dmm_scan_by_key *scan)
{
    return dmm_mapping_in(&scan->mapping, scan->layout.key_bytes);
}

static uint32_t out_bytes(const dmm_scan_by_key *scan)
{
    return dmm_mapping_out(&scan->mapping, scan->layout.key_bytes);
}

static size_t scan_by_key_ports(
    const void *object, const void *args, const dmm_sizes *sizes, dmm_port ports[DMM_MAX_PORTS])
{
    const dmm_scan_by_key *const scan = object;
    const uint32_t in = in_bytes(scan), out = out_bytes(scan);
    const uint8_t pair = in == out;
    const dmm_port list[] = {
        {DMM_READS(dmm_scan_by_key_args, keys_in, sizes->n, scan->desc.key_bytes)},
        {DMM_READS(dmm_scan_by_key_args, in, sizes->n, in), .pair = pair},
        {DMM_WRITES(dmm_scan_by_key_args, out, sizes->n, out), .pair = pair},
        {DMM_READS_COUNT(dmm_scan_by_key_args)},
    };
    (void)args;
    return dmm_mapping_ports(&scan->mapping, offsetof(dmm_scan_by_key_args, further), sizes->n,
        ports, DMM_PORTS(ports, list));
}

/* Returns an upper bound, monotone in n, of the groups of a call. */
static uint64_t most_groups(const dmm_scan_by_key *scan, uint64_t n)
{
    const uint64_t tiles = dmm_size_div_up(n, scan->p.tile);
    return tiles < scan->p.most_groups ? tiles : scan->p.most_groups;
}

static void scan_by_key_lay_out(const void *object, dmm_call *call)
{
    const dmm_scan_by_key *const scan = object;
    if (scan->by.chained != NULL) {
        dmm_by_key_lay_out(&scan->by, call, TOTALS);
        return;
    }
    const uint64_t groups = most_groups(scan, call->sizes.n);
    dmm_scan_region(call, TOTALS, groups, scan->layout.key_bytes);
    dmm_call_region(call, BEGINS, groups, BEGUN_BYTES);
}

static dmm_status launch(const dmm_scan_by_key *scan, const dmm_call *call, cl_kernel kernel,
    const cl_mem *buffers, size_t num_buffers, const dmm_by_key_call *c, uint64_t groups)
{
    const dmm_scan_by_key_args *const args = call->args;
    return dmm_mapping_launch(&scan->mapping, call, (dmm_further){args->further, 0}, kernel,
        buffers, num_buffers, c, sizeof *c, (dmm_grid){0, groups, scan->p.u});
}

static dmm_status scan_by_key_steps(const void *object, dmm_call *call)
{
    dmm_status status = DMM_OK;
    const dmm_scan_by_key *const scan = object;
    const dmm_scan_by_key_args *const args = call->args;
    const uint64_t n = call->sizes.n, tile = scan->p.tile;
    const uint32_t bytes = scan->layout.key_bytes;
    const dmm_span totals = dmm_call_items(call, TOTALS, bytes), begins = call->regions[BEGINS];
    if (n == 0)
        goto out;
    if (scan->by.chained != NULL)
        return dmm_by_key_steps(&scan->by, call,
            &(dmm_runs_spans){.keys_in = args->keys_in,
                .in = args->in,
                .out = args->out,
                .count = args->count,
                .further = args->further},
            TOTALS);
    const uint64_t range = dmm_size_div_up(dmm_size_div_up(n, tile), scan->p.most_groups) * tile;
    const uint64_t groups = dmm_size_div_up(n, range);
    const dmm_by_key_call c = {.keys_at = dmm_span_items(args->keys_in, scan->keys.word_bytes),
        .in_at = dmm_span_items(args->in, in_bytes(scan)),
        .out_at = dmm_span_items(args->out, out_bytes(scan)),
        .totals_at = dmm_span_items(totals, bytes),
        .begins_at = dmm_span_items(begins, BEGUN_BYTES),
        .count_at = dmm_span_items(args->count, DMM_COUNT_BYTES),
        .n = n,
        .range = range,
        .streams =
            dmm_size_mul(n, bytes) >= CPU_CACHED_BYTES && !dmm_spans_equal(args->in, args->out)};
    TRY(launch(scan, call, scan->reduce, /* the last group's total is not needed */
        DMM_BUFFERS(args->keys_in.buffer, args->in.buffer, totals.buffer, begins.buffer,
            args->count.buffer),
        &c, groups - 1));
    TRY(launch(scan, call, scan->scan,
        DMM_BUFFERS(args->keys_in.buffer, args->in.buffer, args->out.buffer, totals.buffer,
            begins.buffer, args->count.buffer),
        &c, groups));
out:
    return status;
}

const dmm_class dmm_scan_by_key_class = {
    DMM_CLASS(dmm_scan_by_key),
    .word = "scan_by_key",
    .desc_taken = 3,
    .args_taken = 1,
    .init = scan_by_key_init,
    .ports = scan_by_key_ports,
    .lay_out = scan_by_key_lay_out,
    .steps = scan_by_key_steps,
};

dmm_status dmm_scan_by_key_create(
    dmm_scan_by_key **out, dmm_context *ctx, const dmm_scan_by_key_desc *desc)
{
    return dmm_object_create(out, ctx, &dmm_scan_by_key_class, desc);
}

void dmm_scan_by_key_free(dmm_scan_by_key *scan)
{
    dmm_object_free(scan);
}

dmm_status dmm_scan_by_key_temp_bytes(uint64_t *out, const dmm_scan_by_key *scan, uint64_t n)
{
    return dmm_object_temp_bytes(out, scan, (dmm_sizes){.n = n});
}

dmm_status dmm_scan_by_key_enqueue(dmm_scan_by_key *scan, cl_command_queue queue,
    const dmm_scan_by_key_args *args, uint64_t n, cl_uint num_wait, const cl_event *wait,
    cl_event *event)
{
    return dmm_object_enqueue(scan, queue, args, (dmm_sizes){.n = n}, num_wait, wait, event);
}

dmm_status dmm_scan_by_key_host(
    dmm_context *ctx, const dmm_scan_by_key_desc *desc, const void *keys, void *items, size_t n)
{
    dmm_scan_by_key_args args = {.temp = DMM_NONE};
    const dmm_host_array arrays[DMM_MAX_PORTS] = {{.from = keys}, {.from = items}, {.to = items}};
    return dmm_object_host(ctx, &dmm_scan_by_key_class, desc, &args, (dmm_sizes){.n = n}, arrays);
}
