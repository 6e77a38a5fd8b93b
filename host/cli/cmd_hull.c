/* SPDX-License-Identifier: MIT */
/* dmm hull: the convex hull of the points of a file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dmm/hull.h>

#include "commands.h"
#include "points.h"
#include "option.h"
#include "progress.h"
#include "session.h"

/* The command line. */
typedef struct request {
    bool collinear, points;
    unsigned part; /* dmm_hull_part */
    const char *input, *output, *svg;
} request;

typedef struct work {
    cli_session session;
    cli_array points; /* 2n numbers */
    cli_array hull;   /* indices */
    cli_array corners;
    cli_output output, svg;
} work;

static const cli_section files[] = {
    {"Files",
        "  .npy         in: an array of shape (n, 2); out: indices u64, or points (h, 2)\n"
        "  .txt .csv    in: two numbers a line; the first line is a heading if it does not\n"
        "               begin with a number; out: an index, or x,y, a line\n"
        "  -            standard input or output, as text\n"
        "Vertices go round counter-clockwise, from the least x (of these the least y). Every\n"
        "number is used exactly: f32 and f64 are not rounded, and no point is merged with\n"
        "another one."},
    {NULL, NULL},
};

static bool parse(request *o, int argc, char **argv, cli_error *error)
{
    const cli_option options[] = {
        {'o', "output", CLI_TEXT, &o->output, "OUTPUT", "default: text on standard output"},
        {0, "collinear", CLI_FLAG, &o->collinear, NULL,
            "keep the points that lie between vertices on the boundary"},
        {0, "points", CLI_FLAG, &o->points, NULL, "write the points, not their indices"},
        {0, "part", CLI_CHOICE, &o->part, "whole|lower|upper",
            "lower: from the least to the greatest point; upper: and back\n(default: whole)"},
        {0, "svg", CLI_SVG, &o->svg, "FILE", "draw points and hull"},
    };
    const cli_syntax syntax = {.synopsis = "[OPTION...] INPUT [-o OUTPUT]",
        .about = "Finds the convex hull of the points of a file, exactly, on an OpenCL device.",
        .examples = "  dmm hull points.csv --points --svg hull.svg\n",
        .options = options,
        .num_options = sizeof options / sizeof options[0],
        .epilogue = files};
    if (!cli_parse_one(&syntax, argc, argv, &o->input, error))
        return false;
    o->output = o->output ? o->output : "-";
    const cli_format format = cli_format_of(o->output);
    return format == CLI_NPY || format == CLI_TEXT_LINES ||
           cli_fail(error, CLI_MISTAKE, o->output,
               "its name must end in .npy, .txt or .csv; or give - for text");
}

static bool find(work *w, const request *o, cli_error *error)
{
    const size_t n = w->points.count / 2;
    uint64_t count = 0;
    const dmm_hull_desc desc = {
        .coordinates = w->points.type == DMM_F64 ? DMM_HULL_F64 : DMM_HULL_F32,
        .index_bytes = 8,
        .collinear = o->collinear,
        .part = (dmm_hull_part)o->part};
    if (!cli_make_array(&w->hull, DMM_U64, 0, n, error) || !cli_open_session(&w->session, error))
        return false;
    cli_progress_call("finding the hull", n);
    const dmm_status status =
        dmm_hull_host(w->session.context, &desc, w->points.data, NULL, n, w->hull.data, &count);
    if (status == DMM_NOT_FINITE)
        return cli_fail(error, CLI_MISTAKE, o->input, "point %llu (from 0) is not finite",
            (unsigned long long)count);
    w->hull.count = (size_t)count;
    return cli_check(&w->session, status, o->input, error);
}

/* Copies the points of the hull to `corners`. */
static bool collect(work *w, cli_error *error)
{
    const uint64_t *const names = w->hull.data;
    const size_t bytes = 2 * (size_t)w->points.item_bytes;
    if (!cli_make_array(&w->corners, w->points.type, 0, 2 * w->hull.count, error))
        return false;
    for (size_t i = 0; i < w->hull.count; i++)
        memcpy((char *)w->corners.data + i * bytes,
            (const char *)w->points.data + (size_t)names[i] * bytes, bytes);
    return true;
}

static bool write_files(work *w, const request *o, cli_error *error)
{
    cli_output *const outputs[] = {&w->output, &w->svg};
    if (o->points ? !collect(w, error) || !cli_write_points(&w->output, &w->corners, error)
                  : !cli_write_array(&w->output, &w->hull, error))
        return false;
    if (o->svg && !cli_draw_hull(&w->svg, &w->points, w->hull.data, w->hull.count,
                      o->part == DMM_HULL_WHOLE, error))
        return false;
    return cli_commit_outputs(outputs, o->svg ? 2 : 1, error);
}

static bool run(work *w, const request *o, cli_error *error)
{
    if (!cli_read_points(&w->points, o->input, error) ||
        !cli_open_output(&w->output, o->output, error) ||
        (o->svg && !cli_open_output(&w->svg, o->svg, error)))
        return false;
    if (o->svg && cli_same_output(&w->output, &w->svg))
        return cli_fail(error, CLI_MISTAKE, "--svg", "is the output's file");
    return find(w, o, error) && write_files(w, o, error);
}

int dmm_cli_hull(int argc, char **argv)
{
    cli_error error = {0};
    request o = {.collinear = false};
    work w = {.session = CLI_SESSION_INIT, .output = CLI_OUTPUT_INIT, .svg = CLI_OUTPUT_INIT};
    if (parse(&o, argc, argv, &error))
        run(&w, &o, &error);
    cli_close_output(&w.output);
    cli_close_output(&w.svg);
    cli_close_session(&w.session);
    cli_free_array(&w.points);
    cli_free_array(&w.hull);
    cli_free_array(&w.corners);
    return cli_finish(&error);
}
