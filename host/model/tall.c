/* SPDX-License-Identifier: MIT */
/*
 * Permuting a tall matrix: P. Afshani, N. Sitchinava, ESA 2015, section 3. Rows are rotated by
 * random amounts and blocks of m rows are transposed. Then, in rounds, with a fresh hash function h
 * each, label (i, j) has colour j - h(i) mod m, and in step k each row sends a label of colour k to
 * its row. Two labels that meet in a row would have the same i and k, thus the same j. The rest
 * after some rounds is packed, sorted and delivered (tall_finish.c).
 */
#include "model/tall.h"

#include <stdbool.h>
#include <stdlib.h>

enum { SENDINGS = 2 }; /* times that each colour is sent: the paper's alpha */

/* ---- Preprocessing ------------------------------------------------------------------------- */

/* Rotates rows by random amounts, into the memory for arrived labels. */
static void turn_rows(dmm_tall *t)
{
    for (uint32_t i = 0; i < t->b.w; i++)
        t->rows[i].slot = (uint32_t)(dmm_tall_random(t) & (t->b.m - 1));
    for (uint32_t j = 0; j < t->b.m; j++) {
        dmm_tall_own(t, j);
        dmm_banked_read(&t->b);
        for (uint32_t i = 0; i < t->b.w; i++) {
            const uint32_t to = (j + t->rows[i].slot) & (t->b.m - 1);
            t->b.at[i] = dmm_banked_word(&t->b, i, t->arrived + to);
        }
        dmm_banked_write(&t->b);
    }
}

/* Transposes blocks of m rows, a diagonal at a time. */
static void transpose_blocks(dmm_tall *t)
{
    const uint32_t m = t->b.m;
    for (uint32_t d = 0; d < m; d++) {
        for (uint32_t i = 0; i < t->b.w; i++)
            t->b.at[i] = dmm_banked_word(&t->b, i, t->arrived + (i + d) % m);
        dmm_banked_read(&t->b);
        for (uint32_t i = 0; i < t->b.w; i++)
            t->b.at[i] = dmm_banked_word(&t->b, i - i % m + (i + d) % m, i % m);
        dmm_banked_write(&t->b);
    }
}

/* ---- A round ------------------------------------------------------------------------------- */

/* Lets processor i access the column of its slot, from `area` on, unless it has none. */
static void at_slots(dmm_tall *t, uint32_t area)
{
    for (uint32_t i = 0; i < t->b.w; i++) {
        const uint32_t slot = t->rows[i].slot;
        t->b.at[i] = slot == DMM_IDLE ? DMM_IDLE : dmm_banked_word(&t->b, i, area + slot);
    }
}

static void hold(dmm_tall *t, uint64_t word)
{
    for (uint32_t i = 0; i < t->b.w; i++)
        t->b.hand[i] = word;
}

/* Puts the labels of column j into the lists of their colours. */
static void colour_column(dmm_tall *t, uint32_t j)
{
    dmm_tall_own(t, j);
    dmm_banked_read(&t->b);
    for (uint32_t i = 0; i < t->b.w; i++)
        t->rows[i].label = t->b.hand[i];
    dmm_tall_hash(t);
    for (uint32_t i = 0; i < t->b.w; i++) {
        dmm_tall_row *row = &t->rows[i];
        const uint32_t colour = dmm_tall_goal_column(t, row) - (uint32_t)row->sum;
        row->slot = row->label == t->empty ? DMM_IDLE : colour & (t->b.m - 1);
    }
    at_slots(t, t->heads);
    dmm_banked_read(&t->b);
    for (uint32_t i = 0; i < t->b.w; i++)
        if (t->b.at[i] != DMM_IDLE)
            t->b.at[i] = dmm_banked_word(&t->b, i, t->nexts + j);
    dmm_banked_write(&t->b);
    hold(t, j);
    at_slots(t, t->heads);
    dmm_banked_write(&t->b);
}

static void colour(dmm_tall *t)
{
    t->b.tally = &t->cost->colouring;
    hold(t, DMM_IDLE);
    for (uint32_t k = 0; k < t->b.m; k++) {
        dmm_tall_own(t, t->heads + k);
        dmm_banked_write(&t->b);
    }
    for (uint32_t j = 0; j < t->b.m; j++)
        colour_column(t, j);
}

/* Lets each row send a label of colour k, if it has one. */
static void send_colour(dmm_tall *t, uint32_t k)
{
    dmm_tall_own(t, t->heads + k);
    dmm_banked_read(&t->b);
    for (uint32_t i = 0; i < t->b.w; i++)
        t->rows[i].slot = (uint32_t)t->b.hand[i];
    at_slots(t, 0);
    dmm_banked_read(&t->b);
    for (uint32_t i = 0; i < t->b.w; i++)
        t->rows[i].label = t->b.hand[i];
    hold(t, t->empty);
    dmm_banked_write(&t->b);
    at_slots(t, t->nexts);
    dmm_banked_read(&t->b);
    for (uint32_t i = 0; i < t->b.w; i++)
        if (t->b.at[i] != DMM_IDLE)
            t->b.at[i] = dmm_banked_word(&t->b, i, t->heads + k);
    dmm_banked_write(&t->b);
    for (uint32_t i = 0; i < t->b.w; i++)
        if (t->b.at[i] != DMM_IDLE) {
            t->b.hand[i] = t->rows[i].label;
            t->b.at[i] = dmm_tall_place(t, &t->rows[i]);
            t->rows[i].left--;
        }
    dmm_banked_write(&t->b);
}

static uint64_t send(dmm_tall *t)
{
    t->b.tally = &t->cost->sending;
    for (uint32_t times = 0; times < SENDINGS; times++)
        for (uint32_t k = 0; k < t->b.m; k++)
            send_colour(t, k);
    return dmm_tall_total(t);
}

/* ---- The whole ----------------------------------------------------------------------------- */

/* Returns the columns to pack the rest into: about m / log_m^3 w. */
static uint32_t packed_columns(const dmm_tall *t)
{
    const uint32_t ratio = (t->log_w + t->log_m - 1) / t->log_m, cube = ratio * ratio * ratio;
    uint32_t columns = 1;
    while (columns * cube < t->b.m)
        columns *= 2;
    return columns;
}

static dmm_model_status run(dmm_tall *t)
{
    const uint32_t packed = packed_columns(t);
    uint64_t left = 0;
    t->b.tally = &t->cost->preprocessing;
    turn_rows(t);
    transpose_blocks(t);
    for (uint32_t i = 0; i < t->b.w; i++)
        t->rows[i].left = t->b.m;
    do {
        dmm_tall_share_hash(t);
        colour(t);
        left = send(t);
        t->cost->left[t->cost->rounds++] = left;
    } while (left > (uint64_t)t->b.w * packed / 8 && t->cost->rounds < DMM_MODEL_TALL_ROUNDS_MAX);
    return left != 0 ? dmm_tall_finish(t, left, packed) : DMM_MODEL_OK;
}

static uint32_t log_of(uint32_t power)
{
    uint32_t log = 0;
    while (power >> log > 1)
        log++;
    return log;
}

dmm_model_status dmm_tall_init(dmm_tall *t, uint32_t w, uint32_t m)
{
    t->b.counts_idle = true; /* a step depends on data that no processor has */
    t->b.w = w;
    t->b.m = m;
    t->log_w = log_of(w);
    t->log_m = log_of(m);
    t->char_bits = t->log_m + 1;
    t->chars = (t->log_w + t->char_bits - 1) / t->char_bits;
    t->empty = (uint64_t)w * m;
    t->arrived = m;
    t->heads = 2 * m;
    t->nexts = 3 * m;
    t->sum = 4 * m;
    t->count = t->sum + 1;
    t->shared = t->count + 1;
    const uint32_t hash = dmm_tall_shared_columns(t, dmm_tall_hash_words(t));
    const uint32_t shifts = dmm_tall_shared_columns(t, dmm_tall_shifts(t));
    t->rows = calloc(w, sizeof *t->rows);
    if (t->rows == NULL)
        return DMM_MODEL_OUT_OF_MEMORY;
    return dmm_banked_init(&t->b, t->shared + (hash > shifts ? hash : shifts));
}

void dmm_tall_free(dmm_tall *t)
{
    dmm_banked_free(&t->b);
    free(t->rows);
}

/* Replaces the items by those whose numbers have arrived. */
static dmm_model_status collect(const dmm_tall *t, uint64_t *items)
{
    const size_t n = (size_t)t->b.w * t->b.m;
    uint64_t *moved = malloc(n * sizeof *moved);
    if (moved == NULL)
        return DMM_MODEL_OUT_OF_MEMORY;
    for (size_t x = 0; x < n; x++) {
        const uint32_t row = (uint32_t)x >> t->log_m, column = (uint32_t)x & (t->b.m - 1);
        moved[x] = items[t->b.words[dmm_banked_word(&t->b, row, t->arrived + column)] >> 32];
    }
    for (size_t x = 0; x < n; x++)
        items[x] = moved[x];
    free(moved);
    return DMM_MODEL_OK;
}

static dmm_model_status check(const uint64_t *items, const uint32_t *goals, uint32_t w, uint32_t m)
{
    if (items == NULL || goals == NULL)
        return DMM_MODEL_NULL_ARGUMENT;
    if (m < 2 || w < m || (w & (w - 1)) != 0 || (m & (m - 1)) != 0)
        return DMM_MODEL_BAD_VALUE;
    if (w > DMM_MODEL_TALL_ROWS_MAX || m > DMM_MODEL_TALL_COLUMNS_MAX)
        return DMM_MODEL_TOO_LARGE;
    const size_t n = (size_t)w * m;
    unsigned char *seen = calloc(n, 1);
    if (seen == NULL)
        return DMM_MODEL_OUT_OF_MEMORY;
    dmm_model_status status = DMM_MODEL_OK;
    for (size_t x = 0; x < n && status == DMM_MODEL_OK; x++)
        status = goals[x] >= n || seen[goals[x]]++ != 0 ? DMM_MODEL_BAD_DATA : DMM_MODEL_OK;
    free(seen);
    return status;
}

dmm_model_status dmm_model_tall_permute(dmm_model_tall_cost *out, uint64_t *items,
    const uint32_t *goals, uint32_t w, uint32_t m, uint64_t seed)
{
    dmm_model_tall_cost cost = {0};
    dmm_tall t = {.random = seed, .cost = &cost};
    dmm_model_status status = check(items, goals, w, m);
    if (status != DMM_MODEL_OK)
        return status;
    status = dmm_tall_init(&t, w, m);
    for (size_t x = 0; x < (size_t)w * m && status == DMM_MODEL_OK; x++)
        t.b.words[dmm_banked_word(&t.b, (uint32_t)x >> t.log_m, (uint32_t)x & (m - 1))] =
            (uint64_t)x << 32 | goals[x];
    if (status == DMM_MODEL_OK)
        status = run(&t);
    if (status == DMM_MODEL_OK)
        status = collect(&t, items);
    if (status == DMM_MODEL_OK && out != NULL)
        *out = cost;
    dmm_tall_free(&t);
    return status;
}
