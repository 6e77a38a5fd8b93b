/* SPDX-License-Identifier: MIT */
/*
 * Searches in a sorted array or in a layout: one launch, by one of three programs.
 */
#include <dmm/search.h>

#include "cl/search/search_call.clh"
#include "core/check.h"
#include "core/refuse.h"
#include "core/size.h"
#include "primitives/classes.h"
#include "primitives/search/search_build.h"

enum { DEFAULT_RANK_BYTES = 4, MOST_B = 65535 };

static dmm_status check_desc(const dmm_search_desc *desc)
{
    if ((unsigned)desc->result > DMM_RANK_CONTAINS)
        return dmm_refuse(DMM_BAD_VALUE, "result: %d is no dmm_rank", (int)desc->result);
    if (desc->rank_bytes != 4 && desc->rank_bytes != 8)
        return dmm_refuse(
            DMM_BAD_VALUE, "rank_bytes: must be 4 or 8, is %u", (unsigned)desc->rank_bytes);
    if ((unsigned)desc->layout > DMM_LAYOUT_MVEB)
        return dmm_refuse(DMM_BAD_VALUE, "layout: %d is no layout", (int)desc->layout);
    if (desc->B > MOST_B)
        return dmm_refuse(DMM_BAD_VALUE, "B: is %u, at most %d", (unsigned)desc->B, MOST_B);
    if ((unsigned)desc->method > DMM_SEARCH_MERGE)
        return dmm_refuse(DMM_BAD_VALUE, "method: %d is no dmm_search_method", (int)desc->method);
    if (desc->team == 1 || (desc->team & (desc->team - 1)) != 0)
        return dmm_refuse(DMM_BAD_VALUE, "team: is %u, must be 0 or a power of two from 2 on",
            (unsigned)desc->team);
    if ((desc->method == DMM_SEARCH_MERGE && desc->layout != DMM_LAYOUT_SORTED) ||
        (desc->method == DMM_SEARCH_TEAMS && desc->layout != DMM_LAYOUT_SORTED &&
            desc->layout != DMM_LAYOUT_BTREE))
        return dmm_refuse(DMM_BAD_VALUE, "method: does not search this layout");
    if (desc->rank_bytes == 4 && desc->max_n > UINT32_MAX)
        return dmm_refuse(DMM_BAD_VALUE, "rank_bytes: max_n needs 8");
    return DMM_OK;
}

/* Returns the queries of a group. A group that merges has as many as 7/8 of a tile hold beside
 * their share of the keys, because ranges of keys vary. */
static uint64_t group_range(const dmm_search *search, uint64_t n, uint64_t m)
{
    const dmm_search_method method = search->desc.method;
    const uint64_t tile = search->p.tile / (method == DMM_SEARCH_TEAMS ? search->desc.team : 1);
    if (m == 0)
        return 1;
    if (method == DMM_SEARCH_MERGE) {
        const uint64_t tiles = dmm_size_div_up(n + m, tile - tile / 8);
        return dmm_size_div_up(m, tiles < search->p.most_groups ? tiles : search->p.most_groups);
    }
    return dmm_size_div_up(dmm_size_div_up(m, tile), search->p.most_groups) * tile;
}

/* Replaces the fields of the description that mean a default. */
static void fill_in(dmm_search_desc *desc, const dmm_device *device)
{
    /* Other layouts have no B: one program for all values. */
    if (desc->layout != DMM_LAYOUT_BTREE)
        desc->B = 1;
    else if (desc->B == 0)
        desc->B = (uint32_t)device->banks.value;
    if (desc->method == DMM_SEARCH_AUTO)
        desc->method = DMM_SEARCH_ITEMS;
}

static dmm_status search_init(void *object)
{
    dmm_status status = DMM_OK;
    dmm_search *const search = object;
    if (search->desc.rank_bytes == 0)
        search->desc.rank_bytes = DEFAULT_RANK_BYTES;
    TRY(check_desc(&search->desc));
    const uint32_t team = search->desc.team;
    fill_in(&search->desc, &search->object.ctx->device);
    status = dmm_search_build(search, team, 1);
    if (dmm_programs_are_unfit(status) && search->lanes_by != DMM_LANES_BY_NONE)
        status = dmm_search_build(search, team, 0);
out:
    return status;
}

static size_t search_ports(
    const void *object, const void *args, const dmm_sizes *sizes, dmm_port ports[DMM_MAX_PORTS])
{
    const dmm_search *const search = object;
    const dmm_search_desc *const desc = &search->desc;
    const uint32_t key = search->layout.key_bytes;
    const uint32_t out = desc->result == DMM_RANK_CONTAINS ? 1 : desc->rank_bytes;
    const uint32_t end = desc->result == DMM_RANK_RANGE ? desc->rank_bytes : 0;
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
    const uint64_t n = call->sizes.n, m = call->sizes.m;
    const uint64_t range = group_range(search, n, m);
    const dmm_search_call c = {.keys_at = dmm_span_items(args->keys, key),
        .queries_at = dmm_span_items(args->queries, key),
        .out_at = dmm_span_items(args->out, search->desc.result == DMM_RANK_CONTAINS ? 1 : rank),
        .ends_at = dmm_span_items(args->ends_out, rank),
        .count_at = dmm_span_items(args->count, DMM_COUNT_BYTES),
        .n = n,
        .queries = m,
        .range = range};
    return dmm_call_launch(call, search->kernel,
        DMM_BUFFERS(args->keys.buffer, args->queries.buffer, args->out.buffer,
            args->ends_out.buffer, args->count.buffer),
        &c, sizeof c, (dmm_grid){0, dmm_size_div_up(m, range), search->p.u});
}

const dmm_class dmm_search_class = {
    DMM_CLASS(dmm_search),
    .desc_taken = 2,
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
