/* SPDX-License-Identifier: MIT */
/* The nodes of the translation tree, and a table of those that a translation cache holds. */
#ifndef DMM_MODEL_NODES_H
#define DMM_MODEL_NODES_H

#include <dmm-model/translation.h>

#include <stdbool.h>
#include <stdint.h>

enum { NODE_LAYER_BITS = 6 };
#define NO_SLOT UINT32_MAX

/* The tree of a checked machine. */
typedef struct node_tree {
    uint32_t page_bits, fanout_bits, depth;
} node_tree;

node_tree node_tree_of(const dmm_model_translation *machine);

/* True if the tree covers the address. */
static inline bool node_tree_covers(const node_tree *tree, uint64_t address)
{
    const uint32_t bits = tree->page_bits + tree->fanout_bits * tree->depth;
    return bits >= 64 || address >> bits == 0;
}

/* Number and layer in one word; the root of a tree of 58 index bits has the layer 58 at most. */
static inline uint64_t node_of(const node_tree *tree, uint64_t page, uint32_t layer)
{
    return page >> tree->fanout_bits * layer << NODE_LAYER_BITS | layer;
}

/* Slots 0..slots-1, each free or of one node; chained hashing. */
typedef struct node_table {
    uint64_t *nodes;  /* node in each slot */
    uint32_t *chains; /* next slot with the same hash */
    uint32_t *heads;
    uint32_t shift;
} node_table;

bool node_table_create(node_table *table, uint32_t slots);
void node_table_free(node_table *table);

/* Fibonacci hashing: the low bits of neighbours spread over the whole table. */
static inline uint32_t node_table_hash(const node_table *table, uint64_t node)
{
    return (uint32_t)(node * UINT64_C(0x9e3779b97f4a7c15) >> table->shift);
}

static inline uint32_t node_table_find(const node_table *table, uint64_t node)
{
    uint32_t slot = table->heads[node_table_hash(table, node)];
    while (slot != NO_SLOT && table->nodes[slot] != node)
        slot = table->chains[slot];
    return slot;
}

void node_table_put(node_table *table, uint32_t slot, uint64_t node);
void node_table_drop(node_table *table, uint32_t slot);

/* Fills next[l * n + t] for all layers l and translations t: the next translation that accesses the
 * node, or n if there is none. False: no memory. */
bool node_next_uses(uint32_t *next, const node_tree *tree, const uint64_t *addresses, uint32_t n);

/* MIN and ISMIN; as dmm_model_translate, with a checked machine and covered addresses. */
dmm_model_status translate_ahead(dmm_model_translation_counts *out, uint8_t *inserted,
    const dmm_model_translation *machine, const uint64_t *addresses, uint32_t n);

/* Adds one translation to the counts. */
void translation_count(
    dmm_model_translation_counts *counts, uint32_t insertions, bool leaf, uint64_t tau);

#endif
