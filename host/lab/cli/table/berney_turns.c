/* SPDX-License-Identifier: MIT */
/*
 * K. Berney 2023, section 2.5.2: the equidistant gather of a vEB layout by transposition, as
 * printed, and by batches of columns, as cl/layout.cl does it. Both run here, on the host, and
 * count the blocks that they read and write; their results are compared.
 */
#include <stdlib.h>
#include <string.h>

#include "cl/layout_call.clh"
#include "table.h"

/* A sorted array of (l + 1)^2 - 1 items: l rows of l items and one of the top tree, then l. */
typedef struct gather {
    uint32_t *items;
    uint64_t l, block;
    double transfers;
} gather;

/* Counts the blocks of `len` consecutive items, read and written. */
static void pass(gather *g, uint64_t start, uint64_t len)
{
    if (len > 0)
        g->transfers += 2.0 * (double)((start + len - 1) / g->block - start / g->block + 1);
}

static void reverse(gather *g, uint64_t start, uint64_t len)
{
    pass(g, start, len);
    for (uint64_t i = 0; i < len / 2; i++) {
        const uint32_t held = g->items[start + i];
        g->items[start + i] = g->items[start + len - 1 - i];
        g->items[start + len - 1 - i] = held;
    }
}

/* Shifts items to the right by `by`, the last ones to the front: two rounds of reversals. */
static void turn(gather *g, uint64_t start, uint64_t len, uint64_t by)
{
    if (by % len == 0)
        return;
    reverse(g, start, len);
    reverse(g, start, by % len);
    reverse(g, start + by % len, len - by % len);
}

/* Transposes the l x l items of the rows, by tiles of one block a side. */
static void transpose(gather *g)
{
    const uint64_t l = g->l, stride = l + 1;
    for (uint64_t row = 0; row < l; row++)
        for (uint64_t x = 0; x < l; x += g->block)
            pass(g, row * stride + x, l - x < g->block ? l - x : g->block);
    for (uint64_t row = 0; row < l; row++)
        for (uint64_t x = row + 1; x < l; x++) {
            const uint32_t held = g->items[row * stride + x];
            g->items[row * stride + x] = g->items[x * stride + row];
            g->items[x * stride + row] = held;
        }
}

/* Section 2.5.2 up to the turns of subtrees. The cycles are counted as one pass, not as the two
 * rounds of reversals that processors side by side take. */
static void by_transposition(gather *g)
{
    const uint64_t l = g->l, stride = l + 1;
    for (uint64_t row = 0; row < l; row++)
        turn(g, row * stride, l, row);
    transpose(g);
    for (uint64_t row = 0; row < l; row++) {
        uint32_t *const at = g->items + row * stride, single = at[l], last = at[row];
        memmove(at + 1, at, row * sizeof *at);
        at[0] = single;
        at[l] = last;
        pass(g, row * stride, row + 1);
        pass(g, row * stride + l, 1);
    }
    transpose(g);
    for (uint64_t row = 0; row < l; row++)
        turn(g, row * stride, l, l - row);
}

/* The same items are columns of stride l, without a turn: column z has z + 2 of them, and the last
 * one comes first. A batch of neighbours moves row by row. */
static void by_columns(gather *g)
{
    const uint64_t l = g->l;
    for (uint64_t first = 0; first < l; first += DMM_LAYOUT_BATCH) {
        const uint64_t end = first + DMM_LAYOUT_BATCH < l ? first + DMM_LAYOUT_BATCH : l;
        for (uint64_t row = 0; row <= end; row++) {
            const uint64_t from = row > first + 1 ? row - 1 : first;
            pass(g, from + row * l, end - from);
        }
        for (uint64_t z = first; z < end; z++) {
            const uint32_t last = g->items[z + (z + 1) * l];
            for (uint64_t row = z + 1; row > 0; row--)
                g->items[z + row * l] = g->items[z + (row - 1) * l];
            g->items[z] = last;
        }
    }
}

/* Turns the subtrees behind the top tree into order, which both ways need. False: an item is not
 * where the gather puts it. */
static bool turn_subtrees(gather *g)
{
    const uint64_t l = g->l;
    bool right = true;
    for (uint64_t t = 0; t <= l; t++) {
        const uint64_t start = l + t * l, own = t * (l + 1);
        uint64_t at = 0;
        while (at < l && g->items[start + at] != own)
            at++;
        turn(g, start, l, l - at);
        for (uint64_t x = 0; x < l; x++)
            right = right && g->items[start + x] == own + x;
    }
    for (uint64_t z = 0; z < l; z++)
        right = right && g->items[z] == z * (l + 1) + l;
    return right;
}

/* Runs one way; adds its transfers over n / B, without and of the turns. */
static bool run_way(double *moves, double *turns, gather *g, void (*way)(gather *))
{
    const uint64_t n = (g->l + 1) * (g->l + 1) - 1;
    const double blocks = (double)n / (double)g->block;
    for (uint64_t i = 0; i < n; i++)
        g->items[i] = (uint32_t)i;
    g->transfers = 0;
    way(g);
    *moves = g->transfers / blocks;
    g->transfers = 0;
    const bool right = turn_subtrees(g);
    *turns = g->transfers / blocks;
    return right;
}

/* sizes: l, B. */
static bool measure(double *values, const table_point *point, table_run *run, cli_error *error)
{
    gather g = {.l = (uint64_t)point->sizes[0], .block = (uint64_t)point->sizes[1]};
    const uint64_t bytes = (g.l + 1) * (g.l + 1) * sizeof *g.items;
    (void)run;
    g.items = malloc((size_t)bytes);
    if (!g.items)
        return cli_fail_memory(error, NULL, bytes);
    const bool right = run_way(&values[0], &values[2], &g, by_transposition) &&
                       run_way(&values[1], &values[2], &g, by_columns);
    free(g.items);
    values[3] = (values[0] + values[2]) / (values[1] + values[2]);
    return right || cli_fail(error, CLI_DEVICE, NULL, "a gather moved an item to a wrong place");
}

static const table_column columns[] = {{"by transposition: transfers over N/B", 2, false},
    {"by columns", 2, false}, {"turns of subtrees, in both", 2, false},
    {"transposition over columns, with turns", 2, false}, {0}};

#define GATHER(l, B, large)                                                 \
    {                                                                       \
        .label = #l ", " #B, .x = (l), .sizes = {(l), (B)}, .full = (large) \
    }
static const table_point points[] = {GATHER(31, 8, false), GATHER(127, 8, false),
    GATHER(511, 8, false), GATHER(2047, 8, false), GATHER(31, 32, false), GATHER(127, 32, false),
    GATHER(511, 32, false), GATHER(2047, 32, false), GATHER(8191, 32, true), {0}};

const paper_table tables_berney_turns[] = {
    {.name = "berney-2.5.2",
        .title = "transfers of the equidistant gather of a vEB layout, over N/B",
        .source = "Berney 2023, section 2.5.2",
        .head = "l, B",
        .unit = "transfers over N/B",
        .columns = columns,
        .points = points,
        .measure = measure,
        .paper = "rows are shifted, so that cycles are columns, and transposed, so that they are "
                 "rows; the cycles move, and both are undone: O(N/B) for an internal memory of "
                 "B^2.",
        .reading =
            "of (l + 1)^2 - 1 items in blocks of B. In rows of l items, not l + 1, cycles are "
            "columns without a shift, so batches of 512 neighbours move row by row: the same "
            "order, checked here, for a fifth to a thirteenth of the transfers without the turns, "
            "since a cycle moves about half of the items, once, and each shift and each "
            "transposition moves all. With the turns it is 2.2 to 3.4 times."},
    {0},
};
