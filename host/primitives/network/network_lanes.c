/* SPDX-License-Identifier: MIT */
/*
 * Comparators without bank conflicts. The comparators of a step are the edges of a graph of banks:
 * an edge joins the banks of its two positions. Edges are added until all banks have the same even
 * degree 2r. Then an Euler tour gives each edge a direction, such that each bank has r edges out
 * and r edges in, and a colouring of the bipartite graph of outs and ins divides them into r
 * rounds, in which each bank has one edge out and one in: 2-factors, as in Petersen's theorem. A
 * lane reads the end at which its edge goes out first.
 */
#include <stdlib.h>
#include <string.h>

#include "cl/network_call.clh"
#include "primitives/network/network.h"
#include "primitives/permute/permutation_plan.h"

#define NOBODY UINT32_MAX

dmm_status dmm_network_lanes_init(dmm_network_lanes *lanes, uint32_t tile, uint32_t banks)
{
    const uint64_t T = tile, words = 6 * T + banks + dmm_graph_scratch(banks, T);
    uint32_t *const memory = malloc((size_t)words * sizeof *memory);
    if (memory == NULL)
        return DMM_OUT_OF_MEMORY;
    *lanes = (dmm_network_lanes){.banks = banks,
        .from = memory,
        .to = memory + T,
        .mates = memory + 2 * T,
        .turned = memory + 4 * T,
        .colours = memory + 5 * T,
        .pending = memory + 6 * T,
        .scratch = memory + 6 * T + banks,
        .memory = memory};
    return DMM_OK;
}

void dmm_network_lanes_free(dmm_network_lanes *lanes)
{
    free(lanes->memory);
    lanes->memory = NULL;
}

/* Sets the banks of the edges; pending: each bank's degree. Returns r, a power of two. */
static uint32_t make_graph(dmm_network_lanes *l, const uint32_t *pairs, uint32_t count)
{
    uint32_t most = 0, rounds = 1;
    memset(l->pending, 0, l->banks * sizeof *l->pending);
    for (uint32_t e = 0; e < count; e++) {
        l->from[e] = (pairs[e] & DMM_NETWORK_MASK) % l->banks;
        l->to[e] = (pairs[e] >> DMM_NETWORK_BITS & DMM_NETWORK_MASK) % l->banks;
        l->pending[l->from[e]]++;
        l->pending[l->to[e]]++;
    }
    for (uint32_t bank = 0; bank < l->banks; bank++)
        most = l->pending[bank] > most ? l->pending[bank] : most;
    while (2 * rounds < most)
        rounds *= 2;
    return count != 0 ? rounds : 0;
}

/* Appends edges between banks of degree below 2r. The sum of what they lack is even. */
static void make_regular(dmm_network_lanes *l, uint32_t count, uint32_t rounds)
{
    uint32_t edge = count, ends = 0;
    for (uint32_t bank = 0; bank < l->banks; bank++)
        for (uint32_t degree = l->pending[bank]; degree < 2 * rounds; degree++, ends++) {
            if (ends % 2 == 0)
                l->from[edge] = bank;
            else
                l->to[edge++] = bank;
        }
}

static uint32_t *bank_of(const dmm_network_lanes *l, uint32_t end)
{
    return end % 2 == 0 ? &l->from[end / 2] : &l->to[end / 2];
}

/* Directs the edges along Euler tours: ends 2e and 2e + 1 of edge e are paired at their banks. */
static void direct(dmm_network_lanes *l, uint32_t edges)
{
    memset(l->pending, 0xff, l->banks * sizeof *l->pending);
    for (uint32_t end = 0; end < 2 * edges; end++) {
        uint32_t *const waiting = &l->pending[*bank_of(l, end)];
        if (*waiting == NOBODY) {
            *waiting = end;
            continue;
        }
        l->mates[end] = *waiting;
        l->mates[*waiting] = end;
        *waiting = NOBODY;
    }
    memset(l->turned, 0xff, edges * sizeof *l->turned);
    for (uint32_t e = 0; e < edges; e++)
        for (uint32_t end = 2 * e; l->turned[end / 2] == NOBODY; end = l->mates[end ^ 1])
            l->turned[end / 2] = end % 2;
    for (uint32_t e = 0; e < edges; e++)
        if (l->turned[e]) {
            const uint32_t bank = l->from[e];
            l->from[e] = l->to[e];
            l->to[e] = bank;
        }
}

uint32_t dmm_network_lanes_count(dmm_network_lanes *lanes, const uint32_t *pairs, uint32_t count)
{
    return make_graph(lanes, pairs, count) * lanes->banks;
}

void dmm_network_lanes_deal(
    uint32_t *out, dmm_network_lanes *lanes, const uint32_t *pairs, uint32_t count)
{
    const uint32_t rounds = make_graph(lanes, pairs, count), edges = rounds * lanes->banks;
    const dmm_graph graph = {lanes->from, lanes->to, lanes->banks, rounds, lanes->scratch};
    if (count == 0)
        return;
    make_regular(lanes, count, rounds);
    direct(lanes, edges);
    dmm_graph_colour(lanes->colours, &graph);
    for (uint32_t e = 0; e < edges; e++) {
        const uint32_t low = e < count ? pairs[e] & DMM_NETWORK_MASK : 0;
        const uint32_t high = e < count ? pairs[e] >> DMM_NETWORK_BITS : 0;
        uint32_t *const word = &out[lanes->colours[e] * lanes->banks + lanes->from[e]];
        *word = e >= count         ? DMM_NETWORK_NONE
                : lanes->turned[e] ? high | low << DMM_NETWORK_BITS | DMM_NETWORK_TURN
                                   : pairs[e];
    }
}
