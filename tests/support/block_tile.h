/* SPDX-License-Identifier: MIT */
/*
 * A tile on the host, in blocks, for the tests of cl/sort/blocks.clh, which it includes: what that
 * file asks of a tile, the search that it takes, and what its searches have probed.
 */
#ifndef DMM_TESTS_BLOCK_TILE_H
#define DMM_TESTS_BLOCK_TILE_H

#include "support/banks.h"

enum { MAX_PROBES = 32, MAX_WORDS = 2 * MAX_TILE };

/* A tile's blocks, and what the work-items of the warp have probed. */
typedef struct host_tile {
    setup s;
    uint words[MAX_WORDS]; /* by address */
    uint lane;
    uint num_probes[MAX_W];
    uint a_probes[MAX_W][MAX_PROBES], b_probes[MAX_W][MAX_PROBES];
} host_tile;

typedef host_tile *dmm_tile;

static inline uint log_of(uint x)
{
    return x > 1 ? 1 + log_of(x / 2) : 0;
}

static inline uint address_of(const host_tile *tile, uint k)
{
    return dmm_block_address(k, tile->s.w, tile->s.E, tile->s.d);
}

/* Returns the first word of a block by its name. */
static inline uint named(const host_tile *tile, uint name)
{
    return dmm_named_address(name, tile->s.w, tile->s.E, tile->s.d);
}

static inline uint dmm_unit_of(dmm_tile tile)
{
    return dmm_block_unit(tile->s.w, tile->s.E, tile->s.d);
}

static inline int dmm_block_before(dmm_tile tile, uint p, uint q)
{
    const uint probe = tile->num_probes[tile->lane]++;
    REQUIRE(probe < MAX_PROBES);
    tile->a_probes[tile->lane][probe] = named(tile, p);
    tile->b_probes[tile->lane][probe] = named(tile, q);
    return tile->words[named(tile, p)] <= tile->words[named(tile, q)];
}

static int plain_search;
#define DMM_PLAIN_SEARCH plain_search
#include "cl/sort/blocks.clh"

static inline int is_power_of_two(uint x)
{
    return (x & (x - 1)) == 0;
}

#endif
