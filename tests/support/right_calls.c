/* SPDX-License-Identifier: MIT */
/* The table of right calls. */
#include "support/right_calls.h"

#include <dmm/dmm.h>

#include "support/forms.h"

enum { N = 100, M = 10, MAX_N = 1000, HEAP_BYTES = 7248 };

/* called, asked: the sizes that enqueue and temp_bytes take. */
#define FUNCTIONS(word, called, asked)                                                          \
    static dmm_status create_##word(void **out, dmm_context *ctx, const void *desc)             \
    {                                                                                           \
        dmm_##word *object = out != NULL ? *out : NULL;                                         \
        const dmm_status status = dmm_##word##_create(out != NULL ? &object : NULL, ctx, desc); \
        if (out != NULL)                                                                        \
            *out = object;                                                                      \
        return status;                                                                          \
    }                                                                                           \
    static dmm_status temp_bytes_##word(uint64_t *out, const void *object, dmm_sizes s)         \
    {                                                                                           \
        (void)s;                                                                                \
        return dmm_##word##_temp_bytes(out, object asked);                                      \
    }                                                                                           \
    static dmm_status enqueue_##word(void *object, cl_command_queue queue, const void *args,    \
        dmm_sizes s, cl_uint num_wait, cl_event *event)                                         \
    {                                                                                           \
        (void)s;                                                                                \
        return dmm_##word##_enqueue(object, queue, args called, num_wait, NULL, event);         \
    }                                                                                           \
    static void free_##word(void *object)                                                       \
    {                                                                                           \
        dmm_##word##_free(object);                                                              \
    }                                                                                           \
    static const public_functions word##_functions = {                                          \
        create_##word, temp_bytes_##word, enqueue_##word, free_##word};

#define BY_NONE
#define BY_N     , s.n
#define BY_N_M   , s.n, s.m
#define BY_LISTS , s.m, s.n - s.m
#define BY_RANK  , s.n, s.m - 1
#define BY_AXIS  , s.m != 0 ? s.n / s.m : 0, s.m /* columns */
#define BY_SHAPE      \
    , (dmm_matrices)  \
    {                 \
        s.n, s.m, s.l \
    }
FUNCTIONS(scan, BY_N, BY_N)
FUNCTIONS(histogram, BY_N, BY_N)
FUNCTIONS(reduce, BY_N, BY_N)
FUNCTIONS(scan_by_key, BY_N, BY_N)
FUNCTIONS(reduce_by_key, BY_N, BY_N)
FUNCTIONS(merge, BY_LISTS, BY_N)
FUNCTIONS(merge_many, BY_N_M, BY_N_M)
FUNCTIONS(set, BY_LISTS, BY_N)
FUNCTIONS(sort, BY_N, BY_N)
FUNCTIONS(sort_segmented, BY_N_M, BY_N)
FUNCTIONS(topk, BY_N_M, BY_N_M)
FUNCTIONS(nth, BY_RANK, BY_N)
FUNCTIONS(unique, BY_N, BY_N)
FUNCTIONS(select, BY_N, BY_N)
FUNCTIONS(run_length, BY_N, BY_N)
FUNCTIONS(search, BY_N_M, BY_N_M)
FUNCTIONS(layout, BY_N, BY_N)
FUNCTIONS(network, BY_N, BY_N)
FUNCTIONS(partition, BY_N, BY_N)
FUNCTIONS(shuffle, BY_N, BY_N)
FUNCTIONS(permute, BY_N, BY_N)
FUNCTIONS(scan_segmented, BY_N_M, BY_N_M)
FUNCTIONS(reduce_segmented, BY_N_M, BY_N_M)
FUNCTIONS(topk_segmented, BY_N_M, BY_N_M)
FUNCTIONS(axis, BY_AXIS, BY_AXIS)
FUNCTIONS(take, BY_N_M, BY_N)
FUNCTIONS(lexsort, BY_N, BY_N)
FUNCTIONS(transpose, BY_SHAPE, BY_SHAPE)
FUNCTIONS(hull, BY_N, BY_N_M)
FUNCTIONS(heap, BY_N, BY_N)
FUNCTIONS(paths, BY_N_M, BY_N)
FUNCTIONS(permutation_plan, BY_NONE, BY_NONE)

/* clang-format off */
#define ROW(name, ...)                                             \
    .word = #name, .public = &name##_functions, .class = &dmm_##name##_class, \
    .desc = &(const dmm_##name##_desc){__VA_ARGS__}, .desc_bytes = sizeof(dmm_##name##_desc)
/* clang-format on */
#define ITEMS      .sizes = {.n = N}, .too_large = {{.n = MAX_N + 1}}
#define ITEMS_OF_M .sizes = {.n = N, .m = M}, .too_large = {{.n = MAX_N + 1, .m = M}}

static const dmm_hull_args in_sets = {.sets = 5};
static const dmm_heap_args update = {.op = DMM_HEAP_UPDATE, .turn = 7}; /* resolves every level */
static const dmm_heap_args peek = {.op = DMM_HEAP_PEEK}, size = {.op = DMM_HEAP_SIZE};
static const dmm_take_args two_lists = {.rows_a = 4};
static const dmm_paths_args from_two = {.num_sources = 2, .num_stops = 1};

const right_call right_calls[] = {
    {ROW(scan, .max_n = MAX_N, .tuning = GPU(16, 4)), ITEMS, .spans = "R1W1r",
        .bytes = {4 * N, 4 * N, 8}},
    {ROW(histogram, .max_n = MAX_N, .tuning = CPU(64)), ITEMS, .spans = "RWr",
        .bytes = {4 * N, 8 * 256, 8}},
    {ROW(histogram, .type = DMM_F32, .bins = 9, .by = DMM_HISTOGRAM_EDGES, .channels = 3,
         .counted = 2, .max_n = MAX_N),
        ITEMS, .spans = "RWrR", .bytes = {12 * N, 8 * 18, 8, 4 * 10}},
    {ROW(reduce, .max_n = MAX_N, .tuning = CPU(64)), ITEMS, .spans = "RWr", .bytes = {4 * N, 4, 8}},
    {ROW(scan_by_key, .max_n = MAX_N, .tuning = CPU(64)), ITEMS, .spans = "RR1W1r",
        .bytes = {4 * N, 4 * N, 4 * N, 8}},
    {ROW(reduce_by_key, .max_n = MAX_N, .tuning = CPU(64)), ITEMS, .spans = "RRWWWr",
        .bytes = {4 * N, 4 * N, 4 * N, 4 * N, 8, 8}},
    /* The last too_large: the sum of both lengths has more than 64 bits. */
    {ROW(merge, .value_bytes = 4, .max_n = N, .tuning = GPU(16, 4)), .sizes = {.n = N, .m = M},
        .too_large = {{.n = N + 1, .m = M}, {.n = N + 1, .m = N}, {.n = M, .m = UINT64_MAX}},
        .spans = "RRRRWW", .bytes = {4 * M, 4 * M, 4 * (N - M), 4 * (N - M), 4 * N, 4 * N}},
    {ROW(merge_many, .value_bytes = 2, .max_n = MAX_N, .tuning = CPU(64)),
        .sizes = {.n = N, .m = M}, .too_large = {{.n = N, .m = 65537}, {.n = MAX_N + 1, .m = M}},
        .spans = "RRWWRw", .bytes = {4 * N, 2 * N, 4 * N, 2 * N, 4 * (M + 1), 16}},
    {ROW(set, .value_bytes = 4, .op = DMM_SET_SYMMETRIC, .max_n = N, .tuning = CPU(64)),
        .sizes = {.n = N, .m = M}, .too_large = {{.n = N + 1, .m = M}, {.n = M, .m = UINT64_MAX}},
        .spans = "RRRRWWW", .bytes = {4 * M, 4 * M, 4 * (N - M), 4 * (N - M), 4 * N, 4 * N, 8}},
    {ROW(sort, .value_bytes = 4, .max_n = MAX_N, .tuning = GPU(16, 4)), ITEMS, .spans = "R1R2W1W2r",
        .bytes = {4 * N, 4 * N, 4 * N, 4 * N, 8}},
    {ROW(sort_segmented, .value_bytes = 3, .max_n = MAX_N, .tuning = CPU(64)),
        .sizes = {.n = N, .m = M},
        .too_large = {{.n = MAX_N + 1, .m = M}, {.n = N, .m = UINT64_MAX}}, .spans = "R1R2W1W2Rw",
        .bytes = {4 * N, 3 * N, 4 * N, 3 * N, 4 * (M + 1), 16}},
    {ROW(topk, .value_bytes = 4, .max_n = MAX_N, .max_k = 500, .tuning = GPU(16, 4)),
        .sizes = {.n = N, .m = M},
        .too_large = {{.n = MAX_N + 1, .m = 501}, {.n = MAX_N, .m = 501}}, .spans = "RRWW",
        .bytes = {4 * N, 4 * N, 4 * M, 4 * M}},
    {ROW(nth, .value_bytes = 4, .max_n = MAX_N, .tuning = GPU(16, 4)), .sizes = {.n = N, .m = N},
        .too_large = {{.n = MAX_N + 1}}, .runs = WITH_ITEMS, /* rank UINT64_MAX */
        .spans = "RRWW", .bytes = {4 * N, 4 * N, 4, 4}},
    {ROW(unique, .value_bytes = 4, .max_n = MAX_N, .tuning = CPU(64)), ITEMS, .spans = "RRWWwWr",
        .bytes = {4 * N, 4 * N, 4 * N, 4 * N, 8 * N, 8, 8}},
    {ROW(select, .type = DMM_I32, .where = "x > 0", .value_bytes = 4, .max_n = MAX_N), ITEMS,
        .spans = "RRwwwwwWr", .bytes = {4 * N, 4 * N, 4 * N, 4 * N, 8 * N, 4 * N, 4 * N, 8, 8}},
    {ROW(select, .value_bytes = 4, .max_n = MAX_N, .tuning = CPU(64)), ITEMS, .spans = "rRRwwwwwWr",
        .bytes = {4 * N, 4 * N, N, 4 * N, 4 * N, 8 * N, 4 * N, 4 * N, 8, 8}}, /* by flags */
    {ROW(run_length, .max_n = MAX_N, .tuning = CPU(64)), ITEMS, .spans = "RWWWr",
        .bytes = {4 * N, 4 * N, 8 * N, 8, 8}},
    {ROW(search, .result = DMM_RANK_RANGE, .max_n = MAX_N), ITEMS_OF_M, .spans = "RRWWr",
        .bytes = {4 * N, 4 * M, 4 * M, 4 * M, 8}},
    {ROW(layout, .value_bytes = 8, .kind = DMM_LAYOUT_BST, .max_n = MAX_N), ITEMS, .spans = "WW",
        .bytes = {4 * N, 8 * N}},
    {ROW(network, .wires = 2, .value_bytes = 4, .max_n = MAX_N), .sizes = {.n = N},
        .too_large = {{.n = MAX_N + 2}}, .spans = "R1R2W1W2",
        .bytes = {4 * N, 4 * N, 4 * N, 4 * N}},
    {ROW(partition, .ways = 5, .value_bytes = 4, .max_n = MAX_N, .tuning = GPU(16, 7)), ITEMS,
        .spans = "R1R2RW1W2Wwr", .bytes = {4 * N, 4 * N, 4 * N, 4 * N, 4 * N, 8 * 6, 16, 8}},
    {ROW(shuffle, .item_bytes = 4, .value_bytes = 2, .max_n = MAX_N, .tuning = CPU(64)), ITEMS,
        .spans = "R1R2W1W2", .bytes = {4 * N, 2 * N, 4 * N, 2 * N}},
    {ROW(permute, .item_bytes = 12, .index_bytes = 8, .check = 1, .max_n = MAX_N), ITEMS,
        .spans = "RR1W1W", .bytes = {8 * N, 12 * N, 12 * N, 16}},
    {ROW(permute, .method = DMM_PERMUTE_RANDOMIZED, .max_n = MAX_N, .tuning = GPU(16, 8)), ITEMS,
        .spans = "RR1W1w", .bytes = {4 * N, 4 * N, 4 * N, 16}},
    {ROW(scan_segmented, .max_n = MAX_N, .tuning = CPU(64)), ITEMS_OF_M, .spans = "R1rW1",
        .bytes = {4 * N, 4 * (M + 1), 4 * N}},
    {ROW(reduce_segmented, .max_n = MAX_N, .tuning = CPU(64)), ITEMS_OF_M, .spans = "RrW",
        .bytes = {4 * N, 4 * (M + 1), 4 * M}},
    {ROW(axis, .max_n = MAX_N, .tuning = CPU(64)), .sizes = {.n = N, .m = M, .l = 1},
        .too_large = {{.n = MAX_N + M, .m = M, .l = 1}}, .spans = "RW", .bytes = {4 * N, 4 * M}},
    {ROW(axis, .work = DMM_AXIS_SORT, .value_bytes = 4, .argsort = 1, .max_n = MAX_N,
         .tuning = CPU(64)),
        .sizes = {.n = N, .m = M, .l = 1}, .too_large = {{.n = MAX_N + M, .m = M, .l = 1}},
        .spans = "R1W1W2", .bytes = {4 * N, 4 * N, 4 * N}},
    {ROW(topk_segmented, .k = 3, .value_bytes = 4, .max_n = MAX_N, .tuning = CPU(64)), ITEMS_OF_M,
        .spans = "RRrWWw", .bytes = {4 * N, 4 * N, 4 * (M + 1), 12 * M, 12 * M, 16}},
    {ROW(take, .num_columns = 2, .item_bytes = {2, 12}, .row_bytes = 8, .max_n = MAX_N),
        .sizes = {.n = N, .m = M, .l = 4}, .too_large = {{.n = MAX_N + 1, .m = M, .l = 4}},
        .args = &two_lists, .spans = "RRRWRRWr",
        .bytes = {8 * N, 2 * 4, 2 * (M - 4), 2 * N, 12 * 4, 12 * (M - 4), 12 * N, 8}},
    {ROW(lexsort, .num_keys = 2, .num_values = 1, .value_bytes = {3}, .max_n = MAX_N,
         .tuning = CPU(64)),
        ITEMS, .spans = "RRRwwWwr", .bytes = {4 * N, 4 * N, 3 * N, 4 * N, 4 * N, 3 * N, 4 * N, 8}},
    {ROW(transpose, .item_bytes = 4, .max_n = MAX_N), .sizes = {.n = N, .m = 2, .l = 1},
        .too_large = {{.n = N, .m = M + 1, .l = 1}}, .spans = "R1W1", .bytes = {8 * N, 8 * N}},
    {ROW(hull, .two_arrays = 1, .max_n = MAX_N, .tuning = CPU(64)), .sizes = {.n = N, .m = 5},
        .too_large = {{.n = MAX_N + 1, .m = 5}}, .args = &in_sets, .nothing = {.m = 5},
        .spans = "RRRWWw", .bytes = {4 * N, 4 * N, 8 * 6, 4 * N, 8 * 6, 16}},
    {ROW(heap, .priority = DMM_U64, .bulk = 4, .capacity = 100), .args = &update,
        .sizes = {.n = 4, .m = DMM_HEAP_UPDATE, .l = 7}, .too_large = {{.n = 5}}, .runs = NEVER,
        .spans = "WRRwr", .bytes = {HEAP_BYTES, 4 * 4, 8 * 4, 16, 8}},
    {ROW(heap, .priority = DMM_U64, .bulk = 4, .capacity = 100), .args = &peek,
        .sizes = {.n = 4, .m = DMM_HEAP_PEEK}, .too_large = {{.n = 5}}, .runs = NEVER,
        .spans = "WWWWwr", .bytes = {HEAP_BYTES, 4 * 4, 8 * 4, 8, 16, 8}},
    {ROW(heap, .priority = DMM_U64, .bulk = 4, .capacity = 100), .args = &size,
        .sizes = {.n = 4, .m = DMM_HEAP_SIZE}, .too_large = {{.n = 5}}, .runs = NEVER,
        .spans = "WWwr", .bytes = {HEAP_BYTES, 8, 16, 8}},
    {ROW(paths, .max_n = N), .sizes = {.n = N, .m = 3}, .too_large = {{.n = N + 1, .m = 3}},
        .args = &from_two, .runs = WITH_ITEMS, .spans = "RRRRRWww",
        .bytes = {8 * (N + 1), 4 * 3, 4 * 3, 4 * 2, 4, 4 * N, 4 * N, 16}},
    {ROW(permutation_plan, .kind = DMM_PLAN_BIT_REVERSAL, .n = 64, .item_bytes = 4),
        .sizes = {.n = 64}, .runs = WITH_ITEMS, .spans = "R1W1", .bytes = {4 * 64, 4 * 64}},
};

const size_t num_right_calls = sizeof right_calls / sizeof *right_calls;
