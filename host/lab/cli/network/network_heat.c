/* SPDX-License-Identifier: MIT */
/*
 * How far items are from their places, by wire and step. The scale is logarithmic: light is a place
 * reached, dark the mean distance of random places, a third of the wires.
 */
#include "network.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "cl/hash.clh"
#include "svg.h"

enum { ROWS = 64, COLUMNS = 160, CELL = 6, LEVELS = 40, MARGIN = 40, TITLE = 46, FOOT = 46 };

/* SplitMix64 and Fisher-Yates. */
void network_make_input(uint64_t *items, uint32_t n, uint64_t seed)
{
    for (uint32_t i = 0; i < n; i++) {
        const uint64_t j = dmm_mix(seed += DMM_GOLDEN) % (i + UINT64_C(1));
        items[i] = items[j];
        items[j] = i;
    }
}

static uint32_t rows_of(uint32_t n)
{
    return n < ROWS ? n : ROWS;
}

/* Levels 0..LEVELS of the mean distance of items, by row and column. */
typedef struct heat {
    uint8_t level[ROWS][COLUMNS];
    uint32_t n, columns;
} heat;

/* Measures one column: the items of each row's wires. */
static void measure_column(heat *h, const uint64_t *items, uint32_t column)
{
    const uint32_t rows = rows_of(h->n);
    const double most = log2(1 + h->n / 3.0);
    for (uint32_t row = 0; row < rows; row++) {
        const uint32_t from = (uint32_t)((uint64_t)h->n * row / rows);
        const uint32_t to = (uint32_t)((uint64_t)h->n * (row + 1) / rows);
        double sum = 0;
        for (uint32_t i = from; i < to; i++)
            sum += fabs((double)items[i] - i);
        const double share = fmin(1, log2(1 + sum / (to - from)) / most);
        h->level[row][column] = (uint8_t)ceil(LEVELS * share);
    }
}

/* Draws the cells of a level as lines of a cell's width, one for those that follow each other. */
static void draw_level(FILE *out, const heat *h, uint8_t level)
{
    const double share = (double)level / LEVELS;
    fprintf(out, "<path stroke-width=\"%d\" stroke=\"rgb(%.0f,%.0f,%.0f)\" d=\"", CELL,
        255 - 100 * share * share, 247 - 205 * share, 237 - 218 * sqrt(share));
    for (uint32_t row = 0; row < rows_of(h->n); row++)
        for (uint32_t from = 0, to; from < h->columns; from = to) {
            for (to = from + 1; to < h->columns && h->level[row][to] == h->level[row][from];)
                to++;
            if (h->level[row][from] == level)
                fprintf(out, "M%" PRIu32 " %" PRIu32 "h%" PRIu32, MARGIN + from * CELL,
                    MARGIN + TITLE + row * CELL + CELL / 2, (to - from) * CELL);
        }
    fprintf(out, "\"/>\n");
}

static void draw_cells(FILE *out, const heat *h)
{
    for (uint8_t level = 1; level <= LEVELS; level++)
        draw_level(out, h, level);
}

static void draw_frame(
    FILE *out, const dmm_model_network_counts *counts, uint32_t n, uint32_t columns)
{
    const uint32_t height = rows_of(n) * CELL, width = columns * CELL;
    const uint32_t page = width + 2 * MARGIN;
    cli_svg_begin(out, page > 720 ? page : 720, height + 2 * MARGIN + TITLE + FOOT / 2,
        "fill=\"#445\" font-size=\"13\" shape-rendering=\"crispEdges\"");
    cli_svg_text(out, MARGIN, 34, "font-size=\"17\" fill=\"#222\"",
        "%" PRIu32 " wires, %" PRIu64 " comparators, %" PRIu64 " steps", n, counts->comparators,
        counts->steps);
    cli_svg_text(out, MARGIN, 56, "",
        "distance of items from their places, random input; "
        "white: 0, dark: n/3 and more (logarithmic)");
    fprintf(out,
        "<rect x=\"%d\" y=\"%d\" width=\"%" PRIu32 "\" height=\"%" PRIu32
        "\" fill=\"none\" stroke=\"#99a\"/>\n",
        MARGIN, MARGIN + TITLE, width, height);
    fprintf(out,
        "<text transform=\"translate(%d,%d) rotate(-90)\" text-anchor=\"end\">wires</text>\n",
        MARGIN - 10, MARGIN + TITLE);
    cli_svg_text(out, MARGIN, MARGIN + TITLE + height + 20, "", "step 0");
    cli_svg_text(out, MARGIN + width, MARGIN + TITLE + height + 20, "text-anchor=\"end\"",
        "%" PRIu64, counts->steps);
}

bool network_draw_heat(FILE *out, dmm_model_network *network, uint64_t seed)
{
    const uint32_t n = dmm_model_network_wires(network);
    const dmm_model_network_counts counts = dmm_model_network_count(network);
    const uint32_t columns = counts.steps + 1 < COLUMNS ? (uint32_t)counts.steps + 1 : COLUMNS;
    uint64_t *items = malloc(n * sizeof *items);
    heat *h = calloc(1, sizeof *h);
    dmm_model_network_step step;
    uint32_t column = 0;
    if (!items || !h) {
        free(items);
        free(h);
        return false;
    }
    *h = (heat){.n = n, .columns = columns};
    network_make_input(items, n, seed);
    draw_frame(out, &counts, n, columns);
    dmm_model_network_rewind(network);
    for (uint64_t i = 0; i <= counts.steps; i++) {
        /* column c shows the items before step c * steps / (columns - 1) */
        for (; column < columns && i >= counts.steps * column / (columns > 1 ? columns - 1 : 1);
             column++)
            measure_column(h, items, column);
        if (i < counts.steps && dmm_model_network_next(&step, network))
            dmm_model_network_apply(items, &step);
    }
    dmm_model_network_rewind(network);
    draw_cells(out, h);
    fprintf(out, "</svg>\n");
    free(items);
    free(h);
    return true;
}
