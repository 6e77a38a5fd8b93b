/* SPDX-License-Identifier: MIT */
/*
 * Parameters and program of a search: the local memory of the three methods, and their options.
 */
#include "primitives/lanes.h"
#include "primitives/search/search_build.h"

#include <stdlib.h>

#include "core/check.h"
#include "primitives/prelude.h"

/* Bytes and levels of the search's top in local memory, and the queries that a work-item searches
 * together. */
enum { TOP_BYTES = 8192, MOST_TOP_LEVELS = 10, GPU_E = 4, CPU_E = 8 };
/* The same where a step is one load in a line of its own: of eight, a core waits for most. */
enum { CPU_E_APART = 32 };
/* Items that a work-item merges in the GPU form. */
enum { MERGE_E = 8 };
/* Bytes of a group's queries in the CPU form. */
enum { CPU_TILE_BYTES = 1 << 14 };

/* Returns the local memory of the method in the GPU form, and its defaults. */
static dmm_footprint footprint_of(const dmm_search *search)
{
    const dmm_layout_kind kind = search->desc.layout;
    const int is_apart =
        search->desc.order.less == NULL && (kind == DMM_LAYOUT_SORTED || kind == DMM_LAYOUT_BST);
    dmm_footprint footprint = {.item_bytes = search->layout.key_bytes,
        .cpu_E = is_apart ? CPU_E_APART : CPU_E,
        .cpu_tile_bytes = CPU_TILE_BYTES,
        .gpu_E = GPU_E,
        .word = "search"};
    const uint32_t code = search->layout.key_bytes < 4 ? 4 : search->layout.key_bytes;
    if (search->desc.method == DMM_SEARCH_TEAMS && search->lanes_by == DMM_LANES_BY_NONE) {
        footprint.local_bytes = 2 * (uint32_t)sizeof(cl_uint); /* flags */
    } else if (search->desc.method == DMM_SEARCH_MERGE) {
        footprint.gpu_E = MERGE_E;
        footprint.local_bytes = code + (uint32_t)sizeof(cl_uint);
    }
    return footprint;
}

static dmm_status choose(dmm_search *search)
{
    dmm_status status = DMM_OK;
    const dmm_search_desc *const desc = &search->desc;
    dmm_item_layout *const layout = &search->layout;
    TRY(dmm_item_layout_init(layout, &search->object.ctx->device, &desc->order, 0, 0, desc->max_n));
    search->object.max_n = dmm_item_limit(layout, 0, desc->max_n);
    if (desc->rank_bytes == 4 && search->object.max_n > UINT32_MAX)
        search->object.max_n = UINT32_MAX;
    if (desc->method == DMM_SEARCH_MERGE)
        layout->index_bytes = 8; /* counts keys and queries together */
    const dmm_footprint footprint = footprint_of(search);
    TRY(dmm_context_choose(&search->p, search->object.ctx, &desc->tuning, &footprint));
out:
    return status;
}

/* Returns the keys of a node of the search's first levels. */
static uint32_t node_keys(const dmm_search *search)
{
    if (search->desc.layout == DMM_LAYOUT_BTREE)
        return search->desc.B;
    return search->desc.method == DMM_SEARCH_TEAMS ? search->desc.team : 1;
}

/* Returns the number of levels of the search that kernels keep in local memory; *keys of them. */
static uint32_t top_levels(const dmm_search *search, uint64_t *keys)
{
    const dmm_search_desc *const desc = &search->desc;
    const uint64_t local = search->object.ctx->device.local_bytes.value;
    const uint64_t bytes = local / 2 < TOP_BYTES ? local / 2 : TOP_BYTES;
    const uint32_t key = search->layout.key_bytes < 4 ? 4 : search->layout.key_bytes;
    const int teams = desc->method == DMM_SEARCH_TEAMS;
    const uint64_t node = node_keys(search);
    uint32_t levels = 0;
    *keys = 0;
    if (search->p.cpu || desc->guarantee || desc->method == DMM_SEARCH_MERGE)
        return 0;
    if (teams ? node > desc->team : desc->layout != DMM_LAYOUT_SORTED)
        return 0;
    while (levels < MOST_TOP_LEVELS && (*keys + (*keys + 1) * node) * key <= bytes) {
        *keys += (*keys + 1) * node;
        levels++;
    }
    return levels;
}

static void define(const dmm_search *search, dmm_options *options)
{
    const dmm_search_desc *const desc = &search->desc;
    const dmm_device *const device = &search->object.ctx->device;
    uint64_t keys = 0;
    dmm_options_parameters(options, &search->p, device);
    dmm_item_define(options, &search->layout, &desc->order);
    dmm_options_define(options, "DMM_FIND", desc->result);
    dmm_options_define(options, "DMM_RANK_BYTES", desc->rank_bytes);
    dmm_options_define(options, "DMM_TREE", desc->layout);
    dmm_options_define(options, "DMM_TREE_B", desc->B);
    dmm_options_define(options, "DMM_TOP_LEVELS", top_levels(search, &keys));
    if (desc->method != DMM_SEARCH_TEAMS)
        return;
    dmm_options_define(options, "DMM_TOP_KEYS", keys);
    dmm_options_define(options, "DMM_TEAM", desc->team);
    dmm_lanes_define(options, search->lanes_by, device);
}

static dmm_status build(dmm_search *search)
{
    static const struct {
        const char *root, *kernel;
    } methods[] = {[DMM_SEARCH_ITEMS] = {"cl/search/search.cl", "dmm_search_queries"},
        [DMM_SEARCH_TEAMS] = {"cl/search/search_lanes.cl", "dmm_search_teams"},
        [DMM_SEARCH_MERGE] = {"cl/search/search_merge.cl", "dmm_search_merge"}};
    dmm_status status = DMM_OK;
    const dmm_search_method method = search->desc.method;
    dmm_options options = {.bytes = 0};
    cl_program program = NULL;
    char *const prelude = dmm_order_prelude(&search->desc.order);
    const dmm_program_desc desc = {
        .root = methods[method].root, .options = &options, .prelude = prelude};
    FAIL_IF(prelude == NULL, DMM_OUT_OF_MEMORY);
    define(search, &options);
    TRY(dmm_programs_get(&search->object.ctx->programs, &desc, &program));
    TRY(dmm_lanes_kernel(
        search, search->lanes_by, program, methods[method].kernel, search->p.u, &search->kernel));
out:
    free(prelude);
    return status;
}

/* Chooses how a team's work-items exchange data, and their number. */
static void choose_team(dmm_search *search, int by_lanes, uint32_t wanted)
{
    const dmm_device *const device = &search->object.ctx->device;
    const uint64_t lanes = device->sync_width.value;
    uint32_t most = (uint32_t)device->banks.value;
    search->lanes_by =
        by_lanes && lanes > 1 && lanes >= wanted ? dmm_device_lanes_by(device) : DMM_LANES_BY_NONE;
    if (search->lanes_by != DMM_LANES_BY_NONE)
        most = (uint32_t)lanes;
    search->desc.team = wanted != 0 ? wanted : 2;
    while (wanted == 0 && search->desc.team < most &&
           (search->desc.layout == DMM_LAYOUT_SORTED || search->desc.team < search->desc.B))
        search->desc.team *= 2;
}

dmm_status dmm_search_build(dmm_search *search, uint32_t team, int by_lanes)
{
    dmm_status status = DMM_OK;
    const int teams = search->desc.method == DMM_SEARCH_TEAMS;
    if (teams)
        choose_team(search, by_lanes, team);
    TRY(choose(search));
    FAIL_IF(teams && search->p.cpu, DMM_UNSUPPORTED);
    /* a guarantee rules local memory out */
    FAIL_IF(search->desc.guarantee && search->desc.method != DMM_SEARCH_ITEMS && !search->p.cpu,
        DMM_UNSUPPORTED);
    FAIL_IF(teams && search->desc.team > search->p.u, DMM_BAD_PARAMETERS);
    FAIL_IF(search->lanes_by != DMM_LANES_BY_NONE &&
                search->p.u % search->object.ctx->device.sync_width.value != 0,
        DMM_BAD_PARAMETERS);
    TRY(build(search));
out:
    return status;
}
