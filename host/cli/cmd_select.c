/* SPDX-License-Identifier: MIT */
/* dmm select: writes the numbers of a file for which a condition holds, or their positions. */
#include <dmm/select.h>

#include "array.h"
#include "commands.h"
#include "option.h"
#include "progress.h"
#include "session.h"

/* The command line. */
typedef struct request {
    dmm_type type; /* DMM_ITEM: not given */
    bool index;
    const char *where;
    const char *input, *output;
    const char *values, *values_out;
    uint64_t value_bytes;
} request;

typedef struct work {
    cli_session session;
    cli_array items, values;
    cli_array items_out, values_out; /* items or their positions */
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
            "required unless the input is text (then standard output)"},
        CLI_TYPE_OPTION(&o->type, "numbers"),
        {0, "index", CLI_FLAG, &o->index, NULL,
            "write their positions in INPUT, 0, 1, ..., as u64, in place of\n"
            "the numbers"},
        CLI_VALUE_OPTIONS(&o->values, &o->value_bytes, &o->values_out,
            "values that go with the numbers, as in sort"),
    };
    const cli_syntax syntax = {.synopsis = "--where EXPR [OPTION...] INPUT [-o OUTPUT]",
        .about = "Writes the numbers of a file for which a condition holds, in their order, on an\n"
                 "OpenCL device.",
        .options = options,
        .num_options = sizeof options / sizeof options[0],
        .epilogue = cli_file_formats};
    if (!cli_parse_one(&syntax, argc, argv, &o->input, error) ||
        !cli_choose_output(&o->output, o->input, NULL, error))
        return false;
    if (!o->where)
        return cli_fail(error, CLI_MISTAKE, "--where", "give a condition, such as 'x > 9'");
    if (!o->values != !o->values_out)
        return cli_fail(error, CLI_MISTAKE, "--values", "and --values-out need each other");
    return !o->values_out || cli_check_output_name(o->values_out, true, error);
}

static bool read_inputs(work *w, const request *o, cli_error *error)
{
    if (!cli_read_keys(&w->items, o->input, o->type, error))
        return false;
    const size_t n = w->items.count;
    if (o->values && !cli_read_values(&w->values, o->values, o->value_bytes, n, error))
        return false;
    return (o->index ? cli_make_array(&w->items_out, DMM_U64, 0, n, error)
                     : cli_make_alike(&w->items_out, &w->items, n, error)) &&
           (!o->values || cli_make_alike(&w->values_out, &w->values, n, error));
}

static bool select_items(work *w, const request *o, cli_error *error)
{
    const dmm_select_desc desc = {
        .type = w->items.type, .where = o->where, .value_bytes = w->values.item_bytes};
    const dmm_select_host_args args = {.items = w->items.data,
        .values = w->values.data,
        .items_out = o->index ? NULL : w->items_out.data,
        .positions_out = o->index ? w->items_out.data : NULL,
        .values_out = w->values_out.data};
    size_t selected = 0;
    if (!cli_open_session(&w->session, error))
        return false;
    cli_progress_start("selecting", 0);
    const dmm_status status =
        dmm_select_host(w->session.context, &desc, &args, w->items.count, &selected);
    w->items_out.count = w->values_out.count = selected;
    if (cli_check(&w->session, status, o->input, error))
        return true;
    if (status == DMM_BUILD_FAILED)
        return cli_fail(error, CLI_MISTAKE, "--where", "is not OpenCL C over x and i: see above");
    return false;
}

static bool run(work *w, const request *o, cli_error *error)
{
    return read_inputs(w, o, error) && cli_open_pair(&w->output, o->output, o->values_out, error) &&
           select_items(w, o, error) &&
           cli_write_pair(&w->output, &w->items_out, &w->values_out, error);
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
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
        cli_free_array(arrays[i]);
    return cli_finish(&error);
}
