/* SPDX-License-Identifier: MIT */
/* dmm paths: shortest paths in the graph of a file, or in one that it makes. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "graph/graph.h"
#include "number.h"
#include "option.h"
#include "progress.h"
#include "session.h"

enum { MOST_FROM = 64, LINE_CHARS = 96, NOT_GIVEN = 3 };

typedef struct request {
    dmm_type type;   /* DMM_ITEM: not given */
    unsigned kind;   /* kind of the graph to make; NOT_GIVEN */
    unsigned method; /* a dmm_paths_method */
    const char *delta_text;
    double delta; /* 0: not given */
    uint64_t vertices, edges, columns, seed, to;
    bool check;
    const char *input, *output, *svg, *from;
} request;

typedef struct work {
    cli_session session;
    cli_graph graph;
    uint32_t from[MOST_FROM], to;
    uint64_t num_from;
    void *distances;
    uint32_t *predecessors, *path; /* path: from a source to `to` */
    uint64_t path_count;
    cli_output output, svg;
} work;

static bool check_delta(request *o, cli_error *error);

static bool parse(request *o, int argc, char **argv, cli_error *error)
{
    char **operands = NULL;
    int num_operands = 0;
    const cli_option options[] = {
        {0, "from", CLI_TEXT, &o->from, "V,...", "the sources, as numbered in the file"},
        {0, "path-to", CLI_COUNT, &o->to, "V",
            "print the path to this vertex; the search ends there"},
        {'o', "output", CLI_TEXT, &o->output, "OUTPUT", "default: standard output"},
        {'t', "type", CLI_TYPE, &o->type, "TYPE", "type of the weights: u32 or f32"},
        {0, "svg", CLI_SVG, &o->svg, "FILE",
            "draw a grid: distances, and the path of --path-to; of a\n"
            "file with --columns"},
        {0, "columns", CLI_COUNT, &o->columns, "N", "vertices in a row of the grid"},
        {0, "generate", CLI_CHOICE, &o->kind, "chain|grid|rmat",
            "make a graph instead of reading one; without --from, write it"},
        {0, "vertices", CLI_COUNT, &o->vertices, "N", "vertices of that graph (default: 1024)"},
        {0, "edges", CLI_COUNT, &o->edges, "M", "edges of a chain or rmat (default: 16 N)"},
        {0, "seed", CLI_COUNT, &o->seed, "SEED", "its random numbers (default: 1)"},
        {0, "method", CLI_CHOICE, &o->method, "auto|near-far|dijkstra",
            "near-far: many vertices at once (auto); dijkstra: by a heap, the\n"
            "nearest vertex first, for graphs of up to 2^20 vertices"},
        {0, "delta", CLI_TEXT, &o->delta_text, "WIDTH",
            "near-far: the range of distances that is handled at once, in units\n"
            "of the weights (default: about a mean weight a vertex; inf: all).\n"
            "It affects the speed alone"},
        {0, "check", CLI_FLAG, &o->check, NULL,
            "check on the host that no edge shortens a distance and that predecessors\n"
            "lead to a source; on an error, write nothing and exit with 3"},
    };
    const cli_syntax syntax = {.synopsis = "[OPTION...] GRAPH --from V\n"
                                           "       dmm paths --generate KIND [OPTION...]",
        .about = "Finds shortest paths on an OpenCL device. Prints a line `VERTEX DISTANCE\n"
                 "PREDECESSOR` for each vertex with a path; a source is its own predecessor. With\n"
                 "--path-to: lines `VERTEX DISTANCE` from a source to that vertex.",
        .examples = "  dmm paths edges.txt --from 0\n",
        .options = options,
        .num_options = sizeof options / sizeof options[0],
        .max_operands = 1,
        .epilogue = cli_graph_formats};
    if (!cli_parse(&syntax, argc, argv, &operands, &num_operands, error))
        return false;
    o->input = num_operands > 0 ? operands[0] : NULL;
    if ((o->kind == NOT_GIVEN) == (o->input == NULL))
        return cli_fail(error, CLI_MISTAKE, NULL, "give a GRAPH, or --generate");
    if (o->type != DMM_ITEM && o->type != DMM_U32 && o->type != DMM_F32)
        return cli_fail(error, CLI_MISTAKE, "--type", "weights are u32 or f32");
    if (!o->from && (o->input || o->svg || o->to != UINT64_MAX))
        return cli_fail(error, CLI_MISTAKE, NULL, "--from is missing");
    return check_delta(o, error);
}

static bool check_delta(request *o, cli_error *error)
{
    const char *at = o->delta_text;
    if (!at)
        return true;
    if (o->method == DMM_PATHS_DIJKSTRA)
        return cli_fail(error, CLI_MISTAKE, "--delta", "is of --method near-far");
    return (cli_parse_float(&at, &o->delta, DMM_F64) == CLI_NUMBER_OK && *at == '\0' &&
               o->delta > 0) ||
           cli_fail(error, CLI_MISTAKE, "--delta", "expected a number above 0, or inf");
}

/* Stores a vertex as numbered from 0. */
static bool take_vertex(
    const work *w, uint32_t *out, uint64_t number, const char *option, cli_error *error)
{
    if (w->graph.vertices == 0)
        return cli_fail(error, CLI_MISTAKE, option, "the graph has no vertex");
    if (number < w->graph.first || number - w->graph.first >= w->graph.vertices)
        return cli_fail(error, CLI_MISTAKE, option,
            "%" PRIu64 " is no vertex: they count from %" PRIu64 " to %" PRIu64, number,
            w->graph.first, w->graph.first + w->graph.vertices - 1);
    *out = (uint32_t)(number - w->graph.first);
    return true;
}

static bool take_sources(work *w, const request *o, cli_error *error)
{
    const char *at = o->from;
    for (bool more = true; more; w->num_from++) {
        bool negative = false;
        uint64_t number = 0;
        if (w->num_from == MOST_FROM || cli_parse_whole(&at, &negative, &number) != CLI_NUMBER_OK ||
            negative || (*at != ',' && *at != '\0'))
            return cli_fail(
                error, CLI_MISTAKE, "--from", "expected up to %d vertices: V,V,...", MOST_FROM);
        if (!take_vertex(w, &w->from[w->num_from], number, "--from", error))
            return false;
        more = *at++ == ',';
    }
    return o->to == UINT64_MAX || take_vertex(w, &w->to, o->to, "--path-to", error);
}

static bool find(work *w, const request *o, cli_error *error)
{
    const cli_graph *const g = &w->graph;
    const dmm_paths_desc desc = {
        .weight = g->type, .method = (dmm_paths_method)o->method, .delta = o->delta};
    dmm_report report = {0};
    w->distances = malloc((size_t)g->vertices * sizeof(uint32_t));
    w->predecessors = malloc((size_t)g->vertices * sizeof *w->predecessors);
    w->path = malloc((size_t)g->vertices * sizeof *w->path);
    if (!w->distances || !w->predecessors || !w->path)
        return cli_fail_memory(error, o->input, 12 * g->vertices);
    const dmm_paths_host_args args = {.offsets = g->offsets,
        .targets = g->targets,
        .weights = g->weights,
        .sources = w->from,
        .stops = &w->to,
        .num_sources = w->num_from,
        .num_stops = o->to != UINT64_MAX,
        .distances_out = w->distances,
        .predecessors_out = w->predecessors,
        .report_out = &report};
    if (!cli_open_session(&w->session, error))
        return false;
    cli_progress_call("finding paths", g->edges);
    const dmm_status status =
        dmm_paths_host(w->session.context, &desc, &args, (size_t)g->vertices, (size_t)g->edges);
    if (status == DMM_TOO_LARGE && report.code == DMM_TOO_LARGE)
        return cli_fail(error, CLI_MISTAKE, o->input,
            "the distance of vertex %" PRIu64 " is too large for its type",
            report.position + g->first);
    return cli_check(&w->session, status, o->input, error);
}

/* True if predecessors lead from each vertex with a path to a source, along edges whose weights are
 * the differences of distances, and no edge shortens one. `steps`: of a vertex; 0: not known. */
static bool is_right(const work *w, bool is_whole, uint32_t *steps)
{
    const cli_graph *const g = &w->graph;
    cli_progress_items("checking", g->vertices);
    for (uint64_t u = 0; u < g->vertices; u++) {
        cli_progress_step(u);
        for (uint64_t e = g->offsets[u]; e < g->offsets[u + 1]; e++) {
            const uint32_t v = g->targets[e];
            const double from = cli_distance(g->type, w->distances, u);
            const double to = cli_distance(g->type, w->distances, v);
            const double weight = cli_distance(g->type, g->weights, e);
            const double sum =
                g->type == DMM_F32 ? (double)((float)from + (float)weight) : from + weight;
            const bool is_edge = !cli_is_infinite(g->type, w->distances, u) &&
                                 !cli_is_infinite(g->type, g->weights, e);
            if (is_edge && is_whole && sum < to)
                return false;
            if (is_edge && w->predecessors[v] == u && sum <= to && sum >= to)
                steps[v] = 1;
        }
    }
    for (uint64_t i = 0; i < w->num_from; i++)
        if (w->predecessors[w->from[i]] != w->from[i] ||
            cli_distance(g->type, w->distances, w->from[i]) > 0)
            return false;
    for (uint64_t v = 0; v < g->vertices; v++) {
        uint32_t at = (uint32_t)v;
        uint64_t left = g->vertices;
        if (cli_is_infinite(g->type, w->distances, v))
            continue;
        for (; steps[at] == 1 && w->predecessors[at] != at && left > 0; left--)
            at = w->predecessors[at];
        if (left == 0 || (w->predecessors[at] != at && steps[at] != 2))
            return false;
        for (uint32_t x = (uint32_t)v; x != at; x = w->predecessors[x])
            steps[x] = 2;
    }
    return true;
}

static bool check(const work *w, const request *o, cli_error *error)
{
    uint32_t *const steps = calloc((size_t)w->graph.vertices + 1, sizeof *steps);
    if (!steps)
        return cli_fail_memory(error, o->input, 4 * w->graph.vertices);
    const bool right = is_right(w, o->to == UINT64_MAX, steps);
    free(steps);
    return right || cli_fail(error, CLI_CHECK_FAILED, o->input, "the result is wrong");
}

/* Lists the vertices of the path to --path-to. */
static bool trace(work *w, const request *o, cli_error *error)
{
    if (cli_is_infinite(w->graph.type, w->distances, w->to))
        return cli_fail(error, CLI_MISTAKE, "--path-to", "no path leads to %" PRIu64, o->to);
    uint32_t at = w->to;
    for (w->path[w->path_count++] = at; w->predecessors[at] != at; w->path[w->path_count++] = at)
        at = w->predecessors[at];
    for (uint64_t i = 0; i < w->path_count / 2; i++) {
        const uint32_t kept = w->path[i];
        w->path[i] = w->path[w->path_count - 1 - i];
        w->path[w->path_count - 1 - i] = kept;
    }
    return true;
}

static bool write_line(work *w, uint32_t v, bool with_predecessor, cli_error *error)
{
    const cli_graph *const g = &w->graph;
    char *const line = cli_write_room(&w->output, LINE_CHARS, error);
    if (!line)
        return false;
    size_t length = (size_t)snprintf(line, LINE_CHARS, "%" PRIu64 " ", v + g->first);
    length += cli_print_number(
        line + length, (const char *)w->distances + (size_t)v * sizeof(uint32_t), g->type);
    if (with_predecessor)
        length += (size_t)snprintf(
            line + length, LINE_CHARS - length, " %" PRIu64, w->predecessors[v] + g->first);
    line[length] = '\n';
    cli_written(&w->output, length + 1);
    return true;
}

static bool write_results(work *w, const request *o, cli_error *error)
{
    const bool whole = o->to == UINT64_MAX;
    cli_output *const outputs[] = {&w->output, &w->svg};
    bool ok = true;
    for (uint64_t v = 0; v < w->graph.vertices && whole && ok; v++)
        ok = cli_is_infinite(w->graph.type, w->distances, v) ||
             write_line(w, (uint32_t)v, true, error);
    for (uint64_t i = 0; i < w->path_count && ok; i++)
        ok = write_line(w, w->path[i], false, error);
    if (ok && o->svg)
        ok = cli_draw_grid(&w->svg, &w->graph, w->distances, w->path, w->path_count, error);
    return ok && cli_commit_outputs(outputs, o->svg ? 2 : 1, error);
}

static bool get_graph(work *w, const request *o, cli_error *error)
{
    if (o->kind != NOT_GIVEN)
        return cli_make_graph(
            &w->graph, o->kind, o->vertices, o->edges, o->columns, o->seed, error);
    if (!cli_read_graph(&w->graph, o->input, o->type, error))
        return false;
    w->graph.columns = o->columns;
    return true;
}

static bool run(work *w, const request *o, cli_error *error)
{
    static const char *const names[] = {"--output", "--svg"};
    const char *const paths[] = {o->output, o->svg};
    if (!cli_check_outputs(names, paths, 2, error) || !get_graph(w, o, error) ||
        !cli_open_output(&w->output, o->output, error))
        return false;
    if (!o->from)
        return cli_write_graph(&w->output, &w->graph, error) &&
               cli_commit_outputs((cli_output *const[]){&w->output}, 1, error);
    if (o->svg && w->graph.columns == 0)
        return cli_fail(error, CLI_MISTAKE, "--svg", "draws grids: --columns is missing");
    return (!o->svg || cli_open_output(&w->svg, o->svg, error)) && take_sources(w, o, error) &&
           find(w, o, error) && (!o->check || check(w, o, error)) &&
           (o->to == UINT64_MAX || trace(w, o, error)) && write_results(w, o, error);
}

int dmm_cli_paths(int argc, char **argv)
{
    cli_error error = {0};
    request o = {.type = DMM_ITEM,
        .kind = NOT_GIVEN,
        .vertices = 1024,
        .seed = 1,
        .to = UINT64_MAX,
        .output = "-"};
    work w = {.session = CLI_SESSION_INIT, .output = CLI_OUTPUT_INIT, .svg = CLI_OUTPUT_INIT};
    if (parse(&o, argc, argv, &error))
        run(&w, &o, &error);
    cli_close_output(&w.output);
    cli_close_output(&w.svg);
    cli_close_session(&w.session);
    cli_free_graph(&w.graph);
    free(w.distances);
    free(w.predecessors);
    free(w.path);
    return cli_finish(&error);
}
