/* SPDX-License-Identifier: MIT */
/* dmm unique: the first number of each run of equal neighbours, piece by piece. */
#include <dmm/unique_stream.h>

#include "commands.h"
#include "option.h"
#include "progress.h"
#include "session.h"
#include "large/drain.h"
#include "large/source.h"

/* What callbacks return after they have filled an error. */
enum { STOPPED = 1 << 20 };

typedef struct request {
    dmm_type type; /* DMM_ITEM: not given */
    const char *input, *output, *values, *values_out;
    uint64_t value_bytes, memory_bytes;
} request;

typedef struct work {
    cli_session session;
    cli_source keys, values;
    cli_drain drain;
    uint64_t read;           /* items */
    cli_error reads, writes; /* of the two threads that callbacks run on */
} work;

static bool parse(request *o, int argc, char **argv, cli_error *error)
{
    const cli_option options[] = {
        {'o', "output", CLI_TEXT, &o->output, "OUTPUT",
            "file for the numbers; may be the input itself;\n"
            "required unless the input is text (then standard output)"},
        {'t', "type", CLI_TYPE, &o->type, "TYPE",
            "type of the numbers, if the file does not contain it"},
        {0, "values", CLI_TEXT, &o->values, "FILE",
            "values that move with the numbers, as in sort"},
        {0, "value-bytes", CLI_COUNT, &o->value_bytes, "N",
            "bytes of a value in a .bin (1 to 256)"},
        {0, "values-out", CLI_TEXT, &o->values_out, "FILE", "file for the values"},
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
        !cli_choose_output(&o->output, o->input, "filters", error))
        return false;
    if (!o->values != !o->values_out)
        return cli_fail(error, CLI_MISTAKE, "--values", "and --values-out need each other");
    return !o->values_out || cli_check_output_name(o->values_out, true, error);
}

static dmm_status read_items(void *user, void *keys, void *values, uint64_t most, uint64_t *count)
{
    work *const w = user;
    uint64_t found = 0;
    if (!cli_source_read(&w->keys, keys, most, count, &w->reads))
        return STOPPED;
    /* At the end of the keys, the values end, too. */
    if (values && !cli_source_read(&w->values, values, *count != 0 ? *count : 1, &found, &w->reads))
        return STOPPED;
    if (values && found != *count) {
        cli_fail(&w->reads, CLI_MISTAKE, w->values.path, "it holds %s values than there are keys",
            found < *count ? "fewer" : "more");
        return STOPPED;
    }
    w->read += *count;
    cli_progress_step(w->read);
    return DMM_OK;
}

static dmm_status write_items(void *user, const void *keys, const void *values, uint64_t count)
{
    work *const w = user;
    return cli_drain_write(&w->drain, keys, values, count, &w->writes) ? DMM_OK : STOPPED;
}

static bool filter(work *w, const request *o, cli_error *error)
{
    const dmm_unique_stream_desc desc = {.key_bytes = w->keys.like.item_bytes,
        .value_bytes = w->values.like.item_bytes,
        .memory_bytes = o->memory_bytes};
    const dmm_unique_stream_args args = {.user = w, .read = read_items, .write = write_items};
    cli_progress_start("filtering", w->keys.estimate);
    const dmm_status status = dmm_unique_stream_host(w->session.context, &desc, &args);
    if (status == STOPPED)
        *error = w->reads.exit_code != 0 ? w->reads : w->writes;
    if (status == DMM_BAD_VALUE)
        return cli_fail(error, CLI_MISTAKE, "--memory", "is too small for such items");
    return status != STOPPED && cli_check(&w->session, status, o->input, error) &&
           cli_drain_commit(&w->drain, NULL, error);
}

static bool run(work *w, const request *o, cli_error *error)
{
    if (!cli_open_keys(&w->keys, o->input, o->type, error) ||
        (o->values && !cli_open_values(&w->values, o->values, o->value_bytes, error)))
        return false;
    w->drain.keys = w->keys.like;
    w->drain.values = w->values.like;
    return cli_open_pair(&w->drain.output, o->output, o->values_out, error) &&
           cli_open_session(&w->session, error) && filter(w, o, error);
}

int dmm_cli_unique(int argc, char **argv)
{
    cli_error error = {0};
    request o = {.type = DMM_ITEM};
    work w = {.session = CLI_SESSION_INIT,
        .keys = CLI_SOURCE_INIT,
        .values = CLI_SOURCE_INIT,
        .drain = CLI_DRAIN_INIT};
    if (parse(&o, argc, argv, &error))
        run(&w, &o, &error);
    cli_close_pair(&w.drain.output);
    cli_close_session(&w.session);
    cli_close_source(&w.keys);
    cli_close_source(&w.values);
    return cli_finish(&error);
}
