/* SPDX-License-Identifier: MIT */
/* dmm layout: writes a sorted file as a search tree, or back. */
#include <dmm/layout.h>

#include "array.h"
#include "commands.h"
#include "judge.h"
#include "layouts.h"
#include "option.h"
#include "progress.h"
#include "session.h"

typedef struct request {
    dmm_type type; /* DMM_ITEM: not given */
    cli_layout layout;
    bool descending, back;
    const char *input, *output;
} request;

typedef struct work {
    cli_session session;
    cli_array keys;
    cli_pair output;
} work;

static bool parse(request *o, int argc, char **argv, cli_error *error)
{
    const cli_option options[] = {
        {'k', "kind", CLI_CHOICE, &o->layout.kind, CLI_LAYOUT_KINDS,
            "binary tree, B-tree, van Emde Boas or modified van Emde Boas\n"
            "tree (default: btree)"},
        {'b', "node", CLI_COUNT, &o->layout.B, "N", "keys of a node of a btree (default: 16)"},
        {0, "back", CLI_FLAG, &o->back, NULL, "from the tree to the sorted order"},
        {'r', "reverse", CLI_FLAG, &o->descending, NULL, "sorted largest first"},
        {'o', "output", CLI_TEXT, &o->output, "OUTPUT",
            "file for the keys; may be the input itself;\n"
            "required unless the input is text (then standard output)"},
        {'t', "type", CLI_TYPE, &o->type, "TYPE",
            "type of the keys, if the file does not contain it"},
    };
    const cli_syntax syntax = {.synopsis = "[OPTION...] INPUT [-o OUTPUT]",
        .about = "Writes a sorted file as a search tree for dmm search, in place on the device.",
        .options = options,
        .num_options = sizeof options / sizeof options[0],
        .epilogue = cli_file_formats};
    return cli_parse_one(&syntax, argc, argv, &o->input, error) &&
           cli_check_layout(&o->layout, error) &&
           cli_choose_output(&o->output, o->input, "permutes", error);
}

static bool permute(work *w, const request *o, cli_error *error)
{
    const dmm_layout_desc desc = {.item_bytes = w->keys.item_bytes,
        .kind = (dmm_layout_kind)o->layout.kind,
        .B = (uint32_t)o->layout.B,
        .back = o->back};
    const cli_layout sorted = {.kind = DMM_LAYOUT_SORTED};
    if (!cli_judge_layout(
            &w->keys, o->back ? &o->layout : &sorted, o->descending, o->input, error) ||
        !cli_open_session(&w->session, error))
        return false;
    cli_progress_start("permuting", 0);
    const dmm_status status =
        dmm_layout_host(w->session.context, &desc, w->keys.data, NULL, w->keys.count);
    return cli_check(&w->session, status, o->input, error);
}

int dmm_cli_layout(int argc, char **argv)
{
    cli_error error = {0};
    request o = {.type = DMM_ITEM, .layout = CLI_LAYOUT_INIT};
    work w = {.session = CLI_SESSION_INIT, .output = CLI_PAIR_INIT};
    if (parse(&o, argc, argv, &error) && cli_read_keys(&w.keys, o.input, o.type, &error) &&
        cli_open_pair(&w.output, o.output, NULL, &error) && permute(&w, &o, &error))
        cli_write_pair(&w.output, &w.keys, NULL, &error);
    cli_close_pair(&w.output);
    cli_close_session(&w.session);
    cli_free_array(&w.keys);
    return cli_finish(&error);
}
