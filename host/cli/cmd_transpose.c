/* SPDX-License-Identifier: MIT */
/* dmm transpose: writes a matrix column by column. */
#include <dmm/transpose.h>

#include "array.h"
#include "commands.h"
#include "option.h"
#include "progress.h"
#include "session.h"
#include "shape.h"

typedef struct request {
    dmm_type type; /* DMM_ITEM: not given */
    const char *shape;
    const char *input, *output;
    dmm_matrices matrix;
} request;

typedef struct work {
    cli_session session;
    cli_array items;
    cli_pair output;
} work;

static bool parse(request *o, int argc, char **argv, cli_error *error)
{
    const cli_option options[] = {
        {0, "shape", CLI_TEXT, &o->shape, "ROWS,COLUMNS",
            "of the matrix, stored row after row. Required"},
        {'o', "output", CLI_TEXT, &o->output, "OUTPUT",
            "file for the transpose, row after row; may be the input itself;\n"
            "default: standard output, as text"},
        CLI_TYPE_OPTION(&o->type, "items"),
    };
    const cli_syntax syntax = {.synopsis = "[OPTION...] --shape ROWS,COLUMNS INPUT [-o OUTPUT]",
        .about = "Transposes a matrix that a file holds row after row.",
        .examples = "  dmm transpose --shape 2,3 matrix.txt\n",
        .options = options,
        .num_options = sizeof options / sizeof options[0],
        .epilogue = cli_file_formats};
    if (!cli_parse_one(&syntax, argc, argv, &o->input, error) ||
        !cli_parse_shape(&o->matrix, o->shape, error))
        return false;
    return cli_choose_output(&o->output, error);
}

static bool transpose(work *w, const request *o, cli_error *error)
{
    const dmm_transpose_desc desc = {.item_bytes = w->items.item_bytes};
    if (!cli_check_shape(&o->matrix, w->items.count, o->input, error) ||
        !cli_open_session(&w->session, error))
        return false;
    cli_progress_call("transposing", w->items.count);
    const dmm_status status =
        dmm_transpose_host(w->session.context, &desc, w->items.data, o->matrix);
    return cli_check(&w->session, status, o->input, error);
}

int dmm_cli_transpose(int argc, char **argv)
{
    cli_error error = {0};
    request o = {.type = DMM_ITEM};
    work w = {.session = CLI_SESSION_INIT, .output = CLI_PAIR_INIT};
    if (parse(&o, argc, argv, &error) && cli_read_keys(&w.items, o.input, o.type, &error) &&
        cli_open_pair(&w.output, o.output, NULL, &error) && transpose(&w, &o, &error))
        cli_write_pair(&w.output, &w.items, NULL, &error);
    cli_close_pair(&w.output);
    cli_close_session(&w.session);
    cli_free_array(&w.items);
    return cli_finish(&error);
}
