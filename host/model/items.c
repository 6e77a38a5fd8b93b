/* SPDX-License-Identifier: MIT */
/*
 * Ranks as items of a type. Each type has a run of bit patterns that ascends in value: the k-th
 * value has the pattern first + k, taken modulo the type's width.
 */
#include <dmm-model/worst.h>

#include <stdbool.h>
#include <string.h>

/* The k-th value is bit pattern first + k, for k < count. */
typedef struct pattern_run {
    uint64_t first, count;
} pattern_run;

static const struct type_row {
    const char *name;
    uint32_t bytes;
    pattern_run near; /* non-negative integers; floats from 1.0 up to the largest finite one */
    pattern_run wide; /* all integers; floats from the smallest normal one up */
} types[] = {
    {"u8", 1, {0, 1 << 8}, {0, 1 << 8}},
    {"i8", 1, {0, 1 << 7}, {1 << 7, 1 << 8}},
    {"u16", 2, {0, 1 << 16}, {0, 1 << 16}},
    {"i16", 2, {0, 1 << 15}, {1 << 15, 1 << 16}},
    {"u32", 4, {0, 1ULL << 32}, {0, 1ULL << 32}},
    {"i32", 4, {0, 1ULL << 31}, {1ULL << 31, 1ULL << 32}},
    {"u64", 8, {0, UINT64_MAX}, {0, UINT64_MAX}},
    {"i64", 8, {0, 1ULL << 63}, {1ULL << 63, UINT64_MAX}},
    {"f16", 2, {0x3c00, 0x4000}, {0x0400, 0x7800}},
    {"f32", 4, {0x3f800000, 0x40000000}, {0x00800000, 0x7f000000}},
    {"f64", 8, {0x3ffULL << 52, 1ULL << 62}, {1ULL << 52, 0x7feULL << 52}},
};

static const struct type_row *row_of(const char *type)
{
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (strcmp(types[i].name, type) == 0)
            return &types[i];
    return NULL;
}

/* Stores by memcpy, because the caller's items may be floats. */
static void put(void *items, uint64_t i, uint32_t bytes, uint64_t pattern)
{
    const uint8_t u8 = (uint8_t)pattern;
    const uint16_t u16 = (uint16_t)pattern;
    const uint32_t u32 = (uint32_t)pattern;
    const void *narrow = bytes == 1   ? (const void *)&u8
                         : bytes == 2 ? (const void *)&u16
                         : bytes == 4 ? (const void *)&u32
                                      : (const void *)&pattern;
    memcpy((char *)items + i * bytes, narrow, bytes);
}

dmm_model_status dmm_model_worst_items(
    void *items, int *distinct, const char *type, const uint64_t *ranks, uint64_t n)
{
    if (!items || !type || !ranks)
        return DMM_MODEL_NULL_ARGUMENT;
    const struct type_row *row = row_of(type);
    if (!row)
        return DMM_MODEL_BAD_VALUE;
    for (uint64_t i = 0; i < n; i++)
        if (ranks[i] >= n)
            return DMM_MODEL_BAD_VALUE;

    const pattern_run run = n <= row->near.count ? row->near : row->wide;
    const uint64_t ranks_a_value = n <= run.count ? 1 : (n - 1) / run.count + 1;
    for (uint64_t i = 0; i < n; i++)
        put(items, i, row->bytes, run.first + ranks[i] / ranks_a_value);
    if (distinct)
        *distinct = ranks_a_value == 1;
    return DMM_MODEL_OK;
}
