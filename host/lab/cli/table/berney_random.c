/* SPDX-License-Identifier: MIT */
/* What the thesis leaves open in section 4.4: random keys, and inputs between random and worst. */
#include <stdlib.h>

#include <dmm-model/plain_sort.h>
#include <dmm-model/worst.h>

#include "expected.h"
#include "table.h"

#define SOURCE "Berney 2023, section 4.4"

/* Passes of search and merge of the modelled sort, and its warps, in rounds of merges of `threads`
 * (0: all). */
typedef struct passes {
    double search, gather, store, warps;
} passes;

static bool sort_keys(
    passes *out, uint64_t *keys, uint64_t n, const dmm_model_merge_shape *shape, uint64_t threads)
{
    dmm_model_plain_round rounds[DMM_MODEL_PLAIN_ROUNDS_MAX];
    uint32_t used = 0;
    *out = (passes){0};
    if (dmm_model_plain_sort(rounds, &used, keys, n, shape) != DMM_MODEL_OK)
        return false;
    for (uint32_t i = 0; i < used; i++) {
        if (threads != 0 && rounds[i].threads != threads)
            continue;
        out->search += (double)rounds[i].search.passes;
        out->gather += (double)rounds[i].gather.passes;
        out->store += (double)rounds[i].store.passes;
        out->warps += (double)rounds[i].warps;
    }
    return true;
}

/* ---- The expectation ------------------------------------------------------------------------- */

/* sizes: w, E. */
static bool measure_expected(
    double *values, const table_point *point, table_run *run, cli_error *error)
{
    enum { WARPS = 4096 };
    const uint32_t w = (uint32_t)point->sizes[0], E = (uint32_t)point->sizes[1];
    const dmm_model_merge_shape shape = {w, w, E};
    const uint64_t n = (run->full ? 16 : 1) * (uint64_t)WARPS * w * E;
    uint64_t *const keys = malloc((size_t)n * sizeof *keys);
    passes random = {0};
    double expected, orders;
    if (!keys)
        return cli_fail_memory(error, NULL, n * sizeof *keys);
    table_permutation(keys, n, 6);
    const bool done =
        expected_passes(&expected, NULL, &orders, w, E) && sort_keys(&random, keys, n, &shape, w);
    free(keys);
    if (!done)
        return cli_fail_memory(error, NULL, n * sizeof *keys);
    values[0] = log2(orders);
    values[1] = expected;
    values[2] = random.gather / random.warps;
    values[3] = expected / E;
    values[4] = (double)dmm_model_worst_aligned(w, E);
    return true;
}

static const table_column expected_columns[] = {{"log2 of the orders", 1, false},
    {"expected passes", 6, false}, {"random keys, counted", 3, false},
    {"expected passes a step", 4, false}, {"worst, Theorem 30", 0, false}, {0}};

#define WARP(w, E, large)                                                \
    {                                                                    \
        .label = "w = " #w ", E = " #E, .sizes = {w, E}, .full = (large) \
    }
static const table_point expected_points[] = {WARP(4, 2, false), WARP(4, 3, false),
    WARP(4, 4, false), WARP(8, 2, false), WARP(8, 3, false), WARP(8, 4, false), WARP(8, 5, true),
    WARP(8, 6, true), WARP(8, 7, true), WARP(8, 8, true), {0}};

/* ---- Shares of the worst --------------------------------------------------------------------- */

/* sizes: percent. */
static bool measure_shares(
    double *values, const table_point *point, table_run *run, cli_error *error)
{
    static const dmm_model_merge_shape shapes[] = {{32, 512, 15}, {32, 256, 17}};
    for (int i = 0; i < 2; i++) {
        const dmm_model_merge_shape *const shape = &shapes[i];
        const uint64_t n = (run->full ? UINT64_C(1) << 18 : UINT64_C(1) << 13) * shape->E;
        uint64_t *const keys = malloc((size_t)n * sizeof *keys);
        passes p;
        const bool done =
            keys &&
            dmm_model_worst_draw(keys, n, shape, 1, (uint32_t)point->sizes[0]) == DMM_MODEL_OK &&
            sort_keys(&p, keys, n, shape, 0);
        free(keys);
        if (!done)
            return cli_fail_memory(error, NULL, 4 * n * sizeof *keys);
        values[2 * i] = (p.search + p.gather + p.store) / (double)n;
        values[2 * i + 1] = p.gather / p.warps;
    }
    return true;
}

static const table_column share_columns[] = {{"(15, 512): passes a key", 2, false},
    {"merge, passes a warp and round", 1, false}, {"(17, 256): passes a key", 2, false},
    {"merge, passes a warp and round", 1, false}, {0}};

#define PERCENT(p)                                 \
    {                                              \
        .label = #p " %", .x = (p), .sizes = { p } \
    }
static const table_point share_points[] = {PERCENT(0), PERCENT(10), PERCENT(20), PERCENT(30),
    PERCENT(40), PERCENT(50), PERCENT(60), PERCENT(70), PERCENT(80), PERCENT(90), PERCENT(100),
    {0}};

const paper_table tables_berney_random[] = {
    {.name = "berney-expected",
        .title = "expected passes of one warp's merge of random keys, exactly",
        .source = SOURCE ", the question that closes it",
        .head = "warp",
        .unit = "passes",
        .columns = expected_columns,
        .points = expected_points,
        .measure = measure_expected,
        .paper = "the expected number of bank conflicts on random input is called an open problem.",
        .reading =
            "for small w it is a sum: by linearity over the steps, and for each step over a "
            "chain of threads whose state is the reads of each bank. A test compares it with "
            "all orders. Counted: the modelled sort on random keys, in the round that merges "
            "two lists of w/2 threads. For w = 32 the states are too many."},
    {.name = "berney-share",
        .title = "passes of plain merge sort if a share of the warps is worst",
        .source = SOURCE ", items 2 and 3",
        .head = "worst warps",
        .unit = "passes",
        .scale = TABLE_LINEAR,
        .heights = TABLE_LINEAR,
        .columns = share_columns,
        .points = share_points,
        .measure = measure_shares,
        .paper = "says that there are families of worst inputs, and inputs that are nearly as bad.",
        .reading = "the model of the plain merge, which Thrust and CUB have: passes grow in a "
                   "straight line with the share. 0 % is a tenth below random keys, since pairs of "
                   "warps still begin at bank 0. dmm's merge has no conflict at any share. `dmm "
                   "worst --share P --seed S` writes such keys. Cycles of CUB over P on a "
                   "simulated V100 are in docs/records/speed.md."},
    {0},
};
