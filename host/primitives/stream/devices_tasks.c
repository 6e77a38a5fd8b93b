/* SPDX-License-Identifier: MIT */
/*
 * Tasks of dmm_sort_devices.
 */
#include "primitives/stream/devices.h"

#include <stdlib.h>
#include <string.h>

#include <dmm/merge_many.h>
#include <dmm/search.h>

#include "core/check.h"
#include "core/size.h"

/* Numbers of samples: for each range of each part, and in all. */
enum { SAMPLES = 16, MOST_SAMPLES = 1 << 20 };

static uint64_t part_items(const dmm_devices_call *c, uint64_t part)
{
    const uint64_t left = c->n - part * c->part;
    return left < c->part ? left : c->part;
}

static char *item_at(char *array, uint64_t i, uint32_t item_bytes)
{
    return array != NULL ? array + i * item_bytes : NULL;
}

static void copy_items(const dmm_devices_call *c, const dmm_devices_items *to, uint64_t to_at,
    const dmm_devices_items *from, uint64_t from_at, uint64_t count)
{
    const uint64_t key = c->key_bytes, value = c->value_bytes;
    if (count == 0)
        return;
    memcpy(to->keys + to_at * key, from->keys + from_at * key, (size_t)(count * key));
    if (value != 0)
        memcpy(to->values + to_at * value, from->values + from_at * value, (size_t)(count * value));
}

dmm_sort_desc dmm_devices_sort_of(const dmm_devices_call *c)
{
    return (dmm_sort_desc){.order = c->desc->order,
        .value_bytes = c->value_bytes,
        .guarantee = c->desc->guarantee,
        .tuning = c->desc->tuning};
}

dmm_status dmm_devices_sort_part(dmm_devices_call *c, uint32_t device, uint64_t i)
{
    const dmm_sort_desc desc = dmm_devices_sort_of(c);
    const uint64_t first = i * c->part, count = part_items(c, i);
    copy_items(c, &c->sorted, first, &c->in, first, count);
    c->shares[device].sorted_items += count;
    return dmm_sort_host(c->contexts[device], &desc, item_at(c->sorted.keys, first, c->key_bytes),
        item_at(c->sorted.values, first, c->value_bytes), (size_t)count);
}

/*
 * Sorts samples of all parts, each with its position; they come in the order of the parts, so equal
 * keys stay in the order of their positions. Every samples/parts-th one is a splitter.
 */
dmm_status dmm_devices_choose_splitters(dmm_devices_call *c)
{
    dmm_status status = DMM_OK;
    const uint64_t key = c->key_bytes, least = dmm_size_div_up(c->n, MOST_SAMPLES);
    const uint64_t fine = c->part / (SAMPLES * c->parts), step = fine > least ? fine : least;
    const uint64_t most = c->n / step + 1;
    char *const keys = malloc((size_t)(most * key));
    uint64_t *const at = malloc((size_t)most * sizeof *at);
    uint64_t count = 0;
    dmm_sort_desc desc = dmm_devices_sort_of(c);
    desc.value_bytes = sizeof *at;
    FAIL_IF(keys == NULL || at == NULL, DMM_OUT_OF_MEMORY);
    for (uint64_t i = 0; i < c->parts; i++)
        for (uint64_t j = step; j <= part_items(c, i); j += step) {
            at[count] = i * c->part + j - 1;
            memcpy(keys + count * key, c->sorted.keys + at[count] * key, (size_t)(key));
            count++;
        }
    TRY(dmm_sort_host(c->contexts[0], &desc, keys, at, (size_t)count));
    for (uint64_t r = 1; r < c->parts; r++) {
        const uint64_t sample = r * count / c->parts;
        c->at[r - 1] = at[sample];
        memcpy(c->splitters + (r - 1) * key, keys + sample * key, (size_t)(key));
    }
out:
    free(keys);
    free(at);
    return status;
}

/*
 * Finds how many items of part i come up to each splitter: of equal items those of the splitter's
 * position and before. By a `less` that is no order the ends may fall: each is at least the one
 * before, so that every item is in one range.
 */
dmm_status dmm_devices_find_ends(dmm_devices_call *c, uint32_t device, uint64_t i)
{
    dmm_status status = DMM_OK;
    const uint64_t splitters = c->parts - 1, items = part_items(c, i);
    const dmm_search_desc desc = {.order = c->desc->order,
        .result = DMM_RANK_RANGE,
        .rank_bytes = sizeof(uint64_t),
        .guarantee = c->desc->guarantee};
    uint64_t *const ends = c->ends + i * splitters, least = 0;
    uint64_t *const lower = malloc((size_t)splitters * sizeof *lower);
    FAIL_IF(lower == NULL, DMM_OUT_OF_MEMORY);
    TRY(dmm_search_host(c->contexts[device], &desc,
        item_at(c->sorted.keys, i * c->part, c->key_bytes), (size_t)items, c->splitters,
        (size_t)splitters, lower, ends));
    for (uint64_t r = 0; r < splitters; r++) {
        const uint64_t part = c->at[r] / c->part;
        const uint64_t end = i == part ? c->at[r] % c->part + 1 : i < part ? ends[r] : lower[r];
        FAIL_IF(end > items, DMM_WRONG_RESULT);
        least = end > least ? end : least;
        ends[r] = least;
    }
out:
    free(lower);
    return status;
}

/* Returns where range r begins in part i. */
static uint64_t first_of(const dmm_devices_call *c, uint64_t r, uint64_t i)
{
    return r == 0 ? 0 : r == c->parts ? part_items(c, i) : c->ends[i * (c->parts - 1) + r - 1];
}

/* Gathers a range from all parts in the caller's arrays, and merges it there. */
dmm_status dmm_devices_merge_range(dmm_devices_call *c, uint32_t device, uint64_t r)
{
    dmm_status status = DMM_OK;
    const dmm_merge_many_desc desc = {.order = c->desc->order,
        .value_bytes = c->value_bytes,
        .offset_type = DMM_U64,
        .guarantee = c->desc->guarantee,
        .tuning = c->desc->tuning};
    uint64_t first = 0, count = 0;
    uint64_t *const offsets = malloc((size_t)(c->parts + 1) * sizeof *offsets);
    FAIL_IF(offsets == NULL, DMM_OUT_OF_MEMORY);
    for (uint64_t i = 0; i < c->parts; i++)
        first += first_of(c, r, i);
    for (uint64_t i = 0; i < c->parts; i++) {
        const uint64_t from = first_of(c, r, i), items = first_of(c, r + 1, i) - from;
        copy_items(c, &c->in, first + count, &c->sorted, i * c->part + from, items);
        offsets[i] = count;
        count += items;
    }
    offsets[c->parts] = count;
    c->shares[device].merged_items += count;
    TRY(dmm_merge_many_host(c->contexts[device], &desc, item_at(c->in.keys, first, c->key_bytes),
        item_at(c->in.values, first, c->value_bytes), (size_t)count, offsets, (size_t)c->parts));
out:
    free(offsets);
    return status;
}
