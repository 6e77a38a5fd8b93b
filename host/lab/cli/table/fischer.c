/* SPDX-License-Identifier: MIT */
/* A. Fischer 2020, chapter 4: separators, halvers, and counts of AKS networks. */
#include <stdlib.h>
#include <string.h>

#include "table.h"

#define SOURCE "Fischer 2020, "

bool table_network(dmm_model_network **out, const dmm_model_network_desc *desc, cli_error *error)
{
    const dmm_model_status status = dmm_model_network_create(out, desc);
    return status == DMM_MODEL_OK ||
           (status == DMM_MODEL_OUT_OF_MEMORY
                   ? cli_fail_memory(error, NULL, 24ull * desc->wires)
                   : cli_fail(error, CLI_DEVICE, NULL, "%s", dmm_model_status_string(status)));
}

/* ---- Figure 4.5: valid separators ------------------------------------------------------------ */

/* True if no block of k items has more errors than epsilon_b k, nor a fringe more than
 * epsilon_f k. */
static bool is_separated(const uint64_t *items, uint32_t *place, uint32_t a, uint32_t f,
    const dmm_model_epsilons *epsilons)
{
    uint32_t low = 0, high = 0, low_fringe = 0, high_fringe = 0;
    bool valid = true;
    for (uint32_t i = 0; i < a; i++)
        place[items[i]] = i;
    for (uint32_t k = 1; k <= a / 2 && valid; k++) {
        low += place[k - 1] >= a / 2;
        high += place[a - k] < a / 2;
        low_fringe += place[k - 1] >= f / 2;
        high_fringe += place[a - k] < a - f / 2;
        const double most = epsilons->epsilon_b * k, in_fringe = epsilons->epsilon_f * k;
        valid = low <= most && high <= most &&
                (k > f / 2 || (low_fringe <= in_fringe && high_fringe <= in_fringe));
    }
    return valid;
}

/* Returns in `percent` the invalid ones of `runs` separators, each with new matchings and items. */
static bool count_invalid(
    double *percent, dmm_model_network_desc desc, uint32_t runs, cli_error *error)
{
    dmm_model_epsilons epsilons;
    uint32_t invalid = 0;
    uint64_t *items = malloc(desc.wires * sizeof *items);
    uint32_t *place = malloc(desc.wires * sizeof *place);
    bool done = (items && place) || cli_fail_memory(error, NULL, 12ull * desc.wires);
    dmm_model_separator_epsilons(&epsilons, 0, desc.wires, desc.fringe);
    for (uint32_t run = 0; run < runs && done; run++) {
        dmm_model_network *network;
        desc.seed = run;
        done = table_network(&network, &desc, error);
        if (!done)
            break;
        table_permutation(items, desc.wires, 1000 + run);
        dmm_model_network_run(items, network);
        invalid += !is_separated(items, place, desc.wires, desc.fringe, &epsilons);
        dmm_model_network_free(network);
    }
    free(place);
    free(items);
    *percent = 100.0 * invalid / runs;
    return done;
}

static const uint32_t depths[] = {5, 10, 30, 100, 250, 500, 800};

/* sizes: wires, fringe. */
static bool measure_separators(
    double *values, const table_point *point, table_run *run, cli_error *error)
{
    for (size_t i = 0; i < sizeof depths / sizeof depths[0]; i++)
        if (!count_invalid(&values[i],
                (dmm_model_network_desc){.kind = DMM_MODEL_SEPARATOR,
                    .wires = (uint32_t)point->sizes[0],
                    .fringe = (uint32_t)point->sizes[1],
                    .matchings = depths[i]},
                run->full ? 100 : 20, error))
            return false;
    return true;
}

static const table_column separator_columns[] = {{"5", 0, false}, {"10", 0, false},
    {"30", 0, false}, {"100", 0, false}, {"250", 0, false}, {"500", 0, false}, {"800", 0, false},
    {0}};

#define SEPARATOR(a, f, large)                                             \
    {                                                                      \
        .label = #a " wires, fringe " #f, .sizes = {a, f}, .full = (large) \
    }
static const table_point separator_points[] = {SEPARATOR(16, 0, false), SEPARATOR(64, 0, false),
    SEPARATOR(256, 0, false), SEPARATOR(1024, 0, false), SEPARATOR(4096, 0, true),
    SEPARATOR(32, 2, false), SEPARATOR(64, 4, false), SEPARATOR(256, 16, false),
    SEPARATOR(1024, 64, false), SEPARATOR(4096, 256, true), SEPARATOR(126, 6, false),
    SEPARATOR(252, 12, false), SEPARATOR(504, 24, false), SEPARATOR(1008, 48, false),
    SEPARATOR(4032, 192, true), SEPARATOR(60, 12, false), SEPARATOR(120, 24, false),
    SEPARATOR(240, 48, false), SEPARATOR(480, 96, false), SEPARATOR(960, 192, false), {0}};

/* ---- Figures 4.6 and 4.9: counts ------------------------------------------------------------- */

static double log_of(const dmm_model_large_counts *counts)
{
    int i = DMM_MODEL_COUNT_WORDS - 1;
    while (i > 0 && counts->words[i] == 0)
        i--;
    const double below = i > 0 ? ldexp(counts->words[i - 1], -32) : 0;
    return log2(counts->words[i] + below) + 32.0 * i;
}

/* Counts a network of 2^d wires: comparators a wire, and steps. */
static bool count(double *a_wire, double *steps, dmm_model_count_kind kind, double d,
    double epsilon_b, cli_error *error)
{
    dmm_model_large_counts *counts = malloc(sizeof *counts);
    if (!counts)
        return cli_fail_memory(error, NULL, sizeof *counts);
    const dmm_model_status status =
        dmm_model_network_count_epsilon(counts, kind, (uint32_t)d, epsilon_b);
    if (status == DMM_MODEL_OK) {
        *a_wire = exp2(log_of(counts) - d);
        *steps = (double)counts->steps;
    }
    free(counts);
    return status == DMM_MODEL_OK ||
           cli_fail(error, CLI_DEVICE, NULL, "%s", dmm_model_status_string(status));
}

static bool measure_complexity(
    double *values, const table_point *point, table_run *run, cli_error *error)
{
    (void)run;
    for (int kind = DMM_MODEL_COUNT_BITONIC; kind <= DMM_MODEL_COUNT_AKS_PERFECT; kind++)
        if (!count(&values[kind], &values[3 + kind], (dmm_model_count_kind)kind, point->sizes[0], 0,
                error))
            return false;
    return true;
}

/* The curves that the thesis draws beside its own: 2^10.75 log n and 2^6.8 log n. */
#define EXPONENT(d)                                                                      \
    {                                                                                    \
        .label = "2^" #d, .x = (d), .sizes = {d}, .paper = { 1722.2 * (d), 111.4 * (d) } \
    }
static const table_point complexity_points[] = {EXPONENT(8), EXPONENT(12), EXPONENT(16),
    EXPONENT(20), EXPONENT(40), EXPONENT(80), EXPONENT(112), EXPONENT(200), EXPONENT(400),
    EXPONENT(800), EXPONENT(2048), EXPONENT(4292), EXPONENT(11584), {0}};

static const table_column complexity_columns[] = {{"paper: 2^10.75 log n", 0, true},
    {"paper: 2^6.8 log n", 0, true}, {"bitonic: comparators a wire", 0, false}, {"AKS", 0, false},
    {"AKS perfect", 0, false}, {"bitonic: steps", 0, false}, {"AKS steps", 0, false},
    {"perfect steps", 0, false}, {0}};

/* sizes: epsilon_b. */
static bool measure_epsilon(
    double *values, const table_point *point, table_run *run, cli_error *error)
{
    (void)run;
    return count(&values[0], &values[1], DMM_MODEL_COUNT_AKS, 20, point->sizes[0], error) &&
           count(&values[2], &values[3], DMM_MODEL_COUNT_AKS, 80, point->sizes[0], error) &&
           count(&values[4], &values[5], DMM_MODEL_COUNT_AKS_PERFECT, 80, point->sizes[0], error);
}

static const table_column epsilon_columns[] = {{"2^20: comparators a wire", 0, false},
    {"steps", 0, false}, {"2^80: comparators a wire", 0, false}, {"steps", 0, false},
    {"2^80 perfect: comparators a wire", 0, false}, {"steps", 0, false}, {0}};

#define EPSILON(e)                                   \
    {                                                \
        .label = #e, .x = 1e3 * (e), .sizes = {(e) } \
    }
static const table_point epsilon_points[] = {EPSILON(0.0005), EPSILON(0.0010), EPSILON(0.0015),
    EPSILON(0.00181), EPSILON(0.00195), EPSILON(0.00207), EPSILON(0.0022), EPSILON(0.00243),
    EPSILON(0.0026), EPSILON(0.0028), EPSILON(0.0030), EPSILON(0.0032), EPSILON(0.0035),
    EPSILON(0.0040), EPSILON(0.0050), EPSILON(0.0060), EPSILON(0.0070), {0}};

/* ---- Figure 4.10: reused matchings ----------------------------------------------------------- */

/* Collects the matchings of a halver as one array, a row a matching. */
static dmm_model_comparator *matchings_of(uint32_t wires, uint32_t matchings, uint64_t seed)
{
    const dmm_model_network_desc desc = {
        .kind = DMM_MODEL_HALVER, .wires = wires, .matchings = matchings, .seed = seed};
    dmm_model_comparator *pairs = malloc((size_t)wires / 2 * matchings * sizeof *pairs);
    dmm_model_network *network = NULL;
    dmm_model_network_step step;
    uint64_t used = 0;
    if (pairs && dmm_model_network_create(&network, &desc) == DMM_MODEL_OK)
        while (dmm_model_network_next(&step, network)) {
            memcpy(pairs + used, step.pairs, (size_t)step.count * sizeof *pairs);
            used += step.count;
        }
    dmm_model_network_free(network);
    return pairs;
}

/* Counts items in the wrong half after `depth` steps that go round the first `distinct`
 * matchings. */
static double errors_of(const dmm_model_comparator *pairs, uint64_t *items, uint32_t wires,
    uint32_t depth, uint32_t distinct, uint64_t seed)
{
    double errors = 0;
    table_permutation(items, wires, seed);
    for (uint32_t i = 0; i < depth; i++) {
        const dmm_model_network_step step = {
            pairs + (size_t)(i % distinct) * (wires / 2), wires / 2};
        dmm_model_network_apply(items, &step);
    }
    for (uint32_t i = 0; i < wires / 2; i++)
        errors += items[i] >= wires / 2;
    return errors;
}

/* sizes: depth. */
static bool measure_reuse(
    double *values, const table_point *point, table_run *run, cli_error *error)
{
    enum { WIRES = 4096 };
    static const uint32_t shares[] = {1, 2, 5};
    const uint32_t depth = (uint32_t)point->sizes[0], runs = run->full ? 200 : 20;
    uint64_t *items = malloc(WIRES * sizeof *items);
    for (int i = 0; i < 3; i++)
        values[i] = 0;
    for (uint32_t seed = 0; seed < runs; seed++) {
        dmm_model_comparator *pairs = matchings_of(WIRES, depth, seed);
        if (!pairs || !items) {
            free(pairs);
            free(items);
            return cli_fail_memory(error, NULL, 4ull * WIRES * depth);
        }
        for (int i = 0; i < 3; i++)
            values[i] += errors_of(pairs, items, WIRES, depth, depth / shares[i], seed) / runs;
        free(pairs);
    }
    free(items);
    return true;
}

static const table_column reuse_columns[] = {{"all matchings new", 2, false},
    {"half of them", 2, false}, {"a fifth of them", 2, false}, {0}};

#define DEPTH(d)                              \
    {                                         \
        .label = #d, .x = (d), .sizes = { d } \
    }
static const table_point reuse_points[] = {
    DEPTH(10), DEPTH(20), DEPTH(30), DEPTH(50), DEPTH(100), DEPTH(200), DEPTH(400), {0}};

/* ---- Chapter 4: injected errors -------------------------------------------------------------- */

/* sizes: wires, epsilon_b. The items' order makes no difference: the first separator sorts them. */
static bool measure_errors(
    double *values, const table_point *point, table_run *run, cli_error *error)
{
    const uint32_t wires = (uint32_t)point->sizes[0];
    const dmm_model_network_desc desc = {
        .kind = DMM_MODEL_AKS, .wires = wires, .epsilon_b = point->sizes[1]};
    uint64_t *const items = malloc(wires * sizeof *items);
    dmm_model_network *network = NULL;
    dmm_model_network_errors errors = {0};
    (void)run;
    if (!items)
        return cli_fail_memory(error, NULL, wires * sizeof *items);
    table_permutation(items, wires, 1);
    bool done = table_network(&network, &desc, error);
    if (done && dmm_model_network_run_errors(&errors, items, network) != DMM_MODEL_OK)
        done = cli_fail_memory(error, NULL, wires * sizeof *items);
    values[0] = (double)errors.made;
    values[1] = 1e6 * values[0] / wires;
    values[2] = (double)errors.strayed;
    values[3] = 0;
    for (uint32_t i = 0; i < wires; i++)
        values[3] += items[i] != i;
    dmm_model_network_free(network);
    free(items);
    return done;
}

static const table_column errors_columns[] = {{"errors made", 0, false},
    {"a million wires", 0, false}, {"items outside their block before the merges", 0, false},
    {"items in wrong places after them", 0, false}, {0}};

#define ERRORS(d, e, large)                                                                      \
    {                                                                                            \
        .label = "2^" #d ", " #e, .x = (d), .sizes = {(double)(1u << (d)), (e)}, .full = (large) \
    }
static const table_point errors_points[] = {ERRORS(8, 0.00243, false), ERRORS(12, 0.00243, false),
    ERRORS(16, 0.00243, false), ERRORS(20, 0.00243, true), ERRORS(12, 0.0077, false),
    ERRORS(16, 0.0077, false), ERRORS(20, 0.0077, true), {0}};

const paper_table tables_fischer[] = {
    {.name = "fischer-4.5",
        .title = "invalid separators in percent, by size, fringe and matchings",
        .source = SOURCE "section 4.3, figure 4.5",
        .head = "separator",
        .unit = "percent of the runs",
        .columns = separator_columns,
        .points = separator_points,
        .measure = measure_separators,
        .paper = "most runs are valid from 500 matchings on; of 256 wires from 800; below 100 "
                 "wires from 250.",
        .reading = "agrees: the depths that the thesis takes are those at which failures end."},
    {.name = "fischer-errors",
        .title = "AKS networks whose separators make all errors that epsilon_B allows",
        .source = SOURCE "chapter 4, the check with injected errors",
        .head = "wires, epsilon_B",
        .unit = "items",
        .columns = errors_columns,
        .points = errors_points,
        .measure = measure_errors,
        .paper = "separators with injected errors check that the network still sorts.",
        .reading =
            "it sorts, also with epsilon_B = 0.0077, the greatest that a description takes. At "
            "each node epsilon_B k of the k least items go to the upper half and epsilon_F k "
            "miss their fringe, of the greatest likewise, for each k; all of them go to a "
            "child, not to the parent. With 60 times these errors a network of 4,096 wires "
            "fails (a test). 256 wires are too few for one error."},
    {.name = "fischer-4.6",
        .title = "size and depth of the AKS network over epsilon_B",
        .source = SOURCE "section 4.5, figure 4.6",
        .head = "epsilon_B (thousandths)",
        .unit = "comparators a wire, and steps",
        .scale = TABLE_LINEAR,
        .heights = TABLE_LOG10,
        .columns = epsilon_columns,
        .points = epsilon_points,
        .measure = measure_epsilon,
        .paper = "the fewest operations at 0.00243, the least depth at 0.00181, at both sizes.",
        .reading = "with random halvers alone the curves are flat: 0.00243 is within 0.5 % of the "
                   "least count, which is at 0.003, and has the least depth. With perfect halvers, "
                   "which the thesis has by default, 0.00207 is best in both: 38 % fewer steps "
                   "than 0.00243 at 2^80, 5 % fewer comparators. The thesis names 0.00207, too, "
                   "and found no difference in time at 2^24."},
    {.name = "fischer-4.9",
        .title = "comparators a wire and steps of networks of 2^d wires",
        .source = SOURCE "section 4.7, figure 4.9",
        .head = "wires",
        .unit = "comparators a wire, and steps",
        .scale = TABLE_LOG2,
        .heights = TABLE_LOG10,
        .columns = complexity_columns,
        .points = complexity_points,
        .measure = measure_complexity,
        .paper =
            "perfect halvers need fewer operations than bitonic from 2^110 on, fewer steps from "
            "2^2048; custom depths fewer steps from 2^11585.",
        .reading = "the curves agree within a few percent of the reference lines. The crossings "
                   "that exact counts give are 2^432 in operations and 2^4292 in steps "
                   "(docs/networks.md), not the printed ones. The curve `normal`, by the depth "
                   "of the first AKS paper, is not drawn: its formula is not in the thesis."},
    {.name = "fischer-4.10",
        .title = "items in the wrong half after a halver of 4,096 wires with reused matchings",
        .source = SOURCE "section 4.10, figure 4.10",
        .head = "steps",
        .unit = "items",
        .scale = TABLE_LOG2,
        .heights = TABLE_LINEAR,
        .columns = reuse_columns,
        .points = reuse_points,
        .measure = measure_reuse,
        .paper = "half the matchings give twice the errors, a fifth five times.",
        .reading = "agrees, and there is a reason: a matching that comes again does nothing. In a "
                   "halver the items of wires of the lower half only fall, those of the upper only "
                   "rise, so two wires that were compared once stay in order. Half the matchings "
                   "at 2k steps leave exactly the errors of k new ones."},
    {0},
};
