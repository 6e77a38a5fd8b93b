/* SPDX-License-Identifier: MIT */
/* dmm unique: the first number of each run of equal neighbours, piece by piece. */
#include <dmm/unique_stream.h>

#include "commands.h"
#include "option.h"
#include "progress.h"
#include "large/flow.h"

typedef struct request {
    dmm_type type; /* DMM_ITEM: not given */
    const char *input, *output, *values, *values_out;
    uint64_t value_bytes, memory_bytes;
} request;

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
    };
    const cli_syntax syntax = {.synopsis = "[OPTION...] INPUT [-o OUTPUT]",
        .about =
            "Writes the first of equal neighbours, as uniq, on an OpenCL device; numbers are\n"
            "equal if their bytes are: -0 is not 0. After dmm sort: each number once. Text is\n"
            "read once, without a look ahead, and needs -t.",
        .options = options,
        .num_options = sizeof options / sizeof options[0],
        .epilogue = cli_file_formats};
    if (!cli_parse_one(&syntax, argc, argv, &o->input, error) ||
        !cli_choose_output(&o->output, error))
        return false;
    if (!o->values != !o->values_out)
        return cli_fail(error, CLI_MISTAKE, "--values", "and --values-out need each other");
    return !o->values_out || cli_check_output_name(o->values_out, true, error);
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
           cli_check_rewinds(&f->drain.output, error) && cli_open_session(&f->session, error) &&
           filter(f, o, error);
}

int dmm_cli_unique(int argc, char **argv)
{
    cli_error error = {0};
    request o = {.type = DMM_ITEM};
    cli_flow f = CLI_FLOW_INIT;
    if (parse(&o, argc, argv, &error))
        run(&f, &o, &error);
    cli_close_flow(&f, true);
    return cli_finish(&error);
}
