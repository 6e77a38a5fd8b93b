/* SPDX-License-Identifier: MIT */
/* dmm topk: writes the k first numbers of a file, or of each of its rows, in order, with their
 * values or indices. */
#include <dmm/topk.h>
#include <dmm/topk_segmented.h>

#include "commands.h"
#include "option.h"
#include "judge.h"
#include "progress.h"
#include "session.h"
#include "table.h"

/* The command line. */
typedef struct request {
    uint64_t k;
    dmm_type type; /* DMM_ITEM: not given */
    bool largest;
    bool index;
    bool unsorted;
    bool rows;
    const char *less;
    cli_columns columns;
    const char *input, *output;
    const char *values, *values_out;
    uint64_t value_bytes;
} request;

typedef struct work {
    cli_session session;
    cli_table table; /* --key; its numbers are `keys` then */
    cli_array keys, values;
    cli_array keys_out, values_out; /* or the indices of --index */
    cli_pair output;
} work;

static bool parse(request *o, int argc, char **argv, cli_error *error)
{
    const cli_option options[] = {
        {'k', "count", CLI_COUNT, &o->k, "K", "number of items; all if there are fewer"},
        {'r', "largest", CLI_FLAG, &o->largest, NULL, "the largest, largest first"},
        {0, "unsorted", CLI_FLAG, &o->unsorted, NULL, "in the order of INPUT"},
        {'o', "output", CLI_TEXT, &o->output, "OUTPUT",
            "file for the selected keys; may be the input itself;\n"
            "default: standard output, as text"},
        CLI_TYPE_OPTION(&o->type, "keys"),
        {0, "index", CLI_FLAG, &o->index, NULL,
            "write their positions in INPUT, 0, 1, ..., as u32 (u64 from\n"
            "2^32 keys on), to --values-out, or to OUTPUT in place of the keys"},
        CLI_VALUE_OPTIONS(&o->values, &o->value_bytes, &o->values_out,
            "values that go with the keys, as in sort"),
        {0, "less", CLI_TEXT, &o->less, "EXPR", "custom order, as in sort"},
        {0, "rows", CLI_FLAG, &o->rows, NULL,
            "select from each row of a two-dimensional .npy by itself; writes\n"
            "rows of K, and --index columns in place of positions"},
        CLI_KEY_OPTIONS(&o->columns, "KEY",
            "select the rows of a CSV, or of a two-dimensional .npy, by the\n"
            "numbers of a column: its number, from 1, or its name in the\n"
            "heading; NAME:r is for the largest, NAME:f32 gives its type"),
    };
    const cli_syntax syntax = {.synopsis = "-k K [OPTION...] INPUT [-o OUTPUT]",
        .about =
            "Selects the K smallest numbers of a file on an OpenCL device, smallest first; of\n"
            "equal ones the first in the file.",
        .examples = "  dmm topk -k 3 --largest numbers.txt\n"
                    "  dmm topk -k 10 --key price:r sales.csv\n"
                    "  dmm topk -k 5 --largest --rows --index scores.npy -o columns.npy\n",
        .options = options,
        .num_options = sizeof options / sizeof options[0],
        .epilogue = cli_file_formats};
    return cli_parse_one(&syntax, argc, argv, &o->input, error);
}

/* Checks that the options fit each other, and chooses the output. */
static bool check_options(request *o, cli_error *error)
{
    if (o->k == UINT64_MAX)
        return cli_fail(error, CLI_MISTAKE, "-k", "is missing: give how many keys, as in -k 10");
    if (!cli_choose_output(&o->output, error))
        return false;
    if (o->index && o->values)
        return cli_fail(error, CLI_MISTAKE, "--values",
            "--index writes indices as values: give one of the two");
    if (o->values && !o->values_out)
        return cli_fail(error, CLI_MISTAKE, "--values", "needs --values-out FILE");
    if (o->values_out && !o->values && !o->index)
        return cli_fail(error, CLI_MISTAKE, "--values-out", "needs --values FILE or --index");
    if (o->less && o->unsorted)
        return cli_fail(error, CLI_MISTAKE, "--unsorted", "does not go with --less");
    if (o->rows && (o->columns.keys || o->unsorted))
        return cli_fail(error, CLI_MISTAKE, "--rows", "does not go with %s",
            o->unsorted ? "--unsorted" : "--key");
    return cli_check_columns(&o->columns, error) &&
           cli_check_rows(&o->columns, (const bool[]){o->values_out != NULL},
               (const char *const[]){"--values-out", NULL}, error) &&
           (!o->values_out || cli_check_output_name(o->values_out, !o->index, error));
}

/* Reads the keys of a list, or of rows. */
static bool read_keys(work *w, request *o, cli_error *error)
{
    if (o->rows)
        return cli_read_rows(&w->keys, o->input, error) &&
               (o->type == DMM_ITEM || o->type == w->keys.type ||
                   cli_fail(error, CLI_MISTAKE, o->input, "it holds %s, but -t says %s",
                       dmm_type_name(w->keys.type), dmm_type_name(o->type))) &&
               ((o->k >= 1 && o->k <= w->keys.columns && o->k <= UINT32_MAX) ||
                   cli_fail(error, CLI_MISTAKE, "-k", "is %llu, and rows of %s have %zu numbers",
                       (unsigned long long)o->k, o->input, w->keys.columns));
    if (!o->columns.keys)
        return cli_read_keys(&w->keys, o->input, o->type, error);
    if (!cli_read_column(&w->table, o->input, o->type, &o->columns, &o->largest, error))
        return false;
    w->keys = w->table.keys[0].numbers;
    w->table.keys[0].numbers = (cli_array){.count = 0};
    return o->index || cli_check_row_output(&w->table, o->output, error);
}

static bool read_inputs(work *w, request *o, cli_error *error)
{
    if (!read_keys(w, o, error))
        return false;
    const size_t n = w->keys.count, all = o->k < n ? (size_t)o->k : n;
    const size_t count = o->rows ? n / w->keys.columns * (size_t)o->k : all;
    const dmm_type index = n <= UINT32_MAX ? DMM_U32 : DMM_U64;
    if (o->values && !cli_read_values(&w->values, o->values, o->value_bytes, n, error))
        return false;
    const bool ok =
        cli_make_alike(&w->keys_out, &w->keys, count, error) &&
        (!o->values || cli_make_alike(&w->values_out, &w->values, count, error)) &&
        (!(o->index || o->columns.keys) || cli_make_array(&w->values_out, index, 0, count, error));
    w->keys_out.columns = w->values_out.columns = o->rows ? (size_t)o->k : 0;
    return ok;
}

static dmm_status select_of_rows(work *w, const request *o, const dmm_topk_desc *like)
{
    const dmm_topk_segmented_desc desc = {.order = like->order,
        .k = (uint32_t)o->k,
        .value_bytes = like->value_bytes,
        .argsort = like->argsort};
    return dmm_topk_segmented_host(w->session.context, &desc, w->keys.data, w->values.data,
        w->keys.count, NULL, w->keys.count / w->keys.columns, w->keys_out.data, w->values_out.data);
}

static bool select_keys(work *w, const request *o, cli_error *error)
{
    dmm_topk_desc desc = {0};
    desc.order.type = w->keys.type;
    desc.order.descending = o->largest;
    desc.order.less = o->less;
    desc.value_bytes = w->values_out.item_bytes;
    desc.argsort = o->index || o->columns.keys;
    desc.unsorted = o->unsorted;
    if (!cli_check_text("--less", o->less, "a", desc.order.type, error) ||
        !cli_open_session(&w->session, error))
        return false;
    if (o->less)
        cli_warn_of_nans(&w->keys);
    cli_progress_call("selecting", w->keys.count);
    const dmm_status status =
        o->rows ? select_of_rows(w, o, &desc)
                : dmm_topk_host(w->session.context, &desc, w->keys.data, w->values.data,
                      w->keys.count, w->keys_out.count, w->keys_out.data, w->values_out.data);
    if (cli_check(&w->session, status, o->input, error))
        return true;
    if (status == DMM_BUILD_FAILED && o->less)
        return cli_fail(error, CLI_MISTAKE, "--less", "is not OpenCL C over a and b: see above");
    return false;
}

static bool run(work *w, request *o, cli_error *error)
{
    const cli_array *first = o->index && !o->values_out ? &w->values_out : &w->keys_out;
    if (!read_inputs(w, o, error) || !cli_open_pair(&w->output, o->output, o->values_out, error) ||
        !select_keys(w, o, error))
        return false;
    if (!o->columns.keys || o->index)
        return cli_write_pair(&w->output, first, &w->values_out, error);
    return cli_write_rows(&w->output.keys, &w->table, 1, &w->values_out, error) &&
           cli_commit_pair(&w->output, error);
}

int dmm_cli_topk(int argc, char **argv)
{
    cli_error error = {0};
    request o = {.k = UINT64_MAX, .type = DMM_ITEM};
    work w = {.session = CLI_SESSION_INIT, .output = CLI_PAIR_INIT};
    cli_array *const arrays[] = {&w.keys, &w.values, &w.keys_out, &w.values_out};
    if (parse(&o, argc, argv, &error) && check_options(&o, &error))
        run(&w, &o, &error);
    cli_close_pair(&w.output);
    cli_close_session(&w.session);
    cli_close_table(&w.table);
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
        cli_free_array(arrays[i]);
    return cli_finish(&error);
}
