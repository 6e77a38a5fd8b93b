/* SPDX-License-Identifier: MIT */
/*
 * Turning a matrix in place, and sorting its columns, step by step.
 *
 * B. Catanzaro, A. Keller, M. Garland, "A Decomposition for In-place Matrix Transposition", PPoPP
 * 2014, DOI 10.1145/2555243.2555253: to read a matrix of g x m column after column, and to write it
 * row after row, columns are rotated, then rows permuted, then columns permuted. In a step of a
 * column every row is read once, and written once; a row is permuted by its own processor, cycle by
 * cycle, with one item in hand and a mark for each.
 */
#include "model/banked.h"

#include <stdbool.h>
#include <string.h>

static uint32_t gcd(uint32_t a, uint32_t b)
{
    return b == 0 ? a : gcd(b, a % b);
}

/* The maps of a group of g x m, c = gcd(g, m). */
typedef struct shape {
    uint32_t g, m, c;
} shape;

/* Returns the row whose item column j moves to row r when columns are rotated, first. */
static uint32_t rotated(const shape *s, uint32_t r, uint32_t j)
{
    return (r + j / (s->m / s->c)) % s->g;
}

/* Returns the column to which the item at column j of row r goes when rows are permuted. */
static uint32_t shuffled(const shape *s, uint32_t r, uint32_t j)
{
    return (uint32_t)((rotated(s, r, j) + (uint64_t)j * s->g) % s->m);
}

/* Returns the row whose item column j moves to row r when columns are permuted, last. */
static uint32_t drawn(const shape *s, uint32_t r, uint32_t j)
{
    return (uint32_t)((j + (uint64_t)r * s->m + s->g - r / (s->g / s->c)) % s->g);
}

typedef uint32_t column_map(const shape *s, uint32_t r, uint32_t j);

/* Moves a column: the processor of row i reads from, or writes to, the row given by the map; its
 * own row is the other side. */
static void move_columns(
    dmm_banked *b, const dmm_matrix_phase *phase, const shape *s, column_map *map, bool writes)
{
    for (uint32_t j = 0; j < s->m; j++)
        for (int write = 0; write < 2; write++) {
            for (uint32_t i = 0; i < b->w; i++) {
                const uint32_t r = dmm_phase_number(phase, i) % s->g;
                const uint32_t other = i + (map(s, r, j) - r) * phase->stride;
                b->at[i] = dmm_phase_rests(phase, i)
                               ? DMM_IDLE
                               : dmm_banked_word(b, write == writes ? other : i, j);
            }
            dmm_banked_step(b);
            for (uint32_t i = 0; i < b->w; i++)
                if (b->at[i] != DMM_IDLE && write)
                    b->words[b->at[i]] = b->hand[i];
                else if (b->at[i] != DMM_IDLE)
                    b->hand[i] = b->words[b->at[i]];
        }
}

/* Returns the next column, from `from` on, whose item has to move; marks those that stay on the
 * way. */
static uint32_t next_start(dmm_banked *b, const shape *s, uint32_t i, uint32_t r, uint32_t from)
{
    uint32_t j = from;
    while (j < s->m && (b->done[(size_t)i * b->m + j] || shuffled(s, r, j) == j))
        j++;
    return j;
}

/* Prepares a read: of the first item of a cycle, or of the item at the target, unless the cycle
 * ends there. */
static void aim(dmm_banked *b, const shape *s, uint32_t i, uint32_t r)
{
    dmm_lane *l = &b->lanes[i];
    if (!l->active)
        l->start = l->at = l->target = next_start(b, s, i, r, l->start);
    else
        l->target = shuffled(s, r, l->at);
    const bool reads = l->start < s->m && (!l->active || l->target != l->start);
    b->at[i] = reads ? dmm_banked_word(b, i, l->target) : DMM_IDLE;
}

/* Writes the item in hand to the target (gathers: the item read, to the processor's column). */
static void put_down(dmm_banked *b, uint32_t i, bool gathers, uint64_t read)
{
    dmm_lane *l = &b->lanes[i];
    const uint32_t to = gathers ? l->at : l->target;
    const bool ends = l->target == l->start, wrote = l->active;
    if (wrote) {
        b->words[dmm_banked_word(b, i, to)] = gathers && !ends ? read : b->hand[i];
        b->done[(size_t)i * b->m + to] = 1;
    }
    if (!wrote || !gathers)
        b->hand[i] = read;
    b->at[i] = wrote ? dmm_banked_word(b, i, to) : DMM_IDLE;
    l->active = l->start < b->m && !(wrote && ends);
    l->at = l->target;
}

/* Permutes rows: items move from column j to shuffled(j); gathers: the other way. */
static void permute_rows(dmm_banked *b, const dmm_matrix_phase *phase, const shape *s, bool gathers)
{
    uint32_t working = 0;
    memset(b->done, 0, (size_t)b->w * b->m);
    for (uint32_t i = 0; i < b->w; i++)
        b->lanes[i] = (dmm_lane){.start = dmm_phase_rests(phase, i) ? b->m : 0};
    do {
        working = 0;
        for (uint32_t i = 0; i < b->w; i++) {
            aim(b, s, i, dmm_phase_number(phase, i) % s->g);
            working += b->lanes[i].start < b->m;
        }
        dmm_banked_step(b);
        for (uint32_t i = 0; i < b->w; i++)
            put_down(b, i, gathers, b->at[i] != DMM_IDLE ? b->words[b->at[i]] : 0);
        dmm_banked_step(b);
    } while (working > 0);
}

void dmm_banked_turn(dmm_banked *b, const dmm_matrix_phase *phase)
{
    const shape s = {phase->turned, b->m, gcd(phase->turned, b->m)};
    if (s.g == 1 || s.m == 1)
        return;
    if (phase->turn == DMM_TURN_TO_ROWS) {
        if (s.c > 1)
            move_columns(b, phase, &s, rotated, false);
        permute_rows(b, phase, &s, false);
        move_columns(b, phase, &s, drawn, false);
    } else {
        move_columns(b, phase, &s, drawn, true);
        permute_rows(b, phase, &s, true);
        if (s.c > 1)
            move_columns(b, phase, &s, rotated, true);
    }
}

/* ---- Columns ------------------------------------------------------------------------------- */

/* Returns the item that the processor keeps of its own and its partner's: the first of both, or the
 * last. */
static uint64_t kept(const dmm_banked *b, uint64_t own, uint64_t other, bool first)
{
    const bool takes = first ? dmm_banked_key(b, other) < dmm_banked_key(b, own)
                             : dmm_banked_key(b, own) < dmm_banked_key(b, other);
    return takes ? other : own;
}

/* Returns the row whose number differs in the bits of d. */
static uint32_t partner_of(const dmm_matrix_phase *phase, uint32_t i, uint32_t d)
{
    const uint32_t r = dmm_phase_number(phase, i);
    return i + ((r ^ d) - r) * phase->stride;
}

/*
 * K. Batcher's bitonic sort, in the form in which all comparisons have one direction: a processor
 * holds its row's item, reads its partner's and writes what it keeps. One step of every column
 * after the other: any two processors are in different rows.
 */
static void sort_column(dmm_banked *b, const dmm_matrix_phase *phase, uint32_t j)
{
    for (uint32_t i = 0; i < b->w; i++) {
        b->at[i] = dmm_phase_rests(phase, i) ? DMM_IDLE : dmm_banked_word(b, i, j);
        b->hand[i] = b->words[dmm_banked_word(b, i, j)];
    }
    dmm_banked_step(b);
    for (uint32_t span = 1; span < phase->height; span *= 2)
        for (uint32_t d = 2 * span - 1; d > 0; d = d > span ? span / 2 : d / 2) {
            for (uint32_t i = 0; i < b->w; i++)
                if (b->at[i] != DMM_IDLE)
                    b->at[i] = dmm_banked_word(b, partner_of(phase, i, d), j);
            dmm_banked_step(b);
            for (uint32_t i = 0; i < b->w; i++)
                if (b->at[i] != DMM_IDLE) {
                    const uint32_t r = dmm_phase_number(phase, i);
                    b->hand[i] = kept(b, b->hand[i], b->words[b->at[i]],
                        ((r ^ d) > r) != dmm_phase_falls(phase, i));
                    b->at[i] = dmm_banked_word(b, i, j);
                }
            dmm_banked_step(b);
            for (uint32_t i = 0; i < b->w; i++)
                if (b->at[i] != DMM_IDLE)
                    b->words[b->at[i]] = b->hand[i];
        }
}

void dmm_banked_sort_columns(dmm_banked *b, const dmm_matrix_phase *phase)
{
    for (uint32_t j = 0; j < b->m; j++)
        sort_column(b, phase, j);
}
