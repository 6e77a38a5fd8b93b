/* SPDX-License-Identifier: MIT */
/*
 * Radix passes that write whole blocks, of keys with values: method blocks of
 * dmm_lab_partition_create.
 */
#include "lab/lab.h"

enum { SEGMENT_BYTES = 128 }; /* a segment of a GPU's memory */

/* Returns the items of a block: a segment of memory, or less where a tile would keep more than half
 * its items. */
static uint32_t block_items(const dmm_radix *radix)
{
    const uint32_t most = radix->p.tile >> (radix->p.digit + 1);
    uint32_t items = SEGMENT_BYTES / radix->layout.moved_bytes;
    while (items > 1 && items > most)
        items /= 2;
    return items;
}

static void add_blocks(const dmm_radix *radix, dmm_footprint *footprint)
{
    dmm_radix_add_steps(radix, footprint, DMM_STEP_BITS_BY_RANK);
    footprint->fixed_bytes = 2 * radix->layout.index_bytes << footprint->gpu_digit;
}

static dmm_status define_blocks(const dmm_radix *radix, dmm_options *options)
{
    dmm_radix_define_steps(options, 0, DMM_STEP_BITS_BY_RANK);
    dmm_options_define(options, "DMM_BLOCK", block_items(radix));
    return DMM_OK;
}

const dmm_tile_by dmm_lab_tile_by_blocks = {.root = "cl/lab/radix_blocks.cl",
    .sources = dmm_lab_sources,
    .scatter = "dmm_radix_blocks",
    .add = add_blocks,
    .define = define_blocks};
