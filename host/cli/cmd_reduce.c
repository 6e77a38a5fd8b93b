/* SPDX-License-Identifier: MIT */
/* dmm reduce: the sum, the maximum or the minimum of the numbers of a file, or of each key. */
#include <string.h>

#include <dmm/reduce.h>
#include <dmm/reduce_by_key.h>

#include "columns.h"
#include "commands.h"
#include "fold.h"
#include "progress.h"

typedef struct request {
    dmm_type type; /* DMM_ITEM: not given */
    const char *input, *output, *keys_out;
} request;

typedef struct work {
    cli_session session;
    cli_fold fold;
    cli_pair output; /* results, and keys as values */
} work;

static bool parse(request *o, cli_fold *fold, int argc, char **argv, cli_error *error)
{
    const cli_option options[] = {
        CLI_FOLD_OPTIONS(fold, "argmin or argmax, a position\n"
                               "from 0; minmax, both ends"),
        {'o', "output", CLI_TEXT, &o->output, "OUTPUT",
            "file for the result, or with --keys-out for one of each run.\n"
            "Default: standard output; with --by lines `KEY RESULT`"},
        {0, "keys-out", CLI_TEXT, &o->keys_out, "FILE", "--by: file for the key of each run"},
        CLI_TYPE_OPTION(&o->type, "numbers"),
    };
    const cli_syntax syntax = {.synopsis = "[OPTION...] INPUT [-o OUTPUT]",
        .about =
            "Writes the sum, the maximum or the minimum of the numbers of a file, on an OpenCL\n"
            "device. Sums of integers are of 64 bits and wrap, and so are the a and b of an own\n"
            "operator: long, ulong, float or double.",
        .examples = "  dmm reduce numbers.txt\n"
                    "  dmm sort --key region sales.csv | dmm reduce --key price --by region -\n"
                    "  dmm reduce --op argmax numbers.txt\n"
                    "  dmm reduce --shape 2,3 --axis rows matrix.txt\n",
        .options = options,
        .num_options = sizeof options / sizeof options[0],
        .epilogue = cli_file_formats};
    if (!cli_parse_one(&syntax, argc, argv, &o->input, error) ||
        !cli_fold_choose(fold, true, error))
        return false;
    if (o->keys_out && (!fold->by || !o->output))
        return cli_fail(error, CLI_MISTAKE, "--keys-out", "needs --by and -o OUTPUT");
    if (fold->by && o->output && !o->keys_out)
        return cli_fail(error, CLI_MISTAKE, "--output",
            "needs --keys-out with --by; without both lines `KEY RESULT` are printed");
    return cli_choose_output(&o->output, error) &&
           (!o->keys_out || cli_check_output_name(o->keys_out, false, error));
}

static bool reduce_runs(work *w, const request *o, cli_error *error)
{
    cli_fold *const f = &w->fold;
    const dmm_reduce_by_key_desc desc = {
        .type = f->items.type, .op = f->which, .key_bytes = f->keys.item_bytes};
    size_t runs = 0;
    const dmm_status status = dmm_reduce_by_key_host(
        w->session.context, &desc, f->keys.data, f->items.data, f->items.count, &runs);
    f->keys.count = f->items.count = runs;
    return cli_fold_check(f, &w->session, status, o->input, error);
}

static bool reduce_all(work *w, const request *o, cli_error *error)
{
    cli_fold *const f = &w->fold;
    const dmm_reduce_desc desc = {
        .type = f->items.type, .op = f->which, .own = f->own.combine ? &f->own : NULL};
    cli_array out;
    uint64_t result = 0;
    if (f->items.count == 0 && f->which != DMM_SCAN_SUM && !f->own.combine)
        return cli_fail(error, CLI_MISTAKE, o->input, "it holds no number");
    const dmm_status status =
        dmm_reduce_host(w->session.context, &desc, f->items.data, f->items.count, &result);
    if (!cli_fold_check(f, &w->session, status, o->input, error) ||
        !cli_make_alike(&out, &f->items, 1, error))
        return false;
    memcpy(out.data, &result, out.item_bytes);
    cli_free_array(&f->items);
    f->items = out;
    return true;
}

/* The position of the first of the least or greatest numbers, or both of these; NaNs do not count.
 */
static bool reduce_given(work *w, const request *o, cli_error *error)
{
    cli_fold *const f = &w->fold;
    const bool is_pair = f->given == DMM_OPERATOR_MINMAX;
    const dmm_reduce_desc desc = {.type = DMM_ITEM, .own = &f->own, .map = &f->map};
    union {
        dmm_placed placed;
        unsigned char ends[2 * sizeof(uint64_t)];
    } result;
    cli_array results;
    if (f->items.count == 0)
        return cli_fail(error, CLI_MISTAKE, o->input, "it holds no number");
    const dmm_status status =
        dmm_reduce_host(w->session.context, &desc, f->items.data, f->items.count, &result);
    if (!cli_fold_check(f, &w->session, status, o->input, error))
        return false;
    if (!is_pair && result.placed.at == UINT64_MAX)
        return cli_fail(error, CLI_MISTAKE, o->input, "it holds no number but nan");
    if (!(is_pair ? cli_make_alike(&results, &f->items, 2, error)
                  : cli_make_array(&results, DMM_U64, 0, 1, error)))
        return false;
    memcpy(results.data, is_pair ? (const void *)result.ends : &result.placed.at,
        results.count * results.item_bytes);
    cli_free_array(&f->items);
    f->items = results;
    return true;
}

/* One result for each column or row. */
static bool reduce_axis(work *w, const request *o, cli_error *error)
{
    cli_fold *const f = &w->fold;
    const dmm_axis_desc desc = cli_fold_axis(f, DMM_AXIS_REDUCE);
    const uint64_t rows = f->matrix.rows, cols = f->matrix.cols;
    cli_array results;
    if (!cli_make_alike(&results, &f->items, (size_t)(desc.axis == 0 ? cols : rows), error))
        return false;
    const dmm_status status = dmm_axis_host(
        w->session.context, &desc, f->items.data, NULL, (size_t)rows, (size_t)cols, results.data);
    cli_free_array(&f->items);
    f->items = results;
    return cli_fold_check(f, &w->session, status, o->input, error);
}

static bool run(work *w, const request *o, cli_error *error)
{
    cli_fold *const f = &w->fold;
    if (!cli_fold_read(f, o->input, o->type, error) ||
        !cli_open_pair(&w->output, o->output, o->keys_out, error) ||
        !cli_open_session(&w->session, error))
        return false;
    cli_progress_call("reducing", f->items.count);
    if (!(f->by           ? reduce_runs
            : f->shape    ? reduce_axis
            : f->is_given ? reduce_given
                          : reduce_all)(w, o, error))
        return false;
    if (!f->by || o->keys_out)
        return cli_write_pair(&w->output, &f->items, &f->keys, error);
    return cli_write_columns(&w->output.keys, &f->keys, &f->items, error) &&
           cli_commit_pair(&w->output, error);
}

int dmm_cli_reduce(int argc, char **argv)
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
