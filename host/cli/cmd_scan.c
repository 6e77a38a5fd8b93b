/* SPDX-License-Identifier: MIT */
/* dmm scan: prefix sums, maxima and minima of the numbers of a file. */
#include <dmm/scan_by_key.h>

#include "commands.h"
#include "fold.h"
#include "progress.h"

typedef struct request {
    dmm_type type; /* DMM_ITEM: not given */
    bool exclusive;
    const char *input, *output;
} request;

typedef struct work {
    cli_session session;
    cli_fold fold;
    cli_pair output;
} work;

static bool parse(request *o, cli_fold *fold, int argc, char **argv, cli_error *error)
{
    const cli_option options[] = {
        CLI_FOLD_OPTIONS(fold, "difference:\n"
                               "each number less the one before"),
        {0, "exclusive", CLI_FLAG, &o->exclusive, NULL,
            "combine the numbers before each one, without itself"},
        {'o', "output", CLI_TEXT, &o->output, "OUTPUT",
            "file for the results; may be the input itself;\n"
            "default: standard output, as text"},
        CLI_TYPE_OPTION(&o->type, "numbers"),
    };
    const cli_syntax syntax = {.synopsis = "[OPTION...] INPUT [-o OUTPUT]",
        .about =
            "Writes for each number of a file the sum, the maximum or the minimum of all up to "
            "it,\n"
            "as cumsum, on an OpenCL device. Sums and differences of integers are of 64 bits and\n"
            "wrap, and so are the a and b of an own operator: long, ulong, float or double.",
        .examples = "  dmm scan numbers.txt\n"
                    "  dmm scan --op difference numbers.txt\n",
        .options = options,
        .num_options = sizeof options / sizeof options[0],
        .epilogue = cli_file_formats};
    return cli_parse_one(&syntax, argc, argv, &o->input, error) &&
           cli_fold_choose(fold, false, error) &&
           (!fold->is_given || !o->exclusive ||
               cli_fail(
                   error, CLI_MISTAKE, "--exclusive", "is not offered with --op %s", fold->op)) &&
           cli_choose_output(&o->output, error);
}

static bool scan(work *w, const request *o, cli_error *error)
{
    cli_fold *const f = &w->fold;
    const dmm_scan_desc desc = {.type = f->is_given ? DMM_ITEM : f->items.type,
        .op = f->which,
        .exclusive = o->exclusive || f->is_given,
        .own = f->own.combine ? &f->own : NULL,
        .map = f->is_given ? &f->map : NULL};
    const dmm_scan_by_key_desc by_key = {.type = f->items.type,
        .op = f->which,
        .exclusive = o->exclusive,
        .key_bytes = f->keys.item_bytes};
    if (!cli_open_session(&w->session, error))
        return false;
    cli_progress_call("scanning", f->items.count);
    dmm_axis_desc lines = cli_fold_axis(f, DMM_AXIS_SCAN);
    lines.exclusive = o->exclusive;
    const dmm_status status =
        f->shape ? dmm_axis_host(w->session.context, &lines, f->items.data, NULL,
                       (size_t)f->matrix.rows, (size_t)f->matrix.cols, f->items.data)
        : f->by  ? dmm_scan_by_key_host(
                       w->session.context, &by_key, f->keys.data, f->items.data, f->items.count)
                : dmm_scan_host(w->session.context, &desc, f->items.data, f->items.count);
    return cli_fold_check(f, &w->session, status, o->input, error);
}

static bool run(work *w, const request *o, cli_error *error)
{
    return cli_fold_read(&w->fold, o->input, o->type, error) &&
           cli_open_pair(&w->output, o->output, NULL, error) && scan(w, o, error) &&
           cli_write_pair(&w->output, &w->fold.items, NULL, error);
}

int dmm_cli_scan(int argc, char **argv)
{
    cli_error error = {0};
    request o = {.type = DMM_ITEM};
    work w = {.session = CLI_SESSION_INIT, .output = CLI_PAIR_INIT};
    if (parse(&o, &w.fold, argc, argv, &error))
        run(&w, &o, &error);
    cli_close_pair(&w.output);
    cli_close_session(&w.session);
    cli_close_fold(&w.fold);
    return cli_finish(&error);
}
