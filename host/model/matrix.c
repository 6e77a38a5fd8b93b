/* SPDX-License-Identifier: MIT */
/*
 * Sorting and partitioning a matrix without bank conflicts, step by step: P. Afshani, N.
 * Sitchinava, "Sorting and Permuting without Bank Conflicts on GPUs", ESA 2015, section 2. Items
 * are laid out with a row a bank, the phases of a plan are carried out, and every step is checked.
 */
#include "model/banked.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define PADDING UINT64_MAX

/* The two enumerations of methods have the same values. */
_Static_assert((int)DMM_MODEL_MATRIX_AUTO == (int)DMM_BY_AUTO &&
                   (int)DMM_MODEL_MATRIX_LEMMA_1 == (int)DMM_BY_LEMMA_1 &&
                   (int)DMM_MODEL_MATRIX_THEOREM_1 == (int)DMM_BY_THEOREM_1 &&
                   (int)DMM_MODEL_MATRIX_SUPER_ROWS == (int)DMM_BY_SUPER_ROWS &&
                   (int)DMM_MODEL_MATRIX_THEOREM_2 == (int)DMM_BY_THEOREM_2 &&
                   (int)DMM_MODEL_MATRIX_LEMMA_2 == (int)DMM_BY_LEMMA_2 &&
                   (int)DMM_MODEL_MATRIX_SHEAR == (int)DMM_BY_SHEAR,
    "dmm_model_matrix_method is dmm_matrix_by");

/* ---- Memory -------------------------------------------------------------------------------- */

/* Memory for w rows of m columns; label_bits and padded are set. */
static dmm_model_status banked_init(dmm_banked *b)
{
    return dmm_banked_init(b, 2 * b->m + dmm_banked_counters(b));
}

/* Loads items: items[i*m + j] is row i, column j; columns beyond m are padding. */
static void load(dmm_banked *b, const uint64_t *items, uint32_t m)
{
    for (uint32_t i = 0; i < b->w; i++)
        for (uint32_t j = 0; j < b->m; j++)
            b->words[dmm_banked_word(b, i, j)] = j < m ? items[(size_t)i * m + j] : PADDING;
}

static void store(const dmm_banked *b, uint64_t *items, uint32_t m)
{
    for (uint32_t i = 0; i < b->w; i++)
        for (uint32_t j = 0; j < m; j++)
            items[(size_t)i * m + j] = b->words[dmm_banked_word(b, i, j)];
}

/* ---- Sorting ------------------------------------------------------------------------------- */

static void turn(dmm_banked *b, dmm_model_tally *tally, const dmm_matrix_phase *phase)
{
    b->tally = tally;
    if (phase->turn != DMM_TURN_NONE)
        dmm_banked_turn(b, phase);
}

static void run(dmm_banked *b, const dmm_matrix_plan *plan, dmm_model_matrix_cost *cost)
{
    for (uint32_t p = 0; p < plan->count; p++) {
        const dmm_matrix_phase *phase = &plan->phases[p];
        turn(b, cost != NULL ? &cost->turns : NULL, phase);
        if (phase->run > 0) {
            b->tally = cost != NULL ? &cost->rows : NULL;
            dmm_banked_sort_rows(b, phase);
        } else {
            b->tally = cost != NULL ? &cost->columns : NULL;
            dmm_banked_sort_columns(b, phase);
        }
    }
}

/* Converts rows of b->m columns to rows of m: column-major layout does not depend on the number of
 * columns. */
static void unpad(dmm_banked *b, uint32_t m, dmm_model_matrix_cost *cost)
{
    dmm_matrix_phase phase = {.turn = DMM_TURN_TO_COLUMNS, .turned = b->w, .stride = 1};
    if (m == b->m)
        return;
    turn(b, cost != NULL ? &cost->turns : NULL, &phase);
    b->m = m;
    phase.turn = DMM_TURN_TO_ROWS;
    turn(b, cost != NULL ? &cost->turns : NULL, &phase);
}

dmm_model_status dmm_matrix_plan_run(dmm_model_matrix_cost *cost, uint64_t *items,
    const dmm_matrix_plan *plan, const dmm_model_matrix *matrix)
{
    dmm_banked b = {.w = plan->w,
        .m = plan->m,
        .label_bits = matrix->label_bits,
        .padded = matrix->label_bits != 0 && plan->m != matrix->m};
    const dmm_model_status status = banked_init(&b);
    if (status != DMM_MODEL_OK)
        return status;
    load(&b, items, matrix->m);
    run(&b, plan, cost);
    unpad(&b, matrix->m, cost);
    store(&b, items, matrix->m);
    dmm_banked_free(&b);
    return DMM_MODEL_OK;
}

/* True if 32 bits cannot address six times the items, padding and counters included. */
static bool is_too_large(uint32_t w, uint32_t m)
{
    return m > DMM_MODEL_MATRIX_COLUMNS_MAX || (uint64_t)w * m > DMM_MODEL_MATRIX_ITEMS_MAX;
}

static dmm_model_status check(const uint64_t *items, const dmm_model_matrix *matrix)
{
    if (items == NULL || matrix == NULL)
        return DMM_MODEL_NULL_ARGUMENT;
    if (matrix->w == 0 || matrix->w > DMM_MODEL_MATRIX_ROWS_MAX ||
        (matrix->w & (matrix->w - 1)) != 0 || matrix->m == 0 ||
        (unsigned)matrix->method > DMM_MODEL_MATRIX_SHEAR || matrix->label_bits > 32)
        return DMM_MODEL_BAD_VALUE;
    if (is_too_large(matrix->w, matrix->m))
        return DMM_MODEL_TOO_LARGE;
    for (uint64_t x = 0; matrix->label_bits != 0 && x < (uint64_t)matrix->w * matrix->m; x++)
        if (items[x] >> 63 != 0)
            return DMM_MODEL_BAD_DATA;
    return DMM_MODEL_OK;
}

dmm_model_status dmm_model_matrix_sort(
    dmm_model_matrix_cost *out, uint64_t *items, const dmm_model_matrix *matrix)
{
    dmm_model_status status = check(items, matrix);
    if (status != DMM_MODEL_OK)
        return status;
    dmm_model_matrix_cost cost = {.padded_m = dmm_matrix_columns(matrix->w, matrix->m)};
    dmm_matrix_by method = (dmm_matrix_by)matrix->method;
    dmm_matrix_plan *plan = malloc(sizeof *plan);
    if (plan == NULL)
        return DMM_MODEL_OUT_OF_MEMORY;
    dmm_matrix_plan_make(plan, matrix->w, cost.padded_m, 1, &method,
        dmm_row_steps(cost.padded_m, matrix->label_bits));
    cost.method = (dmm_model_matrix_method)method;
    cost.phases = plan->count;
    status = plan->fits ? dmm_matrix_plan_run(out != NULL ? &cost : NULL, items, plan, matrix)
                        : DMM_MODEL_UNSUPPORTED;
    if (status == DMM_MODEL_OK && out != NULL)
        *out = cost;
    free(plan);
    return status;
}

dmm_model_status dmm_model_matrix_turn(
    dmm_model_tally *out, uint64_t *items, uint32_t w, uint32_t m, int to_columns)
{
    if (items == NULL)
        return DMM_MODEL_NULL_ARGUMENT;
    if (w == 0 || w > DMM_MODEL_MATRIX_ROWS_MAX || m == 0)
        return DMM_MODEL_BAD_VALUE;
    if (is_too_large(w, m))
        return DMM_MODEL_TOO_LARGE;
    dmm_banked b = {.w = w, .m = m};
    dmm_model_tally tally = {0};
    const dmm_matrix_phase phase = {
        .turn = to_columns ? DMM_TURN_TO_COLUMNS : DMM_TURN_TO_ROWS, .turned = w, .stride = 1};
    const dmm_model_status status = banked_init(&b);
    if (status != DMM_MODEL_OK)
        return status;
    load(&b, items, m);
    turn(&b, out != NULL ? &tally : NULL, &phase);
    store(&b, items, m);
    dmm_banked_free(&b);
    if (out != NULL)
        *out = tally;
    return DMM_MODEL_OK;
}
