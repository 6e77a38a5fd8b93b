/* SPDX-License-Identifier: MIT */
/*
 * Radix passes whose tiles are sorted by rank, the items moved by a matrix plan: method matrix of
 * dmm_lab_partition_create.
 */
#include "lab/lab.h"
#include "lab/sort_matrix.h"

/* Returns the bits of a step. It costs more than a step by rank, so it has more bits, and a counter
 * for each bank. */
static uint32_t step_bits(const dmm_radix *radix)
{
    uint32_t bits = DMM_STEP_BITS_BY_RANK + 1;
    while (radix->object.ctx->device.banks.value >> bits > 1)
        bits++;
    return bits;
}

static void add_route(const dmm_radix *radix, dmm_footprint *footprint)
{
    dmm_radix_add_steps(radix, footprint, step_bits(radix));
    footprint->most_tile = DMM_MATRIX_TILE;
    footprint->word = NULL;
}

static dmm_status define_route(const dmm_radix *radix, dmm_options *options)
{
    dmm_radix_define_steps(options, 0, step_bits(radix));
    return dmm_lab_matrix_define(
        options, 0, DMM_MATRIX_OF_WORDS, &radix->p, &radix->layout, &radix->object.ctx->device);
}

const dmm_tile_by dmm_lab_tile_by_route = {.root = "cl/lab/radix_route.cl",
    .sources = dmm_lab_sources,
    .scatter = "dmm_radix_scatter",
    .add = add_route,
    .define = define_route};
