/* SPDX-License-Identifier: MIT */
/* Makes, writes and draws graphs. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <dmm-model/graph.h>

#include "graph/graph.h"
#include "svg.h"

enum { SIDE = 640, MARGIN = 20, TITLE = 50, MOST_DOTS = 20000 };

bool cli_make_graph(cli_graph *out, unsigned kind, uint64_t vertices, uint64_t edges,
    uint64_t columns, uint64_t seed, cli_error *error)
{
    const dmm_model_graph_desc desc = {.kind = (dmm_model_graph_kind)kind,
        .vertices = vertices <= UINT32_MAX ? (uint32_t)vertices : 0,
        .edges = edges,
        .columns = columns <= UINT32_MAX ? (uint32_t)columns : UINT32_MAX,
        .seed = seed};
    dmm_model_graph made;
    const dmm_model_status status = dmm_model_graph_make(&made, &desc);
    if (status == DMM_MODEL_OUT_OF_MEMORY)
        return cli_fail_memory(error, "--generate", 8 * (vertices + edges));
    if (status != DMM_MODEL_OK)
        return cli_fail(error, CLI_MISTAKE, "--generate",
            "no such graph: chain needs N - 1 to N (N - 1) / 2 edges, grid whole rows and no "
            "number of edges, rmat 2^k vertices");
    *out = (cli_graph){.vertices = made.vertices,
        .edges = made.edges,
        .offsets = made.offsets,
        .targets = made.targets,
        .weights = made.weights,
        .type = DMM_U32,
        .first = 1,
        .columns = made.columns};
    return true;
}

bool cli_is_infinite(dmm_type type, const void *distances, uint64_t x)
{
    return type == DMM_F32 ? isinf(((const float *)distances)[x])
                           : ((const uint32_t *)distances)[x] == UINT32_MAX;
}

double cli_distance(dmm_type type, const void *distances, uint64_t x)
{
    return type == DMM_F32 ? (double)((const float *)distances)[x]
                           : (double)((const uint32_t *)distances)[x];
}

bool cli_write_graph(cli_output *output, const cli_graph *g, cli_error *error)
{
    bool ok = cli_print(output, error, "p sp %" PRIu64 " %" PRIu64 "\n", g->vertices, g->edges);
    for (uint64_t u = 0; u < g->vertices && ok; u++)
        for (uint64_t e = g->offsets[u]; e < g->offsets[u + 1] && ok; e++)
            ok = cli_print(output, error, "a %" PRIu64 " %" PRIu64 " %.9g\n", u + 1,
                (uint64_t)g->targets[e] + 1, cli_distance(g->type, g->weights, e));
    return ok;
}

/* The scale of a picture: `side` vertices fill it. */
typedef struct frame {
    uint64_t columns, rows;
    double step;
} frame;

static double x_of(const frame *f, uint64_t v)
{
    return MARGIN + ((double)(v % f->columns) + 0.5) * f->step;
}

static double y_of(const frame *f, uint64_t v)
{
    return TITLE + MARGIN + ((double)(v / f->columns) + 0.5) * f->step;
}

/* Draws squares, near ones dark; of many vertices, one of every k x k. */
static void draw_squares(
    FILE *out, const frame *f, const cli_graph *g, const void *distances, double farthest)
{
    uint64_t k = 1;
    while ((f->columns / k + 1) * (f->rows / k + 1) > MOST_DOTS)
        k++;
    for (uint64_t row = 0; row < f->rows; row += k)
        for (uint64_t column = 0; column < f->columns; column += k) {
            const uint64_t v = row * f->columns + column;
            const double share = cli_distance(g->type, distances, v) / farthest;
            if (!cli_is_infinite(g->type, distances, v))
                fprintf(out,
                    "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" "
                    "fill=\"hsl(205,55%%,%.0f%%)\"/>\n",
                    x_of(f, v) - f->step / 2, y_of(f, v) - f->step / 2, f->step * (double)k,
                    f->step * (double)k, 35 + 60 * share);
        }
}

bool cli_draw_grid(cli_output *output, const cli_graph *g, const void *distances,
    const uint32_t *path, uint64_t count, cli_error *error)
{
    const uint64_t columns = g->columns, rows = (g->vertices + columns - 1) / columns;
    const frame f = {columns, rows, (double)SIDE / (double)(columns > rows ? columns : rows)};
    const double width = f.step * (double)columns + 2 * MARGIN;
    const double height = f.step * (double)rows + 2 * MARGIN + TITLE;
    double farthest = 0;
    uint64_t reached = 0;
    for (uint64_t v = 0; v < g->vertices; v++)
        if (!cli_is_infinite(g->type, distances, v)) {
            farthest = fmax(farthest, cli_distance(g->type, distances, v));
            reached++;
        }
    cli_page page;
    if (!cli_open_page(&page, error))
        return false;
    cli_svg_begin(page.file, width, height, "");
    cli_svg_text(page.file, MARGIN, 40, "font-size=\"14\" fill=\"#222\"",
        "%" PRIu64 " of %" PRIu64 " vertices reached, the farthest at %.9g", reached, g->vertices,
        farthest);
    draw_squares(page.file, &f, g, distances, farthest > 0 ? farthest : 1);
    if (count > 0)
        fputs("<path fill=\"none\" stroke=\"#c2410c\" stroke-width=\"2\" d=\"", page.file);
    for (uint64_t i = 0; i < count; i++)
        fprintf(
            page.file, "%c%.2f %.2f\n", i == 0 ? 'M' : 'L', x_of(&f, path[i]), y_of(&f, path[i]));
    fputs(count > 0 ? "\"/>\n</svg>\n" : "</svg>\n", page.file);
    return cli_write_page(&page, output, error);
}
