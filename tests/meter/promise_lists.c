/* SPDX-License-Identifier: MIT */
#include "promise_lists.h"

#include <stdlib.h>
#include <string.h>

#include <dmm/merge_many.h>
#include <dmm/sort.h>

typedef struct item {
    uint32_t name, key, check, unused; /* check = name + key */
} item;

static const struct {
    const char *name;
    dmm_type type;
} types[] = {{"u8", DMM_U8}, {"u16", DMM_U16}, {"u32", DMM_U32}, {"u64", DMM_U64}};

static uint64_t next_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 24;
}

static uint64_t load(const unsigned char *keys, size_t i, size_t bytes)
{
    uint64_t key = 0;
    memcpy(&key, keys + i * bytes, bytes);
    return key;
}

/* Fills the lists of a merge, each with keys that rise. */
static void fill(
    unsigned char *keys, const uint32_t *offsets, size_t lists, size_t bytes, const char *kind)
{
    const size_t n = offsets[lists];
    uint64_t state = n;
    for (size_t l = 0; l < lists; l++) {
        uint64_t key = 0;
        for (size_t i = offsets[l]; i < offsets[l + 1]; i++) {
            const uint64_t step = 2 * 250 / (offsets[l + 1] - offsets[l] + 1) + 1;
            key += next_random(&state) % step;
            key = kind[0] == 'e' ? 90 : kind[0] == 's' ? i * 251 / n : key < 250 ? key : 250;
            memcpy(keys + i * bytes, &key, bytes);
        }
    }
}

/* Cuts n items; returns the number of lists. */
static size_t cut(uint32_t *offsets, const char *sizes, size_t n)
{
    size_t lists = 0;
    for (size_t at = 0; at < n; lists++) {
        const size_t step = sizes[0] == 't' ? 11 : (n - at + 1) / 2;
        offsets[lists] = (uint32_t)at;
        at = n - at < step ? n : at + step;
    }
    offsets[lists] = (uint32_t)n;
    return lists;
}

/* True if the keys are in order, stably, and each is where its index says. */
static int is_merged(const unsigned char *keys, const uint32_t *from, const unsigned char *in,
    size_t n, size_t bytes)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < n; i++) {
        const uint64_t key = load(keys, i, bytes), before = i > 0 ? load(keys, i - 1, bytes) : 0;
        sum += from[i];
        if (from[i] >= n || key != load(in, from[i], bytes) || before > key ||
            (i > 0 && before == key && from[i - 1] >= from[i]))
            return 0;
    }
    return sum == (uint64_t)n * (n - 1) / 2;
}

dmm_status promise_lists(
    dmm_context *ctx, const char *type, const char *sizes, const char *kind, size_t n, int *right)
{
    size_t t = 0;
    while (t < 4 && strcmp(types[t].name, type) != 0)
        t++;
    if (t == 4)
        return DMM_BAD_VALUE;
    const size_t bytes = dmm_type_bytes(types[t].type);
    const dmm_merge_many_desc desc = {.order = {.type = types[t].type},
        .value_bytes = sizeof(uint32_t),
        .argsort = 1,
        .guarantee = 1};
    unsigned char *const in = malloc(n * bytes), *const keys = malloc(n * bytes);
    uint32_t *const from = malloc(n * sizeof *from), *const offsets = malloc((n + 1) * 4);
    dmm_status status = DMM_OUT_OF_MEMORY;
    if (in != NULL && keys != NULL && from != NULL && offsets != NULL) {
        const size_t lists = cut(offsets, sizes, n);
        fill(in, offsets, lists, bytes, kind);
        memcpy(keys, in, n * bytes);
        status = dmm_merge_many_host(ctx, &desc, keys, from, n, offsets, lists);
        *right = is_merged(keys, from, in, n, bytes);
    }
    free(in);
    free(keys);
    free(from);
    free(offsets);
    return status;
}

/* True if ordered by key, stably (names ascend), and each item is whole. */
static int is_sorted(const item *items, size_t n)
{
    uint64_t names = 0;
    for (size_t i = 0; i < n; i++) {
        names += items[i].name;
        if (items[i].check != items[i].name + items[i].key)
            return 0;
        if (i > 0 && (items[i - 1].key > items[i].key ||
                         (items[i - 1].key == items[i].key && items[i - 1].name >= items[i].name)))
            return 0;
    }
    return names == (uint64_t)n * (n - 1) / 2;
}

dmm_status promise_items(dmm_context *ctx, size_t n, int *right)
{
    dmm_sort_desc desc = {0};
    desc.order.type = DMM_ITEM;
    desc.order.item = "typedef uint4 dmm_item;";
    desc.order.item_bytes = sizeof(item);
    desc.order.less = "a.y < b.y"; /* a part of an item: compilers load no more */
    uint64_t state = n;
    item *items = calloc(n, sizeof *items);
    if (items == NULL)
        return DMM_OUT_OF_MEMORY;
    for (size_t i = 0; i < n; i++) {
        items[i].name = (uint32_t)i;
        items[i].key = (uint32_t)(next_random(&state) % (n / 2));
        items[i].check = items[i].name + items[i].key;
    }
    const dmm_status status = dmm_sort_host(ctx, &desc, items, NULL, n);
    *right = is_sorted(items, n);
    free(items);
    return status;
}
