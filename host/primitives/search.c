/* SPDX-License-Identifier: MIT */
/*
 * Searches in a sorted array or in a layout: one launch.
 */
#include <dmm/search.h>

#include <stdlib.h>

#include "cl/search_call.clh"
#include "core/check.h"
#include "core/size.h"
#include "primitives/classes.h"
#include "primitives/items.h"
#include "primitives/order.h"

/* Bytes and levels of the search's top in local memory, and the queries that a work-item searches
 * together. */
enum { TOP_BYTES = 8192, MOST_TOP_LEVELS = 10, GPU_E = 4, CPU_E = 8 };
/* Bytes of a group's queries in the CPU form. */
enum { CPU_TILE_BYTES = 1 << 14 };
enum { DEFAULT_RANK_BYTES = 4, MOST_B = 65535 };

struct dmm_search {
    dmm_object object;
    dmm_search_desc desc;
    dmm_item_layout layout;
    dmm_parameters p;
    cl_kernel queries;
};

static dmm_status check_desc(const dmm_search_desc *desc)
{
    if ((unsigned)desc->result > DMM_SEARCH_CONTAINS ||
        (desc->rank_bytes != 4 && desc->rank_bytes != 8))
        return DMM_BAD_VALUE;
    if ((unsigned)desc->layout > DMM_LAYOUT_MVEB || desc->B > MOST_B)
        return DMM_BAD_VALUE;
    return desc->rank_bytes == 4 && desc->max_n > UINT32_MAX ? DMM_BAD_VALUE : DMM_OK;
}

static dmm_status choose(dmm_search *search)
{
    dmm_status status = DMM_OK;
    const dmm_search_desc *const desc = &search->desc;
    TRY(dmm_item_layout_init(
        &search->layout, &search->object.ctx->device, &desc->order, 0, 0, desc->max_n));
    const dmm_footprint footprint = {.item_bytes = search->layout.key_bytes,
        .cpu_E = CPU_E,
        .cpu_tile_bytes = CPU_TILE_BYTES,
        .gpu_E = GPU_E,
        .word = "search"};
    TRY(dmm_context_choose(&search->p, search->object.ctx, &desc->tuning, &footprint));
    search->object.max_n = dmm_item_limit(&search->layout, 0, desc->max_n);
    if (desc->rank_bytes == 4 && search->object.max_n > UINT32_MAX)
        search->object.max_n = UINT32_MAX;
out:
    return status;
}

/* Returns the number of levels of the search that kernels keep in local memory. */
static uint32_t top_levels(const dmm_search *search)
{
    const uint64_t local = search->object.ctx->device.local_bytes.value;
    const uint64_t bytes = local < TOP_BYTES ? local : TOP_BYTES;
    const uint32_t key = search->layout.key_bytes < 4 ? 4 : search->layout.key_bytes;
    uint32_t levels = 0;
    if (search->p.cpu || search->desc.guarantee || search->desc.layout != DMM_LAYOUT_SORTED)
        return 0;
    while (levels < MOST_TOP_LEVELS && (((uint64_t)2 << levels) - 1) * key <= bytes)
        levels++;
    return levels;
}

static dmm_status build(dmm_search *search)
{
    dmm_status status = DMM_OK;
    dmm_programs *const programs = &search->object.ctx->programs;
    const dmm_order *const order = &search->desc.order;
    dmm_options options = {.bytes = 0};
    cl_program program = NULL;
    char *const prelude = dmm_order_prelude(order);
    FAIL_IF(prelude == NULL, DMM_OUT_OF_MEMORY);
    dmm_options_parameters(&options, &search->p, &search->object.ctx->device);
    dmm_item_define(&options, &search->layout, order);
    dmm_options_define(&options, "DMM_FIND", search->desc.result);
    dmm_options_define(&options, "DMM_RANK_BYTES", search->desc.rank_bytes);
    dmm_options_define(&options, "DMM_TREE", search->desc.layout);
    dmm_options_define(&options, "DMM_TREE_B", search->desc.B);
    dmm_options_define(&options, "DMM_TOP_LEVELS", top_levels(search));
    const dmm_program_desc desc = {.root = "cl/search.cl", .options = &options, .prelude = prelude};
    TRY(dmm_programs_get(programs, &desc, &program));
    TRY(dmm_object_kernel(search, program, "dmm_search_queries", search->p.u, &search->queries));
out:
    free(prelude);
    return status;
}

static dmm_status search_init(void *object)
{
    dmm_status status = DMM_OK;
    dmm_search *const search = object;
    if (search->desc.rank_bytes == 0)
        search->desc.rank_bytes = DEFAULT_RANK_BYTES;
    TRY(check_desc(&search->desc));
    /* Other layouts have no B: one program for all values. */
    if (search->desc.layout != DMM_LAYOUT_BTREE)
        search->desc.B = 1;
    else if (search->desc.B == 0)
        search->desc.B = (uint32_t)search->object.ctx->device.banks.value;
    TRY(choose(search));
    TRY(build(search));
out:
    return status;
}

static size_t search_ports(
    const void *object, const void *args, const dmm_sizes *sizes, dmm_port ports[DMM_MAX_PORTS])
{
    const dmm_search *const search = object;
    const dmm_search_desc *const desc = &search->desc;
    const uint32_t key = search->layout.key_bytes;
    const uint32_t out = desc->result == DMM_SEARCH_CONTAINS ? 1 : desc->rank_bytes;
    const uint32_t end = desc->result == DMM_SEARCH_RANGE ? desc->rank_bytes : 0;
    const dmm_port list[] = {
        {DMM_READS(dmm_search_args, keys, sizes->n, key)},
        {DMM_READS(dmm_search_args, queries, sizes->m, key)},
        {DMM_WRITES(dmm_search_args, out, sizes->m, out)},
        {DMM_WRITES(dmm_search_args, ends_out, sizes->m, end)},
        {DMM_READS_COUNT(dmm_search_args)},
    };
    (void)args;
    return DMM_PORTS(ports, list);
}

static void search_lay_out(const void *object, dmm_call *call)
{
    (void)object;
    (void)call; /* no temp */
}

static dmm_status search_steps(const void *object, dmm_call *call)
{
    const dmm_search *const search = object;
    const dmm_search_args *const args = call->args;
    const uint32_t key = search->layout.key_bytes, rank = search->desc.rank_bytes;
    const uint64_t m = call->sizes.m, tiles = dmm_size_div_up(m, search->p.tile);
    const uint64_t range =
        m != 0 ? dmm_size_div_up(tiles, search->p.most_groups) * search->p.tile : 1;
    const dmm_search_call c = {.keys_at = dmm_span_items(args->keys, key),
        .queries_at = dmm_span_items(args->queries, key),
        .out_at = dmm_span_items(args->out, search->desc.result == DMM_SEARCH_CONTAINS ? 1 : rank),
        .ends_at = dmm_span_items(args->ends_out, rank),
        .count_at = dmm_span_items(args->count, DMM_COUNT_BYTES),
        .n = call->sizes.n,
        .queries = m,
        .range = range};
    return dmm_call_launch(call, search->queries,
        DMM_BUFFERS(args->keys.buffer, args->queries.buffer, args->out.buffer,
            args->ends_out.buffer, args->count.buffer),
        &c, sizeof c, (dmm_grid){0, dmm_size_div_up(m, range), search->p.u});
}

const dmm_class dmm_search_class = {
    DMM_CLASS(dmm_search),
    .desc_taken = 1,
    .word = "search",
    .init = search_init,
    .ports = search_ports,
    .lay_out = search_lay_out,
    .steps = search_steps,
};

dmm_status dmm_search_create(dmm_search **out, dmm_context *ctx, const dmm_search_desc *desc)
{
    return dmm_object_create(out, ctx, &dmm_search_class, desc);
}

void dmm_search_free(dmm_search *search)
{
    dmm_object_free(search);
}

dmm_status dmm_search_temp_bytes(uint64_t *out, const dmm_search *search, uint64_t n, uint64_t m)
{
    return dmm_object_temp_bytes(out, search, (dmm_sizes){.n = n, .m = m});
}

dmm_status dmm_search_enqueue(dmm_search *search, cl_command_queue queue,
    const dmm_search_args *args, uint64_t n, uint64_t m, cl_uint num_wait, const cl_event *wait,
    cl_event *event)
{
    const dmm_sizes sizes = {.n = n, .m = m};
    return dmm_object_enqueue(search, queue, args, sizes, num_wait, wait, event);
}

dmm_status dmm_search_host(dmm_context *ctx, const dmm_search_desc *desc, const void *keys,
    size_t n, const void *queries, size_t m, void *out, void *ends_out)
{
    dmm_search_args args = {.temp = DMM_NONE};
    const dmm_sizes sizes = {.n = n, .m = m};
    const dmm_host_array arrays[DMM_MAX_PORTS] = {
        {.from = keys}, {.from = queries}, {.to = out}, {.to = ends_out}};
    return dmm_object_host(ctx, &dmm_search_class, desc, &args, sizes, arrays);
}
