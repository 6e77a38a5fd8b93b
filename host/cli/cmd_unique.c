/* SPDX-License-Identifier: MIT */
/* dmm unique: the first number of each run of equal neighbours, piece by piece. */
#include <string.h>

#include <dmm/unique.h>
#include <dmm/unique_stream.h>

#include "commands.h"
#include "option.h"
#include "progress.h"
#include "table.h"
#include "large/flow.h"

typedef struct request {
    dmm_type type; /* DMM_ITEM: not given */
    const char *input, *output, *values, *values_out;
    uint64_t value_bytes, memory_bytes;
    cli_columns columns; /* with --key: rows, all in memory */
} request;

/* Rows of --key, and the first of each run. */
typedef struct rows {
    cli_session session;
    cli_table table;
    cli_array order;
    cli_pair output;
} rows;

static bool parse(request *o, int argc, char **argv, cli_error *error)
{
    const cli_option options[] = {
        {'o', "output", CLI_TEXT, &o->output, "OUTPUT",
            "file for the numbers; may be the input itself;\n"
            "default: standard output, as text"},
        CLI_TYPE_OPTION(&o->type, "numbers"),
        CLI_VALUE_OPTIONS(&o->values, &o->value_bytes, &o->values_out,
            "values that move with the numbers, as in sort"),
        {0, "memory", CLI_BYTES, &o->memory_bytes, "SIZE",
            "memory to use, whatever the size of the file (default: 1G).\n"
            "The driver takes more, some 100 MiB for PoCL"},
        CLI_KEY_OPTIONS(&o->columns, "KEY,...",
            "write the first row of neighbours of a CSV, or of a\n"
            "two-dimensional .npy, that are equal in these columns; each is a\n"
            "number, from 1, or a name in the heading; NAME:f32 gives its\n"
            "type. All rows are held in memory"),
    };
    const cli_syntax syntax = {.synopsis = "[OPTION...] INPUT [-o OUTPUT]",
        .about =
            "Writes the first of equal neighbours, as uniq, on an OpenCL device; numbers are\n"
            "equal if their bytes are: -0 is not 0. After dmm sort: each number once. Text is\n"
            "read once, without a look ahead, and needs -t.",
        .examples = "  dmm sort numbers.txt | dmm unique -t i64 -\n"
                    "  dmm sort --key region sales.csv | dmm unique --key region -\n",
        .options = options,
        .num_options = sizeof options / sizeof options[0],
        .epilogue = cli_file_formats};
    if (!cli_parse_one(&syntax, argc, argv, &o->input, error) ||
        !cli_choose_output(&o->output, error))
        return false;
    if (!o->values != !o->values_out)
        return cli_fail(error, CLI_MISTAKE, "--values", "and --values-out need each other");
    return cli_check_columns(&o->columns, error) &&
           cli_check_rows(&o->columns, (const bool[]){o->values != NULL, o->memory_bytes != 0},
               (const char *const[]){"--values", "--memory", NULL}, error) &&
           (!o->values_out || cli_check_output_name(o->values_out, true, error));
}

static dmm_status read_items(void *user, void *keys, void *values, uint64_t most, uint64_t *count)
{
    cli_flow *const f = user;
    const dmm_status status = cli_flow_read(f, keys, values, most, count, "keys");
    cli_progress_step(f->items);
    return status;
}

static bool filter(cli_flow *f, const request *o, cli_error *error)
{
    const dmm_unique_stream_desc desc = {.key_bytes = f->keys.like.item_bytes,
        .value_bytes = f->values.like.item_bytes,
        .memory_bytes = o->memory_bytes};
    const dmm_unique_stream_args args = {.user = f, .read = read_items, .write = cli_flow_write};
    cli_progress_items("filtering", f->keys.estimate);
    const dmm_status status = dmm_unique_stream_host(f->session.context, &desc, &args);
    return cli_flow_check(f, status, o->input, true, error) && cli_flow_end(f, error) &&
           cli_drain_commit(&f->drain, NULL, error);
}

static bool run(cli_flow *f, const request *o, cli_error *error)
{
    return cli_flow_open(f, o->input, o->type, o->values, o->value_bytes, "keys", error) &&
           cli_open_pair(&f->drain.output, o->output, o->values_out, error) &&
           cli_make_rewind(&f->drain.output, error) && cli_open_session(&f->session, error) &&
           filter(f, o, error);
}

/* Joins the numbers of all keys, row by row. */
static bool join(cli_array *out, const cli_table *t, cli_error *error)
{
    uint32_t bytes = 0;
    for (size_t k = 0; k < t->num_keys; k++)
        bytes += t->keys[k].numbers.item_bytes;
    if (!cli_make_array(out, DMM_ITEM, bytes, t->rows, error))
        return false;
    char *to = out->data;
    for (size_t k = 0; k < t->num_keys; k++) {
        const cli_array *const from = &t->keys[k].numbers;
        for (size_t i = 0; i < t->rows; i++)
            memcpy(
                to + i * bytes, (const char *)from->data + i * from->item_bytes, from->item_bytes);
        to += from->item_bytes;
    }
    return true;
}

static bool filter_rows(rows *r, const request *o, cli_error *error)
{
    cli_array keys = {.count = 0};
    const size_t n = r->table.rows;
    bool ok = join(&keys, &r->table, error) && cli_make_array(&r->order, DMM_U64, 0, n, error) &&
              cli_open_session(&r->session, error);
    if (ok) {
        const dmm_unique_desc desc = {.key_bytes = keys.item_bytes, .value_bytes = 8};
        for (size_t i = 0; i < n; i++)
            ((uint64_t *)r->order.data)[i] = i;
        cli_progress_call("filtering", n);
        const dmm_status status = dmm_unique_host(
            r->session.context, &desc, keys.data, r->order.data, n, &r->order.count);
        ok = cli_check(&r->session, status, o->input, error);
    }
    cli_free_array(&keys);
    return ok;
}

static bool run_rows(const request *o, cli_error *error)
{
    rows r = {.session = CLI_SESSION_INIT, .output = CLI_PAIR_INIT};
    const bool ok = cli_read_table(&r.table, o->input, o->type, &o->columns, error) &&
                    cli_check_row_output(&r.table, o->output, error) &&
                    cli_open_pair(&r.output, o->output, NULL, error) && filter_rows(&r, o, error) &&
                    cli_write_rows(&r.output.keys, &r.table, 1, &r.order, error) &&
                    cli_commit_pair(&r.output, error);
    cli_close_pair(&r.output);
    cli_close_session(&r.session);
    cli_close_table(&r.table);
    cli_free_array(&r.order);
    return ok;
}

int dmm_cli_unique(int argc, char **argv)
{
    cli_error error = {0};
    request o = {.type = DMM_ITEM};
    cli_flow f = CLI_FLOW_INIT;
    if (parse(&o, argc, argv, &error))
        o.columns.keys ? run_rows(&o, &error) : run(&f, &o, &error);
    cli_close_flow(&f, true);
    return cli_finish(&error);
}
