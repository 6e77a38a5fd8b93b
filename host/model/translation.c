/* SPDX-License-Identifier: MIT */
/*
 * LRU and ISLRU: the cache is a list of nodes, and the oldest node leaves. Under LRU a path is put
 * at the young end root first, so that its leaf is youngest. Under ISLRU it lies there leaf first
 * when the translation ends: the least recently used node and its descendants in the cache are of
 * one translation, the last one to use them, and the lowest of them is the oldest of the list.
 */
#include <dmm-model/translation.h>

#include "model/nodes.h"

#include <stdbool.h>
#include <stdlib.h>

struct dmm_model_translator {
    dmm_model_translation machine;
    node_tree tree;
    node_table table;
    uint32_t *older, *younger; /* neighbours in the list, by slot */
    uint32_t oldest, youngest;
    uint32_t used;                          /* slots, from 0 */
    uint32_t path[DMM_MODEL_DEPTH_MAX + 1]; /* slots of the last path, by layer */
    uint64_t page;                          /* page of the last translation */
    dmm_model_translation_counts counts;
};

/* ---- Machines -------------------------------------------------------------------------------- */

static bool is_power(uint64_t number)
{
    return number != 0 && (number & (number - 1)) == 0;
}

static uint32_t depth_of_48_bits(const node_tree *tree)
{
    enum { ADDRESS_BITS = 48 };
    if (tree->page_bits >= ADDRESS_BITS)
        return 1;
    return (ADDRESS_BITS - tree->page_bits + tree->fanout_bits - 1) / tree->fanout_bits;
}

dmm_model_status dmm_model_translation_check(
    dmm_model_translation *out, const dmm_model_translation *machine)
{
    if (!out || !machine)
        return DMM_MODEL_NULL_ARGUMENT;
    dmm_model_translation m = *machine;
    m.page_bytes = m.page_bytes ? m.page_bytes : 4096;
    m.tau = m.tau ? m.tau : 1;
    m.fanout = m.fanout ? m.fanout : 512;
    m.nodes = m.nodes ? m.nodes : 64;
    if (!is_power(m.page_bytes) || m.page_bytes < DMM_MODEL_PAGE_BYTES_MIN || !is_power(m.fanout) ||
        m.fanout < 2 || m.fanout > 65536 || m.depth > DMM_MODEL_DEPTH_MAX)
        return DMM_MODEL_BAD_VALUE;
    node_tree tree = node_tree_of(&m);
    m.depth = m.depth ? m.depth : depth_of_48_bits(&tree);
    if (tree.page_bits + tree.fanout_bits * m.depth > 64 || m.nodes <= m.depth ||
        m.nodes > DMM_MODEL_NODES_MAX || (unsigned)m.eviction > DMM_MODEL_ISMIN)
        return DMM_MODEL_BAD_VALUE;
    *out = m;
    return DMM_MODEL_OK;
}

/* ---- The list -------------------------------------------------------------------------------- */

static void unlink_slot(dmm_model_translator *t, uint32_t slot)
{
    const uint32_t older = t->older[slot], younger = t->younger[slot];
    if (older == NO_SLOT)
        t->oldest = younger;
    else
        t->younger[older] = younger;
    if (younger == NO_SLOT)
        t->youngest = older;
    else
        t->older[younger] = older;
}

static void link_youngest(dmm_model_translator *t, uint32_t slot)
{
    t->older[slot] = t->youngest;
    t->younger[slot] = NO_SLOT;
    if (t->youngest == NO_SLOT)
        t->oldest = slot;
    else
        t->younger[t->youngest] = slot;
    t->youngest = slot;
}

static void touch(dmm_model_translator *t, uint32_t slot)
{
    if (t->youngest == slot)
        return;
    unlink_slot(t, slot);
    link_youngest(t, slot);
}

/* Returns the slot of a node that the cache lacks; evicts if it is full. */
static uint32_t insert(dmm_model_translator *t, uint64_t node)
{
    uint32_t slot = t->used;
    if (slot < t->machine.nodes) {
        t->used++;
    } else {
        slot = t->oldest;
        node_table_drop(&t->table, slot);
        unlink_slot(t, slot);
    }
    node_table_put(&t->table, slot, node);
    link_youngest(t, slot);
    return slot;
}

/* ---- Translations ---------------------------------------------------------------------------- */

/* Returns the insertions. A layer on which the last path has the same node needs no lookup: W > d,
 * so the last path is whole until nodes below the common ones are inserted. */
static uint32_t translate(dmm_model_translator *t, uint64_t page)
{
    uint32_t insertions = 0;
    const bool first = t->used == 0;
    if (!first && page == t->page)
        return 0; /* the list is as this translation would leave it */
    for (uint32_t layer = t->tree.depth + 1; layer-- > 0;) {
        const uint64_t node = node_of(&t->tree, page, layer);
        uint32_t slot = !first && node == node_of(&t->tree, t->page, layer)
                            ? t->path[layer]
                            : node_table_find(&t->table, node);
        if (slot == NO_SLOT) {
            slot = insert(t, node);
            insertions++;
        } else {
            touch(t, slot);
        }
        t->path[layer] = slot;
    }
    if (t->machine.eviction == DMM_MODEL_ISLRU)
        for (uint32_t layer = 0; layer <= t->tree.depth; layer++)
            touch(t, t->path[layer]);
    t->page = page;
    return insertions;
}

dmm_model_status dmm_model_translator_add(
    dmm_model_translator *t, uint8_t *inserted, const uint64_t *addresses, uint64_t n)
{
    if (!t || (!addresses && n))
        return DMM_MODEL_NULL_ARGUMENT;
    for (uint64_t i = 0; i < n; i++) {
        if (!node_tree_covers(&t->tree, addresses[i]))
            return DMM_MODEL_BAD_DATA;
        const uint32_t insertions = translate(t, addresses[i] >> t->tree.page_bits);
        /* what these two insert ends in the leaf (lemma 2.8) */
        translation_count(&t->counts, insertions, insertions != 0, t->machine.tau);
        if (inserted)
            inserted[i] = (uint8_t)insertions;
    }
    return DMM_MODEL_OK;
}

dmm_model_status dmm_model_translator_create(
    dmm_model_translator **out, const dmm_model_translation *machine)
{
    dmm_model_translation checked;
    if (!out)
        return DMM_MODEL_NULL_ARGUMENT;
    *out = NULL;
    dmm_model_status status = dmm_model_translation_check(&checked, machine);
    if (status != DMM_MODEL_OK)
        return status;
    if (checked.eviction == DMM_MODEL_MIN || checked.eviction == DMM_MODEL_ISMIN)
        return DMM_MODEL_UNSUPPORTED;
    dmm_model_translator *t = calloc(1, sizeof *t);
    if (!t)
        return DMM_MODEL_OUT_OF_MEMORY;
    t->machine = checked;
    t->tree = node_tree_of(&checked);
    t->oldest = t->youngest = NO_SLOT;
    t->older = malloc(checked.nodes * sizeof *t->older);
    t->younger = malloc(checked.nodes * sizeof *t->younger);
    if (!node_table_create(&t->table, checked.nodes) || !t->older || !t->younger) {
        dmm_model_translator_free(t);
        return DMM_MODEL_OUT_OF_MEMORY;
    }
    *out = t;
    return DMM_MODEL_OK;
}

dmm_model_translation_counts dmm_model_translator_counts(const dmm_model_translator *t)
{
    return t ? t->counts : (dmm_model_translation_counts){0};
}

void dmm_model_translator_free(dmm_model_translator *t)
{
    if (!t)
        return;
    node_table_free(&t->table);
    free(t->older);
    free(t->younger);
    free(t);
}

dmm_model_status dmm_model_translate(dmm_model_translation_counts *out, uint8_t *inserted,
    const dmm_model_translation *machine, const uint64_t *addresses, uint64_t n)
{
    dmm_model_translation checked;
    dmm_model_translator *t = NULL;
    if (!out || !machine || (!addresses && n))
        return DMM_MODEL_NULL_ARGUMENT;
    dmm_model_status status = dmm_model_translation_check(&checked, machine);
    if (status != DMM_MODEL_OK)
        return status;
    const node_tree tree = node_tree_of(&checked);
    for (uint64_t i = 0; i < n; i++)
        if (!node_tree_covers(&tree, addresses[i]))
            return DMM_MODEL_BAD_DATA;
    if (checked.eviction == DMM_MODEL_MIN || checked.eviction == DMM_MODEL_ISMIN)
        return n >= UINT32_MAX ? DMM_MODEL_TOO_LARGE
                               : translate_ahead(out, inserted, &checked, addresses, (uint32_t)n);
    status = dmm_model_translator_create(&t, &checked);
    if (status == DMM_MODEL_OK)
        status = dmm_model_translator_add(t, inserted, addresses, n);
    if (status == DMM_MODEL_OK)
        *out = t->counts;
    dmm_model_translator_free(t);
    return status;
}
