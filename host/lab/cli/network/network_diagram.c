/* SPDX-License-Identifier: MIT */
/*
 * Wires from left to right, comparators as vertical lines; an arrow head marks the larger item
 * where that is on the upper wire. Comparators of a step that would cover each other stand in
 * columns side by side, on a shaded band.
 */
#include "network.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "svg.h"

enum { MARGIN = 34, TITLE = 40, COLUMN = 9, GAP = 12 };

/* Chooses a column of the step for each comparator, the first in which no other one covers its
 * wires; returns the number of columns. `busy[w]`: columns in use on wire w, a bit each, the last
 * for all beyond. */
static uint32_t columns_of(uint8_t *columns, const dmm_model_network_step *step, uint64_t *busy)
{
    uint32_t count = 0;
    memset(busy, 0, NETWORK_DIAGRAM_WIRES * sizeof *busy);
    for (uint64_t i = 0; i < step->count; i++) {
        const dmm_model_comparator pair = step->pairs[i];
        const uint32_t top = pair.low < pair.high ? pair.low : pair.high;
        const uint32_t bottom = pair.low < pair.high ? pair.high : pair.low;
        uint64_t used = 0;
        uint8_t column = 0;
        for (uint32_t w = top; w <= bottom; w++)
            used |= busy[w];
        while (column < 63 && used >> column & 1)
            column++;
        for (uint32_t w = top; w <= bottom; w++)
            busy[w] |= UINT64_C(1) << column;
        columns[i] = column;
        count = count > column + 1u ? count : column + 1u;
    }
    return count;
}

static uint32_t spacing_of(uint32_t wires)
{
    return wires <= 16 ? 22 : wires <= 64 ? 14 : 7;
}

static void draw_comparator(FILE *out, dmm_model_comparator pair, uint32_t x, uint32_t spacing)
{
    const uint32_t top = MARGIN + TITLE, a = top + pair.low * spacing,
                   b = top + pair.high * spacing;
    fprintf(out, "<path d=\"M%" PRIu32 " %" PRIu32 "V%" PRIu32 "\"/>", x, a, b);
    fprintf(out, "<circle cx=\"%" PRIu32 "\" cy=\"%" PRIu32 "\" r=\"2.2\"/>", x, a);
    if (pair.low < pair.high)
        fprintf(out, "<circle cx=\"%" PRIu32 "\" cy=\"%" PRIu32 "\" r=\"2.2\"/>\n", x, b);
    else
        fprintf(out, "<path d=\"M%" PRIu32 " %" PRIu32 "l-3 5h6z\"/>\n", x, b);
}

/* Draws the steps, or only measures them where out is NULL; returns the width. */
static uint32_t draw_steps(FILE *out, dmm_model_network *network, uint32_t spacing)
{
    static const char band[] = "#eef2f7";
    uint8_t columns[NETWORK_DIAGRAM_WIRES / 2];
    uint64_t busy[NETWORK_DIAGRAM_WIRES];
    const uint32_t height = (dmm_model_network_wires(network) - 1) * spacing;
    dmm_model_network_step step;
    uint32_t x = MARGIN + GAP;
    dmm_model_network_rewind(network);
    for (uint32_t i = 0; dmm_model_network_next(&step, network); i++) {
        const uint32_t count = columns_of(columns, &step, busy), width = (count - 1) * COLUMN;
        if (out && i % 2 == 0)
            fprintf(out,
                "<rect x=\"%" PRIu32 "\" y=\"%d\" width=\"%" PRIu32 "\" height=\"%" PRIu32
                "\" fill=\"%s\" stroke=\"none\"/>\n",
                x - GAP / 2, MARGIN + TITLE - 6, width + GAP, height + 12, band);
        for (uint64_t k = 0; out && k < step.count; k++)
            draw_comparator(out, step.pairs[k], x + columns[k] * (uint32_t)COLUMN, spacing);
        x += width + GAP;
    }
    dmm_model_network_rewind(network);
    return x - GAP / 2 + MARGIN;
}

void network_draw_diagram(FILE *out, dmm_model_network *network)
{
    const uint32_t wires = dmm_model_network_wires(network), spacing = spacing_of(wires);
    const uint32_t measured = draw_steps(NULL, network, spacing);
    const uint32_t width = measured > 420 ? measured : 420;
    const uint32_t height = 2 * MARGIN + TITLE + (wires - 1) * spacing;
    const dmm_model_network_counts counts = dmm_model_network_count(network);
    cli_svg_begin(out, width, height, "");
    cli_svg_text(out, MARGIN, 34, "font-size=\"17\" fill=\"#222\"",
        "%" PRIu32 " wires, %" PRIu64 " comparators, %" PRIu64 " steps", wires, counts.comparators,
        counts.steps);
    fprintf(out, "<g stroke=\"#c2410c\" stroke-width=\"1.3\" fill=\"#c2410c\">\n");
    draw_steps(out, network, spacing);
    fprintf(out, "</g>\n<g stroke=\"#334155\" stroke-width=\"0.7\">\n");
    for (uint32_t w = 0; w < wires; w++)
        fprintf(out, "<path d=\"M%d %" PRIu32 "H%" PRIu32 "\"/>\n", MARGIN - 6,
            MARGIN + TITLE + w * spacing, measured - MARGIN + 6);
    fprintf(out, "</g>\n");
    if (spacing >= 14) {
        fprintf(out, "<g font-size=\"9\" fill=\"#667\" text-anchor=\"end\">\n");
        for (uint32_t w = 0; w < wires; w++)
            cli_svg_text(out, MARGIN - 10, MARGIN + TITLE + w * spacing + 3, "", "%" PRIu32, w);
        fprintf(out, "</g>\n");
    }
    fprintf(out, "</svg>\n");
}
