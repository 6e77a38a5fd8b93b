/* SPDX-License-Identifier: MIT */
/*
 * Opaque items as words.
 */
#include "primitives/words.h"

#include "core/refuse.h"

uint32_t dmm_word_bytes(uint32_t item_bytes)
{
    uint32_t bytes = 8;
    while (item_bytes % bytes != 0)
        bytes /= 2;
    return bytes;
}

dmm_status dmm_word_layout_init(
    dmm_word_layout *out, const dmm_device *device, uint32_t item_bytes, uint64_t max_n)
{
    if (item_bytes < 1 || item_bytes > DMM_MAX_ITEM_BYTES)
        return dmm_refuse(DMM_BAD_VALUE, "item_bytes or value_bytes: is %u, must be 1 to %d",
            (unsigned)item_bytes, DMM_MAX_ITEM_BYTES);
    const uint32_t word = dmm_word_bytes(item_bytes);
    const uint32_t index_bytes = dmm_index_width(device, max_n, item_bytes);
    *out = (dmm_word_layout){.item_bytes = item_bytes,
        .word_bytes = word,
        .words = item_bytes / word,
        .index_bytes = index_bytes,
        .max_n = dmm_index_limit(index_bytes, max_n)};
    return DMM_OK;
}

void dmm_word_define(dmm_options *options, const dmm_word_layout *layout)
{
    dmm_options_define(options, "DMM_WORD_BYTES", layout->word_bytes);
    dmm_options_define(options, "DMM_WORDS", layout->words);
    dmm_options_define(options, "DMM_INDEX_BYTES", layout->index_bytes);
}

void dmm_word_define_pair(
    dmm_options *options, const dmm_word_layout *items, const dmm_word_layout *values)
{
    dmm_options_define(options, "DMM_WORD_BYTES", items->word_bytes);
    dmm_options_define(options, "DMM_WORDS", items->words);
    dmm_options_define(options, "DMM_CARRIED", values->words);
    dmm_options_define(options, "DMM_CARRIED_BYTES", values->words != 0 ? values->word_bytes : 1);
}
