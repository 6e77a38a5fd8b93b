/* SPDX-License-Identifier: MIT */
/* dmm sample: writes a random sample of the items of a file, without replacement. */
#include <string.h>

#include <dmm/shuffle.h>

#include "array.h"
#include "commands.h"
#include "option.h"
#include "progress.h"
#include "session.h"

typedef struct request {
    dmm_type type; /* DMM_ITEM: not given */
    uint64_t seed, count;
    const char *input, *output;
} request;

typedef struct work {
    cli_session session;
    cli_array items, indices, sample;
    cli_pair output;
} work;

static bool parse(request *o, int argc, char **argv, cli_error *error)
{
    const cli_option options[] = {
        {'k', "count", CLI_COUNT, &o->count, "N", "items of the sample (default: 1)"},
        {'o', "output", CLI_TEXT, &o->output, "OUTPUT",
            "file for the sample;\n"
            "default: standard output, as text"},
        {'s', "seed", CLI_COUNT, &o->seed, "S",
            "seed of the sample; the same on every device (default: 0)"},
        CLI_TYPE_OPTION(&o->type, "items"),
    };
    const cli_syntax syntax = {.synopsis = "[OPTION...] INPUT [-o OUTPUT]",
        .about =
            "Writes a random sample of the numbers of a file, without replacement: those that\n"
            "`dmm shuffle` with that seed would put first.",
        .examples = "  dmm sample -k 3 --seed 1 numbers.txt\n",
        .options = options,
        .num_options = sizeof options / sizeof options[0],
        .epilogue = cli_file_formats};
    if (!cli_parse_one(&syntax, argc, argv, &o->input, error))
        return false;
    return cli_choose_output(&o->output, error);
}

static bool draw(work *w, const request *o, cli_error *error)
{
    const size_t n = w->items.count, bytes = w->items.item_bytes;
    if (o->count > n)
        return cli_fail(error, CLI_MISTAKE, "-k", "there are %zu items only", n);
    const size_t count = (size_t)o->count;
    if (!cli_make_array(&w->indices, DMM_U64, 0, count, error) ||
        !cli_make_alike(&w->sample, &w->items, count, error) ||
        !cli_open_session(&w->session, error))
        return false;
    cli_progress_call("sampling", count);
    const dmm_status status =
        dmm_shuffle_sample_host(w->session.context, o->seed, n, count, 8, w->indices.data);
    if (!cli_check(&w->session, status, o->input, error))
        return false;
    const unsigned char *from = w->items.data;
    unsigned char *to = w->sample.data;
    for (size_t i = 0; i < count; i++) {
        uint64_t index = 0;
        memcpy(&index, (const unsigned char *)w->indices.data + i * sizeof index, sizeof index);
        memcpy(to + i * bytes, from + index * bytes, bytes);
    }
    return true;
}

int dmm_cli_sample(int argc, char **argv)
{
    cli_error error = {0};
    request o = {.type = DMM_ITEM, .count = 1};
    work w = {.session = CLI_SESSION_INIT, .output = CLI_PAIR_INIT};
    if (parse(&o, argc, argv, &error) && cli_read_keys(&w.items, o.input, o.type, &error) &&
        cli_open_pair(&w.output, o.output, NULL, &error) && draw(&w, &o, &error))
        cli_write_pair(&w.output, &w.sample, NULL, &error);
    cli_close_pair(&w.output);
    cli_close_session(&w.session);
    cli_free_array(&w.items);
    cli_free_array(&w.indices);
    cli_free_array(&w.sample);
    return cli_finish(&error);
}
