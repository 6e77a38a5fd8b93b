/* SPDX-License-Identifier: MIT */
/* dmm select: writes the numbers of a file for which a condition holds, or their positions. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dmm/select.h>

#include "commands.h"
#include "option.h"
#include "progress.h"
#include "session.h"
#include "table.h"

/* The command line. */
typedef struct request {
    dmm_type type;     /* DMM_ITEM: not given */
    bool index, check; /* index: also of rows, which are written by their positions */
    bool is_list;      /* writes a list, not rows */
    cli_columns columns;
    const char *where;
    const char *input, *output;
    const char *values, *values_out;
    const char *rest; /* file for the other numbers, beside no values */
    uint64_t value_bytes;
} request;

typedef struct work {
    cli_session session;
    cli_table table; /* --key; its numbers are `items` then */
    cli_array items, values;
    cli_array items_out, values_out; /* items or their positions; values, or the rest */
    cli_pair output;
} work;

static bool parse(request *o, int argc, char **argv, cli_error *error)
{
    const cli_option options[] = {
        {'w', "where", CLI_TEXT, &o->where, "EXPR",
            "what holds for the numbers to write: OpenCL C over x, a\n"
            "number, and i, its position from 0, e.g. 'x > 9 && i % 2 == 0'"},
        {'o', "output", CLI_TEXT, &o->output, "OUTPUT",
            "file for the numbers; may be the input itself;\n"
            "default: standard output, as text"},
        CLI_TYPE_OPTION(&o->type, "numbers"),
        {0, "index", CLI_FLAG, &o->index, NULL,
            "write their positions in INPUT, 0, 1, ..., as u64, in place of\n"
            "the numbers"},
        {0, "rest", CLI_TEXT, &o->rest, "FILE", "file for the other numbers, in their order"},
        CLI_VALUE_OPTIONS(&o->values, &o->value_bytes, &o->values_out,
            "values that go with the numbers, as in sort"),
        CLI_KEY_OPTIONS(&o->columns, "KEY",
            "write the rows of a CSV, or of a two-dimensional .npy, where the\n"
            "condition holds for a column: its number, from 1, or its name in\n"
            "the heading; NAME:f32 gives its type"),
        {0, "check", CLI_FLAG, &o->check, NULL,
            "check the result before writing it: each number is that of its\n"
            "position, the positions ascend, and those for which the condition\n"
            "does not hold are all others; on an error, write nothing and exit\n"
            "with 3"},
    };
    const cli_syntax syntax = {.synopsis = "--where EXPR [OPTION...] INPUT [-o OUTPUT]",
        .about = "Writes the numbers of a file for which a condition holds, in their order, on an\n"
                 "OpenCL device.",
        .examples = "  dmm select --where 'x > 2' numbers.txt\n"
                    "  dmm select --where 'x > 2' numbers.txt -o large.txt --rest small.txt\n"
                    "  dmm select --key price --where 'x > 9.99' sales.csv\n",
        .options = options,
        .num_options = sizeof options / sizeof options[0],
        .epilogue = cli_file_formats};
    if (!cli_parse_one(&syntax, argc, argv, &o->input, error) ||
        !cli_choose_output(&o->output, error))
        return false;
    if (!o->where)
        return cli_fail(error, CLI_MISTAKE, "--where", "give a condition, such as 'x > 9'");
    if (!o->values != !o->values_out)
        return cli_fail(error, CLI_MISTAKE, "--values", "and --values-out need each other");
    if (o->rest && (o->values || o->index || o->columns.keys))
        return cli_fail(
            error, CLI_MISTAKE, "--rest", "is not offered with --values, --index and --key");
    o->is_list = o->index || !o->columns.keys;
    o->index = o->index || o->columns.keys;
    return cli_check_columns(&o->columns, error) &&
           cli_check_rows(&o->columns, (const bool[]){o->values != NULL},
               (const char *const[]){"--values", NULL}, error) &&
           (!o->values_out || cli_check_output_name(o->values_out, true, error)) &&
           (!o->rest || cli_check_output_name(o->rest, false, error));
}

/* Reads the numbers of a list, or of rows. */
static bool read_items(work *w, const request *o, cli_error *error)
{
    if (!o->columns.keys)
        return cli_read_keys(&w->items, o->input, o->type, error);
    if (!cli_read_column(&w->table, o->input, o->type, &o->columns, NULL, error))
        return false;
    w->items = w->table.keys[0].numbers;
    w->table.keys[0].numbers = (cli_array){.count = 0};
    return o->is_list || cli_check_row_output(&w->table, o->output, error);
}

static bool read_inputs(work *w, const request *o, cli_error *error)
{
    if (!read_items(w, o, error))
        return false;
    const size_t n = w->items.count;
    if (o->values && !cli_read_values(&w->values, o->values, o->value_bytes, n, error))
        return false;
    return (o->index ? cli_make_array(&w->items_out, DMM_U64, 0, n, error)
                     : cli_make_alike(&w->items_out, &w->items, n, error)) &&
           (!o->values || cli_make_alike(&w->values_out, &w->values, n, error)) &&
           (!o->rest || cli_make_alike(&w->values_out, &w->items, n, error));
}

static bool select_items(work *w, const request *o, cli_error *error)
{
    const dmm_select_desc desc = {
        .type = w->items.type, .where = o->where, .value_bytes = w->values.item_bytes};
    const dmm_select_host_args args = {.items = w->items.data,
        .values = w->values.data,
        .items_out = o->index ? NULL : w->items_out.data,
        .positions_out = o->index ? w->items_out.data : NULL,
        .values_out = o->rest ? NULL : w->values_out.data,
        .rest_out = o->rest ? w->values_out.data : NULL};
    size_t selected = 0;
    if (!cli_check_text("--where", o->where, "x", desc.type, error) ||
        !cli_open_session(&w->session, error))
        return false;
    cli_progress_call("selecting", w->items.count);
    const dmm_status status =
        dmm_select_host(w->session.context, &desc, &args, w->items.count, &selected);
    w->items_out.count = selected;
    w->values_out.count = o->rest ? w->items.count - selected : selected;
    if (cli_check(&w->session, status, o->input, error))
        return true;
    if (status == DMM_BUILD_FAILED)
        return cli_fail(error, CLI_MISTAKE, "--where", "is not OpenCL C over x and i: see above");
    return false;
}

/* Selects positions by a condition into a new array. */
static bool select_positions(
    work *w, const request *o, const char *where, cli_array *out, cli_error *error)
{
    const dmm_select_desc desc = {.type = w->items.type, .where = where};
    size_t selected = 0;
    if (!cli_make_array(out, DMM_U64, 0, w->items.count, error))
        return false;
    const dmm_select_host_args args = {.items = w->items.data, .positions_out = out->data};
    cli_progress_share(where == o->where ? 0 : w->items.count, w->items.count);
    const dmm_status status =
        dmm_select_host(w->session.context, &desc, &args, w->items.count, &selected);
    out->count = selected;
    return cli_check(&w->session, status, o->input, error);
}

/* True if item i of an output is that of position `at`. */
static bool is_copy(const cli_array *out, size_t i, const cli_array *in, uint64_t at)
{
    const uint32_t bytes = in->item_bytes;
    return memcmp((const char *)out->data + i * bytes, (const char *)in->data + at * bytes,
               bytes) == 0;
}

/* True if the two lists of positions ascend and name each once, and the outputs are at those of the
 * first. */
static bool is_right(const work *w, const request *o, const cli_array *in, const cli_array *out)
{
    const uint64_t *const selected = in->data, *const others = out->data;
    size_t i = 0, j = 0;
    cli_progress_items("comparing", w->items.count);
    if (in->count + out->count != w->items.count || w->items_out.count != in->count)
        return false;
    for (uint64_t at = 0; at < w->items.count; at++) {
        cli_progress_step(at);
        if (i < in->count && selected[i] == at) {
            if (o->index ? ((const uint64_t *)w->items_out.data)[i] != at
                         : !is_copy(&w->items_out, i, &w->items, at))
                return false;
            if (o->values && !is_copy(&w->values_out, i, &w->values, at))
                return false;
            i++;
        } else if (j == out->count || others[j] != at ||
                   (o->rest && !is_copy(&w->values_out, j, &w->items, at))) {
            return false;
        } else {
            j++;
        }
    }
    return true;
}

static bool check(work *w, const request *o, cli_error *error)
{
    cli_array in = {.count = 0}, out = {.count = 0};
    const size_t bytes = strlen(o->where) + 8;
    char *const negated = malloc(bytes);
    cli_progress_call("checking", 2 * w->items.count);
    bool ok = negated || cli_fail_memory(error, NULL, bytes);
    if (ok)
        snprintf(negated, bytes, "!(%s\n)", o->where);
    ok = ok && select_positions(w, o, o->where, &in, error) &&
         select_positions(w, o, negated, &out, error);
    if (ok && !is_right(w, o, &in, &out))
        ok = cli_fail(error, CLI_CHECK_FAILED, o->input, "the result is wrong");
    free(negated);
    cli_free_array(&in);
    cli_free_array(&out);
    return ok;
}

static bool run(work *w, const request *o, cli_error *error)
{
    return read_inputs(w, o, error) &&
           cli_open_pair(&w->output, o->output, o->rest ? o->rest : o->values_out, error) &&
           select_items(w, o, error) && (!o->check || check(w, o, error)) &&
           (o->is_list ? cli_write_pair(&w->output, &w->items_out, &w->values_out, error)
                       : cli_write_rows(&w->output.keys, &w->table, 1, &w->items_out, error) &&
                             cli_commit_pair(&w->output, error));
}

int dmm_cli_select(int argc, char **argv)
{
    cli_error error = {0};
    request o = {.type = DMM_ITEM};
    work w = {.session = CLI_SESSION_INIT, .output = CLI_PAIR_INIT};
    cli_array *const arrays[] = {&w.items, &w.values, &w.items_out, &w.values_out};
    if (parse(&o, argc, argv, &error))
        run(&w, &o, &error);
    cli_close_pair(&w.output);
    cli_close_session(&w.session);
    cli_close_table(&w.table);
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
        cli_free_array(arrays[i]);
    return cli_finish(&error);
}
