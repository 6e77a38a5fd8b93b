/* SPDX-License-Identifier: MIT */
/*
 * Opaque items of any size, moved as words (cl/words.clh), and the width of positions in kernels:
 * 4 bytes where every position of a call fits in 31 bits, else 8.
 */
#ifndef DMM_PRIMITIVES_WORDS_H
#define DMM_PRIMITIVES_WORDS_H

#include "core/device.h"
#include "core/options.h"

/* Most items that kernels with 32-bit positions take: no sum of two positions overflows. */
#define DMM_MAX_NARROW ((uint64_t)1 << 31)

/* Returns the bytes of a position in calls of at most max_n items; max_n = 0: as many as the
 * largest buffer holds. */
static inline uint32_t dmm_index_width(
    const dmm_device *device, uint64_t max_n, uint32_t item_bytes)
{
    const uint64_t most = max_n != 0 ? max_n : device->max_buffer.value / item_bytes;
    return most <= DMM_MAX_NARROW ? 4 : 8;
}

/* Returns the most items of a call: max_n, or as many as such positions can count. */
static inline uint64_t dmm_index_limit(uint32_t index_bytes, uint64_t max_n)
{
    const uint64_t most = index_bytes == 4 ? DMM_MAX_NARROW : UINT64_MAX / 2;
    return max_n != 0 && max_n < most ? max_n : most;
}

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

/* Defines the words of items, and of the values that move beside them (cl/carried.clh): none, if
 * their layout is 0. */
void dmm_word_define_pair(
    dmm_options *options, const dmm_word_layout *items, const dmm_word_layout *values);

#endif
