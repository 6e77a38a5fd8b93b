/* SPDX-License-Identifier: MIT */
/* dmm set: union, intersection, difference, symmetric difference of two sorted files. */
#include <string.h>

#include <dmm/set.h>

#include "commands.h"
#include "judge.h"
#include "option.h"
#include "progress.h"
#include "session.h"
#include "sorted.h"
#include "large/set_large.h"

enum { A, B, OUT, OPERANDS = 3 };

typedef struct operation {
    const char *name;
    dmm_set_op op;
    unsigned keeps; /* what remains: CLI_KEEPS_ bits */
} operation;

static const operation operations[] = {
    {"union", DMM_SET_UNION, CLI_KEEPS_A | CLI_KEEPS_B | CLI_KEEPS_PAIRS},
    {"intersection", DMM_SET_INTERSECTION, CLI_KEEPS_PAIRS},
    {"difference", DMM_SET_DIFFERENCE, CLI_KEEPS_A},
    {"symmetric", DMM_SET_SYMMETRIC, CLI_KEEPS_A | CLI_KEEPS_B},
};

typedef struct request {
    const operation *what;
    dmm_type type; /* DMM_ITEM: not given */
    bool descending;
    bool check;
    const char *names[3];  /* names of A, B and OUT */
    uint64_t memory_bytes; /* 0: all in memory */
    cli_columns columns;   /* with --key: rows */
} request;

typedef struct work {
    cli_session session;
    cli_array keys[3];
    cli_table tables[2];    /* --key: their numbers are `keys` then */
    cli_array positions[3]; /* positions of rows, A's and then B's */
    cli_pair output;
} work;

static bool find_operation(request *o, const char *name, cli_error *error)
{
    for (size_t i = 0; i < sizeof operations / sizeof operations[0]; i++)
        if (strcmp(operations[i].name, name) == 0)
            o->what = &operations[i];
    return o->what || cli_fail(error, CLI_MISTAKE, NULL,
                          "'%s' is none of union, intersection, difference, symmetric", name);
}

static bool parse(request *o, int argc, char **argv, cli_error *error)
{
    const cli_option options[] = {
        {'o', "output", CLI_TEXT, &o->names[OUT], "OUTPUT",
            "file for the result; may be one of the inputs;\n"
            "default: standard output, as text"},
        {'t', "type", CLI_TYPE, &o->type, "TYPE",
            "type of the numbers, if the files do not contain it"},
        {'r', "reverse", CLI_FLAG, &o->descending, NULL, "the files are sorted largest first"},
        {0, "memory", CLI_BYTES, &o->memory_bytes, "SIZE",
            "combine within so much memory, e.g. 2G, for larger files; text\n"
            "needs -t. The driver takes more, some 100 MiB for PoCL"},
        CLI_KEY_OPTIONS(&o->columns, "KEY",
            "combine the rows of CSVs, or of two-dimensional .npy, by a column\n"
            "by which they are sorted: its number, from 1, or its name in the\n"
            "headings; NAME:r if it descends, NAME:f32 gives its type. Of a\n"
            "pair the row of A remains"),
        {0, "check", CLI_FLAG, &o->check, NULL,
            "check the whole result on the host before writing it;\n"
            "on an error, write nothing and exit with 3"},
    };
    const cli_syntax syntax = {
        .synopsis = "[OPTION...] union|intersection|difference|symmetric A B [-o OUTPUT]",
        .about = "Combines two sorted files on an OpenCL device, as comm does lines. A number that "
                 "A has\na times and B has b times remains max(a, b) times (union), min(a, b) "
                 "(intersection),\na - b if that is positive (difference: A without B), or |a - b| "
                 "(symmetric difference).\nNumbers are equal if their bytes are: -0 is not 0.",
        .examples = "  dmm set intersection a.txt b.txt\n"
                    "  dmm set difference --key id a.csv b.csv\n",
        .options = options,
        .num_options = sizeof options / sizeof options[0],
        .epilogue = cli_file_formats};
    const char *operands[OPERANDS];
    if (!cli_parse_some(&syntax, argc, argv, operands, OPERANDS, error) ||
        !find_operation(o, operands[0], error))
        return false;
    o->names[A] = operands[1];
    o->names[B] = operands[2];
    if (o->check && o->memory_bytes != 0)
        return cli_fail(error, CLI_MISTAKE, "--check", "is not offered with --memory");
    return cli_check_columns(&o->columns, error) &&
           cli_check_rows(&o->columns, (const bool[]){o->memory_bytes != 0},
               (const char *const[]){"--memory", NULL}, error) &&
           cli_choose_output(&o->names[OUT], error);
}

/* Numbers the rows of both tables, A's first. */
static bool number_rows(work *w, cli_error *error)
{
    uint64_t at = 0;
    for (int side = A; side <= B; side++) {
        if (!cli_make_array(&w->positions[side], DMM_U64, 0, w->keys[side].count, error))
            return false;
        for (size_t i = 0; i < w->keys[side].count; i++)
            ((uint64_t *)w->positions[side].data)[i] = at++;
    }
    return cli_make_array(&w->positions[OUT], DMM_U64, 0, (size_t)at, error);
}

static bool read_inputs(work *w, request *o, cli_error *error)
{
    const cli_array *const a = &w->keys[A], *const b = &w->keys[B];
    for (int side = A; side <= B; side++)
        if (!(o->columns.keys ? cli_read_sorted_rows(&w->keys[side], &w->tables[side],
                                    o->names[side], o->type, &o->columns, &o->descending, error)
                              : cli_read_sorted(
                                    &w->keys[side], o->names[side], o->type, o->descending, error)))
            return false;
    if (o->columns.keys &&
        (!cli_check_alike(&w->tables[A], &w->tables[B], error) || !number_rows(w, error) ||
            !cli_check_row_output(&w->tables[A], o->names[OUT], error)))
        return false;
    if (!cli_check_type(a, b, o->names[B], "other", error))
        return false;
    if (a->count > SIZE_MAX - b->count)
        return cli_fail_memory(error, o->names[B], SIZE_MAX);
    return cli_make_alike(&w->keys[OUT], a, a->count + b->count, error);
}

static bool combine(work *w, const request *o, cli_error *error)
{
    const dmm_set_desc desc = {.order = {.type = w->keys[A].type, .descending = o->descending},
        .op = o->what->op,
        .value_bytes = w->positions[OUT].item_bytes};
    const dmm_set_host_args args = {.a_keys = w->keys[A].data,
        .a_values = w->positions[A].data,
        .b_values = w->positions[B].data,
        .values_out = w->positions[OUT].data,
        .na = w->keys[A].count,
        .b_keys = w->keys[B].data,
        .nb = w->keys[B].count,
        .keys_out = w->keys[OUT].data,
        .count_out = &w->keys[OUT].count};
    if (!cli_open_session(&w->session, error))
        return false;
    cli_progress_call("combining", w->keys[OUT].count);
    const dmm_status status = dmm_set_host(w->session.context, &desc, &args);
    w->positions[OUT].count = w->keys[OUT].count;
    return cli_check(&w->session, status, NULL, error);
}

static bool check(const work *w, const request *o, cli_error *error)
{
    return cli_judge_set(w->keys, o->what->keeps, o->descending, error);
}

static void run_large(const request *o, cli_error *error)
{
    const cli_set_request large = {.op = o->what->op,
        .type = o->type,
        .descending = o->descending,
        .inputs = {o->names[A], o->names[B]},
        .output = o->names[OUT],
        .memory_bytes = o->memory_bytes};
    cli_set_large(&large, error);
}

static void run(work *w, request *o, cli_error *error)
{
    if (read_inputs(w, o, error) && cli_open_pair(&w->output, o->names[OUT], NULL, error) &&
        combine(w, o, error) && (!o->check || check(w, o, error))) {
        if (!o->columns.keys)
            cli_write_pair(&w->output, &w->keys[OUT], NULL, error);
        else if (cli_write_rows(&w->output.keys, w->tables, 2, &w->positions[OUT], error))
            cli_commit_pair(&w->output, error);
    }
}

int dmm_cli_set(int argc, char **argv)
{
    cli_error error = {0};
    request o = {.type = DMM_ITEM};
    work w = {.session = CLI_SESSION_INIT, .output = CLI_PAIR_INIT};
    if (parse(&o, argc, argv, &error)) {
        if (o.memory_bytes != 0)
            run_large(&o, &error);
        else
            run(&w, &o, &error);
    }
    cli_close_pair(&w.output);
    cli_close_session(&w.session);
    for (int side = A; side <= OUT; side++) {
        cli_free_array(&w.keys[side]);
        cli_free_array(&w.positions[side]);
    }
    cli_close_table(&w.tables[A]);
    cli_close_table(&w.tables[B]);
    return cli_finish(&error);
}
