/* SPDX-License-Identifier: MIT */
#include "nested.h"

#include <stdlib.h>

/* The guest's tables lie behind its data: those of layer l from TABLES_AT + l * 2^TABLE_BITS. */
#define TABLES_AT (UINT64_C(1) << 40)
enum { TABLE_BITS = 36, ENTRY_BYTES = 8 };

dmm_model_status nested_create(nested_machine *out, const dmm_model_translation *machine)
{
    *out = (nested_machine){.guest = NULL};
    dmm_model_translation ours = *machine;
    ours.eviction = DMM_MODEL_ISLRU;
    dmm_model_status status = dmm_model_translation_check(&out->machine, &ours);
    if (status == DMM_MODEL_OK)
        status = dmm_model_translator_create(&out->guest, &ours);
    if (status == DMM_MODEL_OK)
        status = dmm_model_translator_create(&out->host, &ours);
    if (status != DMM_MODEL_OK)
        nested_free(out);
    return status;
}

static void on_host(nested_machine *nested, uint64_t address)
{
    const dmm_model_status status = dmm_model_translator_add(nested->host, NULL, &address, 1);
    if (nested->status == DMM_MODEL_OK)
        nested->status = status;
}

void nested_add(nested_machine *nested, const uint64_t *addresses, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++) {
        uint8_t missed = 0;
        const dmm_model_status status =
            dmm_model_translator_add(nested->guest, &missed, &addresses[i], 1);
        if (nested->status == DMM_MODEL_OK)
            nested->status = status;
        for (uint32_t layer = missed; layer-- > 0;) {
            uint64_t node = addresses[i] / nested->machine.page_bytes;
            for (uint32_t l = 0; l < layer; l++)
                node /= nested->machine.fanout;
            on_host(nested, TABLES_AT + ((uint64_t)layer << TABLE_BITS) + ENTRY_BYTES * node);
        }
        on_host(nested, addresses[i]);
    }
    nested->counts = (nested_counts){.translations = nested->counts.translations + n,
        .guest = dmm_model_translator_counts(nested->guest).insertions,
        .host = dmm_model_translator_counts(nested->host).insertions};
}

void nested_free(nested_machine *nested)
{
    dmm_model_translator_free(nested->guest);
    dmm_model_translator_free(nested->host);
    nested->guest = nested->host = NULL;
}

/* ---- Theorem 2.32 ---------------------------------------------------------------------------- */

/* Counts the faults of an LRU of `cells` blocks; `blocks`: scratch, the last used first. */
static uint64_t count_layer(
    uint64_t *blocks, uint32_t cells, uint64_t block_bytes, const uint64_t *addresses, uint64_t n)
{
    uint64_t faults = 0;
    uint32_t used = 0;
    for (uint64_t i = 0; i < n; i++) {
        const uint64_t block = addresses[i] / block_bytes;
        uint32_t at = 0;
        while (at < used && blocks[at] != block)
            at++;
        if (at == used) {
            faults++;
            used += used < cells;
            at = used - 1;
        }
        for (; at > 0; at--)
            blocks[at] = blocks[at - 1];
        blocks[0] = block;
    }
    return faults;
}

uint64_t layered_faults(const dmm_model_translation *machine, const uint64_t *addresses, uint64_t n)
{
    const uint32_t cells = (machine->nodes - 1) / machine->depth;
    uint64_t *const blocks = malloc(cells * sizeof *blocks);
    uint64_t faults = 1, bytes = machine->page_bytes; /* the root once */
    for (uint32_t layer = 0; blocks && layer < machine->depth; layer++, bytes *= machine->fanout)
        faults += count_layer(blocks, cells, bytes, addresses, n);
    free(blocks);
    return blocks ? faults : UINT64_MAX;
}
