/* SPDX-License-Identifier: MIT */
/*
 * dmm_merge: one merge pass over one pair of lists, each in its own span.
 */
#include <dmm/merge.h>

#include "core/check.h"
#include "core/size.h"
#include "primitives/classes.h"
#include "primitives/sort/merger.h"

struct dmm_merge {
    dmm_object object;
    dmm_merge_desc desc;
    dmm_merger merger;
};

static dmm_status merge_init(void *object)
{
    dmm_status status = DMM_OK;
    dmm_merge *const merge = object;
    const dmm_merge_desc *const desc = &merge->desc;
    const dmm_merger_desc merger = {.word = "merge",
        .order = &desc->order,
        .tuning = &desc->tuning,
        .value_bytes = desc->value_bytes,
        .positions = desc->positions != 0,
        .guarantee = desc->guarantee,
        .max_n = desc->max_n};
    dmm_options options = {.bytes = 0};
    TRY(dmm_merger_choose(&merge->merger, object, &merger));
    dmm_values_define(&options, &merge->merger.layout, desc->positions != 0, 0);
    const dmm_merger_program program = {
        .root = merge->merger.p.cpu ? "cl/sort/merge_cpu.cl" : "cl/sort/merge.cl",
        .partition = "dmm_merge_partition",
        .tile = "dmm_merge_tile",
        .options = &options};
    TRY(dmm_merger_build(&merge->merger, object, &merger, &program));
out:
    return status;
}

/* Returns the sizes of a call: n items, m of them in A. */
static dmm_sizes sizes_of(uint64_t na, uint64_t nb)
{
    return (dmm_sizes){.n = dmm_size_add(na, nb), .m = na};
}

static size_t merge_ports(
    const void *object, const void *args, const dmm_sizes *sizes, dmm_port ports[DMM_MAX_PORTS])
{
    const dmm_merge *const merge = object;
    const dmm_item_layout *const item = &merge->merger.layout;
    const uint32_t key = item->key_bytes, value = item->value_bytes;
    const uint32_t read = merge->desc.positions ? 0 : value;
    const uint64_t n = sizes->n, na = sizes->m, nb = n - na;
    const dmm_port list[] = {
        {DMM_READS(dmm_merge_args, a_keys, na, key)},
        {DMM_READS(dmm_merge_args, a_values, na, read)},
        {DMM_READS(dmm_merge_args, b_keys, nb, key)},
        {DMM_READS(dmm_merge_args, b_values, nb, read)},
        {DMM_WRITES(dmm_merge_args, keys_out, n, key)},
        {DMM_WRITES(dmm_merge_args, values_out, n, value)},
    };
    (void)args;
    return DMM_PORTS(ports, list);
}

enum { SPLITS, POSITIONS };

static void merge_lay_out(const void *object, dmm_call *call)
{
    const dmm_merger *const merger = &((const dmm_merge *)object)->merger;
    const dmm_item_layout *const item = &merger->layout;
    const uint64_t n = call->sizes.n;
    const uint64_t tiles = dmm_size_div_up(n, merger->p.tile);
    dmm_call_region(call, SPLITS, dmm_merger_splits(merger, tiles), item->index_bytes);
    dmm_call_region(call, POSITIONS, item->by_position ? n : 0, item->moved_bytes);
}

static dmm_status merge_steps(const void *object, dmm_call *call)
{
    dmm_status status = DMM_OK;
    const dmm_merger *const merger = &((const dmm_merge *)object)->merger;
    const dmm_merge_args *const args = call->args;
    const uint64_t n = call->sizes.n, na = call->sizes.m;
    const int by_position = merger->layout.by_position;
    const dmm_span positions = call->regions[POSITIONS];
    const dmm_pass pass = {.a = {args->a_keys, args->a_values},
        .b = {args->b_keys, args->b_values},
        .out = {args->keys_out, by_position ? positions : args->values_out},
        .splits = call->regions[SPLITS],
        .n = n,
        .run = na,
        .span = n,
        .b_shift = na};
    const dmm_gathering gathering = {.positions = positions,
        .a = args->a_values,
        .b = args->b_values,
        .out = args->values_out,
        .na = na,
        .nb = n - na,
        .n = n};
    if (n == 0)
        goto out;
    TRY(dmm_merger_pass(merger, call, &pass));
    if (by_position)
        TRY(dmm_values_gather(call, merger->gather, &merger->layout, &gathering));
out:
    return status;
}

const dmm_class dmm_merge_class = {
    DMM_CLASS(dmm_merge),
    .word = "merge",
    .desc_taken = 1,
    .init = merge_init,
    .ports = merge_ports,
    .lay_out = merge_lay_out,
    .steps = merge_steps,
};

dmm_status dmm_merge_create(dmm_merge **out, dmm_context *ctx, const dmm_merge_desc *desc)
{
    return dmm_object_create(out, ctx, &dmm_merge_class, desc);
}

void dmm_merge_free(dmm_merge *merge)
{
    dmm_object_free(merge);
}

dmm_status dmm_merge_temp_bytes(uint64_t *out, const dmm_merge *merge, uint64_t n)
{
    return dmm_object_temp_bytes(out, merge, sizes_of(n, 0));
}

dmm_status dmm_merge_enqueue(dmm_merge *merge, cl_command_queue queue, const dmm_merge_args *args,
    uint64_t na, uint64_t nb, cl_uint num_wait, const cl_event *wait, cl_event *event)
{
    return dmm_object_enqueue(merge, queue, args, sizes_of(na, nb), num_wait, wait, event);
}

dmm_status dmm_merge_host(
    dmm_context *ctx, const dmm_merge_desc *desc, const dmm_merge_host_args *host)
{
    dmm_merge_args args = {.temp = DMM_NONE};
    if (host == NULL)
        return DMM_NULL_ARGUMENT;
    const dmm_host_array arrays[DMM_MAX_PORTS] = {{.from = host->a_keys}, {.from = host->a_values},
        {.from = host->b_keys}, {.from = host->b_values}, {.to = host->keys_out},
        {.to = host->values_out}};
    return dmm_object_host(
        ctx, &dmm_merge_class, desc, &args, sizes_of(host->na, host->nb), arrays);
}
