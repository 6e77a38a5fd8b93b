/* SPDX-License-Identifier: MIT */
/*
 * What `dmm tune` tries: the primitives, their parameters, and a call of each with its expected
 * results. In sorts, items of 4 bytes are keys alone, those of 8 and 16 bytes keys and positions of
 * equal size. Elsewhere items are keys alone.
 */
#include <string.h>

#include <dmm/histogram.h>
#include <dmm/merge.h>
#include <dmm/merge_many.h>
#include <dmm/partition.h>
#include <dmm/permute.h>
#include <dmm/scan.h>
#include <dmm/shuffle.h>
#include <dmm/sort.h>
#include <dmm/sort_segmented.h>
#include <dmm/topk.h>
#include <dmm/transpose.h>

#include "trial.h"

enum { WAYS = 256, SEED = 7, SEGMENT = 1000, LISTS = 64, TOP_PART = 100 };

/* Creates dmm_<word> by `desc`, measures calls of `once` on it, frees it, and returns the status
 * from the function. The further arguments are those of dmm_<word>_temp_bytes. */
#define RETURN_TRIAL(t, word, desc, once, ...)                                       \
    do {                                                                             \
        dmm_##word *made = NULL;                                                     \
        dmm_status status = dmm_##word##_create(&made, (t)->session->context, desc); \
        (t)->object = made;                                                          \
        if (status == DMM_OK)                                                        \
            status = dmm_##word##_temp_bytes(&(t)->temp_bytes, made, __VA_ARGS__);   \
        if (status == DMM_OK)                                                        \
            status = trial_measure(t, once);                                         \
        dmm_##word##_free(made);                                                     \
        return status;                                                               \
    } while (0)

static dmm_span span(cl_mem buffer)
{
    return (dmm_span){buffer, 0};
}

static dmm_order order_of(const trial *t)
{
    return (dmm_order){.type = t->key_bytes == 8 ? DMM_U64 : DMM_U32};
}

/* Expects this number's key at a place. */
static void expect(trial *t, uint64_t place, uint32_t number)
{
    trial_put_key(t->expected + place * t->key_bytes, t->key_bytes, number);
    if (t->expected_bytes < (place + 1) * t->key_bytes)
        t->expected_bytes = (size_t)((place + 1) * t->key_bytes);
}

/* Expects the first keys of t->order and, if wanted, their positions. */
static void expect_ordered(trial *t, uint64_t count, uint32_t position_bytes)
{
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t position = t->order[i] & UINT32_MAX;
        expect(t, i, (uint32_t)(t->order[i] >> 32));
        memcpy(t->expected_by + i * position_bytes, &position, position_bytes);
    }
    t->expected_by_bytes = (size_t)count * position_bytes;
}

/* Splits items of a sort into key and position; returns the bytes of a position, 0 without. */
static uint32_t split_item(trial *t)
{
    t->key_bytes = t->item_bytes > 4 ? t->item_bytes / 2 : t->item_bytes;
    return t->item_bytes - t->key_bytes;
}

static dmm_status sort_once(trial *t)
{
    const dmm_sort_args args = {.keys_in = span(t->in),
        .keys_out = span(t->out),
        .values_out = span(t->item_bytes > 4 ? t->out_by : NULL),
        .temp = span(t->temp)};
    return dmm_sort_enqueue(t->object, t->queue, &args, t->n, 0, NULL, NULL);
}

static dmm_status sort_by(trial *t, dmm_sort_method method)
{
    const uint32_t position_bytes = split_item(t);
    const dmm_sort_desc desc = {.order = order_of(t),
        .value_bytes = position_bytes,
        .argsort = position_bytes != 0,
        .method = method,
        .max_n = t->n};
    expect_ordered(t, t->n, position_bytes);
    RETURN_TRIAL(t, sort, &desc, sort_once, t->n);
}

static dmm_status sort_by_merge(trial *t)
{
    return sort_by(t, DMM_SORT_MERGE);
}

static dmm_status sort_by_radix(trial *t)
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
    const dmm_sort_segmented_args args = {.keys_in = span(t->in),
        .keys_out = span(t->out),
        .values_out = span(t->item_bytes > 4 ? t->out_by : NULL),
        .offsets = span(t->by),
        .temp = span(t->temp)};
    return dmm_sort_segmented_enqueue(
        t->object, t->queue, &args, t->n, segments_of(t), 0, NULL, NULL);
}

static dmm_status sort_segmented(trial *t)
{
    const uint32_t position_bytes = split_item(t);
    const uint64_t segments = segments_of(t);
    const dmm_sort_segmented_desc desc = {.order = order_of(t),
        .value_bytes = position_bytes,
        .argsort = position_bytes != 0,
        .offset_type = DMM_U64,
        .max_n = t->n};
    for (uint64_t s = 0; s <= segments; s++) {
        const uint64_t offset = s == segments ? t->n : s * SEGMENT;
        memcpy(t->by_data + s * sizeof offset, &offset, sizeof offset);
    }
    t->by_bytes = (size_t)(segments + 1) * sizeof(uint64_t);
    order_segments(t);
    expect_ordered(t, t->n, position_bytes);
    RETURN_TRIAL(t, sort_segmented, &desc, segmented_once, t->n);
}

static dmm_status merge_once(trial *t)
{
    const uint64_t na = t->n / 2;
    const dmm_merge_args args = {.a_keys = span(t->in),
        .b_keys = {t->in, na * t->item_bytes},
        .keys_out = span(t->out),
        .temp = span(t->temp)};
    return dmm_merge_enqueue(t->object, t->queue, &args, na, t->n - na, 0, NULL, NULL);
}

/* Merges the items of odd ranks with those of even ranks. */
static dmm_status merge(trial *t)
{
    const dmm_merge_desc desc = {.order = order_of(t), .max_n = t->n};
    const uint64_t na = t->n / 2;
    for (uint64_t i = 0; i < t->n; i++)
        t->random[i] = (uint32_t)(t->order[i < na ? 2 * i + 1 : 2 * (i - na)] >> 32);
    expect_ordered(t, t->n, 0);
    RETURN_TRIAL(t, merge, &desc, merge_once, t->n);
}

static dmm_status merge_many_once(trial *t)
{
    const dmm_merge_many_args args = {.keys_in = span(t->in),
        .keys_out = span(t->out),
        .offsets = span(t->by),
        .temp = span(t->temp)};
    return dmm_merge_many_enqueue(t->object, t->queue, &args, t->n, LISTS, 0, NULL, NULL);
}

/* Deals the sorted items out to the lists in turn. */
static void deal(trial *t)
{
    uint64_t place = 0;
    for (uint64_t list = 0; list < LISTS; list++) {
        memcpy(t->by_data + list * sizeof place, &place, sizeof place);
        for (uint64_t i = list; i < t->n; i += LISTS)
            t->random[place++] = (uint32_t)(t->order[i] >> 32);
    }
    memcpy(t->by_data + LISTS * sizeof place, &place, sizeof place);
    t->by_bytes = (LISTS + 1) * sizeof place;
}

static dmm_status merge_many(trial *t)
{
    const dmm_merge_many_desc desc = {.order = order_of(t), .offset_type = DMM_U64, .max_n = t->n};
    deal(t);
    expect_ordered(t, t->n, 0);
    RETURN_TRIAL(t, merge_many, &desc, merge_many_once, t->n, LISTS);
}

static uint64_t top_of(const trial *t)
{
    return t->n / TOP_PART + 1;
}

static dmm_status topk_once(trial *t)
{
    const dmm_topk_args args = {
        .keys_in = span(t->in), .keys_out = span(t->out), .temp = span(t->temp)};
    return dmm_topk_enqueue(t->object, t->queue, &args, t->n, top_of(t), 0, NULL, NULL);
}

static dmm_status topk(trial *t)
{
    const dmm_topk_desc desc = {.order = order_of(t), .max_k = top_of(t), .max_n = t->n};
    expect_ordered(t, top_of(t), 0);
    RETURN_TRIAL(t, topk, &desc, topk_once, t->n, top_of(t));
}

static dmm_status scan_once(trial *t)
{
    const dmm_scan_args args = {.in = span(t->in), .out = span(t->out), .temp = span(t->temp)};
    return dmm_scan_enqueue(t->object, t->queue, &args, t->n, 0, NULL, NULL);
}

static dmm_status scan(trial *t)
{
    const dmm_scan_desc desc = {.type = order_of(t).type, .max_n = t->n};
    uint64_t sum = 0, item = 0;
    for (uint64_t i = 0; i < t->n; i++) {
        trial_put_key((unsigned char *)&item, t->item_bytes, t->random[i]);
        sum += item;
        memcpy(t->expected + i * t->item_bytes, &sum, t->item_bytes);
    }
    t->expected_bytes = (size_t)(t->n * t->item_bytes);
    RETURN_TRIAL(t, scan, &desc, scan_once, t->n);
}

static dmm_status histogram_once(trial *t)
{
    const dmm_histogram_args args = {
        .labels = span(t->in), .counts_out = span(t->out), .temp = span(t->temp)};
    return dmm_histogram_enqueue(t->object, t->queue, &args, t->n, 0, NULL, NULL);
}

static dmm_status histogram(trial *t)
{
    const dmm_histogram_desc desc = {.type = DMM_U8, .bins = WAYS, .max_n = t->n};
    uint64_t counts[WAYS] = {0};
    t->key_bytes = 1;
    for (uint64_t i = 0; i < t->n; i++)
        counts[t->random[i] % WAYS]++;
    t->expected_bytes = sizeof counts;
    memcpy(t->expected, counts, t->expected_bytes);
    RETURN_TRIAL(t, histogram, &desc, histogram_once, t->n);
}

static dmm_status partition_once(trial *t)
{
    const dmm_partition_args args = {.items_in = span(t->in),
        .by = span(t->by),
        .items_out = span(t->out),
        .offsets_out = span(t->out_by),
        .temp = span(t->temp)};
    return dmm_partition_enqueue(t->object, t->queue, &args, t->n, 0, NULL, NULL);
}

/* Expects the buckets, and where each begins. */
static void expect_buckets(trial *t)
{
    uint64_t begins[WAYS + 1] = {0};
    for (uint64_t i = 0; i < t->n; i++)
        begins[t->random[i] % WAYS + 1]++;
    for (uint32_t k = 0; k < WAYS; k++)
        begins[k + 1] += begins[k];
    t->expected_by_bytes = sizeof begins;
    memcpy(t->expected_by, begins, sizeof begins);
    for (uint64_t i = 0; i < t->n; i++)
        expect(t, begins[t->random[i] % WAYS]++, t->random[i]);
}

static dmm_status partition(trial *t)
{
    const dmm_partition_desc desc = {
        .ways = WAYS, .order = order_of(t), .label_bytes = 1, .max_n = t->n};
    for (uint64_t i = 0; i < t->n; i++)
        t->by_data[i] = (unsigned char)(t->random[i] % WAYS);
    t->by_bytes = (size_t)t->n;
    expect_buckets(t);
    RETURN_TRIAL(t, partition, &desc, partition_once, t->n);
}

static dmm_status permute_once(trial *t)
{
    const dmm_permute_args args = {
        .index = span(t->by), .in = span(t->in), .out = span(t->out), .temp = span(t->temp)};
    return dmm_permute_enqueue(t->object, t->queue, &args, t->n, 0, NULL, NULL);
}

/* Permutes: item i moves to the index from which a shuffle takes item i. */
static dmm_status permute(trial *t)
{
    const dmm_permute_desc desc = {
        .item_bytes = t->item_bytes, .index_bytes = sizeof(uint32_t), .max_n = t->n};
    for (uint64_t i = 0; i < t->n; i++) {
        const uint32_t place = (uint32_t)dmm_shuffle_index(SEED, t->n, i);
        memcpy(t->by_data + i * sizeof place, &place, sizeof place);
        expect(t, place, t->random[i]);
    }
    t->by_bytes = (size_t)t->n * sizeof(uint32_t);
    RETURN_TRIAL(t, permute, &desc, permute_once, t->n);
}

static dmm_status shuffle_once(trial *t)
{
    const dmm_shuffle_args args = {
        .seed = SEED, .in = span(t->in), .out = span(t->out), .temp = span(t->temp)};
    return dmm_shuffle_enqueue(t->object, t->queue, &args, t->n, 0, NULL, NULL);
}

static dmm_status shuffle(trial *t)
{
    const dmm_shuffle_desc desc = {.item_bytes = t->item_bytes, .max_n = t->n};
    for (uint64_t i = 0; i < t->n; i++)
        expect(t, i, t->random[dmm_shuffle_index(SEED, t->n, i)]);
    RETURN_TRIAL(t, shuffle, &desc, shuffle_once, t->n);
}

/* Returns a shape that is as square as possible. */
static dmm_matrices shape_of(const trial *t)
{
    uint64_t rows = 1;
    while (rows * rows * 4 <= t->n)
        rows *= 2;
    return (dmm_matrices){.rows = rows, .cols = t->n / rows};
}

static dmm_status transpose_once(trial *t)
{
    const dmm_transpose_args args = {.in = span(t->in), .out = span(t->out), .temp = span(t->temp)};
    return dmm_transpose_enqueue(t->object, t->queue, &args, shape_of(t), 0, NULL, NULL);
}

static dmm_status transpose(trial *t)
{
    const dmm_transpose_desc desc = {.item_bytes = t->item_bytes, .max_n = t->n};
    const dmm_matrices shape = shape_of(t);
    for (uint64_t r = 0; r < shape.rows; r++)
        for (uint64_t c = 0; c < shape.cols; c++)
            expect(t, c * shape.rows + r, t->random[r * shape.cols + c]);
    RETURN_TRIAL(t, transpose, &desc, transpose_once, shape);
}

static const uint32_t keys_and_pairs[] = {4, 8, 16, 0}, keys[] = {4, 8, 0}, labels[] = {1, 0};

static const uint32_t few_E[] = {4, 8, 16, 0}, cpu_Es[] = {1, 2, 4, 8, 16, 32, 0};
static const uint32_t few_gpu_E[] = {4, 8, 11, 16, 0};
static const uint32_t gpu_Es[] = {1, 2, 4, 7, 8, 11, 12, 15, 16, 17, 20, 23, 24, 31, 32, 0};
static const uint32_t few_u[] = {64, 128, 256, 512, 0};
static const uint32_t all_u[] = {8, 16, 32, 64, 128, 256, 512, 1024, 0};
static const uint32_t few_digits[] = {8, 10, 12, 0}, digits[] = {8, 9, 10, 11, 12, 0};
static const uint32_t few_tiles[] = {1 << 13, 1 << 15, 1 << 17, 1 << 19, 0};
static const uint32_t tiles[] = {1 << 10, 1 << 11, 1 << 12, 1 << 13, 1 << 14, 1 << 15, 1 << 16,
    1 << 17, 1 << 18, 1 << 19, 1 << 20, 1 << 21, 0};

static const trial_parameter tile = {"tile", few_tiles, tiles},
                             digit = {"digit", few_digits, digits}, u = {"u", few_u, all_u},
                             cpu_E = {"E", few_E, cpu_Es}, gpu_E = {"E", few_gpu_E, gpu_Es};

/* Ordered by importance; a short search may not reach the end. */
const trial_word trial_words[] = {
    {"sort.merge", sort_by_merge, keys_and_pairs, {&tile, &cpu_E}, {&u, &gpu_E}},
    {"sort.radix", sort_by_radix, keys_and_pairs, {&tile, &digit}, {&u, &gpu_E}},
    {"partition", partition, keys, {&tile}, {&u}},
    {"scan", scan, keys, {&cpu_E, &tile}, {&u, &gpu_E}},
    {"topk", topk, keys, {&digit, &cpu_E}, {&u, &gpu_E}},
    {"permute", permute, keys, {&tile}, {&u}},
    {"merge", merge, keys, {&tile, &cpu_E}, {&u, &gpu_E}},
    {"merge_many", merge_many, keys, {&tile, &cpu_E}, {&u, &gpu_E}},
    {"sort_segmented", sort_segmented, keys_and_pairs, {&tile, &cpu_E}, {&u, &gpu_E}},
    {"shuffle", shuffle, keys, {&tile}, {&u}},
    {"transpose", transpose, keys, {NULL}, {&u}},
    {"histogram", histogram, labels, {&tile}, {&u}},
    {NULL, NULL, NULL, {NULL}, {NULL}},
};
