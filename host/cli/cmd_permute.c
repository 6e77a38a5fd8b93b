/* SPDX-License-Identifier: MIT */
/* dmm permute: writes the items of a file in the order that another file gives. */
#include <inttypes.h>

#include <dmm/permute.h>

#include "array.h"
#include "commands.h"
#include "option.h"
#include "progress.h"
#include "session.h"

typedef struct request {
    dmm_type type; /* DMM_ITEM: not given */
    bool inverse;
    const char *input, *output, *index;
} request;

typedef struct work {
    cli_session session;
    cli_array items, index;
    cli_pair output;
} work;

static bool parse(request *o, int argc, char **argv, cli_error *error)
{
    const cli_option options[] = {
        {0, "index", CLI_INPUT, &o->index, "FILE",
            "goals: a permutation of the numbers 0, 1, ...; item i goes to the\n"
            "place given by the i-th number. Required"},
        {0, "inverse", CLI_FLAG, &o->inverse, NULL,
            "sources instead of goals: output item i is the input item named by\n"
            "the i-th number (as written by dmm sort --argsort)"},
        {'o', "output", CLI_TEXT, &o->output, "OUTPUT",
            "file for the items; may be the input itself;\n"
            "default: standard output, as text"},
        CLI_TYPE_OPTION(&o->type, "items"),
    };
    const cli_syntax syntax = {.synopsis = "[OPTION...] --index FILE INPUT [-o OUTPUT]",
        .about = "Writes the numbers of a file in a given order.",
        .options = options,
        .num_options = sizeof options / sizeof options[0],
        .epilogue = cli_file_formats};
    if (!cli_parse_one(&syntax, argc, argv, &o->input, error))
        return false;
    if (!o->index)
        return cli_fail(error, CLI_MISTAKE, "--index", "must be given");
    return cli_choose_output(&o->output, error);
}

/* Signed numbers below zero are out of range as large unsigned ones. */
static bool read_index(work *w, const request *o, cli_error *error)
{
    const bool text = cli_format_of(o->index) == CLI_TEXT_LINES;
    if (!cli_read_keys(&w->index, o->index, text ? DMM_U64 : DMM_ITEM, error))
        return false;
    const dmm_type type = w->index.type;
    if (type != DMM_U32 && type != DMM_I32 && type != DMM_U64 && type != DMM_I64)
        return cli_fail(error, CLI_MISTAKE, o->index, "positions must be u32, u64, i32 or i64");
    return w->index.count == w->items.count ||
           cli_fail(error, CLI_MISTAKE, o->index, "it holds %zu positions for %zu items",
               w->index.count, w->items.count);
}

static bool permute(work *w, const request *o, cli_error *error)
{
    dmm_permute_desc desc = {0};
    dmm_report report = {0};
    desc.item_bytes = w->items.item_bytes;
    desc.index_bytes = w->index.item_bytes;
    desc.direction = o->inverse ? DMM_DIRECTION_GATHER : DMM_DIRECTION_SCATTER;
    desc.check = 1;
    if (!cli_open_session(&w->session, error))
        return false;
    cli_progress_call("permuting", w->items.count);
    const dmm_status status = dmm_permute_host(
        w->session.context, &desc, w->index.data, w->items.data, w->items.count, &report);
    if (status == DMM_BAD_DATA)
        return cli_fail(error, CLI_MISTAKE, o->index,
            "number %" PRIu64 " (from 0) is not below %zu, or was there before", report.position,
            w->index.count);
    return cli_check(&w->session, status, o->input, error);
}

int dmm_cli_permute(int argc, char **argv)
{
    cli_error error = {0};
    request o = {.type = DMM_ITEM};
    work w = {.session = CLI_SESSION_INIT, .output = CLI_PAIR_INIT};
    if (parse(&o, argc, argv, &error) && cli_read_keys(&w.items, o.input, o.type, &error) &&
        read_index(&w, &o, &error) && cli_open_pair(&w.output, o.output, NULL, &error) &&
        permute(&w, &o, &error))
        cli_write_pair(&w.output, &w.items, NULL, &error);
    cli_close_pair(&w.output);
    cli_close_session(&w.session);
    cli_free_array(&w.items);
    cli_free_array(&w.index);
    return cli_finish(&error);
}
