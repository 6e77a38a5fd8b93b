/* SPDX-License-Identifier: MIT */
/* dmm layout: writes a sorted file as a search tree, or back. */
#include <dmm/layout.h>

#include "array.h"
#include "commands.h"
#include "index_file.h"
#include "layouts.h"
#include "option.h"
#include "progress.h"
#include "session.h"

typedef struct request {
    dmm_type type; /* DMM_ITEM: not given */
    cli_layout layout;
    unsigned method; /* a dmm_layout_method */
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
            "tree (default: btree); with --back of an index file: its own"},
        {'b', "node", CLI_COUNT, &o->layout.B, "N", "keys of a node of a btree (default: 16)"},
        {0, "back", CLI_FLAG, &o->back, NULL, "from the tree to the sorted order"},
        {0, "method", CLI_CHOICE, &o->method, "auto|involutions|cycles|hybrid",
            "passes that permute (default: auto); hybrid: bst only"},
        {'r', "reverse", CLI_FLAG, &o->descending, NULL, "sorted largest first"},
        {'o', "output", CLI_TEXT, &o->output, "OUTPUT",
            "file for the keys, .index with a header that names the layout;\n"
            "may be the input itself;\n"
            "default: standard output, as text"},
        CLI_TYPE_OPTION(&o->type, "keys"),
    };
    const cli_syntax syntax = {.synopsis = "[OPTION...] INPUT [-o OUTPUT]",
        .about = "Writes a sorted file as a search tree for dmm search, in place on the device.",
        .options = options,
        .num_options = sizeof options / sizeof options[0],
        .epilogue = cli_index_formats};
    return cli_parse_one(&syntax, argc, argv, &o->input, error) &&
           cli_check_layout(&o->layout, error) &&
           ((o->output && cli_is_index(o->output)) || cli_choose_output(&o->output, error));
}

static bool permute(work *w, const request *o, cli_error *error)
{
    const dmm_layout_desc desc = {.item_bytes = w->keys.item_bytes,
        .kind = (dmm_layout_kind)o->layout.kind,
        .B = (uint32_t)o->layout.B,
        .back = o->back,
        .method = (dmm_layout_method)o->method};
    if (!cli_open_session(&w->session, error))
        return false;
    cli_progress_start("permuting", 0);
    const dmm_status status =
        dmm_layout_host(w->session.context, &desc, w->keys.data, NULL, w->keys.count);
    return cli_check(&w->session, status, o->input, error);
}

/* Reads the keys, sorted or, for --back, in the layout. */
static bool read_input(work *w, request *o, cli_error *error)
{
    cli_layout sorted = {.kind = DMM_LAYOUT_SORTED, .B = 1};
    const unsigned kind = DMM_LAYOUT_BTREE;
    if (o->back)
        return cli_read_layout(
                   &w->keys, &o->layout, &o->descending, kind, o->type, o->input, error) &&
               cli_judge_layout(&w->keys, &o->layout, o->descending, o->input, error);
    if (!cli_read_layout(
            &w->keys, &sorted, &o->descending, DMM_LAYOUT_SORTED, o->type, o->input, error))
        return false;
    cli_fill_layout(&o->layout, kind);
    return cli_judge_layout(&w->keys, &sorted, o->descending, o->input, error);
}

static bool write_output(work *w, const request *o, cli_error *error)
{
    const cli_layout sorted = {.kind = DMM_LAYOUT_SORTED, .B = 1};
    char header[CLI_INDEX_HEADER_BYTES];
    if (cli_is_index(o->output)) {
        cli_print_index(header, &w->keys, o->back ? &sorted : &o->layout, o->descending);
        if (!cli_write(&w->output.keys, header, sizeof header, error))
            return false;
    }
    return cli_write_pair(&w->output, &w->keys, NULL, error);
}

int dmm_cli_layout(int argc, char **argv)
{
    cli_error error = {0};
    request o = {.type = DMM_ITEM, .layout = CLI_LAYOUT_INIT};
    work w = {.session = CLI_SESSION_INIT, .output = CLI_PAIR_INIT};
    if (parse(&o, argc, argv, &error) && read_input(&w, &o, &error) &&
        cli_open_pair(&w.output, o.output, NULL, &error) && permute(&w, &o, &error))
        write_output(&w, &o, &error);
    cli_close_pair(&w.output);
    cli_close_session(&w.session);
    cli_free_array(&w.keys);
    return cli_finish(&error);
}
