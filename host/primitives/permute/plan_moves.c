/* SPDX-License-Identifier: MIT */
/*
 * From a permutation to moves inside tiles. A list of at most T items is one tile. A longer list is
 * a matrix with rows of T items. Each item gets a column, such that no two items of a row, and no
 * two items with the same goal row, have the same column (a colouring of the graph of rows). An
 * item moves to that column within its row, then within the column to its goal row, then within
 * that row to its place. Transposed, columns are lists in the same way.
 */
#include "primitives/permute/permutation_plan.h"

#include <stdlib.h>

#include "core/check.h"
#include "core/size.h"

static dmm_status add_step(dmm_plan_moves *m, uint64_t rows, uint64_t cols, uint64_t count)
{
    if (m->num_steps == DMM_PLAN_MAX_STEPS)
        return DMM_BAD_PARAMETERS;
    m->steps[m->num_steps++] = (dmm_plan_step){rows, cols, count};
    m->num_moves += rows == 0;
    return DMM_OK;
}

/* Adds the steps for lists of `length` items: the outer ones around those of the columns. */
static dmm_status add_steps(dmm_plan_moves *m, uint64_t length)
{
    dmm_status status = DMM_OK;
    const uint64_t rows = length / m->tile;
    TRY(add_step(m, 0, 0, 0));
    if (length <= m->tile)
        goto out;
    TRY(add_step(m, rows, m->tile, m->padded / length));
    TRY(add_steps(m, rows));
    TRY(add_step(m, m->tile, rows, m->padded / length));
    TRY(add_step(m, 0, 0, 0));
out:
    return status;
}

dmm_status dmm_plan_moves_count(dmm_plan_moves *m)
{
    m->padded = m->n != 0 ? m->tile : 0;
    while (m->padded < m->n)
        m->padded *= 2;
    m->num_steps = 0;
    m->num_moves = 0;
    return m->n != 0 ? add_steps(m, m->padded) : DMM_OK;
}

dmm_status dmm_plan_moves_lay_out(dmm_plan_moves *m)
{
    dmm_status status = DMM_OK;
    TRY(dmm_plan_moves_count(m));
    const uint64_t bytes = dmm_size_mul(m->padded * m->num_moves, sizeof *m->moves);
    FAIL_IF(bytes >= SIZE_MAX, DMM_TOO_LARGE);
    m->moves = malloc(bytes != 0 ? (size_t)bytes : 1);
    FAIL_IF(m->moves == NULL, DMM_OUT_OF_MEMORY);
out:
    return status;
}

void dmm_plan_moves_free(dmm_plan_moves *m)
{
    free(m->moves);
    m->moves = NULL;
}

/* Arrays for filling the moves. */
typedef struct filling {
    dmm_plan_moves *m;
    uint32_t *left, *right, *colours, *scratch;
} filling;

/* Computes the moves of one tile: each step of w moves takes one item from each bank and stores one
 * to each bank. */
static void colour_tile(const filling *f, uint32_t *moves, const uint32_t *goals, uint32_t first)
{
    const uint32_t w = f->m->banks, T = f->m->tile;
    const dmm_graph graph = {f->left, f->right, w, T / w, f->scratch};
    for (uint32_t x = 0; x < T; x++) {
        f->left[x] = x % w;
        f->right[x] = (goals[x] - first) % w;
    }
    dmm_graph_colour(f->colours, &graph);
    for (uint32_t x = 0; x < T; x++)
        moves[f->colours[x] * w + x % w] = (goals[x] - first) << 16 | x;
}

static void write_moves(const filling *f, uint32_t *moves, const uint32_t *goals)
{
    const uint64_t T = f->m->tile;
    for (uint64_t first = 0; first < f->m->padded; first += T)
        if (f->m->banks != 0)
            colour_tile(f, moves + first, goals + first, (uint32_t)first);
        else
            for (uint64_t x = first; x < first + T; x++)
                moves[x] = (uint32_t)(goals[x] - first) << 16 | (uint32_t)(x - first);
}

/* Computes the first and the third move of one list, and the goals of its columns. `goals`: of the
 * list; afterwards those of the third move. */
static void route(const filling *f, uint32_t *goals, uint32_t *to_column, uint32_t *in_column,
    uint64_t base, uint64_t length)
{
    const uint32_t T = f->m->tile, rows = (uint32_t)(length / T);
    const dmm_graph graph = {f->left, f->right, rows, T, f->scratch};
    for (uint64_t x = 0; x < length; x++) {
        f->left[x] = (uint32_t)(x / T);
        f->right[x] = (uint32_t)((goals[base + x] - base) / T);
    }
    dmm_graph_colour(f->colours, &graph);
    for (uint64_t x = 0; x < length; x++) {
        const uint64_t row = f->left[x], column = f->colours[x];
        to_column[base + x] = (uint32_t)(base + row * T + column);
        in_column[base + column * rows + row] = (uint32_t)(base + column * rows + f->right[x]);
    }
    /* `left` is free: holds the goals in the order of the third move */
    for (uint64_t x = 0; x < length; x++)
        f->left[(uint64_t)f->right[x] * T + f->colours[x]] = goals[base + x];
    for (uint64_t x = 0; x < length; x++)
        goals[base + x] = f->left[x];
}

/* Fills the moves first .. last of lists of `length` items each. */
static dmm_status fill(
    const filling *f, uint32_t *goals, uint64_t length, uint32_t first, uint32_t last)
{
    dmm_status status = DMM_OK;
    const uint64_t padded = f->m->padded;
    uint32_t *columns = NULL, *moves = f->m->moves;
    if (length <= f->m->tile) {
        write_moves(f, moves + first * padded, goals);
        goto out;
    }
    FAIL_IF((columns = malloc((size_t)padded * 2 * sizeof *columns)) == NULL, DMM_OUT_OF_MEMORY);
    for (uint64_t base = 0; base < padded; base += length)
        route(f, goals, columns + padded, columns, base, length);
    write_moves(f, moves + first * padded, columns + padded);
    write_moves(f, moves + last * padded, goals);
    TRY(fill(f, columns, length / f->m->tile, first + 1, last - 1));
out:
    free(columns);
    return status;
}

dmm_status dmm_plan_moves_fill(dmm_plan_moves *m, uint32_t *goals)
{
    dmm_status status = DMM_OK;
    filling f = {.m = m};
    const uint64_t rows = m->padded / m->tile;
    const uint64_t vertices = rows > m->banks ? rows : m->banks;
    const uint64_t words = 3 * m->padded + dmm_graph_scratch((uint32_t)vertices, m->padded);
    if (m->n == 0)
        goto out;
    FAIL_IF((f.left = malloc((size_t)words * sizeof *f.left)) == NULL, DMM_OUT_OF_MEMORY);
    f.right = f.left + m->padded;
    f.colours = f.right + m->padded;
    f.scratch = f.colours + m->padded;
    TRY(fill(&f, goals, m->padded, 0, m->num_moves - 1));
out:
    free(f.left);
    return status;
}
