/* SPDX-License-Identifier: MIT */
/* K. Berney 2023, chapters 4 and 5: bank conflicts of merge sorts, counted on the modelled sort. */
#include <stdlib.h>

#include <dmm-model/plain_sort.h>
#include <dmm-model/worst.h>

#include "svg.h"
#include "table.h"

#define SOURCE "Berney 2023, "

/* ---- Figure 4.1 ------------------------------------------------------------------------------ */

enum { FIGURE_W = 12 };

/* What one warp's merge of the sequence T reads: word and step of each thread's items. */
typedef struct warp_reads {
    uint32_t w, E;
    uint32_t a_items;
    uint16_t word[DMM_MODEL_LANES_MAX][DMM_MODEL_LANES_MAX]; /* by thread and step; B behind A */
} warp_reads;

static void read_warp(warp_reads *out, uint32_t w, uint32_t E)
{
    dmm_model_share shares[DMM_MODEL_LANES_MAX];
    uint32_t a = 0, b = 0;
    *out = (warp_reads){.w = w, .E = E};
    if (dmm_model_worst_warp(shares, w, E, 0) != DMM_MODEL_OK)
        return;
    for (uint32_t t = 0; t < w; t++)
        out->a_items += shares[t].a;
    for (uint32_t t = 0; t < w; t++) {
        const dmm_model_share *const s = &shares[t];
        const uint32_t b_at = out->a_items + b;
        for (uint32_t j = 0; j < E; j++) {
            const bool first = j < (s->b_first ? s->b : s->a), from_b = first == (s->b_first != 0);
            const uint32_t k = first ? j : j - (s->b_first ? s->b : s->a);
            out->word[t][j] = (uint16_t)((from_b ? b_at : a) + k);
        }
        a += s->a;
        b += s->b;
    }
}

static bool is_aligned(const warp_reads *reads, uint32_t word, uint32_t step)
{
    return word % reads->w == reads->w - reads->E + step;
}

/* Counts aligned reads and passes: both lists begin at bank 0. */
static bool measure_figure_4_1(
    double *values, const table_point *point, table_run *run, cli_error *error)
{
    warp_reads reads;
    double aligned = 0, passes = 0;
    (void)run;
    (void)error;
    read_warp(&reads, (uint32_t)point->sizes[0], (uint32_t)point->sizes[1]);
    for (uint32_t j = 0; j < reads.E; j++) {
        uint32_t in_bank[DMM_MODEL_LANES_MAX] = {0}, most = 0;
        for (uint32_t t = 0; t < reads.w; t++) {
            const uint32_t bank = reads.word[t][j] % reads.w;
            aligned += is_aligned(&reads, reads.word[t][j], j);
            most = ++in_bank[bank] > most ? in_bank[bank] : most;
        }
        passes += most;
    }
    values[0] = aligned;
    values[1] = passes;
    values[2] = (double)dmm_model_worst_aligned(reads.w, reads.E);
    return true;
}

/* Draws the words of both lists as the figure does: a row a bank, a cell the reading thread. */
static void draw_warp(FILE *out, uint32_t E, double left)
{
    enum { CELL = 26, HEAD = 60 };
    warp_reads reads;
    read_warp(&reads, FIGURE_W, E);
    cli_svg_text(out, left, HEAD - 14, "", "E = %u: banks downwards, a cell is a word", E);
    for (uint32_t t = 0; t < FIGURE_W; t++)
        for (uint32_t j = 0; j < E; j++) {
            const uint32_t word = reads.word[t][j];
            const double x = left + CELL * (double)(word / FIGURE_W);
            const double y = HEAD + CELL * (double)(word % FIGURE_W);
            fprintf(out,
                "<rect x=\"%.0f\" y=\"%.0f\" width=\"%d\" height=\"%d\" fill=\"%s\" "
                "stroke=\"#555555\"/>\n",
                x, y, CELL, CELL,
                is_aligned(&reads, word, j) ? "#D55E00"
                : word < reads.a_items      ? "#F0E442"
                                            : "#56B4E9");
            cli_svg_text(out, x + CELL / 2.0, y + 17, "text-anchor=\"middle\"", "%u", t);
        }
}

static void draw_figure_4_1(FILE *out)
{
    cli_svg_begin(out, 480, 440, "font-size=\"12\"");
    cli_svg_text(
        out, 20, 24, "font-size=\"15\"", "The worst input of a warp of %d threads", FIGURE_W);
    draw_warp(out, 5, 20);
    draw_warp(out, 9, 200);
    cli_svg_text(out, 20, 410, "",
        "Numbers: reading threads. Red: aligned. Yellow, blue: the rest of lists A and B.");
    fputs("</svg>\n", out);
}

static const table_column figure_4_1_columns[] = {
    {"aligned reads", 0, false}, {"passes", 0, false}, {"Theorem 30", 0, false}, {0}};

static const table_point figure_4_1_points[] = {{.label = "w = 12, E = 5", .sizes = {12, 5}},
    {.label = "w = 12, E = 9", .sizes = {12, 9}}, {.label = "w = 32, E = 15", .sizes = {32, 15}},
    {.label = "w = 32, E = 17", .sizes = {32, 17}}, {0}};

/* ---- The modelled sort ----------------------------------------------------------------------- */

typedef struct sums {
    double search, search_steps, gather, gather_steps, store, conflicts, warps;
} sums;

static bool sort_keys(sums *out, uint64_t *keys, uint64_t n, const dmm_model_merge_shape *shape)
{
    dmm_model_plain_round rounds[DMM_MODEL_PLAIN_ROUNDS_MAX];
    uint32_t used = 0;
    *out = (sums){0};
    if (dmm_model_plain_sort(rounds, &used, keys, n, shape) != DMM_MODEL_OK)
        return false;
    for (uint32_t r = 0; r < used; r++) {
        out->search += (double)rounds[r].search.passes;
        out->search_steps += (double)rounds[r].search.steps;
        out->gather += (double)rounds[r].gather.passes;
        out->gather_steps += (double)rounds[r].gather.steps;
        out->store += (double)rounds[r].store.passes;
        out->conflicts += (double)(rounds[r].search.conflicts + rounds[r].gather.conflicts +
                                   rounds[r].store.conflicts);
        out->warps += (double)rounds[r].warps;
    }
    return true;
}

/* Sorts random keys and the worst ones. */
static bool sort_both(
    sums *random, sums *worst, uint64_t n, const dmm_model_merge_shape *shape, cli_error *error)
{
    uint64_t *keys = malloc((size_t)n * sizeof *keys);
    if (!keys)
        return cli_fail_memory(error, NULL, n * sizeof *keys);
    table_permutation(keys, n, 4);
    bool done = sort_keys(random, keys, n, shape) &&
                dmm_model_worst_merge(keys, n, shape) == DMM_MODEL_OK &&
                sort_keys(worst, keys, n, shape);
    free(keys);
    return done || cli_fail_memory(error, NULL, 4 * n * sizeof *keys);
}

/* The shapes of Thrust and Modern GPU: w, u, E. */
static const dmm_model_merge_shape shape_15 = {32, 512, 15}, shape_17 = {32, 256, 17};

/* ---- Figure 4.5 ------------------------------------------------------------------------------ */

static bool measure_figure_4_5(
    double *values, const table_point *point, table_run *run, cli_error *error)
{
    const dmm_model_merge_shape *const shapes[] = {&shape_15, &shape_17};
    (void)run;
    for (int i = 0; i < 2; i++) {
        sums random, worst;
        const double n = point->sizes[0] * shapes[i]->E;
        if (!sort_both(&random, &worst, (uint64_t)n, shapes[i], error))
            return false;
        values[2 * i] = random.conflicts / n;
        values[2 * i + 1] = worst.conflicts / n;
    }
    return true;
}

static const table_column figure_4_5_columns[] = {{"E=15 u=512 random", 2, false},
    {"E=15 u=512 worst", 2, false}, {"E=17 u=256 random", 2, false}, {"E=17 u=256 worst", 2, false},
    {0}};

#define POWER(i, large)                                                                  \
    {                                                                                    \
        .label = "2^" #i " E", .x = (double)(1u << (i)), .sizes = {(double)(1u << (i))}, \
        .full = (large)                                                                  \
    }

static const table_point figure_4_5_points[] = {POWER(9, false), POWER(10, false), POWER(11, false),
    POWER(12, false), POWER(13, false), POWER(14, false), POWER(15, false), POWER(16, true),
    POWER(18, true), POWER(20, true), POWER(22, true), POWER(24, true), {0}};

/* ---- Figures 4.2 to 4.4 ---------------------------------------------------------------------- */

/* sizes: u, E. */
static bool measure_slowdown(
    double *values, const table_point *point, table_run *run, cli_error *error)
{
    const dmm_model_merge_shape shape = {32, (uint32_t)point->sizes[0], (uint32_t)point->sizes[1]};
    const uint64_t n = (run->full ? UINT64_C(1) << 20 : UINT64_C(1) << 14) * shape.E;
    sums random, worst;
    if (!sort_both(&random, &worst, n, &shape, error))
        return false;
    const double less = random.search + random.gather + random.store;
    const double more = worst.search + worst.gather + worst.store;
    values[0] = 100 * (more / less - 1);
    values[1] = (less - random.conflicts) / (double)n;
    values[2] = less / (double)n;
    values[3] = more / (double)n;
    return true;
}

static const table_column slowdown_columns[] = {{"paper: peak slowdown %", 2, true},
    {"paper: mean %", 2, true}, {"more passes on worst %", 0, false},
    {"passes a key without conflicts", 2, false}, {"random", 2, false}, {"worst", 2, false}, {0}};

static const table_point slowdown_points[] = {
    {.label = "Thrust, M4000 (15, 512)", .sizes = {512, 15}, .paper = {50.49, 43.53}},
    {.label = "Modern GPU, M4000 (15, 128)", .sizes = {128, 15}, .paper = {33.82, 27.3}},
    {.label = "Thrust, 2080 Ti (15, 512)", .sizes = {512, 15}, .paper = {42.43, 33.31}},
    {.label = "Thrust, 2080 Ti (17, 256)", .sizes = {256, 17}, .paper = {22.94, 16.54}},
    {.label = "Modern GPU, 2080 Ti (15, 512)", .sizes = {512, 15}, .paper = {42.62, 35.25}},
    {.label = "Modern GPU, 2080 Ti (17, 256)", .sizes = {256, 17}, .paper = {20.34, 12.97}}, {0}};

/* ---- Section 4.1.2: beta --------------------------------------------------------------------- */

static bool measure_beta(double *values, const table_point *point, table_run *run, cli_error *error)
{
    const dmm_model_merge_shape shape = {32, (uint32_t)point->sizes[0], (uint32_t)point->sizes[1]};
    const uint64_t n = (run->full ? UINT64_C(1) << 20 : UINT64_C(1) << 14) * shape.E;
    sums random, worst;
    if (!sort_both(&random, &worst, n, &shape, error))
        return false;
    values[0] = random.search / random.search_steps;
    values[1] = random.gather / random.gather_steps;
    values[2] = worst.search / worst.search_steps;
    values[3] = worst.gather / worst.gather_steps;
    return true;
}

static const table_column beta_columns[] = {{"paper: beta_1", 1, true}, {"paper: beta_2", 1, true},
    {"search, random", 2, false}, {"merge, random", 2, false}, {"search, worst", 2, false},
    {"merge, worst", 2, false}, {0}};

static const table_point beta_points[] = {
    {.label = "E = 15, u = 128", .sizes = {128, 15}, .paper = {3.1, 2.2}},
    {.label = "E = 15, u = 512", .sizes = {512, 15}, .paper = {TABLE_NONE, TABLE_NONE}},
    {.label = "E = 17, u = 256", .sizes = {256, 17}, .paper = {TABLE_NONE, TABLE_NONE}}, {0}};

const paper_table tables_berney_conflicts[] = {
    {.name = "berney-4.1",
        .title = "the worst input of one warp",
        .source = SOURCE "section 4.2, figure 4.1 and Theorem 30",
        .head = "warp",
        .unit = "reads",
        .columns = figure_4_1_columns,
        .points = figure_4_1_points,
        .measure = measure_figure_4_1,
        .paper = "the figure shows w = 12 with E = 5 and E = 9.",
        .reading =
            "the sequence T is the figure's, and aligned reads are the theorem's. Passes are "
            "d^2 (W e - floor(W^2/4)) above E = w/2 (docs/model.md).",
        .draw = draw_figure_4_1},
    {.name = "berney-4.2",
        .title = "slowdown of merge sorts on their worst input (figures 4.2 to 4.4)",
        .source = SOURCE "section 4.3.2, figures 4.2, 4.3 and 4.4",
        .head = "library, GPU (E, u)",
        .unit = "percent",
        .columns = slowdown_columns,
        .points = slowdown_points,
        .measure = measure_slowdown,
        .paper =
            "throughput on two GPUs, mean of 10 runs. How a slowdown follows from it is not said; "
            "figure 5.6 fits worst / random - 1, of times.",
        .reading =
            "(15, 512) agrees in kind: both sorts lose, and more passes of local memory than time, "
            "since a sort does more than pass. The order of the shapes does not: (17, 256) has "
            "more "
            "passes on its worst input and yet loses less on the 2080 Ti. It fills 75 % of the "
            "threads of that GPU, as the thesis says; the rest is open. Time was not measured: no "
            "GPU was at hand. docs/records/speed.md has cycles of a simulated V100, for CUB's "
            "shape, by `python3 bench/simulated/simulate.py`."},
    {.name = "berney-4.5",
        .title = "bank conflicts a key over n, of Thrust's merge sort",
        .source = SOURCE "section 4.3.2, figure 4.5",
        .head = "keys",
        .unit = "conflicts a key",
        .scale = TABLE_LOG2,
        .heights = TABLE_LINEAR,
        .columns = figure_4_5_columns,
        .points = figure_4_5_points,
        .measure = measure_figure_4_5,
        .paper = "conflicts a key grow with log n for both shapes and inputs; on the worst input "
                 "(15, 512) has more than (17, 256) on the 2080 Ti.",
        .reading = "both grow by a constant a doubling, as claimed. On the worst input the model "
                   "has more conflicts for (17, 256), while the thesis finds that conflicts "
                   "explain why (15, 512) takes longer. A possible reason: the thesis' counter is "
                   "not of shared memory alone. docs/records/speed.md has cycles of a simulated "
                   "V100 at two sizes, by `python3 bench/simulated/simulate.py`."},
    {.name = "berney-beta",
        .title = "passes of a step of search and merge, on random keys",
        .source = SOURCE "section 4.1.2, measured by Karsin et al. for Modern GPU",
        .head = "shape",
        .unit = "passes a step",
        .columns = beta_columns,
        .points = beta_points,
        .measure = measure_beta,
        .paper = "beta_1 = 3.1 for the search, beta_2 = 2.2 for the merge.",
        .reading = "the same size, not the same digits: the model counts passes of all lanes in "
                   "lock-step, first pass included, of the sort of section 4.1.1, where Karsin et "
                   "al. counted replays in Modern GPU's code. A step of the search is a probe of "
                   "one list."},
    {0},
};
