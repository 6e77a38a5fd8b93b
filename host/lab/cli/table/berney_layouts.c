/* SPDX-License-Identifier: MIT */
/* K. Berney 2023, section 2.8: times of permuting sorted keys into search trees, and of queries. */
#include <stdlib.h>

#include <dmm/layout.h>
#include <dmm/search.h>

#include "table_device.h"

#define SOURCE "Berney 2023, "

enum { B = 32, QUERIES = 1000000, REPEATS = 3 };

/* ---- Permuting ------------------------------------------------------------------------------- */

typedef struct layout_call {
    dmm_layout *layout;
    dmm_layout_args args;
    uint64_t n;
} layout_call;

static dmm_status enqueue_layout(void *user, cl_command_queue queue, cl_event *event)
{
    const layout_call *const call = user;
    return dmm_layout_enqueue(call->layout, queue, &call->args, call->n, 0, NULL, event);
}

/* Permutes n sorted keys `keys`, and returns the seconds of a run. The moves depend on n alone, so
 * later runs, on keys that are permuted already, are as long. Once: the keys are left in the
 * layout. */
static bool permute(double *seconds, dmm_span keys, uint64_t n, dmm_layout_kind kind,
    dmm_layout_method method, bool once, table_run *run, cli_error *error)
{
    const dmm_layout_desc desc = {.kind = kind, .B = B, .method = method};
    layout_call call = {.n = n, .args = {.items = keys}};
    table_buffers buffers = {0};
    uint64_t temp_bytes;
    bool done =
        table_check(run, dmm_layout_create(&call.layout, run->session.context, &desc), error);
    done = done && table_check(run, dmm_layout_temp_bytes(&temp_bytes, call.layout, n), error) &&
           table_add_buffer(&call.args.temp, &buffers, run, temp_bytes, NULL, error);
    if (done && once)
        done = table_check(
            run, enqueue_layout(&call, dmm_context_queue(run->session.context), NULL), error);
    else if (done)
        done = table_time_call(seconds, run, enqueue_layout, &call, REPEATS, error);
    table_free_buffers(&buffers);
    dmm_layout_free(call.layout);
    return done;
}

static uint32_t *sorted_keys(uint64_t n)
{
    uint32_t *keys = malloc((size_t)n * sizeof *keys);
    for (uint64_t i = 0; keys && i < n; i++)
        keys[i] = (uint32_t)(2 * i);
    return keys;
}

typedef struct way {
    dmm_layout_kind kind;
    dmm_layout_method method;
} way;

static bool measure_permute(
    double *values, const table_point *point, table_run *run, cli_error *error)
{
    static const way ways[] = {{DMM_LAYOUT_BST, DMM_LAYOUT_INVOLUTIONS},
        {DMM_LAYOUT_BST, DMM_LAYOUT_CYCLES}, {DMM_LAYOUT_BST, DMM_LAYOUT_HYBRID},
        {DMM_LAYOUT_BTREE, DMM_LAYOUT_INVOLUTIONS}, {DMM_LAYOUT_BTREE, DMM_LAYOUT_CYCLES},
        {DMM_LAYOUT_MVEB, DMM_LAYOUT_INVOLUTIONS}, {DMM_LAYOUT_MVEB, DMM_LAYOUT_CYCLES}};
    const uint64_t n = (uint64_t)point->sizes[0];
    uint32_t *const keys = sorted_keys(n);
    table_buffers buffers = {0};
    dmm_span span;
    bool done = (keys || cli_fail_memory(error, NULL, n * sizeof *keys)) &&
                table_add_buffer(&span, &buffers, run, n * sizeof *keys, keys, error);
    free(keys);
    for (size_t i = 0; i < sizeof ways / sizeof ways[0] && done; i++) {
        done = permute(&values[i], span, n, ways[i].kind, ways[i].method, false, run, error);
        values[i] *= 1e3;
    }
    table_free_buffers(&buffers);
    return done;
}

/* ---- Queries --------------------------------------------------------------------------------- */

typedef struct search_call {
    dmm_search *search;
    dmm_search_args args;
    uint64_t n, m;
} search_call;

static dmm_status enqueue_search(void *user, cl_command_queue queue, cl_event *event)
{
    const search_call *const call = user;
    return dmm_search_enqueue(call->search, queue, &call->args, call->n, call->m, 0, NULL, event);
}

/* Queries as in the thesis: a work-item each; in a B-tree a team each, where the form has them. */
static dmm_status create_search(dmm_search **out, table_run *run, dmm_layout_kind kind)
{
    dmm_search_desc desc = {.order = {.type = DMM_U32}, .layout = kind, .B = B};
    desc.method = kind == DMM_LAYOUT_BTREE ? DMM_SEARCH_TEAMS : DMM_SEARCH_ITEMS;
    const dmm_status status = dmm_search_create(out, run->session.context, &desc);
    if (status != DMM_UNSUPPORTED)
        return status;
    desc.method = DMM_SEARCH_AUTO;
    return dmm_search_create(out, run->session.context, &desc);
}

static bool time_queries(double *seconds, dmm_span keys, uint64_t n, dmm_layout_kind kind,
    dmm_span queries, dmm_span ranks, table_run *run, cli_error *error)
{
    search_call call = {
        .n = n, .m = QUERIES, .args = {.keys = keys, .queries = queries, .out = ranks}};
    const bool done = table_check(run, create_search(&call.search, run, kind), error) &&
                      table_time_call(seconds, run, enqueue_search, &call, REPEATS, error);
    dmm_search_free(call.search);
    return done;
}

enum { SORTED, BST, BTREE, MVEB, LAYOUTS };
static const dmm_layout_kind layouts[LAYOUTS] = {
    DMM_LAYOUT_SORTED, DMM_LAYOUT_BST, DMM_LAYOUT_BTREE, DMM_LAYOUT_MVEB};

typedef struct layout_times {
    double permute[LAYOUTS]; /* seconds, by the method that dmm chooses */
    double query[LAYOUTS];   /* seconds of QUERIES */
} layout_times;

static bool time_one(layout_times *out, int i, const uint32_t *keys, uint64_t n, dmm_span queries,
    dmm_span ranks, table_run *run, cli_error *error)
{
    table_buffers buffers = {0};
    dmm_span span, other;
    bool done = table_add_buffer(&span, &buffers, run, n * sizeof *keys, keys, error);
    if (done && layouts[i] != DMM_LAYOUT_SORTED)
        done =
            table_add_buffer(&other, &buffers, run, n * sizeof *keys, keys, error) &&
            permute(&out->permute[i], other, n, layouts[i], DMM_LAYOUT_AUTO, false, run, error) &&
            permute(NULL, span, n, layouts[i], DMM_LAYOUT_AUTO, true, run, error);
    done = done && time_queries(&out->query[i], span, n, layouts[i], queries, ranks, run, error);
    table_free_buffers(&buffers);
    return done;
}

static bool time_all(layout_times *out, uint64_t n, table_run *run, cli_error *error)
{
    uint32_t *const keys = sorted_keys(n), *const wanted = malloc(QUERIES * sizeof *wanted);
    table_buffers buffers = {0};
    dmm_span queries, ranks;
    uint64_t random = 1;
    *out = (layout_times){0};
    bool done = (keys && wanted) || cli_fail_memory(error, NULL, (n + QUERIES) * sizeof *keys);
    for (int i = 0; done && i < QUERIES; i++)
        wanted[i] = (uint32_t)(table_random(&random) % (2 * n));
    done = done &&
           table_add_buffer(&queries, &buffers, run, QUERIES * sizeof *wanted, wanted, error) &&
           table_add_buffer(&ranks, &buffers, run, QUERIES * sizeof *wanted, NULL, error);
    for (int i = 0; i < LAYOUTS && done; i++)
        done = time_one(out, i, keys, n, queries, ranks, run, error);
    table_free_buffers(&buffers);
    free(wanted);
    free(keys);
    return done;
}

static bool measure_query(
    double *values, const table_point *point, table_run *run, cli_error *error)
{
    layout_times times;
    if (!time_all(&times, (uint64_t)point->sizes[0], run, error))
        return false;
    for (int i = 0; i < LAYOUTS; i++)
        values[i] = 1e3 * times.query[i];
    return true;
}

/* sizes: queries in millions, keys without and with --full. */
static bool measure_total(
    double *values, const table_point *point, table_run *run, cli_error *error)
{
    static layout_times times;
    static uint64_t timed;
    const uint64_t n = (uint64_t)point->sizes[run->full ? 2 : 1];
    if (timed != n && !time_all(&times, n, run, error))
        return false;
    timed = n;
    for (int i = 0; i < LAYOUTS; i++)
        values[i] = times.permute[i] + times.query[i] * point->sizes[0] * 1e6 / QUERIES;
    return true;
}

static bool measure_break_even(
    double *values, const table_point *point, table_run *run, cli_error *error)
{
    layout_times times;
    const double n = point->sizes[0];
    if (!time_all(&times, (uint64_t)n, run, error))
        return false;
    for (int i = BST; i < LAYOUTS; i++) {
        const double saved = (times.query[SORTED] - times.query[i]) / QUERIES;
        if (saved > 0)
            values[i - BST] = 100 * times.permute[i] / saved / n;
    }
    return true;
}

/* ---- Rows ------------------------------------------------------------------------------------ */

static const table_column permute_columns[] = {{"BST involutions", 3, false},
    {"BST cycles", 3, false}, {"BST hybrid", 3, false}, {"B-tree involutions", 3, false},
    {"B-tree cycles", 3, false}, {"mvEB involutions", 3, false}, {"mvEB cycles", 3, false}, {0}};

static const table_column query_columns[] = {
    {"binary search", 3, false}, {"BST", 3, false}, {"B-tree", 3, false}, {"mvEB", 3, false}, {0}};

#define PERFECT(i, large)                                                 \
    {                                                                     \
        .label = "2^" #i " - 1", .x = (double)((UINT64_C(1) << (i)) - 1), \
        .sizes = {(double)((UINT64_C(1) << (i)) - 1)}, .full = (large)    \
    }
static const table_point sizes[] = {PERFECT(14, false), PERFECT(16, false), PERFECT(18, false),
    PERFECT(20, false), {.label = "1000000", .x = 1e6, .sizes = {1e6}}, PERFECT(22, true),
    PERFECT(24, true), PERFECT(26, true),
    {.label = "100 million", .x = 1e8, .sizes = {1e8}, .full = true}, PERFECT(28, true),
    PERFECT(29, true), {0}};

#define MILLIONS(q)                                               \
    {                                                             \
        .label = #q, .x = (q), .sizes = { q, (1 << 20) - 1, 1e8 } \
    }
static const table_point totals[] = {MILLIONS(0.1), MILLIONS(0.3), MILLIONS(1), MILLIONS(3),
    MILLIONS(10), MILLIONS(30), MILLIONS(100), {0}};

static const table_column break_even_columns[] = {{"paper: K40 BST", 2, true}, {"B-tree", 2, true},
    {"mvEB", 2, true}, {"paper: M4000 BST", 2, true}, {"B-tree", 2, true}, {"mvEB", 2, true},
    {"paper: 2080 Ti BST", 2, true}, {"B-tree", 2, true}, {"mvEB", 2, true}, {"BST", 1, false},
    {"B-tree", 1, false}, {"mvEB", 1, false}, {0}};

#define UNPRINTED TABLE_NONE, TABLE_NONE, TABLE_NONE
static const table_point break_evens[] = {
    {.label = "2^18 - 1", .sizes = {262143}, .paper = {UNPRINTED, UNPRINTED, UNPRINTED}},
    {.label = "2^20 - 1", .sizes = {1048575}, .paper = {UNPRINTED, UNPRINTED, UNPRINTED}},
    {.label = "1 million", .sizes = {1e6}, .paper = {UNPRINTED, UNPRINTED, UNPRINTED}},
    {.label = "100 million",
        .sizes = {1e8},
        .paper = {34, 13, TABLE_NONE, 47, 20, 44, 83, 23, 13},
        .full = true},
    {.label = "2^29 - 1",
        .sizes = {536870911},
        .paper = {11.55, 8.38, 23.66, 12.11, 10.24, 19.74, 54.58, 22.17, 9.31},
        .full = true},
    {.label = "1 billion",
        .sizes = {1e9},
        .paper = {7.1, 1.4, 2, 5.3, 1.4, 3.2, 93.6, 19.4, 10.3},
        .full = true},
    {.label = "2^30 - 1",
        .sizes = {1073741823},
        .paper = {5.77, 1.3, 1.77, 5.77, 1.4, 2.98, 55.51, 20.21, 8.94},
        .full = true},
    {0}};

const paper_table tables_berney_layouts[] = {
    {.name = "berney-2.6",
        .title = "time to permute sorted keys into a search tree (figures 2.6 to 2.8)",
        .source = SOURCE "section 2.8.2, figures 2.6, 2.7 and 2.8",
        .place = TABLE_DEVICE,
        .head = "keys",
        .unit = "milliseconds",
        .scale = TABLE_LOG2,
        .heights = TABLE_LOG10,
        .columns = permute_columns,
        .points = sizes,
        .measure = measure_permute,
        .paper = "on three GPUs the cycles of mvEB are fastest; BST by involutions and the hybrid "
                 "take much longer for trees that are not perfect, and beyond 2^29 - 1 keys.",
        .reading =
            "on a CPU by PoCL (docs/lab.md) involutions of BST take over ten times as long "
            "for a tree that is not perfect, as in the thesis, and cycles beat involutions of "
            "B-tree and mvEB. mvEB is not the fastest: BST and B-tree are."},
    {.name = "berney-2.9",
        .title = "time of 10^6 queries in search trees (figures 2.9 to 2.14)",
        .source = SOURCE "section 2.8.2, figures 2.9 to 2.14",
        .place = TABLE_DEVICE,
        .head = "keys",
        .unit = "milliseconds",
        .scale = TABLE_LOG2,
        .heights = TABLE_LINEAR,
        .columns = query_columns,
        .points = sizes,
        .measure = measure_query,
        .paper = "B-trees are fastest from 2^28 keys on (K40, M4000) or 2^23 (2080 Ti); mvEB is "
                 "faster than BST on the 2080 Ti from 2^24 on, and slower on the others.",
        .reading = "teams of a warp for a B-tree node need the GPU form; in the CPU form a "
                   "work-item searches a node."},
    {.name = "berney-2.15",
        .title = "time to permute and query over the number of queries (figures 2.15 to 2.26)",
        .source = SOURCE "section 2.8.2, figures 2.15 to 2.26",
        .place = TABLE_DEVICE,
        .head = "queries (millions)",
        .unit = "seconds",
        .scale = TABLE_LOG10,
        .heights = TABLE_LOG10,
        .columns = query_columns,
        .points = totals,
        .measure = measure_total,
        .paper = "straight lines for 10^8, 2^29 - 1, 10^9 and 2^30 - 1 keys; they meet at the "
                 "numbers of table 2.2.",
        .reading = "of 2^20 - 1 keys, with --full of 10^8: the time to permute plus that of 10^6 "
                   "queries times their number, as in the thesis."},
    {.name = "berney-table-2.2",
        .title = "queries from which permuting pays, in percent of the keys (table 2.2)",
        .source = SOURCE "section 2.8.2, table 2.2",
        .place = TABLE_DEVICE,
        .head = "keys",
        .unit = "percent",
        .columns = break_even_columns,
        .points = break_evens,
        .measure = measure_break_even,
        .reading = "-: binary search is as fast, so it never pays; the thesis has this case, too "
                   "(mvEB on the K40 at 10^8). docs/search.md has recorded runs."},
    {0},
};
