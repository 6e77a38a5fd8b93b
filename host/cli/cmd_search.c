/* SPDX-License-Identifier: MIT */
/* dmm search: writes the ranks of queries among sorted keys. */
#include <stdio.h>
#include <string.h>

#include <dmm/search.h>

#include "commands.h"
#include "layouts.h"
#include "option.h"
#include "progress.h"
#include "session.h"
#include "table.h"

typedef struct request {
    dmm_type type; /* DMM_ITEM: not given */
    cli_layout layout;
    unsigned result; /* a dmm_rank but RANGE */
    unsigned method; /* a dmm_search_method */
    bool descending;
    const char *keys, *queries, *output;
    cli_columns columns; /* --key: of KEYS, or of both */
    char of_queries[64]; /* the column of QUERIES */
} request;

typedef struct work {
    cli_session session;
    cli_array keys, queries, ranks;
    cli_pair output;
} work;

/* Takes the column of QUERIES off --key. */
static bool divide_columns(request *o, cli_error *error)
{
    static char of_keys[64];
    const char *const both = o->columns.keys, *const comma = both ? strchr(both, ',') : NULL;
    if (!both)
        return true;
    const size_t first = comma ? (size_t)(comma - both) : strlen(both);
    const char *const second = comma ? comma + 1 : both;
    if (first >= sizeof of_keys || strlen(second) >= sizeof o->of_queries || strchr(second, ','))
        return cli_fail(error, CLI_MISTAKE, "--key",
            "expected one column, or that of KEYS and that of QUERIES: KEY,KEY");
    snprintf(of_keys, sizeof of_keys, "%.*s", (int)first, both);
    snprintf(o->of_queries, sizeof o->of_queries, "%s", second);
    o->columns.keys = of_keys;
    return true;
}

static bool parse(request *o, int argc, char **argv, cli_error *error)
{
    const cli_option options[] = {
        {0, "result", CLI_CHOICE, &o->result, "lower|upper|contains",
            "how many keys come before a query (default), how many do not\n"
            "come after it, or 1 if it is a key and else 0"},
        {0, "method", CLI_CHOICE, &o->method, "auto|items|teams|merge",
            "a work-item a query, several (GPU form; sorted or btree), or a\n"
            "merge, if QUERIES are sorted as KEYS are (default: auto)"},
        {'k', "kind", CLI_CHOICE, &o->layout.kind, CLI_LAYOUT_KINDS,
            "layout of KEYS, as dmm layout wrote it (default: sorted, or as\n"
            "an index file says); ranks are of the sorted order"},
        {'b', "node", CLI_COUNT, &o->layout.B, "N", "keys of a node of a btree (default: 16)"},
        {'r', "reverse", CLI_FLAG, &o->descending, NULL, "KEYS are sorted largest first"},
        {'o', "output", CLI_TEXT, &o->output, "OUTPUT",
            "file for the results, u32 (u64 from 2^32 keys on), or u8;\n"
            "default: standard output, as text"},
        {'t', "type", CLI_TYPE, &o->type, "TYPE", "type of both, if the files do not contain it"},
        CLI_KEY_OPTIONS(&o->columns, "KEY[,KEY]",
            "read the numbers of a column of CSVs, or of two-dimensional .npy:\n"
            "its number, from 1, or its name in the heading; NAME:f32 gives\n"
            "its type. Two: that of KEYS and that of QUERIES"),
    };
    const cli_syntax syntax = {.synopsis = "[OPTION...] KEYS QUERIES [-o OUTPUT]",
        .about = "Searches for the numbers of a file among sorted keys on an OpenCL device.",
        .examples = "  dmm search a.txt numbers.txt\n"
                    "  dmm search --key id a.csv b.csv\n",
        .options = options,
        .num_options = sizeof options / sizeof options[0],
        .epilogue = cli_index_formats};
    const char *operands[2];
    if (!cli_parse_some(&syntax, argc, argv, operands, 2, error))
        return false;
    o->keys = operands[0];
    o->queries = operands[1];
    return cli_check_columns(&o->columns, error) && divide_columns(o, error) &&
           cli_check_layout(&o->layout, error) && cli_choose_output(&o->output, error);
}

static dmm_rank result_of(const request *o)
{
    static const dmm_rank results[] = {DMM_RANK_LOWER, DMM_RANK_UPPER, DMM_RANK_CONTAINS};
    return results[o->result];
}

/* Text without a type takes that of the other file. */
static bool read_inputs(work *w, request *o, cli_error *error)
{
    cli_columns of_queries = o->columns;
    of_queries.keys = o->columns.keys ? o->of_queries : NULL;
    if (o->columns.keys) {
        if (!cli_read_numbers(&w->keys, o->keys, o->type, &o->columns, error))
            return false;
        cli_fill_layout(&o->layout, DMM_LAYOUT_SORTED);
    } else if (!cli_read_layout(&w->keys, &o->layout, &o->descending, DMM_LAYOUT_SORTED, o->type,
                   o->keys, error))
        return false;
    const bool text = cli_format_of(o->queries) == CLI_TEXT_LINES;
    if (!cli_read_numbers(
            &w->queries, o->queries, text ? w->keys.type : o->type, &of_queries, error))
        return false;
    if (w->queries.type != w->keys.type)
        return cli_fail(error, CLI_MISTAKE, o->queries, "it holds %s, but %s holds %s",
            dmm_type_name(w->queries.type), o->keys, dmm_type_name(w->keys.type));
    const dmm_type rank = w->keys.count <= UINT32_MAX ? DMM_U32 : DMM_U64;
    const cli_layout sorted = {.kind = DMM_LAYOUT_SORTED};
    return cli_judge_layout(&w->keys, &o->layout, o->descending, o->keys, error) &&
           (o->method != DMM_SEARCH_MERGE ||
               cli_judge_layout(&w->queries, &sorted, o->descending, o->queries, error)) &&
           cli_make_array(&w->ranks, result_of(o) == DMM_RANK_CONTAINS ? DMM_U8 : rank, 0,
               w->queries.count, error);
}

static bool search(work *w, const request *o, cli_error *error)
{
    const dmm_search_desc desc = {.order = {.type = w->keys.type, .descending = o->descending},
        .result = result_of(o),
        .rank_bytes = w->keys.count <= UINT32_MAX ? 4 : 8,
        .layout = (dmm_layout_kind)o->layout.kind,
        .B = (uint32_t)o->layout.B,
        .method = (dmm_search_method)o->method};
    if (!cli_open_session(&w->session, error))
        return false;
    cli_progress_call("searching", w->queries.count);
    const dmm_status status = dmm_search_host(w->session.context, &desc, w->keys.data,
        w->keys.count, w->queries.data, w->queries.count, w->ranks.data, NULL);
    return cli_check(&w->session, status, o->keys, error);
}

int dmm_cli_search(int argc, char **argv)
{
    cli_error error = {0};
    request o = {.type = DMM_ITEM, .layout = CLI_LAYOUT_INIT};
    work w = {.session = CLI_SESSION_INIT, .output = CLI_PAIR_INIT};
    if (parse(&o, argc, argv, &error) && read_inputs(&w, &o, &error) &&
        cli_open_pair(&w.output, o.output, NULL, &error) && search(&w, &o, &error))
        cli_write_pair(&w.output, &w.ranks, NULL, &error);
    cli_close_pair(&w.output);
    cli_close_session(&w.session);
    cli_free_array(&w.keys);
    cli_free_array(&w.queries);
    cli_free_array(&w.ranks);
    return cli_finish(&error);
}
