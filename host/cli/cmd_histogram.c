/* SPDX-License-Identifier: MIT */
/* dmm histogram: how many numbers of a file are in each bin. */
#include <math.h>
#include <string.h>

#include <dmm/histogram.h>

#include "columns.h"
#include "commands.h"
#include "number.h"
#include "option.h"
#include "progress.h"
#include "session.h"
#include "table.h"

enum { MOST_BINS = 65536 };
static const uint64_t NO_BINS = UINT64_MAX; /* not given */

typedef struct request {
    dmm_type type; /* DMM_ITEM: not given */
    cli_columns columns;
    uint64_t bins; /* 0: a bin a number */
    const char *range, *edges, *input, *output;
} request;

typedef struct work {
    cli_session session;
    cli_array items, labels, counts;
    cli_array edges;  /* for the output: the lower ones */
    cli_array limits; /* for the device, of the type of items */
    double low, high;
    cli_pair output;
} work;

static bool parse(request *o, int argc, char **argv, cli_error *error)
{
    const cli_option options[] = {
        {'b', "bins", CLI_COUNT, &o->bins, "N",
            "N bins of equal width over the range, at most 65536; a number on\n"
            "an edge is in the upper bin, but the last bin has both its edges"},
        {0, "range", CLI_TEXT, &o->range, "LOW,HIGH",
            "the range of --bins; numbers outside are not counted\n"
            "(default: from the least to the greatest number)"},
        {0, "edges", CLI_TEXT, &o->edges, "E0,E1,...",
            "bins between these edges, ascending, in place of --bins; the last\n"
            "bin has both of its"},
        {'o', "output", CLI_TEXT, &o->output, "OUTPUT",
            "file for the counts alone, as u64. Default: lines `NUMBER COUNT`,\n"
            "or `LOWER-EDGE COUNT`, on standard output"},
        CLI_TYPE_OPTION(&o->type, "numbers"),
        CLI_KEY_OPTIONS(&o->columns, "KEY",
            "read the numbers of a column of a CSV, or of a two-dimensional\n"
            ".npy: its number, from 1, or its name in the heading; NAME:f32\n"
            "gives its type"),
    };
    const cli_syntax syntax = {.synopsis = "[OPTION...] INPUT [-o OUTPUT]",
        .about =
            "Counts the numbers of a file in bins, on an OpenCL device. Without --bins: whole\n"
            "numbers from 0 to 65535, a bin for each up to the greatest; dmm sort and dmm count\n"
            "count others. With --bins or --edges: any numbers, as numpy.histogram; nan is not\n"
            "counted.",
        .examples = "  dmm histogram numbers.txt\n"
                    "  dmm histogram --bins 4 --key price sales.csv\n"
                    "  dmm histogram --edges 0,18,65,120 ages.txt\n",
        .options = options,
        .num_options = sizeof options / sizeof options[0],
        .epilogue = cli_file_formats};
    if (!cli_parse_one(&syntax, argc, argv, &o->input, error))
        return false;
    if (o->bins == NO_BINS)
        o->bins = 0;
    else if (o->bins < 1 || o->bins > MOST_BINS)
        return cli_fail(error, CLI_MISTAKE, "--bins", "from 1 to %d", MOST_BINS);
    if (o->edges && (o->bins != 0 || o->range))
        return cli_fail(error, CLI_MISTAKE, "--edges", "does not go with --bins and --range");
    if (o->range && o->bins == 0)
        return cli_fail(error, CLI_MISTAKE, "--range", "needs --bins N");
    return cli_check_columns(&o->columns, error) &&
           (!o->output || cli_check_output_name(o->output, false, error));
}

static double value_of(const cli_array *array, size_t i)
{
    return cli_number_value((const char *)array->data + i * array->item_bytes, array->type);
}

static bool parse_range(work *w, const char *at, cli_error *error)
{
    const bool ok = cli_parse_float(&at, &w->low, DMM_F64) == CLI_NUMBER_OK && *at++ == ',' &&
                    cli_parse_float(&at, &w->high, DMM_F64) == CLI_NUMBER_OK && *at == '\0';
    return (ok && w->low < w->high && w->high - w->low <= 1.7e308) ||
           cli_fail(error, CLI_MISTAKE, "--range",
               "expected LOW,HIGH: two numbers, the lower first, at most 1.7e308 apart");
}

/* Widens low and high to the numbers `x` of all i; nan is none. */
#define WIDEN_RANGE(x)                            \
    for (size_t i = 0; i < w->items.count; i++) { \
        const double one = (double)(x);           \
        w->low = one < w->low ? one : w->low;     \
        w->high = one > w->high ? one : w->high;  \
    }

/* Finds the least and the greatest number. A range of one number is widened as NumPy's is. */
static bool find_range(work *w, const request *o, cli_error *error)
{
    const float *const floats = w->items.data;
    const double *const doubles = w->items.data;
    if (o->range)
        return parse_range(w, o->range, error);
    w->low = HUGE_VAL;
    w->high = -HUGE_VAL;
    if (w->items.type == DMM_F32)
        WIDEN_RANGE(floats[i])
    else if (w->items.type == DMM_F64)
        WIDEN_RANGE(doubles[i])
    else
        WIDEN_RANGE(value_of(&w->items, i))
    if (w->low == -HUGE_VAL || w->high == HUGE_VAL)
        return cli_fail(
            error, CLI_MISTAKE, o->input, "it holds an infinity: give --range LOW,HIGH");
    if (w->low > w->high) /* no number */
        w->low = w->high = 0;
    if (w->low == w->high) {
        w->low -= 0.5;
        w->high += 0.5;
    }
    return w->high - w->low <= 1.7e308 ||
           cli_fail(error, CLI_MISTAKE, o->input, "its range is too wide for f64: give --range");
}

/* Replaces the numbers by f64. */
static bool widen(work *w, cli_error *error)
{
    cli_array wide = {.data = NULL};
    if (!cli_make_array(&wide, DMM_F64, 0, w->items.count, error))
        return false;
    for (size_t i = 0; i < wide.count; i++)
        ((double *)wide.data)[i] = value_of(&w->items, i);
    cli_free_array(&w->items);
    w->items = wide;
    return true;
}

/* Finds the edges: as f64 for the output, and of the numbers' type for the device. If the range
 * exceeds that type, the numbers become f64. */
static bool find_edges(work *w, const request *o, cli_error *error)
{
    const uint32_t bins = (uint32_t)o->bins;
    if (!find_range(w, o, error) || !cli_make_array(&w->edges, DMM_F64, 0, bins, error) ||
        !cli_make_array(&w->limits, DMM_F64, 0, bins + 1, error))
        return false;
    double *const edges = w->edges.data;
    for (uint32_t i = 0; i < bins; i++)
        edges[i] = w->low + i * ((w->high - w->low) / bins);
    for (uint32_t i = 0; i < bins; i++)
        if (!(edges[i] < (i + 1 < bins ? edges[i + 1] : w->high)))
            return cli_fail(error, CLI_MISTAKE, "--bins",
                "f64 has no %u different edges from %g to %g: give fewer, or a wider --range", bins,
                w->low, w->high);
    return dmm_histogram_even(w->limits.data, w->items.type, bins, w->low, w->high) == DMM_OK ||
           (widen(w, error) &&
               cli_check(&w->session,
                   dmm_histogram_even(w->limits.data, DMM_F64, bins, w->low, w->high), o->input,
                   error));
}

/* Parses --edges: the lower ones into w->edges, the last one into w->high. */
static bool parse_edges(work *w, const char *at, cli_error *error)
{
    double last = -HUGE_VAL;
    size_t bins = 0;
    if (!cli_make_array(&w->edges, DMM_F64, 0, MOST_BINS, error))
        return false;
    for (;; at++) {
        double edge;
        if (cli_parse_float(&at, &edge, DMM_F64) != CLI_NUMBER_OK || !(edge > last) ||
            edge == HUGE_VAL || (bins > 0 && edge - last > 1.7e308))
            break;
        last = edge;
        if (*at == '\0' && bins > 0) {
            w->edges.count = bins;
            w->high = edge;
            return true;
        }
        if (*at != ',' || bins == MOST_BINS)
            break;
        ((double *)w->edges.data)[bins++] = edge;
    }
    return cli_fail(error, CLI_MISTAKE, "--edges",
        "expected E0,E1,...: 2 to %d ascending numbers, at most 1.7e308 apart", MOST_BINS + 1);
}

/* Fills w->limits: of each edge the least item of the type that is not below it, of the last one
 * the greatest that is not above it. */
static dmm_status round_edges(work *w)
{
    const double *const edges = w->edges.data;
    const size_t bins = w->edges.count, bytes = w->items.item_bytes;
    char *const limits = w->limits.data;
    uint64_t ends[2];
    for (size_t b = 0; b < bins; b++) {
        const double next = b + 1 < bins ? edges[b + 1] : w->high;
        const dmm_status status = dmm_histogram_even(ends, w->items.type, 1, edges[b], next);
        if (status != DMM_OK)
            return status;
        memcpy(limits + b * bytes, ends, 2 * bytes);
    }
    return DMM_OK;
}

/* As find_edges, for those of --edges. */
static bool find_given_edges(work *w, const request *o, cli_error *error)
{
    return parse_edges(w, o->edges, error) &&
           cli_make_array(&w->limits, DMM_F64, 0, w->edges.count + 1, error) &&
           (round_edges(w) == DMM_OK ||
               (widen(w, error) && cli_check(&w->session, round_edges(w), o->input, error)));
}

static bool label_by_number(work *w, const request *o, cli_error *error)
{
    if (cli_is_float(w->items.type))
        return cli_fail(
            error, CLI_MISTAKE, o->input, "it holds numbers that are not whole: give --bins N");
    if (!cli_make_array(&w->labels, DMM_U32, 0, w->items.count, error))
        return false;
    uint32_t *const labels = w->labels.data, most = 0;
    cli_progress_items("binning", w->items.count);
    for (size_t i = 0; i < w->items.count; i++) {
        const double x = value_of(&w->items, i);
        cli_progress_step(i);
        if (!(x >= 0 && x < MOST_BINS))
            return cli_fail(error, CLI_MISTAKE, o->input,
                "number %zu, %.0f, is not from 0 to %d: give --bins N", i + 1, x, MOST_BINS - 1);
        labels[i] = (uint32_t)x;
        most = labels[i] > most ? labels[i] : most;
    }
    if (!cli_make_array(&w->edges, DMM_U32, 0, w->items.count > 0 ? most + 1 : 0, error))
        return false;
    for (uint32_t i = 0; i < w->edges.count; i++)
        ((uint32_t *)w->edges.data)[i] = i;
    return true;
}

static bool count(work *w, const request *o, cli_error *error)
{
    const int even = o->bins != 0 || o->edges; /* as any edges are counted, the last one, too */
    const dmm_histogram_desc desc = {.type = even ? w->items.type : DMM_U32,
        .bins = (uint32_t)(w->edges.count > 0 ? w->edges.count : 1),
        .by = even ? DMM_HISTOGRAM_EVEN : DMM_HISTOGRAM_LABELS};
    if (!cli_make_array(&w->counts, DMM_U64, 0, desc.bins, error) ||
        !cli_open_session(&w->session, error))
        return false;
    cli_progress_call("counting", even ? w->items.count : w->labels.count);
    const dmm_status status =
        even ? dmm_histogram_edges_host(w->session.context, &desc, w->items.data, w->items.count,
                   w->limits.data, w->counts.data)
             : dmm_histogram_host(
                   w->session.context, &desc, w->labels.data, w->labels.count, w->counts.data);
    w->counts.count = w->edges.count;
    return cli_check(&w->session, status, o->input, error);
}

static bool run(work *w, const request *o, cli_error *error)
{
    if (!cli_read_numbers(&w->items, o->input, o->type, &o->columns, error) ||
        !(o->bins != 0 ? find_edges(w, o, error)
            : o->edges ? find_given_edges(w, o, error)
                       : label_by_number(w, o, error)) ||
        !cli_open_pair(&w->output, o->output ? o->output : "-", NULL, error) || !count(w, o, error))
        return false;
    return o->output ? cli_write_pair(&w->output, &w->counts, NULL, error)
                     : cli_write_columns(&w->output.keys, &w->edges, &w->counts, error) &&
                           cli_commit_pair(&w->output, error);
}

int dmm_cli_histogram(int argc, char **argv)
{
    cli_error error = {0};
    request o = {.type = DMM_ITEM, .bins = NO_BINS};
    work w = {.session = CLI_SESSION_INIT, .output = CLI_PAIR_INIT};
    cli_array *const arrays[] = {&w.items, &w.labels, &w.edges, &w.limits, &w.counts};
    if (parse(&o, argc, argv, &error))
        run(&w, &o, &error);
    cli_close_pair(&w.output);
    cli_close_session(&w.session);
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
        cli_free_array(arrays[i]);
    return cli_finish(&error);
}
