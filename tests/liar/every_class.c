/* SPDX-License-Identifier: MIT */
/* The cases. */
#include "liar/every_class.h"

#include <dmm/dmm.h>

#include "primitives/permute/permutation_plan.h"
#include "support/require.h"

const dmm_sizes every_sizes = {.n = EVERY_N, .m = 3, .l = 1};

static const dmm_class *class_at(int i)
{
    const dmm_class *const class = dmm_class_of((dmm_primitive)i);
    if (class == NULL && dmm_class_of((dmm_primitive)(i - 1)) != NULL)
        return &dmm_permutation_plan_class;
    return class;
}

static const void *usual_desc_of(const dmm_class *class)
{
    static const uint64_t zeros[64];
    static const dmm_plan_source reversal = {
        .desc = {.kind = DMM_PLAN_STRIDE, .n = EVERY_N, .argument = 7}};
    static const dmm_heap_desc small_heap = {.bulk = EVERY_N, .capacity = EVERY_N};
    REQUIRE(class->desc_bytes <= sizeof zeros);
    if (class == &dmm_heap_class)
        return &small_heap;
    return class == &dmm_permutation_plan_class ? (const void *)&reversal : zeros;
}

static const dmm_comparator pair = {0, 1};
static const uint64_t one_pair = 1;
static const dmm_operator last = {.combine = "b ? b : a", .identity = "0", .exact = 1};
static const dmm_operator maximum = {.combine = "a < b ? b : a", .identity = "0", .commutes = 1};
static const dmm_map halved = {
    .item = {.type = DMM_U32}, .expression = "x / 2", .result = {.type = DMM_U32}};

#define CASE(word, ...)                                                                           \
    {                                                                                             \
        &dmm_##word##_class, &(const dmm_##word##_desc){__VA_ARGS__}, #word " {" #__VA_ARGS__ "}" \
    }

static const every_case others[] = {
    CASE(sort, .method = DMM_SORT_MERGE, .value_bytes = 12),
    CASE(sort, .order = {.less = "a > b"}, .value_bytes = 8, .argsort = 1),
    CASE(
        sort, .method = DMM_SORT_RADIX, .order = {.type = DMM_F32}, .value_bytes = 4, .argsort = 1),
    CASE(sort, .method = DMM_SORT_RADIX, .order = {.type = DMM_I64}, .guarantee = 1),
    CASE(sort, .method = DMM_SORT_NETWORK, .order = {.type = DMM_U64}, .value_bytes = 8),
    CASE(sort, .bits = {3, 9}, .value_bytes = 2),
    CASE(sort, .map = &halved, .value_bytes = 4),
    CASE(sort_segmented, .value_bytes = 8, .guarantee = 1),
    CASE(merge, .value_bytes = 8, .guarantee = 1),
    CASE(merge_many, .order = {.type = DMM_F64}, .value_bytes = 4),
    CASE(set, .op = DMM_SET_SYMMETRIC, .value_bytes = 3),
    CASE(topk, .unsorted = 1, .value_bytes = 4, .argsort = 1),
    CASE(topk, .order = {.less = "a < b"}),
    CASE(topk_segmented, .order = {.type = DMM_F16}, .value_bytes = 4),
    CASE(nth, .value_bytes = 8, .guarantee = 1),
    CASE(scan, .type = DMM_F32, .exclusive = 1),
    CASE(scan, .own = &maximum),
    CASE(scan, .own = &last),
    CASE(scan, .map = &halved),
    CASE(scan_by_key, .exclusive = 1),
    CASE(scan_segmented, .exclusive = 1),
    CASE(reduce, .own = &maximum, .map = &halved),
    CASE(reduce_segmented, .op = DMM_SCAN_MAX),
    CASE(axis, .work = DMM_AXIS_SCAN, .axis = 1),
    CASE(axis, .work = DMM_AXIS_SORT, .value_bytes = 4, .argsort = 1),
    CASE(axis, .work = DMM_AXIS_SORT, .axis = 1, .order = {.type = DMM_I16}),
    CASE(histogram, .type = DMM_F32, .by = DMM_HISTOGRAM_EDGES, .bins = 2000),
    CASE(unique, .key_bytes = 16, .value_bytes = 4),
    CASE(select, .where = "x > 3", .value_bytes = 4),
    CASE(select, .where = "x > 3", .rest_behind = 1),
    CASE(search, .result = DMM_RANK_RANGE, .rank_bytes = 8, .method = DMM_SEARCH_MERGE),
    CASE(search, .layout = DMM_LAYOUT_BTREE, .B = 7),
    CASE(layout, .kind = DMM_LAYOUT_BST, .method = DMM_LAYOUT_CYCLES),
    CASE(layout, .kind = DMM_LAYOUT_VEB, .method = DMM_LAYOUT_INVOLUTIONS, .value_bytes = 4),
    CASE(network, .wires = 2, .pairs = &pair, .ends = &one_pair, .steps = 1, .value_bytes = 4),
    CASE(partition, .ways = 5, .by = DMM_PARTITION_BY_SPLITTERS, .value_bytes = 4),
    CASE(partition, .ways = 300, .guarantee = 1),
    CASE(partition, .ways = 16, .by = DMM_PARTITION_BY_BITS, .bits = {2, 6},
        .method = DMM_PARTITION_RADIX),
    CASE(partition, .ways = 7, .by = DMM_PARTITION_BY_EXPRESSION, .expression = "key % 7"),
    CASE(permute, .direction = DMM_DIRECTION_GATHER, .check = 1, .index_bytes = 8),
    CASE(permute, .method = DMM_PERMUTE_RANDOMIZED, .seed = 5, .check = 1),
    CASE(permute, .method = DMM_PERMUTE_SCATTER, .item_bytes = 12),
    CASE(shuffle, .item_bytes = 8, .value_bytes = 4),
    CASE(lexsort, .num_keys = 2, .num_values = 1),
    CASE(transpose, .item_bytes = 3),
    CASE(hull, .coordinates = DMM_HULL_F64, .two_arrays = 1, .index_bytes = 8, .collinear = 1),
    CASE(hull, .part = DMM_HULL_UPPER),
    CASE(heap, .key_bytes = 8, .priority = DMM_F64, .bulk = EVERY_N, .capacity = EVERY_N,
        .guarantee = 1),
    CASE(paths, .method = DMM_PATHS_DIJKSTRA, .max_n = EVERY_N),
    CASE(paths, .weight = DMM_F32, .method = DMM_PATHS_NEAR_FAR, .delta = 4),
};
enum { NUM_OTHERS = sizeof others / sizeof *others };

every_case every_case_at(int i)
{
    int count = 0;
    while (class_at(count) != NULL)
        count++;
    const dmm_class *const class = i < count ? class_at(i) : NULL;
    if (class != NULL)
        return (every_case){class, usual_desc_of(class), class->word};
    return i - count < NUM_OTHERS ? others[i - count] : (every_case){NULL, NULL, NULL};
}
