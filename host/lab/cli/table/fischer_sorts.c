/* SPDX-License-Identifier: MIT */
/* A. Fischer 2020, chapter 4: sorting times of the AKS network. */
#include <stdlib.h>
#include <string.h>

#include "table.h"

#define SOURCE "Fischer 2020, "

/* ---- Table 4.1: types ------------------------------------------------------------------------ */

/* The thesis' TestStruct: a key, and two numbers that move along. */
typedef struct triple {
    int32_t key, more[2];
} triple;

#define DEFINE_APPLY(name, type, key)                                \
    static void name(void *data, const dmm_model_network_step *step) \
    {                                                                \
        type *const items = data;                                    \
        for (uint64_t i = 0; i < step->count; i++) {                 \
            type *const low = &items[step->pairs[i].low];            \
            type *const high = &items[step->pairs[i].high];          \
            if (high->key < low->key) {                              \
                const type kept = *low;                              \
                *low = *high;                                        \
                *high = kept;                                        \
            }                                                        \
        }                                                            \
    }

typedef struct one_int {
    int32_t key;
} one_int;
typedef struct one_long {
    int64_t key;
} one_long;
DEFINE_APPLY(apply_int, one_int, key)
DEFINE_APPLY(apply_long, one_long, key)
DEFINE_APPLY(apply_triple, triple, key)

typedef struct item_kind {
    size_t bytes;
    void (*apply)(void *data, const dmm_model_network_step *step);
} item_kind;

static const item_kind kinds[] = {
    {sizeof(one_int), apply_int}, {sizeof(one_long), apply_long}, {sizeof(triple), apply_triple}};

enum { KINDS = sizeof kinds / sizeof kinds[0] };

static int64_t key_at(const char *data, size_t kind, uint64_t i)
{
    int64_t wide;
    int32_t narrow;
    if (kind == 1) {
        memcpy(&wide, data + i * kinds[kind].bytes, sizeof wide);
        return wide;
    }
    memcpy(&narrow, data + i * kinds[kind].bytes, sizeof narrow);
    return narrow;
}

/* Fills with keys from a seed; other bytes are 0. */
static void fill(char *data, size_t kind, uint64_t n, uint64_t seed)
{
    memset(data, 0, (size_t)n * kinds[kind].bytes);
    for (uint64_t i = 0; i < n; i++) {
        const uint64_t random = table_random(&seed);
        const int32_t narrow = (int32_t)(random >> 33);
        const int64_t wide = (int64_t)(random >> 1);
        if (kind == 1)
            memcpy(data + i * kinds[kind].bytes, &wide, sizeof wide);
        else
            memcpy(data + i * kinds[kind].bytes, &narrow, sizeof narrow);
    }
}

typedef struct sort_times {
    double draw_ms, compare_ms; /* making the steps, and their comparators on the items */
} sort_times;

static bool time_sort(sort_times *out, dmm_model_network *network, size_t kind, cli_error *error)
{
    const uint64_t n = dmm_model_network_wires(network);
    char *data = malloc((size_t)n * kinds[kind].bytes);
    dmm_model_network_step step;
    bool sorted = true;
    *out = (sort_times){0};
    if (!data)
        return cli_fail_memory(error, NULL, n * kinds[kind].bytes);
    fill(data, kind, n, 7 + n);
    dmm_model_network_rewind(network);
    double before = table_seconds();
    while (dmm_model_network_next(&step, network)) {
        const double made = table_seconds();
        kinds[kind].apply(data, &step);
        const double done = table_seconds();
        out->draw_ms += 1e3 * (made - before);
        out->compare_ms += 1e3 * (done - made);
        before = done;
    }
    for (uint64_t i = 1; i < n; i++)
        sorted = sorted && key_at(data, kind, i - 1) <= key_at(data, kind, i);
    free(data);
    return sorted || cli_fail(error, CLI_CHECK_FAILED, NULL, "the network left items unsorted");
}

/* sizes: wires. */
static bool make_aks(
    dmm_model_network **out, const table_point *point, bool perfect, cli_error *error)
{
    const dmm_model_network_desc desc = {
        .kind = DMM_MODEL_AKS, .wires = (uint32_t)point->sizes[0], .perfect = perfect, .seed = 1};
    return table_network(out, &desc, error);
}

static bool measure_types(
    double *values, const table_point *point, table_run *run, cli_error *error)
{
    dmm_model_network *network;
    (void)run;
    bool done = make_aks(&network, point, false, error);
    for (size_t kind = 0; kind < KINDS && done; kind++) {
        sort_times times;
        done = time_sort(&times, network, kind, error);
        values[kind] = times.compare_ms;
        values[KINDS] = times.draw_ms;
    }
    dmm_model_network_free(network);
    return done;
}

static const table_column types_columns[] = {{"paper: integer ms", 3, true},
    {"integer ms", 3, false}, {"paper: long ms", 3, true}, {"long ms", 3, false},
    {"paper: struct ms", 3, true}, {"struct ms", 3, false}, {"drawing matchings ms", 3, false},
    {0}};

static const table_point types_points[] = {
    {.label = "256", .x = 256, .sizes = {256}, .paper = {1.004, 1.039, 1.811}},
    {.label = "4096", .x = 4096, .sizes = {4096}, .paper = {55.044, 57.813, 63.989}},
    {.label = "65536", .x = 65536, .sizes = {65536}, .paper = {1277, 1331, 1450}, .full = true},
    {.label = "1048576",
        .x = 1048576,
        .sizes = {1048576},
        .paper = {51386, 56679, 62776},
        .full = true},
    {0}};

/* ---- Table 4.2: perfect halvers -------------------------------------------------------------- */

static bool measure_perfect(
    double *values, const table_point *point, table_run *run, cli_error *error)
{
    (void)run;
    for (int perfect = 0; perfect < 2; perfect++) {
        dmm_model_network *network;
        sort_times times = {0};
        const bool done =
            make_aks(&network, point, perfect, error) && time_sort(&times, network, 0, error);
        values[perfect] = times.compare_ms + times.draw_ms;
        values[2 + perfect] = times.compare_ms;
        dmm_model_network_free(network);
        if (!done)
            return false;
    }
    return true;
}

static const table_column perfect_columns[] = {{"paper: CPU ms", 3, true},
    {"paper: CPU, perfect ms", 4, true}, {"ms", 3, false}, {"perfect ms", 3, false},
    {"comparators alone ms", 3, false}, {"perfect", 3, false}, {0}};

static const table_point perfect_points[] = {
    {.label = "256", .x = 256, .sizes = {256}, .paper = {1.0038, 0.0014}},
    {.label = "4096", .x = 4096, .sizes = {4096}, .paper = {55.044, 8.235}},
    {.label = "65536", .x = 65536, .sizes = {65536}, .paper = {1277, 166}, .full = true}, {0}};

const paper_table tables_fischer_sorts[] = {
    {.name = "fischer-table-4.1",
        .title = "sorting times of the AKS network by type (table 4.1, figure 4.1)",
        .source = SOURCE "section 4.1",
        .place = TABLE_PROCESSOR,
        .head = "wires",
        .unit = "milliseconds",
        .scale = TABLE_LOG2,
        .heights = TABLE_LOG10,
        .columns = types_columns,
        .points = types_points,
        .measure = measure_types,
        .paper = "one core, -O2 (-O3 sorts integers in 51.063 s at 2^20).",
        .reading =
            "the comparators alone take about the thesis' time, with the same order of types and "
            "growth. Drawing the matchings by Philox takes several times as long; the "
            "thesis draws by minstd_rand, keeps what it uses often, and times both."},
    {.name = "fischer-table-4.2",
        .title = "times with and without perfect halvers (table 4.2)",
        .source = SOURCE "sections 4.4 and 4.8",
        .place = TABLE_PROCESSOR,
        .head = "wires",
        .unit = "milliseconds",
        .scale = TABLE_LOG2,
        .heights = TABLE_LOG10,
        .columns = perfect_columns,
        .points = perfect_points,
        .measure = measure_perfect,
        .paper = "CUDA: 62 ms, 1.179 s, 24.271 s; with perfect halvers below 1 ms, 92 ms, 1.768 s; "
                 "wrong beyond 65,536.",
        .reading =
            "perfect halvers win by an order of magnitude, as in the thesis, since they also "
            "cut the matchings of all other halvers to 30. On a device: `dmm-lab network "
            "aks -n N --run FILE`, which is right at 2^20, too."},
    {0},
};
