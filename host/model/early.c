/* SPDX-License-Identifier: MIT */
/*
 * Worst shares for the early merge rounds, where a warp holds several merges. The thesis that the
 * later rounds follow has no construction for them (with E odd and few threads a merge, every
 * obvious one is free of conflicts), so each merge is optimised by itself.
 *
 * best(t, a) is the most aligned accesses that threads t.. can reach when the threads before them
 * have taken a items from list A, and so t*E - a from B:
 *     best(t, a) = max over a thread's shares of its own aligned accesses + best(t+1, a + its a)
 * Aligned are the reads of step j from bank w-E+j, the same banks for all merges of the warp, since
 * accesses collide only in the same bank and step.
 */
#include "model/shape.h"

#include <stdbool.h>
#include <stdlib.h>

/* One merge: list A from word `base`, followed by list B. */
typedef struct early_merge {
    uint32_t w, E, threads, a_items, b_items, base;
    dmm_model_share *shares; /* the answer, one a thread */
    uint32_t *best;          /* two rows of a_items+1: thread t and thread t+1 */
    dmm_model_share *choice; /* threads rows of a_items+1: how best(t, a) was reached */
} early_merge;

/* Returns the aligned accesses of a thread whose lists are at word a_word and b_word. */
static uint32_t aligned(
    const early_merge *m, uint32_t a_word, uint32_t b_word, dmm_model_share share)
{
    const uint32_t a_step = share.b_first ? share.b : 0, b_step = share.b_first ? 0 : share.a;
    const uint32_t from = m->w - m->E;
    return (a_word % m->w == (from + a_step) % m->w ? share.a : 0) +
           (b_word % m->w == (from + b_step) % m->w ? share.b : 0);
}

/* Computes best(t, a) and its choice; `next` is the row of best(t+1, .). */
static uint32_t choose(const early_merge *m, uint32_t t, uint32_t a, const uint32_t *next)
{
    const uint32_t b = t * m->E - a;
    const uint32_t a_left = m->a_items - a, b_left = m->b_items - b;
    const uint32_t least = m->E > b_left ? m->E - b_left : 0;
    const uint32_t most = m->E < a_left ? m->E : a_left;
    dmm_model_share *choice = &m->choice[t * (m->a_items + 1) + a];
    uint32_t best = 0;
    *choice = (dmm_model_share){least, m->E - least, false};
    for (uint32_t i = 2 * least; i <= 2 * most + 1; i++) {
        const dmm_model_share share = {i / 2, m->E - i / 2, i % 2};
        const uint32_t value =
            next[a + share.a] + aligned(m, m->base + a, m->base + m->a_items + b, share);
        if (value > best) {
            best = value;
            *choice = share;
        }
    }
    return best;
}

static void optimise(const early_merge *m)
{
    uint32_t *row = m->best, *next = m->best + m->a_items + 1;
    next[m->a_items] = 0; /* past the last thread all of A is taken */
    for (uint32_t t = m->threads; t-- > 0;) {
        const uint32_t before = t * m->E;
        const uint32_t least = before > m->b_items ? before - m->b_items : 0;
        const uint32_t most = before < m->a_items ? before : m->a_items;
        for (uint32_t a = least; a <= most; a++)
            row[a] = choose(m, t, a, next);
        uint32_t *done = row;
        row = next;
        next = done;
    }
    for (uint32_t t = 0, a = 0; t < m->threads; a += m->shares[t].a, t++)
        m->shares[t] = m->choice[t * (m->a_items + 1) + a];
}

/* Computes the shares of w threads that merge in groups of `threads`, with a_items items of A
 * each. */
static dmm_model_status search(
    dmm_model_share *shares, uint32_t threads, uint32_t w, uint32_t E, uint32_t a_items)
{
    dmm_model_status status = DMM_MODEL_OUT_OF_MEMORY;
    uint32_t *best = malloc(2 * (a_items + 1) * sizeof *best);
    dmm_model_share *choice = malloc(threads * (size_t)(a_items + 1) * sizeof *choice);
    if (!best || !choice)
        goto out;
    for (uint32_t first = 0; first < w; first += threads)
        optimise(&(early_merge){w, E, threads, a_items, threads * E - a_items, first * E,
            shares + first, best, choice});
    status = DMM_MODEL_OK;
out:
    free(choice);
    free(best);
    return status;
}

dmm_model_status dmm_worst_early(dmm_model_share *shares, uint32_t threads, uint32_t w, uint32_t E)
{
    return search(shares, threads, w, E, threads / 2 * E);
}

dmm_model_status dmm_worst_best(dmm_model_share *shares, uint32_t w, uint32_t E)
{
    return search(shares, w, w, E, (E + 1) / 2 * w);
}
