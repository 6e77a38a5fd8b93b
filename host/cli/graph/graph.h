/* SPDX-License-Identifier: MIT */
/* Graphs from and to files, and their pictures. */
#ifndef DMM_CLI_GRAPH_H
#define DMM_CLI_GRAPH_H

#include <dmm/paths.h>

#include "option.h"
#include "output.h"

typedef struct cli_graph {
    uint64_t vertices, edges;
    uint64_t *offsets;
    uint32_t *targets;
    void *weights;    /* numbers of `type` */
    dmm_type type;    /* DMM_U32 or DMM_F32 */
    uint64_t first;   /* number of the first vertex in the file: 0 or 1 */
    uint64_t columns; /* vertices in a row of a grid; 0: unknown */
} cli_graph;

/* Sections of --help: the formats. */
extern const cli_section cli_graph_formats[];

/* Reads a graph in the format that its name and its first line say. type: DMM_U32, DMM_F32, or
 * DMM_ITEM: u32 if all weights are whole and fit. */
bool cli_read_graph(cli_graph *out, const char *path, dmm_type type, cli_error *error);

/* Makes a graph of <dmm-model/graph.h>; its vertices count from 1. */
bool cli_make_graph(cli_graph *out, unsigned kind, uint64_t vertices, uint64_t edges,
    uint64_t columns, uint64_t seed, cli_error *error);

/* Writes it in DIMACS' format. */
bool cli_write_graph(cli_output *output, const cli_graph *graph, cli_error *error);

/* Draws a grid: vertices by their distance, and the path of `count` vertices. */
bool cli_draw_grid(cli_output *output, const cli_graph *graph, const void *distances,
    const uint32_t *path, uint64_t count, cli_error *error);

/* True if distance x is infinity. Returns a distance or weight as a number. */
bool cli_is_infinite(dmm_type type, const void *distances, uint64_t x);
double cli_distance(dmm_type type, const void *distances, uint64_t x);

/* Zeros are fine. */
void cli_free_graph(cli_graph *graph);

#endif
