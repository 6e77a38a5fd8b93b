/* SPDX-License-Identifier: MIT */
#include "model/nodes.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static uint32_t bits_of(uint64_t power)
{
    uint32_t bits = 0;
    while (power > 1) {
        power /= 2;
        bits++;
    }
    return bits;
}

node_tree node_tree_of(const dmm_model_translation *machine)
{
    return (node_tree){bits_of(machine->page_bytes), bits_of(machine->fanout), machine->depth};
}

/* ---- The table ------------------------------------------------------------------------------- */

bool node_table_create(node_table *table, uint32_t slots)
{
    const uint32_t hash_bits = bits_of(slots) + 2;
    const size_t heads = (size_t)1 << hash_bits;
    *table = (node_table){.nodes = malloc(slots * sizeof *table->nodes),
        .chains = malloc(slots * sizeof *table->chains),
        .heads = malloc(heads * sizeof *table->heads),
        .shift = 64 - hash_bits};
    if (!table->nodes || !table->chains || !table->heads)
        return false;
    memset(table->heads, 0xff, heads * sizeof *table->heads);
    return true;
}

void node_table_free(node_table *table)
{
    free(table->nodes);
    free(table->chains);
    free(table->heads);
}

void node_table_put(node_table *table, uint32_t slot, uint64_t node)
{
    uint32_t *head = &table->heads[node_table_hash(table, node)];
    table->nodes[slot] = node;
    table->chains[slot] = *head;
    *head = slot;
}

void node_table_drop(node_table *table, uint32_t slot)
{
    uint32_t *at = &table->heads[node_table_hash(table, table->nodes[slot])];
    while (*at != slot)
        at = &table->chains[*at];
    *at = table->chains[slot];
}

/* ---- Next uses ------------------------------------------------------------------------------- */

/* The translation that used a node of one layer last, going backwards; open addressing. */
typedef struct last_uses {
    uint64_t *pages; /* 1 + number of the node; 0: free */
    uint32_t *times;
    size_t slots, used; /* slots: a power of two */
} last_uses;

static bool last_uses_create(last_uses *uses, size_t slots)
{
    *uses = (last_uses){
        calloc(slots, sizeof *uses->pages), malloc(slots * sizeof *uses->times), slots, 0};
    return uses->pages && uses->times;
}

static void last_uses_free(last_uses *uses)
{
    free(uses->pages);
    free(uses->times);
}

static size_t last_uses_find(const last_uses *uses, uint64_t number)
{
    const size_t mask = uses->slots - 1;
    size_t at = (size_t)(number * UINT64_C(0x9e3779b97f4a7c15) >> 20) & mask;
    while (uses->pages[at] != 0 && uses->pages[at] != number + 1)
        at = (at + 1) & mask;
    return at;
}

static bool last_uses_grow(last_uses *uses)
{
    last_uses more;
    if (2 * uses->used < uses->slots)
        return true;
    bool created = last_uses_create(&more, 2 * uses->slots);
    for (size_t i = 0; created && i < uses->slots; i++) {
        if (uses->pages[i] == 0)
            continue;
        const size_t at = last_uses_find(&more, uses->pages[i] - 1);
        more.pages[at] = uses->pages[i];
        more.times[at] = uses->times[i];
    }
    more.used = uses->used;
    last_uses_free(created ? uses : &more);
    if (created)
        *uses = more;
    return created;
}

static bool next_uses_of_layer(
    uint32_t *next, const uint64_t *addresses, uint32_t n, uint32_t shift, last_uses *uses)
{
    for (uint32_t t = n; t-- > 0;) {
        const uint64_t number = addresses[t] >> shift;
        if (!last_uses_grow(uses))
            return false;
        const size_t at = last_uses_find(uses, number);
        next[t] = uses->pages[at] == 0 ? n : uses->times[at];
        uses->used += uses->pages[at] == 0;
        uses->pages[at] = number + 1;
        uses->times[at] = t;
    }
    return true;
}

bool node_next_uses(uint32_t *next, const node_tree *tree, const uint64_t *addresses, uint32_t n)
{
    enum { SLOTS = 1024 };
    bool done = true;
    for (uint32_t layer = 0; done && layer <= tree->depth; layer++) {
        last_uses uses;
        const uint32_t shift = tree->page_bits + tree->fanout_bits * layer;
        if (shift >= 64) { /* the root: one number for all */
            for (uint32_t t = 0; t < n; t++)
                next[(size_t)layer * n + t] = t + 1;
            continue;
        }
        done = last_uses_create(&uses, SLOTS) &&
               next_uses_of_layer(next + (size_t)layer * n, addresses, n, shift, &uses);
        last_uses_free(&uses);
    }
    return done;
}

void translation_count(
    dmm_model_translation_counts *counts, uint32_t insertions, bool leaf, uint64_t tau)
{
    counts->translations++;
    counts->walks += insertions != 0;
    counts->leaves += leaf;
    counts->insertions += insertions;
    counts->cost += insertions * tau;
}
