/* SPDX-License-Identifier: MIT */
/* Reads graphs: DIMACS, Matrix Market, lists of edges. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "input.h"
#include "lines.h"
#include "number.h"
#include "option.h"
#include "progress.h"
#include "graph/graph.h"

const cli_section cli_graph_formats[] = {
    {"Graphs",
        "  .gr          DIMACS: `p sp VERTICES EDGES`, then lines `a FROM TO WEIGHT`; vertices\n"
        "               count from 1\n"
        "  .mtx         Matrix Market, coordinate, square: an entry is an edge from its row to "
        "its\n"
        "               column; symmetric: two; pattern: weight 1; vertices count from 1\n"
        "  others, -    a list of edges: lines `FROM TO [WEIGHT]`; vertices count from 0; without\n"
        "               weight: 1; # begins a comment\n"
        "Weights are at least 0: u32 if all are whole and below 2^32 - 1, otherwise f32, which is\n"
        "rounded; inf: no edge."},
    {NULL, NULL},
};

typedef struct edge {
    uint32_t from, to;
    double weight;
} edge;

typedef enum format { DIMACS, MARKET, LIST } format;

/* A file as it is read. */
typedef struct reading {
    const char *path;
    format format;
    bool is_symmetric, is_pattern;
    cli_lines lines;
    uint64_t vertices, declared; /* vertices and entries that the heading says */
    uint64_t entries;            /* a symmetric matrix has two edges for most */
    bool has_heading;
    edge *edges;
    uint64_t count, space;
} reading;

static bool wrong(const reading *r, cli_error *error, const char *expected)
{
    return cli_fail(error, CLI_MISTAKE, r->path, "line %zu: expected %s", r->lines.line, expected);
}

static bool is_gap(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == ',';
}

static const char *skip_gap(const char *at)
{
    while (is_gap(*at))
        at++;
    return at;
}

/* Moves *at past a number or word that ends there, and what separates it from the next. */
static bool take_end(const char **at, const char *end)
{
    if (!is_gap(*end) && *end != '\0')
        return false;
    *at = skip_gap(end);
    return true;
}

static bool take_whole(const char **at, uint64_t *out)
{
    bool negative = false;
    const char *end = skip_gap(*at);
    return cli_parse_whole(&end, &negative, out) == CLI_NUMBER_OK && !negative && take_end(at, end);
}

static bool take_float(const char **at, double *out)
{
    const char *end = *at;
    return cli_parse_float(&end, out, DMM_F64) == CLI_NUMBER_OK && take_end(at, end);
}

/* In lower or upper case. */
static bool take_word(const char **at, const char *word)
{
    const size_t length = strlen(word);
    return strncasecmp(*at, word, length) == 0 && take_end(at, *at + length);
}

static bool is_at_end(const char *at)
{
    return *skip_gap(at) == '\0';
}

static bool add(reading *r, uint64_t from, uint64_t to, double weight, cli_error *error)
{
    if (r->count == r->space) {
        const uint64_t space = 2 * r->space + 1024;
        edge *const more = realloc(r->edges, (size_t)space * sizeof *more);
        if (!more)
            return cli_fail_memory(error, r->path, space * sizeof *more);
        r->edges = more;
        r->space = space;
    }
    r->edges[r->count++] = (edge){(uint32_t)from, (uint32_t)to, weight};
    return true;
}

/* Reads `FROM TO WEIGHT`, without the weight where there is none. */
static bool read_edge(reading *r, const char *at, cli_error *error)
{
    const uint64_t first = r->format != LIST;
    uint64_t from = 0, to = 0;
    double weight = 1;
    if (!take_whole(&at, &from) || !take_whole(&at, &to))
        return wrong(r, error, "two vertices and a weight");
    const bool has_weight = r->format == LIST ? !is_at_end(at) : !r->is_pattern;
    if ((has_weight && !take_float(&at, &weight)) || !is_at_end(at))
        return wrong(r, error, r->is_pattern ? "two vertices" : "two vertices and a weight");
    if (!(weight >= 0))
        return wrong(r, error, "a weight of at least 0");
    if (isfinite(weight) && isinf((float)weight))
        return wrong(r, error, "a weight below 2^128, or inf for no edge");
    if (r->format == LIST) {
        const uint64_t most = from > to ? from : to;
        if (most >= UINT32_MAX / 2)
            return wrong(r, error, "vertices below 2^31 - 1");
        r->vertices = most + 1 > r->vertices ? most + 1 : r->vertices;
    } else if (from < first || to < first || from > r->vertices || to > r->vertices) {
        return wrong(r, error, "vertices from 1 to their number");
    }
    from -= first;
    to -= first;
    r->entries++;
    return add(r, from, to, weight, error) &&
           (!r->is_symmetric || from == to || add(r, to, from, weight, error));
}

static bool read_heading(reading *r, const char *at, cli_error *error)
{
    uint64_t columns = 0;
    if ((r->format == DIMACS && !(take_word(&at, "p") && take_word(&at, "sp"))) ||
        !take_whole(&at, &r->vertices) ||
        (r->format == MARKET && (!take_whole(&at, &columns) || columns != r->vertices)) ||
        !take_whole(&at, &r->declared) || !is_at_end(at) || r->vertices >= UINT32_MAX / 2)
        return wrong(r, error,
            r->format == DIMACS ? "'p sp VERTICES EDGES'" : "'N N ENTRIES' of a square matrix");
    r->has_heading = true;
    return true;
}

/* The first line of Matrix Market. */
static bool read_banner(reading *r, const char *at, cli_error *error)
{
    const bool begins = take_word(&at, "%%MatrixMarket") && take_word(&at, "matrix") &&
                        take_word(&at, "coordinate");
    r->is_pattern = begins && take_word(&at, "pattern");
    const bool has_numbers = begins && (take_word(&at, "real") || take_word(&at, "integer"));
    r->is_symmetric = take_word(&at, "symmetric");
    if (r->is_pattern == has_numbers || (!r->is_symmetric && !take_word(&at, "general")) ||
        !is_at_end(at))
        return wrong(
            r, error, "'%%MatrixMarket matrix coordinate real|integer|pattern general|symmetric'");
    return true;
}

static bool read_line(reading *r, const char *at, cli_error *error)
{
    static const char comments[] = {[DIMACS] = 'c', [MARKET] = '%', [LIST] = '#'};
    if (r->format == MARKET && r->lines.line == 1)
        return read_banner(r, at, error);
    if (is_at_end(at) || *at == comments[r->format])
        return true;
    if (r->format != LIST && !r->has_heading)
        return read_heading(r, at, error);
    if (r->format == DIMACS && !take_word(&at, "a"))
        return wrong(r, error, "'a FROM TO WEIGHT'");
    return read_edge(r, at, error);
}

static bool read_lines(reading *r, cli_error *error)
{
    const char *const begin = r->lines.at;
    cli_progress_bytes("parsing", (uint64_t)(r->lines.end - begin));
    for (const char *line; (line = cli_next_line(&r->lines));) {
        if (!read_line(r, line, error))
            return false;
        cli_progress_step((uint64_t)(line - begin));
    }
    if (r->format != LIST && !r->has_heading)
        return wrong(r, error, "a line with the numbers of vertices and edges");
    if (r->format != LIST && r->entries != r->declared)
        return cli_fail(error, CLI_MISTAKE, r->path,
            "it has %" PRIu64 " edges, not %" PRIu64 " as its heading says", r->entries,
            r->declared);
    return true;
}

/* Chooses the type of the weights. */
static bool choose(const reading *r, dmm_type *type, cli_error *error)
{
    bool whole = true;
    for (uint64_t e = 0; e < r->count && whole; e++)
        whole = r->edges[e].weight < UINT32_MAX && floor(r->edges[e].weight) == r->edges[e].weight;
    if (*type == DMM_U32 && !whole)
        return cli_fail(error, CLI_MISTAKE, r->path, "a weight is no u32");
    if (*type == DMM_ITEM)
        *type = whole ? DMM_U32 : DMM_F32;
    return true;
}

/* Orders the edges by their first vertices, stably. */
static bool compress(cli_graph *g, const reading *r, cli_error *error)
{
    const size_t n = (size_t)r->vertices, m = (size_t)r->count;
    g->vertices = n;
    g->edges = m;
    g->first = r->format != LIST;
    g->offsets = calloc(n + 2, sizeof *g->offsets);
    g->targets = malloc((m + 1) * sizeof *g->targets);
    g->weights = malloc((m + 1) * sizeof(uint32_t));
    if (!g->offsets || !g->targets || !g->weights)
        return cli_fail_memory(error, r->path, 8 * (n + m));
    for (size_t e = 0; e < m; e++)
        g->offsets[r->edges[e].from + 2]++;
    for (size_t v = 2; v <= n; v++)
        g->offsets[v] += g->offsets[v - 1];
    for (size_t e = 0; e < m; e++) {
        const uint64_t at = g->offsets[r->edges[e].from + 1]++;
        g->targets[at] = r->edges[e].to;
        if (g->type == DMM_F32)
            ((float *)g->weights)[at] = (float)r->edges[e].weight;
        else
            ((uint32_t *)g->weights)[at] = (uint32_t)r->edges[e].weight;
    }
    return true;
}

static bool has_end(const char *path, const char *end)
{
    const size_t length = strlen(path), part = strlen(end);
    return length >= part && strcmp(path + length - part, end) == 0;
}

bool cli_read_graph(cli_graph *out, const char *path, dmm_type type, cli_error *error)
{
    char *text = NULL;
    size_t bytes = 0;
    reading r = {.path = path,
        .format = has_end(path, ".gr")    ? DIMACS
                  : has_end(path, ".mtx") ? MARKET
                                          : LIST};
    if (!cli_read_file(&text, &bytes, path, error))
        return false;
    out->type = type;
    const bool read = cli_open_lines(&r.lines, text, bytes, path, error) && read_lines(&r, error) &&
                      choose(&r, &out->type, error) && compress(out, &r, error);
    free(text);
    free(r.edges);
    return read;
}

void cli_free_graph(cli_graph *graph)
{
    free(graph->offsets);
    free(graph->targets);
    free(graph->weights);
}
