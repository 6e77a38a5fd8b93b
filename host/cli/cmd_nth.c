/* SPDX-License-Identifier: MIT */
/* dmm nth and dmm median: the number at a rank, without sorting. */
#include <math.h>
#include <string.h>

#include <dmm/nth.h>

#include "commands.h"
#include "number.h"
#include "option.h"
#include "progress.h"
#include "session.h"
#include "table.h"

enum { MOST_RANKS = 64 };

typedef struct request {
    dmm_type type; /* DMM_ITEM: not given */
    cli_columns columns;
    bool descending, index, is_median;
    uint64_t k; /* from 1; 0: not given */
    const char *quantiles;
    const char *input, *output;
} request;

typedef struct work {
    cli_session session;
    cli_array keys, found; /* or positions */
    size_t ranks[MOST_RANKS], num_ranks;
    cli_pair output;
} work;

static bool parse_nth(request *o, int argc, char **argv, cli_error *error)
{
    const cli_option options[] = {
        {'k', "rank", CLI_COUNT, &o->k, "K", "the K-th smallest number: 1 is the smallest"},
        {'q', "quantile", CLI_TEXT, &o->quantiles, "Q,...",
            "numbers of the file at these parts of the order, 0 to 1: 0 is the\n"
            "smallest, 1 the largest, 0.5 the lower median; one a line"},
        {'r', "reverse", CLI_FLAG, &o->descending, NULL, "count from the largest"},
        {0, "index", CLI_FLAG, &o->index, NULL,
            "write its position in INPUT, 0, 1, ..., in place of the number"},
        {'o', "output", CLI_TEXT, &o->output, "OUTPUT", "default: standard output, as text"},
        CLI_TYPE_OPTION(&o->type, "numbers"),
        CLI_KEY_OPTIONS(&o->columns, "KEY",
            "read the numbers of a column of a CSV, or of a two-dimensional\n"
            ".npy: its number, from 1, or its name in the heading; NAME:f32\n"
            "gives its type"),
    };
    const cli_syntax syntax = {.synopsis = "-k K|-q Q,... [OPTION...] INPUT [-o OUTPUT]",
        .about = "Writes the number of a file at a rank or at quantiles, without sorting, on an\n"
                 "OpenCL device. The order is that of dmm sort: nan comes last.",
        .examples = "  dmm nth -q 0.25,0.5,0.75 numbers.txt\n"
                    "  dmm nth -k 1 --key price sales.csv\n",
        .options = options,
        .num_options = sizeof options / sizeof options[0],
        .epilogue = cli_file_formats};
    if (!cli_parse_one(&syntax, argc, argv, &o->input, error))
        return false;
    if ((o->k == 0) == (o->quantiles == NULL))
        return cli_fail(error, CLI_MISTAKE, NULL,
            "give one of -k K (1 is the smallest) and -q Q (0.5 is the lower median)");
    return cli_check_columns(&o->columns, error) && cli_choose_output(&o->output, error);
}

static bool parse_median(request *o, int argc, char **argv, cli_error *error)
{
    const cli_option options[] = {
        {'o', "output", CLI_TEXT, &o->output, "OUTPUT", "default: standard output, as text"},
        CLI_TYPE_OPTION(&o->type, "numbers"),
        CLI_KEY_OPTIONS(&o->columns, "KEY",
            "read the numbers of a column of a CSV, or of a two-dimensional\n"
            ".npy: its number, from 1, or its name in the heading; NAME:f32\n"
            "gives its type"),
    };
    const cli_syntax syntax = {.synopsis = "[OPTION...] INPUT [-o OUTPUT]",
        .about =
            "Writes the median of the numbers of a file, without sorting, on an OpenCL device.\n"
            "Where two different numbers are in the middle, it is their mean, as f64; dmm nth\n"
            "-q 0.5 gives the lower one. nan comes last in the order.",
        .examples = "  dmm median numbers.txt\n"
                    "  dmm median --key price sales.csv\n",
        .options = options,
        .num_options = sizeof options / sizeof options[0],
        .epilogue = cli_file_formats};
    o->is_median = true;
    return cli_parse_one(&syntax, argc, argv, &o->input, error) &&
           cli_check_columns(&o->columns, error) && cli_choose_output(&o->output, error);
}

/* Adds the ranks of --quantile among n numbers. */
static bool take_quantiles(work *w, const char *at, size_t n, cli_error *error)
{
    for (bool more = true; more;) {
        double part = -1.0;
        const bool is_number = cli_parse_float(&at, &part, DMM_F64) == CLI_NUMBER_OK;
        if (!is_number || !(part >= 0.0 && part <= 1.0) || (*at != ',' && *at != '\0') ||
            w->num_ranks == MOST_RANKS)
            return cli_fail(error, CLI_MISTAKE, "--quantile",
                "expected up to %d numbers from 0 to 1: Q,Q,...", MOST_RANKS);
        w->ranks[w->num_ranks++] = (size_t)floor(part * (double)(n - 1));
        more = *at++ == ',';
    }
    return true;
}

static bool choose_ranks(work *w, const request *o, cli_error *error)
{
    const size_t n = w->keys.count;
    if (n == 0)
        return cli_fail(error, CLI_MISTAKE, o->input, "it holds no number");
    if (o->k > n)
        return cli_fail(error, CLI_MISTAKE, "-k", "%llu is beyond the %zu numbers of %s",
            (unsigned long long)o->k, n, o->input);
    if (o->quantiles)
        return take_quantiles(w, o->quantiles, n, error);
    w->num_ranks = o->is_median && n % 2 == 0 ? 2 : 1;
    w->ranks[0] = o->is_median ? (n - 1) / 2 : (size_t)o->k - 1;
    w->ranks[1] = n / 2;
    return true;
}

static bool find(work *w, const request *o, cli_error *error)
{
    dmm_nth_desc desc = {.argsort = o->index, .value_bytes = o->index ? 8 : 0};
    desc.order.type = w->keys.type;
    desc.order.descending = o->descending;
    cli_progress_call("selecting", w->num_ranks * w->keys.count);
    for (size_t i = 0; i < w->num_ranks; i++) {
        uint64_t key = 0, position = 0;
        cli_progress_share(i * w->keys.count, w->keys.count);
        const dmm_status status = dmm_nth_host(w->session.context, &desc, w->keys.data, NULL,
            w->keys.count, w->ranks[i], &key, o->index ? &position : NULL);
        if (!cli_check(&w->session, status, o->input, error))
            return false;
        memcpy((char *)w->found.data + i * w->found.item_bytes, o->index ? &position : &key,
            w->found.item_bytes);
    }
    return true;
}

/* Replaces two numbers in the middle by their mean, or by one if they are equal. */
static bool take_mean(work *w, cli_error *error)
{
    cli_array *const found = &w->found;
    const char *const items = found->data;
    const bool equal = memcmp(items, items + found->item_bytes, found->item_bytes) == 0;
    const double mean = cli_number_value(items, found->type) / 2 +
                        cli_number_value(items + found->item_bytes, found->type) / 2;
    found->count = 1;
    if (equal)
        return true;
    cli_free_array(found);
    if (!cli_make_array(found, DMM_F64, 0, 1, error))
        return false;
    *(double *)found->data = mean;
    return true;
}

static bool run(work *w, const request *o, cli_error *error)
{
    if (!cli_read_numbers(&w->keys, o->input, o->type, &o->columns, error) ||
        !choose_ranks(w, o, error) ||
        !(o->index ? cli_make_array(&w->found, DMM_U64, 0, w->num_ranks, error)
                   : cli_make_alike(&w->found, &w->keys, w->num_ranks, error)))
        return false;
    return cli_open_pair(&w->output, o->output, NULL, error) &&
           cli_open_session(&w->session, error) && find(w, o, error) &&
           (!o->is_median || w->num_ranks == 1 || take_mean(w, error)) &&
           cli_write_pair(&w->output, &w->found, NULL, error);
}

static int nth(bool (*parse)(request *, int, char **, cli_error *), int argc, char **argv)
{
    cli_error error = {0};
    request o = {.type = DMM_ITEM};
    work w = {.session = CLI_SESSION_INIT, .output = CLI_PAIR_INIT};
    if (parse(&o, argc, argv, &error))
        run(&w, &o, &error);
    cli_close_pair(&w.output);
    cli_close_session(&w.session);
    cli_free_array(&w.keys);
    cli_free_array(&w.found);
    return cli_finish(&error);
}

int dmm_cli_nth(int argc, char **argv)
{
    return nth(parse_nth, argc, argv);
}

int dmm_cli_median(int argc, char **argv)
{
    return nth(parse_median, argc, argv);
}
