/* SPDX-License-Identifier: MIT */
/*
 * The objects whose programs are recorded: primitives of all kinds, with the words of
 * docs/records/gpus.md.
 */
#ifndef DMM_TESTS_GPU_OBJECTS_H
#define DMM_TESTS_GPU_OBJECTS_H

#include <dmm-lab/dmm-lab.h>
#include <dmm/dmm.h>

static const dmm_sort_desc sort_u32 = {.method = DMM_SORT_MERGE};
static const dmm_sort_desc sort_u32_u32 = {.method = DMM_SORT_MERGE, .value_bytes = 4};
static const dmm_sort_desc sort_f64_u64 = {
    .order = {.type = DMM_F64}, .method = DMM_SORT_MERGE, .value_bytes = 8};
static const dmm_sort_desc sort_u32_12 = {.method = DMM_SORT_MERGE, .value_bytes = 12};
static const dmm_sort_desc sort_u32_E15 = {.method = DMM_SORT_MERGE, .tuning = {.E = 15}};
static const dmm_sort_desc sort_u32_u32_E17 = {
    .method = DMM_SORT_MERGE, .value_bytes = 4, .tuning = {.E = 17}};
static const dmm_sort_desc sort_u8 = {.order = {.type = DMM_U8}, .method = DMM_SORT_MERGE};
static const dmm_sort_desc sort_structs = {.order = {.type = DMM_ITEM,
                                               .item_bytes = 12,
                                               .item = "typedef struct { uint a, b, c; } dmm_item;",
                                               .less = "a.b < b.b"}};
static const dmm_sort_desc matrix_u32 = {.value_bytes = 0};
static const dmm_sort_desc network_u32 = {.method = DMM_SORT_NETWORK};
static const dmm_sort_desc quick_u32 = {.value_bytes = 4, .argsort = 1};
static const dmm_sort_desc radix_u32 = {.method = DMM_SORT_RADIX};
static const dmm_sort_desc radix_u32_u32 = {.method = DMM_SORT_RADIX, .value_bytes = 4};
static const dmm_sort_desc radix_u64_split = {
    .order = {.type = DMM_U64}, .method = DMM_SORT_RADIX, .guarantee = 1};
static const dmm_sort_segmented_desc segments_u32 = {.value_bytes = 4, .argsort = 1};
static const dmm_merge_desc merge_u64_u32 = {.order = {.type = DMM_U64}, .value_bytes = 4};
static const dmm_merge_many_desc many_u32 = {.offset_type = DMM_U32};
static const dmm_merge_many_desc many_f64_u32 = {
    .order = {.type = DMM_F64}, .value_bytes = 4, .offset_type = DMM_U64};
static const dmm_set_desc union_u32 = {.op = DMM_SET_UNION};
static const dmm_set_desc symmetric_f64_u32 = {
    .order = {.type = DMM_F64}, .op = DMM_SET_SYMMETRIC, .value_bytes = 4};
static const dmm_topk_desc topk_f32 = {
    .order = {.type = DMM_F32}, .value_bytes = 4, .argsort = 1, .max_k = 1 << 20};
static const dmm_nth_desc nth_u64 = {.order = {.type = DMM_U64}};
static const dmm_partition_desc partition_bits = {
    .ways = 32, .by = DMM_PARTITION_BY_BITS, .bits = {0, 5}, .value_bytes = 8};
static const dmm_partition_desc partition_two = {
    .ways = 2, .by = DMM_PARTITION_BY_EXPRESSION, .expression = "key & 1"};
static const dmm_partition_desc partition_two_values = {
    .ways = 2, .by = DMM_PARTITION_BY_SPLITTERS, .order = {.type = DMM_F32}, .value_bytes = 8};
static const dmm_partition_desc partition_labels = {.ways = 256};
static const dmm_partition_desc partition_splitters = {
    .ways = 1000, .by = DMM_PARTITION_BY_SPLITTERS, .order = {.type = DMM_F32}, .value_bytes = 4};
static const dmm_partition_desc partition_blocks = {.ways = 256};
static const dmm_partition_desc partition_matrix = {.ways = 32};
static const dmm_scan_desc scan_u32 = {.type = DMM_U32};
static const dmm_scan_desc scan_i64 = {.type = DMM_I64, .op = DMM_SCAN_MAX, .exclusive = 1};
static const dmm_scan_desc scan_u8 = {.type = DMM_U8};
static const dmm_operator product = {.item_bytes = 12,
    .item = "typedef struct { uint a, b, c; } dmm_item;",
    .combine = "(dmm_item){a.a * b.a, a.a * b.b + a.b, a.c + b.c}",
    .identity = "(dmm_item){1, 0, 0}"};
static const dmm_operator exact_product = {.item_bytes = 8,
    .item = "typedef struct { uint slope, shift; } dmm_item;",
    .combine = "(dmm_item){a.slope * b.slope, a.shift * b.slope + b.shift}",
    .identity = "(dmm_item){1, 0}",
    .exact = 1};
static const dmm_operator exact_matrix = {.item_bytes = 16,
    .item = "typedef struct { uint a, b, c, d; } dmm_item;",
    .combine = "(dmm_item){a.a * b.a + a.b * b.c, a.a * b.b + a.b * b.d,"
               " a.c * b.a + a.d * b.c, a.c * b.b + a.d * b.d}",
    .identity = "(dmm_item){1, 0, 0, 1}",
    .exact = 1};
static const dmm_scan_desc scan_own = {.type = DMM_ITEM, .own = &product};
static const dmm_scan_desc scan_exact = {.type = DMM_ITEM, .own = &exact_product};
static const dmm_scan_desc scan_matrices = {.type = DMM_ITEM, .own = &exact_matrix};
static const dmm_scan_by_key_desc by_key_exact = {.type = DMM_ITEM, .own = &exact_matrix};
static const dmm_reduce_by_key_desc runs_exact = {.type = DMM_ITEM, .own = &exact_product};
static const dmm_scan_by_key_desc by_key_own = {.type = DMM_ITEM, .own = &product};
static const dmm_reduce_desc reduce_f32 = {.type = DMM_F32};
static const dmm_scan_by_key_desc scan_by_key_f32 = {.type = DMM_F32};
static const dmm_scan_by_key_desc scan_by_key_u8 = {
    .type = DMM_U8, .op = DMM_SCAN_MAX, .exclusive = 1, .key_bytes = 12};
static const dmm_reduce_by_key_desc reduce_by_key_i64 = {.type = DMM_I64};
static const dmm_reduce_by_key_desc reduce_by_key_f64 = {.type = DMM_F64};
static const dmm_unique_desc unique_u32 = {.value_bytes = 4};
static const dmm_unique_desc unique_12 = {.key_bytes = 12};
static const dmm_select_desc select_f32 = {
    .type = DMM_F32, .where = "x > 0 && i > 9", .value_bytes = 4};
static const dmm_select_desc select_flags = {.type = DMM_U8};
static const dmm_map of_two = {.further = 1, .expression = "item * y"};
static const dmm_map drift = {
    .item = {DMM_F32, 0}, .out = "total / (i + 1)", .result = {DMM_F32, 0}};
static const dmm_scan_desc scan_mapped = {.type = DMM_F32, .map = &drift};
static const dmm_reduce_desc reduce_mapped = {.map = &of_two};
static const dmm_select_desc select_mapped = {
    .where = "x > y", .map = &of_two, .second = "x < 9", .in_place = 1};
static const dmm_sort_desc sort_mapped = {.map = &of_two, .method = DMM_SORT_MERGE};
static const dmm_map differing = {.further = 1, .expression = "item ^ y", .out = "total & item"};
static const dmm_scan_by_key_desc by_key_mapped = {.map = &differing};
static const dmm_reduce_by_key_desc runs_mapped = {.map = &of_two};
static const dmm_axis_desc columns_mapped = {.map = &of_two};
static const dmm_axis_desc rows_mapped = {.work = DMM_AXIS_SCAN, .axis = 1, .map = &differing};
static const dmm_reduce_segmented_desc segments_mapped = {.map = &of_two};
static const dmm_run_length_desc run_length_u32 = {.key_bytes = 4};
static const dmm_histogram_desc histogram_256 = {.type = DMM_U8};
static const dmm_histogram_desc histogram_edges = {
    .type = DMM_F32, .bins = 100, .by = DMM_HISTOGRAM_EDGES, .channels = 4, .counted = 3};
static const dmm_histogram_desc histogram_even = {
    .type = DMM_F32, .bins = 100, .by = DMM_HISTOGRAM_EVEN};
static const dmm_histogram_desc histogram_4096 = {.type = DMM_U32, .bins = 4096};
static const dmm_scan_segmented_desc scan_segmented_f32 = {.type = DMM_F32};
static const dmm_reduce_segmented_desc reduce_segmented_i32 = {.type = DMM_I32, .op = DMM_SCAN_MAX};
static const dmm_scan_segmented_desc scan_segmented_own = {.type = DMM_ITEM, .own = &product};
static const dmm_reduce_segmented_desc reduce_segmented_own = {.type = DMM_ITEM, .own = &product};
static const dmm_axis_desc axis_sum = {.order = {.type = DMM_F32}};
static const dmm_axis_desc axis_scan_own = {
    .work = DMM_AXIS_SCAN, .order = {.type = DMM_ITEM}, .own = &product};
static const dmm_axis_desc axis_sort = {.work = DMM_AXIS_SORT, .value_bytes = 4, .argsort = 1};
static const dmm_topk_segmented_desc topk_segmented_f32 = {
    .order = {.type = DMM_F32, .descending = 1}, .k = 50, .value_bytes = 4, .argsort = 1};
static const dmm_topk_segmented_desc topk_segmented_8 = {
    .order = {.type = DMM_F32, .descending = 1}, .k = 8, .value_bytes = 4, .argsort = 1};
static const dmm_topk_segmented_desc topk_segmented_32 = {
    .order = {.type = DMM_F32, .descending = 1}, .k = 32, .value_bytes = 4, .argsort = 1};
static const dmm_take_desc take_two = {.num_columns = 2, .item_bytes = {4, 12}};
static const dmm_lexsort_desc lexsort_two = {
    .num_keys = 2, .keys = {{.type = DMM_U16}, {.type = DMM_F64}}};
static const dmm_permute_desc permute_plain = {.method = DMM_PERMUTE_PLAIN, .check = 1};
static const dmm_permute_desc permute_scatter = {.method = DMM_PERMUTE_SCATTER};
static const dmm_permute_desc permute_randomized = {
    .method = DMM_PERMUTE_RANDOMIZED, .item_bytes = 8};
static const dmm_shuffle_desc shuffle_u32 = {.value_bytes = 4};
static const dmm_transpose_desc transpose_u32 = {.item_bytes = 4};
static const dmm_transpose_desc transpose_12 = {.item_bytes = 12};
static const dmm_hull_desc hull_f32 = {.coordinates = DMM_HULL_F32};
static const dmm_hull_desc hull_f64 = {.coordinates = DMM_HULL_F64, .collinear = 1};
static const dmm_network_desc network_of_u32 = {.wires = 2};
static const dmm_network_desc network_of_pairs = {
    .order = {.type = DMM_U64}, .value_bytes = 12, .wires = 2};
static const dmm_search_desc search_u32 = {.rank_bytes = 4};
static const dmm_layout_desc layout_bst = {.kind = DMM_LAYOUT_BST};
static const dmm_layout_desc layout_btree = {
    .item_bytes = 8, .kind = DMM_LAYOUT_BTREE, .method = DMM_LAYOUT_CYCLES};
static const dmm_layout_desc layout_swap = {
    .kind = DMM_LAYOUT_BST, .method = DMM_LAYOUT_INVOLUTIONS};
static const dmm_heap_desc heap_u32 = {.bulk = 256};
static const dmm_heap_desc heap_f64 = {.key_bytes = 8, .priority = DMM_F64};
static const dmm_paths_desc paths_u32 = {0},
                            paths_f32 = {.weight = DMM_F32, .method = DMM_PATHS_DIJKSTRA};
static const dmm_search_desc search_range = {
    .order = {.type = DMM_F64}, .result = DMM_RANK_RANGE, .guarantee = 1};
static const dmm_search_desc search_teams = {.method = DMM_SEARCH_TEAMS};
static const dmm_search_desc search_nodes = {
    .order = {.type = DMM_U64}, .layout = DMM_LAYOUT_BTREE, .method = DMM_SEARCH_TEAMS};
static const dmm_search_desc search_merge = {.method = DMM_SEARCH_MERGE};

static const struct {
    const char *label;
    dmm_warm_item item;
} objects[] = {
    {"sort u32", {DMM_PRIMITIVE_SORT, &sort_u32}},
    {"sort u32 + 4 B", {DMM_PRIMITIVE_SORT, &sort_u32_u32}},
    {"sort f64 + 8 B", {DMM_PRIMITIVE_SORT, &sort_f64_u64}},
    {"sort u32 + 12 B", {DMM_PRIMITIVE_SORT, &sort_u32_12}},
    {"sort u32, E = 15", {DMM_PRIMITIVE_SORT, &sort_u32_E15}},
    {"sort u32 + 4 B, E = 17", {DMM_PRIMITIVE_SORT, &sort_u32_u32_E17}},
    {"sort u8", {DMM_PRIMITIVE_SORT, &sort_u8}},
    {"sort structs of 12 B", {DMM_PRIMITIVE_SORT, &sort_structs}},
    {"sort u32, network", {DMM_PRIMITIVE_SORT, &network_u32}},
    {"sort u32, radix", {DMM_PRIMITIVE_SORT, &radix_u32}},
    {"sort u32 + 4 B, radix", {DMM_PRIMITIVE_SORT, &radix_u32_u32}},
    {"sort u64, radix, guarantee", {DMM_PRIMITIVE_SORT, &radix_u64_split}},
    {"sort_segmented u32, argsort", {DMM_PRIMITIVE_SORT_SEGMENTED, &segments_u32}},
    {"merge u64 + 4 B", {DMM_PRIMITIVE_MERGE, &merge_u64_u32}},
    {"merge_many u32", {DMM_PRIMITIVE_MERGE_MANY, &many_u32}},
    {"merge_many f64 + 4 B", {DMM_PRIMITIVE_MERGE_MANY, &many_f64_u32}},
    {"set u32, union", {DMM_PRIMITIVE_SET, &union_u32}},
    {"set f64 + 4 B, symmetric", {DMM_PRIMITIVE_SET, &symmetric_f64_u32}},
    {"topk f32, argsort", {DMM_PRIMITIVE_TOPK, &topk_f32}},
    {"nth u64", {DMM_PRIMITIVE_NTH, &nth_u64}},
    {"partition by labels", {DMM_PRIMITIVE_PARTITION, &partition_labels}},
    {"partition by splitters + 4 B", {DMM_PRIMITIVE_PARTITION, &partition_splitters}},
    {"partition by bits + 8 B", {DMM_PRIMITIVE_PARTITION, &partition_bits}},
    {"partition in two", {DMM_PRIMITIVE_PARTITION, &partition_two}},
    {"partition in two by splitters + 8 B", {DMM_PRIMITIVE_PARTITION, &partition_two_values}},
    {"scan u32", {DMM_PRIMITIVE_SCAN, &scan_u32}},
    {"scan i64, max", {DMM_PRIMITIVE_SCAN, &scan_i64}},
    {"scan u8", {DMM_PRIMITIVE_SCAN, &scan_u8}},
    {"scan 12 B, own operator", {DMM_PRIMITIVE_SCAN, &scan_own}},
    {"scan 8 B, exact operator", {DMM_PRIMITIVE_SCAN, &scan_exact}},
    {"scan 16 B, exact operator", {DMM_PRIMITIVE_SCAN, &scan_matrices}},
    {"scan_by_key 16 B, exact operator", {DMM_PRIMITIVE_SCAN_BY_KEY, &by_key_exact}},
    {"reduce_by_key 8 B, exact operator", {DMM_PRIMITIVE_REDUCE_BY_KEY, &runs_exact}},
    {"reduce f32", {DMM_PRIMITIVE_REDUCE, &reduce_f32}},
    {"scan_by_key f32", {DMM_PRIMITIVE_SCAN_BY_KEY, &scan_by_key_f32}},
    {"scan_by_key u8, max, 12 B", {DMM_PRIMITIVE_SCAN_BY_KEY, &scan_by_key_u8}},
    {"reduce_by_key i64", {DMM_PRIMITIVE_REDUCE_BY_KEY, &reduce_by_key_i64}},
    {"reduce_by_key f64", {DMM_PRIMITIVE_REDUCE_BY_KEY, &reduce_by_key_f64}},
    {"unique u32 + 4 B", {DMM_PRIMITIVE_UNIQUE, &unique_u32}},
    {"unique 12 B", {DMM_PRIMITIVE_UNIQUE, &unique_12}},
    {"select f32 + 4 B", {DMM_PRIMITIVE_SELECT, &select_f32}},
    {"select u8 by flags", {DMM_PRIMITIVE_SELECT, &select_flags}},
    {"scan f32 of a map", {DMM_PRIMITIVE_SCAN, &scan_mapped}},
    {"reduce u32 of a map", {DMM_PRIMITIVE_REDUCE, &reduce_mapped}},
    {"scan_by_key 12 B, own operator", {DMM_PRIMITIVE_SCAN_BY_KEY, &by_key_own}},
    {"select u32 of a map, three ways", {DMM_PRIMITIVE_SELECT, &select_mapped}},
    {"sort u32 of a map", {DMM_PRIMITIVE_SORT, &sort_mapped}},
    {"scan_by_key u32 of a map", {DMM_PRIMITIVE_SCAN_BY_KEY, &by_key_mapped}},
    {"reduce_by_key u32 of a map", {DMM_PRIMITIVE_REDUCE_BY_KEY, &runs_mapped}},
    {"axis u32 of a map, columns", {DMM_PRIMITIVE_AXIS, &columns_mapped}},
    {"axis u32 of a map, scans of rows", {DMM_PRIMITIVE_AXIS, &rows_mapped}},
    {"reduce_segmented u32 of a map", {DMM_PRIMITIVE_REDUCE_SEGMENTED, &segments_mapped}},
    {"run_length u32", {DMM_PRIMITIVE_RUN_LENGTH, &run_length_u32}},
    {"histogram u8", {DMM_PRIMITIVE_HISTOGRAM, &histogram_256}},
    {"histogram f32 by edges", {DMM_PRIMITIVE_HISTOGRAM, &histogram_edges}},
    {"histogram f32 by even edges", {DMM_PRIMITIVE_HISTOGRAM, &histogram_even}},
    {"histogram u32, 4096 bins", {DMM_PRIMITIVE_HISTOGRAM, &histogram_4096}},
    {"permute, plain, checked", {DMM_PRIMITIVE_PERMUTE, &permute_plain}},
    {"permute, scatter", {DMM_PRIMITIVE_PERMUTE, &permute_scatter}},
    {"permute 8 B, randomized", {DMM_PRIMITIVE_PERMUTE, &permute_randomized}},
    {"scan_segmented f32", {DMM_PRIMITIVE_SCAN_SEGMENTED, &scan_segmented_f32}},
    {"reduce_segmented i32", {DMM_PRIMITIVE_REDUCE_SEGMENTED, &reduce_segmented_i32}},
    {"scan_segmented 12 B, own operator", {DMM_PRIMITIVE_SCAN_SEGMENTED, &scan_segmented_own}},
    {"reduce_segmented 12 B, own operator",
        {DMM_PRIMITIVE_REDUCE_SEGMENTED, &reduce_segmented_own}},
    {"axis f32", {DMM_PRIMITIVE_AXIS, &axis_sum}},
    {"axis 12 B, scan, own operator", {DMM_PRIMITIVE_AXIS, &axis_scan_own}},
    {"axis u32, argsort", {DMM_PRIMITIVE_AXIS, &axis_sort}},
    {"topk_segmented f32, argsort", {DMM_PRIMITIVE_TOPK_SEGMENTED, &topk_segmented_f32}},
    {"topk_segmented f32, k 8", {DMM_PRIMITIVE_TOPK_SEGMENTED, &topk_segmented_8}},
    {"topk_segmented f32, k 32", {DMM_PRIMITIVE_TOPK_SEGMENTED, &topk_segmented_32}},
    {"take 4 B and 12 B", {DMM_PRIMITIVE_TAKE, &take_two}},
    {"lexsort u16, f64", {DMM_PRIMITIVE_LEXSORT, &lexsort_two}},
    {"shuffle u32 + 4 B", {DMM_PRIMITIVE_SHUFFLE, &shuffle_u32}},
    {"transpose u32", {DMM_PRIMITIVE_TRANSPOSE, &transpose_u32}},
    {"transpose 12 B", {DMM_PRIMITIVE_TRANSPOSE, &transpose_12}},
    {"hull f32", {DMM_PRIMITIVE_HULL, &hull_f32}},
    {"hull f64, collinear", {DMM_PRIMITIVE_HULL, &hull_f64}},
    {"network u32", {DMM_PRIMITIVE_NETWORK, &network_of_u32}},
    {"network u64 + 12 B", {DMM_PRIMITIVE_NETWORK, &network_of_pairs}},
    {"search u32", {DMM_PRIMITIVE_SEARCH, &search_u32}},
    {"layout BST", {DMM_PRIMITIVE_LAYOUT, &layout_bst}},
    {"layout BTREE 8 B, by cycles", {DMM_PRIMITIVE_LAYOUT, &layout_btree}},
    {"layout BST, by involutions", {DMM_PRIMITIVE_LAYOUT, &layout_swap}},
    {"heap u32", {DMM_PRIMITIVE_HEAP, &heap_u32}},
    {"heap u64, f64", {DMM_PRIMITIVE_HEAP, &heap_f64}},
    {"paths u32", {DMM_PRIMITIVE_PATHS, &paths_u32}},
    {"paths f32, by a heap", {DMM_PRIMITIVE_PATHS, &paths_f32}},
    {"search f64, range, guarantee", {DMM_PRIMITIVE_SEARCH, &search_range}},
    {"search u32, teams", {DMM_PRIMITIVE_SEARCH, &search_teams}},
    {"search u64 in BTREE, teams", {DMM_PRIMITIVE_SEARCH, &search_nodes}},
    {"search u32, merge", {DMM_PRIMITIVE_SEARCH, &search_merge}},
};

/* Objects of libdmm-lab: sorts, or partitions. */
static const struct {
    const char *label;
    int method;
    const dmm_sort_desc *sort;
    const dmm_partition_desc *partition;
} lab_objects[] = {
    {"sort u32, matrix", DMM_LAB_SORT_MATRIX, &matrix_u32, NULL},
    {"sort u32, gather", DMM_LAB_SORT_GATHER, &matrix_u32, NULL},
    {"sort u32, argsort, quick", DMM_LAB_SORT_QUICK, &quick_u32, NULL},
    {"partition, blocks", DMM_LAB_PARTITION_BLOCKS, NULL, &partition_blocks},
    {"partition, matrix", DMM_LAB_PARTITION_MATRIX, NULL, &partition_matrix},
};

#endif
