/* SPDX-License-Identifier: MIT */
/* dmm shuffle: writes the items of a file in random order. */
#include <string.h>

#include <dmm/shuffle.h>

#include "array.h"
#include "commands.h"
#include "option.h"
#include "progress.h"
#include "session.h"

typedef struct request {
    dmm_type type; /* DMM_ITEM: not given */
    bool check;
    uint64_t seed;
    const char *input, *output;
    const char *values, *values_out;
    uint64_t value_bytes;
} request;

typedef struct work {
    cli_session session;
    cli_array items, before, values, values_before;
    cli_pair output;
} work;

static bool parse(request *o, int argc, char **argv, cli_error *error)
{
    const cli_option options[] = {
        {'o', "output", CLI_TEXT, &o->output, "OUTPUT",
            "file for the shuffled items; may be the input itself;\n"
            "default: standard output, as text"},
        {'s', "seed", CLI_COUNT, &o->seed, "S",
            "seed of the order; the same on every device (default: 0)"},
        CLI_TYPE_OPTION(&o->type, "items"),
        CLI_VALUE_OPTIONS(&o->values, &o->value_bytes, &o->values_out,
            "values that move with the items: .npy with items of any type, or .bin"),
        {0, "check", CLI_FLAG, &o->check, NULL,
            "compare the whole result with the defining function of the index;\n"
            "on an error, write nothing and exit with 3"},
    };
    const cli_syntax syntax = {.synopsis = "[OPTION...] INPUT [-o OUTPUT]",
        .about = "Writes the numbers of a file in random order.",
        .examples = "  dmm shuffle --seed 1 numbers.txt\n",
        .options = options,
        .num_options = sizeof options / sizeof options[0],
        .epilogue = cli_file_formats};
    if (!cli_parse_one(&syntax, argc, argv, &o->input, error))
        return false;
    if (!cli_choose_output(&o->output, error))
        return false;
    if (!o->values != !o->values_out)
        return cli_fail(error, CLI_MISTAKE, "--values", "and --values-out need each other");
    return !o->values_out || cli_check_output_name(o->values_out, true, error);
}

static bool is_shuffled(const cli_array *before, const cli_array *after, uint64_t seed)
{
    const unsigned char *from = before->data, *to = after->data;
    const size_t n = before->count, bytes = before->item_bytes;
    size_t i = 0;
    while (
        i < n && memcmp(to + i * bytes, from + dmm_shuffle_index(seed, n, i) * bytes, bytes) == 0)
        i++;
    return i == n;
}

static bool shuffle(work *w, const request *o, cli_error *error)
{
    const dmm_shuffle_desc desc = {
        .item_bytes = w->items.item_bytes, .value_bytes = w->values.item_bytes};
    if (!cli_open_session(&w->session, error))
        return false;
    cli_progress_call("shuffling", w->items.count);
    const dmm_status status = dmm_shuffle_host(
        w->session.context, &desc, o->seed, w->items.data, w->values.data, w->items.count);
    return cli_check(&w->session, status, o->input, error);
}

static bool run(work *w, const request *o, cli_error *error)
{
    if (!cli_read_keys(&w->items, o->input, o->type, error))
        return false;
    if (o->values && !cli_read_values(&w->values, o->values, o->value_bytes, w->items.count, error))
        return false;
    if (!cli_open_pair(&w->output, o->output, o->values_out, error))
        return false;
    if (o->check && (!cli_copy_array(&w->before, &w->items, error) ||
                        (o->values && !cli_copy_array(&w->values_before, &w->values, error))))
        return false;
    if (!shuffle(w, o, error))
        return false;
    if (o->check && (!is_shuffled(&w->before, &w->items, o->seed) ||
                        (o->values && !is_shuffled(&w->values_before, &w->values, o->seed))))
        return cli_fail(error, CLI_CHECK_FAILED, o->input, "the result is wrong");
    return cli_write_pair(&w->output, &w->items, &w->values, error);
}

int dmm_cli_shuffle(int argc, char **argv)
{
    cli_error error = {0};
    request o = {.type = DMM_ITEM};
    work w = {.session = CLI_SESSION_INIT, .output = CLI_PAIR_INIT};
    if (parse(&o, argc, argv, &error))
        run(&w, &o, &error);
    cli_close_pair(&w.output);
    cli_close_session(&w.session);
    cli_free_array(&w.items);
    cli_free_array(&w.before);
    cli_free_array(&w.values);
    cli_free_array(&w.values_before);
    return cli_finish(&error);
}
