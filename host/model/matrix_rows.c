/* SPDX-License-Identifier: MIT */
/*
 * Sorting the rows of a matrix, each by its processor, in its own bank: what it accesses there may
 * depend on the items, and no two processors ever meet. By merging, two steps an item and pass; by
 * counting labels, where there are labels: seven steps an item and digit, two steps a counter.
 */
#include <stdbool.h>

#include "model/banked.h"

static uint32_t log_down(uint32_t x)
{
    uint32_t log = 0;
    while (x >> (log + 1) != 0)
        log++;
    return log;
}

/* Counts a step in which all processors access column j of their rows, except those that rest. */
static void step_at(dmm_banked *b, const dmm_matrix_phase *phase, uint32_t j)
{
    for (uint32_t i = 0; i < b->w; i++)
        b->at[i] = dmm_phase_rests(phase, i) ? DMM_IDLE : dmm_banked_word(b, i, j);
    dmm_banked_step(b);
}

/* Moves n items of every row from column `from` on to column `to` on. */
static void copy(
    dmm_banked *b, const dmm_matrix_phase *phase, uint32_t from, uint32_t to, uint32_t n)
{
    for (uint32_t j = 0; j < n; j++) {
        step_at(b, phase, from + j);
        for (uint32_t i = 0; i < b->w; i++)
            b->hand[i] = b->words[dmm_banked_word(b, i, from + j)];
        step_at(b, phase, to + j);
        for (uint32_t i = 0; i < b->w; i++)
            if (b->at[i] != DMM_IDLE)
                b->words[b->at[i]] = b->hand[i];
    }
}

/* ---- By merging ---------------------------------------------------------------------------- */

/* Lets a processor read the first item of one of its lists, if one is left. */
static void aim_at_head(dmm_banked *b, uint32_t i, int list, bool rests)
{
    const dmm_lane *l = &b->lanes[i];
    b->at[i] =
        !rests && l->next[list] < l->end[list] ? dmm_banked_word(b, i, l->next[list]) : DMM_IDLE;
}

static void read_head(dmm_banked *b, uint32_t i, int list)
{
    if (b->at[i] != DMM_IDLE)
        b->lanes[i].head[list] = b->words[b->at[i]];
}

/* Returns the list with the next item of a processor's merge. */
static int next_list(const dmm_banked *b, uint32_t i, bool falls)
{
    const dmm_lane *l = &b->lanes[i];
    const uint64_t x = dmm_banked_key(b, l->head[0]), y = dmm_banked_key(b, l->head[1]);
    if (l->next[0] == l->end[0] || l->next[1] == l->end[1])
        return l->next[0] == l->end[0];
    return falls ? x < y : y < x;
}

/* Executes one step of output of all processors: a write, and a read of the following item. */
static void merge_one(dmm_banked *b, const dmm_matrix_phase *phase, uint32_t to)
{
    for (uint32_t i = 0; i < b->w; i++) {
        dmm_lane *l = &b->lanes[i];
        l->list = next_list(b, i, dmm_phase_falls(phase, i));
        b->hand[i] = l->head[l->list];
        l->next[l->list]++;
    }
    step_at(b, phase, to);
    for (uint32_t i = 0; i < b->w; i++) {
        if (b->at[i] != DMM_IDLE)
            b->words[b->at[i]] = b->hand[i];
        aim_at_head(b, i, b->lanes[i].list, b->at[i] == DMM_IDLE);
    }
    dmm_banked_step(b);
    for (uint32_t i = 0; i < b->w; i++)
        read_head(b, i, b->lanes[i].list);
}

/* Merges in every row columns begin .. middle - 1 and middle .. end - 1, to columns from `to`
 * on. */
static void merge_lists(dmm_banked *b, const dmm_matrix_phase *phase, uint32_t begin,
    uint32_t middle, uint32_t end, uint32_t to)
{
    for (int list = 0; list < 2; list++) {
        for (uint32_t i = 0; i < b->w; i++) {
            b->lanes[i].next[list] = list ? middle : begin;
            b->lanes[i].end[list] = list ? end : middle;
            aim_at_head(b, i, list, dmm_phase_rests(phase, i));
        }
        dmm_banked_step(b);
        for (uint32_t i = 0; i < b->w; i++)
            read_head(b, i, list);
    }
    for (uint32_t k = 0; k < end - begin; k++)
        merge_one(b, phase, to + k);
}

static uint32_t smaller(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* Sorts; a first pass of pairs works in place if that makes the last pass end where the items
 * began. */
static void sort_by_merging(dmm_banked *b, const dmm_matrix_phase *phase)
{
    const uint32_t run = phase->run;
    uint32_t passes = log_down(run) + ((run & (run - 1)) != 0), from = 0;
    for (uint32_t width = 1; width < run; width *= 2, passes--) {
        const uint32_t to = width == 1 && passes % 2 == 1 ? from : b->m - from;
        for (uint32_t piece = 0; piece < b->m; piece += run)
            for (uint32_t x = 0; x < run; x += 2 * width)
                merge_lists(b, phase, from + piece + x, from + piece + smaller(x + width, run),
                    from + piece + smaller(x + 2 * width, run), to + piece + x);
        from = to;
    }
}

/* ---- By counting --------------------------------------------------------------------------- */

static uint32_t digit_bits(const dmm_banked *b, uint32_t run)
{
    const uint32_t bits = log_down(run) > 0 ? log_down(run) : 1;
    return smaller(bits, b->label_bits + (uint32_t)b->padded);
}

/* A digit of every row's labels, and where they are counted. */
typedef struct digit {
    uint32_t shift, bits;
    uint32_t from, to; /* columns */
} digit;

static uint32_t counter_of(const dmm_banked *b, const digit *d, uint64_t item)
{
    const uint64_t key = dmm_banked_key(b, item) >> d->shift;
    return 2 * b->m + (uint32_t)(key & (((uint64_t)1 << d->bits) - 1));
}

/* Lets every processor read its item at column j and increment the counter of its digit, whose old
 * value becomes `start`. */
static void count_one(dmm_banked *b, const dmm_matrix_phase *phase, const digit *d, uint32_t j)
{
    step_at(b, phase, j);
    for (uint32_t i = 0; i < b->w; i++)
        if (b->at[i] != DMM_IDLE) {
            b->hand[i] = b->words[b->at[i]];
            b->at[i] = dmm_banked_word(b, i, counter_of(b, d, b->hand[i]));
        }
    dmm_banked_step(b);
    dmm_banked_step(b);
    for (uint32_t i = 0; i < b->w; i++)
        if (b->at[i] != DMM_IDLE)
            b->lanes[i].start = (uint32_t)b->words[b->at[i]]++;
}

/* Replaces counters by the number of items before theirs, from the first one or, descending, from
 * the last. */
static void sum_counters(dmm_banked *b, const dmm_matrix_phase *phase, const digit *d)
{
    const uint32_t counters = (uint32_t)1 << d->bits;
    for (uint32_t i = 0; i < b->w; i++)
        b->hand[i] = 0;
    for (uint32_t k = 0; k < counters; k++)
        for (int write = 0; write < 2; write++) {
            for (uint32_t i = 0; i < b->w; i++) {
                const uint32_t at = dmm_phase_falls(phase, i) ? counters - 1 - k : k;
                b->at[i] =
                    dmm_phase_rests(phase, i) ? DMM_IDLE : dmm_banked_word(b, i, 2 * b->m + at);
            }
            dmm_banked_step(b);
            for (uint32_t i = 0; i < b->w; i++)
                if (write && b->at[i] != DMM_IDLE) {
                    const uint64_t count = b->words[b->at[i]];
                    b->words[b->at[i]] = b->hand[i];
                    b->hand[i] += count;
                }
        }
}

/* Sorts one piece of every row by one digit. */
static void count_piece(dmm_banked *b, const dmm_matrix_phase *phase, const digit *d)
{
    for (uint32_t k = 0; k < (uint32_t)1 << d->bits; k++) {
        step_at(b, phase, 2 * b->m + k);
        for (uint32_t i = 0; i < b->w; i++)
            b->words[dmm_banked_word(b, i, 2 * b->m + k)] = 0;
    }
    for (uint32_t j = 0; j < phase->run; j++)
        count_one(b, phase, d, d->from + j);
    sum_counters(b, phase, d);
    for (uint32_t j = 0; j < phase->run; j++) {
        count_one(b, phase, d, d->from + j);
        for (uint32_t i = 0; i < b->w; i++)
            if (b->at[i] != DMM_IDLE)
                b->at[i] = dmm_banked_word(b, i, d->to + b->lanes[i].start);
        dmm_banked_step(b);
        for (uint32_t i = 0; i < b->w; i++)
            if (b->at[i] != DMM_IDLE)
                b->words[b->at[i]] = b->hand[i];
    }
}

static void sort_by_counting(dmm_banked *b, const dmm_matrix_phase *phase)
{
    const uint32_t bits = digit_bits(b, phase->run), all = b->label_bits + (uint32_t)b->padded;
    uint32_t from = 0;
    for (uint32_t shift = 0; shift < all; shift += bits, from = b->m - from)
        for (uint32_t piece = 0; piece < b->m; piece += phase->run) {
            const digit d = {shift, smaller(bits, all - shift), from + piece, b->m - from + piece};
            count_piece(b, phase, &d);
        }
    if (from != 0)
        copy(b, phase, b->m, 0, b->m);
}

void dmm_banked_sort_rows(dmm_banked *b, const dmm_matrix_phase *phase)
{
    if (phase->run == 1)
        return;
    if (b->label_bits != 0)
        sort_by_counting(b, phase);
    else
        sort_by_merging(b, phase);
}

uint32_t dmm_banked_counters(const dmm_banked *b)
{
    return b->label_bits == 0 ? 0 : (uint32_t)1 << digit_bits(b, b->m);
}

uint64_t dmm_row_steps(uint32_t m, uint32_t label_bits)
{
    const dmm_banked b = {.m = m, .label_bits = label_bits};
    const uint32_t bits = label_bits != 0 ? digit_bits(&b, m) : 0;
    if (bits == 0)
        return 2 * (uint64_t)m * (log_down(m) + 1);
    return (label_bits + bits - 1) / bits * (7 * (uint64_t)m + 3 * ((uint64_t)1 << bits)) +
           2 * (uint64_t)m;
}
