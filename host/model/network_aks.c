/* SPDX-License-Identifier: MIT */
/*
 * Networks of separators: a single halver or separator, and the AKS network.
 *
 * A tree of nodes holds the wires, level i in 2^i nodes. In each round, every node with wires
 * separates them, sends the fringes to its parent and one half of the rest to each child. `order`
 * lists the wires level after level and node after node. Only the lists move, not the items, and
 * how they move does not depend on items. So the wires are numbered by the place at which each will
 * stand after the last round: then the network sorts in the order of its wires.
 *
 * Then each block of 64 wires is sorted, and neighbouring blocks are merged three times, at odd and
 * at even borders in turn: that repairs all errors of items one block away from theirs.
 */
#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "network.h"

typedef struct dmm_aks {
    uint32_t d;         /* 2^d wires; 0: a single separator */
    uint32_t t, rounds; /* the present round */
    uint64_t inner;     /* step of the round */
    uint32_t *order;    /* in round t */
    uint32_t *first;    /* the order of round 0 */
    uint32_t *scratch;
    dmm_separator alone;
} dmm_aks;

void dmm_aks_free(dmm_aks *aks)
{
    free(aks->order);
    free(aks->first);
    free(aks->scratch);
    free(aks);
}

/* ---- Moving wires ---------------------------------------------------------------------------- */

/* Where the nodes of a level begin in the order of round t; levels of another parity have none. */
static uint64_t level_start(uint32_t d, uint32_t level, uint32_t t)
{
    uint64_t start = 0;
    for (uint32_t i = dmm_aks_first_level(d, t); i < level; i += 2)
        start += (uint64_t)dmm_aks_node_of(d, i, t).a << i;
    return start;
}

/* Sends the wires of one node to the order of the next round. The first wires of a node come from
 * its parent, the last ones from its children. */
static void move_node(
    dmm_aks *aks, const dmm_separator *s, uint32_t level, uint32_t index, const uint32_t *list)
{
    const uint32_t d = aks->d, t = aks->t;
    const uint32_t side = s->f / 2, half = s->a / 2, rest = half - side;
    uint32_t *up = NULL, *down = NULL;
    if (side > 0) {
        const uint32_t a = dmm_aks_node_of(d, level - 1, t + 1).a;
        const uint64_t end = level_start(d, level - 1, t + 1) + (uint64_t)a * (index / 2 + 1);
        up = aks->scratch + end - (uint64_t)s->f * (2 - index % 2);
    }
    if (rest > 0)
        down = aks->scratch + level_start(d, level + 1, t + 1);
    const uint64_t child = rest > 0 ? dmm_aks_node_of(d, level + 1, t + 1).a : 0;
    const size_t bytes = rest * sizeof *list;
    for (uint32_t x = 0; x < side; x++) {
        up[x] = list[x];
        up[side + x] = list[s->a - side + x];
    }
    if (rest > 0) {
        memcpy(down + 2 * index * child, list + side, bytes);
        memcpy(down + (2 * index + 1) * child, list + half, bytes);
    }
}

static void move_all(dmm_aks *aks, const dmm_separator_rules *rules)
{
    const uint32_t *list = aks->order;
    for (uint32_t i = dmm_aks_first_level(aks->d, aks->t); i <= dmm_aks_last_level(aks->t);
         i += 2) {
        const dmm_aks_node node = dmm_aks_node_of(aks->d, i, aks->t);
        const dmm_separator s = dmm_separator_of(node.a, node.f, rules);
        for (uint32_t j = 0; j < UINT32_C(1) << i; j++, list += node.a)
            move_node(aks, &s, i, j, list);
    }
    uint32_t *moved = aks->scratch;
    aks->scratch = aks->order;
    aks->order = moved;
    aks->t++;
    aks->inner = 0;
}

/* ---- Steps ----------------------------------------------------------------------------------- */

static uint64_t round_step(dmm_model_network *network)
{
    dmm_aks *aks = network->aks;
    const uint32_t t = aks->t, *list = aks->order;
    uint64_t count = 0;
    for (uint32_t i = dmm_aks_first_level(aks->d, t); i <= dmm_aks_last_level(t); i += 2) {
        const dmm_aks_node node = dmm_aks_node_of(aks->d, i, t);
        const dmm_separator s = dmm_separator_of(node.a, node.f, &network->rules);
        if (aks->inner < dmm_separator_depth(&s))
            for (uint32_t j = 0; j < UINT32_C(1) << i; j++)
                count += dmm_separator_step(network->pairs + count, &s, aks->inner,
                    list + (uint64_t)j * node.a, network->shuffled, network->desc.seed,
                    (UINT32_C(1) << i) + j, t * 64);
        list += (uint64_t)node.a << i;
    }
    aks->inner++;
    return count;
}

/* Merges neighbouring blocks; every other repair starts with the second block. */
static uint64_t repair_step(dmm_model_network *network, uint64_t step, uint32_t repair)
{
    uint64_t count = 0;
    bool over;
    for (uint32_t base = repair % 2 == 0 ? DMM_AKS_BLOCK : 0;
         base + 2 * DMM_AKS_BLOCK <= network->wires; base += 2 * DMM_AKS_BLOCK)
        count += dmm_odd_even_step(
            network->pairs + count, base, 2 * DMM_AKS_BLOCK, DMM_AKS_BLOCK, step, &over);
    return count;
}

/* Steps 0..20 sort blocks, then seven each repair. */
static uint64_t final_step(dmm_model_network *network)
{
    enum { SORT = 21, MERGE = 7 };
    const uint64_t step = network->aks->inner++;
    uint64_t count = 0;
    bool over;
    if (step >= SORT)
        return step < SORT + MERGE * DMM_AKS_REPAIRS
                   ? repair_step(network, (step - SORT) % MERGE, (uint32_t)(step - SORT) / MERGE)
                   : 0;
    for (uint32_t base = 0; base < network->wires; base += DMM_AKS_BLOCK)
        count += dmm_odd_even_step(network->pairs + count, base, DMM_AKS_BLOCK, 1, step, &over);
    return count;
}

static uint64_t aks_next(dmm_model_network *network)
{
    dmm_aks *aks = network->aks;
    while (aks->t < aks->rounds) {
        const uint64_t count = round_step(network);
        if (count > 0)
            return count;
        move_all(aks, &network->rules);
    }
    return final_step(network);
}

static void aks_rewind(dmm_model_network *network)
{
    dmm_aks *aks = network->aks;
    aks->t = 0;
    aks->inner = 0;
    memcpy(aks->order, aks->first, network->wires * sizeof *aks->order);
}

bool dmm_aks_visit_round(
    dmm_model_network *network, void (*visit)(const dmm_aks_visit *node, void *data), void *data)
{
    dmm_aks *aks = network->aks;
    const uint32_t *list = aks->order;
    if (aks->t == aks->rounds)
        return false;
    for (uint32_t i = dmm_aks_first_level(aks->d, aks->t); i <= dmm_aks_last_level(aks->t);
         i += 2) {
        const dmm_aks_node node = dmm_aks_node_of(aks->d, i, aks->t);
        dmm_aks_visit at = {dmm_separator_of(node.a, node.f, &network->rules), list};
        for (uint32_t j = 0; j < UINT32_C(1) << i; j++, at.list += node.a)
            visit(&at, data);
        list = at.list;
    }
    move_all(aks, &network->rules);
    return true;
}

/* ---- Creating -------------------------------------------------------------------------------- */

static dmm_model_status allocate(dmm_model_network *network, uint32_t wires)
{
    const size_t bytes = wires * sizeof(uint32_t);
    dmm_aks *aks = calloc(1, sizeof *aks);
    if (!aks)
        return DMM_MODEL_OUT_OF_MEMORY;
    network->aks = aks;
    network->rules = dmm_separator_rules_of(&network->desc);
    network->wires = wires;
    network->shuffled = malloc(bytes / 2 + sizeof(uint32_t));
    aks->order = malloc(bytes);
    aks->first = malloc(bytes);
    aks->scratch = malloc(bytes);
    return network->shuffled && aks->order && aks->first && aks->scratch ? DMM_MODEL_OK
                                                                         : DMM_MODEL_OUT_OF_MEMORY;
}

/* Moves wires through all rounds once, and numbers each by where it arrives. */
static dmm_model_status aks_init(dmm_model_network *network)
{
    uint32_t d = 8;
    while (UINT64_C(1) << d < network->wires)
        d += 4;
    const dmm_model_status status = allocate(network, UINT32_C(1) << d);
    if (status != DMM_MODEL_OK)
        return status;
    dmm_aks *aks = network->aks;
    aks->d = d;
    aks->rounds = dmm_aks_rounds(d);
    for (uint32_t x = 0; x < network->wires; x++)
        aks->order[x] = x;
    while (aks->t < aks->rounds)
        move_all(aks, &network->rules);
    for (uint32_t x = 0; x < network->wires; x++)
        aks->first[aks->order[x]] = x;
    return DMM_MODEL_OK;
}

const dmm_network_class dmm_network_aks = {
    .init = aks_init, .rewind = aks_rewind, .next = aks_next};

static dmm_model_status separator_init(dmm_model_network *network)
{
    const dmm_model_status status = allocate(network, network->wires);
    if (status != DMM_MODEL_OK)
        return status;
    dmm_aks *aks = network->aks;
    aks->alone = dmm_separator_of(network->wires, network->desc.fringe, &network->rules);
    if (network->desc.kind == DMM_MODEL_PERFECT_HALVER)
        aks->alone.perfect_first = true;
    for (uint32_t x = 0; x < network->wires; x++)
        aks->first[x] = x;
    return DMM_MODEL_OK;
}

static uint64_t separator_next(dmm_model_network *network)
{
    const dmm_aks *aks = network->aks;
    return dmm_separator_step(network->pairs, &aks->alone, network->step, aks->order,
        network->shuffled, network->desc.seed, 1, 0);
}

const dmm_network_class dmm_network_separator = {
    .init = separator_init, .rewind = aks_rewind, .next = separator_next};
