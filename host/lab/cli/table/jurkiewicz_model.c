/* SPDX-License-Identifier: MIT */
/* T. Jurkiewicz 2013, sections 2.5 and 2.6: counts of translations. */
#include <stdlib.h>

#include <dmm-model/programs.h>

#include "nested.h"
#include "table.h"

#define SOURCE "Jurkiewicz 2013, "

static bool fail_model(dmm_model_status status, cli_error *error)
{
    return cli_fail(error, CLI_DEVICE, NULL, "%s", dmm_model_status_string(status));
}

/* ---- Figure 2.6: two translations ------------------------------------------------------------ */

typedef struct both {
    dmm_model_translator *single;
    nested_machine nested;
} both;

static void visit_both(void *user, const uint64_t *addresses, uint64_t count)
{
    both *const b = user;
    dmm_model_translator_add(b->single, NULL, addresses, count);
    nested_add(&b->nested, addresses, count);
}

/* Traces a program through one translation and through two. Values: nodes inserted an element. */
static bool trace_both(double values[2], dmm_model_program program, uint64_t n, cli_error *error)
{
    const dmm_model_translation machine = {.nodes = 64, .eviction = DMM_MODEL_ISLRU};
    uint64_t *const memory = malloc((size_t)n * sizeof *memory), result;
    both b = {.single = NULL};
    if (!memory)
        return cli_fail_memory(error, NULL, n * sizeof *memory);
    dmm_model_status status = dmm_model_translator_create(&b.single, &machine);
    if (status == DMM_MODEL_OK)
        status = nested_create(&b.nested, &machine);
    if (status == DMM_MODEL_OK)
        status = dmm_model_program_fill(memory, program, n, 1);
    if (status == DMM_MODEL_OK)
        status = dmm_model_program_trace(&result, memory, program, n, 1, visit_both, &b);
    if (status == DMM_MODEL_OK)
        status = b.nested.status;
    values[0] = (double)dmm_model_translator_counts(b.single).insertions / (double)n;
    values[1] = (double)(b.nested.counts.guest + b.nested.counts.host) / (double)n;
    nested_free(&b.nested);
    dmm_model_translator_free(b.single);
    free(memory);
    return status == DMM_MODEL_OK || fail_model(status, error);
}

static bool measure_nested(
    double *values, const table_point *point, table_run *run, cli_error *error)
{
    const uint64_t n = (uint64_t)point->sizes[0];
    (void)run;
    return trace_both(values, DMM_MODEL_PERMUTE, n, error) &&
           trace_both(values + 2, DMM_MODEL_INTROSORT, n, error);
}

static const table_column nested_columns[] = {{"permute, one translation", 3, false},
    {"two", 3, false}, {"introsort, one translation", 3, false}, {"two", 3, false}, {0}};

#define WORDS(i, large)                                                             \
    {                                                                               \
        .label = "2^" #i, .x = (double)(1u << (i)), .sizes = {(double)(1u << (i))}, \
        .full = (large)                                                             \
    }
static const table_point nested_points[] = {WORDS(10, false), WORDS(12, false), WORDS(14, false),
    WORDS(16, false), WORDS(17, false), WORDS(18, false), WORDS(19, false), WORDS(20, true),
    WORDS(22, true), WORDS(24, true), {0}};

/* ---- Theorem 2.32 ---------------------------------------------------------------------------- */

typedef struct trace {
    uint64_t *addresses, used, most;
} trace;

static void touch(trace *t, uint64_t word)
{
    if (t->used < t->most)
        t->addresses[t->used++] = 8 * word;
}

static void trace_scan(trace *t)
{
    for (uint64_t i = 0; i < t->most; i++)
        touch(t, i);
}

/* Transposes by quarters of quarters, row-major from and to. */
static void trace_transpose(trace *t, uint64_t side, uint64_t row, uint64_t column, uint64_t size)
{
    if (size == 1) {
        touch(t, row * side + column);
        touch(t, side * side + column * side + row);
        return;
    }
    for (int quarter = 0; quarter < 4; quarter++)
        trace_transpose(t, side, row + (quarter & 1 ? size / 2 : 0),
            column + (quarter & 2 ? size / 2 : 0), size / 2);
}

/* Multiplies matrices in the recursive layout: C += A B, of size^2 words from a, b and c on. */
static void trace_product(trace *t, uint64_t a, uint64_t b, uint64_t c, uint64_t words)
{
    const uint64_t quarter = words / 4;
    if (words == 1) {
        touch(t, a);
        touch(t, b);
        touch(t, c);
        return;
    }
    for (unsigned i = 0; i < 8; i++) {
        const uint64_t row = i & 1, column = i >> 1 & 1, k = i >> 2;
        trace_product(t, a + (2 * row + k) * quarter, b + (2 * k + column) * quarter,
            c + (2 * row + column) * quarter, quarter);
    }
}

/* Searches random keys in a van Emde Boas tree of `levels` levels: by the splitting of the tree. */
static uint64_t place_in_tree(uint64_t node, unsigned levels)
{
    /* node: 1 for the root, children 2i and 2i + 1 */
    uint64_t at = 0;
    unsigned depth = 0;
    while (node >> (depth + 1) != 0)
        depth++;
    while (levels > 1) {
        const unsigned top = levels / 2, bottom = levels - top;
        if (depth < top) {
            levels = top;
            continue;
        }
        const uint64_t root = node >> (depth - top);
        at += (UINT64_C(1) << top) - 1 +
              (root - (UINT64_C(1) << top)) * ((UINT64_C(1) << bottom) - 1);
        depth -= top;
        node = (UINT64_C(1) << depth) | (node & ((UINT64_C(1) << depth) - 1));
        levels = bottom;
    }
    return at;
}

static void trace_searches(trace *t, unsigned levels)
{
    uint64_t random = 1;
    while (t->used + levels <= t->most) {
        const uint64_t leaf =
            (UINT64_C(1) << (levels - 1)) + table_random(&random) % (UINT64_C(1) << (levels - 1));
        for (unsigned level = 0; level < levels; level++)
            touch(t, place_in_tree(leaf >> (levels - 1 - level), levels));
    }
}

static void trace_random(trace *t)
{
    uint64_t random = 1;
    while (t->used < t->most)
        touch(t, table_random(&random) % (UINT64_C(1) << 20));
}

enum { SCAN, TRANSPOSE, PRODUCT, SEARCHES, RANDOM };

/* sizes: which. */
static bool measure_oblivious(
    double *values, const table_point *point, table_run *run, cli_error *error)
{
    enum { ACCESSES = 1 << 19, SIDE = 512, PRODUCT_WORDS = 1 << 12, TREE_LEVELS = 20 };
    dmm_model_translation machine = {.page_bytes = 4096, .fanout = 8, .depth = 8, .nodes = 65};
    trace t = {.most = ACCESSES};
    (void)run;
    t.addresses = malloc(ACCESSES * sizeof *t.addresses);
    if (!t.addresses)
        return cli_fail_memory(error, NULL, ACCESSES * sizeof *t.addresses);
    switch ((int)point->sizes[0]) {
    case SCAN:
        trace_scan(&t);
        break;
    case TRANSPOSE:
        trace_transpose(&t, SIDE, 0, 0, SIDE);
        break;
    case PRODUCT:
        trace_product(&t, 0, PRODUCT_WORDS, 2 * PRODUCT_WORDS, PRODUCT_WORDS);
        break;
    case SEARCHES:
        trace_searches(&t, TREE_LEVELS);
        break;
    default:
        trace_random(&t);
    }
    values[0] = (double)t.used;
    values[3] = (double)layered_faults(&machine, t.addresses, t.used);
    dmm_model_status status = DMM_MODEL_OK;
    for (int i = 0; i < 2 && status == DMM_MODEL_OK; i++) {
        dmm_model_translation_counts counts = {0};
        machine.eviction = i ? DMM_MODEL_LRU : DMM_MODEL_MIN;
        status = dmm_model_translate(&counts, NULL, &machine, t.addresses, t.used);
        values[1 + i] = (double)counts.insertions;
    }
    free(t.addresses);
    return status == DMM_MODEL_OK || fail_model(status, error);
}

static const table_column oblivious_columns[] = {{"accesses", 0, false}, {"MIN", 0, false},
    {"LRU", 0, false}, {"sum of C(a K^i P, K^i P)", 0, false}, {0}};

static const table_point oblivious[] = {{.label = "scan", .sizes = {SCAN}},
    {.label = "recursive transpose", .sizes = {TRANSPOSE}},
    {.label = "recursive matrix product", .sizes = {PRODUCT}},
    {.label = "searches, van Emde Boas", .sizes = {SEARCHES}},
    {.label = "random accesses", .sizes = {RANDOM}}, {0}};

/* ---- CAT and RAT ----------------------------------------------------------------------------- */

/* Fills with a sequence: pages upwards, `in_page` random words of each; in_page 0: random words of
 * 2^36 bytes. */
static void fill_sequence(uint64_t *addresses, uint64_t n, uint64_t in_page)
{
    uint64_t random = 1;
    for (uint64_t i = 0; i < n; i++) {
        const uint64_t word = table_random(&random);
        addresses[i] = in_page ? i / in_page * 4096 + word % 512 * 8 : word % (1u << 30) * 64;
    }
}

/* sizes: accesses in a page; 0: RAT. */
static bool measure_sequence(
    double *values, const table_point *point, table_run *run, cli_error *error)
{
    enum { ACCESSES = 1 << 16 };
    static const uint32_t depths[] = {3, 4, 6, 12, 36};
    static const uint32_t fanouts[] = {4096, 512, 64, 8, 2};
    uint64_t *const addresses = malloc(ACCESSES * sizeof *addresses);
    dmm_model_status status = DMM_MODEL_OK;
    (void)run;
    if (!addresses)
        return cli_fail_memory(error, NULL, ACCESSES * sizeof *addresses);
    fill_sequence(addresses, ACCESSES, (uint64_t)point->sizes[0]);
    for (int i = 0; i < 5 && status == DMM_MODEL_OK; i++) {
        const dmm_model_translation machine = {
            .fanout = fanouts[i], .depth = depths[i], .nodes = 64};
        dmm_model_translation_counts counts = {0};
        status = dmm_model_translate(&counts, NULL, &machine, addresses, ACCESSES);
        values[i] = (double)counts.insertions / ACCESSES;
    }
    free(addresses);
    return status == DMM_MODEL_OK || fail_model(status, error);
}

static const table_column sequence_columns[] = {{"d = 3", 3, false}, {"d = 4", 3, false},
    {"d = 6", 3, false}, {"d = 12", 3, false}, {"d = 36", 3, false}, {0}};

static const table_point sequences[] = {
    {.label = "CAT: pages upwards, 64 accesses each", .sizes = {64}},
    {.label = "CAT: pages upwards, 8 accesses each", .sizes = {8}},
    {.label = "pages upwards, one access each", .sizes = {1}},
    {.label = "RAT: random in 2^36 bytes", .sizes = {0}}, {0}};

const paper_table tables_jurkiewicz_model[] = {
    {.name = "jurkiewicz-2.6",
        .title = "nodes inserted an element on a virtual machine: one translation and two",
        .source = SOURCE "section 2.6.1, figure 2.6",
        .head = "words",
        .unit = "nodes inserted an element",
        .scale = TABLE_LOG2,
        .heights = TABLE_LINEAR,
        .columns = nested_columns,
        .points = nested_points,
        .measure = measure_nested,
        .paper = "times on a virtual machine: the permutation takes longer than introsort, even of "
                 "small data.",
        .reading =
            "caches of 64 nodes for guest and host each, K = 512, d = 4. The second "
            "translation doubles the nodes; it does not multiply them by d, since the "
            "host's cache holds the upper nodes of the guest's tables. From 2^16 words on the "
            "permutation inserts 30 to 70 times as many as introsort in all its passes: "
            "the thesis' surprise, but for small data, whose times are not of "
            "translations."},
    {.name = "jurkiewicz-2.32",
        .title = "translation faults of cache-oblivious programs, and theorem 2.32's bound",
        .source = SOURCE "section 2.5, theorem 2.32",
        .head = "program",
        .unit = "faults",
        .heights = TABLE_LOG10,
        .columns = oblivious_columns,
        .points = oblivious,
        .measure = measure_oblivious,
        .paper = "a cache of W nodes has at most the sum over all layers i of C(a K^i P, K^i P, n) "
                 "faults, a = W/d.",
        .reading =
            "K = 8, d = 8, W = 65; C is that of an LRU. The bound holds for MIN (a test over "
            "random traces), and LRU stays below it here. The theorem's d parts are for "
            "d + 1 layers: the root needs a cell of its own, so a = (W - 1)/d."},
    {.name = "jurkiewicz-2.34",
        .title = "nodes inserted an access, by class of sequence and depth of the tree",
        .source = SOURCE "section 2.6.2, lemmas 2.34 and 2.36",
        .head = "sequence",
        .unit = "nodes inserted an access",
        .columns = sequence_columns,
        .points = sequences,
        .measure = measure_sequence,
        .paper =
            "CAT: cost of translations at most that of the accesses, whatever d. RAT: of order "
            "tau d an access.",
        .reading = "agrees: a CAT's number depends on the accesses a page alone (at most K/(K-1) "
                   "nodes a page), a RAT's grows with d, less the upper layers, which 64 nodes "
                   "hold."},
    {0},
};
