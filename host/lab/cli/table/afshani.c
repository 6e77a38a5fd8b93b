/* SPDX-License-Identifier: MIT */
/*
 * The bounds of P. Afshani, N. Sitchinava, "Sorting and Permuting without Bank Conflicts on GPUs",
 * 2015: it has no experiments, so its steps are counted and divided by the bound. Where a bound
 * holds, a column does not grow.
 */
#include <stdlib.h>

#include <dmm-model/matrix.h>
#include <dmm-model/tall.h>

#include "table.h"

static double log_of(double n)
{
    return log2(n);
}

static uint64_t steps_of(const dmm_model_matrix_cost *cost)
{
    return cost->rows.steps + cost->columns.steps + cost->turns.steps;
}

/* Sorts random items by each method, and divides the steps by `unit`. */
static bool measure_matrix(
    double *values, uint32_t w, uint32_t m, uint32_t label_bits, double unit, cli_error *error)
{
    const size_t n = (size_t)w * m;
    uint64_t *items = malloc(n * sizeof *items);
    if (!items)
        return cli_fail_memory(error, NULL, n * sizeof *items);
    for (int method = DMM_MODEL_MATRIX_LEMMA_1; method <= DMM_MODEL_MATRIX_SHEAR; method++) {
        const dmm_model_matrix matrix = {w, m, (dmm_model_matrix_method)method, label_bits};
        dmm_model_matrix_cost cost;
        uint64_t random = w + m;
        for (size_t i = 0; i < n; i++)
            items[i] = label_bits ? table_random(&random) % w : table_random(&random) >> 32;
        if (dmm_model_matrix_sort(&cost, items, &matrix) == DMM_MODEL_OK)
            values[method - DMM_MODEL_MATRIX_LEMMA_1] = (double)steps_of(&cost) / unit;
    }
    free(items);
    return true;
}

static bool measure_sort(double *values, const table_point *point, table_run *run, cli_error *error)
{
    const double w = point->sizes[0], m = point->sizes[1];
    (void)run;
    return measure_matrix(values, (uint32_t)w, (uint32_t)m, 0, m * log_of(w * m), error);
}

static bool measure_partition(
    double *values, const table_point *point, table_run *run, cli_error *error)
{
    const double w = point->sizes[0], m = point->sizes[1];
    (void)run;
    return measure_matrix(values, (uint32_t)w, (uint32_t)m, (uint32_t)log_of(w), m, error);
}

static const table_column methods[] = {{"Lemma 1", 1, false}, {"Theorem 1", 1, false},
    {"super-rows", 1, false}, {"Theorem 2", 1, false}, {"Lemma 2", 1, false},
    {"shearsort", 1, false}, {0}};

#define SHAPE(w, m)                                       \
    {                                                     \
        .label = #w " x " #m, .x = (w), .sizes = { w, m } \
    }

static const table_point matrix_shapes[] = {SHAPE(4, 16), SHAPE(8, 64), SHAPE(16, 256),
    SHAPE(32, 1024), SHAPE(64, 4096), SHAPE(16, 64), SHAPE(32, 128), SHAPE(64, 256),
    SHAPE(256, 1024), SHAPE(4, 4), SHAPE(8, 8), SHAPE(16, 16), SHAPE(32, 32), SHAPE(64, 64),
    SHAPE(128, 128), SHAPE(256, 256), SHAPE(4, 2), SHAPE(16, 4), SHAPE(64, 8), SHAPE(256, 16),
    SHAPE(8, 37), SHAPE(32, 100), SHAPE(32, 1000), {0}};

/* ---- Theorem 4 ------------------------------------------------------------------------------- */

static double share(const dmm_model_tally *tally, double m)
{
    return (double)tally->steps / m;
}

static bool measure_permute(
    double *values, const table_point *point, table_run *run, cli_error *error)
{
    const uint32_t w = (uint32_t)point->sizes[0], m = (uint32_t)point->sizes[1], n = w * m;
    uint64_t *items = malloc(2 * n * sizeof *items);
    uint32_t *goals = malloc(n * sizeof *goals);
    dmm_model_tall_cost c;
    dmm_model_matrix_cost other;
    (void)run;
    bool done = items && goals;
    if (done) {
        table_permutation(items, n, 1);
        for (uint32_t i = 0; i < n; i++) {
            goals[i] = (uint32_t)items[i];
            items[n + i] = goals[i] / m;
        }
        const dmm_model_matrix matrix = {
            w, m, DMM_MODEL_MATRIX_AUTO, (uint32_t)log_of(point->sizes[0])};
        done = dmm_model_tall_permute(&c, items, goals, w, m, 1) == DMM_MODEL_OK &&
               dmm_model_matrix_sort(&other, items + n, &matrix) == DMM_MODEL_OK;
    }
    free(goals);
    free(items);
    if (!done)
        return cli_fail_memory(error, NULL, 20ull * n);
    values[0] = c.rounds;
    values[1] = (double)c.left[c.rounds - 1];
    values[2] = share(&c.preprocessing, m) + share(&c.hashing, m) + share(&c.colouring, m) +
                share(&c.sending, m) + share(&c.counting, m);
    values[3] = share(&c.packing, m);
    values[4] = share(&c.sorting, m);
    values[5] = share(&c.delivering, m);
    values[6] = values[2] + values[3] + values[4] + values[5];
    values[7] = (double)steps_of(&other) / m;
    return true;
}

static const table_column permuting[] = {{"rounds", 0, false}, {"left", 0, false},
    {"in rounds", 0, false}, {"packing", 0, false}, {"sorting", 0, false}, {"delivering", 0, false},
    {"all", 0, false}, {"partition", 0, false}, {0}};

static const table_point tall_shapes[] = {SHAPE(64, 64), SHAPE(256, 64), SHAPE(1024, 64),
    SHAPE(4096, 64), SHAPE(16384, 64), SHAPE(4096, 16), SHAPE(4096, 32), SHAPE(4096, 128),
    SHAPE(4096, 256), {0}};

#define SOURCE "Afshani and Sitchinava 2015, "

const paper_table tables_afshani[] = {
    {.name = "as-sort",
        .title = "steps of sorting a w x m matrix, a row a bank, over m log2(mw)",
        .source = SOURCE "section 2: Lemmas 1 and 2, Theorems 1 and 2",
        .head = "w x m",
        .unit = "steps over m log2(mw)",
        .columns = methods,
        .points = matrix_shapes,
        .measure = measure_sort,
        .paper = "O(m log(mw)) steps for Lemma 1 (w <= sqrt m), Theorem 1 (w <= m) and Theorem 2; "
                 "shearsort O(m log(mw) log w).",
        .reading = "the bounds hold where the paper claims them. Theorem 2's columns are sorted by "
                   "Batcher's network, O(log^2 w) in place of the paper's O(log w), so its column "
                   "grows. Lemma 2 fits the tall shapes that fulfil log m (log m - 1) >= 2 log w. "
                   "docs/matrix.md has the proofs and corrections."},
    {.name = "as-partition",
        .title = "steps of partitioning a w x m matrix into w ways, over m",
        .source = SOURCE "section 2: Corollary 1 and what follows from it",
        .head = "w x m",
        .unit = "steps over m",
        .columns = methods,
        .points = matrix_shapes,
        .measure = measure_partition,
        .paper = "O(m) steps: rows are sorted by counting their labels.",
        .reading = "between 72.4 and 74.2 steps a column for Theorem 1 on large square shapes, "
                   "flat as claimed."},
    {.name = "as-permute",
        .title = "steps of permuting w rows of m items by a random hash, over m",
        .source = SOURCE "section 3 and appendix B: Theorem 4",
        .head = "w x m",
        .unit = "steps over m",
        .columns = permuting,
        .points = tall_shapes,
        .measure = measure_permute,
        .paper = "expected O(m log log log_m w) steps; a partition of tall matrices takes "
                 "O(m log_m w) at best by the paper's methods.",
        .reading = "rounds stay at most 3; the rest that is sorted (`left`) is small. All parts "
                   "together stay below the partition. Two upper bounds are compared, which proves "
                   "no separation of the two problems."},
    {0},
};
