/* SPDX-License-Identifier: MIT */
/*
 * How the GPU form of radix sort sorts a tile by a digit (dmm_tile_by).
 */
#include "primitives/radix.h"
#include "primitives/sort_matrix.h"

/* Bits of a step by rank. A step that routes costs more: more bits, and a counter for each bank. */
enum { RANK_STEP_BITS = 4, ROUTE_STEP_BITS = 5 };

static uint32_t step_bits(const dmm_radix *radix)
{
    const int routes = radix->desc.tile_by == DMM_TILE_BY_ROUTE;
    uint32_t bits = routes ? ROUTE_STEP_BITS : RANK_STEP_BITS;
    while (routes && radix->object.ctx->device.banks.value >> bits > 1)
        bits++;
    return bits;
}

/* For each item its place in the tile and where it goes, and its rank if it moves by split; for each
 * work-item two sums and, unless items move by split, a counter for each value of a step's bits. */
void dmm_radix_tile_footprint(dmm_footprint *footprint, const dmm_radix *radix)
{
    const uint32_t word = (uint32_t)radix->object.ctx->device.bank_bytes.value;
    const uint32_t index = radix->layout.index_bytes;
    const int splits = radix->desc.tile_by == DMM_TILE_BY_SPLIT;
    footprint->local_bytes += index > word ? index : word;
    footprint->local_bytes += splits ? word : 0;
    footprint->group_bytes = (splits ? 2 : 2 + (1u << step_bits(radix))) * word;
    if (radix->desc.tile_by == DMM_TILE_BY_ROUTE) {
        footprint->most_tile = DMM_MATRIX_TILE;
        footprint->word = NULL;
    }
}

dmm_status dmm_radix_tile_define(dmm_options *options, const dmm_radix *radix)
{
    dmm_options_define(options, "DMM_SPLIT", radix->desc.tile_by == DMM_TILE_BY_SPLIT);
    dmm_options_define(options, "DMM_STEP_BITS", step_bits(radix));
    if (radix->desc.tile_by != DMM_TILE_BY_ROUTE)
        return DMM_OK;
    return dmm_matrix_define(options, DMM_SORT_MATRIX, DMM_MATRIX_OF_WORDS, &radix->p,
        &radix->layout, &radix->object.ctx->device);
}
