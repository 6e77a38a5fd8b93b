/* SPDX-License-Identifier: MIT */
/*
 * How the GPU form of method radix sorts a tile by a digit: by rank; under `guarantee` by split; or
 * by rank, with a matrix to bring items there, where a sort by these steps was created with method
 * matrix. dmm_sort_create never does so, dmm_partition does.
 */
#include "primitives/sort.h"
#include "primitives/sort_matrix.h"

/* Bits of a step by rank; of one that routes, which costs more, by more of them, and with a counter
 * for each bank. */
enum { RANK_STEP_BITS = 4, ROUTE_STEP_BITS = 5 };

static int routes(const dmm_sort *sort)
{
    return dmm_sorts_matrix(sort->desc.method);
}

static int splits(const dmm_sort *sort)
{
    return sort->desc.guarantee && !routes(sort);
}

static uint32_t step_bits(const dmm_sort *sort)
{
    uint32_t bits = routes(sort) ? ROUTE_STEP_BITS : RANK_STEP_BITS;
    while (routes(sort) && sort->ctx->device.banks.value >> bits > 1)
        bits++;
    return bits;
}

/* For each item its place in the tile and its goal, and its rank if it moves by split; for each
 * work-item two sums and, unless items move by split, a counter for each value of a step's bits. */
void dmm_radix_tile_footprint(dmm_footprint *footprint, const dmm_sort *sort)
{
    const uint32_t word = (uint32_t)sort->ctx->device.bank_bytes.value;
    const uint32_t index = sort->layout.index_bytes;
    footprint->local_bytes += index > word ? index : word;
    footprint->local_bytes += splits(sort) ? word : 0;
    footprint->group_bytes = (splits(sort) ? 2 : 2 + (1u << step_bits(sort))) * word;
    if (routes(sort)) {
        footprint->most_tile = DMM_MATRIX_TILE;
        footprint->word = NULL;
    }
}

dmm_status dmm_radix_tile_define(dmm_options *options, const dmm_sort *sort)
{
    dmm_options_define(options, "DMM_SPLIT", (uint64_t)splits(sort));
    dmm_options_define(options, "DMM_STEP_BITS", step_bits(sort));
    if (!routes(sort))
        return DMM_OK;
    return dmm_matrix_define(options, sort->desc.method, DMM_MATRIX_OF_WORDS, &sort->by.radix.p,
        &sort->layout, &sort->ctx->device);
}
