/* SPDX-License-Identifier: MIT */
/* dmm count: the runs of equal neighbours of a file and their lengths. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <dmm/run_length.h>

#include "commands.h"
#include "number.h"
#include "option.h"
#include "progress.h"
#include "session.h"
#include "table.h"

typedef struct request {
    dmm_type type; /* DMM_ITEM: not given */
    cli_columns columns;
    bool check;
    const char *input, *keys_out, *counts_out;
} request;

typedef struct work {
    cli_session session;
    cli_array keys, before, counts;
    cli_pair output;
} work;

static bool parse(request *o, int argc, char **argv, cli_error *error)
{
    const cli_option options[] = {
        {'o', "output", CLI_TEXT, &o->keys_out, "KEYS",
            "file for the first number of each run; with --counts-out.\n"
            "Without both: lines `COUNT NUMBER` to standard output"},
        {0, "counts-out", CLI_TEXT, &o->counts_out, "COUNTS",
            "file for the number of items of each run, as u64"},
        CLI_TYPE_OPTION(&o->type, "numbers"),
        CLI_KEY_OPTIONS(&o->columns, "KEY",
            "read the numbers of a column of a CSV, or of a two-dimensional\n"
            ".npy: its number, from 1, or its name in the heading; NAME:f32\n"
            "gives its type"),
        {0, "check", CLI_FLAG, &o->check, NULL,
            "check on the host that the runs, written out, are the input;\n"
            "on an error, write nothing and exit with 3"},
    };
    const cli_syntax syntax = {.synopsis = "[OPTION...] INPUT [-o KEYS --counts-out COUNTS]",
        .about = "Counts equal neighbours, as uniq -c, on an OpenCL device; numbers are equal\n"
                 "if their bytes are: -0 is not 0. After dmm sort: how often each number occurs.",
        .examples = "  dmm sort numbers.txt | dmm count -\n",
        .options = options,
        .num_options = sizeof options / sizeof options[0],
        .epilogue = cli_file_formats};
    if (!cli_parse_one(&syntax, argc, argv, &o->input, error))
        return false;
    if (!o->keys_out != !o->counts_out)
        return cli_fail(error, CLI_MISTAKE, NULL, "--output and --counts-out need each other");
    return cli_check_columns(&o->columns, error) &&
           (!o->keys_out || (cli_check_output_name(o->keys_out, false, error) &&
                                cli_check_output_name(o->counts_out, false, error)));
}

static bool count(work *w, const request *o, cli_error *error)
{
    const dmm_run_length_desc desc = {.key_bytes = w->keys.item_bytes};
    size_t runs = 0;
    if (!cli_make_array(&w->counts, DMM_U64, 0, w->keys.count, error) ||
        !cli_open_session(&w->session, error))
        return false;
    cli_progress_call("counting", w->keys.count);
    const dmm_status status = dmm_run_length_host(
        w->session.context, &desc, w->keys.data, w->keys.count, w->counts.data, &runs);
    w->keys.count = w->counts.count = runs;
    return cli_check(&w->session, status, o->input, error);
}

/* True if neighbouring runs differ and the runs, written out, are the input. */
static bool are_runs(const work *w)
{
    const uint32_t bytes = w->before.item_bytes;
    const char *from = w->before.data, *key = w->keys.data;
    const uint64_t *counts = w->counts.data;
    size_t left = w->before.count;
    cli_progress_items("checking", w->before.count);
    for (size_t run = 0; run < w->keys.count; run++, key += bytes) {
        if (counts[run] == 0 || counts[run] > left ||
            (run > 0 && memcmp(key, key - bytes, bytes) == 0))
            return false;
        for (uint64_t i = 0; i < counts[run]; i++, from += bytes)
            if (memcmp(from, key, bytes) != 0)
                return false;
        left -= (size_t)counts[run];
        cli_progress_step(w->before.count - left);
    }
    return left == 0;
}

static bool write_lines(work *w, cli_error *error)
{
    enum { COUNT_CHARS = 24 };
    cli_output *const out = &w->output.keys;
    const uint64_t *counts = w->counts.data;
    cli_progress_items("writing", w->keys.count);
    for (size_t run = 0; run < w->keys.count; run++) {
        char *line = cli_write_room(out, COUNT_CHARS + CLI_NUMBER_CHARS + 1, error);
        if (!line)
            return false;
        size_t length = (size_t)snprintf(line, COUNT_CHARS, "%7" PRIu64 " ", counts[run]);
        length += cli_print_number(
            line + length, (const char *)w->keys.data + run * w->keys.item_bytes, w->keys.type);
        line[length] = '\n';
        cli_written(out, length + 1);
        cli_progress_step(run);
    }
    return cli_commit_outputs((cli_output *const[]){out}, 1, error);
}

static bool run(work *w, const request *o, cli_error *error)
{
    if (!cli_read_numbers(&w->keys, o->input, o->type, &o->columns, error) ||
        !cli_open_pair(&w->output, o->keys_out ? o->keys_out : "-", o->counts_out, error))
        return false;
    if (o->check && !cli_copy_array(&w->before, &w->keys, error))
        return false;
    if (!count(w, o, error))
        return false;
    if (o->check && !are_runs(w))
        return cli_fail(error, CLI_CHECK_FAILED, o->input, "the result is wrong");
    return o->keys_out ? cli_write_pair(&w->output, &w->keys, &w->counts, error)
                       : write_lines(w, error);
}

int dmm_cli_count(int argc, char **argv)
{
    cli_error error = {0};
    request o = {.type = DMM_ITEM};
    work w = {.session = CLI_SESSION_INIT, .output = CLI_PAIR_INIT};
    if (parse(&o, argc, argv, &error))
        run(&w, &o, &error);
    cli_close_pair(&w.output);
    cli_close_session(&w.session);
    cli_free_array(&w.keys);
    cli_free_array(&w.before);
    cli_free_array(&w.counts);
    return cli_finish(&error);
}
