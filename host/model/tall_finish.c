/* SPDX-License-Identifier: MIT */
/*
 * The end of a tall permutation: appendix B of the paper. Few labels are left, but some rows may
 * have many. The paper calls rows unlucky on which the hash function was not m-wise independent,
 * which no processor can see; here a row is full if it has more labels than the packed matrix has
 * columns. In steps of a packing each row is matched with the row at a random distance, and a full
 * row gives labels to the other if these fit there. Then the packed matrix is sorted by goals, and
 * each row sends its labels in two groups: those of its first goal row, the label of goal column j
 * in step j, and before them all others, in any order. The paper has a third group, those of the
 * last goal row; but rows that share a goal row are neighbours, and all but one of them have it as
 * their first.
 *
 * If full rows remain after PACKINGS packings, the packed matrix becomes as wide as they need.
 */
#include "model/tall.h"

#include <stdlib.h>

enum { PACKINGS = 8 };

/* ---- Packing ------------------------------------------------------------------------------- */

/* Moves the labels of each row to its first columns. */
static void compact(dmm_tall *t)
{
    for (uint32_t i = 0; i < t->b.w; i++)
        t->rows[i].left = 0;
    for (uint32_t j = 0; j < t->b.m; j++) {
        dmm_tall_own(t, j);
        dmm_banked_read(&t->b);
        for (uint32_t i = 0; i < t->b.w; i++)
            t->b.at[i] =
                t->b.hand[i] == t->empty ? DMM_IDLE : dmm_banked_word(&t->b, i, t->rows[i].left++);
        dmm_banked_write(&t->b);
    }
    for (uint32_t j = 0; j < t->b.m; j++) {
        for (uint32_t i = 0; i < t->b.w; i++) {
            t->b.hand[i] = t->empty;
            t->b.at[i] = j < t->rows[i].left ? DMM_IDLE : dmm_banked_word(&t->b, i, j);
        }
        dmm_banked_write(&t->b);
    }
}

/* `slot` of a row that gives labels: number of the other row's labels; otherwise DMM_IDLE.
 * Processor i of such a row accesses column `own` of its row, or `other` of the row at that
 * distance. */
static void access_pair(dmm_tall *t, uint32_t column, uint32_t distance)
{
    for (uint32_t i = 0; i < t->b.w; i++)
        t->b.at[i] = t->rows[i].slot == DMM_IDLE
                         ? DMM_IDLE
                         : dmm_banked_word(&t->b, (i + distance) % t->b.w, column);
}

/* Moves a label of each giving row to the other row, unless enough have moved. */
static void give_label(dmm_tall *t, uint32_t distance, uint32_t packed)
{
    for (uint32_t i = 0; i < t->b.w; i++) {
        const dmm_tall_row *row = &t->rows[i];
        t->b.at[i] = row->slot == DMM_IDLE || row->left <= packed
                         ? DMM_IDLE
                         : dmm_banked_word(&t->b, i, row->left - 1);
    }
    dmm_banked_read(&t->b);
    for (uint32_t i = 0; i < t->b.w; i++) {
        t->rows[i].label = t->b.hand[i];
        t->b.hand[i] = t->empty;
    }
    dmm_banked_write(&t->b);
    for (uint32_t i = 0; i < t->b.w; i++)
        if (t->b.at[i] != DMM_IDLE) {
            t->b.hand[i] = t->rows[i].label;
            t->b.at[i] = dmm_banked_word(&t->b, (i + distance) % t->b.w, t->rows[i].slot++);
            t->rows[i].left--;
        }
    dmm_banked_write(&t->b);
}

/* Matches each row with the one at a distance; it gives at most `most` labels. */
static void match(dmm_tall *t, uint32_t distance, uint32_t most, uint32_t packed)
{
    dmm_tall_own(t, t->count);
    dmm_banked_read(&t->b);
    for (uint32_t i = 0; i < t->b.w; i++) {
        t->rows[i].left = (uint32_t)t->b.hand[i];
        t->rows[i].slot = 0;
    }
    access_pair(t, t->count, distance);
    dmm_banked_read(&t->b);
    for (uint32_t i = 0; i < t->b.w; i++) {
        const uint32_t others = (uint32_t)t->b.hand[i];
        t->rows[i].slot = t->rows[i].left > packed && others + most <= packed ? others : DMM_IDLE;
    }
    for (uint32_t k = 0; k < most; k++)
        give_label(t, distance, packed);
    for (uint32_t i = 0; i < t->b.w; i++)
        t->b.hand[i] = t->rows[i].left;
    access_pair(t, t->count, 0);
    dmm_banked_write(&t->b);
    for (uint32_t i = 0; i < t->b.w; i++)
        t->b.hand[i] = t->rows[i].slot;
    access_pair(t, t->count, distance);
    dmm_banked_write(&t->b);
}

/* Executes one packing: log^2 w random distances, which are sent to all rows. */
static void pack(dmm_tall *t, uint32_t packed)
{
    const uint32_t shifts = dmm_tall_shifts(t), most = (2 * t->b.m + shifts - 1) / shifts;
    dmm_tall_share_shifts(t, shifts);
    for (uint32_t i = 0; i < t->b.w; i++)
        t->b.hand[i] = t->rows[i].left;
    dmm_tall_own(t, t->count);
    dmm_banked_write(&t->b);
    for (uint32_t k = 0; k < shifts; k++) {
        dmm_tall_own(t, t->shared + k);
        dmm_banked_read(&t->b);
        match(t, (uint32_t)t->b.hand[0], most < packed ? most : packed, packed);
    }
    dmm_tall_own(t, t->count);
    dmm_banked_read(&t->b);
    for (uint32_t i = 0; i < t->b.w; i++)
        t->rows[i].left = (uint32_t)t->b.hand[i];
}

/* ---- Sorting ------------------------------------------------------------------------------- */

static void add_tally(dmm_model_tally *sum, const dmm_model_tally *more)
{
    sum->steps += more->steps;
    sum->passes += more->passes;
    sum->needed += more->needed;
    sum->conflicts += more->conflicts;
    sum->worst = more->worst > sum->worst ? more->worst : sum->worst;
}

/* Sorts the first columns of the labels, as a matrix, by goals, empty ones last. */
static dmm_model_status sort(dmm_tall *t, uint32_t columns)
{
    const dmm_model_matrix matrix = {
        t->b.w, columns, DMM_MODEL_MATRIX_AUTO, t->log_w + t->log_m + 1};
    dmm_model_matrix_cost cost;
    uint64_t *items = malloc((size_t)t->b.w * columns * sizeof *items);
    if (items == NULL)
        return DMM_MODEL_OUT_OF_MEMORY;
    for (uint32_t i = 0; i < t->b.w; i++)
        for (uint32_t j = 0; j < columns; j++)
            items[(size_t)i * columns + j] = t->b.words[dmm_banked_word(&t->b, i, j)];
    const dmm_model_status status = dmm_model_matrix_sort(&cost, items, &matrix);
    for (uint32_t i = 0; i < t->b.w && status == DMM_MODEL_OK; i++)
        for (uint32_t j = 0; j < columns; j++)
            t->b.words[dmm_banked_word(&t->b, i, j)] = items[(size_t)i * columns + j];
    free(items);
    if (status == DMM_MODEL_OK) {
        add_tally(&t->cost->sorting, &cost.rows);
        add_tally(&t->cost->sorting, &cost.columns);
        add_tally(&t->cost->sorting, &cost.turns);
    }
    return status;
}

/* ---- Delivering ---------------------------------------------------------------------------- */

/* Lets processor i read column slot of its row into `label`, if it has that many labels. */
static void read_slots(dmm_tall *t)
{
    for (uint32_t i = 0; i < t->b.w; i++)
        t->b.at[i] = t->rows[i].slot < t->rows[i].left ? dmm_banked_word(&t->b, i, t->rows[i].slot)
                                                       : DMM_IDLE;
    dmm_banked_read(&t->b);
    for (uint32_t i = 0; i < t->b.w; i++)
        t->rows[i].label = t->b.at[i] != DMM_IDLE ? t->b.hand[i] : t->empty;
}

/* Lets processors that are not idle send their labels. */
static void send_labels(dmm_tall *t)
{
    for (uint32_t i = 0; i < t->b.w; i++)
        if (t->b.at[i] != DMM_IDLE) {
            t->b.hand[i] = t->rows[i].label;
            t->b.at[i] = dmm_tall_place(t, &t->rows[i]);
        }
    dmm_banked_write(&t->b);
}

/* Sends labels with a goal row other than the row's first: no other row sends to these now. */
static void send_others(dmm_tall *t, uint32_t columns)
{
    for (uint32_t j = 0; j < columns; j++) {
        for (uint32_t i = 0; i < t->b.w; i++)
            t->rows[i].slot = j;
        read_slots(t);
        for (uint32_t i = 0; i < t->b.w; i++)
            if (dmm_tall_goal_row(t, &t->rows[i]) == t->rows[i].first)
                t->b.at[i] = DMM_IDLE;
        send_labels(t);
    }
}

/* Sends labels with the row's first goal row, that of goal column j in step j: rows with the same
 * goal row have different goal columns. */
static void send_first(dmm_tall *t)
{
    for (uint32_t i = 0; i < t->b.w; i++)
        t->rows[i].slot = 0;
    for (uint32_t j = 0; j < t->b.m; j++) {
        read_slots(t);
        for (uint32_t i = 0; i < t->b.w; i++) {
            dmm_tall_row *row = &t->rows[i];
            if (t->b.at[i] != DMM_IDLE && dmm_tall_goal_row(t, row) == row->first &&
                dmm_tall_goal_column(t, row) == j)
                row->slot++;
            else
                t->b.at[i] = DMM_IDLE;
        }
        send_labels(t);
    }
}

/* Delivers: rows have `left` labels, in order, `columns` per row. */
static void deliver(dmm_tall *t, uint64_t left, uint32_t columns)
{
    for (uint32_t i = 0; i < t->b.w; i++) {
        const uint64_t before = (uint64_t)i * columns, behind = left > before ? left - before : 0;
        t->rows[i].left = behind < columns ? (uint32_t)behind : columns;
        t->rows[i].slot = 0;
    }
    read_slots(t);
    for (uint32_t i = 0; i < t->b.w; i++)
        t->rows[i].first = dmm_tall_goal_row(t, &t->rows[i]);
    send_others(t, columns);
    send_first(t);
}

dmm_model_status dmm_tall_finish(dmm_tall *t, uint64_t left, uint32_t packed_m)
{
    t->b.tally = &t->cost->packing;
    compact(t);
    uint64_t most = dmm_tall_most(t);
    for (; most > packed_m && t->cost->packings < PACKINGS; t->cost->packings++) {
        t->b.tally = &t->cost->packing;
        pack(t, packed_m);
        most = dmm_tall_most(t);
    }
    while (packed_m < most)
        packed_m *= 2;
    t->cost->packed_m = packed_m;
    const dmm_model_status status = sort(t, packed_m);
    if (status != DMM_MODEL_OK)
        return status;
    t->b.tally = &t->cost->delivering;
    deliver(t, left, packed_m);
    return DMM_MODEL_OK;
}
