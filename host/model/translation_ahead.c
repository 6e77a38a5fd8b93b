/* SPDX-License-Identifier: MIT */
/*
 * MIN and ISMIN. The next use of a node is a number: translation times (d + 2), plus the steps from
 * the root. So of two nodes of one path the lower is used later, and of two that are never used
 * again, too: the largest number has no descendant in the cache but on the current path. A heap
 * holds the slots, the largest number first. ISMIN lets the nodes of the current path keep the
 * number of their current use, below all others, until the translation ends.
 */
#include "model/nodes.h"

#include <stdbool.h>
#include <stdlib.h>

typedef struct ahead {
    node_tree tree;
    node_table table;
    uint64_t *uses;   /* next use of the node in each slot */
    uint32_t *heap;   /* slots */
    uint32_t *places; /* place of each slot in the heap */
    uint32_t used, slots;
} ahead;

static void place(ahead *a, uint32_t at, uint32_t slot)
{
    a->heap[at] = slot;
    a->places[slot] = at;
}

static void rise(ahead *a, uint32_t slot)
{
    uint32_t at = a->places[slot];
    for (; at > 0 && a->uses[a->heap[(at - 1) / 2]] < a->uses[slot]; at = (at - 1) / 2)
        place(a, at, a->heap[(at - 1) / 2]);
    place(a, at, slot);
}

static void sink(ahead *a, uint32_t slot)
{
    uint32_t at = a->places[slot];
    for (uint32_t child; (child = 2 * at + 1) < a->used; at = child) {
        if (child + 1 < a->used && a->uses[a->heap[child]] < a->uses[a->heap[child + 1]])
            child++;
        if (a->uses[a->heap[child]] <= a->uses[slot])
            break;
        place(a, at, a->heap[child]);
    }
    place(a, at, slot);
}

/* Returns the slot of a node that the cache lacks. */
static uint32_t insert(ahead *a, uint64_t node, uint64_t use)
{
    uint32_t slot;
    if (a->used < a->slots) {
        slot = a->used++;
        a->uses[slot] = use;
        place(a, slot, slot);
        rise(a, slot);
    } else {
        slot = a->heap[0];
        node_table_drop(&a->table, slot);
        a->uses[slot] = use;
        sink(a, slot);
    }
    node_table_put(&a->table, slot, node);
    return slot;
}

static void translate_all(ahead *a, dmm_model_translation_counts *counts, uint8_t *inserted,
    const dmm_model_translation *machine, const uint64_t *addresses, const uint32_t *next,
    uint32_t n)
{
    const uint64_t stride = (uint64_t)a->tree.depth + 2;
    const bool keeps_path = machine->eviction == DMM_MODEL_ISMIN;
    uint32_t path[DMM_MODEL_DEPTH_MAX + 1] = {0};
    for (uint32_t t = 0; t < n; t++) {
        const uint64_t page = addresses[t] >> a->tree.page_bits;
        uint32_t insertions = 0;
        bool leaf = false;
        for (uint32_t layer = a->tree.depth + 1; layer-- > 0;) {
            const uint64_t node = node_of(&a->tree, page, layer);
            const uint64_t steps = a->tree.depth - layer;
            const uint64_t later = next[(size_t)layer * n + t] * stride + steps;
            uint32_t slot = node_table_find(&a->table, node);
            if (slot == NO_SLOT) {
                slot = insert(a, node, keeps_path ? t * stride + steps : later);
                insertions++;
                leaf = layer == 0;
            } else if (!keeps_path) {
                a->uses[slot] = later;
                rise(a, slot);
            }
            path[layer] = slot;
        }
        for (uint32_t layer = 0; keeps_path && layer <= a->tree.depth; layer++) {
            a->uses[path[layer]] = next[(size_t)layer * n + t] * stride + (a->tree.depth - layer);
            rise(a, path[layer]);
        }
        translation_count(counts, insertions, leaf, machine->tau);
        if (inserted)
            inserted[t] = (uint8_t)insertions;
    }
}

dmm_model_status translate_ahead(dmm_model_translation_counts *out, uint8_t *inserted,
    const dmm_model_translation *machine, const uint64_t *addresses, uint32_t n)
{
    ahead a = {.tree = node_tree_of(machine), .slots = machine->nodes};
    const size_t layers = (size_t)a.tree.depth + 1;
    dmm_model_translation_counts counts = {0};
    uint32_t *next = malloc((n ? n : 1) * layers * sizeof *next);
    a.uses = malloc(a.slots * sizeof *a.uses);
    a.heap = malloc(a.slots * sizeof *a.heap);
    a.places = malloc(a.slots * sizeof *a.places);
    const bool ready = node_table_create(&a.table, a.slots) && next && a.uses && a.heap &&
                       a.places && node_next_uses(next, &a.tree, addresses, n);
    if (ready) {
        translate_all(&a, &counts, inserted, machine, addresses, next, n);
        *out = counts;
    }
    node_table_free(&a.table);
    free(a.uses);
    free(a.heap);
    free(a.places);
    free(next);
    return ready ? DMM_MODEL_OK : DMM_MODEL_OUT_OF_MEMORY;
}
