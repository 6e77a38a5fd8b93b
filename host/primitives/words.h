/* SPDX-License-Identifier: MIT */
/*
 * Opaque items of any size, moved as words (cl/words.clh).
 */
#ifndef DMM_PRIMITIVES_WORDS_H
#define DMM_PRIMITIVES_WORDS_H

#include "core/options.h"

enum { DMM_MAX_ITEM_BYTES = 256 };

typedef struct dmm_word_layout {
    uint32_t item_bytes;
    uint32_t word_bytes, words; /* widest words that make up an item */
    uint32_t index_bytes;       /* width of positions: 4 or 8 */
    uint64_t max_n;             /* the most items of a call */
} dmm_word_layout;

/* Returns the widest of 1, 2, 4 and 8 bytes that divides the size. */
uint32_t dmm_word_bytes(uint32_t item_bytes);

/* Lays out items; max_n = 0: as many as the device's largest buffer holds. DMM_BAD_VALUE unless
 * items are of 1 to 256 bytes. */
dmm_status dmm_word_layout_init(
    dmm_word_layout *out, const dmm_device *device, uint32_t item_bytes, uint64_t max_n);

void dmm_word_define(dmm_options *options, const dmm_word_layout *layout);

#endif
