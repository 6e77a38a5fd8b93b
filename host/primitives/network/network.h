/* SPDX-License-Identifier: MIT */
/*
 * The internals of dmm_network: the plan, which divides the steps into launches and the wires into
 * tiles (network_plan.c, with network_sets.c), the lanes of each step's comparators
 * (network_lanes.c), and the object with its check (network.c).
 */
#ifndef DMM_PRIMITIVES_NETWORK_H
#define DMM_PRIMITIVES_NETWORK_H

#include <dmm/network.h>

#include "primitives/classes.h"
#include "primitives/items.h"
#include "primitives/words.h"

enum { DMM_NETWORK_MAX_TILE = 1 << 15, DMM_NETWORK_MAX_WIRES = 1 << 28 };

/* A run of steps: where its words are in the plan (cl/network_call.clh). */
typedef struct dmm_network_launch {
    uint64_t wires_at, ends_at, pairs_at;
    uint64_t tiles;
    uint32_t steps;
} dmm_network_launch;

/* A growing array of words. */
typedef struct dmm_network_store {
    uint32_t *words;
    uint64_t count, capacity;
} dmm_network_store;

typedef struct dmm_network_plan {
    uint32_t tile;  /* T */
    uint32_t banks; /* w as the tile's words see them; 0: CPU form */
    uint64_t rows;  /* rows that a group handles */
    dmm_network_launch *launches;
    uint64_t num_launches, capacity;
    dmm_network_store store;
} dmm_network_plan;

/* Fills a plan whose tile and banks are set, for a checked network. After a failure, too, the plan
 * is to be freed. DMM_TOO_LARGE, DMM_OUT_OF_MEMORY. */
dmm_status dmm_network_plan_fill(dmm_network_plan *plan, const dmm_network_desc *desc);
void dmm_network_plan_free(dmm_network_plan *plan);

/* Disjoint sets of wires: those that comparators connect. */
typedef struct dmm_network_sets {
    uint32_t wires;
    uint32_t *parents, *sizes; /* the trees, and at roots the number of wires */
    uint32_t *links;           /* wires that a step has linked to others */
    uint64_t *touched;         /* bit set of wires that comparators have */
} dmm_network_sets;

/* Makes each wire a set. DMM_OUT_OF_MEMORY, after which the sets are to be freed, too. */
dmm_status dmm_network_sets_init(dmm_network_sets *sets, uint32_t wires);
void dmm_network_sets_free(dmm_network_sets *sets);
/* Returns the wire that stands for the wire's set. */
uint32_t dmm_network_sets_root(const dmm_network_sets *sets, uint32_t wire);
/* Joins the sets of a step's comparators. Returns 0 and changes nothing if a set would have more
 * than `most` wires. */
int dmm_network_sets_join(
    dmm_network_sets *sets, const dmm_comparator *pairs, uint64_t count, uint32_t most);
/* Returns the first wire from `wire` on that a comparator has; the number of wires if there is
 * none. */
uint32_t dmm_network_sets_next(const dmm_network_sets *sets, uint32_t wire);
/* Makes each wire a set again, without comparators. */
void dmm_network_sets_clear(dmm_network_sets *sets);

/* Deals comparators to lanes; the arrays hold T words each. */
typedef struct dmm_network_lanes {
    uint32_t banks;
    uint32_t *from, *to;         /* the bank of each end of an edge; afterwards turned */
    uint32_t *mates, *turned;    /* mates: 2T words */
    uint32_t *colours, *pending; /* pending: a bank's end that has no mate yet */
    uint32_t *scratch;           /* scratch of dmm_graph_colour */
    void *memory;
} dmm_network_lanes;

dmm_status dmm_network_lanes_init(dmm_network_lanes *lanes, uint32_t tile, uint32_t banks);
void dmm_network_lanes_free(dmm_network_lanes *lanes);
/* Returns the words that dmm_network_lanes_deal will write. pairs: low position, and the high one
 * from bit DMM_NETWORK_BITS on. */
uint32_t dmm_network_lanes_count(dmm_network_lanes *lanes, const uint32_t *pairs, uint32_t count);
/* Writes the comparators of a step in rounds of w words, DMM_NETWORK_NONE where a lane has none:
 * the first positions of a round lie in w banks, lane by lane, and so do the others. */
void dmm_network_lanes_deal(
    uint32_t *out, dmm_network_lanes *lanes, const uint32_t *pairs, uint32_t count);

#endif
