/* SPDX-License-Identifier: MIT */
/* Trials of primitives that order items. Items of 4 bytes are keys alone; those of 8 and 16 bytes
 * are keys and positions of equal size. */
#include <string.h>

#include <dmm/merge.h>
#include <dmm/sort.h>
#include <dmm/sort_segmented.h>
#include <dmm/topk.h>

#include "trial.h"

enum { SEGMENT = 1000, TOP_PART = 100 };

static int has_positions(const trial *t)
{
    return t->item_bytes > 4;
}

static uint32_t key_bytes_of(const trial *t)
{
    return has_positions(t) ? t->item_bytes / 2 : t->item_bytes;
}

static dmm_order order_of(uint32_t key_bytes)
{
    return (dmm_order){.type = key_bytes == 8 ? DMM_U64 : DMM_U32};
}

/* Expects the keys of t->order and, if wanted, their positions. */
static void expect(trial *t, uint64_t count, uint32_t key_bytes, uint32_t position_bytes)
{
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t position = t->order[i] & UINT32_MAX;
        trial_put_key(t->expected + i * key_bytes, key_bytes, (uint32_t)(t->order[i] >> 32));
        memcpy(t->expected_by + i * position_bytes, &position, position_bytes);
    }
    t->expected_bytes = (size_t)count * key_bytes;
    t->expected_by_bytes = (size_t)count * position_bytes;
}

static dmm_status sort_once(trial *t)
{
    const dmm_sort_args args = {.keys_in = {t->in, 0},
        .keys_out = {t->out, 0},
        .values_out = {has_positions(t) ? t->out_by : NULL, 0},
        .temp = {t->temp, 0}};
    return dmm_sort_enqueue(t->object, t->queue, &args, t->n, 0, NULL, NULL);
}

static dmm_status sort_by(trial *t, dmm_sort_method method)
{
    const uint32_t key_bytes = key_bytes_of(t);
    const dmm_sort_desc desc = {.order = order_of(key_bytes),
        .value_bytes = has_positions(t) ? key_bytes : 0,
        .argsort = has_positions(t),
        .method = method,
        .max_n = t->n};
    expect(t, t->n, key_bytes, desc.value_bytes);
    dmm_status status = trial_write_keys(t, key_bytes);
    TRIAL_RUN(t, sort, &desc, status, sort_once, t->n);
    return status;
}

dmm_status trial_sort_by_merge(trial *t)
{
    return sort_by(t, DMM_SORT_MERGE);
}

dmm_status trial_sort_by_radix(trial *t)
{
    return sort_by(t, DMM_SORT_RADIX);
}

static uint64_t segments_of(const trial *t)
{
    return (t->n + SEGMENT - 1) / SEGMENT;
}

/* Sorts t->order by segment, by insertion, because segments are short. */
static void order_segments(trial *t)
{
    for (uint64_t i = 0; i < t->n; i++) {
        uint64_t at = i;
        const uint64_t item = (uint64_t)t->random[i] << 32 | i;
        for (; at % SEGMENT != 0 && t->order[at - 1] > item; at--)
            t->order[at] = t->order[at - 1];
        t->order[at] = item;
    }
}

static dmm_status segmented_once(trial *t)
{
    const dmm_sort_segmented_args args = {.keys_in = {t->in, 0},
        .keys_out = {t->out, 0},
        .values_out = {has_positions(t) ? t->out_by : NULL, 0},
        .offsets = {t->by, 0},
        .temp = {t->temp, 0}};
    return dmm_sort_segmented_enqueue(
        t->object, t->queue, &args, t->n, segments_of(t), 0, NULL, NULL);
}

/* Writes the offsets, using the memory of the expected items, which are set later. */
static dmm_status write_offsets(trial *t)
{
    const uint64_t segments = segments_of(t);
    for (uint64_t s = 0; s <= segments; s++) {
        const uint64_t offset = s == segments ? t->n : s * SEGMENT;
        memcpy(t->expected + s * sizeof offset, &offset, sizeof offset);
    }
    return trial_write_by(t, t->expected, (size_t)(segments + 1) * sizeof(uint64_t));
}

dmm_status trial_sort_segmented(trial *t)
{
    const uint32_t key_bytes = key_bytes_of(t);
    const dmm_sort_segmented_desc desc = {.order = order_of(key_bytes),
        .value_bytes = has_positions(t) ? key_bytes : 0,
        .argsort = has_positions(t),
        .offset_type = DMM_U64,
        .max_n = t->n};
    dmm_status status = write_offsets(t);
    order_segments(t);
    expect(t, t->n, key_bytes, desc.value_bytes);
    if (status == DMM_OK)
        status = trial_write_keys(t, key_bytes);
    TRIAL_RUN(t, sort_segmented, &desc, status, segmented_once, t->n);
    return status;
}

static dmm_status merge_once(trial *t)
{
    const uint64_t na = t->n / 2;
    const dmm_merge_args args = {.a_keys = {t->in, 0},
        .b_keys = {t->in, na * t->item_bytes},
        .keys_out = {t->out, 0},
        .temp = {t->temp, 0}};
    return dmm_merge_enqueue(t->object, t->queue, &args, na, t->n - na, 0, NULL, NULL);
}

/* Merges the items of even ranks with those of odd ranks. */
dmm_status trial_merge(trial *t)
{
    const dmm_merge_desc desc = {.order = order_of(t->item_bytes), .max_n = t->n};
    const uint64_t na = t->n / 2;
    for (uint64_t i = 0; i < t->n; i++)
        t->random[i] = (uint32_t)(t->order[i < na ? 2 * i + 1 : 2 * (i - na)] >> 32);
    if (t->n % 2 != 0)
        t->random[t->n - 1] = (uint32_t)(t->order[t->n - 1] >> 32);
    expect(t, t->n, t->item_bytes, 0);
    dmm_status status = trial_write_keys(t, t->item_bytes);
    TRIAL_RUN(t, merge, &desc, status, merge_once, t->n);
    return status;
}

static uint64_t top_of(const trial *t)
{
    return t->n / TOP_PART + 1;
}

static dmm_status topk_once(trial *t)
{
    const dmm_topk_args args = {
        .keys_in = {t->in, 0}, .keys_out = {t->out, 0}, .temp = {t->temp, 0}};
    return dmm_topk_enqueue(t->object, t->queue, &args, t->n, top_of(t), 0, NULL, NULL);
}

dmm_status trial_topk(trial *t)
{
    const dmm_topk_desc desc = {
        .order = order_of(t->item_bytes), .max_k = top_of(t), .max_n = t->n};
    expect(t, top_of(t), t->item_bytes, 0);
    dmm_status status = trial_write_keys(t, t->item_bytes);
    TRIAL_RUN(t, topk, &desc, status, topk_once, t->n, top_of(t));
    return status;
}
